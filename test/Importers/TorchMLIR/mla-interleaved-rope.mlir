// DeepSeek-V3: the rotated part of a head is stored in pairs, which a view, a transpose and
// a reshape make halves. One kernel is attention; the others project the latents, and rotate the
// keys. Angles are computed where they are used.

// RUN: linalg-ext-check-program %s --max-kernels=5 --max-buffer-bytes=18432 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @mla_v3(%q: tensor<1x35x96xf32>,
    %ckv: tensor<1x35x32xf32>,
    %w_kv: tensor<128x24xf32> {check.draw = "uniform -0.25 0.25"},
    %g: tensor<24xf32>) -> (tensor<1x35x64xf32>) {
  %cst0 = arith.constant -2.302585e+00 : f32
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 2.400000e+01 : f32
  %cst3 = arith.constant 1.000000e-06 : f32
  %cst4 = arith.constant 2.041241e-01 : f32
  %cst5 = arith.constant 0xFF800000 : f32
  %cst6 = arith.constant 0 : i64
  %0 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 35, 4, 24] : tensor<1x35x96xf32> into tensor<1x35x4x24xf32>
  %1 = tensor.empty() : tensor<1x4x35x24xf32>
  %2 = linalg.transpose ins(%0 : tensor<1x35x4x24xf32>) outs(%1 : tensor<1x4x35x24xf32>) permutation = [0, 2, 1, 3]
  %3 = tensor.extract_slice %2[0, 0, 0, 0] [1, 4, 35, 16] [1, 1, 1, 1] : tensor<1x4x35x24xf32> to tensor<1x4x35x16xf32>
  %4 = tensor.extract_slice %2[0, 0, 0, 16] [1, 4, 35, 8] [1, 1, 1, 1] : tensor<1x4x35x24xf32> to tensor<1x4x35x8xf32>
  %5 = tensor.empty() : tensor<35xi64>
  %6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%5 : tensor<35xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<35xi64>
  %7 = tensor.empty() : tensor<35xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%6 : tensor<35xi64>) outs(%7 : tensor<35xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.sitofp %in : i64 to f32
    linalg.yield %r : f32
  } -> tensor<35xf32>
  %9 = tensor.empty() : tensor<4xi64>
  %10 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%9 : tensor<4xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<4xi64>
  %11 = tensor.empty() : tensor<4xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%10 : tensor<4xi64>) outs(%11 : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.sitofp %in : i64 to f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %13 = tensor.empty() : tensor<4xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%12 : tensor<4xf32>) outs(%13 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %15 = tensor.empty() : tensor<4xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%14 : tensor<4xf32>) outs(%15 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %17 = tensor.expand_shape %8 [[0, 1]] output_shape [35, 1] : tensor<35xf32> into tensor<35x1xf32>
  %18 = tensor.expand_shape %16 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
  %19 = tensor.empty() : tensor<35x4xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%17, %18 : tensor<35x1xf32>, tensor<1x4xf32>) outs(%19 : tensor<35x4xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<35x4xf32>
  %21 = tensor.concat dim(1) %20, %20 : (tensor<35x4xf32>, tensor<35x4xf32>) -> tensor<35x8xf32>
  %22 = tensor.empty() : tensor<35x8xf32>
  %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<35x8xf32>) outs(%22 : tensor<35x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.cos %in : f32
    linalg.yield %r : f32
  } -> tensor<35x8xf32>
  %24 = tensor.empty() : tensor<35x8xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<35x8xf32>) outs(%24 : tensor<35x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.sin %in : f32
    linalg.yield %r : f32
  } -> tensor<35x8xf32>
  %26 = tensor.extract_slice %ckv[0, 0, 24] [1, 35, 8] [1, 1, 1] : tensor<1x35x32xf32> to tensor<1x35x8xf32>
  %27 = tensor.expand_shape %26 [[0], [1, 2], [3]] output_shape [1, 1, 35, 8] : tensor<1x35x8xf32> into tensor<1x1x35x8xf32>
  %28 = tensor.extract_slice %ckv[0, 0, 0] [1, 35, 24] [1, 1, 1] : tensor<1x35x32xf32> to tensor<1x35x24xf32>
  %29 = tensor.empty() : tensor<1x35x24xf32>
  %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %28 : tensor<1x35x24xf32>, tensor<1x35x24xf32>) outs(%29 : tensor<1x35x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x35x24xf32>
  %31 = tensor.empty() : tensor<1x35x1xf32>
  %32 = linalg.fill ins(%cst1 : f32) outs(%31 : tensor<1x35x1xf32>) -> tensor<1x35x1xf32>
  %33 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%30 : tensor<1x35x24xf32>) outs(%32 : tensor<1x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x35x1xf32>
  %34 = tensor.empty() : tensor<1x35x1xf32>
  %35 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x35x1xf32>) outs(%34 : tensor<1x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x35x1xf32>
  %36 = tensor.empty() : tensor<1x35x1xf32>
  %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x35x1xf32>) outs(%36 : tensor<1x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x35x1xf32>
  %38 = tensor.empty() : tensor<1x35x1xf32>
  %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x35x1xf32>) outs(%38 : tensor<1x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x35x1xf32>
  %40 = tensor.empty() : tensor<1x35x24xf32>
  %41 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %39 : tensor<1x35x24xf32>, tensor<1x35x1xf32>) outs(%40 : tensor<1x35x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x35x24xf32>
  %42 = tensor.empty() : tensor<1x35x24xf32>
  %43 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41, %g : tensor<1x35x24xf32>, tensor<24xf32>) outs(%42 : tensor<1x35x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x35x24xf32>
  %44 = tensor.empty() : tensor<24x128xf32>
  %45 = linalg.transpose ins(%w_kv : tensor<128x24xf32>) outs(%44 : tensor<24x128xf32>) permutation = [1, 0]
  %46 = tensor.collapse_shape %43 [[0, 1], [2]] : tensor<1x35x24xf32> into tensor<35x24xf32>
  %47 = tensor.empty() : tensor<35x128xf32>
  %48 = linalg.fill ins(%cst1 : f32) outs(%47 : tensor<35x128xf32>) -> tensor<35x128xf32>
  %49 = linalg.matmul ins(%46, %45 : tensor<35x24xf32>, tensor<24x128xf32>) outs(%48 : tensor<35x128xf32>) -> tensor<35x128xf32>
  %50 = tensor.expand_shape %49 [[0, 1], [2]] output_shape [1, 35, 128] : tensor<35x128xf32> into tensor<1x35x128xf32>
  %51 = tensor.expand_shape %50 [[0], [1], [2, 3]] output_shape [1, 35, 4, 32] : tensor<1x35x128xf32> into tensor<1x35x4x32xf32>
  %52 = tensor.empty() : tensor<1x4x35x32xf32>
  %53 = linalg.transpose ins(%51 : tensor<1x35x4x32xf32>) outs(%52 : tensor<1x4x35x32xf32>) permutation = [0, 2, 1, 3]
  %54 = tensor.extract_slice %53[0, 0, 0, 0] [1, 4, 35, 16] [1, 1, 1, 1] : tensor<1x4x35x32xf32> to tensor<1x4x35x16xf32>
  %55 = tensor.extract_slice %53[0, 0, 0, 16] [1, 4, 35, 16] [1, 1, 1, 1] : tensor<1x4x35x32xf32> to tensor<1x4x35x16xf32>
  %56 = tensor.expand_shape %4 [[0], [1], [2], [3, 4]] output_shape [1, 4, 35, 4, 2] : tensor<1x4x35x8xf32> into tensor<1x4x35x4x2xf32>
  %57 = tensor.empty() : tensor<1x4x35x2x4xf32>
  %58 = linalg.transpose ins(%56 : tensor<1x4x35x4x2xf32>) outs(%57 : tensor<1x4x35x2x4xf32>) permutation = [0, 1, 2, 4, 3]
  %59 = tensor.collapse_shape %58 [[0], [1], [2], [3, 4]] : tensor<1x4x35x2x4xf32> into tensor<1x4x35x8xf32>
  %60 = tensor.extract_slice %59[0, 0, 0, 4] [1, 4, 35, 4] [1, 1, 1, 1] : tensor<1x4x35x8xf32> to tensor<1x4x35x4xf32>
  %61 = tensor.empty() : tensor<1x4x35x4xf32>
  %62 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x4x35x4xf32>) outs(%61 : tensor<1x4x35x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x4xf32>
  %63 = tensor.extract_slice %59[0, 0, 0, 0] [1, 4, 35, 4] [1, 1, 1, 1] : tensor<1x4x35x8xf32> to tensor<1x4x35x4xf32>
  %64 = tensor.concat dim(3) %62, %63 : (tensor<1x4x35x4xf32>, tensor<1x4x35x4xf32>) -> tensor<1x4x35x8xf32>
  %65 = tensor.empty() : tensor<1x4x35x8xf32>
  %66 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %23 : tensor<1x4x35x8xf32>, tensor<35x8xf32>) outs(%65 : tensor<1x4x35x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x8xf32>
  %67 = tensor.empty() : tensor<1x4x35x8xf32>
  %68 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %25 : tensor<1x4x35x8xf32>, tensor<35x8xf32>) outs(%67 : tensor<1x4x35x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x8xf32>
  %69 = tensor.empty() : tensor<1x4x35x8xf32>
  %70 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %68 : tensor<1x4x35x8xf32>, tensor<1x4x35x8xf32>) outs(%69 : tensor<1x4x35x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x8xf32>
  %71 = tensor.expand_shape %27 [[0], [1], [2], [3, 4]] output_shape [1, 1, 35, 4, 2] : tensor<1x1x35x8xf32> into tensor<1x1x35x4x2xf32>
  %72 = tensor.empty() : tensor<1x1x35x2x4xf32>
  %73 = linalg.transpose ins(%71 : tensor<1x1x35x4x2xf32>) outs(%72 : tensor<1x1x35x2x4xf32>) permutation = [0, 1, 2, 4, 3]
  %74 = tensor.collapse_shape %73 [[0], [1], [2], [3, 4]] : tensor<1x1x35x2x4xf32> into tensor<1x1x35x8xf32>
  %75 = tensor.extract_slice %74[0, 0, 0, 4] [1, 1, 35, 4] [1, 1, 1, 1] : tensor<1x1x35x8xf32> to tensor<1x1x35x4xf32>
  %76 = tensor.empty() : tensor<1x1x35x4xf32>
  %77 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x1x35x4xf32>) outs(%76 : tensor<1x1x35x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x1x35x4xf32>
  %78 = tensor.extract_slice %74[0, 0, 0, 0] [1, 1, 35, 4] [1, 1, 1, 1] : tensor<1x1x35x8xf32> to tensor<1x1x35x4xf32>
  %79 = tensor.concat dim(3) %77, %78 : (tensor<1x1x35x4xf32>, tensor<1x1x35x4xf32>) -> tensor<1x1x35x8xf32>
  %80 = tensor.empty() : tensor<1x1x35x8xf32>
  %81 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %23 : tensor<1x1x35x8xf32>, tensor<35x8xf32>) outs(%80 : tensor<1x1x35x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x35x8xf32>
  %82 = tensor.empty() : tensor<1x1x35x8xf32>
  %83 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %25 : tensor<1x1x35x8xf32>, tensor<35x8xf32>) outs(%82 : tensor<1x1x35x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x35x8xf32>
  %84 = tensor.empty() : tensor<1x1x35x8xf32>
  %85 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %83 : tensor<1x1x35x8xf32>, tensor<1x1x35x8xf32>) outs(%84 : tensor<1x1x35x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x35x8xf32>
  %86 = tensor.concat dim(3) %3, %70 : (tensor<1x4x35x16xf32>, tensor<1x4x35x8xf32>) -> tensor<1x4x35x24xf32>
  %87 = tensor.empty() : tensor<1x4x35x8xf32>
  %88 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<1x1x35x8xf32>) outs(%87 : tensor<1x4x35x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x35x8xf32>
  %89 = tensor.concat dim(3) %54, %88 : (tensor<1x4x35x16xf32>, tensor<1x4x35x8xf32>) -> tensor<1x4x35x24xf32>
  %90 = tensor.empty() : tensor<35xi64>
  %91 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%90 : tensor<35xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<35xi64>
  %92 = tensor.expand_shape %91 [[0, 1]] output_shape [35, 1] : tensor<35xi64> into tensor<35x1xi64>
  %93 = tensor.empty() : tensor<35xi64>
  %94 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%93 : tensor<35xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<35xi64>
  %95 = tensor.expand_shape %94 [[0, 1]] output_shape [1, 35] : tensor<35xi64> into tensor<1x35xi64>
  %96 = tensor.empty() : tensor<35x35xi1>
  %97 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%92, %95 : tensor<35x1xi64>, tensor<1x35xi64>) outs(%96 : tensor<35x35xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<35x35xi1>
  %98 = tensor.empty() : tensor<1x4x24x35xf32>
  %99 = linalg.transpose ins(%89 : tensor<1x4x35x24xf32>) outs(%98 : tensor<1x4x24x35xf32>) permutation = [0, 1, 3, 2]
  %100 = tensor.collapse_shape %86 [[0, 1], [2], [3]] : tensor<1x4x35x24xf32> into tensor<4x35x24xf32>
  %101 = tensor.collapse_shape %99 [[0, 1], [2], [3]] : tensor<1x4x24x35xf32> into tensor<4x24x35xf32>
  %102 = tensor.empty() : tensor<4x35x35xf32>
  %103 = linalg.fill ins(%cst1 : f32) outs(%102 : tensor<4x35x35xf32>) -> tensor<4x35x35xf32>
  %104 = linalg.batch_matmul ins(%100, %101 : tensor<4x35x24xf32>, tensor<4x24x35xf32>) outs(%103 : tensor<4x35x35xf32>) -> tensor<4x35x35xf32>
  %105 = tensor.expand_shape %104 [[0, 1], [2], [3]] output_shape [1, 4, 35, 35] : tensor<4x35x35xf32> into tensor<1x4x35x35xf32>
  %106 = tensor.empty() : tensor<1x4x35x35xf32>
  %107 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105 : tensor<1x4x35x35xf32>) outs(%106 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %108 = tensor.empty() : tensor<1x4x35x35xf32>
  %109 = linalg.generic {indexing_maps = [#map8, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %107 : tensor<35x35xi1>, tensor<1x4x35x35xf32>) outs(%108 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %110 = tensor.empty() : tensor<1x4x35xi64>
  %111 = linalg.fill ins(%cst6 : i64) outs(%110 : tensor<1x4x35xi64>) -> tensor<1x4x35xi64>
  %112 = tensor.empty() : tensor<1x4x35xf32>
  %113 = linalg.fill ins(%cst5 : f32) outs(%112 : tensor<1x4x35xf32>) -> tensor<1x4x35xf32>
  %114:2 = linalg.generic {indexing_maps = [#map7, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%109 : tensor<1x4x35x35xf32>) outs(%113, %111 : tensor<1x4x35xf32>, tensor<1x4x35xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x35xf32>, tensor<1x4x35xi64>)
  %115 = tensor.expand_shape %114#0 [[0], [1], [2, 3]] output_shape [1, 4, 35, 1] : tensor<1x4x35xf32> into tensor<1x4x35x1xf32>
  %116 = tensor.empty() : tensor<1x4x35x35xf32>
  %117 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %115 : tensor<1x4x35x35xf32>, tensor<1x4x35x1xf32>) outs(%116 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %118 = tensor.empty() : tensor<1x4x35x35xf32>
  %119 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117 : tensor<1x4x35x35xf32>) outs(%118 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %120 = tensor.empty() : tensor<1x4x35x1xf32>
  %121 = linalg.fill ins(%cst1 : f32) outs(%120 : tensor<1x4x35x1xf32>) -> tensor<1x4x35x1xf32>
  %122 = linalg.generic {indexing_maps = [#map7, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%119 : tensor<1x4x35x35xf32>) outs(%121 : tensor<1x4x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x1xf32>
  %123 = tensor.empty() : tensor<1x4x35x35xf32>
  %124 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %122 : tensor<1x4x35x35xf32>, tensor<1x4x35x1xf32>) outs(%123 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %125 = tensor.collapse_shape %124 [[0, 1], [2], [3]] : tensor<1x4x35x35xf32> into tensor<4x35x35xf32>
  %126 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x4x35x16xf32> into tensor<4x35x16xf32>
  %127 = tensor.empty() : tensor<4x35x16xf32>
  %128 = linalg.fill ins(%cst1 : f32) outs(%127 : tensor<4x35x16xf32>) -> tensor<4x35x16xf32>
  %129 = linalg.batch_matmul ins(%125, %126 : tensor<4x35x35xf32>, tensor<4x35x16xf32>) outs(%128 : tensor<4x35x16xf32>) -> tensor<4x35x16xf32>
  %130 = tensor.expand_shape %129 [[0, 1], [2], [3]] output_shape [1, 4, 35, 16] : tensor<4x35x16xf32> into tensor<1x4x35x16xf32>
  %131 = tensor.empty() : tensor<1x35x4x16xf32>
  %132 = linalg.transpose ins(%130 : tensor<1x4x35x16xf32>) outs(%131 : tensor<1x35x4x16xf32>) permutation = [0, 2, 1, 3]
  %133 = tensor.collapse_shape %132 [[0], [1], [2, 3]] : tensor<1x35x4x16xf32> into tensor<1x35x64xf32>
  return %133 : tensor<1x35x64xf32>
}
