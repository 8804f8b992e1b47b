// All experts of each token, weighted by a softmax over the experts. The sum over the experts
// reduces what a product computes for each token, so one loop with the softmax would multiply
// token by token: the product is a kernel of its own.

// RUN: linalg-ext-check-program %s --max-kernels=5 --max-buffer-bytes=50000
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942 --max-kernels=5
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SAYS --allow-empty
// SAYS-NOT: fused:

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @experts_weighted_by_softmax(%arg0: tensor<37x48xf16>, %arg1: tensor<4x48xf16>, %arg2: tensor<4x80x48xf16>, %arg3: tensor<4x48x40xf16>) -> tensor<37x48xf16> {
  %cst = arith.constant 1.000000e+00 : f16
  %cst_0 = arith.constant 0.000000e+00 : f16
  %cst_1 = arith.constant 0xFC00 : f16
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<48x4xf16>
  %transposed = linalg.transpose ins(%arg1 : tensor<4x48xf16>) outs(%0 : tensor<48x4xf16>) permutation = [1, 0] 
  %1 = tensor.empty() : tensor<37x4xf32>
  %2 = linalg.fill ins(%cst_2 : f32) outs(%1 : tensor<37x4xf32>) -> tensor<37x4xf32>
  %3 = linalg.matmul ins(%arg0, %transposed : tensor<37x48xf16>, tensor<48x4xf16>) outs(%2 : tensor<37x4xf32>) -> tensor<37x4xf32>
  %4 = tensor.empty() : tensor<37x4xf16>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<37x4xf32>) outs(%4 : tensor<37x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %43 = arith.truncf %in : f32 to f16
    linalg.yield %43 : f16
  } -> tensor<37x4xf16>
  %6 = tensor.empty() : tensor<37xf16>
  %7 = linalg.fill ins(%cst_1 : f16) outs(%6 : tensor<37xf16>) -> tensor<37xf16>
  %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<37x4xf16>) outs(%7 : tensor<37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %43 = arith.maximumf %in, %out : f16
    linalg.yield %43 : f16
  } -> tensor<37xf16>
  %expanded = tensor.expand_shape %8 [[0, 1]] output_shape [37, 1] : tensor<37xf16> into tensor<37x1xf16>
  %9 = tensor.empty() : tensor<37x4xf16>
  %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %expanded : tensor<37x4xf16>, tensor<37x1xf16>) outs(%9 : tensor<37x4xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %43 = arith.subf %in, %in_13 : f16
    linalg.yield %43 : f16
  } -> tensor<37x4xf16>
  %11 = tensor.empty() : tensor<37x4xf16>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<37x4xf16>) outs(%11 : tensor<37x4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %43 = math.exp %in : f16
    linalg.yield %43 : f16
  } -> tensor<37x4xf16>
  %13 = tensor.empty() : tensor<37x1xf16>
  %14 = linalg.fill ins(%cst_0 : f16) outs(%13 : tensor<37x1xf16>) -> tensor<37x1xf16>
  %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%12 : tensor<37x4xf16>) outs(%14 : tensor<37x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %43 = arith.addf %in, %out : f16
    linalg.yield %43 : f16
  } -> tensor<37x1xf16>
  %16 = tensor.empty() : tensor<37x4xf16>
  %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %15 : tensor<37x4xf16>, tensor<37x1xf16>) outs(%16 : tensor<37x4xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %43 = arith.divf %in, %in_13 : f16
    linalg.yield %43 : f16
  } -> tensor<37x4xf16>
  %18 = tensor.empty() : tensor<48x4x80xf16>
  %transposed_3 = linalg.transpose ins(%arg2 : tensor<4x80x48xf16>) outs(%18 : tensor<48x4x80xf16>) permutation = [2, 0, 1] 
  %expanded_4 = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf16> into tensor<1x37x48xf16>
  %collapsed = tensor.collapse_shape %transposed_3 [[0], [1, 2]] : tensor<48x4x80xf16> into tensor<48x320xf16>
  %expanded_5 = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [1, 48, 320] : tensor<48x320xf16> into tensor<1x48x320xf16>
  %19 = tensor.empty() : tensor<1x37x320xf32>
  %20 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<1x37x320xf32>) -> tensor<1x37x320xf32>
  %21 = linalg.batch_matmul ins(%expanded_4, %expanded_5 : tensor<1x37x48xf16>, tensor<1x48x320xf16>) outs(%20 : tensor<1x37x320xf32>) -> tensor<1x37x320xf32>
  %22 = tensor.empty() : tensor<1x37x320xf16>
  %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x37x320xf32>) outs(%22 : tensor<1x37x320xf16>) {
  ^bb0(%in: f32, %out: f16):
    %43 = arith.truncf %in : f32 to f16
    linalg.yield %43 : f16
  } -> tensor<1x37x320xf16>
  %collapsed_6 = tensor.collapse_shape %23 [[0, 1], [2]] : tensor<1x37x320xf16> into tensor<37x320xf16>
  %expanded_7 = tensor.expand_shape %collapsed_6 [[0], [1, 2]] output_shape [37, 4, 80] : tensor<37x320xf16> into tensor<37x4x80xf16>
  %24 = tensor.empty() : tensor<4x37x80xf16>
  %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<37x4x80xf16>) outs(%24 : tensor<4x37x80xf16>) permutation = [1, 0, 2] 
  %extracted_slice = tensor.extract_slice %transposed_8[0, 0, 0] [4, 37, 40] [1, 1, 1] : tensor<4x37x80xf16> to tensor<4x37x40xf16>
  %25 = tensor.empty() : tensor<4x37x40xf16>
  %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<4x37x40xf16>) outs(%25 : tensor<4x37x40xf16>) {
  ^bb0(%in: f16, %out: f16):
    %43 = arith.negf %in : f16
    %44 = math.exp %43 : f16
    %45 = arith.addf %44, %cst : f16
    %46 = arith.divf %cst, %45 : f16
    linalg.yield %46 : f16
  } -> tensor<4x37x40xf16>
  %27 = tensor.empty() : tensor<4x37x40xf16>
  %28 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %extracted_slice : tensor<4x37x40xf16>, tensor<4x37x40xf16>) outs(%27 : tensor<4x37x40xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %43 = arith.mulf %in, %in_13 : f16
    linalg.yield %43 : f16
  } -> tensor<4x37x40xf16>
  %extracted_slice_9 = tensor.extract_slice %transposed_8[0, 0, 40] [4, 37, 40] [1, 1, 1] : tensor<4x37x80xf16> to tensor<4x37x40xf16>
  %29 = tensor.empty() : tensor<4x37x40xf16>
  %30 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %extracted_slice_9 : tensor<4x37x40xf16>, tensor<4x37x40xf16>) outs(%29 : tensor<4x37x40xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %43 = arith.mulf %in, %in_13 : f16
    linalg.yield %43 : f16
  } -> tensor<4x37x40xf16>
  %31 = tensor.empty() : tensor<4x40x48xf16>
  %transposed_10 = linalg.transpose ins(%arg3 : tensor<4x48x40xf16>) outs(%31 : tensor<4x40x48xf16>) permutation = [0, 2, 1] 
  %32 = tensor.empty() : tensor<4x37x48xf32>
  %33 = linalg.fill ins(%cst_2 : f32) outs(%32 : tensor<4x37x48xf32>) -> tensor<4x37x48xf32>
  %34 = linalg.batch_matmul ins(%30, %transposed_10 : tensor<4x37x40xf16>, tensor<4x40x48xf16>) outs(%33 : tensor<4x37x48xf32>) -> tensor<4x37x48xf32>
  %35 = tensor.empty() : tensor<4x37x48xf16>
  %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<4x37x48xf32>) outs(%35 : tensor<4x37x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %43 = arith.truncf %in : f32 to f16
    linalg.yield %43 : f16
  } -> tensor<4x37x48xf16>
  %37 = tensor.empty() : tensor<4x37xf16>
  %transposed_11 = linalg.transpose ins(%17 : tensor<37x4xf16>) outs(%37 : tensor<4x37xf16>) permutation = [1, 0] 
  %expanded_12 = tensor.expand_shape %transposed_11 [[0], [1, 2]] output_shape [4, 37, 1] : tensor<4x37xf16> into tensor<4x37x1xf16>
  %38 = tensor.empty() : tensor<4x37x48xf16>
  %39 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %expanded_12 : tensor<4x37x48xf16>, tensor<4x37x1xf16>) outs(%38 : tensor<4x37x48xf16>) {
  ^bb0(%in: f16, %in_13: f16, %out: f16):
    %43 = arith.mulf %in, %in_13 : f16
    linalg.yield %43 : f16
  } -> tensor<4x37x48xf16>
  %40 = tensor.empty() : tensor<37x48xf16>
  %41 = linalg.fill ins(%cst_0 : f16) outs(%40 : tensor<37x48xf16>) -> tensor<37x48xf16>
  %42 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["reduction", "parallel", "parallel"]} ins(%39 : tensor<4x37x48xf16>) outs(%41 : tensor<37x48xf16>) {
  ^bb0(%in: f16, %out: f16):
    %43 = arith.addf %in, %out : f16
    linalg.yield %43 : f16
  } -> tensor<37x48xf16>
  return %42 : tensor<37x48xf16>
}
