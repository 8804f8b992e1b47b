// LLaMA prefill: rotary positions by slices and concat, grouped queries, causal.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=8704 --keys=16
// The same with rotated keys stored: in one kernel, beside that of attention.
// RUN: linalg-ext-check-program %s --max-buffer-bytes=8704 --keys=16 \
// RUN:   --targets=gpu --gpu-options='chip=sm_90a recompute=none' --max-kernels=2

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @llama_rope_gqa(%q: tensor<1x4x33x16xf16>,
                          %k: tensor<1x2x33x16xf16>,
                          %v: tensor<1x2x33x16xf16>,
                          %cos: tensor<1x1x33x16xf16>,
                          %sin: tensor<1x1x33x16xf16>) -> tensor<1x33x64xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %cst_1 = arith.constant 0xFC00 : f16
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 2.50000000000000000e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<33xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<33xi64>
  %4 = tensor.empty() : tensor<33xi64>
  %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%4 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %6 = linalg.index 0 : index
    %7 = arith.index_cast %6 : index to i64
    linalg.yield %7 : i64
  } -> tensor<33xi64>
  %8 = tensor.expand_shape %1 [[0, 1]] output_shape [33, 1] : tensor<33xi64> into tensor<33x1xi64>
  %9 = tensor.expand_shape %5 [[0, 1]] output_shape [1, 33] : tensor<33xi64> into tensor<1x33xi64>
  %10 = tensor.empty() : tensor<33x33xi1>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%9, %8 : tensor<1x33xi64>, tensor<33x1xi64>) outs(%10 : tensor<33x33xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %12 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %12 : i1
  } -> tensor<33x33xi1>
  %13 = tensor.empty() : tensor<1x4x33x16xf16>
  %14 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %cos : tensor<1x4x33x16xf16>, tensor<1x1x33x16xf16>) outs(%13 : tensor<1x4x33x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %15 = arith.mulf %in, %in_1 : f16
    linalg.yield %15 : f16
  } -> tensor<1x4x33x16xf16>
  %16 = tensor.extract_slice %q[0, 0, 0, 0] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf16> to tensor<1x4x33x8xf16>
  %17 = tensor.extract_slice %q[0, 0, 0, 8] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf16> to tensor<1x4x33x8xf16>
  %18 = tensor.empty() : tensor<1x4x33x8xf16>
  %19 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x4x33x8xf16>) outs(%18 : tensor<1x4x33x8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %20 = arith.negf %in : f16
    linalg.yield %20 : f16
  } -> tensor<1x4x33x8xf16>
  %21 = tensor.concat dim(3) %19, %16 : (tensor<1x4x33x8xf16>, tensor<1x4x33x8xf16>) -> tensor<1x4x33x16xf16>
  %22 = tensor.empty() : tensor<1x4x33x16xf16>
  %23 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %sin : tensor<1x4x33x16xf16>, tensor<1x1x33x16xf16>) outs(%22 : tensor<1x4x33x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %24 = arith.mulf %in, %in_1 : f16
    linalg.yield %24 : f16
  } -> tensor<1x4x33x16xf16>
  %25 = tensor.empty() : tensor<1x4x33x16xf16>
  %26 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %23 : tensor<1x4x33x16xf16>, tensor<1x4x33x16xf16>) outs(%25 : tensor<1x4x33x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %27 = arith.addf %in, %in_1 : f16
    linalg.yield %27 : f16
  } -> tensor<1x4x33x16xf16>
  %28 = tensor.empty() : tensor<1x2x33x16xf16>
  %29 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %cos : tensor<1x2x33x16xf16>, tensor<1x1x33x16xf16>) outs(%28 : tensor<1x2x33x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %30 = arith.mulf %in, %in_1 : f16
    linalg.yield %30 : f16
  } -> tensor<1x2x33x16xf16>
  %31 = tensor.extract_slice %k[0, 0, 0, 0] [1, 2, 33, 8] [1, 1, 1, 1] : tensor<1x2x33x16xf16> to tensor<1x2x33x8xf16>
  %32 = tensor.extract_slice %k[0, 0, 0, 8] [1, 2, 33, 8] [1, 1, 1, 1] : tensor<1x2x33x16xf16> to tensor<1x2x33x8xf16>
  %33 = tensor.empty() : tensor<1x2x33x8xf16>
  %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x33x8xf16>) outs(%33 : tensor<1x2x33x8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %35 = arith.negf %in : f16
    linalg.yield %35 : f16
  } -> tensor<1x2x33x8xf16>
  %36 = tensor.concat dim(3) %34, %31 : (tensor<1x2x33x8xf16>, tensor<1x2x33x8xf16>) -> tensor<1x2x33x16xf16>
  %37 = tensor.empty() : tensor<1x2x33x16xf16>
  %38 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %sin : tensor<1x2x33x16xf16>, tensor<1x1x33x16xf16>) outs(%37 : tensor<1x2x33x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %39 = arith.mulf %in, %in_1 : f16
    linalg.yield %39 : f16
  } -> tensor<1x2x33x16xf16>
  %40 = tensor.empty() : tensor<1x2x33x16xf16>
  %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %38 : tensor<1x2x33x16xf16>, tensor<1x2x33x16xf16>) outs(%40 : tensor<1x2x33x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %42 = arith.addf %in, %in_1 : f16
    linalg.yield %42 : f16
  } -> tensor<1x2x33x16xf16>
  %43 = tensor.expand_shape %41 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 33, 16] : tensor<1x2x33x16xf16> into tensor<1x2x1x33x16xf16>
  %44 = tensor.empty() : tensor<1x2x2x33x16xf16>
  %45 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x1x33x16xf16>) outs(%44 : tensor<1x2x2x33x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2x2x33x16xf16>
  %46 = tensor.collapse_shape %45 [[0], [1, 2], [3], [4]] : tensor<1x2x2x33x16xf16> into tensor<1x4x33x16xf16>
  %47 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 33, 16] : tensor<1x2x33x16xf16> into tensor<1x2x1x33x16xf16>
  %48 = tensor.empty() : tensor<1x2x2x33x16xf16>
  %49 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x2x1x33x16xf16>) outs(%48 : tensor<1x2x2x33x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2x2x33x16xf16>
  %50 = tensor.collapse_shape %49 [[0], [1, 2], [3], [4]] : tensor<1x2x2x33x16xf16> into tensor<1x4x33x16xf16>
  %51 = tensor.empty() : tensor<33x33xf16>
  %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<33x33xi1>) outs(%51 : tensor<33x33xf16>) {
  ^bb0(%in: i1, %out: f16):
    %53 = arith.select %in, %cst, %cst_1 : f16
    linalg.yield %53 : f16
  } -> tensor<33x33xf16>
  %54 = tensor.empty() : tensor<1x4x16x33xf16>
  %55 = linalg.transpose ins(%46 : tensor<1x4x33x16xf16>) outs(%54 : tensor<1x4x16x33xf16>) permutation = [0, 1, 3, 2]
  %56 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x4x33x16xf16> into tensor<4x33x16xf16>
  %57 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x4x16x33xf16> into tensor<4x16x33xf16>
  %58 = tensor.empty() : tensor<4x33x33xf32>
  %59 = linalg.fill ins(%cst_2 : f32) outs(%58 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %60 = linalg.batch_matmul ins(%56, %57 : tensor<4x33x16xf16>, tensor<4x16x33xf16>) outs(%59 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %61 = tensor.empty() : tensor<4x33x33xf16>
  %62 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<4x33x33xf32>) outs(%61 : tensor<4x33x33xf16>) {
  ^bb0(%in: f32, %out: f16):
    %63 = arith.truncf %in : f32 to f16
    linalg.yield %63 : f16
  } -> tensor<4x33x33xf16>
  %64 = tensor.expand_shape %62 [[0, 1], [2], [3]] output_shape [1, 4, 33, 33] : tensor<4x33x33xf16> into tensor<1x4x33x33xf16>
  %65 = tensor.empty() : tensor<1x4x33x33xf16>
  %66 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x4x33x33xf16>) outs(%65 : tensor<1x4x33x33xf16>) {
  ^bb0(%in: f16, %out: f16):
    %67 = arith.truncf %cst_3 : f64 to f16
    %68 = arith.mulf %in, %67 : f16
    linalg.yield %68 : f16
  } -> tensor<1x4x33x33xf16>
  %69 = tensor.empty() : tensor<1x4x33x33xf16>
  %70 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %52 : tensor<1x4x33x33xf16>, tensor<33x33xf16>) outs(%69 : tensor<1x4x33x33xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %71 = arith.addf %in, %in_1 : f16
    linalg.yield %71 : f16
  } -> tensor<1x4x33x33xf16>
  %72 = tensor.empty() : tensor<1x4x33x33xf32>
  %73 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<1x4x33x33xf16>) outs(%72 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f16, %out: f32):
    %74 = arith.extf %in : f16 to f32
    linalg.yield %74 : f32
  } -> tensor<1x4x33x33xf32>
  %75 = tensor.empty() : tensor<1x4x33xi64>
  %76 = linalg.fill ins(%cst_4 : i64) outs(%75 : tensor<1x4x33xi64>) -> tensor<1x4x33xi64>
  %77 = tensor.empty() : tensor<1x4x33xf32>
  %78 = linalg.fill ins(%cst_5 : f32) outs(%77 : tensor<1x4x33xf32>) -> tensor<1x4x33xf32>
  %79:2 = linalg.generic {indexing_maps = [#map4, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<1x4x33x33xf32>) outs(%78, %76 : tensor<1x4x33xf32>, tensor<1x4x33xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %80 = linalg.index 3 : index
    %81 = arith.index_cast %80 : index to i64
    %82 = arith.maximumf %in, %out : f32
    %83 = arith.cmpf ogt, %in, %out : f32
    %84 = arith.select %83, %81, %out_1 : i64
    linalg.yield %82, %84 : f32, i64
  } -> (tensor<1x4x33xf32>, tensor<1x4x33xi64>)
  %85 = tensor.expand_shape %79#0 [[0], [1], [2, 3]] output_shape [1, 4, 33, 1] : tensor<1x4x33xf32> into tensor<1x4x33x1xf32>
  %86 = tensor.empty() : tensor<1x4x33x33xf32>
  %87 = linalg.generic {indexing_maps = [#map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %85 : tensor<1x4x33x33xf32>, tensor<1x4x33x1xf32>) outs(%86 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %88 = arith.subf %in, %in_1 : f32
    linalg.yield %88 : f32
  } -> tensor<1x4x33x33xf32>
  %89 = tensor.empty() : tensor<1x4x33x33xf32>
  %90 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<1x4x33x33xf32>) outs(%89 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %91 = math.exp %in : f32
    linalg.yield %91 : f32
  } -> tensor<1x4x33x33xf32>
  %92 = tensor.empty() : tensor<1x4x33x1xf32>
  %93 = linalg.fill ins(%cst_2 : f32) outs(%92 : tensor<1x4x33x1xf32>) -> tensor<1x4x33x1xf32>
  %94 = linalg.generic {indexing_maps = [#map4, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%90 : tensor<1x4x33x33xf32>) outs(%93 : tensor<1x4x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %95 = arith.addf %in, %out : f32
    linalg.yield %95 : f32
  } -> tensor<1x4x33x1xf32>
  %96 = tensor.empty() : tensor<1x4x33x33xf32>
  %97 = linalg.generic {indexing_maps = [#map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %94 : tensor<1x4x33x33xf32>, tensor<1x4x33x1xf32>) outs(%96 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %98 = arith.divf %in, %in_1 : f32
    linalg.yield %98 : f32
  } -> tensor<1x4x33x33xf32>
  %99 = tensor.empty() : tensor<1x4x33x33xf16>
  %100 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x4x33x33xf32>) outs(%99 : tensor<1x4x33x33xf16>) {
  ^bb0(%in: f32, %out: f16):
    %101 = arith.truncf %in : f32 to f16
    linalg.yield %101 : f16
  } -> tensor<1x4x33x33xf16>
  %102 = tensor.collapse_shape %100 [[0, 1], [2], [3]] : tensor<1x4x33x33xf16> into tensor<4x33x33xf16>
  %103 = tensor.collapse_shape %50 [[0, 1], [2], [3]] : tensor<1x4x33x16xf16> into tensor<4x33x16xf16>
  %104 = tensor.empty() : tensor<4x33x16xf32>
  %105 = linalg.fill ins(%cst_2 : f32) outs(%104 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %106 = linalg.batch_matmul ins(%102, %103 : tensor<4x33x33xf16>, tensor<4x33x16xf16>) outs(%105 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %107 = tensor.empty() : tensor<4x33x16xf16>
  %108 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<4x33x16xf32>) outs(%107 : tensor<4x33x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %109 = arith.truncf %in : f32 to f16
    linalg.yield %109 : f16
  } -> tensor<4x33x16xf16>
  %110 = tensor.expand_shape %108 [[0, 1], [2], [3]] output_shape [1, 4, 33, 16] : tensor<4x33x16xf16> into tensor<1x4x33x16xf16>
  %111 = tensor.empty() : tensor<1x33x4x16xf16>
  %112 = linalg.transpose ins(%110 : tensor<1x4x33x16xf16>) outs(%111 : tensor<1x33x4x16xf16>) permutation = [0, 2, 1, 3]
  %113 = tensor.collapse_shape %112 [[0], [1], [2, 3]] : tensor<1x33x4x16xf16> into tensor<1x33x64xf16>
  return %113 : tensor<1x33x64xf16>
}
