// Masks that are added. Where all is visible, x + 0 is x if no result depends on the
// sign of a zero.

// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// A softmax: its maximum is a state, which only later iterations read.

// CHECK-LABEL: func @softmax_dynamic
//       CHECK:   scf.for
//   CHECK-NOT:     arith.addf
//       CHECK:     linalg_ext.softmax
//       CHECK:   scf.for
//       CHECK:     arith.cmpi
//       CHECK:     arith.select
//       CHECK:     arith.addf
//       CHECK:     linalg_ext.softmax
func.func @softmax_dynamic(%x: tensor<4x?xf32>, %m0: tensor<4xf32>, %l0: tensor<4xf32>, %n: index, %q: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %r:2 = scf.for %k = %c0 to %n step %c8 iter_args(%max = %m0, %acc = %l0) -> (tensor<4xf32>, tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x?xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %re = tensor.empty() : tensor<4xf32>
    %y = tensor.empty() : tensor<4x8xf32>
    %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %c = arith.cmpi sle, %column, %row : index
      %mask = arith.select %c, %zero, %low : f32
      %sum = arith.addf %a, %mask : f32
      linalg.yield %sum : f32
    } -> tensor<4x8xf32>
    %p:4 = linalg_ext.softmax dimension(1) online delayed ins(%s : tensor<4x8xf32>) outs(%y, %max, %acc, %re : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    scf.yield %p#1, %p#2 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// The maximum itself is a result: the maximum of -0 is another one than that of +0.

// CHECK-LABEL: func @negative_maximum
//       CHECK:   scf.for
//   CHECK-NOT:     arith.cmpi
//       CHECK:     arith.addf %{{.*}}, %cst
//       CHECK:     arith.maximumf
//       CHECK:   scf.for
//       CHECK:     arith.cmpi
func.func @negative_maximum(%x: tensor<4x64xf32>, %init: tensor<4xf32>, %q: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %c = arith.cmpi sle, %column, %row : index
      %mask = arith.select %c, %zero, %low : f32
      %s = arith.addf %a, %mask : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %max = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.maximumf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %max : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// A divisor: 1 / -0 is -inf.

// CHECK-LABEL: func @negative_divisor
//       CHECK:   scf.for
//   CHECK-NOT:     arith.cmpi
//       CHECK:     arith.addf %{{.*}}, %cst
//       CHECK:     arith.divf
func.func @negative_divisor(%x: tensor<4x64xf32>, %init: tensor<4xf32>, %q: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %c = arith.cmpi sle, %column, %row : index
      %mask = arith.select %c, %zero, %low : f32
      %s = arith.addf %a, %mask : f32
      %d = arith.divf %one, %s : f32
      %f = math.exp %d : f32
      %v = arith.select %c, %f, %zero : f32
      linalg.yield %v : f32
    } -> tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
