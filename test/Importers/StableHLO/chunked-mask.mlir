// Keys of the same chunk, by a quotient of positions.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16 --targets=gpu

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

func.func @llama4_chunked(%q: tensor<1x4x40x16xf32>,
    %k: tensor<1x2x40x16xf32>,
    %v: tensor<1x2x40x16xf32>) -> (tensor<1x40x64xf32>) {
  %cst0 = arith.constant 1.000000e+00 : f32
  %cst1 = arith.constant 8.000000e+00 : f32
  %cst2 = arith.constant 1.000000e-01 : f32
  %cst3 = arith.constant 0.000000e+00 : f32
  %cst4 = arith.constant 1.600000e+01 : f32
  %cst5 = arith.constant 1.000000e-06 : f32
  %cst6 = arith.constant 16 : i64
  %cst7 = arith.constant 2.500000e-01 : f32
  %cst8 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<40xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<40xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<40xi64>
  %2 = tensor.empty() : tensor<40xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<40xi64>) outs(%2 : tensor<40xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.sitofp %in : i64 to f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %4 = tensor.empty() : tensor<40xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<40xf32>) outs(%4 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %6 = tensor.empty() : tensor<40xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<40xf32>) outs(%6 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %8 = tensor.empty() : tensor<40xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%7 : tensor<40xf32>) outs(%8 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.floor %in : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %10 = tensor.empty() : tensor<40xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%9 : tensor<40xf32>) outs(%10 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %12 = tensor.empty() : tensor<40xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%11 : tensor<40xf32>) outs(%12 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.log %in : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %14 = tensor.empty() : tensor<40xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<40xf32>) outs(%14 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %16 = tensor.empty() : tensor<40xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%15 : tensor<40xf32>) outs(%16 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %18 = tensor.empty() : tensor<1x4x40x16xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %q : tensor<1x4x40x16xf32>, tensor<1x4x40x16xf32>) outs(%18 : tensor<1x4x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x16xf32>
  %20 = tensor.empty() : tensor<1x4x40xf32>
  %21 = linalg.fill ins(%cst3 : f32) outs(%20 : tensor<1x4x40xf32>) -> tensor<1x4x40xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x4x40x16xf32>) outs(%21 : tensor<1x4x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40xf32>
  %23 = tensor.expand_shape %22 [[0], [1], [2, 3]] output_shape [1, 4, 40, 1] : tensor<1x4x40xf32> into tensor<1x4x40x1xf32>
  %24 = tensor.empty() : tensor<1x4x40x1xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x4x40x1xf32>) outs(%24 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %26 = tensor.empty() : tensor<1x4x40x1xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x4x40x1xf32>) outs(%26 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %28 = tensor.empty() : tensor<1x4x40x1xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x40x1xf32>) outs(%28 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %30 = tensor.empty() : tensor<1x4x40x16xf32>
  %31 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %29 : tensor<1x4x40x16xf32>, tensor<1x4x40x1xf32>) outs(%30 : tensor<1x4x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x16xf32>
  %32 = tensor.expand_shape %17 [[0, 1, 2, 3]] output_shape [1, 1, 40, 1] : tensor<40xf32> into tensor<1x1x40x1xf32>
  %33 = tensor.empty() : tensor<1x4x40x16xf32>
  %34 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %32 : tensor<1x4x40x16xf32>, tensor<1x1x40x1xf32>) outs(%33 : tensor<1x4x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x16xf32>
  %35 = tensor.empty() : tensor<1x2x40x16xf32>
  %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %k : tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>) outs(%35 : tensor<1x2x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x16xf32>
  %37 = tensor.empty() : tensor<1x2x40xf32>
  %38 = linalg.fill ins(%cst3 : f32) outs(%37 : tensor<1x2x40xf32>) -> tensor<1x2x40xf32>
  %39 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<1x2x40x16xf32>) outs(%38 : tensor<1x2x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40xf32>
  %40 = tensor.expand_shape %39 [[0], [1], [2, 3]] output_shape [1, 2, 40, 1] : tensor<1x2x40xf32> into tensor<1x2x40x1xf32>
  %41 = tensor.empty() : tensor<1x2x40x1xf32>
  %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x40x1xf32>) outs(%41 : tensor<1x2x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x1xf32>
  %43 = tensor.empty() : tensor<1x2x40x1xf32>
  %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x40x1xf32>) outs(%43 : tensor<1x2x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x1xf32>
  %45 = tensor.empty() : tensor<1x2x40x1xf32>
  %46 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x2x40x1xf32>) outs(%45 : tensor<1x2x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x1xf32>
  %47 = tensor.empty() : tensor<1x2x40x16xf32>
  %48 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %46 : tensor<1x2x40x16xf32>, tensor<1x2x40x1xf32>) outs(%47 : tensor<1x2x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x16xf32>
  %49 = tensor.empty() : tensor<40xi64>
  %50 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%49 : tensor<40xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<40xi64>
  %51 = tensor.expand_shape %50 [[0, 1]] output_shape [40, 1] : tensor<40xi64> into tensor<40x1xi64>
  %52 = tensor.empty() : tensor<40xi64>
  %53 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%52 : tensor<40xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<40xi64>
  %54 = tensor.expand_shape %53 [[0, 1]] output_shape [1, 40] : tensor<40xi64> into tensor<1x40xi64>
  %55 = tensor.empty() : tensor<40x1xi64>
  %56 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<40x1xi64>) outs(%55 : tensor<40x1xi64>) {
  ^bb0(%in: i64, %out: i64):
    %r = arith.divsi %in, %cst6 : i64
    linalg.yield %r : i64
  } -> tensor<40x1xi64>
  %57 = tensor.empty() : tensor<1x40xi64>
  %58 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<1x40xi64>) outs(%57 : tensor<1x40xi64>) {
  ^bb0(%in: i64, %out: i64):
    %r = arith.divsi %in, %cst6 : i64
    linalg.yield %r : i64
  } -> tensor<1x40xi64>
  %59 = tensor.empty() : tensor<40x40xi1>
  %60 = linalg.generic {indexing_maps = [#map6, #map7, #map5], iterator_types = ["parallel", "parallel"]} ins(%56, %58 : tensor<40x1xi64>, tensor<1x40xi64>) outs(%59 : tensor<40x40xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi eq, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<40x40xi1>
  %61 = tensor.empty() : tensor<40x40xi1>
  %62 = linalg.generic {indexing_maps = [#map6, #map7, #map5], iterator_types = ["parallel", "parallel"]} ins(%51, %54 : tensor<40x1xi64>, tensor<1x40xi64>) outs(%61 : tensor<40x40xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<40x40xi1>
  %63 = tensor.empty() : tensor<40x40xi1>
  %64 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%62, %60 : tensor<40x40xi1>, tensor<40x40xi1>) outs(%63 : tensor<40x40xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<40x40xi1>
  %65 = tensor.expand_shape %48 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 40, 16] : tensor<1x2x40x16xf32> into tensor<1x2x1x40x16xf32>
  %66 = tensor.empty() : tensor<1x2x2x40x16xf32>
  %67 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x2x1x40x16xf32>) outs(%66 : tensor<1x2x2x40x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x40x16xf32>
  %68 = tensor.collapse_shape %67 [[0], [1, 2], [3], [4]] : tensor<1x2x2x40x16xf32> into tensor<1x4x40x16xf32>
  %69 = tensor.expand_shape %v [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 40, 16] : tensor<1x2x40x16xf32> into tensor<1x2x1x40x16xf32>
  %70 = tensor.empty() : tensor<1x2x2x40x16xf32>
  %71 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x1x40x16xf32>) outs(%70 : tensor<1x2x2x40x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x40x16xf32>
  %72 = tensor.collapse_shape %71 [[0], [1, 2], [3], [4]] : tensor<1x2x2x40x16xf32> into tensor<1x4x40x16xf32>
  %73 = tensor.empty() : tensor<1x4x16x40xf32>
  %74 = linalg.transpose ins(%68 : tensor<1x4x40x16xf32>) outs(%73 : tensor<1x4x16x40xf32>) permutation = [0, 1, 3, 2]
  %75 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<1x4x40x16xf32> into tensor<4x40x16xf32>
  %76 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<1x4x16x40xf32> into tensor<4x16x40xf32>
  %77 = tensor.empty() : tensor<4x40x40xf32>
  %78 = linalg.fill ins(%cst3 : f32) outs(%77 : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
  %79 = linalg.batch_matmul ins(%75, %76 : tensor<4x40x16xf32>, tensor<4x16x40xf32>) outs(%78 : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
  %80 = tensor.expand_shape %79 [[0, 1], [2], [3]] output_shape [1, 4, 40, 40] : tensor<4x40x40xf32> into tensor<1x4x40x40xf32>
  %81 = tensor.empty() : tensor<1x4x40x40xf32>
  %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<1x4x40x40xf32>) outs(%81 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst7 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %83 = tensor.empty() : tensor<1x4x40x40xf32>
  %84 = linalg.generic {indexing_maps = [#map10, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %82 : tensor<40x40xi1>, tensor<1x4x40x40xf32>) outs(%83 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %85 = tensor.empty() : tensor<1x4x40xf32>
  %86 = linalg.fill ins(%cst8 : f32) outs(%85 : tensor<1x4x40xf32>) -> tensor<1x4x40xf32>
  %87 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<1x4x40x40xf32>) outs(%86 : tensor<1x4x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40xf32>
  %88 = tensor.expand_shape %87 [[0], [1], [2, 3]] output_shape [1, 4, 40, 1] : tensor<1x4x40xf32> into tensor<1x4x40x1xf32>
  %89 = tensor.empty() : tensor<1x4x40x40xf32>
  %90 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %88 : tensor<1x4x40x40xf32>, tensor<1x4x40x1xf32>) outs(%89 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %91 = tensor.empty() : tensor<1x4x40x40xf32>
  %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<1x4x40x40xf32>) outs(%91 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %93 = tensor.empty() : tensor<1x4x40xf32>
  %94 = linalg.fill ins(%cst3 : f32) outs(%93 : tensor<1x4x40xf32>) -> tensor<1x4x40xf32>
  %95 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%92 : tensor<1x4x40x40xf32>) outs(%94 : tensor<1x4x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40xf32>
  %96 = tensor.expand_shape %95 [[0], [1], [2, 3]] output_shape [1, 4, 40, 1] : tensor<1x4x40xf32> into tensor<1x4x40x1xf32>
  %97 = tensor.empty() : tensor<1x4x40x40xf32>
  %98 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %96 : tensor<1x4x40x40xf32>, tensor<1x4x40x1xf32>) outs(%97 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %99 = tensor.collapse_shape %98 [[0, 1], [2], [3]] : tensor<1x4x40x40xf32> into tensor<4x40x40xf32>
  %100 = tensor.collapse_shape %72 [[0, 1], [2], [3]] : tensor<1x4x40x16xf32> into tensor<4x40x16xf32>
  %101 = tensor.empty() : tensor<4x40x16xf32>
  %102 = linalg.fill ins(%cst3 : f32) outs(%101 : tensor<4x40x16xf32>) -> tensor<4x40x16xf32>
  %103 = linalg.batch_matmul ins(%99, %100 : tensor<4x40x40xf32>, tensor<4x40x16xf32>) outs(%102 : tensor<4x40x16xf32>) -> tensor<4x40x16xf32>
  %104 = tensor.expand_shape %103 [[0, 1], [2], [3]] output_shape [1, 4, 40, 16] : tensor<4x40x16xf32> into tensor<1x4x40x16xf32>
  %105 = tensor.empty() : tensor<1x40x4x16xf32>
  %106 = linalg.transpose ins(%104 : tensor<1x4x40x16xf32>) outs(%105 : tensor<1x40x4x16xf32>) permutation = [0, 2, 1, 3]
  %107 = tensor.collapse_shape %106 [[0], [1], [2, 3]] : tensor<1x40x4x16xf32> into tensor<1x40x64xf32>
  return %107 : tensor<1x40x64xf32>
}
