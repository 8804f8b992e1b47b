// Graph attention (GAT): a score is a function of a number of each node; edges are a
// mask.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @graph_attention(%src: tensor<3x45x1xf32>,
    %dst: tensor<3x1x45xf32>,
    %h: tensor<3x45x16xf32>,
    %adj: tensor<1x45x45xf32> {check.draw = "uniform 0 1"}) -> (tensor<3x45x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.000000e-01 : f32
  %c2 = arith.constant 5.000000e-01 : f32
  %c3 = arith.constant -9.000000e+15 : f32
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<3x45x45xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%src, %dst : tensor<3x45x1xf32>, tensor<3x1x45xf32>) outs(%0 : tensor<3x45x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x45x45xf32>
  %2 = tensor.empty() : tensor<3x45x45xf32>
  %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<3x45x45xf32>) outs(%2 : tensor<3x45x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %p = arith.cmpf ogt, %in0, %c0 : f32
    %n = arith.mulf %in0, %c1 : f32
    %res = arith.select %p, %in0, %n : f32
    linalg.yield %res : f32
  } -> tensor<3x45x45xf32>
  %4 = tensor.empty() : tensor<1x45x45xi1>
  %5 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%adj : tensor<1x45x45xf32>) outs(%4 : tensor<1x45x45xi1>) {
  ^bb0(%in0: f32, %out: i1):
    %res = arith.cmpf ogt, %in0, %c2 : f32
    linalg.yield %res : i1
  } -> tensor<1x45x45xi1>
  %6 = tensor.empty() : tensor<3x45x45xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %3 : tensor<1x45x45xi1>, tensor<3x45x45xf32>) outs(%6 : tensor<3x45x45xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %in1, %c3 : f32
    linalg.yield %res : f32
  } -> tensor<3x45x45xf32>
  %8 = tensor.empty() : tensor<3x45xi64>
  %9 = linalg.fill ins(%c4 : i64) outs(%8 : tensor<3x45xi64>) -> tensor<3x45xi64>
  %10 = tensor.empty() : tensor<3x45xf32>
  %11 = linalg.fill ins(%c5 : f32) outs(%10 : tensor<3x45xf32>) -> tensor<3x45xf32>
  %12:2 = linalg.generic {indexing_maps = [#map2, #map4, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<3x45x45xf32>) outs(%11, %9 : tensor<3x45xf32>, tensor<3x45xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<3x45xf32>, tensor<3x45xi64>)
  %13 = tensor.expand_shape %12#0 [[0], [1, 2]] output_shape [3, 45, 1] : tensor<3x45xf32> into tensor<3x45x1xf32>
  %14 = tensor.empty() : tensor<3x45x45xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %13 : tensor<3x45x45xf32>, tensor<3x45x1xf32>) outs(%14 : tensor<3x45x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x45x45xf32>
  %16 = tensor.empty() : tensor<3x45x45xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<3x45x45xf32>) outs(%16 : tensor<3x45x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<3x45x45xf32>
  %18 = tensor.empty() : tensor<3x45x1xf32>
  %19 = linalg.fill ins(%c0 : f32) outs(%18 : tensor<3x45x1xf32>) -> tensor<3x45x1xf32>
  %20 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<3x45x45xf32>) outs(%19 : tensor<3x45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<3x45x1xf32>
  %21 = tensor.empty() : tensor<3x45x45xf32>
  %22 = linalg.generic {indexing_maps = [#map2, #map, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<3x45x45xf32>, tensor<3x45x1xf32>) outs(%21 : tensor<3x45x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x45x45xf32>
  %23 = tensor.empty() : tensor<3x45x16xf32>
  %24 = linalg.fill ins(%c0 : f32) outs(%23 : tensor<3x45x16xf32>) -> tensor<3x45x16xf32>
  %25 = linalg.batch_matmul ins(%22, %h : tensor<3x45x45xf32>, tensor<3x45x16xf32>) outs(%24 : tensor<3x45x16xf32>) -> tensor<3x45x16xf32>
  return %25 : tensor<3x45x16xf32>
}
