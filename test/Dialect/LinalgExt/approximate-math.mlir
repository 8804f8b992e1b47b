// RUN: linalg-ext-opt %s --linalg-ext-approximate-math | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-approximate-math)' | FileCheck %s

// CHECK-LABEL: func @exp_vector
func.func @exp_vector(%a: vector<16xf32>) -> vector<16xf32> {
  // CHECK-NOT: math.exp
  // CHECK: math.fma {{.*}} : vector<16xf32>
  %0 = math.exp %a : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @exp_half
func.func @exp_half(%a: vector<16xf16>) -> vector<16xf16> {
  // CHECK: arith.extf
  // CHECK: math.fma {{.*}} : vector<16xf32>
  // CHECK: arith.truncf
  %0 = math.exp %a : vector<16xf16>
  return %0 : vector<16xf16>
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
