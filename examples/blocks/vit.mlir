// A block of a ViT: packed projections that are permuted and selected, an MLP with
// GELU. As torch-mlir writes it, with weights as
// arguments.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @vit_block(%x: tensor<1x197x768xf16>,
                     %ln1_g: tensor<768xf16>,
                     %ln1_b: tensor<768xf16>,
                     %w_qkv: tensor<2304x768xf16>,
                     %b_qkv: tensor<2304xf16>,
                     %w_o: tensor<768x768xf16>,
                     %b_o: tensor<768xf16>,
                     %ln2_g: tensor<768xf16>,
                     %ln2_b: tensor<768xf16>,
                     %w_1: tensor<3072x768xf16>,
                     %b_1: tensor<3072xf16>,
                     %w_2: tensor<768x3072xf16>,
                     %b_2: tensor<768xf16>) -> tensor<1x197x768xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 7.68000000000000000e+02 : f64
  %cst_2 = arith.constant 1.00000000000000008e-05 : f64
  %cst_3 = arith.constant 1.25000000000000000e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %cst_6 = arith.constant 7.071068e-01 : f32
  %cst_7 = arith.constant 5.000000e-01 : f32
  %cst_8 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x197x768xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x197x768xf16>) outs(%0 : tensor<1x197x768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %2 = arith.extf %in : f16 to f32
    linalg.yield %2 : f32
  } -> tensor<1x197x768xf32>
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
  %9 = tensor.empty() : tensor<1x197x1xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x197x768xf32>) outs(%10 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.addf %in, %out : f32
    linalg.yield %12 : f32
  } -> tensor<1x197x1xf32>
  %13 = tensor.empty() : tensor<1x197x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x197x1xf32>) outs(%13 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.truncf %cst_1 : f64 to f32
    %16 = arith.divf %in, %15 : f32
    linalg.yield %16 : f32
  } -> tensor<1x197x1xf32>
  %17 = tensor.empty() : tensor<1x197x768xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %14 : tensor<1x197x768xf32>, tensor<1x197x1xf32>) outs(%17 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %19 = arith.subf %in, %in_1 : f32
    linalg.yield %19 : f32
  } -> tensor<1x197x768xf32>
  %20 = tensor.empty() : tensor<1x197x768xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %18 : tensor<1x197x768xf32>, tensor<1x197x768xf32>) outs(%20 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %22 = arith.mulf %in, %in_1 : f32
    linalg.yield %22 : f32
  } -> tensor<1x197x768xf32>
  %23 = tensor.empty() : tensor<1x197x1xf32>
  %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<1x197x768xf32>) outs(%24 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<1x197x1xf32>
  %27 = tensor.empty() : tensor<1x197x1xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x197x1xf32>) outs(%27 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.truncf %cst_1 : f64 to f32
    %30 = arith.divf %in, %29 : f32
    linalg.yield %30 : f32
  } -> tensor<1x197x1xf32>
  %31 = tensor.empty() : tensor<1x197x1xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x197x1xf32>) outs(%31 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.truncf %cst_2 : f64 to f32
    %34 = arith.addf %in, %33 : f32
    linalg.yield %34 : f32
  } -> tensor<1x197x1xf32>
  %35 = tensor.empty() : tensor<1x197x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<1x197x1xf32>) outs(%35 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = math.rsqrt %in : f32
    linalg.yield %37 : f32
  } -> tensor<1x197x1xf32>
  %38 = tensor.empty() : tensor<1x197x768xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %36 : tensor<1x197x768xf32>, tensor<1x197x1xf32>) outs(%38 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %40 = arith.mulf %in, %in_1 : f32
    linalg.yield %40 : f32
  } -> tensor<1x197x768xf32>
  %41 = tensor.empty() : tensor<1x197x768xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %4 : tensor<1x197x768xf32>, tensor<768xf32>) outs(%41 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.mulf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<1x197x768xf32>
  %44 = tensor.empty() : tensor<1x197x768xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %7 : tensor<1x197x768xf32>, tensor<768xf32>) outs(%44 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.addf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<1x197x768xf32>
  %47 = tensor.empty() : tensor<1x197x768xf16>
  %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<1x197x768xf32>) outs(%47 : tensor<1x197x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<1x197x768xf16>
  %50 = tensor.empty() : tensor<768x2304xf16>
  %51 = linalg.transpose ins(%w_qkv : tensor<2304x768xf16>) outs(%50 : tensor<768x2304xf16>) permutation = [1, 0]
  %52 = tensor.empty() : tensor<1x768x2304xf16>
  %53 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<768x2304xf16>) outs(%52 : tensor<1x768x2304xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x2304xf16>
  %54 = tensor.empty() : tensor<1x197x2304xf32>
  %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<1x197x2304xf32>) -> tensor<1x197x2304xf32>
  %56 = linalg.batch_matmul ins(%48, %53 : tensor<1x197x768xf16>, tensor<1x768x2304xf16>) outs(%55 : tensor<1x197x2304xf32>) -> tensor<1x197x2304xf32>
  %57 = tensor.empty() : tensor<1x197x2304xf16>
  %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<1x197x2304xf32>) outs(%57 : tensor<1x197x2304xf16>) {
  ^bb0(%in: f32, %out: f16):
    %59 = arith.truncf %in : f32 to f16
    linalg.yield %59 : f16
  } -> tensor<1x197x2304xf16>
  %60 = tensor.empty() : tensor<1x197x2304xf16>
  %61 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %b_qkv : tensor<1x197x2304xf16>, tensor<2304xf16>) outs(%60 : tensor<1x197x2304xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %62 = arith.addf %in, %in_1 : f16
    linalg.yield %62 : f16
  } -> tensor<1x197x2304xf16>
  %63 = tensor.expand_shape %61 [[0], [1], [2, 3, 4]] output_shape [1, 197, 3, 12, 64] : tensor<1x197x2304xf16> into tensor<1x197x3x12x64xf16>
  %64 = tensor.empty() : tensor<3x1x12x197x64xf16>
  %65 = linalg.transpose ins(%63 : tensor<1x197x3x12x64xf16>) outs(%64 : tensor<3x1x12x197x64xf16>) permutation = [2, 0, 3, 1, 4]
  %66 = tensor.extract_slice %65[0, 0, 0, 0, 0] [1, 1, 12, 197, 64] [1, 1, 1, 1, 1] : tensor<3x1x12x197x64xf16> to tensor<1x12x197x64xf16>
  %67 = tensor.extract_slice %65[1, 0, 0, 0, 0] [1, 1, 12, 197, 64] [1, 1, 1, 1, 1] : tensor<3x1x12x197x64xf16> to tensor<1x12x197x64xf16>
  %68 = tensor.extract_slice %65[2, 0, 0, 0, 0] [1, 1, 12, 197, 64] [1, 1, 1, 1, 1] : tensor<3x1x12x197x64xf16> to tensor<1x12x197x64xf16>
  %69 = tensor.empty() : tensor<1x12x64x197xf16>
  %70 = linalg.transpose ins(%67 : tensor<1x12x197x64xf16>) outs(%69 : tensor<1x12x64x197xf16>) permutation = [0, 1, 3, 2]
  %71 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<1x12x197x64xf16> into tensor<12x197x64xf16>
  %72 = tensor.collapse_shape %70 [[0, 1], [2], [3]] : tensor<1x12x64x197xf16> into tensor<12x64x197xf16>
  %73 = tensor.empty() : tensor<12x197x197xf32>
  %74 = linalg.fill ins(%cst : f32) outs(%73 : tensor<12x197x197xf32>) -> tensor<12x197x197xf32>
  %75 = linalg.batch_matmul ins(%71, %72 : tensor<12x197x64xf16>, tensor<12x64x197xf16>) outs(%74 : tensor<12x197x197xf32>) -> tensor<12x197x197xf32>
  %76 = tensor.empty() : tensor<12x197x197xf16>
  %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<12x197x197xf32>) outs(%76 : tensor<12x197x197xf16>) {
  ^bb0(%in: f32, %out: f16):
    %78 = arith.truncf %in : f32 to f16
    linalg.yield %78 : f16
  } -> tensor<12x197x197xf16>
  %79 = tensor.expand_shape %77 [[0, 1], [2], [3]] output_shape [1, 12, 197, 197] : tensor<12x197x197xf16> into tensor<1x12x197x197xf16>
  %80 = tensor.empty() : tensor<1x12x197x197xf16>
  %81 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x12x197x197xf16>) outs(%80 : tensor<1x12x197x197xf16>) {
  ^bb0(%in: f16, %out: f16):
    %82 = arith.truncf %cst_3 : f64 to f16
    %83 = arith.mulf %in, %82 : f16
    linalg.yield %83 : f16
  } -> tensor<1x12x197x197xf16>
  %84 = tensor.empty() : tensor<1x12x197x197xf32>
  %85 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x12x197x197xf16>) outs(%84 : tensor<1x12x197x197xf32>) {
  ^bb0(%in: f16, %out: f32):
    %86 = arith.extf %in : f16 to f32
    linalg.yield %86 : f32
  } -> tensor<1x12x197x197xf32>
  %87 = tensor.empty() : tensor<1x12x197xi64>
  %88 = linalg.fill ins(%cst_4 : i64) outs(%87 : tensor<1x12x197xi64>) -> tensor<1x12x197xi64>
  %89 = tensor.empty() : tensor<1x12x197xf32>
  %90 = linalg.fill ins(%cst_5 : f32) outs(%89 : tensor<1x12x197xf32>) -> tensor<1x12x197xf32>
  %91:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%85 : tensor<1x12x197x197xf32>) outs(%90, %88 : tensor<1x12x197xf32>, tensor<1x12x197xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %92 = linalg.index 3 : index
    %93 = arith.index_cast %92 : index to i64
    %94 = arith.maximumf %in, %out : f32
    %95 = arith.cmpf ogt, %in, %out : f32
    %96 = arith.select %95, %93, %out_1 : i64
    linalg.yield %94, %96 : f32, i64
  } -> (tensor<1x12x197xf32>, tensor<1x12x197xi64>)
  %97 = tensor.expand_shape %91#0 [[0], [1], [2, 3]] output_shape [1, 12, 197, 1] : tensor<1x12x197xf32> into tensor<1x12x197x1xf32>
  %98 = tensor.empty() : tensor<1x12x197x197xf32>
  %99 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %97 : tensor<1x12x197x197xf32>, tensor<1x12x197x1xf32>) outs(%98 : tensor<1x12x197x197xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %100 = arith.subf %in, %in_1 : f32
    linalg.yield %100 : f32
  } -> tensor<1x12x197x197xf32>
  %101 = tensor.empty() : tensor<1x12x197x197xf32>
  %102 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<1x12x197x197xf32>) outs(%101 : tensor<1x12x197x197xf32>) {
  ^bb0(%in: f32, %out: f32):
    %103 = math.exp %in : f32
    linalg.yield %103 : f32
  } -> tensor<1x12x197x197xf32>
  %104 = tensor.empty() : tensor<1x12x197x1xf32>
  %105 = linalg.fill ins(%cst : f32) outs(%104 : tensor<1x12x197x1xf32>) -> tensor<1x12x197x1xf32>
  %106 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%102 : tensor<1x12x197x197xf32>) outs(%105 : tensor<1x12x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<1x12x197x1xf32>
  %108 = tensor.empty() : tensor<1x12x197x197xf32>
  %109 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102, %106 : tensor<1x12x197x197xf32>, tensor<1x12x197x1xf32>) outs(%108 : tensor<1x12x197x197xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %110 = arith.divf %in, %in_1 : f32
    linalg.yield %110 : f32
  } -> tensor<1x12x197x197xf32>
  %111 = tensor.empty() : tensor<1x12x197x197xf16>
  %112 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109 : tensor<1x12x197x197xf32>) outs(%111 : tensor<1x12x197x197xf16>) {
  ^bb0(%in: f32, %out: f16):
    %113 = arith.truncf %in : f32 to f16
    linalg.yield %113 : f16
  } -> tensor<1x12x197x197xf16>
  %114 = tensor.collapse_shape %112 [[0, 1], [2], [3]] : tensor<1x12x197x197xf16> into tensor<12x197x197xf16>
  %115 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<1x12x197x64xf16> into tensor<12x197x64xf16>
  %116 = tensor.empty() : tensor<12x197x64xf32>
  %117 = linalg.fill ins(%cst : f32) outs(%116 : tensor<12x197x64xf32>) -> tensor<12x197x64xf32>
  %118 = linalg.batch_matmul ins(%114, %115 : tensor<12x197x197xf16>, tensor<12x197x64xf16>) outs(%117 : tensor<12x197x64xf32>) -> tensor<12x197x64xf32>
  %119 = tensor.empty() : tensor<12x197x64xf16>
  %120 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<12x197x64xf32>) outs(%119 : tensor<12x197x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %121 = arith.truncf %in : f32 to f16
    linalg.yield %121 : f16
  } -> tensor<12x197x64xf16>
  %122 = tensor.expand_shape %120 [[0, 1], [2], [3]] output_shape [1, 12, 197, 64] : tensor<12x197x64xf16> into tensor<1x12x197x64xf16>
  %123 = tensor.empty() : tensor<1x197x12x64xf16>
  %124 = linalg.transpose ins(%122 : tensor<1x12x197x64xf16>) outs(%123 : tensor<1x197x12x64xf16>) permutation = [0, 2, 1, 3]
  %125 = tensor.collapse_shape %124 [[0], [1], [2, 3]] : tensor<1x197x12x64xf16> into tensor<1x197x768xf16>
  %126 = tensor.empty() : tensor<768x768xf16>
  %127 = linalg.transpose ins(%w_o : tensor<768x768xf16>) outs(%126 : tensor<768x768xf16>) permutation = [1, 0]
  %128 = tensor.empty() : tensor<1x768x768xf16>
  %129 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<768x768xf16>) outs(%128 : tensor<1x768x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x768xf16>
  %130 = tensor.empty() : tensor<1x197x768xf32>
  %131 = linalg.fill ins(%cst : f32) outs(%130 : tensor<1x197x768xf32>) -> tensor<1x197x768xf32>
  %132 = linalg.batch_matmul ins(%125, %129 : tensor<1x197x768xf16>, tensor<1x768x768xf16>) outs(%131 : tensor<1x197x768xf32>) -> tensor<1x197x768xf32>
  %133 = tensor.empty() : tensor<1x197x768xf16>
  %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<1x197x768xf32>) outs(%133 : tensor<1x197x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %135 = arith.truncf %in : f32 to f16
    linalg.yield %135 : f16
  } -> tensor<1x197x768xf16>
  %136 = tensor.empty() : tensor<1x197x768xf16>
  %137 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %b_o : tensor<1x197x768xf16>, tensor<768xf16>) outs(%136 : tensor<1x197x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %138 = arith.addf %in, %in_1 : f16
    linalg.yield %138 : f16
  } -> tensor<1x197x768xf16>
  %139 = tensor.empty() : tensor<1x197x768xf16>
  %140 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %137 : tensor<1x197x768xf16>, tensor<1x197x768xf16>) outs(%139 : tensor<1x197x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %141 = arith.addf %in, %in_1 : f16
    linalg.yield %141 : f16
  } -> tensor<1x197x768xf16>
  %142 = tensor.empty() : tensor<1x197x768xf32>
  %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<1x197x768xf16>) outs(%142 : tensor<1x197x768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %144 = arith.extf %in : f16 to f32
    linalg.yield %144 : f32
  } -> tensor<1x197x768xf32>
  %145 = tensor.empty() : tensor<768xf32>
  %146 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%ln2_g : tensor<768xf16>) outs(%145 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %147 = arith.extf %in : f16 to f32
    linalg.yield %147 : f32
  } -> tensor<768xf32>
  %148 = tensor.empty() : tensor<768xf32>
  %149 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%ln2_b : tensor<768xf16>) outs(%148 : tensor<768xf32>) {
  ^bb0(%in: f16, %out: f32):
    %150 = arith.extf %in : f16 to f32
    linalg.yield %150 : f32
  } -> tensor<768xf32>
  %151 = tensor.empty() : tensor<1x197x1xf32>
  %152 = linalg.fill ins(%cst : f32) outs(%151 : tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
  %153 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%143 : tensor<1x197x768xf32>) outs(%152 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %154 = arith.addf %in, %out : f32
    linalg.yield %154 : f32
  } -> tensor<1x197x1xf32>
  %155 = tensor.empty() : tensor<1x197x1xf32>
  %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<1x197x1xf32>) outs(%155 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %157 = arith.truncf %cst_1 : f64 to f32
    %158 = arith.divf %in, %157 : f32
    linalg.yield %158 : f32
  } -> tensor<1x197x1xf32>
  %159 = tensor.empty() : tensor<1x197x768xf32>
  %160 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %156 : tensor<1x197x768xf32>, tensor<1x197x1xf32>) outs(%159 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %161 = arith.subf %in, %in_1 : f32
    linalg.yield %161 : f32
  } -> tensor<1x197x768xf32>
  %162 = tensor.empty() : tensor<1x197x768xf32>
  %163 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %160 : tensor<1x197x768xf32>, tensor<1x197x768xf32>) outs(%162 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %164 = arith.mulf %in, %in_1 : f32
    linalg.yield %164 : f32
  } -> tensor<1x197x768xf32>
  %165 = tensor.empty() : tensor<1x197x1xf32>
  %166 = linalg.fill ins(%cst : f32) outs(%165 : tensor<1x197x1xf32>) -> tensor<1x197x1xf32>
  %167 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%163 : tensor<1x197x768xf32>) outs(%166 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %168 = arith.addf %in, %out : f32
    linalg.yield %168 : f32
  } -> tensor<1x197x1xf32>
  %169 = tensor.empty() : tensor<1x197x1xf32>
  %170 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<1x197x1xf32>) outs(%169 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %171 = arith.truncf %cst_1 : f64 to f32
    %172 = arith.divf %in, %171 : f32
    linalg.yield %172 : f32
  } -> tensor<1x197x1xf32>
  %173 = tensor.empty() : tensor<1x197x1xf32>
  %174 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170 : tensor<1x197x1xf32>) outs(%173 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %175 = arith.truncf %cst_2 : f64 to f32
    %176 = arith.addf %in, %175 : f32
    linalg.yield %176 : f32
  } -> tensor<1x197x1xf32>
  %177 = tensor.empty() : tensor<1x197x1xf32>
  %178 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<1x197x1xf32>) outs(%177 : tensor<1x197x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %179 = math.rsqrt %in : f32
    linalg.yield %179 : f32
  } -> tensor<1x197x1xf32>
  %180 = tensor.empty() : tensor<1x197x768xf32>
  %181 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %178 : tensor<1x197x768xf32>, tensor<1x197x1xf32>) outs(%180 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %182 = arith.mulf %in, %in_1 : f32
    linalg.yield %182 : f32
  } -> tensor<1x197x768xf32>
  %183 = tensor.empty() : tensor<1x197x768xf32>
  %184 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %146 : tensor<1x197x768xf32>, tensor<768xf32>) outs(%183 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %185 = arith.mulf %in, %in_1 : f32
    linalg.yield %185 : f32
  } -> tensor<1x197x768xf32>
  %186 = tensor.empty() : tensor<1x197x768xf32>
  %187 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184, %149 : tensor<1x197x768xf32>, tensor<768xf32>) outs(%186 : tensor<1x197x768xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %188 = arith.addf %in, %in_1 : f32
    linalg.yield %188 : f32
  } -> tensor<1x197x768xf32>
  %189 = tensor.empty() : tensor<1x197x768xf16>
  %190 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<1x197x768xf32>) outs(%189 : tensor<1x197x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %191 = arith.truncf %in : f32 to f16
    linalg.yield %191 : f16
  } -> tensor<1x197x768xf16>
  %192 = tensor.empty() : tensor<768x3072xf16>
  %193 = linalg.transpose ins(%w_1 : tensor<3072x768xf16>) outs(%192 : tensor<768x3072xf16>) permutation = [1, 0]
  %194 = tensor.empty() : tensor<1x768x3072xf16>
  %195 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%193 : tensor<768x3072xf16>) outs(%194 : tensor<1x768x3072xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x768x3072xf16>
  %196 = tensor.empty() : tensor<1x197x3072xf32>
  %197 = linalg.fill ins(%cst : f32) outs(%196 : tensor<1x197x3072xf32>) -> tensor<1x197x3072xf32>
  %198 = linalg.batch_matmul ins(%190, %195 : tensor<1x197x768xf16>, tensor<1x768x3072xf16>) outs(%197 : tensor<1x197x3072xf32>) -> tensor<1x197x3072xf32>
  %199 = tensor.empty() : tensor<1x197x3072xf16>
  %200 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198 : tensor<1x197x3072xf32>) outs(%199 : tensor<1x197x3072xf16>) {
  ^bb0(%in: f32, %out: f16):
    %201 = arith.truncf %in : f32 to f16
    linalg.yield %201 : f16
  } -> tensor<1x197x3072xf16>
  %202 = tensor.empty() : tensor<1x197x3072xf16>
  %203 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200, %b_1 : tensor<1x197x3072xf16>, tensor<3072xf16>) outs(%202 : tensor<1x197x3072xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %204 = arith.addf %in, %in_1 : f16
    linalg.yield %204 : f16
  } -> tensor<1x197x3072xf16>
  %205 = tensor.empty() : tensor<1x197x3072xf16>
  %206 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<1x197x3072xf16>) outs(%205 : tensor<1x197x3072xf16>) {
  ^bb0(%in: f16, %out: f16):
    %207 = arith.extf %in : f16 to f32
    %208 = arith.mulf %207, %cst_6 : f32
    %209 = math.erf %208 : f32
    %210 = arith.mulf %207, %cst_7 : f32
    %211 = arith.addf %209, %cst_8 : f32
    %212 = arith.mulf %210, %211 : f32
    %213 = arith.truncf %212 : f32 to f16
    linalg.yield %213 : f16
  } -> tensor<1x197x3072xf16>
  %214 = tensor.empty() : tensor<3072x768xf16>
  %215 = linalg.transpose ins(%w_2 : tensor<768x3072xf16>) outs(%214 : tensor<3072x768xf16>) permutation = [1, 0]
  %216 = tensor.empty() : tensor<1x3072x768xf16>
  %217 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%215 : tensor<3072x768xf16>) outs(%216 : tensor<1x3072x768xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x3072x768xf16>
  %218 = tensor.empty() : tensor<1x197x768xf32>
  %219 = linalg.fill ins(%cst : f32) outs(%218 : tensor<1x197x768xf32>) -> tensor<1x197x768xf32>
  %220 = linalg.batch_matmul ins(%206, %217 : tensor<1x197x3072xf16>, tensor<1x3072x768xf16>) outs(%219 : tensor<1x197x768xf32>) -> tensor<1x197x768xf32>
  %221 = tensor.empty() : tensor<1x197x768xf16>
  %222 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<1x197x768xf32>) outs(%221 : tensor<1x197x768xf16>) {
  ^bb0(%in: f32, %out: f16):
    %223 = arith.truncf %in : f32 to f16
    linalg.yield %223 : f16
  } -> tensor<1x197x768xf16>
  %224 = tensor.empty() : tensor<1x197x768xf16>
  %225 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222, %b_2 : tensor<1x197x768xf16>, tensor<768xf16>) outs(%224 : tensor<1x197x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %226 = arith.addf %in, %in_1 : f16
    linalg.yield %226 : f16
  } -> tensor<1x197x768xf16>
  %227 = tensor.empty() : tensor<1x197x768xf16>
  %228 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %225 : tensor<1x197x768xf16>, tensor<1x197x768xf16>) outs(%227 : tensor<1x197x768xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %229 = arith.addf %in, %in_1 : f16
    linalg.yield %229 : f16
  } -> tensor<1x197x768xf16>
  return %228 : tensor<1x197x768xf16>
}
