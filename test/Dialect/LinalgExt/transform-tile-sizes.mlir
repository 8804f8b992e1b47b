// Tile sizes that are operands, one for all roots or one for each, and roots that
// are siblings.
//
// RUN: linalg-ext-opt %s -split-input-file -transform-interpreter -canonicalize -cse | FileCheck %s
// RUN: linalg-ext-opt %s -split-input-file | linalg-ext-opt -split-input-file | FileCheck %s --check-prefix=SYNTAX

// CHECK-LABEL: func.func @one_for_each
//  CHECK-SAME:   %[[M:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
//       CHECK:   %[[A:.*]] = arith.addi %[[M]], %[[N]]
//       CHECK:   %[[B:.*]] = arith.muli %[[M]], %[[N]]
//       CHECK:   scf.for %{{.*}} step %[[A]]
//       CHECK:     scf.for %{{.*}} step %c3
//       CHECK:   scf.for %{{.*}} step %[[B]]
//       CHECK:     scf.for %{{.*}} step %c3
//
// SYNTAX-LABEL: func.func @one_for_each
//       SYNTAX: levels = [for(%{{.*}}), for(0, 0, %{{.*}})] : (!transform.any_op, !transform.any_op, !transform.param<i64>) ->
func.func @one_for_each(%a: tensor<8x8xf32>, %m: index, %n: index) -> tensor<8x8xf32> {
  %sum = arith.addi %m, %n {size} : index
  %product = arith.muli %m, %n {size} : index
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %sizes = transform.structured.match attributes {size} in %m : (!transform.any_op) -> !transform.any_op
    %three = transform.param.constant 3 : i64 -> !transform.param<i64>
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [for(%sizes), for(0, 0, %three)]
        : (!transform.any_op, !transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The second root is in the loop of the first: there is one, and one handle. Its
// accumulator is narrow, so that another op takes its place.
// CHECK-LABEL: func.func @siblings
//       CHECK:   scf.for
//       CHECK:     linalg_ext.softmax
//   CHECK-NOT:   scf.for
//       CHECK:   } {first}
//   CHECK-NOT:   scf.for
//       CHECK:   return
func.func @siblings(%s: tensor<6x10xf16>, %v: tensor<10x5xf16>, %w: tensor<10x3xf16>) -> (tensor<6x5xf16>, tensor<6x3xf16>) {
  %zero = arith.constant 0.0 : f16
  %pe = tensor.empty() : tensor<6x10xf16>
  %p = linalg.softmax dimension(1) ins(%s : tensor<6x10xf16>) outs(%pe : tensor<6x10xf16>) -> tensor<6x10xf16>
  %ae = tensor.empty() : tensor<6x5xf16>
  %a0 = linalg.fill ins(%zero : f16) outs(%ae : tensor<6x5xf16>) -> tensor<6x5xf16>
  %a = linalg.matmul {linalg_ext.root} ins(%p, %v : tensor<6x10xf16>, tensor<10x5xf16>) outs(%a0 : tensor<6x5xf16>) -> tensor<6x5xf16>
  %be = tensor.empty() : tensor<6x3xf16>
  %b0 = linalg.fill ins(%zero : f16) outs(%be : tensor<6x3xf16>) -> tensor<6x3xf16>
  %b = linalg.matmul {linalg_ext.root} ins(%p, %w : tensor<6x10xf16>, tensor<10x3xf16>) outs(%b0 : tensor<6x3xf16>) -> tensor<6x3xf16>
  return %a, %b : tensor<6x5xf16>, tensor<6x3xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.raise %f : !transform.any_op
    %roots = transform.structured.match attributes {linalg_ext.root} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %roots levels = [for(0, 0, 4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %l "first" : !transform.any_op
    transform.yield
  }
}

// -----

// Chunks of a size that is known at run time.
// CHECK-LABEL: func.func @split
//  CHECK-SAME:   %[[SIZE:[a-z0-9]+]]: index
//       CHECK:   %[[CHUNK:.*]] = arith.addi %[[SIZE]], %[[SIZE]]
//       CHECK:   %[[COUNT:.*]] = affine.apply #{{.*}}()[%[[CHUNK]]]
//       CHECK:   %[[SLOTS:.*]] = bufferization.alloc_tensor(%[[COUNT]]) : tensor<?x8x8xf32>
//       CHECK:   scf.forall {{.*}} step (%[[CHUNK]]) shared_outs(%{{.*}} = %[[SLOTS]])
//       CHECK:   scf.for {{.*}} to %[[COUNT]]
func.func @split(%a: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %size = arith.addi %n, %n {size} : index
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match attributes {size} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [split(0, 0, %size)]
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
