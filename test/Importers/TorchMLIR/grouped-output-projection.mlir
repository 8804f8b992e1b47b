// DeepSeek V4: the heads of a group have a projection of their own, and a second one mixes the
// groups. A group's heads are merged in a tile of the workgroup's memory, which is no source of
// asynchronous copies.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=7000
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=sm_80 --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942 --max-kernels=1

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @grouped_output(%arg0: tensor<1x4x37x16xf32>, %arg1: tensor<2x24x32xf32>, %arg2: tensor<32x48xf32>) -> tensor<1x37x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x37x4x16xf32>
  %transposed = linalg.transpose ins(%arg0 : tensor<1x4x37x16xf32>) outs(%0 : tensor<1x37x4x16xf32>) permutation = [0, 2, 1, 3] 
  %collapsed = tensor.collapse_shape %transposed [[0], [1], [2, 3]] : tensor<1x37x4x16xf32> into tensor<1x37x64xf32>
  %collapsed_0 = tensor.collapse_shape %collapsed [[0, 1], [2]] : tensor<1x37x64xf32> into tensor<37x64xf32>
  %expanded = tensor.expand_shape %collapsed_0 [[0], [1, 2]] output_shape [37, 2, 32] : tensor<37x64xf32> into tensor<37x2x32xf32>
  %1 = tensor.empty() : tensor<2x37x32xf32>
  %transposed_1 = linalg.transpose ins(%expanded : tensor<37x2x32xf32>) outs(%1 : tensor<2x37x32xf32>) permutation = [1, 0, 2] 
  %2 = tensor.empty() : tensor<2x32x24xf32>
  %transposed_2 = linalg.transpose ins(%arg1 : tensor<2x24x32xf32>) outs(%2 : tensor<2x32x24xf32>) permutation = [0, 2, 1] 
  %3 = tensor.empty() : tensor<2x37x24xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x37x24xf32>) -> tensor<2x37x24xf32>
  %5 = linalg.batch_matmul ins(%transposed_1, %transposed_2 : tensor<2x37x32xf32>, tensor<2x32x24xf32>) outs(%4 : tensor<2x37x24xf32>) -> tensor<2x37x24xf32>
  %6 = tensor.empty() : tensor<37x2x24xf32>
  %transposed_3 = linalg.transpose ins(%5 : tensor<2x37x24xf32>) outs(%6 : tensor<37x2x24xf32>) permutation = [1, 0, 2] 
  %collapsed_4 = tensor.collapse_shape %transposed_3 [[0], [1, 2]] : tensor<37x2x24xf32> into tensor<37x48xf32>
  %expanded_5 = tensor.expand_shape %collapsed_4 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf32> into tensor<1x37x48xf32>
  %7 = tensor.empty() : tensor<48x32xf32>
  %transposed_6 = linalg.transpose ins(%arg2 : tensor<32x48xf32>) outs(%7 : tensor<48x32xf32>) permutation = [1, 0] 
  %8 = tensor.empty() : tensor<1x48x32xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_6 : tensor<48x32xf32>) outs(%8 : tensor<1x48x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x48x32xf32>
  %10 = tensor.empty() : tensor<1x37x32xf32>
  %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x37x32xf32>) -> tensor<1x37x32xf32>
  %12 = linalg.batch_matmul ins(%expanded_5, %9 : tensor<1x37x48xf32>, tensor<1x48x32xf32>) outs(%11 : tensor<1x37x32xf32>) -> tensor<1x37x32xf32>
  return %12 : tensor<1x37x32xf32>
}
