// Tiles do not keep the encoding of a tensor, so nothing is fused that reads one.

// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse="levels=for(0,0,8) explain=text" 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse="levels=for(0,0,8)" | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-fuse 2>&1 | FileCheck %s --check-prefix=FUSE

// FUSE: error: 'linalg.fill' op expected tensors without encodings, which fusion does not keep
// WHY: keep 'linalg.generic': tiles do not keep the encoding of a tensor

// CHECK-LABEL: func.func @sums
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic
// CHECK-SAME: ins({{.*}} : tensor<?x?xf32, "e">, tensor<?xf32, "e">)
// CHECK: scf.for {{.*}} -> (tensor<?x?xf32, "e">)
// CHECK: return {{.*}} : tensor<?x?xf32, "e">
func.func @sums(%a: tensor<?x?xf32, "e">, %v: tensor<?x?xf32, "e">, %e: tensor<?xf32, "e">, %o: tensor<?x?xf32, "e">) -> tensor<?x?xf32, "e"> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32, "e">) -> tensor<?xf32, "e">
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32, "e">) outs(%z : tensor<?xf32, "e">) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %x, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32, "e">
  %p = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%a, %sum : tensor<?x?xf32, "e">, tensor<?xf32, "e">) outs(%a : tensor<?x?xf32, "e">) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.divf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32, "e">
  %of = linalg.fill ins(%zero : f32) outs(%o : tensor<?x?xf32, "e">) -> tensor<?x?xf32, "e">
  %r = linalg.generic {indexing_maps = [affine_map<(m, e, n) -> (m, n)>, affine_map<(m, e, n) -> (n, e)>, affine_map<(m, e, n) -> (m, e)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %v : tensor<?x?xf32, "e">, tensor<?x?xf32, "e">) outs(%of : tensor<?x?xf32, "e">) attrs = {linalg_ext.root} {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32, "e">
  return %r : tensor<?x?xf32, "e">
}
