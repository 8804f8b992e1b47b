// ALiBi: slopes times positions, added.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @alibi(%q: tensor<1x3x37x16xf32>,
                 %k: tensor<1x3x37x16xf32>,
                 %v: tensor<1x3x37x16xf32>,
                 %slopes: tensor<3xf32> {check.draw = "choose 0.5 0.25 0.125"}) -> tensor<1x3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<37xi64>
  %4 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %5 = tensor.empty() : tensor<1x37xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x37xi64>) outs(%5 : tensor<1x37xf32>) {
  ^bb0(%in: i64, %out: f32):
    %7 = arith.sitofp %in : i64 to f32
    linalg.yield %7 : f32
  } -> tensor<1x37xf32>
  %8 = tensor.expand_shape %slopes [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
  %9 = tensor.empty() : tensor<3x1x37xf32>
  %10 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %6 : tensor<3x1x1xf32>, tensor<1x37xf32>) outs(%9 : tensor<3x1x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %11 = arith.mulf %in, %in_1 : f32
    linalg.yield %11 : f32
  } -> tensor<3x1x37xf32>
  %12 = tensor.empty() : tensor<1x3x16x37xf32>
  %13 = linalg.transpose ins(%k : tensor<1x3x37x16xf32>) outs(%12 : tensor<1x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %14 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %15 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x3x16x37xf32> into tensor<3x16x37xf32>
  %16 = tensor.empty() : tensor<3x37x37xf32>
  %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %18 = linalg.batch_matmul ins(%14, %15 : tensor<3x37x16xf32>, tensor<3x16x37xf32>) outs(%17 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %19 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf32> into tensor<1x3x37x37xf32>
  %20 = tensor.empty() : tensor<1x3x37x37xf32>
  %21 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x3x37x37xf32>) outs(%20 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.truncf %cst_1 : f64 to f32
    %23 = arith.mulf %in, %22 : f32
    linalg.yield %23 : f32
  } -> tensor<1x3x37x37xf32>
  %24 = tensor.empty() : tensor<1x3x37x37xf32>
  %25 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %10 : tensor<1x3x37x37xf32>, tensor<3x1x37xf32>) outs(%24 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %26 = arith.addf %in, %in_1 : f32
    linalg.yield %26 : f32
  } -> tensor<1x3x37x37xf32>
  %27 = tensor.empty() : tensor<1x3x37xi64>
  %28 = linalg.fill ins(%cst_2 : i64) outs(%27 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %29 = tensor.empty() : tensor<1x3x37xf32>
  %30 = linalg.fill ins(%cst_3 : f32) outs(%29 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %31:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x3x37x37xf32>) outs(%30, %28 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %32 = linalg.index 3 : index
    %33 = arith.index_cast %32 : index to i64
    %34 = arith.maximumf %in, %out : f32
    %35 = arith.cmpf ogt, %in, %out : f32
    %36 = arith.select %35, %33, %out_1 : i64
    linalg.yield %34, %36 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %37 = tensor.expand_shape %31#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %38 = tensor.empty() : tensor<1x3x37x37xf32>
  %39 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %37 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%38 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %40 = arith.subf %in, %in_1 : f32
    linalg.yield %40 : f32
  } -> tensor<1x3x37x37xf32>
  %41 = tensor.empty() : tensor<1x3x37x37xf32>
  %42 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x3x37x37xf32>) outs(%41 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = math.exp %in : f32
    linalg.yield %43 : f32
  } -> tensor<1x3x37x37xf32>
  %44 = tensor.empty() : tensor<1x3x37x1xf32>
  %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %46 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<1x3x37x37xf32>) outs(%45 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %47 = arith.addf %in, %out : f32
    linalg.yield %47 : f32
  } -> tensor<1x3x37x1xf32>
  %48 = tensor.empty() : tensor<1x3x37x37xf32>
  %49 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %46 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%48 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %50 = arith.divf %in, %in_1 : f32
    linalg.yield %50 : f32
  } -> tensor<1x3x37x37xf32>
  %51 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x3x37x37xf32> into tensor<3x37x37xf32>
  %52 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %53 = tensor.empty() : tensor<3x37x16xf32>
  %54 = linalg.fill ins(%cst : f32) outs(%53 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %55 = linalg.batch_matmul ins(%51, %52 : tensor<3x37x37xf32>, tensor<3x37x16xf32>) outs(%54 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %56 = tensor.expand_shape %55 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %56 : tensor<1x3x37x16xf32>
}
