// What only a fused consumer reads, elementwise, is computed in the loops as well.

// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="target=gpu" | FileCheck %s

#id = affine_map<(b, m, d) -> (b, m, d)>

// CHECK-LABEL: func.func @gate
// CHECK-NOT: math.exp
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: linalg_ext.softmax
// CHECK: math.exp
// CHECK: scf.forall.in_parallel
func.func @gate(%s: tensor<?x?x?xf32>, %v: tensor<?x?x64xf32>, %g: tensor<?x?x64xf32>,
                %e: tensor<?x?x?xf32>, %max: tensor<?x?xf32>, %sum: tensor<?x?xf32>,
                %f: tensor<?x?xf32>, %z: tensor<?x?x64xf32>, %o: tensor<?x?x64xf32>)
    -> tensor<?x?x64xf32> {
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<?x?x?xf32>)
      outs(%e, %max, %sum, %f : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  %pv = linalg.batch_matmul ins(%p#0, %v : tensor<?x?x?xf32>, tensor<?x?x64xf32>)
      outs(%z : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g : tensor<?x?x64xf32>) outs(%o : tensor<?x?x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pv, %h : tensor<?x?x64xf32>, tensor<?x?x64xf32>) outs(%o : tensor<?x?x64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %t = arith.mulf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<?x?x64xf32>
  return %r : tensor<?x?x64xf32>
}

// -----

// Another op reads the gate, too: it is computed once, before the loops.

#id = affine_map<(b, m, d) -> (b, m, d)>

// CHECK-LABEL: func.func @negative_two_users
// CHECK: math.exp
// CHECK: scf.forall
// CHECK-NOT: math.exp
// CHECK: return
func.func @negative_two_users(%s: tensor<2x64x64xf32>, %v: tensor<2x64x64xf32>, %g: tensor<2x64x64xf32>,
                              %e: tensor<2x64x64xf32>, %m: tensor<2x64xf32>, %z: tensor<2x64x64xf32>)
    -> (tensor<2x64x64xf32>, tensor<2x64x64xf32>) {
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<2x64x64xf32>)
      outs(%e, %m, %m, %m : tensor<2x64x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>)
      -> tensor<2x64x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>
  %pv = linalg.batch_matmul ins(%p#0, %v : tensor<2x64x64xf32>, tensor<2x64x64xf32>)
      outs(%z : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g : tensor<2x64x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pv, %h : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %t = arith.mulf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  return %r, %h : tensor<2x64x64xf32>, tensor<2x64x64xf32>
}
