// Latent attention of one token, absorbed: all heads share a cache, and the values
// are a part of it; bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=3200 --max-kernels=2 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @mla_decode(%q_latent: tensor<2x5x1x16xbf16>,
                      %q_rope: tensor<2x5x1x8xbf16>,
                      %cache: tensor<2x301x24xbf16>) -> tensor<2x5x1x16xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.04124145231931509e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.concat dim(3) %q_latent, %q_rope : (tensor<2x5x1x16xbf16>, tensor<2x5x1x8xbf16>) -> tensor<2x5x1x24xbf16>
  %1 = tensor.expand_shape %cache [[0, 1], [2], [3]] output_shape [2, 1, 301, 24] : tensor<2x301x24xbf16> into tensor<2x1x301x24xbf16>
  %2 = tensor.empty() : tensor<2x5x301x24xbf16>
  %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x1x301x24xbf16>) outs(%2 : tensor<2x5x301x24xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<2x5x301x24xbf16>
  %4 = tensor.extract_slice %3[0, 0, 0, 0] [2, 5, 301, 16] [1, 1, 1, 1] : tensor<2x5x301x24xbf16> to tensor<2x5x301x16xbf16>
  %5 = tensor.empty() : tensor<2x5x24x301xbf16>
  %6 = linalg.transpose ins(%3 : tensor<2x5x301x24xbf16>) outs(%5 : tensor<2x5x24x301xbf16>) permutation = [0, 1, 3, 2]
  %7 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<2x5x1x24xbf16> into tensor<10x1x24xbf16>
  %8 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<2x5x24x301xbf16> into tensor<10x24x301xbf16>
  %9 = tensor.empty() : tensor<10x1x301xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<10x1x301xf32>) -> tensor<10x1x301xf32>
  %11 = linalg.batch_matmul ins(%7, %8 : tensor<10x1x24xbf16>, tensor<10x24x301xbf16>) outs(%10 : tensor<10x1x301xf32>) -> tensor<10x1x301xf32>
  %12 = tensor.empty() : tensor<10x1x301xbf16>
  %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<10x1x301xf32>) outs(%12 : tensor<10x1x301xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %14 = arith.truncf %in : f32 to bf16
    linalg.yield %14 : bf16
  } -> tensor<10x1x301xbf16>
  %15 = tensor.expand_shape %13 [[0, 1], [2], [3]] output_shape [2, 5, 1, 301] : tensor<10x1x301xbf16> into tensor<2x5x1x301xbf16>
  %16 = tensor.empty() : tensor<2x5x1x301xbf16>
  %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x5x1x301xbf16>) outs(%16 : tensor<2x5x1x301xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %18 = arith.truncf %cst_1 : f64 to bf16
    %19 = arith.mulf %in, %18 : bf16
    linalg.yield %19 : bf16
  } -> tensor<2x5x1x301xbf16>
  %20 = tensor.empty() : tensor<2x5x1x301xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x5x1x301xbf16>) outs(%20 : tensor<2x5x1x301xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %22 = arith.extf %in : bf16 to f32
    linalg.yield %22 : f32
  } -> tensor<2x5x1x301xf32>
  %23 = tensor.empty() : tensor<2x5x1xi64>
  %24 = linalg.fill ins(%cst_2 : i64) outs(%23 : tensor<2x5x1xi64>) -> tensor<2x5x1xi64>
  %25 = tensor.empty() : tensor<2x5x1xf32>
  %26 = linalg.fill ins(%cst_3 : f32) outs(%25 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %27:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<2x5x1x301xf32>) outs(%26, %24 : tensor<2x5x1xf32>, tensor<2x5x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %28 = linalg.index 3 : index
    %29 = arith.index_cast %28 : index to i64
    %30 = arith.maximumf %in, %out : f32
    %31 = arith.cmpf ogt, %in, %out : f32
    %32 = arith.select %31, %29, %out_1 : i64
    linalg.yield %30, %32 : f32, i64
  } -> (tensor<2x5x1xf32>, tensor<2x5x1xi64>)
  %33 = tensor.expand_shape %27#0 [[0], [1], [2, 3]] output_shape [2, 5, 1, 1] : tensor<2x5x1xf32> into tensor<2x5x1x1xf32>
  %34 = tensor.empty() : tensor<2x5x1x301xf32>
  %35 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %33 : tensor<2x5x1x301xf32>, tensor<2x5x1x1xf32>) outs(%34 : tensor<2x5x1x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %36 = arith.subf %in, %in_1 : f32
    linalg.yield %36 : f32
  } -> tensor<2x5x1x301xf32>
  %37 = tensor.empty() : tensor<2x5x1x301xf32>
  %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<2x5x1x301xf32>) outs(%37 : tensor<2x5x1x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %39 = math.exp %in : f32
    linalg.yield %39 : f32
  } -> tensor<2x5x1x301xf32>
  %40 = tensor.empty() : tensor<2x5x1x1xf32>
  %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %42 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<2x5x1x301xf32>) outs(%41 : tensor<2x5x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.addf %in, %out : f32
    linalg.yield %43 : f32
  } -> tensor<2x5x1x1xf32>
  %44 = tensor.empty() : tensor<2x5x1x301xf32>
  %45 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %42 : tensor<2x5x1x301xf32>, tensor<2x5x1x1xf32>) outs(%44 : tensor<2x5x1x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.divf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<2x5x1x301xf32>
  %47 = tensor.empty() : tensor<2x5x1x301xbf16>
  %48 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x5x1x301xf32>) outs(%47 : tensor<2x5x1x301xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %49 = arith.truncf %in : f32 to bf16
    linalg.yield %49 : bf16
  } -> tensor<2x5x1x301xbf16>
  %50 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<2x5x1x301xbf16> into tensor<10x1x301xbf16>
  %51 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<2x5x301x16xbf16> into tensor<10x301x16xbf16>
  %52 = tensor.empty() : tensor<10x1x16xf32>
  %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<10x1x16xf32>) -> tensor<10x1x16xf32>
  %54 = linalg.batch_matmul ins(%50, %51 : tensor<10x1x301xbf16>, tensor<10x301x16xbf16>) outs(%53 : tensor<10x1x16xf32>) -> tensor<10x1x16xf32>
  %55 = tensor.empty() : tensor<10x1x16xbf16>
  %56 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<10x1x16xf32>) outs(%55 : tensor<10x1x16xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %57 = arith.truncf %in : f32 to bf16
    linalg.yield %57 : bf16
  } -> tensor<10x1x16xbf16>
  %58 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [2, 5, 1, 16] : tensor<10x1x16xbf16> into tensor<2x5x1x16xbf16>
  return %58 : tensor<2x5x1x16xbf16>
}
