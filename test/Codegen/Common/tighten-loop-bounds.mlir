// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tighten-loop-bounds=split-full-blocks=false --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s --check-prefix=SPLIT

// Plain reductions: what a mask puts in the place of what it hides is the neutral
// element of the reduction. unittests/Codegen/Common/MaskTest.cpp runs attention.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK: #[[END:.+]] = affine_map<()[s0] -> (((s0 + 3) floordiv 8) * 8 + 8)>
// CHECK-LABEL: func @sum_causal
//  CHECK-SAME:   %[[Q:[a-z0-9]+]]: index)
//       CHECK:   %[[SEEN:.+]] = affine.apply #[[END]]()[%[[Q]]]
//       CHECK:   %[[UPPER:.+]] = arith.minsi %[[SEEN]], %c64
//       CHECK:   scf.for %{{.+}} = %c0 to %[[UPPER]] step %c8

// Keys that are not later than the first query: a loop without a comparison.
// SPLIT-LABEL: func @sum_causal
//       SPLIT:   %[[FULL:.+]] = scf.for
//   SPLIT-NOT:     arith.cmpi
//       SPLIT:   scf.for {{.*}} iter_args(%{{.+}} = %[[FULL]]
//       SPLIT:     arith.cmpi
func.func @sum_causal(%x: tensor<4x64xf32>, %init: tensor<4xf32>, %q: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
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
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
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

// -----

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// Both bounds; the lower one stays a multiple of the step from where the loop
// began.

// CHECK-DAG: #[[FIRST:.+]] = affine_map<()[s0] -> ((s0 - 18) ceildiv 8)>
// CHECK-DAG: #[[BEGIN:.+]] = affine_map<()[s0] -> (s0 * 8 + 2)>
// CHECK-DAG: #[[END:.+]] = affine_map<()[s0] -> (((s0 + 1) floordiv 8) * 8 + 10)>
// CHECK-LABEL: func @max_window
//  CHECK-SAME:   %[[Q:[a-z0-9]+]]: index)
//   CHECK-DAG:   %[[FIRST_SEEN:.+]] = affine.apply #[[FIRST]]()[%[[Q]]]
//   CHECK-DAG:   %[[TRIP:.+]] = arith.maxsi %[[FIRST_SEEN]], %c0
//   CHECK-DAG:   %[[LOWER:.+]] = affine.apply #[[BEGIN]]()[%[[TRIP]]]
//   CHECK-DAG:   %[[SEEN:.+]] = affine.apply #[[END]]()[%[[Q]]]
//   CHECK-DAG:   %[[UPPER:.+]] = arith.minsi %[[SEEN]], %c64
//       CHECK:   scf.for %{{.+}} = %[[LOWER]] to %[[UPPER]] step %c8

// SPLIT-LABEL: func @max_window
//       SPLIT:   scf.for
//       SPLIT:     arith.cmpi
//       SPLIT:   scf.for
//   SPLIT-NOT:     arith.cmpi
//       SPLIT:   scf.for
//       SPLIT:     arith.cmpi
func.func @max_window(%x: tensor<4x66xf32>, %init: tensor<4xf32>, %q: index) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  %lowest = arith.constant 0xFF800000 : f32
  %r = scf.for %k = %c2 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x66xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %before = arith.subi %row, %c10 : index
      %c = arith.cmpi sgt, %column, %row : index
      %d = arith.cmpi sle, %column, %before : index
      %hidden = arith.ori %c, %d : i1
      %s = arith.select %hidden, %lowest, %a : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %max = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.maximumf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %max : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

#map = affine_map<(b, j) -> (b, j)>
#row = affine_map<(b, j) -> (b)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// The length of the batch is loaded in front of the loop.

// CHECK-LABEL: func @length_of_each_batch
//       CHECK:   %[[LENGTH:.+]] = tensor.extract %{{.+}}[%{{.+}}] : tensor<?xi32>
//       CHECK:   %[[INDEX:.+]] = arith.index_cast %[[LENGTH]] : i32 to index
//       CHECK:   %[[SEEN:.+]] = affine.apply #{{.+}}()[%[[INDEX]]]
//       CHECK:   %[[UPPER:.+]] = arith.minsi %[[SEEN]], %c64
//       CHECK:   scf.for %{{.+}} = %c0 to %[[UPPER]]

// SPLIT-LABEL: func @length_of_each_batch
//       SPLIT:   %[[FULL:.+]] = scf.for %{{.+}} = %c0 to %[[SEAM:.+]] step %c8
//   SPLIT-NOT:     arith.cmpi
//       SPLIT:   scf.for %{{.+}} = %[[SEAM]] to %{{.+}} step %c8 iter_args(%{{.+}} = %[[FULL]])
//       SPLIT:     arith.cmpi slt
func.func @length_of_each_batch(%x: tensor<1x64xf32>, %lengths: tensor<?xi32>, %init: tensor<1xf32>, %batch: index) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<1xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [1, 8] [1, 1] : tensor<1x64xf32> to tensor<1x8xf32>
    %e = tensor.empty() : tensor<1x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%batch, %i)
      %column = affine.apply #at(%k, %j)
      %length32 = tensor.extract %lengths[%row] : tensor<?xi32>
      %length = arith.index_cast %length32 : i32 to index
      %c = arith.cmpi slt, %column, %length : index
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
    } -> tensor<1x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<1x8xf32>) outs(%acc : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<1xf32>
    scf.yield %sum : tensor<1xf32>
  }
  return %r : tensor<1xf32>
}

// -----

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// 1 is not neutral in a sum.

// CHECK-LABEL: func @negative_not_neutral
//   CHECK-NOT:   affine.min
//       CHECK:   scf.for %{{.+}} = %c0 to %c64 step %c8

// SPLIT-LABEL: func @negative_not_neutral
//       SPLIT:   scf.for
//   SPLIT-NOT:   scf.for
func.func @negative_not_neutral(%x: tensor<4x64xf32>, %init: tensor<4xf32>, %q: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%tile : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %c = arith.cmpi sle, %column, %row : index
      %m = arith.select %c, %a, %one : f32
      %s = arith.addf %b, %m : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    scf.yield %sum : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// The masked tile leaves the loop.

// CHECK-LABEL: func @negative_tile_is_a_result
//       CHECK:   scf.for %{{.+}} = %c0 to %c64 step %c8

// SPLIT-LABEL: func @negative_tile_is_a_result
//       SPLIT:   scf.for
//   SPLIT-NOT:   scf.for
func.func @negative_tile_is_a_result(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %q: index) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %y) -> (tensor<4x64xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %c = arith.cmpi sle, %column, %row : index
      %s = arith.select %c, %a, %zero : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %i = tensor.insert_slice %m into %acc[0, %k] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x64xf32>
    scf.yield %i : tensor<4x64xf32>
  }
  return %r : tensor<4x64xf32>
}

// -----

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A condition on the data.

// CHECK-LABEL: func @negative_data
//       CHECK:   scf.for %{{.+}} = %c0 to %c64 step %c8

// SPLIT-LABEL: func @negative_data
//       SPLIT:   scf.for
//   SPLIT-NOT:   scf.for
func.func @negative_data(%x: tensor<4x64xi32>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xi32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xi32> to tensor<4x8xi32>
    %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%tile : tensor<4x8xi32>) outs(%acc : tensor<4xi32>) {
    ^bb0(%a: i32, %b: i32):
      %c = arith.cmpi sgt, %a, %zero : i32
      %m = arith.select %c, %a, %zero : i32
      %s = arith.addi %b, %m : i32
      linalg.yield %s : i32
    } -> tensor<4xi32>
    scf.yield %sum : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// -----

// An online op that nothing here has heard of, and its repair, which adds: with
// the state unmoved the repair is 0.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#r = affine_map<(i) -> (i)>
#y = affine_map<(i, j, n) -> (i, j)>
#w = affine_map<(i, j, n) -> (j, n)>
#o = affine_map<(i, j, n) -> (i, n)>
#or = affine_map<(i, n) -> (i)>
#on = affine_map<(i, n) -> (i, n)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK-LABEL: func @log_softmax
//       CHECK:   %[[UPPER:.+]] = arith.minsi
//       CHECK:   scf.for %{{.+}} = %c0 to %[[UPPER]]

// SPLIT-LABEL: func @log_softmax
//       SPLIT:   %[[FULL:.+]]:2 = scf.for %{{.+}} = %c0 to %[[SEAM:.+]] step %c8
//   SPLIT-NOT:     arith.cmpi
//       SPLIT:   scf.for %{{.+}} = %[[SEAM]] to %{{.+}} step %c8 iter_args(%{{.+}} = %[[FULL]]#0, %{{.+}} = %[[FULL]]#1)
//       SPLIT:     arith.cmpi sle
func.func @log_softmax(%x: tensor<4x64xf32>, %v: tensor<64x2xf32>, %acc0: tensor<4x2xf32>, %lse0: tensor<4xf32>, %q: index) -> tensor<4x2xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %r:2 = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %acc0, %lse = %lse0) -> (tensor<4x2xf32>, tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %vt = tensor.extract_slice %v[%k, 0] [8, 2] [1, 1] : tensor<64x2xf32> to tensor<8x2xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %re = tensor.empty() : tensor<4xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %c = arith.cmpi sle, %column, %row : index
      %s = arith.select %c, %a, %lowest : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    %p:2 = extend.log_softmax dimension(1) online ins(%m : tensor<4x8xf32>) outs(%e, %lse : tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>
    %rho = linalg.generic {indexing_maps = [#r, #r, #r], iterator_types = ["parallel"]} ins(%lse, %p#1 : tensor<4xf32>, tensor<4xf32>) outs(%re : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %d = arith.subf %a, %b : f32
      %e0 = arith.cmpf oeq, %a, %lowest : f32
      %s = arith.select %e0, %zero, %d : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    %repaired = linalg.generic {indexing_maps = [#or, #on], iterator_types = ["parallel", "parallel"]} ins(%rho : tensor<4xf32>) outs(%acc : tensor<4x2xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<4x2xf32>
    %o = linalg.generic {indexing_maps = [#y, #w, #o], iterator_types = ["parallel", "reduction", "parallel"]} ins(%p#0, %vt : tensor<4x8xf32>, tensor<8x2xf32>) outs(%repaired : tensor<4x2xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %b : f32
      %t = arith.maximumf %c, %s : f32
      linalg.yield %t : f32
    } -> tensor<4x2xf32>
    scf.yield %o, %p#1 : tensor<4x2xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4x2xf32>
}

// -----

// A condition in which many paths lead to two comparisons: each value is read once, and
// one of too many parts is not used.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK-LABEL: func @many_paths
//       CHECK:   scf.for %{{.+}} = %c0 to %c64 step %c8
// SPLIT-LABEL: func @many_paths
//       SPLIT:   scf.for %{{.+}} = %c0 to %c64 step %c8
func.func @many_paths(%x: tensor<4x64xf32>, %init: tensor<4xf32>, %q: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
    %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x64xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %row = affine.apply #at(%q, %i)
      %column = affine.apply #at(%k, %j)
      %c0m = arith.cmpi sle, %column, %row : index
      %d0m = arith.cmpi sge, %column, %c3 : index
      %c1m = arith.andi %c0m, %d0m : i1
      %d1m = arith.ori %c0m, %d0m : i1
      %c2m = arith.andi %c1m, %d1m : i1
      %d2m = arith.ori %c1m, %d1m : i1
      %c3m = arith.andi %c2m, %d2m : i1
      %d3m = arith.ori %c2m, %d2m : i1
      %c4m = arith.andi %c3m, %d3m : i1
      %d4m = arith.ori %c3m, %d3m : i1
      %c5m = arith.andi %c4m, %d4m : i1
      %d5m = arith.ori %c4m, %d4m : i1
      %c6m = arith.andi %c5m, %d5m : i1
      %d6m = arith.ori %c5m, %d5m : i1
      %c7m = arith.andi %c6m, %d6m : i1
      %d7m = arith.ori %c6m, %d6m : i1
      %c8m = arith.andi %c7m, %d7m : i1
      %d8m = arith.ori %c7m, %d7m : i1
      %c9m = arith.andi %c8m, %d8m : i1
      %d9m = arith.ori %c8m, %d8m : i1
      %c10m = arith.andi %c9m, %d9m : i1
      %d10m = arith.ori %c9m, %d9m : i1
      %c11m = arith.andi %c10m, %d10m : i1
      %d11m = arith.ori %c10m, %d10m : i1
      %c12m = arith.andi %c11m, %d11m : i1
      %d12m = arith.ori %c11m, %d11m : i1
      %c13m = arith.andi %c12m, %d12m : i1
      %d13m = arith.ori %c12m, %d12m : i1
      %c14m = arith.andi %c13m, %d13m : i1
      %d14m = arith.ori %c13m, %d13m : i1
      %c15m = arith.andi %c14m, %d14m : i1
      %d15m = arith.ori %c14m, %d14m : i1
      %c16m = arith.andi %c15m, %d15m : i1
      %d16m = arith.ori %c15m, %d15m : i1
      %c17m = arith.andi %c16m, %d16m : i1
      %d17m = arith.ori %c16m, %d16m : i1
      %c18m = arith.andi %c17m, %d17m : i1
      %d18m = arith.ori %c17m, %d17m : i1
      %c19m = arith.andi %c18m, %d18m : i1
      %d19m = arith.ori %c18m, %d18m : i1
      %c20m = arith.andi %c19m, %d19m : i1
      %d20m = arith.ori %c19m, %d19m : i1
      %c21m = arith.andi %c20m, %d20m : i1
      %d21m = arith.ori %c20m, %d20m : i1
      %c22m = arith.andi %c21m, %d21m : i1
      %d22m = arith.ori %c21m, %d21m : i1
      %c23m = arith.andi %c22m, %d22m : i1
      %d23m = arith.ori %c22m, %d22m : i1
      %c24m = arith.andi %c23m, %d23m : i1
      %d24m = arith.ori %c23m, %d23m : i1
      %c25m = arith.andi %c24m, %d24m : i1
      %d25m = arith.ori %c24m, %d24m : i1
      %c26m = arith.andi %c25m, %d25m : i1
      %d26m = arith.ori %c25m, %d25m : i1
      %c27m = arith.andi %c26m, %d26m : i1
      %d27m = arith.ori %c26m, %d26m : i1
      %c28m = arith.andi %c27m, %d27m : i1
      %d28m = arith.ori %c27m, %d27m : i1
      %c29m = arith.andi %c28m, %d28m : i1
      %d29m = arith.ori %c28m, %d28m : i1
      %c30m = arith.andi %c29m, %d29m : i1
      %d30m = arith.ori %c29m, %d29m : i1
      %c31m = arith.andi %c30m, %d30m : i1
      %d31m = arith.ori %c30m, %d30m : i1
      %c32m = arith.andi %c31m, %d31m : i1
      %d32m = arith.ori %c31m, %d31m : i1
      %c33m = arith.andi %c32m, %d32m : i1
      %d33m = arith.ori %c32m, %d32m : i1
      %c34m = arith.andi %c33m, %d33m : i1
      %d34m = arith.ori %c33m, %d33m : i1
      %c35m = arith.andi %c34m, %d34m : i1
      %d35m = arith.ori %c34m, %d34m : i1
      %c36m = arith.andi %c35m, %d35m : i1
      %d36m = arith.ori %c35m, %d35m : i1
      %c37m = arith.andi %c36m, %d36m : i1
      %d37m = arith.ori %c36m, %d36m : i1
      %c38m = arith.andi %c37m, %d37m : i1
      %d38m = arith.ori %c37m, %d37m : i1
      %c39m = arith.andi %c38m, %d38m : i1
      %d39m = arith.ori %c38m, %d38m : i1
      %c40m = arith.andi %c39m, %d39m : i1
      %d40m = arith.ori %c39m, %d39m : i1
      %s = arith.select %c40m, %a, %zero : f32
      linalg.yield %s : f32
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
