// LayerNorm as converters to TOSA write it.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program

func.func @layer_norm(%x: tensor<1x37x24xf32>, %g: tensor<1x1x24xf32>, %b: tensor<1x1x24xf32>) -> tensor<1x37x24xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %n = "tosa.const"() <{values = dense<0.0416666679> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %eps = "tosa.const"() <{values = dense<1.0e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<1x37x24xf32>) -> tensor<1x37x1xf32>
  %m = tosa.mul %s, %n, %shift : (tensor<1x37x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x37x1xf32>
  %d = tosa.sub %x, %m : (tensor<1x37x24xf32>, tensor<1x37x1xf32>) -> tensor<1x37x24xf32>
  %q = tosa.mul %d, %d, %shift : (tensor<1x37x24xf32>, tensor<1x37x24xf32>, tensor<1xi8>) -> tensor<1x37x24xf32>
  %t = tosa.reduce_sum %q {axis = 2 : i32} : (tensor<1x37x24xf32>) -> tensor<1x37x1xf32>
  %v = tosa.mul %t, %n, %shift : (tensor<1x37x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x37x1xf32>
  %w = tosa.add %v, %eps : (tensor<1x37x1xf32>, tensor<1x1x1xf32>) -> tensor<1x37x1xf32>
  %r = tosa.rsqrt %w : (tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %y = tosa.mul %d, %r, %shift : (tensor<1x37x24xf32>, tensor<1x37x1xf32>, tensor<1xi8>) -> tensor<1x37x24xf32>
  %z = tosa.mul %y, %g, %shift : (tensor<1x37x24xf32>, tensor<1x1x24xf32>, tensor<1xi8>) -> tensor<1x37x24xf32>
  %o = tosa.add %z, %b : (tensor<1x37x24xf32>, tensor<1x1x24xf32>) -> tensor<1x37x24xf32>
  return %o : tensor<1x37x24xf32>
}
