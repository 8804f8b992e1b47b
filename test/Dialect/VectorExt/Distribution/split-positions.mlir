// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=split-positions --canonicalize | FileCheck %s

// Rows and columns of a thread: each of its four elements is compared with a constant.
// CHECK-LABEL: func @compare
// CHECK-DAG: %[[CONSTANTS:.*]] = arith.constant dense<[0, -1, 8, 7]> : vector<4xi32>
// CHECK-DAG: %[[DIFFERENCE:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[DIFFERENCE]] : i32 to vector<4xi32>
// CHECK: %[[RESULT:.*]] = arith.cmpi sle, %[[ALL]], %[[CONSTANTS]]
// CHECK: return %[[RESULT]]
func.func @compare(%a: i32, %b: i32) -> vector<4xi1> {
  %c31 = arith.constant 31 : i32
  %rows = arith.constant dense<[0, 8]> : vector<2xi32>
  %columns = arith.constant dense<[0, 1, 0, 1]> : vector<4xi32>
  %row = arith.andi %a, %c31 : i32
  %column = arith.andi %b, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %rows : vector<2xi32>
  %2 = vector.shuffle %1, %1 [0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
  %3 = vector.broadcast %column : i32 to vector<4xi32>
  %4 = arith.addi %3, %columns : vector<4xi32>
  %5 = arith.cmpi sge, %2, %4 : vector<4xi32>
  return %5 : vector<4xi1>
}

// What may overflow is compared as it is; equality is exact anyway.
// CHECK-LABEL: func @negative_overflow
// CHECK-SAME: %[[A:[a-z0-9]+]]: i32
// CHECK-DAG: %[[OFFSETS:.*]] = arith.constant dense<[0, 1]> : vector<2xi32>
// CHECK-DAG: %[[SPLAT:.*]] = vector.broadcast %[[A]]
// CHECK-DAG: %[[SUM:.*]] = arith.addi %[[SPLAT]], %[[OFFSETS]]
// CHECK-DAG: arith.cmpi slt, %[[SUM]], %{{.*}}
// CHECK-DAG: arith.cmpi eq, %{{.*}}, %[[OFFSETS]]
func.func @negative_overflow(%a: i32, %b: i32) -> (vector<2xi1>, vector<2xi1>) {
  %offsets = arith.constant dense<[0, 1]> : vector<2xi32>
  %0 = vector.broadcast %a : i32 to vector<2xi32>
  %1 = arith.addi %0, %offsets : vector<2xi32>
  %2 = vector.broadcast %b : i32 to vector<2xi32>
  %3 = arith.cmpi slt, %1, %2 : vector<2xi32>
  %4 = arith.cmpi eq, %1, %2 : vector<2xi32>
  return %3, %4 : vector<2xi1>, vector<2xi1>
}

// Unsigned comparisons stay.
// CHECK-LABEL: func @negative_unsigned
// CHECK: arith.addi %{{.*}} : vector<2xi32>
// CHECK: arith.cmpi ult
func.func @negative_unsigned(%a: i32, %b: i32) -> vector<2xi1> {
  %c31 = arith.constant 31 : i32
  %offsets = arith.constant dense<[0, 1]> : vector<2xi32>
  %row = arith.andi %a, %c31 : i32
  %0 = vector.broadcast %row : i32 to vector<2xi32>
  %1 = arith.addi %0, %offsets : vector<2xi32>
  %2 = vector.broadcast %b : i32 to vector<2xi32>
  %3 = arith.cmpi ult, %1, %2 : vector<2xi32>
  return %3 : vector<2xi1>
}

// A distance in 64 bits that is needed in 32: one scalar is truncated.
// CHECK-LABEL: func @truncate
// CHECK-SAME: %[[A:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: index
// CHECK-DAG: %[[OFFSETS:.*]] = arith.constant dense<[0, 1, 8]> : vector<3xi32>
// CHECK-DAG: %[[DISTANCE:.*]] = arith.subi %[[A]], %[[B]] : index
// CHECK: %[[LOW:.*]] = arith.index_cast %[[DISTANCE]] : index to i32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[LOW]] : i32 to vector<3xi32>
// CHECK: %[[SUM:.*]] = arith.addi %[[ALL]], %[[OFFSETS]]
// CHECK: return %[[SUM]]
func.func @truncate(%a: index, %b: index) -> vector<3xi32> {
  %offsets = arith.constant dense<[0, 1, 8]> : vector<3xindex>
  %0 = vector.broadcast %a : index to vector<3xindex>
  %1 = arith.addi %0, %offsets : vector<3xindex>
  %2 = vector.broadcast %b : index to vector<3xindex>
  %3 = arith.subi %1, %2 : vector<3xindex>
  %4 = arith.index_cast %3 : vector<3xindex> to vector<3xi32>
  return %4 : vector<3xi32>
}
