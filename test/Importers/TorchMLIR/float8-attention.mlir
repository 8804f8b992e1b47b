// Attention of f8: causal in f8E5M2 with heads of 80, with a scale of each tensor and heads of
// 256, whose scores are two sums of 128 products, and two queries a key, of which the last
// tiles of keys are masked. Values are converted once, in front.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=102400 --gpu-options="chip=sm_90a async-products=true key-subgroups=1"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=4 --max-buffer-bytes=102400 --gpu-options="chip=sm_90a async-products=true key-subgroups=1 f8-products=f16"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=76800 --gpu-options="chip=sm_89"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true key-subgroups=1" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true key-subgroups=1 f8-products=f16" | FileCheck %s --check-prefix=F16

// CHECK-DAG: k32.f32.e5m2.e5m2
// CHECK-DAG: k16.f32.bf16.bf16
// CHECK-DAG: k32.f32.e4m3.e4m3
// CHECK-DAG: k16.f32.f16.f16
// F16-NOT: k32.f32

func.func @causal(%q: tensor<1x2x90x80xf8E5M2> {check.draw = "uniform -2 2"}, %k: tensor<1x2x90x80xf8E5M2> {check.draw = "uniform -2 2"}, %v: tensor<1x2x90x80xf8E5M2> {check.draw = "uniform -2 2"}) -> tensor<1x2x90x80xbf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.11180339887498948 : f32
  %q_empty = tensor.empty() : tensor<1x2x90x80xbf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x2x90x80xf8E5M2>) outs(%q_empty : tensor<1x2x90x80xbf16>) {
  ^bb0(%in: f8E5M2, %out: bf16):
    %0 = arith.extf %in : f8E5M2 to bf16
    linalg.yield %0 : bf16
  } -> tensor<1x2x90x80xbf16>
  %k_empty = tensor.empty() : tensor<1x2x90x80xbf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x2x90x80xf8E5M2>) outs(%k_empty : tensor<1x2x90x80xbf16>) {
  ^bb0(%in: f8E5M2, %out: bf16):
    %0 = arith.extf %in : f8E5M2 to bf16
    linalg.yield %0 : bf16
  } -> tensor<1x2x90x80xbf16>
  %v_empty = tensor.empty() : tensor<1x2x90x80xbf16>
  %v_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x2x90x80xf8E5M2>) outs(%v_empty : tensor<1x2x90x80xbf16>) {
  ^bb0(%in: f8E5M2, %out: bf16):
    %0 = arith.extf %in : f8E5M2 to bf16
    linalg.yield %0 : bf16
  } -> tensor<1x2x90x80xbf16>
  %s_empty = tensor.empty() : tensor<1x2x90x90xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x2x90x90xf32>) -> tensor<1x2x90x90xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x2x90x80xbf16>, tensor<1x2x90x80xbf16>) outs(%s_zero : tensor<1x2x90x90xf32>) -> tensor<1x2x90x90xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x2x90x90xf32>) outs(%s_empty : tensor<1x2x90x90xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %m = linalg.index 2 : index
    %n = linalg.index 3 : index
    %ok = arith.cmpi sle, %n, %m : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x90x90xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<1x2x90x90xf32>) outs(%s_empty : tensor<1x2x90x90xf32>) -> tensor<1x2x90x90xf32>
  %p_empty = tensor.empty() : tensor<1x2x90x90xbf16>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x2x90x90xf32>) outs(%p_empty : tensor<1x2x90x90xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<1x2x90x90xbf16>
  %o_empty = tensor.empty() : tensor<1x2x90x80xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x2x90x80xf32>) -> tensor<1x2x90x80xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %v_wide : tensor<1x2x90x90xbf16>, tensor<1x2x90x80xbf16>) outs(%o_zero : tensor<1x2x90x80xf32>) -> tensor<1x2x90x80xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x90x80xf32>) outs(%q_empty : tensor<1x2x90x80xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<1x2x90x80xbf16>
  return %r : tensor<1x2x90x80xbf16>
}

func.func @wide(%q: tensor<1x1x70x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<1x1x150x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x1x150x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %q_scale: f32 {check.draw = "uniform 0.25 0.5"}, %k_scale: f32 {check.draw = "uniform 0.25 0.5"}, %v_scale: f32 {check.draw = "uniform 0.25 0.5"}) -> tensor<1x1x70x256xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.0625 : f32
  %q_empty = tensor.empty() : tensor<1x1x70x256xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x1x70x256xf8E4M3FN>) outs(%q_empty : tensor<1x1x70x256xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %q_scale : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x1x70x256xf16>
  %k_empty = tensor.empty() : tensor<1x1x150x256xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x1x150x256xf8E4M3FN>) outs(%k_empty : tensor<1x1x150x256xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %k_scale : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x1x150x256xf16>
  %v_empty = tensor.empty() : tensor<1x1x150x256xf16>
  %v_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x1x150x256xf8E4M3FN>) outs(%v_empty : tensor<1x1x150x256xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %v_scale : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x1x150x256xf16>
  %s_empty = tensor.empty() : tensor<1x1x70x150xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x1x70x150xf32>) -> tensor<1x1x70x150xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x1x70x256xf16>, tensor<1x1x150x256xf16>) outs(%s_zero : tensor<1x1x70x150xf32>) -> tensor<1x1x70x150xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x1x70x150xf32>) outs(%s_empty : tensor<1x1x70x150xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x70x150xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<1x1x70x150xf32>) outs(%s_empty : tensor<1x1x70x150xf32>) -> tensor<1x1x70x150xf32>
  %p_empty = tensor.empty() : tensor<1x1x70x150xf16>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x1x70x150xf32>) outs(%p_empty : tensor<1x1x70x150xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x150xf16>
  %o_empty = tensor.empty() : tensor<1x1x70x256xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x1x70x256xf32>) -> tensor<1x1x70x256xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %v_wide : tensor<1x1x70x150xf16>, tensor<1x1x150x256xf16>) outs(%o_zero : tensor<1x1x70x256xf32>) -> tensor<1x1x70x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x1x70x256xf32>) outs(%q_empty : tensor<1x1x70x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x256xf16>
  return %r : tensor<1x1x70x256xf16>
}

func.func @grouped(%q: tensor<1x2x2x70x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<1x2x200x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x2x200x128xf8E4M3FN> {check.draw = "uniform -2 2"}) -> tensor<1x2x2x70x128xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.08838834764831845 : f32
  %q_empty = tensor.empty() : tensor<1x2x2x70x128xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x2x2x70x128xf8E4M3FN>) outs(%q_empty : tensor<1x2x2x70x128xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x2x70x128xf16>
  %k_empty = tensor.empty() : tensor<1x2x200x128xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x2x200x128xf8E4M3FN>) outs(%k_empty : tensor<1x2x200x128xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x200x128xf16>
  %v_empty = tensor.empty() : tensor<1x2x200x128xf16>
  %v_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x2x200x128xf8E4M3FN>) outs(%v_empty : tensor<1x2x200x128xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x200x128xf16>
  %s_empty = tensor.empty() : tensor<1x2x2x70x200xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x2x2x70x200xf32>) -> tensor<1x2x2x70x200xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, g, m, n, k) -> (b, h, g, m, k)>, affine_map<(b, h, g, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, g, m, n, k) -> (b, h, g, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x2x2x70x128xf16>, tensor<1x2x200x128xf16>) outs(%s_zero : tensor<1x2x2x70x200xf32>) -> tensor<1x2x2x70x200xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x2x2x70x200xf32>) outs(%s_empty : tensor<1x2x2x70x200xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %m = linalg.index 3 : index
    %n = linalg.index 4 : index
    %end = arith.constant 50 : index
    %ok = arith.cmpi slt, %n, %end : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x2x70x200xf32>
  %p = linalg.softmax dimension(4) ins(%scaled : tensor<1x2x2x70x200xf32>) outs(%s_empty : tensor<1x2x2x70x200xf32>) -> tensor<1x2x2x70x200xf32>
  %p_empty = tensor.empty() : tensor<1x2x2x70x200xf16>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x2x2x70x200xf32>) outs(%p_empty : tensor<1x2x2x70x200xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x2x70x200xf16>
  %o_empty = tensor.empty() : tensor<1x2x2x70x128xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x2x2x70x128xf32>) -> tensor<1x2x2x70x128xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, g, m, d, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, g, m, d, n) -> (b, h, g, m, d)>]
      ins(%p_narrow, %v_wide : tensor<1x2x2x70x200xf16>, tensor<1x2x200x128xf16>) outs(%o_zero : tensor<1x2x2x70x128xf32>) -> tensor<1x2x2x70x128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, d) -> (b, h, g, m, d)>, affine_map<(b, h, g, m, d) -> (b, h, g, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x2x70x128xf32>) outs(%q_empty : tensor<1x2x2x70x128xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x2x70x128xf16>
  return %r : tensor<1x2x2x70x128xf16>
}
