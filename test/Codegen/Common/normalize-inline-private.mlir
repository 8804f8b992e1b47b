// RUN: linalg-ext-opt %s --linalg-ext-normalize='inline-private patterns=drop-kept-dims' --split-input-file | FileCheck %s --implicit-check-not=@gone

// A private function is inlined, also one that another one calls.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:    %[[S:.*]] = math.sqrt %[[E]]
// CHECK-NEXT:    return %[[S]]
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = call @gone_outer(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func private @gone_outer(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %e = call @gone_inner(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = math.sqrt %e : tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
func.func private @gone_inner(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %e = math.exp %x : tensor<?x4xf32>
  return %e : tensor<?x4xf32>
}

// -----

// The body of a loop calls a function.

// CHECK-LABEL: func.func @in_a_loop(
// CHECK:         scf.for
// CHECK-NEXT:      %[[E:.*]] = math.exp
// CHECK-NEXT:      scf.yield %[[E]]
func.func @in_a_loop(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %x) -> tensor<?x4xf32> {
    %e = func.call @gone(%last) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %e : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}
func.func private @gone(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %e = math.exp %x : tensor<?x4xf32>
  return %e : tensor<?x4xf32>
}

// -----

// Public functions, external ones, recursive ones, and those with no_inline stay.

// CHECK-LABEL: func.func @negative(
// CHECK-NEXT:    call @public(
// CHECK-NEXT:    call @external(
// CHECK-NEXT:    call @recursive(
// CHECK-NEXT:    call @kept(
// CHECK-NEXT:    return
func.func @negative(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @public(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @external(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = call @recursive(%1) : (tensor<?xf32>) -> tensor<?xf32>
  %3 = call @kept(%2) : (tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
// CHECK: func.func @public(
func.func @public(%x: tensor<?xf32>) -> tensor<?xf32> {
  %e = math.exp %x : tensor<?xf32>
  return %e : tensor<?xf32>
}
// CHECK: func.func private @external(
func.func private @external(tensor<?xf32>) -> tensor<?xf32>
// CHECK: func.func private @recursive(
// CHECK:   call @recursive(
func.func private @recursive(%x: tensor<?xf32>) -> tensor<?xf32> {
  %e = call @recursive(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %e : tensor<?xf32>
}
// CHECK: func.func private @kept(
func.func private @kept(%x: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %e = math.exp %x : tensor<?xf32>
  return %e : tensor<?xf32>
}
