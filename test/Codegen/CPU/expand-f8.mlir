// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-lower-math{steps=expand-f8})' | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx2 --linalg-ext-lower-math=steps=expand-f8 | FileCheck %s --check-prefixes=CHECK,F16

// unittests/Codegen/Common/ExpandF8Test.cpp has the numbers.

// By way of f16, where the exponents are those of f16.
// CHECK-LABEL: func @e5m2(
// CHECK-SAME:      %[[X:.*]]: f8E5M2)
// CHECK-NOT:     arith.extf %[[X]]
// F16-DAG:       %[[EIGHT:.*]] = arith.constant 8 : i16
// F16:           %[[CODE:.*]] = arith.bitcast %[[X]] : f8E5M2 to i8
// F16:           %[[WIDE:.*]] = arith.extui %[[CODE]] : i8 to i16
// F16:           %[[BITS:.*]] = arith.shli %[[WIDE]], %[[EIGHT]] : i16
// F16:           %[[HALF:.*]] = arith.bitcast %[[BITS]] : i16 to f16
// F16:           %[[R:.*]] = arith.extf %[[HALF]] : f16 to f32
// F16:           return %[[R]]
func.func @e5m2(%x: f8E5M2) -> f32 {
  %0 = arith.extf %x : f8E5M2 to f32
  return %0 : f32
}

// A power of two makes up for the other bias. Without f16, subnormal numbers are
// those of f32 that have a hidden bit, minus that bit. NaN is where one more carries.
// CHECK-LABEL: func @e4m3fn(
// F16-NOT:       arith.cmpi
// F16:           %[[CARRY:.*]] = arith.addi %[[BITS:.*]], %{{.*}} : vector<16xi16>
// F16:           %[[NAN:.*]] = arith.andi %[[CARRY]], %{{.*}} : vector<16xi16>
// F16:           arith.ori %[[BITS]], %[[NAN]] : vector<16xi16>
// F16:           %[[HALF:.*]] = arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// F16:           arith.mulf %[[HALF]], %{{.*}} : vector<16xf32>
// CHECK-NOT:     arith.extf %{{.*}} : vector<16xf8E4M3FN>
// CHECK:         return
func.func @e4m3fn(%x: vector<16xf8E4M3FN>) -> vector<16xf32> {
  %0 = arith.extf %x : vector<16xf8E4M3FN> to vector<16xf32>
  return %0 : vector<16xf32>
}

// What is no NaN needs nothing more.
// CHECK-LABEL: func @no_nan(
// F16-NOT:       arith.cmpi
// F16-NOT:       arith.addi
// CHECK:         return
func.func @no_nan(%x: vector<16xf8E4M3FN>) -> vector<16xf32> {
  %0 = arith.extf %x fastmath<nnan> : vector<16xf8E4M3FN> to vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @truncate(
// CHECK:         arith.minui
// CHECK:         %[[CODE:.*]] = arith.trunci %{{.*}} : vector<8xi32> to vector<8xi8>
// CHECK:         arith.bitcast %[[CODE]] : vector<8xi8> to vector<8xf8E5M2>
func.func @truncate(%x: vector<8xf16>) -> vector<8xf8E5M2> {
  %0 = arith.truncf %x : vector<8xf16> to vector<8xf8E5M2>
  return %0 : vector<8xf8E5M2>
}

// What is clamped is not too large.
// CHECK-LABEL: func @truncate_clamped(
// CHECK-NOT:     arith.minui
// CHECK:         return
func.func @truncate_clamped(%x: vector<8xf32>) -> vector<8xf8E5M2> {
  %low = arith.constant dense<-57344.0> : vector<8xf32>
  %high = arith.constant dense<57344.0> : vector<8xf32>
  %0 = arith.maximumf %x, %low : vector<8xf32>
  %1 = arith.minimumf %0, %high : vector<8xf32>
  %2 = arith.truncf %1 : vector<8xf32> to vector<8xf8E5M2>
  return %2 : vector<8xf8E5M2>
}

// 57345 becomes 57344, but 65536 would be infinity.
// CHECK-LABEL: func @negative_truncate_clamped(
// CHECK:         arith.minui
func.func @negative_truncate_clamped(%x: vector<8xf32>) -> vector<8xf8E5M2> {
  %low = arith.constant dense<-57344.0> : vector<8xf32>
  %high = arith.constant dense<65536.0> : vector<8xf32>
  %0 = arith.maximumf %x, %low : vector<8xf32>
  %1 = arith.minimumf %0, %high : vector<8xf32>
  %2 = arith.truncf %1 : vector<8xf32> to vector<8xf8E5M2>
  return %2 : vector<8xf8E5M2>
}

// In f32.
// CHECK-LABEL: func @arithmetic(
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : f8E4M3FNUZ
func.func @arithmetic(%x: f8E4M3FNUZ, %y: f8E4M3FNUZ) -> f8E4M3FNUZ {
  %0 = arith.addf %x, %y : f8E4M3FNUZ
  %1 = arith.cmpf ogt, %0, %x : f8E4M3FNUZ
  %2 = arith.select %1, %0, %x : f8E4M3FNUZ
  return %2 : f8E4M3FNUZ
}

// Another rounding is for somebody else. So are tensors, also of dynamic sizes.
// CHECK-LABEL: func @negative_rounding(
// CHECK:         arith.truncf %{{.*}} toward_zero : f32 to f8E5M2
// CHECK:         arith.extf %{{.*}} : tensor<?xf8E5M2> to tensor<?xf32>
func.func @negative_rounding(%x: f32, %y: tensor<?xf8E5M2>) -> (f8E5M2, tensor<?xf32>) {
  %0 = arith.truncf %x toward_zero : f32 to f8E5M2
  %1 = arith.extf %y : tensor<?xf8E5M2> to tensor<?xf32>
  return %0, %1 : f8E5M2, tensor<?xf32>
}

// CHECK-LABEL: func @negative_f16(
// CHECK-NEXT:    arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT:    return
func.func @negative_f16(%x: f16) -> f32 {
  %0 = arith.extf %x : f16 to f32
  return %0 : f32
}

// Payloads of named ops stay, until these are lowered.
// CHECK-LABEL: func @negative_named(
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
func.func @negative_named(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %c: tensor<?x?xf32>,
                          %d: tensor<?x?xf8E4M3FN>) -> (tensor<?x?xf32>, tensor<?x?xf8E4M3FN>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%d : tensor<?x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf8E4M3FN>
}

// A scale is a factor of f32.
// CHECK-LABEL: func @scaling(
// CHECK-SAME:      %[[X:.*]]: f32,
// CHECK:         arith.divf %[[X]], %{{.*}} : f32
// CHECK:         %[[CODE:.*]] = arith.bitcast %{{.*}} : i8 to f8E4M3FN
// CHECK:         return %[[CODE]], %{{.*}} : f8E4M3FN, f32
func.func @scaling(%x: f32, %s: f8E8M0FNU) -> (f8E4M3FN, f32) {
  %0 = arith.scaling_truncf %x, %s : f32, f8E8M0FNU to f8E4M3FN
  %1 = arith.scaling_extf %0, %s : f8E4M3FN, f8E8M0FNU to f32
  return %0, %1 : f8E4M3FN, f32
}

// Two extensions are one, but not where f16 lacks numbers: 2^100 is infinity there.
// CHECK-LABEL: func @extended_twice(
// F16-NOT:       arith.truncf
// F16:           arith.extf %{{.*}} : f16 to f32
// F16-NOT:       arith.extf
// F16:           return
func.func @extended_twice(%x: f8E4M3FN) -> f32 {
  %0 = arith.extf %x : f8E4M3FN to f16
  %1 = arith.extf %0 : f16 to f32
  return %1 : f32
}

// CHECK-LABEL: func @negative_extended_twice(
// CHECK:         arith.truncf %{{.*}} : f32 to f16
// CHECK:         return
func.func @negative_extended_twice(%x: f8E8M0FNU) -> f32 {
  %0 = arith.extf %x : f8E8M0FNU to f16
  %1 = arith.extf %0 : f16 to f32
  return %1 : f32
}
