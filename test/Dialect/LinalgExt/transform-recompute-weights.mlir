// Weights from the final state, by a transform script: the contraction that the gradient of
// values is can then be tiled along keys, with the maximum and the sum of whole rows in front.

// RUN: linalg-ext-opt %s -transform-interpreter -canonicalize -cse | FileCheck %s
// RUN: linalg-ext-opt %s | linalg-ext-opt | FileCheck %s --check-prefix=SYNTAX

// SYNTAX: transform.linalg_ext.recompute_weights %{{.*}} : (!transform.any_op) -> !transform.any_op

// CHECK-LABEL: func.func @values
// CHECK-NOT:   linalg_ext.softmax
// CHECK:       %[[MAX:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:         arith.maximumf
// CHECK:       math.exp
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:         arith.addf
// CHECK:       scf.forall (%{{.*}}) = (0) to (768) step (96)
// CHECK:         scf.for
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           math.exp
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:       } {gradient
#qd = affine_map<(m, k, d) -> (m, d)>
#kd = affine_map<(m, k, d) -> (k, d)>
#mk = affine_map<(m, k, d) -> (m, k)>
func.func @values(%q: tensor<640x64xf32>, %k: tensor<768x64xf32>, %g: tensor<640x64xf32>)
    -> tensor<768x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<640x768xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<640x768xf32>) -> tensor<640x768xf32>
  %s = linalg.generic {indexing_maps = [#qd, #kd, #mk],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<640x64xf32>, tensor<768x64xf32>) outs(%sz : tensor<640x768xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<640x768xf32>
  %re = tensor.empty() : tensor<640xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%re : tensor<640xf32>) -> tensor<640xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%re : tensor<640xf32>) -> tensor<640xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<640x768xf32>)
      outs(%se, %m0, %l0, %re : tensor<640x768xf32>, tensor<640xf32>, tensor<640xf32>,
           tensor<640xf32>)
      -> tensor<640x768xf32>, tensor<640xf32>, tensor<640xf32>, tensor<640xf32>
  %oe = tensor.empty() : tensor<768x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<768x64xf32>) -> tensor<768x64xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(k, d, m) -> (m, k)>,
                                        affine_map<(k, d, m) -> (m, d)>,
                                        affine_map<(k, d, m) -> (k, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y#0, %g : tensor<640x768xf32>, tensor<640x64xf32>) outs(%oz : tensor<768x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<768x64xf32>
  return %o : tensor<768x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %gradient = transform.linalg_ext.recompute_weights %softmax : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.linalg_ext.tile_and_fuse %gradient
        levels = [forall(96), for(0, 0, 64)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %loops#0 "gradient" : !transform.any_op
    transform.yield
  }
}
