// Gemma 2: grouped queries, scores capped by tanh, a sliding window; bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=10752 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @softcap_window(%q: tensor<1x4x41x16xbf16>,
                          %k: tensor<1x2x41x16xbf16>,
                          %v: tensor<1x2x41x16xbf16>) -> tensor<1x41x64xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 3.00000000000000000e+01 : f64
  %cst_3 = arith.constant 9 : i64
  %cst_4 = arith.constant 0.000000e+00 : bf16
  %cst_5 = arith.constant 0xFF80 : bf16
  %cst_6 = arith.constant 0 : i64
  %cst_7 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 41, 16] : tensor<1x2x41x16xbf16> into tensor<1x2x1x41x16xbf16>
  %1 = tensor.empty() : tensor<1x2x2x41x16xbf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x2x1x41x16xbf16>) outs(%1 : tensor<1x2x2x41x16xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x2x2x41x16xbf16>
  %3 = tensor.collapse_shape %2 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x16xbf16> into tensor<1x4x41x16xbf16>
  %4 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 41, 16] : tensor<1x2x41x16xbf16> into tensor<1x2x1x41x16xbf16>
  %5 = tensor.empty() : tensor<1x2x2x41x16xbf16>
  %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x1x41x16xbf16>) outs(%5 : tensor<1x2x2x41x16xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x2x2x41x16xbf16>
  %7 = tensor.collapse_shape %6 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x16xbf16> into tensor<1x4x41x16xbf16>
  %8 = tensor.empty() : tensor<1x4x16x41xbf16>
  %9 = linalg.transpose ins(%3 : tensor<1x4x41x16xbf16>) outs(%8 : tensor<1x4x16x41xbf16>) permutation = [0, 1, 3, 2]
  %10 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x4x41x16xbf16> into tensor<4x41x16xbf16>
  %11 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<1x4x16x41xbf16> into tensor<4x16x41xbf16>
  %12 = tensor.empty() : tensor<4x41x41xf32>
  %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<4x41x41xf32>) -> tensor<4x41x41xf32>
  %14 = linalg.batch_matmul ins(%10, %11 : tensor<4x41x16xbf16>, tensor<4x16x41xbf16>) outs(%13 : tensor<4x41x41xf32>) -> tensor<4x41x41xf32>
  %15 = tensor.empty() : tensor<4x41x41xbf16>
  %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<4x41x41xf32>) outs(%15 : tensor<4x41x41xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %17 = arith.truncf %in : f32 to bf16
    linalg.yield %17 : bf16
  } -> tensor<4x41x41xbf16>
  %18 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 4, 41, 41] : tensor<4x41x41xbf16> into tensor<1x4x41x41xbf16>
  %19 = tensor.empty() : tensor<1x4x41x41xbf16>
  %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x4x41x41xbf16>) outs(%19 : tensor<1x4x41x41xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %21 = arith.truncf %cst_1 : f64 to bf16
    %22 = arith.mulf %in, %21 : bf16
    linalg.yield %22 : bf16
  } -> tensor<1x4x41x41xbf16>
  %23 = tensor.empty() : tensor<1x4x41x41xbf16>
  %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x4x41x41xbf16>) outs(%23 : tensor<1x4x41x41xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %25 = arith.truncf %cst_2 : f64 to bf16
    %26 = arith.divf %in, %25 : bf16
    linalg.yield %26 : bf16
  } -> tensor<1x4x41x41xbf16>
  %27 = tensor.empty() : tensor<1x4x41x41xbf16>
  %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x4x41x41xbf16>) outs(%27 : tensor<1x4x41x41xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %29 = math.tanh %in : bf16
    linalg.yield %29 : bf16
  } -> tensor<1x4x41x41xbf16>
  %30 = tensor.empty() : tensor<1x4x41x41xbf16>
  %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x4x41x41xbf16>) outs(%30 : tensor<1x4x41x41xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %32 = arith.truncf %cst_2 : f64 to bf16
    %33 = arith.mulf %in, %32 : bf16
    linalg.yield %33 : bf16
  } -> tensor<1x4x41x41xbf16>
  %34 = tensor.empty() : tensor<41xi64>
  %35 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%34 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %36 = linalg.index 0 : index
    %37 = arith.index_cast %36 : index to i64
    linalg.yield %37 : i64
  } -> tensor<41xi64>
  %38 = tensor.expand_shape %35 [[0, 1]] output_shape [41, 1] : tensor<41xi64> into tensor<41x1xi64>
  %39 = tensor.empty() : tensor<41xi64>
  %40 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%39 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %41 = linalg.index 0 : index
    %42 = arith.index_cast %41 : index to i64
    linalg.yield %42 : i64
  } -> tensor<41xi64>
  %43 = tensor.expand_shape %40 [[0, 1]] output_shape [1, 41] : tensor<41xi64> into tensor<1x41xi64>
  %44 = tensor.empty() : tensor<41x41xi1>
  %45 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%43, %38 : tensor<1x41xi64>, tensor<41x1xi64>) outs(%44 : tensor<41x41xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %46 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %46 : i1
  } -> tensor<41x41xi1>
  %47 = tensor.empty() : tensor<41x41xi1>
  %48 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%43, %38 : tensor<1x41xi64>, tensor<41x1xi64>) outs(%47 : tensor<41x41xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %49 = arith.subi %in_1, %cst_3 : i64
    %50 = arith.cmpi sgt, %in, %49 : i64
    linalg.yield %50 : i1
  } -> tensor<41x41xi1>
  %51 = tensor.empty() : tensor<41x41xi1>
  %52 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%45, %48 : tensor<41x41xi1>, tensor<41x41xi1>) outs(%51 : tensor<41x41xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %53 = arith.andi %in, %in_1 : i1
    linalg.yield %53 : i1
  } -> tensor<41x41xi1>
  %54 = tensor.empty() : tensor<41x41xbf16>
  %55 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<41x41xi1>) outs(%54 : tensor<41x41xbf16>) {
  ^bb0(%in: i1, %out: bf16):
    %56 = arith.select %in, %cst_4, %cst_5 : bf16
    linalg.yield %56 : bf16
  } -> tensor<41x41xbf16>
  %57 = tensor.empty() : tensor<1x4x41x41xbf16>
  %58 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %55 : tensor<1x4x41x41xbf16>, tensor<41x41xbf16>) outs(%57 : tensor<1x4x41x41xbf16>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
    %59 = arith.addf %in, %in_1 : bf16
    linalg.yield %59 : bf16
  } -> tensor<1x4x41x41xbf16>
  %60 = tensor.empty() : tensor<1x4x41x41xf32>
  %61 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x4x41x41xbf16>) outs(%60 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %62 = arith.extf %in : bf16 to f32
    linalg.yield %62 : f32
  } -> tensor<1x4x41x41xf32>
  %63 = tensor.empty() : tensor<1x4x41xi64>
  %64 = linalg.fill ins(%cst_6 : i64) outs(%63 : tensor<1x4x41xi64>) -> tensor<1x4x41xi64>
  %65 = tensor.empty() : tensor<1x4x41xf32>
  %66 = linalg.fill ins(%cst_7 : f32) outs(%65 : tensor<1x4x41xf32>) -> tensor<1x4x41xf32>
  %67:2 = linalg.generic {indexing_maps = [#map3, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<1x4x41x41xf32>) outs(%66, %64 : tensor<1x4x41xf32>, tensor<1x4x41xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %68 = linalg.index 3 : index
    %69 = arith.index_cast %68 : index to i64
    %70 = arith.maximumf %in, %out : f32
    %71 = arith.cmpf ogt, %in, %out : f32
    %72 = arith.select %71, %69, %out_1 : i64
    linalg.yield %70, %72 : f32, i64
  } -> (tensor<1x4x41xf32>, tensor<1x4x41xi64>)
  %73 = tensor.expand_shape %67#0 [[0], [1], [2, 3]] output_shape [1, 4, 41, 1] : tensor<1x4x41xf32> into tensor<1x4x41x1xf32>
  %74 = tensor.empty() : tensor<1x4x41x41xf32>
  %75 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %73 : tensor<1x4x41x41xf32>, tensor<1x4x41x1xf32>) outs(%74 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %76 = arith.subf %in, %in_1 : f32
    linalg.yield %76 : f32
  } -> tensor<1x4x41x41xf32>
  %77 = tensor.empty() : tensor<1x4x41x41xf32>
  %78 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x4x41x41xf32>) outs(%77 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %79 = math.exp %in : f32
    linalg.yield %79 : f32
  } -> tensor<1x4x41x41xf32>
  %80 = tensor.empty() : tensor<1x4x41x1xf32>
  %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<1x4x41x1xf32>) -> tensor<1x4x41x1xf32>
  %82 = linalg.generic {indexing_maps = [#map3, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%78 : tensor<1x4x41x41xf32>) outs(%81 : tensor<1x4x41x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %83 = arith.addf %in, %out : f32
    linalg.yield %83 : f32
  } -> tensor<1x4x41x1xf32>
  %84 = tensor.empty() : tensor<1x4x41x41xf32>
  %85 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %82 : tensor<1x4x41x41xf32>, tensor<1x4x41x1xf32>) outs(%84 : tensor<1x4x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %86 = arith.divf %in, %in_1 : f32
    linalg.yield %86 : f32
  } -> tensor<1x4x41x41xf32>
  %87 = tensor.empty() : tensor<1x4x41x41xbf16>
  %88 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<1x4x41x41xf32>) outs(%87 : tensor<1x4x41x41xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %89 = arith.truncf %in : f32 to bf16
    linalg.yield %89 : bf16
  } -> tensor<1x4x41x41xbf16>
  %90 = tensor.collapse_shape %88 [[0, 1], [2], [3]] : tensor<1x4x41x41xbf16> into tensor<4x41x41xbf16>
  %91 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x4x41x16xbf16> into tensor<4x41x16xbf16>
  %92 = tensor.empty() : tensor<4x41x16xf32>
  %93 = linalg.fill ins(%cst : f32) outs(%92 : tensor<4x41x16xf32>) -> tensor<4x41x16xf32>
  %94 = linalg.batch_matmul ins(%90, %91 : tensor<4x41x41xbf16>, tensor<4x41x16xbf16>) outs(%93 : tensor<4x41x16xf32>) -> tensor<4x41x16xf32>
  %95 = tensor.empty() : tensor<4x41x16xbf16>
  %96 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<4x41x16xf32>) outs(%95 : tensor<4x41x16xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %97 = arith.truncf %in : f32 to bf16
    linalg.yield %97 : bf16
  } -> tensor<4x41x16xbf16>
  %98 = tensor.expand_shape %96 [[0, 1], [2], [3]] output_shape [1, 4, 41, 16] : tensor<4x41x16xbf16> into tensor<1x4x41x16xbf16>
  %99 = tensor.empty() : tensor<1x41x4x16xbf16>
  %100 = linalg.transpose ins(%98 : tensor<1x4x41x16xbf16>) outs(%99 : tensor<1x41x4x16xbf16>) permutation = [0, 2, 1, 3]
  %101 = tensor.collapse_shape %100 [[0], [1], [2, 3]] : tensor<1x41x4x16xbf16> into tensor<1x41x64xbf16>
  return %101 : tensor<1x41x64xbf16>
}
