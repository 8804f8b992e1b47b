// A block of LLaMA: RMSNorm, rotary positions, grouped queries, SwiGLU.
// examples/blocks/llama.mlir has it in f16 and its own size. Scores of a quarter of
// their size would be too large a buffer.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=40000 --max-kernels=10 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @llama_block(%x: tensor<1x61x32xf32>,
                       %norm1: tensor<32xf32>,
                       %w_q: tensor<32x32xf32> {check.draw = "uniform -0.354 0.354"},
                       %w_k: tensor<16x32xf32> {check.draw = "uniform -0.354 0.354"},
                       %w_v: tensor<16x32xf32> {check.draw = "uniform -0.354 0.354"},
                       %w_o: tensor<32x32xf32> {check.draw = "uniform -0.354 0.354"},
                       %cos: tensor<1x1x61x8xf32>,
                       %sin: tensor<1x1x61x8xf32>,
                       %norm2: tensor<32xf32>,
                       %w_gate: tensor<40x32xf32> {check.draw = "uniform -0.354 0.354"},
                       %w_up: tensor<40x32xf32> {check.draw = "uniform -0.354 0.354"},
                       %w_down: tensor<32x40xf32> {check.draw = "uniform -0.354 0.354"}) -> tensor<1x61x32xf32> {
  %cst = arith.constant 2.00000000000000000e+00 : f64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 3.20000000000000000e+01 : f64
  %cst_3 = arith.constant 9.99999999999999955e-07 : f64
  %cst_4 = arith.constant 0xFF800000 : f32
  %cst_5 = arith.constant 3.53553390593273786e-01 : f64
  %cst_6 = arith.constant 0 : i64
  %cst_7 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x61x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x61x32xf32>) outs(%0 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.truncf %cst : f64 to f32
    %3 = math.powf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x61x32xf32>
  %4 = tensor.empty() : tensor<1x61x1xf32>
  %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x61x32xf32>) outs(%5 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.addf %in, %out : f32
    linalg.yield %7 : f32
  } -> tensor<1x61x1xf32>
  %8 = tensor.empty() : tensor<1x61x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x61x1xf32>) outs(%8 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.truncf %cst_2 : f64 to f32
    %11 = arith.divf %in, %10 : f32
    linalg.yield %11 : f32
  } -> tensor<1x61x1xf32>
  %12 = tensor.empty() : tensor<1x61x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x61x1xf32>) outs(%12 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.truncf %cst_3 : f64 to f32
    %15 = arith.addf %in, %14 : f32
    linalg.yield %15 : f32
  } -> tensor<1x61x1xf32>
  %16 = tensor.empty() : tensor<1x61x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x61x1xf32>) outs(%16 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = math.rsqrt %in : f32
    linalg.yield %18 : f32
  } -> tensor<1x61x1xf32>
  %19 = tensor.empty() : tensor<1x61x32xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %17 : tensor<1x61x32xf32>, tensor<1x61x1xf32>) outs(%19 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<1x61x32xf32>
  %22 = tensor.empty() : tensor<1x61x32xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %norm1 : tensor<1x61x32xf32>, tensor<32xf32>) outs(%22 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %24 = arith.mulf %in, %in_1 : f32
    linalg.yield %24 : f32
  } -> tensor<1x61x32xf32>
  %25 = tensor.empty() : tensor<32x32xf32>
  %26 = linalg.transpose ins(%w_q : tensor<32x32xf32>) outs(%25 : tensor<32x32xf32>) permutation = [1, 0]
  %27 = tensor.empty() : tensor<1x32x32xf32>
  %28 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<32x32xf32>) outs(%27 : tensor<1x32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x32xf32>
  %29 = tensor.empty() : tensor<1x61x32xf32>
  %30 = linalg.fill ins(%cst_1 : f32) outs(%29 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %31 = linalg.batch_matmul ins(%23, %28 : tensor<1x61x32xf32>, tensor<1x32x32xf32>) outs(%30 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %32 = tensor.expand_shape %31 [[0], [1], [2, 3]] output_shape [1, 61, 4, 8] : tensor<1x61x32xf32> into tensor<1x61x4x8xf32>
  %33 = tensor.empty() : tensor<1x4x61x8xf32>
  %34 = linalg.transpose ins(%32 : tensor<1x61x4x8xf32>) outs(%33 : tensor<1x4x61x8xf32>) permutation = [0, 2, 1, 3]
  %35 = tensor.empty() : tensor<32x16xf32>
  %36 = linalg.transpose ins(%w_k : tensor<16x32xf32>) outs(%35 : tensor<32x16xf32>) permutation = [1, 0]
  %37 = tensor.empty() : tensor<1x32x16xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<32x16xf32>) outs(%37 : tensor<1x32x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x16xf32>
  %39 = tensor.empty() : tensor<1x61x16xf32>
  %40 = linalg.fill ins(%cst_1 : f32) outs(%39 : tensor<1x61x16xf32>) -> tensor<1x61x16xf32>
  %41 = linalg.batch_matmul ins(%23, %38 : tensor<1x61x32xf32>, tensor<1x32x16xf32>) outs(%40 : tensor<1x61x16xf32>) -> tensor<1x61x16xf32>
  %42 = tensor.expand_shape %41 [[0], [1], [2, 3]] output_shape [1, 61, 2, 8] : tensor<1x61x16xf32> into tensor<1x61x2x8xf32>
  %43 = tensor.empty() : tensor<1x2x61x8xf32>
  %44 = linalg.transpose ins(%42 : tensor<1x61x2x8xf32>) outs(%43 : tensor<1x2x61x8xf32>) permutation = [0, 2, 1, 3]
  %45 = tensor.empty() : tensor<32x16xf32>
  %46 = linalg.transpose ins(%w_v : tensor<16x32xf32>) outs(%45 : tensor<32x16xf32>) permutation = [1, 0]
  %47 = tensor.empty() : tensor<1x32x16xf32>
  %48 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<32x16xf32>) outs(%47 : tensor<1x32x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x16xf32>
  %49 = tensor.empty() : tensor<1x61x16xf32>
  %50 = linalg.fill ins(%cst_1 : f32) outs(%49 : tensor<1x61x16xf32>) -> tensor<1x61x16xf32>
  %51 = linalg.batch_matmul ins(%23, %48 : tensor<1x61x32xf32>, tensor<1x32x16xf32>) outs(%50 : tensor<1x61x16xf32>) -> tensor<1x61x16xf32>
  %52 = tensor.expand_shape %51 [[0], [1], [2, 3]] output_shape [1, 61, 2, 8] : tensor<1x61x16xf32> into tensor<1x61x2x8xf32>
  %53 = tensor.empty() : tensor<1x2x61x8xf32>
  %54 = linalg.transpose ins(%52 : tensor<1x61x2x8xf32>) outs(%53 : tensor<1x2x61x8xf32>) permutation = [0, 2, 1, 3]
  %55 = tensor.empty() : tensor<1x4x61x8xf32>
  %56 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %cos : tensor<1x4x61x8xf32>, tensor<1x1x61x8xf32>) outs(%55 : tensor<1x4x61x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %57 = arith.mulf %in, %in_1 : f32
    linalg.yield %57 : f32
  } -> tensor<1x4x61x8xf32>
  %58 = tensor.extract_slice %34[0, 0, 0, 0] [1, 4, 61, 4] [1, 1, 1, 1] : tensor<1x4x61x8xf32> to tensor<1x4x61x4xf32>
  %59 = tensor.extract_slice %34[0, 0, 0, 4] [1, 4, 61, 4] [1, 1, 1, 1] : tensor<1x4x61x8xf32> to tensor<1x4x61x4xf32>
  %60 = tensor.empty() : tensor<1x4x61x4xf32>
  %61 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x4x61x4xf32>) outs(%60 : tensor<1x4x61x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.negf %in : f32
    linalg.yield %62 : f32
  } -> tensor<1x4x61x4xf32>
  %63 = tensor.concat dim(3) %61, %58 : (tensor<1x4x61x4xf32>, tensor<1x4x61x4xf32>) -> tensor<1x4x61x8xf32>
  %64 = tensor.empty() : tensor<1x4x61x8xf32>
  %65 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %sin : tensor<1x4x61x8xf32>, tensor<1x1x61x8xf32>) outs(%64 : tensor<1x4x61x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %66 = arith.mulf %in, %in_1 : f32
    linalg.yield %66 : f32
  } -> tensor<1x4x61x8xf32>
  %67 = tensor.empty() : tensor<1x4x61x8xf32>
  %68 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %65 : tensor<1x4x61x8xf32>, tensor<1x4x61x8xf32>) outs(%67 : tensor<1x4x61x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %69 = arith.addf %in, %in_1 : f32
    linalg.yield %69 : f32
  } -> tensor<1x4x61x8xf32>
  %70 = tensor.empty() : tensor<1x2x61x8xf32>
  %71 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %cos : tensor<1x2x61x8xf32>, tensor<1x1x61x8xf32>) outs(%70 : tensor<1x2x61x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %72 = arith.mulf %in, %in_1 : f32
    linalg.yield %72 : f32
  } -> tensor<1x2x61x8xf32>
  %73 = tensor.extract_slice %44[0, 0, 0, 0] [1, 2, 61, 4] [1, 1, 1, 1] : tensor<1x2x61x8xf32> to tensor<1x2x61x4xf32>
  %74 = tensor.extract_slice %44[0, 0, 0, 4] [1, 2, 61, 4] [1, 1, 1, 1] : tensor<1x2x61x8xf32> to tensor<1x2x61x4xf32>
  %75 = tensor.empty() : tensor<1x2x61x4xf32>
  %76 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x2x61x4xf32>) outs(%75 : tensor<1x2x61x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %77 = arith.negf %in : f32
    linalg.yield %77 : f32
  } -> tensor<1x2x61x4xf32>
  %78 = tensor.concat dim(3) %76, %73 : (tensor<1x2x61x4xf32>, tensor<1x2x61x4xf32>) -> tensor<1x2x61x8xf32>
  %79 = tensor.empty() : tensor<1x2x61x8xf32>
  %80 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %sin : tensor<1x2x61x8xf32>, tensor<1x1x61x8xf32>) outs(%79 : tensor<1x2x61x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %81 = arith.mulf %in, %in_1 : f32
    linalg.yield %81 : f32
  } -> tensor<1x2x61x8xf32>
  %82 = tensor.empty() : tensor<1x2x61x8xf32>
  %83 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %80 : tensor<1x2x61x8xf32>, tensor<1x2x61x8xf32>) outs(%82 : tensor<1x2x61x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %84 = arith.addf %in, %in_1 : f32
    linalg.yield %84 : f32
  } -> tensor<1x2x61x8xf32>
  %85 = tensor.empty() : tensor<61xi64>
  %86 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%85 : tensor<61xi64>) {
  ^bb0(%out: i64):
    %87 = linalg.index 0 : index
    %88 = arith.index_cast %87 : index to i64
    linalg.yield %88 : i64
  } -> tensor<61xi64>
  %89 = tensor.empty() : tensor<61xi64>
  %90 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%89 : tensor<61xi64>) {
  ^bb0(%out: i64):
    %91 = linalg.index 0 : index
    %92 = arith.index_cast %91 : index to i64
    linalg.yield %92 : i64
  } -> tensor<61xi64>
  %93 = tensor.expand_shape %86 [[0, 1]] output_shape [61, 1] : tensor<61xi64> into tensor<61x1xi64>
  %94 = tensor.expand_shape %90 [[0, 1]] output_shape [1, 61] : tensor<61xi64> into tensor<1x61xi64>
  %95 = tensor.empty() : tensor<61x61xi1>
  %96 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%94, %93 : tensor<1x61xi64>, tensor<61x1xi64>) outs(%95 : tensor<61x61xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %97 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %97 : i1
  } -> tensor<61x61xi1>
  %98 = tensor.empty() : tensor<61x61xf32>
  %99 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<61x61xi1>) outs(%98 : tensor<61x61xf32>) {
  ^bb0(%in: i1, %out: f32):
    %100 = arith.select %in, %cst_1, %cst_4 : f32
    linalg.yield %100 : f32
  } -> tensor<61x61xf32>
  %101 = tensor.expand_shape %83 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 61, 8] : tensor<1x2x61x8xf32> into tensor<1x2x1x61x8xf32>
  %102 = tensor.empty() : tensor<1x2x2x61x8xf32>
  %103 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<1x2x1x61x8xf32>) outs(%102 : tensor<1x2x2x61x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x61x8xf32>
  %104 = tensor.collapse_shape %103 [[0], [1, 2], [3], [4]] : tensor<1x2x2x61x8xf32> into tensor<1x4x61x8xf32>
  %105 = tensor.expand_shape %54 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 61, 8] : tensor<1x2x61x8xf32> into tensor<1x2x1x61x8xf32>
  %106 = tensor.empty() : tensor<1x2x2x61x8xf32>
  %107 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%105 : tensor<1x2x1x61x8xf32>) outs(%106 : tensor<1x2x2x61x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x61x8xf32>
  %108 = tensor.collapse_shape %107 [[0], [1, 2], [3], [4]] : tensor<1x2x2x61x8xf32> into tensor<1x4x61x8xf32>
  %109 = tensor.empty() : tensor<1x4x8x61xf32>
  %110 = linalg.transpose ins(%104 : tensor<1x4x61x8xf32>) outs(%109 : tensor<1x4x8x61xf32>) permutation = [0, 1, 3, 2]
  %111 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<1x4x61x8xf32> into tensor<4x61x8xf32>
  %112 = tensor.collapse_shape %110 [[0, 1], [2], [3]] : tensor<1x4x8x61xf32> into tensor<4x8x61xf32>
  %113 = tensor.empty() : tensor<4x61x61xf32>
  %114 = linalg.fill ins(%cst_1 : f32) outs(%113 : tensor<4x61x61xf32>) -> tensor<4x61x61xf32>
  %115 = linalg.batch_matmul ins(%111, %112 : tensor<4x61x8xf32>, tensor<4x8x61xf32>) outs(%114 : tensor<4x61x61xf32>) -> tensor<4x61x61xf32>
  %116 = tensor.expand_shape %115 [[0, 1], [2], [3]] output_shape [1, 4, 61, 61] : tensor<4x61x61xf32> into tensor<1x4x61x61xf32>
  %117 = tensor.empty() : tensor<1x4x61x61xf32>
  %118 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116 : tensor<1x4x61x61xf32>) outs(%117 : tensor<1x4x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.truncf %cst_5 : f64 to f32
    %120 = arith.mulf %in, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<1x4x61x61xf32>
  %121 = tensor.empty() : tensor<1x4x61x61xf32>
  %122 = linalg.generic {indexing_maps = [#map4, #map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118, %99 : tensor<1x4x61x61xf32>, tensor<61x61xf32>) outs(%121 : tensor<1x4x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %123 = arith.addf %in, %in_1 : f32
    linalg.yield %123 : f32
  } -> tensor<1x4x61x61xf32>
  %124 = tensor.empty() : tensor<1x4x61xi64>
  %125 = linalg.fill ins(%cst_6 : i64) outs(%124 : tensor<1x4x61xi64>) -> tensor<1x4x61xi64>
  %126 = tensor.empty() : tensor<1x4x61xf32>
  %127 = linalg.fill ins(%cst_4 : f32) outs(%126 : tensor<1x4x61xf32>) -> tensor<1x4x61xf32>
  %128:2 = linalg.generic {indexing_maps = [#map4, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%122 : tensor<1x4x61x61xf32>) outs(%127, %125 : tensor<1x4x61xf32>, tensor<1x4x61xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %129 = linalg.index 3 : index
    %130 = arith.index_cast %129 : index to i64
    %131 = arith.maximumf %in, %out : f32
    %132 = arith.cmpf ogt, %in, %out : f32
    %133 = arith.select %132, %130, %out_1 : i64
    linalg.yield %131, %133 : f32, i64
  } -> (tensor<1x4x61xf32>, tensor<1x4x61xi64>)
  %134 = tensor.expand_shape %128#0 [[0], [1], [2, 3]] output_shape [1, 4, 61, 1] : tensor<1x4x61xf32> into tensor<1x4x61x1xf32>
  %135 = tensor.empty() : tensor<1x4x61x61xf32>
  %136 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122, %134 : tensor<1x4x61x61xf32>, tensor<1x4x61x1xf32>) outs(%135 : tensor<1x4x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %137 = arith.subf %in, %in_1 : f32
    linalg.yield %137 : f32
  } -> tensor<1x4x61x61xf32>
  %138 = tensor.empty() : tensor<1x4x61x61xf32>
  %139 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<1x4x61x61xf32>) outs(%138 : tensor<1x4x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %140 = math.exp %in : f32
    linalg.yield %140 : f32
  } -> tensor<1x4x61x61xf32>
  %141 = tensor.empty() : tensor<1x4x61x1xf32>
  %142 = linalg.fill ins(%cst_1 : f32) outs(%141 : tensor<1x4x61x1xf32>) -> tensor<1x4x61x1xf32>
  %143 = linalg.generic {indexing_maps = [#map4, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%139 : tensor<1x4x61x61xf32>) outs(%142 : tensor<1x4x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %144 = arith.addf %in, %out : f32
    linalg.yield %144 : f32
  } -> tensor<1x4x61x1xf32>
  %145 = tensor.empty() : tensor<1x4x61x61xf32>
  %146 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139, %143 : tensor<1x4x61x61xf32>, tensor<1x4x61x1xf32>) outs(%145 : tensor<1x4x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %147 = arith.divf %in, %in_1 : f32
    linalg.yield %147 : f32
  } -> tensor<1x4x61x61xf32>
  %148 = tensor.collapse_shape %146 [[0, 1], [2], [3]] : tensor<1x4x61x61xf32> into tensor<4x61x61xf32>
  %149 = tensor.collapse_shape %108 [[0, 1], [2], [3]] : tensor<1x4x61x8xf32> into tensor<4x61x8xf32>
  %150 = tensor.empty() : tensor<4x61x8xf32>
  %151 = linalg.fill ins(%cst_1 : f32) outs(%150 : tensor<4x61x8xf32>) -> tensor<4x61x8xf32>
  %152 = linalg.batch_matmul ins(%148, %149 : tensor<4x61x61xf32>, tensor<4x61x8xf32>) outs(%151 : tensor<4x61x8xf32>) -> tensor<4x61x8xf32>
  %153 = tensor.expand_shape %152 [[0, 1], [2], [3]] output_shape [1, 4, 61, 8] : tensor<4x61x8xf32> into tensor<1x4x61x8xf32>
  %154 = tensor.empty() : tensor<1x61x4x8xf32>
  %155 = linalg.transpose ins(%153 : tensor<1x4x61x8xf32>) outs(%154 : tensor<1x61x4x8xf32>) permutation = [0, 2, 1, 3]
  %156 = tensor.collapse_shape %155 [[0], [1], [2, 3]] : tensor<1x61x4x8xf32> into tensor<1x61x32xf32>
  %157 = tensor.empty() : tensor<32x32xf32>
  %158 = linalg.transpose ins(%w_o : tensor<32x32xf32>) outs(%157 : tensor<32x32xf32>) permutation = [1, 0]
  %159 = tensor.empty() : tensor<1x32x32xf32>
  %160 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<32x32xf32>) outs(%159 : tensor<1x32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x32xf32>
  %161 = tensor.empty() : tensor<1x61x32xf32>
  %162 = linalg.fill ins(%cst_1 : f32) outs(%161 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %163 = linalg.batch_matmul ins(%156, %160 : tensor<1x61x32xf32>, tensor<1x32x32xf32>) outs(%162 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %164 = tensor.empty() : tensor<1x61x32xf32>
  %165 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %163 : tensor<1x61x32xf32>, tensor<1x61x32xf32>) outs(%164 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %166 = arith.addf %in, %in_1 : f32
    linalg.yield %166 : f32
  } -> tensor<1x61x32xf32>
  %167 = tensor.empty() : tensor<1x61x32xf32>
  %168 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<1x61x32xf32>) outs(%167 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %169 = arith.truncf %cst : f64 to f32
    %170 = math.powf %in, %169 : f32
    linalg.yield %170 : f32
  } -> tensor<1x61x32xf32>
  %171 = tensor.empty() : tensor<1x61x1xf32>
  %172 = linalg.fill ins(%cst_1 : f32) outs(%171 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %173 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%168 : tensor<1x61x32xf32>) outs(%172 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %174 = arith.addf %in, %out : f32
    linalg.yield %174 : f32
  } -> tensor<1x61x1xf32>
  %175 = tensor.empty() : tensor<1x61x1xf32>
  %176 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<1x61x1xf32>) outs(%175 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %177 = arith.truncf %cst_2 : f64 to f32
    %178 = arith.divf %in, %177 : f32
    linalg.yield %178 : f32
  } -> tensor<1x61x1xf32>
  %179 = tensor.empty() : tensor<1x61x1xf32>
  %180 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<1x61x1xf32>) outs(%179 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %181 = arith.truncf %cst_3 : f64 to f32
    %182 = arith.addf %in, %181 : f32
    linalg.yield %182 : f32
  } -> tensor<1x61x1xf32>
  %183 = tensor.empty() : tensor<1x61x1xf32>
  %184 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<1x61x1xf32>) outs(%183 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %185 = math.rsqrt %in : f32
    linalg.yield %185 : f32
  } -> tensor<1x61x1xf32>
  %186 = tensor.empty() : tensor<1x61x32xf32>
  %187 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %184 : tensor<1x61x32xf32>, tensor<1x61x1xf32>) outs(%186 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %188 = arith.mulf %in, %in_1 : f32
    linalg.yield %188 : f32
  } -> tensor<1x61x32xf32>
  %189 = tensor.empty() : tensor<1x61x32xf32>
  %190 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187, %norm2 : tensor<1x61x32xf32>, tensor<32xf32>) outs(%189 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %191 = arith.mulf %in, %in_1 : f32
    linalg.yield %191 : f32
  } -> tensor<1x61x32xf32>
  %192 = tensor.empty() : tensor<32x40xf32>
  %193 = linalg.transpose ins(%w_gate : tensor<40x32xf32>) outs(%192 : tensor<32x40xf32>) permutation = [1, 0]
  %194 = tensor.empty() : tensor<1x32x40xf32>
  %195 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%193 : tensor<32x40xf32>) outs(%194 : tensor<1x32x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x40xf32>
  %196 = tensor.empty() : tensor<1x61x40xf32>
  %197 = linalg.fill ins(%cst_1 : f32) outs(%196 : tensor<1x61x40xf32>) -> tensor<1x61x40xf32>
  %198 = linalg.batch_matmul ins(%190, %195 : tensor<1x61x32xf32>, tensor<1x32x40xf32>) outs(%197 : tensor<1x61x40xf32>) -> tensor<1x61x40xf32>
  %199 = tensor.empty() : tensor<1x61x40xf32>
  %200 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198 : tensor<1x61x40xf32>) outs(%199 : tensor<1x61x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %201 = arith.negf %in : f32
    %202 = math.exp %201 : f32
    %203 = arith.addf %202, %cst_7 : f32
    %204 = arith.divf %in, %203 : f32
    linalg.yield %204 : f32
  } -> tensor<1x61x40xf32>
  %205 = tensor.empty() : tensor<32x40xf32>
  %206 = linalg.transpose ins(%w_up : tensor<40x32xf32>) outs(%205 : tensor<32x40xf32>) permutation = [1, 0]
  %207 = tensor.empty() : tensor<1x32x40xf32>
  %208 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<32x40xf32>) outs(%207 : tensor<1x32x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x40xf32>
  %209 = tensor.empty() : tensor<1x61x40xf32>
  %210 = linalg.fill ins(%cst_1 : f32) outs(%209 : tensor<1x61x40xf32>) -> tensor<1x61x40xf32>
  %211 = linalg.batch_matmul ins(%190, %208 : tensor<1x61x32xf32>, tensor<1x32x40xf32>) outs(%210 : tensor<1x61x40xf32>) -> tensor<1x61x40xf32>
  %212 = tensor.empty() : tensor<1x61x40xf32>
  %213 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200, %211 : tensor<1x61x40xf32>, tensor<1x61x40xf32>) outs(%212 : tensor<1x61x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %214 = arith.mulf %in, %in_1 : f32
    linalg.yield %214 : f32
  } -> tensor<1x61x40xf32>
  %215 = tensor.empty() : tensor<40x32xf32>
  %216 = linalg.transpose ins(%w_down : tensor<32x40xf32>) outs(%215 : tensor<40x32xf32>) permutation = [1, 0]
  %217 = tensor.empty() : tensor<1x40x32xf32>
  %218 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<40x32xf32>) outs(%217 : tensor<1x40x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x40x32xf32>
  %219 = tensor.empty() : tensor<1x61x32xf32>
  %220 = linalg.fill ins(%cst_1 : f32) outs(%219 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %221 = linalg.batch_matmul ins(%213, %218 : tensor<1x61x40xf32>, tensor<1x40x32xf32>) outs(%220 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %222 = tensor.empty() : tensor<1x61x32xf32>
  %223 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %221 : tensor<1x61x32xf32>, tensor<1x61x32xf32>) outs(%222 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %224 = arith.addf %in, %in_1 : f32
    linalg.yield %224 : f32
  } -> tensor<1x61x32xf32>
  return %223 : tensor<1x61x32xf32>
}
