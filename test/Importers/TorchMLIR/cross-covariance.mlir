// XCiT: a softmax over channels, of normalised channels.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16 --targets=gpu

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @xcit(%qkv: tensor<1x45x144xf32>,
    %t: tensor<3x1x1xf32>) -> (tensor<1x45x48xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 1.000000e-12 : f32
  %cst2 = arith.constant 0 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %qkv [[0], [1], [2, 3, 4]] output_shape [1, 45, 3, 3, 16] : tensor<1x45x144xf32> into tensor<1x45x3x3x16xf32>
  %1 = tensor.empty() : tensor<3x1x3x16x45xf32>
  %2 = linalg.transpose ins(%0 : tensor<1x45x3x3x16xf32>) outs(%1 : tensor<3x1x3x16x45xf32>) permutation = [2, 0, 3, 4, 1]
  %3 = tensor.extract_slice %2[0, 0, 0, 0, 0] [1, 1, 3, 16, 45] [1, 1, 1, 1, 1] : tensor<3x1x3x16x45xf32> to tensor<1x1x3x16x45xf32>
  %4 = tensor.collapse_shape %3 [[0], [1, 2], [3], [4]] : tensor<1x1x3x16x45xf32> into tensor<1x3x16x45xf32>
  %5 = tensor.extract_slice %2[1, 0, 0, 0, 0] [1, 1, 3, 16, 45] [1, 1, 1, 1, 1] : tensor<3x1x3x16x45xf32> to tensor<1x1x3x16x45xf32>
  %6 = tensor.collapse_shape %5 [[0], [1, 2], [3], [4]] : tensor<1x1x3x16x45xf32> into tensor<1x3x16x45xf32>
  %7 = tensor.extract_slice %2[2, 0, 0, 0, 0] [1, 1, 3, 16, 45] [1, 1, 1, 1, 1] : tensor<3x1x3x16x45xf32> to tensor<1x1x3x16x45xf32>
  %8 = tensor.collapse_shape %7 [[0], [1, 2], [3], [4]] : tensor<1x1x3x16x45xf32> into tensor<1x3x16x45xf32>
  %9 = tensor.empty() : tensor<1x3x16x45xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %4 : tensor<1x3x16x45xf32>, tensor<1x3x16x45xf32>) outs(%9 : tensor<1x3x16x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x45xf32>
  %11 = tensor.empty() : tensor<1x3x16x1xf32>
  %12 = linalg.fill ins(%cst0 : f32) outs(%11 : tensor<1x3x16x1xf32>) -> tensor<1x3x16x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<1x3x16x45xf32>) outs(%12 : tensor<1x3x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x1xf32>
  %14 = tensor.empty() : tensor<1x3x16x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x3x16x1xf32>) outs(%14 : tensor<1x3x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.sqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x1xf32>
  %16 = tensor.empty() : tensor<1x3x16x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x3x16x1xf32>) outs(%16 : tensor<1x3x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x1xf32>
  %18 = tensor.empty() : tensor<1x3x16x45xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %17 : tensor<1x3x16x45xf32>, tensor<1x3x16x1xf32>) outs(%18 : tensor<1x3x16x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x45xf32>
  %20 = tensor.empty() : tensor<1x3x16x45xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x3x16x45xf32>, tensor<1x3x16x45xf32>) outs(%20 : tensor<1x3x16x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x45xf32>
  %22 = tensor.empty() : tensor<1x3x16x1xf32>
  %23 = linalg.fill ins(%cst0 : f32) outs(%22 : tensor<1x3x16x1xf32>) -> tensor<1x3x16x1xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x3x16x45xf32>) outs(%23 : tensor<1x3x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x1xf32>
  %25 = tensor.empty() : tensor<1x3x16x1xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x3x16x1xf32>) outs(%25 : tensor<1x3x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.sqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x1xf32>
  %27 = tensor.empty() : tensor<1x3x16x1xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x3x16x1xf32>) outs(%27 : tensor<1x3x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x1xf32>
  %29 = tensor.empty() : tensor<1x3x16x45xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %28 : tensor<1x3x16x45xf32>, tensor<1x3x16x1xf32>) outs(%29 : tensor<1x3x16x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x45xf32>
  %31 = tensor.empty() : tensor<1x3x45x16xf32>
  %32 = linalg.transpose ins(%30 : tensor<1x3x16x45xf32>) outs(%31 : tensor<1x3x45x16xf32>) permutation = [0, 1, 3, 2]
  %33 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %34 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %35 = tensor.empty() : tensor<3x16x16xf32>
  %36 = linalg.fill ins(%cst0 : f32) outs(%35 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %37 = linalg.batch_matmul ins(%33, %34 : tensor<3x16x45xf32>, tensor<3x45x16xf32>) outs(%36 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %38 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 3, 16, 16] : tensor<3x16x16xf32> into tensor<1x3x16x16xf32>
  %39 = tensor.empty() : tensor<1x3x16x16xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %t : tensor<1x3x16x16xf32>, tensor<3x1x1xf32>) outs(%39 : tensor<1x3x16x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x16xf32>
  %41 = tensor.empty() : tensor<1x3x16xi64>
  %42 = linalg.fill ins(%cst2 : i64) outs(%41 : tensor<1x3x16xi64>) -> tensor<1x3x16xi64>
  %43 = tensor.empty() : tensor<1x3x16xf32>
  %44 = linalg.fill ins(%cst3 : f32) outs(%43 : tensor<1x3x16xf32>) -> tensor<1x3x16xf32>
  %45:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x3x16x16xf32>) outs(%44, %42 : tensor<1x3x16xf32>, tensor<1x3x16xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x16xf32>, tensor<1x3x16xi64>)
  %46 = tensor.expand_shape %45#0 [[0], [1], [2, 3]] output_shape [1, 3, 16, 1] : tensor<1x3x16xf32> into tensor<1x3x16x1xf32>
  %47 = tensor.empty() : tensor<1x3x16x16xf32>
  %48 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %46 : tensor<1x3x16x16xf32>, tensor<1x3x16x1xf32>) outs(%47 : tensor<1x3x16x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x16xf32>
  %49 = tensor.empty() : tensor<1x3x16x16xf32>
  %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x3x16x16xf32>) outs(%49 : tensor<1x3x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x16xf32>
  %51 = tensor.empty() : tensor<1x3x16x1xf32>
  %52 = linalg.fill ins(%cst0 : f32) outs(%51 : tensor<1x3x16x1xf32>) -> tensor<1x3x16x1xf32>
  %53 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<1x3x16x16xf32>) outs(%52 : tensor<1x3x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x1xf32>
  %54 = tensor.empty() : tensor<1x3x16x16xf32>
  %55 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %53 : tensor<1x3x16x16xf32>, tensor<1x3x16x1xf32>) outs(%54 : tensor<1x3x16x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x16xf32>
  %56 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x3x16x16xf32> into tensor<3x16x16xf32>
  %57 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %58 = tensor.empty() : tensor<3x16x45xf32>
  %59 = linalg.fill ins(%cst0 : f32) outs(%58 : tensor<3x16x45xf32>) -> tensor<3x16x45xf32>
  %60 = linalg.batch_matmul ins(%56, %57 : tensor<3x16x16xf32>, tensor<3x16x45xf32>) outs(%59 : tensor<3x16x45xf32>) -> tensor<3x16x45xf32>
  %61 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 3, 16, 45] : tensor<3x16x45xf32> into tensor<1x3x16x45xf32>
  %62 = tensor.empty() : tensor<1x45x3x16xf32>
  %63 = linalg.transpose ins(%61 : tensor<1x3x16x45xf32>) outs(%62 : tensor<1x45x3x16xf32>) permutation = [0, 3, 1, 2]
  %64 = tensor.collapse_shape %63 [[0], [1], [2, 3]] : tensor<1x45x3x16xf32> into tensor<1x45x48xf32>
  return %64 : tensor<1x45x48xf32>
}
