// Llama 4: keys of the same chunk, by a quotient of positions; norms of heads and a factor by position.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

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
  %cst9 = arith.constant 0 : i64
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
  %20 = tensor.empty() : tensor<1x4x40x1xf32>
  %21 = linalg.fill ins(%cst3 : f32) outs(%20 : tensor<1x4x40x1xf32>) -> tensor<1x4x40x1xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x4x40x16xf32>) outs(%21 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %23 = tensor.empty() : tensor<1x4x40x1xf32>
  %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x4x40x1xf32>) outs(%23 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %25 = tensor.empty() : tensor<1x4x40x1xf32>
  %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x4x40x1xf32>) outs(%25 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %27 = tensor.empty() : tensor<1x4x40x1xf32>
  %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x4x40x1xf32>) outs(%27 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %29 = tensor.empty() : tensor<1x4x40x16xf32>
  %30 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %28 : tensor<1x4x40x16xf32>, tensor<1x4x40x1xf32>) outs(%29 : tensor<1x4x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x16xf32>
  %31 = tensor.expand_shape %17 [[0, 1, 2, 3]] output_shape [1, 1, 40, 1] : tensor<40xf32> into tensor<1x1x40x1xf32>
  %32 = tensor.empty() : tensor<1x4x40x16xf32>
  %33 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %31 : tensor<1x4x40x16xf32>, tensor<1x1x40x1xf32>) outs(%32 : tensor<1x4x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x16xf32>
  %34 = tensor.empty() : tensor<1x2x40x16xf32>
  %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %k : tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>) outs(%34 : tensor<1x2x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x16xf32>
  %36 = tensor.empty() : tensor<1x2x40x1xf32>
  %37 = linalg.fill ins(%cst3 : f32) outs(%36 : tensor<1x2x40x1xf32>) -> tensor<1x2x40x1xf32>
  %38 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x2x40x16xf32>) outs(%37 : tensor<1x2x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x1xf32>
  %39 = tensor.empty() : tensor<1x2x40x1xf32>
  %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x40x1xf32>) outs(%39 : tensor<1x2x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x1xf32>
  %41 = tensor.empty() : tensor<1x2x40x1xf32>
  %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x40x1xf32>) outs(%41 : tensor<1x2x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x1xf32>
  %43 = tensor.empty() : tensor<1x2x40x1xf32>
  %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x40x1xf32>) outs(%43 : tensor<1x2x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x1xf32>
  %45 = tensor.empty() : tensor<1x2x40x16xf32>
  %46 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %44 : tensor<1x2x40x16xf32>, tensor<1x2x40x1xf32>) outs(%45 : tensor<1x2x40x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x40x16xf32>
  %47 = tensor.empty() : tensor<40xi64>
  %48 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%47 : tensor<40xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<40xi64>
  %49 = tensor.expand_shape %48 [[0, 1]] output_shape [40, 1] : tensor<40xi64> into tensor<40x1xi64>
  %50 = tensor.empty() : tensor<40xi64>
  %51 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%50 : tensor<40xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<40xi64>
  %52 = tensor.expand_shape %51 [[0, 1]] output_shape [1, 40] : tensor<40xi64> into tensor<1x40xi64>
  %53 = tensor.empty() : tensor<40x1xi64>
  %54 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<40x1xi64>) outs(%53 : tensor<40x1xi64>) {
  ^bb0(%in: i64, %out: i64):
    %r = arith.divsi %in, %cst6 : i64
    linalg.yield %r : i64
  } -> tensor<40x1xi64>
  %55 = tensor.empty() : tensor<1x40xi64>
  %56 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<1x40xi64>) outs(%55 : tensor<1x40xi64>) {
  ^bb0(%in: i64, %out: i64):
    %r = arith.divsi %in, %cst6 : i64
    linalg.yield %r : i64
  } -> tensor<1x40xi64>
  %57 = tensor.empty() : tensor<40x40xi1>
  %58 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%54, %56 : tensor<40x1xi64>, tensor<1x40xi64>) outs(%57 : tensor<40x40xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi eq, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<40x40xi1>
  %59 = tensor.empty() : tensor<40x40xi1>
  %60 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%49, %52 : tensor<40x1xi64>, tensor<1x40xi64>) outs(%59 : tensor<40x40xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<40x40xi1>
  %61 = tensor.empty() : tensor<40x40xi1>
  %62 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%60, %58 : tensor<40x40xi1>, tensor<40x40xi1>) outs(%61 : tensor<40x40xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<40x40xi1>
  %63 = tensor.expand_shape %46 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 40, 16] : tensor<1x2x40x16xf32> into tensor<1x2x1x40x16xf32>
  %64 = tensor.empty() : tensor<1x2x2x40x16xf32>
  %65 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x2x1x40x16xf32>) outs(%64 : tensor<1x2x2x40x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x40x16xf32>
  %66 = tensor.collapse_shape %65 [[0], [1, 2], [3], [4]] : tensor<1x2x2x40x16xf32> into tensor<1x4x40x16xf32>
  %67 = tensor.expand_shape %v [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 40, 16] : tensor<1x2x40x16xf32> into tensor<1x2x1x40x16xf32>
  %68 = tensor.empty() : tensor<1x2x2x40x16xf32>
  %69 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x2x1x40x16xf32>) outs(%68 : tensor<1x2x2x40x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x40x16xf32>
  %70 = tensor.collapse_shape %69 [[0], [1, 2], [3], [4]] : tensor<1x2x2x40x16xf32> into tensor<1x4x40x16xf32>
  %71 = tensor.empty() : tensor<1x4x16x40xf32>
  %72 = linalg.transpose ins(%66 : tensor<1x4x40x16xf32>) outs(%71 : tensor<1x4x16x40xf32>) permutation = [0, 1, 3, 2]
  %73 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x4x40x16xf32> into tensor<4x40x16xf32>
  %74 = tensor.collapse_shape %72 [[0, 1], [2], [3]] : tensor<1x4x16x40xf32> into tensor<4x16x40xf32>
  %75 = tensor.empty() : tensor<4x40x40xf32>
  %76 = linalg.fill ins(%cst3 : f32) outs(%75 : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
  %77 = linalg.batch_matmul ins(%73, %74 : tensor<4x40x16xf32>, tensor<4x16x40xf32>) outs(%76 : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
  %78 = tensor.expand_shape %77 [[0, 1], [2], [3]] output_shape [1, 4, 40, 40] : tensor<4x40x40xf32> into tensor<1x4x40x40xf32>
  %79 = tensor.empty() : tensor<1x4x40x40xf32>
  %80 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x4x40x40xf32>) outs(%79 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst7 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %81 = tensor.empty() : tensor<1x4x40x40xf32>
  %82 = linalg.generic {indexing_maps = [#map9, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %80 : tensor<40x40xi1>, tensor<1x4x40x40xf32>) outs(%81 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %83 = tensor.empty() : tensor<1x4x40xi64>
  %84 = linalg.fill ins(%cst9 : i64) outs(%83 : tensor<1x4x40xi64>) -> tensor<1x4x40xi64>
  %85 = tensor.empty() : tensor<1x4x40xf32>
  %86 = linalg.fill ins(%cst8 : f32) outs(%85 : tensor<1x4x40xf32>) -> tensor<1x4x40xf32>
  %87:2 = linalg.generic {indexing_maps = [#map1, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%82 : tensor<1x4x40x40xf32>) outs(%86, %84 : tensor<1x4x40xf32>, tensor<1x4x40xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x40xf32>, tensor<1x4x40xi64>)
  %88 = tensor.expand_shape %87#0 [[0], [1], [2, 3]] output_shape [1, 4, 40, 1] : tensor<1x4x40xf32> into tensor<1x4x40x1xf32>
  %89 = tensor.empty() : tensor<1x4x40x40xf32>
  %90 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %88 : tensor<1x4x40x40xf32>, tensor<1x4x40x1xf32>) outs(%89 : tensor<1x4x40x40xf32>) {
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
  %93 = tensor.empty() : tensor<1x4x40x1xf32>
  %94 = linalg.fill ins(%cst3 : f32) outs(%93 : tensor<1x4x40x1xf32>) -> tensor<1x4x40x1xf32>
  %95 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%92 : tensor<1x4x40x40xf32>) outs(%94 : tensor<1x4x40x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x1xf32>
  %96 = tensor.empty() : tensor<1x4x40x40xf32>
  %97 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %95 : tensor<1x4x40x40xf32>, tensor<1x4x40x1xf32>) outs(%96 : tensor<1x4x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x40x40xf32>
  %98 = tensor.collapse_shape %97 [[0, 1], [2], [3]] : tensor<1x4x40x40xf32> into tensor<4x40x40xf32>
  %99 = tensor.collapse_shape %70 [[0, 1], [2], [3]] : tensor<1x4x40x16xf32> into tensor<4x40x16xf32>
  %100 = tensor.empty() : tensor<4x40x16xf32>
  %101 = linalg.fill ins(%cst3 : f32) outs(%100 : tensor<4x40x16xf32>) -> tensor<4x40x16xf32>
  %102 = linalg.batch_matmul ins(%98, %99 : tensor<4x40x40xf32>, tensor<4x40x16xf32>) outs(%101 : tensor<4x40x16xf32>) -> tensor<4x40x16xf32>
  %103 = tensor.expand_shape %102 [[0, 1], [2], [3]] output_shape [1, 4, 40, 16] : tensor<4x40x16xf32> into tensor<1x4x40x16xf32>
  %104 = tensor.empty() : tensor<1x40x4x16xf32>
  %105 = linalg.transpose ins(%103 : tensor<1x4x40x16xf32>) outs(%104 : tensor<1x40x4x16xf32>) permutation = [0, 2, 1, 3]
  %106 = tensor.collapse_shape %105 [[0], [1], [2, 3]] : tensor<1x40x4x16xf32> into tensor<1x40x64xf32>
  return %106 : tensor<1x40x64xf32>
}
