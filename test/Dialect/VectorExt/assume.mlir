// RUN: linalg-ext-opt %s --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --int-range-optimizations --canonicalize | FileCheck %s --check-prefix=RANGES
// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=drop-assumes --canonicalize | FileCheck %s --check-prefix=DROP
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm | FileCheck %s --check-prefix=LLVM

// A constant of which all is true.

// CHECK-LABEL: func @constant
// CHECK-NEXT:    %[[C:.*]] = arith.constant 64 : index
// CHECK-NEXT:    return %[[C]]
func.func @constant() -> index {
  %c64 = arith.constant 64 : index
  %0 = vector_ext.assume %c64 at_least 64 at_most 64 multiple_of 8
  return %0 : index
}

// CHECK-LABEL: func @negative_constant
// CHECK:         vector_ext.assume %c63 multiple_of 8
func.func @negative_constant() -> index {
  %c63 = arith.constant 63 : index
  %0 = vector_ext.assume %c63 multiple_of 8
  return %0 : index
}

// Two of one index are one. The ends of the range are multiples: 16 and 96 of 16.

// CHECK-LABEL: func @united
// CHECK-SAME:      %[[N:.*]]: index
// CHECK-NEXT:    %[[A:.*]] = vector_ext.assume %[[N]] at_least 16 at_most 96 multiple_of 16
// CHECK-NEXT:    return %[[A]]
// DROP-LABEL:  func @united
// DROP-SAME:       %[[N:.*]]: index
// DROP-NEXT:     return %[[N]]
// LLVM-LABEL:  llvm.func @united
// LLVM-SAME:       %[[N:.*]]: i64
// LLVM-NEXT:     llvm.return %[[N]]
func.func @united(%n: index) -> index {
  %0 = vector_ext.assume %n at_least 1 multiple_of 8
  %1 = vector_ext.assume %0 at_most 100
  %2 = vector_ext.assume %1 multiple_of 16
  return %2 : index
}

// What is said already.

// CHECK-LABEL: func @implied
// CHECK-SAME:      %[[N:.*]]: index
// CHECK-NEXT:    %[[A:.*]] = vector_ext.assume %[[N]] at_least 16 at_most 96 multiple_of 16
// CHECK-NEXT:    return %[[A]], %[[A]]
func.func @implied(%n: index) -> (index, index) {
  %0 = vector_ext.assume %n at_least 16 at_most 96 multiple_of 16
  %1 = vector_ext.assume %0 at_least 9 multiple_of 8
  return %0, %1 : index, index
}

// What no index is stays as it is.

// CHECK-LABEL: func @negative_contradiction
// CHECK:         %[[A:.*]] = vector_ext.assume %{{.*}} at_least 9
// CHECK-NEXT:    vector_ext.assume %[[A]] at_most 8
func.func @negative_contradiction(%n: index) -> index {
  %0 = vector_ext.assume %n at_least 9
  %1 = vector_ext.assume %0 at_most 8
  return %1 : index
}

// Upstream's analysis of ranges.

// RANGES-LABEL: func @range
// RANGES-NEXT:    %[[TRUE:.*]] = arith.constant true
// RANGES-NEXT:    return %[[TRUE]]
func.func @range(%n: index) -> i1 {
  %c3 = arith.constant 3 : index
  %0 = vector_ext.assume %n at_least 4 at_most 100
  %1 = arith.cmpi sgt, %0, %c3 : index
  return %1 : i1
}

// CHECK-LABEL: func @same
// CHECK-COUNT-1: vector_ext.assume
// CHECK-NOT:     vector_ext.assume
func.func @same(%n: index) -> (index, index) {
  %0 = vector_ext.assume %n multiple_of 8
  %1 = vector_ext.assume %n multiple_of 8
  return %0, %1 : index, index
}
