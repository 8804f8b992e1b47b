// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512vnni --linalg-ext-vectorize-buffers --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512vnni --linalg-ext-vectorize-buffers=excess-precision=false --split-input-file | FileCheck %s --check-prefix=ROUNDED
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx512vnni}, linalg-ext-vectorize-buffers{excess-precision=false})' --split-input-file | FileCheck %s --check-prefix=ROUNDED

// With excess-precision=false, each integer becomes a float.

// ROUNDED-NOT: vpdpbusd
// ROUNDED-NOT: arith.fptosi

// One row times integers of 4 bits. In front of the loops, the elements of the row become integers,
// whose unit depends on the largest of them. They have three digits for the lower parts of bytes,
// and three for the upper ones. Scales of four columns are multiplied by the units. Six
// instructions multiply 128 integers.

// CHECK-LABEL: func @one_row(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<1x3x2x4x16xf32>, %[[W:[a-z0-9]+]]: memref<512x3x16x4xi8>, %[[S:[a-z0-9]+]]: memref<512x3xf32>
//   CHECK-DAG:   %[[FACTORS:.*]] = memref.alloca() {{.*}} : memref<4x3xf32>
//   CHECK-DAG:   %[[DIGITS:.*]] = memref.alloc() {{.*}} : memref<3x3x2x16xi32>
//   CHECK-DAG:   %[[UNITS:.*]] = memref.alloc() {{.*}} : memref<3xf32>
//   CHECK-DAG:   %[[STARTS:.*]] = memref.alloc() {{.*}} : memref<3x16xi32>
//   CHECK-DAG:   %[[RESTS:.*]] = memref.alloc() {{.*}} : memref<3xf32>
//       CHECK:   scf.for {{.*}} to %c3
// CHECK-COUNT-8:   arith.fptosi %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK-COUNT-6:   vector.store %{{.*}}, %[[DIGITS]]
//       CHECK:     vector.store %{{.*}}, %[[UNITS]]
// CHECK-COUNT-6:   "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:     %[[START:.*]] = arith.shrsi
//       CHECK:     vector.store %[[START]], %[[STARTS]]
//       CHECK:     arith.shli %[[START]]
//       CHECK:     vector.store %{{.*}}, %[[RESTS]]
//       CHECK:   scf.for {{.*}} to %c512 step %c4
//       CHECK:     vector.maskedstore %[[FACTORS]]
//       CHECK:     %[[REST:.*]] = vector.maskedload %[[RESTS]]
//       CHECK:     %[[OF:.*]] = vector.maskedload %[[FACTORS]]
//       CHECK:     %[[FIRST:.*]] = vector.fma %[[REST]], %[[OF]]
//       CHECK:     scf.for {{.*}} to %c3 {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %[[FIRST]],
//       CHECK:       arith.shrui %{{.*}} : vector<64xi8>
//       CHECK:       %[[OFFSET:.*]] = vector.load %[[STARTS]]
//       CHECK:       "llvm.x86.avx512.vpdpbusd.512"(%[[OFFSET]],
// CHECK-COUNT-4:     "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:       %[[SUM:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:       %[[FACTOR:.*]] = memref.load %[[FACTORS]]
//       CHECK:       %[[FLOAT:.*]] = arith.sitofp %[[SUM]] : vector<16xi32> to vector<16xf32>
//       CHECK:       vector.fma %[[FLOAT]], %{{.*}}, %[[ACC]]
// CHECK-COUNT-18:    "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:       "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:       scf.yield
//       CHECK:   memref.dealloc %[[DIGITS]]
func.func @one_row(%x: memref<1x3x2x4x16xf32>, %w: memref<512x3x16x4xi8>, %s: memref<512x3xf32>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x2x4x16xf32>, memref<512x3x16x4xi8>, memref<512x3xf32>) outs(%y : memref<1x512xf32>) {
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

// Bytes with a sign: their highest bits are inverted. A row of bf16 is extended once.

// CHECK-LABEL: func @bytes(
//       CHECK:   memref.alloc() {{.*}} : memref<6x3x1x16xi32>
// CHECK-COUNT-4: arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
//       CHECK:   scf.for {{.*}} to %c512 step %c4
//       CHECK:     scf.for {{.*}} to %c3
//       CHECK:       %[[CODES:.*]] = arith.xori %{{.*}}, %{{.*}} : vector<64xi8>
// CHECK-COUNT-3:     "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[CODES]], %{{.*}})
//   CHECK-NOT:       arith.addi %{{.*}} : vector<16xi32>
//       CHECK:       arith.sitofp
func.func @bytes(%x: memref<1x3x128xbf16>, %w: memref<512x3x128xi8>, %s: memref<512x3xf16>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (n, g)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x128xbf16>, memref<512x3x128xi8>, memref<512x3xf16>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: bf16, %b: i8, %c: f16, %sum: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.sitofp %b : i8 to f32
    %2 = arith.extf %c : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %sum, %4 : f32
    linalg.yield %5 : f32
  }
  return
}

// -----

// Four columns that are read together are a fourth of all columns apart: each is a stream of its
// own, which prefetches its next column.

// CHECK-LABEL: func @columns_apart(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<1x3x128xbf16>, %[[W:[a-z0-9]+]]: memref<1024x3x128xi8>, %[[S:[a-z0-9]+]]: memref<1024x3xf16>, %[[Y:[a-z0-9]+]]: memref<1x1024xf32>
//       CHECK:   scf.for %[[N:.*]] = %c0{{.*}} to %c256{{.*}} step %c1
//       CHECK:     memref.subview %[[S]][%[[N]], 0] [4, 3] [256, 1]
//       CHECK:     scf.for %[[G:.*]] = {{.*}} to %c3
// CHECK-COUNT-2:     memref.prefetch %[[W]][%[[N]],
//       CHECK:       %[[SECOND:.*]] = affine.apply {{.*}}(%[[N]])
// CHECK-COUNT-2:     memref.prefetch %[[W]][%[[SECOND]],
// CHECK-COUNT-4:     memref.prefetch %[[W]]
//       CHECK:       vector.load %[[W]][%[[N]], %[[G]],
//       CHECK:       vector.load %[[W]][%[[SECOND]], %[[G]],
// CHECK-COUNT-4:   vector.store %{{.*}}, %[[Y]]{{.*}} vector<1xf32>
func.func @columns_apart(%x: memref<1x3x128xbf16>, %w: memref<1024x3x128xi8>, %s: memref<1024x3xf16>, %y: memref<1x1024xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (n, g)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x128xbf16>, memref<1024x3x128xi8>, memref<1024x3xf16>) outs(%y : memref<1x1024xf32>) {
  ^bb0(%a: bf16, %b: i8, %c: f16, %sum: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.sitofp %b : i8 to f32
    %2 = arith.extf %c : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.addf %sum, %4 : f32
    linalg.yield %5 : f32
  }
  return
}

// -----

// Groups of 32 bytes: a vector has two of them, and two units. The groups and their elements become
// one dimension.

// CHECK-LABEL: func @groups_of_half_vectors(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<1x6x32xf32>, %[[W:[a-z0-9]+]]: memref<512x6x32xi8>
//   CHECK-DAG:   memref.collapse_shape %[[W]] {{.*}} into memref<512x192xi8>
//   CHECK-DAG:   memref.alloc() {{.*}} : memref<3x3x1x16xi32>
//   CHECK-DAG:   memref.alloc() {{.*}} : memref<6xf32>
//       CHECK:   scf.for {{.*}} to %c512 step %c4
//       CHECK:     scf.for {{.*}} to %c192 step %c64
// CHECK-COUNT-3:     "llvm.x86.avx512.vpdpbusd.512"
//       CHECK:       vector.shuffle %{{.*}} [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
func.func @groups_of_half_vectors(%x: memref<1x6x32xf32>, %w: memref<512x6x32xi8>, %s: memref<512x6xf16>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (n, g)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x6x32xf32>, memref<512x6x32xi8>, memref<512x6xf16>) outs(%y : memref<1x512xf32>) {
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

// Groups of two bytes: each lane of 32 bits would have two scales. No view of merged groups is left.

// CHECK-LABEL: func @negative_groups_of_two(
//   CHECK-NOT:   vpdpbusd
//   CHECK-NOT:   collapse_shape
//       CHECK:   return
func.func @negative_groups_of_two(%x: memref<1x64x2xf32>, %w: memref<512x64x2xi8>, %s: memref<512x64xf32>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (n, g)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x64x2xf32>, memref<512x64x2xi8>, memref<512x64xf32>) outs(%y : memref<1x512xf32>) {
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

// Integers of 255 would leave the row too few bits.

// CHECK-LABEL: func @negative_large_integers(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_large_integers(%x: memref<1x3x128xf32>, %w: memref<512x3x128xi8>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<1x3x128xf32>, memref<512x3x128xi8>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %sum: f32):
    %0 = arith.uitofp %b : i8 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// A scale that changes within a vector would take a multiplication for each element, and few columns
// do not make up for the digits.

// CHECK-LABEL: func @negative_scales_of_elements(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_scales_of_elements(%x: memref<1x3x128xf32>, %w: memref<512x3x128xi8>, %s: memref<512x3x128xf32>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (n, g, k)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x128xf32>, memref<512x3x128xi8>, memref<512x3x128xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// CHECK-LABEL: func @negative_few_columns(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_few_columns(%x: memref<1x3x128xf32>, %w: memref<32x3x128xi8>, %y: memref<1x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<1x3x128xf32>, memref<32x3x128xi8>) outs(%y : memref<1x32xf32>) {
  ^bb0(%a: f32, %b: i8, %sum: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// A scale for two columns has no view with one element for each column.

// CHECK-LABEL: func @negative_scales_of_two_columns(
//   CHECK-NOT:   vpdpbusd
//       CHECK:   return
func.func @negative_scales_of_two_columns(%x: memref<1x3x128xf32>, %w: memref<512x3x128xi8>, %s: memref<256x3xf32>, %y: memref<1x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (n, g, k)>,
                                   affine_map<(m, n, g, k) -> (n floordiv 2, g)>, affine_map<(m, n, g, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : memref<1x3x128xf32>, memref<512x3x128xi8>, memref<256x3xf32>) outs(%y : memref<1x512xf32>) {
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

// What a sum over groups adds in front of the product, zero points z times scales times sums of the
// row, is added by the product, with the scales that it has multiplied by the units. The sums of the
// row are divided by the units once. What lies between the two only prepares the row.

// CHECK-LABEL: func @zero_points(
// CHECK-SAME:    %{{[a-z0-9]+}}: {{.*}}, %[[S:[a-z0-9]+]]: memref<512x16xf32>, %[[Z:[a-z0-9]+]]: memref<512x8xi8>
//   CHECK-DAG:   %[[FACTORS:.*]] = memref.alloca() {{.*}} : memref<4x16xf32>
//   CHECK-DAG:   %[[SUMS:.*]] = memref.alloca() : memref<1x16xf32>
//   CHECK-DAG:   %[[UNITS:.*]] = memref.alloc() {{.*}} : memref<16xf32>
//   CHECK-NOT:   vector.load %[[S]]
//       CHECK:   %[[SUM:.*]] = vector.load %[[SUMS]]
//       CHECK:   %[[UNIT:.*]] = vector.load %[[UNITS]]
//       CHECK:   %[[RATIO:.*]] = arith.divf %[[SUM]], %[[UNIT]]
//       CHECK:   vector.store %[[RATIO]], %[[RATIOS:.*]][
//       CHECK:   scf.for {{.*}} to %c512 step %c4
//       CHECK:     memref.prefetch %[[Z]]
//       CHECK:     %[[OF:.*]] = vector.load %[[RATIOS]]
//       CHECK:     vector.load %[[Z]]{{.*}} : memref<512x8xi8>, vector<8xi8>
//       CHECK:     %[[POINT:.*]] = arith.subf
//       CHECK:     %[[REST:.*]] = vector.fma %[[POINT]], %[[OF]], %{{.*}}
//       CHECK:     %[[FACTOR:.*]] = vector.load %[[FACTORS]]
//       CHECK:     vector.fma %[[REST]], %[[FACTOR]], %{{.*}}
func.func @zero_points(%x: memref<1x4x2x4x16xf32>, %w: memref<512x4x16x4xi8>, %s: memref<512x16xf32>, %z: memref<512x8xi8>, %r: memref<1x16xf32>, %y: memref<1x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %cst8 = arith.constant 8.0 : f32
  %c1 = arith.constant 1 : i8
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %sums = memref.alloca() : memref<1x16xf32>
  %before = memref.alloc() : memref<1x4x2x4x16xf32>
  %row = memref.alloc() : memref<1x4x2x4x16xf32>
  linalg.copy ins(%x : memref<1x4x2x4x16xf32>) outs(%before : memref<1x4x2x4x16xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<1x512xf32>)
  memref.copy %r, %sums : memref<1x16xf32> to memref<1x16xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n, g) -> (n, g)>, affine_map<(m, n, g) -> (n, g floordiv 2)>, affine_map<(m, n, g) -> (m, g)>,
                                   affine_map<(m, n, g) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %z, %sums : memref<512x16xf32>, memref<512x8xi8>, memref<1x16xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%scale: f32, %byte: i8, %of: f32, %sum: f32):
    %0 = linalg.index 2 : index
    %1 = arith.index_cast %0 : index to i8
    %2 = arith.andi %1, %c1 : i8
    %3 = arith.muli %2, %c4 : i8
    %4 = arith.shrui %byte, %3 : i8
    %5 = arith.andi %4, %c15 : i8
    %6 = arith.uitofp %5 : i8 to f32
    %7 = arith.subf %cst8, %6 : f32
    %8 = arith.mulf %7, %scale : f32
    %9 = arith.mulf %of, %8 : f32
    %10 = arith.addf %sum, %9 : f32
    linalg.yield %10 : f32
  }
  linalg.copy ins(%before : memref<1x4x2x4x16xf32>) outs(%row : memref<1x4x2x4x16xf32>)
  %groups = memref.expand_shape %s [[0], [1, 2]] output_shape [512, 4, 4] : memref<512x16xf32> into memref<512x4x4xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g, k floordiv 4)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%row, %w, %groups : memref<1x4x2x4x16xf32>, memref<512x4x16x4xi8>, memref<512x4x4xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.subf %4, %cst8 : f32
    %6 = arith.mulf %5, %c : f32
    %7 = arith.mulf %a, %6 : f32
    %8 = arith.addf %sum, %7 : f32
    linalg.yield %8 : f32
  }
  memref.dealloc %row : memref<1x4x2x4x16xf32>
  memref.dealloc %before : memref<1x4x2x4x16xf32>
  return
}

// -----

// The same if the result has another sum in front of both.

// CHECK-LABEL: func @behind_another_sum(
//       CHECK:   %[[RATIO:.*]] = arith.divf %{{.*}} : vector<16xf32>
//       CHECK:   vector.store %[[RATIO]], %[[RATIOS:.*]][
//       CHECK:   %[[OF:.*]] = vector.load %[[RATIOS]]
//       CHECK:   vector.fma %{{.*}}, %[[OF]], %{{.*}}
func.func @behind_another_sum(%x: memref<1x4x2x4x16xf32>, %w: memref<512x4x16x4xi8>, %s: memref<512x16xf32>, %z: memref<512x8xi8>, %r: memref<1x16xf32>, %y: memref<1x512xf32>, %l: memref<1x8xf32>, %l2: memref<512x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %cst8 = arith.constant 8.0 : f32
  %c1 = arith.constant 1 : i8
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %sums = memref.alloca() : memref<1x16xf32>
  %before = memref.alloc() : memref<1x4x2x4x16xf32>
  %row = memref.alloc() : memref<1x4x2x4x16xf32>
  linalg.copy ins(%x : memref<1x4x2x4x16xf32>) outs(%before : memref<1x4x2x4x16xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<1x512xf32>)
  memref.copy %r, %sums : memref<1x16xf32> to memref<1x16xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%l, %l2 : memref<1x8xf32>, memref<512x8xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%e0: f32, %e1: f32, %sum: f32):
    %0 = arith.mulf %e0, %e1 : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n, g) -> (n, g)>, affine_map<(m, n, g) -> (n, g floordiv 2)>, affine_map<(m, n, g) -> (m, g)>,
                                   affine_map<(m, n, g) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %z, %sums : memref<512x16xf32>, memref<512x8xi8>, memref<1x16xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%scale: f32, %byte: i8, %of: f32, %sum: f32):
    %0 = linalg.index 2 : index
    %1 = arith.index_cast %0 : index to i8
    %2 = arith.andi %1, %c1 : i8
    %3 = arith.muli %2, %c4 : i8
    %4 = arith.shrui %byte, %3 : i8
    %5 = arith.andi %4, %c15 : i8
    %6 = arith.uitofp %5 : i8 to f32
    %7 = arith.subf %cst8, %6 : f32
    %8 = arith.mulf %7, %scale : f32
    %9 = arith.mulf %of, %8 : f32
    %10 = arith.addf %sum, %9 : f32
    linalg.yield %10 : f32
  }
  linalg.copy ins(%before : memref<1x4x2x4x16xf32>) outs(%row : memref<1x4x2x4x16xf32>)
  %groups = memref.expand_shape %s [[0], [1, 2]] output_shape [512, 4, 4] : memref<512x16xf32> into memref<512x4x4xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g, k floordiv 4)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%row, %w, %groups : memref<1x4x2x4x16xf32>, memref<512x4x16x4xi8>, memref<512x4x4xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.subf %4, %cst8 : f32
    %6 = arith.mulf %5, %c : f32
    %7 = arith.mulf %a, %6 : f32
    %8 = arith.addf %sum, %7 : f32
    linalg.yield %8 : f32
  }
  memref.dealloc %row : memref<1x4x2x4x16xf32>
  memref.dealloc %before : memref<1x4x2x4x16xf32>
  return
}

// -----

// What lies between the two sums may write what the first one reads.

// CHECK-LABEL: func @negative_sums_that_may_change(
//   CHECK-NOT:   arith.divf
//       CHECK:   return
func.func @negative_sums_that_may_change(%x: memref<1x4x2x4x16xf32>, %w: memref<512x4x16x4xi8>, %s: memref<512x16xf32>, %z: memref<512x8xi8>, %r: memref<1x16xf32>, %y: memref<1x512xf32>, %isFirst: i1) {
  %zero = arith.constant 0.0 : f32
  %cst8 = arith.constant 8.0 : f32
  %c1 = arith.constant 1 : i8
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %first = memref.alloca() : memref<1x16xf32>
  %second = memref.alloca() : memref<1x16xf32>
  %sums = arith.select %isFirst, %first, %second : memref<1x16xf32>
  %before = memref.alloc() : memref<1x4x2x4x16xf32>
  %row = memref.alloc() : memref<1x4x2x4x16xf32>
  linalg.copy ins(%x : memref<1x4x2x4x16xf32>) outs(%before : memref<1x4x2x4x16xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<1x512xf32>)
  memref.copy %r, %sums : memref<1x16xf32> to memref<1x16xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n, g) -> (n, g)>, affine_map<(m, n, g) -> (n, g floordiv 2)>, affine_map<(m, n, g) -> (m, g)>,
                                   affine_map<(m, n, g) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %z, %sums : memref<512x16xf32>, memref<512x8xi8>, memref<1x16xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%scale: f32, %byte: i8, %of: f32, %sum: f32):
    %0 = linalg.index 2 : index
    %1 = arith.index_cast %0 : index to i8
    %2 = arith.andi %1, %c1 : i8
    %3 = arith.muli %2, %c4 : i8
    %4 = arith.shrui %byte, %3 : i8
    %5 = arith.andi %4, %c15 : i8
    %6 = arith.uitofp %5 : i8 to f32
    %7 = arith.subf %cst8, %6 : f32
    %8 = arith.mulf %7, %scale : f32
    %9 = arith.mulf %of, %8 : f32
    %10 = arith.addf %sum, %9 : f32
    linalg.yield %10 : f32
  }
  linalg.fill ins(%zero : f32) outs(%second : memref<1x16xf32>)
  linalg.copy ins(%before : memref<1x4x2x4x16xf32>) outs(%row : memref<1x4x2x4x16xf32>)
  %groups = memref.expand_shape %s [[0], [1, 2]] output_shape [512, 4, 4] : memref<512x16xf32> into memref<512x4x4xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n, g, k, p, q) -> (m, g, p, q, k)>, affine_map<(m, n, g, k, p, q) -> (n, g, k, q)>,
                                   affine_map<(m, n, g, k, p, q) -> (n, g, k floordiv 4)>, affine_map<(m, n, g, k, p, q) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%row, %w, %groups : memref<1x4x2x4x16xf32>, memref<512x4x16x4xi8>, memref<512x4x4xf32>) outs(%y : memref<1x512xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %sum: f32):
    %position = linalg.index 4 : index
    %0 = arith.index_cast %position : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.subf %4, %cst8 : f32
    %6 = arith.mulf %5, %c : f32
    %7 = arith.mulf %a, %6 : f32
    %8 = arith.addf %sum, %7 : f32
    linalg.yield %8 : f32
  }
  memref.dealloc %row : memref<1x4x2x4x16xf32>
  memref.dealloc %before : memref<1x4x2x4x16xf32>
  return
}
