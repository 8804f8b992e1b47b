// Three layers, as they are behind CSE: their fills are shared. Each layer fills its
// own tiles; stored for the next ones, they would take buffers of their own and the
// programs of workgroups with them.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=3 \
// RUN:   --keys=16

func.func @attention(%q: tensor<3x37x16xf32>,
                     %k: tensor<3x16x45xf32>,
                     %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %4 = tensor.empty() : tensor<3x37x16xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %a1 = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %b1 = linalg.mul ins(%a1, %3 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %c1 = linalg.softmax dimension(2) ins(%b1 : tensor<3x37x45xf32>) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %x1 = linalg.batch_matmul ins(%c1, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%5 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %a2 = linalg.batch_matmul ins(%x1, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %b2 = linalg.mul ins(%a2, %3 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %c2 = linalg.softmax dimension(2) ins(%b2 : tensor<3x37x45xf32>) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %x2 = linalg.batch_matmul ins(%c2, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%5 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %a3 = linalg.batch_matmul ins(%x2, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %b3 = linalg.mul ins(%a3, %3 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %c3 = linalg.softmax dimension(2) ins(%b3 : tensor<3x37x45xf32>) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %x3 = linalg.batch_matmul ins(%c3, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%5 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %x3 : tensor<3x37x16xf32>
}
