// A block of GPT-2: LayerNorm, packed projections, causal attention, an MLP with
// the tanh form of GELU. As torch-mlir writes it, with weights as
// arguments.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @gpt2_block(%x: tensor<1x1024x768xf16>,
                      %ln1_g: tensor<768xf16>,
                      %ln1_b: tensor<768xf16>,
                      %w_qkv: tensor<2304x768xf16>,
                      %b_qkv: tensor<2304xf16>,
                      %w_o: tensor<768x768xf16>,
                      %b_o: tensor<768xf16>,
                      %ln2_g: tensor<768xf16>,
                      %ln2_b: tensor<768xf16>,
                      %w_fc: tensor<3072x768xf16>,
                      %b_fc: tensor<3072xf16>,
                      %w_proj: tensor<768x3072xf16>,
                      %b_proj: tensor<768xf16>) -> tensor<1x1024x768xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 7.68000000000000000e+02 : f64
  %cst_2 = arith.constant 1.00000000000000008e-05 : f64
  %cst_3 = arith.constant 0.000000e+00 : f16
  %cst_4 = arith.constant 0xFC00 : f16
  %cst_5 = arith.constant 1.25000000000000000e-01 : f64
  %cst_6 = arith.constant 0 : i64
  %cst_7 = arith.constant 0xFF800000 : f32
  %cst_8 = arith.constant 4.471500e-02 : f32
  %cst_9 = arith.constant 7.978846e-01 : f32
  %cst_10 = arith.constant 5.000000e-01 : f32
  %cst_11 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x1024x768xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x1024x768xf16>) outs(%0 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %2 = arith.extf %in : f16 to f32
    linalg.yield %2 : f32
  } -> tensor<1x1024x768xf32>
  %3 = tensor.empty() : tensor<768xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%ln1_g : tensor<768xf16>) outs(%3 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %5 = arith.extf %in : f16 to f32
    linalg.yield %5 : f32
  } -> tensor<768xf32>
  %6 = tensor.empty() : tensor<768xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%ln1_b : tensor<768xf16>) outs(%6 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %8 = arith.extf %in : f16 to f32
    linalg.yield %8 : f32
  } -> tensor<768xf32>
  %9 = tensor.empty() : tensor<1x1024x1xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<1x1024x1xf32>) -> tensor<1x1024x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x1024x768xf32>) outs(%10 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.addf %in, %out : f32
    linalg.yield %12 : f32
  } -> tensor<1x1024x1xf32>
  %13 = tensor.empty() : tensor<1x1024x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1024x1xf32>) outs(%13 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.truncf %cst_1 : f64 to f32
    %16 = arith.divf %in, %15 : f32
    linalg.yield %16 : f32
  } -> tensor<1x1024x1xf32>
  %17 = tensor.empty() : tensor<1x1024x768xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %14 : tensor<1x1024x768xf32>, tensor<1x1024x1xf32>) outs(%17 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %19 = arith.subf %in, %in_1 : f32
    linalg.yield %19 : f32
  } -> tensor<1x1024x768xf32>
  %20 = tensor.empty() : tensor<1x1024x768xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %18 : tensor<1x1024x768xf32>, tensor<1x1024x768xf32>) outs(%20 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %22 = arith.mulf %in, %in_1 : f32
    linalg.yield %22 : f32
  } -> tensor<1x1024x768xf32>
  %23 = tensor.empty() : tensor<1x1024x1xf32>
  %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<1x1024x1xf32>) -> tensor<1x1024x1xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<1x1024x768xf32>) outs(%24 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<1x1024x1xf32>
  %27 = tensor.empty() : tensor<1x1024x1xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1024x1xf32>) outs(%27 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.truncf %cst_1 : f64 to f32
    %30 = arith.divf %in, %29 : f32
    linalg.yield %30 : f32
  } -> tensor<1x1024x1xf32>
  %31 = tensor.empty() : tensor<1x1024x1xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1024x1xf32>) outs(%31 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.truncf %cst_2 : f64 to f32
    %34 = arith.addf %in, %33 : f32
    linalg.yield %34 : f32
  } -> tensor<1x1024x1xf32>
  %35 = tensor.empty() : tensor<1x1024x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<1x1024x1xf32>) outs(%35 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = math.rsqrt %in : f32
    linalg.yield %37 : f32
  } -> tensor<1x1024x1xf32>
  %38 = tensor.empty() : tensor<1x1024x768xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %36 : tensor<1x1024x768xf32>, tensor<1x1024x1xf32>) outs(%38 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %40 = arith.mulf %in, %in_1 : f32
    linalg.yield %40 : f32
  } -> tensor<1x1024x768xf32>
  %41 = tensor.empty() : tensor<1x1024x768xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %4 : tensor<1x1024x768xf32>, tensor<768xf32>) outs(%41 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.mulf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<1x1024x768xf32>
  %44 = tensor.empty() : tensor<1x1024x768xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %7 : tensor<1x1024x768xf32>, tensor<768xf32>) outs(%44 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.addf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<1x1024x768xf32>
  %47 = tensor.empty() : tensor<1x1024x768xf16>
  %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<1x1024x768xf32>) outs(%47 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<1x1024x768xf16>
  %50 = tensor.empty() : tensor<768x2304xf16>
  %51 = linalg.transpose ins(%w_qkv : tensor<2304x768xf16>) outs(%50 : tensor<768x2304xf16>) permutation = [1, 0]
  %52 = tensor.empty() : tensor<1x768x2304xf16>
  %53 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<768x2304xf16>) outs(%52 : tensor<1x768x2304xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x2304xf16>
  %54 = tensor.empty() : tensor<1x1024x2304xf32>
  %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<1x1024x2304xf32>) -> tensor<1x1024x2304xf32>
  %56 = linalg.batch_matmul ins(%48, %53 : tensor<1x1024x768xf16>, tensor<1x768x2304xf16>) outs(%55 : tensor<1x1024x2304xf32>) -> tensor<1x1024x2304xf32>
  %57 = tensor.empty() : tensor<1x1024x2304xf16>
  %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<1x1024x2304xf32>) outs(%57 : tensor<1x1024x2304xf16>) {
  ^bb0(%in: f32, %out: f16):
    %59 = arith.truncf %in : f32 to f16
    linalg.yield %59 : f16
  } -> tensor<1x1024x2304xf16>
  %60 = tensor.empty() : tensor<1x1024x2304xf16>
  %61 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %b_qkv : tensor<1x1024x2304xf16>, tensor<2304xf16>) outs(%60 : tensor<1x1024x2304xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %62 = arith.addf %in, %in_1 : f16
    linalg.yield %62 : f16
  } -> tensor<1x1024x2304xf16>
  %63 = tensor.extract_slice %61[0, 0, 0] [1, 1024, 768] [1, 1, 1] : tensor<1x1024x2304xf16> to tensor<1x1024x768xf16>
  %64 = tensor.expand_shape %63 [[0], [1], [2, 3]] output_shape [1, 1024, 12, 64] : tensor<1x1024x768xf16> into tensor<1x1024x12x64xf16>
  %65 = tensor.empty() : tensor<1x12x1024x64xf16>
  %66 = linalg.transpose ins(%64 : tensor<1x1024x12x64xf16>) outs(%65 : tensor<1x12x1024x64xf16>) permutation = [0, 2, 1, 3]
  %67 = tensor.extract_slice %61[0, 0, 768] [1, 1024, 768] [1, 1, 1] : tensor<1x1024x2304xf16> to tensor<1x1024x768xf16>
  %68 = tensor.expand_shape %67 [[0], [1], [2, 3]] output_shape [1, 1024, 12, 64] : tensor<1x1024x768xf16> into tensor<1x1024x12x64xf16>
  %69 = tensor.empty() : tensor<1x12x1024x64xf16>
  %70 = linalg.transpose ins(%68 : tensor<1x1024x12x64xf16>) outs(%69 : tensor<1x12x1024x64xf16>) permutation = [0, 2, 1, 3]
  %71 = tensor.extract_slice %61[0, 0, 1536] [1, 1024, 768] [1, 1, 1] : tensor<1x1024x2304xf16> to tensor<1x1024x768xf16>
  %72 = tensor.expand_shape %71 [[0], [1], [2, 3]] output_shape [1, 1024, 12, 64] : tensor<1x1024x768xf16> into tensor<1x1024x12x64xf16>
  %73 = tensor.empty() : tensor<1x12x1024x64xf16>
  %74 = linalg.transpose ins(%72 : tensor<1x1024x12x64xf16>) outs(%73 : tensor<1x12x1024x64xf16>) permutation = [0, 2, 1, 3]
  %75 = tensor.empty() : tensor<1024xi64>
  %76 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%75 : tensor<1024xi64>) {
  ^bb0(%out: i64):
    %77 = linalg.index 0 : index
    %78 = arith.index_cast %77 : index to i64
    linalg.yield %78 : i64
  } -> tensor<1024xi64>
  %79 = tensor.empty() : tensor<1024xi64>
  %80 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%79 : tensor<1024xi64>) {
  ^bb0(%out: i64):
    %81 = linalg.index 0 : index
    %82 = arith.index_cast %81 : index to i64
    linalg.yield %82 : i64
  } -> tensor<1024xi64>
  %83 = tensor.expand_shape %76 [[0, 1]] output_shape [1024, 1] : tensor<1024xi64> into tensor<1024x1xi64>
  %84 = tensor.expand_shape %80 [[0, 1]] output_shape [1, 1024] : tensor<1024xi64> into tensor<1x1024xi64>
  %85 = tensor.empty() : tensor<1024x1024xi1>
  %86 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%84, %83 : tensor<1x1024xi64>, tensor<1024x1xi64>) outs(%85 : tensor<1024x1024xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %87 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %87 : i1
  } -> tensor<1024x1024xi1>
  %88 = tensor.empty() : tensor<1024x1024xf16>
  %89 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<1024x1024xi1>) outs(%88 : tensor<1024x1024xf16>) {
  ^bb0(%in: i1, %out: f16):
    %90 = arith.select %in, %cst_3, %cst_4 : f16
    linalg.yield %90 : f16
  } -> tensor<1024x1024xf16>
  %91 = tensor.empty() : tensor<1x12x64x1024xf16>
  %92 = linalg.transpose ins(%70 : tensor<1x12x1024x64xf16>) outs(%91 : tensor<1x12x64x1024xf16>) permutation = [0, 1, 3, 2]
  %93 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<1x12x1024x64xf16> into tensor<12x1024x64xf16>
  %94 = tensor.collapse_shape %92 [[0, 1], [2], [3]] : tensor<1x12x64x1024xf16> into tensor<12x64x1024xf16>
  %95 = tensor.empty() : tensor<12x1024x1024xf32>
  %96 = linalg.fill ins(%cst : f32) outs(%95 : tensor<12x1024x1024xf32>) -> tensor<12x1024x1024xf32>
  %97 = linalg.batch_matmul ins(%93, %94 : tensor<12x1024x64xf16>, tensor<12x64x1024xf16>) outs(%96 : tensor<12x1024x1024xf32>) -> tensor<12x1024x1024xf32>
  %98 = tensor.empty() : tensor<12x1024x1024xf16>
  %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<12x1024x1024xf32>) outs(%98 : tensor<12x1024x1024xf16>) {
  ^bb0(%in: f32, %out: f16):
    %100 = arith.truncf %in : f32 to f16
    linalg.yield %100 : f16
  } -> tensor<12x1024x1024xf16>
  %101 = tensor.expand_shape %99 [[0, 1], [2], [3]] output_shape [1, 12, 1024, 1024] : tensor<12x1024x1024xf16> into tensor<1x12x1024x1024xf16>
  %102 = tensor.empty() : tensor<1x12x1024x1024xf16>
  %103 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<1x12x1024x1024xf16>) outs(%102 : tensor<1x12x1024x1024xf16>) {
  ^bb0(%in: f16, %out: f16):
    %104 = arith.truncf %cst_5 : f64 to f16
    %105 = arith.mulf %in, %104 : f16
    linalg.yield %105 : f16
  } -> tensor<1x12x1024x1024xf16>
  %106 = tensor.empty() : tensor<1x12x1024x1024xf16>
  %107 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103, %89 : tensor<1x12x1024x1024xf16>, tensor<1024x1024xf16>) outs(%106 : tensor<1x12x1024x1024xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %108 = arith.addf %in, %in_1 : f16
    linalg.yield %108 : f16
  } -> tensor<1x12x1024x1024xf16>
  %109 = tensor.empty() : tensor<1x12x1024x1024xf32>
  %110 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107 : tensor<1x12x1024x1024xf16>) outs(%109 : tensor<1x12x1024x1024xf32>) {
  ^bb0(%in: f16, %out: f32):
    %111 = arith.extf %in : f16 to f32
    linalg.yield %111 : f32
  } -> tensor<1x12x1024x1024xf32>
  %112 = tensor.empty() : tensor<1x12x1024xi64>
  %113 = linalg.fill ins(%cst_6 : i64) outs(%112 : tensor<1x12x1024xi64>) -> tensor<1x12x1024xi64>
  %114 = tensor.empty() : tensor<1x12x1024xf32>
  %115 = linalg.fill ins(%cst_7 : f32) outs(%114 : tensor<1x12x1024xf32>) -> tensor<1x12x1024xf32>
  %116:2 = linalg.generic {indexing_maps = [#map8, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%110 : tensor<1x12x1024x1024xf32>) outs(%115, %113 : tensor<1x12x1024xf32>, tensor<1x12x1024xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %117 = linalg.index 3 : index
    %118 = arith.index_cast %117 : index to i64
    %119 = arith.maximumf %in, %out : f32
    %120 = arith.cmpf ogt, %in, %out : f32
    %121 = arith.select %120, %118, %out_1 : i64
    linalg.yield %119, %121 : f32, i64
  } -> (tensor<1x12x1024xf32>, tensor<1x12x1024xi64>)
  %122 = tensor.expand_shape %116#0 [[0], [1], [2, 3]] output_shape [1, 12, 1024, 1] : tensor<1x12x1024xf32> into tensor<1x12x1024x1xf32>
  %123 = tensor.empty() : tensor<1x12x1024x1024xf32>
  %124 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110, %122 : tensor<1x12x1024x1024xf32>, tensor<1x12x1024x1xf32>) outs(%123 : tensor<1x12x1024x1024xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %125 = arith.subf %in, %in_1 : f32
    linalg.yield %125 : f32
  } -> tensor<1x12x1024x1024xf32>
  %126 = tensor.empty() : tensor<1x12x1024x1024xf32>
  %127 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124 : tensor<1x12x1024x1024xf32>) outs(%126 : tensor<1x12x1024x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %128 = math.exp %in : f32
    linalg.yield %128 : f32
  } -> tensor<1x12x1024x1024xf32>
  %129 = tensor.empty() : tensor<1x12x1024x1xf32>
  %130 = linalg.fill ins(%cst : f32) outs(%129 : tensor<1x12x1024x1xf32>) -> tensor<1x12x1024x1xf32>
  %131 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%127 : tensor<1x12x1024x1024xf32>) outs(%130 : tensor<1x12x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %132 = arith.addf %in, %out : f32
    linalg.yield %132 : f32
  } -> tensor<1x12x1024x1xf32>
  %133 = tensor.empty() : tensor<1x12x1024x1024xf32>
  %134 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %131 : tensor<1x12x1024x1024xf32>, tensor<1x12x1024x1xf32>) outs(%133 : tensor<1x12x1024x1024xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %135 = arith.divf %in, %in_1 : f32
    linalg.yield %135 : f32
  } -> tensor<1x12x1024x1024xf32>
  %136 = tensor.empty() : tensor<1x12x1024x1024xf16>
  %137 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<1x12x1024x1024xf32>) outs(%136 : tensor<1x12x1024x1024xf16>) {
  ^bb0(%in: f32, %out: f16):
    %138 = arith.truncf %in : f32 to f16
    linalg.yield %138 : f16
  } -> tensor<1x12x1024x1024xf16>
  %139 = tensor.collapse_shape %137 [[0, 1], [2], [3]] : tensor<1x12x1024x1024xf16> into tensor<12x1024x1024xf16>
  %140 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<1x12x1024x64xf16> into tensor<12x1024x64xf16>
  %141 = tensor.empty() : tensor<12x1024x64xf32>
  %142 = linalg.fill ins(%cst : f32) outs(%141 : tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32>
  %143 = linalg.batch_matmul ins(%139, %140 : tensor<12x1024x1024xf16>, tensor<12x1024x64xf16>) outs(%142 : tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32>
  %144 = tensor.empty() : tensor<12x1024x64xf16>
  %145 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<12x1024x64xf32>) outs(%144 : tensor<12x1024x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %146 = arith.truncf %in : f32 to f16
    linalg.yield %146 : f16
  } -> tensor<12x1024x64xf16>
  %147 = tensor.expand_shape %145 [[0, 1], [2], [3]] output_shape [1, 12, 1024, 64] : tensor<12x1024x64xf16> into tensor<1x12x1024x64xf16>
  %148 = tensor.empty() : tensor<1x1024x12x64xf16>
  %149 = linalg.transpose ins(%147 : tensor<1x12x1024x64xf16>) outs(%148 : tensor<1x1024x12x64xf16>) permutation = [0, 2, 1, 3]
  %150 = tensor.collapse_shape %149 [[0], [1], [2, 3]] : tensor<1x1024x12x64xf16> into tensor<1x1024x768xf16>
  %151 = tensor.empty() : tensor<768x768xf16>
  %152 = linalg.transpose ins(%w_o : tensor<768x768xf16>) outs(%151 : tensor<768x768xf16>) permutation = [1, 0]
  %153 = tensor.empty() : tensor<1x768x768xf16>
  %154 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<768x768xf16>) outs(%153 : tensor<1x768x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x768xf16>
  %155 = tensor.empty() : tensor<1x1024x768xf32>
  %156 = linalg.fill ins(%cst : f32) outs(%155 : tensor<1x1024x768xf32>) -> tensor<1x1024x768xf32>
  %157 = linalg.batch_matmul ins(%150, %154 : tensor<1x1024x768xf16>, tensor<1x768x768xf16>) outs(%156 : tensor<1x1024x768xf32>) -> tensor<1x1024x768xf32>
  %158 = tensor.empty() : tensor<1x1024x768xf16>
  %159 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<1x1024x768xf32>) outs(%158 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %160 = arith.truncf %in : f32 to f16
    linalg.yield %160 : f16
  } -> tensor<1x1024x768xf16>
  %161 = tensor.empty() : tensor<1x1024x768xf16>
  %162 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159, %b_o : tensor<1x1024x768xf16>, tensor<768xf16>) outs(%161 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %163 = arith.addf %in, %in_1 : f16
    linalg.yield %163 : f16
  } -> tensor<1x1024x768xf16>
  %164 = tensor.empty() : tensor<1x1024x768xf16>
  %165 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %162 : tensor<1x1024x768xf16>, tensor<1x1024x768xf16>) outs(%164 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %166 = arith.addf %in, %in_1 : f16
    linalg.yield %166 : f16
  } -> tensor<1x1024x768xf16>
  %167 = tensor.empty() : tensor<1x1024x768xf32>
  %168 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<1x1024x768xf16>) outs(%167 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %169 = arith.extf %in : f16 to f32
    linalg.yield %169 : f32
  } -> tensor<1x1024x768xf32>
  %170 = tensor.empty() : tensor<768xf32>
  %171 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%ln2_g : tensor<768xf16>) outs(%170 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %172 = arith.extf %in : f16 to f32
    linalg.yield %172 : f32
  } -> tensor<768xf32>
  %173 = tensor.empty() : tensor<768xf32>
  %174 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%ln2_b : tensor<768xf16>) outs(%173 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %175 = arith.extf %in : f16 to f32
    linalg.yield %175 : f32
  } -> tensor<768xf32>
  %176 = tensor.empty() : tensor<1x1024x1xf32>
  %177 = linalg.fill ins(%cst : f32) outs(%176 : tensor<1x1024x1xf32>) -> tensor<1x1024x1xf32>
  %178 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%168 : tensor<1x1024x768xf32>) outs(%177 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %179 = arith.addf %in, %out : f32
    linalg.yield %179 : f32
  } -> tensor<1x1024x1xf32>
  %180 = tensor.empty() : tensor<1x1024x1xf32>
  %181 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<1x1024x1xf32>) outs(%180 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %182 = arith.truncf %cst_1 : f64 to f32
    %183 = arith.divf %in, %182 : f32
    linalg.yield %183 : f32
  } -> tensor<1x1024x1xf32>
  %184 = tensor.empty() : tensor<1x1024x768xf32>
  %185 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %181 : tensor<1x1024x768xf32>, tensor<1x1024x1xf32>) outs(%184 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %186 = arith.subf %in, %in_1 : f32
    linalg.yield %186 : f32
  } -> tensor<1x1024x768xf32>
  %187 = tensor.empty() : tensor<1x1024x768xf32>
  %188 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %185 : tensor<1x1024x768xf32>, tensor<1x1024x768xf32>) outs(%187 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %189 = arith.mulf %in, %in_1 : f32
    linalg.yield %189 : f32
  } -> tensor<1x1024x768xf32>
  %190 = tensor.empty() : tensor<1x1024x1xf32>
  %191 = linalg.fill ins(%cst : f32) outs(%190 : tensor<1x1024x1xf32>) -> tensor<1x1024x1xf32>
  %192 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%188 : tensor<1x1024x768xf32>) outs(%191 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %193 = arith.addf %in, %out : f32
    linalg.yield %193 : f32
  } -> tensor<1x1024x1xf32>
  %194 = tensor.empty() : tensor<1x1024x1xf32>
  %195 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192 : tensor<1x1024x1xf32>) outs(%194 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %196 = arith.truncf %cst_1 : f64 to f32
    %197 = arith.divf %in, %196 : f32
    linalg.yield %197 : f32
  } -> tensor<1x1024x1xf32>
  %198 = tensor.empty() : tensor<1x1024x1xf32>
  %199 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195 : tensor<1x1024x1xf32>) outs(%198 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %200 = arith.truncf %cst_2 : f64 to f32
    %201 = arith.addf %in, %200 : f32
    linalg.yield %201 : f32
  } -> tensor<1x1024x1xf32>
  %202 = tensor.empty() : tensor<1x1024x1xf32>
  %203 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199 : tensor<1x1024x1xf32>) outs(%202 : tensor<1x1024x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %204 = math.rsqrt %in : f32
    linalg.yield %204 : f32
  } -> tensor<1x1024x1xf32>
  %205 = tensor.empty() : tensor<1x1024x768xf32>
  %206 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %203 : tensor<1x1024x768xf32>, tensor<1x1024x1xf32>) outs(%205 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %207 = arith.mulf %in, %in_1 : f32
    linalg.yield %207 : f32
  } -> tensor<1x1024x768xf32>
  %208 = tensor.empty() : tensor<1x1024x768xf32>
  %209 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %171 : tensor<1x1024x768xf32>, tensor<768xf32>) outs(%208 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %210 = arith.mulf %in, %in_1 : f32
    linalg.yield %210 : f32
  } -> tensor<1x1024x768xf32>
  %211 = tensor.empty() : tensor<1x1024x768xf32>
  %212 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209, %174 : tensor<1x1024x768xf32>, tensor<768xf32>) outs(%211 : tensor<1x1024x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %213 = arith.addf %in, %in_1 : f32
    linalg.yield %213 : f32
  } -> tensor<1x1024x768xf32>
  %214 = tensor.empty() : tensor<1x1024x768xf16>
  %215 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<1x1024x768xf32>) outs(%214 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %216 = arith.truncf %in : f32 to f16
    linalg.yield %216 : f16
  } -> tensor<1x1024x768xf16>
  %217 = tensor.empty() : tensor<768x3072xf16>
  %218 = linalg.transpose ins(%w_fc : tensor<3072x768xf16>) outs(%217 : tensor<768x3072xf16>) permutation = [1, 0]
  %219 = tensor.empty() : tensor<1x768x3072xf16>
  %220 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<768x3072xf16>) outs(%219 : tensor<1x768x3072xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x3072xf16>
  %221 = tensor.empty() : tensor<1x1024x3072xf32>
  %222 = linalg.fill ins(%cst : f32) outs(%221 : tensor<1x1024x3072xf32>) -> tensor<1x1024x3072xf32>
  %223 = linalg.batch_matmul ins(%215, %220 : tensor<1x1024x768xf16>, tensor<1x768x3072xf16>) outs(%222 : tensor<1x1024x3072xf32>) -> tensor<1x1024x3072xf32>
  %224 = tensor.empty() : tensor<1x1024x3072xf16>
  %225 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223 : tensor<1x1024x3072xf32>) outs(%224 : tensor<1x1024x3072xf16>) {
  ^bb0(%in: f32, %out: f16):
    %226 = arith.truncf %in : f32 to f16
    linalg.yield %226 : f16
  } -> tensor<1x1024x3072xf16>
  %227 = tensor.empty() : tensor<1x1024x3072xf16>
  %228 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%225, %b_fc : tensor<1x1024x3072xf16>, tensor<3072xf16>) outs(%227 : tensor<1x1024x3072xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %229 = arith.addf %in, %in_1 : f16
    linalg.yield %229 : f16
  } -> tensor<1x1024x3072xf16>
  %230 = tensor.empty() : tensor<1x1024x3072xf16>
  %231 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%228 : tensor<1x1024x3072xf16>) outs(%230 : tensor<1x1024x3072xf16>) {
  ^bb0(%in: f16, %out: f16):
    %232 = arith.extf %in : f16 to f32
    %233 = arith.mulf %232, %232 : f32
    %234 = arith.mulf %233, %232 : f32
    %235 = arith.mulf %234, %cst_8 : f32
    %236 = arith.addf %232, %235 : f32
    %237 = arith.mulf %236, %cst_9 : f32
    %238 = math.tanh %237 : f32
    %239 = arith.mulf %232, %cst_10 : f32
    %240 = arith.addf %238, %cst_11 : f32
    %241 = arith.mulf %239, %240 : f32
    %242 = arith.truncf %241 : f32 to f16
    linalg.yield %242 : f16
  } -> tensor<1x1024x3072xf16>
  %243 = tensor.empty() : tensor<3072x768xf16>
  %244 = linalg.transpose ins(%w_proj : tensor<768x3072xf16>) outs(%243 : tensor<3072x768xf16>) permutation = [1, 0]
  %245 = tensor.empty() : tensor<1x3072x768xf16>
  %246 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244 : tensor<3072x768xf16>) outs(%245 : tensor<1x3072x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x3072x768xf16>
  %247 = tensor.empty() : tensor<1x1024x768xf32>
  %248 = linalg.fill ins(%cst : f32) outs(%247 : tensor<1x1024x768xf32>) -> tensor<1x1024x768xf32>
  %249 = linalg.batch_matmul ins(%231, %246 : tensor<1x1024x3072xf16>, tensor<1x3072x768xf16>) outs(%248 : tensor<1x1024x768xf32>) -> tensor<1x1024x768xf32>
  %250 = tensor.empty() : tensor<1x1024x768xf16>
  %251 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%249 : tensor<1x1024x768xf32>) outs(%250 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %252 = arith.truncf %in : f32 to f16
    linalg.yield %252 : f16
  } -> tensor<1x1024x768xf16>
  %253 = tensor.empty() : tensor<1x1024x768xf16>
  %254 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251, %b_proj : tensor<1x1024x768xf16>, tensor<768xf16>) outs(%253 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %255 = arith.addf %in, %in_1 : f16
    linalg.yield %255 : f16
  } -> tensor<1x1024x768xf16>
  %256 = tensor.empty() : tensor<1x1024x768xf16>
  %257 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %254 : tensor<1x1024x768xf16>, tensor<1x1024x768xf16>) outs(%256 : tensor<1x1024x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %258 = arith.addf %in, %in_1 : f16
    linalg.yield %258 : f16
  } -> tensor<1x1024x768xf16>
  return %257 : tensor<1x1024x768xf16>
}
