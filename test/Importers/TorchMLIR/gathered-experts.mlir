// A mixture of experts for few tokens: each token gathers the weights of its expert, and
// multiplies them.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @grouped_experts(%a_x: tensor<37x16xf16>,
    %a_order: tensor<37xi64> {check.draw = "uniform 0 36"},
    %a_offsets: tensor<4xi64> {check.draw = "choose 0"},
    %a_w: tensor<3x16x24xf16>,
    %a_expert: tensor<37xi64> {check.draw = "uniform 0 2"}) -> (tensor<37x24xf16>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %v1 = tensor.empty() : tensor<37x16xf16>
  %g2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%a_order : tensor<37xi64>) outs(%v1 : tensor<37x16xf16>) {
  ^bb0(%in0: i64, %out0: f16):
    %i = arith.index_cast %in0 : i64 to index
    %j = linalg.index 1 : index
    %e = tensor.extract %a_x[%i, %j] : tensor<37x16xf16>
    linalg.yield %e : f16
  } -> tensor<37x16xf16>
  %v3 = tensor.empty() : tensor<37x16x24xf16>
  %g4 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_expert : tensor<37xi64>) outs(%v3 : tensor<37x16x24xf16>) {
  ^bb0(%in0: i64, %out0: f16):
    %i = arith.index_cast %in0 : i64 to index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %e = tensor.extract %a_w[%i, %j, %k] : tensor<3x16x24xf16>
    linalg.yield %e : f16
  } -> tensor<37x16x24xf16>
  %v5 = tensor.expand_shape %g2 [[0, 1], [2]] output_shape [37, 1, 16] : tensor<37x16xf16> into tensor<37x1x16xf16>
  %v6 = tensor.empty() : tensor<37x1x24xf32>
  %v7 = linalg.fill ins(%c0 : f32) outs(%v6 : tensor<37x1x24xf32>) -> tensor<37x1x24xf32>
  %v8 = linalg.batch_matmul ins(%v5, %g4 : tensor<37x1x16xf16>, tensor<37x16x24xf16>) outs(%v7 : tensor<37x1x24xf32>) -> tensor<37x1x24xf32>
  %v9 = tensor.empty() : tensor<37x1x24xf16>
  %g10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8 : tensor<37x1x24xf32>) outs(%v9 : tensor<37x1x24xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<37x1x24xf16>
  %v11 = tensor.collapse_shape %g10 [[0, 1], [2]] : tensor<37x1x24xf16> into tensor<37x24xf16>
  return %v11 : tensor<37x24xf16>
}
