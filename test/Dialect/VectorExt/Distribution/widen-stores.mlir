// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=widen-stores | FileCheck %s

// Pairs that are unpacked from bytes are rows of 4 bytes: they are merged with the bytes of a group, to rows of
// 64 elements.

// CHECK-LABEL: func @pairs
//  CHECK-SAME:   %[[IN:.*]]: memref<16x32xi8>, %[[OUT:.*]]: memref<16x32x2xf16>, %[[I:.*]]: index
//       CHECK:   %[[ROWS:.*]] = vector.shape_cast %{{.*}} : vector<4x32x2xf16> to vector<4x64xf16>
//       CHECK:   %[[ALL:.*]] = memref.collapse_shape %[[OUT]] {{\[\[}}0], [1, 2]] : memref<16x32x2xf16> into memref<16x64xf16>
//       CHECK:   vector.transfer_write %[[ROWS]], %[[ALL]][%[[I]], %{{.*}}] {in_bounds = [true, true]} : vector<4x64xf16>, memref<16x64xf16>
func.func @pairs(%in: memref<16x32xi8>, %out: memref<16x32x2xf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %at = arith.constant dense<[0, 4]> : vector<2xi8>
  %w = vector.transfer_read %in[%i, %c0], %pad {in_bounds = [true, true]} : memref<16x32xi8>, vector<4x32xi8>
  %0 = vector.broadcast %w : vector<4x32xi8> to vector<2x4x32xi8>
  %1 = vector.transpose %0, [1, 2, 0] : vector<2x4x32xi8> to vector<4x32x2xi8>
  %2 = vector.broadcast %at : vector<2xi8> to vector<4x32x2xi8>
  %3 = arith.shrui %1, %2 : vector<4x32x2xi8>
  %4 = arith.uitofp %3 : vector<4x32x2xi8> to vector<4x32x2xf16>
  vector.transfer_write %4, %out[%i, %c0, %c0] {in_bounds = [true, true, true]} : vector<4x32x2xf16>, memref<16x32x2xf16>
  return
}

// Two dimensions are merged with the one in front, one after the other. Where what is written starts in that
// dimension, so does the merged one.

// CHECK-LABEL: func @twice
//       CHECK:   %[[ROW:.*]] = vector.shape_cast %{{.*}} : vector<8x2x2xf16> to vector<32xf16>
//       CHECK:   %[[AT:.*]] = affine.apply #{{.*}}()[%{{.*}}]
//       CHECK:   vector.transfer_write %[[ROW]], %{{.*}}[%[[AT]]] {in_bounds = [true]} : vector<32xf16>, memref<64xf16>
func.func @twice(%in: memref<16xi8>, %out: memref<16x2x2xf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %at = arith.constant dense<[[0, 2], [4, 6]]> : vector<2x2xi8>
  %w = vector.transfer_read %in[%i], %pad {in_bounds = [true]} : memref<16xi8>, vector<8xi8>
  %0 = vector.broadcast %w : vector<8xi8> to vector<2x2x8xi8>
  %1 = vector.transpose %0, [2, 0, 1] : vector<2x2x8xi8> to vector<8x2x2xi8>
  %2 = vector.broadcast %at : vector<2x2xi8> to vector<8x2x2xi8>
  %3 = arith.shrui %1, %2 : vector<8x2x2xi8>
  %4 = arith.uitofp %3 : vector<8x2x2xi8> to vector<8x2x2xf16>
  vector.transfer_write %4, %out[%i, %c0, %c0] {in_bounds = [true, true, true]} : vector<8x2x2xf16>, memref<16x2x2xf16>
  return
}

// A mask of whole rows is one of the merged ones. The number of rows in front does not matter.

// CHECK-LABEL: func @mask
//  CHECK-SAME:   %[[N:[a-z0-9]+]]: index
//       CHECK:   %[[SIZE:.*]] = affine.apply #{{.*}}()[%[[N]]]
//       CHECK:   %[[MASK:.*]] = vector.create_mask %{{.*}}, %[[SIZE]] : vector<4x64xi1>
//       CHECK:   vector.transfer_write %{{.*}}, %[[MASK]] {in_bounds = [true, true]} : vector<4x64xf16>, memref<?x64xf16>
func.func @mask(%n: index, %in: memref<?x32xi8>, %out: memref<?x32x2xf16>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0 : i8
  %w = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<?x32xi8>, vector<4x32xi8>
  %0 = vector.broadcast %w : vector<4x32xi8> to vector<2x4x32xi8>
  %1 = vector.transpose %0, [1, 2, 0] : vector<2x4x32xi8> to vector<4x32x2xi8>
  %2 = arith.uitofp %1 : vector<4x32x2xi8> to vector<4x32x2xf16>
  %m = vector.create_mask %c4, %n, %c2 : vector<4x32x2xi1>
  vector.transfer_write %2, %out[%c0, %c0, %c0], %m {in_bounds = [true, true, true]} : vector<4x32x2xf16>, memref<?x32x2xf16>
  return
}

// A mask may cut a row.

// CHECK-LABEL: func @negative_mask
//   CHECK-NOT:   shape_cast
func.func @negative_mask(%in: memref<16x32xi8>, %out: memref<16x32x2xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %pad = arith.constant 0 : i8
  %w = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xi8>, vector<4x32xi8>
  %0 = vector.broadcast %w : vector<4x32xi8> to vector<2x4x32xi8>
  %1 = vector.transpose %0, [1, 2, 0] : vector<2x4x32xi8> to vector<4x32x2xi8>
  %2 = arith.uitofp %1 : vector<4x32x2xi8> to vector<4x32x2xf16>
  %m = vector.create_mask %c4, %c32, %n : vector<4x32x2xi1>
  vector.transfer_write %2, %out[%c0, %c0, %c0], %m {in_bounds = [true, true, true]} : vector<4x32x2xf16>, memref<16x32x2xf16>
  return
}

// Rows are not contiguous in memory.

// CHECK-LABEL: func @negative_strided
//   CHECK-NOT:   shape_cast
func.func @negative_strided(%in: memref<16x32xi8>, %out: memref<16x32x2xf16, strided<[128, 4, 1]>>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %w = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xi8>, vector<4x32xi8>
  %0 = vector.broadcast %w : vector<4x32xi8> to vector<2x4x32xi8>
  %1 = vector.transpose %0, [1, 2, 0] : vector<2x4x32xi8> to vector<4x32x2xi8>
  %2 = arith.uitofp %1 : vector<4x32x2xi8> to vector<4x32x2xf16>
  vector.transfer_write %2, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<4x32x2xf16>, memref<16x32x2xf16, strided<[128, 4, 1]>>
  return
}

// Two of four elements of each row are written.

// CHECK-LABEL: func @negative_part
//   CHECK-NOT:   shape_cast
func.func @negative_part(%in: memref<16x32xi8>, %out: memref<16x32x4xf16>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %w = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xi8>, vector<4x32xi8>
  %0 = vector.broadcast %w : vector<4x32xi8> to vector<2x4x32xi8>
  %1 = vector.transpose %0, [1, 2, 0] : vector<2x4x32xi8> to vector<4x32x2xi8>
  %2 = arith.uitofp %1 : vector<4x32x2xi8> to vector<4x32x2xf16>
  vector.transfer_write %2, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<4x32x2xf16>, memref<16x32x4xf16>
  return
}

// Nothing is unpacked: each element is read.

// CHECK-LABEL: func @negative_read
//   CHECK-NOT:   shape_cast
func.func @negative_read(%in: memref<16x32x2xi8>, %out: memref<16x32x2xf16>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %w = vector.transfer_read %in[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<16x32x2xi8>, vector<4x32x2xi8>
  %2 = arith.uitofp %w : vector<4x32x2xi8> to vector<4x32x2xf16>
  vector.transfer_write %2, %out[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<4x32x2xf16>, memref<16x32x2xf16>
  return
}
