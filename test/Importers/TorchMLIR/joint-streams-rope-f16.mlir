// FLUX: two streams in f16 are normalised apart, rotated by pairs as one, and taken apart
// behind attention. Rotated queries and keys are stored; one kernel is attention.

// RUN: linalg-ext-check-program %s --max-kernels=11 --max-buffer-bytes=3712 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @flux_joint(%q_text: tensor<1x13x32xf16>,
    %wq_text: tensor<16xf16>,
    %k_text: tensor<1x13x32xf16>,
    %wk_text: tensor<16xf16>,
    %v_text: tensor<1x13x32xf16>,
    %q_image: tensor<1x29x32xf16>,
    %wq_image: tensor<16xf16>,
    %k_image: tensor<1x29x32xf16>,
    %wk_image: tensor<16xf16>,
    %v_image: tensor<1x29x32xf16>,
    %cos: tensor<42x16xf32> {check.draw = "uniform -1 1"},
    %sin: tensor<42x16xf32> {check.draw = "uniform -1 1"}) -> (tensor<1x13x32xf16>, tensor<1x29x32xf16>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 1.600000e+01 : f32
  %cst2 = arith.constant 1.000000e-06 : f32
  %cst3 = arith.constant 0.000000e+00 : f16
  %cst4 = arith.constant 2.500000e-01 : f16
  %cst5 = arith.constant 0 : i64
  %cst6 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q_text [[0], [1], [2, 3]] output_shape [1, 13, 2, 16] : tensor<1x13x32xf16> into tensor<1x13x2x16xf16>
  %1 = tensor.empty() : tensor<1x13x2x16xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x13x2x16xf16>) outs(%1 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %3 = tensor.empty() : tensor<1x13x2x16xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %2 : tensor<1x13x2x16xf32>, tensor<1x13x2x16xf32>) outs(%3 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %5 = tensor.empty() : tensor<1x13x2x1xf32>
  %6 = linalg.fill ins(%cst0 : f32) outs(%5 : tensor<1x13x2x1xf32>) -> tensor<1x13x2x1xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<1x13x2x16xf32>) outs(%6 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %8 = tensor.empty() : tensor<1x13x2x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x13x2x1xf32>) outs(%8 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %10 = tensor.empty() : tensor<1x13x2x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x13x2x1xf32>) outs(%10 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %12 = tensor.empty() : tensor<1x13x2x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x13x2x1xf32>) outs(%12 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %14 = tensor.empty() : tensor<1x13x2x16xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %13 : tensor<1x13x2x16xf32>, tensor<1x13x2x1xf32>) outs(%14 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %16 = tensor.empty() : tensor<16xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%wq_text : tensor<16xf16>) outs(%16 : tensor<16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %18 = tensor.empty() : tensor<1x13x2x16xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %17 : tensor<1x13x2x16xf32>, tensor<16xf32>) outs(%18 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %20 = tensor.empty() : tensor<1x13x2x16xf16>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x13x2x16xf32>) outs(%20 : tensor<1x13x2x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x13x2x16xf16>
  %22 = tensor.expand_shape %k_text [[0], [1], [2, 3]] output_shape [1, 13, 2, 16] : tensor<1x13x32xf16> into tensor<1x13x2x16xf16>
  %23 = tensor.empty() : tensor<1x13x2x16xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x13x2x16xf16>) outs(%23 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %25 = tensor.empty() : tensor<1x13x2x16xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %24 : tensor<1x13x2x16xf32>, tensor<1x13x2x16xf32>) outs(%25 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %27 = tensor.empty() : tensor<1x13x2x1xf32>
  %28 = linalg.fill ins(%cst0 : f32) outs(%27 : tensor<1x13x2x1xf32>) -> tensor<1x13x2x1xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x13x2x16xf32>) outs(%28 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %30 = tensor.empty() : tensor<1x13x2x1xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x13x2x1xf32>) outs(%30 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %32 = tensor.empty() : tensor<1x13x2x1xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x13x2x1xf32>) outs(%32 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %34 = tensor.empty() : tensor<1x13x2x1xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x13x2x1xf32>) outs(%34 : tensor<1x13x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x1xf32>
  %36 = tensor.empty() : tensor<1x13x2x16xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %35 : tensor<1x13x2x16xf32>, tensor<1x13x2x1xf32>) outs(%36 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %38 = tensor.empty() : tensor<16xf32>
  %39 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%wk_text : tensor<16xf16>) outs(%38 : tensor<16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %40 = tensor.empty() : tensor<1x13x2x16xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %39 : tensor<1x13x2x16xf32>, tensor<16xf32>) outs(%40 : tensor<1x13x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x13x2x16xf32>
  %42 = tensor.empty() : tensor<1x13x2x16xf16>
  %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x13x2x16xf32>) outs(%42 : tensor<1x13x2x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x13x2x16xf16>
  %44 = tensor.expand_shape %v_text [[0], [1], [2, 3]] output_shape [1, 13, 2, 16] : tensor<1x13x32xf16> into tensor<1x13x2x16xf16>
  %45 = tensor.expand_shape %q_image [[0], [1], [2, 3]] output_shape [1, 29, 2, 16] : tensor<1x29x32xf16> into tensor<1x29x2x16xf16>
  %46 = tensor.empty() : tensor<1x29x2x16xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x29x2x16xf16>) outs(%46 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %48 = tensor.empty() : tensor<1x29x2x16xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %47 : tensor<1x29x2x16xf32>, tensor<1x29x2x16xf32>) outs(%48 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %50 = tensor.empty() : tensor<1x29x2x1xf32>
  %51 = linalg.fill ins(%cst0 : f32) outs(%50 : tensor<1x29x2x1xf32>) -> tensor<1x29x2x1xf32>
  %52 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<1x29x2x16xf32>) outs(%51 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %53 = tensor.empty() : tensor<1x29x2x1xf32>
  %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x29x2x1xf32>) outs(%53 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %55 = tensor.empty() : tensor<1x29x2x1xf32>
  %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x29x2x1xf32>) outs(%55 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %57 = tensor.empty() : tensor<1x29x2x1xf32>
  %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x29x2x1xf32>) outs(%57 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %59 = tensor.empty() : tensor<1x29x2x16xf32>
  %60 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %58 : tensor<1x29x2x16xf32>, tensor<1x29x2x1xf32>) outs(%59 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %61 = tensor.empty() : tensor<16xf32>
  %62 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%wq_image : tensor<16xf16>) outs(%61 : tensor<16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %63 = tensor.empty() : tensor<1x29x2x16xf32>
  %64 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %62 : tensor<1x29x2x16xf32>, tensor<16xf32>) outs(%63 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %65 = tensor.empty() : tensor<1x29x2x16xf16>
  %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x29x2x16xf32>) outs(%65 : tensor<1x29x2x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x29x2x16xf16>
  %67 = tensor.expand_shape %k_image [[0], [1], [2, 3]] output_shape [1, 29, 2, 16] : tensor<1x29x32xf16> into tensor<1x29x2x16xf16>
  %68 = tensor.empty() : tensor<1x29x2x16xf32>
  %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x29x2x16xf16>) outs(%68 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %70 = tensor.empty() : tensor<1x29x2x16xf32>
  %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %69 : tensor<1x29x2x16xf32>, tensor<1x29x2x16xf32>) outs(%70 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %72 = tensor.empty() : tensor<1x29x2x1xf32>
  %73 = linalg.fill ins(%cst0 : f32) outs(%72 : tensor<1x29x2x1xf32>) -> tensor<1x29x2x1xf32>
  %74 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<1x29x2x16xf32>) outs(%73 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %75 = tensor.empty() : tensor<1x29x2x1xf32>
  %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x29x2x1xf32>) outs(%75 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %77 = tensor.empty() : tensor<1x29x2x1xf32>
  %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<1x29x2x1xf32>) outs(%77 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %79 = tensor.empty() : tensor<1x29x2x1xf32>
  %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x29x2x1xf32>) outs(%79 : tensor<1x29x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x1xf32>
  %81 = tensor.empty() : tensor<1x29x2x16xf32>
  %82 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %80 : tensor<1x29x2x16xf32>, tensor<1x29x2x1xf32>) outs(%81 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %83 = tensor.empty() : tensor<16xf32>
  %84 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%wk_image : tensor<16xf16>) outs(%83 : tensor<16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %85 = tensor.empty() : tensor<1x29x2x16xf32>
  %86 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %84 : tensor<1x29x2x16xf32>, tensor<16xf32>) outs(%85 : tensor<1x29x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x29x2x16xf32>
  %87 = tensor.empty() : tensor<1x29x2x16xf16>
  %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x29x2x16xf32>) outs(%87 : tensor<1x29x2x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x29x2x16xf16>
  %89 = tensor.expand_shape %v_image [[0], [1], [2, 3]] output_shape [1, 29, 2, 16] : tensor<1x29x32xf16> into tensor<1x29x2x16xf16>
  %90 = tensor.concat dim(1) %21, %66 : (tensor<1x13x2x16xf16>, tensor<1x29x2x16xf16>) -> tensor<1x42x2x16xf16>
  %91 = tensor.concat dim(1) %43, %88 : (tensor<1x13x2x16xf16>, tensor<1x29x2x16xf16>) -> tensor<1x42x2x16xf16>
  %92 = tensor.concat dim(1) %44, %89 : (tensor<1x13x2x16xf16>, tensor<1x29x2x16xf16>) -> tensor<1x42x2x16xf16>
  %93 = tensor.expand_shape %cos [[0, 1], [2, 3]] output_shape [1, 42, 1, 16] : tensor<42x16xf32> into tensor<1x42x1x16xf32>
  %94 = tensor.expand_shape %sin [[0, 1], [2, 3]] output_shape [1, 42, 1, 16] : tensor<42x16xf32> into tensor<1x42x1x16xf32>
  %95 = tensor.expand_shape %90 [[0], [1], [2], [3, 4]] output_shape [1, 42, 2, 8, 2] : tensor<1x42x2x16xf16> into tensor<1x42x2x8x2xf16>
  %96 = tensor.extract_slice %95[0, 0, 0, 0, 0] [1, 42, 2, 8, 1] [1, 1, 1, 1, 1] : tensor<1x42x2x8x2xf16> to tensor<1x42x2x8x1xf16>
  %97 = tensor.collapse_shape %96 [[0], [1], [2], [3, 4]] : tensor<1x42x2x8x1xf16> into tensor<1x42x2x8xf16>
  %98 = tensor.extract_slice %95[0, 0, 0, 0, 1] [1, 42, 2, 8, 1] [1, 1, 1, 1, 1] : tensor<1x42x2x8x2xf16> to tensor<1x42x2x8x1xf16>
  %99 = tensor.collapse_shape %98 [[0], [1], [2], [3, 4]] : tensor<1x42x2x8x1xf16> into tensor<1x42x2x8xf16>
  %100 = tensor.empty() : tensor<1x42x2x8xf16>
  %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<1x42x2x8xf16>) outs(%100 : tensor<1x42x2x8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %r = arith.negf %in : f16
    linalg.yield %r : f16
  } -> tensor<1x42x2x8xf16>
  %102 = tensor.expand_shape %101 [[0], [1], [2], [3, 4]] output_shape [1, 42, 2, 8, 1] : tensor<1x42x2x8xf16> into tensor<1x42x2x8x1xf16>
  %103 = tensor.expand_shape %97 [[0], [1], [2], [3, 4]] output_shape [1, 42, 2, 8, 1] : tensor<1x42x2x8xf16> into tensor<1x42x2x8x1xf16>
  %104 = tensor.concat dim(4) %102, %103 : (tensor<1x42x2x8x1xf16>, tensor<1x42x2x8x1xf16>) -> tensor<1x42x2x8x2xf16>
  %105 = tensor.collapse_shape %104 [[0], [1], [2], [3, 4]] : tensor<1x42x2x8x2xf16> into tensor<1x42x2x16xf16>
  %106 = tensor.empty() : tensor<1x42x2x16xf32>
  %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<1x42x2x16xf16>) outs(%106 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %108 = tensor.empty() : tensor<1x42x2x16xf32>
  %109 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %93 : tensor<1x42x2x16xf32>, tensor<1x42x1x16xf32>) outs(%108 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %110 = tensor.empty() : tensor<1x42x2x16xf32>
  %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105 : tensor<1x42x2x16xf16>) outs(%110 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %112 = tensor.empty() : tensor<1x42x2x16xf32>
  %113 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111, %94 : tensor<1x42x2x16xf32>, tensor<1x42x1x16xf32>) outs(%112 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %114 = tensor.empty() : tensor<1x42x2x16xf32>
  %115 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %113 : tensor<1x42x2x16xf32>, tensor<1x42x2x16xf32>) outs(%114 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %116 = tensor.empty() : tensor<1x42x2x16xf16>
  %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115 : tensor<1x42x2x16xf32>) outs(%116 : tensor<1x42x2x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x42x2x16xf16>
  %118 = tensor.expand_shape %91 [[0], [1], [2], [3, 4]] output_shape [1, 42, 2, 8, 2] : tensor<1x42x2x16xf16> into tensor<1x42x2x8x2xf16>
  %119 = tensor.extract_slice %118[0, 0, 0, 0, 0] [1, 42, 2, 8, 1] [1, 1, 1, 1, 1] : tensor<1x42x2x8x2xf16> to tensor<1x42x2x8x1xf16>
  %120 = tensor.collapse_shape %119 [[0], [1], [2], [3, 4]] : tensor<1x42x2x8x1xf16> into tensor<1x42x2x8xf16>
  %121 = tensor.extract_slice %118[0, 0, 0, 0, 1] [1, 42, 2, 8, 1] [1, 1, 1, 1, 1] : tensor<1x42x2x8x2xf16> to tensor<1x42x2x8x1xf16>
  %122 = tensor.collapse_shape %121 [[0], [1], [2], [3, 4]] : tensor<1x42x2x8x1xf16> into tensor<1x42x2x8xf16>
  %123 = tensor.empty() : tensor<1x42x2x8xf16>
  %124 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122 : tensor<1x42x2x8xf16>) outs(%123 : tensor<1x42x2x8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %r = arith.negf %in : f16
    linalg.yield %r : f16
  } -> tensor<1x42x2x8xf16>
  %125 = tensor.expand_shape %124 [[0], [1], [2], [3, 4]] output_shape [1, 42, 2, 8, 1] : tensor<1x42x2x8xf16> into tensor<1x42x2x8x1xf16>
  %126 = tensor.expand_shape %120 [[0], [1], [2], [3, 4]] output_shape [1, 42, 2, 8, 1] : tensor<1x42x2x8xf16> into tensor<1x42x2x8x1xf16>
  %127 = tensor.concat dim(4) %125, %126 : (tensor<1x42x2x8x1xf16>, tensor<1x42x2x8x1xf16>) -> tensor<1x42x2x8x2xf16>
  %128 = tensor.collapse_shape %127 [[0], [1], [2], [3, 4]] : tensor<1x42x2x8x2xf16> into tensor<1x42x2x16xf16>
  %129 = tensor.empty() : tensor<1x42x2x16xf32>
  %130 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x42x2x16xf16>) outs(%129 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %131 = tensor.empty() : tensor<1x42x2x16xf32>
  %132 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130, %93 : tensor<1x42x2x16xf32>, tensor<1x42x1x16xf32>) outs(%131 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %133 = tensor.empty() : tensor<1x42x2x16xf32>
  %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128 : tensor<1x42x2x16xf16>) outs(%133 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %135 = tensor.empty() : tensor<1x42x2x16xf32>
  %136 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134, %94 : tensor<1x42x2x16xf32>, tensor<1x42x1x16xf32>) outs(%135 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %137 = tensor.empty() : tensor<1x42x2x16xf32>
  %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %136 : tensor<1x42x2x16xf32>, tensor<1x42x2x16xf32>) outs(%137 : tensor<1x42x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x42x2x16xf32>
  %139 = tensor.empty() : tensor<1x42x2x16xf16>
  %140 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138 : tensor<1x42x2x16xf32>) outs(%139 : tensor<1x42x2x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x42x2x16xf16>
  %141 = tensor.empty() : tensor<1x2x42x16xf16>
  %142 = linalg.transpose ins(%117 : tensor<1x42x2x16xf16>) outs(%141 : tensor<1x2x42x16xf16>) permutation = [0, 2, 1, 3]
  %143 = tensor.empty() : tensor<1x2x42x16xf16>
  %144 = linalg.transpose ins(%140 : tensor<1x42x2x16xf16>) outs(%143 : tensor<1x2x42x16xf16>) permutation = [0, 2, 1, 3]
  %145 = tensor.empty() : tensor<1x2x42x16xf16>
  %146 = linalg.transpose ins(%92 : tensor<1x42x2x16xf16>) outs(%145 : tensor<1x2x42x16xf16>) permutation = [0, 2, 1, 3]
  %147 = tensor.empty() : tensor<1x2x16x42xf16>
  %148 = linalg.transpose ins(%144 : tensor<1x2x42x16xf16>) outs(%147 : tensor<1x2x16x42xf16>) permutation = [0, 1, 3, 2]
  %149 = tensor.collapse_shape %142 [[0, 1], [2], [3]] : tensor<1x2x42x16xf16> into tensor<2x42x16xf16>
  %150 = tensor.collapse_shape %148 [[0, 1], [2], [3]] : tensor<1x2x16x42xf16> into tensor<2x16x42xf16>
  %151 = tensor.empty() : tensor<2x42x42xf16>
  %152 = linalg.fill ins(%cst3 : f16) outs(%151 : tensor<2x42x42xf16>) -> tensor<2x42x42xf16>
  %153 = linalg.batch_matmul ins(%149, %150 : tensor<2x42x16xf16>, tensor<2x16x42xf16>) outs(%152 : tensor<2x42x42xf16>) -> tensor<2x42x42xf16>
  %154 = tensor.expand_shape %153 [[0, 1], [2], [3]] output_shape [1, 2, 42, 42] : tensor<2x42x42xf16> into tensor<1x2x42x42xf16>
  %155 = tensor.empty() : tensor<1x2x42x42xf16>
  %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154 : tensor<1x2x42x42xf16>) outs(%155 : tensor<1x2x42x42xf16>) {
  ^bb0(%in: f16, %out: f16):
    %r = arith.mulf %in, %cst4 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x42x42xf16>
  %157 = tensor.empty() : tensor<1x2x42x42xf32>
  %158 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156 : tensor<1x2x42x42xf16>) outs(%157 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %159 = tensor.empty() : tensor<1x2x42xi64>
  %160 = linalg.fill ins(%cst5 : i64) outs(%159 : tensor<1x2x42xi64>) -> tensor<1x2x42xi64>
  %161 = tensor.empty() : tensor<1x2x42xf32>
  %162 = linalg.fill ins(%cst6 : f32) outs(%161 : tensor<1x2x42xf32>) -> tensor<1x2x42xf32>
  %163:2 = linalg.generic {indexing_maps = [#map, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%158 : tensor<1x2x42x42xf32>) outs(%162, %160 : tensor<1x2x42xf32>, tensor<1x2x42xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x2x42xf32>, tensor<1x2x42xi64>)
  %164 = tensor.expand_shape %163#0 [[0], [1], [2, 3]] output_shape [1, 2, 42, 1] : tensor<1x2x42xf32> into tensor<1x2x42x1xf32>
  %165 = tensor.empty() : tensor<1x2x42x42xf32>
  %166 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%158, %164 : tensor<1x2x42x42xf32>, tensor<1x2x42x1xf32>) outs(%165 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %167 = tensor.empty() : tensor<1x2x42x42xf32>
  %168 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166 : tensor<1x2x42x42xf32>) outs(%167 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %169 = tensor.empty() : tensor<1x2x42x1xf32>
  %170 = linalg.fill ins(%cst0 : f32) outs(%169 : tensor<1x2x42x1xf32>) -> tensor<1x2x42x1xf32>
  %171 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%168 : tensor<1x2x42x42xf32>) outs(%170 : tensor<1x2x42x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x1xf32>
  %172 = tensor.empty() : tensor<1x2x42x42xf32>
  %173 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%168, %171 : tensor<1x2x42x42xf32>, tensor<1x2x42x1xf32>) outs(%172 : tensor<1x2x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x42x42xf32>
  %174 = tensor.empty() : tensor<1x2x42x42xf16>
  %175 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%173 : tensor<1x2x42x42xf32>) outs(%174 : tensor<1x2x42x42xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x2x42x42xf16>
  %176 = tensor.collapse_shape %175 [[0, 1], [2], [3]] : tensor<1x2x42x42xf16> into tensor<2x42x42xf16>
  %177 = tensor.collapse_shape %146 [[0, 1], [2], [3]] : tensor<1x2x42x16xf16> into tensor<2x42x16xf16>
  %178 = tensor.empty() : tensor<2x42x16xf16>
  %179 = linalg.fill ins(%cst3 : f16) outs(%178 : tensor<2x42x16xf16>) -> tensor<2x42x16xf16>
  %180 = linalg.batch_matmul ins(%176, %177 : tensor<2x42x42xf16>, tensor<2x42x16xf16>) outs(%179 : tensor<2x42x16xf16>) -> tensor<2x42x16xf16>
  %181 = tensor.expand_shape %180 [[0, 1], [2], [3]] output_shape [1, 2, 42, 16] : tensor<2x42x16xf16> into tensor<1x2x42x16xf16>
  %182 = tensor.empty() : tensor<1x42x2x16xf16>
  %183 = linalg.transpose ins(%181 : tensor<1x2x42x16xf16>) outs(%182 : tensor<1x42x2x16xf16>) permutation = [0, 2, 1, 3]
  %184 = tensor.collapse_shape %183 [[0], [1], [2, 3]] : tensor<1x42x2x16xf16> into tensor<1x42x32xf16>
  %185 = tensor.extract_slice %184[0, 0, 0] [1, 13, 32] [1, 1, 1] : tensor<1x42x32xf16> to tensor<1x13x32xf16>
  %186 = tensor.extract_slice %184[0, 13, 0] [1, 29, 32] [1, 1, 1] : tensor<1x42x32xf16> to tensor<1x29x32xf16>
  return %185, %186 : tensor<1x13x32xf16>, tensor<1x29x32xf16>
}
