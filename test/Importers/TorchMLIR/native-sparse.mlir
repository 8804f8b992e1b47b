// Native sparse attention: attention of means of blocks and attention of a window, mixed by
// gates. Three kernels; no scores are stored.

// RUN: linalg-ext-check-program %s --max-kernels=3 --max-buffer-bytes=6208 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @native_sparse(%q: tensor<1x2x48x16xf32>,
    %k: tensor<1x2x48x16xf32>,
    %v: tensor<1x2x48x16xf32>,
    %kc: tensor<1x2x6x16xf32>,
    %vc: tensor<1x2x6x16xf32>,
    %gates: tensor<1x2x48x2xf32>) -> (tensor<1x2x48x16xf32>) {
  %cst0 = arith.constant 8 : index
  %cst1 = arith.constant 1 : index
  %cst2 = arith.constant 0.000000e+00 : f32
  %cst3 = arith.constant 2.500000e-01 : f32
  %cst4 = arith.constant 0xFF800000 : f32
  %cst5 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x2x16x6xf32>
  %1 = linalg.transpose ins(%kc : tensor<1x2x6x16xf32>) outs(%0 : tensor<1x2x16x6xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x48x16xf32> into tensor<2x48x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x16x6xf32> into tensor<2x16x6xf32>
  %4 = tensor.empty() : tensor<2x48x6xf32>
  %5 = linalg.fill ins(%cst2 : f32) outs(%4 : tensor<2x48x6xf32>) -> tensor<2x48x6xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<2x48x16xf32>, tensor<2x16x6xf32>) outs(%5 : tensor<2x48x6xf32>) -> tensor<2x48x6xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 2, 48, 6] : tensor<2x48x6xf32> into tensor<1x2x48x6xf32>
  %8 = tensor.empty() : tensor<1x2x48x6xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x48x6xf32>) outs(%8 : tensor<1x2x48x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x6xf32>
  %10 = tensor.empty() : tensor<1x2x48x6xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x48x6xf32>) outs(%10 : tensor<1x2x48x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %j1 = arith.addi %j, %cst1 : index
    %e = arith.muli %j1, %cst0 : index
    %keep = arith.cmpi ule, %j, %i : index
    %r = arith.select %keep, %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x6xf32>
  %12 = tensor.empty() : tensor<1x2x48x1xf32>
  %13 = linalg.fill ins(%cst4 : f32) outs(%12 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<1x2x48x6xf32>) outs(%13 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x1xf32>
  %15 = tensor.empty() : tensor<1x2x48x6xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %14 : tensor<1x2x48x6xf32>, tensor<1x2x48x1xf32>) outs(%15 : tensor<1x2x48x6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x6xf32>
  %17 = tensor.empty() : tensor<1x2x48x6xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x48x6xf32>) outs(%17 : tensor<1x2x48x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x6xf32>
  %19 = tensor.empty() : tensor<1x2x48x1xf32>
  %20 = linalg.fill ins(%cst2 : f32) outs(%19 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x2x48x6xf32>) outs(%20 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x1xf32>
  %22 = tensor.empty() : tensor<1x2x48x6xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<1x2x48x6xf32>, tensor<1x2x48x1xf32>) outs(%22 : tensor<1x2x48x6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x6xf32>
  %24 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x2x48x6xf32> into tensor<2x48x6xf32>
  %25 = tensor.collapse_shape %vc [[0, 1], [2], [3]] : tensor<1x2x6x16xf32> into tensor<2x6x16xf32>
  %26 = tensor.empty() : tensor<2x48x16xf32>
  %27 = linalg.fill ins(%cst2 : f32) outs(%26 : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %28 = linalg.batch_matmul ins(%24, %25 : tensor<2x48x6xf32>, tensor<2x6x16xf32>) outs(%27 : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %29 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 48, 16] : tensor<2x48x16xf32> into tensor<1x2x48x16xf32>
  %30 = tensor.empty() : tensor<1x2x16x48xf32>
  %31 = linalg.transpose ins(%k : tensor<1x2x48x16xf32>) outs(%30 : tensor<1x2x16x48xf32>) permutation = [0, 1, 3, 2]
  %32 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x48x16xf32> into tensor<2x48x16xf32>
  %33 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x2x16x48xf32> into tensor<2x16x48xf32>
  %34 = tensor.empty() : tensor<2x48x48xf32>
  %35 = linalg.fill ins(%cst2 : f32) outs(%34 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %36 = linalg.batch_matmul ins(%32, %33 : tensor<2x48x16xf32>, tensor<2x16x48xf32>) outs(%35 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %37 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
  %38 = tensor.empty() : tensor<1x2x48x48xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x48x48xf32>) outs(%38 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %40 = tensor.empty() : tensor<1x2x48x48xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x2x48x48xf32>) outs(%40 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %d = arith.subi %i, %j : index
    %keep = arith.cmpi ult, %d, %cst0 : index
    %r = arith.select %keep, %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %42 = tensor.empty() : tensor<1x2x48x1xf32>
  %43 = linalg.fill ins(%cst4 : f32) outs(%42 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x2x48x48xf32>) outs(%43 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x1xf32>
  %45 = tensor.empty() : tensor<1x2x48x48xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%45 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %47 = tensor.empty() : tensor<1x2x48x48xf32>
  %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x2x48x48xf32>) outs(%47 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %49 = tensor.empty() : tensor<1x2x48x1xf32>
  %50 = linalg.fill ins(%cst2 : f32) outs(%49 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %51 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<1x2x48x48xf32>) outs(%50 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x1xf32>
  %52 = tensor.empty() : tensor<1x2x48x48xf32>
  %53 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %51 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%52 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %54 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
  %55 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x2x48x16xf32> into tensor<2x48x16xf32>
  %56 = tensor.empty() : tensor<2x48x16xf32>
  %57 = linalg.fill ins(%cst2 : f32) outs(%56 : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %58 = linalg.batch_matmul ins(%54, %55 : tensor<2x48x48xf32>, tensor<2x48x16xf32>) outs(%57 : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %59 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [1, 2, 48, 16] : tensor<2x48x16xf32> into tensor<1x2x48x16xf32>
  %60 = tensor.empty() : tensor<1x2x48x2xf32>
  %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%gates : tensor<1x2x48x2xf32>) outs(%60 : tensor<1x2x48x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %e = math.exp %n : f32
    %p = arith.addf %e, %cst5 : f32
    %r = arith.divf %cst5, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x2xf32>
  %62 = tensor.extract_slice %61[0, 0, 0, 0] [1, 2, 48, 1] [1, 1, 1, 1] : tensor<1x2x48x2xf32> to tensor<1x2x48x1xf32>
  %63 = tensor.extract_slice %61[0, 0, 0, 1] [1, 2, 48, 1] [1, 1, 1, 1] : tensor<1x2x48x2xf32> to tensor<1x2x48x1xf32>
  %64 = tensor.empty() : tensor<1x2x48x16xf32>
  %65 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %62 : tensor<1x2x48x16xf32>, tensor<1x2x48x1xf32>) outs(%64 : tensor<1x2x48x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x16xf32>
  %66 = tensor.empty() : tensor<1x2x48x16xf32>
  %67 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<1x2x48x16xf32>, tensor<1x2x48x1xf32>) outs(%66 : tensor<1x2x48x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x16xf32>
  %68 = tensor.empty() : tensor<1x2x48x16xf32>
  %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %67 : tensor<1x2x48x16xf32>, tensor<1x2x48x16xf32>) outs(%68 : tensor<1x2x48x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x16xf32>
  return %69 : tensor<1x2x48x16xf32>
}
