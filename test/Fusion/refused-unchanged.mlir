// RUN: linalg-ext-opt %s > %t.before
// RUN: linalg-ext-opt %s -transform-interpreter > %t.after
// RUN: diff %t.before %t.after
//
// RUN: not linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="forall(2,0,4)"' -mlir-print-ir-after-failure -mlir-disable-threading 2>&1 \
// RUN:   | FileCheck %s

// What is refused leaves the IR as it was, whatever refuses it: levels, the plan,
// or, in a dry run on a copy, the application.

// CHECK: error: cannot tile and fuse
// CHECK: IR Dump After LinalgExtTileAndFusePass Failed

// CHECK-LABEL: func.func @levels
//  CHECK-NEXT:   linalg.matmul
//  CHECK-NEXT:   return
func.func @levels(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

func.func @plan(%x: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %0:4 = linalg_ext.softmax dimension(1) {linalg_ext.root} ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}

func.func @application(%v: tensor<4x8xf32>, %d: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %0 = linalg_ext.diag {linalg_ext.root} ins(%v : tensor<4x8xf32>) outs(%d : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %0 : tensor<4x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %root = transform.structured.match ops{["linalg.matmul"]} in %arg : (!transform.any_op) -> !transform.any_op
      %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [forall(0, 0, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %root = transform.structured.match ops{["linalg_ext.softmax"]} in %arg : (!transform.any_op) -> !transform.any_op
      %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [for(2, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %root = transform.structured.match ops{["linalg_ext.diag"]} in %arg : (!transform.any_op) -> !transform.any_op
      %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [for(2), for(0, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
