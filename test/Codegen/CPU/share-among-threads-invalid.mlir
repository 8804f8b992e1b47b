// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(func.func(linalg-ext-share-among-threads))' --verify-diagnostics -o /dev/null
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(func.func(linalg-ext-share-among-threads{steps=tile,parallel}))' | FileCheck %s

// Upstream converts loops of whole modules. The steps in front of that take functions, too.

// CHECK-LABEL: func @function(
// CHECK:         scf.parallel
// expected-error @below {{expected a module with 'steps=convert', got 'func.func'}}
func.func @function(%x: memref<512x512xf32>) {
  linalg.exp ins(%x : memref<512x512xf32>) outs(%x : memref<512x512xf32>)
  return
}
