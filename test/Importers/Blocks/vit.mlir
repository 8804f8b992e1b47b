// A block of a ViT: packed projections that are permuted and selected.
// examples/blocks/vit.mlir has it in f16 and its own size. Scores of a quarter of
// their size would be too large a buffer.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=40000 --max-kernels=7 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @vit_block(%x: tensor<1x61x24xf32>,
                     %ln1_g: tensor<24xf32>,
                     %ln1_b: tensor<24xf32>,
                     %w_qkv: tensor<72x24xf32> {check.draw = "uniform -0.408 0.408"},
                     %b_qkv: tensor<72xf32>,
                     %w_o: tensor<24x24xf32> {check.draw = "uniform -0.408 0.408"},
                     %b_o: tensor<24xf32>,
                     %ln2_g: tensor<24xf32>,
                     %ln2_b: tensor<24xf32>,
                     %w_1: tensor<32x24xf32> {check.draw = "uniform -0.408 0.408"},
                     %b_1: tensor<32xf32>,
                     %w_2: tensor<24x32xf32> {check.draw = "uniform -0.408 0.408"},
                     %b_2: tensor<24xf32>) -> tensor<1x61x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.40000000000000000e+01 : f64
  %cst_2 = arith.constant 1.00000000000000008e-05 : f64
  %cst_3 = arith.constant 3.53553390593273786e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %cst_6 = arith.constant 7.071068e-01 : f32
  %cst_7 = arith.constant 5.000000e-01 : f32
  %cst_8 = arith.constant 1.000000e+00 : f32
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
  %48 = tensor.expand_shape %46 [[0], [1], [2, 3, 4]] output_shape [1, 61, 3, 3, 8] : tensor<1x61x72xf32> into tensor<1x61x3x3x8xf32>
  %49 = tensor.empty() : tensor<3x1x3x61x8xf32>
  %50 = linalg.transpose ins(%48 : tensor<1x61x3x3x8xf32>) outs(%49 : tensor<3x1x3x61x8xf32>) permutation = [2, 0, 3, 1, 4]
  %51 = tensor.extract_slice %50[0, 0, 0, 0, 0] [1, 1, 3, 61, 8] [1, 1, 1, 1, 1] : tensor<3x1x3x61x8xf32> to tensor<1x3x61x8xf32>
  %52 = tensor.extract_slice %50[1, 0, 0, 0, 0] [1, 1, 3, 61, 8] [1, 1, 1, 1, 1] : tensor<3x1x3x61x8xf32> to tensor<1x3x61x8xf32>
  %53 = tensor.extract_slice %50[2, 0, 0, 0, 0] [1, 1, 3, 61, 8] [1, 1, 1, 1, 1] : tensor<3x1x3x61x8xf32> to tensor<1x3x61x8xf32>
  %54 = tensor.empty() : tensor<1x3x8x61xf32>
  %55 = linalg.transpose ins(%52 : tensor<1x3x61x8xf32>) outs(%54 : tensor<1x3x8x61xf32>) permutation = [0, 1, 3, 2]
  %56 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x3x61x8xf32> into tensor<3x61x8xf32>
  %57 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x3x8x61xf32> into tensor<3x8x61xf32>
  %58 = tensor.empty() : tensor<3x61x61xf32>
  %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<3x61x61xf32>) -> tensor<3x61x61xf32>
  %60 = linalg.batch_matmul ins(%56, %57 : tensor<3x61x8xf32>, tensor<3x8x61xf32>) outs(%59 : tensor<3x61x61xf32>) -> tensor<3x61x61xf32>
  %61 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 3, 61, 61] : tensor<3x61x61xf32> into tensor<1x3x61x61xf32>
  %62 = tensor.empty() : tensor<1x3x61x61xf32>
  %63 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x3x61x61xf32>) outs(%62 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %64 = arith.truncf %cst_3 : f64 to f32
    %65 = arith.mulf %in, %64 : f32
    linalg.yield %65 : f32
  } -> tensor<1x3x61x61xf32>
  %66 = tensor.empty() : tensor<1x3x61xi64>
  %67 = linalg.fill ins(%cst_4 : i64) outs(%66 : tensor<1x3x61xi64>) -> tensor<1x3x61xi64>
  %68 = tensor.empty() : tensor<1x3x61xf32>
  %69 = linalg.fill ins(%cst_5 : f32) outs(%68 : tensor<1x3x61xf32>) -> tensor<1x3x61xf32>
  %70:2 = linalg.generic {indexing_maps = [#map4, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x3x61x61xf32>) outs(%69, %67 : tensor<1x3x61xf32>, tensor<1x3x61xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %71 = linalg.index 3 : index
    %72 = arith.index_cast %71 : index to i64
    %73 = arith.maximumf %in, %out : f32
    %74 = arith.cmpf ogt, %in, %out : f32
    %75 = arith.select %74, %72, %out_1 : i64
    linalg.yield %73, %75 : f32, i64
  } -> (tensor<1x3x61xf32>, tensor<1x3x61xi64>)
  %76 = tensor.expand_shape %70#0 [[0], [1], [2, 3]] output_shape [1, 3, 61, 1] : tensor<1x3x61xf32> into tensor<1x3x61x1xf32>
  %77 = tensor.empty() : tensor<1x3x61x61xf32>
  %78 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %76 : tensor<1x3x61x61xf32>, tensor<1x3x61x1xf32>) outs(%77 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %79 = arith.subf %in, %in_1 : f32
    linalg.yield %79 : f32
  } -> tensor<1x3x61x61xf32>
  %80 = tensor.empty() : tensor<1x3x61x61xf32>
  %81 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x3x61x61xf32>) outs(%80 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %out: f32):
    %82 = math.exp %in : f32
    linalg.yield %82 : f32
  } -> tensor<1x3x61x61xf32>
  %83 = tensor.empty() : tensor<1x3x61x1xf32>
  %84 = linalg.fill ins(%cst : f32) outs(%83 : tensor<1x3x61x1xf32>) -> tensor<1x3x61x1xf32>
  %85 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%81 : tensor<1x3x61x61xf32>) outs(%84 : tensor<1x3x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %86 = arith.addf %in, %out : f32
    linalg.yield %86 : f32
  } -> tensor<1x3x61x1xf32>
  %87 = tensor.empty() : tensor<1x3x61x61xf32>
  %88 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %85 : tensor<1x3x61x61xf32>, tensor<1x3x61x1xf32>) outs(%87 : tensor<1x3x61x61xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %89 = arith.divf %in, %in_1 : f32
    linalg.yield %89 : f32
  } -> tensor<1x3x61x61xf32>
  %90 = tensor.collapse_shape %88 [[0, 1], [2], [3]] : tensor<1x3x61x61xf32> into tensor<3x61x61xf32>
  %91 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x3x61x8xf32> into tensor<3x61x8xf32>
  %92 = tensor.empty() : tensor<3x61x8xf32>
  %93 = linalg.fill ins(%cst : f32) outs(%92 : tensor<3x61x8xf32>) -> tensor<3x61x8xf32>
  %94 = linalg.batch_matmul ins(%90, %91 : tensor<3x61x61xf32>, tensor<3x61x8xf32>) outs(%93 : tensor<3x61x8xf32>) -> tensor<3x61x8xf32>
  %95 = tensor.expand_shape %94 [[0, 1], [2], [3]] output_shape [1, 3, 61, 8] : tensor<3x61x8xf32> into tensor<1x3x61x8xf32>
  %96 = tensor.empty() : tensor<1x61x3x8xf32>
  %97 = linalg.transpose ins(%95 : tensor<1x3x61x8xf32>) outs(%96 : tensor<1x61x3x8xf32>) permutation = [0, 2, 1, 3]
  %98 = tensor.collapse_shape %97 [[0], [1], [2, 3]] : tensor<1x61x3x8xf32> into tensor<1x61x24xf32>
  %99 = tensor.empty() : tensor<24x24xf32>
  %100 = linalg.transpose ins(%w_o : tensor<24x24xf32>) outs(%99 : tensor<24x24xf32>) permutation = [1, 0]
  %101 = tensor.empty() : tensor<1x24x24xf32>
  %102 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<24x24xf32>) outs(%101 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %103 = tensor.empty() : tensor<1x61x24xf32>
  %104 = linalg.fill ins(%cst : f32) outs(%103 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %105 = linalg.batch_matmul ins(%98, %102 : tensor<1x61x24xf32>, tensor<1x24x24xf32>) outs(%104 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %106 = tensor.empty() : tensor<1x61x24xf32>
  %107 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %b_o : tensor<1x61x24xf32>, tensor<24xf32>) outs(%106 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %108 = arith.addf %in, %in_1 : f32
    linalg.yield %108 : f32
  } -> tensor<1x61x24xf32>
  %109 = tensor.empty() : tensor<1x61x24xf32>
  %110 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %107 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%109 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %111 = arith.addf %in, %in_1 : f32
    linalg.yield %111 : f32
  } -> tensor<1x61x24xf32>
  %112 = tensor.empty() : tensor<1x61x1xf32>
  %113 = linalg.fill ins(%cst : f32) outs(%112 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %114 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%110 : tensor<1x61x24xf32>) outs(%113 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %115 = arith.addf %in, %out : f32
    linalg.yield %115 : f32
  } -> tensor<1x61x1xf32>
  %116 = tensor.empty() : tensor<1x61x1xf32>
  %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<1x61x1xf32>) outs(%116 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %118 = arith.truncf %cst_1 : f64 to f32
    %119 = arith.divf %in, %118 : f32
    linalg.yield %119 : f32
  } -> tensor<1x61x1xf32>
  %120 = tensor.empty() : tensor<1x61x24xf32>
  %121 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %117 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%120 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %122 = arith.subf %in, %in_1 : f32
    linalg.yield %122 : f32
  } -> tensor<1x61x24xf32>
  %123 = tensor.empty() : tensor<1x61x24xf32>
  %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %121 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%123 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %125 = arith.mulf %in, %in_1 : f32
    linalg.yield %125 : f32
  } -> tensor<1x61x24xf32>
  %126 = tensor.empty() : tensor<1x61x1xf32>
  %127 = linalg.fill ins(%cst : f32) outs(%126 : tensor<1x61x1xf32>) -> tensor<1x61x1xf32>
  %128 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%124 : tensor<1x61x24xf32>) outs(%127 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %129 = arith.addf %in, %out : f32
    linalg.yield %129 : f32
  } -> tensor<1x61x1xf32>
  %130 = tensor.empty() : tensor<1x61x1xf32>
  %131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<1x61x1xf32>) outs(%130 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %132 = arith.truncf %cst_1 : f64 to f32
    %133 = arith.divf %in, %132 : f32
    linalg.yield %133 : f32
  } -> tensor<1x61x1xf32>
  %134 = tensor.empty() : tensor<1x61x1xf32>
  %135 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x61x1xf32>) outs(%134 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %136 = arith.truncf %cst_2 : f64 to f32
    %137 = arith.addf %in, %136 : f32
    linalg.yield %137 : f32
  } -> tensor<1x61x1xf32>
  %138 = tensor.empty() : tensor<1x61x1xf32>
  %139 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<1x61x1xf32>) outs(%138 : tensor<1x61x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %140 = math.rsqrt %in : f32
    linalg.yield %140 : f32
  } -> tensor<1x61x1xf32>
  %141 = tensor.empty() : tensor<1x61x24xf32>
  %142 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %139 : tensor<1x61x24xf32>, tensor<1x61x1xf32>) outs(%141 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %143 = arith.mulf %in, %in_1 : f32
    linalg.yield %143 : f32
  } -> tensor<1x61x24xf32>
  %144 = tensor.empty() : tensor<1x61x24xf32>
  %145 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %ln2_g : tensor<1x61x24xf32>, tensor<24xf32>) outs(%144 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %146 = arith.mulf %in, %in_1 : f32
    linalg.yield %146 : f32
  } -> tensor<1x61x24xf32>
  %147 = tensor.empty() : tensor<1x61x24xf32>
  %148 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145, %ln2_b : tensor<1x61x24xf32>, tensor<24xf32>) outs(%147 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %149 = arith.addf %in, %in_1 : f32
    linalg.yield %149 : f32
  } -> tensor<1x61x24xf32>
  %150 = tensor.empty() : tensor<24x32xf32>
  %151 = linalg.transpose ins(%w_1 : tensor<32x24xf32>) outs(%150 : tensor<24x32xf32>) permutation = [1, 0]
  %152 = tensor.empty() : tensor<1x24x32xf32>
  %153 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<24x32xf32>) outs(%152 : tensor<1x24x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x32xf32>
  %154 = tensor.empty() : tensor<1x61x32xf32>
  %155 = linalg.fill ins(%cst : f32) outs(%154 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %156 = linalg.batch_matmul ins(%148, %153 : tensor<1x61x24xf32>, tensor<1x24x32xf32>) outs(%155 : tensor<1x61x32xf32>) -> tensor<1x61x32xf32>
  %157 = tensor.empty() : tensor<1x61x32xf32>
  %158 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156, %b_1 : tensor<1x61x32xf32>, tensor<32xf32>) outs(%157 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %159 = arith.addf %in, %in_1 : f32
    linalg.yield %159 : f32
  } -> tensor<1x61x32xf32>
  %160 = tensor.empty() : tensor<1x61x32xf32>
  %161 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<1x61x32xf32>) outs(%160 : tensor<1x61x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %162 = arith.mulf %in, %cst_6 : f32
    %163 = math.erf %162 : f32
    %164 = arith.mulf %in, %cst_7 : f32
    %165 = arith.addf %163, %cst_8 : f32
    %166 = arith.mulf %164, %165 : f32
    linalg.yield %166 : f32
  } -> tensor<1x61x32xf32>
  %167 = tensor.empty() : tensor<32x24xf32>
  %168 = linalg.transpose ins(%w_2 : tensor<24x32xf32>) outs(%167 : tensor<32x24xf32>) permutation = [1, 0]
  %169 = tensor.empty() : tensor<1x32x24xf32>
  %170 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<32x24xf32>) outs(%169 : tensor<1x32x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x32x24xf32>
  %171 = tensor.empty() : tensor<1x61x24xf32>
  %172 = linalg.fill ins(%cst : f32) outs(%171 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %173 = linalg.batch_matmul ins(%161, %170 : tensor<1x61x32xf32>, tensor<1x32x24xf32>) outs(%172 : tensor<1x61x24xf32>) -> tensor<1x61x24xf32>
  %174 = tensor.empty() : tensor<1x61x24xf32>
  %175 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173, %b_2 : tensor<1x61x24xf32>, tensor<24xf32>) outs(%174 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %176 = arith.addf %in, %in_1 : f32
    linalg.yield %176 : f32
  } -> tensor<1x61x24xf32>
  %177 = tensor.empty() : tensor<1x61x24xf32>
  %178 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %175 : tensor<1x61x24xf32>, tensor<1x61x24xf32>) outs(%177 : tensor<1x61x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %179 = arith.addf %in, %in_1 : f32
    linalg.yield %179 : f32
  } -> tensor<1x61x24xf32>
  return %178 : tensor<1x61x24xf32>
}
