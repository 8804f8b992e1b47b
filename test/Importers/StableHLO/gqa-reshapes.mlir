// Grouped queries: reshapes between the scores and the softmax, and behind it.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9728 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d2, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d1, d5)>
#map8 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d2, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

func.func @gqa(%q: tensor<1x37x4x16xf16>,
               %k: tensor<1x45x2x16xf16>,
               %v: tensor<1x45x2x16xf16>) -> tensor<1x37x4x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.expand_shape %q [[0], [1], [2, 3], [4]] output_shape [1, 37, 2, 2, 16] : tensor<1x37x4x16xf16> into tensor<1x37x2x2x16xf16>
  %1 = tensor.empty() : tensor<1x2x2x37x45xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x2x2x37x45xf32>) -> tensor<1x2x2x37x45xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%0, %k : tensor<1x37x2x2x16xf16>, tensor<1x45x2x16xf16>) outs(%2 : tensor<1x2x2x37x45xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %4 = arith.extf %in : f16 to f32
    %5 = arith.extf %in_1 : f16 to f32
    %6 = arith.mulf %4, %5 : f32
    %7 = arith.addf %out, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<1x2x2x37x45xf32>
  %8 = tensor.collapse_shape %3 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x45xf32> into tensor<1x4x37x45xf32>
  %9 = arith.constant dense<2.500000e-01> : tensor<1x4x37x45xf32>
  %10 = tensor.empty() : tensor<1x4x37x45xf32>
  %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<1x4x37x45xf32>, tensor<1x4x37x45xf32>) outs(%10 : tensor<1x4x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %12 = arith.mulf %in, %in_1 : f32
    linalg.yield %12 : f32
  } -> tensor<1x4x37x45xf32>
  %13 = tensor.empty() : tensor<1x4x37xf32>
  %14 = linalg.fill ins(%cst_1 : f32) outs(%13 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %15 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<1x4x37x45xf32>) outs(%14 : tensor<1x4x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.maximumf %out, %in : f32
    linalg.yield %16 : f32
  } -> tensor<1x4x37xf32>
  %17 = arith.constant dense<0xFF800000> : tensor<1x4x37xf32>
  %18 = tensor.empty() : tensor<1x4x37xf32>
  %19 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %15 : tensor<1x4x37xf32>, tensor<1x4x37xf32>) outs(%18 : tensor<1x4x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %20 = arith.maximumf %in, %in_1 : f32
    linalg.yield %20 : f32
  } -> tensor<1x4x37xf32>
  %21 = tensor.empty() : tensor<1x4x37x1xf32>
  %22 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x4x37xf32>) outs(%21 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x1xf32>
  %23 = tensor.empty() : tensor<1x4x37x45xf32>
  %24 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x4x37x1xf32>) outs(%23 : tensor<1x4x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x45xf32>
  %25 = tensor.empty() : tensor<1x4x37x45xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %24 : tensor<1x4x37x45xf32>, tensor<1x4x37x45xf32>) outs(%25 : tensor<1x4x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %27 = arith.subf %in, %in_1 : f32
    linalg.yield %27 : f32
  } -> tensor<1x4x37x45xf32>
  %28 = tensor.empty() : tensor<1x4x37x45xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x4x37x45xf32>) outs(%28 : tensor<1x4x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %30 = math.exp %in : f32
    linalg.yield %30 : f32
  } -> tensor<1x4x37x45xf32>
  %31 = tensor.empty() : tensor<1x4x37xf32>
  %32 = linalg.fill ins(%cst_2 : f32) outs(%31 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %33 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x4x37x45xf32>) outs(%32 : tensor<1x4x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.addf %out, %in : f32
    linalg.yield %34 : f32
  } -> tensor<1x4x37xf32>
  %35 = tensor.empty() : tensor<1x4x37x1xf32>
  %36 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x4x37xf32>) outs(%35 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x1xf32>
  %37 = tensor.empty() : tensor<1x4x37x45xf32>
  %38 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x4x37x1xf32>) outs(%37 : tensor<1x4x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x37x45xf32>
  %39 = tensor.empty() : tensor<1x4x37x45xf32>
  %40 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %38 : tensor<1x4x37x45xf32>, tensor<1x4x37x45xf32>) outs(%39 : tensor<1x4x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %41 = arith.divf %in, %in_1 : f32
    linalg.yield %41 : f32
  } -> tensor<1x4x37x45xf32>
  %42 = tensor.empty() : tensor<1x4x37x45xf16>
  %43 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x4x37x45xf32>) outs(%42 : tensor<1x4x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %44 = arith.truncf %in : f32 to f16
    linalg.yield %44 : f16
  } -> tensor<1x4x37x45xf16>
  %45 = tensor.expand_shape %43 [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 37, 45] : tensor<1x4x37x45xf16> into tensor<1x2x2x37x45xf16>
  %46 = tensor.empty() : tensor<1x37x2x2x16xf32>
  %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<1x37x2x2x16xf32>) -> tensor<1x37x2x2x16xf32>
  %48 = linalg.generic {indexing_maps = [#map7, #map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%45, %v : tensor<1x2x2x37x45xf16>, tensor<1x45x2x16xf16>) outs(%47 : tensor<1x37x2x2x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %49 = arith.extf %in : f16 to f32
    %50 = arith.extf %in_1 : f16 to f32
    %51 = arith.mulf %49, %50 : f32
    %52 = arith.addf %out, %51 : f32
    linalg.yield %52 : f32
  } -> tensor<1x37x2x2x16xf32>
  %53 = tensor.empty() : tensor<1x37x2x2x16xf16>
  %54 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x37x2x2x16xf32>) outs(%53 : tensor<1x37x2x2x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %55 = arith.truncf %in : f32 to f16
    linalg.yield %55 : f16
  } -> tensor<1x37x2x2x16xf16>
  %56 = tensor.collapse_shape %54 [[0], [1], [2, 3], [4]] : tensor<1x37x2x2x16xf16> into tensor<1x37x4x16xf16>
  return %56 : tensor<1x37x4x16xf16>
}
