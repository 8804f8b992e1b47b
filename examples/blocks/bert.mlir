// A block of BERT: attention with a padding mask that is added, LayerNorm behind
// it, an MLP with GELU. As torch-mlir writes it, with weights as
// arguments.

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @bert_block(%x: tensor<1x512x768xf16>,
                      %mask: tensor<1x1x1x512xf16>,
                      %w_q: tensor<768x768xf16>,
                      %b_q: tensor<768xf16>,
                      %w_k: tensor<768x768xf16>,
                      %b_k: tensor<768xf16>,
                      %w_v: tensor<768x768xf16>,
                      %b_v: tensor<768xf16>,
                      %w_o: tensor<768x768xf16>,
                      %b_o: tensor<768xf16>,
                      %ln1_g: tensor<768xf16>,
                      %ln1_b: tensor<768xf16>,
                      %w_1: tensor<3072x768xf16>,
                      %b_1: tensor<3072xf16>,
                      %w_2: tensor<768x3072xf16>,
                      %b_2: tensor<768xf16>,
                      %ln2_g: tensor<768xf16>,
                      %ln2_b: tensor<768xf16>) -> tensor<1x512x768xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 1.25000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant 7.68000000000000000e+02 : f64
  %cst_5 = arith.constant 1.00000000000000008e-05 : f64
  %cst_6 = arith.constant 7.071068e-01 : f32
  %cst_7 = arith.constant 5.000000e-01 : f32
  %cst_8 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<768x768xf16>
  %1 = linalg.transpose ins(%w_q : tensor<768x768xf16>) outs(%0 : tensor<768x768xf16>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<1x768x768xf16>
  %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<768x768xf16>) outs(%2 : tensor<1x768x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x768xf16>
  %4 = tensor.empty() : tensor<1x512x768xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %6 = linalg.batch_matmul ins(%x, %3 : tensor<1x512x768xf16>, tensor<1x768x768xf16>) outs(%5 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %7 = tensor.empty() : tensor<1x512x768xf16>
  %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x512x768xf32>) outs(%7 : tensor<1x512x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %9 = arith.truncf %in : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<1x512x768xf16>
  %10 = tensor.empty() : tensor<1x512x768xf16>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %b_q : tensor<1x512x768xf16>, tensor<768xf16>) outs(%10 : tensor<1x512x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %12 = arith.addf %in, %in_1 : f16
    linalg.yield %12 : f16
  } -> tensor<1x512x768xf16>
  %13 = tensor.expand_shape %11 [[0], [1], [2, 3]] output_shape [1, 512, 12, 64] : tensor<1x512x768xf16> into tensor<1x512x12x64xf16>
  %14 = tensor.empty() : tensor<1x12x512x64xf16>
  %15 = linalg.transpose ins(%13 : tensor<1x512x12x64xf16>) outs(%14 : tensor<1x12x512x64xf16>) permutation = [0, 2, 1, 3]
  %16 = tensor.empty() : tensor<768x768xf16>
  %17 = linalg.transpose ins(%w_k : tensor<768x768xf16>) outs(%16 : tensor<768x768xf16>) permutation = [1, 0]
  %18 = tensor.empty() : tensor<1x768x768xf16>
  %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<768x768xf16>) outs(%18 : tensor<1x768x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x768xf16>
  %20 = tensor.empty() : tensor<1x512x768xf32>
  %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %22 = linalg.batch_matmul ins(%x, %19 : tensor<1x512x768xf16>, tensor<1x768x768xf16>) outs(%21 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %23 = tensor.empty() : tensor<1x512x768xf16>
  %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x512x768xf32>) outs(%23 : tensor<1x512x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %25 = arith.truncf %in : f32 to f16
    linalg.yield %25 : f16
  } -> tensor<1x512x768xf16>
  %26 = tensor.empty() : tensor<1x512x768xf16>
  %27 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %b_k : tensor<1x512x768xf16>, tensor<768xf16>) outs(%26 : tensor<1x512x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %28 = arith.addf %in, %in_1 : f16
    linalg.yield %28 : f16
  } -> tensor<1x512x768xf16>
  %29 = tensor.expand_shape %27 [[0], [1], [2, 3]] output_shape [1, 512, 12, 64] : tensor<1x512x768xf16> into tensor<1x512x12x64xf16>
  %30 = tensor.empty() : tensor<1x12x512x64xf16>
  %31 = linalg.transpose ins(%29 : tensor<1x512x12x64xf16>) outs(%30 : tensor<1x12x512x64xf16>) permutation = [0, 2, 1, 3]
  %32 = tensor.empty() : tensor<768x768xf16>
  %33 = linalg.transpose ins(%w_v : tensor<768x768xf16>) outs(%32 : tensor<768x768xf16>) permutation = [1, 0]
  %34 = tensor.empty() : tensor<1x768x768xf16>
  %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<768x768xf16>) outs(%34 : tensor<1x768x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x768xf16>
  %36 = tensor.empty() : tensor<1x512x768xf32>
  %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %38 = linalg.batch_matmul ins(%x, %35 : tensor<1x512x768xf16>, tensor<1x768x768xf16>) outs(%37 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %39 = tensor.empty() : tensor<1x512x768xf16>
  %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<1x512x768xf32>) outs(%39 : tensor<1x512x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %41 = arith.truncf %in : f32 to f16
    linalg.yield %41 : f16
  } -> tensor<1x512x768xf16>
  %42 = tensor.empty() : tensor<1x512x768xf16>
  %43 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %b_v : tensor<1x512x768xf16>, tensor<768xf16>) outs(%42 : tensor<1x512x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %44 = arith.addf %in, %in_1 : f16
    linalg.yield %44 : f16
  } -> tensor<1x512x768xf16>
  %45 = tensor.expand_shape %43 [[0], [1], [2, 3]] output_shape [1, 512, 12, 64] : tensor<1x512x768xf16> into tensor<1x512x12x64xf16>
  %46 = tensor.empty() : tensor<1x12x512x64xf16>
  %47 = linalg.transpose ins(%45 : tensor<1x512x12x64xf16>) outs(%46 : tensor<1x12x512x64xf16>) permutation = [0, 2, 1, 3]
  %48 = tensor.empty() : tensor<1x12x64x512xf16>
  %49 = linalg.transpose ins(%31 : tensor<1x12x512x64xf16>) outs(%48 : tensor<1x12x64x512xf16>) permutation = [0, 1, 3, 2]
  %50 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<1x12x512x64xf16> into tensor<12x512x64xf16>
  %51 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x12x64x512xf16> into tensor<12x64x512xf16>
  %52 = tensor.empty() : tensor<12x512x512xf32>
  %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %54 = linalg.batch_matmul ins(%50, %51 : tensor<12x512x64xf16>, tensor<12x64x512xf16>) outs(%53 : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %55 = tensor.empty() : tensor<12x512x512xf16>
  %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<12x512x512xf32>) outs(%55 : tensor<12x512x512xf16>) {
  ^bb0(%in: f32, %out: f16):
    %57 = arith.truncf %in : f32 to f16
    linalg.yield %57 : f16
  } -> tensor<12x512x512xf16>
  %58 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 12, 512, 512] : tensor<12x512x512xf16> into tensor<1x12x512x512xf16>
  %59 = tensor.empty() : tensor<1x12x512x512xf16>
  %60 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x12x512x512xf16>) outs(%59 : tensor<1x12x512x512xf16>) {
  ^bb0(%in: f16, %out: f16):
    %61 = arith.truncf %cst_1 : f64 to f16
    %62 = arith.mulf %in, %61 : f16
    linalg.yield %62 : f16
  } -> tensor<1x12x512x512xf16>
  %63 = tensor.empty() : tensor<1x12x512x512xf16>
  %64 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %mask : tensor<1x12x512x512xf16>, tensor<1x1x1x512xf16>) outs(%63 : tensor<1x12x512x512xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %65 = arith.addf %in, %in_1 : f16
    linalg.yield %65 : f16
  } -> tensor<1x12x512x512xf16>
  %66 = tensor.empty() : tensor<1x12x512x512xf32>
  %67 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x12x512x512xf16>) outs(%66 : tensor<1x12x512x512xf32>) {
  ^bb0(%in: f16, %out: f32):
    %68 = arith.extf %in : f16 to f32
    linalg.yield %68 : f32
  } -> tensor<1x12x512x512xf32>
  %69 = tensor.empty() : tensor<1x12x512xi64>
  %70 = linalg.fill ins(%cst_2 : i64) outs(%69 : tensor<1x12x512xi64>) -> tensor<1x12x512xi64>
  %71 = tensor.empty() : tensor<1x12x512xf32>
  %72 = linalg.fill ins(%cst_3 : f32) outs(%71 : tensor<1x12x512xf32>) -> tensor<1x12x512xf32>
  %73:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x12x512x512xf32>) outs(%72, %70 : tensor<1x12x512xf32>, tensor<1x12x512xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %74 = linalg.index 3 : index
    %75 = arith.index_cast %74 : index to i64
    %76 = arith.maximumf %in, %out : f32
    %77 = arith.cmpf ogt, %in, %out : f32
    %78 = arith.select %77, %75, %out_1 : i64
    linalg.yield %76, %78 : f32, i64
  } -> (tensor<1x12x512xf32>, tensor<1x12x512xi64>)
  %79 = tensor.expand_shape %73#0 [[0], [1], [2, 3]] output_shape [1, 12, 512, 1] : tensor<1x12x512xf32> into tensor<1x12x512x1xf32>
  %80 = tensor.empty() : tensor<1x12x512x512xf32>
  %81 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %79 : tensor<1x12x512x512xf32>, tensor<1x12x512x1xf32>) outs(%80 : tensor<1x12x512x512xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %82 = arith.subf %in, %in_1 : f32
    linalg.yield %82 : f32
  } -> tensor<1x12x512x512xf32>
  %83 = tensor.empty() : tensor<1x12x512x512xf32>
  %84 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x12x512x512xf32>) outs(%83 : tensor<1x12x512x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %85 = math.exp %in : f32
    linalg.yield %85 : f32
  } -> tensor<1x12x512x512xf32>
  %86 = tensor.empty() : tensor<1x12x512x1xf32>
  %87 = linalg.fill ins(%cst : f32) outs(%86 : tensor<1x12x512x1xf32>) -> tensor<1x12x512x1xf32>
  %88 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<1x12x512x512xf32>) outs(%87 : tensor<1x12x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %89 = arith.addf %in, %out : f32
    linalg.yield %89 : f32
  } -> tensor<1x12x512x1xf32>
  %90 = tensor.empty() : tensor<1x12x512x512xf32>
  %91 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %88 : tensor<1x12x512x512xf32>, tensor<1x12x512x1xf32>) outs(%90 : tensor<1x12x512x512xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %92 = arith.divf %in, %in_1 : f32
    linalg.yield %92 : f32
  } -> tensor<1x12x512x512xf32>
  %93 = tensor.empty() : tensor<1x12x512x512xf16>
  %94 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x12x512x512xf32>) outs(%93 : tensor<1x12x512x512xf16>) {
  ^bb0(%in: f32, %out: f16):
    %95 = arith.truncf %in : f32 to f16
    linalg.yield %95 : f16
  } -> tensor<1x12x512x512xf16>
  %96 = tensor.collapse_shape %94 [[0, 1], [2], [3]] : tensor<1x12x512x512xf16> into tensor<12x512x512xf16>
  %97 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x12x512x64xf16> into tensor<12x512x64xf16>
  %98 = tensor.empty() : tensor<12x512x64xf32>
  %99 = linalg.fill ins(%cst : f32) outs(%98 : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  %100 = linalg.batch_matmul ins(%96, %97 : tensor<12x512x512xf16>, tensor<12x512x64xf16>) outs(%99 : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  %101 = tensor.empty() : tensor<12x512x64xf16>
  %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<12x512x64xf32>) outs(%101 : tensor<12x512x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %103 = arith.truncf %in : f32 to f16
    linalg.yield %103 : f16
  } -> tensor<12x512x64xf16>
  %104 = tensor.expand_shape %102 [[0, 1], [2], [3]] output_shape [1, 12, 512, 64] : tensor<12x512x64xf16> into tensor<1x12x512x64xf16>
  %105 = tensor.empty() : tensor<1x512x12x64xf16>
  %106 = linalg.transpose ins(%104 : tensor<1x12x512x64xf16>) outs(%105 : tensor<1x512x12x64xf16>) permutation = [0, 2, 1, 3]
  %107 = tensor.collapse_shape %106 [[0], [1], [2, 3]] : tensor<1x512x12x64xf16> into tensor<1x512x768xf16>
  %108 = tensor.empty() : tensor<768x768xf16>
  %109 = linalg.transpose ins(%w_o : tensor<768x768xf16>) outs(%108 : tensor<768x768xf16>) permutation = [1, 0]
  %110 = tensor.empty() : tensor<1x768x768xf16>
  %111 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<768x768xf16>) outs(%110 : tensor<1x768x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x768xf16>
  %112 = tensor.empty() : tensor<1x512x768xf32>
  %113 = linalg.fill ins(%cst : f32) outs(%112 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %114 = linalg.batch_matmul ins(%107, %111 : tensor<1x512x768xf16>, tensor<1x768x768xf16>) outs(%113 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %115 = tensor.empty() : tensor<1x512x768xf16>
  %116 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<1x512x768xf32>) outs(%115 : tensor<1x512x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %117 = arith.truncf %in : f32 to f16
    linalg.yield %117 : f16
  } -> tensor<1x512x768xf16>
  %118 = tensor.empty() : tensor<1x512x768xf16>
  %119 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %b_o : tensor<1x512x768xf16>, tensor<768xf16>) outs(%118 : tensor<1x512x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %120 = arith.addf %in, %in_1 : f16
    linalg.yield %120 : f16
  } -> tensor<1x512x768xf16>
  %121 = tensor.empty() : tensor<1x512x768xf16>
  %122 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %119 : tensor<1x512x768xf16>, tensor<1x512x768xf16>) outs(%121 : tensor<1x512x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %123 = arith.addf %in, %in_1 : f16
    linalg.yield %123 : f16
  } -> tensor<1x512x768xf16>
  %124 = tensor.empty() : tensor<1x512x768xf32>
  %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x512x768xf16>) outs(%124 : tensor<1x512x768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %126 = arith.extf %in : f16 to f32
    linalg.yield %126 : f32
  } -> tensor<1x512x768xf32>
  %127 = tensor.empty() : tensor<768xf32>
  %128 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%ln1_g : tensor<768xf16>) outs(%127 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %129 = arith.extf %in : f16 to f32
    linalg.yield %129 : f32
  } -> tensor<768xf32>
  %130 = tensor.empty() : tensor<768xf32>
  %131 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%ln1_b : tensor<768xf16>) outs(%130 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %132 = arith.extf %in : f16 to f32
    linalg.yield %132 : f32
  } -> tensor<768xf32>
  %133 = tensor.empty() : tensor<1x512x1xf32>
  %134 = linalg.fill ins(%cst : f32) outs(%133 : tensor<1x512x1xf32>) -> tensor<1x512x1xf32>
  %135 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125 : tensor<1x512x768xf32>) outs(%134 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %136 = arith.addf %in, %out : f32
    linalg.yield %136 : f32
  } -> tensor<1x512x1xf32>
  %137 = tensor.empty() : tensor<1x512x1xf32>
  %138 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<1x512x1xf32>) outs(%137 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %139 = arith.truncf %cst_4 : f64 to f32
    %140 = arith.divf %in, %139 : f32
    linalg.yield %140 : f32
  } -> tensor<1x512x1xf32>
  %141 = tensor.empty() : tensor<1x512x768xf32>
  %142 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %138 : tensor<1x512x768xf32>, tensor<1x512x1xf32>) outs(%141 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %143 = arith.subf %in, %in_1 : f32
    linalg.yield %143 : f32
  } -> tensor<1x512x768xf32>
  %144 = tensor.empty() : tensor<1x512x768xf32>
  %145 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %142 : tensor<1x512x768xf32>, tensor<1x512x768xf32>) outs(%144 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %146 = arith.mulf %in, %in_1 : f32
    linalg.yield %146 : f32
  } -> tensor<1x512x768xf32>
  %147 = tensor.empty() : tensor<1x512x1xf32>
  %148 = linalg.fill ins(%cst : f32) outs(%147 : tensor<1x512x1xf32>) -> tensor<1x512x1xf32>
  %149 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%145 : tensor<1x512x768xf32>) outs(%148 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %150 = arith.addf %in, %out : f32
    linalg.yield %150 : f32
  } -> tensor<1x512x1xf32>
  %151 = tensor.empty() : tensor<1x512x1xf32>
  %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<1x512x1xf32>) outs(%151 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %153 = arith.truncf %cst_4 : f64 to f32
    %154 = arith.divf %in, %153 : f32
    linalg.yield %154 : f32
  } -> tensor<1x512x1xf32>
  %155 = tensor.empty() : tensor<1x512x1xf32>
  %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<1x512x1xf32>) outs(%155 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %157 = arith.truncf %cst_5 : f64 to f32
    %158 = arith.addf %in, %157 : f32
    linalg.yield %158 : f32
  } -> tensor<1x512x1xf32>
  %159 = tensor.empty() : tensor<1x512x1xf32>
  %160 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<1x512x1xf32>) outs(%159 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %161 = math.rsqrt %in : f32
    linalg.yield %161 : f32
  } -> tensor<1x512x1xf32>
  %162 = tensor.empty() : tensor<1x512x768xf32>
  %163 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %160 : tensor<1x512x768xf32>, tensor<1x512x1xf32>) outs(%162 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %164 = arith.mulf %in, %in_1 : f32
    linalg.yield %164 : f32
  } -> tensor<1x512x768xf32>
  %165 = tensor.empty() : tensor<1x512x768xf32>
  %166 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %128 : tensor<1x512x768xf32>, tensor<768xf32>) outs(%165 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %167 = arith.mulf %in, %in_1 : f32
    linalg.yield %167 : f32
  } -> tensor<1x512x768xf32>
  %168 = tensor.empty() : tensor<1x512x768xf32>
  %169 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %131 : tensor<1x512x768xf32>, tensor<768xf32>) outs(%168 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %170 = arith.addf %in, %in_1 : f32
    linalg.yield %170 : f32
  } -> tensor<1x512x768xf32>
  %171 = tensor.empty() : tensor<1x512x768xf16>
  %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<1x512x768xf32>) outs(%171 : tensor<1x512x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %173 = arith.truncf %in : f32 to f16
    linalg.yield %173 : f16
  } -> tensor<1x512x768xf16>
  %174 = tensor.empty() : tensor<768x3072xf16>
  %175 = linalg.transpose ins(%w_1 : tensor<3072x768xf16>) outs(%174 : tensor<768x3072xf16>) permutation = [1, 0]
  %176 = tensor.empty() : tensor<1x768x3072xf16>
  %177 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175 : tensor<768x3072xf16>) outs(%176 : tensor<1x768x3072xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x3072xf16>
  %178 = tensor.empty() : tensor<1x512x3072xf32>
  %179 = linalg.fill ins(%cst : f32) outs(%178 : tensor<1x512x3072xf32>) -> tensor<1x512x3072xf32>
  %180 = linalg.batch_matmul ins(%172, %177 : tensor<1x512x768xf16>, tensor<1x768x3072xf16>) outs(%179 : tensor<1x512x3072xf32>) -> tensor<1x512x3072xf32>
  %181 = tensor.empty() : tensor<1x512x3072xf16>
  %182 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<1x512x3072xf32>) outs(%181 : tensor<1x512x3072xf16>) {
  ^bb0(%in: f32, %out: f16):
    %183 = arith.truncf %in : f32 to f16
    linalg.yield %183 : f16
  } -> tensor<1x512x3072xf16>
  %184 = tensor.empty() : tensor<1x512x3072xf16>
  %185 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182, %b_1 : tensor<1x512x3072xf16>, tensor<3072xf16>) outs(%184 : tensor<1x512x3072xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %186 = arith.addf %in, %in_1 : f16
    linalg.yield %186 : f16
  } -> tensor<1x512x3072xf16>
  %187 = tensor.empty() : tensor<1x512x3072xf16>
  %188 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<1x512x3072xf16>) outs(%187 : tensor<1x512x3072xf16>) {
  ^bb0(%in: f16, %out: f16):
    %189 = arith.extf %in : f16 to f32
    %190 = arith.mulf %189, %cst_6 : f32
    %191 = math.erf %190 : f32
    %192 = arith.mulf %189, %cst_7 : f32
    %193 = arith.addf %191, %cst_8 : f32
    %194 = arith.mulf %192, %193 : f32
    %195 = arith.truncf %194 : f32 to f16
    linalg.yield %195 : f16
  } -> tensor<1x512x3072xf16>
  %196 = tensor.empty() : tensor<3072x768xf16>
  %197 = linalg.transpose ins(%w_2 : tensor<768x3072xf16>) outs(%196 : tensor<3072x768xf16>) permutation = [1, 0]
  %198 = tensor.empty() : tensor<1x3072x768xf16>
  %199 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<3072x768xf16>) outs(%198 : tensor<1x3072x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x3072x768xf16>
  %200 = tensor.empty() : tensor<1x512x768xf32>
  %201 = linalg.fill ins(%cst : f32) outs(%200 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %202 = linalg.batch_matmul ins(%188, %199 : tensor<1x512x3072xf16>, tensor<1x3072x768xf16>) outs(%201 : tensor<1x512x768xf32>) -> tensor<1x512x768xf32>
  %203 = tensor.empty() : tensor<1x512x768xf16>
  %204 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%202 : tensor<1x512x768xf32>) outs(%203 : tensor<1x512x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %205 = arith.truncf %in : f32 to f16
    linalg.yield %205 : f16
  } -> tensor<1x512x768xf16>
  %206 = tensor.empty() : tensor<1x512x768xf16>
  %207 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%204, %b_2 : tensor<1x512x768xf16>, tensor<768xf16>) outs(%206 : tensor<1x512x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %208 = arith.addf %in, %in_1 : f16
    linalg.yield %208 : f16
  } -> tensor<1x512x768xf16>
  %209 = tensor.empty() : tensor<1x512x768xf16>
  %210 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172, %207 : tensor<1x512x768xf16>, tensor<1x512x768xf16>) outs(%209 : tensor<1x512x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %211 = arith.addf %in, %in_1 : f16
    linalg.yield %211 : f16
  } -> tensor<1x512x768xf16>
  %212 = tensor.empty() : tensor<1x512x768xf32>
  %213 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<1x512x768xf16>) outs(%212 : tensor<1x512x768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %214 = arith.extf %in : f16 to f32
    linalg.yield %214 : f32
  } -> tensor<1x512x768xf32>
  %215 = tensor.empty() : tensor<768xf32>
  %216 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%ln2_g : tensor<768xf16>) outs(%215 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %217 = arith.extf %in : f16 to f32
    linalg.yield %217 : f32
  } -> tensor<768xf32>
  %218 = tensor.empty() : tensor<768xf32>
  %219 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%ln2_b : tensor<768xf16>) outs(%218 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %220 = arith.extf %in : f16 to f32
    linalg.yield %220 : f32
  } -> tensor<768xf32>
  %221 = tensor.empty() : tensor<1x512x1xf32>
  %222 = linalg.fill ins(%cst : f32) outs(%221 : tensor<1x512x1xf32>) -> tensor<1x512x1xf32>
  %223 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%213 : tensor<1x512x768xf32>) outs(%222 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %224 = arith.addf %in, %out : f32
    linalg.yield %224 : f32
  } -> tensor<1x512x1xf32>
  %225 = tensor.empty() : tensor<1x512x1xf32>
  %226 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223 : tensor<1x512x1xf32>) outs(%225 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %227 = arith.truncf %cst_4 : f64 to f32
    %228 = arith.divf %in, %227 : f32
    linalg.yield %228 : f32
  } -> tensor<1x512x1xf32>
  %229 = tensor.empty() : tensor<1x512x768xf32>
  %230 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%213, %226 : tensor<1x512x768xf32>, tensor<1x512x1xf32>) outs(%229 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %231 = arith.subf %in, %in_1 : f32
    linalg.yield %231 : f32
  } -> tensor<1x512x768xf32>
  %232 = tensor.empty() : tensor<1x512x768xf32>
  %233 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%230, %230 : tensor<1x512x768xf32>, tensor<1x512x768xf32>) outs(%232 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %234 = arith.mulf %in, %in_1 : f32
    linalg.yield %234 : f32
  } -> tensor<1x512x768xf32>
  %235 = tensor.empty() : tensor<1x512x1xf32>
  %236 = linalg.fill ins(%cst : f32) outs(%235 : tensor<1x512x1xf32>) -> tensor<1x512x1xf32>
  %237 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%233 : tensor<1x512x768xf32>) outs(%236 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %238 = arith.addf %in, %out : f32
    linalg.yield %238 : f32
  } -> tensor<1x512x1xf32>
  %239 = tensor.empty() : tensor<1x512x1xf32>
  %240 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%237 : tensor<1x512x1xf32>) outs(%239 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %241 = arith.truncf %cst_4 : f64 to f32
    %242 = arith.divf %in, %241 : f32
    linalg.yield %242 : f32
  } -> tensor<1x512x1xf32>
  %243 = tensor.empty() : tensor<1x512x1xf32>
  %244 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240 : tensor<1x512x1xf32>) outs(%243 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %245 = arith.truncf %cst_5 : f64 to f32
    %246 = arith.addf %in, %245 : f32
    linalg.yield %246 : f32
  } -> tensor<1x512x1xf32>
  %247 = tensor.empty() : tensor<1x512x1xf32>
  %248 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244 : tensor<1x512x1xf32>) outs(%247 : tensor<1x512x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %249 = math.rsqrt %in : f32
    linalg.yield %249 : f32
  } -> tensor<1x512x1xf32>
  %250 = tensor.empty() : tensor<1x512x768xf32>
  %251 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%230, %248 : tensor<1x512x768xf32>, tensor<1x512x1xf32>) outs(%250 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %252 = arith.mulf %in, %in_1 : f32
    linalg.yield %252 : f32
  } -> tensor<1x512x768xf32>
  %253 = tensor.empty() : tensor<1x512x768xf32>
  %254 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251, %216 : tensor<1x512x768xf32>, tensor<768xf32>) outs(%253 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %255 = arith.mulf %in, %in_1 : f32
    linalg.yield %255 : f32
  } -> tensor<1x512x768xf32>
  %256 = tensor.empty() : tensor<1x512x768xf32>
  %257 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%254, %219 : tensor<1x512x768xf32>, tensor<768xf32>) outs(%256 : tensor<1x512x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %258 = arith.addf %in, %in_1 : f32
    linalg.yield %258 : f32
  } -> tensor<1x512x768xf32>
  %259 = tensor.empty() : tensor<1x512x768xf16>
  %260 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%257 : tensor<1x512x768xf32>) outs(%259 : tensor<1x512x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %261 = arith.truncf %in : f32 to f16
    linalg.yield %261 : f16
  } -> tensor<1x512x768xf16>
  return %260 : tensor<1x512x768xf16>
}
