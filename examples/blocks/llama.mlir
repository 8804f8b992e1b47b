// A block of LLaMA: RMSNorm, rotary positions, grouped queries, SwiGLU. As torch-mlir writes it, with weights as
// arguments.

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

func.func @llama_block(%x: tensor<1x1024x2048xf16>,
                       %norm1: tensor<2048xf16>,
                       %w_q: tensor<2048x2048xf16>,
                       %w_k: tensor<512x2048xf16>,
                       %w_v: tensor<512x2048xf16>,
                       %w_o: tensor<2048x2048xf16>,
                       %cos: tensor<1x1x1024x64xf16>,
                       %sin: tensor<1x1x1024x64xf16>,
                       %norm2: tensor<2048xf16>,
                       %w_gate: tensor<5632x2048xf16>,
                       %w_up: tensor<5632x2048xf16>,
                       %w_down: tensor<2048x5632xf16>) -> tensor<1x1024x2048xf16> {
  %cst = arith.constant 2.00000000000000000e+00 : f64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 2.04800000000000000e+03 : f64
  %cst_3 = arith.constant 9.99999999999999955e-07 : f64
  %cst_4 = arith.constant 0.000000e+00 : f16
  %cst_5 = arith.constant 0xFC00 : f16
  %cst_6 = arith.constant 1.25000000000000000e-01 : f64
  %cst_7 = arith.constant 0 : i64
  %cst_8 = arith.constant 0xFF800000 : f32
  %cst_9 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x1024x2048xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x1024x2048xf16>) outs(%0 : tensor<1x1024x2048xf32>) {
  ^bb0(%in: f16, %out: f32):
    %2 = arith.extf %in : f16 to f32
    linalg.yield %2 : f32
  } -> tensor<1x1024x2048xf32>
  %3 = tensor.empty() : tensor<1x1024x2048xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x1024x2048xf32>) outs(%3 : tensor<1x1024x2048xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.truncf %cst : f64 to f32
    %6 = math.powf %in, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<1x1024x2048xf32>
  %7 = tensor.empty() : tensor<1x1024x1xf32>
  %8 = linalg.fill ins(%cst_1 : f32) outs(%7 : tensor<1x1024x1xf32>) -> tensor<1x1024x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<1x1024x2048xf32>) outs(%8 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.addf %in, %out : f32
    linalg.yield %10 : f32
  } -> tensor<1x1024x1xf32>
  %11 = tensor.empty() : tensor<1x1024x1xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1024x1xf32>) outs(%11 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %13 = arith.truncf %cst_2 : f64 to f32
    %14 = arith.divf %in, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<1x1024x1xf32>
  %15 = tensor.empty() : tensor<1x1024x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1024x1xf32>) outs(%15 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.truncf %cst_3 : f64 to f32
    %18 = arith.addf %in, %17 : f32
    linalg.yield %18 : f32
  } -> tensor<1x1024x1xf32>
  %19 = tensor.empty() : tensor<1x1024x1xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x1024x1xf32>) outs(%19 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %21 = math.rsqrt %in : f32
    linalg.yield %21 : f32
  } -> tensor<1x1024x1xf32>
  %22 = tensor.empty() : tensor<1x1024x2048xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %20 : tensor<1x1024x2048xf32>, tensor<1x1024x1xf32>) outs(%22 : tensor<1x1024x2048xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %24 = arith.mulf %in, %in_1 : f32
    linalg.yield %24 : f32
  } -> tensor<1x1024x2048xf32>
  %25 = tensor.empty() : tensor<1x1024x2048xf16>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1024x2048xf32>) outs(%25 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f32, %out: f16):
    %27 = arith.truncf %in : f32 to f16
    linalg.yield %27 : f16
  } -> tensor<1x1024x2048xf16>
  %28 = tensor.empty() : tensor<1x1024x2048xf16>
  %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %norm1 : tensor<1x1024x2048xf16>, tensor<2048xf16>) outs(%28 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %30 = arith.mulf %in, %in_1 : f16
    linalg.yield %30 : f16
  } -> tensor<1x1024x2048xf16>
  %31 = tensor.empty() : tensor<2048x2048xf16>
  %32 = linalg.transpose ins(%w_q : tensor<2048x2048xf16>) outs(%31 : tensor<2048x2048xf16>) permutation = [1, 0]
  %33 = tensor.empty() : tensor<1x2048x2048xf16>
  %34 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<2048x2048xf16>) outs(%33 : tensor<1x2048x2048xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2048x2048xf16>
  %35 = tensor.empty() : tensor<1x1024x2048xf32>
  %36 = linalg.fill ins(%cst_1 : f32) outs(%35 : tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32>
  %37 = linalg.batch_matmul ins(%29, %34 : tensor<1x1024x2048xf16>, tensor<1x2048x2048xf16>) outs(%36 : tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32>
  %38 = tensor.empty() : tensor<1x1024x2048xf16>
  %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x1024x2048xf32>) outs(%38 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f32, %out: f16):
    %40 = arith.truncf %in : f32 to f16
    linalg.yield %40 : f16
  } -> tensor<1x1024x2048xf16>
  %41 = tensor.expand_shape %39 [[0], [1], [2, 3]] output_shape [1, 1024, 32, 64] : tensor<1x1024x2048xf16> into tensor<1x1024x32x64xf16>
  %42 = tensor.empty() : tensor<1x32x1024x64xf16>
  %43 = linalg.transpose ins(%41 : tensor<1x1024x32x64xf16>) outs(%42 : tensor<1x32x1024x64xf16>) permutation = [0, 2, 1, 3]
  %44 = tensor.empty() : tensor<2048x512xf16>
  %45 = linalg.transpose ins(%w_k : tensor<512x2048xf16>) outs(%44 : tensor<2048x512xf16>) permutation = [1, 0]
  %46 = tensor.empty() : tensor<1x2048x512xf16>
  %47 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2048x512xf16>) outs(%46 : tensor<1x2048x512xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2048x512xf16>
  %48 = tensor.empty() : tensor<1x1024x512xf32>
  %49 = linalg.fill ins(%cst_1 : f32) outs(%48 : tensor<1x1024x512xf32>) -> tensor<1x1024x512xf32>
  %50 = linalg.batch_matmul ins(%29, %47 : tensor<1x1024x2048xf16>, tensor<1x2048x512xf16>) outs(%49 : tensor<1x1024x512xf32>) -> tensor<1x1024x512xf32>
  %51 = tensor.empty() : tensor<1x1024x512xf16>
  %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<1x1024x512xf32>) outs(%51 : tensor<1x1024x512xf16>) {
  ^bb0(%in: f32, %out: f16):
    %53 = arith.truncf %in : f32 to f16
    linalg.yield %53 : f16
  } -> tensor<1x1024x512xf16>
  %54 = tensor.expand_shape %52 [[0], [1], [2, 3]] output_shape [1, 1024, 8, 64] : tensor<1x1024x512xf16> into tensor<1x1024x8x64xf16>
  %55 = tensor.empty() : tensor<1x8x1024x64xf16>
  %56 = linalg.transpose ins(%54 : tensor<1x1024x8x64xf16>) outs(%55 : tensor<1x8x1024x64xf16>) permutation = [0, 2, 1, 3]
  %57 = tensor.empty() : tensor<2048x512xf16>
  %58 = linalg.transpose ins(%w_v : tensor<512x2048xf16>) outs(%57 : tensor<2048x512xf16>) permutation = [1, 0]
  %59 = tensor.empty() : tensor<1x2048x512xf16>
  %60 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2048x512xf16>) outs(%59 : tensor<1x2048x512xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2048x512xf16>
  %61 = tensor.empty() : tensor<1x1024x512xf32>
  %62 = linalg.fill ins(%cst_1 : f32) outs(%61 : tensor<1x1024x512xf32>) -> tensor<1x1024x512xf32>
  %63 = linalg.batch_matmul ins(%29, %60 : tensor<1x1024x2048xf16>, tensor<1x2048x512xf16>) outs(%62 : tensor<1x1024x512xf32>) -> tensor<1x1024x512xf32>
  %64 = tensor.empty() : tensor<1x1024x512xf16>
  %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<1x1024x512xf32>) outs(%64 : tensor<1x1024x512xf16>) {
  ^bb0(%in: f32, %out: f16):
    %66 = arith.truncf %in : f32 to f16
    linalg.yield %66 : f16
  } -> tensor<1x1024x512xf16>
  %67 = tensor.expand_shape %65 [[0], [1], [2, 3]] output_shape [1, 1024, 8, 64] : tensor<1x1024x512xf16> into tensor<1x1024x8x64xf16>
  %68 = tensor.empty() : tensor<1x8x1024x64xf16>
  %69 = linalg.transpose ins(%67 : tensor<1x1024x8x64xf16>) outs(%68 : tensor<1x8x1024x64xf16>) permutation = [0, 2, 1, 3]
  %70 = tensor.empty() : tensor<1x32x1024x64xf16>
  %71 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %cos : tensor<1x32x1024x64xf16>, tensor<1x1x1024x64xf16>) outs(%70 : tensor<1x32x1024x64xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %72 = arith.mulf %in, %in_1 : f16
    linalg.yield %72 : f16
  } -> tensor<1x32x1024x64xf16>
  %73 = tensor.extract_slice %43[0, 0, 0, 0] [1, 32, 1024, 32] [1, 1, 1, 1] : tensor<1x32x1024x64xf16> to tensor<1x32x1024x32xf16>
  %74 = tensor.extract_slice %43[0, 0, 0, 32] [1, 32, 1024, 32] [1, 1, 1, 1] : tensor<1x32x1024x64xf16> to tensor<1x32x1024x32xf16>
  %75 = tensor.empty() : tensor<1x32x1024x32xf16>
  %76 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x32x1024x32xf16>) outs(%75 : tensor<1x32x1024x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    %77 = arith.negf %in : f16
    linalg.yield %77 : f16
  } -> tensor<1x32x1024x32xf16>
  %78 = tensor.concat dim(3) %76, %73 : (tensor<1x32x1024x32xf16>, tensor<1x32x1024x32xf16>) -> tensor<1x32x1024x64xf16>
  %79 = tensor.empty() : tensor<1x32x1024x64xf16>
  %80 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %sin : tensor<1x32x1024x64xf16>, tensor<1x1x1024x64xf16>) outs(%79 : tensor<1x32x1024x64xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %81 = arith.mulf %in, %in_1 : f16
    linalg.yield %81 : f16
  } -> tensor<1x32x1024x64xf16>
  %82 = tensor.empty() : tensor<1x32x1024x64xf16>
  %83 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %80 : tensor<1x32x1024x64xf16>, tensor<1x32x1024x64xf16>) outs(%82 : tensor<1x32x1024x64xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %84 = arith.addf %in, %in_1 : f16
    linalg.yield %84 : f16
  } -> tensor<1x32x1024x64xf16>
  %85 = tensor.empty() : tensor<1x8x1024x64xf16>
  %86 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %cos : tensor<1x8x1024x64xf16>, tensor<1x1x1024x64xf16>) outs(%85 : tensor<1x8x1024x64xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %87 = arith.mulf %in, %in_1 : f16
    linalg.yield %87 : f16
  } -> tensor<1x8x1024x64xf16>
  %88 = tensor.extract_slice %56[0, 0, 0, 0] [1, 8, 1024, 32] [1, 1, 1, 1] : tensor<1x8x1024x64xf16> to tensor<1x8x1024x32xf16>
  %89 = tensor.extract_slice %56[0, 0, 0, 32] [1, 8, 1024, 32] [1, 1, 1, 1] : tensor<1x8x1024x64xf16> to tensor<1x8x1024x32xf16>
  %90 = tensor.empty() : tensor<1x8x1024x32xf16>
  %91 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<1x8x1024x32xf16>) outs(%90 : tensor<1x8x1024x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    %92 = arith.negf %in : f16
    linalg.yield %92 : f16
  } -> tensor<1x8x1024x32xf16>
  %93 = tensor.concat dim(3) %91, %88 : (tensor<1x8x1024x32xf16>, tensor<1x8x1024x32xf16>) -> tensor<1x8x1024x64xf16>
  %94 = tensor.empty() : tensor<1x8x1024x64xf16>
  %95 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93, %sin : tensor<1x8x1024x64xf16>, tensor<1x1x1024x64xf16>) outs(%94 : tensor<1x8x1024x64xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %96 = arith.mulf %in, %in_1 : f16
    linalg.yield %96 : f16
  } -> tensor<1x8x1024x64xf16>
  %97 = tensor.empty() : tensor<1x8x1024x64xf16>
  %98 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %95 : tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>) outs(%97 : tensor<1x8x1024x64xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %99 = arith.addf %in, %in_1 : f16
    linalg.yield %99 : f16
  } -> tensor<1x8x1024x64xf16>
  %100 = tensor.empty() : tensor<1024xi64>
  %101 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%100 : tensor<1024xi64>) {
  ^bb0(%out: i64):
    %102 = linalg.index 0 : index
    %103 = arith.index_cast %102 : index to i64
    linalg.yield %103 : i64
  } -> tensor<1024xi64>
  %104 = tensor.empty() : tensor<1024xi64>
  %105 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%104 : tensor<1024xi64>) {
  ^bb0(%out: i64):
    %106 = linalg.index 0 : index
    %107 = arith.index_cast %106 : index to i64
    linalg.yield %107 : i64
  } -> tensor<1024xi64>
  %108 = tensor.expand_shape %101 [[0, 1]] output_shape [1024, 1] : tensor<1024xi64> into tensor<1024x1xi64>
  %109 = tensor.expand_shape %105 [[0, 1]] output_shape [1, 1024] : tensor<1024xi64> into tensor<1x1024xi64>
  %110 = tensor.empty() : tensor<1024x1024xi1>
  %111 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%109, %108 : tensor<1x1024xi64>, tensor<1024x1xi64>) outs(%110 : tensor<1024x1024xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %112 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %112 : i1
  } -> tensor<1024x1024xi1>
  %113 = tensor.empty() : tensor<1024x1024xf16>
  %114 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%111 : tensor<1024x1024xi1>) outs(%113 : tensor<1024x1024xf16>) {
  ^bb0(%in: i1, %out: f16):
    %115 = arith.select %in, %cst_4, %cst_5 : f16
    linalg.yield %115 : f16
  } -> tensor<1024x1024xf16>
  %116 = tensor.expand_shape %98 [[0], [1, 2], [3], [4]] output_shape [1, 8, 1, 1024, 64] : tensor<1x8x1024x64xf16> into tensor<1x8x1x1024x64xf16>
  %117 = tensor.empty() : tensor<1x8x4x1024x64xf16>
  %118 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%116 : tensor<1x8x1x1024x64xf16>) outs(%117 : tensor<1x8x4x1024x64xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x8x4x1024x64xf16>
  %119 = tensor.collapse_shape %118 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1024x64xf16> into tensor<1x32x1024x64xf16>
  %120 = tensor.expand_shape %69 [[0], [1, 2], [3], [4]] output_shape [1, 8, 1, 1024, 64] : tensor<1x8x1024x64xf16> into tensor<1x8x1x1024x64xf16>
  %121 = tensor.empty() : tensor<1x8x4x1024x64xf16>
  %122 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%120 : tensor<1x8x1x1024x64xf16>) outs(%121 : tensor<1x8x4x1024x64xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x8x4x1024x64xf16>
  %123 = tensor.collapse_shape %122 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1024x64xf16> into tensor<1x32x1024x64xf16>
  %124 = tensor.empty() : tensor<1x32x64x1024xf16>
  %125 = linalg.transpose ins(%119 : tensor<1x32x1024x64xf16>) outs(%124 : tensor<1x32x64x1024xf16>) permutation = [0, 1, 3, 2]
  %126 = tensor.collapse_shape %83 [[0, 1], [2], [3]] : tensor<1x32x1024x64xf16> into tensor<32x1024x64xf16>
  %127 = tensor.collapse_shape %125 [[0, 1], [2], [3]] : tensor<1x32x64x1024xf16> into tensor<32x64x1024xf16>
  %128 = tensor.empty() : tensor<32x1024x1024xf32>
  %129 = linalg.fill ins(%cst_1 : f32) outs(%128 : tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %130 = linalg.batch_matmul ins(%126, %127 : tensor<32x1024x64xf16>, tensor<32x64x1024xf16>) outs(%129 : tensor<32x1024x1024xf32>) -> tensor<32x1024x1024xf32>
  %131 = tensor.empty() : tensor<32x1024x1024xf16>
  %132 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<32x1024x1024xf32>) outs(%131 : tensor<32x1024x1024xf16>) {
  ^bb0(%in: f32, %out: f16):
    %133 = arith.truncf %in : f32 to f16
    linalg.yield %133 : f16
  } -> tensor<32x1024x1024xf16>
  %134 = tensor.expand_shape %132 [[0, 1], [2], [3]] output_shape [1, 32, 1024, 1024] : tensor<32x1024x1024xf16> into tensor<1x32x1024x1024xf16>
  %135 = tensor.empty() : tensor<1x32x1024x1024xf16>
  %136 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<1x32x1024x1024xf16>) outs(%135 : tensor<1x32x1024x1024xf16>) {
  ^bb0(%in: f16, %out: f16):
    %137 = arith.truncf %cst_6 : f64 to f16
    %138 = arith.mulf %in, %137 : f16
    linalg.yield %138 : f16
  } -> tensor<1x32x1024x1024xf16>
  %139 = tensor.empty() : tensor<1x32x1024x1024xf16>
  %140 = linalg.generic {indexing_maps = [#map4, #map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136, %114 : tensor<1x32x1024x1024xf16>, tensor<1024x1024xf16>) outs(%139 : tensor<1x32x1024x1024xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %141 = arith.addf %in, %in_1 : f16
    linalg.yield %141 : f16
  } -> tensor<1x32x1024x1024xf16>
  %142 = tensor.empty() : tensor<1x32x1024x1024xf32>
  %143 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<1x32x1024x1024xf16>) outs(%142 : tensor<1x32x1024x1024xf32>) {
  ^bb0(%in: f16, %out: f32):
    %144 = arith.extf %in : f16 to f32
    linalg.yield %144 : f32
  } -> tensor<1x32x1024x1024xf32>
  %145 = tensor.empty() : tensor<1x32x1024xi64>
  %146 = linalg.fill ins(%cst_7 : i64) outs(%145 : tensor<1x32x1024xi64>) -> tensor<1x32x1024xi64>
  %147 = tensor.empty() : tensor<1x32x1024xf32>
  %148 = linalg.fill ins(%cst_8 : f32) outs(%147 : tensor<1x32x1024xf32>) -> tensor<1x32x1024xf32>
  %149:2 = linalg.generic {indexing_maps = [#map4, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%143 : tensor<1x32x1024x1024xf32>) outs(%148, %146 : tensor<1x32x1024xf32>, tensor<1x32x1024xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %150 = linalg.index 3 : index
    %151 = arith.index_cast %150 : index to i64
    %152 = arith.maximumf %in, %out : f32
    %153 = arith.cmpf ogt, %in, %out : f32
    %154 = arith.select %153, %151, %out_1 : i64
    linalg.yield %152, %154 : f32, i64
  } -> (tensor<1x32x1024xf32>, tensor<1x32x1024xi64>)
  %155 = tensor.expand_shape %149#0 [[0], [1], [2, 3]] output_shape [1, 32, 1024, 1] : tensor<1x32x1024xf32> into tensor<1x32x1024x1xf32>
  %156 = tensor.empty() : tensor<1x32x1024x1024xf32>
  %157 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143, %155 : tensor<1x32x1024x1024xf32>, tensor<1x32x1024x1xf32>) outs(%156 : tensor<1x32x1024x1024xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %158 = arith.subf %in, %in_1 : f32
    linalg.yield %158 : f32
  } -> tensor<1x32x1024x1024xf32>
  %159 = tensor.empty() : tensor<1x32x1024x1024xf32>
  %160 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%157 : tensor<1x32x1024x1024xf32>) outs(%159 : tensor<1x32x1024x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %161 = math.exp %in : f32
    linalg.yield %161 : f32
  } -> tensor<1x32x1024x1024xf32>
  %162 = tensor.empty() : tensor<1x32x1024x1xf32>
  %163 = linalg.fill ins(%cst_1 : f32) outs(%162 : tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xf32>
  %164 = linalg.generic {indexing_maps = [#map4, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%160 : tensor<1x32x1024x1024xf32>) outs(%163 : tensor<1x32x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %165 = arith.addf %in, %out : f32
    linalg.yield %165 : f32
  } -> tensor<1x32x1024x1xf32>
  %166 = tensor.empty() : tensor<1x32x1024x1024xf32>
  %167 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%160, %164 : tensor<1x32x1024x1024xf32>, tensor<1x32x1024x1xf32>) outs(%166 : tensor<1x32x1024x1024xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %168 = arith.divf %in, %in_1 : f32
    linalg.yield %168 : f32
  } -> tensor<1x32x1024x1024xf32>
  %169 = tensor.empty() : tensor<1x32x1024x1024xf16>
  %170 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%167 : tensor<1x32x1024x1024xf32>) outs(%169 : tensor<1x32x1024x1024xf16>) {
  ^bb0(%in: f32, %out: f16):
    %171 = arith.truncf %in : f32 to f16
    linalg.yield %171 : f16
  } -> tensor<1x32x1024x1024xf16>
  %172 = tensor.collapse_shape %170 [[0, 1], [2], [3]] : tensor<1x32x1024x1024xf16> into tensor<32x1024x1024xf16>
  %173 = tensor.collapse_shape %123 [[0, 1], [2], [3]] : tensor<1x32x1024x64xf16> into tensor<32x1024x64xf16>
  %174 = tensor.empty() : tensor<32x1024x64xf32>
  %175 = linalg.fill ins(%cst_1 : f32) outs(%174 : tensor<32x1024x64xf32>) -> tensor<32x1024x64xf32>
  %176 = linalg.batch_matmul ins(%172, %173 : tensor<32x1024x1024xf16>, tensor<32x1024x64xf16>) outs(%175 : tensor<32x1024x64xf32>) -> tensor<32x1024x64xf32>
  %177 = tensor.empty() : tensor<32x1024x64xf16>
  %178 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<32x1024x64xf32>) outs(%177 : tensor<32x1024x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %179 = arith.truncf %in : f32 to f16
    linalg.yield %179 : f16
  } -> tensor<32x1024x64xf16>
  %180 = tensor.expand_shape %178 [[0, 1], [2], [3]] output_shape [1, 32, 1024, 64] : tensor<32x1024x64xf16> into tensor<1x32x1024x64xf16>
  %181 = tensor.empty() : tensor<1x1024x32x64xf16>
  %182 = linalg.transpose ins(%180 : tensor<1x32x1024x64xf16>) outs(%181 : tensor<1x1024x32x64xf16>) permutation = [0, 2, 1, 3]
  %183 = tensor.collapse_shape %182 [[0], [1], [2, 3]] : tensor<1x1024x32x64xf16> into tensor<1x1024x2048xf16>
  %184 = tensor.empty() : tensor<2048x2048xf16>
  %185 = linalg.transpose ins(%w_o : tensor<2048x2048xf16>) outs(%184 : tensor<2048x2048xf16>) permutation = [1, 0]
  %186 = tensor.empty() : tensor<1x2048x2048xf16>
  %187 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<2048x2048xf16>) outs(%186 : tensor<1x2048x2048xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2048x2048xf16>
  %188 = tensor.empty() : tensor<1x1024x2048xf32>
  %189 = linalg.fill ins(%cst_1 : f32) outs(%188 : tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32>
  %190 = linalg.batch_matmul ins(%183, %187 : tensor<1x1024x2048xf16>, tensor<1x2048x2048xf16>) outs(%189 : tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32>
  %191 = tensor.empty() : tensor<1x1024x2048xf16>
  %192 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190 : tensor<1x1024x2048xf32>) outs(%191 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f32, %out: f16):
    %193 = arith.truncf %in : f32 to f16
    linalg.yield %193 : f16
  } -> tensor<1x1024x2048xf16>
  %194 = tensor.empty() : tensor<1x1024x2048xf16>
  %195 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %192 : tensor<1x1024x2048xf16>, tensor<1x1024x2048xf16>) outs(%194 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %196 = arith.addf %in, %in_1 : f16
    linalg.yield %196 : f16
  } -> tensor<1x1024x2048xf16>
  %197 = tensor.empty() : tensor<1x1024x2048xf32>
  %198 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195 : tensor<1x1024x2048xf16>) outs(%197 : tensor<1x1024x2048xf32>) {
  ^bb0(%in: f16, %out: f32):
    %199 = arith.extf %in : f16 to f32
    linalg.yield %199 : f32
  } -> tensor<1x1024x2048xf32>
  %200 = tensor.empty() : tensor<1x1024x2048xf32>
  %201 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198 : tensor<1x1024x2048xf32>) outs(%200 : tensor<1x1024x2048xf32>) {
  ^bb0(%in: f32, %out: f32):
    %202 = arith.truncf %cst : f64 to f32
    %203 = math.powf %in, %202 : f32
    linalg.yield %203 : f32
  } -> tensor<1x1024x2048xf32>
  %204 = tensor.empty() : tensor<1x1024x1xf32>
  %205 = linalg.fill ins(%cst_1 : f32) outs(%204 : tensor<1x1024x1xf32>) -> tensor<1x1024x1xf32>
  %206 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%201 : tensor<1x1024x2048xf32>) outs(%205 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %207 = arith.addf %in, %out : f32
    linalg.yield %207 : f32
  } -> tensor<1x1024x1xf32>
  %208 = tensor.empty() : tensor<1x1024x1xf32>
  %209 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<1x1024x1xf32>) outs(%208 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %210 = arith.truncf %cst_2 : f64 to f32
    %211 = arith.divf %in, %210 : f32
    linalg.yield %211 : f32
  } -> tensor<1x1024x1xf32>
  %212 = tensor.empty() : tensor<1x1024x1xf32>
  %213 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<1x1024x1xf32>) outs(%212 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %214 = arith.truncf %cst_3 : f64 to f32
    %215 = arith.addf %in, %214 : f32
    linalg.yield %215 : f32
  } -> tensor<1x1024x1xf32>
  %216 = tensor.empty() : tensor<1x1024x1xf32>
  %217 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%213 : tensor<1x1024x1xf32>) outs(%216 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %218 = math.rsqrt %in : f32
    linalg.yield %218 : f32
  } -> tensor<1x1024x1xf32>
  %219 = tensor.empty() : tensor<1x1024x2048xf32>
  %220 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198, %217 : tensor<1x1024x2048xf32>, tensor<1x1024x1xf32>) outs(%219 : tensor<1x1024x2048xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %221 = arith.mulf %in, %in_1 : f32
    linalg.yield %221 : f32
  } -> tensor<1x1024x2048xf32>
  %222 = tensor.empty() : tensor<1x1024x2048xf16>
  %223 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<1x1024x2048xf32>) outs(%222 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f32, %out: f16):
    %224 = arith.truncf %in : f32 to f16
    linalg.yield %224 : f16
  } -> tensor<1x1024x2048xf16>
  %225 = tensor.empty() : tensor<1x1024x2048xf16>
  %226 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223, %norm2 : tensor<1x1024x2048xf16>, tensor<2048xf16>) outs(%225 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %227 = arith.mulf %in, %in_1 : f16
    linalg.yield %227 : f16
  } -> tensor<1x1024x2048xf16>
  %228 = tensor.empty() : tensor<2048x5632xf16>
  %229 = linalg.transpose ins(%w_gate : tensor<5632x2048xf16>) outs(%228 : tensor<2048x5632xf16>) permutation = [1, 0]
  %230 = tensor.empty() : tensor<1x2048x5632xf16>
  %231 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%229 : tensor<2048x5632xf16>) outs(%230 : tensor<1x2048x5632xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2048x5632xf16>
  %232 = tensor.empty() : tensor<1x1024x5632xf32>
  %233 = linalg.fill ins(%cst_1 : f32) outs(%232 : tensor<1x1024x5632xf32>) -> tensor<1x1024x5632xf32>
  %234 = linalg.batch_matmul ins(%226, %231 : tensor<1x1024x2048xf16>, tensor<1x2048x5632xf16>) outs(%233 : tensor<1x1024x5632xf32>) -> tensor<1x1024x5632xf32>
  %235 = tensor.empty() : tensor<1x1024x5632xf16>
  %236 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%234 : tensor<1x1024x5632xf32>) outs(%235 : tensor<1x1024x5632xf16>) {
  ^bb0(%in: f32, %out: f16):
    %237 = arith.truncf %in : f32 to f16
    linalg.yield %237 : f16
  } -> tensor<1x1024x5632xf16>
  %238 = tensor.empty() : tensor<1x1024x5632xf16>
  %239 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%236 : tensor<1x1024x5632xf16>) outs(%238 : tensor<1x1024x5632xf16>) {
  ^bb0(%in: f16, %out: f16):
    %240 = arith.extf %in : f16 to f32
    %241 = arith.negf %240 : f32
    %242 = math.exp %241 : f32
    %243 = arith.addf %242, %cst_9 : f32
    %244 = arith.divf %240, %243 : f32
    %245 = arith.truncf %244 : f32 to f16
    linalg.yield %245 : f16
  } -> tensor<1x1024x5632xf16>
  %246 = tensor.empty() : tensor<2048x5632xf16>
  %247 = linalg.transpose ins(%w_up : tensor<5632x2048xf16>) outs(%246 : tensor<2048x5632xf16>) permutation = [1, 0]
  %248 = tensor.empty() : tensor<1x2048x5632xf16>
  %249 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%247 : tensor<2048x5632xf16>) outs(%248 : tensor<1x2048x5632xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2048x5632xf16>
  %250 = tensor.empty() : tensor<1x1024x5632xf32>
  %251 = linalg.fill ins(%cst_1 : f32) outs(%250 : tensor<1x1024x5632xf32>) -> tensor<1x1024x5632xf32>
  %252 = linalg.batch_matmul ins(%226, %249 : tensor<1x1024x2048xf16>, tensor<1x2048x5632xf16>) outs(%251 : tensor<1x1024x5632xf32>) -> tensor<1x1024x5632xf32>
  %253 = tensor.empty() : tensor<1x1024x5632xf16>
  %254 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252 : tensor<1x1024x5632xf32>) outs(%253 : tensor<1x1024x5632xf16>) {
  ^bb0(%in: f32, %out: f16):
    %255 = arith.truncf %in : f32 to f16
    linalg.yield %255 : f16
  } -> tensor<1x1024x5632xf16>
  %256 = tensor.empty() : tensor<1x1024x5632xf16>
  %257 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%239, %254 : tensor<1x1024x5632xf16>, tensor<1x1024x5632xf16>) outs(%256 : tensor<1x1024x5632xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %258 = arith.mulf %in, %in_1 : f16
    linalg.yield %258 : f16
  } -> tensor<1x1024x5632xf16>
  %259 = tensor.empty() : tensor<5632x2048xf16>
  %260 = linalg.transpose ins(%w_down : tensor<2048x5632xf16>) outs(%259 : tensor<5632x2048xf16>) permutation = [1, 0]
  %261 = tensor.empty() : tensor<1x5632x2048xf16>
  %262 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%260 : tensor<5632x2048xf16>) outs(%261 : tensor<1x5632x2048xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x5632x2048xf16>
  %263 = tensor.empty() : tensor<1x1024x2048xf32>
  %264 = linalg.fill ins(%cst_1 : f32) outs(%263 : tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32>
  %265 = linalg.batch_matmul ins(%257, %262 : tensor<1x1024x5632xf16>, tensor<1x5632x2048xf16>) outs(%264 : tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32>
  %266 = tensor.empty() : tensor<1x1024x2048xf16>
  %267 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%265 : tensor<1x1024x2048xf32>) outs(%266 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f32, %out: f16):
    %268 = arith.truncf %in : f32 to f16
    linalg.yield %268 : f16
  } -> tensor<1x1024x2048xf16>
  %269 = tensor.empty() : tensor<1x1024x2048xf16>
  %270 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195, %267 : tensor<1x1024x2048xf16>, tensor<1x1024x2048xf16>) outs(%269 : tensor<1x1024x2048xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %271 = arith.addf %in, %in_1 : f16
    linalg.yield %271 : f16
  } -> tensor<1x1024x2048xf16>
  return %270 : tensor<1x1024x2048xf16>
}
