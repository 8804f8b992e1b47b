// A softmax from memref to memref: between them a block of rows on a CPU, of 8 at most,
// and nothing on a GPU.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9696

func.func @softmax(%x: memref<37x301xf32>, %out: memref<37x301xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<37x301xf32> to tensor<37x301xf32>
  %e = tensor.empty() : tensor<37x301xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<37x301xf32>) outs(%e : tensor<37x301xf32>) -> tensor<37x301xf32>
  bufferization.materialize_in_destination %p in restrict writable %out : (tensor<37x301xf32>, memref<37x301xf32>) -> ()
  return
}
