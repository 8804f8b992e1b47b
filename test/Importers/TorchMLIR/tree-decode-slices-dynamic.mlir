// Speculative decoding as in tree-decode-slices-f16, of sizes that are known at run time.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=4524 --keys=16 \
// RUN:   --sizes=2x3x13x16,2x3x45x16,2x3x45x16,2x3x13x16,2x3x13x16,13x13

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

func.func @tree_decode_slices_dynamic(%q: tensor<2x3x?x16xf16>,
    %k_cache: tensor<2x3x?x16xf16>,
    %v_cache: tensor<2x3x?x16xf16>,
    %k_tree: tensor<2x3x?x16xf16>,
    %v_tree: tensor<2x3x?x16xf16>,
    %tree_mask: tensor<?x?xf16>) -> (tensor<2x3x?x16xf16>) {
  %cst0 = arith.constant 2 : index
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 2.500000e-01 : f32
  %cst3 = arith.constant 0xFF800000 : f32
  %M = tensor.dim %q, %cst0 : tensor<2x3x?x16xf16>
  %N = tensor.dim %k_cache, %cst0 : tensor<2x3x?x16xf16>
  %0 = tensor.empty(%M, %N) : tensor<2x3x?x?xf32>
  %1 = linalg.fill ins(%cst1 : f32) outs(%0 : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k_cache : tensor<2x3x?x16xf16>, tensor<2x3x?x16xf16>) outs(%1 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %3 = tensor.empty(%M, %N) : tensor<2x3x?x?xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x3x?x?xf32>) outs(%3 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %5 = tensor.empty(%M, %M) : tensor<2x3x?x?xf32>
  %6 = linalg.fill ins(%cst1 : f32) outs(%5 : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k_tree : tensor<2x3x?x16xf16>, tensor<2x3x?x16xf16>) outs(%6 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %8 = tensor.empty(%M, %M) : tensor<2x3x?x?xf32>
  %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x3x?x?xf32>) outs(%8 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %10 = tensor.empty(%M, %M) : tensor<2x3x?x?xf32>
  %11 = linalg.generic {indexing_maps = [#map4, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tree_mask, %9 : tensor<?x?xf16>, tensor<2x3x?x?xf32>) outs(%10 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f16, %in_1: f32, %out: f32):
    %w = arith.extf %in : f16 to f32
    %r = arith.addf %in_1, %w : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %12 = arith.addi %N, %M : index
  %13 = tensor.concat dim(3) %4, %11 : (tensor<2x3x?x?xf32>, tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %14 = tensor.empty(%M) : tensor<2x3x?x1xf32>
  %15 = linalg.fill ins(%cst3 : f32) outs(%14 : tensor<2x3x?x1xf32>) -> tensor<2x3x?x1xf32>
  %16 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<2x3x?x?xf32>) outs(%15 : tensor<2x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %17 = tensor.empty(%M, %12) : tensor<2x3x?x?xf32>
  %18 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%17 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %19 = tensor.empty(%M, %12) : tensor<2x3x?x?xf32>
  %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x3x?x?xf32>) outs(%19 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %21 = tensor.empty(%M) : tensor<2x3x?x1xf32>
  %22 = linalg.fill ins(%cst1 : f32) outs(%21 : tensor<2x3x?x1xf32>) -> tensor<2x3x?x1xf32>
  %23 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<2x3x?x?xf32>) outs(%22 : tensor<2x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %24 = tensor.empty(%M, %12) : tensor<2x3x?x?xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%24 : tensor<2x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %26 = tensor.empty(%M, %12) : tensor<2x3x?x?xf16>
  %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x3x?x?xf32>) outs(%26 : tensor<2x3x?x?xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x3x?x?xf16>
  %28 = tensor.extract_slice %27[0, 0, 0, 0] [2, 3, %M, %N] [1, 1, 1, 1] : tensor<2x3x?x?xf16> to tensor<2x3x?x?xf16>
  %29 = tensor.extract_slice %27[0, 0, 0, %N] [2, 3, %M, %M] [1, 1, 1, 1] : tensor<2x3x?x?xf16> to tensor<2x3x?x?xf16>
  %30 = tensor.empty(%M) : tensor<2x3x?x16xf32>
  %31 = linalg.fill ins(%cst1 : f32) outs(%30 : tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%28, %v_cache : tensor<2x3x?x?xf16>, tensor<2x3x?x16xf16>) outs(%31 : tensor<2x3x?x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x16xf32>
  %33 = tensor.empty(%M) : tensor<2x3x?x16xf32>
  %34 = linalg.fill ins(%cst1 : f32) outs(%33 : tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%29, %v_tree : tensor<2x3x?x?xf16>, tensor<2x3x?x16xf16>) outs(%34 : tensor<2x3x?x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x16xf32>
  %36 = tensor.empty(%M) : tensor<2x3x?x16xf32>
  %37 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<2x3x?x16xf32>, tensor<2x3x?x16xf32>) outs(%36 : tensor<2x3x?x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x16xf32>
  %38 = tensor.empty(%M) : tensor<2x3x?x16xf16>
  %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x3x?x16xf32>) outs(%38 : tensor<2x3x?x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x3x?x16xf16>
  return %39 : tensor<2x3x?x16xf16>
}
