// Weights that do not fit into the cache of a core are computed again on CPUs, whatever
// that costs. Those that fit are stored.

// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-normalize --linalg-ext-fuse="target=cpu" 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOSS < %t

// LOSS-NOT: remark
// LOSS: remark: not fused: it does not pay: expected at most 8.00 FLOPs for each byte saved
// LOSS-NOT: remark

#qd = affine_map<(m, k, d) -> (m, d)>
#kd = affine_map<(m, k, d) -> (k, d)>
#mk = affine_map<(m, k, d) -> (m, k)>
#km = affine_map<(k, d, m) -> (m, k)>
#md = affine_map<(k, d, m) -> (m, d)>
#kd2 = affine_map<(k, d, m) -> (k, d)>

// CHECK-LABEL: func.func @values
// CHECK-NOT: linalg_ext.softmax
// CHECK: math.exp
func.func @values(%q: tensor<2048x64xf32>, %k: tensor<2048x64xf32>, %g: tensor<2048x64xf32>)
    -> tensor<2048x64xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2048x2048xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %s = linalg.generic {indexing_maps = [#qd, #kd, #mk],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2048x64xf32>, tensor<2048x64xf32>) outs(%sz : tensor<2048x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<2048x2048xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<2048x2048xf32>) outs(%se : tensor<2048x2048xf32>)
      -> tensor<2048x2048xf32>
  %ve = tensor.empty() : tensor<2048x64xf32>
  %vz = linalg.fill ins(%zero : f32) outs(%ve : tensor<2048x64xf32>) -> tensor<2048x64xf32>
  %v = linalg.generic {indexing_maps = [#km, #md, #kd2],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %g : tensor<2048x2048xf32>, tensor<2048x64xf32>) outs(%vz : tensor<2048x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<2048x64xf32>
  return %v : tensor<2048x64xf32>
}

// -----

#qd = affine_map<(m, k, d) -> (m, d)>
#kd = affine_map<(m, k, d) -> (k, d)>
#mk = affine_map<(m, k, d) -> (m, k)>
#km = affine_map<(k, d, m) -> (m, k)>
#md = affine_map<(k, d, m) -> (m, d)>
#kd2 = affine_map<(k, d, m) -> (k, d)>

// CHECK-LABEL: func.func @negative_values
// CHECK: linalg_ext.softmax
func.func @negative_values(%q: tensor<96x64xf32>, %k: tensor<128x64xf32>, %g: tensor<96x64xf32>)
    -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<96x128xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<96x128xf32>) -> tensor<96x128xf32>
  %s = linalg.generic {indexing_maps = [#qd, #kd, #mk],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<96x64xf32>, tensor<128x64xf32>) outs(%sz : tensor<96x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<96x128xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<96x128xf32>) outs(%se : tensor<96x128xf32>)
      -> tensor<96x128xf32>
  %ve = tensor.empty() : tensor<128x64xf32>
  %vz = linalg.fill ins(%zero : f32) outs(%ve : tensor<128x64xf32>) -> tensor<128x64xf32>
  %v = linalg.generic {indexing_maps = [#km, #md, #kd2],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %g : tensor<96x128xf32>, tensor<96x64xf32>) outs(%vz : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<128x64xf32>
  return %v : tensor<128x64xf32>
}
