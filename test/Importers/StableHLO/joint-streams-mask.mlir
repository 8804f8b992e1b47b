// JAX: an image and its text are one sequence, normalised and masked as one. Keys are
// normalised in the two kernels of attention.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=6400 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>

func.func @jax_joint(%q_image: tensor<2x31x32xf32>,
    %q_text: tensor<2x9x32xf32>,
    %k_image: tensor<2x31x32xf32>,
    %k_text: tensor<2x9x32xf32>,
    %v_image: tensor<2x31x32xf32>,
    %v_text: tensor<2x9x32xf32>,
    %wq: tensor<16xf32>,
    %wk: tensor<16xf32>,
    %is_text: tensor<2x40xi1>) -> (tensor<2x31x32xf32>, tensor<2x9x32xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 1.600000e+01 : f32
  %cst2 = arith.constant 1.000000e-06 : f32
  %cst3 = arith.constant 2.500000e-01 : f32
  %cst4 = arith.constant -1.000000e+09 : f32
  %cst5 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q_image [[0], [1], [2, 3]] output_shape [2, 31, 2, 16] : tensor<2x31x32xf32> into tensor<2x31x2x16xf32>
  %1 = tensor.expand_shape %q_text [[0], [1], [2, 3]] output_shape [2, 9, 2, 16] : tensor<2x9x32xf32> into tensor<2x9x2x16xf32>
  %2 = tensor.concat dim(1) %0, %1 : (tensor<2x31x2x16xf32>, tensor<2x9x2x16xf32>) -> tensor<2x40x2x16xf32>
  %3 = tensor.expand_shape %k_image [[0], [1], [2, 3]] output_shape [2, 31, 2, 16] : tensor<2x31x32xf32> into tensor<2x31x2x16xf32>
  %4 = tensor.expand_shape %k_text [[0], [1], [2, 3]] output_shape [2, 9, 2, 16] : tensor<2x9x32xf32> into tensor<2x9x2x16xf32>
  %5 = tensor.concat dim(1) %3, %4 : (tensor<2x31x2x16xf32>, tensor<2x9x2x16xf32>) -> tensor<2x40x2x16xf32>
  %6 = tensor.expand_shape %v_image [[0], [1], [2, 3]] output_shape [2, 31, 2, 16] : tensor<2x31x32xf32> into tensor<2x31x2x16xf32>
  %7 = tensor.expand_shape %v_text [[0], [1], [2, 3]] output_shape [2, 9, 2, 16] : tensor<2x9x32xf32> into tensor<2x9x2x16xf32>
  %8 = tensor.concat dim(1) %6, %7 : (tensor<2x31x2x16xf32>, tensor<2x9x2x16xf32>) -> tensor<2x40x2x16xf32>
  %9 = tensor.empty() : tensor<2x40x2x16xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %2 : tensor<2x40x2x16xf32>, tensor<2x40x2x16xf32>) outs(%9 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %11 = tensor.empty() : tensor<2x40x2xf32>
  %12 = linalg.fill ins(%cst0 : f32) outs(%11 : tensor<2x40x2xf32>) -> tensor<2x40x2xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x40x2x16xf32>) outs(%12 : tensor<2x40x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2xf32>
  %14 = tensor.expand_shape %13 [[0], [1], [2, 3]] output_shape [2, 40, 2, 1] : tensor<2x40x2xf32> into tensor<2x40x2x1xf32>
  %15 = tensor.empty() : tensor<2x40x2x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x40x2x1xf32>) outs(%15 : tensor<2x40x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x1xf32>
  %17 = tensor.empty() : tensor<2x40x2x1xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x40x2x1xf32>) outs(%17 : tensor<2x40x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x1xf32>
  %19 = tensor.empty() : tensor<2x40x2x1xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x40x2x1xf32>) outs(%19 : tensor<2x40x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x1xf32>
  %21 = tensor.empty() : tensor<2x40x2x16xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %20 : tensor<2x40x2x16xf32>, tensor<2x40x2x1xf32>) outs(%21 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %23 = tensor.empty() : tensor<2x40x2x16xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %wq : tensor<2x40x2x16xf32>, tensor<16xf32>) outs(%23 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %25 = tensor.empty() : tensor<2x40x2x16xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<2x40x2x16xf32>, tensor<2x40x2x16xf32>) outs(%25 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %27 = tensor.empty() : tensor<2x40x2xf32>
  %28 = linalg.fill ins(%cst0 : f32) outs(%27 : tensor<2x40x2xf32>) -> tensor<2x40x2xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<2x40x2x16xf32>) outs(%28 : tensor<2x40x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2xf32>
  %30 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [2, 40, 2, 1] : tensor<2x40x2xf32> into tensor<2x40x2x1xf32>
  %31 = tensor.empty() : tensor<2x40x2x1xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x40x2x1xf32>) outs(%31 : tensor<2x40x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x1xf32>
  %33 = tensor.empty() : tensor<2x40x2x1xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x40x2x1xf32>) outs(%33 : tensor<2x40x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x1xf32>
  %35 = tensor.empty() : tensor<2x40x2x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x40x2x1xf32>) outs(%35 : tensor<2x40x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x1xf32>
  %37 = tensor.empty() : tensor<2x40x2x16xf32>
  %38 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %36 : tensor<2x40x2x16xf32>, tensor<2x40x2x1xf32>) outs(%37 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %39 = tensor.empty() : tensor<2x40x2x16xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %wk : tensor<2x40x2x16xf32>, tensor<16xf32>) outs(%39 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %41 = tensor.empty() : tensor<2x40x2x16xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x40x2x16xf32>) outs(%41 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %43 = tensor.empty() : tensor<2x2x40x40xf32>
  %44 = linalg.fill ins(%cst0 : f32) outs(%43 : tensor<2x2x40x40xf32>) -> tensor<2x2x40x40xf32>
  %45 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%42, %40 : tensor<2x40x2x16xf32>, tensor<2x40x2x16xf32>) outs(%44 : tensor<2x2x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x2x40x40xf32>
  %46 = tensor.expand_shape %is_text [[0], [1, 2, 3]] output_shape [2, 1, 1, 40] : tensor<2x40xi1> into tensor<2x1x1x40xi1>
  %47 = tensor.empty() : tensor<2x2x40x40xf32>
  %48 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %45 : tensor<2x1x1x40xi1>, tensor<2x2x40x40xf32>) outs(%47 : tensor<2x2x40x40xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x40x40xf32>
  %49 = tensor.empty() : tensor<2x2x40xf32>
  %50 = linalg.fill ins(%cst5 : f32) outs(%49 : tensor<2x2x40xf32>) -> tensor<2x2x40xf32>
  %51 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<2x2x40x40xf32>) outs(%50 : tensor<2x2x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x40xf32>
  %52 = tensor.expand_shape %51 [[0], [1], [2, 3]] output_shape [2, 2, 40, 1] : tensor<2x2x40xf32> into tensor<2x2x40x1xf32>
  %53 = tensor.empty() : tensor<2x2x40x40xf32>
  %54 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %52 : tensor<2x2x40x40xf32>, tensor<2x2x40x1xf32>) outs(%53 : tensor<2x2x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x40x40xf32>
  %55 = tensor.empty() : tensor<2x2x40x40xf32>
  %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x2x40x40xf32>) outs(%55 : tensor<2x2x40x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x40x40xf32>
  %57 = tensor.empty() : tensor<2x2x40xf32>
  %58 = linalg.fill ins(%cst0 : f32) outs(%57 : tensor<2x2x40xf32>) -> tensor<2x2x40xf32>
  %59 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<2x2x40x40xf32>) outs(%58 : tensor<2x2x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x40xf32>
  %60 = tensor.expand_shape %59 [[0], [1], [2, 3]] output_shape [2, 2, 40, 1] : tensor<2x2x40xf32> into tensor<2x2x40x1xf32>
  %61 = tensor.empty() : tensor<2x2x40x40xf32>
  %62 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %60 : tensor<2x2x40x40xf32>, tensor<2x2x40x1xf32>) outs(%61 : tensor<2x2x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x40x40xf32>
  %63 = tensor.empty() : tensor<2x40x2x16xf32>
  %64 = linalg.fill ins(%cst0 : f32) outs(%63 : tensor<2x40x2x16xf32>) -> tensor<2x40x2x16xf32>
  %65 = linalg.generic {indexing_maps = [#map4, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%62, %8 : tensor<2x2x40x40xf32>, tensor<2x40x2x16xf32>) outs(%64 : tensor<2x40x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x40x2x16xf32>
  %66 = tensor.collapse_shape %65 [[0], [1], [2, 3]] : tensor<2x40x2x16xf32> into tensor<2x40x32xf32>
  %67 = tensor.extract_slice %66[0, 0, 0] [2, 31, 32] [1, 1, 1] : tensor<2x40x32xf32> to tensor<2x31x32xf32>
  %68 = tensor.extract_slice %66[0, 31, 0] [2, 9, 32] [1, 1, 1] : tensor<2x40x32xf32> to tensor<2x9x32xf32>
  return %67, %68 : tensor<2x31x32xf32>, tensor<2x9x32xf32>
}
