// Sizes that are not in types: tosa-to-linalg asks for each operand whether a size is 1, and
// repeats it then. The sizes are those of one tensor, so nothing is. And a shift along time, by
// padding and a slice.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,canonicalize,tosa-to-linalg,tosa-to-arith,tosa-to-tensor,canonicalize,cse))' \
// RUN:   -o %t
// RUN: linalg-ext-check-program %t --entry=dynamic --sizes=2x37x16,2x53x16,2x53x16 \
// RUN:   --max-buffer-bytes=3900 --max-kernels=1 --keys=16
// RUN: linalg-ext-check-program %t --entry=dynamic --sizes=1x1x16,1x1x16,1x1x16 \
// RUN:   --max-kernels=1 --targets=gpu
// RUN: linalg-ext-check-program %t --entry=shift --max-kernels=1

func.func @dynamic(%q: tensor<?x?x16xf32>, %k: tensor<?x?x16xf32>, %v: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<?x?x16xf32>) -> tensor<?x16x?xf32>
  %s = tosa.matmul %q, %kt, %zp, %zp : (tensor<?x?x16xf32>, tensor<?x16x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %d = tosa.sub %s, %m : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  %e = tosa.exp %d : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %l = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?x1xf32>
  %r = tosa.reciprocal %l : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<?x?x?xf32>, tensor<?x?x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}

func.func @shift(%x: tensor<2x19x24xf32>, %mix: tensor<1x1x24xf32>) -> tensor<2x19x24xf32> {
  %pads = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %pc = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %padded = tosa.pad %x, %pads, %pc : (tensor<2x19x24xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x20x24xf32>
  %z = tosa.const_shape {values = dense<[0, 0, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %n = tosa.const_shape {values = dense<[2, 19, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s = tosa.slice %padded, %z, %n : (tensor<2x20x24xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x19x24xf32>
  %d = tosa.sub %s, %x : (tensor<2x19x24xf32>, tensor<2x19x24xf32>) -> tensor<2x19x24xf32>
  %p = tosa.mul %d, %mix, %shift : (tensor<2x19x24xf32>, tensor<1x1x24xf32>, tensor<1xi8>) -> tensor<2x19x24xf32>
  %o = tosa.add %p, %x : (tensor<2x19x24xf32>, tensor<2x19x24xf32>) -> tensor<2x19x24xf32>
  return %o : tensor<2x19x24xf32>
}
