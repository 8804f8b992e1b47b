// RUN: linalg-ext-opt %s --linalg-ext-share-among-threads | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-share-among-threads=steps=parallel,start 2>&1 | FileCheck %s --check-prefix=STEPS

// STEPS: error: invalid option 'steps': expected tile, parallel, convert, finish, got 'start'

// All steps: threads share the pairs of iterations.

// CHECK-LABEL: func @shared(
// CHECK:         omp.parallel {
// CHECK:           omp.wsloop nowait schedule(dynamic) {
// CHECK:             omp.loop_nest {{.*}} collapse(2)
// CHECK-NOT:     scf.
func.func @shared(%a: memref<8x8xf32>) {
  %one = arith.constant 1.0 : f32
  scf.forall (%i, %j) in (8, 8) {
    memref.store %one, %a[%i, %j] : memref<8x8xf32>
  }
  return
}
