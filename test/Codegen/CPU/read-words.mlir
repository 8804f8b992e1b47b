// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-prepare-operands=steps=words | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --split-input-file --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx512}, linalg-ext-prepare-operands{steps=words})' | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx2 --linalg-ext-prepare-operands=steps=words | FileCheck %s --check-prefix=AVX2
// AVX2-NOT: linalg.transpose

#x = affine_map<(m, n, g, k, p) -> (m, g, p, k)>
#w = affine_map<(m, n, g, k, p) -> (n, g, k)>
#s = affine_map<(m, n, g, k, p) -> (n, g)>
#y = affine_map<(m, n, g, k, p) -> (m, n)>

// Both integers of a byte, in groups of 128 with a scale each. The bytes of a word become
// a dimension; what is multiplied with them is transposed outside of the loop over tiles of
// columns, in which it does not change.

// CHECK-DAG:   #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d4, d5, d3)>
// CHECK-DAG:   #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d3, d5)>
// CHECK-DAG:   #[[S:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2)>
// CHECK-DAG:   #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1)>
// CHECK-LABEL: func @groups(
// CHECK-SAME:    %[[ROWS:[a-z0-9]+]]: tensor<4x3x2x64xf32>, %[[ALL:[a-z0-9]+]]: tensor<?x3x64xi8>
// CHECK:         %[[SPLIT:.*]] = tensor.expand_shape %[[ROWS]] {{\[}}[0], [1], [2], [3, 4]] output_shape [4, 3, 2, 16, 4]
// CHECK:         %[[ORDERED:.*]] = linalg.transpose ins(%[[SPLIT]] : tensor<4x3x2x16x4xf32>) outs(%{{.*}} : tensor<4x3x2x4x16xf32>) permutation = [0, 1, 2, 4, 3]
// CHECK:         scf.for
// CHECK:           %[[TILE:.*]] = tensor.extract_slice %[[ALL]]
// CHECK:           %[[WORDS:.*]] = tensor.expand_shape %[[TILE]] {{\[}}[0], [1], [2, 3]] output_shape [128, 3, 16, 4]
// CHECK:           linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[S]], #[[Y]]], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
// CHECK-SAME:        ins(%[[ORDERED]], %[[WORDS]], %{{.*}} : tensor<4x3x2x4x16xf32>, tensor<128x3x16x4xi8>, tensor<128x3xf32>)
// CHECK:             linalg.index 4
// CHECK:         return
func.func @groups(%x: tensor<4x3x2x64xf32>, %w: tensor<?x3x64xi8>, %s: tensor<?x3xf32>, %y: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %y) -> tensor<4x?xf32> {
    %wt = tensor.extract_slice %w[%i, 0, 0] [128, 3, 64] [1, 1, 1] : tensor<?x3x64xi8> to tensor<128x3x64xi8>
    %st = tensor.extract_slice %s[%i, 0] [128, 3] [1, 1] : tensor<?x3xf32> to tensor<128x3xf32>
    %yt = tensor.extract_slice %acc[0, %i] [4, 128] [1, 1] : tensor<4x?xf32> to tensor<4x128xf32>
    %t = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%x, %wt, %st : tensor<4x3x2x64xf32>, tensor<128x3x64xi8>, tensor<128x3xf32>) outs(%yt : tensor<4x128xf32>) {
    ^bb0(%a: f32, %b: i8, %c: f32, %o: f32):
      %c4 = arith.constant 4 : i8
      %c15 = arith.constant 15 : i8
      %p = linalg.index 4 : index
      %0 = arith.index_cast %p : index to i8
      %1 = arith.muli %0, %c4 : i8
      %2 = arith.shrui %b, %1 : i8
      %3 = arith.andi %2, %c15 : i8
      %4 = arith.uitofp %3 : i8 to f32
      %5 = arith.mulf %4, %c : f32
      %6 = arith.mulf %a, %5 : f32
      %7 = arith.addf %o, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<4x128xf32>
    %in = tensor.insert_slice %t into %acc[0, %i] [4, 128] [1, 1] : tensor<4x128xf32> into tensor<4x?xf32>
    scf.yield %in : tensor<4x?xf32>
  }
  return %r : tensor<4x?xf32>
}

// -----

#x = affine_map<(m, n, g, k, p) -> (m, g, p, k)>
#w = affine_map<(m, n, g, k, p) -> (n, g, k)>
#s = affine_map<(m, n, g, k, p) -> (n, g)>
#t = affine_map<(m, n, g, k, p) -> (g, n)>
#y = affine_map<(m, n, g, k, p) -> (m, n)>

// Groups of 32: sixteen words are of four of them, and a scale is of four words.

// CHECK-DAG:   #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d4, d5, d3)>
// CHECK-DAG:   #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d3, d5)>
// CHECK-DAG:   #[[S:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d3 floordiv 4)>
// CHECK-DAG:   #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1)>
// CHECK-LABEL: func @small_groups(
// CHECK-SAME:    %[[ROWS:[a-z0-9]+]]: tensor<3x8x2x16xf32>, %[[ALL:[a-z0-9]+]]: tensor<128x8x16xi8>, %[[SCALES:[a-z0-9]+]]: tensor<128x8xf32>
// CHECK:         tensor.expand_shape %[[ROWS]] {{.*}} : tensor<3x8x2x16xf32> into tensor<3x8x2x4x4xf32>
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<3x2x4x2x4x4xf32>) outs(%{{.*}} : tensor<3x2x2x4x4x4xf32>) permutation = [0, 1, 3, 5, 2, 4]
// CHECK:         tensor.collapse_shape {{.*}} into tensor<3x2x2x4x16xf32>
// CHECK:         tensor.collapse_shape %[[ALL]] {{.*}} into tensor<128x128xi8>
// CHECK:         linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[S]], #[[Y]]], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
// CHECK-SAME:        tensor<3x2x2x4x16xf32>, tensor<128x2x16x4xi8>, tensor<128x2x4xf32>)
func.func @small_groups(%x: tensor<3x8x2x16xf32>, %w: tensor<128x8x16xi8>, %s: tensor<128x8xf32>, %y: tensor<3x128xf32>) -> tensor<3x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<3x8x2x16xf32>, tensor<128x8x16xi8>, tensor<128x8xf32>) outs(%y : tensor<3x128xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %o: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %p = linalg.index 4 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<3x128xf32>
  return %r : tensor<3x128xf32>
}

// Zero points are no factors; groups that fill no vector; scales that are not contiguous along
// the groups.

// CHECK-NOT: linalg.transpose

func.func @negative_zero_points(%x: tensor<3x8x2x16xf32>, %w: tensor<128x8x16xi8>, %s: tensor<128x8xi8>, %y: tensor<3x128xf32>) -> tensor<3x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<3x8x2x16xf32>, tensor<128x8x16xi8>, tensor<128x8xi8>) outs(%y : tensor<3x128xf32>) {
  ^bb0(%a: f32, %b: i8, %c: i8, %o: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %p = linalg.index 4 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %z = arith.subi %3, %c : i8
    %5 = arith.sitofp %z : i8 to f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<3x128xf32>
  return %r : tensor<3x128xf32>
}

func.func @negative_number_of_groups(%x: tensor<3x6x2x16xf32>, %w: tensor<128x6x16xi8>, %s: tensor<128x6xf32>, %y: tensor<3x128xf32>) -> tensor<3x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<3x6x2x16xf32>, tensor<128x6x16xi8>, tensor<128x6xf32>) outs(%y : tensor<3x128xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %o: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %p = linalg.index 4 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<3x128xf32>
  return %r : tensor<3x128xf32>
}

func.func @negative_rows_of_scales(%x: tensor<3x8x2x16xf32>, %w: tensor<128x8x16xi8>, %s: tensor<8x128xf32>, %y: tensor<3x128xf32>) -> tensor<3x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #t, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<3x8x2x16xf32>, tensor<128x8x16xi8>, tensor<8x128xf32>) outs(%y : tensor<3x128xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %o: f32):
    %c4 = arith.constant 4 : i8
    %c15 = arith.constant 15 : i8
    %p = linalg.index 4 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c15 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %4, %c : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<3x128xf32>
  return %r : tensor<3x128xf32>
}

// -----

#x = affine_map<(m, n, k, p) -> (m, p, k)>
#w = affine_map<(m, n, k, p) -> (n, k)>
#y = affine_map<(m, n, k, p) -> (m, n)>

// Too many rows; bytes that fill no vector of words; few columns; bytes that are used
// whole; the position of a byte in its row; a row that is not contiguous.

// CHECK-NOT: linalg.transpose

func.func @negative_rows(%x: tensor<5x2x64xf32>, %w: tensor<128x64xi8>, %y: tensor<5x128xf32>) -> tensor<5x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<5x2x64xf32>, tensor<128x64xi8>) outs(%y : tensor<5x128xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %c4 = arith.constant 4 : i8
    %p = linalg.index 3 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.uitofp %2 : i8 to f32
    %4 = arith.mulf %a, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<5x128xf32>
  return %r : tensor<5x128xf32>
}

func.func @negative_group(%x: tensor<1x2x96xf32>, %w: tensor<128x96xi8>, %y: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x2x96xf32>, tensor<128x96xi8>) outs(%y : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %c4 = arith.constant 4 : i8
    %p = linalg.index 3 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.uitofp %2 : i8 to f32
    %4 = arith.mulf %a, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

func.func @negative_columns(%x: tensor<1x2x64xf32>, %w: tensor<63x64xi8>, %y: tensor<1x63xf32>) -> tensor<1x63xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x2x64xf32>, tensor<63x64xi8>) outs(%y : tensor<1x63xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %c4 = arith.constant 4 : i8
    %p = linalg.index 3 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.uitofp %2 : i8 to f32
    %4 = arith.mulf %a, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1x63xf32>
  return %r : tensor<1x63xf32>
}

func.func @negative_whole_bytes(%x: tensor<1x2x64xf32>, %w: tensor<128x64xi8>, %y: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x2x64xf32>, tensor<128x64xi8>) outs(%y : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

func.func @negative_position_of_byte(%x: tensor<1x2x64xf32>, %w: tensor<128x64xi8>, %y: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x2x64xf32>, tensor<128x64xi8>) outs(%y : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %c3 = arith.constant 3 : i8
    %k = linalg.index 2 : index
    %0 = arith.index_cast %k : index to i8
    %1 = arith.andi %0, %c3 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.uitofp %2 : i8 to f32
    %4 = arith.mulf %a, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

func.func @negative_strided_row(%x: tensor<1x64x2xf32>, %w: tensor<128x64xi8>, %y: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x64x2xf32>, tensor<128x64xi8>) outs(%y : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %c4 = arith.constant 4 : i8
    %p = linalg.index 3 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.uitofp %2 : i8 to f32
    %4 = arith.mulf %a, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

// The type of the row lacks the size that that of the bytes has.
func.func @negative_size_of_row(%x: tensor<1x2x?xf32>, %w: tensor<128x64xi8>, %y: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %r = linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%w, %x : tensor<128x64xi8>, tensor<1x2x?xf32>) outs(%y : tensor<1x128xf32>) {
  ^bb0(%b: i8, %a: f32, %o: f32):
    %c4 = arith.constant 4 : i8
    %p = linalg.index 3 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c4 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.uitofp %2 : i8 to f32
    %4 = arith.mulf %a, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

// A byte has four integers of 2 bits.
func.func @negative_two_bits(%x: tensor<1x4x64xf32>, %w: tensor<128x64xi8>, %y: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x4x64xf32>, tensor<128x64xi8>) outs(%y : tensor<1x128xf32>) {
  ^bb0(%a: f32, %b: i8, %o: f32):
    %c2 = arith.constant 2 : i8
    %c3 = arith.constant 3 : i8
    %p = linalg.index 3 : index
    %0 = arith.index_cast %p : index to i8
    %1 = arith.muli %0, %c2 : i8
    %2 = arith.shrui %b, %1 : i8
    %3 = arith.andi %2, %c3 : i8
    %4 = arith.uitofp %3 : i8 to f32
    %5 = arith.mulf %a, %4 : f32
    %6 = arith.addf %o, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<1x128xf32>
  return %r : tensor<1x128xf32>
}

// -----

// Zero points that an op unpacks are small, so both are converted before one is subtracted from the
// other. Those of an argument may be anything.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#s = affine_map<(m, n, k) -> (n)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(n) -> (n)>

// CHECK-LABEL: func @zero_points(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:         ^bb0(%{{.*}}: f32, %[[Q:.*]]: i32, %[[Z:.*]]: i32, %[[ANY:.*]]: i32, %{{.*}}: f32):
// CHECK:           %[[CODE:.*]] = arith.andi %[[Q]]
// CHECK:           %[[F:.*]] = arith.sitofp %[[CODE]] : i32 to f32
// CHECK:           %[[ZF:.*]] = arith.sitofp %[[Z]] : i32 to f32
// CHECK:           arith.subf %[[F]], %[[ZF]] : f32
// CHECK:           arith.subi %[[CODE]], %[[ANY]] : i32
func.func @zero_points(%x: tensor<2x64xf32>, %w: tensor<64x128xi32>, %z: tensor<128xi32>, %e: tensor<128xi32>, %any: tensor<128xi32>, %y: tensor<2x128xf32>) -> tensor<2x128xf32> {
  %c15 = arith.constant 15 : i32
  %c1 = arith.constant 1 : i32
  %zero = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : tensor<128xi32>) outs(%e : tensor<128xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.andi %a, %c15 : i32
    %1 = arith.addi %0, %c1 : i32
    linalg.yield %1 : i32
  } -> tensor<128xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #s, #s, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %zero, %any : tensor<2x64xf32>, tensor<64x128xi32>, tensor<128xi32>, tensor<128xi32>) outs(%y : tensor<2x128xf32>) {
  ^bb0(%a: f32, %q: i32, %b: i32, %c: i32, %o: f32):
    %0 = arith.andi %q, %c15 : i32
    %1 = arith.subi %0, %b : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.subi %0, %c : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %2, %4 : f32
    %6 = arith.mulf %a, %5 : f32
    %7 = arith.addf %o, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<2x128xf32>
  return %r : tensor<2x128xf32>
}
