// Two products with a bias and a ReLU between them.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=7000 --max-kernels=2

func.func @mlp(%a: tensor<2x33x40xf16>, %w1: tensor<2x40x48xf16>, %b1: tensor<1x1x48xf16>, %w2: tensor<2x48x24xf16>) -> tensor<2x33x24xf16> {
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v2 = tosa.matmul %a, %w1, %zpf16, %zpf16 : (tensor<2x33x40xf16>, tensor<2x40x48xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x33x48xf16>
  %v3 = tosa.add %v2, %b1 : (tensor<2x33x48xf16>, tensor<1x1x48xf16>) -> tensor<2x33x48xf16>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1x1xf16>}> : () -> tensor<1x1x1xf16>
  %v5 = tosa.maximum %v3, %zero : (tensor<2x33x48xf16>, tensor<1x1x1xf16>) -> tensor<2x33x48xf16>
  %v6 = tosa.matmul %v5, %w2, %zpf16, %zpf16 : (tensor<2x33x48xf16>, tensor<2x48x24xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x33x24xf16>
  return %v6 : tensor<2x33x24xf16>
}
