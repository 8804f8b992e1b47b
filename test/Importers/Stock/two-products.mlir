// A softmax that two products use.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --keys=16

func.func @two_products(%q: tensor<3x37x16xf32>,
                        %k: tensor<3x16x45xf32>,
                        %v: tensor<3x45x16xf32>,
                        %u: tensor<3x45x8xf32>) -> (tensor<3x37x16xf32>, tensor<3x37x8xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %2 = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %3 = tensor.empty() : tensor<3x37x45xf32>
  %4 = linalg.softmax dimension(2) ins(%2 : tensor<3x37x45xf32>) outs(%3 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %5 = tensor.empty() : tensor<3x37x16xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %7 = linalg.batch_matmul ins(%4, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%6 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %8 = tensor.empty() : tensor<3x37x8xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<3x37x8xf32>) -> tensor<3x37x8xf32>
  %10 = linalg.batch_matmul ins(%4, %u : tensor<3x37x45xf32>, tensor<3x45x8xf32>) outs(%9 : tensor<3x37x8xf32>) -> tensor<3x37x8xf32>
  return %7, %10 : tensor<3x37x16xf32>, tensor<3x37x8xf32>
}
