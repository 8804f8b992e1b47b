// Scores that are reduced without a softmax are not stored: the best token of a document for
// each token of a query (ColBERT), and the sum of sigmoid losses of all pairs (SigLIP).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1368 --max-kernels=2 --keys=16

#map = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<() -> ()>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
#map10 = affine_map<(d0, d1) -> (d0)>
#map11 = affine_map<(d0) -> ()>

func.func @late_interaction(%a_q: tensor<3x9x32xf16>,
    %a_d: tensor<4x37x32xf16>,
    %a_m: tensor<4x37xi1>) -> (tensor<3x4xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant -9.984e+03 : f16
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFC00 : f16
  %v1 = tensor.collapse_shape %a_q [[0, 1], [2]] : tensor<3x9x32xf16> into tensor<27x32xf16>
  %v2 = tensor.expand_shape %v1 [[0, 1], [2]] output_shape [1, 27, 32] : tensor<27x32xf16> into tensor<1x27x32xf16>
  %v3 = tensor.empty() : tensor<4x27x32xf16>
  %g4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v2 : tensor<1x27x32xf16>) outs(%v3 : tensor<4x27x32xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<4x27x32xf16>
  %v5 = tensor.empty() : tensor<4x32x37xf16>
  %v6 = linalg.transpose ins(%a_d : tensor<4x37x32xf16>) outs(%v5 : tensor<4x32x37xf16>) permutation = [0, 2, 1]
  %v7 = tensor.empty() : tensor<4x27x37xf32>
  %v8 = linalg.fill ins(%c0 : f32) outs(%v7 : tensor<4x27x37xf32>) -> tensor<4x27x37xf32>
  %v9 = linalg.batch_matmul ins(%g4, %v6 : tensor<4x27x32xf16>, tensor<4x32x37xf16>) outs(%v8 : tensor<4x27x37xf32>) -> tensor<4x27x37xf32>
  %v10 = tensor.empty() : tensor<4x27x37xf16>
  %g11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v9 : tensor<4x27x37xf32>) outs(%v10 : tensor<4x27x37xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x27x37xf16>
  %v12 = tensor.expand_shape %a_m [[0, 1], [2]] output_shape [4, 1, 37] : tensor<4x37xi1> into tensor<4x1x37xi1>
  %v13 = tensor.empty() : tensor<4x27x37xi1>
  %g14 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v12 : tensor<4x1x37xi1>) outs(%v13 : tensor<4x27x37xi1>) {
  ^bb0(%in0: i1, %out0: i1):
    linalg.yield %in0 : i1
  } -> tensor<4x27x37xi1>
  %v15 = tensor.empty() : tensor<4x27x37xf16>
  %g16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g14, %g11 : tensor<4x27x37xi1>, tensor<4x27x37xf16>) outs(%v15 : tensor<4x27x37xf16>) {
  ^bb0(%in0: i1, %in1: f16, %out0: f16):
    %r = arith.select %in0, %in1, %c1 : f16
    linalg.yield %r : f16
  } -> tensor<4x27x37xf16>
  %v17 = tensor.empty() : tensor<4x27xi64>
  %v18 = linalg.fill ins(%c2 : i64) outs(%v17 : tensor<4x27xi64>) -> tensor<4x27xi64>
  %v19 = tensor.empty() : tensor<4x27xf16>
  %v20 = linalg.fill ins(%c3 : f16) outs(%v19 : tensor<4x27xf16>) -> tensor<4x27xf16>
  %g21:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g16 : tensor<4x27x37xf16>) outs(%v20, %v18 : tensor<4x27xf16>, tensor<4x27xi64>) {
  ^bb0(%in0: f16, %out0: f16, %out1: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f16
    %gt = arith.cmpf ogt, %in0, %out0 : f16
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f16, i64
  } -> (tensor<4x27xf16>, tensor<4x27xi64>)
  %v22 = tensor.expand_shape %g21#0 [[0], [1, 2]] output_shape [4, 3, 9] : tensor<4x27xf16> into tensor<4x3x9xf16>
  %v23 = tensor.empty() : tensor<4x3x9xf32>
  %g24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22 : tensor<4x3x9xf16>) outs(%v23 : tensor<4x3x9xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<4x3x9xf32>
  %v25 = tensor.empty() : tensor<4x3xf32>
  %v26 = linalg.fill ins(%c0 : f32) outs(%v25 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %g27 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g24 : tensor<4x3x9xf32>) outs(%v26 : tensor<4x3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<4x3xf32>
  %v28 = tensor.empty() : tensor<3x4xf32>
  %v29 = linalg.transpose ins(%g27 : tensor<4x3xf32>) outs(%v28 : tensor<3x4xf32>) permutation = [1, 0]
  return %v29 : tensor<3x4xf32>
}

func.func @sigmoid_loss(%a_a: tensor<37x32xf32>,
    %a_b: tensor<37x32xf32>,
    %a_scale: tensor<f32>,
    %a_bias: tensor<f32>) -> (tensor<f32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 3.700000000e+01 : f64
  %v1 = tensor.empty() : tensor<32x37xf32>
  %v2 = linalg.transpose ins(%a_b : tensor<37x32xf32>) outs(%v1 : tensor<32x37xf32>) permutation = [1, 0]
  %v3 = tensor.empty() : tensor<37x37xf32>
  %v4 = linalg.fill ins(%c0 : f32) outs(%v3 : tensor<37x37xf32>) -> tensor<37x37xf32>
  %v5 = linalg.matmul ins(%a_a, %v2 : tensor<37x32xf32>, tensor<32x37xf32>) outs(%v4 : tensor<37x37xf32>) -> tensor<37x37xf32>
  %v6 = tensor.empty() : tensor<f32>
  %g7 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%a_scale : tensor<f32>) outs(%v6 : tensor<f32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %v8 = tensor.empty() : tensor<37x37xf32>
  %g9 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%v5, %g7 : tensor<37x37xf32>, tensor<f32>) outs(%v8 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<37x37xf32>
  %v10 = tensor.empty() : tensor<37x37xf32>
  %g11 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%g9, %a_bias : tensor<37x37xf32>, tensor<f32>) outs(%v10 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<37x37xf32>
  %v12 = tensor.empty() : tensor<37xi64>
  %g13 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%v12 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v14 = tensor.expand_shape %g13 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v15 = tensor.empty() : tensor<37xi64>
  %g16 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%v15 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v17 = tensor.expand_shape %g16 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v18 = tensor.empty() : tensor<37x37xi1>
  %g19 = linalg.generic {indexing_maps = [#map8, #map9, #map5], iterator_types = ["parallel", "parallel"]} ins(%v14, %v17 : tensor<37x1xi64>, tensor<1x37xi64>) outs(%v18 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %v20 = tensor.empty() : tensor<37x37xf32>
  %g21 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%g19 : tensor<37x37xi1>) outs(%v20 : tensor<37x37xf32>) {
  ^bb0(%in0: i1, %out0: f32):
    %p = arith.constant 1.0 : f32
    %m = arith.constant -1.0 : f32
    %r = arith.select %in0, %p, %m : f32
    linalg.yield %r : f32
  } -> tensor<37x37xf32>
  %v22 = tensor.empty() : tensor<37x37xf32>
  %g23 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%g11, %g21 : tensor<37x37xf32>, tensor<37x37xf32>) outs(%v22 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<37x37xf32>
  %v24 = tensor.empty() : tensor<37x37xf32>
  %g25 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%g23 : tensor<37x37xf32>) outs(%v24 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %z = arith.constant 0.0 : f32
    %mn = arith.minimumf %in0, %z : f32
    %ab = math.absf %in0 : f32
    %ng = arith.negf %ab : f32
    %e = math.exp %ng : f32
    %l = math.log1p %e : f32
    %r = arith.subf %mn, %l : f32
    linalg.yield %r : f32
  } -> tensor<37x37xf32>
  %v26 = tensor.empty() : tensor<37xf32>
  %v27 = linalg.fill ins(%c0 : f32) outs(%v26 : tensor<37xf32>) -> tensor<37xf32>
  %g28 = linalg.generic {indexing_maps = [#map5, #map10], iterator_types = ["parallel", "reduction"]} ins(%g25 : tensor<37x37xf32>) outs(%v27 : tensor<37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<37xf32>
  %v29 = tensor.empty() : tensor<f32>
  %v30 = linalg.fill ins(%c0 : f32) outs(%v29 : tensor<f32>) -> tensor<f32>
  %g31 = linalg.generic {indexing_maps = [#map7, #map11], iterator_types = ["reduction"]} ins(%g28 : tensor<37xf32>) outs(%v30 : tensor<f32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %v32 = tensor.empty() : tensor<f32>
  %g33 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%g31 : tensor<f32>) outs(%v32 : tensor<f32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %v34 = tensor.empty() : tensor<f32>
  %g35 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%g33 : tensor<f32>) outs(%v34 : tensor<f32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %g35 : tensor<f32>
}
