// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=small-differences | FileCheck %s

// Zero points that are unpacked, too, are small: both are converted, and the zero point before
// it is repeated.

// CHECK-LABEL: func @zero_points
//  CHECK-SAME:   %[[W:.*]]: vector<64x32xi8>, %[[Z:.*]]: vector<32xi8>
//   CHECK-DAG:   %[[N:.*]] = arith.andi %[[W]]
//   CHECK-DAG:   %[[MASKED:.*]] = arith.andi %[[Z]]
//   CHECK-DAG:   %[[PLUS:.*]] = arith.addi %[[MASKED]]
//   CHECK-DAG:   %[[NF:.*]] = arith.sitofp %[[N]] : vector<64x32xi8> to vector<64x32xf16>
//   CHECK-DAG:   %[[ZF:.*]] = arith.sitofp %[[PLUS]] : vector<32xi8> to vector<32xf16>
//       CHECK:   %[[ALL:.*]] = vector.broadcast %[[ZF]] : vector<32xf16> to vector<64x32xf16>
//       CHECK:   arith.subf %[[NF]], %[[ALL]]
func.func @zero_points(%w: vector<64x32xi8>, %z: vector<32xi8>) -> vector<64x32xf16> {
  %c15 = arith.constant dense<15> : vector<64x32xi8>
  %z15 = arith.constant dense<15> : vector<32xi8>
  %z1 = arith.constant dense<1> : vector<32xi8>
  %0 = arith.andi %w, %c15 : vector<64x32xi8>
  %1 = arith.andi %z, %z15 : vector<32xi8>
  %2 = arith.addi %1, %z1 : vector<32xi8>
  %3 = vector.broadcast %2 : vector<32xi8> to vector<64x32xi8>
  %4 = arith.subi %0, %3 : vector<64x32xi8>
  %5 = arith.sitofp %4 : vector<64x32xi8> to vector<64x32xf16>
  return %5 : vector<64x32xf16>
}

// So it is in words, behind truncations, and if the dimension of groups is moved.

// CHECK-LABEL: func @groups
//  CHECK-SAME:   %[[W:.*]]: vector<4x16x32xi32>, %[[Z:.*]]: vector<4x32xi32>
//       CHECK:   arith.sitofp %{{.*}} : vector<4x16x32xi32> to vector<4x16x32xbf16>
//       CHECK:   %[[ZF:.*]] = arith.sitofp %{{.*}} : vector<4x32xi8> to vector<4x32xbf16>
//       CHECK:   %[[ALL:.*]] = vector.broadcast %[[ZF]] : vector<4x32xbf16> to vector<16x4x32xbf16>
//       CHECK:   %[[MOVED:.*]] = vector.transpose %[[ALL]], [1, 0, 2]
//       CHECK:   arith.subf %{{.*}}, %[[MOVED]]
func.func @groups(%w: vector<4x16x32xi32>, %z: vector<4x32xi32>) -> vector<4x16x32xbf16> {
  %c15 = arith.constant dense<15> : vector<4x16x32xi32>
  %z15 = arith.constant dense<15> : vector<4x32xi8>
  %0 = arith.andi %w, %c15 : vector<4x16x32xi32>
  %1 = arith.trunci %z : vector<4x32xi32> to vector<4x32xi8>
  %2 = arith.andi %1, %z15 : vector<4x32xi8>
  %3 = vector.broadcast %2 : vector<4x32xi8> to vector<16x4x32xi8>
  %4 = vector.transpose %3, [1, 0, 2] : vector<16x4x32xi8> to vector<4x16x32xi8>
  %5 = arith.extui %4 : vector<4x16x32xi8> to vector<4x16x32xi32>
  %6 = arith.subi %0, %5 : vector<4x16x32xi32>
  %7 = arith.sitofp %6 : vector<4x16x32xi32> to vector<4x16x32xbf16>
  return %7 : vector<4x16x32xbf16>
}

// A zero point that may have any value may make the difference wrap around.

// CHECK-LABEL: func @negative_any_zero_point
//       CHECK:   arith.subi
//  CHECK-NEXT:   arith.sitofp
func.func @negative_any_zero_point(%w: vector<64xi8>, %z: vector<64xi8>) -> vector<64xf16> {
  %c15 = arith.constant dense<15> : vector<64xi8>
  %0 = arith.andi %w, %c15 : vector<64xi8>
  %1 = arith.subi %0, %z : vector<64xi8>
  %2 = arith.sitofp %1 : vector<64xi8> to vector<64xf16>
  return %2 : vector<64xf16>
}

// Integers of 7 bits take conversions, so that two of them would take longer.

// CHECK-LABEL: func @negative_larger_integers
//       CHECK:   arith.subi
//  CHECK-NEXT:   arith.sitofp
func.func @negative_larger_integers(%w: vector<64xi8>, %z: vector<64xi8>) -> vector<64xf16> {
  %c63 = arith.constant dense<63> : vector<64xi8>
  %c15 = arith.constant dense<15> : vector<64xi8>
  %0 = arith.andi %w, %c63 : vector<64xi8>
  %1 = arith.andi %z, %c15 : vector<64xi8>
  %2 = arith.subi %0, %1 : vector<64xi8>
  %3 = arith.sitofp %2 : vector<64xi8> to vector<64xf16>
  return %3 : vector<64xf16>
}

// A constant is subtracted by what converts.

// CHECK-LABEL: func @negative_constant
//       CHECK:   arith.subi
//  CHECK-NEXT:   arith.sitofp
func.func @negative_constant(%w: vector<64xi8>) -> vector<64xf16> {
  %c15 = arith.constant dense<15> : vector<64xi8>
  %c8 = arith.constant dense<8> : vector<64xi8>
  %0 = arith.andi %w, %c15 : vector<64xi8>
  %1 = arith.subi %0, %c8 : vector<64xi8>
  %2 = arith.sitofp %1 : vector<64xi8> to vector<64xf16>
  return %2 : vector<64xf16>
}

// A truncation to 4 bits makes other numbers of them, which are small, too. Integers of 4 bits are not
// converted.

// CHECK-LABEL: func @truncated
//   CHECK-DAG:   %[[Z:.*]] = arith.extsi %{{.*}} : vector<64xi4> to vector<64xi8>
//   CHECK-DAG:   %[[ZF:.*]] = arith.sitofp %[[Z]] : vector<64xi8> to vector<64xf16>
//       CHECK:   arith.subf %{{.*}}, %[[ZF]]
func.func @truncated(%w: vector<64xi8>, %z: vector<64xi8>) -> vector<64xf16> {
  %c15 = arith.constant dense<15> : vector<64xi8>
  %0 = arith.andi %w, %c15 : vector<64xi8>
  %1 = arith.andi %z, %c15 : vector<64xi8>
  %2 = arith.trunci %1 : vector<64xi8> to vector<64xi4>
  %3 = arith.extsi %2 : vector<64xi4> to vector<64xi8>
  %4 = arith.subi %0, %3 : vector<64xi8>
  %5 = arith.sitofp %4 : vector<64xi8> to vector<64xf16>
  return %5 : vector<64xf16>
}

// Sizes of memory do not matter.

// CHECK-LABEL: func @memory
//       CHECK:   %[[NF:.*]] = arith.sitofp %{{.*}} : vector<64xi8> to vector<64xf32>
//       CHECK:   %[[ZF:.*]] = arith.sitofp %{{.*}} : vector<64xi8> to vector<64xf32>
//       CHECK:   arith.subf %[[NF]], %[[ZF]]
func.func @memory(%m: memref<?x?xi8>, %i: index) -> vector<64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %c15 = arith.constant dense<15> : vector<64xi8>
  %w = vector.transfer_read %m[%i, %c0], %zero : memref<?x?xi8>, vector<64xi8>
  %z = vector.transfer_read %m[%c0, %i], %zero : memref<?x?xi8>, vector<64xi8>
  %0 = arith.andi %w, %c15 : vector<64xi8>
  %1 = arith.andi %z, %c15 : vector<64xi8>
  %2 = arith.subi %0, %1 : vector<64xi8>
  %3 = arith.sitofp %2 : vector<64xi8> to vector<64xf32>
  return %3 : vector<64xf32>
}

// A mask with the sign bit does not say that a zero point is small.

// CHECK-LABEL: func @negative_mask
//       CHECK:   arith.subi
//  CHECK-NEXT:   arith.sitofp
func.func @negative_mask(%w: vector<64xi8>, %z: vector<64xi8>) -> vector<64xf16> {
  %c15 = arith.constant dense<15> : vector<64xi8>
  %sign = arith.constant dense<-16> : vector<64xi8>
  %0 = arith.andi %w, %c15 : vector<64xi8>
  %1 = arith.andi %z, %sign : vector<64xi8>
  %2 = arith.subi %0, %1 : vector<64xi8>
  %3 = arith.sitofp %2 : vector<64xi8> to vector<64xf16>
  return %3 : vector<64xf16>
}

// Zero points of 8 bits, of which nothing else is known, are small in wider integers. They are extended
// before they are repeated. Unpacked integers need no extension.

// CHECK-LABEL: func @zero_points_of_8_bits
//  CHECK-SAME:   %[[W:.*]]: vector<64x32xi8>, %[[Z:.*]]: vector<32xi8>
//   CHECK-DAG:   %[[N:.*]] = arith.andi %[[W]]
//   CHECK-DAG:   %[[NF:.*]] = arith.sitofp %[[N]] : vector<64x32xi8> to vector<64x32xf16>
//   CHECK-DAG:   %[[WIDE:.*]] = arith.extui %[[Z]] : vector<32xi8> to vector<32xi32>
//   CHECK-DAG:   %[[ZF:.*]] = arith.sitofp %[[WIDE]] : vector<32xi32> to vector<32xf16>
//       CHECK:   %[[ALL:.*]] = vector.broadcast %[[ZF]] : vector<32xf16> to vector<64x32xf16>
//       CHECK:   arith.subf %[[NF]], %[[ALL]]
func.func @zero_points_of_8_bits(%w: vector<64x32xi8>, %z: vector<32xi8>) -> vector<64x32xf16> {
  %c15 = arith.constant dense<15> : vector<64x32xi8>
  %0 = arith.andi %w, %c15 : vector<64x32xi8>
  %1 = arith.extui %0 : vector<64x32xi8> to vector<64x32xi32>
  %2 = vector.broadcast %z : vector<32xi8> to vector<64x32xi8>
  %3 = arith.extui %2 : vector<64x32xi8> to vector<64x32xi32>
  %4 = arith.subi %1, %3 : vector<64x32xi32>
  %5 = arith.sitofp %4 : vector<64x32xi32> to vector<64x32xf16>
  return %5 : vector<64x32xf16>
}

// Bytes are converted without an extension, too; unsigned ones as unsigned integers.

// CHECK-LABEL: func @bytes
//  CHECK-SAME:   %[[W:.*]]: vector<64x32xi8>, %[[Z:.*]]: vector<32xi8>
//   CHECK-DAG:   %[[NF:.*]] = arith.sitofp %[[W]] : vector<64x32xi8> to vector<64x32xbf16>
//       CHECK:   arith.subf %[[NF]], %{{.*}} : vector<64x32xbf16>
//   CHECK-DAG:   %[[UF:.*]] = arith.uitofp %[[W]] : vector<64x32xi8> to vector<64x32xbf16>
//       CHECK:   arith.subf %[[UF]], %{{.*}} : vector<64x32xbf16>
func.func @bytes(%w: vector<64x32xi8>, %z: vector<32xi8>) -> (vector<64x32xbf16>, vector<64x32xbf16>) {
  %0 = arith.extsi %w : vector<64x32xi8> to vector<64x32xi32>
  %1 = vector.broadcast %z : vector<32xi8> to vector<64x32xi8>
  %2 = arith.extsi %1 : vector<64x32xi8> to vector<64x32xi32>
  %3 = arith.subi %0, %2 : vector<64x32xi32>
  %4 = arith.sitofp %3 : vector<64x32xi32> to vector<64x32xbf16>
  %5 = arith.extui %w : vector<64x32xi8> to vector<64x32xi32>
  %6 = arith.extui %1 : vector<64x32xi8> to vector<64x32xi32>
  %7 = arith.subi %5, %6 : vector<64x32xi32>
  %8 = arith.sitofp %7 : vector<64x32xi32> to vector<64x32xbf16>
  return %4, %8 : vector<64x32xbf16>, vector<64x32xbf16>
}

// A signed byte less an unsigned one may be -383, which bf16 has not.

// CHECK-LABEL: func @negative_both_signs
//       CHECK:   arith.subi
//  CHECK-NEXT:   arith.sitofp
func.func @negative_both_signs(%w: vector<64xi8>, %z: vector<64xi8>) -> vector<64xbf16> {
  %0 = arith.extsi %w : vector<64xi8> to vector<64xi32>
  %1 = arith.extui %z : vector<64xi8> to vector<64xi32>
  %2 = arith.subi %0, %1 : vector<64xi32>
  %3 = arith.sitofp %2 : vector<64xi32> to vector<64xbf16>
  return %3 : vector<64xbf16>
}

// A truncation of what was extended may be any byte.

// CHECK-LABEL: func @negative_truncated_byte
//       CHECK:   arith.subi
//  CHECK-NEXT:   arith.sitofp
func.func @negative_truncated_byte(%w: vector<64xi8>, %z: vector<64xi8>) -> vector<64xf16> {
  %c15 = arith.constant dense<15> : vector<64xi8>
  %0 = arith.andi %w, %c15 : vector<64xi8>
  %1 = arith.extsi %z : vector<64xi8> to vector<64xi32>
  %2 = arith.trunci %1 : vector<64xi32> to vector<64xi8>
  %3 = arith.subi %0, %2 : vector<64xi8>
  %4 = arith.sitofp %3 : vector<64xi8> to vector<64xf16>
  return %4 : vector<64xf16>
}

// Differences up to 256 are exact in bf16; 257 is not.

// CHECK-LABEL: func @largest
//       CHECK:   arith.uitofp %{{.*}} : vector<64xi8> to vector<64xbf16>
//       CHECK:   arith.subf
// CHECK-LABEL: func @negative_larger
//       CHECK:   arith.subi
//  CHECK-NEXT:   arith.sitofp
func.func @largest(%w: vector<64xi8>, %z: vector<64xi16>) -> vector<64xbf16> {
  %c1 = arith.constant dense<1> : vector<64xi16>
  %minus1 = arith.constant dense<-1> : vector<64xi16>
  %0 = arith.extui %w : vector<64xi8> to vector<64xi16>
  %1 = arith.andi %z, %c1 : vector<64xi16>
  %2 = arith.addi %1, %minus1 : vector<64xi16>
  %3 = arith.subi %0, %2 : vector<64xi16>
  %4 = arith.sitofp %3 : vector<64xi16> to vector<64xbf16>
  return %4 : vector<64xbf16>
}
func.func @negative_larger(%w: vector<64xi8>, %z: vector<64xi16>) -> vector<64xbf16> {
  %c3 = arith.constant dense<3> : vector<64xi16>
  %minus2 = arith.constant dense<-2> : vector<64xi16>
  %0 = arith.extui %w : vector<64xi8> to vector<64xi16>
  %1 = arith.andi %z, %c3 : vector<64xi16>
  %2 = arith.addi %1, %minus2 : vector<64xi16>
  %3 = arith.subi %0, %2 : vector<64xi16>
  %4 = arith.sitofp %3 : vector<64xi16> to vector<64xbf16>
  return %4 : vector<64xbf16>
}
