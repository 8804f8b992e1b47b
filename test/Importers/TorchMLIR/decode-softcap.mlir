// One query of nine heads that share keys: all rows are one tile, and the heads
// are merged between the bounded scores and their softmax.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1475 --max-kernels=1 \
// RUN:   --keys=32

#q = affine_map<(b, h, g, m, n, d) -> (b, h, g, m, d)>
#k = affine_map<(b, h, g, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, g, m, n, d) -> (b, h, g, m, n)>
#p = affine_map<(b, h, g, m, e, n) -> (b, h, g, m, n)>
#v = affine_map<(b, h, g, m, e, n) -> (b, h, n, e)>
#o = affine_map<(b, h, g, m, e, n) -> (b, h, g, m, e)>
#id = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>

func.func @decode_softcap(%query: tensor<1x1x9x1x4xf32>,
                          %keys: tensor<1x1x82x4xf32>,
                          %values: tensor<1x1x82x3xf32>) -> tensor<1x1x9x1x3xf32> {
  %zero = arith.constant 0.0 : f32
  %cap = arith.constant 8.0 : f32
  %by = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<1x1x9x1x82xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x9x1x82xf32>) -> tensor<1x1x9x1x82xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %keys : tensor<1x1x9x1x4xf32>, tensor<1x1x82x4xf32>) outs(%s0 : tensor<1x1x9x1x82xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x1x9x1x82xf32>
  %capped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x1x9x1x82xf32>) outs(%e : tensor<1x1x9x1x82xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.mulf %a, %by : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cap : f32
    linalg.yield %2 : f32
  } -> tensor<1x1x9x1x82xf32>
  %merged = tensor.collapse_shape %capped [[0], [1, 2], [3], [4]] : tensor<1x1x9x1x82xf32> into tensor<1x9x1x82xf32>
  %pe = tensor.empty() : tensor<1x9x1x82xf32>
  %p = linalg.softmax dimension(3) ins(%merged : tensor<1x9x1x82xf32>) outs(%pe : tensor<1x9x1x82xf32>) -> tensor<1x9x1x82xf32>
  %split = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 1, 9, 1, 82] : tensor<1x9x1x82xf32> into tensor<1x1x9x1x82xf32>
  %oe = tensor.empty() : tensor<1x1x9x1x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x9x1x3xf32>) -> tensor<1x1x9x1x3xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%split, %values : tensor<1x1x9x1x82xf32>, tensor<1x1x82x3xf32>) outs(%o0 : tensor<1x1x9x1x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x1x9x1x3xf32>
  return %o : tensor<1x1x9x1x3xf32>
}
