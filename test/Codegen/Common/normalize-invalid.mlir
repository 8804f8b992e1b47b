// RUN: not linalg-ext-opt %s --linalg-ext-normalize=patterns=fuse-elementwise,fuse 2>&1 | FileCheck %s

// CHECK: error: invalid option 'patterns': expected spelling, drop-kept-dims, {{.*}}, factor-out-of-max, split-sums, {{.*}}, got 'fuse'
func.func @unknown_pattern_set() {
  return
}

// A wrong name behind a right one changes nothing.

// RUN: not linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling,fuse --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: func @unchanged
// SAME: arith.addi
func.func @unchanged(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %a, %zero : i32
  return %0 : i32
}

// RUN: not linalg-ext-opt %s --linalg-ext-normalize=unroll-loops=-1 2>&1 | FileCheck %s --check-prefix=UNROLL
// UNROLL: error: expected 'unroll-loops' to be at least 0, got -1
