// A convolution in front of attention (MobileViT): a product of patches, which its workgroups
// gather. The projection and the attention are kernels of their own.

// RUN: linalg-ext-check-program %s --max-kernels=3 --max-buffer-bytes=19264 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @conv_attention(%x: tensor<1x12x12x16xf32> {check.draw = "uniform 0.02 0.1"},
    %wc: tensor<3x3x16x24xf32> {check.draw = "uniform 0.02 0.1"},
    %wqkv: tensor<48x24xf32> {check.draw = "uniform 0.1 0.5"}) -> (tensor<1x100x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x10x10x24xf32>
  %1 = linalg.fill ins(%cst0 : f32) outs(%0 : tensor<1x10x10x24xf32>) -> tensor<1x10x10x24xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %wc : tensor<1x12x12x16xf32>, tensor<3x3x16x24xf32>) outs(%1 : tensor<1x10x10x24xf32>) -> tensor<1x10x10x24xf32>
  %3 = tensor.collapse_shape %2 [[0], [1, 2], [3]] : tensor<1x10x10x24xf32> into tensor<1x100x24xf32>
  %4 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<1x100x24xf32> into tensor<100x24xf32>
  %5 = tensor.empty() : tensor<24x48xf32>
  %6 = linalg.transpose ins(%wqkv : tensor<48x24xf32>) outs(%5 : tensor<24x48xf32>) permutation = [1, 0]
  %7 = tensor.empty() : tensor<100x48xf32>
  %8 = linalg.fill ins(%cst0 : f32) outs(%7 : tensor<100x48xf32>) -> tensor<100x48xf32>
  %9 = linalg.matmul ins(%4, %6 : tensor<100x24xf32>, tensor<24x48xf32>) outs(%8 : tensor<100x48xf32>) -> tensor<100x48xf32>
  %10 = tensor.expand_shape %9 [[0, 1], [2]] output_shape [1, 100, 48] : tensor<100x48xf32> into tensor<1x100x48xf32>
  %11 = tensor.extract_slice %10[0, 0, 0] [1, 100, 16] [1, 1, 1] : tensor<1x100x48xf32> to tensor<1x100x16xf32>
  %12 = tensor.extract_slice %10[0, 0, 16] [1, 100, 16] [1, 1, 1] : tensor<1x100x48xf32> to tensor<1x100x16xf32>
  %13 = tensor.extract_slice %10[0, 0, 32] [1, 100, 16] [1, 1, 1] : tensor<1x100x48xf32> to tensor<1x100x16xf32>
  %14 = tensor.empty() : tensor<1x16x100xf32>
  %15 = linalg.transpose ins(%12 : tensor<1x100x16xf32>) outs(%14 : tensor<1x16x100xf32>) permutation = [0, 2, 1]
  %16 = tensor.empty() : tensor<1x100x100xf32>
  %17 = linalg.fill ins(%cst0 : f32) outs(%16 : tensor<1x100x100xf32>) -> tensor<1x100x100xf32>
  %18 = linalg.batch_matmul ins(%11, %15 : tensor<1x100x16xf32>, tensor<1x16x100xf32>) outs(%17 : tensor<1x100x100xf32>) -> tensor<1x100x100xf32>
  %19 = tensor.empty() : tensor<1x100x100xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x100x100xf32>) outs(%19 : tensor<1x100x100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x100x100xf32>
  %21 = tensor.empty() : tensor<1x100x1xf32>
  %22 = linalg.fill ins(%cst2 : f32) outs(%21 : tensor<1x100x1xf32>) -> tensor<1x100x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<1x100x100xf32>) outs(%22 : tensor<1x100x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x100x1xf32>
  %24 = tensor.empty() : tensor<1x100x100xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<1x100x100xf32>, tensor<1x100x1xf32>) outs(%24 : tensor<1x100x100xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x100x100xf32>
  %26 = tensor.empty() : tensor<1x100x100xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x100x100xf32>) outs(%26 : tensor<1x100x100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x100x100xf32>
  %28 = tensor.empty() : tensor<1x100x1xf32>
  %29 = linalg.fill ins(%cst0 : f32) outs(%28 : tensor<1x100x1xf32>) -> tensor<1x100x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<1x100x100xf32>) outs(%29 : tensor<1x100x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x100x1xf32>
  %31 = tensor.empty() : tensor<1x100x100xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x100x100xf32>, tensor<1x100x1xf32>) outs(%31 : tensor<1x100x100xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x100x100xf32>
  %33 = tensor.empty() : tensor<1x100x16xf32>
  %34 = linalg.fill ins(%cst0 : f32) outs(%33 : tensor<1x100x16xf32>) -> tensor<1x100x16xf32>
  %35 = linalg.batch_matmul ins(%32, %13 : tensor<1x100x100xf32>, tensor<1x100x16xf32>) outs(%34 : tensor<1x100x16xf32>) -> tensor<1x100x16xf32>
  return %35 : tensor<1x100x16xf32>
}
