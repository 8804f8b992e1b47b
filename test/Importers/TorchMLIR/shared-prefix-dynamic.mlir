// As in shared-prefix, of sizes that are known at run time.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=4176 --keys=16 \
// RUN:   --sizes=4x3x24x16,1x3x45x16,1x3x45x16,4x3x13x16,4x3x13x16

#map = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

func.func @shared_prefix_dynamic(%q: tensor<?x3x?x16xf16>,
    %k_prefix: tensor<1x3x?x16xf16>,
    %v_prefix: tensor<1x3x?x16xf16>,
    %k: tensor<?x3x?x16xf16>,
    %v: tensor<?x3x?x16xf16>) -> (tensor<?x3x?x16xf16>) {
  %cst0 = arith.constant 0 : index
  %cst1 = arith.constant 2 : index
  %cst2 = arith.constant 0.000000e+00 : f32
  %cst3 = arith.constant 2.500000e-01 : f32
  %cst4 = arith.constant 0xFF800000 : f32
  %B = tensor.dim %q, %cst0 : tensor<?x3x?x16xf16>
  %M = tensor.dim %q, %cst1 : tensor<?x3x?x16xf16>
  %P = tensor.dim %k_prefix, %cst1 : tensor<1x3x?x16xf16>
  %N = tensor.dim %k, %cst1 : tensor<?x3x?x16xf16>
  %0 = tensor.empty(%B, %P) : tensor<?x3x?x16xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k_prefix : tensor<1x3x?x16xf16>) outs(%0 : tensor<?x3x?x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<?x3x?x16xf16>
  %2 = arith.addi %P, %N : index
  %3 = tensor.concat dim(2) %1, %k : (tensor<?x3x?x16xf16>, tensor<?x3x?x16xf16>) -> tensor<?x3x?x16xf16>
  %4 = tensor.empty(%B, %P) : tensor<?x3x?x16xf16>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v_prefix : tensor<1x3x?x16xf16>) outs(%4 : tensor<?x3x?x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<?x3x?x16xf16>
  %6 = arith.addi %P, %N : index
  %7 = tensor.concat dim(2) %5, %v : (tensor<?x3x?x16xf16>, tensor<?x3x?x16xf16>) -> tensor<?x3x?x16xf16>
  %8 = tensor.empty(%B, %M, %2) : tensor<?x3x?x?xf32>
  %9 = linalg.fill ins(%cst2 : f32) outs(%8 : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %10 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %3 : tensor<?x3x?x16xf16>, tensor<?x3x?x16xf16>) outs(%9 : tensor<?x3x?x?xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x?xf32>
  %11 = tensor.empty(%B, %M, %2) : tensor<?x3x?x?xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<?x3x?x?xf32>) outs(%11 : tensor<?x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x?xf32>
  %13 = tensor.empty(%B, %M) : tensor<?x3x?x1xf32>
  %14 = linalg.fill ins(%cst4 : f32) outs(%13 : tensor<?x3x?x1xf32>) -> tensor<?x3x?x1xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<?x3x?x?xf32>) outs(%14 : tensor<?x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x1xf32>
  %16 = tensor.empty(%B, %M, %2) : tensor<?x3x?x?xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<?x3x?x?xf32>, tensor<?x3x?x1xf32>) outs(%16 : tensor<?x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x?xf32>
  %18 = tensor.empty(%B, %M, %2) : tensor<?x3x?x?xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<?x3x?x?xf32>) outs(%18 : tensor<?x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x?xf32>
  %20 = tensor.empty(%B, %M) : tensor<?x3x?x1xf32>
  %21 = linalg.fill ins(%cst2 : f32) outs(%20 : tensor<?x3x?x1xf32>) -> tensor<?x3x?x1xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<?x3x?x?xf32>) outs(%21 : tensor<?x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x1xf32>
  %23 = tensor.empty(%B, %M, %2) : tensor<?x3x?x?xf32>
  %24 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<?x3x?x?xf32>, tensor<?x3x?x1xf32>) outs(%23 : tensor<?x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x?xf32>
  %25 = tensor.empty(%B, %M, %2) : tensor<?x3x?x?xf16>
  %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<?x3x?x?xf32>) outs(%25 : tensor<?x3x?x?xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x3x?x?xf16>
  %27 = tensor.empty(%B, %M) : tensor<?x3x?x16xf32>
  %28 = linalg.fill ins(%cst2 : f32) outs(%27 : tensor<?x3x?x16xf32>) -> tensor<?x3x?x16xf32>
  %29 = linalg.generic {indexing_maps = [#map2, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%26, %7 : tensor<?x3x?x?xf16>, tensor<?x3x?x16xf16>) outs(%28 : tensor<?x3x?x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x3x?x16xf32>
  %30 = tensor.empty(%B, %M) : tensor<?x3x?x16xf16>
  %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<?x3x?x16xf32>) outs(%30 : tensor<?x3x?x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x3x?x16xf16>
  return %31 : tensor<?x3x?x16xf16>
}
