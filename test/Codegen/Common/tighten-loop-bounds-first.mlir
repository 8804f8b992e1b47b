// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-tighten-loop-bounds,canonicalize,cse)' --split-input-file | FileCheck %s

// Tiles of 8 columns, and of 4 rows from a multiple of 8 on: one is on the diagonal. In a
// kernel that will be rotated, its loop is in front, and ends behind it.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-DAG: #[[LAST:.+]] = affine_map<()[s0] -> (((s0 - 1) floordiv 8) * 8)>
// CHECK-DAG: #[[BEHIND:.+]] = affine_map<()[s0] -> (s0 + 8)>
// CHECK-LABEL: func @diagonal_first
//  CHECK-SAME:   %[[N:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index)
//       CHECK:   %[[SEEN:.+]] = arith.maxsi %{{.+}}, %c8
//       CHECK:   %[[UPPER:.+]] = arith.minsi %[[SEEN]], %[[N]]
//       CHECK:   %[[LAST_TILE:.+]] = affine.apply #[[LAST]]()[%[[UPPER]]]
//       CHECK:   %[[WHOLE:.+]] = arith.minsi %{{.+}}, %[[LAST_TILE]]
//       CHECK:   %[[GAP:.+]] = arith.maxsi %[[WHOLE]], %c0
//       CHECK:   %[[NEXT:.+]] = affine.apply #[[BEHIND]]()[%[[GAP]]]
//       CHECK:   %[[END:.+]] = arith.minsi %[[NEXT]], %[[N]]
//       CHECK:   %[[MASKED:.+]] = scf.for %{{.+}} = %[[GAP]] to %[[END]] step %c8
//       CHECK:     arith.cmpi
//       CHECK:   scf.for %{{.+}} = %c0 to %[[GAP]] step %c8 iter_args(%{{.+}} = %[[MASKED]])
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.forall.in_parallel
func.func @diagonal_first(%x: tensor<4x?xf32>, %init: tensor<4xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x?xf32> to tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      scf.yield %sum : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// Tiles of 4 rows, from any multiple of 4 on, have one tile on the diagonal: 8 is a multiple
// of 4.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func @one_of_half_tiles
//       CHECK:   %[[MASKED:.+]] = scf.for %{{.+}} = %[[GAP:.+]] to %{{.+}} step %c8
//       CHECK:     arith.cmpi
//       CHECK:   scf.for %{{.+}} = %c0 to %[[GAP]] step %c8 iter_args(%{{.+}} = %[[MASKED]])
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.forall.in_parallel
func.func @one_of_half_tiles(%x: tensor<4x?xf32>, %init: tensor<4xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (4) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x?xf32> to tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      scf.yield %sum : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// Tiles of 12 rows, from any multiple of 4 on, have up to two tiles on the diagonal. With
// three groups, their loop is in front, too. It has at least one iteration, and ends where
// the mask ends.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 384 : i64, way = "roles"}

// CHECK-LABEL: func @two_first
//  CHECK-SAME:   %[[N:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index)
//       CHECK:   %[[SEEN:.+]] = arith.maxsi %{{.+}}, %c8
//       CHECK:   %[[UPPER:.+]] = arith.minsi %[[SEEN]], %[[N]]
//       CHECK:   %[[LAST_TILE:.+]] = affine.apply #[[LAST]]()[%[[UPPER]]]
//       CHECK:   %[[WHOLE:.+]] = arith.minsi %{{.+}}, %[[LAST_TILE]]
//       CHECK:   %[[GAP:.+]] = arith.maxsi %[[WHOLE]], %c0
//       CHECK:   %[[MASKED:.+]] = scf.for %{{.+}} = %[[GAP]] to %[[UPPER]] step %c8
//       CHECK:     arith.cmpi
//       CHECK:   scf.for %{{.+}} = %c0 to %[[GAP]] step %c8 iter_args(%{{.+}} = %[[MASKED]])
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.forall.in_parallel
func.func @two_first(%x: tensor<12x?xf32>, %init: tensor<12xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (4) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<12xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [12, 8] [1, 1] : tensor<12x?xf32> to tensor<12x8xf32>
      %e = tensor.empty() : tensor<12x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<12x8xf32>) outs(%e : tensor<12x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<12x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<12x8xf32>) outs(%acc : tensor<12xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<12xf32>
      scf.yield %sum : tensor<12xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [12] [1] : tensor<12xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// So have tiles of 4 rows, if the diagonal has any offset.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 384 : i64, way = "roles"}

// CHECK-LABEL: func @offset_first
//       CHECK:   %[[MASKED:.+]] = scf.for %{{.+}} = %[[GAP:.+]] to %{{.+}} step %c8
//       CHECK:     arith.cmpi
//       CHECK:   scf.for %{{.+}} = %c0 to %[[GAP]] step %c8 iter_args(%{{.+}} = %[[MASKED]])
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.forall.in_parallel
func.func @offset_first(%x: tensor<4x?xf32>, %init: tensor<4xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x?xf32> to tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %at_row = affine.apply #at(%q, %i)
        %row = arith.addi %at_row, %length : index
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      scf.yield %sum : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// With any offset, 12 rows may have three: the loop without masks stays in front.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 384 : i64, way = "roles"}

// CHECK-LABEL: func @negative_three
//       CHECK:   %[[FULL:.+]] = scf.for %{{.+}} = %c0 to
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.for {{.*}} iter_args(%{{.+}} = %[[FULL]])
//       CHECK:     arith.cmpi
func.func @negative_three(%x: tensor<12x?xf32>, %init: tensor<12xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (4) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<12xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [12, 8] [1, 1] : tensor<12x?xf32> to tensor<12x8xf32>
      %e = tensor.empty() : tensor<12x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<12x8xf32>) outs(%e : tensor<12x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %at_row = affine.apply #at(%q, %i)
        %row = arith.addi %at_row, %length : index
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<12x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<12x8xf32>) outs(%acc : tensor<12xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<12xf32>
      scf.yield %sum : tensor<12xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [12] [1] : tensor<12xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// With two groups, the loop without masks stays in front of two tiles on the diagonal.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func @negative_two_groups
//       CHECK:   %[[FULL:.+]] = scf.for %{{.+}} = %c0 to
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.for {{.*}} iter_args(%{{.+}} = %[[FULL]])
//       CHECK:     arith.cmpi
func.func @negative_two_groups(%x: tensor<12x?xf32>, %init: tensor<12xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (4) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<12xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [12, 8] [1, 1] : tensor<12x?xf32> to tensor<12x8xf32>
      %e = tensor.empty() : tensor<12x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<12x8xf32>) outs(%e : tensor<12x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<12x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<12x8xf32>) outs(%acc : tensor<12xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<12xf32>
      scf.yield %sum : tensor<12xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [12] [1] : tensor<12xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// Other loops keep their order.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func @negative_not_rotated
//       CHECK:   %[[FULL:.+]] = scf.for %{{.+}} = %c0 to
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.for {{.*}} iter_args(%{{.+}} = %[[FULL]])
//       CHECK:     arith.cmpi
func.func @negative_not_rotated(%x: tensor<4x?xf32>, %init: tensor<4xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x?xf32> to tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      scf.yield %sum : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// Without a loop over tiles, nothing begins early.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 0 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func @negative_not_persistent
//       CHECK:   %[[FULL:.+]] = scf.for %{{.+}} = %c0 to
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.for {{.*}} iter_args(%{{.+}} = %[[FULL]])
//       CHECK:     arith.cmpi
func.func @negative_not_persistent(%x: tensor<4x?xf32>, %init: tensor<4xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x?xf32> to tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi sle, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      scf.yield %sum : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
// -----

// A length hides a part of a tile only if it is no multiple of 8.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func @negative_length
//       CHECK:   %[[FULL:.+]] = scf.for %{{.+}} = %c0 to
//   CHECK-NOT:     arith.cmpi
//       CHECK:   scf.for {{.*}} iter_args(%{{.+}} = %[[FULL]])
//       CHECK:     arith.cmpi
func.func @negative_length(%x: tensor<4x?xf32>, %init: tensor<4xf32>, %out: tensor<?xf32>, %m: index, %n: index, %length: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<4xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [4, 8] [1, 1] : tensor<4x?xf32> to tensor<4x8xf32>
      %e = tensor.empty() : tensor<4x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %c = arith.cmpi slt, %column, %length : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<4x8xf32>) outs(%acc : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      scf.yield %sum : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
