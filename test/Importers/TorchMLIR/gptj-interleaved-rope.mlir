// GPT-J: rotary embedding of even and odd elements (slices with stride 2, stacked
// and flattened), scores in f32, -3.4e38 where hidden, then the scale; f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5568 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @gptj_interleaved_rope(%q: tensor<1x43x2x16xf16>,
    %k: tensor<1x43x2x16xf16>,
    %v: tensor<1x43x2x16xf16>,
    %sin: tensor<43x8xf16>,
    %cos: tensor<43x8xf16>) -> tensor<1x43x32xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant -3.40282347E+38 : f32
  %cst_2 = arith.constant 4.00000000000000000e+00 : f64
  %cst_3 = arith.constant 0 : i64
  %cst_4 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %sin [[0], [1, 2]] output_shape [43, 8, 1] : tensor<43x8xf16> into tensor<43x8x1xf16>
  %1 = tensor.empty() : tensor<43x8x2xf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<43x8x1xf16>) outs(%1 : tensor<43x8x2xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<43x8x2xf16>
  %3 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<43x8x2xf16> into tensor<43x16xf16>
  %4 = tensor.expand_shape %3 [[0, 1], [2, 3]] output_shape [1, 43, 1, 16] : tensor<43x16xf16> into tensor<1x43x1x16xf16>
  %5 = tensor.expand_shape %cos [[0], [1, 2]] output_shape [43, 8, 1] : tensor<43x8xf16> into tensor<43x8x1xf16>
  %6 = tensor.empty() : tensor<43x8x2xf16>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<43x8x1xf16>) outs(%6 : tensor<43x8x2xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<43x8x2xf16>
  %8 = tensor.collapse_shape %7 [[0], [1, 2]] : tensor<43x8x2xf16> into tensor<43x16xf16>
  %9 = tensor.expand_shape %8 [[0, 1], [2, 3]] output_shape [1, 43, 1, 16] : tensor<43x16xf16> into tensor<1x43x1x16xf16>
  %10 = tensor.extract_slice %q[0, 0, 0, 0] [1, 43, 2, 8] [1, 1, 1, 2] : tensor<1x43x2x16xf16> to tensor<1x43x2x8xf16>
  %11 = tensor.extract_slice %q[0, 0, 0, 1] [1, 43, 2, 8] [1, 1, 1, 2] : tensor<1x43x2x16xf16> to tensor<1x43x2x8xf16>
  %12 = tensor.empty() : tensor<1x43x2x8xf16>
  %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x43x2x8xf16>) outs(%12 : tensor<1x43x2x8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %14 = arith.negf %in : f16
    linalg.yield %14 : f16
  } -> tensor<1x43x2x8xf16>
  %15 = tensor.expand_shape %13 [[0], [1], [2], [3, 4]] output_shape [1, 43, 2, 8, 1] : tensor<1x43x2x8xf16> into tensor<1x43x2x8x1xf16>
  %16 = tensor.expand_shape %10 [[0], [1], [2], [3, 4]] output_shape [1, 43, 2, 8, 1] : tensor<1x43x2x8xf16> into tensor<1x43x2x8x1xf16>
  %17 = tensor.concat dim(4) %15, %16 : (tensor<1x43x2x8x1xf16>, tensor<1x43x2x8x1xf16>) -> tensor<1x43x2x8x2xf16>
  %18 = tensor.collapse_shape %17 [[0], [1], [2], [3, 4]] : tensor<1x43x2x8x2xf16> into tensor<1x43x2x16xf16>
  %19 = tensor.empty() : tensor<1x43x2x16xf16>
  %20 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %9 : tensor<1x43x2x16xf16>, tensor<1x43x1x16xf16>) outs(%19 : tensor<1x43x2x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %21 = arith.mulf %in, %in_1 : f16
    linalg.yield %21 : f16
  } -> tensor<1x43x2x16xf16>
  %22 = tensor.empty() : tensor<1x43x2x16xf16>
  %23 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %4 : tensor<1x43x2x16xf16>, tensor<1x43x1x16xf16>) outs(%22 : tensor<1x43x2x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %24 = arith.mulf %in, %in_1 : f16
    linalg.yield %24 : f16
  } -> tensor<1x43x2x16xf16>
  %25 = tensor.empty() : tensor<1x43x2x16xf16>
  %26 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<1x43x2x16xf16>, tensor<1x43x2x16xf16>) outs(%25 : tensor<1x43x2x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %27 = arith.addf %in, %in_1 : f16
    linalg.yield %27 : f16
  } -> tensor<1x43x2x16xf16>
  %28 = tensor.extract_slice %k[0, 0, 0, 0] [1, 43, 2, 8] [1, 1, 1, 2] : tensor<1x43x2x16xf16> to tensor<1x43x2x8xf16>
  %29 = tensor.extract_slice %k[0, 0, 0, 1] [1, 43, 2, 8] [1, 1, 1, 2] : tensor<1x43x2x16xf16> to tensor<1x43x2x8xf16>
  %30 = tensor.empty() : tensor<1x43x2x8xf16>
  %31 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x43x2x8xf16>) outs(%30 : tensor<1x43x2x8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %32 = arith.negf %in : f16
    linalg.yield %32 : f16
  } -> tensor<1x43x2x8xf16>
  %33 = tensor.expand_shape %31 [[0], [1], [2], [3, 4]] output_shape [1, 43, 2, 8, 1] : tensor<1x43x2x8xf16> into tensor<1x43x2x8x1xf16>
  %34 = tensor.expand_shape %28 [[0], [1], [2], [3, 4]] output_shape [1, 43, 2, 8, 1] : tensor<1x43x2x8xf16> into tensor<1x43x2x8x1xf16>
  %35 = tensor.concat dim(4) %33, %34 : (tensor<1x43x2x8x1xf16>, tensor<1x43x2x8x1xf16>) -> tensor<1x43x2x8x2xf16>
  %36 = tensor.collapse_shape %35 [[0], [1], [2], [3, 4]] : tensor<1x43x2x8x2xf16> into tensor<1x43x2x16xf16>
  %37 = tensor.empty() : tensor<1x43x2x16xf16>
  %38 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %9 : tensor<1x43x2x16xf16>, tensor<1x43x1x16xf16>) outs(%37 : tensor<1x43x2x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %39 = arith.mulf %in, %in_1 : f16
    linalg.yield %39 : f16
  } -> tensor<1x43x2x16xf16>
  %40 = tensor.empty() : tensor<1x43x2x16xf16>
  %41 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %4 : tensor<1x43x2x16xf16>, tensor<1x43x1x16xf16>) outs(%40 : tensor<1x43x2x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %42 = arith.mulf %in, %in_1 : f16
    linalg.yield %42 : f16
  } -> tensor<1x43x2x16xf16>
  %43 = tensor.empty() : tensor<1x43x2x16xf16>
  %44 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %41 : tensor<1x43x2x16xf16>, tensor<1x43x2x16xf16>) outs(%43 : tensor<1x43x2x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %45 = arith.addf %in, %in_1 : f16
    linalg.yield %45 : f16
  } -> tensor<1x43x2x16xf16>
  %46 = tensor.empty() : tensor<1x2x43x16xf16>
  %47 = linalg.transpose ins(%26 : tensor<1x43x2x16xf16>) outs(%46 : tensor<1x2x43x16xf16>) permutation = [0, 2, 1, 3]
  %48 = tensor.empty() : tensor<1x2x43x16xf16>
  %49 = linalg.transpose ins(%44 : tensor<1x43x2x16xf16>) outs(%48 : tensor<1x2x43x16xf16>) permutation = [0, 2, 1, 3]
  %50 = tensor.empty() : tensor<1x2x43x16xf16>
  %51 = linalg.transpose ins(%v : tensor<1x43x2x16xf16>) outs(%50 : tensor<1x2x43x16xf16>) permutation = [0, 2, 1, 3]
  %52 = tensor.empty() : tensor<1x2x43x16xf32>
  %53 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x2x43x16xf16>) outs(%52 : tensor<1x2x43x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %54 = arith.extf %in : f16 to f32
    linalg.yield %54 : f32
  } -> tensor<1x2x43x16xf32>
  %55 = tensor.empty() : tensor<1x2x43x16xf32>
  %56 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x43x16xf16>) outs(%55 : tensor<1x2x43x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %57 = arith.extf %in : f16 to f32
    linalg.yield %57 : f32
  } -> tensor<1x2x43x16xf32>
  %58 = tensor.empty() : tensor<1x2x16x43xf32>
  %59 = linalg.transpose ins(%56 : tensor<1x2x43x16xf32>) outs(%58 : tensor<1x2x16x43xf32>) permutation = [0, 1, 3, 2]
  %60 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x2x43x16xf32> into tensor<2x43x16xf32>
  %61 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<1x2x16x43xf32> into tensor<2x16x43xf32>
  %62 = tensor.empty() : tensor<2x43x43xf32>
  %63 = linalg.fill ins(%cst : f32) outs(%62 : tensor<2x43x43xf32>) -> tensor<2x43x43xf32>
  %64 = linalg.batch_matmul ins(%60, %61 : tensor<2x43x16xf32>, tensor<2x16x43xf32>) outs(%63 : tensor<2x43x43xf32>) -> tensor<2x43x43xf32>
  %65 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [1, 2, 43, 43] : tensor<2x43x43xf32> into tensor<1x2x43x43xf32>
  %66 = tensor.empty() : tensor<43xi64>
  %67 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%66 : tensor<43xi64>) {
  ^bb0(%out: i64):
    %68 = linalg.index 0 : index
    %69 = arith.index_cast %68 : index to i64
    linalg.yield %69 : i64
  } -> tensor<43xi64>
  %70 = tensor.expand_shape %67 [[0, 1]] output_shape [43, 1] : tensor<43xi64> into tensor<43x1xi64>
  %71 = tensor.empty() : tensor<43xi64>
  %72 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%71 : tensor<43xi64>) {
  ^bb0(%out: i64):
    %73 = linalg.index 0 : index
    %74 = arith.index_cast %73 : index to i64
    linalg.yield %74 : i64
  } -> tensor<43xi64>
  %75 = tensor.expand_shape %72 [[0, 1]] output_shape [1, 43] : tensor<43xi64> into tensor<1x43xi64>
  %76 = tensor.empty() : tensor<43x43xi1>
  %77 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%75, %70 : tensor<1x43xi64>, tensor<43x1xi64>) outs(%76 : tensor<43x43xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %78 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %78 : i1
  } -> tensor<43x43xi1>
  %79 = tensor.empty() : tensor<1x2x43x43xf32>
  %80 = linalg.generic {indexing_maps = [#map8, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %65 : tensor<43x43xi1>, tensor<1x2x43x43xf32>) outs(%79 : tensor<1x2x43x43xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %81 = arith.select %in, %in_1, %cst_1 : f32
    linalg.yield %81 : f32
  } -> tensor<1x2x43x43xf32>
  %82 = tensor.empty() : tensor<1x2x43x43xf32>
  %83 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<1x2x43x43xf32>) outs(%82 : tensor<1x2x43x43xf32>) {
  ^bb0(%in: f32, %out: f32):
    %84 = arith.truncf %cst_2 : f64 to f32
    %85 = arith.divf %in, %84 : f32
    linalg.yield %85 : f32
  } -> tensor<1x2x43x43xf32>
  %86 = tensor.empty() : tensor<1x2x43xi64>
  %87 = linalg.fill ins(%cst_3 : i64) outs(%86 : tensor<1x2x43xi64>) -> tensor<1x2x43xi64>
  %88 = tensor.empty() : tensor<1x2x43xf32>
  %89 = linalg.fill ins(%cst_4 : f32) outs(%88 : tensor<1x2x43xf32>) -> tensor<1x2x43xf32>
  %90:2 = linalg.generic {indexing_maps = [#map2, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%83 : tensor<1x2x43x43xf32>) outs(%89, %87 : tensor<1x2x43xf32>, tensor<1x2x43xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %91 = linalg.index 3 : index
    %92 = arith.index_cast %91 : index to i64
    %93 = arith.maximumf %in, %out : f32
    %94 = arith.cmpf ogt, %in, %out : f32
    %95 = arith.select %94, %92, %out_1 : i64
    linalg.yield %93, %95 : f32, i64
  } -> (tensor<1x2x43xf32>, tensor<1x2x43xi64>)
  %96 = tensor.expand_shape %90#0 [[0], [1], [2, 3]] output_shape [1, 2, 43, 1] : tensor<1x2x43xf32> into tensor<1x2x43x1xf32>
  %97 = tensor.empty() : tensor<1x2x43x43xf32>
  %98 = linalg.generic {indexing_maps = [#map2, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %96 : tensor<1x2x43x43xf32>, tensor<1x2x43x1xf32>) outs(%97 : tensor<1x2x43x43xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %99 = arith.subf %in, %in_1 : f32
    linalg.yield %99 : f32
  } -> tensor<1x2x43x43xf32>
  %100 = tensor.empty() : tensor<1x2x43x43xf32>
  %101 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<1x2x43x43xf32>) outs(%100 : tensor<1x2x43x43xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = math.exp %in : f32
    linalg.yield %102 : f32
  } -> tensor<1x2x43x43xf32>
  %103 = tensor.empty() : tensor<1x2x43x1xf32>
  %104 = linalg.fill ins(%cst : f32) outs(%103 : tensor<1x2x43x1xf32>) -> tensor<1x2x43x1xf32>
  %105 = linalg.generic {indexing_maps = [#map2, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%101 : tensor<1x2x43x43xf32>) outs(%104 : tensor<1x2x43x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.addf %in, %out : f32
    linalg.yield %106 : f32
  } -> tensor<1x2x43x1xf32>
  %107 = tensor.empty() : tensor<1x2x43x43xf32>
  %108 = linalg.generic {indexing_maps = [#map2, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101, %105 : tensor<1x2x43x43xf32>, tensor<1x2x43x1xf32>) outs(%107 : tensor<1x2x43x43xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %109 = arith.divf %in, %in_1 : f32
    linalg.yield %109 : f32
  } -> tensor<1x2x43x43xf32>
  %110 = tensor.empty() : tensor<1x2x43x43xf16>
  %111 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108 : tensor<1x2x43x43xf32>) outs(%110 : tensor<1x2x43x43xf16>) {
  ^bb0(%in: f32, %out: f16):
    %112 = arith.truncf %in : f32 to f16
    linalg.yield %112 : f16
  } -> tensor<1x2x43x43xf16>
  %113 = tensor.collapse_shape %111 [[0, 1], [2], [3]] : tensor<1x2x43x43xf16> into tensor<2x43x43xf16>
  %114 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x2x43x16xf16> into tensor<2x43x16xf16>
  %115 = tensor.empty() : tensor<2x43x16xf32>
  %116 = linalg.fill ins(%cst : f32) outs(%115 : tensor<2x43x16xf32>) -> tensor<2x43x16xf32>
  %117 = linalg.batch_matmul ins(%113, %114 : tensor<2x43x43xf16>, tensor<2x43x16xf16>) outs(%116 : tensor<2x43x16xf32>) -> tensor<2x43x16xf32>
  %118 = tensor.empty() : tensor<2x43x16xf16>
  %119 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<2x43x16xf32>) outs(%118 : tensor<2x43x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %120 = arith.truncf %in : f32 to f16
    linalg.yield %120 : f16
  } -> tensor<2x43x16xf16>
  %121 = tensor.expand_shape %119 [[0, 1], [2], [3]] output_shape [1, 2, 43, 16] : tensor<2x43x16xf16> into tensor<1x2x43x16xf16>
  %122 = tensor.empty() : tensor<1x43x2x16xf16>
  %123 = linalg.transpose ins(%121 : tensor<1x2x43x16xf16>) outs(%122 : tensor<1x43x2x16xf16>) permutation = [0, 2, 1, 3]
  %124 = tensor.collapse_shape %123 [[0], [1], [2, 3]] : tensor<1x43x2x16xf16> into tensor<1x43x32xf16>
  return %124 : tensor<1x43x32xf16>
}
