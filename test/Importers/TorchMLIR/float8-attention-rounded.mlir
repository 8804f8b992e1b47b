// An option rounds the weights to f8. The weights of a row are equal here, so rounding is exact.
// A causal mask makes the result depend on which values they multiply. The values are transposed
// before the attention, and scaled after the product. Heads of 256 elements keep f16: there are no
// registers for the results of one iteration.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=81920 --gpu-options="chip=sm_90a async-products=true key-subgroups=1 f8-products=rounded"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true key-subgroups=1 f8-products=rounded" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true key-subgroups=1" | FileCheck %s --check-prefix=DEFAULT

// CHECK-NOT: m64n64k16
// CHECK-NOT: m64n128k16
// CHECK: m64n256k16.f32.f16
// CHECK-NOT: m64n64k16
// CHECK-NOT: m64n128k16
// DEFAULT-DAG: m64n64k16.f32.f16
// DEFAULT-DAG: m64n128k16.f32.f16

func.func @mean(%q: tensor<1x2x90x64xf8E4M3FN> {check.draw = "uniform 0 0"}, %k: tensor<1x2x96x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x2x96x64xf8E4M3FN> {check.draw = "uniform -2 2"}) -> tensor<1x2x90x64xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %q_empty = tensor.empty() : tensor<1x2x90x64xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x2x90x64xf8E4M3FN>) outs(%q_empty : tensor<1x2x90x64xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x90x64xf16>
  %k_empty = tensor.empty() : tensor<1x2x96x64xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x2x96x64xf8E4M3FN>) outs(%k_empty : tensor<1x2x96x64xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x96x64xf16>
  %v_empty = tensor.empty() : tensor<1x2x96x64xf16>
  %v_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x2x96x64xf8E4M3FN>) outs(%v_empty : tensor<1x2x96x64xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x96x64xf16>
  %s_empty = tensor.empty() : tensor<1x2x90x96xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x2x90x96xf32>) -> tensor<1x2x90x96xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x2x90x64xf16>, tensor<1x2x96x64xf16>) outs(%s_zero : tensor<1x2x90x96xf32>) -> tensor<1x2x90x96xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x2x90x96xf32>) outs(%s_empty : tensor<1x2x90x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %m = linalg.index 2 : index
    %n = linalg.index 3 : index
    %ok = arith.cmpi sle, %n, %m : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x90x96xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<1x2x90x96xf32>) outs(%s_empty : tensor<1x2x90x96xf32>) -> tensor<1x2x90x96xf32>
  %p_empty = tensor.empty() : tensor<1x2x90x96xf16>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x2x90x96xf32>) outs(%p_empty : tensor<1x2x90x96xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x90x96xf16>
  %o_empty = tensor.empty() : tensor<1x2x90x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x2x90x64xf32>) -> tensor<1x2x90x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %v_wide : tensor<1x2x90x96xf16>, tensor<1x2x96x64xf16>) outs(%o_zero : tensor<1x2x90x64xf32>) -> tensor<1x2x90x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x90x64xf32>) outs(%q_empty : tensor<1x2x90x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x90x64xf16>
  return %r : tensor<1x2x90x64xf16>
}

func.func @scaled(%q: tensor<1x2x70x128xf8E4M3FN> {check.draw = "uniform 0 0"}, %k: tensor<1x2x160x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x2x160x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %q_scale: tensor<2x1x1xf32> {check.draw = "uniform 0.25 0.5"}, %k_scale: tensor<2x1x1xf32> {check.draw = "uniform 0.25 0.5"}, %v_scale: tensor<2x1x1xf32> {check.draw = "uniform 0.25 0.5"}) -> tensor<1x2x70x128xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.08838834764831845 : f32
  %q_empty = tensor.empty() : tensor<1x2x70x128xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q, %q_scale : tensor<1x2x70x128xf8E4M3FN>, tensor<2x1x1xf32>) outs(%q_empty : tensor<1x2x70x128xf16>) {
  ^bb0(%in: f8E4M3FN, %s: f32, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x2x70x128xf16>
  %k_empty = tensor.empty() : tensor<1x2x160x128xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k, %k_scale : tensor<1x2x160x128xf8E4M3FN>, tensor<2x1x1xf32>) outs(%k_empty : tensor<1x2x160x128xf16>) {
  ^bb0(%in: f8E4M3FN, %s: f32, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x2x160x128xf16>
  %v_empty = tensor.empty() : tensor<1x2x160x128xf16>
  %v_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v, %v_scale : tensor<1x2x160x128xf8E4M3FN>, tensor<2x1x1xf32>) outs(%v_empty : tensor<1x2x160x128xf16>) {
  ^bb0(%in: f8E4M3FN, %s: f32, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<1x2x160x128xf16>
  %s_empty = tensor.empty() : tensor<1x2x70x160xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x2x70x160xf32>) -> tensor<1x2x70x160xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x2x70x128xf16>, tensor<1x2x160x128xf16>) outs(%s_zero : tensor<1x2x70x160xf32>) -> tensor<1x2x70x160xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x2x70x160xf32>) outs(%s_empty : tensor<1x2x70x160xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %m = linalg.index 2 : index
    %n = linalg.index 3 : index
    %ok = arith.cmpi sle, %n, %m : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x70x160xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<1x2x70x160xf32>) outs(%s_empty : tensor<1x2x70x160xf32>) -> tensor<1x2x70x160xf32>
  %p_empty = tensor.empty() : tensor<1x2x70x160xf16>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x2x70x160xf32>) outs(%p_empty : tensor<1x2x70x160xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x70x160xf16>
  %o_empty = tensor.empty() : tensor<1x2x70x128xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x2x70x128xf32>) -> tensor<1x2x70x128xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %v_wide : tensor<1x2x70x160xf16>, tensor<1x2x160x128xf16>) outs(%o_zero : tensor<1x2x70x128xf32>) -> tensor<1x2x70x128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x70x128xf32>) outs(%q_empty : tensor<1x2x70x128xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x70x128xf16>
  return %r : tensor<1x2x70x128xf16>
}

func.func @wide(%q: tensor<1x1x70x256xf8E4M3FN> {check.draw = "uniform 0 0"}, %k: tensor<1x1x160x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x1x160x256xf8E4M3FN> {check.draw = "uniform -2 2"}) -> tensor<1x1x70x256xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.0625 : f32
  %q_empty = tensor.empty() : tensor<1x1x70x256xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x1x70x256xf8E4M3FN>) outs(%q_empty : tensor<1x1x70x256xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x256xf16>
  %k_empty = tensor.empty() : tensor<1x1x160x256xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x1x160x256xf8E4M3FN>) outs(%k_empty : tensor<1x1x160x256xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x160x256xf16>
  %v_empty = tensor.empty() : tensor<1x1x160x256xf16>
  %v_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x1x160x256xf8E4M3FN>) outs(%v_empty : tensor<1x1x160x256xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x160x256xf16>
  %s_empty = tensor.empty() : tensor<1x1x70x160xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x1x70x160xf32>) -> tensor<1x1x70x160xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x1x70x256xf16>, tensor<1x1x160x256xf16>) outs(%s_zero : tensor<1x1x70x160xf32>) -> tensor<1x1x70x160xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x1x70x160xf32>) outs(%s_empty : tensor<1x1x70x160xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x70x160xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<1x1x70x160xf32>) outs(%s_empty : tensor<1x1x70x160xf32>) -> tensor<1x1x70x160xf32>
  %p_empty = tensor.empty() : tensor<1x1x70x160xf16>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x1x70x160xf32>) outs(%p_empty : tensor<1x1x70x160xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x160xf16>
  %o_empty = tensor.empty() : tensor<1x1x70x256xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x1x70x256xf32>) -> tensor<1x1x70x256xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %v_wide : tensor<1x1x70x160xf16>, tensor<1x1x160x256xf16>) outs(%o_zero : tensor<1x1x70x256xf32>) -> tensor<1x1x70x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x1x70x256xf32>) outs(%q_empty : tensor<1x1x70x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x256xf16>
  return %r : tensor<1x1x70x256xf16>
}
