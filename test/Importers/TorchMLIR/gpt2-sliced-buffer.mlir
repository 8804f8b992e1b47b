// GPT-2: the causal mask is a part of a larger buffer of booleans.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=2331 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @sliced_bias_buffer(%q: tensor<1x3x21x16xf32>,
    %k: tensor<1x3x37x16xf32>,
    %v: tensor<1x3x37x16xf32>,
    %tril: tensor<1x1x64x64xi1>) -> (tensor<1x21x48xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 4.000000e+00 : f32
  %cst2 = arith.constant -3.402823e+38 : f32
  %cst3 = arith.constant 0 : i64
  %cst4 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x16x37xf32>
  %1 = linalg.transpose ins(%k : tensor<1x3x37x16xf32>) outs(%0 : tensor<1x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x21x16xf32> into tensor<3x21x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x37xf32> into tensor<3x16x37xf32>
  %4 = tensor.empty() : tensor<3x21x37xf32>
  %5 = linalg.fill ins(%cst0 : f32) outs(%4 : tensor<3x21x37xf32>) -> tensor<3x21x37xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x21x16xf32>, tensor<3x16x37xf32>) outs(%5 : tensor<3x21x37xf32>) -> tensor<3x21x37xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, 21, 37] : tensor<3x21x37xf32> into tensor<1x3x21x37xf32>
  %8 = tensor.empty() : tensor<1x3x21x37xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x3x21x37xf32>) outs(%8 : tensor<1x3x21x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x21x37xf32>
  %10 = tensor.extract_slice %tril[0, 0, 16, 0] [1, 1, 21, 64] [1, 1, 1, 1] : tensor<1x1x64x64xi1> to tensor<1x1x21x64xi1>
  %11 = tensor.extract_slice %10[0, 0, 0, 0] [1, 1, 21, 37] [1, 1, 1, 1] : tensor<1x1x21x64xi1> to tensor<1x1x21x37xi1>
  %12 = tensor.empty() : tensor<1x3x21x37xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %9 : tensor<1x1x21x37xi1>, tensor<1x3x21x37xf32>) outs(%12 : tensor<1x3x21x37xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x21x37xf32>
  %14 = tensor.empty() : tensor<1x3x21xi64>
  %15 = linalg.fill ins(%cst3 : i64) outs(%14 : tensor<1x3x21xi64>) -> tensor<1x3x21xi64>
  %16 = tensor.empty() : tensor<1x3x21xf32>
  %17 = linalg.fill ins(%cst4 : f32) outs(%16 : tensor<1x3x21xf32>) -> tensor<1x3x21xf32>
  %18:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<1x3x21x37xf32>) outs(%17, %15 : tensor<1x3x21xf32>, tensor<1x3x21xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x21xf32>, tensor<1x3x21xi64>)
  %19 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [1, 3, 21, 1] : tensor<1x3x21xf32> into tensor<1x3x21x1xf32>
  %20 = tensor.empty() : tensor<1x3x21x37xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %19 : tensor<1x3x21x37xf32>, tensor<1x3x21x1xf32>) outs(%20 : tensor<1x3x21x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x21x37xf32>
  %22 = tensor.empty() : tensor<1x3x21x37xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x3x21x37xf32>) outs(%22 : tensor<1x3x21x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x21x37xf32>
  %24 = tensor.empty() : tensor<1x3x21x1xf32>
  %25 = linalg.fill ins(%cst0 : f32) outs(%24 : tensor<1x3x21x1xf32>) -> tensor<1x3x21x1xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<1x3x21x37xf32>) outs(%25 : tensor<1x3x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x21x1xf32>
  %27 = tensor.empty() : tensor<1x3x21x37xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<1x3x21x37xf32>, tensor<1x3x21x1xf32>) outs(%27 : tensor<1x3x21x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x21x37xf32>
  %29 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<1x3x21x37xf32> into tensor<3x21x37xf32>
  %30 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %31 = tensor.empty() : tensor<3x21x16xf32>
  %32 = linalg.fill ins(%cst0 : f32) outs(%31 : tensor<3x21x16xf32>) -> tensor<3x21x16xf32>
  %33 = linalg.batch_matmul ins(%29, %30 : tensor<3x21x37xf32>, tensor<3x37x16xf32>) outs(%32 : tensor<3x21x16xf32>) -> tensor<3x21x16xf32>
  %34 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 3, 21, 16] : tensor<3x21x16xf32> into tensor<1x3x21x16xf32>
  %35 = tensor.empty() : tensor<1x21x3x16xf32>
  %36 = linalg.transpose ins(%34 : tensor<1x3x21x16xf32>) outs(%35 : tensor<1x21x3x16xf32>) permutation = [0, 2, 1, 3]
  %37 = tensor.collapse_shape %36 [[0], [1], [2, 3]] : tensor<1x21x3x16xf32> into tensor<1x21x48xf32>
  return %37 : tensor<1x21x48xf32>
}
