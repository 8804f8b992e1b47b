// Transformer-XL and Conformer: scores of relative positions are shifted row by row, by
// a pad, a reshape, a slice and a reshape back. The shifted product is stored.

// RUN: linalg-ext-check-program %s --max-kernels=3 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @relative_shift(%q: tensor<1x3x29x16xf32>,
    %k: tensor<1x3x29x16xf32>,
    %v: tensor<1x3x29x16xf32>,
    %r: tensor<1x3x29x16xf32>,
    %u: tensor<3x1x16xf32>,
    %w: tensor<3x1x16xf32>) -> (tensor<1x29x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x29x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %u : tensor<1x3x29x16xf32>, tensor<3x1x16xf32>) outs(%0 : tensor<1x3x29x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x16xf32>
  %2 = tensor.empty() : tensor<1x3x16x29xf32>
  %3 = linalg.transpose ins(%k : tensor<1x3x29x16xf32>) outs(%2 : tensor<1x3x16x29xf32>) permutation = [0, 1, 3, 2]
  %4 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %5 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x3x16x29xf32> into tensor<3x16x29xf32>
  %6 = tensor.empty() : tensor<3x29x29xf32>
  %7 = linalg.fill ins(%c0 : f32) outs(%6 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %8 = linalg.batch_matmul ins(%4, %5 : tensor<3x29x16xf32>, tensor<3x16x29xf32>) outs(%7 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %9 = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 3, 29, 29] : tensor<3x29x29xf32> into tensor<1x3x29x29xf32>
  %10 = tensor.empty() : tensor<1x3x29x16xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %w : tensor<1x3x29x16xf32>, tensor<3x1x16xf32>) outs(%10 : tensor<1x3x29x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x16xf32>
  %12 = tensor.empty() : tensor<1x3x16x29xf32>
  %13 = linalg.transpose ins(%r : tensor<1x3x29x16xf32>) outs(%12 : tensor<1x3x16x29xf32>) permutation = [0, 1, 3, 2]
  %14 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %15 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x3x16x29xf32> into tensor<3x16x29xf32>
  %16 = tensor.empty() : tensor<3x29x29xf32>
  %17 = linalg.fill ins(%c0 : f32) outs(%16 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %18 = linalg.batch_matmul ins(%14, %15 : tensor<3x29x16xf32>, tensor<3x16x29xf32>) outs(%17 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %19 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [1, 3, 29, 29] : tensor<3x29x29xf32> into tensor<1x3x29x29xf32>
  %20 = tensor.pad %19 low[0, 0, 0, 1] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c0 : f32
  } : tensor<1x3x29x29xf32> to tensor<1x3x29x30xf32>
  %21 = tensor.collapse_shape %20 [[0, 1, 2, 3]] : tensor<1x3x29x30xf32> into tensor<2610xf32>
  %22 = tensor.expand_shape %21 [[0, 1, 2, 3]] output_shape [1, 3, 30, 29] : tensor<2610xf32> into tensor<1x3x30x29xf32>
  %23 = tensor.extract_slice %22[0, 0, 1, 0] [1, 3, 29, 29] [1, 1, 1, 1] : tensor<1x3x30x29xf32> to tensor<1x3x29x29xf32>
  %24 = tensor.empty() : tensor<1x3x29x29xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %23 : tensor<1x3x29x29xf32>, tensor<1x3x29x29xf32>) outs(%24 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x29xf32>
  %26 = tensor.empty() : tensor<1x3x29x29xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x3x29x29xf32>) outs(%26 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x29xf32>
  %28 = tensor.empty() : tensor<1x3x29xi64>
  %29 = linalg.fill ins(%c2 : i64) outs(%28 : tensor<1x3x29xi64>) -> tensor<1x3x29xi64>
  %30 = tensor.empty() : tensor<1x3x29xf32>
  %31 = linalg.fill ins(%c3 : f32) outs(%30 : tensor<1x3x29xf32>) -> tensor<1x3x29xf32>
  %32:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x3x29x29xf32>) outs(%31, %29 : tensor<1x3x29xf32>, tensor<1x3x29xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x29xf32>, tensor<1x3x29xi64>)
  %33 = tensor.expand_shape %32#0 [[0], [1], [2, 3]] output_shape [1, 3, 29, 1] : tensor<1x3x29xf32> into tensor<1x3x29x1xf32>
  %34 = tensor.empty() : tensor<1x3x29x29xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %33 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%34 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x29xf32>
  %36 = tensor.empty() : tensor<1x3x29x29xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x3x29x29xf32>) outs(%36 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x29xf32>
  %38 = tensor.empty() : tensor<1x3x29x1xf32>
  %39 = linalg.fill ins(%c0 : f32) outs(%38 : tensor<1x3x29x1xf32>) -> tensor<1x3x29x1xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x3x29x29xf32>) outs(%39 : tensor<1x3x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x1xf32>
  %41 = tensor.empty() : tensor<1x3x29x29xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%41 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x29x29xf32>
  %43 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x3x29x29xf32> into tensor<3x29x29xf32>
  %44 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %45 = tensor.empty() : tensor<3x29x16xf32>
  %46 = linalg.fill ins(%c0 : f32) outs(%45 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %47 = linalg.batch_matmul ins(%43, %44 : tensor<3x29x29xf32>, tensor<3x29x16xf32>) outs(%46 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %48 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 3, 29, 16] : tensor<3x29x16xf32> into tensor<1x3x29x16xf32>
  %49 = tensor.empty() : tensor<1x29x3x16xf32>
  %50 = linalg.transpose ins(%48 : tensor<1x3x29x16xf32>) outs(%49 : tensor<1x29x3x16xf32>) permutation = [0, 2, 1, 3]
  %51 = tensor.collapse_shape %50 [[0], [1], [2, 3]] : tensor<1x29x3x16xf32> into tensor<1x29x48xf32>
  return %51 : tensor<1x29x48xf32>
}
