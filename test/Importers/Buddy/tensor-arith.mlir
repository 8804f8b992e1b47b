// arith and math on tensors: the table of rotary positions.

// RUN: linalg-ext-check-program %s

func.func @cos_of_tensors(%x: tensor<33x8xf32> {check.draw = "uniform 0 40"},
                          %y: tensor<33x8xf32>) -> tensor<33x8xf32> {
  %0 = math.cos %x : tensor<33x8xf32>
  %1 = math.sin %x : tensor<33x8xf32>
  %2 = arith.mulf %0, %y : tensor<33x8xf32>
  %3 = arith.addf %2, %1 : tensor<33x8xf32>
  return %3 : tensor<33x8xf32>
}
