// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=factor-out-of-max | FileCheck %s

// CHECK-LABEL: func @scaled
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[ACC:.*]]: vector<4xf32>
// CHECK: %[[LOW:.*]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK: %[[MAX:.*]] = vector.multi_reduction <maximumf>, %[[X]], %[[LOW]] [1]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[MAX]], %{{.*}} : vector<4xf32>
// CHECK: arith.maximumf %[[ACC]], %[[SCALED]]
func.func @scaled(%x: vector<4x8xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %0 = arith.mulf %x, %c : vector<4x8xf32>
  %1 = vector.multi_reduction <maximumf>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32>
  return %1 : vector<4xf32>
}

// Masked elements are infinite with and without the factor.

// CHECK-LABEL: func @masked
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[MASK:.*]]: vector<4x8xi1>
// CHECK: %[[Y:.*]] = arith.select %[[MASK]], %[[X]], %{{.*}}
// CHECK: vector.multi_reduction <minimumf>, %[[Y]]
// CHECK: arith.minimumf
func.func @masked(%x: vector<4x8xf32>, %mask: vector<4x8xi1>, %acc: vector<4xf32>) -> vector<4xf32> {
  %c = arith.constant dense<2.0> : vector<4x8xf32>
  %high = arith.constant dense<0x7F800000> : vector<4x8xf32>
  %0 = arith.mulf %x, %c : vector<4x8xf32>
  %1 = arith.select %mask, %0, %high : vector<4x8xi1>, vector<4x8xf32>
  %2 = vector.multi_reduction <minimumf>, %1, %acc [1] : vector<4x8xf32> to vector<4xf32>
  return %2 : vector<4xf32>
}

// A negative factor turns the order around; a finite mask value has no factor; a
// sum is not monotonic in that way; maxnumf takes NaN otherwise.

// CHECK-LABEL: func @others
// CHECK-COUNT-4: arith.mulf %{{.*}} : vector<4x8xf32>
func.func @others(%x: vector<4x8xf32>, %mask: vector<4x8xi1>, %acc: vector<4xf32>)
    -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %negative = arith.constant dense<-1.0> : vector<4x8xf32>
  %c = arith.constant dense<2.0> : vector<4x8xf32>
  %low = arith.constant dense<-1.0e9> : vector<4x8xf32>
  %c3 = arith.constant dense<3.0> : vector<4x8xf32>
  %c5 = arith.constant dense<5.0> : vector<4x8xf32>
  %0 = arith.mulf %x, %negative : vector<4x8xf32>
  %1 = vector.multi_reduction <maximumf>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32>
  %2 = arith.mulf %x, %c : vector<4x8xf32>
  %3 = arith.select %mask, %2, %low : vector<4x8xi1>, vector<4x8xf32>
  %4 = vector.multi_reduction <maximumf>, %3, %acc [1] : vector<4x8xf32> to vector<4xf32>
  %5 = arith.mulf %x, %c3 : vector<4x8xf32>
  %6 = vector.multi_reduction <add>, %5, %acc [1] : vector<4x8xf32> to vector<4xf32>
  %7 = arith.mulf %x, %c5 : vector<4x8xf32>
  %8 = vector.multi_reduction <maxnumf>, %7, %acc [1] : vector<4x8xf32> to vector<4xf32>
  return %1, %4, %6, %8 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// A vector.mask has one op in it.

// CHECK-LABEL: func @in_mask
// CHECK: arith.mulf %{{.*}} : vector<4x8xf32>
// CHECK: vector.mask %{{.*}} { vector.multi_reduction <maximumf>
func.func @in_mask(%x: vector<4x8xf32>, %mask: vector<4x8xi1>, %acc: vector<4xf32>) -> vector<4xf32> {
  %c = arith.constant dense<0.5> : vector<4x8xf32>
  %0 = arith.mulf %x, %c : vector<4x8xf32>
  %1 = vector.mask %mask { vector.multi_reduction <maximumf>, %0, %acc [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
  return %1 : vector<4xf32>
}

// A product that is hidden where it is not needed is left for what follows.

// CHECK-LABEL: func @hidden
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[MASK:.*]]: vector<4x8xi1>
// CHECK: %[[Y:.*]] = arith.select %[[MASK]], %[[X]], %{{.*}}
// CHECK: %[[Z:.*]] = arith.mulf %[[Y]], %{{.*}} : vector<4x8xf32>
// CHECK: return %[[Z]]
func.func @hidden(%x: vector<4x8xf32>, %mask: vector<4x8xi1>) -> vector<4x8xf32> {
  %c = arith.constant dense<2.0> : vector<4x8xf32>
  %low = arith.constant dense<0xFF800000> : vector<4x8xf32>
  %0 = arith.mulf %x, %c : vector<4x8xf32>
  %1 = arith.select %mask, %0, %low : vector<4x8xi1>, vector<4x8xf32>
  return %1 : vector<4x8xf32>
}

// A mask that hides nothing of a tile adds zeros.

// CHECK-LABEL: func @zeros
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[ACC:.*]]: vector<4xf32>
// CHECK-DAG: %[[Y:.*]] = arith.mulf %[[X]], %{{.*}} : vector<4x8xf32>
// CHECK-DAG: vector.multi_reduction <maximumf>, %[[X]],
// CHECK: return %{{.*}}, %[[Y]]
func.func @zeros(%x: vector<4x8xf32>, %acc: vector<4xf32>) -> (vector<4xf32>, vector<4x8xf32>) {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %0 = arith.mulf %x, %c : vector<4x8xf32>
  %1 = arith.addf %0, %zero : vector<4x8xf32>
  %2 = vector.multi_reduction <maximumf>, %1, %acc [1] : vector<4x8xf32> to vector<4xf32>
  return %2, %1 : vector<4xf32>, vector<4x8xf32>
}

// Not where no maximum is taken: -0 + 0 is 0.

// CHECK-LABEL: func @negative_zeros
// CHECK: arith.addf
func.func @negative_zeros(%x: vector<4x8xf32>) -> vector<4x8xf32> {
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %0 = arith.addf %x, %zero : vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// Scales of two tensors are multiplied with each other. A factor of each row is not.

// CHECK-LABEL: func @scales
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[A:.*]]: f32, %[[B:.*]]: f32
// CHECK: %[[AB:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK: %[[WIDE:.*]] = vector.broadcast %[[AB]] : f32 to vector<4x8xf32>
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[WIDE]] : vector<4x8xf32>
// CHECK: vector.multi_reduction <maximumf>, %[[Y]]
func.func @scales(%x: vector<4x8xf32>, %a: f32, %b: f32, %acc: vector<4xf32>) -> vector<4xf32> {
  %c = arith.constant dense<0.125> : vector<4x8xf32>
  %0 = vector.broadcast %a : f32 to vector<4x8xf32>
  %1 = arith.mulf %x, %0 : vector<4x8xf32>
  %2 = vector.broadcast %b : f32 to vector<4x8xf32>
  %3 = arith.mulf %1, %2 : vector<4x8xf32>
  %4 = arith.mulf %3, %c : vector<4x8xf32>
  %5 = vector.multi_reduction <maximumf>, %4, %acc [1] : vector<4x8xf32> to vector<4xf32>
  return %5 : vector<4xf32>
}

// CHECK-LABEL: func @scales_of_rows
// CHECK-COUNT-2: arith.mulf %{{.*}} : vector<4x8xf32>
// CHECK: vector.multi_reduction
func.func @scales_of_rows(%x: vector<4x8xf32>, %a: vector<8xf32>, %b: f32, %acc: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.broadcast %a : vector<8xf32> to vector<4x8xf32>
  %1 = arith.mulf %x, %0 : vector<4x8xf32>
  %2 = vector.broadcast %b : f32 to vector<4x8xf32>
  %3 = arith.mulf %1, %2 : vector<4x8xf32>
  %4 = vector.multi_reduction <maximumf>, %3, %acc [1] : vector<4x8xf32> to vector<4xf32>
  return %4 : vector<4xf32>
}

// CHECK-LABEL: func @not_of_a_maximum
// CHECK-COUNT-2: arith.mulf %{{.*}} : vector<4x8xf32>
// CHECK: return
func.func @not_of_a_maximum(%x: vector<4x8xf32>, %a: f32, %b: f32) -> vector<4x8xf32> {
  %0 = vector.broadcast %a : f32 to vector<4x8xf32>
  %1 = arith.mulf %x, %0 : vector<4x8xf32>
  %2 = vector.broadcast %b : f32 to vector<4x8xf32>
  %3 = arith.mulf %1, %2 : vector<4x8xf32>
  return %3 : vector<4x8xf32>
}

// Exponents have a constant besides, which is no factor of the maximum any more.

// CHECK-LABEL: func @scales_and_constant
// CHECK-SAME: %[[X:.*]]: vector<4x8xf32>, %[[A:.*]]: f32, %[[B:.*]]: f32
// CHECK-DAG: %[[AB:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-DAG: %[[ABC:.*]] = arith.mulf %[[AB]], %{{.*}} : f32
// CHECK-DAG: %[[WIDE:.*]] = vector.broadcast %[[AB]] : f32 to vector<4x8xf32>
// CHECK-DAG: %[[WIDE_C:.*]] = vector.broadcast %[[ABC]] : f32 to vector<4x8xf32>
// CHECK-DAG: %[[Y:.*]] = arith.mulf %[[X]], %[[WIDE]] : vector<4x8xf32>
// CHECK-DAG: %[[Z:.*]] = arith.mulf %[[X]], %[[WIDE_C]] : vector<4x8xf32>
// CHECK-DAG: vector.multi_reduction <maximumf>, %[[Y]]
// CHECK: return %{{.*}}, %[[Z]]
func.func @scales_and_constant(%x: vector<4x8xf32>, %a: f32, %b: f32, %acc: vector<4xf32>) -> (vector<4xf32>, vector<4x8xf32>) {
  %d = arith.constant dense<0.25> : vector<4x8xf32>
  %0 = vector.broadcast %a : f32 to vector<4x8xf32>
  %1 = arith.mulf %x, %0 : vector<4x8xf32>
  %2 = vector.broadcast %b : f32 to vector<4x8xf32>
  %3 = arith.mulf %1, %2 : vector<4x8xf32>
  %4 = vector.multi_reduction <maximumf>, %3, %acc [1] : vector<4x8xf32> to vector<4xf32>
  %5 = arith.mulf %3, %d : vector<4x8xf32>
  return %4, %5 : vector<4xf32>, vector<4x8xf32>
}
