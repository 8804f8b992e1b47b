// Blocks beside each other, as in local-blocks, as many as are known at run time. Keys are few:
// no launch shares them, however few blocks there are.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2592 --keys=16 \
// RUN:   --sizes=1x3x12x2x16,1x3x12x2x16,1x3x12x2x16,-

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d3, d4)>

func.func @local_blocks_dynamic(%q: tensor<1x?x12x2x16xf32>,
    %k: tensor<1x?x12x2x16xf32>,
    %v: tensor<1x?x12x2x16xf32>,
    %bias: tensor<1x1x2x12x36xf32>) -> (tensor<1x?x32xf32>) {
  %cst0 = arith.constant 1 : index
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 12 : index
  %N = tensor.dim %q, %cst0 : tensor<1x?x12x2x16xf32>
  %0 = tensor.empty() : tensor<1x1x12x2x16xf32>
  %1 = linalg.fill ins(%cst1 : f32) outs(%0 : tensor<1x1x12x2x16xf32>) -> tensor<1x1x12x2x16xf32>
  %2 = arith.addi %cst0, %N : index
  %3 = arith.addi %2, %cst0 : index
  %4 = tensor.concat dim(1) %1, %k, %1 : (tensor<1x1x12x2x16xf32>, tensor<1x?x12x2x16xf32>, tensor<1x1x12x2x16xf32>) -> tensor<1x?x12x2x16xf32>
  %5 = tensor.extract_slice %4[0, 0, 0, 0, 0] [1, %N, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x?x12x2x16xf32> to tensor<1x?x12x2x16xf32>
  %6 = tensor.extract_slice %4[0, 1, 0, 0, 0] [1, %N, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x?x12x2x16xf32> to tensor<1x?x12x2x16xf32>
  %7 = tensor.extract_slice %4[0, 2, 0, 0, 0] [1, %N, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x?x12x2x16xf32> to tensor<1x?x12x2x16xf32>
  %8 = tensor.concat dim(2) %5, %6, %7 : (tensor<1x?x12x2x16xf32>, tensor<1x?x12x2x16xf32>, tensor<1x?x12x2x16xf32>) -> tensor<1x?x36x2x16xf32>
  %9 = tensor.empty(%N) : tensor<1x?x2x12x36xf32>
  %10 = linalg.fill ins(%cst1 : f32) outs(%9 : tensor<1x?x2x12x36xf32>) -> tensor<1x?x2x12x36xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %8 : tensor<1x?x12x2x16xf32>, tensor<1x?x36x2x16xf32>) outs(%10 : tensor<1x?x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x12x36xf32>
  %12 = tensor.empty(%N) : tensor<1x?x2x12x36xf32>
  %13 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11, %bias : tensor<1x?x2x12x36xf32>, tensor<1x1x2x12x36xf32>) outs(%12 : tensor<1x?x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x12x36xf32>
  %14 = tensor.empty(%N) : tensor<1x?x2x12x1xf32>
  %15 = linalg.fill ins(%cst2 : f32) outs(%14 : tensor<1x?x2x12x1xf32>) -> tensor<1x?x2x12x1xf32>
  %16 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<1x?x2x12x36xf32>) outs(%15 : tensor<1x?x2x12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x12x1xf32>
  %17 = tensor.empty(%N) : tensor<1x?x2x12x36xf32>
  %18 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<1x?x2x12x36xf32>, tensor<1x?x2x12x1xf32>) outs(%17 : tensor<1x?x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x12x36xf32>
  %19 = tensor.empty(%N) : tensor<1x?x2x12x36xf32>
  %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x?x2x12x36xf32>) outs(%19 : tensor<1x?x2x12x36xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x12x36xf32>
  %21 = tensor.empty(%N) : tensor<1x?x2x12x1xf32>
  %22 = linalg.fill ins(%cst1 : f32) outs(%21 : tensor<1x?x2x12x1xf32>) -> tensor<1x?x2x12x1xf32>
  %23 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x?x2x12x36xf32>) outs(%22 : tensor<1x?x2x12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x12x1xf32>
  %24 = tensor.empty(%N) : tensor<1x?x2x12x36xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<1x?x2x12x36xf32>, tensor<1x?x2x12x1xf32>) outs(%24 : tensor<1x?x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x12x36xf32>
  %26 = tensor.empty() : tensor<1x1x12x2x16xf32>
  %27 = linalg.fill ins(%cst1 : f32) outs(%26 : tensor<1x1x12x2x16xf32>) -> tensor<1x1x12x2x16xf32>
  %28 = arith.addi %cst0, %N : index
  %29 = arith.addi %28, %cst0 : index
  %30 = tensor.concat dim(1) %27, %v, %27 : (tensor<1x1x12x2x16xf32>, tensor<1x?x12x2x16xf32>, tensor<1x1x12x2x16xf32>) -> tensor<1x?x12x2x16xf32>
  %31 = tensor.extract_slice %30[0, 0, 0, 0, 0] [1, %N, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x?x12x2x16xf32> to tensor<1x?x12x2x16xf32>
  %32 = tensor.extract_slice %30[0, 1, 0, 0, 0] [1, %N, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x?x12x2x16xf32> to tensor<1x?x12x2x16xf32>
  %33 = tensor.extract_slice %30[0, 2, 0, 0, 0] [1, %N, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x?x12x2x16xf32> to tensor<1x?x12x2x16xf32>
  %34 = tensor.concat dim(2) %31, %32, %33 : (tensor<1x?x12x2x16xf32>, tensor<1x?x12x2x16xf32>, tensor<1x?x12x2x16xf32>) -> tensor<1x?x36x2x16xf32>
  %35 = tensor.empty(%N) : tensor<1x?x12x2x16xf32>
  %36 = linalg.fill ins(%cst1 : f32) outs(%35 : tensor<1x?x12x2x16xf32>) -> tensor<1x?x12x2x16xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%25, %34 : tensor<1x?x2x12x36xf32>, tensor<1x?x36x2x16xf32>) outs(%36 : tensor<1x?x12x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x?x12x2x16xf32>
  %38 = arith.muli %N, %cst3 : index
  %39 = tensor.collapse_shape %37 [[0], [1, 2], [3, 4]] : tensor<1x?x12x2x16xf32> into tensor<1x?x32xf32>
  return %39 : tensor<1x?x32xf32>
}
