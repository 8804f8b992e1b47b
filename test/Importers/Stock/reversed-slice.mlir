// A slice that goes backwards: its rows and columns have negative strides.

// RUN: linalg-ext-check-program %s

func.func @reversed(%x: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %0 = tensor.extract_slice %x[5, 9] [6, 10] [-1, -1] : tensor<6x10xf32> to tensor<6x10xf32>
  %1 = math.exp %0 : tensor<6x10xf32>
  return %1 : tensor<6x10xf32>
}
