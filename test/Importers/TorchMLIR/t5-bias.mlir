// A bias a head, and no scale.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @t5_bias(%q: tensor<1x3x37x16xf32>,
                   %k: tensor<1x3x45x16xf32>,
                   %v: tensor<1x3x45x16xf32>,
                   %bias: tensor<1x3x37x45xf32>) -> tensor<1x3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0 : i64
  %cst_2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x16x45xf32>
  %1 = linalg.transpose ins(%k : tensor<1x3x45x16xf32>) outs(%0 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %4 = tensor.empty() : tensor<3x37x45xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %8 = tensor.empty() : tensor<1x3x37x45xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %bias : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%8 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %10 = arith.addf %in, %in_1 : f32
    linalg.yield %10 : f32
  } -> tensor<1x3x37x45xf32>
  %11 = tensor.empty() : tensor<1x3x37xi64>
  %12 = linalg.fill ins(%cst_1 : i64) outs(%11 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %13 = tensor.empty() : tensor<1x3x37xf32>
  %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %15:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x3x37x45xf32>) outs(%14, %12 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %16 = linalg.index 3 : index
    %17 = arith.index_cast %16 : index to i64
    %18 = arith.maximumf %in, %out : f32
    %19 = arith.cmpf ogt, %in, %out : f32
    %20 = arith.select %19, %17, %out_1 : i64
    linalg.yield %18, %20 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %21 = tensor.expand_shape %15#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %22 = tensor.empty() : tensor<1x3x37x45xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %21 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%22 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %24 = arith.subf %in, %in_1 : f32
    linalg.yield %24 : f32
  } -> tensor<1x3x37x45xf32>
  %25 = tensor.empty() : tensor<1x3x37x45xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x3x37x45xf32>) outs(%25 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = math.exp %in : f32
    linalg.yield %27 : f32
  } -> tensor<1x3x37x45xf32>
  %28 = tensor.empty() : tensor<1x3x37x1xf32>
  %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x3x37x45xf32>) outs(%29 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %in, %out : f32
    linalg.yield %31 : f32
  } -> tensor<1x3x37x1xf32>
  %32 = tensor.empty() : tensor<1x3x37x45xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %30 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%32 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.divf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<1x3x37x45xf32>
  %35 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %36 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %37 = tensor.empty() : tensor<3x37x16xf32>
  %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %39 = linalg.batch_matmul ins(%35, %36 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%38 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %40 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %40 : tensor<1x3x37x16xf32>
}
