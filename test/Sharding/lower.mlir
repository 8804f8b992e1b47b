// RUN: linalg-ext-opt %s --linalg-ext-lower-sharded | FileCheck %s

shard.grid @grid(shape = 2)

// CHECK:       func.func private @linalg_ext_mpi_all_reduce_f32(
// CHECK:       memref.global "private" constant @grid_shape : memref<1xi64> = dense<2>
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         bufferization.materialize_in_destination %[[X]] in restrict writable %[[B]]
// CHECK:         call @linalg_ext_mpi_all_reduce_f32(
// CHECK:         bufferization.to_tensor %[[B]] restrict writable
func.func @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The size of what is gathered follows from that of a part.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x3xf32>
// CHECK:         %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK:         memref.alloc(%[[N]]) : memref<?x3xf32>
// CHECK:         %[[M:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK:         %[[W:.*]] = affine.apply #{{.*}}()[%[[M]]]
// CHECK:         memref.alloc(%[[W]]) : memref<?x3xf32>
// CHECK:         call @linalg_ext_mpi_all_gather_f32(
func.func @dynamic(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<?x3xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @exchange(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK-DAG:     %[[HALF:.*]] = affine.apply #{{.*}}()[%{{.*}}]
// CHECK-DAG:     %[[TO:.*]] = memref.alloc(%[[HALF]]) : memref<8x?xf32>
// CHECK-DAG:     %[[FROM:.*]] = memref.alloc(%{{.*}}) : memref<4x?xf32>
// CHECK-DAG:     %[[F:.*]] = memref.cast %[[FROM]]
// CHECK-DAG:     %[[T:.*]] = memref.cast %[[TO]]
// CHECK:         call @linalg_ext_mpi_all_to_all_f32(%[[F]], %[[T]], %{{.*}}, %{{.*}}, %c1{{.*}}, %c0{{.*}})
func.func @exchange(%x: tensor<4x?xf32>) -> tensor<8x?xf32> {
  %0 = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 1 concat_axis = 0 : tensor<4x?xf32> -> tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// What a process cuts from a gathered tensor comes from each of the others.
// CHECK-LABEL: func.func @exchange_gathered(
// CHECK-NOT:     all_gather
// CHECK:         call @linalg_ext_mpi_all_to_all_f32(
// CHECK-NOT:     extract_slice
func.func @exchange_gathered(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4x6xf32> -> tensor<8x6xf32>
  %1 = shard.all_slice %0 on @grid grid_axes = [0] slice_axis = 1 : tensor<8x6xf32> -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// CHECK-LABEL: func.func @negative_gathered_is_used(
// CHECK:         call @linalg_ext_mpi_all_gather_f32(
// CHECK:         tensor.extract_slice
func.func @negative_gathered_is_used(%x: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<8x3xf32>) {
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4x6xf32> -> tensor<8x6xf32>
  %1 = shard.all_slice %0 on @grid grid_axes = [0] slice_axis = 1 : tensor<8x6xf32> -> tensor<8x3xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x3xf32>
}

// CHECK-LABEL: func.func @own_part(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x6xf32>
// CHECK-NEXT:    return %[[X]]
func.func @own_part(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4x6xf32> -> tensor<8x6xf32>
  %1 = shard.all_slice %0 on @grid grid_axes = [0] slice_axis = 0 : tensor<8x6xf32> -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// The part of this process travels from where it is, and the last step is not
// stored.
// CHECK-LABEL: func.func @ring(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK:         %[[OWN:.*]] = bufferization.to_buffer %[[X]] read_only : tensor<4xf32> to memref<4xf32>
// CHECK:         %[[FROM:.*]] = memref.cast %[[OWN]]
// CHECK:         call @linalg_ext_mpi_pass_start_f32(%[[FROM]], %[[TO:.*]], %{{.*}}, %{{.*}})
// CHECK:         linalg.reduce {{.*}}ins(%[[X]] : tensor<4xf32>)
// CHECK:         bufferization.materialize_in_destination
// CHECK:         call @linalg_ext_mpi_pass_wait_f32(
// CHECK:         linalg.reduce
// CHECK-NOT:     materialize_in_destination
// CHECK:         return
func.func @ring(%x: tensor<4xf32> {shard.ring}) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%0 : tensor<8xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// The position of a process is not negative, and is asked for once.
// CHECK-LABEL: func.func @position(
// CHECK:         %[[P:.*]] = call @linalg_ext_mpi_process_index(
// CHECK:         %[[I:.*]] = arith.index_cast %[[P]] : i64 to index
// CHECK:         %[[N:.*]] = affine.max #{{.*}}(%[[I]])
// CHECK-NOT:     call
// CHECK:         return %[[N]], %[[N]]
func.func @position() -> (index, index) {
  %0 = shard.process_linear_index on @grid : index
  %1 = shard.process_linear_index on @grid : index
  return %0, %1 : index, index
}
