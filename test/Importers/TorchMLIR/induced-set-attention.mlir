// An induced set attention block: few inducing points, the same for the batch, attend to all, and
// all attend to these.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=2112 --keys=16

#map = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @isab(%x: tensor<2x45x32xf32>,
    %inducing: tensor<1x8x32xf32>) -> (tensor<2x45x32xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 5.650000e+00 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2x8x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%inducing : tensor<1x8x32xf32>) outs(%0 : tensor<2x8x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x32xf32>
  %2 = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [2, 8, 2, 16] : tensor<2x8x32xf32> into tensor<2x8x2x16xf32>
  %3 = tensor.empty() : tensor<2x2x8x16xf32>
  %4 = linalg.transpose ins(%2 : tensor<2x8x2x16xf32>) outs(%3 : tensor<2x2x8x16xf32>) permutation = [0, 2, 1, 3]
  %5 = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 45, 2, 16] : tensor<2x45x32xf32> into tensor<2x45x2x16xf32>
  %6 = tensor.empty() : tensor<2x2x45x16xf32>
  %7 = linalg.transpose ins(%5 : tensor<2x45x2x16xf32>) outs(%6 : tensor<2x2x45x16xf32>) permutation = [0, 2, 1, 3]
  %8 = tensor.empty() : tensor<2x2x16x45xf32>
  %9 = linalg.transpose ins(%7 : tensor<2x2x45x16xf32>) outs(%8 : tensor<2x2x16x45xf32>) permutation = [0, 1, 3, 2]
  %10 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<2x2x8x16xf32> into tensor<4x8x16xf32>
  %11 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<2x2x16x45xf32> into tensor<4x16x45xf32>
  %12 = tensor.empty() : tensor<4x8x45xf32>
  %13 = linalg.fill ins(%cst0 : f32) outs(%12 : tensor<4x8x45xf32>) -> tensor<4x8x45xf32>
  %14 = linalg.batch_matmul ins(%10, %11 : tensor<4x8x16xf32>, tensor<4x16x45xf32>) outs(%13 : tensor<4x8x45xf32>) -> tensor<4x8x45xf32>
  %15 = tensor.expand_shape %14 [[0, 1], [2], [3]] output_shape [2, 2, 8, 45] : tensor<4x8x45xf32> into tensor<2x2x8x45xf32>
  %16 = tensor.empty() : tensor<2x2x8x45xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x2x8x45xf32>) outs(%16 : tensor<2x2x8x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x8x45xf32>
  %18 = tensor.empty() : tensor<2x2x8x1xf32>
  %19 = linalg.fill ins(%cst2 : f32) outs(%18 : tensor<2x2x8x1xf32>) -> tensor<2x2x8x1xf32>
  %20 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x2x8x45xf32>) outs(%19 : tensor<2x2x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x2x8x1xf32>
  %21 = tensor.empty() : tensor<2x2x8x45xf32>
  %22 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x2x8x45xf32>, tensor<2x2x8x1xf32>) outs(%21 : tensor<2x2x8x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x8x45xf32>
  %23 = tensor.empty() : tensor<2x2x8x45xf32>
  %24 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x2x8x45xf32>) outs(%23 : tensor<2x2x8x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x8x45xf32>
  %25 = tensor.empty() : tensor<2x2x8x1xf32>
  %26 = linalg.fill ins(%cst0 : f32) outs(%25 : tensor<2x2x8x1xf32>) -> tensor<2x2x8x1xf32>
  %27 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<2x2x8x45xf32>) outs(%26 : tensor<2x2x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x2x8x1xf32>
  %28 = tensor.empty() : tensor<2x2x8x45xf32>
  %29 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<2x2x8x45xf32>, tensor<2x2x8x1xf32>) outs(%28 : tensor<2x2x8x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x8x45xf32>
  %30 = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 45, 2, 16] : tensor<2x45x32xf32> into tensor<2x45x2x16xf32>
  %31 = tensor.empty() : tensor<2x2x45x16xf32>
  %32 = linalg.transpose ins(%30 : tensor<2x45x2x16xf32>) outs(%31 : tensor<2x2x45x16xf32>) permutation = [0, 2, 1, 3]
  %33 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<2x2x8x45xf32> into tensor<4x8x45xf32>
  %34 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<2x2x45x16xf32> into tensor<4x45x16xf32>
  %35 = tensor.empty() : tensor<4x8x16xf32>
  %36 = linalg.fill ins(%cst0 : f32) outs(%35 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %37 = linalg.batch_matmul ins(%33, %34 : tensor<4x8x45xf32>, tensor<4x45x16xf32>) outs(%36 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %38 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [2, 2, 8, 16] : tensor<4x8x16xf32> into tensor<2x2x8x16xf32>
  %39 = tensor.empty() : tensor<2x8x2x16xf32>
  %40 = linalg.transpose ins(%38 : tensor<2x2x8x16xf32>) outs(%39 : tensor<2x8x2x16xf32>) permutation = [0, 2, 1, 3]
  %41 = tensor.collapse_shape %40 [[0], [1], [2, 3]] : tensor<2x8x2x16xf32> into tensor<2x8x32xf32>
  %42 = tensor.empty() : tensor<2x8x32xf32>
  %43 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %41 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%42 : tensor<2x8x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x32xf32>
  %44 = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 45, 2, 16] : tensor<2x45x32xf32> into tensor<2x45x2x16xf32>
  %45 = tensor.empty() : tensor<2x2x45x16xf32>
  %46 = linalg.transpose ins(%44 : tensor<2x45x2x16xf32>) outs(%45 : tensor<2x2x45x16xf32>) permutation = [0, 2, 1, 3]
  %47 = tensor.expand_shape %43 [[0], [1], [2, 3]] output_shape [2, 8, 2, 16] : tensor<2x8x32xf32> into tensor<2x8x2x16xf32>
  %48 = tensor.empty() : tensor<2x2x8x16xf32>
  %49 = linalg.transpose ins(%47 : tensor<2x8x2x16xf32>) outs(%48 : tensor<2x2x8x16xf32>) permutation = [0, 2, 1, 3]
  %50 = tensor.empty() : tensor<2x2x16x8xf32>
  %51 = linalg.transpose ins(%49 : tensor<2x2x8x16xf32>) outs(%50 : tensor<2x2x16x8xf32>) permutation = [0, 1, 3, 2]
  %52 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<2x2x45x16xf32> into tensor<4x45x16xf32>
  %53 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<2x2x16x8xf32> into tensor<4x16x8xf32>
  %54 = tensor.empty() : tensor<4x45x8xf32>
  %55 = linalg.fill ins(%cst0 : f32) outs(%54 : tensor<4x45x8xf32>) -> tensor<4x45x8xf32>
  %56 = linalg.batch_matmul ins(%52, %53 : tensor<4x45x16xf32>, tensor<4x16x8xf32>) outs(%55 : tensor<4x45x8xf32>) -> tensor<4x45x8xf32>
  %57 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [2, 2, 45, 8] : tensor<4x45x8xf32> into tensor<2x2x45x8xf32>
  %58 = tensor.empty() : tensor<2x2x45x8xf32>
  %59 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<2x2x45x8xf32>) outs(%58 : tensor<2x2x45x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x45x8xf32>
  %60 = tensor.empty() : tensor<2x2x45x1xf32>
  %61 = linalg.fill ins(%cst2 : f32) outs(%60 : tensor<2x2x45x1xf32>) -> tensor<2x2x45x1xf32>
  %62 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<2x2x45x8xf32>) outs(%61 : tensor<2x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x2x45x1xf32>
  %63 = tensor.empty() : tensor<2x2x45x8xf32>
  %64 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<2x2x45x8xf32>, tensor<2x2x45x1xf32>) outs(%63 : tensor<2x2x45x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x45x8xf32>
  %65 = tensor.empty() : tensor<2x2x45x8xf32>
  %66 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<2x2x45x8xf32>) outs(%65 : tensor<2x2x45x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x45x8xf32>
  %67 = tensor.empty() : tensor<2x2x45x1xf32>
  %68 = linalg.fill ins(%cst0 : f32) outs(%67 : tensor<2x2x45x1xf32>) -> tensor<2x2x45x1xf32>
  %69 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<2x2x45x8xf32>) outs(%68 : tensor<2x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x2x45x1xf32>
  %70 = tensor.empty() : tensor<2x2x45x8xf32>
  %71 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %69 : tensor<2x2x45x8xf32>, tensor<2x2x45x1xf32>) outs(%70 : tensor<2x2x45x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x45x8xf32>
  %72 = tensor.expand_shape %43 [[0], [1], [2, 3]] output_shape [2, 8, 2, 16] : tensor<2x8x32xf32> into tensor<2x8x2x16xf32>
  %73 = tensor.empty() : tensor<2x2x8x16xf32>
  %74 = linalg.transpose ins(%72 : tensor<2x8x2x16xf32>) outs(%73 : tensor<2x2x8x16xf32>) permutation = [0, 2, 1, 3]
  %75 = tensor.collapse_shape %71 [[0, 1], [2], [3]] : tensor<2x2x45x8xf32> into tensor<4x45x8xf32>
  %76 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<2x2x8x16xf32> into tensor<4x8x16xf32>
  %77 = tensor.empty() : tensor<4x45x16xf32>
  %78 = linalg.fill ins(%cst0 : f32) outs(%77 : tensor<4x45x16xf32>) -> tensor<4x45x16xf32>
  %79 = linalg.batch_matmul ins(%75, %76 : tensor<4x45x8xf32>, tensor<4x8x16xf32>) outs(%78 : tensor<4x45x16xf32>) -> tensor<4x45x16xf32>
  %80 = tensor.expand_shape %79 [[0, 1], [2], [3]] output_shape [2, 2, 45, 16] : tensor<4x45x16xf32> into tensor<2x2x45x16xf32>
  %81 = tensor.empty() : tensor<2x45x2x16xf32>
  %82 = linalg.transpose ins(%80 : tensor<2x2x45x16xf32>) outs(%81 : tensor<2x45x2x16xf32>) permutation = [0, 2, 1, 3]
  %83 = tensor.collapse_shape %82 [[0], [1], [2, 3]] : tensor<2x45x2x16xf32> into tensor<2x45x32xf32>
  %84 = tensor.empty() : tensor<2x45x32xf32>
  %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %83 : tensor<2x45x32xf32>, tensor<2x45x32xf32>) outs(%84 : tensor<2x45x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x45x32xf32>
  return %85 : tensor<2x45x32xf32>
}
