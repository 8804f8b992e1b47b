// The exponentials and their sum are one op, as upstream's elementwise fusion leaves them,
// and the result is divided by the sum last.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=8704 --max-kernels=1 --keys=16

#id = affine_map<(b,i,j) -> (b,i,j)>
#row = affine_map<(b,i,j) -> (b,i)>
func.func @exp_and_sum(%q: tensor<2x122x32xf16>, %k: tensor<2x72x32xf16>, %v: tensor<2x72x32xf16>) -> tensor<2x122x32xf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %kte = tensor.empty() : tensor<2x32x72xf16>
  %kt = linalg.transpose ins(%k : tensor<2x72x32xf16>) outs(%kte : tensor<2x32x72xf16>) permutation = [0, 2, 1]
  %e = tensor.empty() : tensor<2x122x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x122x72xf32>) -> tensor<2x122x72xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x122x32xf16>, tensor<2x32x72xf16>) outs(%z : tensor<2x122x72xf32>) -> tensor<2x122x72xf32>
  %re = tensor.empty() : tensor<2x122xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%re : tensor<2x122xf32>) -> tensor<2x122xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel","parallel","reduction"]}
      ins(%s : tensor<2x122x72xf32>) outs(%m0 : tensor<2x122xf32>) {
  ^bb0(%a: f32, %b: f32):
    %x = arith.mulf %a, %scale : f32
    %y = arith.maximumf %x, %b : f32
    linalg.yield %y : f32
  } -> tensor<2x122xf32>
  %pe = tensor.empty() : tensor<2x122x72xf16>
  %s0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x122xf32>) -> tensor<2x122xf32>
  %p, %sum = linalg.generic {indexing_maps = [#id, #row, #id, #row], iterator_types = ["parallel","parallel","reduction"]}
      ins(%s, %m : tensor<2x122x72xf32>, tensor<2x122xf32>) outs(%pe, %s0 : tensor<2x122x72xf16>, tensor<2x122xf32>) {
  ^bb0(%a: f32, %mm: f32, %o: f16, %acc: f32):
    %x = arith.mulf %a, %scale : f32
    %y = arith.subf %x, %mm : f32
    %w = math.exp %y : f32
    %h = arith.truncf %w : f32 to f16
    %t = arith.addf %acc, %w : f32
    linalg.yield %h, %t : f16, f32
  } -> (tensor<2x122x72xf16>, tensor<2x122xf32>)
  %oe = tensor.empty() : tensor<2x122x32xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x122x32xf32>) -> tensor<2x122x32xf32>
  %pv = linalg.batch_matmul ins(%p, %v : tensor<2x122x72xf16>, tensor<2x72x32xf16>) outs(%o0 : tensor<2x122x32xf32>) -> tensor<2x122x32xf32>
  %he = tensor.empty() : tensor<2x122x32xf16>
  %o = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel","parallel","parallel"]}
      ins(%pv, %sum : tensor<2x122x32xf32>, tensor<2x122xf32>) outs(%he : tensor<2x122x32xf16>) {
  ^bb0(%a: f32, %b: f32, %c: f16):
    %x = arith.divf %a, %b : f32
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x122x32xf16>
  return %o : tensor<2x122x32xf16>
}
