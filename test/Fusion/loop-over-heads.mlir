// RUN: linalg-ext-opt %s --linalg-ext-raise --transform-interpreter --canonicalize --cse | FileCheck %s

// Attention with its projections, split by heads: one loop over heads, whose
// root is the output projection, which sums over them; in it flash attention,
// whose root is the second contraction.

// CHECK-LABEL: func @main
//   CHECK-NOT: linalg.contract
//       CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK-COUNT-2: linalg.contract {{.*}} -> tensor<1x10x4xf32>
//       CHECK:   scf.for %{{.*}} = %c0 to %c10 step %c4
//       CHECK:     linalg.contract {{.*}} -> tensor<1x?x4xf32>
//       CHECK:     scf.for %{{.*}} = %c0 to %c10 step %c5
//       CHECK:       linalg.contract {{.*}} -> tensor<1x?x5xf32>
//       CHECK:       linalg_ext.softmax dimension(2) online
//       CHECK:   linalg.contract {{.*}} -> tensor<10x12xf32>
//   CHECK-NOT: linalg.contract
#xm = affine_map<(h,m,d,e)->(m,e)>
#wm = affine_map<(h,m,d,e)->(h,e,d)>
#om = affine_map<(h,m,d,e)->(h,m,d)>
func.func @main(%x: tensor<10x12xf32>, %wq: tensor<3x12x4xf32>, %wk: tensor<3x12x4xf32>, %wv: tensor<3x12x4xf32>, %wo: tensor<3x4x12xf32>) -> tensor<10x12xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %pe = tensor.empty() : tensor<3x10x4xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<3x10x4xf32>) -> tensor<3x10x4xf32>
  %q = linalg.contract indexing_maps = [#xm, #wm, #om] ins(%x, %wq : tensor<10x12xf32>, tensor<3x12x4xf32>) outs(%pf : tensor<3x10x4xf32>) -> tensor<3x10x4xf32>
  %k = linalg.contract indexing_maps = [#xm, #wm, #om] ins(%x, %wk : tensor<10x12xf32>, tensor<3x12x4xf32>) outs(%pf : tensor<3x10x4xf32>) -> tensor<3x10x4xf32>
  %v = linalg.contract indexing_maps = [#xm, #wm, #om] ins(%x, %wv : tensor<10x12xf32>, tensor<3x12x4xf32>) outs(%pf : tensor<3x10x4xf32>) -> tensor<3x10x4xf32>
  %se = tensor.empty() : tensor<3x10x10xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<3x10x10xf32>) -> tensor<3x10x10xf32>
  %s = linalg.contract indexing_maps = [affine_map<(h,m,n,d)->(h,m,d)>, affine_map<(h,m,n,d)->(h,n,d)>, affine_map<(h,m,n,d)->(h,m,n)>] ins(%q, %k : tensor<3x10x4xf32>, tensor<3x10x4xf32>) outs(%sf : tensor<3x10x10xf32>) -> tensor<3x10x10xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<3x10x10xf32>) outs(%se : tensor<3x10x10xf32>) -> tensor<3x10x10xf32>
  %o = linalg.contract indexing_maps = [affine_map<(h,m,d,n)->(h,m,n)>, affine_map<(h,m,d,n)->(h,n,d)>, affine_map<(h,m,d,n)->(h,m,d)>] ins(%p, %v : tensor<3x10x10xf32>, tensor<3x10x4xf32>) outs(%pf : tensor<3x10x4xf32>) {pv} -> tensor<3x10x4xf32>
  %ye = tensor.empty() : tensor<10x12xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<10x12xf32>) -> tensor<10x12xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m,f,h,d)->(h,m,d)>, affine_map<(m,f,h,d)->(h,d,f)>, affine_map<(m,f,h,d)->(m,f)>] ins(%o, %wo : tensor<3x10x4xf32>, tensor<3x4x12xf32>) outs(%yf : tensor<10x12xf32>) {linalg_ext.root} -> tensor<10x12xf32>
  return %y : tensor<10x12xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %projection = transform.structured.match attributes {linalg_ext.root} in %module : (!transform.any_op) -> !transform.any_op
    %t, %heads = transform.linalg_ext.tile_and_fuse %projection levels = [for(0, 0, 1)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %pv = transform.structured.match attributes {pv} in %heads : (!transform.any_op) -> !transform.any_op
    %t2, %loops:2 = transform.linalg_ext.tile_and_fuse %pv levels = [for(0, 4), for(0, 0, 0, 5)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
