// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,2) for(0,0,0,4)"' --canonicalize --cse | FileCheck %s

// Two tiles of one product: by row i in front of the loop, and by row k in the loop, which cuts it again.

// CHECK-LABEL: func @rows_and_keys
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<2x8x3xf32>
//       CHECK:   scf.forall (%[[H:.+]], %[[I:.+]]) =
//       CHECK:     %[[XI:.+]] = tensor.extract_slice %[[X]][%[[H]], %[[I]], 0] [1, 2, 3]
//       CHECK:     %[[YI:.+]] = linalg.batch_matmul ins(%[[XI]],
//   CHECK-NOT:     linalg.batch_matmul
//       CHECK:     scf.for %[[K:[a-z0-9]+]] =
//       CHECK:       %[[XK:.+]] = tensor.extract_slice %{{.*}}[{{.*}}%[[K]], 0] [1, 4, 3]
//       CHECK:       %[[YK:.+]] = linalg.batch_matmul ins(%[[XK]],
//       CHECK:       linalg.generic {{.*}} ins(%[[YI]], %[[YK]] : tensor<1x2x5xf32>, tensor<1x4x5xf32>)

#i = affine_map<(h, i, n, k) -> (h, i, n)>
#k = affine_map<(h, i, n, k) -> (h, k, n)>

func.func @rows_and_keys(%x: tensor<2x8x3xf32>, %w: tensor<2x3x5xf32>) -> tensor<2x8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<2x8x3xf32>, tensor<2x3x5xf32>) outs(%z : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %s = linalg.generic {indexing_maps = [#i, #k, #i], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%y, %y : tensor<2x8x5xf32>, tensor<2x8x5xf32>) outs(%z : tensor<2x8x5xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %d = arith.subf %a, %b : f32
    %p = arith.mulf %d, %d : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x8x5xf32>
  return %s : tensor<2x8x5xf32>
}
