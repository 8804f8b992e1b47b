// DeBERTa: content to position and position to content scores are gathered at
// clamped relative positions, along the last dimension, one of them transposed.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7552 --max-kernels=3 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @deberta_disentangled(%q: tensor<2x39x16xf32>,
    %k: tensor<2x39x16xf32>,
    %v: tensor<2x39x16xf32>,
    %pos_key: tensor<2x24x16xf32>,
    %pos_query: tensor<2x24x16xf32>,
    %mask: tensor<1x39x39xi1>) -> tensor<2x39x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 1.44337567297406461e-01 : f64
  %cst_2 = arith.constant 12 : i64
  %cst_3 = arith.constant 0 : i64
  %cst_4 = arith.constant 23 : i64
  %cst_5 = arith.constant -3.40282347E+38 : f32
  %cst_6 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2x16x39xf32>
  %1 = linalg.transpose ins(%k : tensor<2x39x16xf32>) outs(%0 : tensor<2x16x39xf32>) permutation = [0, 2, 1]
  %2 = tensor.empty() : tensor<2x39x39xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x39x39xf32>) -> tensor<2x39x39xf32>
  %4 = linalg.batch_matmul ins(%q, %1 : tensor<2x39x16xf32>, tensor<2x16x39xf32>) outs(%3 : tensor<2x39x39xf32>) -> tensor<2x39x39xf32>
  %5 = tensor.empty() : tensor<2x39x39xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x39x39xf32>) outs(%5 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.truncf %cst_1 : f64 to f32
    %8 = arith.mulf %in, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<2x39x39xf32>
  %9 = tensor.empty() : tensor<39xi64>
  %10 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%9 : tensor<39xi64>) {
  ^bb0(%out: i64):
    %11 = linalg.index 0 : index
    %12 = arith.index_cast %11 : index to i64
    linalg.yield %12 : i64
  } -> tensor<39xi64>
  %13 = tensor.expand_shape %10 [[0, 1]] output_shape [39, 1] : tensor<39xi64> into tensor<39x1xi64>
  %14 = tensor.empty() : tensor<39xi64>
  %15 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%14 : tensor<39xi64>) {
  ^bb0(%out: i64):
    %16 = linalg.index 0 : index
    %17 = arith.index_cast %16 : index to i64
    linalg.yield %17 : i64
  } -> tensor<39xi64>
  %18 = tensor.expand_shape %15 [[0, 1]] output_shape [1, 39] : tensor<39xi64> into tensor<1x39xi64>
  %19 = tensor.empty() : tensor<39x39xi64>
  %20 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%13, %18 : tensor<39x1xi64>, tensor<1x39xi64>) outs(%19 : tensor<39x39xi64>) {
  ^bb0(%in: i64, %in_1: i64, %out: i64):
    %21 = arith.subi %in, %in_1 : i64
    linalg.yield %21 : i64
  } -> tensor<39x39xi64>
  %22 = tensor.empty() : tensor<2x16x24xf32>
  %23 = linalg.transpose ins(%pos_key : tensor<2x24x16xf32>) outs(%22 : tensor<2x16x24xf32>) permutation = [0, 2, 1]
  %24 = tensor.empty() : tensor<2x39x24xf32>
  %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x39x24xf32>) -> tensor<2x39x24xf32>
  %26 = linalg.batch_matmul ins(%q, %23 : tensor<2x39x16xf32>, tensor<2x16x24xf32>) outs(%25 : tensor<2x39x24xf32>) -> tensor<2x39x24xf32>
  %27 = tensor.empty() : tensor<39x39xi64>
  %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<39x39xi64>) outs(%27 : tensor<39x39xi64>) {
  ^bb0(%in: i64, %out: i64):
    %29 = arith.addi %in, %cst_2 : i64
    %30 = arith.maxsi %29, %cst_3 : i64
    %31 = arith.minsi %30, %cst_4 : i64
    linalg.yield %31 : i64
  } -> tensor<39x39xi64>
  %32 = tensor.expand_shape %28 [[0, 1], [2]] output_shape [1, 39, 39] : tensor<39x39xi64> into tensor<1x39x39xi64>
  %33 = tensor.empty() : tensor<2x39x39xi64>
  %34 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<1x39x39xi64>) outs(%33 : tensor<2x39x39xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<2x39x39xi64>
  %35 = tensor.empty() : tensor<2x39x39xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<2x39x39xi64>) outs(%35 : tensor<2x39x39xf32>) {
  ^bb0(%in: i64, %out: f32):
    %37 = linalg.index 0 : index
    %38 = linalg.index 1 : index
    %39 = arith.index_cast %in : i64 to index
    %40 = tensor.extract %26[%37, %38, %39] : tensor<2x39x24xf32>
    linalg.yield %40 : f32
  } -> tensor<2x39x39xf32>
  %41 = tensor.empty() : tensor<2x39x39xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<2x39x39xf32>) outs(%41 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.truncf %cst_1 : f64 to f32
    %44 = arith.mulf %in, %43 : f32
    linalg.yield %44 : f32
  } -> tensor<2x39x39xf32>
  %45 = tensor.empty() : tensor<2x39x39xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %42 : tensor<2x39x39xf32>, tensor<2x39x39xf32>) outs(%45 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %47 = arith.addf %in, %in_1 : f32
    linalg.yield %47 : f32
  } -> tensor<2x39x39xf32>
  %48 = tensor.empty() : tensor<2x16x24xf32>
  %49 = linalg.transpose ins(%pos_query : tensor<2x24x16xf32>) outs(%48 : tensor<2x16x24xf32>) permutation = [0, 2, 1]
  %50 = tensor.empty() : tensor<2x39x24xf32>
  %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<2x39x24xf32>) -> tensor<2x39x24xf32>
  %52 = linalg.batch_matmul ins(%k, %49 : tensor<2x39x16xf32>, tensor<2x16x24xf32>) outs(%51 : tensor<2x39x24xf32>) -> tensor<2x39x24xf32>
  %53 = tensor.empty() : tensor<39x39xi64>
  %54 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<39x39xi64>) outs(%53 : tensor<39x39xi64>) {
  ^bb0(%in: i64, %out: i64):
    %55 = arith.subi %cst_3, %in : i64
    %56 = arith.addi %55, %cst_2 : i64
    %57 = arith.maxsi %56, %cst_3 : i64
    %58 = arith.minsi %57, %cst_4 : i64
    linalg.yield %58 : i64
  } -> tensor<39x39xi64>
  %59 = tensor.expand_shape %54 [[0, 1], [2]] output_shape [1, 39, 39] : tensor<39x39xi64> into tensor<1x39x39xi64>
  %60 = tensor.empty() : tensor<2x39x39xi64>
  %61 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x39x39xi64>) outs(%60 : tensor<2x39x39xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<2x39x39xi64>
  %62 = tensor.empty() : tensor<2x39x39xf32>
  %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x39x39xi64>) outs(%62 : tensor<2x39x39xf32>) {
  ^bb0(%in: i64, %out: f32):
    %64 = linalg.index 0 : index
    %65 = linalg.index 1 : index
    %66 = arith.index_cast %in : i64 to index
    %67 = tensor.extract %52[%64, %65, %66] : tensor<2x39x24xf32>
    linalg.yield %67 : f32
  } -> tensor<2x39x39xf32>
  %68 = tensor.empty() : tensor<2x39x39xf32>
  %69 = linalg.transpose ins(%63 : tensor<2x39x39xf32>) outs(%68 : tensor<2x39x39xf32>) permutation = [0, 2, 1]
  %70 = tensor.empty() : tensor<2x39x39xf32>
  %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x39x39xf32>) outs(%70 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %out: f32):
    %72 = arith.truncf %cst_1 : f64 to f32
    %73 = arith.mulf %in, %72 : f32
    linalg.yield %73 : f32
  } -> tensor<2x39x39xf32>
  %74 = tensor.empty() : tensor<2x39x39xf32>
  %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %71 : tensor<2x39x39xf32>, tensor<2x39x39xf32>) outs(%74 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %76 = arith.addf %in, %in_1 : f32
    linalg.yield %76 : f32
  } -> tensor<2x39x39xf32>
  %77 = tensor.empty() : tensor<2x39x39xf32>
  %78 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%mask, %75 : tensor<1x39x39xi1>, tensor<2x39x39xf32>) outs(%77 : tensor<2x39x39xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %79 = arith.select %in, %in_1, %cst_5 : f32
    linalg.yield %79 : f32
  } -> tensor<2x39x39xf32>
  %80 = tensor.empty() : tensor<2x39xi64>
  %81 = linalg.fill ins(%cst_3 : i64) outs(%80 : tensor<2x39xi64>) -> tensor<2x39xi64>
  %82 = tensor.empty() : tensor<2x39xf32>
  %83 = linalg.fill ins(%cst_6 : f32) outs(%82 : tensor<2x39xf32>) -> tensor<2x39xf32>
  %84:2 = linalg.generic {indexing_maps = [#map, #map6, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%78 : tensor<2x39x39xf32>) outs(%83, %81 : tensor<2x39xf32>, tensor<2x39xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %85 = linalg.index 2 : index
    %86 = arith.index_cast %85 : index to i64
    %87 = arith.maximumf %in, %out : f32
    %88 = arith.cmpf ogt, %in, %out : f32
    %89 = arith.select %88, %86, %out_1 : i64
    linalg.yield %87, %89 : f32, i64
  } -> (tensor<2x39xf32>, tensor<2x39xi64>)
  %90 = tensor.expand_shape %84#0 [[0], [1, 2]] output_shape [2, 39, 1] : tensor<2x39xf32> into tensor<2x39x1xf32>
  %91 = tensor.empty() : tensor<2x39x39xf32>
  %92 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %90 : tensor<2x39x39xf32>, tensor<2x39x1xf32>) outs(%91 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %93 = arith.subf %in, %in_1 : f32
    linalg.yield %93 : f32
  } -> tensor<2x39x39xf32>
  %94 = tensor.empty() : tensor<2x39x39xf32>
  %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x39x39xf32>) outs(%94 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %out: f32):
    %96 = math.exp %in : f32
    linalg.yield %96 : f32
  } -> tensor<2x39x39xf32>
  %97 = tensor.empty() : tensor<2x39x1xf32>
  %98 = linalg.fill ins(%cst : f32) outs(%97 : tensor<2x39x1xf32>) -> tensor<2x39x1xf32>
  %99 = linalg.generic {indexing_maps = [#map, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<2x39x39xf32>) outs(%98 : tensor<2x39x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %100 = arith.addf %in, %out : f32
    linalg.yield %100 : f32
  } -> tensor<2x39x1xf32>
  %101 = tensor.empty() : tensor<2x39x39xf32>
  %102 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %99 : tensor<2x39x39xf32>, tensor<2x39x1xf32>) outs(%101 : tensor<2x39x39xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %103 = arith.divf %in, %in_1 : f32
    linalg.yield %103 : f32
  } -> tensor<2x39x39xf32>
  %104 = tensor.empty() : tensor<2x39x16xf32>
  %105 = linalg.fill ins(%cst : f32) outs(%104 : tensor<2x39x16xf32>) -> tensor<2x39x16xf32>
  %106 = linalg.batch_matmul ins(%102, %v : tensor<2x39x39xf32>, tensor<2x39x16xf32>) outs(%105 : tensor<2x39x16xf32>) -> tensor<2x39x16xf32>
  return %106 : tensor<2x39x16xf32>
}
