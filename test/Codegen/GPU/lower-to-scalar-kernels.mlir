// RUN: linalg-ext-opt %s --linalg-ext-map-to-launches='steps=scalars num-threads=64' --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// A thread does one element of the result.

// CHECK-DAG:   #[[GRID:.*]] = affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 64)>
// CHECK-LABEL: func @matmul
// CHECK:         %[[BLOCKS:.*]] = affine.apply #[[GRID]]()[
// CHECK:         gpu.launch blocks(%[[X:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads(%[[T:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c64
// CHECK:           %[[FIRST:.*]] = arith.muli %[[X]], %c64
// CHECK:           %[[ID:.*]] = arith.addi %[[FIRST]], %[[T]]
// CHECK:           %[[EXISTS:.*]] = arith.cmpi slt, %[[ID]]
// CHECK:           scf.if %[[EXISTS]]
// CHECK:             %[[AT:.*]]:2 = affine.delinearize_index %[[ID]]
// CHECK:             scf.for %[[K:.*]] = %c0
// CHECK:               memref.load %arg0[%[[AT]]#0, %[[K]]]
// CHECK:               memref.load %arg1[%[[K]], %[[AT]]#1]
// CHECK:               memref.store %{{.*}}, %arg2[%[[AT]]#0, %[[AT]]#1]
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-remark @below {{'linalg.matmul' is done one scalar at a time: it is in no workgroup}}
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// Copies are kernels, too.

// CHECK-LABEL: func @copy
// CHECK-NOT:     memref.copy
// CHECK:         gpu.launch
// CHECK:           memref.load %arg0
// CHECK:           memref.store %{{.*}}, %arg1
func.func @copy(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-remark @below {{'linalg.generic' is done one scalar at a time}}
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return
}

// -----

// Elements one by one: one thread for those with nothing in between.

// CHECK-LABEL: func @elements
// CHECK:         gpu.launch
// CHECK-NEXT:      memref.store %arg1, %arg0
// CHECK-NEXT:      memref.store %arg2, %arg0
// CHECK-NEXT:      gpu.terminator
// CHECK:         gpu.launch
// CHECK:         gpu.launch
// CHECK-NEXT:      memref.store %arg2, %arg0
// CHECK-NEXT:      gpu.terminator
func.func @elements(%a: memref<8xf32>, %x: f32, %y: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %a[%c0] : memref<8xf32>
  %i = arith.addi %n, %c1 : index
  memref.store %y, %a[%i] : memref<8xf32>
  // expected-remark @below {{'linalg.fill' is done one scalar at a time}}
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  memref.store %y, %a[%c1] : memref<8xf32>
  return
}

// -----

// Nothing is parallel: one thread.

// CHECK-LABEL: func @sum
// CHECK:         gpu.launch
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %arg1[]
func.func @sum(%a: memref<8xf32>, %s: memref<f32>) {
  // expected-remark @below {{'linalg.reduce' is done one scalar at a time}}
  linalg.reduce {arith.addf} ins(%a : memref<8xf32>) outs(%s : memref<f32>) dimensions = [0]
  return
}

// -----

func.func @negative_in_workgroup(%a: memref<8xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%t, %u, %v) in (%bx = %c1, %by = %c1, %bz = %c1) {
    // expected-error @below {{'linalg.fill' op is left in the program of a workgroup, expected vectors}}
    linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func @negative_tensors
// CHECK:         linalg.fill
func.func @negative_tensors(%a: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What a payload stores is stored by the kernel of its op.

// CHECK-LABEL: func @store_in_payload
// CHECK:         gpu.launch
// CHECK-NOT:     gpu.launch
// CHECK:           memref.store
// CHECK:           memref.store
// CHECK-NOT:     gpu.launch
// CHECK:         return
func.func @store_in_payload(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-remark @below {{'linalg.generic' is done one scalar at a time}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%b : memref<4xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    memref.store %old, %a[%i] : memref<4xf32>
    linalg.yield %old : f32
  }
  return
}
