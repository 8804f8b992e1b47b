// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=fold-exp2 | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-simplify | FileCheck %s

// The scale takes the factor; the maximum has it in front of its broadcast.

// CHECK-LABEL: func @difference
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[MAX:.*]]: vector<4x1xf32>
// CHECK-DAG: %[[SCALE:.*]] = arith.constant dense<0.180336878> : vector<4x8xf32>
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant dense<1.44269502> : vector<4x1xf32>
// CHECK-DAG: %[[SCORES:.*]] = arith.mulf %[[X]], %[[SCALE]]
// CHECK-DAG: %[[SCALED:.*]] = arith.mulf %[[MAX]], %[[LOG2E]]
// CHECK: %[[ROWS:.*]] = vector.broadcast %[[SCALED]]
// CHECK: %[[D:.*]] = arith.subf %[[SCORES]], %[[ROWS]]
// CHECK: math.exp2 %[[D]]
func.func @difference(%x: vector<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %s = arith.mulf %x, %c : vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %s, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// CHECK-LABEL: func @negative_no_difference
// CHECK: math.exp %
func.func @negative_no_difference(%x: vector<4xf32>) -> vector<4xf32> {
  %p = math.exp %x : vector<4xf32>
  return %p : vector<4xf32>
}
