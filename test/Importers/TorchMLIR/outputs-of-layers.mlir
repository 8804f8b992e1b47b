// A token chooses among the outputs of the layers below by a softmax along layers (attention
// residuals). Scores are sums of normalized rows, which are read again: these are computed first,
// and then the softmax of several tokens.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=3

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @outputs_of_layers(%arg0: tensor<9x21x600xf32>, %arg1: tensor<600xf32>, %arg2: tensor<600xf32>) -> tensor<21x600xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 9.99999997E-7 : f32
  %cst_1 = arith.constant 6.000000e+02 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<9x21x600xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<9x21x600xf32>, tensor<9x21x600xf32>) outs(%0 : tensor<9x21x600xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %37 = arith.mulf %in, %in_3 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x600xf32>
  %2 = tensor.empty() : tensor<9x21x1xf32>
  %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<9x21x1xf32>) -> tensor<9x21x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<9x21x600xf32>) outs(%3 : tensor<9x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.addf %in, %out : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x1xf32>
  %5 = tensor.empty() : tensor<9x21x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<9x21x1xf32>) outs(%5 : tensor<9x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.divf %in, %cst_1 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x1xf32>
  %7 = tensor.empty() : tensor<9x21x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<9x21x1xf32>) outs(%7 : tensor<9x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.addf %in, %cst_0 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x1xf32>
  %9 = tensor.empty() : tensor<9x21x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<9x21x1xf32>) outs(%9 : tensor<9x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = math.rsqrt %in : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x1xf32>
  %11 = tensor.empty() : tensor<9x21x600xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %10 : tensor<9x21x600xf32>, tensor<9x21x1xf32>) outs(%11 : tensor<9x21x600xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %37 = arith.mulf %in, %in_3 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x600xf32>
  %13 = tensor.empty() : tensor<9x21x600xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg2 : tensor<9x21x600xf32>, tensor<600xf32>) outs(%13 : tensor<9x21x600xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %37 = arith.mulf %in, %in_3 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x600xf32>
  %15 = tensor.empty() : tensor<9x21x600xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %arg1 : tensor<9x21x600xf32>, tensor<600xf32>) outs(%15 : tensor<9x21x600xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %37 = arith.mulf %in, %in_3 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x600xf32>
  %17 = tensor.empty() : tensor<9x21xf32>
  %18 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<9x21xf32>) -> tensor<9x21xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<9x21x600xf32>) outs(%18 : tensor<9x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.addf %in, %out : f32
    linalg.yield %37 : f32
  } -> tensor<9x21xf32>
  %20 = tensor.empty() : tensor<1x21xf32>
  %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x21xf32>) -> tensor<1x21xf32>
  %22 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction", "parallel"]} ins(%19 : tensor<9x21xf32>) outs(%21 : tensor<1x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.maximumf %in, %out : f32
    linalg.yield %37 : f32
  } -> tensor<1x21xf32>
  %23 = tensor.empty() : tensor<9x21xf32>
  %24 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%19, %22 : tensor<9x21xf32>, tensor<1x21xf32>) outs(%23 : tensor<9x21xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %37 = arith.subf %in, %in_3 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21xf32>
  %25 = tensor.empty() : tensor<9x21xf32>
  %26 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<9x21xf32>) outs(%25 : tensor<9x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = math.exp %in : f32
    linalg.yield %37 : f32
  } -> tensor<9x21xf32>
  %27 = tensor.empty() : tensor<1x21xf32>
  %28 = linalg.fill ins(%cst_2 : f32) outs(%27 : tensor<1x21xf32>) -> tensor<1x21xf32>
  %29 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction", "parallel"]} ins(%26 : tensor<9x21xf32>) outs(%28 : tensor<1x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.addf %in, %out : f32
    linalg.yield %37 : f32
  } -> tensor<1x21xf32>
  %30 = tensor.empty() : tensor<9x21xf32>
  %31 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%26, %29 : tensor<9x21xf32>, tensor<1x21xf32>) outs(%30 : tensor<9x21xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %37 = arith.divf %in, %in_3 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21xf32>
  %expanded = tensor.expand_shape %31 [[0], [1, 2]] output_shape [9, 21, 1] : tensor<9x21xf32> into tensor<9x21x1xf32>
  %32 = tensor.empty() : tensor<9x21x600xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded : tensor<9x21x600xf32>, tensor<9x21x1xf32>) outs(%32 : tensor<9x21x600xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %37 = arith.mulf %in, %in_3 : f32
    linalg.yield %37 : f32
  } -> tensor<9x21x600xf32>
  %34 = tensor.empty() : tensor<21x600xf32>
  %35 = linalg.fill ins(%cst_2 : f32) outs(%34 : tensor<21x600xf32>) -> tensor<21x600xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["reduction", "parallel", "parallel"]} ins(%33 : tensor<9x21x600xf32>) outs(%35 : tensor<21x600xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.addf %in, %out : f32
    linalg.yield %37 : f32
  } -> tensor<21x600xf32>
  return %36 : tensor<21x600xf32>
}
