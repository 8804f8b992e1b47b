// A product with a transposed operand, and scalars that are broadcast. Falls short: on a CPU,
// the result of a product of f16 is stored, and read again.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=3000 --max-kernels=1 --expect=cpu:unfused

func.func @gemm(%a: tensor<1x3x40x64xf16> {check.draw = "uniform -0.5 0.5"}, %b: tensor<1x3x56x64xf16> {check.draw = "uniform -0.5 0.5"}, %factor: tensor<1x1x1x1xf16>, %summand: tensor<1x1x1x1xf16>) -> tensor<1x3x40x56xf16> {
  %v1 = tosa.transpose %b {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x3x56x64xf16>) -> tensor<1x3x64x56xf16>
  %shape3x40x64 = tosa.const_shape {values = dense<[3, 40, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v2 = tosa.reshape %a, %shape3x40x64 : (tensor<1x3x40x64xf16>, !tosa.shape<3>) -> tensor<3x40x64xf16>
  %shape3x64x56 = tosa.const_shape {values = dense<[3, 64, 56]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v3 = tosa.reshape %v1, %shape3x64x56 : (tensor<1x3x64x56xf16>, !tosa.shape<3>) -> tensor<3x64x56xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v5 = tosa.matmul %v2, %v3, %zpf16, %zpf16 : (tensor<3x40x64xf16>, tensor<3x64x56xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<3x40x56xf16>
  %shape1x3x40x56 = tosa.const_shape {values = dense<[1, 3, 40, 56]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v6 = tosa.reshape %v5, %shape1x3x40x56 : (tensor<3x40x56xf16>, !tosa.shape<4>) -> tensor<1x3x40x56xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v8 = tosa.mul %v6, %factor, %shift : (tensor<1x3x40x56xf16>, tensor<1x1x1x1xf16>, tensor<1xi8>) -> tensor<1x3x40x56xf16>
  %v9 = tosa.add %v8, %summand : (tensor<1x3x40x56xf16>, tensor<1x1x1x1xf16>) -> tensor<1x3x40x56xf16>
  return %v9 : tensor<1x3x40x56xf16>
}
