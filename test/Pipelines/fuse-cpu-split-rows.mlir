// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx512vnni},linalg-ext-fuse{shared=false},canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx2},linalg-ext-fuse{shared=false},canonicalize,cse)' --split-input-file | FileCheck %s --check-prefix=AVX2

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>
#row = affine_map<(n, k) -> (n)>

// Up to 32 rows are in tiles of 8, 4 and 1, which dequantize the weights for themselves. More rows
// are a product of their own. Without instructions for fours of bytes, 8 rows are few.

// CHECK-LABEL: func @unknown(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x512xf32>, %[[W:[a-z0-9]+]]: tensor<256x512xi8>
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK:         %[[M:.*]] = tensor.dim
// CHECK:         %[[FEW:.*]] = arith.cmpi ule, %[[M]], %[[C32]] : index
// CHECK:         scf.if %[[FEW]] -> (tensor<?x256xf32>)
// CHECK:           %[[M8:.*]] = affine.apply #{{.*}}()[%[[M]]]
// CHECK:           %[[Y8:.*]] = scf.for %[[I:.*]] = %c0 to %[[M8]] step %c8
// CHECK:             linalg.generic {{.*}} ins(%[[W]], {{.*}}) {{.*}}
// CHECK:             %[[X8:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [8, 512] [1, 1]
// CHECK:             linalg.fill {{.*}} -> tensor<8x256xf32>
// CHECK:             linalg.generic {{.*}} ins(%[[X8]], {{.*}} : tensor<8x512xf32>, tensor<256x512xf32>)
// CHECK:             tensor.insert_slice
// CHECK:           %[[M4:.*]] = affine.apply #{{.*}}()[%[[M]]]
// CHECK:           %[[Y4:.*]] = scf.for {{.*}} = %[[M8]] to %[[M4]] step %c4 iter_args(%{{.*}} = %[[Y8]])
// CHECK:             : tensor<4x512xf32>, tensor<256x512xf32>)
// CHECK:           %[[Y1:.*]] = scf.for {{.*}} = %[[M4]] to %[[M]] step %c1 iter_args(%{{.*}} = %[[Y4]])
// CHECK:             : tensor<1x512xf32>, tensor<256x512xf32>)
// CHECK:           scf.yield %[[Y1]]
// CHECK:         } else {
// CHECK:           : tensor<?x{{.*}}xf32>, tensor<

// AVX2-LABEL: func @unknown(
//   AVX2-DAG:   %[[C8:.*]] = arith.constant 8 : index
//       AVX2:   %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %[[C8]] : index
//       AVX2:   scf.if %[[FEW]]
//   AVX2-NOT:     tensor<8x512xf32>
//       AVX2:     : tensor<4x512xf32>, tensor<256x512xf32>)
//       AVX2:     : tensor<1x512xf32>, tensor<256x512xf32>)
//       AVX2:   } else {
func.func @unknown(%x: tensor<?x512xf32>, %w: tensor<256x512xi8>, %s: tensor<256xf32>) -> tensor<?x256xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<256x512xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<256x512xi8>, tensor<256xf32>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<256x512xf32>
  %m = tensor.dim %x, %c0 : tensor<?x512xf32>
  %ye = tensor.empty(%m) : tensor<?x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x256xf32>) -> tensor<?x256xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %d : tensor<?x512xf32>, tensor<256x512xf32>) outs(%f : tensor<?x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}

// -----

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>

// A known number of rows: tiles of 8, and what is left. The destination is not filled.

// CHECK-LABEL: func @known(
// CHECK-SAME:    %{{.*}}: tensor<19x512xf32>, %{{.*}}: tensor<256x512xi8>, %[[Y:[a-z0-9]+]]: tensor<19x256xf32>
//   CHECK-NOT:   scf.if
//       CHECK:   %[[Y8:.*]] = scf.for {{.*}} = %c0 to %c16 step %c8 iter_args(%{{.*}} = %[[Y]])
//       CHECK:     : tensor<8x512xf32>, tensor<256x512xf32>)
//       CHECK:   tensor.extract_slice %[[Y8]][16, 0] [3, 256] [1, 1]
//       CHECK:   : tensor<3x512xf32>, tensor<256x512xf32>)
//       CHECK:   tensor.insert_slice
// AVX2-LABEL: func @known(
//   AVX2-NOT:   tensor<8x
func.func @known(%x: tensor<19x512xf32>, %w: tensor<256x512xi8>, %c: tensor<19x256xf32>) -> tensor<19x256xf32> {
  %e = tensor.empty() : tensor<256x512xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<256x512xi8>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %d : tensor<19x512xf32>, tensor<256x512xf32>)
      outs(%c : tensor<19x256xf32>) -> tensor<19x256xf32>
  return %y : tensor<19x256xf32>
}

// -----

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>

// Digits have sums of f32.

// CHECK-LABEL: func @negative_f64(
//   CHECK-NOT:   tensor<8x
//       CHECK:   return
func.func @negative_f64(%x: tensor<19x512xf64>, %w: tensor<256x512xi8>, %c: tensor<19x256xf64>) -> tensor<19x256xf64> {
  %e = tensor.empty() : tensor<256x512xf64>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<256x512xi8>) outs(%e : tensor<256x512xf64>) {
  ^bb0(%a: i8, %o: f64):
    %0 = arith.sitofp %a : i8 to f64
    linalg.yield %0 : f64
  } -> tensor<256x512xf64>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %d : tensor<19x512xf64>, tensor<256x512xf64>)
      outs(%c : tensor<19x256xf64>) -> tensor<19x256xf64>
  return %y : tensor<19x256xf64>
}

// -----

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>

// Two tiles of 6 rows and one row, not 8 and 5: without a loop, both would read the same dequantized
// weights, which would be stored.

// CHECK-LABEL: func @between_two_tiles(
//       CHECK:   scf.for {{.*}} = %c0 to %c12 step %c6
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}} : tensor<256x512xi8>)
//       CHECK:     : tensor<6x512xf32>, tensor<256x512xf32>)
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}} : tensor<256x512xi8>)
//       CHECK:   : tensor<1x512xf32>, tensor<256x512xf32>)
func.func @between_two_tiles(%x: tensor<13x512xf32>, %w: tensor<256x512xi8>, %c: tensor<13x256xf32>) -> tensor<13x256xf32> {
  %e = tensor.empty() : tensor<256x512xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<256x512xi8>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %d : tensor<13x512xf32>, tensor<256x512xf32>)
      outs(%c : tensor<13x256xf32>) -> tensor<13x256xf32>
  return %y : tensor<13x256xf32>
}

// -----

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>

// Many rows share weights that are stored.

// CHECK-LABEL: func @negative_many(
//   CHECK-NOT:   tensor<8x
func.func @negative_many(%x: tensor<33x512xf32>, %w: tensor<256x512xi8>, %c: tensor<33x256xf32>) -> tensor<33x256xf32> {
  %e = tensor.empty() : tensor<256x512xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<256x512xi8>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<256x512xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %d : tensor<33x512xf32>, tensor<256x512xf32>)
      outs(%c : tensor<33x256xf32>) -> tensor<33x256xf32>
  return %y : tensor<33x256xf32>
}

// -----

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n, k) -> (n, k)>

// Small weights, and weights that are as wide as the product.

// CHECK-LABEL: func @negative_small(
//   CHECK-NOT:   scf.if
func.func @negative_small(%x: tensor<?x64xf32>, %w: tensor<64x64xi8>, %v: tensor<512x64xf32>, %c: tensor<?x64xf32>,
    %c2: tensor<?x512xf32>) -> (tensor<?x64xf32>, tensor<?x512xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x64xi8>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %d : tensor<?x64xf32>, tensor<64x64xf32>)
      outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  %z = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %v : tensor<?x64xf32>, tensor<512x64xf32>)
      outs(%c2 : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %y, %z : tensor<?x64xf32>, tensor<?x512xf32>
}

// -----

#id3 = affine_map<(k, n, p) -> (k, n, p)>
#bytes = affine_map<(k, n, p) -> (k, n)>
#id = affine_map<(n, k) -> (n, k)>
#row = affine_map<(n, k) -> (n)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// No digits multiply halves of bytes whose integers are of neighbouring columns, or weights with a
// term that is added to products: 16 rows share what is stored.

// CHECK-LABEL: func @negative_halves_of_columns(
//   CHECK-NOT:   tensor<8x
//       CHECK:   return
func.func @negative_halves_of_columns(%x: tensor<16x512xf32>, %w: tensor<512x128xi8>, %c: tensor<16x128x2xf32>) -> tensor<16x128x2xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %e = tensor.empty() : tensor<512x128x2xf32>
  %d = linalg.generic {indexing_maps = [#bytes, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<512x128xi8>) outs(%e : tensor<512x128x2xf32>) {
  ^bb0(%a: i8, %o: f32):
    %i = linalg.index 2 : index
    %p = arith.index_cast %i : index to i8
    %s = arith.muli %p, %c4 : i8
    %0 = arith.shrui %a, %s : i8
    %1 = arith.andi %0, %c15 : i8
    %2 = arith.uitofp %1 : i8 to f32
    linalg.yield %2 : f32
  } -> tensor<512x128x2xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, p, k) -> (m, k)>, affine_map<(m, n, p, k) -> (k, n, p)>, affine_map<(m, n, p, k) -> (m, n, p)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %d : tensor<16x512xf32>, tensor<512x128x2xf32>) outs(%c : tensor<16x128x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x128x2xf32>
  return %y : tensor<16x128x2xf32>
}

// CHECK-LABEL: func @negative_term(
//   CHECK-NOT:   tensor<8x
//       CHECK:   return
func.func @negative_term(%x: tensor<16x512xf32>, %w: tensor<256x512xi8>, %t: tensor<256xf32>, %c: tensor<16x256xf32>) -> tensor<16x256xf32> {
  %e = tensor.empty() : tensor<256x512xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %t : tensor<256x512xi8>, tensor<256xf32>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.addf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<256x512xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %d : tensor<16x512xf32>, tensor<256x512xf32>)
      outs(%c : tensor<16x256xf32>) -> tensor<16x256xf32>
  return %y : tensor<16x256xf32>
}

// -----

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Weights of 16 bits that are stored along the sum are converted in registers for up to 8 rows at a time, on
// all processors.

// CHECK-LABEL: func @unknown_of_16_bits(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x512xf16>, %[[W:[a-z0-9]+]]: tensor<256x512xf16>
//   CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : index
//       CHECK:   %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %[[C32]] : index
//       CHECK:   scf.if %[[FEW]]
//       CHECK:     ins(%{{.*}}, %[[W]] : tensor<8x512xf16>, tensor<256x512xf16>)
//       CHECK:     ins(%{{.*}}, %[[W]] : tensor<4x512xf16>, tensor<256x512xf16>)
//       CHECK:     ins(%{{.*}}, %[[W]] : tensor<1x512xf16>, tensor<256x512xf16>)
//       CHECK:   } else {
// AVX2-LABEL: func @unknown_of_16_bits(
//       AVX2:   scf.if
//       AVX2:     : tensor<8x512xf16>, tensor<256x512xf16>)
func.func @unknown_of_16_bits(%x: tensor<?x512xf16>, %w: tensor<256x512xf16>, %c: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<?x512xf16>, tensor<256x512xf16>)
      outs(%c : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}

// CHECK-LABEL: func @known_of_16_bits(
//       CHECK:   scf.for {{.*}} = %c0 to %c16 step %c8
//       CHECK:     : tensor<8x512xf16>, tensor<256x512xf16>)
//       CHECK:   : tensor<5x512xf16>, tensor<256x512xf16>)
func.func @known_of_16_bits(%x: tensor<21x512xf16>, %w: tensor<256x512xf16>, %c: tensor<21x256xf32>) -> tensor<21x256xf32> {
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<21x512xf16>, tensor<256x512xf16>)
      outs(%c : tensor<21x256xf32>) -> tensor<21x256xf32>
  return %y : tensor<21x256xf32>
}

// Sums of f16 extend nothing, and weights of unknown size may be small.

// CHECK-LABEL: func @negative_sums_of_16_bits(
//   CHECK-NOT:   scf.if
//       CHECK:   return
func.func @negative_sums_of_16_bits(%x: tensor<?x512xf16>, %w: tensor<256x512xf16>, %c: tensor<?x256xf16>) -> tensor<?x256xf16> {
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<?x512xf16>, tensor<256x512xf16>)
      outs(%c : tensor<?x256xf16>) -> tensor<?x256xf16>
  return %y : tensor<?x256xf16>
}

// CHECK-LABEL: func @negative_unknown_weights_of_16_bits(
//   CHECK-NOT:   scf.if
//       CHECK:   return
func.func @negative_unknown_weights_of_16_bits(%x: tensor<?x512xf16>, %w: tensor<?x512xf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<?x512xf16>, tensor<?x512xf16>)
      outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
