// LayerNorm of f16 computed in f32, rounded, in front of a linear layer.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9856 --max-kernels=2

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>

func.func @layer_norm_f16_upcast(%x: tensor<2x17x72xf16>,
    %gamma: tensor<72xf16>,
    %beta: tensor<72xf16>,
    %w: tensor<56x72xf16>,
    %b: tensor<56xf16>) -> tensor<2x17x56xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 7.20000000000000000e+01 : f64
  %cst_2 = arith.constant 1.00000000000000008e-05 : f64
  %0 = tensor.empty() : tensor<2x17x72xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x17x72xf16>) outs(%0 : tensor<2x17x72xf32>) {
  ^bb0(%in: f16, %out: f32):
    %2 = arith.extf %in : f16 to f32
    linalg.yield %2 : f32
  } -> tensor<2x17x72xf32>
  %3 = tensor.empty() : tensor<2x17x1xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x17x1xf32>) -> tensor<2x17x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x17x72xf32>) outs(%4 : tensor<2x17x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<2x17x1xf32>
  %7 = tensor.empty() : tensor<2x17x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x17x1xf32>) outs(%7 : tensor<2x17x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.truncf %cst_1 : f64 to f32
    %10 = arith.divf %in, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<2x17x1xf32>
  %11 = tensor.empty() : tensor<2x17x72xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<2x17x72xf32>, tensor<2x17x1xf32>) outs(%11 : tensor<2x17x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.subf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<2x17x72xf32>
  %14 = tensor.empty() : tensor<2x17x72xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %12 : tensor<2x17x72xf32>, tensor<2x17x72xf32>) outs(%14 : tensor<2x17x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<2x17x72xf32>
  %17 = tensor.empty() : tensor<2x17x1xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x17x1xf32>) -> tensor<2x17x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x17x72xf32>) outs(%18 : tensor<2x17x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.addf %in, %out : f32
    linalg.yield %20 : f32
  } -> tensor<2x17x1xf32>
  %21 = tensor.empty() : tensor<2x17x1xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x17x1xf32>) outs(%21 : tensor<2x17x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.truncf %cst_1 : f64 to f32
    %24 = arith.divf %in, %23 : f32
    linalg.yield %24 : f32
  } -> tensor<2x17x1xf32>
  %25 = tensor.empty() : tensor<2x17x1xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x17x1xf32>) outs(%25 : tensor<2x17x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.truncf %cst_2 : f64 to f32
    %28 = arith.addf %in, %27 : f32
    linalg.yield %28 : f32
  } -> tensor<2x17x1xf32>
  %29 = tensor.empty() : tensor<2x17x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x17x1xf32>) outs(%29 : tensor<2x17x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.rsqrt %in : f32
    linalg.yield %31 : f32
  } -> tensor<2x17x1xf32>
  %32 = tensor.empty() : tensor<2x17x72xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %30 : tensor<2x17x72xf32>, tensor<2x17x1xf32>) outs(%32 : tensor<2x17x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.mulf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<2x17x72xf32>
  %35 = tensor.empty() : tensor<72xf32>
  %36 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%gamma : tensor<72xf16>) outs(%35 : tensor<72xf32>) {
  ^bb0(%in: f16, %out: f32):
    %37 = arith.extf %in : f16 to f32
    linalg.yield %37 : f32
  } -> tensor<72xf32>
  %38 = tensor.empty() : tensor<72xf32>
  %39 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%beta : tensor<72xf16>) outs(%38 : tensor<72xf32>) {
  ^bb0(%in: f16, %out: f32):
    %40 = arith.extf %in : f16 to f32
    linalg.yield %40 : f32
  } -> tensor<72xf32>
  %41 = tensor.empty() : tensor<2x17x72xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<2x17x72xf32>, tensor<72xf32>) outs(%41 : tensor<2x17x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.mulf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<2x17x72xf32>
  %44 = tensor.empty() : tensor<2x17x72xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %39 : tensor<2x17x72xf32>, tensor<72xf32>) outs(%44 : tensor<2x17x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.addf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<2x17x72xf32>
  %47 = tensor.empty() : tensor<2x17x72xf16>
  %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2x17x72xf32>) outs(%47 : tensor<2x17x72xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<2x17x72xf16>
  %50 = tensor.empty() : tensor<72x56xf16>
  %51 = linalg.transpose ins(%w : tensor<56x72xf16>) outs(%50 : tensor<72x56xf16>) permutation = [1, 0]
  %52 = tensor.collapse_shape %48 [[0, 1], [2]] : tensor<2x17x72xf16> into tensor<34x72xf16>
  %53 = tensor.empty() : tensor<34x56xf32>
  %54 = linalg.fill ins(%cst : f32) outs(%53 : tensor<34x56xf32>) -> tensor<34x56xf32>
  %55 = linalg.matmul ins(%52, %51 : tensor<34x72xf16>, tensor<72x56xf16>) outs(%54 : tensor<34x56xf32>) -> tensor<34x56xf32>
  %56 = tensor.empty() : tensor<34x56xf16>
  %57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<34x56xf32>) outs(%56 : tensor<34x56xf16>) {
  ^bb0(%in: f32, %out: f16):
    %58 = arith.truncf %in : f32 to f16
    linalg.yield %58 : f16
  } -> tensor<34x56xf16>
  %59 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [2, 17, 56] : tensor<34x56xf16> into tensor<2x17x56xf16>
  %60 = tensor.empty() : tensor<2x17x56xf16>
  %61 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %b : tensor<2x17x56xf16>, tensor<56xf16>) outs(%60 : tensor<2x17x56xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %62 = arith.addf %in, %in_1 : f16
    linalg.yield %62 : f16
  } -> tensor<2x17x56xf16>
  return %61 : tensor<2x17x56xf16>
}
