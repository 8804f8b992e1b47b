// A result without elements: there is nothing to launch.
func.func @nothing(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %empty = tensor.empty() : tensor<0x4xf32>
  %0 = linalg.exp ins(%x : tensor<0x4xf32>) outs(%empty : tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
