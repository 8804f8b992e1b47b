// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512vnni --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512vnni --linalg-ext-vectorize-buffers=excess-precision=false --split-input-file | FileCheck %s --check-prefix=ROUNDED
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512 --linalg-ext-vectorize-buffers --split-input-file | FileCheck %s --check-prefix=ROUNDED

// One row times bytes [K, N]. In front of the loops, each eight elements of the row become integers
// with a unit, of three digits. Four rows of 64 columns are interleaved, and the digits of four
// elements are the same for all columns. The sums of a block start from what makes up for codes
// without a sign. They are multiplied by unit and scales.

// ROUNDED-NOT: vpdpbusd
// CHECK-LABEL: func @bytes(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<1x2x16xf32>, %[[W:[a-z0-9]+]]: memref<2x16x128xi8>, %[[S:[a-z0-9]+]]: memref<2x128xf16>, %[[Y:[a-z0-9]+]]: memref<1x128xf32>
//   CHECK-DAG:   %[[DIGITS:.*]] = memref.alloc() {{.*}} : memref<4x3x2xi32>
//   CHECK-DAG:   %[[UNITS:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//   CHECK-DAG:   %[[STARTS:.*]] = memref.alloc() {{.*}} : memref<4x3xi32>
//       CHECK:   scf.for {{.*}} to %c4
//       CHECK:     vector.reduction <maxui>
//       CHECK:     memref.store %{{.*}}, %[[UNITS]]
//       CHECK:     arith.fptosi %{{.*}} : vector<8xf32> to vector<8xi32>
// CHECK-COUNT-3:   vector.store %{{.*}}, %[[DIGITS]][%{{.*}}] : memref<4x3x2xi32>, vector<2xi32>
// CHECK-COUNT-3:   memref.store %{{.*}}, %[[STARTS]]
//       CHECK:   scf.for {{.*}} to %c2
//       CHECK:     scf.for {{.*}} to %c16 step %c8
//       CHECK:       scf.for {{.*}} to %c128 step %c64
// CHECK-COUNT-3:       memref.load %[[STARTS]]
//       CHECK:         scf.for {{.*}} step %c4
// CHECK-COUNT-4:         arith.xori %{{.*}} : vector<64xi8>
// CHECK-COUNT-8:         vector.shuffle %{{.*}} : vector<64xi8>, vector<64xi8>
// CHECK-COUNT-12:        "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:           "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:           scf.yield
// CHECK-COUNT-12:      arith.sitofp %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK-COUNT-8:       vector.shuffle %{{.*}} : vector<16xf32>, vector<16xf32>
//       CHECK:         memref.load %[[UNITS]]
//       CHECK:         vector.store %{{.*}}, %[[Y]]
//       CHECK:   memref.dealloc %[[DIGITS]]
func.func @bytes(%x: memref<1x2x16xf32>, %w: memref<2x16x128xi8>, %s: memref<2x128xf16>, %y: memref<1x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (g, k, n)>,
                                   affine_map<(m, n, g, k) -> (g, n)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x2x16xf32>, memref<2x16x128xi8>, memref<2x128xf16>) outs(%y : memref<1x128xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f16, %sum: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.extf %c : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.mulf %a, %2 : f32
    %4 = arith.addf %sum, %3 : f32
    linalg.yield %4 : f32
  }
  return
}

// -----

// Words of eight integers of a column: four in the lower halves of bytes, four in the upper ones.

// ROUNDED-LABEL: func @words(
//   ROUNDED-NOT: vpdpbusd
// CHECK-LABEL: func @words(
//       CHECK:   %[[DIGITS:.*]] = memref.alloc() {{.*}} : memref<2x3x16xi32>
//       CHECK:   vector.shuffle %{{.*}} [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15] : vector<16xi8>, vector<16xi8>
//       CHECK:   scf.for {{.*}} to %c256 step %c64
//       CHECK:     scf.for
// CHECK-COUNT-4:     arith.shrui %{{.*}} : vector<64xi8>
// CHECK-COUNT-24:    "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:       "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:       scf.yield
func.func @words(%x: memref<1x2x8x8xbf16>, %w: memref<2x8x256xi32>, %s: memref<2x256xf32>, %y: memref<1x256xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p) -> (m, g, k, p)>, affine_map<(m, n, g, k, p) -> (g, k, n)>,
                                   affine_map<(m, n, g, k, p) -> (g, n)>, affine_map<(m, n, g, k, p) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x2x8x8xbf16>, memref<2x8x256xi32>, memref<2x256xf32>) outs(%y : memref<1x256xf32>) {
  ^bb0(%a: bf16, %b: i32, %c: f32, %sum: f32):
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c15 = arith.constant 15 : i32
    %i = linalg.index 4 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.muli %0, %c4 : i32
    %2 = arith.shrui %b, %1 : i32
    %3 = arith.andi %2, %c15 : i32
    %4 = arith.subi %3, %c8 : i32
    %5 = arith.sitofp %4 : i32 to f32
    %6 = arith.mulf %5, %c : f32
    %7 = arith.extf %a : bf16 to f32
    %8 = arith.mulf %7, %6 : f32
    %9 = arith.addf %sum, %8 : f32
    linalg.yield %9 : f32
  }
  return
}

// -----

// Three rows of words, and sixteen columns: three sums for each row.

// CHECK-LABEL: func @three_rows_of_words(
//       CHECK:   memref.alloc() {{.*}} : memref<3x3x16xi32>
//       CHECK:   scf.for {{.*}} to %c128 step %c16
//       CHECK:     scf.for
// CHECK-COUNT-1:     arith.shrui %{{.*}} : vector<64xi8>
// CHECK-COUNT-18:    "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:       "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:       scf.yield
func.func @three_rows_of_words(%x: memref<3x8x8xf32>, %w: memref<8x128xi32>, %y: memref<3x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, affine_map<(m, n, k, p) -> (k, n)>,
                                   affine_map<(m, n, k, p) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<3x8x8xf32>, memref<8x128xi32>) outs(%y : memref<3x128xf32>) {
  ^bb0(%a: f32, %b: i32, %sum: f32):
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i32
    %i = linalg.index 3 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.muli %0, %c4 : i32
    %2 = arith.shrui %b, %1 : i32
    %3 = arith.andi %2, %c15 : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %a, %4 : f32
    %6 = arith.addf %sum, %5 : f32
    linalg.yield %6 : f32
  }
  return
}

// -----

// Two rows of words are two products of one row, in columns of 64.

// CHECK-LABEL: func @two_rows_of_words(
//       CHECK:   scf.for {{.*}} to %c128 step %c64
//       CHECK:     scf.for
func.func @two_rows_of_words(%x: memref<2x8x8xf32>, %w: memref<8x128xi32>, %y: memref<2x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, affine_map<(m, n, k, p) -> (k, n)>,
                                   affine_map<(m, n, k, p) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<2x8x8xf32>, memref<8x128xi32>) outs(%y : memref<2x128xf32>) {
  ^bb0(%a: f32, %b: i32, %sum: f32):
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i32
    %i = linalg.index 3 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.muli %0, %c4 : i32
    %2 = arith.shrui %b, %1 : i32
    %3 = arith.andi %2, %c15 : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %a, %4 : f32
    %6 = arith.addf %sum, %5 : f32
    linalg.yield %6 : f32
  }
  return
}

// -----

// The scales change from row to row.

// CHECK-LABEL: func @negative_scales_of_rows(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_scales_of_rows(%x: memref<1x32xf32>, %w: memref<32x128xi8>, %s: memref<32x128xf32>, %y: memref<1x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : memref<1x32xf32>, memref<32x128xi8>, memref<32x128xf32>) outs(%y : memref<1x128xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Integers of three bits, which the mask leaves, are no codes of four.

// CHECK-LABEL: func @negative_three_bits(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_three_bits(%x: memref<1x8x8xf32>, %w: memref<8x128xi32>, %y: memref<1x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, affine_map<(m, n, k, p) -> (k, n)>,
                                   affine_map<(m, n, k, p) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<1x8x8xf32>, memref<8x128xi32>) outs(%y : memref<1x128xf32>) {
  ^bb0(%a: f32, %b: i32, %sum: f32):
    %c4 = arith.constant 4 : i32
    %c7 = arith.constant 7 : i32
    %i = linalg.index 3 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.muli %0, %c4 : i32
    %2 = arith.shrui %b, %1 : i32
    %3 = arith.andi %2, %c7 : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %a, %4 : f32
    %6 = arith.addf %sum, %5 : f32
    linalg.yield %6 : f32
  }
  return
}

// -----

// Two rows of bytes: a strip of columns is interleaved to a panel, which both rows read. Their blocks
// lie side by side.

// CHECK-LABEL: func @two_rows(
//   CHECK-DAG:   %[[PANEL:.*]] = memref.alloca() {{.*}} : memref<8x4x16xi32>
//   CHECK-DAG:   %[[SUMS:.*]] = memref.alloca() {{.*}} : memref<2x4x16xf32>
//   CHECK-DAG:   %[[DIGITS:.*]] = memref.alloc() {{.*}} : memref<4x3x8xi32>
// CHECK-COUNT-8: vector.shuffle %{{.*}} : vector<64xi8>, vector<64xi8>
// CHECK-COUNT-4: vector.store %{{.*}}, %[[PANEL]]
//       CHECK:   scf.for {{.*}} to %c4
//       CHECK:     scf.for {{.*}} to %c8
//       CHECK:       vector.load %[[PANEL]]
// CHECK-COUNT-6:     "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:       "llvm.x86.avx512.vpdpbusd.512"
// CHECK-COUNT-2:   vector.store %{{.*}}, %[[SUMS]]
// CHECK-COUNT-8: vector.load %[[SUMS]]
func.func @two_rows(%x: memref<2x64xf32>, %w: memref<64x128xi8>, %y: memref<2x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<2x64xf32>, memref<64x128xi8>) outs(%y : memref<2x128xf32>) {
  ^bb0(%a: f32, %b: i8, %sum: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// Four rows share the conversions of the integers to floats.

// CHECK-LABEL: func @negative_four_rows(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_four_rows(%x: memref<4x32xf32>, %w: memref<32x128xi8>, %y: memref<4x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x32xf32>, memref<32x128xi8>) outs(%y : memref<4x128xf32>) {
  ^bb0(%a: f32, %b: i8, %sum: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
