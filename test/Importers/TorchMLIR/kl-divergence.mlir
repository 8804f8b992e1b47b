// KL divergence of two log-softmaxes, the sum of each row. A CPU stores blocks of rows,
// not all 19 (22876 bytes).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=12224 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>

func.func @kl_divergence(%logits: tensor<19x301xf32>,
    %teacher: tensor<19x301xf32>) -> tensor<19xf32> {
  %cst = arith.constant 0 : i64
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<19xi64>
  %1 = linalg.fill ins(%cst : i64) outs(%0 : tensor<19xi64>) -> tensor<19xi64>
  %2 = tensor.empty() : tensor<19xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<19xf32>) -> tensor<19xf32>
  %4:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%logits : tensor<19x301xf32>) outs(%3, %1 : tensor<19xf32>, tensor<19xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %5 = linalg.index 1 : index
    %6 = arith.index_cast %5 : index to i64
    %7 = arith.maximumf %in, %out : f32
    %8 = arith.cmpf ogt, %in, %out : f32
    %9 = arith.select %8, %6, %out_1 : i64
    linalg.yield %7, %9 : f32, i64
  } -> (tensor<19xf32>, tensor<19xi64>)
  %10 = tensor.expand_shape %4#0 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %11 = tensor.empty() : tensor<19x301xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%logits, %10 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%11 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.subf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<19x301xf32>
  %14 = tensor.empty() : tensor<19x301xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<19x301xf32>) outs(%14 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<19x301xf32>
  %17 = tensor.empty() : tensor<19x1xf32>
  %18 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<19x1xf32>) -> tensor<19x1xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<19x301xf32>) outs(%18 : tensor<19x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.addf %in, %out : f32
    linalg.yield %20 : f32
  } -> tensor<19x1xf32>
  %21 = tensor.empty() : tensor<19x1xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<19x1xf32>) outs(%21 : tensor<19x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = math.log %in : f32
    linalg.yield %23 : f32
  } -> tensor<19x1xf32>
  %24 = tensor.empty() : tensor<19x301xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %22 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%24 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %26 = arith.subf %in, %in_1 : f32
    linalg.yield %26 : f32
  } -> tensor<19x301xf32>
  %27 = tensor.empty() : tensor<19xi64>
  %28 = linalg.fill ins(%cst : i64) outs(%27 : tensor<19xi64>) -> tensor<19xi64>
  %29 = tensor.empty() : tensor<19xf32>
  %30 = linalg.fill ins(%cst_1 : f32) outs(%29 : tensor<19xf32>) -> tensor<19xf32>
  %31:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%teacher : tensor<19x301xf32>) outs(%30, %28 : tensor<19xf32>, tensor<19xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %32 = linalg.index 1 : index
    %33 = arith.index_cast %32 : index to i64
    %34 = arith.maximumf %in, %out : f32
    %35 = arith.cmpf ogt, %in, %out : f32
    %36 = arith.select %35, %33, %out_1 : i64
    linalg.yield %34, %36 : f32, i64
  } -> (tensor<19xf32>, tensor<19xi64>)
  %37 = tensor.expand_shape %31#0 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %38 = tensor.empty() : tensor<19x301xf32>
  %39 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%teacher, %37 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%38 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %40 = arith.subf %in, %in_1 : f32
    linalg.yield %40 : f32
  } -> tensor<19x301xf32>
  %41 = tensor.empty() : tensor<19x301xf32>
  %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<19x301xf32>) outs(%41 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = math.exp %in : f32
    linalg.yield %43 : f32
  } -> tensor<19x301xf32>
  %44 = tensor.empty() : tensor<19x1xf32>
  %45 = linalg.fill ins(%cst_2 : f32) outs(%44 : tensor<19x1xf32>) -> tensor<19x1xf32>
  %46 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%42 : tensor<19x301xf32>) outs(%45 : tensor<19x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %47 = arith.addf %in, %out : f32
    linalg.yield %47 : f32
  } -> tensor<19x1xf32>
  %48 = tensor.empty() : tensor<19x1xf32>
  %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<19x1xf32>) outs(%48 : tensor<19x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = math.log %in : f32
    linalg.yield %50 : f32
  } -> tensor<19x1xf32>
  %51 = tensor.empty() : tensor<19x301xf32>
  %52 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%39, %49 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%51 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %53 = arith.subf %in, %in_1 : f32
    linalg.yield %53 : f32
  } -> tensor<19x301xf32>
  %54 = tensor.empty() : tensor<19x301xf32>
  %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<19x301xf32>) outs(%54 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %56 = math.exp %in : f32
    linalg.yield %56 : f32
  } -> tensor<19x301xf32>
  %57 = tensor.empty() : tensor<19x301xf32>
  %58 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%52, %25 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%57 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %59 = arith.subf %in, %in_1 : f32
    linalg.yield %59 : f32
  } -> tensor<19x301xf32>
  %60 = tensor.empty() : tensor<19x301xf32>
  %61 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%55, %58 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%60 : tensor<19x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %62 = arith.mulf %in, %in_1 : f32
    linalg.yield %62 : f32
  } -> tensor<19x301xf32>
  %63 = tensor.empty() : tensor<19xf32>
  %64 = linalg.fill ins(%cst_2 : f32) outs(%63 : tensor<19xf32>) -> tensor<19xf32>
  %65 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "reduction"]} ins(%61 : tensor<19x301xf32>) outs(%64 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %66 = arith.addf %in, %out : f32
    linalg.yield %66 : f32
  } -> tensor<19xf32>
  return %65 : tensor<19xf32>
}
