// Gemma 3: norms of queries and keys, rotations, a window. The rotated keys and queries are
// stored, and so are the tables of the rotation.

// RUN: linalg-ext-check-program %s --max-kernels=6 --max-buffer-bytes=9472 --keys=16 --targets=gpu

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @gemma3_local(%q: tensor<1x37x64xf32>,
    %k: tensor<1x37x32xf32>,
    %v: tensor<1x37x32xf32>,
    %w_q: tensor<16xf32>,
    %w_k: tensor<16xf32>) -> (tensor<1x37x64xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 1.600000e+01 : f32
  %cst2 = arith.constant 1.000000e-06 : f32
  %cst3 = arith.constant 1.000000e+00 : f32
  %cst4 = arith.constant -1.151293e+00 : f32
  %cst5 = arith.constant 12 : i64
  %cst6 = arith.constant 2.500000e-01 : f32
  %cst7 = arith.constant 0xFF800000 : f32
  %cst8 = arith.constant 0 : i64
  %0 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 37, 4, 16] : tensor<1x37x64xf32> into tensor<1x37x4x16xf32>
  %1 = tensor.empty() : tensor<1x4x37x16xf32>
  %2 = linalg.transpose ins(%0 : tensor<1x37x4x16xf32>) outs(%1 : tensor<1x4x37x16xf32>) permutation = [0, 2, 1, 3]
  %3 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [1, 37, 2, 16] : tensor<1x37x32xf32> into tensor<1x37x2x16xf32>
  %4 = tensor.empty() : tensor<1x2x37x16xf32>
  %5 = linalg.transpose ins(%3 : tensor<1x37x2x16xf32>) outs(%4 : tensor<1x2x37x16xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [1, 37, 2, 16] : tensor<1x37x32xf32> into tensor<1x37x2x16xf32>
  %7 = tensor.empty() : tensor<1x2x37x16xf32>
  %8 = linalg.transpose ins(%6 : tensor<1x37x2x16xf32>) outs(%7 : tensor<1x2x37x16xf32>) permutation = [0, 2, 1, 3]
  %9 = tensor.empty() : tensor<1x4x37x16xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %2 : tensor<1x4x37x16xf32>, tensor<1x4x37x16xf32>) outs(%9 : tensor<1x4x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x16xf32>
  %11 = tensor.empty() : tensor<1x4x37x1xf32>
  %12 = linalg.fill ins(%cst0 : f32) outs(%11 : tensor<1x4x37x1xf32>) -> tensor<1x4x37x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<1x4x37x16xf32>) outs(%12 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x1xf32>
  %14 = tensor.empty() : tensor<1x4x37x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x4x37x1xf32>) outs(%14 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x1xf32>
  %16 = tensor.empty() : tensor<1x4x37x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x4x37x1xf32>) outs(%16 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x1xf32>
  %18 = tensor.empty() : tensor<1x4x37x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x4x37x1xf32>) outs(%18 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x1xf32>
  %20 = tensor.empty() : tensor<1x4x37x16xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %19 : tensor<1x4x37x16xf32>, tensor<1x4x37x1xf32>) outs(%20 : tensor<1x4x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x16xf32>
  %22 = tensor.empty() : tensor<16xf32>
  %23 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%w_q : tensor<16xf32>) outs(%22 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %24 = tensor.empty() : tensor<1x4x37x16xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %23 : tensor<1x4x37x16xf32>, tensor<16xf32>) outs(%24 : tensor<1x4x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x16xf32>
  %26 = tensor.empty() : tensor<1x2x37x16xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %5 : tensor<1x2x37x16xf32>, tensor<1x2x37x16xf32>) outs(%26 : tensor<1x2x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x16xf32>
  %28 = tensor.empty() : tensor<1x2x37x1xf32>
  %29 = linalg.fill ins(%cst0 : f32) outs(%28 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x2x37x16xf32>) outs(%29 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %31 = tensor.empty() : tensor<1x2x37x1xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x37x1xf32>) outs(%31 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %33 = tensor.empty() : tensor<1x2x37x1xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x37x1xf32>) outs(%33 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %35 = tensor.empty() : tensor<1x2x37x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x37x1xf32>) outs(%35 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %37 = tensor.empty() : tensor<1x2x37x16xf32>
  %38 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %36 : tensor<1x2x37x16xf32>, tensor<1x2x37x1xf32>) outs(%37 : tensor<1x2x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x16xf32>
  %39 = tensor.empty() : tensor<16xf32>
  %40 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%w_k : tensor<16xf32>) outs(%39 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %41 = tensor.empty() : tensor<1x2x37x16xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %40 : tensor<1x2x37x16xf32>, tensor<16xf32>) outs(%41 : tensor<1x2x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x16xf32>
  %43 = tensor.empty() : tensor<37xi64>
  %44 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%43 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<37xi64>
  %45 = tensor.empty() : tensor<37xf32>
  %46 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%44 : tensor<37xi64>) outs(%45 : tensor<37xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.sitofp %in : i64 to f32
    linalg.yield %r : f32
  } -> tensor<37xf32>
  %47 = tensor.empty() : tensor<8xi64>
  %48 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%47 : tensor<8xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<8xi64>
  %49 = tensor.empty() : tensor<8xf32>
  %50 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%48 : tensor<8xi64>) outs(%49 : tensor<8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.sitofp %in : i64 to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %51 = tensor.empty() : tensor<8xf32>
  %52 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%50 : tensor<8xf32>) outs(%51 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %53 = tensor.empty() : tensor<8xf32>
  %54 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%52 : tensor<8xf32>) outs(%53 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %55 = tensor.expand_shape %46 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %56 = tensor.expand_shape %54 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %57 = tensor.empty() : tensor<37x8xf32>
  %58 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%55, %56 : tensor<37x1xf32>, tensor<1x8xf32>) outs(%57 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37x8xf32>
  %59 = tensor.concat dim(1) %58, %58 : (tensor<37x8xf32>, tensor<37x8xf32>) -> tensor<37x16xf32>
  %60 = tensor.empty() : tensor<37x16xf32>
  %61 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<37x16xf32>) outs(%60 : tensor<37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.cos %in : f32
    linalg.yield %r : f32
  } -> tensor<37x16xf32>
  %62 = tensor.empty() : tensor<37x16xf32>
  %63 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<37x16xf32>) outs(%62 : tensor<37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.sin %in : f32
    linalg.yield %r : f32
  } -> tensor<37x16xf32>
  %64 = tensor.extract_slice %25[0, 0, 0, 8] [1, 4, 37, 8] [1, 1, 1, 1] : tensor<1x4x37x16xf32> to tensor<1x4x37x8xf32>
  %65 = tensor.empty() : tensor<1x4x37x8xf32>
  %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x4x37x8xf32>) outs(%65 : tensor<1x4x37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x8xf32>
  %67 = tensor.extract_slice %25[0, 0, 0, 0] [1, 4, 37, 8] [1, 1, 1, 1] : tensor<1x4x37x16xf32> to tensor<1x4x37x8xf32>
  %68 = tensor.concat dim(3) %66, %67 : (tensor<1x4x37x8xf32>, tensor<1x4x37x8xf32>) -> tensor<1x4x37x16xf32>
  %69 = tensor.empty() : tensor<1x4x37x16xf32>
  %70 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %61 : tensor<1x4x37x16xf32>, tensor<37x16xf32>) outs(%69 : tensor<1x4x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x16xf32>
  %71 = tensor.empty() : tensor<1x4x37x16xf32>
  %72 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %63 : tensor<1x4x37x16xf32>, tensor<37x16xf32>) outs(%71 : tensor<1x4x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x16xf32>
  %73 = tensor.empty() : tensor<1x4x37x16xf32>
  %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %72 : tensor<1x4x37x16xf32>, tensor<1x4x37x16xf32>) outs(%73 : tensor<1x4x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x16xf32>
  %75 = tensor.extract_slice %42[0, 0, 0, 8] [1, 2, 37, 8] [1, 1, 1, 1] : tensor<1x2x37x16xf32> to tensor<1x2x37x8xf32>
  %76 = tensor.empty() : tensor<1x2x37x8xf32>
  %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x2x37x8xf32>) outs(%76 : tensor<1x2x37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x8xf32>
  %78 = tensor.extract_slice %42[0, 0, 0, 0] [1, 2, 37, 8] [1, 1, 1, 1] : tensor<1x2x37x16xf32> to tensor<1x2x37x8xf32>
  %79 = tensor.concat dim(3) %77, %78 : (tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>) -> tensor<1x2x37x16xf32>
  %80 = tensor.empty() : tensor<1x2x37x16xf32>
  %81 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %61 : tensor<1x2x37x16xf32>, tensor<37x16xf32>) outs(%80 : tensor<1x2x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x16xf32>
  %82 = tensor.empty() : tensor<1x2x37x16xf32>
  %83 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %63 : tensor<1x2x37x16xf32>, tensor<37x16xf32>) outs(%82 : tensor<1x2x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x16xf32>
  %84 = tensor.empty() : tensor<1x2x37x16xf32>
  %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %83 : tensor<1x2x37x16xf32>, tensor<1x2x37x16xf32>) outs(%84 : tensor<1x2x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x16xf32>
  %86 = tensor.expand_shape %85 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %87 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %88 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x2x1x37x16xf32>) outs(%87 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x37x16xf32>
  %89 = tensor.collapse_shape %88 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %90 = tensor.expand_shape %8 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %91 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %92 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<1x2x1x37x16xf32>) outs(%91 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x37x16xf32>
  %93 = tensor.collapse_shape %92 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %94 = tensor.empty() : tensor<37xi64>
  %95 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%94 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<37xi64>
  %96 = tensor.expand_shape %95 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %97 = tensor.empty() : tensor<37xi64>
  %98 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%97 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<37xi64>
  %99 = tensor.expand_shape %98 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %100 = tensor.empty() : tensor<37x37xi1>
  %101 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%96, %99 : tensor<37x1xi64>, tensor<1x37xi64>) outs(%100 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %102 = tensor.empty() : tensor<37x37xi64>
  %103 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%96, %99 : tensor<37x1xi64>, tensor<1x37xi64>) outs(%102 : tensor<37x37xi64>) {
  ^bb0(%in: i64, %in_1: i64, %out: i64):
    %r = arith.subi %in, %in_1 : i64
    linalg.yield %r : i64
  } -> tensor<37x37xi64>
  %104 = tensor.empty() : tensor<37x37xi1>
  %105 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%103 : tensor<37x37xi64>) outs(%104 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %out: i1):
    %r = arith.cmpi slt, %in, %cst5 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %106 = tensor.empty() : tensor<37x37xi1>
  %107 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%101, %105 : tensor<37x37xi1>, tensor<37x37xi1>) outs(%106 : tensor<37x37xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %108 = tensor.empty() : tensor<1x4x16x37xf32>
  %109 = linalg.transpose ins(%89 : tensor<1x4x37x16xf32>) outs(%108 : tensor<1x4x16x37xf32>) permutation = [0, 1, 3, 2]
  %110 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %111 = tensor.collapse_shape %109 [[0, 1], [2], [3]] : tensor<1x4x16x37xf32> into tensor<4x16x37xf32>
  %112 = tensor.empty() : tensor<4x37x37xf32>
  %113 = linalg.fill ins(%cst0 : f32) outs(%112 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %114 = linalg.batch_matmul ins(%110, %111 : tensor<4x37x16xf32>, tensor<4x16x37xf32>) outs(%113 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %115 = tensor.expand_shape %114 [[0, 1], [2], [3]] output_shape [1, 4, 37, 37] : tensor<4x37x37xf32> into tensor<1x4x37x37xf32>
  %116 = tensor.empty() : tensor<1x4x37x37xf32>
  %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115 : tensor<1x4x37x37xf32>) outs(%116 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x37xf32>
  %118 = tensor.empty() : tensor<1x4x37x37xf32>
  %119 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %117 : tensor<37x37xi1>, tensor<1x4x37x37xf32>) outs(%118 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst7 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x37xf32>
  %120 = tensor.empty() : tensor<1x4x37xi64>
  %121 = linalg.fill ins(%cst8 : i64) outs(%120 : tensor<1x4x37xi64>) -> tensor<1x4x37xi64>
  %122 = tensor.empty() : tensor<1x4x37xf32>
  %123 = linalg.fill ins(%cst7 : f32) outs(%122 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %124:2 = linalg.generic {indexing_maps = [#map, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%119 : tensor<1x4x37x37xf32>) outs(%123, %121 : tensor<1x4x37xf32>, tensor<1x4x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x37xf32>, tensor<1x4x37xi64>)
  %125 = tensor.expand_shape %124#0 [[0], [1], [2, 3]] output_shape [1, 4, 37, 1] : tensor<1x4x37xf32> into tensor<1x4x37x1xf32>
  %126 = tensor.empty() : tensor<1x4x37x37xf32>
  %127 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %125 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%126 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x37xf32>
  %128 = tensor.empty() : tensor<1x4x37x37xf32>
  %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127 : tensor<1x4x37x37xf32>) outs(%128 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x37xf32>
  %130 = tensor.empty() : tensor<1x4x37x1xf32>
  %131 = linalg.fill ins(%cst0 : f32) outs(%130 : tensor<1x4x37x1xf32>) -> tensor<1x4x37x1xf32>
  %132 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%129 : tensor<1x4x37x37xf32>) outs(%131 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x1xf32>
  %133 = tensor.empty() : tensor<1x4x37x37xf32>
  %134 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129, %132 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%133 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x37x37xf32>
  %135 = tensor.collapse_shape %134 [[0, 1], [2], [3]] : tensor<1x4x37x37xf32> into tensor<4x37x37xf32>
  %136 = tensor.collapse_shape %93 [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %137 = tensor.empty() : tensor<4x37x16xf32>
  %138 = linalg.fill ins(%cst0 : f32) outs(%137 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %139 = linalg.batch_matmul ins(%135, %136 : tensor<4x37x37xf32>, tensor<4x37x16xf32>) outs(%138 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %140 = tensor.expand_shape %139 [[0, 1], [2], [3]] output_shape [1, 4, 37, 16] : tensor<4x37x16xf32> into tensor<1x4x37x16xf32>
  %141 = tensor.empty() : tensor<1x37x4x16xf32>
  %142 = linalg.transpose ins(%140 : tensor<1x4x37x16xf32>) outs(%141 : tensor<1x37x4x16xf32>) permutation = [0, 2, 1, 3]
  %143 = tensor.collapse_shape %142 [[0], [1], [2, 3]] : tensor<1x37x4x16xf32> into tensor<1x37x64xf32>
  return %143 : tensor<1x37x64xf32>
}
