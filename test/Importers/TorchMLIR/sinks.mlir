// Attention sinks: a column is concatenated with the scores, and dropped behind
// the softmax.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @sinks(%q: tensor<1x3x37x16xf16>,
                 %k: tensor<1x3x45x16xf16>,
                 %v: tensor<1x3x45x16xf16>,
                 %sinks: tensor<3xf16>) -> tensor<1x3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x16x45xf16>
  %1 = linalg.transpose ins(%k : tensor<1x3x45x16xf16>) outs(%0 : tensor<1x3x16x45xf16>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xf16> into tensor<3x16x45xf16>
  %4 = tensor.empty() : tensor<3x37x45xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xf16>, tensor<3x16x45xf16>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.empty() : tensor<3x37x45xf16>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<3x37x45xf32>) outs(%7 : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %9 = arith.truncf %in : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<3x37x45xf16>
  %10 = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf16> into tensor<1x3x37x45xf16>
  %11 = tensor.empty() : tensor<1x3x37x45xf16>
  %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x37x45xf16>) outs(%11 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f16, %out: f16):
    %13 = arith.truncf %cst_1 : f64 to f16
    %14 = arith.mulf %in, %13 : f16
    linalg.yield %14 : f16
  } -> tensor<1x3x37x45xf16>
  %15 = tensor.expand_shape %sinks [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf16> into tensor<1x3x1x1xf16>
  %16 = tensor.empty() : tensor<1x3x37x1xf16>
  %17 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x3x1x1xf16>) outs(%16 : tensor<1x3x37x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x3x37x1xf16>
  %18 = tensor.concat dim(3) %12, %17 : (tensor<1x3x37x45xf16>, tensor<1x3x37x1xf16>) -> tensor<1x3x37x46xf16>
  %19 = tensor.empty() : tensor<1x3x37x46xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x3x37x46xf16>) outs(%19 : tensor<1x3x37x46xf32>) {
  ^bb0(%in: f16, %out: f32):
    %21 = arith.extf %in : f16 to f32
    linalg.yield %21 : f32
  } -> tensor<1x3x37x46xf32>
  %22 = tensor.empty() : tensor<1x3x37xi64>
  %23 = linalg.fill ins(%cst_2 : i64) outs(%22 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %24 = tensor.empty() : tensor<1x3x37xf32>
  %25 = linalg.fill ins(%cst_3 : f32) outs(%24 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %26:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x3x37x46xf32>) outs(%25, %23 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %27 = linalg.index 3 : index
    %28 = arith.index_cast %27 : index to i64
    %29 = arith.maximumf %in, %out : f32
    %30 = arith.cmpf ogt, %in, %out : f32
    %31 = arith.select %30, %28, %out_1 : i64
    linalg.yield %29, %31 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %32 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %33 = tensor.empty() : tensor<1x3x37x46xf32>
  %34 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %32 : tensor<1x3x37x46xf32>, tensor<1x3x37x1xf32>) outs(%33 : tensor<1x3x37x46xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.subf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x37x46xf32>
  %36 = tensor.empty() : tensor<1x3x37x46xf32>
  %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x37x46xf32>) outs(%36 : tensor<1x3x37x46xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = math.exp %in : f32
    linalg.yield %38 : f32
  } -> tensor<1x3x37x46xf32>
  %39 = tensor.empty() : tensor<1x3x37x1xf32>
  %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %41 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x3x37x46xf32>) outs(%40 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %in, %out : f32
    linalg.yield %42 : f32
  } -> tensor<1x3x37x1xf32>
  %43 = tensor.empty() : tensor<1x3x37x46xf32>
  %44 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %41 : tensor<1x3x37x46xf32>, tensor<1x3x37x1xf32>) outs(%43 : tensor<1x3x37x46xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %45 = arith.divf %in, %in_1 : f32
    linalg.yield %45 : f32
  } -> tensor<1x3x37x46xf32>
  %46 = tensor.empty() : tensor<1x3x37x46xf16>
  %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x3x37x46xf32>) outs(%46 : tensor<1x3x37x46xf16>) {
  ^bb0(%in: f32, %out: f16):
    %48 = arith.truncf %in : f32 to f16
    linalg.yield %48 : f16
  } -> tensor<1x3x37x46xf16>
  %49 = tensor.extract_slice %47[0, 0, 0, 0] [1, 3, 37, 45] [1, 1, 1, 1] : tensor<1x3x37x46xf16> to tensor<1x3x37x45xf16>
  %50 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x3x37x45xf16> into tensor<3x37x45xf16>
  %51 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf16> into tensor<3x45x16xf16>
  %52 = tensor.empty() : tensor<3x37x16xf32>
  %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %54 = linalg.batch_matmul ins(%50, %51 : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%53 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %55 = tensor.empty() : tensor<3x37x16xf16>
  %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<3x37x16xf32>) outs(%55 : tensor<3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %57 = arith.truncf %in : f32 to f16
    linalg.yield %57 : f16
  } -> tensor<3x37x16xf16>
  %58 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf16> into tensor<1x3x37x16xf16>
  return %58 : tensor<1x3x37x16xf16>
}
