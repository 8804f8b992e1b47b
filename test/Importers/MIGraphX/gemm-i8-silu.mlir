// A product of i8 with a factor for each column, an activation and a residual. Falls short: on
// a CPU, the result of the product is stored, and read again.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=3000 --max-kernels=1 --expect=cpu:unfused

func.func @gemm(%a: tensor<1x33x80xi8> {check.draw = "uniform -100 100"}, %b: tensor<1x80x48xi8> {check.draw = "uniform -100 100"}, %factor: tensor<1x1x48xf32> {check.draw = "uniform 0.00001 0.00003"}, %residual: tensor<1x33x48xf16>) -> tensor<1x33x48xf16> {
  %zpi8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v2 = tosa.matmul %a, %b, %zpi8, %zpi8 : (tensor<1x33x80xi8>, tensor<1x80x48xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x33x48xi32>
  %v3 = tosa.cast %v2 : (tensor<1x33x48xi32>) -> tensor<1x33x48xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.mul %v3, %factor, %shift : (tensor<1x33x48xf32>, tensor<1x1x48xf32>, tensor<1xi8>) -> tensor<1x33x48xf32>
  %v6 = tosa.sigmoid %v5 : (tensor<1x33x48xf32>) -> tensor<1x33x48xf32>
  %v7 = tosa.mul %v5, %v6, %shift : (tensor<1x33x48xf32>, tensor<1x33x48xf32>, tensor<1xi8>) -> tensor<1x33x48xf32>
  %v8 = tosa.cast %v7 : (tensor<1x33x48xf32>) -> tensor<1x33x48xf16>
  %v9 = tosa.add %v8, %residual : (tensor<1x33x48xf16>, tensor<1x33x48xf16>) -> tensor<1x33x48xf16>
  return %v9 : tensor<1x33x48xf16>
}
