// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-normalize --linalg-ext-fuse='target=gpu ways=sync,async,roles,persistent' | FileCheck %s

// Keys are values, too: one branch stores them, once. The loops are in branches.

// CHECK-LABEL: func @shared(
// CHECK:         %[[STORED:.*]] = scf.if
// CHECK:           arith.extf
// CHECK:         } else {
// CHECK:           tensor.empty
// CHECK:         }
// CHECK:         scf.if
// CHECK-NEXT:      scf.forall
// CHECK:         } else {
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        scf.forall
// CHECK:           } else {
// CHECK-NEXT:        scf.forall
// CHECK:         return
func.func @shared(%q: tensor<?x3x?x64xf16>, %k: tensor<?x3x?x64xf8E4M3FN>) -> tensor<?x3x?x64xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %nb = tensor.dim %q, %c0 : tensor<?x3x?x64xf16>
  %ns = tensor.dim %q, %c2 : tensor<?x3x?x64xf16>
  %nt = tensor.dim %k, %c2 : tensor<?x3x?x64xf8E4M3FN>
  %q_empty = tensor.empty(%nb, %ns) : tensor<?x3x?x64xf16>
  %k_empty = tensor.empty(%nb, %nt) : tensor<?x3x?x64xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<?x3x?x64xf8E4M3FN>) outs(%k_empty : tensor<?x3x?x64xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<?x3x?x64xf16>
  %s_empty = tensor.empty(%nb, %ns, %nt) : tensor<?x3x?x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q, %k_wide : tensor<?x3x?x64xf16>, tensor<?x3x?x64xf16>) outs(%s_zero : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x3x?x?xf32>) outs(%s_empty : tensor<?x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<?x3x?x?xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<?x3x?x?xf32>) outs(%s_empty : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %p_empty = tensor.empty(%nb, %ns, %nt) : tensor<?x3x?x?xf16>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<?x3x?x?xf32>) outs(%p_empty : tensor<?x3x?x?xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x3x?x?xf16>
  %o_empty = tensor.empty(%nb, %ns) : tensor<?x3x?x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<?x3x?x64xf32>) -> tensor<?x3x?x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %k_wide : tensor<?x3x?x?xf16>, tensor<?x3x?x64xf16>) outs(%o_zero : tensor<?x3x?x64xf32>) -> tensor<?x3x?x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<?x3x?x64xf32>) outs(%q_empty : tensor<?x3x?x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x3x?x64xf16>
  return %r : tensor<?x3x?x64xf16>
}
