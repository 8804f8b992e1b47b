// Attention whose rows are divided by their norms. Also where there are no keys, so that no product says
// which rows a subgroup has, each of them stores its own through shared memory.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=2x200x64,2x70x64,2x70x64 --gpu-options="chip=sm_90a async-products=true roles=true persistent-kernels=true rows=192 keys=32 processors=1"

#q = affine_map<(b, m, n, d) -> (b, m, d)>
#k = affine_map<(b, m, n, d) -> (b, n, d)>
#s = affine_map<(b, m, n, d) -> (b, m, n)>
#p = affine_map<(b, m, e, n) -> (b, m, n)>
#v = affine_map<(b, m, e, n) -> (b, n, e)>
#o = affine_map<(b, m, e, n) -> (b, m, e)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#r = affine_map<(b, m, n) -> (b, m)>
func.func @norm_of_rows(%q: tensor<?x?x64xf16>, %k: tensor<?x?x64xf16>, %v: tensor<?x?x64xf16>) -> tensor<?x?x64xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x64xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x64xf16>
  %n = tensor.dim %k, %c1 : tensor<?x?x64xf16>
  %es = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s0 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<?x?x64xf16>, tensor<?x?x64xf16>) outs(%fs : tensor<?x?x?xf32>) {
  ^bb0(%0: f16, %1: f16, %2: f32):
    %a0 = arith.extf %0 : f16 to f32
    %a1 = arith.extf %1 : f16 to f32
    %3 = arith.mulf %a0, %a1 : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s0 : tensor<?x?x?xf32>) outs(%es : tensor<?x?x?xf32>) {
  ^bb0(%0: f32, %1: f32):
    %2 = arith.mulf %0, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x?x?xf32>) outs(%es : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %eo = tensor.empty(%b, %m) : tensor<?x?x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %ph = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %pt = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<?x?x?xf32>) outs(%ph : tensor<?x?x?xf16>) {
  ^bb0(%0: f32, %1: f16):
    %2 = arith.truncf %0 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<?x?x?xf16>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%pt, %v : tensor<?x?x?xf16>, tensor<?x?x64xf16>) outs(%fo : tensor<?x?x64xf32>) {
  ^bb0(%0: f16, %1: f16, %2: f32):
    %a0 = arith.extf %0 : f16 to f32
    %a1 = arith.extf %1 : f16 to f32
    %3 = arith.mulf %a0, %a1 : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?x64xf32>
  %e2 = tensor.empty(%b, %m) : tensor<?x?xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %ss = linalg.generic {indexing_maps = [#id, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%o : tensor<?x?x64xf32>) outs(%f2 : tensor<?x?xf32>) {
  ^bb0(%0: f32, %1: f32):
    %2 = arith.mulf %0, %0 : f32
    %3 = arith.addf %2, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<?x?xf32>
  %er = tensor.empty(%b, %m) : tensor<?x?x64xf16>
  %res = linalg.generic {indexing_maps = [#id, #r, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o, %ss : tensor<?x?x64xf32>, tensor<?x?xf32>) outs(%er : tensor<?x?x64xf16>) {
  ^bb0(%x0: f32, %s2: f32, %u: f16):
    %r0 = math.rsqrt %s2 : f32
    %x = arith.mulf %x0, %r0 : f32
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<?x?x64xf16>
  return %res : tensor<?x?x64xf16>
}
