// A product of three buffers with gaps and offsets that are known only at run time; f32.

// Aligned rows, rows that are not, columns with gaps, and dense buffers.
// RUN: linalg-ext-check-program %s --sizes=37x24,24x40,37x40 --max-kernels=1 \
// RUN:   --layouts=32x1+4,44x1,48x1+8
// RUN: linalg-ext-check-program %s --sizes=37x24,24x40,37x40 --max-kernels=1 \
// RUN:   --layouts=32x1+5,43x1,48x1+8
// RUN: linalg-ext-check-program %s --sizes=37x24,24x40,37x40 --max-kernels=1 \
// RUN:   --layouts=1x39+5,2x50,3x120+1
// RUN: linalg-ext-check-program %s --sizes=37x24,24x40,37x40 --max-kernels=1
// Sizes that are no multiples of 16 bytes, with strides that are.
// RUN: linalg-ext-check-program %s --sizes=33x23,23x37,33x37 --max-kernels=1 \
// RUN:   --layouts=32x1+4,44x1,48x1+8

!buffer = memref<?x?xf32, strided<[?, ?], offset: ?>>
func.func @product(%a: !buffer, %b: !buffer, %out: !buffer) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = bufferization.to_tensor %a restrict : !buffer to tensor<?x?xf32>
  %bt = bufferization.to_tensor %b restrict : !buffer to tensor<?x?xf32>
  %m = tensor.dim %at, %c0 : tensor<?x?xf32>
  %n = tensor.dim %bt, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%at, %bt : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  bufferization.materialize_in_destination %p in restrict writable %out : (tensor<?x?xf32>, !buffer) -> ()
  return
}
