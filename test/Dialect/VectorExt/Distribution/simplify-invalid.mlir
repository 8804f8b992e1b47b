// RUN: not linalg-ext-opt %s --vector-ext-simplify=patterns=exp 2>&1 | FileCheck %s

// CHECK: error: invalid option 'patterns': expected excess-precision, fold-exp2, approximate-exponents, start-from-bias, factor-out-of-max, factor-out-of-sums, scale-weights, small-differences, sum-integers, widen-stores, narrow-comparisons, merge-masks, fold-first-factors, split-positions, drop-assumes, canonicalize-leaves, got 'exp'
func.func @unknown_pattern_set() {
  return
}
