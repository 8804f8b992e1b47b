// A layer of a vision transformer for an unknown number of images and of tokens: all tokens are rows
// of one product, as those of a matrix with an unknown number of rows.

// RUN: linalg-ext-check-program %s --max-kernels=3 --max-buffer-bytes=42688 \
// RUN:   --sizes=3x37x48,-,-,-,-,-,-
// RUN: linalg-ext-check-program %s --max-kernels=3 --sizes=70x1x48,-,-,-,-,-,-
// RUN: linalg-ext-check-program %s --max-kernels=3 --sizes=1x5x48,-,-,-,-,-,-

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @unknown_tokens(%arg0: tensor<?x?x48xf32>, %arg1: tensor<48xf32>, %arg2: tensor<48xf32>, %arg3: tensor<96x48xf32>, %arg4: tensor<96xf32>, %arg5: tensor<48x96xf32>, %arg6: tensor<48xf32>) -> tensor<?x?x48xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %arg0, %c0 : tensor<?x?x48xf32>
  %d1 = tensor.dim %arg0, %c1 : tensor<?x?x48xf32>
  %cst = arith.constant 0.707106829 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 5.000000e-01 : f32
  %cst_2 = arith.constant 9.99999974E-6 : f32
  %cst_3 = arith.constant 4.800000e+01 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty(%d0, %d1) : tensor<?x?x1xf32>
  %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<?x?x48xf32>) outs(%1 : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.addf %in, %out : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x1xf32>
  %3 = tensor.empty(%d0, %d1) : tensor<?x?x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<?x?x1xf32>) outs(%3 : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.divf %in, %cst_3 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x1xf32>
  %5 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<?x?x48xf32>, tensor<?x?x1xf32>) outs(%5 : tensor<?x?x48xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.subf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x48xf32>
  %7 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<?x?x48xf32>, tensor<?x?x48xf32>) outs(%7 : tensor<?x?x48xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.mulf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x48xf32>
  %9 = tensor.empty(%d0, %d1) : tensor<?x?x1xf32>
  %10 = linalg.fill ins(%cst_4 : f32) outs(%9 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<?x?x48xf32>) outs(%10 : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.addf %in, %out : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x1xf32>
  %12 = tensor.empty(%d0, %d1) : tensor<?x?x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<?x?x1xf32>) outs(%12 : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.divf %in, %cst_3 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x1xf32>
  %14 = tensor.empty(%d0, %d1) : tensor<?x?x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<?x?x1xf32>) outs(%14 : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.addf %in, %cst_2 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x1xf32>
  %16 = tensor.empty(%d0, %d1) : tensor<?x?x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<?x?x1xf32>) outs(%16 : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = math.rsqrt %in : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x1xf32>
  %18 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<?x?x48xf32>, tensor<?x?x1xf32>) outs(%18 : tensor<?x?x48xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.mulf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x48xf32>
  %20 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<?x?x48xf32>, tensor<48xf32>) outs(%20 : tensor<?x?x48xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.mulf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x48xf32>
  %22 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<?x?x48xf32>, tensor<48xf32>) outs(%22 : tensor<?x?x48xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.addf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x48xf32>
  %24 = tensor.empty() : tensor<48x96xf32>
  %transposed = linalg.transpose ins(%arg3 : tensor<96x48xf32>) outs(%24 : tensor<48x96xf32>) permutation = [1, 0] 
  %25 = tensor.empty(%d0) : tensor<?x48x96xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<48x96xf32>) outs(%25 : tensor<?x48x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x48x96xf32>
  %27 = tensor.empty(%d0, %d1) : tensor<?x?x96xf32>
  %28 = linalg.fill ins(%cst_4 : f32) outs(%27 : tensor<?x?x96xf32>) -> tensor<?x?x96xf32>
  %29 = linalg.batch_matmul ins(%23, %26 : tensor<?x?x48xf32>, tensor<?x48x96xf32>) outs(%28 : tensor<?x?x96xf32>) -> tensor<?x?x96xf32>
  %30 = tensor.empty(%d0, %d1) : tensor<?x?x96xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %arg4 : tensor<?x?x96xf32>, tensor<96xf32>) outs(%30 : tensor<?x?x96xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.addf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x96xf32>
  %32 = tensor.empty(%d0, %d1) : tensor<?x?x96xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<?x?x96xf32>) outs(%32 : tensor<?x?x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.mulf %in, %cst : f32
    %45 = math.erf %44 : f32
    %46 = arith.addf %45, %cst_0 : f32
    %47 = arith.mulf %46, %cst_1 : f32
    %48 = arith.mulf %in, %47 : f32
    linalg.yield %48 : f32
  } -> tensor<?x?x96xf32>
  %34 = tensor.empty() : tensor<96x48xf32>
  %transposed_5 = linalg.transpose ins(%arg5 : tensor<48x96xf32>) outs(%34 : tensor<96x48xf32>) permutation = [1, 0] 
  %35 = tensor.empty(%d0) : tensor<?x96x48xf32>
  %36 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_5 : tensor<96x48xf32>) outs(%35 : tensor<?x96x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x96x48xf32>
  %37 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %38 = linalg.fill ins(%cst_4 : f32) outs(%37 : tensor<?x?x48xf32>) -> tensor<?x?x48xf32>
  %39 = linalg.batch_matmul ins(%33, %36 : tensor<?x?x96xf32>, tensor<?x96x48xf32>) outs(%38 : tensor<?x?x48xf32>) -> tensor<?x?x48xf32>
  %40 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %arg6 : tensor<?x?x48xf32>, tensor<48xf32>) outs(%40 : tensor<?x?x48xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.addf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x48xf32>
  %42 = tensor.empty(%d0, %d1) : tensor<?x?x48xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %41 : tensor<?x?x48xf32>, tensor<?x?x48xf32>) outs(%42 : tensor<?x?x48xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %44 = arith.addf %in, %in_6 : f32
    linalg.yield %44 : f32
  } -> tensor<?x?x48xf32>
  return %43 : tensor<?x?x48xf32>
}
