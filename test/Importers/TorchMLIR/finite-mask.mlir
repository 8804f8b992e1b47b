// What is hidden gets the least number of f32, where non-finite ones are off.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @finite_mask(%q: tensor<1x3x37x16xf32>,
                       %k: tensor<1x3x45x16xf32>,
                       %v: tensor<1x3x45x16xf32>,
                       %mask: tensor<1x1x1x45xi1> {check.draw = "keep 0.7"}) -> tensor<1x3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant -3.402823e+38 : f32
  %cst_2 = arith.constant 2.50000000000000000e-01 : f64
  %cst_3 = arith.constant 0 : i64
  %cst_4 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x1x1x45xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mask : tensor<1x1x1x45xi1>) outs(%0 : tensor<1x1x1x45xf32>) {
  ^bb0(%in: i1, %out: f32):
    %2 = arith.select %in, %cst, %cst_1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x1x1x45xf32>
  %3 = tensor.empty() : tensor<1x3x16x45xf32>
  %4 = linalg.transpose ins(%k : tensor<1x3x45x16xf32>) outs(%3 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %5 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %6 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %7 = tensor.empty() : tensor<3x37x45xf32>
  %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %9 = linalg.batch_matmul ins(%5, %6 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%8 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %10 = tensor.expand_shape %9 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %11 = tensor.empty() : tensor<1x3x37x45xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x37x45xf32>) outs(%11 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %13 = arith.truncf %cst_2 : f64 to f32
    %14 = arith.mulf %in, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<1x3x37x45xf32>
  %15 = tensor.empty() : tensor<1x3x37x45xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %1 : tensor<1x3x37x45xf32>, tensor<1x1x1x45xf32>) outs(%15 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %17 = arith.addf %in, %in_1 : f32
    linalg.yield %17 : f32
  } -> tensor<1x3x37x45xf32>
  %18 = tensor.empty() : tensor<1x3x37xi64>
  %19 = linalg.fill ins(%cst_3 : i64) outs(%18 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %20 = tensor.empty() : tensor<1x3x37xf32>
  %21 = linalg.fill ins(%cst_4 : f32) outs(%20 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %22:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x3x37x45xf32>) outs(%21, %19 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %23 = linalg.index 3 : index
    %24 = arith.index_cast %23 : index to i64
    %25 = arith.maximumf %in, %out : f32
    %26 = arith.cmpf ogt, %in, %out : f32
    %27 = arith.select %26, %24, %out_1 : i64
    linalg.yield %25, %27 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %28 = tensor.expand_shape %22#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %29 = tensor.empty() : tensor<1x3x37x45xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %28 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%29 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.subf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<1x3x37x45xf32>
  %32 = tensor.empty() : tensor<1x3x37x45xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x3x37x45xf32>) outs(%32 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = math.exp %in : f32
    linalg.yield %34 : f32
  } -> tensor<1x3x37x45xf32>
  %35 = tensor.empty() : tensor<1x3x37x1xf32>
  %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x3x37x45xf32>) outs(%36 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %in, %out : f32
    linalg.yield %38 : f32
  } -> tensor<1x3x37x1xf32>
  %39 = tensor.empty() : tensor<1x3x37x45xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%39 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %41 = arith.divf %in, %in_1 : f32
    linalg.yield %41 : f32
  } -> tensor<1x3x37x45xf32>
  %42 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %43 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %44 = tensor.empty() : tensor<3x37x16xf32>
  %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %46 = linalg.batch_matmul ins(%42, %43 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%45 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %47 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %47 : tensor<1x3x37x16xf32>
}
