// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2)"' --canonicalize | FileCheck %s

// Whoever else uses what reads nothing takes the original: the loop leaves what
// it computes of what it reads, and neither the fill nor the mask.

// CHECK-LABEL: func @shared
//       CHECK:   %[[FILL:.+]] = linalg.fill
//       CHECK:   %[[MASK:.+]] = linalg.generic
//       CHECK:     linalg.index 0
//       CHECK:   %[[LOOP:.+]]:2 = scf.forall
//       CHECK:     linalg.index 0
//       CHECK:     linalg.fill
//       CHECK:     scf.forall.in_parallel
//       CHECK:   return %[[LOOP]]#{{[01]}}, %[[LOOP]]#{{[01]}}, %[[FILL]], %[[MASK]]
func.func @shared(%x: tensor<4x8xf32>)
    -> (tensor<4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = tensor.empty() : tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %visible = arith.cmpi ule, %j, %i : index
    %v = arith.select %visible, %zero, %inf : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mask : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%masked : tensor<4x8xf32>) outs(%l0 : tensor<4xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %sums, %masked, %l0, %mask : tensor<4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>
}
