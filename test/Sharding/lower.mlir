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
