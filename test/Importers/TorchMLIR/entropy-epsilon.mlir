// Entropy of a softmax, with log(p + eps).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=19328 --max-kernels=1

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>

func.func @entropy_eps(%logits: tensor<91x301xf32>) -> tensor<91xf32> {
  %cst = arith.constant 0 : i64
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 1.00000000000000006e-09 : f64
  %0 = tensor.empty() : tensor<91xi64>
  %1 = linalg.fill ins(%cst : i64) outs(%0 : tensor<91xi64>) -> tensor<91xi64>
  %2 = tensor.empty() : tensor<91xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<91xf32>) -> tensor<91xf32>
  %4:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%logits : tensor<91x301xf32>) outs(%3, %1 : tensor<91xf32>, tensor<91xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %5 = linalg.index 1 : index
    %6 = arith.index_cast %5 : index to i64
    %7 = arith.maximumf %in, %out : f32
    %8 = arith.cmpf ogt, %in, %out : f32
    %9 = arith.select %8, %6, %out_1 : i64
    linalg.yield %7, %9 : f32, i64
  } -> (tensor<91xf32>, tensor<91xi64>)
  %10 = tensor.expand_shape %4#0 [[0, 1]] output_shape [91, 1] : tensor<91xf32> into tensor<91x1xf32>
  %11 = tensor.empty() : tensor<91x301xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%logits, %10 : tensor<91x301xf32>, tensor<91x1xf32>) outs(%11 : tensor<91x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.subf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<91x301xf32>
  %14 = tensor.empty() : tensor<91x301xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<91x301xf32>) outs(%14 : tensor<91x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<91x301xf32>
  %17 = tensor.empty() : tensor<91x1xf32>
  %18 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<91x1xf32>) -> tensor<91x1xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<91x301xf32>) outs(%18 : tensor<91x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.addf %in, %out : f32
    linalg.yield %20 : f32
  } -> tensor<91x1xf32>
  %21 = tensor.empty() : tensor<91x301xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %19 : tensor<91x301xf32>, tensor<91x1xf32>) outs(%21 : tensor<91x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %23 = arith.divf %in, %in_1 : f32
    linalg.yield %23 : f32
  } -> tensor<91x301xf32>
  %24 = tensor.empty() : tensor<91x301xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<91x301xf32>) outs(%24 : tensor<91x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.truncf %cst_3 : f64 to f32
    %27 = arith.addf %in, %26 : f32
    linalg.yield %27 : f32
  } -> tensor<91x301xf32>
  %28 = tensor.empty() : tensor<91x301xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<91x301xf32>) outs(%28 : tensor<91x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %30 = math.log %in : f32
    linalg.yield %30 : f32
  } -> tensor<91x301xf32>
  %31 = tensor.empty() : tensor<91x301xf32>
  %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %29 : tensor<91x301xf32>, tensor<91x301xf32>) outs(%31 : tensor<91x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %33 = arith.mulf %in, %in_1 : f32
    linalg.yield %33 : f32
  } -> tensor<91x301xf32>
  %34 = tensor.empty() : tensor<91xf32>
  %35 = linalg.fill ins(%cst_2 : f32) outs(%34 : tensor<91xf32>) -> tensor<91xf32>
  %36 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "reduction"]} ins(%32 : tensor<91x301xf32>) outs(%35 : tensor<91xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.addf %in, %out : f32
    linalg.yield %37 : f32
  } -> tensor<91xf32>
  %38 = tensor.empty() : tensor<91xf32>
  %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%36 : tensor<91xf32>) outs(%38 : tensor<91xf32>) {
  ^bb0(%in: f32, %out: f32):
    %40 = arith.negf %in : f32
    linalg.yield %40 : f32
  } -> tensor<91xf32>
  return %39 : tensor<91xf32>
}
