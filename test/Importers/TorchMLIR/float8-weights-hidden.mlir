// A large negative number hides all keys, as in the padding of a batch, so that their weights are
// equal. They are rounded to f8 times 2^8. The last tile has fewer keys than the others, and the
// maxima are too large for 8 to be subtracted from them: all tiles keep the product.

// RUN: linalg-ext-check-program %s --targets=gpu --min-informative=0.9 --gpu-options=chip=sm_89
// RUN: linalg-ext-check-program %s --targets=gpu --min-informative=0.9 --gpu-options="chip=sm_90a async-products=true key-subgroups=1"

func.func @hidden(%q: tensor<1x1x70x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %k: tensor<1x1x144x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %v: tensor<1x1x144x64xf8E4M3FN> {check.draw = "uniform -2 2"}, %mask: tensor<1x144xi1> {check.draw = "choose 0"}) -> tensor<1x1x70x64xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e9 : f32
  %scale = arith.constant 0.125 : f32
  %qe = tensor.empty() : tensor<1x1x70x64xf16>
  %qw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x1x70x64xf8E4M3FN>) outs(%qe : tensor<1x1x70x64xf16>) {
  ^bb0(%in: f8E4M3FN, %o: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x70x64xf16>
  %ke = tensor.empty() : tensor<1x1x144x64xf16>
  %kw = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x1x144x64xf8E4M3FN>) outs(%ke : tensor<1x1x144x64xf16>) {
  ^bb0(%in: f8E4M3FN, %o: f16):
    %0 = arith.extf %in : f8E4M3FN to f16
    linalg.yield %0 : f16
  } -> tensor<1x1x144x64xf16>
  %se = tensor.empty() : tensor<1x1x70x144xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x1x70x144xf32>) -> tensor<1x1x70x144xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b,h,m,n,k) -> (b,h,m,k)>, affine_map<(b,h,m,n,k) -> (b,h,n,k)>, affine_map<(b,h,m,n,k) -> (b,h,m,n)>] ins(%qw, %kw : tensor<1x1x70x64xf16>, tensor<1x1x144x64xf16>) outs(%sz : tensor<1x1x70x144xf32>) -> tensor<1x1x70x144xf32>
  %sc = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b,h,m,n) -> (b,n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<1x1x70x144xf32>, tensor<1x144xi1>) outs(%se : tensor<1x1x70x144xf32>) {
  ^bb0(%in: f32, %bit: i1, %o: f32):
    %0 = arith.mulf %in, %scale : f32
    %1 = arith.select %bit, %0, %none : f32
    linalg.yield %1 : f32
  } -> tensor<1x1x70x144xf32>
  %p = linalg.softmax dimension(3) ins(%sc : tensor<1x1x70x144xf32>) outs(%se : tensor<1x1x70x144xf32>) -> tensor<1x1x70x144xf32>
  %pe = tensor.empty() : tensor<1x1x70x144xf8E4M3FN>
  %pn = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x1x70x144xf32>) outs(%pe : tensor<1x1x70x144xf8E4M3FN>) {
  ^bb0(%in: f32, %o: f8E4M3FN):
    %fac = arith.constant 256.0 : f32
    %1 = arith.mulf %in, %fac : f32
    %0 = arith.truncf %1 : f32 to f8E4M3FN
    linalg.yield %0 : f8E4M3FN
  } -> tensor<1x1x70x144xf8E4M3FN>
  %oe = tensor.empty() : tensor<1x1x70x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,m,d,n) -> (b,h,m,n)>, affine_map<(b,h,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,m,d,n) -> (b,h,m,d)>] ins(%pn, %v : tensor<1x1x70x144xf8E4M3FN>, tensor<1x1x144x64xf8E4M3FN>) outs(%oz : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
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
