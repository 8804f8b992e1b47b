// RUN: linalg-ext-opt %s > %t.before
// RUN: linalg-ext-opt %s --linalg-ext-fuse -o %t.after 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: diff %t.before %t.after
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2)for(0,3)"' -mlir-print-ir-after-failure -mlir-disable-threading 2>&1 | FileCheck %s

// A plan that a copy of its ops takes, and the program does not: both functions are as
// they were, and the reason is told. (Two roots: what comes after is planned on ops that
// are there.)

// REMARK: remark: not fused: what a copy of the program took failed on the program itself: fusing 'extend.log_softmax' into level 0
// REMARK: remark: not fused: what a copy of the program took failed on the program itself: the levels around the loop that carries the state do not compute 'extend.log_softmax' tile by tile

// CHECK: error: cannot tile and fuse: what a copy of the program took failed on the program itself: fusing 'extend.log_softmax' into level 0
// CHECK: IR Dump After LinalgExtTileAndFusePass Failed

module attributes {linalg_ext_test.no_tiles} {
  // CHECK-LABEL: func.func @max_plus
  // CHECK-NOT:     scf
  // CHECK:         extend.log_softmax dimension(1) ins(%arg0
  // CHECK-NOT:     extend.
  // CHECK:         %[[O:.*]] = linalg.generic
  // CHECK:         return %[[O]]
  func.func @max_plus(%x: tensor<16x32xf32>, %w: tensor<32x2xf32>, %ey: tensor<16x32xf32>, %l: tensor<16xf32>, %eo: tensor<16x2xf32>) -> (tensor<16x2xf32>, tensor<16xf32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %l0 = linalg.fill ins(%ninf : f32) outs(%l : tensor<16xf32>) -> tensor<16xf32>
    %y, %lse = extend.log_softmax dimension(1) ins(%x : tensor<16x32xf32>) outs(%ey, %l0 : tensor<16x32xf32>, tensor<16xf32>) -> tensor<16x32xf32>, tensor<16xf32>
    %fo = linalg.fill ins(%ninf : f32) outs(%eo : tensor<16x2xf32>) -> tensor<16x2xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(i, j, n) -> (i, j)>, affine_map<(i, j, n) -> (j, n)>, affine_map<(i, j, n) -> (i, n)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%y, %w : tensor<16x32xf32>, tensor<32x2xf32>) outs(%fo : tensor<16x2xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %b : f32
      %m = arith.maximumf %c, %s : f32
      linalg.yield %m : f32
    } -> tensor<16x2xf32>
    return %o, %lse : tensor<16x2xf32>, tensor<16xf32>
  }
  func.func @second(%x: tensor<16x32xf32>, %w: tensor<32x2xf32>, %ey: tensor<16x32xf32>, %l: tensor<16xf32>, %eo: tensor<16x2xf32>) -> tensor<16x2xf32> {
    %ninf = arith.constant 0xFF800000 : f32
    %l0 = linalg.fill ins(%ninf : f32) outs(%l : tensor<16xf32>) -> tensor<16xf32>
    %y, %lse = extend.log_softmax dimension(1) ins(%x : tensor<16x32xf32>) outs(%ey, %l0 : tensor<16x32xf32>, tensor<16xf32>) -> tensor<16x32xf32>, tensor<16xf32>
    %fo = linalg.fill ins(%ninf : f32) outs(%eo : tensor<16x2xf32>) -> tensor<16x2xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(i, j, n) -> (i, j)>, affine_map<(i, j, n) -> (j, n)>, affine_map<(i, j, n) -> (i, n)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%y, %w : tensor<16x32xf32>, tensor<32x2xf32>) outs(%fo : tensor<16x2xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %b : f32
      %m = arith.maximumf %c, %s : f32
      linalg.yield %m : f32
    } -> tensor<16x2xf32>
    return %o : tensor<16x2xf32>
  }
}
