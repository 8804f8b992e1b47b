// Group norm in front of attention over the pixels of an image, as in the
// blocks of diffusion models; the residual is the image.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5440 --max-kernels=5 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @group_norm_attention(%x: tensor<1x32x6x7xf32>,
    %gamma: tensor<32xf32>,
    %beta: tensor<32xf32>,
    %wq: tensor<32x32xf32>,
    %wk: tensor<32x32xf32>,
    %wv: tensor<32x32xf32>,
    %wo: tensor<32x32xf32>,
    %bq: tensor<32xf32>,
    %bk: tensor<32xf32>,
    %bv: tensor<32xf32>,
    %bo: tensor<32xf32>) -> tensor<1x32x6x7xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 3.36000000000000000e+02 : f64
  %cst_2 = arith.constant 9.99999999999999955e-07 : f64
  %cst_3 = arith.constant 1.76776695296636865e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 4, 8, 6, 7] : tensor<1x32x6x7xf32> into tensor<1x4x8x6x7xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3, 4]] : tensor<1x4x8x6x7xf32> into tensor<1x4x336xf32>
  %2 = tensor.empty() : tensor<1x4x1xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x4x336xf32>) outs(%3 : tensor<1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<1x4x1xf32>
  %6 = tensor.empty() : tensor<1x4x1xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x4x1xf32>) outs(%6 : tensor<1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.truncf %cst_1 : f64 to f32
    %9 = arith.divf %in, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<1x4x1xf32>
  %10 = tensor.empty() : tensor<1x4x336xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %7 : tensor<1x4x336xf32>, tensor<1x4x1xf32>) outs(%10 : tensor<1x4x336xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %12 = arith.subf %in, %in_1 : f32
    linalg.yield %12 : f32
  } -> tensor<1x4x336xf32>
  %13 = tensor.empty() : tensor<1x4x336xf32>
  %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %11 : tensor<1x4x336xf32>, tensor<1x4x336xf32>) outs(%13 : tensor<1x4x336xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %15 = arith.mulf %in, %in_1 : f32
    linalg.yield %15 : f32
  } -> tensor<1x4x336xf32>
  %16 = tensor.empty() : tensor<1x4x1xf32>
  %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<1x4x336xf32>) outs(%17 : tensor<1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %in, %out : f32
    linalg.yield %19 : f32
  } -> tensor<1x4x1xf32>
  %20 = tensor.empty() : tensor<1x4x1xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x4x1xf32>) outs(%20 : tensor<1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.truncf %cst_1 : f64 to f32
    %23 = arith.divf %in, %22 : f32
    linalg.yield %23 : f32
  } -> tensor<1x4x1xf32>
  %24 = tensor.empty() : tensor<1x4x1xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x4x1xf32>) outs(%24 : tensor<1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.truncf %cst_2 : f64 to f32
    %27 = arith.addf %in, %26 : f32
    linalg.yield %27 : f32
  } -> tensor<1x4x1xf32>
  %28 = tensor.empty() : tensor<1x4x1xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x4x1xf32>) outs(%28 : tensor<1x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %30 = math.rsqrt %in : f32
    linalg.yield %30 : f32
  } -> tensor<1x4x1xf32>
  %31 = tensor.empty() : tensor<1x4x336xf32>
  %32 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %29 : tensor<1x4x336xf32>, tensor<1x4x1xf32>) outs(%31 : tensor<1x4x336xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %33 = arith.mulf %in, %in_1 : f32
    linalg.yield %33 : f32
  } -> tensor<1x4x336xf32>
  %34 = tensor.expand_shape %32 [[0], [1], [2, 3, 4]] output_shape [1, 4, 8, 6, 7] : tensor<1x4x336xf32> into tensor<1x4x8x6x7xf32>
  %35 = tensor.collapse_shape %34 [[0], [1, 2], [3], [4]] : tensor<1x4x8x6x7xf32> into tensor<1x32x6x7xf32>
  %36 = tensor.expand_shape %gamma [[0, 1, 2, 3]] output_shape [1, 32, 1, 1] : tensor<32xf32> into tensor<1x32x1x1xf32>
  %37 = tensor.empty() : tensor<1x32x6x7xf32>
  %38 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %36 : tensor<1x32x6x7xf32>, tensor<1x32x1x1xf32>) outs(%37 : tensor<1x32x6x7xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %39 = arith.mulf %in, %in_1 : f32
    linalg.yield %39 : f32
  } -> tensor<1x32x6x7xf32>
  %40 = tensor.expand_shape %beta [[0, 1, 2, 3]] output_shape [1, 32, 1, 1] : tensor<32xf32> into tensor<1x32x1x1xf32>
  %41 = tensor.empty() : tensor<1x32x6x7xf32>
  %42 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %40 : tensor<1x32x6x7xf32>, tensor<1x32x1x1xf32>) outs(%41 : tensor<1x32x6x7xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.addf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<1x32x6x7xf32>
  %44 = tensor.collapse_shape %42 [[0], [1], [2, 3]] : tensor<1x32x6x7xf32> into tensor<1x32x42xf32>
  %45 = tensor.empty() : tensor<1x42x32xf32>
  %46 = linalg.transpose ins(%44 : tensor<1x32x42xf32>) outs(%45 : tensor<1x42x32xf32>) permutation = [0, 2, 1]
  %47 = tensor.empty() : tensor<32x32xf32>
  %48 = linalg.transpose ins(%wq : tensor<32x32xf32>) outs(%47 : tensor<32x32xf32>) permutation = [1, 0]
  %49 = tensor.collapse_shape %46 [[0, 1], [2]] : tensor<1x42x32xf32> into tensor<42x32xf32>
  %50 = tensor.empty() : tensor<42x32xf32>
  %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %52 = linalg.matmul ins(%49, %48 : tensor<42x32xf32>, tensor<32x32xf32>) outs(%51 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %53 = tensor.expand_shape %52 [[0, 1], [2]] output_shape [1, 42, 32] : tensor<42x32xf32> into tensor<1x42x32xf32>
  %54 = tensor.empty() : tensor<1x42x32xf32>
  %55 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %bq : tensor<1x42x32xf32>, tensor<32xf32>) outs(%54 : tensor<1x42x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %56 = arith.addf %in, %in_1 : f32
    linalg.yield %56 : f32
  } -> tensor<1x42x32xf32>
  %57 = tensor.empty() : tensor<32x32xf32>
  %58 = linalg.transpose ins(%wk : tensor<32x32xf32>) outs(%57 : tensor<32x32xf32>) permutation = [1, 0]
  %59 = tensor.collapse_shape %46 [[0, 1], [2]] : tensor<1x42x32xf32> into tensor<42x32xf32>
  %60 = tensor.empty() : tensor<42x32xf32>
  %61 = linalg.fill ins(%cst : f32) outs(%60 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %62 = linalg.matmul ins(%59, %58 : tensor<42x32xf32>, tensor<32x32xf32>) outs(%61 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %63 = tensor.expand_shape %62 [[0, 1], [2]] output_shape [1, 42, 32] : tensor<42x32xf32> into tensor<1x42x32xf32>
  %64 = tensor.empty() : tensor<1x42x32xf32>
  %65 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %bk : tensor<1x42x32xf32>, tensor<32xf32>) outs(%64 : tensor<1x42x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %66 = arith.addf %in, %in_1 : f32
    linalg.yield %66 : f32
  } -> tensor<1x42x32xf32>
  %67 = tensor.empty() : tensor<32x32xf32>
  %68 = linalg.transpose ins(%wv : tensor<32x32xf32>) outs(%67 : tensor<32x32xf32>) permutation = [1, 0]
  %69 = tensor.collapse_shape %46 [[0, 1], [2]] : tensor<1x42x32xf32> into tensor<42x32xf32>
  %70 = tensor.empty() : tensor<42x32xf32>
  %71 = linalg.fill ins(%cst : f32) outs(%70 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %72 = linalg.matmul ins(%69, %68 : tensor<42x32xf32>, tensor<32x32xf32>) outs(%71 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %73 = tensor.expand_shape %72 [[0, 1], [2]] output_shape [1, 42, 32] : tensor<42x32xf32> into tensor<1x42x32xf32>
  %74 = tensor.empty() : tensor<1x42x32xf32>
  %75 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %bv : tensor<1x42x32xf32>, tensor<32xf32>) outs(%74 : tensor<1x42x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %76 = arith.addf %in, %in_1 : f32
    linalg.yield %76 : f32
  } -> tensor<1x42x32xf32>
  %77 = tensor.empty() : tensor<1x32x42xf32>
  %78 = linalg.transpose ins(%65 : tensor<1x42x32xf32>) outs(%77 : tensor<1x32x42xf32>) permutation = [0, 2, 1]
  %79 = tensor.empty() : tensor<1x42x42xf32>
  %80 = linalg.fill ins(%cst : f32) outs(%79 : tensor<1x42x42xf32>) -> tensor<1x42x42xf32>
  %81 = linalg.batch_matmul ins(%55, %78 : tensor<1x42x32xf32>, tensor<1x32x42xf32>) outs(%80 : tensor<1x42x42xf32>) -> tensor<1x42x42xf32>
  %82 = tensor.empty() : tensor<1x42x42xf32>
  %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x42x42xf32>) outs(%82 : tensor<1x42x42xf32>) {
  ^bb0(%in: f32, %out: f32):
    %84 = arith.truncf %cst_3 : f64 to f32
    %85 = arith.mulf %in, %84 : f32
    linalg.yield %85 : f32
  } -> tensor<1x42x42xf32>
  %86 = tensor.empty() : tensor<1x42xi64>
  %87 = linalg.fill ins(%cst_4 : i64) outs(%86 : tensor<1x42xi64>) -> tensor<1x42xi64>
  %88 = tensor.empty() : tensor<1x42xf32>
  %89 = linalg.fill ins(%cst_5 : f32) outs(%88 : tensor<1x42xf32>) -> tensor<1x42xf32>
  %90:2 = linalg.generic {indexing_maps = [#map1, #map5, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<1x42x42xf32>) outs(%89, %87 : tensor<1x42xf32>, tensor<1x42xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %91 = linalg.index 2 : index
    %92 = arith.index_cast %91 : index to i64
    %93 = arith.maximumf %in, %out : f32
    %94 = arith.cmpf ogt, %in, %out : f32
    %95 = arith.select %94, %92, %out_1 : i64
    linalg.yield %93, %95 : f32, i64
  } -> (tensor<1x42xf32>, tensor<1x42xi64>)
  %96 = tensor.expand_shape %90#0 [[0], [1, 2]] output_shape [1, 42, 1] : tensor<1x42xf32> into tensor<1x42x1xf32>
  %97 = tensor.empty() : tensor<1x42x42xf32>
  %98 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %96 : tensor<1x42x42xf32>, tensor<1x42x1xf32>) outs(%97 : tensor<1x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %99 = arith.subf %in, %in_1 : f32
    linalg.yield %99 : f32
  } -> tensor<1x42x42xf32>
  %100 = tensor.empty() : tensor<1x42x42xf32>
  %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x42x42xf32>) outs(%100 : tensor<1x42x42xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = math.exp %in : f32
    linalg.yield %102 : f32
  } -> tensor<1x42x42xf32>
  %103 = tensor.empty() : tensor<1x42x1xf32>
  %104 = linalg.fill ins(%cst : f32) outs(%103 : tensor<1x42x1xf32>) -> tensor<1x42x1xf32>
  %105 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%101 : tensor<1x42x42xf32>) outs(%104 : tensor<1x42x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %106 = arith.addf %in, %out : f32
    linalg.yield %106 : f32
  } -> tensor<1x42x1xf32>
  %107 = tensor.empty() : tensor<1x42x42xf32>
  %108 = linalg.generic {indexing_maps = [#map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %105 : tensor<1x42x42xf32>, tensor<1x42x1xf32>) outs(%107 : tensor<1x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %109 = arith.divf %in, %in_1 : f32
    linalg.yield %109 : f32
  } -> tensor<1x42x42xf32>
  %110 = tensor.empty() : tensor<1x42x32xf32>
  %111 = linalg.fill ins(%cst : f32) outs(%110 : tensor<1x42x32xf32>) -> tensor<1x42x32xf32>
  %112 = linalg.batch_matmul ins(%108, %75 : tensor<1x42x42xf32>, tensor<1x42x32xf32>) outs(%111 : tensor<1x42x32xf32>) -> tensor<1x42x32xf32>
  %113 = tensor.empty() : tensor<32x32xf32>
  %114 = linalg.transpose ins(%wo : tensor<32x32xf32>) outs(%113 : tensor<32x32xf32>) permutation = [1, 0]
  %115 = tensor.collapse_shape %112 [[0, 1], [2]] : tensor<1x42x32xf32> into tensor<42x32xf32>
  %116 = tensor.empty() : tensor<42x32xf32>
  %117 = linalg.fill ins(%cst : f32) outs(%116 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %118 = linalg.matmul ins(%115, %114 : tensor<42x32xf32>, tensor<32x32xf32>) outs(%117 : tensor<42x32xf32>) -> tensor<42x32xf32>
  %119 = tensor.expand_shape %118 [[0, 1], [2]] output_shape [1, 42, 32] : tensor<42x32xf32> into tensor<1x42x32xf32>
  %120 = tensor.empty() : tensor<1x42x32xf32>
  %121 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %bo : tensor<1x42x32xf32>, tensor<32xf32>) outs(%120 : tensor<1x42x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %122 = arith.addf %in, %in_1 : f32
    linalg.yield %122 : f32
  } -> tensor<1x42x32xf32>
  %123 = tensor.empty() : tensor<1x32x42xf32>
  %124 = linalg.transpose ins(%121 : tensor<1x42x32xf32>) outs(%123 : tensor<1x32x42xf32>) permutation = [0, 2, 1]
  %125 = tensor.expand_shape %124 [[0], [1], [2, 3]] output_shape [1, 32, 6, 7] : tensor<1x32x42xf32> into tensor<1x32x6x7xf32>
  %126 = tensor.empty() : tensor<1x32x6x7xf32>
  %127 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125, %x : tensor<1x32x6x7xf32>, tensor<1x32x6x7xf32>) outs(%126 : tensor<1x32x6x7xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %128 = arith.addf %in, %in_1 : f32
    linalg.yield %128 : f32
  } -> tensor<1x32x6x7xf32>
  return %127 : tensor<1x32x6x7xf32>
}
