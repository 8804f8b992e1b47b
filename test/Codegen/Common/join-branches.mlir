// RUN: linalg-ext-opt %s --linalg-ext-prepare-destinations=steps=join-branches | FileCheck %s

// CHECK-LABEL: func @yields_empty
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice
// CHECK:         scf.if
// CHECK:           linalg.exp {{.*}} outs(%[[SLICE]]
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[SLICE]]
func.func @yields_empty(%c: i1, %x: tensor<?xf32>, %all: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %slice = tensor.extract_slice %all[4] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%slice : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %empty : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @computes_in_empty
// CHECK-SAME:      %[[D:[^:]*]]: tensor<8xf32>)
// CHECK:         scf.if
// CHECK-NEXT:      scf.yield %[[D]]
// CHECK:         } else {
// CHECK-NEXT:      linalg.exp {{.*}} outs(%[[D]]
func.func @computes_in_empty(%c: i1, %x: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %d : tensor<8xf32>
  } else {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// The result has the sizes of the region that is taken.

// CHECK-LABEL: func @negative_sizes
// CHECK:         %[[EMPTY:.*]] = tensor.empty
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[EMPTY]]
func.func @negative_sizes(%c: i1, %x: tensor<?xf32>, %d: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %empty : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
