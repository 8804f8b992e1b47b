// A product whose operand is computed, and a sum.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=9000 --max-kernels=2

func.func @gemm(%a: tensor<2x33x64xf16>, %a2: tensor<1x1x64xf16>, %b: tensor<2x64x40xf16>, %c: tensor<2x33x40xf16>) -> tensor<2x33x40xf16> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v2 = tosa.mul %a, %a2, %shift : (tensor<2x33x64xf16>, tensor<1x1x64xf16>, tensor<1xi8>) -> tensor<2x33x64xf16>
  %v3 = tosa.tanh %v2 : (tensor<2x33x64xf16>) -> tensor<2x33x64xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v5 = tosa.matmul %v3, %b, %zpf16, %zpf16 : (tensor<2x33x64xf16>, tensor<2x64x40xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x33x40xf16>
  %v6 = tosa.add %v5, %c : (tensor<2x33x40xf16>, tensor<2x33x40xf16>) -> tensor<2x33x40xf16>
  return %v6 : tensor<2x33x40xf16>
}
