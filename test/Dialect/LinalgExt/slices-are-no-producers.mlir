// RUN: mlir-opt --load-dialect-plugin=%plugin %s -transform-interpreter | FileCheck %s

// Upstream's driver, a second time within its own loops, with the reduction cut:
// the accumulator comes from the inner loop. Were tensor.extract_slice tilable,
// the driver would take the slice it has made of the accumulator for a producer
// and start each iteration from the outer loop's (as it does for any producer of
// an init), so that all but the last product would be lost.

// CHECK-LABEL: func @tiled_twice
//       CHECK:   scf.for
//       CHECK:     scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]+]] =
//       CHECK:       %[[SLICE:[a-z0-9_]+]] = tensor.extract_slice %[[ACC]]
//       CHECK:       linalg.matmul {{.*}} outs(%[[SLICE]]
func.func @tiled_twice(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %u, %k = transform.structured.fuse %t tile_sizes [0, 0, 2] interchange [0, 1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
