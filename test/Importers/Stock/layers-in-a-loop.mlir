// Layers in a loop, as a scan over stacked weights: each iteration computes a new tensor
// from the last one. The caller's tensor is not overwritten. On a GPU, the loop is unrolled.

// RUN: linalg-ext-check-program %s --sizes=37x16,3x16x16 --max-buffer-bytes=2432 --max-kernels=3
// RUN: linalg-ext-check-program %s --targets=cpu --sizes=1x16,3x16x16 --max-buffer-bytes=2432 --cpu-options=cpu=host
// RUN: linalg-ext-opt %s --linalg-ext-to-buffers | FileCheck %s
// CHECK-LABEL: func.func @layers(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?x16xf32>
// CHECK-NOT:     memref.copy %{{.*}}, %[[X]]
// CHECK:         return

func.func @layers(%x: tensor<?x16xf32>, %w: tensor<3x16x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> (tensor<?x16xf32>) {
    %weights = tensor.extract_slice %w[%i, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<3x16x16xf32> to tensor<16x16xf32>
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %p = linalg.softmax dimension(1) ins(%h : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %y = linalg.matmul ins(%p, %weights : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %y : tensor<?x16xf32>
  }
  return %r : tensor<?x16xf32>
}
