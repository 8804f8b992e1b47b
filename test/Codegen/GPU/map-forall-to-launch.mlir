// RUN: linalg-ext-opt %s --linalg-ext-map-to-launches='steps=workgroups num-threads=256' --split-input-file --verify-diagnostics | FileCheck %s

// The host counts the workgroups; the last loop is the fastest.

// CHECK-DAG:   #[[COUNT:.*]] = affine_map<()[s0] -> (s0 ceildiv 64)>
// CHECK-DAG:   #[[TOTAL:.*]] = affine_map<()[s0] -> ((s0 ceildiv 64) * 8)>
// CHECK-DAG:   #[[IV:.*]] = affine_map<()[s0] -> (s0 * 64)>
// CHECK-LABEL: func @dynamic
// CHECK:         %[[BLOCKS:.*]] = affine.apply #[[COUNT]]()[%arg1]
// CHECK:         %[[GRID:.*]] = affine.apply #[[TOTAL]]()[%arg1]
// CHECK:         %[[THREADS:.*]] = arith.constant 256 : index
// CHECK:         gpu.launch blocks(%[[X:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[GRID]], {{.*}}) threads({{.*}}) in (%{{.*}} = %[[THREADS]],
// CHECK:           %[[ID:.*]]:2 = affine.delinearize_index %[[X]] into (8, %[[BLOCKS]])
// CHECK:           %[[J:.*]] = affine.apply #[[IV]]()[%[[ID]]#1]
// CHECK:           memref.store %{{.*}}, %arg0[%[[ID]]#0, %[[J]]]
// CHECK:           gpu.terminator
// CHECK-NOT:     scf.forall
func.func @dynamic(%m: memref<8x?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (8, %n) step (1, 64) {
    memref.store %zero, %m[%i, %j] : memref<8x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// -----

// Loops over threads, within a kernel or not, stay.

// CHECK-LABEL: func @threads
// CHECK-NOT:     gpu.launch
// CHECK:         scf.forall
func.func @threads(%m: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    memref.store %zero, %m[%i] : memref<8xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// CHECK-LABEL: func @negative_tensors
// CHECK-NOT:     gpu.launch
func.func @negative_tensors(%t: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{no kernel: expected a loop on buffers, got one with results}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----

// Where both loops share what they read, 8 rows are together, the row fastest.

// RUN: linalg-ext-opt %s --linalg-ext-map-to-launches='steps=workgroups band=8' --split-input-file 2>/dev/null | FileCheck %s --check-prefix=BAND

// BAND-LABEL: func @shared_both_ways
// BAND:         gpu.launch blocks(%[[ID:[a-z0-9]+]],
// BAND:           %[[SIZE:[a-z0-9]+]] = affine.apply {{.*}}()[%{{.*}}]
// BAND:           %[[BAND:[a-z0-9]+]]:2 = affine.delinearize_index %[[ID]] into (%[[SIZE]])
// BAND:           %[[HEIGHT:[a-z0-9]+]] = affine.min {{.*}}[%{{.*}}, %[[BAND]]#0]
// BAND:           affine.delinearize_index %[[BAND]]#1 into (%[[HEIGHT]])
// CHECK-LABEL: func @shared_both_ways
// CHECK:         affine.delinearize_index %{{.*}} into (%{{.*}}, %{{.*}})
func.func @shared_both_ways(%a: memref<?x64xf32>, %b: memref<?x64xf32>, %c: memref<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (%m, %n) {
    %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
    %y = vector.transfer_read %b[%j, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
    %z = arith.addf %x, %y : vector<64xf32>
    vector.transfer_write %z, %c[%i, %j] : vector<64xf32>, memref<?x?xf32>
  }
  return
}

// -----

// Not where only neighbours of the last loop do.

// BAND-LABEL: func @negative_one_way
// BAND:         affine.delinearize_index %{{.*}} into (%{{.*}}, %{{.*}})
func.func @negative_one_way(%a: memref<?x64xf32>, %b: memref<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (%m, %n) {
    %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
    %y = vector.transfer_read %b[%i, %j], %zero : memref<?x?xf32>, vector<64xf32>
    %z = arith.addf %x, %y : vector<64xf32>
    vector.transfer_write %z, %b[%i, %j] : vector<64xf32>, memref<?x?xf32>
  }
  return
}

// -----

// Rows of a tile that are parts of one dimension of the source: upstream's
// folding of views, which comes behind this, would take a row of the source for
// each of them.

// CHECK-LABEL: func @across_split_dims
// CHECK-SAME:    %[[Q:[^ ]*]]: memref<1x1x36xf32>
// CHECK:         %[[V:.*]] = memref.reinterpret_cast %[[Q]] to offset: [0], sizes: [1, 1, 9, 4], strides: [36, 36, 4, 1]
// CHECK:         vector.transfer_read %[[V]]
func.func @across_split_dims(%q: memref<1x1x36xf32>, %o: memref<9x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    %e = memref.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 1, 9, 4] : memref<1x1x36xf32> into memref<1x1x9x4xf32>
    %v = vector.transfer_read %e[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true]} : memref<1x1x9x4xf32>, vector<9x4xf32>
    vector.transfer_write %v, %o[%c0, %c0] {in_bounds = [true, true]} : vector<9x4xf32>, memref<9x4xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// So they are where only the buffer knows how far rows are apart.

// CHECK-LABEL: func @across_split_dims_of_view
// CHECK-SAME:    %[[Q:[^ ]*]]: memref<5x36xf32, strided<[?, 1], offset: ?>>
// CHECK:         %[[B:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[Q]]
// CHECK:         %[[V:.*]] = memref.reinterpret_cast %[[B]] to offset: [%[[OFFSET]]], sizes: [5, 9, 4], strides: [%[[STRIDES]]#0, 4, 1]
// CHECK:         vector.transfer_read %[[V]]
func.func @across_split_dims_of_view(%q: memref<5x36xf32, strided<[?, 1], offset: ?>>, %o: memref<9x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    %e = memref.expand_shape %q [[0], [1, 2]] output_shape [5, 9, 4] : memref<5x36xf32, strided<[?, 1], offset: ?>> into memref<5x9x4xf32, strided<[?, 4, 1], offset: ?>>
    %v = vector.transfer_read %e[%c2, %c0, %c0], %zero {in_bounds = [true, true]} : memref<5x9x4xf32, strided<[?, 4, 1], offset: ?>>, vector<9x4xf32>
    vector.transfer_write %v, %o[%c0, %c0] {in_bounds = [true, true]} : vector<9x4xf32>, memref<9x4xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Views of views are folded one after the other: what only the last dimension of
// the outer view has split is split by the inner one, too.

// CHECK-LABEL: func @across_split_dims_of_part
// CHECK-SAME:    %[[Q:[^ ]*]]: memref<5x48xf32>
// CHECK:         %[[V:.*]] = memref.reinterpret_cast %[[Q]] to offset: [0], sizes: [5, 4, 12], strides: [48, 12, 1]
// CHECK:         %[[PART:.*]] = memref.subview %[[V]]
// CHECK:         %[[PAIRS:.*]] = memref.expand_shape %[[PART]]
// CHECK:         vector.transfer_read %[[PAIRS]]
func.func @across_split_dims_of_part(%q: memref<5x48xf32>, %o: memref<2x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    %e = memref.expand_shape %q [[0], [1, 2]] output_shape [5, 4, 12] : memref<5x48xf32> into memref<5x4x12xf32>
    %s = memref.subview %e[0, 0, 0] [5, 4, 6] [1, 1, 1] : memref<5x4x12xf32> to memref<5x4x6xf32, strided<[48, 12, 1]>>
    %p = memref.expand_shape %s [[0], [1, 2], [3]] output_shape [5, 2, 2, 6] : memref<5x4x6xf32, strided<[48, 12, 1]>> into memref<5x2x2x6xf32, strided<[48, 24, 12, 1]>>
    %v = vector.transfer_read %p[%c4, %c1, %c0, %c0], %zero {in_bounds = [true, true]} : memref<5x2x2x6xf32, strided<[48, 24, 12, 1]>>, vector<2x6xf32>
    vector.transfer_write %v, %o[%c0, %c0] {in_bounds = [true, true]} : vector<2x6xf32>, memref<2x6xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Along the last part only.

// CHECK-LABEL: func @negative_last_part
// CHECK-NOT:     memref.reinterpret_cast
// CHECK:         memref.expand_shape
func.func @negative_last_part(%q: memref<5x36xf32>, %o: memref<5x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    %e = memref.expand_shape %q [[0], [1, 2]] output_shape [5, 9, 4] : memref<5x36xf32> into memref<5x9x4xf32>
    %v = vector.transfer_read %e[%c0, %c2, %c0], %zero {in_bounds = [true, true], permutation_map = affine_map<(a, b, c) -> (a, c)>} : memref<5x9x4xf32>, vector<5x4xf32>
    vector.transfer_write %v, %o[%c0, %c0] {in_bounds = [true, true]} : vector<5x4xf32>, memref<5x4xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Iterations of the last loop become shorter: those of several of the others are
// together, here of all that have 256 workgroups.

// BAND-LABEL: func @longest_first
// BAND:         gpu.launch blocks(%[[ID:[a-z0-9]+]],
// BAND:           %[[BAND:[a-z0-9]+]]:2 = affine.delinearize_index %[[ID]] into (256)
// BAND:           %[[AT:[a-z0-9]+]]:2 = affine.delinearize_index %[[BAND]]#1 into (8)
// BAND:           %[[ROW:[a-z0-9]+]] = affine.apply {{.*}}[%[[BAND]]#0, %[[AT]]#1]
// BAND:           %[[HEAD:[a-z0-9]+]]:2 = affine.delinearize_index %[[ROW]] into (2, 12)
// BAND:           scf.for
// BAND:             memref.load %{{.*}}[%[[HEAD]]#0, %[[HEAD]]#1, %{{.*}}]
// CHECK-LABEL: func @longest_first
// CHECK:         affine.delinearize_index %{{.*}} into (2, 12, 32)
func.func @longest_first(%a: memref<2x12x2048xf32>, %b: memref<2x12x32xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %h, %j) in (2, 12, 32) {
    %end = affine.apply affine_map<(d0) -> (d0 * -64 + 2048)>(%j)
    %sum = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %zero) -> f32 {
      %x = memref.load %a[%i, %h, %k] : memref<2x12x2048xf32>
      %y = arith.addf %acc, %x : f32
      scf.yield %y : f32
    }
    memref.store %sum, %b[%i, %h, %j] : memref<2x12x32xf32>
  }
  return
}

// -----

// As many rows as a band has: columns, and the rows of each. A number of columns
// that is not known has the given band.

// BAND-LABEL: func @longest_first_few
// BAND:         affine.delinearize_index %{{.*}} into (32, 4)
// BAND:         affine.delinearize_index %{{.*}} into (%{{.*}}) : index, index
// BAND:         affine.min {{.*}}[%{{.*}}, %{{.*}}]
func.func @longest_first_few(%a: memref<4x2048xf32>, %b: memref<4x32xf32>,
                             %c: memref<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%h, %j) in (4, 32) {
    %end = affine.apply affine_map<(d0) -> (d0 * -64 + 2048)>(%j)
    %sum = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %zero) -> f32 {
      %x = memref.load %a[%h, %k] : memref<4x2048xf32>
      %y = arith.addf %acc, %x : f32
      scf.yield %y : f32
    }
    memref.store %sum, %b[%h, %j] : memref<4x32xf32>
  }
  scf.forall (%h, %j) in (%m, %n) {
    scf.for %k = %j to %n step %c1 {
      memref.store %zero, %c[%h, %k] : memref<?x?xf32>
    }
  }
  return
}

// -----

// Tiles of a persistent kernel that get shorter along a row: in pairs, they are the
// first of a row, the last, the second, the last but one, and so on. Rows have an odd
// number of tiles: every other one begins with that in the middle, 2. If pairs do not
// fill all rounds of 132 processors, the tiles of the last two rounds, or all, are
// ordered by length through all rows that are left, an even number of rows behind the
// start: pairs of the longest and the shortest ones, up to whole rounds, and single ones.

// BAND: #[[PAIR_OF:.*]] = affine_map<()[s0, s1] -> ((s0 - s1) floordiv 2)>
// BAND: #[[PARITY:.*]] = affine_map<()[s0] -> (s0 mod 2)>
// BAND: #[[FROM_LAST:.*]] = affine_map<()[s0, s1, s2] -> (s0 - (s1 - s2) floordiv 2)>
// BAND: #[[SINGLE:.*]] = affine_map<()[s0, s1, s2] -> (s0 - s1 + s2)>
// BAND: #[[SHORT:.*]] = affine_map<()[s0] -> (-((s0 + 1) floordiv 2) + 5)>
// BAND: #[[LONG:.*]] = affine_map<()[s0] -> (s0 floordiv 2)>
// BAND: #[[SUM:.*]] = affine_map<()[s0, s1] -> (s0 + s1)>
// BAND-LABEL: func @long_and_short
// BAND-SAME:    %[[ROWS:[a-z0-9]+]]: index)
// BAND:         %[[TILES:.*]] = affine.apply
// BAND:         %[[PAIRS:.*]] = arith.ceildivui %[[TILES]], %c2
// BAND:         %[[ROUNDS:.*]] = arith.ceildivui %[[PAIRS]], %c132
// BAND-DAG:     %[[SIX:.*]] = arith.cmpi ule, %[[ROUNDS]], %c6
// BAND-DAG:     %[[UNEVEN:.*]] = arith.select %[[SIX]]
// BAND-DAG:     %[[FEW:.*]] = arith.cmpi ule, %[[ROUNDS]], %c3
// BAND-DAG:     %[[SOME:.*]] = arith.select %[[FEW]]
// BAND:         %[[IN_PAIRS:.*]] = arith.select %[[UNEVEN]], %[[SOME]], %[[TILES]]
// BAND:         %[[WHOLE:.*]] = arith.divui %[[IN_PAIRS]], %c5
// BAND:         %[[ODD_ROW:.*]] = arith.remui %[[WHOLE]], %c2
// BAND:         %[[EVEN:.*]] = arith.subi %[[WHOLE]], %[[ODD_ROW]]
// BAND:         %[[IN_ROWS:.*]] = arith.muli %[[EVEN]], %c5
// BAND:         %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[EVEN]]
// BAND:         %[[OTHER_ROWS:.*]] = arith.maxsi %[[LEFT]], %c1
// BAND:         %[[OTHERS:.*]] = arith.subi %[[TILES]], %[[IN_ROWS]]
// BAND:         %[[LAST:.*]] = arith.subi %[[OTHERS]], %c1
// BAND:         %[[BEHIND:.*]] = arith.subi %[[IN_PAIRS]], %[[IN_ROWS]]
// BAND:         %[[OTHER_PAIRS:.*]] = arith.divui %[[BEHIND]], %c2
// BAND:         gpu.launch blocks(%[[ID:[a-z0-9]+]],
// BAND:         %[[PAIR:.*]] = affine.apply #[[PAIR_OF]]()[%[[ID]], %[[IN_ROWS]]]
// BAND:         %[[WHICH:.*]] = affine.apply #[[PARITY]]()[%[[ID]]]
// BAND:         %[[IS_SHORT:.*]] = arith.cmpi ne, %[[WHICH]]
// BAND:         %[[SHORTEST:.*]] = affine.apply #[[FROM_LAST]]()[%[[LAST]], %[[ID]], %[[IN_ROWS]]]
// BAND:         %[[OF_PAIR:.*]] = arith.select %[[IS_SHORT]], %[[SHORTEST]], %[[PAIR]]
// BAND:         %[[ALONE:.*]] = affine.apply #[[SINGLE]]()[%[[ID]], %[[IN_PAIRS]], %[[OTHER_PAIRS]]]
// BAND:         %[[IS_PAIR:.*]] = arith.cmpi slt, %[[ID]], %[[IN_PAIRS]]
// BAND:         %[[PLACE:.*]] = arith.select %[[IS_PAIR]], %[[OF_PAIR]], %[[ALONE]]
// BAND:         %[[IS_IN_ROWS:.*]] = arith.cmpi slt, %[[ID]], %[[IN_ROWS]]
// BAND:         %[[DIVISOR:.*]] = arith.select %[[IS_IN_ROWS]], %c5{{.*}}, %[[OTHER_ROWS]]
// BAND:         %[[NUMBER:.*]] = arith.select %[[IS_IN_ROWS]], %[[ID]], %[[PLACE]]
// BAND:         %[[KNOWN:.*]] = vector_ext.assume %[[NUMBER]]
// BAND:         %[[AT:.*]]:2 = affine.delinearize_index %[[KNOWN]] into (%[[DIVISOR]])
// BAND:         %[[PARITY_OF_ID:.*]] = affine.apply #[[PARITY]]()[%[[ID]]]
// BAND:         %[[ODD:.*]] = arith.cmpi ne, %[[PARITY_OF_ID]]
// BAND-DAG:     %[[S:.*]] = affine.apply #[[SHORT]]()[%[[AT]]#1]
// BAND-DAG:     %[[FIRST:.*]] = arith.cmpi eq, %[[AT]]#1, %c0
// BAND-DAG:     %[[S0:.*]] = arith.select %[[FIRST]], %c2{{.*}}, %[[S]]
// BAND-DAG:     %[[L:.*]] = affine.apply #[[LONG]]()[%[[AT]]#1]
// BAND:         %[[PAIRED:.*]] = arith.select %[[ODD]], %[[S0]], %[[L]]
// BAND:         %[[OTHER_ROW:.*]] = affine.apply #[[SUM]]()[%[[AT]]#1, %[[EVEN]]]
// BAND:         %[[ROW:.*]] = arith.select %[[IS_IN_ROWS]], %[[AT]]#0, %[[OTHER_ROW]]
// BAND:         %[[R:.*]] = vector_ext.assume %[[ROW]] at_least 0 at_most 2147483647
// BAND:         %[[COLUMN:.*]] = arith.select %[[IS_IN_ROWS]], %[[PAIRED]], %[[AT]]#0
// BAND:         %[[C:.*]] = vector_ext.assume %[[COLUMN]] at_least 0 at_most 2147483647
// BAND:         memref.store %{{.*}}, %{{.*}}[%[[R]], %[[C]]]
func.func @long_and_short(%a: memref<?x2048xf32>, %b: memref<?x5xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%h, %j) in (%n, 5) {
    %end = affine.apply affine_map<(d0) -> (d0 * -64 + 2048)>(%j)
    %sum = scf.for %k = %c0 to %end step %c64 iter_args(%acc = %zero) -> f32 {
      %x = memref.load %a[%h, %k] : memref<?x2048xf32>
      %y = arith.addf %acc, %x : f32
      scf.yield %y : f32
    }
    memref.store %sum, %b[%h, %j] : memref<?x5xf32>
  } {vector_ext.kernel = {number = 0 : i64, persist = 2 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// CHECK-LABEL: func @negative_step
// CHECK:         scf.forall
func.func @negative_step(%m: memref<8x?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{no kernel: expected steps other than 0}}
  scf.forall (%i, %j) = (0, 0) to (8, %n) step (0, 64) {
    memref.store %zero, %m[%i, %j] : memref<8x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}
