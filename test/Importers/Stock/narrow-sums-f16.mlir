// Products and softmax of f16 that accumulate in f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

func.func @narrow_sums(%q: tensor<3x37x16xf16> {check.draw = "uniform -0.5 0.5"},
                       %k: tensor<3x16x45xf16> {check.draw = "uniform -0.5 0.5"},
                       %v: tensor<3x45x16xf16>) -> tensor<3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %0 = tensor.empty() : tensor<3x37x45xf16>
  %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<3x37x45xf16>) -> tensor<3x37x45xf16>
  %2 = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf16>, tensor<3x16x45xf16>) outs(%1 : tensor<3x37x45xf16>) -> tensor<3x37x45xf16>
  %3 = tensor.empty() : tensor<3x37x45xf16>
  %4 = linalg.softmax dimension(2) ins(%2 : tensor<3x37x45xf16>) outs(%3 : tensor<3x37x45xf16>) -> tensor<3x37x45xf16>
  %5 = tensor.empty() : tensor<3x37x16xf16>
  %6 = linalg.fill ins(%cst : f16) outs(%5 : tensor<3x37x16xf16>) -> tensor<3x37x16xf16>
  %7 = linalg.batch_matmul ins(%4, %v : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%6 : tensor<3x37x16xf16>) -> tensor<3x37x16xf16>
  return %7 : tensor<3x37x16xf16>
}
