// Latent attention as it fills a cache. All heads share the rotated part of the keys, and
// values are narrower than keys. Causal, bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=6400 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @mla_prefill(%q_nope: tensor<1x3x33x16xbf16>,
                       %q_rope: tensor<1x3x33x8xbf16>,
                       %k_nope: tensor<1x3x33x16xbf16>,
                       %k_rope: tensor<1x1x33x8xbf16>,
                       %v: tensor<1x3x33x16xbf16>) -> tensor<1x33x48xbf16> {
  %cst = arith.constant 0.000000e+00 : bf16
  %cst_1 = arith.constant 0xFF80 : bf16
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 2.04124145231931509e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %0 = tensor.concat dim(3) %q_nope, %q_rope : (tensor<1x3x33x16xbf16>, tensor<1x3x33x8xbf16>) -> tensor<1x3x33x24xbf16>
  %1 = tensor.empty() : tensor<1x3x33x8xbf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k_rope : tensor<1x1x33x8xbf16>) outs(%1 : tensor<1x3x33x8xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x3x33x8xbf16>
  %3 = tensor.concat dim(3) %k_nope, %2 : (tensor<1x3x33x16xbf16>, tensor<1x3x33x8xbf16>) -> tensor<1x3x33x24xbf16>
  %4 = tensor.empty() : tensor<33xi64>
  %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %6 = linalg.index 0 : index
    %7 = arith.index_cast %6 : index to i64
    linalg.yield %7 : i64
  } -> tensor<33xi64>
  %8 = tensor.empty() : tensor<33xi64>
  %9 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%8 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %10 = linalg.index 0 : index
    %11 = arith.index_cast %10 : index to i64
    linalg.yield %11 : i64
  } -> tensor<33xi64>
  %12 = tensor.expand_shape %9 [[0, 1]] output_shape [1, 33] : tensor<33xi64> into tensor<1x33xi64>
  %13 = tensor.expand_shape %5 [[0, 1]] output_shape [33, 1] : tensor<33xi64> into tensor<33x1xi64>
  %14 = tensor.empty() : tensor<33x33xi1>
  %15 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<1x33xi64>, tensor<33x1xi64>) outs(%14 : tensor<33x33xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %16 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %16 : i1
  } -> tensor<33x33xi1>
  %17 = tensor.empty() : tensor<33x33xbf16>
  %18 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<33x33xi1>) outs(%17 : tensor<33x33xbf16>) {
  ^bb0(%in: i1, %out: bf16):
    %19 = arith.select %in, %cst, %cst_1 : bf16
    linalg.yield %19 : bf16
  } -> tensor<33x33xbf16>
  %20 = tensor.empty() : tensor<1x3x24x33xbf16>
  %21 = linalg.transpose ins(%3 : tensor<1x3x33x24xbf16>) outs(%20 : tensor<1x3x24x33xbf16>) permutation = [0, 1, 3, 2]
  %22 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<1x3x33x24xbf16> into tensor<3x33x24xbf16>
  %23 = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<1x3x24x33xbf16> into tensor<3x24x33xbf16>
  %24 = tensor.empty() : tensor<3x33x33xf32>
  %25 = linalg.fill ins(%cst_2 : f32) outs(%24 : tensor<3x33x33xf32>) -> tensor<3x33x33xf32>
  %26 = linalg.batch_matmul ins(%22, %23 : tensor<3x33x24xbf16>, tensor<3x24x33xbf16>) outs(%25 : tensor<3x33x33xf32>) -> tensor<3x33x33xf32>
  %27 = tensor.empty() : tensor<3x33x33xbf16>
  %28 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<3x33x33xf32>) outs(%27 : tensor<3x33x33xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %29 = arith.truncf %in : f32 to bf16
    linalg.yield %29 : bf16
  } -> tensor<3x33x33xbf16>
  %30 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 3, 33, 33] : tensor<3x33x33xbf16> into tensor<1x3x33x33xbf16>
  %31 = tensor.empty() : tensor<1x3x33x33xbf16>
  %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x3x33x33xbf16>) outs(%31 : tensor<1x3x33x33xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %33 = arith.truncf %cst_3 : f64 to bf16
    %34 = arith.mulf %in, %33 : bf16
    linalg.yield %34 : bf16
  } -> tensor<1x3x33x33xbf16>
  %35 = tensor.empty() : tensor<1x3x33x33xbf16>
  %36 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %18 : tensor<1x3x33x33xbf16>, tensor<33x33xbf16>) outs(%35 : tensor<1x3x33x33xbf16>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
    %37 = arith.addf %in, %in_1 : bf16
    linalg.yield %37 : bf16
  } -> tensor<1x3x33x33xbf16>
  %38 = tensor.empty() : tensor<1x3x33x33xf32>
  %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x3x33x33xbf16>) outs(%38 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %40 = arith.extf %in : bf16 to f32
    linalg.yield %40 : f32
  } -> tensor<1x3x33x33xf32>
  %41 = tensor.empty() : tensor<1x3x33xi64>
  %42 = linalg.fill ins(%cst_4 : i64) outs(%41 : tensor<1x3x33xi64>) -> tensor<1x3x33xi64>
  %43 = tensor.empty() : tensor<1x3x33xf32>
  %44 = linalg.fill ins(%cst_5 : f32) outs(%43 : tensor<1x3x33xf32>) -> tensor<1x3x33xf32>
  %45:2 = linalg.generic {indexing_maps = [#map1, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x3x33x33xf32>) outs(%44, %42 : tensor<1x3x33xf32>, tensor<1x3x33xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %46 = linalg.index 3 : index
    %47 = arith.index_cast %46 : index to i64
    %48 = arith.maximumf %in, %out : f32
    %49 = arith.cmpf ogt, %in, %out : f32
    %50 = arith.select %49, %47, %out_1 : i64
    linalg.yield %48, %50 : f32, i64
  } -> (tensor<1x3x33xf32>, tensor<1x3x33xi64>)
  %51 = tensor.expand_shape %45#0 [[0], [1], [2, 3]] output_shape [1, 3, 33, 1] : tensor<1x3x33xf32> into tensor<1x3x33x1xf32>
  %52 = tensor.empty() : tensor<1x3x33x33xf32>
  %53 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %51 : tensor<1x3x33x33xf32>, tensor<1x3x33x1xf32>) outs(%52 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %54 = arith.subf %in, %in_1 : f32
    linalg.yield %54 : f32
  } -> tensor<1x3x33x33xf32>
  %55 = tensor.empty() : tensor<1x3x33x33xf32>
  %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x3x33x33xf32>) outs(%55 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = math.exp %in : f32
    linalg.yield %57 : f32
  } -> tensor<1x3x33x33xf32>
  %58 = tensor.empty() : tensor<1x3x33x1xf32>
  %59 = linalg.fill ins(%cst_2 : f32) outs(%58 : tensor<1x3x33x1xf32>) -> tensor<1x3x33x1xf32>
  %60 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<1x3x33x33xf32>) outs(%59 : tensor<1x3x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %61 = arith.addf %in, %out : f32
    linalg.yield %61 : f32
  } -> tensor<1x3x33x1xf32>
  %62 = tensor.empty() : tensor<1x3x33x33xf32>
  %63 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %60 : tensor<1x3x33x33xf32>, tensor<1x3x33x1xf32>) outs(%62 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %64 = arith.divf %in, %in_1 : f32
    linalg.yield %64 : f32
  } -> tensor<1x3x33x33xf32>
  %65 = tensor.empty() : tensor<1x3x33x33xbf16>
  %66 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x3x33x33xf32>) outs(%65 : tensor<1x3x33x33xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %67 = arith.truncf %in : f32 to bf16
    linalg.yield %67 : bf16
  } -> tensor<1x3x33x33xbf16>
  %68 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<1x3x33x33xbf16> into tensor<3x33x33xbf16>
  %69 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x33x16xbf16> into tensor<3x33x16xbf16>
  %70 = tensor.empty() : tensor<3x33x16xf32>
  %71 = linalg.fill ins(%cst_2 : f32) outs(%70 : tensor<3x33x16xf32>) -> tensor<3x33x16xf32>
  %72 = linalg.batch_matmul ins(%68, %69 : tensor<3x33x33xbf16>, tensor<3x33x16xbf16>) outs(%71 : tensor<3x33x16xf32>) -> tensor<3x33x16xf32>
  %73 = tensor.empty() : tensor<3x33x16xbf16>
  %74 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<3x33x16xf32>) outs(%73 : tensor<3x33x16xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %75 = arith.truncf %in : f32 to bf16
    linalg.yield %75 : bf16
  } -> tensor<3x33x16xbf16>
  %76 = tensor.expand_shape %74 [[0, 1], [2], [3]] output_shape [1, 3, 33, 16] : tensor<3x33x16xbf16> into tensor<1x3x33x16xbf16>
  %77 = tensor.empty() : tensor<1x33x3x16xbf16>
  %78 = linalg.transpose ins(%76 : tensor<1x3x33x16xbf16>) outs(%77 : tensor<1x33x3x16xbf16>) permutation = [0, 2, 1, 3]
  %79 = tensor.collapse_shape %78 [[0], [1], [2, 3]] : tensor<1x33x3x16xbf16> into tensor<1x33x48xbf16>
  return %79 : tensor<1x33x48xbf16>
}
