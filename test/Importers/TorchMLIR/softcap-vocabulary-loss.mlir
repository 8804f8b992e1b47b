// The product of the vocabulary and its cross entropy: the logits are not stored.
// Logits are capped by tanh (Gemma 2).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=600 --max-kernels=3 \
// RUN:   --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<() -> ()>

func.func @softcap_vocabulary_loss(%hidden: tensor<21x48xbf16>,
    %weight: tensor<301x48xbf16>,
    %target: tensor<21xi64> {check.draw = "uniform 0 300"}) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 3.00000000000000000e+01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant 2.10000000000000000e+01 : f64
  %0 = tensor.empty() : tensor<48x301xbf16>
  %1 = linalg.transpose ins(%weight : tensor<301x48xbf16>) outs(%0 : tensor<48x301xbf16>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<21x301xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<21x301xf32>) -> tensor<21x301xf32>
  %4 = linalg.matmul ins(%hidden, %1 : tensor<21x48xbf16>, tensor<48x301xbf16>) outs(%3 : tensor<21x301xf32>) -> tensor<21x301xf32>
  %5 = tensor.empty() : tensor<21x301xbf16>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<21x301xf32>) outs(%5 : tensor<21x301xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %7 = arith.truncf %in : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<21x301xbf16>
  %8 = tensor.empty() : tensor<21x301xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<21x301xbf16>) outs(%8 : tensor<21x301xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %10 = arith.extf %in : bf16 to f32
    linalg.yield %10 : f32
  } -> tensor<21x301xf32>
  %11 = tensor.empty() : tensor<21x301xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<21x301xf32>) outs(%11 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %13 = arith.truncf %cst_1 : f64 to f32
    %14 = arith.divf %in, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<21x301xf32>
  %15 = tensor.empty() : tensor<21x301xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<21x301xf32>) outs(%15 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = math.tanh %in : f32
    linalg.yield %17 : f32
  } -> tensor<21x301xf32>
  %18 = tensor.empty() : tensor<21x301xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<21x301xf32>) outs(%18 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.truncf %cst_1 : f64 to f32
    %21 = arith.mulf %in, %20 : f32
    linalg.yield %21 : f32
  } -> tensor<21x301xf32>
  %22 = tensor.empty() : tensor<21xi64>
  %23 = linalg.fill ins(%cst_2 : i64) outs(%22 : tensor<21xi64>) -> tensor<21xi64>
  %24 = tensor.empty() : tensor<21xf32>
  %25 = linalg.fill ins(%cst_3 : f32) outs(%24 : tensor<21xf32>) -> tensor<21xf32>
  %26:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%19 : tensor<21x301xf32>) outs(%25, %23 : tensor<21xf32>, tensor<21xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %27 = linalg.index 1 : index
    %28 = arith.index_cast %27 : index to i64
    %29 = arith.maximumf %in, %out : f32
    %30 = arith.cmpf ogt, %in, %out : f32
    %31 = arith.select %30, %28, %out_1 : i64
    linalg.yield %29, %31 : f32, i64
  } -> (tensor<21xf32>, tensor<21xi64>)
  %32 = tensor.expand_shape %26#0 [[0, 1]] output_shape [21, 1] : tensor<21xf32> into tensor<21x1xf32>
  %33 = tensor.empty() : tensor<21x301xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %32 : tensor<21x301xf32>, tensor<21x1xf32>) outs(%33 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.subf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<21x301xf32>
  %36 = tensor.empty() : tensor<21x301xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<21x301xf32>) outs(%36 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = math.exp %in : f32
    linalg.yield %38 : f32
  } -> tensor<21x301xf32>
  %39 = tensor.empty() : tensor<21x1xf32>
  %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<21x1xf32>) -> tensor<21x1xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%37 : tensor<21x301xf32>) outs(%40 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %in, %out : f32
    linalg.yield %42 : f32
  } -> tensor<21x1xf32>
  %43 = tensor.empty() : tensor<21x1xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<21x1xf32>) outs(%43 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %45 = math.log %in : f32
    linalg.yield %45 : f32
  } -> tensor<21x1xf32>
  %46 = tensor.empty() : tensor<21x301xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %44 : tensor<21x301xf32>, tensor<21x1xf32>) outs(%46 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %48 = arith.subf %in, %in_1 : f32
    linalg.yield %48 : f32
  } -> tensor<21x301xf32>
  %49 = tensor.empty() : tensor<21xf32>
  %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%target : tensor<21xi64>) outs(%49 : tensor<21xf32>) {
  ^bb0(%in: i64, %out: f32):
    %51 = arith.index_cast %in : i64 to index
    %52 = linalg.index 0 : index
    %53 = tensor.extract %47[%52, %51] : tensor<21x301xf32>
    %54 = arith.negf %53 : f32
    linalg.yield %54 : f32
  } -> tensor<21xf32>
  %55 = tensor.empty() : tensor<f32>
  %56 = linalg.fill ins(%cst : f32) outs(%55 : tensor<f32>) -> tensor<f32>
  %57 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%50 : tensor<21xf32>) outs(%56 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %58 = arith.addf %in, %out : f32
    linalg.yield %58 : f32
  } -> tensor<f32>
  %59 = tensor.empty() : tensor<f32>
  %60 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%57 : tensor<f32>) outs(%59 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %61 = arith.truncf %cst_4 : f64 to f32
    %62 = arith.divf %in, %61 : f32
    linalg.yield %62 : f32
  } -> tensor<f32>
  return %60 : tensor<f32>
}
