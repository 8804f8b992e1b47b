// A block of BERT: a padding mask that is added, LayerNorm behind attention and MLP.
// examples/blocks/bert.mlir has it in f16 and its own size. Scores of a quarter of
// their size would be too large a buffer.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=40000 --max-kernels=9 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @bert_block(%x: tensor<1x61x24xf32>,
                      %mask: tensor<1x1x1x61xf32> {check.draw = "mask 0.3"},
                      %w_q: tensor<24x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_q: tensor<24xf32>,
                      %w_k: tensor<24x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_k: tensor<24xf32>,
                      %w_v: tensor<24x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_v: tensor<24xf32>,
                      %w_o: tensor<24x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_o: tensor<24xf32>,
                      %ln1_g: tensor<24xf32>,
                      %ln1_b: tensor<24xf32>,
                      %w_1: tensor<32x24xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_1: tensor<32xf32>,
                      %w_2: tensor<24x32xf32> {check.draw = "uniform -0.408 0.408"},
                      %b_2: tensor<24xf32>,
                      %ln2_g: tensor<24xf32>,
                      %ln2_b: tensor<24xf32>) -> tensor<1x61x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 3.53553390593273786e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant 2.40000000000000000e+01 : f64
  %cst_5 = arith.constant 1.00000000000000008e-05 : f64
  %cst_6 = arith.constant 7.071068e-01 : f32
  %cst_7 = arith.constant 5.000000e-01 : f32
  %cst_8 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x24xf32>
  %1 = linalg.transpose ins(%w_q : tensor<24x24xf32>) outs(%0 : tensor<24x24xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<1x24x24xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<24x24xf32>) outs(%2 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %4 = tensor.empty() : tensor<1x61x24xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %6 = linalg.batch_matmul ins(%x, %3 : tensor<1x61x24xf32>, tensor<1x24x24xf32>) outs(%5 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %7 = tensor.empty() : tensor<1x61x24xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %b_q : tensor<1x61x24xf32>, tensor<24xf32>) outs(%7 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %9 = arith.addf %in, %in_1 : f32
    linalg.yield %9 : f32
  } -> tensor<1x61x24xf32>
  %10 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [1, 61, 3, 8] : tensor<1x61x24xf32> into tensor<1x61x3x8xf32>
  %11 = tensor.empty() : tensor<1x3x61x8xf32>
  %12 = linalg.transpose ins(%10 : tensor<1x61x3x8xf32>) outs(%11 : tensor<1x3x61x8xf32>) permutation = [0, 2, 1, 3]
  %13 = tensor.empty() : tensor<24x24xf32>
  %14 = linalg.transpose ins(%w_k : tensor<24x24xf32>) outs(%13 : tensor<24x24xf32>) permutation = [1, 0]
  %15 = tensor.empty() : tensor<1x24x24xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<24x24xf32>) outs(%15 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %17 = tensor.empty() : tensor<1x61x24xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %19 = linalg.batch_matmul ins(%x, %16 : tensor<1x61x24xf32>, tensor<1x24x24xf32>) outs(%18 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %20 = tensor.empty() : tensor<1x61x24xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %b_k : tensor<1x61x24xf32>, tensor<24xf32>) outs(%20 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %22 = arith.addf %in, %in_1 : f32
    linalg.yield %22 : f32
  } -> tensor<1x61x24xf32>
  %23 = tensor.expand_shape %21 [[0], [1], [2, 3]] output_shape [1, 61, 3, 8] : tensor<1x61x24xf32> into tensor<1x61x3x8xf32>
  %24 = tensor.empty() : tensor<1x3x61x8xf32>
  %25 = linalg.transpose ins(%23 : tensor<1x61x3x8xf32>) outs(%24 : tensor<1x3x61x8xf32>) permutation = [0, 2, 1, 3]
  %26 = tensor.empty() : tensor<24x24xf32>
  %27 = linalg.transpose ins(%w_v : tensor<24x24xf32>) outs(%26 : tensor<24x24xf32>) permutation = [1, 0]
  %28 = tensor.empty() : tensor<1x24x24xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<24x24xf32>) outs(%28 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %30 = tensor.empty() : tensor<1x61x24xf32>
  %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %32 = linalg.batch_matmul ins(%x, %29 : tensor<1x61x24xf32>, tensor<1x24x24xf32>) outs(%31 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %33 = tensor.empty() : tensor<1x61x24xf32>
  %34 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %b_v : tensor<1x61x24xf32>, tensor<24xf32>) outs(%33 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.addf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x61x24xf32>
  %36 = tensor.expand_shape %34 [[0], [1], [2, 3]] output_shape [1, 61, 3, 8] : tensor<1x61x24xf32> into tensor<1x61x3x8xf32>
  %37 = tensor.empty() : tensor<1x3x61x8xf32>
  %38 = linalg.transpose ins(%36 : tensor<1x61x3x8xf32>) outs(%37 : tensor<1x3x61x8xf32>) permutation = [0, 2, 1, 3]
  %39 = tensor.empty() : tensor<1x3x8x61xf32>
  %40 = linalg.transpose ins(%25 : tensor<1x3x61x8xf32>) outs(%39 : tensor<1x3x8x61xf32>) permutation = [0, 1, 3, 2]
  %41 = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<1x3x61x8xf32> into tensor<3x61x8xf32>
  %42 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x3x8x61xf32> into tensor<3x8x61xf32>
  %43 = tensor.empty() : tensor<3x61x61xf32>
  %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<3x61x61xf32>) -> tensor<3x61x61xf32>
  %45 = linalg.batch_matmul ins(%41, %42 : tensor<3x61x8xf32>, tensor<3x8x61xf32>) outs(%44 : tensor<3x61x61xf32>) -> tensor<3x61x61xf32>
  %46 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 3, 61, 61] : tensor<3x61x61xf32> into tensor<1x3x61x61xf32>
  %47 = tensor.empty() : tensor<1x3x61x61xf32>
  %48 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x3x61x61xf32>) outs(%47 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %49 = arith.truncf %cst_1 : f64 to f32
    %50 = arith.mulf %in, %49 : f32
    linalg.yield %50 : f32
  } -> tensor<1x3x61x61xf32>
  %51 = tensor.empty() : tensor<1x3x61x61xf32>
  %52 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %mask : tensor<1x3x61x61xf32>, tensor<1x1x1x61xf32>) outs(%51 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %53 = arith.addf %in, %in_1 : f32
    linalg.yield %53 : f32
  } -> tensor<1x3x61x61xf32>
  %54 = tensor.empty() : tensor<1x3x61xi64>
  %55 = linalg.fill ins(%cst_2 : i64) outs(%54 : tensor<1x3x61xi64>) -> tensor<1x3x61xi64>
  %56 = tensor.empty() : tensor<1x3x61xf32>
  %57 = linalg.fill ins(%cst_3 : f32) outs(%56 : tensor<1x3x61xf32>) -> tensor<1x3x61xf32>
  %58:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x3x61x61xf32>) outs(%57, %55 : tensor<1x3x61xf32>, tensor<1x3x61xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %59 = linalg.index 3 : index
    %60 = arith.index_cast %59 : index to i64
    %61 = arith.maximumf %in, %out : f32
    %62 = arith.cmpf ogt, %in, %out : f32
    %63 = arith.select %62, %60, %out_1 : i64
    linalg.yield %61, %63 : f32, i64
  } -> (tensor<1x3x61xf32>, tensor<1x3x61xi64>)
  %64 = tensor.expand_shape %58#0 [[0], [1], [2, 3]] output_shape [1, 3, 61, 1] : tensor<1x3x61xf32> into tensor<1x3x61x1xf32>
  %65 = tensor.empty() : tensor<1x3x61x61xf32>
  %66 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %64 : tensor<1x3x61x61xf32>, tensor<1x3x61x1xf32>) outs(%65 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %67 = arith.subf %in, %in_1 : f32
    linalg.yield %67 : f32
  } -> tensor<1x3x61x61xf32>
  %68 = tensor.empty() : tensor<1x3x61x61xf32>
  %69 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<1x3x61x61xf32>) outs(%68 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %70 = math.exp %in : f32
    linalg.yield %70 : f32
  } -> tensor<1x3x61x61xf32>
  %71 = tensor.empty() : tensor<1x3x61x1xf32>
  %72 = linalg.fill ins(%cst : f32) outs(%71 : tensor<1x3x61x1xf32>) -> tensor<1x3x61x1xf32>
  %73 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<1x3x61x61xf32>) outs(%72 : tensor<1x3x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %74 = arith.addf %in, %out : f32
    linalg.yield %74 : f32
  } -> tensor<1x3x61x1xf32>
  %75 = tensor.empty() : tensor<1x3x61x61xf32>
  %76 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %73 : tensor<1x3x61x61xf32>, tensor<1x3x61x1xf32>) outs(%75 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %77 = arith.divf %in, %in_1 : f32
    linalg.yield %77 : f32
  } -> tensor<1x3x61x61xf32>
  %78 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<1x3x61x61xf32> into tensor<3x61x61xf32>
  %79 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x3x61x8xf32> into tensor<3x61x8xf32>
  %80 = tensor.empty() : tensor<3x61x8xf32>
  %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<3x61x8xf32>) -> tensor<3x61x8xf32>
  %82 = linalg.batch_matmul ins(%78, %79 : tensor<3x61x61xf32>, tensor<3x61x8xf32>) outs(%81 : tensor<3x61x8xf32>) -> tensor<3x61x8xf32>
  %83 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [1, 3, 61, 8] : tensor<3x61x8xf32> into tensor<1x3x61x8xf32>
  %84 = tensor.empty() : tensor<1x61x3x8xf32>
  %85 = linalg.transpose ins(%83 : tensor<1x3x61x8xf32>) outs(%84 : tensor<1x61x3x8xf32>) permutation = [0, 2, 1, 3]
  %86 = tensor.collapse_shape %85 [[0], [1], [2, 3]] : tensor<1x61x3x8xf32> into tensor<1x61x24xf32>
  %87 = tensor.empty() : tensor<24x24xf32>
  %88 = linalg.transpose ins(%w_o : tensor<24x24xf32>) outs(%87 : tensor<24x24xf32>) permutation = [1, 0]
  %89 = tensor.empty() : tensor<1x24x24xf32>
  %90 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<24x24xf32>) outs(%89 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %91 = tensor.empty() : tensor<1x61x24xf32>
  %92 = linalg.fill ins(%cst : f32) outs(%91 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %93 = linalg.batch_matmul ins(%86, %90 : tensor<1x61x24xf32>, tensor<1x24x24xf32>) outs(%92 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %94 = tensor.empty() : tensor<1x61x24xf32>
  %95 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %b_o : tensor<1x61x24xf32>, tensor<24xf32>) outs(%94 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %96 = arith.addf %in, %in_1 : f32
    linalg.yield %96 : f32
  } -> tensor<1x61x24xf32>
  %97 = tensor.empty() : tensor<1x61x24xf32>
  %98 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %95 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%97 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %99 = arith.addf %in, %in_1 : f32
    linalg.yield %99 : f32
  } -> tensor<1x61x24xf32>
  %100 = tensor.empty() : tensor<1x61x1xf32>
  %101 = linalg.fill ins(%cst : f32) outs(%100 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %102 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98 : tensor<1x61x24xf32>) outs(%101 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %103 = arith.addf %in, %out : f32
    linalg.yield %103 : f32
  } -> tensor<1x61x1xf32>
  %104 = tensor.empty() : tensor<1x61x1xf32>
  %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<1x61x1xf32>) outs(%104 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.truncf %cst_4 : f64 to f32
    %107 = arith.divf %in, %106 : f32
    linalg.yield %107 : f32
  } -> tensor<1x61x1xf32>
  %108 = tensor.empty() : tensor<1x61x24xf32>
  %109 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %105 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%108 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %110 = arith.subf %in, %in_1 : f32
    linalg.yield %110 : f32
  } -> tensor<1x61x24xf32>
  %111 = tensor.empty() : tensor<1x61x24xf32>
  %112 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %109 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%111 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %113 = arith.mulf %in, %in_1 : f32
    linalg.yield %113 : f32
  } -> tensor<1x61x24xf32>
  %114 = tensor.empty() : tensor<1x61x1xf32>
  %115 = linalg.fill ins(%cst : f32) outs(%114 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %116 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%112 : tensor<1x61x24xf32>) outs(%115 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %117 = arith.addf %in, %out : f32
    linalg.yield %117 : f32
  } -> tensor<1x61x1xf32>
  %118 = tensor.empty() : tensor<1x61x1xf32>
  %119 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<1x61x1xf32>) outs(%118 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %120 = arith.truncf %cst_4 : f64 to f32
    %121 = arith.divf %in, %120 : f32
    linalg.yield %121 : f32
  } -> tensor<1x61x1xf32>
  %122 = tensor.empty() : tensor<1x61x1xf32>
  %123 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<1x61x1xf32>) outs(%122 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %124 = arith.truncf %cst_5 : f64 to f32
    %125 = arith.addf %in, %124 : f32
    linalg.yield %125 : f32
  } -> tensor<1x61x1xf32>
  %126 = tensor.empty() : tensor<1x61x1xf32>
  %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<1x61x1xf32>) outs(%126 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %128 = math.rsqrt %in : f32
    linalg.yield %128 : f32
  } -> tensor<1x61x1xf32>
  %129 = tensor.empty() : tensor<1x61x24xf32>
  %130 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %127 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%129 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %131 = arith.mulf %in, %in_1 : f32
    linalg.yield %131 : f32
  } -> tensor<1x61x24xf32>
  %132 = tensor.empty() : tensor<1x61x24xf32>
  %133 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130, %ln1_g : tensor<1x61x24xf32>, tensor<24xf32>) outs(%132 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %134 = arith.mulf %in, %in_1 : f32
    linalg.yield %134 : f32
  } -> tensor<1x61x24xf32>
  %135 = tensor.empty() : tensor<1x61x24xf32>
  %136 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %ln1_b : tensor<1x61x24xf32>, tensor<24xf32>) outs(%135 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %137 = arith.addf %in, %in_1 : f32
    linalg.yield %137 : f32
  } -> tensor<1x61x24xf32>
  %138 = tensor.empty() : tensor<24x32xf32>
  %139 = linalg.transpose ins(%w_1 : tensor<32x24xf32>) outs(%138 : tensor<24x32xf32>) permutation = [1, 0]
  %140 = tensor.empty() : tensor<1x24x32xf32>
  %141 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<24x32xf32>) outs(%140 : tensor<1x24x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x32xf32>
  %142 = tensor.empty() : tensor<1x61x32xf32>
  %143 = linalg.fill ins(%cst : f32) outs(%142 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %144 = linalg.batch_matmul ins(%136, %141 : tensor<1x61x24xf32>, tensor<1x24x32xf32>) outs(%143 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %145 = tensor.empty() : tensor<1x61x32xf32>
  %146 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %b_1 : tensor<1x61x32xf32>, tensor<32xf32>) outs(%145 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %147 = arith.addf %in, %in_1 : f32
    linalg.yield %147 : f32
  } -> tensor<1x61x32xf32>
  %148 = tensor.empty() : tensor<1x61x32xf32>
  %149 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<1x61x32xf32>) outs(%148 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %150 = arith.mulf %in, %cst_6 : f32
    %151 = math.erf %150 : f32
    %152 = arith.mulf %in, %cst_7 : f32
    %153 = arith.addf %151, %cst_8 : f32
    %154 = arith.mulf %152, %153 : f32
    linalg.yield %154 : f32
  } -> tensor<1x61x32xf32>
  %155 = tensor.empty() : tensor<32x24xf32>
  %156 = linalg.transpose ins(%w_2 : tensor<24x32xf32>) outs(%155 : tensor<32x24xf32>) permutation = [1, 0]
  %157 = tensor.empty() : tensor<1x32x24xf32>
  %158 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<32x24xf32>) outs(%157 : tensor<1x32x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x24xf32>
  %159 = tensor.empty() : tensor<1x61x24xf32>
  %160 = linalg.fill ins(%cst : f32) outs(%159 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %161 = linalg.batch_matmul ins(%149, %158 : tensor<1x61x32xf32>, tensor<1x32x24xf32>) outs(%160 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %162 = tensor.empty() : tensor<1x61x24xf32>
  %163 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %b_2 : tensor<1x61x24xf32>, tensor<24xf32>) outs(%162 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %164 = arith.addf %in, %in_1 : f32
    linalg.yield %164 : f32
  } -> tensor<1x61x24xf32>
  %165 = tensor.empty() : tensor<1x61x24xf32>
  %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %163 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%165 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %167 = arith.addf %in, %in_1 : f32
    linalg.yield %167 : f32
  } -> tensor<1x61x24xf32>
  %168 = tensor.empty() : tensor<1x61x1xf32>
  %169 = linalg.fill ins(%cst : f32) outs(%168 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %170 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%166 : tensor<1x61x24xf32>) outs(%169 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %171 = arith.addf %in, %out : f32
    linalg.yield %171 : f32
  } -> tensor<1x61x1xf32>
  %172 = tensor.empty() : tensor<1x61x1xf32>
  %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170 : tensor<1x61x1xf32>) outs(%172 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %174 = arith.truncf %cst_4 : f64 to f32
    %175 = arith.divf %in, %174 : f32
    linalg.yield %175 : f32
  } -> tensor<1x61x1xf32>
  %176 = tensor.empty() : tensor<1x61x24xf32>
  %177 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %173 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%176 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %178 = arith.subf %in, %in_1 : f32
    linalg.yield %178 : f32
  } -> tensor<1x61x24xf32>
  %179 = tensor.empty() : tensor<1x61x24xf32>
  %180 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %177 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%179 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %181 = arith.mulf %in, %in_1 : f32
    linalg.yield %181 : f32
  } -> tensor<1x61x24xf32>
  %182 = tensor.empty() : tensor<1x61x1xf32>
  %183 = linalg.fill ins(%cst : f32) outs(%182 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %184 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%180 : tensor<1x61x24xf32>) outs(%183 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %185 = arith.addf %in, %out : f32
    linalg.yield %185 : f32
  } -> tensor<1x61x1xf32>
  %186 = tensor.empty() : tensor<1x61x1xf32>
  %187 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<1x61x1xf32>) outs(%186 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %188 = arith.truncf %cst_4 : f64 to f32
    %189 = arith.divf %in, %188 : f32
    linalg.yield %189 : f32
  } -> tensor<1x61x1xf32>
  %190 = tensor.empty() : tensor<1x61x1xf32>
  %191 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<1x61x1xf32>) outs(%190 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %192 = arith.truncf %cst_5 : f64 to f32
    %193 = arith.addf %in, %192 : f32
    linalg.yield %193 : f32
  } -> tensor<1x61x1xf32>
  %194 = tensor.empty() : tensor<1x61x1xf32>
  %195 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191 : tensor<1x61x1xf32>) outs(%194 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %196 = math.rsqrt %in : f32
    linalg.yield %196 : f32
  } -> tensor<1x61x1xf32>
  %197 = tensor.empty() : tensor<1x61x24xf32>
  %198 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %195 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%197 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %199 = arith.mulf %in, %in_1 : f32
    linalg.yield %199 : f32
  } -> tensor<1x61x24xf32>
  %200 = tensor.empty() : tensor<1x61x24xf32>
  %201 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198, %ln2_g : tensor<1x61x24xf32>, tensor<24xf32>) outs(%200 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %202 = arith.mulf %in, %in_1 : f32
    linalg.yield %202 : f32
  } -> tensor<1x61x24xf32>
  %203 = tensor.empty() : tensor<1x61x24xf32>
  %204 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201, %ln2_b : tensor<1x61x24xf32>, tensor<24xf32>) outs(%203 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %205 = arith.addf %in, %in_1 : f32
    linalg.yield %205 : f32
  } -> tensor<1x61x24xf32>
  return %204 : tensor<1x61x24xf32>
}
