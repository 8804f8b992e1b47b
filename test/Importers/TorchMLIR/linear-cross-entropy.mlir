// The product of the vocabulary and its cross entropy: the logits are not stored.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=600 --max-kernels=3 \
// RUN:   --keys=16

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<() -> ()>

func.func @linear_cross_entropy(%hidden: tensor<21x40xf32>,
    %weight: tensor<301x40xf32>,
    %target: tensor<21xi64> {check.draw = "uniform 0 300"}) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0 : i64
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 2.10000000000000000e+01 : f64
  %0 = tensor.empty() : tensor<40x301xf32>
  %1 = linalg.transpose ins(%weight : tensor<301x40xf32>) outs(%0 : tensor<40x301xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<21x301xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<21x301xf32>) -> tensor<21x301xf32>
  %4 = linalg.matmul ins(%hidden, %1 : tensor<21x40xf32>, tensor<40x301xf32>) outs(%3 : tensor<21x301xf32>) -> tensor<21x301xf32>
  %5 = tensor.empty() : tensor<21xi64>
  %6 = linalg.fill ins(%cst_1 : i64) outs(%5 : tensor<21xi64>) -> tensor<21xi64>
  %7 = tensor.empty() : tensor<21xf32>
  %8 = linalg.fill ins(%cst_2 : f32) outs(%7 : tensor<21xf32>) -> tensor<21xf32>
  %9:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<21x301xf32>) outs(%8, %6 : tensor<21xf32>, tensor<21xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %10 = linalg.index 1 : index
    %11 = arith.index_cast %10 : index to i64
    %12 = arith.maximumf %in, %out : f32
    %13 = arith.cmpf ogt, %in, %out : f32
    %14 = arith.select %13, %11, %out_1 : i64
    linalg.yield %12, %14 : f32, i64
  } -> (tensor<21xf32>, tensor<21xi64>)
  %15 = tensor.expand_shape %9#0 [[0, 1]] output_shape [21, 1] : tensor<21xf32> into tensor<21x1xf32>
  %16 = tensor.empty() : tensor<21x301xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %15 : tensor<21x301xf32>, tensor<21x1xf32>) outs(%16 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.subf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<21x301xf32>
  %19 = tensor.empty() : tensor<21x301xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<21x301xf32>) outs(%19 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %21 = math.exp %in : f32
    linalg.yield %21 : f32
  } -> tensor<21x301xf32>
  %22 = tensor.empty() : tensor<21x1xf32>
  %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<21x1xf32>) -> tensor<21x1xf32>
  %24 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%20 : tensor<21x301xf32>) outs(%23 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = arith.addf %in, %out : f32
    linalg.yield %25 : f32
  } -> tensor<21x1xf32>
  %26 = tensor.empty() : tensor<21x1xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<21x1xf32>) outs(%26 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.log %in : f32
    linalg.yield %28 : f32
  } -> tensor<21x1xf32>
  %29 = tensor.empty() : tensor<21x301xf32>
  %30 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %27 : tensor<21x301xf32>, tensor<21x1xf32>) outs(%29 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.subf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<21x301xf32>
  %32 = tensor.empty() : tensor<21xf32>
  %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%target : tensor<21xi64>) outs(%32 : tensor<21xf32>) {
  ^bb0(%in: i64, %out: f32):
    %34 = arith.index_cast %in : i64 to index
    %35 = linalg.index 0 : index
    %36 = tensor.extract %30[%35, %34] : tensor<21x301xf32>
    %37 = arith.negf %36 : f32
    linalg.yield %37 : f32
  } -> tensor<21xf32>
  %38 = tensor.empty() : tensor<f32>
  %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<f32>) -> tensor<f32>
  %40 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%33 : tensor<21xf32>) outs(%39 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = arith.addf %in, %out : f32
    linalg.yield %41 : f32
  } -> tensor<f32>
  %42 = tensor.empty() : tensor<f32>
  %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%40 : tensor<f32>) outs(%42 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.truncf %cst_3 : f64 to f32
    %45 = arith.divf %in, %44 : f32
    linalg.yield %45 : f32
  } -> tensor<f32>
  return %43 : tensor<f32>
}
