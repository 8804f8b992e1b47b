// BERT's attention: four projections with weights transposed and broadcast,
// scores divided by sqrt(d), a finite mask.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=6208 --keys=16

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @bert(%x: tensor<1x31x24xf32>,
                %wq: tensor<24x24xf32> {check.draw = "uniform -0.3 0.3"},
                %wk: tensor<24x24xf32> {check.draw = "uniform -0.3 0.3"},
                %wv: tensor<24x24xf32> {check.draw = "uniform -0.3 0.3"},
                %wo: tensor<24x24xf32> {check.draw = "uniform -0.3 0.3"},
                %bq: tensor<24xf32>,
                %bk: tensor<24xf32>,
                %bv: tensor<24xf32>,
                %bo: tensor<24xf32>,
                %mask: tensor<1x1x1x31xf32> {check.draw = "mask 0.3 -3.4e38"}) -> tensor<1x31x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.82842712474619029e+00 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<24x24xf32>
  %1 = linalg.transpose ins(%wq : tensor<24x24xf32>) outs(%0 : tensor<24x24xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<1x24x24xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<24x24xf32>) outs(%2 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %4 = tensor.empty() : tensor<1x31x24xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %6 = linalg.batch_matmul ins(%x, %3 : tensor<1x31x24xf32>, tensor<1x24x24xf32>) outs(%5 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %7 = tensor.empty() : tensor<1x31x24xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %bq : tensor<1x31x24xf32>, tensor<24xf32>) outs(%7 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %9 = arith.addf %in, %in_1 : f32
    linalg.yield %9 : f32
  } -> tensor<1x31x24xf32>
  %10 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [1, 31, 3, 8] : tensor<1x31x24xf32> into tensor<1x31x3x8xf32>
  %11 = tensor.empty() : tensor<1x3x31x8xf32>
  %12 = linalg.transpose ins(%10 : tensor<1x31x3x8xf32>) outs(%11 : tensor<1x3x31x8xf32>) permutation = [0, 2, 1, 3]
  %13 = tensor.empty() : tensor<24x24xf32>
  %14 = linalg.transpose ins(%wk : tensor<24x24xf32>) outs(%13 : tensor<24x24xf32>) permutation = [1, 0]
  %15 = tensor.empty() : tensor<1x24x24xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<24x24xf32>) outs(%15 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %17 = tensor.empty() : tensor<1x31x24xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %19 = linalg.batch_matmul ins(%x, %16 : tensor<1x31x24xf32>, tensor<1x24x24xf32>) outs(%18 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %20 = tensor.empty() : tensor<1x31x24xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %bk : tensor<1x31x24xf32>, tensor<24xf32>) outs(%20 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %22 = arith.addf %in, %in_1 : f32
    linalg.yield %22 : f32
  } -> tensor<1x31x24xf32>
  %23 = tensor.expand_shape %21 [[0], [1], [2, 3]] output_shape [1, 31, 3, 8] : tensor<1x31x24xf32> into tensor<1x31x3x8xf32>
  %24 = tensor.empty() : tensor<1x3x31x8xf32>
  %25 = linalg.transpose ins(%23 : tensor<1x31x3x8xf32>) outs(%24 : tensor<1x3x31x8xf32>) permutation = [0, 2, 1, 3]
  %26 = tensor.empty() : tensor<24x24xf32>
  %27 = linalg.transpose ins(%wv : tensor<24x24xf32>) outs(%26 : tensor<24x24xf32>) permutation = [1, 0]
  %28 = tensor.empty() : tensor<1x24x24xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<24x24xf32>) outs(%28 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %30 = tensor.empty() : tensor<1x31x24xf32>
  %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %32 = linalg.batch_matmul ins(%x, %29 : tensor<1x31x24xf32>, tensor<1x24x24xf32>) outs(%31 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %33 = tensor.empty() : tensor<1x31x24xf32>
  %34 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %bv : tensor<1x31x24xf32>, tensor<24xf32>) outs(%33 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.addf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x31x24xf32>
  %36 = tensor.expand_shape %34 [[0], [1], [2, 3]] output_shape [1, 31, 3, 8] : tensor<1x31x24xf32> into tensor<1x31x3x8xf32>
  %37 = tensor.empty() : tensor<1x3x31x8xf32>
  %38 = linalg.transpose ins(%36 : tensor<1x31x3x8xf32>) outs(%37 : tensor<1x3x31x8xf32>) permutation = [0, 2, 1, 3]
  %39 = tensor.empty() : tensor<1x3x8x31xf32>
  %40 = linalg.transpose ins(%25 : tensor<1x3x31x8xf32>) outs(%39 : tensor<1x3x8x31xf32>) permutation = [0, 1, 3, 2]
  %41 = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<1x3x31x8xf32> into tensor<3x31x8xf32>
  %42 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x3x8x31xf32> into tensor<3x8x31xf32>
  %43 = tensor.empty() : tensor<3x31x31xf32>
  %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<3x31x31xf32>) -> tensor<3x31x31xf32>
  %45 = linalg.batch_matmul ins(%41, %42 : tensor<3x31x8xf32>, tensor<3x8x31xf32>) outs(%44 : tensor<3x31x31xf32>) -> tensor<3x31x31xf32>
  %46 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 3, 31, 31] : tensor<3x31x31xf32> into tensor<1x3x31x31xf32>
  %47 = tensor.empty() : tensor<1x3x31x31xf32>
  %48 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x3x31x31xf32>) outs(%47 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %49 = arith.truncf %cst_1 : f64 to f32
    %50 = arith.divf %in, %49 : f32
    linalg.yield %50 : f32
  } -> tensor<1x3x31x31xf32>
  %51 = tensor.empty() : tensor<1x3x31x31xf32>
  %52 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %mask : tensor<1x3x31x31xf32>, tensor<1x1x1x31xf32>) outs(%51 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %53 = arith.addf %in, %in_1 : f32
    linalg.yield %53 : f32
  } -> tensor<1x3x31x31xf32>
  %54 = tensor.empty() : tensor<1x3x31xi64>
  %55 = linalg.fill ins(%cst_2 : i64) outs(%54 : tensor<1x3x31xi64>) -> tensor<1x3x31xi64>
  %56 = tensor.empty() : tensor<1x3x31xf32>
  %57 = linalg.fill ins(%cst_3 : f32) outs(%56 : tensor<1x3x31xf32>) -> tensor<1x3x31xf32>
  %58:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x3x31x31xf32>) outs(%57, %55 : tensor<1x3x31xf32>, tensor<1x3x31xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %59 = linalg.index 3 : index
    %60 = arith.index_cast %59 : index to i64
    %61 = arith.maximumf %in, %out : f32
    %62 = arith.cmpf ogt, %in, %out : f32
    %63 = arith.select %62, %60, %out_1 : i64
    linalg.yield %61, %63 : f32, i64
  } -> (tensor<1x3x31xf32>, tensor<1x3x31xi64>)
  %64 = tensor.expand_shape %58#0 [[0], [1], [2, 3]] output_shape [1, 3, 31, 1] : tensor<1x3x31xf32> into tensor<1x3x31x1xf32>
  %65 = tensor.empty() : tensor<1x3x31x31xf32>
  %66 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %64 : tensor<1x3x31x31xf32>, tensor<1x3x31x1xf32>) outs(%65 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %67 = arith.subf %in, %in_1 : f32
    linalg.yield %67 : f32
  } -> tensor<1x3x31x31xf32>
  %68 = tensor.empty() : tensor<1x3x31x31xf32>
  %69 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<1x3x31x31xf32>) outs(%68 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %70 = math.exp %in : f32
    linalg.yield %70 : f32
  } -> tensor<1x3x31x31xf32>
  %71 = tensor.empty() : tensor<1x3x31x1xf32>
  %72 = linalg.fill ins(%cst : f32) outs(%71 : tensor<1x3x31x1xf32>) -> tensor<1x3x31x1xf32>
  %73 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<1x3x31x31xf32>) outs(%72 : tensor<1x3x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %74 = arith.addf %in, %out : f32
    linalg.yield %74 : f32
  } -> tensor<1x3x31x1xf32>
  %75 = tensor.empty() : tensor<1x3x31x31xf32>
  %76 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %73 : tensor<1x3x31x31xf32>, tensor<1x3x31x1xf32>) outs(%75 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %77 = arith.divf %in, %in_1 : f32
    linalg.yield %77 : f32
  } -> tensor<1x3x31x31xf32>
  %78 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<1x3x31x31xf32> into tensor<3x31x31xf32>
  %79 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x3x31x8xf32> into tensor<3x31x8xf32>
  %80 = tensor.empty() : tensor<3x31x8xf32>
  %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<3x31x8xf32>) -> tensor<3x31x8xf32>
  %82 = linalg.batch_matmul ins(%78, %79 : tensor<3x31x31xf32>, tensor<3x31x8xf32>) outs(%81 : tensor<3x31x8xf32>) -> tensor<3x31x8xf32>
  %83 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [1, 3, 31, 8] : tensor<3x31x8xf32> into tensor<1x3x31x8xf32>
  %84 = tensor.empty() : tensor<1x31x3x8xf32>
  %85 = linalg.transpose ins(%83 : tensor<1x3x31x8xf32>) outs(%84 : tensor<1x31x3x8xf32>) permutation = [0, 2, 1, 3]
  %86 = tensor.collapse_shape %85 [[0], [1], [2, 3]] : tensor<1x31x3x8xf32> into tensor<1x31x24xf32>
  %87 = tensor.empty() : tensor<24x24xf32>
  %88 = linalg.transpose ins(%wo : tensor<24x24xf32>) outs(%87 : tensor<24x24xf32>) permutation = [1, 0]
  %89 = tensor.empty() : tensor<1x24x24xf32>
  %90 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<24x24xf32>) outs(%89 : tensor<1x24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x24xf32>
  %91 = tensor.empty() : tensor<1x31x24xf32>
  %92 = linalg.fill ins(%cst : f32) outs(%91 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %93 = linalg.batch_matmul ins(%86, %90 : tensor<1x31x24xf32>, tensor<1x24x24xf32>) outs(%92 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %94 = tensor.empty() : tensor<1x31x24xf32>
  %95 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %bo : tensor<1x31x24xf32>, tensor<24xf32>) outs(%94 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %96 = arith.addf %in, %in_1 : f32
    linalg.yield %96 : f32
  } -> tensor<1x31x24xf32>
  return %95 : tensor<1x31x24xf32>
}
