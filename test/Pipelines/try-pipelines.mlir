// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-try-pipelines{pipelines=builtin.module(linalg-ext-map-to-launches{steps=scalars},vector-ext-distribute),builtin.module(canonicalize)})' --verify-diagnostics | FileCheck %s

// The first pipeline takes this function.

// CHECK-LABEL: func @first
// CHECK:         gpu.launch
func.func @first(%a: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{'linalg.fill' is done one scalar at a time}}
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  return
}

// It does not take this one, which the second takes as it was.

// CHECK-LABEL: func @second
// CHECK-NOT:     arith.addi
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%arg0 : memref<8xf32>)
// CHECK:         gpu.launch
// CHECK:           linalg.fill
// expected-remark @below {{falls back: 'linalg.fill' op is left in the program of a workgroup, expected vectors}}
func.func @second(%a: memref<8xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %unused = arith.addi %n, %n : index
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%t, %u, %v) in (%bx = %c1, %by = %c1, %bz = %c1) {
    linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
    gpu.terminator
  }
  return
}
