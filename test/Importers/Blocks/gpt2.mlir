// A block of GPT-2: LayerNorm, packed projections, causal attention, an MLP.
// examples/blocks/gpt2.mlir has it in f16 and its own size. Scores of a quarter of
// their size would be too large a buffer.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=40000 --max-kernels=7 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @gpt2_block(%x: tensor<1x61x24xf32>,
                      %ln1_g: tensor<24xf32>,
                      %ln1_b: tensor<24xf32>,
                      %w_qkv: tensor<72x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_qkv: tensor<72xf32>,
                      %w_o: tensor<24x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_o: tensor<24xf32>,
                      %ln2_g: tensor<24xf32>,
                      %ln2_b: tensor<24xf32>,
                      %w_fc: tensor<32x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_fc: tensor<32xf32>,
                      %w_proj: tensor<24x32xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_proj: tensor<24xf32>) -> tensor<1x61x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.40000000000000000e+01 : f64
  %cst_2 = arith.constant 1.00000000000000008e-05 : f64
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant 3.53553390593273786e-01 : f64
  %cst_5 = arith.constant 0 : i64
  %cst_6 = arith.constant 4.471500e-02 : f32
  %cst_7 = arith.constant 7.978846e-01 : f32
  %cst_8 = arith.constant 5.000000e-01 : f32
  %cst_9 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x61x1xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x61x24xf32>) outs(%1 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<1x61x1xf32>
  %4 = tensor.empty() : tensor<1x61x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x61x1xf32>) outs(%4 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.truncf %cst_1 : f64 to f32
    %7 = arith.divf %in, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<1x61x1xf32>
  %8 = tensor.empty() : tensor<1x61x24xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %5 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%8 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %10 = arith.subf %in, %in_1 : f32
    linalg.yield %10 : f32
  } -> tensor<1x61x24xf32>
  %11 = tensor.empty() : tensor<1x61x24xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%11 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.mulf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<1x61x24xf32>
  %14 = tensor.empty() : tensor<1x61x1xf32>
  %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<1x61x24xf32>) outs(%15 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.addf %in, %out : f32
    linalg.yield %17 : f32
  } -> tensor<1x61x1xf32>
  %18 = tensor.empty() : tensor<1x61x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x61x1xf32>) outs(%18 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.truncf %cst_1 : f64 to f32
    %21 = arith.divf %in, %20 : f32
    linalg.yield %21 : f32
  } -> tensor<1x61x1xf32>
  %22 = tensor.empty() : tensor<1x61x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x61x1xf32>) outs(%22 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %24 = arith.truncf %cst_2 : f64 to f32
    %25 = arith.addf %in, %24 : f32
    linalg.yield %25 : f32
  } -> tensor<1x61x1xf32>
  %26 = tensor.empty() : tensor<1x61x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x61x1xf32>) outs(%26 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.rsqrt %in : f32
    linalg.yield %28 : f32
  } -> tensor<1x61x1xf32>
  %29 = tensor.empty() : tensor<1x61x24xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %27 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%29 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.mulf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<1x61x24xf32>
  %32 = tensor.empty() : tensor<1x61x24xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %ln1_g : tensor<1x61x24xf32>, tensor<24xf32>) outs(%32 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.mulf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<1x61x24xf32>
  %35 = tensor.empty() : tensor<1x61x24xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %ln1_b : tensor<1x61x24xf32>, tensor<24xf32>) outs(%35 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %37 = arith.addf %in, %in_1 : f32
    linalg.yield %37 : f32
  } -> tensor<1x61x24xf32>
  %38 = tensor.empty() : tensor<24x72xf32>
  %39 = linalg.transpose ins(%w_qkv : tensor<72x24xf32>) outs(%38 : tensor<24x72xf32>) permutation = [1, 0]
  %40 = tensor.empty() : tensor<1x24x72xf32>
  %41 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<24x72xf32>) outs(%40 : tensor<1x24x72xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x72xf32>
  %42 = tensor.empty() : tensor<1x61x72xf32>
  %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x61x72xf32>) -> tensor<1x61x72xf32>
  %44 = linalg.batch_matmul ins(%36, %41 : tensor<1x61x24xf32>, tensor<1x24x72xf32>) outs(%43 : tensor<1x61x72xf32>) -> tensor<1x61x72xf32>
  %45 = tensor.empty() : tensor<1x61x72xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44, %b_qkv : tensor<1x61x72xf32>, tensor<72xf32>) outs(%45 : tensor<1x61x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %47 = arith.addf %in, %in_1 : f32
    linalg.yield %47 : f32
  } -> tensor<1x61x72xf32>
  %48 = tensor.extract_slice %46[0, 0, 0] [1, 61, 24] [1, 1, 1] : tensor<1x61x72xf32> to tensor<1x61x24xf32>
  %49 = tensor.expand_shape %48 [[0], [1], [2, 3]] output_shape [1, 61, 3, 8] : tensor<1x61x24xf32> into tensor<1x61x3x8xf32>
  %50 = tensor.empty() : tensor<1x3x61x8xf32>
  %51 = linalg.transpose ins(%49 : tensor<1x61x3x8xf32>) outs(%50 : tensor<1x3x61x8xf32>) permutation = [0, 2, 1, 3]
  %52 = tensor.extract_slice %46[0, 0, 24] [1, 61, 24] [1, 1, 1] : tensor<1x61x72xf32> to tensor<1x61x24xf32>
  %53 = tensor.expand_shape %52 [[0], [1], [2, 3]] output_shape [1, 61, 3, 8] : tensor<1x61x24xf32> into tensor<1x61x3x8xf32>
  %54 = tensor.empty() : tensor<1x3x61x8xf32>
  %55 = linalg.transpose ins(%53 : tensor<1x61x3x8xf32>) outs(%54 : tensor<1x3x61x8xf32>) permutation = [0, 2, 1, 3]
  %56 = tensor.extract_slice %46[0, 0, 48] [1, 61, 24] [1, 1, 1] : tensor<1x61x72xf32> to tensor<1x61x24xf32>
  %57 = tensor.expand_shape %56 [[0], [1], [2, 3]] output_shape [1, 61, 3, 8] : tensor<1x61x24xf32> into tensor<1x61x3x8xf32>
  %58 = tensor.empty() : tensor<1x3x61x8xf32>
  %59 = linalg.transpose ins(%57 : tensor<1x61x3x8xf32>) outs(%58 : tensor<1x3x61x8xf32>) permutation = [0, 2, 1, 3]
  %60 = tensor.empty() : tensor<61xi64>
  %61 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%60 : tensor<61xi64>) {
  ^bb0(%out: i64):
    %62 = linalg.index 0 : index
    %63 = arith.index_cast %62 : index to i64
    linalg.yield %63 : i64
  } -> tensor<61xi64>
  %64 = tensor.empty() : tensor<61xi64>
  %65 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%64 : tensor<61xi64>) {
  ^bb0(%out: i64):
    %66 = linalg.index 0 : index
    %67 = arith.index_cast %66 : index to i64
    linalg.yield %67 : i64
  } -> tensor<61xi64>
  %68 = tensor.expand_shape %61 [[0, 1]] output_shape [61, 1] : tensor<61xi64> into tensor<61x1xi64>
  %69 = tensor.expand_shape %65 [[0, 1]] output_shape [1, 61] : tensor<61xi64> into tensor<1x61xi64>
  %70 = tensor.empty() : tensor<61x61xi1>
  %71 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%69, %68 : tensor<1x61xi64>, tensor<61x1xi64>) outs(%70 : tensor<61x61xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %72 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %72 : i1
  } -> tensor<61x61xi1>
  %73 = tensor.empty() : tensor<61x61xf32>
  %74 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%71 : tensor<61x61xi1>) outs(%73 : tensor<61x61xf32>) {
  ^bb0(%in: i1, %out: f32):
    %75 = arith.select %in, %cst, %cst_3 : f32
    linalg.yield %75 : f32
  } -> tensor<61x61xf32>
  %76 = tensor.empty() : tensor<1x3x8x61xf32>
  %77 = linalg.transpose ins(%55 : tensor<1x3x61x8xf32>) outs(%76 : tensor<1x3x8x61xf32>) permutation = [0, 1, 3, 2]
  %78 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x3x61x8xf32> into tensor<3x61x8xf32>
  %79 = tensor.collapse_shape %77 [[0, 1], [2], [3]] : tensor<1x3x8x61xf32> into tensor<3x8x61xf32>
  %80 = tensor.empty() : tensor<3x61x61xf32>
  %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<3x61x61xf32>) -> tensor<3x61x61xf32>
  %82 = linalg.batch_matmul ins(%78, %79 : tensor<3x61x8xf32>, tensor<3x8x61xf32>) outs(%81 : tensor<3x61x61xf32>) -> tensor<3x61x61xf32>
  %83 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [1, 3, 61, 61] : tensor<3x61x61xf32> into tensor<1x3x61x61xf32>
  %84 = tensor.empty() : tensor<1x3x61x61xf32>
  %85 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x3x61x61xf32>) outs(%84 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %86 = arith.truncf %cst_4 : f64 to f32
    %87 = arith.mulf %in, %86 : f32
    linalg.yield %87 : f32
  } -> tensor<1x3x61x61xf32>
  %88 = tensor.empty() : tensor<1x3x61x61xf32>
  %89 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %74 : tensor<1x3x61x61xf32>, tensor<61x61xf32>) outs(%88 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %90 = arith.addf %in, %in_1 : f32
    linalg.yield %90 : f32
  } -> tensor<1x3x61x61xf32>
  %91 = tensor.empty() : tensor<1x3x61xi64>
  %92 = linalg.fill ins(%cst_5 : i64) outs(%91 : tensor<1x3x61xi64>) -> tensor<1x3x61xi64>
  %93 = tensor.empty() : tensor<1x3x61xf32>
  %94 = linalg.fill ins(%cst_3 : f32) outs(%93 : tensor<1x3x61xf32>) -> tensor<1x3x61xf32>
  %95:2 = linalg.generic {indexing_maps = [#map8, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%89 : tensor<1x3x61x61xf32>) outs(%94, %92 : tensor<1x3x61xf32>, tensor<1x3x61xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %96 = linalg.index 3 : index
    %97 = arith.index_cast %96 : index to i64
    %98 = arith.maximumf %in, %out : f32
    %99 = arith.cmpf ogt, %in, %out : f32
    %100 = arith.select %99, %97, %out_1 : i64
    linalg.yield %98, %100 : f32, i64
  } -> (tensor<1x3x61xf32>, tensor<1x3x61xi64>)
  %101 = tensor.expand_shape %95#0 [[0], [1], [2, 3]] output_shape [1, 3, 61, 1] : tensor<1x3x61xf32> into tensor<1x3x61x1xf32>
  %102 = tensor.empty() : tensor<1x3x61x61xf32>
  %103 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89, %101 : tensor<1x3x61x61xf32>, tensor<1x3x61x1xf32>) outs(%102 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %104 = arith.subf %in, %in_1 : f32
    linalg.yield %104 : f32
  } -> tensor<1x3x61x61xf32>
  %105 = tensor.empty() : tensor<1x3x61x61xf32>
  %106 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103 : tensor<1x3x61x61xf32>) outs(%105 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<1x3x61x61xf32>
  %108 = tensor.empty() : tensor<1x3x61x1xf32>
  %109 = linalg.fill ins(%cst : f32) outs(%108 : tensor<1x3x61x1xf32>) -> tensor<1x3x61x1xf32>
  %110 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%106 : tensor<1x3x61x61xf32>) outs(%109 : tensor<1x3x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %111 = arith.addf %in, %out : f32
    linalg.yield %111 : f32
  } -> tensor<1x3x61x1xf32>
  %112 = tensor.empty() : tensor<1x3x61x61xf32>
  %113 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%106, %110 : tensor<1x3x61x61xf32>, tensor<1x3x61x1xf32>) outs(%112 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %114 = arith.divf %in, %in_1 : f32
    linalg.yield %114 : f32
  } -> tensor<1x3x61x61xf32>
  %115 = tensor.collapse_shape %113 [[0, 1], [2], [3]] : tensor<1x3x61x61xf32> into tensor<3x61x61xf32>
  %116 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<1x3x61x8xf32> into tensor<3x61x8xf32>
  %117 = tensor.empty() : tensor<3x61x8xf32>
  %118 = linalg.fill ins(%cst : f32) outs(%117 : tensor<3x61x8xf32>) -> tensor<3x61x8xf32>
  %119 = linalg.batch_matmul ins(%115, %116 : tensor<3x61x61xf32>, tensor<3x61x8xf32>) outs(%118 : tensor<3x61x8xf32>) -> tensor<3x61x8xf32>
  %120 = tensor.expand_shape %119 [[0, 1], [2], [3]] output_shape [1, 3, 61, 8] : tensor<3x61x8xf32> into tensor<1x3x61x8xf32>
  %121 = tensor.empty() : tensor<1x61x3x8xf32>
  %122 = linalg.transpose ins(%120 : tensor<1x3x61x8xf32>) outs(%121 : tensor<1x61x3x8xf32>) permutation = [0, 2, 1, 3]
  %123 = tensor.collapse_shape %122 [[0], [1], [2, 3]] : tensor<1x61x3x8xf32> into tensor<1x61x24xf32>
  %124 = tensor.empty() : tensor<24x24xf32>
  %125 = linalg.transpose ins(%w_o : tensor<24x24xf32>) outs(%124 : tensor<24x24xf32>) permutation = [1, 0]
  %126 = tensor.empty() : tensor<1x24x24xf32>
  %127 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<24x24xf32>) outs(%126 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %128 = tensor.empty() : tensor<1x61x24xf32>
  %129 = linalg.fill ins(%cst : f32) outs(%128 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %130 = linalg.batch_matmul ins(%123, %127 : tensor<1x61x24xf32>, tensor<1x24x24xf32>) outs(%129 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %131 = tensor.empty() : tensor<1x61x24xf32>
  %132 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130, %b_o : tensor<1x61x24xf32>, tensor<24xf32>) outs(%131 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %133 = arith.addf %in, %in_1 : f32
    linalg.yield %133 : f32
  } -> tensor<1x61x24xf32>
  %134 = tensor.empty() : tensor<1x61x24xf32>
  %135 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %132 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%134 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %136 = arith.addf %in, %in_1 : f32
    linalg.yield %136 : f32
  } -> tensor<1x61x24xf32>
  %137 = tensor.empty() : tensor<1x61x1xf32>
  %138 = linalg.fill ins(%cst : f32) outs(%137 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %139 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%135 : tensor<1x61x24xf32>) outs(%138 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %140 = arith.addf %in, %out : f32
    linalg.yield %140 : f32
  } -> tensor<1x61x1xf32>
  %141 = tensor.empty() : tensor<1x61x1xf32>
  %142 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<1x61x1xf32>) outs(%141 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %143 = arith.truncf %cst_1 : f64 to f32
    %144 = arith.divf %in, %143 : f32
    linalg.yield %144 : f32
  } -> tensor<1x61x1xf32>
  %145 = tensor.empty() : tensor<1x61x24xf32>
  %146 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %142 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%145 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %147 = arith.subf %in, %in_1 : f32
    linalg.yield %147 : f32
  } -> tensor<1x61x24xf32>
  %148 = tensor.empty() : tensor<1x61x24xf32>
  %149 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %146 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%148 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %150 = arith.mulf %in, %in_1 : f32
    linalg.yield %150 : f32
  } -> tensor<1x61x24xf32>
  %151 = tensor.empty() : tensor<1x61x1xf32>
  %152 = linalg.fill ins(%cst : f32) outs(%151 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %153 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%149 : tensor<1x61x24xf32>) outs(%152 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %154 = arith.addf %in, %out : f32
    linalg.yield %154 : f32
  } -> tensor<1x61x1xf32>
  %155 = tensor.empty() : tensor<1x61x1xf32>
  %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<1x61x1xf32>) outs(%155 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %157 = arith.truncf %cst_1 : f64 to f32
    %158 = arith.divf %in, %157 : f32
    linalg.yield %158 : f32
  } -> tensor<1x61x1xf32>
  %159 = tensor.empty() : tensor<1x61x1xf32>
  %160 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<1x61x1xf32>) outs(%159 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %161 = arith.truncf %cst_2 : f64 to f32
    %162 = arith.addf %in, %161 : f32
    linalg.yield %162 : f32
  } -> tensor<1x61x1xf32>
  %163 = tensor.empty() : tensor<1x61x1xf32>
  %164 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<1x61x1xf32>) outs(%163 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %165 = math.rsqrt %in : f32
    linalg.yield %165 : f32
  } -> tensor<1x61x1xf32>
  %166 = tensor.empty() : tensor<1x61x24xf32>
  %167 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %164 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%166 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %168 = arith.mulf %in, %in_1 : f32
    linalg.yield %168 : f32
  } -> tensor<1x61x24xf32>
  %169 = tensor.empty() : tensor<1x61x24xf32>
  %170 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %ln2_g : tensor<1x61x24xf32>, tensor<24xf32>) outs(%169 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %171 = arith.mulf %in, %in_1 : f32
    linalg.yield %171 : f32
  } -> tensor<1x61x24xf32>
  %172 = tensor.empty() : tensor<1x61x24xf32>
  %173 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170, %ln2_b : tensor<1x61x24xf32>, tensor<24xf32>) outs(%172 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %174 = arith.addf %in, %in_1 : f32
    linalg.yield %174 : f32
  } -> tensor<1x61x24xf32>
  %175 = tensor.empty() : tensor<24x32xf32>
  %176 = linalg.transpose ins(%w_fc : tensor<32x24xf32>) outs(%175 : tensor<24x32xf32>) permutation = [1, 0]
  %177 = tensor.empty() : tensor<1x24x32xf32>
  %178 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<24x32xf32>) outs(%177 : tensor<1x24x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x32xf32>
  %179 = tensor.empty() : tensor<1x61x32xf32>
  %180 = linalg.fill ins(%cst : f32) outs(%179 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %181 = linalg.batch_matmul ins(%173, %178 : tensor<1x61x24xf32>, tensor<1x24x32xf32>) outs(%180 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %182 = tensor.empty() : tensor<1x61x32xf32>
  %183 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %b_fc : tensor<1x61x32xf32>, tensor<32xf32>) outs(%182 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %184 = arith.addf %in, %in_1 : f32
    linalg.yield %184 : f32
  } -> tensor<1x61x32xf32>
  %185 = tensor.empty() : tensor<1x61x32xf32>
  %186 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<1x61x32xf32>) outs(%185 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %187 = arith.mulf %in, %in : f32
    %188 = arith.mulf %187, %in : f32
    %189 = arith.mulf %188, %cst_6 : f32
    %190 = arith.addf %in, %189 : f32
    %191 = arith.mulf %190, %cst_7 : f32
    %192 = math.tanh %191 : f32
    %193 = arith.mulf %in, %cst_8 : f32
    %194 = arith.addf %192, %cst_9 : f32
    %195 = arith.mulf %193, %194 : f32
    linalg.yield %195 : f32
  } -> tensor<1x61x32xf32>
  %196 = tensor.empty() : tensor<32x24xf32>
  %197 = linalg.transpose ins(%w_proj : tensor<24x32xf32>) outs(%196 : tensor<32x24xf32>) permutation = [1, 0]
  %198 = tensor.empty() : tensor<1x32x24xf32>
  %199 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<32x24xf32>) outs(%198 : tensor<1x32x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x24xf32>
  %200 = tensor.empty() : tensor<1x61x24xf32>
  %201 = linalg.fill ins(%cst : f32) outs(%200 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %202 = linalg.batch_matmul ins(%186, %199 : tensor<1x61x32xf32>, tensor<1x32x24xf32>) outs(%201 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %203 = tensor.empty() : tensor<1x61x24xf32>
  %204 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%202, %b_proj : tensor<1x61x24xf32>, tensor<24xf32>) outs(%203 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %205 = arith.addf %in, %in_1 : f32
    linalg.yield %205 : f32
  } -> tensor<1x61x24xf32>
  %206 = tensor.empty() : tensor<1x61x24xf32>
  %207 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %204 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%206 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %208 = arith.addf %in, %in_1 : f32
    linalg.yield %208 : f32
  } -> tensor<1x61x24xf32>
  return %207 : tensor<1x61x24xf32>
}
