// The chain as arith and math on tensors, after convert-elementwise-to-linalg.

// RUN: mlir-opt %s --convert-elementwise-to-linalg \
// RUN: | linalg-ext-check-program --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

func.func @attention(%q: tensor<3x37x16xf32>,
                     %k: tensor<3x16x45xf32>,
                     %v: tensor<3x45x16xf32>,
                     %mask: tensor<3x37x45xf32> {check.draw = "mask 0.3"}) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %2 = linalg.batch_matmul ins(%q, %k : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %3 = arith.constant dense<0.25> : tensor<3x37x45xf32>
  %4 = arith.mulf %2, %3 : tensor<3x37x45xf32>
  %5 = arith.addf %4, %mask : tensor<3x37x45xf32>
  %7 = tensor.empty() : tensor<3x37xf32>
  %8 = linalg.fill ins(%cst_1 : f32) outs(%7 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %6 = linalg.reduce { arith.maximumf } ins(%5 : tensor<3x37x45xf32>) outs(%8 : tensor<3x37xf32>) dimensions = [2]
  %9 = tensor.empty() : tensor<3x37x45xf32>
  %10 = linalg.broadcast ins(%6 : tensor<3x37xf32>) outs(%9 : tensor<3x37x45xf32>) dimensions = [2]
  %11 = arith.subf %5, %10 : tensor<3x37x45xf32>
  %12 = math.exp %11 : tensor<3x37x45xf32>
  %14 = tensor.empty() : tensor<3x37xf32>
  %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %13 = linalg.reduce { arith.addf } ins(%12 : tensor<3x37x45xf32>) outs(%15 : tensor<3x37xf32>) dimensions = [2]
  %16 = tensor.empty() : tensor<3x37x45xf32>
  %17 = linalg.broadcast ins(%13 : tensor<3x37xf32>) outs(%16 : tensor<3x37x45xf32>) dimensions = [2]
  %18 = arith.divf %12, %17 : tensor<3x37x45xf32>
  %19 = tensor.empty() : tensor<3x37x16xf32>
  %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %21 = linalg.batch_matmul ins(%18, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%20 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %21 : tensor<3x37x16xf32>
}
