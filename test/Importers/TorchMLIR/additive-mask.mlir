// Padding that is added, broadcast over heads and rows; bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @additive_mask(%q: tensor<1x3x37x16xbf16>,
                         %k: tensor<1x3x45x16xbf16>,
                         %v: tensor<1x3x45x16xbf16>,
                         %mask: tensor<1x1x1x45xbf16> {check.draw = "mask 0.4"}) -> tensor<1x3x37x16xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x16x45xbf16>
  %1 = linalg.transpose ins(%k : tensor<1x3x45x16xbf16>) outs(%0 : tensor<1x3x16x45xbf16>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xbf16> into tensor<3x37x16xbf16>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xbf16> into tensor<3x16x45xbf16>
  %4 = tensor.empty() : tensor<3x37x45xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xbf16>, tensor<3x16x45xbf16>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.empty() : tensor<3x37x45xbf16>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<3x37x45xf32>) outs(%7 : tensor<3x37x45xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %9 = arith.truncf %in : f32 to bf16
    linalg.yield %9 : bf16
  } -> tensor<3x37x45xbf16>
  %10 = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xbf16> into tensor<1x3x37x45xbf16>
  %11 = tensor.empty() : tensor<1x3x37x45xbf16>
  %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x37x45xbf16>) outs(%11 : tensor<1x3x37x45xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %13 = arith.truncf %cst_1 : f64 to bf16
    %14 = arith.mulf %in, %13 : bf16
    linalg.yield %14 : bf16
  } -> tensor<1x3x37x45xbf16>
  %15 = tensor.empty() : tensor<1x3x37x45xbf16>
  %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %mask : tensor<1x3x37x45xbf16>, tensor<1x1x1x45xbf16>) outs(%15 : tensor<1x3x37x45xbf16>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
    %17 = arith.addf %in, %in_1 : bf16
    linalg.yield %17 : bf16
  } -> tensor<1x3x37x45xbf16>
  %18 = tensor.empty() : tensor<1x3x37x45xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x3x37x45xbf16>) outs(%18 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %20 = arith.extf %in : bf16 to f32
    linalg.yield %20 : f32
  } -> tensor<1x3x37x45xf32>
  %21 = tensor.empty() : tensor<1x3x37xi64>
  %22 = linalg.fill ins(%cst_2 : i64) outs(%21 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %23 = tensor.empty() : tensor<1x3x37xf32>
  %24 = linalg.fill ins(%cst_3 : f32) outs(%23 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %25:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x3x37x45xf32>) outs(%24, %22 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %26 = linalg.index 3 : index
    %27 = arith.index_cast %26 : index to i64
    %28 = arith.maximumf %in, %out : f32
    %29 = arith.cmpf ogt, %in, %out : f32
    %30 = arith.select %29, %27, %out_1 : i64
    linalg.yield %28, %30 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %31 = tensor.expand_shape %25#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %32 = tensor.empty() : tensor<1x3x37x45xf32>
  %33 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %31 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%32 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.subf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<1x3x37x45xf32>
  %35 = tensor.empty() : tensor<1x3x37x45xf32>
  %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x3x37x45xf32>) outs(%35 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = math.exp %in : f32
    linalg.yield %37 : f32
  } -> tensor<1x3x37x45xf32>
  %38 = tensor.empty() : tensor<1x3x37x1xf32>
  %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %40 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<1x3x37x45xf32>) outs(%39 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = arith.addf %in, %out : f32
    linalg.yield %41 : f32
  } -> tensor<1x3x37x1xf32>
  %42 = tensor.empty() : tensor<1x3x37x45xf32>
  %43 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %40 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%42 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %44 = arith.divf %in, %in_1 : f32
    linalg.yield %44 : f32
  } -> tensor<1x3x37x45xf32>
  %45 = tensor.empty() : tensor<1x3x37x45xbf16>
  %46 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x3x37x45xf32>) outs(%45 : tensor<1x3x37x45xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %47 = arith.truncf %in : f32 to bf16
    linalg.yield %47 : bf16
  } -> tensor<1x3x37x45xbf16>
  %48 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<1x3x37x45xbf16> into tensor<3x37x45xbf16>
  %49 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xbf16> into tensor<3x45x16xbf16>
  %50 = tensor.empty() : tensor<3x37x16xf32>
  %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %52 = linalg.batch_matmul ins(%48, %49 : tensor<3x37x45xbf16>, tensor<3x45x16xbf16>) outs(%51 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %53 = tensor.empty() : tensor<3x37x16xbf16>
  %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<3x37x16xf32>) outs(%53 : tensor<3x37x16xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %55 = arith.truncf %in : f32 to bf16
    linalg.yield %55 : bf16
  } -> tensor<3x37x16xbf16>
  %56 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xbf16> into tensor<1x3x37x16xbf16>
  return %56 : tensor<1x3x37x16xbf16>
}
