// The program of chain-named.mlir after upstream's passes: all ops are linalg.generic.

// RUN: mlir-opt %s --linalg-generalize-named-ops \
// RUN: | linalg-ext-check-program --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

func.func @attention(%q: tensor<3x37x16xf32>,
                     %k: tensor<3x16x45xf32>,
                     %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %2 = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %3 = tensor.empty() : tensor<3x37x45xf32>
  %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %5 = tensor.empty() : tensor<3x37x45xf32>
  %6 = linalg.mul ins(%2, %4 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %8 = tensor.empty() : tensor<3x37xf32>
  %9 = linalg.fill ins(%cst_2 : f32) outs(%8 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %7 = linalg.reduce { arith.maximumf } ins(%6 : tensor<3x37x45xf32>) outs(%9 : tensor<3x37xf32>) dimensions = [2]
  %10 = tensor.empty() : tensor<3x37x45xf32>
  %11 = linalg.broadcast ins(%7 : tensor<3x37xf32>) outs(%10 : tensor<3x37x45xf32>) dimensions = [2]
  %12 = tensor.empty() : tensor<3x37x45xf32>
  %13 = linalg.sub ins(%6, %11 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%12 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %14 = tensor.empty() : tensor<3x37x45xf32>
  %15 = linalg.exp ins(%13 : tensor<3x37x45xf32>) outs(%14 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %17 = tensor.empty() : tensor<3x37xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %16 = linalg.reduce { arith.addf } ins(%15 : tensor<3x37x45xf32>) outs(%18 : tensor<3x37xf32>) dimensions = [2]
  %19 = tensor.empty() : tensor<3x37x45xf32>
  %20 = linalg.broadcast ins(%16 : tensor<3x37xf32>) outs(%19 : tensor<3x37x45xf32>) dimensions = [2]
  %21 = tensor.empty() : tensor<3x37x45xf32>
  %22 = linalg.div ins(%15, %20 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%21 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %23 = tensor.empty() : tensor<3x37x16xf32>
  %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %25 = linalg.batch_matmul ins(%22, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%24 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %25 : tensor<3x37x16xf32>
}
