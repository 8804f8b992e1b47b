// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2,2) for(0,0,0,3)"' --canonicalize --cse | FileCheck %s

// The weights are taken by row i, the sums of the same softmax by row j: two
// tiles of it. The loop carries the one of the weights.

// CHECK-LABEL: func @several_tiles
//       CHECK:   scf.forall (%[[I:.+]], %[[J:.+]]) =
//       CHECK:     %[[XI:.+]] = tensor.extract_slice %arg0[%[[I]], 0] [2, 8]
//       CHECK:     %[[XJ:.+]] = tensor.extract_slice %arg0[%[[J]], 0] [2, 8]
//       CHECK:     %[[SUMS:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[XJ]]
//       CHECK:     scf.for
//       CHECK:       %[[X:.+]] = tensor.extract_slice %[[XI]]
//       CHECK:       linalg_ext.softmax dimension(1) online delayed ins(%[[X]]

func.func @several_tiles(%x: tensor<4x8xf32>, %v: tensor<8x2xf32>) -> tensor<4x4x2xf32> {
  %ye = tensor.empty() : tensor<4x8xf32>
  %se = tensor.empty() : tensor<4xf32>
  %mi = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%mi : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %lz = arith.constant 0.0 : f32
  %l0 = linalg.fill ins(%lz : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%ye, %m0, %l0, %se : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %ze = tensor.empty() : tensor<4x4x2xf32>
  %zc = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zc : f32) outs(%ze : tensor<4x4x2xf32>) -> tensor<4x4x2xf32>
  %o = linalg.generic {indexing_maps=[affine_map<(i,j,n,k)->(i,k)>, affine_map<(i,j,n,k)->(k,n)>, affine_map<(i,j,n,k)->(j)>, affine_map<(i,j,n,k)->(i,j,n)>], iterator_types=["parallel", "parallel", "parallel", "reduction"]} ins(%p#0, %v, %p#2 : tensor<4x8xf32>, tensor<8x2xf32>, tensor<4xf32>) outs(%z : tensor<4x4x2xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %c: f32, %acc: f32):
    %t = arith.mulf %a, %b : f32
    %u = arith.mulf %t, %c : f32
    %s = arith.addf %acc, %u : f32
    linalg.yield %s : f32
  } -> tensor<4x4x2xf32>
  return %o : tensor<4x4x2xf32>
}
