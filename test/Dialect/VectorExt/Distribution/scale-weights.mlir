// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=scale-weights --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-simplify{patterns=scale-weights})' --split-input-file | FileCheck %s

// A loop over whole tiles, and one that masks the last. The sum is divided behind both.

// CHECK-LABEL: func @two_loops
// CHECK-DAG: %[[EIGHT:.+]] = arith.constant dense<8.000000e+00> : vector<4xf32>
// CHECK-DAG: %[[PART:.+]] = arith.constant dense<3.906250e-03> : vector<4xf32>
// CHECK: %[[FIRST:.+]]:2 = scf.for
// CHECK:   %[[LESS:.+]] = arith.subf %{{.+}}, %[[EIGHT]] : vector<4xf32>
// CHECK:   %[[WIDE:.+]] = vector.broadcast %[[LESS]]
// CHECK:   %[[MOVED:.+]] = vector.transpose %[[WIDE]]
// CHECK:   arith.subf %{{.+}}, %[[MOVED]]
// CHECK:   %[[P:.+]] = math.exp2
// CHECK:   vector.multi_reduction <add>, %[[P]]
// CHECK:   arith.truncf %[[P]]
// CHECK: %[[SECOND:.+]]:2 = scf.for {{.*}}(%{{.+}} = %[[FIRST]]#0, %{{.+}} = %[[FIRST]]#1)
// CHECK:   arith.subf %{{.+}}, %[[EIGHT]] : vector<4xf32>
// CHECK:   %[[HIDDEN:.+]] = arith.select
// CHECK:   vector.multi_reduction <add>, %[[HIDDEN]]
// CHECK:   arith.truncf %[[HIDDEN]]
// CHECK: %[[SUM:.+]] = arith.mulf %[[SECOND]]#0, %[[PART]]
// CHECK: return %[[SUM]], %[[SECOND]]#1
func.func @two_loops(%n: index, %m: index, %memory: memref<?x8xf16>, %max: vector<4xf32>, %factor: vector<4xf32>, %mask: vector<4x8xi1>, %old: vector<4x8xf8E4M3FN>) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %zeros = arith.constant dense<0.0> : vector<4x8xf32>
  %pad = arith.constant 0.0 : f16
  %c256 = arith.constant dense<256.0> : vector<4x8xf32>
  %first:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %weights = %old) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
    %read = vector.transfer_read %memory[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x8xf16>, vector<4x8xf16>
    %scores = arith.extf %read : vector<4x8xf16> to vector<4x8xf32>
    %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
    %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %p = math.exp2 %exponents : vector<4x8xf32>
    %scaled = arith.mulf %sum, %factor : vector<4xf32>
    %next = vector.multi_reduction <add>, %p, %scaled [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf8E4M3FN>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xf8E4M3FN>
  }
  %second:2 = scf.for %i = %n to %m step %c1 iter_args(%sum = %first#0, %weights = %first#1) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
    %read = vector.transfer_read %memory[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x8xf16>, vector<4x8xf16>
    %scores = arith.extf %read : vector<4x8xf16> to vector<4x8xf32>
    %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
    %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %all = math.exp2 %exponents : vector<4x8xf32>
    %p = arith.select %mask, %all, %zeros : vector<4x8xi1>, vector<4x8xf32>
    %scaled = arith.mulf %sum, %factor : vector<4xf32>
    %next = vector.multi_reduction <add>, %p, %scaled [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf8E4M3FN>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xf8E4M3FN>
  }
  return %second#0, %second#1 : vector<4xf32>, vector<4x8xf8E4M3FN>
}

// -----

// The second loop sums weights that have no factor.

// CHECK-LABEL: func @negative_other_loop
// CHECK: arith.mulf %{{.+}} : vector<4x8xf32>
// CHECK-NOT: arith.mulf %{{.+}} : vector<4xf32>
// CHECK: return
func.func @negative_other_loop(%n: index, %scores: vector<4x8xf32>, %max: vector<4xf32>, %old: vector<4x8xf8E4M3FN>) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c256 = arith.constant dense<256.0> : vector<4x8xf32>
  %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
  %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %first:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %weights = %old) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %p = math.exp2 %exponents : vector<4x8xf32>
    %next = vector.multi_reduction <add>, %p, %sum [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf8E4M3FN>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xf8E4M3FN>
  }
  %second = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %first#0) -> (vector<4xf32>) {
    %next = vector.multi_reduction <add>, %scores, %sum [1] : vector<4x8xf32> to vector<4xf32>
    scf.yield %next : vector<4xf32>
  }
  return %second, %first#1 : vector<4xf32>, vector<4x8xf8E4M3FN>
}

// -----

// Weights that are rounded to f16, as caches of few bits have them.

// CHECK-LABEL: func @halves
//       CHECK:   %[[R:.*]]:2 = scf.for
//       CHECK:     %[[P:.*]] = math.exp2
//       CHECK:     vector.multi_reduction <add>, %[[P]]
//       CHECK:     arith.truncf %[[P]]
//       CHECK:   arith.mulf %[[R]]#0
func.func @halves(%n: index, %memory: memref<?x8xf16>, %max: vector<4xf32>, %half: vector<4x8xf16>) -> (vector<4xf32>, vector<4x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c4096 = arith.constant dense<4096.0> : vector<4x8xf32>
  %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
  %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %weights = %half) -> (vector<4xf32>, vector<4x8xf16>) {
    %read = vector.transfer_read %memory[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x8xf16>, vector<4x8xf16>
    %scores = arith.extf %read : vector<4x8xf16> to vector<4x8xf32>
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %p = math.exp2 %exponents : vector<4x8xf32>
    %next = vector.multi_reduction <add>, %p, %sum [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c4096 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf16>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xf16>
  }
  return %0#0, %0#1 : vector<4xf32>, vector<4x8xf16>
}

// -----

// The sum begins with a number; weights are read for something else; bf16 has bits
// enough.

// CHECK-LABEL: func @negative_others
// CHECK-COUNT-3: arith.mulf %{{.+}} : vector<4x8xf32>
func.func @negative_others(%n: index, %scores: vector<4x8xf32>, %max: vector<4xf32>, %old: vector<4x8xf8E4M3FN>, %half: vector<4x8xbf16>, %start: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4x8xf8E4M3FN>, vector<4x8xf8E4M3FN>, vector<4x8xbf16>, vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c256 = arith.constant dense<256.0> : vector<4x8xf32>
  %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
  %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start, %weights = %old) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %p = math.exp2 %exponents : vector<4x8xf32>
    %next = vector.multi_reduction <add>, %p, %sum [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf8E4M3FN>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xf8E4M3FN>
  }
  %1:3 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %weights = %old, %last = %scores) -> (vector<4xf32>, vector<4x8xf8E4M3FN>, vector<4x8xf32>) {
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %p = math.exp2 %exponents : vector<4x8xf32>
    %next = vector.multi_reduction <add>, %p, %sum [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf8E4M3FN>
    scf.yield %next, %r, %p : vector<4xf32>, vector<4x8xf8E4M3FN>, vector<4x8xf32>
  }
  %2:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %weights = %half) -> (vector<4xf32>, vector<4x8xbf16>) {
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %p = math.exp2 %exponents : vector<4x8xf32>
    %next = vector.multi_reduction <add>, %p, %sum [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xbf16>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xbf16>
  }
  return %0#0, %1#0, %2#0, %0#1, %1#1, %2#1, %1#2 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4x8xf8E4M3FN>, vector<4x8xf8E4M3FN>, vector<4x8xbf16>, vector<4x8xf32>
}

// -----

// A mask of -1e9 may hide all of a row. 8 less than its maximum is that maximum.

// CHECK-LABEL: func @huge
// CHECK: %[[C256:.+]] = arith.constant dense<2.560000e+02>
// CHECK-COUNT-2: arith.mulf %{{.+}}, %[[C256]]
func.func @huge(%n: index, %m: index, %memory: memref<?x8xf16>, %max: vector<4xf32>, %factor: vector<4xf32>, %mask: vector<4x8xi1>, %old: vector<4x8xf8E4M3FN>) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %far = arith.constant dense<-1.0e9> : vector<4x8xf32>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %zeros = arith.constant dense<0.0> : vector<4x8xf32>
  %pad = arith.constant 0.0 : f16
  %c256 = arith.constant dense<256.0> : vector<4x8xf32>
  %first:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %weights = %old) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
    %read = vector.transfer_read %memory[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x8xf16>, vector<4x8xf16>
    %seen = arith.extf %read : vector<4x8xf16> to vector<4x8xf32>
    %scores = arith.select %mask, %seen, %far : vector<4x8xi1>, vector<4x8xf32>
    %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
    %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %p = math.exp2 %exponents : vector<4x8xf32>
    %scaled = arith.mulf %sum, %factor : vector<4xf32>
    %next = vector.multi_reduction <add>, %p, %scaled [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf8E4M3FN>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xf8E4M3FN>
  }
  %second:2 = scf.for %i = %n to %m step %c1 iter_args(%sum = %first#0, %weights = %first#1) -> (vector<4xf32>, vector<4x8xf8E4M3FN>) {
    %read = vector.transfer_read %memory[%i, %c0], %pad {in_bounds = [true, true]} : memref<?x8xf16>, vector<4x8xf16>
    %seen = arith.extf %read : vector<4x8xf16> to vector<4x8xf32>
    %scores = arith.select %mask, %seen, %far : vector<4x8xi1>, vector<4x8xf32>
    %wide = vector.broadcast %max : vector<4xf32> to vector<8x4xf32>
    %rows = vector.transpose %wide, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %exponents = arith.subf %scores, %rows : vector<4x8xf32>
    %all = math.exp2 %exponents : vector<4x8xf32>
    %p = arith.select %mask, %all, %zeros : vector<4x8xi1>, vector<4x8xf32>
    %scaled = arith.mulf %sum, %factor : vector<4xf32>
    %next = vector.multi_reduction <add>, %p, %scaled [1] : vector<4x8xf32> to vector<4xf32>
    %q = arith.mulf %p, %c256 : vector<4x8xf32>
    %r = arith.truncf %q : vector<4x8xf32> to vector<4x8xf8E4M3FN>
    scf.yield %next, %r : vector<4xf32>, vector<4x8xf8E4M3FN>
  }
  return %second#0, %second#1 : vector<4xf32>, vector<4x8xf8E4M3FN>
}
