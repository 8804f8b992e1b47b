// RMSNorm by powf in front of a projection; bf16.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @rms_norm_qkv(%x: tensor<1x37x24xbf16>,
                        %g: tensor<24xbf16>,
                        %w: tensor<40x24xbf16>) -> tensor<1x37x40xbf16> {
  %cst = arith.constant 2.00000000000000000e+00 : f64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 2.40000000000000000e+01 : f64
  %cst_3 = arith.constant 9.99999999999999955e-07 : f64
  %0 = tensor.empty() : tensor<1x37x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x37x24xbf16>) outs(%0 : tensor<1x37x24xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %2 = arith.extf %in : bf16 to f32
    linalg.yield %2 : f32
  } -> tensor<1x37x24xf32>
  %3 = tensor.empty() : tensor<1x37x24xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x37x24xf32>) outs(%3 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.truncf %cst : f64 to f32
    %6 = math.powf %in, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<1x37x24xf32>
  %7 = tensor.empty() : tensor<1x37x1xf32>
  %8 = linalg.fill ins(%cst_1 : f32) outs(%7 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<1x37x24xf32>) outs(%8 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.addf %in, %out : f32
    linalg.yield %10 : f32
  } -> tensor<1x37x1xf32>
  %11 = tensor.empty() : tensor<1x37x1xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x37x1xf32>) outs(%11 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %13 = arith.truncf %cst_2 : f64 to f32
    %14 = arith.divf %in, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<1x37x1xf32>
  %15 = tensor.empty() : tensor<1x37x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x37x1xf32>) outs(%15 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.truncf %cst_3 : f64 to f32
    %18 = arith.addf %in, %17 : f32
    linalg.yield %18 : f32
  } -> tensor<1x37x1xf32>
  %19 = tensor.empty() : tensor<1x37x1xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x37x1xf32>) outs(%19 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %21 = math.rsqrt %in : f32
    linalg.yield %21 : f32
  } -> tensor<1x37x1xf32>
  %22 = tensor.empty() : tensor<1x37x24xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %20 : tensor<1x37x24xf32>, tensor<1x37x1xf32>) outs(%22 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %24 = arith.mulf %in, %in_1 : f32
    linalg.yield %24 : f32
  } -> tensor<1x37x24xf32>
  %25 = tensor.empty() : tensor<1x37x24xbf16>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x37x24xf32>) outs(%25 : tensor<1x37x24xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %27 = arith.truncf %in : f32 to bf16
    linalg.yield %27 : bf16
  } -> tensor<1x37x24xbf16>
  %28 = tensor.empty() : tensor<1x37x24xbf16>
  %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %g : tensor<1x37x24xbf16>, tensor<24xbf16>) outs(%28 : tensor<1x37x24xbf16>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
    %30 = arith.mulf %in, %in_1 : bf16
    linalg.yield %30 : bf16
  } -> tensor<1x37x24xbf16>
  %31 = tensor.empty() : tensor<24x40xbf16>
  %32 = linalg.transpose ins(%w : tensor<40x24xbf16>) outs(%31 : tensor<24x40xbf16>) permutation = [1, 0]
  %33 = tensor.empty() : tensor<1x24x40xbf16>
  %34 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<24x40xbf16>) outs(%33 : tensor<1x24x40xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x24x40xbf16>
  %35 = tensor.empty() : tensor<1x37x40xf32>
  %36 = linalg.fill ins(%cst_1 : f32) outs(%35 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  %37 = linalg.batch_matmul ins(%29, %34 : tensor<1x37x24xbf16>, tensor<1x24x40xbf16>) outs(%36 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  %38 = tensor.empty() : tensor<1x37x40xbf16>
  %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x37x40xf32>) outs(%38 : tensor<1x37x40xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %40 = arith.truncf %in : f32 to bf16
    linalg.yield %40 : bf16
  } -> tensor<1x37x40xbf16>
  return %39 : tensor<1x37x40xbf16>
}
