// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=fold-first-factors --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-simplify{patterns=fold-first-factors})' --split-input-file | FileCheck %s

// The state in front of the first iteration is empty: its maximum is -infinity. So the
// factor of its sums is 0, and so are these.

// CHECK-LABEL: func @first_iteration
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: vector<4xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: %[[WEIGHTS:.+]] = math.exp2 %{{.+}} : vector<4x8xf32>
// CHECK: return %[[WEIGHTS]], %[[ZERO]]
func.func @first_iteration(%sum: vector<4xf32>, %scores: vector<4x8xf32>, %max: vector<4xf32>) -> (vector<4x8xf32>, vector<4xf32>) {
  %minus_inf = arith.constant dense<0xFF800000> : vector<4xf32>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %log2e = arith.constant dense<1.44269502> : vector<4xf32>
  %is_empty = arith.cmpf oeq, %max, %minus_inf : vector<4xf32>
  %guarded = arith.select %is_empty, %zero, %max : vector<4xi1>, vector<4xf32>
  %scaled = arith.mulf %guarded, %log2e : vector<4xf32>
  %wide = vector.broadcast %scaled : vector<4xf32> to vector<8x4xf32>
  %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %exponents = arith.subf %scores, %rows : vector<4x8xf32>
  %weights = math.exp2 %exponents : vector<4x8xf32>
  %difference = arith.subf %minus_inf, %guarded : vector<4xf32>
  %power = arith.mulf %difference, %log2e : vector<4xf32>
  %factor = math.exp2 %power : vector<4xf32>
  return %weights, %factor : vector<4x8xf32>, vector<4xf32>
}

// -----

// A maximum of -infinity leaves NaN, which must stay.

// CHECK-LABEL: func @negative_not_guarded
// CHECK: %[[FACTOR:.+]] = math.exp2 %{{.+}} : vector<4xf32>
// CHECK: return %{{.+}}, %[[FACTOR]]
func.func @negative_not_guarded(%scores: vector<4x8xf32>, %max: vector<4xf32>) -> (vector<4x8xf32>, vector<4xf32>) {
  %minus_inf = arith.constant dense<0xFF800000> : vector<4xf32>
  %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
  %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %exponents = arith.subf %scores, %rows : vector<4x8xf32>
  %weights = math.exp2 %exponents : vector<4x8xf32>
  %difference = arith.subf %minus_inf, %max : vector<4xf32>
  %factor = math.exp2 %difference : vector<4xf32>
  return %weights, %factor : vector<4x8xf32>, vector<4xf32>
}

// -----

// Without weights that have the maximum, its NaN would be lost.

// CHECK-LABEL: func @negative_no_weights
// CHECK: %[[FACTOR:.+]] = math.exp2 %{{.+}} : vector<4xf32>
// CHECK: return %[[FACTOR]]
func.func @negative_no_weights(%max: vector<4xf32>) -> vector<4xf32> {
  %minus_inf = arith.constant dense<0xFF800000> : vector<4xf32>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %is_empty = arith.cmpf oeq, %max, %minus_inf : vector<4xf32>
  %guarded = arith.select %is_empty, %zero, %max : vector<4xi1>, vector<4xf32>
  %difference = arith.subf %minus_inf, %guarded : vector<4xf32>
  %factor = math.exp2 %difference : vector<4xf32>
  return %factor : vector<4xf32>
}
