// TensorFlow's BERT: the scale on the queries, keys in front of queries in the
// contraction, -1e9 as the mask, sums from -0.0.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=6208 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d2)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>

func.func @tf_bert(%x: tensor<1x31x24xf32>,
                   %wq: tensor<24x3x8xf32> {check.draw = "uniform -0.3 0.3"},
                   %wk: tensor<24x3x8xf32> {check.draw = "uniform -0.3 0.3"},
                   %wv: tensor<24x3x8xf32> {check.draw = "uniform -0.3 0.3"},
                   %pad: tensor<1x31xf32> {check.draw = "choose 1 1 1 0"}) -> tensor<1x31x3x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 3.535534e-01 : f32
  %cst_2 = arith.constant 1.000000e+00 : f32
  %cst_3 = arith.constant -1.000000e+09 : f32
  %cst_4 = arith.constant 0xFF800000 : f32
  %cst_5 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x31x3x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x31x3x8xf32>) -> tensor<1x31x3x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %wq : tensor<1x31x24xf32>, tensor<24x3x8xf32>) outs(%1 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<1x31x3x8xf32>
  %5 = tensor.empty() : tensor<1x31x3x8xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1x31x3x8xf32>) -> tensor<1x31x3x8xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %wk : tensor<1x31x24xf32>, tensor<24x3x8xf32>) outs(%6 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.mulf %in, %in_1 : f32
    %9 = arith.addf %8, %out : f32
    linalg.yield %9 : f32
  } -> tensor<1x31x3x8xf32>
  %10 = tensor.empty() : tensor<1x31x3x8xf32>
  %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x31x3x8xf32>) -> tensor<1x31x3x8xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %wv : tensor<1x31x24xf32>, tensor<24x3x8xf32>) outs(%11 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.mulf %in, %in_1 : f32
    %14 = arith.addf %13, %out : f32
    linalg.yield %14 : f32
  } -> tensor<1x31x3x8xf32>
  %15 = tensor.empty() : tensor<1x31x3x8xf32>
  %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x31x3x8xf32>) outs(%15 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.mulf %in, %cst_1 : f32
    linalg.yield %17 : f32
  } -> tensor<1x31x3x8xf32>
  %18 = tensor.empty() : tensor<1x3x31x31xf32>
  %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<1x3x31x31xf32>) -> tensor<1x3x31x31xf32>
  %20 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%7, %16 : tensor<1x31x3x8xf32>, tensor<1x31x3x8xf32>) outs(%19 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    %22 = arith.addf %21, %out : f32
    linalg.yield %22 : f32
  } -> tensor<1x3x31x31xf32>
  %23 = tensor.empty() : tensor<1x31xf32>
  %24 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%pad : tensor<1x31xf32>) outs(%23 : tensor<1x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = arith.subf %cst_2, %in : f32
    %26 = arith.mulf %25, %cst_3 : f32
    linalg.yield %26 : f32
  } -> tensor<1x31xf32>
  %27 = tensor.empty() : tensor<1x3x31x31xf32>
  %28 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %24 : tensor<1x3x31x31xf32>, tensor<1x31xf32>) outs(%27 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %29 = arith.addf %in, %in_1 : f32
    linalg.yield %29 : f32
  } -> tensor<1x3x31x31xf32>
  %30 = tensor.empty() : tensor<1x3x31xf32>
  %31 = linalg.fill ins(%cst_4 : f32) outs(%30 : tensor<1x3x31xf32>) -> tensor<1x3x31xf32>
  %32 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x3x31x31xf32>) outs(%31 : tensor<1x3x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.maximumf %in, %out : f32
    linalg.yield %33 : f32
  } -> tensor<1x3x31xf32>
  %34 = tensor.empty() : tensor<1x3x31x31xf32>
  %35 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<1x3x31x31xf32>, tensor<1x3x31xf32>) outs(%34 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %36 = arith.subf %in, %in_1 : f32
    %37 = math.exp %36 : f32
    linalg.yield %37 : f32
  } -> tensor<1x3x31x31xf32>
  %38 = tensor.empty() : tensor<1x3x31xf32>
  %39 = linalg.fill ins(%cst_5 : f32) outs(%38 : tensor<1x3x31xf32>) -> tensor<1x3x31xf32>
  %40 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x3x31x31xf32>) outs(%39 : tensor<1x3x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = arith.addf %in, %out : f32
    linalg.yield %41 : f32
  } -> tensor<1x3x31xf32>
  %42 = tensor.empty() : tensor<1x3x31x31xf32>
  %43 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %40 : tensor<1x3x31x31xf32>, tensor<1x3x31xf32>) outs(%42 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %44 = arith.divf %in, %in_1 : f32
    linalg.yield %44 : f32
  } -> tensor<1x3x31x31xf32>
  %45 = tensor.empty() : tensor<1x31x3x8xf32>
  %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<1x31x3x8xf32>) -> tensor<1x31x3x8xf32>
  %47 = linalg.generic {indexing_maps = [#map4, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%43, %12 : tensor<1x3x31x31xf32>, tensor<1x31x3x8xf32>) outs(%46 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %48 = arith.mulf %in, %in_1 : f32
    %49 = arith.addf %48, %out : f32
    linalg.yield %49 : f32
  } -> tensor<1x31x3x8xf32>
  return %47 : tensor<1x31x3x8xf32>
}
