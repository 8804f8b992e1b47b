// A softmax that overwrites its buffer: a kernel without a temporary, and a block of rows of 8
// at most on a CPU. What is computed has no claim that nothing else is a tensor of the buffer.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=9696

func.func @softmax_in_place(%x: memref<37x301xf32>) {
  %t = bufferization.to_tensor %x restrict writable : memref<37x301xf32> to tensor<37x301xf32>
  %e = tensor.empty() : tensor<37x301xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<37x301xf32>) outs(%e : tensor<37x301xf32>) -> tensor<37x301xf32>
  bufferization.materialize_in_destination %p in writable %x : (tensor<37x301xf32>, memref<37x301xf32>) -> ()
  return
}

func.func @softmax_of_itself(%x: memref<37x301xf32>) {
  %t = bufferization.to_tensor %x restrict writable : memref<37x301xf32> to tensor<37x301xf32>
  %p = linalg.softmax dimension(1) ins(%t : tensor<37x301xf32>) outs(%t : tensor<37x301xf32>) -> tensor<37x301xf32>
  bufferization.materialize_in_destination %p in restrict writable %x : (tensor<37x301xf32>, memref<37x301xf32>) -> ()
  return
}
