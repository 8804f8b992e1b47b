// LayerNorm in two passes in front of a projection.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @layer_norm_linear(%x: tensor<1x37x24xf32>,
                             %g: tensor<24xf32>,
                             %b: tensor<24xf32>,
                             %w: tensor<40x24xf32>) -> tensor<1x37x40xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.40000000000000000e+01 : f64
  %cst_2 = arith.constant 1.00000000000000008e-05 : f64
  %0 = tensor.empty() : tensor<1x37x1xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x37x24xf32>) outs(%1 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<1x37x1xf32>
  %4 = tensor.empty() : tensor<1x37x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x37x1xf32>) outs(%4 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.truncf %cst_1 : f64 to f32
    %7 = arith.divf %in, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<1x37x1xf32>
  %8 = tensor.empty() : tensor<1x37x24xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %5 : tensor<1x37x24xf32>, tensor<1x37x1xf32>) outs(%8 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %10 = arith.subf %in, %in_1 : f32
    linalg.yield %10 : f32
  } -> tensor<1x37x24xf32>
  %11 = tensor.empty() : tensor<1x37x24xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<1x37x24xf32>, tensor<1x37x24xf32>) outs(%11 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.mulf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<1x37x24xf32>
  %14 = tensor.empty() : tensor<1x37x1xf32>
  %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<1x37x24xf32>) outs(%15 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.addf %in, %out : f32
    linalg.yield %17 : f32
  } -> tensor<1x37x1xf32>
  %18 = tensor.empty() : tensor<1x37x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x37x1xf32>) outs(%18 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.truncf %cst_1 : f64 to f32
    %21 = arith.divf %in, %20 : f32
    linalg.yield %21 : f32
  } -> tensor<1x37x1xf32>
  %22 = tensor.empty() : tensor<1x37x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x37x1xf32>) outs(%22 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %24 = arith.truncf %cst_2 : f64 to f32
    %25 = arith.addf %in, %24 : f32
    linalg.yield %25 : f32
  } -> tensor<1x37x1xf32>
  %26 = tensor.empty() : tensor<1x37x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x37x1xf32>) outs(%26 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.rsqrt %in : f32
    linalg.yield %28 : f32
  } -> tensor<1x37x1xf32>
  %29 = tensor.empty() : tensor<1x37x24xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %27 : tensor<1x37x24xf32>, tensor<1x37x1xf32>) outs(%29 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.mulf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<1x37x24xf32>
  %32 = tensor.empty() : tensor<1x37x24xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %g : tensor<1x37x24xf32>, tensor<24xf32>) outs(%32 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.mulf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<1x37x24xf32>
  %35 = tensor.empty() : tensor<1x37x24xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %b : tensor<1x37x24xf32>, tensor<24xf32>) outs(%35 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %37 = arith.addf %in, %in_1 : f32
    linalg.yield %37 : f32
  } -> tensor<1x37x24xf32>
  %38 = tensor.empty() : tensor<24x40xf32>
  %39 = linalg.transpose ins(%w : tensor<40x24xf32>) outs(%38 : tensor<24x40xf32>) permutation = [1, 0]
  %40 = tensor.empty() : tensor<1x24x40xf32>
  %41 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<24x40xf32>) outs(%40 : tensor<1x24x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x40xf32>
  %42 = tensor.empty() : tensor<1x37x40xf32>
  %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  %44 = linalg.batch_matmul ins(%36, %41 : tensor<1x37x24xf32>, tensor<1x24x40xf32>) outs(%43 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  return %44 : tensor<1x37x40xf32>
}
