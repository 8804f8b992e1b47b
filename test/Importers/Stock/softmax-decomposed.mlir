// Decomposed by structured.decompose_interface: the maximum is maxnumf and starts
// from NaN.

// RUN: mlir-opt %s --transform-interpreter \
// RUN: | linalg-ext-check-program --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.softmax"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @attention(%q: tensor<3x37x16xf32>,
                       %k: tensor<3x16x45xf32>,
                       %v: tensor<3x45x16xf32>,
                       %mask: tensor<3x37x45xf32> {check.draw = "mask 0.3"}) -> tensor<3x37x16xf32> {
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
    %8 = linalg.add ins(%6, %mask : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%7 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
    %9 = tensor.empty() : tensor<3x37x45xf32>
    %10 = linalg.softmax dimension(2) ins(%8 : tensor<3x37x45xf32>) outs(%9 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
    %11 = tensor.empty() : tensor<3x37x16xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
    %13 = linalg.batch_matmul ins(%10, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%12 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
    return %13 : tensor<3x37x16xf32>
  }
}
