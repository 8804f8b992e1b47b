// Attention of recommenders: SiLU of scores with a bias, of lengths that are not
// known, in f16 with sums in f32. Causal. A CPU stores the sums in f32 (10656 bytes;
// scores have 16428) before it rounds them.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=10720 --max-kernels=1 \
// RUN:   --keys=16 --sizes=3x37x16,3x37x16,3x37x24,37x37
// RUN: linalg-ext-check-program %s --max-buffer-bytes=4000 --max-kernels=1 \
// RUN:   --keys=16 --sizes=2x1x16,2x1x16,2x1x24,1x1
// With rows of 16 bytes, the bias is copied as a tile, from which sums start.
// RUN: linalg-ext-check-program %s --max-buffer-bytes=11000 --max-kernels=1 \
// RUN:   --keys=16 --sizes=3x37x16,3x40x16,3x40x24,37x40 --targets=gpu

#q = affine_map<(b, m, n, d) -> (b, m, d)>
#k = affine_map<(b, m, n, d) -> (b, n, d)>
#s = affine_map<(b, m, n, d) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#bias = affine_map<(b, m, n) -> (m, n)>
#p = affine_map<(b, m, e, n) -> (b, m, n)>
#v = affine_map<(b, m, e, n) -> (b, n, e)>
#o = affine_map<(b, m, e, n) -> (b, m, e)>
#oid = affine_map<(b, m, e) -> (b, m, e)>

func.func @silu_attention(%q: tensor<?x?x16xf16>, %k: tensor<?x?x16xf16>,
                          %v: tensor<?x?x24xf16>, %bias: tensor<?x?xf32>)
    -> tensor<?x?x24xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x16xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x16xf16>
  %n = tensor.dim %k, %c1 : tensor<?x?x16xf16>
  %e0 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x16xf16>, tensor<?x?x16xf16>)
      outs(%f0 : tensor<?x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %e1 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %weights = linalg.generic {indexing_maps = [#id, #bias, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %bias : tensor<?x?x?xf32>, tensor<?x?xf32>)
      outs(%e1 : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %add: f32, %out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %y = arith.addf %x, %add : f32
    %negative = arith.negf %y : f32
    %exp = math.exp %negative : f32
    %den = arith.addf %exp, %one : f32
    %silu = arith.divf %y, %den : f32
    %past = arith.cmpi ule, %j, %i : index
    %masked = arith.select %past, %silu, %zero : f32
    %r = arith.truncf %masked : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x?xf16>
  %e2 = tensor.empty(%b, %m) : tensor<?x?x24xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
  %sum = linalg.generic {indexing_maps = [#p, #v, #o],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<?x?x?xf16>, tensor<?x?x24xf16>)
      outs(%f2 : tensor<?x?x24xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<?x?x24xf32>
  %e3 = tensor.empty(%b, %m) : tensor<?x?x24xf16>
  %result = linalg.generic {indexing_maps = [#oid, #oid],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<?x?x24xf32>) outs(%e3 : tensor<?x?x24xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x24xf16>
  return %result : tensor<?x?x24xf16>
}
