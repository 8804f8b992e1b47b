// RUN: linalg-ext-opt %s --linalg-ext-complete-sharding=steps=lower | FileCheck %s

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

// All know what the others have.
// CHECK-LABEL: func.func @gathered_fill(
// CHECK-NOT:     call
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]]
// CHECK-NOT:     call
// CHECK:         return %[[F]], %{{.*}} : tensor<8xf32>, tensor<6x?xf32>
func.func @gathered_fill(%n: index) -> (tensor<8xf32>, tensor<6x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = shard.all_gather %f on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %g = tensor.empty(%n) : tensor<3x?xf32>
  %1 = shard.all_gather %g on @grid grid_axes = [0] gather_axis = 0 : tensor<3x?xf32> -> tensor<6x?xf32>
  return %0, %1 : tensor<8xf32>, tensor<6x?xf32>
}

// A branch that reads elements stays in the payload, and what it needs not, does not.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %{{[a-z0-9]+}}: tensor<4xf32>, %[[FLAG:[a-z0-9]+]]: i1, %[[A:[a-z0-9]+]]: f32
// CHECK:         %[[B:.*]] = arith.negf %[[A]]
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[IN:.*]]: f32,
// CHECK:           scf.if %[[FLAG]]
// CHECK:             arith.mulf %[[IN]], %[[B]]
func.func @branch(%x: tensor<4xf32>, %flag: i1, %a: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %b = arith.negf %a : f32
    %r = scf.if %flag -> f32 {
      %p = arith.mulf %in, %b : f32
      scf.yield %p : f32
    } else {
      scf.yield %in : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
