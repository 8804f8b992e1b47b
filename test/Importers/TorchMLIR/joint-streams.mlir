// Stable Diffusion 3: text and image are one sequence in attention, and are taken apart behind
// it. Two kernels are attention, and two are norms of keys.

// RUN: linalg-ext-check-program %s --max-kernels=4 --max-buffer-bytes=3712 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @joint_streams(%q_text: tensor<1x13x32xf32>,
    %k_text: tensor<1x13x32xf32>,
    %v_text: tensor<1x13x32xf32>,
    %wq_text: tensor<16xf32>,
    %wk_text: tensor<16xf32>,
    %q_image: tensor<1x29x32xf32>,
    %k_image: tensor<1x29x32xf32>,
    %v_image: tensor<1x29x32xf32>,
    %wq_image: tensor<16xf32>,
    %wk_image: tensor<16xf32>) -> (tensor<1x13x32xf32>, tensor<1x29x32xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 1.600000e+01 : f32
  %cst2 = arith.constant 1.000000e-06 : f32
  %cst3 = arith.constant 2.500000e-01 : f32
  %cst4 = arith.constant 0 : i64
  %cst5 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q_text [[0], [1], [2, 3]] output_shape [1, 13, 2, 16] : tensor<1x13x32xf32> into tensor<1x13x2x16xf32>
  %1 = tensor.empty() : tensor<1x2x13x16xf32>
  %2 = linalg.transpose ins(%0 : tensor<1x13x2x16xf32>) outs(%1 : tensor<1x2x13x16xf32>) permutation = [0, 2, 1, 3]
  %3 = tensor.expand_shape %k_text [[0], [1], [2, 3]] output_shape [1, 13, 2, 16] : tensor<1x13x32xf32> into tensor<1x13x2x16xf32>
  %4 = tensor.empty() : tensor<1x2x13x16xf32>
  %5 = linalg.transpose ins(%3 : tensor<1x13x2x16xf32>) outs(%4 : tensor<1x2x13x16xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.expand_shape %v_text [[0], [1], [2, 3]] output_shape [1, 13, 2, 16] : tensor<1x13x32xf32> into tensor<1x13x2x16xf32>
  %7 = tensor.empty() : tensor<1x2x13x16xf32>
  %8 = linalg.transpose ins(%6 : tensor<1x13x2x16xf32>) outs(%7 : tensor<1x2x13x16xf32>) permutation = [0, 2, 1, 3]
  %9 = tensor.empty() : tensor<1x2x13x16xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %2 : tensor<1x2x13x16xf32>, tensor<1x2x13x16xf32>) outs(%9 : tensor<1x2x13x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x16xf32>
  %11 = tensor.empty() : tensor<1x2x13x1xf32>
  %12 = linalg.fill ins(%cst0 : f32) outs(%11 : tensor<1x2x13x1xf32>) -> tensor<1x2x13x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<1x2x13x16xf32>) outs(%12 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %14 = tensor.empty() : tensor<1x2x13x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x13x1xf32>) outs(%14 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %16 = tensor.empty() : tensor<1x2x13x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x13x1xf32>) outs(%16 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %18 = tensor.empty() : tensor<1x2x13x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x13x1xf32>) outs(%18 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %20 = tensor.empty() : tensor<1x2x13x16xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %19 : tensor<1x2x13x16xf32>, tensor<1x2x13x1xf32>) outs(%20 : tensor<1x2x13x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x16xf32>
  %22 = tensor.empty() : tensor<1x2x13x16xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %wq_text : tensor<1x2x13x16xf32>, tensor<16xf32>) outs(%22 : tensor<1x2x13x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x16xf32>
  %24 = tensor.empty() : tensor<1x2x13x16xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<1x2x13x16xf32>, tensor<1x2x13x16xf32>) outs(%24 : tensor<1x2x13x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x16xf32>
  %26 = tensor.empty() : tensor<1x2x13x1xf32>
  %27 = linalg.fill ins(%cst0 : f32) outs(%26 : tensor<1x2x13x1xf32>) -> tensor<1x2x13x1xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x13x16xf32>) outs(%27 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %29 = tensor.empty() : tensor<1x2x13x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x13x1xf32>) outs(%29 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %31 = tensor.empty() : tensor<1x2x13x1xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x13x1xf32>) outs(%31 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %33 = tensor.empty() : tensor<1x2x13x1xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x13x1xf32>) outs(%33 : tensor<1x2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x1xf32>
  %35 = tensor.empty() : tensor<1x2x13x16xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %34 : tensor<1x2x13x16xf32>, tensor<1x2x13x1xf32>) outs(%35 : tensor<1x2x13x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x16xf32>
  %37 = tensor.empty() : tensor<1x2x13x16xf32>
  %38 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %wk_text : tensor<1x2x13x16xf32>, tensor<16xf32>) outs(%37 : tensor<1x2x13x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x13x16xf32>
  %39 = tensor.expand_shape %q_image [[0], [1], [2, 3]] output_shape [1, 29, 2, 16] : tensor<1x29x32xf32> into tensor<1x29x2x16xf32>
  %40 = tensor.empty() : tensor<1x2x29x16xf32>
  %41 = linalg.transpose ins(%39 : tensor<1x29x2x16xf32>) outs(%40 : tensor<1x2x29x16xf32>) permutation = [0, 2, 1, 3]
  %42 = tensor.expand_shape %k_image [[0], [1], [2, 3]] output_shape [1, 29, 2, 16] : tensor<1x29x32xf32> into tensor<1x29x2x16xf32>
  %43 = tensor.empty() : tensor<1x2x29x16xf32>
  %44 = linalg.transpose ins(%42 : tensor<1x29x2x16xf32>) outs(%43 : tensor<1x2x29x16xf32>) permutation = [0, 2, 1, 3]
  %45 = tensor.expand_shape %v_image [[0], [1], [2, 3]] output_shape [1, 29, 2, 16] : tensor<1x29x32xf32> into tensor<1x29x2x16xf32>
  %46 = tensor.empty() : tensor<1x2x29x16xf32>
  %47 = linalg.transpose ins(%45 : tensor<1x29x2x16xf32>) outs(%46 : tensor<1x2x29x16xf32>) permutation = [0, 2, 1, 3]
  %48 = tensor.empty() : tensor<1x2x29x16xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %41 : tensor<1x2x29x16xf32>, tensor<1x2x29x16xf32>) outs(%48 : tensor<1x2x29x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x16xf32>
  %50 = tensor.empty() : tensor<1x2x29x1xf32>
  %51 = linalg.fill ins(%cst0 : f32) outs(%50 : tensor<1x2x29x1xf32>) -> tensor<1x2x29x1xf32>
  %52 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<1x2x29x16xf32>) outs(%51 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %53 = tensor.empty() : tensor<1x2x29x1xf32>
  %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x2x29x1xf32>) outs(%53 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %55 = tensor.empty() : tensor<1x2x29x1xf32>
  %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x2x29x1xf32>) outs(%55 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %57 = tensor.empty() : tensor<1x2x29x1xf32>
  %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x2x29x1xf32>) outs(%57 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %59 = tensor.empty() : tensor<1x2x29x16xf32>
  %60 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %58 : tensor<1x2x29x16xf32>, tensor<1x2x29x1xf32>) outs(%59 : tensor<1x2x29x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x16xf32>
  %61 = tensor.empty() : tensor<1x2x29x16xf32>
  %62 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %wq_image : tensor<1x2x29x16xf32>, tensor<16xf32>) outs(%61 : tensor<1x2x29x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x16xf32>
  %63 = tensor.empty() : tensor<1x2x29x16xf32>
  %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %44 : tensor<1x2x29x16xf32>, tensor<1x2x29x16xf32>) outs(%63 : tensor<1x2x29x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x16xf32>
  %65 = tensor.empty() : tensor<1x2x29x1xf32>
  %66 = linalg.fill ins(%cst0 : f32) outs(%65 : tensor<1x2x29x1xf32>) -> tensor<1x2x29x1xf32>
  %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%64 : tensor<1x2x29x16xf32>) outs(%66 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %68 = tensor.empty() : tensor<1x2x29x1xf32>
  %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x2x29x1xf32>) outs(%68 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %70 = tensor.empty() : tensor<1x2x29x1xf32>
  %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x29x1xf32>) outs(%70 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %72 = tensor.empty() : tensor<1x2x29x1xf32>
  %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x2x29x1xf32>) outs(%72 : tensor<1x2x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x1xf32>
  %74 = tensor.empty() : tensor<1x2x29x16xf32>
  %75 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %73 : tensor<1x2x29x16xf32>, tensor<1x2x29x1xf32>) outs(%74 : tensor<1x2x29x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x16xf32>
  %76 = tensor.empty() : tensor<1x2x29x16xf32>
  %77 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %wk_image : tensor<1x2x29x16xf32>, tensor<16xf32>) outs(%76 : tensor<1x2x29x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x29x16xf32>
  %78 = tensor.concat dim(2) %23, %62 : (tensor<1x2x13x16xf32>, tensor<1x2x29x16xf32>) -> tensor<1x2x42x16xf32>
  %79 = tensor.concat dim(2) %38, %77 : (tensor<1x2x13x16xf32>, tensor<1x2x29x16xf32>) -> tensor<1x2x42x16xf32>
  %80 = tensor.concat dim(2) %8, %47 : (tensor<1x2x13x16xf32>, tensor<1x2x29x16xf32>) -> tensor<1x2x42x16xf32>
  %81 = tensor.empty() : tensor<1x2x16x42xf32>
  %82 = linalg.transpose ins(%79 : tensor<1x2x42x16xf32>) outs(%81 : tensor<1x2x16x42xf32>) permutation = [0, 1, 3, 2]
  %83 = tensor.collapse_shape %78 [[0, 1], [2], [3]] : tensor<1x2x42x16xf32> into tensor<2x42x16xf32>
  %84 = tensor.collapse_shape %82 [[0, 1], [2], [3]] : tensor<1x2x16x42xf32> into tensor<2x16x42xf32>
  %85 = tensor.empty() : tensor<2x42x42xf32>
  %86 = linalg.fill ins(%cst0 : f32) outs(%85 : tensor<2x42x42xf32>) -> tensor<2x42x42xf32>
  %87 = linalg.batch_matmul ins(%83, %84 : tensor<2x42x16xf32>, tensor<2x16x42xf32>) outs(%86 : tensor<2x42x42xf32>) -> tensor<2x42x42xf32>
  %88 = tensor.expand_shape %87 [[0, 1], [2], [3]] output_shape [1, 2, 42, 42] : tensor<2x42x42xf32> into tensor<1x2x42x42xf32>
  %89 = tensor.empty() : tensor<1x2x42x42xf32>
  %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x2x42x42xf32>) outs(%89 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %91 = tensor.empty() : tensor<1x2x42xi64>
  %92 = linalg.fill ins(%cst4 : i64) outs(%91 : tensor<1x2x42xi64>) -> tensor<1x2x42xi64>
  %93 = tensor.empty() : tensor<1x2x42xf32>
  %94 = linalg.fill ins(%cst5 : f32) outs(%93 : tensor<1x2x42xf32>) -> tensor<1x2x42xf32>
  %95:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%90 : tensor<1x2x42x42xf32>) outs(%94, %92 : tensor<1x2x42xf32>, tensor<1x2x42xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x2x42xf32>, tensor<1x2x42xi64>)
  %96 = tensor.expand_shape %95#0 [[0], [1], [2, 3]] output_shape [1, 2, 42, 1] : tensor<1x2x42xf32> into tensor<1x2x42x1xf32>
  %97 = tensor.empty() : tensor<1x2x42x42xf32>
  %98 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %96 : tensor<1x2x42x42xf32>, tensor<1x2x42x1xf32>) outs(%97 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %99 = tensor.empty() : tensor<1x2x42x42xf32>
  %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<1x2x42x42xf32>) outs(%99 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %101 = tensor.empty() : tensor<1x2x42x1xf32>
  %102 = linalg.fill ins(%cst0 : f32) outs(%101 : tensor<1x2x42x1xf32>) -> tensor<1x2x42x1xf32>
  %103 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%100 : tensor<1x2x42x42xf32>) outs(%102 : tensor<1x2x42x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x1xf32>
  %104 = tensor.empty() : tensor<1x2x42x42xf32>
  %105 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100, %103 : tensor<1x2x42x42xf32>, tensor<1x2x42x1xf32>) outs(%104 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %106 = tensor.collapse_shape %105 [[0, 1], [2], [3]] : tensor<1x2x42x42xf32> into tensor<2x42x42xf32>
  %107 = tensor.collapse_shape %80 [[0, 1], [2], [3]] : tensor<1x2x42x16xf32> into tensor<2x42x16xf32>
  %108 = tensor.empty() : tensor<2x42x16xf32>
  %109 = linalg.fill ins(%cst0 : f32) outs(%108 : tensor<2x42x16xf32>) -> tensor<2x42x16xf32>
  %110 = linalg.batch_matmul ins(%106, %107 : tensor<2x42x42xf32>, tensor<2x42x16xf32>) outs(%109 : tensor<2x42x16xf32>) -> tensor<2x42x16xf32>
  %111 = tensor.expand_shape %110 [[0, 1], [2], [3]] output_shape [1, 2, 42, 16] : tensor<2x42x16xf32> into tensor<1x2x42x16xf32>
  %112 = tensor.empty() : tensor<1x42x2x16xf32>
  %113 = linalg.transpose ins(%111 : tensor<1x2x42x16xf32>) outs(%112 : tensor<1x42x2x16xf32>) permutation = [0, 2, 1, 3]
  %114 = tensor.collapse_shape %113 [[0], [1], [2, 3]] : tensor<1x42x2x16xf32> into tensor<1x42x32xf32>
  %115 = tensor.extract_slice %114[0, 0, 0] [1, 13, 32] [1, 1, 1] : tensor<1x42x32xf32> to tensor<1x13x32xf32>
  %116 = tensor.extract_slice %114[0, 13, 0] [1, 29, 32] [1, 1, 1] : tensor<1x42x32xf32> to tensor<1x29x32xf32>
  return %115, %116 : tensor<1x13x32xf32>, tensor<1x29x32xf32>
}
