// The product of the vocabulary and its cross entropy: the logits are not stored.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1684 --max-kernels=3 \
// RUN:   --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<() -> ()>

func.func @linear_cross_entropy_f16(%hidden: tensor<45x72xf16>,
    %weight: tensor<517x72xf16>,
    %target: tensor<45xi64> {check.draw = "uniform 0 516"}) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0 : i64
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 4.50000000000000000e+01 : f64
  %0 = tensor.empty() : tensor<72x517xf16>
  %1 = linalg.transpose ins(%weight : tensor<517x72xf16>) outs(%0 : tensor<72x517xf16>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<45x517xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<45x517xf32>) -> tensor<45x517xf32>
  %4 = linalg.matmul ins(%hidden, %1 : tensor<45x72xf16>, tensor<72x517xf16>) outs(%3 : tensor<45x517xf32>) -> tensor<45x517xf32>
  %5 = tensor.empty() : tensor<45x517xf16>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<45x517xf32>) outs(%5 : tensor<45x517xf16>) {
  ^bb0(%in: f32, %out: f16):
    %7 = arith.truncf %in : f32 to f16
    linalg.yield %7 : f16
  } -> tensor<45x517xf16>
  %8 = tensor.empty() : tensor<45x517xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<45x517xf16>) outs(%8 : tensor<45x517xf32>) {
  ^bb0(%in: f16, %out: f32):
    %10 = arith.extf %in : f16 to f32
    linalg.yield %10 : f32
  } -> tensor<45x517xf32>
  %11 = tensor.empty() : tensor<45xi64>
  %12 = linalg.fill ins(%cst_1 : i64) outs(%11 : tensor<45xi64>) -> tensor<45xi64>
  %13 = tensor.empty() : tensor<45xf32>
  %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<45xf32>) -> tensor<45xf32>
  %15:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<45x517xf32>) outs(%14, %12 : tensor<45xf32>, tensor<45xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %16 = linalg.index 1 : index
    %17 = arith.index_cast %16 : index to i64
    %18 = arith.maximumf %in, %out : f32
    %19 = arith.cmpf ogt, %in, %out : f32
    %20 = arith.select %19, %17, %out_1 : i64
    linalg.yield %18, %20 : f32, i64
  } -> (tensor<45xf32>, tensor<45xi64>)
  %21 = tensor.expand_shape %15#0 [[0, 1]] output_shape [45, 1] : tensor<45xf32> into tensor<45x1xf32>
  %22 = tensor.empty() : tensor<45x517xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %21 : tensor<45x517xf32>, tensor<45x1xf32>) outs(%22 : tensor<45x517xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %24 = arith.subf %in, %in_1 : f32
    linalg.yield %24 : f32
  } -> tensor<45x517xf32>
  %25 = tensor.empty() : tensor<45x517xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<45x517xf32>) outs(%25 : tensor<45x517xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = math.exp %in : f32
    linalg.yield %27 : f32
  } -> tensor<45x517xf32>
  %28 = tensor.empty() : tensor<45x1xf32>
  %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<45x1xf32>) -> tensor<45x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%26 : tensor<45x517xf32>) outs(%29 : tensor<45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %in, %out : f32
    linalg.yield %31 : f32
  } -> tensor<45x1xf32>
  %32 = tensor.empty() : tensor<45x1xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<45x1xf32>) outs(%32 : tensor<45x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = math.log %in : f32
    linalg.yield %34 : f32
  } -> tensor<45x1xf32>
  %35 = tensor.empty() : tensor<45x517xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %33 : tensor<45x517xf32>, tensor<45x1xf32>) outs(%35 : tensor<45x517xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %37 = arith.subf %in, %in_1 : f32
    linalg.yield %37 : f32
  } -> tensor<45x517xf32>
  %38 = tensor.empty() : tensor<45xf32>
  %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%target : tensor<45xi64>) outs(%38 : tensor<45xf32>) {
  ^bb0(%in: i64, %out: f32):
    %40 = arith.index_cast %in : i64 to index
    %41 = linalg.index 0 : index
    %42 = tensor.extract %36[%41, %40] : tensor<45x517xf32>
    %43 = arith.negf %42 : f32
    linalg.yield %43 : f32
  } -> tensor<45xf32>
  %44 = tensor.empty() : tensor<f32>
  %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<f32>) -> tensor<f32>
  %46 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%39 : tensor<45xf32>) outs(%45 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %47 = arith.addf %in, %out : f32
    linalg.yield %47 : f32
  } -> tensor<f32>
  %48 = tensor.empty() : tensor<f32>
  %49 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%46 : tensor<f32>) outs(%48 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = arith.truncf %cst_3 : f64 to f32
    %51 = arith.divf %in, %50 : f32
    linalg.yield %51 : f32
  } -> tensor<f32>
  return %49 : tensor<f32>
}
