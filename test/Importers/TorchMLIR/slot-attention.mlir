// Slot attention: a softmax over the slots, then weights that are normalised over the
// inputs.

// RUN: linalg-ext-check-program %s --max-kernels=3 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @slot_attention(%q: tensor<1x7x16xf32>,
    %k: tensor<1x90x16xf32>,
    %v: tensor<1x90x16xf32>) -> (tensor<1x7x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 1.000000e-08 : f64
  %0 = tensor.empty() : tensor<1x16x7xf32>
  %1 = linalg.transpose ins(%q : tensor<1x7x16xf32>) outs(%0 : tensor<1x16x7xf32>) permutation = [0, 2, 1]
  %2 = tensor.empty() : tensor<1x90x7xf32>
  %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<1x90x7xf32>) -> tensor<1x90x7xf32>
  %4 = linalg.batch_matmul ins(%k, %1 : tensor<1x90x16xf32>, tensor<1x16x7xf32>) outs(%3 : tensor<1x90x7xf32>) -> tensor<1x90x7xf32>
  %5 = tensor.empty() : tensor<1x90x7xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x90x7xf32>) outs(%5 : tensor<1x90x7xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x90x7xf32>
  %7 = tensor.empty() : tensor<1x90xi64>
  %8 = linalg.fill ins(%c2 : i64) outs(%7 : tensor<1x90xi64>) -> tensor<1x90xi64>
  %9 = tensor.empty() : tensor<1x90xf32>
  %10 = linalg.fill ins(%c3 : f32) outs(%9 : tensor<1x90xf32>) -> tensor<1x90xf32>
  %11:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<1x90x7xf32>) outs(%10, %8 : tensor<1x90xf32>, tensor<1x90xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x90xf32>, tensor<1x90xi64>)
  %12 = tensor.expand_shape %11#0 [[0], [1, 2]] output_shape [1, 90, 1] : tensor<1x90xf32> into tensor<1x90x1xf32>
  %13 = tensor.empty() : tensor<1x90x7xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %12 : tensor<1x90x7xf32>, tensor<1x90x1xf32>) outs(%13 : tensor<1x90x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x90x7xf32>
  %15 = tensor.empty() : tensor<1x90x7xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x90x7xf32>) outs(%15 : tensor<1x90x7xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x90x7xf32>
  %17 = tensor.empty() : tensor<1x90x1xf32>
  %18 = linalg.fill ins(%c0 : f32) outs(%17 : tensor<1x90x1xf32>) -> tensor<1x90x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<1x90x7xf32>) outs(%18 : tensor<1x90x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x90x1xf32>
  %20 = tensor.empty() : tensor<1x90x7xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %19 : tensor<1x90x7xf32>, tensor<1x90x1xf32>) outs(%20 : tensor<1x90x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x90x7xf32>
  %22 = tensor.empty() : tensor<1x90x7xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x90x7xf32>) outs(%22 : tensor<1x90x7xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c4 : f64 to f32
    %res = arith.addf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x90x7xf32>
  %24 = tensor.empty() : tensor<1x7x90xf32>
  %25 = linalg.transpose ins(%23 : tensor<1x90x7xf32>) outs(%24 : tensor<1x7x90xf32>) permutation = [0, 2, 1]
  %26 = tensor.empty() : tensor<1x7x1xf32>
  %27 = linalg.fill ins(%c0 : f32) outs(%26 : tensor<1x7x1xf32>) -> tensor<1x7x1xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%25 : tensor<1x7x90xf32>) outs(%27 : tensor<1x7x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x7x1xf32>
  %29 = tensor.empty() : tensor<1x7x90xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<1x7x90xf32>, tensor<1x7x1xf32>) outs(%29 : tensor<1x7x90xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x7x90xf32>
  %31 = tensor.empty() : tensor<1x7x16xf32>
  %32 = linalg.fill ins(%c0 : f32) outs(%31 : tensor<1x7x16xf32>) -> tensor<1x7x16xf32>
  %33 = linalg.batch_matmul ins(%30, %v : tensor<1x7x90xf32>, tensor<1x90x16xf32>) outs(%32 : tensor<1x7x16xf32>) -> tensor<1x7x16xf32>
  return %33 : tensor<1x7x16xf32>
}
