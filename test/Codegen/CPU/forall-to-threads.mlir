// RUN: linalg-ext-opt %s --linalg-ext-share-among-threads=steps=parallel --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-share-among-threads{steps=parallel})' --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @nested(
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = {{.*}} step (%{{.*}}, %{{.*}}) {
// CHECK-NOT:       scf.parallel
// CHECK:           scf.for %[[K:.*]] =
// CHECK:             memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]]]
// CHECK-NOT:     mapping
func.func @nested(%a: memref<8x?x4xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (8, %n) {
    scf.forall (%k) in (4) {
      memref.store %zero, %a[%i, %j, %k] : memref<8x?x4xf32>
    }
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// -----

func.func @negative_tensors(%t: tensor<8xf32>, %v: tensor<1xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected a loop on buffers for threads to share, got one with 1 results}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> tensor<8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}
