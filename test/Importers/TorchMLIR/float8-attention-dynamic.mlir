// Attention of f8 of any length, with a scale of each head, of any sign, which leaves the product of the
// scores. Values are scaled and converted once, in front. Tiles do not divide the lengths. By
// default, a number of rows that is not known may be that of decoding: a launch chooses between
// that and a kernel that converts values as it reads them, for which nothing is stored.

// RUN: linalg-ext-check-program %s --sizes=2x3x70x64,2x3x150x64,2x3x150x64,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=115200 --gpu-options="chip=sm_90a async-products=true key-subgroups=1"
// RUN: linalg-ext-check-program %s --sizes=1x3x170x64,1x3x150x64,1x3x150x64,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=57600 --gpu-options="chip=sm_90a async-products=true roles=true persistent-kernels=true"
// RUN: linalg-ext-check-program %s --sizes=1x3x1x64,1x3x77x64,1x3x77x64,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=29568 --gpu-options="chip=sm_90a async-products=true roles=true rotate-loops=true"
// RUN: linalg-ext-check-program %s --sizes=2x3x70x64,2x3x150x64,2x3x150x64,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=115200 --gpu-options=chip=sm_90a
// RUN: linalg-ext-check-program %s --sizes=2x3x70x64,2x3x50x64,2x3x50x64,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a report=all" -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT

// CHECK: k32.f32.e4m3.e4m3
// DEFAULT: kernel 0: async, {{.*}}, more than 3072 keys; roles, {{.*}}, up to 3072 keys; sync, {{.*}}, where converting operands of 8 bits in front takes longer

func.func @heads(%q: tensor<?x3x?x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<?x3x?x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<?x3x?x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %q_scale: tensor<3x1x1xf32> {check.draw = "uniform -0.5 0.5"}, %k_scale: tensor<3x1x1xf32> {check.draw = "uniform 0.25 0.5"}, %v_scale: tensor<3x1x1xf32> {check.draw = "uniform 0.25 0.5"}) -> tensor<?x3x?x64xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %nb = tensor.dim %q, %c0 : tensor<?x3x?x64xf8E4M3FN>
  %ns = tensor.dim %q, %c2 : tensor<?x3x?x64xf8E4M3FN>
  %nt = tensor.dim %k, %c2 : tensor<?x3x?x64xf8E4M3FN>
  %q_empty = tensor.empty(%nb, %ns) : tensor<?x3x?x64xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q, %q_scale : tensor<?x3x?x64xf8E4M3FN>, tensor<3x1x1xf32>) outs(%q_empty : tensor<?x3x?x64xf16>) {
  ^bb0(%in: f8E4M3FN, %s: f32, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<?x3x?x64xf16>
  %k_empty = tensor.empty(%nb, %nt) : tensor<?x3x?x64xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k, %k_scale : tensor<?x3x?x64xf8E4M3FN>, tensor<3x1x1xf32>) outs(%k_empty : tensor<?x3x?x64xf16>) {
  ^bb0(%in: f8E4M3FN, %s: f32, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<?x3x?x64xf16>
  %v_empty = tensor.empty(%nb, %nt) : tensor<?x3x?x64xf16>
  %v_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v, %v_scale : tensor<?x3x?x64xf8E4M3FN>, tensor<3x1x1xf32>) outs(%v_empty : tensor<?x3x?x64xf16>) {
  ^bb0(%in: f8E4M3FN, %s: f32, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<?x3x?x64xf16>
  %s_empty = tensor.empty(%nb, %ns, %nt) : tensor<?x3x?x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<?x3x?x64xf16>, tensor<?x3x?x64xf16>) outs(%s_zero : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
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
      ins(%p_narrow, %v_wide : tensor<?x3x?x?xf16>, tensor<?x3x?x64xf16>) outs(%o_zero : tensor<?x3x?x64xf32>) -> tensor<?x3x?x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<?x3x?x64xf32>) outs(%q_empty : tensor<?x3x?x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x3x?x64xf16>
  return %r : tensor<?x3x?x64xf16>
}
