// A residual and LayerNorm.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>

func.func @residual_norm(%x: tensor<1x31x24xf32>,
                         %y: tensor<1x31x24xf32>,
                         %g: tensor<24xf32>,
                         %b: tensor<24xf32>) -> tensor<1x31x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.40000000000000000e+01 : f64
  %cst_2 = arith.constant 9.99999999999999980e-13 : f64
  %0 = tensor.empty() : tensor<1x31x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %y : tensor<1x31x24xf32>, tensor<1x31x24xf32>) outs(%0 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %2 = arith.addf %in, %in_1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x31x24xf32>
  %3 = tensor.empty() : tensor<1x31x1xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x31x1xf32>) -> tensor<1x31x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x31x24xf32>) outs(%4 : tensor<1x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<1x31x1xf32>
  %7 = tensor.empty() : tensor<1x31x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x31x1xf32>) outs(%7 : tensor<1x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.truncf %cst_1 : f64 to f32
    %10 = arith.divf %in, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<1x31x1xf32>
  %11 = tensor.empty() : tensor<1x31x24xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x31x24xf32>, tensor<1x31x1xf32>) outs(%11 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.subf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<1x31x24xf32>
  %14 = tensor.empty() : tensor<1x31x24xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %12 : tensor<1x31x24xf32>, tensor<1x31x24xf32>) outs(%14 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<1x31x24xf32>
  %17 = tensor.empty() : tensor<1x31x1xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<1x31x1xf32>) -> tensor<1x31x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<1x31x24xf32>) outs(%18 : tensor<1x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.addf %in, %out : f32
    linalg.yield %20 : f32
  } -> tensor<1x31x1xf32>
  %21 = tensor.empty() : tensor<1x31x1xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x31x1xf32>) outs(%21 : tensor<1x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.truncf %cst_1 : f64 to f32
    %24 = arith.divf %in, %23 : f32
    linalg.yield %24 : f32
  } -> tensor<1x31x1xf32>
  %25 = tensor.empty() : tensor<1x31x1xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x31x1xf32>) outs(%25 : tensor<1x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.truncf %cst_2 : f64 to f32
    %28 = arith.addf %in, %27 : f32
    linalg.yield %28 : f32
  } -> tensor<1x31x1xf32>
  %29 = tensor.empty() : tensor<1x31x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x31x1xf32>) outs(%29 : tensor<1x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.rsqrt %in : f32
    linalg.yield %31 : f32
  } -> tensor<1x31x1xf32>
  %32 = tensor.empty() : tensor<1x31x24xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %30 : tensor<1x31x24xf32>, tensor<1x31x1xf32>) outs(%32 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.mulf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<1x31x24xf32>
  %35 = tensor.empty() : tensor<1x31x24xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %g : tensor<1x31x24xf32>, tensor<24xf32>) outs(%35 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %37 = arith.mulf %in, %in_1 : f32
    linalg.yield %37 : f32
  } -> tensor<1x31x24xf32>
  %38 = tensor.empty() : tensor<1x31x24xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %b : tensor<1x31x24xf32>, tensor<24xf32>) outs(%38 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %40 = arith.addf %in, %in_1 : f32
    linalg.yield %40 : f32
  } -> tensor<1x31x24xf32>
  return %39 : tensor<1x31x24xf32>
}
