// RUN: linalg-ext-opt %s --linalg-ext-lower-math=steps=approximate | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx512 --linalg-ext-lower-math=steps=approximate | FileCheck %s --check-prefix=AVX512
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-lower-math{steps=approximate})' | FileCheck %s

// CHECK-LABEL: func @exp_vector
// AVX512-LABEL: func @exp_vector
// AVX512: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
func.func @exp_vector(%a: vector<16xf32>) -> vector<16xf32> {
  // CHECK-NOT: math.exp
  // CHECK: math.fma {{.*}} : vector<16xf32>
  %0 = math.exp %a : vector<16xf32>
  return %0 : vector<16xf32>
}

// AVX-512 has instructions for what surrounds the polynomial; only of whole vectors.

// CHECK-LABEL: func @exp_of_difference
// CHECK-NOT: llvm.call_intrinsic
// AVX512-LABEL: func @exp_of_difference
// AVX512: llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"
// AVX512: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
func.func @exp_of_difference(%a: vector<16xf32>, %b: vector<16xf32>) -> vector<16xf32> {
  %0 = arith.subf %a, %b : vector<16xf32>
  %1 = math.exp %0 : vector<16xf32>
  return %1 : vector<16xf32>
}

// AVX512-LABEL: func @exp_of_short_difference
// AVX512-NOT: llvm.call_intrinsic
// AVX512: arith.shli
func.func @exp_of_short_difference(%a: vector<8xf32>, %b: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.subf %a, %b : vector<8xf32>
  %1 = math.exp %0 : vector<8xf32>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func @exp_half
func.func @exp_half(%a: vector<16xf16>) -> vector<16xf16> {
  // CHECK: arith.extf
  // CHECK: math.fma {{.*}} : vector<16xf32>
  // CHECK: arith.truncf
  %0 = math.exp %a : vector<16xf16>
  return %0 : vector<16xf16>
}

// The sign of 0 stays.

// CHECK-LABEL: func @erf(
// CHECK-SAME:    %[[A:.*]]: vector<8xf32>)
// CHECK-NOT:     math.erf
// CHECK:         %[[R:.*]] = math.copysign %{{.*}}, %[[A]]
// CHECK-NEXT:    return %[[R]]
func.func @erf(%a: vector<8xf32>) -> vector<8xf32> {
  %0 = math.erf %a : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func @negative_exp_double
func.func @negative_exp_double(%a: vector<8xf64>) -> vector<8xf64> {
  // CHECK: math.exp {{.*}} : vector<8xf64>
  %0 = math.exp %a : vector<8xf64>
  return %0 : vector<8xf64>
}

// CHECK-LABEL: func @negative_log
func.func @negative_log(%a: vector<16xf32>) -> vector<16xf32> {
  // CHECK: math.log
  %0 = math.log %a : vector<16xf32>
  return %0 : vector<16xf32>
}
