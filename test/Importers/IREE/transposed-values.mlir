// Values have the keys last; scale and mask are one op.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9728 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @split_batches(%q: tensor<2x2x37x16xf16>,
                         %k: tensor<2x2x45x16xf16>,
                         %v: tensor<2x2x16x45xf16>,
                         %mask: tensor<37x45xf16> {check.draw = "mask 0.3"}) -> tensor<2x2x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x2x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x2x37x45xf32>) -> tensor<2x2x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x2x37x16xf16>, tensor<2x2x45x16xf16>) outs(%1 : tensor<2x2x37x45xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %3 = arith.extf %in : f16 to f32
    %4 = arith.extf %in_1 : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<2x2x37x45xf32>
  %7 = tensor.empty() : tensor<2x2x37x45xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %mask : tensor<2x2x37x45xf32>, tensor<37x45xf16>) outs(%7 : tensor<2x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f16, %out: f32):
    %9 = arith.mulf %in, %cst_1 : f32
    %10 = arith.extf %in_1 : f16 to f32
    %11 = arith.addf %9, %10 : f32
    linalg.yield %11 : f32
  } -> tensor<2x2x37x45xf32>
  %12 = tensor.empty() : tensor<2x2x37xf32>
  %13 = linalg.fill ins(%cst_2 : f32) outs(%12 : tensor<2x2x37xf32>) -> tensor<2x2x37xf32>
  %14 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<2x2x37x45xf32>) outs(%13 : tensor<2x2x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.maximumf %in, %out : f32
    linalg.yield %15 : f32
  } -> tensor<2x2x37xf32>
  %16 = tensor.empty() : tensor<2x2x37x45xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %14 : tensor<2x2x37x45xf32>, tensor<2x2x37xf32>) outs(%16 : tensor<2x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.subf %in, %in_1 : f32
    %19 = math.exp %18 : f32
    linalg.yield %19 : f32
  } -> tensor<2x2x37x45xf32>
  %20 = tensor.empty() : tensor<2x2x37xf32>
  %21 = linalg.fill ins(%cst_3 : f32) outs(%20 : tensor<2x2x37xf32>) -> tensor<2x2x37xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x2x37x45xf32>) outs(%21 : tensor<2x2x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.addf %in, %out : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x37xf32>
  %24 = tensor.empty() : tensor<2x2x37x45xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %22 : tensor<2x2x37x45xf32>, tensor<2x2x37xf32>) outs(%24 : tensor<2x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %26 = arith.divf %in, %in_1 : f32
    linalg.yield %26 : f32
  } -> tensor<2x2x37x45xf32>
  %27 = tensor.empty() : tensor<2x2x37x45xf16>
  %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x2x37x45xf32>) outs(%27 : tensor<2x2x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %29 = arith.truncf %in : f32 to f16
    linalg.yield %29 : f16
  } -> tensor<2x2x37x45xf16>
  %30 = tensor.empty() : tensor<2x2x37x16xf32>
  %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<2x2x37x16xf32>) -> tensor<2x2x37x16xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%28, %v : tensor<2x2x37x45xf16>, tensor<2x2x16x45xf16>) outs(%31 : tensor<2x2x37x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %33 = arith.extf %in : f16 to f32
    %34 = arith.extf %in_1 : f16 to f32
    %35 = arith.mulf %33, %34 : f32
    %36 = arith.addf %35, %out : f32
    linalg.yield %36 : f32
  } -> tensor<2x2x37x16xf32>
  %37 = tensor.empty() : tensor<2x2x37x16xf16>
  %38 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x2x37x16xf32>) outs(%37 : tensor<2x2x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %39 = arith.truncf %in : f32 to f16
    linalg.yield %39 : f16
  } -> tensor<2x2x37x16xf16>
  return %38 : tensor<2x2x37x16xf16>
}
