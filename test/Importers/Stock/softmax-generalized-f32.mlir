// The same after linalg-generalize-named-ops.

// RUN: mlir-opt %s --linalg-generalize-named-ops \
// RUN: | linalg-ext-check-program --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

func.func @attention_f32(%q: tensor<3x37x16xf32>,
                         %k: tensor<3x16x45xf32>,
                         %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %2 = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %3 = tensor.empty() : tensor<3x37x45xf32>
  %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %5 = tensor.empty() : tensor<3x37x45xf32>
  %6 = linalg.mul ins(%2, %4 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.empty() : tensor<3x37x45xf32>
  %8 = linalg.softmax dimension(2) ins(%6 : tensor<3x37x45xf32>) outs(%7 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %9 = tensor.empty() : tensor<3x37x16xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %11 = linalg.batch_matmul ins(%8, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%10 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %11 : tensor<3x37x16xf32>
}
