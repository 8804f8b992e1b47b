// RUN: linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="for(1,0,0,32)"' -canonicalize -cse | FileCheck %s

// What makes the pool is computed once, in front of the loops. What makes the
// lengths is fused with the gather.

// CHECK-LABEL: func @pool_is_made
//       CHECK:   %[[POOL:.*]] = linalg.exp {{.*}} -> tensor<9x4x16xf32>
//       CHECK:   scf.for %[[B:[a-z0-9]*]] =
//       CHECK:     %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1xi32>)
//       CHECK:     scf.for %[[J:[a-z0-9]*]] =
//       CHECK:       linalg_ext.paged_gather {{.*}} pool(%[[POOL]] : tensor<9x4x16xf32>) table(%{{.*}} : tensor<1x10xi32>) lengths(%[[N]] : tensor<1xi32>) offset(%[[J]])
//       CHECK:       linalg_ext.batch_matmul
//   CHECK-NOT:   linalg_ext.paged_gather
//       CHECK:   return
func.func @pool_is_made(%x: tensor<9x4x16xf32>, %table: tensor<2x10xi32>, %last: tensor<2xi32>, %a: tensor<2x16x40xf32>, %r: tensor<2x16x16xf32>) -> tensor<2x16x16xf32> {
  %pe = tensor.empty() : tensor<9x4x16xf32>
  %pool = linalg.exp ins(%x : tensor<9x4x16xf32>) outs(%pe : tensor<9x4x16xf32>) -> tensor<9x4x16xf32>
  %ne = tensor.empty() : tensor<2xi32>
  %n = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>], iterator_types = ["parallel"]}
      ins(%last : tensor<2xi32>) outs(%ne : tensor<2xi32>) {
  ^bb0(%i: i32, %out: i32):
    %one = arith.constant 1 : i32
    %1 = arith.addi %i, %one : i32
    linalg.yield %1 : i32
  } -> tensor<2xi32>
  %e = tensor.empty() : tensor<2x40x16xf32>
  %g = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<9x4x16xf32>) table(%table : tensor<2x10xi32>) lengths(%n : tensor<2xi32>)
      outs(%e : tensor<2x40x16xf32>) -> tensor<2x40x16xf32>
  %0 = linalg_ext.batch_matmul {linalg_ext.root} ins(%a, %g : tensor<2x16x40xf32>, tensor<2x40x16xf32>)
      outs(%r : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  return %0 : tensor<2x16x16xf32>
}
