// A softmax with one more in the denominator.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16 --targets=gpu

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @softmax_one(%q: tensor<1x2x37x16xf32>,
    %k: tensor<1x2x37x16xf32>,
    %v: tensor<1x2x37x16xf32>) -> (tensor<1x2x37x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x2x16x37xf32>
  %1 = linalg.transpose ins(%k : tensor<1x2x37x16xf32>) outs(%0 : tensor<1x2x16x37xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x16x37xf32> into tensor<2x16x37xf32>
  %4 = tensor.empty() : tensor<2x37x37xf32>
  %5 = linalg.fill ins(%cst0 : f32) outs(%4 : tensor<2x37x37xf32>) -> tensor<2x37x37xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<2x37x16xf32>, tensor<2x16x37xf32>) outs(%5 : tensor<2x37x37xf32>) -> tensor<2x37x37xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 2, 37, 37] : tensor<2x37x37xf32> into tensor<1x2x37x37xf32>
  %8 = tensor.empty() : tensor<1x2x37x37xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x37x37xf32>) outs(%8 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %10 = tensor.empty() : tensor<1x2x37x1xf32>
  %11 = linalg.fill ins(%cst2 : f32) outs(%10 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x2x37x37xf32>) outs(%11 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %13 = tensor.empty() : tensor<1x2x37x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x2x37x1xf32>) outs(%13 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %15 = tensor.empty() : tensor<1x2x37x37xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %14 : tensor<1x2x37x37xf32>, tensor<1x2x37x1xf32>) outs(%15 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %17 = tensor.empty() : tensor<1x2x37x37xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x37x37xf32>) outs(%17 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %19 = tensor.empty() : tensor<1x2x37x1xf32>
  %20 = linalg.fill ins(%cst0 : f32) outs(%19 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x2x37x37xf32>) outs(%20 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %22 = tensor.empty() : tensor<1x2x37x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x2x37x1xf32>) outs(%22 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %24 = tensor.empty() : tensor<1x2x37x1xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x37x1xf32>) outs(%24 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %26 = tensor.empty() : tensor<1x2x37x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<1x2x37x1xf32>, tensor<1x2x37x1xf32>) outs(%26 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %28 = tensor.empty() : tensor<1x2x37x37xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %27 : tensor<1x2x37x37xf32>, tensor<1x2x37x1xf32>) outs(%28 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %30 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<1x2x37x37xf32> into tensor<2x37x37xf32>
  %31 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %32 = tensor.empty() : tensor<2x37x16xf32>
  %33 = linalg.fill ins(%cst0 : f32) outs(%32 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %34 = linalg.batch_matmul ins(%30, %31 : tensor<2x37x37xf32>, tensor<2x37x16xf32>) outs(%33 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %35 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 2, 37, 16] : tensor<2x37x16xf32> into tensor<1x2x37x16xf32>
  return %35 : tensor<1x2x37x16xf32>
}
