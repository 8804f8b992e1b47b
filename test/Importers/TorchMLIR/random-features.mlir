// Linear attention by positive random features (Performer): exponentials of products are shifted
// by their largest and by half of a square. No scores; features of keys are stored.

// RUN: linalg-ext-check-program %s --max-kernels=6 --max-buffer-bytes=8704

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

func.func @performer(%q: tensor<1x2x45x16xf32>,
    %k: tensor<1x2x45x16xf32>,
    %v: tensor<1x2x45x16xf32>,
    %proj: tensor<24x16xf32>) -> (tensor<1x2x45x16xf32>) {
  %cst0 = arith.constant 5.000000e-01 : f32
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 1.000000e-04 : f32
  %cst4 = arith.constant 2.040000e-01 : f32
  %0 = tensor.empty() : tensor<1x2x45x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x2x45x16xf32>) outs(%0 : tensor<1x2x45x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x16xf32>
  %2 = tensor.empty() : tensor<1x2x45x24xf32>
  %3 = linalg.fill ins(%cst1 : f32) outs(%2 : tensor<1x2x45x24xf32>) -> tensor<1x2x45x24xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%1, %proj : tensor<1x2x45x16xf32>, tensor<24x16xf32>) outs(%3 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %5 = tensor.empty() : tensor<1x2x45x16xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<1x2x45x16xf32>, tensor<1x2x45x16xf32>) outs(%5 : tensor<1x2x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x16xf32>
  %7 = tensor.empty() : tensor<1x2x45x1xf32>
  %8 = linalg.fill ins(%cst1 : f32) outs(%7 : tensor<1x2x45x1xf32>) -> tensor<1x2x45x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x2x45x16xf32>) outs(%8 : tensor<1x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x1xf32>
  %10 = tensor.empty() : tensor<1x2x45x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x45x1xf32>) outs(%10 : tensor<1x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x1xf32>
  %12 = tensor.empty() : tensor<1x2x45x1xf32>
  %13 = linalg.fill ins(%cst2 : f32) outs(%12 : tensor<1x2x45x1xf32>) -> tensor<1x2x45x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<1x2x45x24xf32>) outs(%13 : tensor<1x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x1xf32>
  %15 = tensor.empty() : tensor<1x2x45x24xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %11 : tensor<1x2x45x24xf32>, tensor<1x2x45x1xf32>) outs(%15 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %17 = tensor.empty() : tensor<1x2x45x24xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %14 : tensor<1x2x45x24xf32>, tensor<1x2x45x1xf32>) outs(%17 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %19 = tensor.empty() : tensor<1x2x45x24xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x45x24xf32>) outs(%19 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %21 = tensor.empty() : tensor<1x2x45x24xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x45x24xf32>) outs(%21 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %23 = tensor.empty() : tensor<1x2x45x24xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x45x24xf32>) outs(%23 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %25 = tensor.empty() : tensor<1x2x45x16xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x2x45x16xf32>) outs(%25 : tensor<1x2x45x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x16xf32>
  %27 = tensor.empty() : tensor<1x2x45x24xf32>
  %28 = linalg.fill ins(%cst1 : f32) outs(%27 : tensor<1x2x45x24xf32>) -> tensor<1x2x45x24xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%26, %proj : tensor<1x2x45x16xf32>, tensor<24x16xf32>) outs(%28 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %30 = tensor.empty() : tensor<1x2x45x16xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %26 : tensor<1x2x45x16xf32>, tensor<1x2x45x16xf32>) outs(%30 : tensor<1x2x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x16xf32>
  %32 = tensor.empty() : tensor<1x2x45x1xf32>
  %33 = linalg.fill ins(%cst1 : f32) outs(%32 : tensor<1x2x45x1xf32>) -> tensor<1x2x45x1xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x45x16xf32>) outs(%33 : tensor<1x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x1xf32>
  %35 = tensor.empty() : tensor<1x2x45x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x45x1xf32>) outs(%35 : tensor<1x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x1xf32>
  %37 = tensor.empty() : tensor<1x2x45x1xf32>
  %38 = linalg.fill ins(%cst2 : f32) outs(%37 : tensor<1x2x45x1xf32>) -> tensor<1x2x45x1xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x2x45x24xf32>) outs(%38 : tensor<1x2x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x1xf32>
  %40 = tensor.empty() : tensor<1x2x45x24xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %36 : tensor<1x2x45x24xf32>, tensor<1x2x45x1xf32>) outs(%40 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %42 = tensor.empty() : tensor<1x2x45x24xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %39 : tensor<1x2x45x24xf32>, tensor<1x2x45x1xf32>) outs(%42 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %44 = tensor.empty() : tensor<1x2x45x24xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x45x24xf32>) outs(%44 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %46 = tensor.empty() : tensor<1x2x45x24xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x2x45x24xf32>) outs(%46 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %48 = tensor.empty() : tensor<1x2x45x24xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x2x45x24xf32>) outs(%48 : tensor<1x2x45x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x24xf32>
  %50 = tensor.empty() : tensor<1x2x24xf32>
  %51 = linalg.fill ins(%cst1 : f32) outs(%50 : tensor<1x2x24xf32>) -> tensor<1x2x24xf32>
  %52 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%49 : tensor<1x2x45x24xf32>) outs(%51 : tensor<1x2x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24xf32>
  %53 = tensor.empty() : tensor<1x2x45xf32>
  %54 = linalg.fill ins(%cst1 : f32) outs(%53 : tensor<1x2x45xf32>) -> tensor<1x2x45xf32>
  %55 = linalg.generic {indexing_maps = [#map, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24, %52 : tensor<1x2x45x24xf32>, tensor<1x2x24xf32>) outs(%54 : tensor<1x2x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45xf32>
  %56 = tensor.empty() : tensor<1x2x24x16xf32>
  %57 = linalg.fill ins(%cst1 : f32) outs(%56 : tensor<1x2x24x16xf32>) -> tensor<1x2x24x16xf32>
  %58 = linalg.generic {indexing_maps = [#map7, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%49, %v : tensor<1x2x45x24xf32>, tensor<1x2x45x16xf32>) outs(%57 : tensor<1x2x24x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x16xf32>
  %59 = tensor.empty() : tensor<1x2x45x16xf32>
  %60 = linalg.fill ins(%cst1 : f32) outs(%59 : tensor<1x2x45x16xf32>) -> tensor<1x2x45x16xf32>
  %61 = linalg.generic {indexing_maps = [#map1, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%24, %58 : tensor<1x2x45x24xf32>, tensor<1x2x24x16xf32>) outs(%60 : tensor<1x2x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x16xf32>
  %62 = tensor.expand_shape %55 [[0], [1], [2, 3]] output_shape [1, 2, 45, 1] : tensor<1x2x45xf32> into tensor<1x2x45x1xf32>
  %63 = tensor.empty() : tensor<1x2x45x16xf32>
  %64 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %62 : tensor<1x2x45x16xf32>, tensor<1x2x45x1xf32>) outs(%63 : tensor<1x2x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x45x16xf32>
  return %64 : tensor<1x2x45x16xf32>
}
