// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx2 --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx2},linalg-ext-vectorize-buffers,cse)' --split-input-file | FileCheck %s

// CHECK-LABEL: func @elementwise_divides
//  CHECK-SAME: (%[[A:.*]]: memref<32xf32>, %[[B:.*]]: memref<32xf32>)
func.func @elementwise_divides(%a: memref<32xf32>, %b: memref<32xf32>) {
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c32{{.*}} step %c8
  // CHECK:   %[[X:.*]] = vector.load %[[A]][%[[I]]] : memref<32xf32>, vector<8xf32>
  // CHECK:   %[[Y:.*]] = math.exp %[[X]] : vector<8xf32>
  // CHECK:   vector.store %[[Y]], %[[B]][%[[I]]]
  // CHECK-NOT: mask
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  return
}

// -----

// CHECK-LABEL: func @elementwise_remainder
func.func @elementwise_remainder(%a: memref<35xf32>, %b: memref<35xf32>) {
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c8
  // CHECK:   vector.store
  // CHECK: %[[MASK:.*]] = vector.create_mask %c3{{.*}} : vector<8xi1>
  // CHECK: %[[X:.*]] = vector.maskedload %{{.*}}[%c32{{.*}}], %[[MASK]]
  // CHECK: %[[Y:.*]] = math.exp %[[X]]
  // CHECK: vector.maskedstore %{{.*}}[%c32{{.*}}], %[[MASK]], %[[Y]]
  linalg.exp ins(%a : memref<35xf32>) outs(%b : memref<35xf32>)
  return
}

// -----

// What is the same in all lanes is computed as a number, in front of their loop.

// CHECK-LABEL: func @elementwise_uniform
func.func @elementwise_uniform(%a: memref<4x?xf32>, %m: memref<4xf32>) {
  // CHECK: scf.for
  // CHECK:   %[[M:.*]] = memref.load
  // CHECK:   %[[NEG:.*]] = arith.negf %[[M]] : f32
  // CHECK:   scf.for
  // CHECK:     %[[V:.*]] = vector.broadcast %[[NEG]] : f32 to vector<8xf32>
  // CHECK:     arith.addf {{.*}}%[[V]]
  // CHECK:   scf.if
  // CHECK:     vector.maskedstore
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%m : memref<4xf32>) outs(%a : memref<4x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.negf %x : f32
    %1 = arith.addf %y, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// 6 rows by 2 vectors, in registers all along k; the fill is the initial value. What
// is left of a whole tile is a block of its own.

// CHECK-LABEL: func @matmul
func.func @matmul(%a: memref<14x64xf32>, %b: memref<64x16xf32>, %c: memref<14x16xf32>) {
  // CHECK-NOT: linalg.fill
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c12{{.*}} step %c6
  // CHECK:   %[[ZERO:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
  // CHECK:   %{{.*}}:12 = scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} step %c1{{.*}} iter_args(%{{.*}} = %[[ZERO]],
  // CHECK-COUNT-12: vector.fma
  // CHECK-NOT: vector.fma
  // CHECK:     scf.yield
  // CHECK-COUNT-12: vector.store
  // CHECK-NOT: vector.store
  // CHECK:   %{{.*}}:4 = scf.for
  // CHECK-COUNT-4: vector.store
  // CHECK-NOT: vector.store
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<14x16xf32>)
  linalg.matmul ins(%a, %b : memref<14x64xf32>, memref<64x16xf32>) outs(%c : memref<14x16xf32>)
  return
}

// -----

// Blocks of the second operand are loaded along k and transposed by 3 rounds of 8
// shuffles.

// CHECK-LABEL: func @matmul_transposed
func.func @matmul_transposed(%a: memref<8x64xf32>, %b: memref<16x64xf32>, %c: memref<8x16xf32>) {
  // CHECK: scf.for {{.*}} step %c8{{.*}} iter_args
  // CHECK-COUNT-8: vector.load %{{.*}} : memref<16x64xf32>, vector<8xf32>
  // CHECK-COUNT-24: vector.shuffle
  // CHECK-NOT: vector.shuffle
  // CHECK-COUNT-64: vector.fma
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<8x64xf32>, memref<16x64xf32>) outs(%c : memref<8x16xf32>)
  return
}

// -----

// Few rows: the other operand in its order, for all rows at a time, and 8 KiB ahead of
// its use, asked for in the order of memory: of the 4 lines of a row of 2, one at a time. The lanes of the sums of 4 rows and 2 columns are combined together: 7
// operations on two halves each, where one by one there would be 8 reductions. Those of a
// row are stored together.

// CHECK-LABEL: func @few_rows_transposed
func.func @few_rows_transposed(%a: memref<4x64xf32>, %b: memref<256x64xf32>, %c: memref<4x256xf32>) {
  // CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c256 step %c2
  // CHECK:   scf.for %[[K:.*]] = %c0{{.*}} to %c64 step %c8
  // CHECK:     llvm.fence syncscope("singlethread") acq_rel
  // CHECK:     %[[STEP:.*]] = arith.divui %[[K]], %c8
  // CHECK:     %[[FIRST:.*]] = arith.muli %[[STEP]], %c1
  // CHECK:     %[[PART:.*]] = arith.addi %[[FIRST]], %c0
  // CHECK:     %[[DOWN:.*]] = arith.divui %[[PART]], %c4
  // CHECK:     %[[ROW:.*]] = arith.addi %[[N]], %[[DOWN]]
  // CHECK:     %[[AHEAD:.*]] = arith.addi %[[ROW]], %c32
  // CHECK:     memref.prefetch %{{.*}}[%[[AHEAD]],
  // CHECK-NOT: memref.prefetch
  // CHECK-NOT: vector.shuffle
  // CHECK-COUNT-8: vector.fma
  // CHECK-NOT: vector.reduction
  // CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
  // CHECK: vector.shuffle {{.*}} [4, 5, 6, 7, 12, 13, 14, 15]
  // CHECK-COUNT-12: vector.shuffle
  // CHECK-NOT: vector.shuffle
  // CHECK-COUNT-4: vector.store {{.*}} vector<2xf32>
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<4x64xf32>, memref<256x64xf32>) outs(%c : memref<4x256xf32>)
  return
}

// -----

// Integers of 4 bits: both of a byte are used where a vector of bytes is loaded, for 2
// columns at a time. There is no loop over them.

// CHECK-LABEL: func @positions_in_bytes
func.func @positions_in_bytes(%a: memref<4x2x40xf32>, %b: memref<512x40xi8>, %c: memref<4x512xf32>) {
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c512 step %c2
  // CHECK:   scf.for %{{.*}} = %c0{{.*}} to %c40 step %c8
  // CHECK-NOT: scf.for
  // CHECK-COUNT-16: vector.fma
  // CHECK:     scf.yield
  linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (m, p, k)>, affine_map<(m, n, k, p) -> (n, k)>,
                                   affine_map<(m, n, k, p) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : memref<4x2x40xf32>, memref<512x40xi8>) outs(%c : memref<4x512xf32>) {
  ^bb0(%x: f32, %w: i8, %sum: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %position = linalg.index 3 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %w, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %x, %4 : f32
    %6 = arith.addf %sum, %5 : f32
    linalg.yield %6 : f32
  }
  return
}

// -----

// Both integers of each byte of a word: one load of words for a column, 8 columns at a time,
// 8 products of each. Scales of the next columns are prefetched with their bytes.

// CHECK-LABEL: func @parts_of_words
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x3x2x4x8xf32>, %[[W:[a-z0-9]+]]: memref<512x3x8x4xi8>, %[[S:[a-z0-9]+]]: memref<512x3xf32>
func.func @parts_of_words(%x: memref<1x3x2x4x8xf32>, %w: memref<512x3x8x4xi8>, %s: memref<512x3xf32>, %y: memref<1x512xf32>) {
  // CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c512 step %c8
  // CHECK:   scf.for %[[G:.*]] = %c0{{.*}} to %c3
  // CHECK:     memref.prefetch %[[W]]
  // CHECK:     memref.prefetch %[[S]]
  // CHECK-NOT: scf.for
  // CHECK:     %[[ALL:.*]] = memref.collapse_shape %[[W]] {{\[}}[0], [1], [2, 3]]
  // CHECK:     %[[BYTES:.*]] = vector.load %[[ALL]]{{.*}} vector<32xi8>
  // CHECK:     %[[WORDS:.*]] = vector.bitcast %[[BYTES]] : vector<32xi8> to vector<8xi32>
  // CHECK:     %[[SHIFTED:.*]] = arith.shrui %[[WORDS]]
  // CHECK:     arith.trunci %[[SHIFTED]] : vector<8xi32> to vector<8xi8>
  // CHECK-COUNT-64: vector.fma
  // CHECK:     scf.yield
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x2x4x8xf32>, memref<512x3x8x4xi8>, memref<512x3xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %sum, %6 : f32
    linalg.yield %7 : f32
  }
  return
}

// -----

// The words of two groups, with a scale each: the scales are loaded once for four words, and
// multiply the sum of the 8 products of a word. The first product of each starts a sum.

// CHECK-LABEL: func @groups_of_words
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x3x2x4x8xf32>, %[[W:[a-z0-9]+]]: memref<512x3x8x4xi8>, %[[S:[a-z0-9]+]]: memref<512x3x2xf32>
func.func @groups_of_words(%x: memref<1x3x2x4x8xf32>, %w: memref<512x3x8x4xi8>, %s: memref<512x3x2xf32>, %y: memref<1x512xf32>) {
  // CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c512 step %c8
  // CHECK:   scf.for %[[G:.*]] = %c0{{.*}} to %c3
  // CHECK:     memref.prefetch %[[W]]
  // CHECK:     memref.prefetch %[[S]]
  // CHECK-NOT: scf.for
  // CHECK-COUNT-56: vector.fma
  // CHECK:     %[[SCALES:.*]] = vector.load %[[S]]{{.*}} vector<2xf32>
  // CHECK:     %[[LANES:.*]] = vector.shuffle %[[SCALES]], %[[SCALES]] [0, 0, 0, 0, 1, 1, 1, 1]
  // CHECK:     vector.fma %{{.*}}, %[[LANES]]
  // CHECK-COUNT-7: vector.fma
  // CHECK-NOT: vector.fma
  // CHECK:     scf.yield
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g, k floordiv 4)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x2x4x8xf32>, memref<512x3x8x4xi8>, memref<512x3x2xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %sum, %6 : f32
    linalg.yield %7 : f32
  }
  return
}

// -----

// A scale is that of more words than a vector has.

// CHECK-LABEL: func @scale_of_two_vectors
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<1x3x2x4x16xf32>, %{{[a-z0-9]+}}: memref<512x3x16x4xi8>, %[[S:[a-z0-9]+]]: memref<512x3x1xf32>
func.func @scale_of_two_vectors(%x: memref<1x3x2x4x16xf32>, %w: memref<512x3x16x4xi8>, %s: memref<512x3x1xf32>, %y: memref<1x512xf32>) {
  // CHECK: memref.prefetch %[[S]]
  // CHECK: memref.load %[[S]]
  // CHECK: vector.fma
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g, k floordiv 16)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x2x4x16xf32>, memref<512x3x16x4xi8>, memref<512x3x1xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %sum, %6 : f32
    linalg.yield %7 : f32
  }
  return
}

// -----

// 4 rows by as many vectors as half of the registers accumulate: a quarter of the row.
// All four of 32 rows come before the next 32 rows, and what is asked for meanwhile are
// the 32 rows after them, a quarter of a row at a time: one line.

// CHECK-LABEL: func @few_rows
func.func @few_rows(%a: memref<4x512xf32>, %b: memref<512x64xf32>, %c: memref<4x64xf32>) {
  // CHECK: scf.for %[[BLOCK:.*]] = %c0{{.*}} to %c512 step %c32
  // CHECK:   scf.for %[[STRIP:.*]] = %c0{{.*}} to %c64{{.*}} step %c16
  // CHECK:     scf.for %[[ROW:.*]] = %[[BLOCK]] to
  // CHECK:       %[[PART:.*]] = arith.divui %[[STRIP]], %c16
  // CHECK:       arith.divui %{{.*}}, %c4
  // CHECK:       arith.remui %{{.*}}, %c4
  // CHECK: memref.prefetch
  // CHECK-NOT: memref.prefetch
  // CHECK-COUNT-8: vector.fma
  // CHECK-NOT: vector.fma
  linalg.matmul ins(%a, %b : memref<4x512xf32>, memref<512x64xf32>) outs(%c : memref<4x64xf32>)
  return
}

// -----

// Lanes along the reduction start from its neutral element; lanes that do not exist
// keep what they have. NaN is tested for next to the maximum.

// CHECK-LABEL: func @row_maximum
func.func @row_maximum(%a: memref<4x?xf32>, %m: memref<4xf32>) {
  // CHECK-DAG: %[[LOW:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
  // CHECK-DAG: %[[NUMBER:.*]] = arith.constant dense<-0.000000e+00> : vector<8xf32>
  // CHECK: scf.for {{.*}} iter_args({{(%[a-z0-9]+ = %[a-z0-9_]+, ){7}%[a-z0-9]+}} = %[[NUMBER]])
  // CHECK-COUNT-4: arith.cmpf uno, {{.*}} : vector<8xf32>
  // CHECK: scf.if
  // CHECK:   vector.create_mask
  // CHECK-COUNT-4: arith.select {{.*}} : vector<8xi1>, vector<8xf32>
  // CHECK: arith.addf {{.*}} : vector<8xf32>
  // CHECK: vector.reduction <maximumf>, {{.*}} : vector<8xf32> into f32
  // CHECK: arith.maximumf {{.*}} : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x?xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// One test for NaN of two numbers; a single one is left at the end.

// CHECK-LABEL: func @column_minimum
func.func @column_minimum(%a: memref<5x8xf32>, %m: memref<8xf32>) {
  // CHECK: scf.for {{.*}} = %c0{{.*}} to %c4{{.*}} step %c2
  // CHECK-COUNT-2: arith.cmpf olt
  // CHECK-COUNT-1: arith.cmpf uno
  // CHECK-NOT: arith.cmpf uno
  // CHECK: scf.yield
  // CHECK: arith.cmpf olt
  // CHECK: arith.cmpf uno, %[[X:.*]], %[[X]]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<5x8xf32>) outs(%m : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.minimumf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A view is no larger than its buffer: two vectors at a time, not four.

// CHECK-LABEL: func @bounded_sum
func.func @bounded_sum(%a: memref<4x16xf32>, %m: memref<16xf32>, %n: index) {
  // CHECK: scf.for {{.*}} step %c16
  // CHECK:   scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>) {
  %av = memref.subview %a[0, 0] [4, %n] [1, 1] : memref<4x16xf32> to memref<4x?xf32, strided<[16, 1]>>
  %mv = memref.subview %m[0] [%n] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%av : memref<4x?xf32, strided<[16, 1]>>) outs(%mv : memref<?xf32, strided<[1]>>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What is strided along the lanes is loaded in blocks, rows of which are transposed.

// CHECK-LABEL: func @transpose
func.func @transpose(%a: memref<?x17xf32>, %b: memref<17x?xf32>) {
  // CHECK: scf.for {{.*}} step %c8
  // CHECK:   scf.for {{.*}} = %c0{{.*}} to %c16{{.*}} step %c8
  // CHECK-COUNT-8: vector.load %{{.*}} : memref<?x17xf32>, vector<8xf32>
  // CHECK-COUNT-24: vector.shuffle
  // CHECK-COUNT-8: vector.store
  // CHECK-COUNT-8: memref.load
  linalg.transpose ins(%a : memref<?x17xf32>) outs(%b : memref<17x?xf32>) permutation = [1, 0]
  return
}

// -----

// Rows of as many halves as a register has are two blocks, which are transposed together. The
// scale is the same in all of a row.

// CHECK-LABEL: func @blocks_of_halves(
// CHECK:         scf.for {{.*}} to %c24{{.*}} step %c8
// CHECK:           %[[SCALE:.*]] = vector.load %{{.*}} : memref<24xf32>, vector<8xf32>
// CHECK:           scf.for {{.*}} to %c32{{.*}} step %c16
// CHECK-COUNT-8:     vector.load %{{.*}} : memref<24x32xf16>, vector<16xf16>
// CHECK-COUNT-24:    vector.shuffle {{.*}} : vector<16xf16>, vector<16xf16>
// CHECK-COUNT-16:    vector.extract_strided_slice {{.*}} : vector<16xf16> to vector<8xf16>
// CHECK-COUNT-16:    vector.store {{.*}} : memref<32x24xf32>, vector<8xf32>
// CHECK-NOT:       vector.store
// CHECK:         return
func.func @blocks_of_halves(%a: memref<24x32xf16>, %s: memref<24xf32>, %b: memref<32x24xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (k, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : memref<24x32xf16>, memref<24xf32>) outs(%b : memref<32x24xf32>) {
  ^bb0(%x: f16, %scale: f32, %o: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Both integers of a byte are unpacked where a block of bytes is transposed, once.

// CHECK-LABEL: func @parts_of_transposed_bytes(
// CHECK:         scf.for {{.*}} to %c24{{.*}} step %c8
// CHECK:           scf.for {{.*}} to %c40{{.*}} step %c8
// CHECK-COUNT-8:     vector.load %{{.*}} : memref<24x40xi8>, vector<8xi8>
// CHECK-NOT:         scf.for
// CHECK-NOT:         vector.load
// CHECK-COUNT-16:    vector.store {{.*}} : memref<2x40x24xf32>, vector<8xf32>
// CHECK-NOT:       vector.store
// CHECK:         return
func.func @parts_of_transposed_bytes(%a: memref<24x40xi8>, %b: memref<2x40x24xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, p, k) -> (n, k)>, affine_map<(n, p, k) -> (p, k, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<24x40xi8>) outs(%b : memref<2x40x24xf32>) {
  ^bb0(%w: i8, %o: f32):
    %c4 = arith.constant 4 : i8
    %position = linalg.index 1 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %w, %1 : i8
    %3 = arith.uitofp %2 : i8 to f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// A row of bytes has four vectors of f32 in a register: what is the same in all rows is kept for
// all of them.

// CHECK-LABEL: func @rows_of_bytes(
// CHECK:         scf.for {{.*}} to %c64{{.*}} step %c32
// CHECK-COUNT-4:   vector.load %{{.*}} : memref<64xf32>, vector<8xf32>
// CHECK:           scf.for {{.*}} to %c40
// CHECK-COUNT-4:     vector.store {{.*}} : memref<40x64xf32>, vector<8xf32>
// CHECK-NOT:       vector.store
// CHECK:         return
func.func @rows_of_bytes(%a: memref<40x64xi8>, %s: memref<64xf32>, %b: memref<40x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (k, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : memref<40x64xi8>, memref<64xf32>) outs(%b : memref<40x64xf32>) {
  ^bb0(%w: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %w : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A column of 1024 lines is larger than the first cache: a row at a time, in the
// order of memory.

// CHECK-LABEL: func @long_columns(
//  CHECK-SAME:   %[[X:.*]]: memref<1024xf32>, %[[Y:.*]]: memref<96xf32>, %[[C:.*]]: memref<1024x96xf32>
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c1024
// CHECK:           %[[XI:.*]] = memref.load %[[X]][%[[I]]]
// CHECK:           scf.for %[[J:.*]] = %c0{{.*}} to %c96{{.*}} step %c8
// CHECK:             vector.load %[[Y]][%[[J]]]
// CHECK:             vector.store {{.*}}, %[[C]][%[[I]], %[[J]]]
// CHECK:         return
func.func @long_columns(%x: memref<1024xf32>, %y: memref<96xf32>, %c: memref<1024x96xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<1024xf32>, memref<96xf32>) outs(%c : memref<1024x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What is computed of a column is kept for two vectors of it.

// CHECK-LABEL: func @long_columns_of_a_function(
// CHECK:         scf.for {{.*}} = %c0{{.*}} to %c96{{.*}} step %c16
// CHECK-COUNT-2:   math.exp {{.*}} : vector<8xf32>
// CHECK:           scf.for {{.*}} = %c0{{.*}} to %c1024
// CHECK-COUNT-2:     vector.store
// CHECK-NOT:       vector.store
// CHECK:         return
func.func @long_columns_of_a_function(%x: memref<1024xf32>, %y: memref<96xf32>, %c: memref<1024x96xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<1024xf32>, memref<96xf32>) outs(%c : memref<1024x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = math.exp %b : f32
    %1 = arith.mulf %a, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A row of two vectors is whole in the tile: its column is in the order of memory.

// CHECK-LABEL: func @long_columns_of_two_vectors(
// CHECK-COUNT-2: vector.load {{.*}} : memref<16xf32>, vector<8xf32>
// CHECK:         scf.for {{.*}} = %c0{{.*}} to %c1024
// CHECK-COUNT-2:   vector.store
// CHECK-NOT:     vector.store
// CHECK:         return
func.func @long_columns_of_two_vectors(%x: memref<1024xf32>, %y: memref<16xf32>, %c: memref<1024x16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<1024xf32>, memref<16xf32>) outs(%c : memref<1024x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Operands of halves are converted into panels: one of columns, one of rows.

// CHECK-LABEL: func @matmul_of_halves
func.func @matmul_of_halves(%a: memref<8x9xf16>, %b: memref<9x16xf16>, %c: memref<8x16xf32>) {
  // CHECK-DAG: memref.alloca() {{.*}} : memref<256xf32>
  // CHECK-DAG: memref.alloca() {{.*}} : memref<96xf32>
  // CHECK-COUNT-2: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
  // CHECK-COUNT-6: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
  // CHECK: vector.fma
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x9xf16>, memref<9x16xf16>) outs(%c : memref<8x16xf32>) {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Values of f16 that are computed with in f32 take as many lanes as those.

// CHECK-LABEL: func @mixed_precision
func.func @mixed_precision(%a: memref<32xf16>, %b: memref<32xf32>) {
  // CHECK: vector.load {{.*}} : memref<32xf16>, vector<8xf16>
  // CHECK: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : memref<32xf16>) outs(%b : memref<32xf32>) {
  ^bb0(%x: f16, %y: f32):
    %0 = arith.extf %x : f16 to f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A copy between views must not become a call.

// CHECK-LABEL: func @copy
func.func @copy(%a: memref<4x32xf32, strided<[64, 1]>>, %b: memref<4x32xf32>) {
  // CHECK-NOT: memref.copy
  // CHECK: vector.load
  // CHECK: vector.store
  memref.copy %a, %b : memref<4x32xf32, strided<[64, 1]>> to memref<4x32xf32>
  return
}

// -----

// CHECK-LABEL: func @negative_bits
func.func @negative_bits(%a: memref<32xf32>, %b: memref<32xi1>) {
  // CHECK: linalg.generic
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : memref<32xf32>) outs(%b : memref<32xi1>) {
  ^bb0(%x: f32, %y: i1):
    %0 = arith.cmpf oeq, %x, %x : f32
    linalg.yield %0 : i1
  }
  return
}

// -----

// CHECK-LABEL: func @negative_payload
func.func @negative_payload(%a: memref<32xindex>, %t: memref<32xf32>, %b: memref<32xf32>) {
  // CHECK: linalg.generic
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : memref<32xindex>) outs(%b : memref<32xf32>) {
  ^bb0(%x: index, %y: f32):
    %0 = memref.load %t[%x] : memref<32xf32>
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @negative_output_not_contiguous
func.func @negative_output_not_contiguous(%a: memref<32xf32>, %b: memref<32xf32, strided<[2]>>) {
  // CHECK: linalg.exp
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32, strided<[2]>>)
  return
}

// -----

// CHECK-LABEL: func @negative_tensors
func.func @negative_tensors(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> {
  // CHECK: linalg.exp
  %0 = linalg.exp ins(%a : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

// A largest index has no neutral element of a known width; a sum has 0.
// CHECK-LABEL: func @index_reductions
func.func @index_reductions(%a: memref<4x64xindex>, %most: memref<4xindex>, %sum: memref<4xindex>) {
  // CHECK-NOT: vector.reduction
  // CHECK:     arith.maxsi
  // CHECK-NOT: vector.reduction <max
  linalg.reduce { arith.maxsi } ins(%a : memref<4x64xindex>) outs(%most : memref<4xindex>) dimensions = [1]
  // CHECK:     vector.reduction <add>
  linalg.reduce { arith.addi } ins(%a : memref<4x64xindex>) outs(%sum : memref<4xindex>) dimensions = [1]
  return
}

// -----

// While all rows use a transposed tile of weights, they prefetch the next one: 1024 lines of
// 16 columns of 1024 weights. 4 register tiles of 6 rows take 64 turns of 16 terms each: 4
// lines in a turn. Behind the last tile of a row of tiles the next row begins.

// CHECK-LABEL: func @next_tile(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<24x2048xf32>, %[[W:[a-z0-9]+]]: memref<512x2048xf32>
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           scf.for %[[K:.*]] =
// CHECK:             %[[LATER:.*]] = arith.addi %[[K]], %
// CHECK:             %[[HAS_LATER:.*]] = arith.cmpi slt, %[[LATER]], %
// CHECK:             %[[COLUMN:.*]] = arith.select %[[HAS_LATER]], %[[J]], %
// CHECK:             %[[NEXT_TILE:.*]] = memref.subview %[[W]][%[[COLUMN]], %{{.*}}] [16, 1024]
// CHECK:             scf.for
// CHECK:               scf.for %[[TERM:.*]] = %{{.*}} iter_args
// CHECK:                 %[[REST:.*]] = arith.remui %[[TERM]], %
// CHECK:                 %[[IS_TURN:.*]] = arith.cmpi eq, %[[REST]],
// CHECK:                 %[[IS_LINE:.*]] = arith.cmpi ult,
// CHECK:                 %[[BOTH:.*]] = arith.andi %[[IS_TURN]], %[[IS_LINE]]
// CHECK:                 scf.if %[[BOTH]] {
// CHECK-COUNT-4:           memref.prefetch %[[NEXT_TILE]][%{{.*}}, %{{.*}}], read, locality<2>
// CHECK-NOT:               memref.prefetch
// CHECK:                 vector.fma
func.func @next_tile(%x: memref<24x2048xf32>, %w: memref<512x2048xf32>, %y: memref<24x512xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %buffer = memref.alloc() : memref<1024x16xf32>
  scf.for %j = %c0 to %c512 step %c16 {
    %columns = memref.subview %y[0, %j] [24, 16] [1, 1] : memref<24x512xf32> to memref<24x16xf32, strided<[512, 1], offset: ?>>
    scf.for %k = %c0 to %c2048 step %c1024 {
      %left = memref.subview %x[0, %k] [24, 1024] [1, 1] : memref<24x2048xf32> to memref<24x1024xf32, strided<[2048, 1], offset: ?>>
      %tile = memref.subview %w[%j, %k] [16, 1024] [1, 1] : memref<512x2048xf32> to memref<16x1024xf32, strided<[2048, 1], offset: ?>>
      linalg.transpose ins(%tile : memref<16x1024xf32, strided<[2048, 1], offset: ?>>) outs(%buffer : memref<1024x16xf32>) permutation = [1, 0]
      linalg.matmul ins(%left, %buffer : memref<24x1024xf32, strided<[2048, 1], offset: ?>>, memref<1024x16xf32>)
          outs(%columns : memref<24x16xf32, strided<[512, 1], offset: ?>>)
    }
  }
  memref.dealloc %buffer : memref<1024x16xf32>
  return
}

// -----

// The same for a tile that is dequantized: of its operands, what has a number for each weight.

// CHECK-LABEL: func @next_dequantized_tile(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<24x2048xf32>, %[[W:[a-z0-9]+]]: memref<512x2048xi8>
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           %[[HAS_LATER:.*]] = arith.cmpi slt, %
// CHECK:           %[[COLUMN:.*]] = arith.select %[[HAS_LATER]], %[[J]], %
// CHECK:           %[[NEXT_TILE:.*]] = memref.subview %[[W]][%[[COLUMN]], %{{.*}}] [16, 1024]
// CHECK:           memref.prefetch %[[NEXT_TILE]][%{{.*}}, %{{.*}}], read, locality<2>
func.func @next_dequantized_tile(%x: memref<24x2048xf32>, %w: memref<512x2048xi8>, %s: memref<512xf32>, %y: memref<24x512xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %buffer = memref.alloc() : memref<1024x16xf32>
  scf.for %j = %c0 to %c512 step %c16 {
    %columns = memref.subview %y[0, %j] [24, 16] [1, 1] : memref<24x512xf32> to memref<24x16xf32, strided<[512, 1], offset: ?>>
    %scales = memref.subview %s[%j] [16] [1] : memref<512xf32> to memref<16xf32, strided<[1], offset: ?>>
    scf.for %k = %c0 to %c2048 step %c1024 {
      %left = memref.subview %x[0, %k] [24, 1024] [1, 1] : memref<24x2048xf32> to memref<24x1024xf32, strided<[2048, 1], offset: ?>>
      %tile = memref.subview %w[%j, %k] [16, 1024] [1, 1] : memref<512x2048xi8> to memref<16x1024xi8, strided<[2048, 1], offset: ?>>
      linalg.generic {indexing_maps = [affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (k, n)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%scales, %tile : memref<16xf32, strided<[1], offset: ?>>, memref<16x1024xi8, strided<[2048, 1], offset: ?>>) outs(%buffer : memref<1024x16xf32>) {
      ^bb0(%scale: f32, %v: i8, %o: f32):
        %0 = arith.sitofp %v : i8 to f32
        %1 = arith.mulf %0, %scale : f32
        linalg.yield %1 : f32
      }
      linalg.matmul ins(%left, %buffer : memref<24x1024xf32, strided<[2048, 1], offset: ?>>, memref<1024x16xf32>)
          outs(%columns : memref<24x16xf32, strided<[512, 1], offset: ?>>)
    }
  }
  memref.dealloc %buffer : memref<1024x16xf32>
  return
}

// -----

// A copy that is no tile of a loop has no next one.

// CHECK-LABEL: func @negative_next_tile(
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @negative_next_tile(%x: memref<24x1024xf32>, %w: memref<16x1024xf32>, %y: memref<24x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %buffer = memref.alloc() : memref<1024x16xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.transpose ins(%w : memref<16x1024xf32>) outs(%buffer : memref<1024x16xf32>) permutation = [1, 0]
    linalg.matmul ins(%x, %buffer : memref<24x1024xf32>, memref<1024x16xf32>) outs(%y : memref<24x16xf32>)
  }
  memref.dealloc %buffer : memref<1024x16xf32>
  return
}

// -----

// Few rows read four long rows of weights at a time: the next four are ahead, not what these
// four read themselves. Weights of 64 KB are read as they follow each other.

// CHECK-LABEL: func @next_steps(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<2x512xf32>, %[[W:[a-z0-9]+]]: memref<32x512xf32>
// CHECK:         scf.for %[[N:.*]] = %{{.*}} step %c4
// CHECK:           scf.for
// CHECK:             %[[ROW:.*]] = arith.addi %[[N]], %
// CHECK:             %[[AHEAD:.*]] = arith.addi %[[ROW]], %c4
// CHECK:             memref.prefetch %[[W]][%[[AHEAD]],
func.func @next_steps(%x: memref<2x512xf32>, %w: memref<32x512xf32>, %y: memref<2x32xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : memref<2x512xf32>, memref<32x512xf32>) outs(%y : memref<2x32xf32>)
  return
}

// -----

// The rows of weights that are read together are a fourth of all rows apart, and each loads what
// follows it in memory. Their sums are stored one by one.
// The last two rows are read alone.

// CHECK:         #[[$APART:.*]] = affine_map<(d0) -> (d0 + 16)>
// CHECK-LABEL: func @columns_apart(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<2x4096xf32>, %[[W:[a-z0-9]+]]: memref<66x4096xf32>, %[[Y:[a-z0-9]+]]: memref<2x66xf32>
// CHECK:         scf.for %[[N:.*]] = %c0{{.*}} to %c16{{.*}} step %c1
// CHECK:           scf.for
// CHECK:             %[[ROW:.*]] = arith.addi %[[N]], %
// CHECK:             %[[AHEAD:.*]] = arith.addi %[[ROW]], %c1
// CHECK:             memref.prefetch %[[W]][%[[AHEAD]],
// CHECK:             vector.load %[[W]][%[[N]],
// CHECK:             %[[SECOND:.*]] = affine.apply #[[$APART]](%[[N]])
// CHECK:             vector.load %[[W]][%[[SECOND]],
// CHECK:           vector.store %{{.*}}, %[[Y]]{{.*}} : memref<2x66xf32>, vector<1xf32>
// CHECK:         scf.for %[[LAST:.*]] = %c64{{.*}} to %c66{{.*}} step %c1
// CHECK:           vector.load %[[W]][%[[LAST]],
func.func @columns_apart(%x: memref<2x4096xf32>, %w: memref<66x4096xf32>, %y: memref<2x66xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : memref<2x4096xf32>, memref<66x4096xf32>) outs(%y : memref<2x66xf32>)
  return
}

// Two rows of weights are fewer than a tile reads together.

// CHECK-LABEL: func @negative_few_columns(
// CHECK-NOT:     affine.apply
// CHECK:         memref.store %{{.*}}, %{{.*}}[%c0, %c0]
// CHECK:         memref.store %{{.*}}, %{{.*}}[%c0, %c1]
func.func @negative_few_columns(%x: memref<1x262144xf32>, %w: memref<2x262144xf32>, %y: memref<1x2xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : memref<1x262144xf32>, memref<2x262144xf32>) outs(%y : memref<1x2xf32>)
  return
}
