// RUN: linalg-ext-opt %s --linalg-ext-lower-math | FileCheck %s

// Both steps: exp is a polynomial, cbrt a call.

// CHECK-LABEL: func @both(
// CHECK-NOT:     math.exp
// CHECK:         math.fma
// CHECK:         call @cbrtf(
func.func @both(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.cbrt %0 : f32
  return %1 : f32
}
