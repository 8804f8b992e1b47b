// Qwen 3 and Gemma 3: queries and keys are normalised for each head, then rotated;
// grouped queries, causal, with the projections.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=16448 \
// RUN:   --max-kernels=7 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @qwen3_qk_norm(%x: tensor<1x41x64xf32> {check.draw = "uniform -1 1"},
    %wq: tensor<64x64xf32> {check.draw = "uniform -0.25 0.25"},
    %wk: tensor<32x64xf32> {check.draw = "uniform -0.25 0.25"},
    %wv: tensor<32x64xf32> {check.draw = "uniform -0.25 0.25"},
    %gq: tensor<16xf32> {check.draw = "uniform -1 1"},
    %gk: tensor<16xf32> {check.draw = "uniform -1 1"},
    %cos: tensor<1x41x16xf32> {check.draw = "uniform -1 1"},
    %sin: tensor<1x41x16xf32> {check.draw = "uniform -1 1"},
    %wo: tensor<64x64xf32> {check.draw = "uniform -0.25 0.25"}) -> tensor<1x41x64xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2 : i64
  %cst_2 = arith.constant 1.60000000000000000e+01 : f64
  %cst_3 = arith.constant 9.99999999999999955e-07 : f64
  %cst_4 = arith.constant 0xFF800000 : f32
  %cst_5 = arith.constant 2.50000000000000000e-01 : f64
  %cst_6 = arith.constant 0 : i64
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = linalg.transpose ins(%wq : tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) permutation = [1, 0]
  %2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x41x64xf32> into tensor<41x64xf32>
  %3 = tensor.empty() : tensor<41x64xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<41x64xf32>) -> tensor<41x64xf32>
  %5 = linalg.matmul ins(%2, %1 : tensor<41x64xf32>, tensor<64x64xf32>) outs(%4 : tensor<41x64xf32>) -> tensor<41x64xf32>
  %6 = tensor.expand_shape %5 [[0, 1], [2]] output_shape [1, 41, 64] : tensor<41x64xf32> into tensor<1x41x64xf32>
  %7 = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [1, 41, 4, 16] : tensor<1x41x64xf32> into tensor<1x41x4x16xf32>
  %8 = tensor.empty() : tensor<1x41x4x16xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x41x4x16xf32>) outs(%8 : tensor<1x41x4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = math.fpowi %in, %cst_1 : f32, i64
    linalg.yield %10 : f32
  } -> tensor<1x41x4x16xf32>
  %11 = tensor.empty() : tensor<1x41x4x1xf32>
  %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<1x41x4x1xf32>) -> tensor<1x41x4x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x41x4x16xf32>) outs(%12 : tensor<1x41x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<1x41x4x1xf32>
  %15 = tensor.empty() : tensor<1x41x4x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x41x4x1xf32>) outs(%15 : tensor<1x41x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.truncf %cst_2 : f64 to f32
    %18 = arith.divf %in, %17 : f32
    linalg.yield %18 : f32
  } -> tensor<1x41x4x1xf32>
  %19 = tensor.empty() : tensor<1x41x4x1xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x41x4x1xf32>) outs(%19 : tensor<1x41x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %21 = arith.truncf %cst_3 : f64 to f32
    %22 = arith.addf %in, %21 : f32
    linalg.yield %22 : f32
  } -> tensor<1x41x4x1xf32>
  %23 = tensor.empty() : tensor<1x41x4x1xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x41x4x1xf32>) outs(%23 : tensor<1x41x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = math.rsqrt %in : f32
    linalg.yield %25 : f32
  } -> tensor<1x41x4x1xf32>
  %26 = tensor.empty() : tensor<1x41x4x16xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %24 : tensor<1x41x4x16xf32>, tensor<1x41x4x1xf32>) outs(%26 : tensor<1x41x4x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %28 = arith.mulf %in, %in_1 : f32
    linalg.yield %28 : f32
  } -> tensor<1x41x4x16xf32>
  %29 = tensor.empty() : tensor<1x41x4x16xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %gq : tensor<1x41x4x16xf32>, tensor<16xf32>) outs(%29 : tensor<1x41x4x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.mulf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<1x41x4x16xf32>
  %32 = tensor.empty() : tensor<1x4x41x16xf32>
  %33 = linalg.transpose ins(%30 : tensor<1x41x4x16xf32>) outs(%32 : tensor<1x4x41x16xf32>) permutation = [0, 2, 1, 3]
  %34 = tensor.empty() : tensor<64x32xf32>
  %35 = linalg.transpose ins(%wk : tensor<32x64xf32>) outs(%34 : tensor<64x32xf32>) permutation = [1, 0]
  %36 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x41x64xf32> into tensor<41x64xf32>
  %37 = tensor.empty() : tensor<41x32xf32>
  %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<41x32xf32>) -> tensor<41x32xf32>
  %39 = linalg.matmul ins(%36, %35 : tensor<41x64xf32>, tensor<64x32xf32>) outs(%38 : tensor<41x32xf32>) -> tensor<41x32xf32>
  %40 = tensor.expand_shape %39 [[0, 1], [2]] output_shape [1, 41, 32] : tensor<41x32xf32> into tensor<1x41x32xf32>
  %41 = tensor.expand_shape %40 [[0], [1], [2, 3]] output_shape [1, 41, 2, 16] : tensor<1x41x32xf32> into tensor<1x41x2x16xf32>
  %42 = tensor.empty() : tensor<1x41x2x16xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x41x2x16xf32>) outs(%42 : tensor<1x41x2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = math.fpowi %in, %cst_1 : f32, i64
    linalg.yield %44 : f32
  } -> tensor<1x41x2x16xf32>
  %45 = tensor.empty() : tensor<1x41x2x1xf32>
  %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<1x41x2x1xf32>) -> tensor<1x41x2x1xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<1x41x2x16xf32>) outs(%46 : tensor<1x41x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %48 = arith.addf %in, %out : f32
    linalg.yield %48 : f32
  } -> tensor<1x41x2x1xf32>
  %49 = tensor.empty() : tensor<1x41x2x1xf32>
  %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x41x2x1xf32>) outs(%49 : tensor<1x41x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.truncf %cst_2 : f64 to f32
    %52 = arith.divf %in, %51 : f32
    linalg.yield %52 : f32
  } -> tensor<1x41x2x1xf32>
  %53 = tensor.empty() : tensor<1x41x2x1xf32>
  %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x41x2x1xf32>) outs(%53 : tensor<1x41x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %55 = arith.truncf %cst_3 : f64 to f32
    %56 = arith.addf %in, %55 : f32
    linalg.yield %56 : f32
  } -> tensor<1x41x2x1xf32>
  %57 = tensor.empty() : tensor<1x41x2x1xf32>
  %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x41x2x1xf32>) outs(%57 : tensor<1x41x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %59 = math.rsqrt %in : f32
    linalg.yield %59 : f32
  } -> tensor<1x41x2x1xf32>
  %60 = tensor.empty() : tensor<1x41x2x16xf32>
  %61 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %58 : tensor<1x41x2x16xf32>, tensor<1x41x2x1xf32>) outs(%60 : tensor<1x41x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %62 = arith.mulf %in, %in_1 : f32
    linalg.yield %62 : f32
  } -> tensor<1x41x2x16xf32>
  %63 = tensor.empty() : tensor<1x41x2x16xf32>
  %64 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %gk : tensor<1x41x2x16xf32>, tensor<16xf32>) outs(%63 : tensor<1x41x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %65 = arith.mulf %in, %in_1 : f32
    linalg.yield %65 : f32
  } -> tensor<1x41x2x16xf32>
  %66 = tensor.empty() : tensor<1x2x41x16xf32>
  %67 = linalg.transpose ins(%64 : tensor<1x41x2x16xf32>) outs(%66 : tensor<1x2x41x16xf32>) permutation = [0, 2, 1, 3]
  %68 = tensor.empty() : tensor<64x32xf32>
  %69 = linalg.transpose ins(%wv : tensor<32x64xf32>) outs(%68 : tensor<64x32xf32>) permutation = [1, 0]
  %70 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x41x64xf32> into tensor<41x64xf32>
  %71 = tensor.empty() : tensor<41x32xf32>
  %72 = linalg.fill ins(%cst : f32) outs(%71 : tensor<41x32xf32>) -> tensor<41x32xf32>
  %73 = linalg.matmul ins(%70, %69 : tensor<41x64xf32>, tensor<64x32xf32>) outs(%72 : tensor<41x32xf32>) -> tensor<41x32xf32>
  %74 = tensor.expand_shape %73 [[0, 1], [2]] output_shape [1, 41, 32] : tensor<41x32xf32> into tensor<1x41x32xf32>
  %75 = tensor.expand_shape %74 [[0], [1], [2, 3]] output_shape [1, 41, 2, 16] : tensor<1x41x32xf32> into tensor<1x41x2x16xf32>
  %76 = tensor.empty() : tensor<1x2x41x16xf32>
  %77 = linalg.transpose ins(%75 : tensor<1x41x2x16xf32>) outs(%76 : tensor<1x2x41x16xf32>) permutation = [0, 2, 1, 3]
  %78 = tensor.expand_shape %cos [[0, 1], [2], [3]] output_shape [1, 1, 41, 16] : tensor<1x41x16xf32> into tensor<1x1x41x16xf32>
  %79 = tensor.expand_shape %sin [[0, 1], [2], [3]] output_shape [1, 1, 41, 16] : tensor<1x41x16xf32> into tensor<1x1x41x16xf32>
  %80 = tensor.extract_slice %33[0, 0, 0, 0] [1, 4, 41, 8] [1, 1, 1, 1] : tensor<1x4x41x16xf32> to tensor<1x4x41x8xf32>
  %81 = tensor.extract_slice %33[0, 0, 0, 8] [1, 4, 41, 8] [1, 1, 1, 1] : tensor<1x4x41x16xf32> to tensor<1x4x41x8xf32>
  %82 = tensor.empty() : tensor<1x4x41x8xf32>
  %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x4x41x8xf32>) outs(%82 : tensor<1x4x41x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %84 = arith.negf %in : f32
    linalg.yield %84 : f32
  } -> tensor<1x4x41x8xf32>
  %85 = tensor.concat dim(3) %83, %80 : (tensor<1x4x41x8xf32>, tensor<1x4x41x8xf32>) -> tensor<1x4x41x16xf32>
  %86 = tensor.empty() : tensor<1x4x41x16xf32>
  %87 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %78 : tensor<1x4x41x16xf32>, tensor<1x1x41x16xf32>) outs(%86 : tensor<1x4x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %88 = arith.mulf %in, %in_1 : f32
    linalg.yield %88 : f32
  } -> tensor<1x4x41x16xf32>
  %89 = tensor.empty() : tensor<1x4x41x16xf32>
  %90 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %79 : tensor<1x4x41x16xf32>, tensor<1x1x41x16xf32>) outs(%89 : tensor<1x4x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %91 = arith.mulf %in, %in_1 : f32
    linalg.yield %91 : f32
  } -> tensor<1x4x41x16xf32>
  %92 = tensor.empty() : tensor<1x4x41x16xf32>
  %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %90 : tensor<1x4x41x16xf32>, tensor<1x4x41x16xf32>) outs(%92 : tensor<1x4x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %94 = arith.addf %in, %in_1 : f32
    linalg.yield %94 : f32
  } -> tensor<1x4x41x16xf32>
  %95 = tensor.extract_slice %67[0, 0, 0, 0] [1, 2, 41, 8] [1, 1, 1, 1] : tensor<1x2x41x16xf32> to tensor<1x2x41x8xf32>
  %96 = tensor.extract_slice %67[0, 0, 0, 8] [1, 2, 41, 8] [1, 1, 1, 1] : tensor<1x2x41x16xf32> to tensor<1x2x41x8xf32>
  %97 = tensor.empty() : tensor<1x2x41x8xf32>
  %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96 : tensor<1x2x41x8xf32>) outs(%97 : tensor<1x2x41x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %99 = arith.negf %in : f32
    linalg.yield %99 : f32
  } -> tensor<1x2x41x8xf32>
  %100 = tensor.concat dim(3) %98, %95 : (tensor<1x2x41x8xf32>, tensor<1x2x41x8xf32>) -> tensor<1x2x41x16xf32>
  %101 = tensor.empty() : tensor<1x2x41x16xf32>
  %102 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %78 : tensor<1x2x41x16xf32>, tensor<1x1x41x16xf32>) outs(%101 : tensor<1x2x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %103 = arith.mulf %in, %in_1 : f32
    linalg.yield %103 : f32
  } -> tensor<1x2x41x16xf32>
  %104 = tensor.empty() : tensor<1x2x41x16xf32>
  %105 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100, %79 : tensor<1x2x41x16xf32>, tensor<1x1x41x16xf32>) outs(%104 : tensor<1x2x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %106 = arith.mulf %in, %in_1 : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x41x16xf32>
  %107 = tensor.empty() : tensor<1x2x41x16xf32>
  %108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102, %105 : tensor<1x2x41x16xf32>, tensor<1x2x41x16xf32>) outs(%107 : tensor<1x2x41x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %109 = arith.addf %in, %in_1 : f32
    linalg.yield %109 : f32
  } -> tensor<1x2x41x16xf32>
  %110 = tensor.empty() : tensor<41xi64>
  %111 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%110 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %112 = linalg.index 0 : index
    %113 = arith.index_cast %112 : index to i64
    linalg.yield %113 : i64
  } -> tensor<41xi64>
  %114 = tensor.expand_shape %111 [[0, 1]] output_shape [41, 1] : tensor<41xi64> into tensor<41x1xi64>
  %115 = tensor.empty() : tensor<41xi64>
  %116 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%115 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %117 = linalg.index 0 : index
    %118 = arith.index_cast %117 : index to i64
    linalg.yield %118 : i64
  } -> tensor<41xi64>
  %119 = tensor.expand_shape %116 [[0, 1]] output_shape [1, 41] : tensor<41xi64> into tensor<1x41xi64>
  %120 = tensor.empty() : tensor<41x41xi1>
  %121 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%119, %114 : tensor<1x41xi64>, tensor<41x1xi64>) outs(%120 : tensor<41x41xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %122 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %122 : i1
  } -> tensor<41x41xi1>
  %123 = tensor.empty() : tensor<41x41xf32>
  %124 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<41x41xi1>) outs(%123 : tensor<41x41xf32>) {
  ^bb0(%in: i1, %out: f32):
    %125 = arith.select %in, %cst, %cst_4 : f32
    linalg.yield %125 : f32
  } -> tensor<41x41xf32>
  %126 = tensor.expand_shape %108 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 41, 16] : tensor<1x2x41x16xf32> into tensor<1x2x1x41x16xf32>
  %127 = tensor.empty() : tensor<1x2x2x41x16xf32>
  %128 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%126 : tensor<1x2x1x41x16xf32>) outs(%127 : tensor<1x2x2x41x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x41x16xf32>
  %129 = tensor.collapse_shape %128 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x16xf32> into tensor<1x4x41x16xf32>
  %130 = tensor.expand_shape %77 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 41, 16] : tensor<1x2x41x16xf32> into tensor<1x2x1x41x16xf32>
  %131 = tensor.empty() : tensor<1x2x2x41x16xf32>
  %132 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<1x2x1x41x16xf32>) outs(%131 : tensor<1x2x2x41x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x41x16xf32>
  %133 = tensor.collapse_shape %132 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x16xf32> into tensor<1x4x41x16xf32>
  %134 = tensor.empty() : tensor<1x4x16x41xf32>
  %135 = linalg.transpose ins(%129 : tensor<1x4x41x16xf32>) outs(%134 : tensor<1x4x16x41xf32>) permutation = [0, 1, 3, 2]
  %136 = tensor.collapse_shape %93 [[0, 1], [2], [3]] : tensor<1x4x41x16xf32> into tensor<4x41x16xf32>
  %137 = tensor.collapse_shape %135 [[0, 1], [2], [3]] : tensor<1x4x16x41xf32> into tensor<4x16x41xf32>
  %138 = tensor.empty() : tensor<4x41x41xf32>
  %139 = linalg.fill ins(%cst : f32) outs(%138 : tensor<4x41x41xf32>) -> tensor<4x41x41xf32>
  %140 = linalg.batch_matmul ins(%136, %137 : tensor<4x41x16xf32>, tensor<4x16x41xf32>) outs(%139 : tensor<4x41x41xf32>) -> tensor<4x41x41xf32>
  %141 = tensor.expand_shape %140 [[0, 1], [2], [3]] output_shape [1, 4, 41, 41] : tensor<4x41x41xf32> into tensor<1x4x41x41xf32>
  %142 = tensor.empty() : tensor<1x4x41x41xf32>
  %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141 : tensor<1x4x41x41xf32>) outs(%142 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %144 = arith.truncf %cst_5 : f64 to f32
    %145 = arith.mulf %in, %144 : f32
    linalg.yield %145 : f32
  } -> tensor<1x4x41x41xf32>
  %146 = tensor.empty() : tensor<1x4x41x41xf32>
  %147 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143, %124 : tensor<1x4x41x41xf32>, tensor<41x41xf32>) outs(%146 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %148 = arith.addf %in, %in_1 : f32
    linalg.yield %148 : f32
  } -> tensor<1x4x41x41xf32>
  %149 = tensor.empty() : tensor<1x4x41xi64>
  %150 = linalg.fill ins(%cst_6 : i64) outs(%149 : tensor<1x4x41xi64>) -> tensor<1x4x41xi64>
  %151 = tensor.empty() : tensor<1x4x41xf32>
  %152 = linalg.fill ins(%cst_4 : f32) outs(%151 : tensor<1x4x41xf32>) -> tensor<1x4x41xf32>
  %153:2 = linalg.generic {indexing_maps = [#map, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%147 : tensor<1x4x41x41xf32>) outs(%152, %150 : tensor<1x4x41xf32>, tensor<1x4x41xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %154 = linalg.index 3 : index
    %155 = arith.index_cast %154 : index to i64
    %156 = arith.maximumf %in, %out : f32
    %157 = arith.cmpf ogt, %in, %out : f32
    %158 = arith.select %157, %155, %out_1 : i64
    linalg.yield %156, %158 : f32, i64
  } -> (tensor<1x4x41xf32>, tensor<1x4x41xi64>)
  %159 = tensor.expand_shape %153#0 [[0], [1], [2, 3]] output_shape [1, 4, 41, 1] : tensor<1x4x41xf32> into tensor<1x4x41x1xf32>
  %160 = tensor.empty() : tensor<1x4x41x41xf32>
  %161 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%147, %159 : tensor<1x4x41x41xf32>, tensor<1x4x41x1xf32>) outs(%160 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %162 = arith.subf %in, %in_1 : f32
    linalg.yield %162 : f32
  } -> tensor<1x4x41x41xf32>
  %163 = tensor.empty() : tensor<1x4x41x41xf32>
  %164 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161 : tensor<1x4x41x41xf32>) outs(%163 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %165 = math.exp %in : f32
    linalg.yield %165 : f32
  } -> tensor<1x4x41x41xf32>
  %166 = tensor.empty() : tensor<1x4x41x1xf32>
  %167 = linalg.fill ins(%cst : f32) outs(%166 : tensor<1x4x41x1xf32>) -> tensor<1x4x41x1xf32>
  %168 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%164 : tensor<1x4x41x41xf32>) outs(%167 : tensor<1x4x41x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %169 = arith.addf %in, %out : f32
    linalg.yield %169 : f32
  } -> tensor<1x4x41x1xf32>
  %170 = tensor.empty() : tensor<1x4x41x41xf32>
  %171 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%164, %168 : tensor<1x4x41x41xf32>, tensor<1x4x41x1xf32>) outs(%170 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %172 = arith.divf %in, %in_1 : f32
    linalg.yield %172 : f32
  } -> tensor<1x4x41x41xf32>
  %173 = tensor.collapse_shape %171 [[0, 1], [2], [3]] : tensor<1x4x41x41xf32> into tensor<4x41x41xf32>
  %174 = tensor.collapse_shape %133 [[0, 1], [2], [3]] : tensor<1x4x41x16xf32> into tensor<4x41x16xf32>
  %175 = tensor.empty() : tensor<4x41x16xf32>
  %176 = linalg.fill ins(%cst : f32) outs(%175 : tensor<4x41x16xf32>) -> tensor<4x41x16xf32>
  %177 = linalg.batch_matmul ins(%173, %174 : tensor<4x41x41xf32>, tensor<4x41x16xf32>) outs(%176 : tensor<4x41x16xf32>) -> tensor<4x41x16xf32>
  %178 = tensor.expand_shape %177 [[0, 1], [2], [3]] output_shape [1, 4, 41, 16] : tensor<4x41x16xf32> into tensor<1x4x41x16xf32>
  %179 = tensor.empty() : tensor<1x41x4x16xf32>
  %180 = linalg.transpose ins(%178 : tensor<1x4x41x16xf32>) outs(%179 : tensor<1x41x4x16xf32>) permutation = [0, 2, 1, 3]
  %181 = tensor.collapse_shape %180 [[0], [1], [2, 3]] : tensor<1x41x4x16xf32> into tensor<1x41x64xf32>
  %182 = tensor.empty() : tensor<64x64xf32>
  %183 = linalg.transpose ins(%wo : tensor<64x64xf32>) outs(%182 : tensor<64x64xf32>) permutation = [1, 0]
  %184 = tensor.collapse_shape %181 [[0, 1], [2]] : tensor<1x41x64xf32> into tensor<41x64xf32>
  %185 = tensor.empty() : tensor<41x64xf32>
  %186 = linalg.fill ins(%cst : f32) outs(%185 : tensor<41x64xf32>) -> tensor<41x64xf32>
  %187 = linalg.matmul ins(%184, %183 : tensor<41x64xf32>, tensor<64x64xf32>) outs(%186 : tensor<41x64xf32>) -> tensor<41x64xf32>
  %188 = tensor.expand_shape %187 [[0, 1], [2]] output_shape [1, 41, 64] : tensor<41x64xf32> into tensor<1x41x64xf32>
  return %188 : tensor<1x41x64xf32>
}
