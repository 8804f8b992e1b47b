// A product of bf16 with three columns: the tile of the right operand has loads of one element.
func.func @few_columns(%a: tensor<2x16xbf16>, %b: tensor<16x3xbf16>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x16xbf16>, tensor<16x3xbf16>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
