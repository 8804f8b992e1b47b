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

// The least f32 has no product with log2(e). What is put in the place of scores
// becomes a number of its own, and so does a maximum of nothing else.

// CHECK-LABEL: func @hidden
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[HIDDEN:.*]]: vector<4x8xi1>, %[[MAX:.*]]: vector<4x1xf32>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-3.40282347E+38> : vector<4x8xf32>
// CHECK-DAG: %[[LEAST_ROW:.*]] = arith.constant dense<-3.40282347E+38> : vector<4x1xf32>
// CHECK-DAG: %[[SCORES:.*]] = arith.select %[[HIDDEN]], %[[LEAST]], %{{.*}}
// CHECK-DAG: %[[SCALED:.*]] = arith.mulf %[[MAX]], %{{.*}} : vector<4x1xf32>
// CHECK: %[[BOUNDED:.*]] = arith.maximumf %[[SCALED]], %[[LEAST_ROW]]
// CHECK: %[[ROWS:.*]] = vector.broadcast %[[BOUNDED]]
// CHECK: %[[D:.*]] = arith.subf %[[SCORES]], %[[ROWS]]
// CHECK: math.exp2 %[[D]]
func.func @hidden(%x: vector<4x8xf32>, %hidden: vector<4x8xi1>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %least = arith.constant dense<-3.40282347E+38> : vector<4x8xf32>
  %s = arith.mulf %x, %c : vector<4x8xf32>
  %h = arith.select %hidden, %least, %s : vector<4x8xi1>, vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %h, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}

// What is added to scores may be the least f32, too, and so may a state: a row
// whose maximum is has another factor.

// CHECK-LABEL: func @added
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant dense<1.44269502> : vector<4x1xf32>
// CHECK-DAG: %[[HALF:.*]] = arith.constant dense<5.000000e-01> : vector<4x1xf32>
// CHECK-DAG: %[[LARGE:.*]] = arith.constant dense<2.000000e+38> : vector<4x1xf32>
// CHECK: %[[SIZE:.*]] = math.absf %[[MAX:.*]] : vector<4x1xf32>
// CHECK: %[[HUGE:.*]] = arith.cmpf ogt, %[[SIZE]], %[[LARGE]]
// CHECK: %[[FACTOR:.*]] = arith.select %[[HUGE]], %[[HALF]], %[[LOG2E]]
// CHECK: %[[FACTORS:.*]] = vector.broadcast %[[FACTOR]] : vector<4x1xf32> to vector<4x8xf32>
// CHECK: arith.mulf %{{.*}}, %[[FACTORS]] : vector<4x8xf32>
// CHECK: arith.mulf %[[MAX]], %{{.*}} : vector<4x1xf32>
// CHECK: math.exp2
func.func @added(%x: vector<4x8xf32>, %mask: memref<4x8xf32>, %max: vector<4x1xf32>) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %b = vector.transfer_read %mask[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
  %s = arith.addf %x, %b : vector<4x8xf32>
  %m = vector.broadcast %max : vector<4x1xf32> to vector<4x8xf32>
  %d = arith.subf %s, %m : vector<4x8xf32>
  %p = math.exp %d : vector<4x8xf32>
  return %p : vector<4x8xf32>
}
