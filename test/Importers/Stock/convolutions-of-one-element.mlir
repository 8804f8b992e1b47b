// Convolutions whose windows have one element, and one whose window is the whole image, are
// products: no patches are gathered, and no weights permuted.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=0 --targets=gpu

#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, 0)>

func.func @channels_in_front(%arg0: tensor<2x16x9x11xf32>, %arg1: tensor<24x16x1x1xf32>, %arg2: tensor<24xf32>) -> tensor<2x24x9x11xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x24x9x11xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<24xf32>) outs(%0 : tensor<2x24x9x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x24x9x11xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<2x16x9x11xf32>, tensor<24x16x1x1xf32>) outs(%1 : tensor<2x24x9x11xf32>) -> tensor<2x24x9x11xf32>
  %3 = tensor.empty() : tensor<2x24x9x11xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x24x9x11xf32>) outs(%3 : tensor<2x24x9x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.negf %in : f32
    %8 = math.exp %7 : f32
    %9 = arith.addf %8, %cst : f32
    %10 = arith.divf %cst, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<2x24x9x11xf32>
  %5 = tensor.empty() : tensor<2x24x9x11xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %2 : tensor<2x24x9x11xf32>, tensor<2x24x9x11xf32>) outs(%5 : tensor<2x24x9x11xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %7 = arith.mulf %in, %in_0 : f32
    linalg.yield %7 : f32
  } -> tensor<2x24x9x11xf32>
  return %6 : tensor<2x24x9x11xf32>
}
func.func @channels_last(%arg0: tensor<2x9x11x16xf32>, %arg1: tensor<24x1x1x16xf32>, %arg2: tensor<24xf32>) -> tensor<2x9x11x24xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x9x11x24xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x9x11x24xf32>) -> tensor<2x9x11x24xf32>
  %2 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x9x11x16xf32>, tensor<24x1x1x16xf32>) outs(%1 : tensor<2x9x11x24xf32>) -> tensor<2x9x11x24xf32>
  %expanded = tensor.expand_shape %arg2 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : tensor<24xf32> into tensor<1x1x1x24xf32>
  %3 = tensor.empty() : tensor<2x9x11x24xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<2x9x11x24xf32>, tensor<1x1x1x24xf32>) outs(%3 : tensor<2x9x11x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %9 = arith.addf %in, %in_1 : f32
    linalg.yield %9 : f32
  } -> tensor<2x9x11x24xf32>
  %5 = tensor.empty() : tensor<2x9x11x24xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x9x11x24xf32>) outs(%5 : tensor<2x9x11x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.negf %in : f32
    %10 = math.exp %9 : f32
    %11 = arith.addf %10, %cst : f32
    %12 = arith.divf %cst, %11 : f32
    linalg.yield %12 : f32
  } -> tensor<2x9x11x24xf32>
  %7 = tensor.empty() : tensor<2x9x11x24xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %4 : tensor<2x9x11x24xf32>, tensor<2x9x11x24xf32>) outs(%7 : tensor<2x9x11x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %9 = arith.mulf %in, %in_1 : f32
    linalg.yield %9 : f32
  } -> tensor<2x9x11x24xf32>
  return %8 : tensor<2x9x11x24xf32>
}
func.func @whole_image(%arg0: tensor<5x12x3x3xf32>, %arg1: tensor<24x12x3x3xf32>, %arg2: tensor<24xf32>) -> tensor<5x24x1x1xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<5x24x1x1xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<5x24x1x1xf32>) -> tensor<5x24x1x1xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<5x12x3x3xf32>, tensor<24x12x3x3xf32>) outs(%1 : tensor<5x24x1x1xf32>) -> tensor<5x24x1x1xf32>
  %expanded = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
  %3 = tensor.empty() : tensor<5x24x1x1xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<5x24x1x1xf32>, tensor<24x1x1xf32>) outs(%3 : tensor<5x24x1x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %9 = arith.addf %in, %in_1 : f32
    linalg.yield %9 : f32
  } -> tensor<5x24x1x1xf32>
  %5 = tensor.empty() : tensor<5x24x1x1xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<5x24x1x1xf32>) outs(%5 : tensor<5x24x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.negf %in : f32
    %10 = math.exp %9 : f32
    %11 = arith.addf %10, %cst : f32
    %12 = arith.divf %cst, %11 : f32
    linalg.yield %12 : f32
  } -> tensor<5x24x1x1xf32>
  %7 = tensor.empty() : tensor<5x24x1x1xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %4 : tensor<5x24x1x1xf32>, tensor<5x24x1x1xf32>) outs(%7 : tensor<5x24x1x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %9 = arith.mulf %in, %in_1 : f32
    linalg.yield %9 : f32
  } -> tensor<5x24x1x1xf32>
  return %8 : tensor<5x24x1x1xf32>
}
func.func @one_tap(%arg0: tensor<2x16x37xf32>, %arg1: tensor<24x16x1xf32>, %arg2: tensor<24xf32>) -> tensor<2x24x37xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x24x37xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x24x37xf32>) -> tensor<2x24x37xf32>
  %2 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%arg0, %arg1 : tensor<2x16x37xf32>, tensor<24x16x1xf32>) outs(%1 : tensor<2x24x37xf32>) -> tensor<2x24x37xf32>
  %expanded = tensor.expand_shape %arg2 [[0, 1]] output_shape [24, 1] : tensor<24xf32> into tensor<24x1xf32>
  %3 = tensor.empty() : tensor<2x24x37xf32>
  %4 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<2x24x37xf32>, tensor<24x1xf32>) outs(%3 : tensor<2x24x37xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.addf %in, %in_0 : f32
    linalg.yield %5 : f32
  } -> tensor<2x24x37xf32>
  return %4 : tensor<2x24x37xf32>
}
