// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512 --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512 --linalg-ext-vectorize-buffers=excess-precision=false --split-input-file | FileCheck %s --check-prefix=ROUNDED

// With excess-precision=false, no word is rotated, and the row has no copy.

// ROUNDED-NOT: arith.shli
// ROUNDED-NOT: memref.alloc()

// One row times integers of 4 bits: the elements of the row for the upper integers lose a 256th of
// those of the next byte, and those for the lower ones a 16th of their byte. The words are rotated by
// 8, 16 and 24 bits, and each is converted and looked up. The scale multiplies the sum of eight.

// CHECK-LABEL: func @one_row(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x3x2x4x16xf32>, %[[W:[a-z0-9]+]]: memref<512x3x16x4xi8>, %[[S:[a-z0-9]+]]: memref<512x3xf32>
//       CHECK:   %[[ROW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x3x2x4x16xf32>
//       CHECK:   scf.for {{.*}} to %c3
//   CHECK-DAG:     %[[UPPER:.*]] = vector.load %[[X]][%c0{{.*}}, %{{.*}}, %c1{{.*}}, %c0{{.*}}, %{{.*}}]
//   CHECK-DAG:     %[[LOWER:.*]] = vector.load %[[X]][%c0{{.*}}, %{{.*}}, %c0{{.*}}, %c0{{.*}}, %{{.*}}]
//       CHECK:     %[[LESS:.*]] = vector.fma %[[UPPER]], %cst{{.*}}, %[[LOWER]]
//       CHECK:     vector.store %[[LESS]], %[[ROW]]
// CHECK-COUNT-7:   vector.store %{{.*}}, %[[ROW]]
//       CHECK:   scf.for {{.*}} to %c512 step %c8
//       CHECK:     scf.for {{.*}} to %c3
//   CHECK-NOT:       vector.load %[[X]]
//       CHECK:       %[[WORDS:.*]] = vector.bitcast %{{.*}} : vector<64xi8> to vector<16xi32>
//       CHECK:       %[[LEFT:.*]] = arith.shli %[[WORDS]]
//       CHECK:       %[[RIGHT:.*]] = arith.shrui %[[WORDS]]
//       CHECK:       %[[ROTATED:.*]] = arith.ori %[[LEFT]], %[[RIGHT]]
//   CHECK-DAG:       %[[FLOAT:.*]] = arith.uitofp %[[ROTATED]] : vector<16xi32> to vector<16xf32>
//   CHECK-DAG:       arith.trunci %[[ROTATED]] : vector<16xi32> to vector<16xi8>
// CHECK-COUNT-64:    vector.fma
//       CHECK:       scf.yield
//       CHECK:   memref.dealloc %[[ROW]]
func.func @one_row(%x: memref<1x3x2x4x16xf32>, %w: memref<512x3x16x4xi8>, %s: memref<512x3xf32>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x2x4x16xf32>, memref<512x3x16x4xi8>, memref<512x3xf32>) outs(%y : memref<1x512xf32>) {
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

// A function that is not linear is looked up.

// CHECK-LABEL: func @negative_squares(
//   CHECK-NOT:   arith.uitofp %{{.*}} : vector<16xi32>
//       CHECK:   return
func.func @negative_squares(%x: memref<1x3x2x4x16xf32>, %w: memref<512x3x16x4xi8>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<1x3x2x4x16xf32>, memref<512x3x16x4xi8>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %sum: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.muli %3, %3 : i8
    %5 = arith.uitofp %4 : i8 to f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %sum, %6 : f32
    linalg.yield %7 : f32
  }
  return
}

// -----

// Several rows take longer than the look-ups.

// CHECK-LABEL: func @negative_two_rows(
//   CHECK-NOT:   arith.uitofp %{{.*}} : vector<16xi32>
//       CHECK:   return
func.func @negative_two_rows(%x: memref<2x3x2x4x16xf32>, %w: memref<512x3x16x4xi8>, %y: memref<2x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<2x3x2x4x16xf32>, memref<512x3x16x4xi8>) outs(%y : memref<2x512xf32>) {
  ^bb0(%a: f32, %b: i8, %sum: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %a, %4 : f32
    %6 = arith.addf %sum, %5 : f32
    linalg.yield %6 : f32
  }
  return
}
