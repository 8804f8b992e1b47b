// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-normalize --linalg-ext-fuse='target=gpu ways=sync,async,roles,persistent' | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-normalize --linalg-ext-fuse='target=gpu' | FileCheck %s --check-prefix=SYNC

#id = affine_map<(b, m, n) -> (b, m, n)>
#column = affine_map<(b, m, n) -> (n)>
#q = affine_map<(b, m, n, d) -> (b, m, d)>
#k = affine_map<(b, m, n, d) -> (b, n, d)>
#s = affine_map<(b, m, n, d) -> (b, m, n)>
#p = affine_map<(b, m, e, n) -> (b, m, n)>
#v = affine_map<(b, m, e, n) -> (b, n, e)>
#o = affine_map<(b, m, e, n) -> (b, m, e)>

// Threads have no registers for rows of 320 elements that they compute, beside results of 256
// columns: such rows are stored in front of asynchronous products.

// CHECK-LABEL: func @wide(
// CHECK:         arith.mulf
// CHECK:         scf.forall
// CHECK-NOT:     arith.mulf %{{.*}} : f16

// SYNC-LABEL:  func @wide(
// SYNC:          scf.forall
// SYNC:            arith.mulf %{{.*}} : f16
func.func @wide(%q: tensor<8x4096x320xf16>, %g: tensor<320xf16>, %k: tensor<8x4096x320xf16>, %v: tensor<8x4096x256xf16>) -> tensor<8x4096x256xf32> {
  %zero = arith.constant 0.0 : f32
  %qe = tensor.empty() : tensor<8x4096x320xf16>
  %qg = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q, %g : tensor<8x4096x320xf16>, tensor<320xf16>) outs(%qe : tensor<8x4096x320xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %r = arith.mulf %a, %b : f16
    linalg.yield %r : f16
  } -> tensor<8x4096x320xf16>
  %se = tensor.empty() : tensor<8x4096x4096xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x4096x4096xf32>) -> tensor<8x4096x4096xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%qg, %k : tensor<8x4096x320xf16>, tensor<8x4096x320xf16>) outs(%sf : tensor<8x4096x4096xf32>) -> tensor<8x4096x4096xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<8x4096x4096xf32>) outs(%se : tensor<8x4096x4096xf32>) -> tensor<8x4096x4096xf32>
  %pe = tensor.empty() : tensor<8x4096x4096xf16>
  %ph = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<8x4096x4096xf32>) outs(%pe : tensor<8x4096x4096xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x4096x4096xf16>
  %oe = tensor.empty() : tensor<8x4096x256xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4096x256xf32>) -> tensor<8x4096x256xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%ph, %v : tensor<8x4096x4096xf16>, tensor<8x4096x256xf16>) outs(%of : tensor<8x4096x256xf32>) -> tensor<8x4096x256xf32>
  return %o : tensor<8x4096x256xf32>
}

// They have for 256 elements.

// CHECK-LABEL: func @narrow(
// CHECK:         scf.forall
// CHECK:           arith.mulf %{{.*}} : f16

// SYNC-LABEL:  func @narrow(
// SYNC:          scf.forall
func.func @narrow(%q: tensor<8x4096x256xf16>, %g: tensor<256xf16>, %k: tensor<8x4096x256xf16>, %v: tensor<8x4096x256xf16>) -> tensor<8x4096x256xf32> {
  %zero = arith.constant 0.0 : f32
  %qe = tensor.empty() : tensor<8x4096x256xf16>
  %qg = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q, %g : tensor<8x4096x256xf16>, tensor<256xf16>) outs(%qe : tensor<8x4096x256xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %r = arith.mulf %a, %b : f16
    linalg.yield %r : f16
  } -> tensor<8x4096x256xf16>
  %se = tensor.empty() : tensor<8x4096x4096xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x4096x4096xf32>) -> tensor<8x4096x4096xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%qg, %k : tensor<8x4096x256xf16>, tensor<8x4096x256xf16>) outs(%sf : tensor<8x4096x4096xf32>) -> tensor<8x4096x4096xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<8x4096x4096xf32>) outs(%se : tensor<8x4096x4096xf32>) -> tensor<8x4096x4096xf32>
  %pe = tensor.empty() : tensor<8x4096x4096xf16>
  %ph = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<8x4096x4096xf32>) outs(%pe : tensor<8x4096x4096xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x4096x4096xf16>
  %oe = tensor.empty() : tensor<8x4096x256xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4096x256xf32>) -> tensor<8x4096x256xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%ph, %v : tensor<8x4096x4096xf16>, tensor<8x4096x256xf16>) outs(%of : tensor<8x4096x256xf32>) -> tensor<8x4096x256xf32>
  return %o : tensor<8x4096x256xf32>
}
