// Attention whose weights the program itself rounds to f8, times 2^8: both products are of f8.
// Values have keys last, or are transposed in front. Registers of weights are exchanged
// between lanes, and threads add the results of each iteration.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=18432 --gpu-options="chip=sm_90a async-products=true key-subgroups=1"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=36864 --gpu-options="chip=sm_89"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true key-subgroups=1" | FileCheck %s

// CHECK-NOT: k16.f32
// CHECK-DAG: k32.f32.e5m2.e5m2
// CHECK-DAG: k32.f32.e4m3.e4m3
// CHECK-NOT: k16.f32

func.func @causal(%q: tensor<1x2x90x80xf8E5M2> {check.draw = "uniform -2 2"}, %k: tensor<1x2x112x80xf8E5M2> {check.draw = "uniform -2 2"}, %v: tensor<1x2x80x112xf8E5M2> {check.draw = "uniform -2 2"}) -> tensor<1x2x90x80xf16> {
  %factor = arith.constant 2.560000e+02 : f32
  %back = arith.constant 0.00390625 : f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.11180339887498948 : f32
  %q_empty = tensor.empty() : tensor<1x2x90x80xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x2x90x80xf8E5M2>) outs(%q_empty : tensor<1x2x90x80xf16>) {
  ^bb0(%in: f8E5M2, %out: f16):
    %0 = arith.extf %in : f8E5M2 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x90x80xf16>
  %k_empty = tensor.empty() : tensor<1x2x112x80xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x2x112x80xf8E5M2>) outs(%k_empty : tensor<1x2x112x80xf16>) {
  ^bb0(%in: f8E5M2, %out: f16):
    %0 = arith.extf %in : f8E5M2 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x112x80xf16>
  %s_empty = tensor.empty() : tensor<1x2x90x112xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x2x90x112xf32>) -> tensor<1x2x90x112xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x2x90x80xf16>, tensor<1x2x112x80xf16>) outs(%s_zero : tensor<1x2x90x112xf32>) -> tensor<1x2x90x112xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x2x90x112xf32>) outs(%s_empty : tensor<1x2x90x112xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %m = linalg.index 2 : index
    %n = linalg.index 3 : index
    %ok = arith.cmpi sle, %n, %m : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x90x112xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<1x2x90x112xf32>) outs(%s_empty : tensor<1x2x90x112xf32>) -> tensor<1x2x90x112xf32>
  %p_empty = tensor.empty() : tensor<1x2x90x112xf8E5M2>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x2x90x112xf32>) outs(%p_empty : tensor<1x2x90x112xf8E5M2>) {
  ^bb0(%in: f32, %out: f8E5M2):
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.truncf %0 : f32 to f8E5M2
    linalg.yield %1 : f8E5M2
  } -> tensor<1x2x90x112xf8E5M2>
  %o_empty = tensor.empty() : tensor<1x2x90x80xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x2x90x80xf32>) -> tensor<1x2x90x80xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, d, n)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %v : tensor<1x2x90x112xf8E5M2>, tensor<1x2x80x112xf8E5M2>) outs(%o_zero : tensor<1x2x90x80xf32>) -> tensor<1x2x90x80xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x90x80xf32>) outs(%q_empty : tensor<1x2x90x80xf16>) {
  ^bb0(%in: f32, %out: f16):
    %1 = arith.mulf %in, %back : f32
    %0 = arith.truncf %1 : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x90x80xf16>
  return %r : tensor<1x2x90x80xf16>
}

func.func @grouped(%q: tensor<1x2x2x70x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<1x2x208x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x2x64x208xf8E4M3FN> {check.draw = "uniform -2 2"}) -> tensor<1x2x2x70x64xf16> {
  %factor = arith.constant 2.560000e+02 : f32
  %back = arith.constant 0.00390625 : f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %q_empty = tensor.empty() : tensor<1x2x2x70x64xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x2x2x70x64xf8E4M3FN>) outs(%q_empty : tensor<1x2x2x70x64xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x2x70x64xf16>
  %k_empty = tensor.empty() : tensor<1x2x208x64xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x2x208x64xf8E4M3FN>) outs(%k_empty : tensor<1x2x208x64xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x208x64xf16>
  %s_empty = tensor.empty() : tensor<1x2x2x70x208xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x2x2x70x208xf32>) -> tensor<1x2x2x70x208xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, g, m, n, k) -> (b, h, g, m, k)>, affine_map<(b, h, g, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, g, m, n, k) -> (b, h, g, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x2x2x70x64xf16>, tensor<1x2x208x64xf16>) outs(%s_zero : tensor<1x2x2x70x208xf32>) -> tensor<1x2x2x70x208xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x2x2x70x208xf32>) outs(%s_empty : tensor<1x2x2x70x208xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %m = linalg.index 3 : index
    %n = linalg.index 4 : index
    %end = arith.constant 50 : index
    %ok = arith.cmpi slt, %n, %end : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x2x70x208xf32>
  %p = linalg.softmax dimension(4) ins(%scaled : tensor<1x2x2x70x208xf32>) outs(%s_empty : tensor<1x2x2x70x208xf32>) -> tensor<1x2x2x70x208xf32>
  %p_empty = tensor.empty() : tensor<1x2x2x70x208xf8E4M3FN>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x2x2x70x208xf32>) outs(%p_empty : tensor<1x2x2x70x208xf8E4M3FN>) {
  ^bb0(%in: f32, %out: f8E4M3FN):
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.truncf %0 : f32 to f8E4M3FN
    linalg.yield %1 : f8E4M3FN
  } -> tensor<1x2x2x70x208xf8E4M3FN>
  %o_empty = tensor.empty() : tensor<1x2x2x70x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x2x2x70x64xf32>) -> tensor<1x2x2x70x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, g, m, d, n) -> (b, h, g, m, n)>, affine_map<(b, h, g, m, d, n) -> (b, h, d, n)>, affine_map<(b, h, g, m, d, n) -> (b, h, g, m, d)>]
      ins(%p_narrow, %v : tensor<1x2x2x70x208xf8E4M3FN>, tensor<1x2x64x208xf8E4M3FN>) outs(%o_zero : tensor<1x2x2x70x64xf32>) -> tensor<1x2x2x70x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, g, m, d) -> (b, h, g, m, d)>, affine_map<(b, h, g, m, d) -> (b, h, g, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x2x70x64xf32>) outs(%q_empty : tensor<1x2x2x70x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %1 = arith.mulf %in, %back : f32
    %0 = arith.truncf %1 : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x2x2x70x64xf16>
  return %r : tensor<1x2x2x70x64xf16>
}

func.func @rows(%q: tensor<1x1x70x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<1x1x144x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x1x144x128xf8E4M3FN> {check.draw = "uniform -2 2"}) -> tensor<1x1x70x128xf16> {
  %factor = arith.constant 2.560000e+02 : f32
  %back = arith.constant 0.00390625 : f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.08838834764831845 : f32
  %q_empty = tensor.empty() : tensor<1x1x70x128xf16>
  %q_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x1x70x128xf8E4M3FN>) outs(%q_empty : tensor<1x1x70x128xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x128xf16>
  %k_empty = tensor.empty() : tensor<1x1x144x128xf16>
  %k_wide = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x1x144x128xf8E4M3FN>) outs(%k_empty : tensor<1x1x144x128xf16>) {
  ^bb0(%in: f8E4M3FN, %out: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x144x128xf16>
  %s_empty = tensor.empty() : tensor<1x1x70x144xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<1x1x70x144xf32>) -> tensor<1x1x70x144xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q_wide, %k_wide : tensor<1x1x70x128xf16>, tensor<1x1x144x128xf16>) outs(%s_zero : tensor<1x1x70x144xf32>) -> tensor<1x1x70x144xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x1x70x144xf32>) outs(%s_empty : tensor<1x1x70x144xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x70x144xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<1x1x70x144xf32>) outs(%s_empty : tensor<1x1x70x144xf32>) -> tensor<1x1x70x144xf32>
  %p_empty = tensor.empty() : tensor<1x1x70x144xf8E4M3FN>
  %p_narrow = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x1x70x144xf32>) outs(%p_empty : tensor<1x1x70x144xf8E4M3FN>) {
  ^bb0(%in: f32, %out: f8E4M3FN):
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.truncf %0 : f32 to f8E4M3FN
    linalg.yield %1 : f8E4M3FN
  } -> tensor<1x1x70x144xf8E4M3FN>
  %o_empty = tensor.empty() : tensor<1x1x70x128xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x1x70x128xf32>) -> tensor<1x1x70x128xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>]
      ins(%p_narrow, %v : tensor<1x1x70x144xf8E4M3FN>, tensor<1x1x144x128xf8E4M3FN>) outs(%o_zero : tensor<1x1x70x128xf32>) -> tensor<1x1x70x128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, d) -> (b, h, m, d)>, affine_map<(b, h, m, d) -> (b, h, m, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x1x70x128xf32>) outs(%q_empty : tensor<1x1x70x128xf16>) {
  ^bb0(%in: f32, %out: f16):
    %1 = arith.mulf %in, %back : f32
    %0 = arith.truncf %1 : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x128xf16>
  return %r : tensor<1x1x70x128xf16>
}
