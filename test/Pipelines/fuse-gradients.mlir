// Contractions that keep what a softmax reduces compute the weights from its final state.

// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="target=gpu report=all" 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="target=cpu force" \
// RUN:   | FileCheck %s --check-prefix=CPU

// The gradient of values. What is left of the softmax is a maximum and a sum, which are
// reduced online in loops of their own.

// REMARK: remark: fused: 'linalg.generic'
// REMARK: remark: fused: 'linalg.generic'

// CHECK-LABEL: func.func @values
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<640x64xf32>
// CHECK-NOT: linalg_ext.softmax
// CHECK: %[[STATE:[0-9]+]]:{{[23]}} = scf.forall
// CHECK: scf.for
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: tensor.parallel_insert_slice
// CHECK-NOT: tensor<640x768xf32>
// CHECK: scf.forall (%{{.*}}) = (0) to (768)
// CHECK-DAG: tensor.extract_slice %[[STATE]]#1[0] [640]
// CHECK-DAG: tensor.extract_slice %[[STATE]]#2[0] [640]
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: math.exp
// CHECK: return

// CPU-LABEL: func.func @values
// CPU-NOT: linalg_ext.softmax
// CPU: scf.forall
// CPU: scf.forall (%{{.*}}) = (0) to (768)
// CPU: math.exp
// CPU: return
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

// -----

// The caller wants the weights, so that they are in memory anyway.

// CHECK-LABEL: func.func @negative_returned
// CHECK-NOT: math.exp
// CHECK: return
#qd = affine_map<(m, k, d) -> (m, d)>
#kd = affine_map<(m, k, d) -> (k, d)>
#mk = affine_map<(m, k, d) -> (m, k)>
func.func @negative_returned(%q: tensor<640x64xf32>, %k: tensor<768x64xf32>, %g: tensor<640x64xf32>)
    -> (tensor<768x64xf32>, tensor<640x768xf32>) {
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
  return %o, %y#0 : tensor<768x64xf32>, tensor<640x768xf32>
}
