// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512vnni --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512vnni --linalg-ext-vectorize-buffers=excess-precision=false --split-input-file | FileCheck %s --check-prefix=ROUNDED

// ROUNDED-NOT: vpdpbusd

// Three rows times integers of 4 bits. The digits of a word lie side by side for all rows, and each
// unit has a start for each digit. Words of sixteen columns are transposed to a buffer, from where
// each multiplies what all lanes share of the rows: 18 products. Two columns are left over.

// CHECK-LABEL: func @three_rows(
// CHECK-SAME:    %{{[a-z0-9]+}}: {{.*}}, %[[W:[a-z0-9]+]]: memref<130x3x16x4xi8>, %[[S:[a-z0-9]+]]: memref<130x3xf32>, %[[Y:[a-z0-9]+]]: memref<3x130xf32>
//   CHECK-DAG:   %[[PANEL:.*]] = memref.alloca() {{.*}} : memref<8x16x16xi32>
//   CHECK-DAG:   %[[FACTORS:.*]] = memref.alloca() {{.*}} : memref<3x16xf32>
//   CHECK-DAG:   %[[WORDS:.*]] = memref.alloc() {{.*}} : memref<48x3x2x3xi32>
//   CHECK-DAG:   %[[UNITS:.*]] = memref.alloc() {{.*}} : memref<9xf32>
//   CHECK-DAG:   %[[STARTS:.*]] = memref.alloc() {{.*}} : memref<9x3xi32>
//       CHECK:   scf.for {{.*}} to %c128 step %c16
// CHECK-COUNT-16:    vector.load %{{.*}} : memref<130x3x64xi8>, vector<64xi8>
// CHECK-COUNT-64:    vector.shuffle
//   CHECK-NOT:       vector.shuffle
// CHECK-COUNT-16:    vector.store %{{.*}}, %[[PANEL]]
//       CHECK:     memref.load %[[STARTS]]
//       CHECK:     %[[SUMS:.*]]:9 = scf.for
//       CHECK:       memref.prefetch %[[W]]{{.*}} locality<2>
//       CHECK:       vector.load %[[PANEL]]
//       CHECK:       memref.load %[[WORDS]]
// CHECK-COUNT-18:    "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:       "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:       scf.yield
//       CHECK:     vector.load %[[FACTORS]]
//       CHECK:     arith.sitofp %[[SUMS]]#2
//       CHECK:     arith.sitofp %[[SUMS]]#1
//       CHECK:     memref.load %[[UNITS]]
// CHECK-COUNT-3:   vector.store %{{.*}}, %[[Y]]
//       CHECK:   vector.create_mask %c2
// CHECK-COUNT-18:    "llvm.x86.avx512.vpdpbusd.512"
// CHECK-COUNT-3:   vector.maskedstore %[[Y]]
func.func @three_rows(%x: memref<3x3x2x4x16xf32>, %w: memref<130x3x16x4xi8>, %s: memref<130x3xf32>, %y: memref<3x130xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<3x3x2x4x16xf32>, memref<130x3x16x4xi8>, memref<130x3xf32>) outs(%y : memref<3x130xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %c4 = arith.constant 4 : i8
    %c8 = arith.constant 8 : i8
    %c15 = arith.constant 15 : i8
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %less = arith.subi %3, %c8 : i8
    %4 = arith.sitofp %less : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %sum, %6 : f32
    linalg.yield %7 : f32
  }
  return
}

// -----

// Rows with scales of their own have other factors of each row: no digits.

// CHECK-LABEL: func @negative_scales_of_rows(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_scales_of_rows(%x: memref<3x3x128xf32>, %w: memref<512x3x128xi8>, %s: memref<3x512x3xf32>, %y: memref<3x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (m, n, g)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<3x3x128xf32>, memref<512x3x128xi8>, memref<3x512x3xf32>) outs(%y : memref<3x512xf32>) {
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

// Nine rows share weights that are dequantized.

// CHECK-LABEL: func @negative_nine_rows(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_nine_rows(%x: memref<9x3x128xf32>, %w: memref<512x3x128xi8>, %s: memref<512x3xf32>, %y: memref<9x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (n, g)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<9x3x128xf32>, memref<512x3x128xi8>, memref<512x3xf32>) outs(%y : memref<9x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
