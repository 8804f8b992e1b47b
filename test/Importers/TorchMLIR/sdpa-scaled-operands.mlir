// Both operands are multiplied by the root of the scale, and rounded.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @sdpa_scaled_operands(%q: tensor<1x3x37x16xf16>,
                                %k: tensor<1x3x45x16xf16>,
                                %v: tensor<1x3x45x16xf16>) -> tensor<1x3x37x16xf16> {
  %cst = arith.constant 5.00000000000000000e-01 : f64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x45x16xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x3x45x16xf16>) outs(%0 : tensor<1x3x45x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    %2 = arith.truncf %cst : f64 to f16
    %3 = arith.mulf %in, %2 : f16
    linalg.yield %3 : f16
  } -> tensor<1x3x45x16xf16>
  %4 = tensor.empty() : tensor<1x3x16x45xf16>
  %5 = linalg.transpose ins(%1 : tensor<1x3x45x16xf16>) outs(%4 : tensor<1x3x16x45xf16>) permutation = [0, 1, 3, 2]
  %6 = tensor.empty() : tensor<1x3x37x16xf16>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x3x37x16xf16>) outs(%6 : tensor<1x3x37x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    %8 = arith.truncf %cst : f64 to f16
    %9 = arith.mulf %in, %8 : f16
    linalg.yield %9 : f16
  } -> tensor<1x3x37x16xf16>
  %10 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %11 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<1x3x16x45xf16> into tensor<3x16x45xf16>
  %12 = tensor.empty() : tensor<3x37x45xf32>
  %13 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %14 = linalg.batch_matmul ins(%10, %11 : tensor<3x37x16xf16>, tensor<3x16x45xf16>) outs(%13 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %15 = tensor.empty() : tensor<3x37x45xf16>
  %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<3x37x45xf32>) outs(%15 : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %17 = arith.truncf %in : f32 to f16
    linalg.yield %17 : f16
  } -> tensor<3x37x45xf16>
  %18 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf16> into tensor<1x3x37x45xf16>
  %19 = tensor.empty() : tensor<1x3x37x45xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x3x37x45xf16>) outs(%19 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f16, %out: f32):
    %21 = arith.extf %in : f16 to f32
    linalg.yield %21 : f32
  } -> tensor<1x3x37x45xf32>
  %22 = tensor.empty() : tensor<1x3x37xi64>
  %23 = linalg.fill ins(%cst_2 : i64) outs(%22 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %24 = tensor.empty() : tensor<1x3x37xf32>
  %25 = linalg.fill ins(%cst_3 : f32) outs(%24 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %26:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x3x37x45xf32>) outs(%25, %23 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %27 = linalg.index 3 : index
    %28 = arith.index_cast %27 : index to i64
    %29 = arith.maximumf %in, %out : f32
    %30 = arith.cmpf ogt, %in, %out : f32
    %31 = arith.select %30, %28, %out_1 : i64
    linalg.yield %29, %31 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %32 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %33 = tensor.empty() : tensor<1x3x37x45xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %32 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%33 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.subf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x37x45xf32>
  %36 = tensor.empty() : tensor<1x3x37x45xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x37x45xf32>) outs(%36 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = math.exp %in : f32
    linalg.yield %38 : f32
  } -> tensor<1x3x37x45xf32>
  %39 = tensor.empty() : tensor<1x3x37x1xf32>
  %40 = linalg.fill ins(%cst_1 : f32) outs(%39 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x3x37x45xf32>) outs(%40 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %in, %out : f32
    linalg.yield %42 : f32
  } -> tensor<1x3x37x1xf32>
  %43 = tensor.empty() : tensor<1x3x37x45xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %41 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%43 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %45 = arith.divf %in, %in_1 : f32
    linalg.yield %45 : f32
  } -> tensor<1x3x37x45xf32>
  %46 = tensor.empty() : tensor<1x3x37x45xf16>
  %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x3x37x45xf32>) outs(%46 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %48 = arith.truncf %in : f32 to f16
    linalg.yield %48 : f16
  } -> tensor<1x3x37x45xf16>
  %49 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x37x45xf16> into tensor<3x37x45xf16>
  %50 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf16> into tensor<3x45x16xf16>
  %51 = tensor.empty() : tensor<3x37x16xf32>
  %52 = linalg.fill ins(%cst_1 : f32) outs(%51 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %53 = linalg.batch_matmul ins(%49, %50 : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%52 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %54 = tensor.empty() : tensor<3x37x16xf16>
  %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<3x37x16xf32>) outs(%54 : tensor<3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %56 = arith.truncf %in : f32 to f16
    linalg.yield %56 : f16
  } -> tensor<3x37x16xf16>
  %57 = tensor.expand_shape %55 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf16> into tensor<1x3x37x16xf16>
  return %57 : tensor<1x3x37x16xf16>
}
