// ModernBERT: packed projections, a window in both directions, padded keys, rotations.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2624 --keys=16 --targets=gpu

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @modernbert_local(%qkv: tensor<2x41x144xf32>,
    %pad: tensor<2x41xi1>) -> (tensor<2x41x48xf32>) {
  %cst0 = arith.constant -1.497866e+00 : f32
  %cst1 = arith.constant 8 : i64
  %cst2 = arith.constant -8 : i64
  %cst3 = arith.constant 0.000000e+00 : f32
  %cst4 = arith.constant 2.500000e-01 : f32
  %cst5 = arith.constant -3.400000e+38 : f32
  %cst6 = arith.constant 0 : i64
  %cst7 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %qkv [[0], [1], [2, 3, 4]] output_shape [2, 41, 3, 3, 16] : tensor<2x41x144xf32> into tensor<2x41x3x3x16xf32>
  %1 = tensor.empty() : tensor<3x2x3x41x16xf32>
  %2 = linalg.transpose ins(%0 : tensor<2x41x3x3x16xf32>) outs(%1 : tensor<3x2x3x41x16xf32>) permutation = [2, 0, 3, 1, 4]
  %3 = tensor.extract_slice %2[0, 0, 0, 0, 0] [1, 2, 3, 41, 16] [1, 1, 1, 1, 1] : tensor<3x2x3x41x16xf32> to tensor<1x2x3x41x16xf32>
  %4 = tensor.collapse_shape %3 [[0, 1], [2], [3], [4]] : tensor<1x2x3x41x16xf32> into tensor<2x3x41x16xf32>
  %5 = tensor.extract_slice %2[1, 0, 0, 0, 0] [1, 2, 3, 41, 16] [1, 1, 1, 1, 1] : tensor<3x2x3x41x16xf32> to tensor<1x2x3x41x16xf32>
  %6 = tensor.collapse_shape %5 [[0, 1], [2], [3], [4]] : tensor<1x2x3x41x16xf32> into tensor<2x3x41x16xf32>
  %7 = tensor.extract_slice %2[2, 0, 0, 0, 0] [1, 2, 3, 41, 16] [1, 1, 1, 1, 1] : tensor<3x2x3x41x16xf32> to tensor<1x2x3x41x16xf32>
  %8 = tensor.collapse_shape %7 [[0, 1], [2], [3], [4]] : tensor<1x2x3x41x16xf32> into tensor<2x3x41x16xf32>
  %9 = tensor.empty() : tensor<41xi64>
  %10 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%9 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<41xi64>
  %11 = tensor.empty() : tensor<41xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%10 : tensor<41xi64>) outs(%11 : tensor<41xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.sitofp %in : i64 to f32
    linalg.yield %r : f32
  } -> tensor<41xf32>
  %13 = tensor.empty() : tensor<8xi64>
  %14 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%13 : tensor<8xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<8xi64>
  %15 = tensor.empty() : tensor<8xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%14 : tensor<8xi64>) outs(%15 : tensor<8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.sitofp %in : i64 to f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %17 = tensor.empty() : tensor<8xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%16 : tensor<8xf32>) outs(%17 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %19 = tensor.empty() : tensor<8xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%18 : tensor<8xf32>) outs(%19 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %21 = tensor.expand_shape %12 [[0, 1]] output_shape [41, 1] : tensor<41xf32> into tensor<41x1xf32>
  %22 = tensor.expand_shape %20 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %23 = tensor.empty() : tensor<41x8xf32>
  %24 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%21, %22 : tensor<41x1xf32>, tensor<1x8xf32>) outs(%23 : tensor<41x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<41x8xf32>
  %25 = tensor.concat dim(1) %24, %24 : (tensor<41x8xf32>, tensor<41x8xf32>) -> tensor<41x16xf32>
  %26 = tensor.empty() : tensor<41x16xf32>
  %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<41x16xf32>) outs(%26 : tensor<41x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.cos %in : f32
    linalg.yield %r : f32
  } -> tensor<41x16xf32>
  %28 = tensor.empty() : tensor<41x16xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<41x16xf32>) outs(%28 : tensor<41x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.sin %in : f32
    linalg.yield %r : f32
  } -> tensor<41x16xf32>
  %30 = tensor.extract_slice %4[0, 0, 0, 8] [2, 3, 41, 8] [1, 1, 1, 1] : tensor<2x3x41x16xf32> to tensor<2x3x41x8xf32>
  %31 = tensor.empty() : tensor<2x3x41x8xf32>
  %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x3x41x8xf32>) outs(%31 : tensor<2x3x41x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x8xf32>
  %33 = tensor.extract_slice %4[0, 0, 0, 0] [2, 3, 41, 8] [1, 1, 1, 1] : tensor<2x3x41x16xf32> to tensor<2x3x41x8xf32>
  %34 = tensor.concat dim(3) %32, %33 : (tensor<2x3x41x8xf32>, tensor<2x3x41x8xf32>) -> tensor<2x3x41x16xf32>
  %35 = tensor.empty() : tensor<2x3x41x16xf32>
  %36 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %27 : tensor<2x3x41x16xf32>, tensor<41x16xf32>) outs(%35 : tensor<2x3x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x16xf32>
  %37 = tensor.empty() : tensor<2x3x41x16xf32>
  %38 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %29 : tensor<2x3x41x16xf32>, tensor<41x16xf32>) outs(%37 : tensor<2x3x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x16xf32>
  %39 = tensor.empty() : tensor<2x3x41x16xf32>
  %40 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %38 : tensor<2x3x41x16xf32>, tensor<2x3x41x16xf32>) outs(%39 : tensor<2x3x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x16xf32>
  %41 = tensor.extract_slice %6[0, 0, 0, 8] [2, 3, 41, 8] [1, 1, 1, 1] : tensor<2x3x41x16xf32> to tensor<2x3x41x8xf32>
  %42 = tensor.empty() : tensor<2x3x41x8xf32>
  %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x3x41x8xf32>) outs(%42 : tensor<2x3x41x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x8xf32>
  %44 = tensor.extract_slice %6[0, 0, 0, 0] [2, 3, 41, 8] [1, 1, 1, 1] : tensor<2x3x41x16xf32> to tensor<2x3x41x8xf32>
  %45 = tensor.concat dim(3) %43, %44 : (tensor<2x3x41x8xf32>, tensor<2x3x41x8xf32>) -> tensor<2x3x41x16xf32>
  %46 = tensor.empty() : tensor<2x3x41x16xf32>
  %47 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %27 : tensor<2x3x41x16xf32>, tensor<41x16xf32>) outs(%46 : tensor<2x3x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x16xf32>
  %48 = tensor.empty() : tensor<2x3x41x16xf32>
  %49 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %29 : tensor<2x3x41x16xf32>, tensor<41x16xf32>) outs(%48 : tensor<2x3x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x16xf32>
  %50 = tensor.empty() : tensor<2x3x41x16xf32>
  %51 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %49 : tensor<2x3x41x16xf32>, tensor<2x3x41x16xf32>) outs(%50 : tensor<2x3x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x16xf32>
  %52 = tensor.empty() : tensor<41xi64>
  %53 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%52 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<41xi64>
  %54 = tensor.expand_shape %53 [[0, 1]] output_shape [41, 1] : tensor<41xi64> into tensor<41x1xi64>
  %55 = tensor.empty() : tensor<41xi64>
  %56 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%55 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<41xi64>
  %57 = tensor.expand_shape %56 [[0, 1]] output_shape [1, 41] : tensor<41xi64> into tensor<1x41xi64>
  %58 = tensor.empty() : tensor<41x41xi64>
  %59 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%54, %57 : tensor<41x1xi64>, tensor<1x41xi64>) outs(%58 : tensor<41x41xi64>) {
  ^bb0(%in: i64, %in_1: i64, %out: i64):
    %r = arith.subi %in, %in_1 : i64
    linalg.yield %r : i64
  } -> tensor<41x41xi64>
  %60 = tensor.empty() : tensor<41x41xi1>
  %61 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<41x41xi64>) outs(%60 : tensor<41x41xi1>) {
  ^bb0(%in: i64, %out: i1):
    %r = arith.cmpi sle, %in, %cst1 : i64
    linalg.yield %r : i1
  } -> tensor<41x41xi1>
  %62 = tensor.empty() : tensor<41x41xi1>
  %63 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<41x41xi64>) outs(%62 : tensor<41x41xi1>) {
  ^bb0(%in: i64, %out: i1):
    %r = arith.cmpi sge, %in, %cst2 : i64
    linalg.yield %r : i1
  } -> tensor<41x41xi1>
  %64 = tensor.empty() : tensor<41x41xi1>
  %65 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%61, %63 : tensor<41x41xi1>, tensor<41x41xi1>) outs(%64 : tensor<41x41xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<41x41xi1>
  %66 = tensor.expand_shape %pad [[0], [1, 2]] output_shape [2, 1, 41] : tensor<2x41xi1> into tensor<2x1x41xi1>
  %67 = tensor.expand_shape %66 [[0], [1, 2], [3]] output_shape [2, 1, 1, 41] : tensor<2x1x41xi1> into tensor<2x1x1x41xi1>
  %68 = tensor.empty() : tensor<2x1x41x41xi1>
  %69 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %67 : tensor<41x41xi1>, tensor<2x1x1x41xi1>) outs(%68 : tensor<2x1x41x41xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<2x1x41x41xi1>
  %70 = tensor.empty() : tensor<2x3x16x41xf32>
  %71 = linalg.transpose ins(%51 : tensor<2x3x41x16xf32>) outs(%70 : tensor<2x3x16x41xf32>) permutation = [0, 1, 3, 2]
  %72 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<2x3x41x16xf32> into tensor<6x41x16xf32>
  %73 = tensor.collapse_shape %71 [[0, 1], [2], [3]] : tensor<2x3x16x41xf32> into tensor<6x16x41xf32>
  %74 = tensor.empty() : tensor<6x41x41xf32>
  %75 = linalg.fill ins(%cst3 : f32) outs(%74 : tensor<6x41x41xf32>) -> tensor<6x41x41xf32>
  %76 = linalg.batch_matmul ins(%72, %73 : tensor<6x41x16xf32>, tensor<6x16x41xf32>) outs(%75 : tensor<6x41x41xf32>) -> tensor<6x41x41xf32>
  %77 = tensor.expand_shape %76 [[0, 1], [2], [3]] output_shape [2, 3, 41, 41] : tensor<6x41x41xf32> into tensor<2x3x41x41xf32>
  %78 = tensor.empty() : tensor<2x3x41x41xf32>
  %79 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<2x3x41x41xf32>) outs(%78 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %80 = tensor.empty() : tensor<2x3x41x41xf32>
  %81 = linalg.generic {indexing_maps = [#map7, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %79 : tensor<2x1x41x41xi1>, tensor<2x3x41x41xf32>) outs(%80 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %82 = tensor.empty() : tensor<2x3x41xi64>
  %83 = linalg.fill ins(%cst6 : i64) outs(%82 : tensor<2x3x41xi64>) -> tensor<2x3x41xi64>
  %84 = tensor.empty() : tensor<2x3x41xf32>
  %85 = linalg.fill ins(%cst7 : f32) outs(%84 : tensor<2x3x41xf32>) -> tensor<2x3x41xf32>
  %86:2 = linalg.generic {indexing_maps = [#map4, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%81 : tensor<2x3x41x41xf32>) outs(%85, %83 : tensor<2x3x41xf32>, tensor<2x3x41xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<2x3x41xf32>, tensor<2x3x41xi64>)
  %87 = tensor.expand_shape %86#0 [[0], [1], [2, 3]] output_shape [2, 3, 41, 1] : tensor<2x3x41xf32> into tensor<2x3x41x1xf32>
  %88 = tensor.empty() : tensor<2x3x41x41xf32>
  %89 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %87 : tensor<2x3x41x41xf32>, tensor<2x3x41x1xf32>) outs(%88 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %90 = tensor.empty() : tensor<2x3x41x41xf32>
  %91 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<2x3x41x41xf32>) outs(%90 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %92 = tensor.empty() : tensor<2x3x41x1xf32>
  %93 = linalg.fill ins(%cst3 : f32) outs(%92 : tensor<2x3x41x1xf32>) -> tensor<2x3x41x1xf32>
  %94 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%91 : tensor<2x3x41x41xf32>) outs(%93 : tensor<2x3x41x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x1xf32>
  %95 = tensor.empty() : tensor<2x3x41x41xf32>
  %96 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91, %94 : tensor<2x3x41x41xf32>, tensor<2x3x41x1xf32>) outs(%95 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %97 = tensor.collapse_shape %96 [[0, 1], [2], [3]] : tensor<2x3x41x41xf32> into tensor<6x41x41xf32>
  %98 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<2x3x41x16xf32> into tensor<6x41x16xf32>
  %99 = tensor.empty() : tensor<6x41x16xf32>
  %100 = linalg.fill ins(%cst3 : f32) outs(%99 : tensor<6x41x16xf32>) -> tensor<6x41x16xf32>
  %101 = linalg.batch_matmul ins(%97, %98 : tensor<6x41x41xf32>, tensor<6x41x16xf32>) outs(%100 : tensor<6x41x16xf32>) -> tensor<6x41x16xf32>
  %102 = tensor.expand_shape %101 [[0, 1], [2], [3]] output_shape [2, 3, 41, 16] : tensor<6x41x16xf32> into tensor<2x3x41x16xf32>
  %103 = tensor.empty() : tensor<2x41x3x16xf32>
  %104 = linalg.transpose ins(%102 : tensor<2x3x41x16xf32>) outs(%103 : tensor<2x41x3x16xf32>) permutation = [0, 2, 1, 3]
  %105 = tensor.collapse_shape %104 [[0], [1], [2, 3]] : tensor<2x41x3x16xf32> into tensor<2x41x48xf32>
  return %105 : tensor<2x41x48xf32>
}
