// RMSNorm and the product behind it, as in front of each projection of LLaMA:
//
//   r[i, n] = sum over d of x[i, d] / sqrt(mean(x[i, :]^2) + 1e-5) g[d] w[d, n]
//
// Upstream linalg; the number of rows is dynamic. f16, with sums of f32.

#x = affine_map<(i, d) -> (i, d)>
#row = affine_map<(i, d) -> (i)>
#g = affine_map<(i, d) -> (d)>
#list = affine_map<(i) -> (i)>

func.func @norm_product(%x: tensor<?x1024xf16>, %g: tensor<1024xf16>, %w: tensor<1024x768xf16>)
    -> tensor<?x768xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1024.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %m = tensor.dim %x, %c0 : tensor<?x1024xf16>

  // 1 / sqrt(mean of squares)
  %row_empty = tensor.empty(%m) : tensor<?xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row_empty : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {indexing_maps = [#x, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x1024xf16>) outs(%row_zero : tensor<?xf32>) {
  ^bb0(%in: f16, %sum: f32):
    %wide = arith.extf %in : f16 to f32
    %square = arith.mulf %wide, %wide : f32
    %0 = arith.addf %sum, %square : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %factors = linalg.generic {indexing_maps = [#list, #list], iterator_types = ["parallel"]}
      ins(%squares : tensor<?xf32>) outs(%row_empty : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %mean = arith.divf %in, %count : f32
    %shifted = arith.addf %mean, %epsilon : f32
    %0 = math.rsqrt %shifted : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>

  // x / norm * g
  %n_empty = tensor.empty(%m) : tensor<?x1024xf16>
  %normed = linalg.generic {indexing_maps = [#x, #row, #g, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x, %factors, %g : tensor<?x1024xf16>, tensor<?xf32>, tensor<1024xf16>)
      outs(%n_empty : tensor<?x1024xf16>) {
  ^bb0(%in: f16, %factor: f32, %gain: f16, %out: f16):
    %wide = arith.extf %in : f16 to f32
    %scaled = arith.mulf %wide, %factor : f32
    %wide_gain = arith.extf %gain : f16 to f32
    %0 = arith.mulf %scaled, %wide_gain : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x1024xf16>

  %p_empty = tensor.empty(%m) : tensor<?x768xf32>
  %p_zero = linalg.fill ins(%zero : f32) outs(%p_empty : tensor<?x768xf32>) -> tensor<?x768xf32>
  // The mark says that the norm goes into the loops of this product (README.md).
  %product = linalg.matmul {linalg_ext.root} ins(%normed, %w : tensor<?x1024xf16>, tensor<1024x768xf16>)
      outs(%p_zero : tensor<?x768xf32>) -> tensor<?x768xf32>
  %out_empty = tensor.empty(%m) : tensor<?x768xf16>
  %result = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<?x768xf32>) outs(%out_empty : tensor<?x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x768xf16>
  return %result : tensor<?x768xf16>
}
