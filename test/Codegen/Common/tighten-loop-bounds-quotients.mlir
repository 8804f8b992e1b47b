// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s

// The columns of the chunk of 32 of a row that are not behind it, in tiles of 8. A tile of 8 rows
// is in one chunk, so that no tile is at its start in part: there are two loops, and none
// compares columns with the start.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vec = affine_map<(i) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK: #[[START:.*]] = affine_map<(d0) -> (((d0 floordiv 32) * 32 - 7) ceildiv 8)>
// CHECK-LABEL: func @from_chunk
// CHECK: affine.apply #[[START]](
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.cmpi sle
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK-NOT: scf.for %
func.func @from_chunk(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %quotient = arith.divsi %row, %c32 : index
        %start = arith.muli %quotient, %c32 : index
        %from = arith.cmpi sge, %column, %start : index
        %past = arith.cmpi sle, %column, %row : index
        %c = arith.andi %from, %past : i1
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// The same, by quotients of rows and of columns.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vec = affine_map<(i) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK: #[[START:.*]] = affine_map<(d0) -> (((d0 floordiv 32) * 32 - 7) ceildiv 8)>
// CHECK-LABEL: func @same_chunk
// CHECK: affine.apply #[[START]](
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.cmpi eq
// CHECK: arith.cmpi sle
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK-NOT: scf.for %
func.func @same_chunk(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %of_row = arith.divsi %row, %c32 : index
        %of_column = arith.divsi %column, %c32 : index
        %same = arith.cmpi eq, %of_row, %of_column : index
        %past = arith.cmpi sle, %column, %row : index
        %c = arith.andi %same, %past : i1
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// The same, by a remainder.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vec = affine_map<(i) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK: #[[START:.*]] = affine_map<(d0) -> (((d0 floordiv 32) * 32 - 7) ceildiv 8)>
// CHECK-LABEL: func @behind_remainder
// CHECK: affine.apply #[[START]](
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.cmpi sle
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK-NOT: scf.for %
func.func @behind_remainder(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %rest = arith.remsi %row, %c32 : index
        %start = arith.subi %row, %rest : index
        %from = arith.cmpi sge, %column, %start : index
        %past = arith.cmpi sle, %column, %row : index
        %c = arith.andi %from, %past : i1
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// A chunk of 12 may begin in a tile of rows or of columns: three loops, of which the first one and the
// last one compare.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vec = affine_map<(i) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK: #[[START:.*]] = affine_map<(d0) -> (((d0 floordiv 12) * 12 - 7) ceildiv 8)>
// CHECK-LABEL: func @chunks_of_12
// CHECK: affine.apply #[[START]](
// CHECK: scf.for %
// CHECK: arith.cmpi sge
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.cmpi sle
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
func.func @chunks_of_12(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %quotient = arith.divsi %row, %c12 : index
        %start = arith.muli %quotient, %c12 : index
        %from = arith.cmpi sge, %column, %start : index
        %past = arith.cmpi sle, %column, %row : index
        %c = arith.andi %from, %past : i1
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// Quotients of rows are computed in front of the loop, and chunks are counted from behind a padding,
// which no tile begins at: the loop begins and ends where some columns are in the chunk of some row.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vec = affine_map<(i) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK-DAG: #[[START:.*]] = affine_map<(d0)[s0] -> ((((d0 - s0) floordiv 32) * 32 + s0 - 7) ceildiv 8)>
// CHECK-DAG: #[[END:.*]] = affine_map<(d0)[s0] -> (((((d0 - s0 + 7) floordiv 32) * 32 + s0 + 31) floordiv 8) * 8 + 8)>
// CHECK-DAG: #[[WHOLE:.*]] = affine_map<(d0)[s0] -> (((((d0 - s0 + 7) floordiv 32) * 32 + s0) ceildiv 8) * 8)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0)[s0] -> (((d0 - s0) floordiv 32) * 32 + (s0 floordiv 8) * 8 + 32)>
// CHECK-LABEL: func @counted_from
// CHECK: affine.apply #[[START]](
// CHECK: affine.apply #[[END]](
// CHECK: affine.apply #[[WHOLE]](
// CHECK: affine.apply #[[LAST]](
// CHECK: scf.for %
// CHECK: arith.cmpi eq
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK: arith.cmpi eq
// CHECK: arith.addf
func.func @counted_from(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index, %padding: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %none = tensor.empty() : tensor<8xindex>
    %quotients = linalg.generic {indexing_maps = [#vec], iterator_types = ["parallel"]} outs(%none : tensor<8xindex>) {
    ^bb0(%b: index):
      %i = linalg.index 0 : index
      %row = affine.apply #at(%q, %i)
      %from_there = arith.subi %row, %padding : index
      %quotient = arith.floordivsi %from_there, %c32 : index
      linalg.yield %quotient : index
    } -> tensor<8xindex>
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]} ins(%tile, %quotients : tensor<8x8xf32>, tensor<8xindex>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %of_row: index, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %from_there = arith.subi %column, %padding : index
        %quotient = arith.floordivsi %from_there, %c32 : index
        %c = arith.cmpi eq, %quotient, %of_row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// A column in two quotients: the loop visits all tiles.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vec = affine_map<(i) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK-LABEL: func @negative_two_quotients
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step
// CHECK: arith.cmpi eq
// CHECK-NOT: scf.for %
func.func @negative_two_quotients(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %half = arith.divsi %column, %c8 : index
        %third = arith.divsi %column, %c12 : index
        %sum = arith.addi %half, %third : index
        %of_row = arith.divsi %row, %c32 : index
        %c = arith.cmpi eq, %sum, %of_row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// Rows and columns have positions of one op, at different points.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#vec = affine_map<(i) -> (i)>

// CHECK-LABEL: func @negative_two_points
// CHECK-SAME: %[[N:[a-z0-9]*]]: index)
// CHECK: scf.for %{{.*}} = %c0 to %[[N]] step
// CHECK: arith.cmpi slt
// CHECK-NOT: scf.for %
func.func @negative_two_points(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty(%n) : tensor<?xindex>
  %positions = linalg.generic {indexing_maps = [#vec], iterator_types = ["parallel"]} outs(%none : tensor<?xindex>) {
  ^bb0(%b: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<?xindex>
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %rows = tensor.extract_slice %positions[%q] [8] [1] : tensor<?xindex> to tensor<8xindex>
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %columns = tensor.extract_slice %positions[%k] [8] [1] : tensor<?xindex> to tensor<8xindex>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #row, #col, #map], iterator_types = ["parallel", "parallel"]} ins(%tile, %rows, %columns : tensor<8x8xf32>, tensor<8xindex>, tensor<8xindex>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %row: index, %column: index, %b: f32):
        %c = arith.cmpi slt, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// The columns are read behind another op in front of the loop, the rows as they are.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#vec = affine_map<(i) -> (i)>

// CHECK-LABEL: func @negative_another_op_between
// CHECK-SAME: %[[N:[a-z0-9]*]]: index)
// CHECK: scf.for %{{.*}} = %c0 to %[[N]] step
// CHECK: arith.cmpi slt
// CHECK-NOT: scf.for %
func.func @negative_another_op_between(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty(%n) : tensor<?xindex>
  %positions = linalg.generic {indexing_maps = [#vec], iterator_types = ["parallel"]} outs(%none : tensor<?xindex>) {
  ^bb0(%b: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<?xindex>
  %next = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]} ins(%positions : tensor<?xindex>) outs(%none : tensor<?xindex>) {
  ^bb0(%a: index, %b: index):
    %c1 = arith.constant 1 : index
    %s = arith.addi %a, %c1 : index
    linalg.yield %s : index
  } -> tensor<?xindex>
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %rows = tensor.extract_slice %positions[%q] [8] [1] : tensor<?xindex> to tensor<8xindex>
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %columns = tensor.extract_slice %next[%k] [8] [1] : tensor<?xindex> to tensor<8xindex>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #row, #col, #map], iterator_types = ["parallel", "parallel"]} ins(%tile, %rows, %columns : tensor<8x8xf32>, tensor<8xindex>, tensor<8xindex>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %row: index, %column: index, %b: f32):
        %c = arith.cmpi slt, %column, %row : index
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}
