// A program multiplies weights by more than the largest number of f8, and rounds them. Those of
// a row are less than 1 after the division by their sum, but in front of it one is 1, which
// would become infinite or NaN. So the division stays in front of the rounding, and the values
// are multiplied in another kernel. A factor that all weights allow is fused.

// RUN: linalg-ext-check-program %s --entry=larger --min-informative=0.9
// RUN: linalg-ext-check-program %s --entry=larger --targets=gpu --min-informative=0.9 --gpu-options="chip=sm_90a async-products=true key-subgroups=1"
// RUN: linalg-ext-check-program %s --entry=larger_fnuz --targets=gpu --min-informative=0.9 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --entry=largest --targets=gpu --max-kernels=2 --max-buffer-bytes=12288 --min-informative=0.9 --gpu-options=chip=sm_89

func.func @larger(%q: tensor<1x1x70x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<1x1x96x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x1x96x64xf8E4M3FN> {check.draw = "uniform -2 2"}) -> tensor<1x1x70x64xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %qe = tensor.empty() : tensor<1x1x70x64xf16>
  %qw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x1x70x64xf8E4M3FN>) outs(%qe : tensor<1x1x70x64xf16>) {
  ^bb0(%in: f8E4M3FN, %o: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x64xf16>
  %ke = tensor.empty() : tensor<1x1x96x64xf16>
  %kw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x1x96x64xf8E4M3FN>) outs(%ke : tensor<1x1x96x64xf16>) {
  ^bb0(%in: f8E4M3FN, %o: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x96x64xf16>
  %se = tensor.empty() : tensor<1x1x70x96xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b,h,m,n,k) -> (b,h,m,k)>, affine_map<(b,h,m,n,k) -> (b,h,n,k)>, affine_map<(b,h,m,n,k) -> (b,h,m,n)>] ins(%qw, %kw : tensor<1x1x70x64xf16>, tensor<1x1x96x64xf16>) outs(%sz : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %sc = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x1x70x96xf32>) outs(%se : tensor<1x1x70x96xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.mulf %in, %scale : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %ok = arith.cmpi sle, %j, %i : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x1x70x96xf32>
  %p = linalg.softmax dimension(3) ins(%sc : tensor<1x1x70x96xf32>) outs(%se : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %pe = tensor.empty() : tensor<1x1x70x96xf8E4M3FN>
  %pn = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x1x70x96xf32>) outs(%pe : tensor<1x1x70x96xf8E4M3FN>) {
  ^bb0(%in: f32, %o: f8E4M3FN):
    %fac = arith.constant 512.0 : f32
    %1 = arith.mulf %in, %fac : f32
    %0 = arith.truncf %1 : f32 to f8E4M3FN
    linalg.yield %0 : f8E4M3FN
  } -> tensor<1x1x70x96xf8E4M3FN>
  %oe = tensor.empty() : tensor<1x1x70x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,m,d,n) -> (b,h,m,n)>, affine_map<(b,h,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,m,d,n) -> (b,h,m,d)>] ins(%pn, %v : tensor<1x1x70x96xf8E4M3FN>, tensor<1x1x96x64xf8E4M3FN>) outs(%oz : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %re = tensor.empty() : tensor<1x1x70x64xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%o : tensor<1x1x70x64xf32>) outs(%re : tensor<1x1x70x64xf16>) {
  ^bb0(%in: f32, %z: f16):
    %bk = arith.constant 0.001953125 : f32
    %1 = arith.mulf %in, %bk : f32
    %0 = arith.truncf %1 : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x64xf16>
  return %r : tensor<1x1x70x64xf16>
}

func.func @larger_fnuz(%q: tensor<1x1x70x64xf8E4M3FNUZ> {check.draw = "uniform -2 2"}, %k: tensor<1x1x96x64xf8E4M3FNUZ> {check.draw = "uniform -2 2"}, %v: tensor<1x1x96x64xf8E4M3FNUZ> {check.draw = "uniform -2 2"}) -> tensor<1x1x70x64xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %qe = tensor.empty() : tensor<1x1x70x64xf16>
  %qw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x1x70x64xf8E4M3FNUZ>) outs(%qe : tensor<1x1x70x64xf16>) {
  ^bb0(%in: f8E4M3FNUZ, %o: f16):
    %0 = arith.extf %in : f8E4M3FNUZ to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x64xf16>
  %ke = tensor.empty() : tensor<1x1x96x64xf16>
  %kw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x1x96x64xf8E4M3FNUZ>) outs(%ke : tensor<1x1x96x64xf16>) {
  ^bb0(%in: f8E4M3FNUZ, %o: f16):
    %0 = arith.extf %in : f8E4M3FNUZ to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x96x64xf16>
  %se = tensor.empty() : tensor<1x1x70x96xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b,h,m,n,k) -> (b,h,m,k)>, affine_map<(b,h,m,n,k) -> (b,h,n,k)>, affine_map<(b,h,m,n,k) -> (b,h,m,n)>] ins(%qw, %kw : tensor<1x1x70x64xf16>, tensor<1x1x96x64xf16>) outs(%sz : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %sc = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x1x70x96xf32>) outs(%se : tensor<1x1x70x96xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.mulf %in, %scale : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %ok = arith.cmpi sle, %j, %i : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x1x70x96xf32>
  %p = linalg.softmax dimension(3) ins(%sc : tensor<1x1x70x96xf32>) outs(%se : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %pe = tensor.empty() : tensor<1x1x70x96xf8E4M3FNUZ>
  %pn = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x1x70x96xf32>) outs(%pe : tensor<1x1x70x96xf8E4M3FNUZ>) {
  ^bb0(%in: f32, %o: f8E4M3FNUZ):
    %fac = arith.constant 256.0 : f32
    %1 = arith.mulf %in, %fac : f32
    %0 = arith.truncf %1 : f32 to f8E4M3FNUZ
    linalg.yield %0 : f8E4M3FNUZ
  } -> tensor<1x1x70x96xf8E4M3FNUZ>
  %oe = tensor.empty() : tensor<1x1x70x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,m,d,n) -> (b,h,m,n)>, affine_map<(b,h,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,m,d,n) -> (b,h,m,d)>] ins(%pn, %v : tensor<1x1x70x96xf8E4M3FNUZ>, tensor<1x1x96x64xf8E4M3FNUZ>) outs(%oz : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %re = tensor.empty() : tensor<1x1x70x64xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%o : tensor<1x1x70x64xf32>) outs(%re : tensor<1x1x70x64xf16>) {
  ^bb0(%in: f32, %z: f16):
    %bk = arith.constant 0.00390625 : f32
    %1 = arith.mulf %in, %bk : f32
    %0 = arith.truncf %1 : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x64xf16>
  return %r : tensor<1x1x70x64xf16>
}

func.func @largest(%q: tensor<1x1x70x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<1x1x96x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x1x96x64xf8E4M3FN> {check.draw = "uniform -2 2"}) -> tensor<1x1x70x64xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %qe = tensor.empty() : tensor<1x1x70x64xf16>
  %qw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x1x70x64xf8E4M3FN>) outs(%qe : tensor<1x1x70x64xf16>) {
  ^bb0(%in: f8E4M3FN, %o: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x64xf16>
  %ke = tensor.empty() : tensor<1x1x96x64xf16>
  %kw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x1x96x64xf8E4M3FN>) outs(%ke : tensor<1x1x96x64xf16>) {
  ^bb0(%in: f8E4M3FN, %o: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x96x64xf16>
  %se = tensor.empty() : tensor<1x1x70x96xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b,h,m,n,k) -> (b,h,m,k)>, affine_map<(b,h,m,n,k) -> (b,h,n,k)>, affine_map<(b,h,m,n,k) -> (b,h,m,n)>] ins(%qw, %kw : tensor<1x1x70x64xf16>, tensor<1x1x96x64xf16>) outs(%sz : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %sc = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x1x70x96xf32>) outs(%se : tensor<1x1x70x96xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.mulf %in, %scale : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %ok = arith.cmpi sle, %j, %i : index
    %1 = arith.select %ok, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x1x70x96xf32>
  %p = linalg.softmax dimension(3) ins(%sc : tensor<1x1x70x96xf32>) outs(%se : tensor<1x1x70x96xf32>) -> tensor<1x1x70x96xf32>
  %pe = tensor.empty() : tensor<1x1x70x96xf8E4M3FN>
  %pn = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x1x70x96xf32>) outs(%pe : tensor<1x1x70x96xf8E4M3FN>) {
  ^bb0(%in: f32, %o: f8E4M3FN):
    %fac = arith.constant 448.0 : f32
    %1 = arith.mulf %in, %fac : f32
    %0 = arith.truncf %1 : f32 to f8E4M3FN
    linalg.yield %0 : f8E4M3FN
  } -> tensor<1x1x70x96xf8E4M3FN>
  %oe = tensor.empty() : tensor<1x1x70x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,m,d,n) -> (b,h,m,n)>, affine_map<(b,h,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,m,d,n) -> (b,h,m,d)>] ins(%pn, %v : tensor<1x1x70x96xf8E4M3FN>, tensor<1x1x96x64xf8E4M3FN>) outs(%oz : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %re = tensor.empty() : tensor<1x1x70x64xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%o : tensor<1x1x70x64xf32>) outs(%re : tensor<1x1x70x64xf16>) {
  ^bb0(%in: f32, %z: f16):
    %bk = arith.constant 0.002232142857142857 : f32
    %1 = arith.mulf %in, %bk : f32
    %0 = arith.truncf %1 : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x64xf16>
  return %r : tensor<1x1x70x64xf16>
}
