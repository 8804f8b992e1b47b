// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)" rescale-threshold=8 rescale-elements' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

// Each element of the accumulator is scaled, or is not. There is no branch for the tile.

// CHECK-LABEL: func.func @attention
//       CHECK: scf.for {{.*}} iter_args(%[[ACC:[^ ]*]] = 
//       CHECK:   %[[P:.*]]:4 = linalg_ext.softmax dimension(1) online delayed rescale_threshold(8.000000e+00)
//   CHECK-NOT:   scf.if
//       CHECK:   %[[SCALED:.*]] = linalg_ext.batch_matmul ins(%{{.*}}, %[[ACC]] :
//       CHECK:   %[[KEPT:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[SCALED]] : {{.*}}) outs(%[[ACC]] :
//  CHECK-NEXT:   ^bb0(%[[RHO:.*]]: f32, %[[NEW:.*]]: f32, %[[OLD:.*]]: f32):
//       CHECK:     %[[MOVED:.*]] = arith.cmpf une, %[[RHO]], %{{.*}}
//       CHECK:     arith.select %[[MOVED]], %[[NEW]], %[[OLD]]
//       CHECK:   linalg.matmul {{.*}} outs(%[[KEPT]] :
func.func @attention(
    %s: tensor<4x16xf32>, %v: tensor<16x8xf32>, %p0: tensor<4x16xf32>,
    %st: tensor<4xf32>, %o0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minf : f32) outs(%st : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%st : tensor<4xf32>) -> tensor<4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p:4 = linalg_ext.softmax dimension(1)
      ins(%s : tensor<4x16xf32>)
      outs(%p0, %m0, %l0, %st : tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %o = linalg.matmul {linalg_ext.root}
      ins(%p#0, %v : tensor<4x16xf32>, tensor<16x8xf32>)
      outs(%oz : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match attributes {linalg_ext.root} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(0, 0, 8)]
        {rescale_threshold = 8.0 : f64, rescale_elements}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
