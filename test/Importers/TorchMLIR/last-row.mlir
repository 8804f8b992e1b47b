// Of an attention only the last row is used, in a projection: only this row is computed.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=384 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @last_row(%q: tensor<2x37x48xf32>,
    %k: tensor<2x37x48xf32>,
    %v: tensor<2x37x48xf32>,
    %w: tensor<24x48xf32> {check.draw = "uniform -0.25 0.25"}) -> (tensor<2x24xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [2, 37, 3, 16] : tensor<2x37x48xf32> into tensor<2x37x3x16xf32>
  %1 = tensor.empty() : tensor<2x3x37x16xf32>
  %2 = linalg.transpose ins(%0 : tensor<2x37x3x16xf32>) outs(%1 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %3 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [2, 37, 3, 16] : tensor<2x37x48xf32> into tensor<2x37x3x16xf32>
  %4 = tensor.empty() : tensor<2x3x37x16xf32>
  %5 = linalg.transpose ins(%3 : tensor<2x37x3x16xf32>) outs(%4 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [2, 37, 3, 16] : tensor<2x37x48xf32> into tensor<2x37x3x16xf32>
  %7 = tensor.empty() : tensor<2x3x37x16xf32>
  %8 = linalg.transpose ins(%6 : tensor<2x37x3x16xf32>) outs(%7 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %9 = tensor.empty() : tensor<2x3x16x37xf32>
  %10 = linalg.transpose ins(%5 : tensor<2x3x37x16xf32>) outs(%9 : tensor<2x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %11 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<2x3x37x16xf32> into tensor<6x37x16xf32>
  %12 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<2x3x16x37xf32> into tensor<6x16x37xf32>
  %13 = tensor.empty() : tensor<6x37x37xf32>
  %14 = linalg.fill ins(%cst0 : f32) outs(%13 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %15 = linalg.batch_matmul ins(%11, %12 : tensor<6x37x16xf32>, tensor<6x16x37xf32>) outs(%14 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %16 = tensor.expand_shape %15 [[0, 1], [2], [3]] output_shape [2, 3, 37, 37] : tensor<6x37x37xf32> into tensor<2x3x37x37xf32>
  %17 = tensor.empty() : tensor<2x3x37x37xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x3x37x37xf32>) outs(%17 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %19 = tensor.empty() : tensor<2x3x37xi64>
  %20 = linalg.fill ins(%cst2 : i64) outs(%19 : tensor<2x3x37xi64>) -> tensor<2x3x37xi64>
  %21 = tensor.empty() : tensor<2x3x37xf32>
  %22 = linalg.fill ins(%cst3 : f32) outs(%21 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %23:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x3x37x37xf32>) outs(%22, %20 : tensor<2x3x37xf32>, tensor<2x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<2x3x37xf32>, tensor<2x3x37xi64>)
  %24 = tensor.expand_shape %23#0 [[0], [1], [2, 3]] output_shape [2, 3, 37, 1] : tensor<2x3x37xf32> into tensor<2x3x37x1xf32>
  %25 = tensor.empty() : tensor<2x3x37x37xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %24 : tensor<2x3x37x37xf32>, tensor<2x3x37x1xf32>) outs(%25 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %27 = tensor.empty() : tensor<2x3x37x37xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x3x37x37xf32>) outs(%27 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %29 = tensor.empty() : tensor<2x3x37x1xf32>
  %30 = linalg.fill ins(%cst0 : f32) outs(%29 : tensor<2x3x37x1xf32>) -> tensor<2x3x37x1xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<2x3x37x37xf32>) outs(%30 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1xf32>
  %32 = tensor.empty() : tensor<2x3x37x37xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<2x3x37x37xf32>, tensor<2x3x37x1xf32>) outs(%32 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %34 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<2x3x37x37xf32> into tensor<6x37x37xf32>
  %35 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<2x3x37x16xf32> into tensor<6x37x16xf32>
  %36 = tensor.empty() : tensor<6x37x16xf32>
  %37 = linalg.fill ins(%cst0 : f32) outs(%36 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %38 = linalg.batch_matmul ins(%34, %35 : tensor<6x37x37xf32>, tensor<6x37x16xf32>) outs(%37 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %39 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [2, 3, 37, 16] : tensor<6x37x16xf32> into tensor<2x3x37x16xf32>
  %40 = tensor.empty() : tensor<2x37x3x16xf32>
  %41 = linalg.transpose ins(%39 : tensor<2x3x37x16xf32>) outs(%40 : tensor<2x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %42 = tensor.collapse_shape %41 [[0], [1], [2, 3]] : tensor<2x37x3x16xf32> into tensor<2x37x48xf32>
  %43 = tensor.extract_slice %42[0, 36, 0] [2, 1, 48] [1, 1, 1] : tensor<2x37x48xf32> to tensor<2x1x48xf32>
  %44 = tensor.collapse_shape %43 [[0], [1, 2]] : tensor<2x1x48xf32> into tensor<2x48xf32>
  %45 = tensor.empty() : tensor<48x24xf32>
  %46 = linalg.transpose ins(%w : tensor<24x48xf32>) outs(%45 : tensor<48x24xf32>) permutation = [1, 0]
  %47 = tensor.empty() : tensor<2x24xf32>
  %48 = linalg.fill ins(%cst0 : f32) outs(%47 : tensor<2x24xf32>) -> tensor<2x24xf32>
  %49 = linalg.matmul ins(%44, %46 : tensor<2x48xf32>, tensor<48x24xf32>) outs(%48 : tensor<2x24xf32>) -> tensor<2x24xf32>
  return %49 : tensor<2x24xf32>
}
