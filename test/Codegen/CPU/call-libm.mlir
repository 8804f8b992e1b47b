// RUN: linalg-ext-opt %s --linalg-ext-lower-math=steps=libm | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-lower-math{steps=libm})' | FileCheck %s

// CHECK-DAG: func.func private @cbrtf(f32) -> f32 attributes {llvm.readnone}
// CHECK-DAG: func.func private @expm1(f64) -> f64 attributes {llvm.readnone}

// CHECK-LABEL: func @call(
// CHECK:         call @cbrtf(%{{.*}}) : (f32) -> f32
func.func @call(%x: f32) -> f32 {
  %0 = math.cbrt %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @call_of_each_element(
// CHECK-COUNT-4: call @expm1(%{{.*}}) : (f64) -> f64
// CHECK-NOT:     math.
func.func @call_of_each_element(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %0 = math.expm1 %x : vector<2x2xf64>
  return %0 : vector<2x2xf64>
}

// CHECK-LABEL: func @square(
// CHECK-SAME:    %[[X:.*]]: vector<8xf32>)
// CHECK-NEXT:    %[[R:.*]] = arith.mulf %[[X]], %[[X]] : vector<8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @square(%x: vector<8xf32>) -> vector<8xf32> {
  %two = arith.constant dense<2> : vector<8xi32>
  %0 = math.fpowi %x, %two : vector<8xf32>, vector<8xi32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func @power(
// CHECK-SAME:    %[[X:.*]]: f32, %[[N:.*]]: i32)
// CHECK-DAG:     %[[A:.*]] = arith.extf %[[X]] : f32 to f64
// CHECK-DAG:     %[[B:.*]] = arith.sitofp %[[N]] : i32 to f64
// CHECK:         %[[P:.*]] = math.powf %[[A]], %[[B]] : f64
// CHECK:         arith.truncf %[[P]] : f64 to f32
func.func @power(%x: f32, %n: i32) -> f32 {
  %0 = math.fpowi %x, %n : f32, i32
  return %0 : f32
}

// CHECK-LABEL: func @power_that_is_large(
// CHECK:         math.powf {{.*}} : vector<4xf64>
func.func @power_that_is_large(%x: vector<4xf32>) -> vector<4xf32> {
  %five = arith.constant dense<5> : vector<4xi64>
  %0 = math.fpowi %x, %five : vector<4xf32>, vector<4xi64>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func @clamp(
// CHECK-SAME:    %[[X:.*]]: f32, %[[LOW:.*]]: f32, %[[HIGH:.*]]: f32)
// CHECK:         %[[L:.*]] = arith.maximumf %[[X]], %[[LOW]]
// CHECK:         arith.minimumf %[[L]], %[[HIGH]]
func.func @clamp(%x: f32, %low: f32, %high: f32) -> f32 {
  %0 = math.clampf %x to [%low, %high] : f32
  return %0 : f32
}

// CHECK-LABEL: func @halves(
// CHECK:         %[[X:.*]] = arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
// CHECK:         %[[S:.*]] = math.sin %[[X]] fastmath<nnan> : vector<4xf32>
// CHECK:         arith.truncf %[[S]] : vector<4xf32> to vector<4xbf16>
// CHECK:         math.isnan %{{.*}} : vector<4xf32>
func.func @halves(%x: vector<4xbf16>) -> (vector<4xbf16>, vector<4xi1>) {
  %0 = math.sin %x fastmath<nnan> : vector<4xbf16>
  %1 = math.isnan %x : vector<4xbf16>
  return %0, %1 : vector<4xbf16>, vector<4xi1>
}

// The smallest normal number is that of the type.

// CHECK-LABEL: func @normal_half(
// CHECK:         arith.constant 6.10351563E-5 : f32
// CHECK:         arith.cmpf oge, {{.*}} : f32
// CHECK:         arith.cmpf olt, {{.*}} : f32
func.func @normal_half(%x: f16) -> i1 {
  %0 = math.isnormal %x : f16
  return %0 : i1
}

// CHECK-LABEL: func @double_to_bf16(
// CHECK-SAME:    %[[X:.*]]: vector<4xf64>)
// CHECK:         arith.truncf %[[X]] : vector<4xf64> to vector<4xf32>
// CHECK-NOT:     f64 to {{.*}}bf16
// CHECK:         arith.truncf {{.*}} : vector<4xf32> to vector<4xbf16>
func.func @double_to_bf16(%x: vector<4xf64>) -> vector<4xbf16> {
  %0 = arith.truncf %x : vector<4xf64> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// Ops on tensors stay.

// CHECK-LABEL: func @negative_tensor(
// CHECK:         math.isinf %{{.*}} : tensor<4xf16>
func.func @negative_tensor(%x: tensor<4xf16>) -> tensor<4xi1> {
  %0 = math.isinf %x : tensor<4xf16>
  return %0 : tensor<4xi1>
}

// LLVM has intrinsics for them.

// CHECK-LABEL: func @negative_intrinsics(
// CHECK:         math.sqrt
// CHECK:         math.log
// CHECK:         math.absi
// CHECK-NOT:     call
func.func @negative_intrinsics(%x: vector<4xf32>, %n: i32) -> (vector<4xf32>, i32) {
  %0 = math.sqrt %x : vector<4xf32>
  %1 = math.log %0 : vector<4xf32>
  %2 = math.absi %n : i32
  return %1, %2 : vector<4xf32>, i32
}
