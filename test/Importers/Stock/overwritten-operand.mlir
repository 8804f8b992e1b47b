// A sum whose destination is one of its operands, and its softmax in place: no copy of the
// operand, no temporary on a GPU.

// RUN: linalg-ext-check-program %s --sizes=37x24,37x24 --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --sizes=37x24,37x24 --targets=cpu

func.func @softmax_of_sum(%a: tensor<?x24xf32>, %b: tensor<?x24xf32>) -> tensor<?x24xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?x24xf32>, tensor<?x24xf32>) outs(%a : tensor<?x24xf32>) -> tensor<?x24xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<?x24xf32>) outs(%0 : tensor<?x24xf32>) -> tensor<?x24xf32>
  return %1 : tensor<?x24xf32>
}
