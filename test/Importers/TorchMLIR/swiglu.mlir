// SwiGLU.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @swiglu(%x: tensor<1x37x24xf16>,
                  %w1: tensor<40x24xf16> {check.draw = "uniform -0.4 0.4"},
                  %w3: tensor<40x24xf16> {check.draw = "uniform -0.4 0.4"},
                  %w2: tensor<24x40xf16> {check.draw = "uniform -0.4 0.4"}) -> tensor<1x37x24xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 1.000000e+00 : f16
  %0 = tensor.empty() : tensor<24x40xf16>
  %1 = linalg.transpose ins(%w1 : tensor<40x24xf16>) outs(%0 : tensor<24x40xf16>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<1x24x40xf16>
  %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<24x40xf16>) outs(%2 : tensor<1x24x40xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x24x40xf16>
  %4 = tensor.empty() : tensor<1x37x40xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  %6 = linalg.batch_matmul ins(%x, %3 : tensor<1x37x24xf16>, tensor<1x24x40xf16>) outs(%5 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  %7 = tensor.empty() : tensor<1x37x40xf16>
  %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x37x40xf32>) outs(%7 : tensor<1x37x40xf16>) {
  ^bb0(%in: f32, %out: f16):
    %9 = arith.truncf %in : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<1x37x40xf16>
  %10 = tensor.empty() : tensor<1x37x40xf16>
  %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x37x40xf16>) outs(%10 : tensor<1x37x40xf16>) {
  ^bb0(%in: f16, %out: f16):
    %12 = arith.negf %in : f16
    %13 = math.exp %12 : f16
    %14 = arith.addf %13, %cst_1 : f16
    %15 = arith.divf %cst_1, %14 : f16
    linalg.yield %15 : f16
  } -> tensor<1x37x40xf16>
  %16 = tensor.empty() : tensor<1x37x40xf16>
  %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %11 : tensor<1x37x40xf16>, tensor<1x37x40xf16>) outs(%16 : tensor<1x37x40xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %18 = arith.mulf %in, %in_1 : f16
    linalg.yield %18 : f16
  } -> tensor<1x37x40xf16>
  %19 = tensor.empty() : tensor<24x40xf16>
  %20 = linalg.transpose ins(%w3 : tensor<40x24xf16>) outs(%19 : tensor<24x40xf16>) permutation = [1, 0]
  %21 = tensor.empty() : tensor<1x24x40xf16>
  %22 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<24x40xf16>) outs(%21 : tensor<1x24x40xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x24x40xf16>
  %23 = tensor.empty() : tensor<1x37x40xf32>
  %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  %25 = linalg.batch_matmul ins(%x, %22 : tensor<1x37x24xf16>, tensor<1x24x40xf16>) outs(%24 : tensor<1x37x40xf32>) -> tensor<1x37x40xf32>
  %26 = tensor.empty() : tensor<1x37x40xf16>
  %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x37x40xf32>) outs(%26 : tensor<1x37x40xf16>) {
  ^bb0(%in: f32, %out: f16):
    %28 = arith.truncf %in : f32 to f16
    linalg.yield %28 : f16
  } -> tensor<1x37x40xf16>
  %29 = tensor.empty() : tensor<1x37x40xf16>
  %30 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %27 : tensor<1x37x40xf16>, tensor<1x37x40xf16>) outs(%29 : tensor<1x37x40xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %31 = arith.mulf %in, %in_1 : f16
    linalg.yield %31 : f16
  } -> tensor<1x37x40xf16>
  %32 = tensor.empty() : tensor<40x24xf16>
  %33 = linalg.transpose ins(%w2 : tensor<24x40xf16>) outs(%32 : tensor<40x24xf16>) permutation = [1, 0]
  %34 = tensor.empty() : tensor<1x40x24xf16>
  %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<40x24xf16>) outs(%34 : tensor<1x40x24xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x40x24xf16>
  %36 = tensor.empty() : tensor<1x37x24xf32>
  %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<1x37x24xf32>) -> tensor<1x37x24xf32>
  %38 = linalg.batch_matmul ins(%30, %35 : tensor<1x37x40xf16>, tensor<1x40x24xf16>) outs(%37 : tensor<1x37x24xf32>) -> tensor<1x37x24xf32>
  %39 = tensor.empty() : tensor<1x37x24xf16>
  %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<1x37x24xf32>) outs(%39 : tensor<1x37x24xf16>) {
  ^bb0(%in: f32, %out: f16):
    %41 = arith.truncf %in : f32 to f16
    linalg.yield %41 : f16
  } -> tensor<1x37x24xf16>
  return %40 : tensor<1x37x24xf16>
}
