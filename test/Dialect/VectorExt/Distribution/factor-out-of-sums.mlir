// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=factor-out-of-sums --canonicalize | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// A scale for each column is a factor of what the tile adds.

// CHECK-LABEL: func @columns
//  CHECK-SAME:   %[[X:.*]]: vector<8x64xf16>, %[[W:.*]]: vector<32x64xf16>, %[[S:.*]]: vector<32xf16>, %[[ACC:.*]]: vector<8x32xf32>
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8x32xf32>
//   CHECK-DAG:   %[[SUM:.*]] = vector.contract {{.*}} %[[X]], %[[W]], %[[ZERO]]
//   CHECK-DAG:   %[[WIDE:.*]] = arith.extf %[[S]] : vector<32xf16> to vector<32xf32>
//   CHECK-DAG:   %[[FACTOR:.*]] = vector.broadcast %[[WIDE]] : vector<32xf32> to vector<8x32xf32>
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[FACTOR]]
//       CHECK:   arith.addf %[[ACC]], %[[SCALED]]
func.func @columns(%x: vector<8x64xf16>, %w: vector<32x64xf16>, %s: vector<32xf16>, %acc: vector<8x32xf32>) -> vector<8x32xf32> {
  %0 = vector.broadcast %s : vector<32xf16> to vector<64x32xf16>
  %1 = vector.transpose %0, [1, 0] : vector<64x32xf16> to vector<32x64xf16>
  %2 = arith.mulf %w, %1 : vector<32x64xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  return %3 : vector<8x32xf32>
}

// Groups of parts, unpacked from words: what is merged behind the product is summed. The
// factor is converted itself, and is on the other side.

// CHECK-LABEL: func @parts
//  CHECK-SAME:   %[[X:.*]]: vector<4x8x64xf16>, %[[W:.*]]: vector<4x16x32x2xf16>, %[[S:.*]]: vector<4x16xf8E4M3FN>
//   CHECK-DAG:   %[[MERGED:.*]] = vector.shape_cast %[[W]] : vector<4x16x32x2xf16> to vector<4x16x64xf16>
//   CHECK-DAG:   %[[SUM:.*]] = vector.contract {{.*}} %[[X]], %[[MERGED]], %{{.*}} : vector<4x8x64xf16>, vector<4x16x64xf16> into vector<4x8x16xf32>
//   CHECK-DAG:   %[[HALF:.*]] = arith.extf %[[S]] : vector<4x16xf8E4M3FN> to vector<4x16xf16>
//   CHECK-DAG:   %[[WIDE:.*]] = arith.extf %[[HALF]] : vector<4x16xf16> to vector<4x16xf32>
//   CHECK-DAG:   %[[ROWS:.*]] = vector.broadcast %[[WIDE]] : vector<4x16xf32> to vector<8x4x16xf32>
//   CHECK-DAG:   %[[FACTOR:.*]] = vector.transpose %[[ROWS]], [1, 0, 2]
//       CHECK:   arith.mulf %[[SUM]], %[[FACTOR]]
//   CHECK-NOT:   vector<4x16x32x2xf8
func.func @parts(%x: vector<4x8x64xf16>, %w: vector<4x16x32x2xf16>, %s: vector<4x16xf8E4M3FN>, %acc: vector<4x8x16xf32>) -> vector<4x8x16xf32> {
  %0 = vector.broadcast %s : vector<4x16xf8E4M3FN> to vector<32x2x4x16xf8E4M3FN>
  %1 = vector.transpose %0, [2, 3, 0, 1] : vector<32x2x4x16xf8E4M3FN> to vector<4x16x32x2xf8E4M3FN>
  %2 = arith.extf %1 : vector<4x16x32x2xf8E4M3FN> to vector<4x16x32x2xf16>
  %3 = arith.mulf %2, %w : vector<4x16x32x2xf16>
  %4 = vector.shape_cast %3 : vector<4x16x32x2xf16> to vector<4x16x64xf16>
  %5 = vector.contract {indexing_maps = [affine_map<(p, m, n, k) -> (p, m, k)>, affine_map<(p, m, n, k) -> (p, n, k)>, affine_map<(p, m, n, k) -> (p, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %4, %acc : vector<4x8x64xf16>, vector<4x16x64xf16> into vector<4x8x16xf32>
  return %5 : vector<4x8x16xf32>
}

// With many rows, sums shorter than rows, or a sum of f16, a factor is better where it is.

// CHECK-LABEL: func @negative_many_rows
//       CHECK:   arith.mulf %{{.*}} : vector<32x64xf16>
//       CHECK:   vector.contract
//   CHECK-NOT:   arith.mulf
func.func @negative_many_rows(%x: vector<32x64xf16>, %w: vector<32x64xf16>, %s: vector<32x1xf16>, %acc: vector<32x32xf32>) -> vector<32x32xf32> {
  %1 = vector.broadcast %s : vector<32x1xf16> to vector<32x64xf16>
  %2 = arith.mulf %w, %1 : vector<32x64xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc : vector<32x64xf16>, vector<32x64xf16> into vector<32x32xf32>
  return %3 : vector<32x32xf32>
}

// CHECK-LABEL: func @negative_short_sums
//       CHECK:   arith.mulf %{{.*}} : vector<32x16xf16>
//       CHECK:   vector.contract
func.func @negative_short_sums(%x: vector<16x16xf16>, %w: vector<32x16xf16>, %s: vector<32x1xf16>, %acc: vector<16x32xf32>) -> vector<16x32xf32> {
  %1 = vector.broadcast %s : vector<32x1xf16> to vector<32x16xf16>
  %2 = arith.mulf %w, %1 : vector<32x16xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc : vector<16x16xf16>, vector<32x16xf16> into vector<16x32xf32>
  return %3 : vector<16x32xf32>
}

// CHECK-LABEL: func @negative_sum_of_f16
//       CHECK:   arith.mulf %{{.*}} : vector<32x64xf16>
//       CHECK:   vector.contract
func.func @negative_sum_of_f16(%x: vector<8x64xf16>, %w: vector<32x64xf16>, %s: vector<32x1xf16>, %acc: vector<8x32xf16>) -> vector<8x32xf16> {
  %1 = vector.broadcast %s : vector<32x1xf16> to vector<32x64xf16>
  %2 = arith.mulf %w, %1 : vector<32x64xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf16>
  return %3 : vector<8x32xf16>
}

// A factor of what is summed, and one that is summed in part.

// CHECK-LABEL: func @negative_summed
//       CHECK:   arith.mulf %{{.*}} : vector<32x64xf16>
//       CHECK:   arith.mulf %{{.*}} : vector<32x2x32xf16>
//   CHECK-NOT:   arith.mulf
func.func @negative_summed(%x: vector<8x64xf16>, %w: vector<32x64xf16>, %s: vector<64xf16>, %v: vector<32x2x32xf16>, %t: vector<32x2x1xf16>, %acc: vector<8x32xf32>) -> vector<8x32xf32> {
  %1 = vector.broadcast %s : vector<64xf16> to vector<32x64xf16>
  %2 = arith.mulf %w, %1 : vector<32x64xf16>
  %3 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %2, %acc : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  %4 = vector.broadcast %t : vector<32x2x1xf16> to vector<32x2x32xf16>
  %5 = arith.mulf %v, %4 : vector<32x2x32xf16>
  %6 = vector.shape_cast %5 : vector<32x2x32xf16> to vector<32x64xf16>
  %7 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %6, %3 : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
  return %7 : vector<8x32xf32>
}

// What does not change in a loop is multiplied once, in front of it.

// CHECK-LABEL: func @negative_invariant
//       CHECK:   scf.for
//       CHECK:     arith.mulf %{{.*}} : vector<8x64xf16>
//       CHECK:     vector.contract
//   CHECK-NOT:     arith.mulf
func.func @negative_invariant(%x: vector<8x64xf16>, %s: vector<8xf16>, %w: memref<?x64xf16>, %n: index, %acc: vector<8x8xf32>) -> vector<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f16
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%a = %acc) -> vector<8x8xf32> {
    %b = vector.broadcast %s : vector<8xf16> to vector<64x8xf16>
    %t = vector.transpose %b, [1, 0] : vector<64x8xf16> to vector<8x64xf16>
    %q = arith.mulf %x, %t : vector<8x64xf16>
    %k = vector.transfer_read %w[%i, %c0], %zero {in_bounds = [true, true]} : memref<?x64xf16>, vector<8x64xf16>
    %p = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %q, %k, %a : vector<8x64xf16>, vector<8x64xf16> into vector<8x8xf32>
    scf.yield %p : vector<8x8xf32>
  }
  return %r : vector<8x8xf32>
}
