// Quantized convolutions of torch-mlir and TOSA: both zero points are subtracted in the payload.
// The products are those of the bytes, and sums of windows and of weights are apart.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=4
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=4 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=4 --targets=gpu --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=4 --targets=gpu --gpu-options=chip=gfx1201

#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>

func.func @channels_first(%arg0: tensor<1x16x7x9xi8>, %arg1: tensor<24x16x3x3xi8>, %arg2: tensor<24xi32>) -> tensor<1x24x5x7xf32> {
  %cst = arith.constant 1.000000e-03 : f32
  %c3_i32 = arith.constant 3 : i32
  %c-7_i32 = arith.constant -7 : i32
  %0 = tensor.empty() : tensor<1x24x5x7xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<24xi32>) outs(%0 : tensor<1x24x5x7xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<1x24x5x7xi32>
  %2 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1, %c-7_i32, %c3_i32 : tensor<1x16x7x9xi8>, tensor<24x16x3x3xi8>, i32, i32) outs(%1 : tensor<1x24x5x7xi32>) -> tensor<1x24x5x7xi32>
  %3 = tensor.empty() : tensor<1x24x5x7xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x24x5x7xi32>) outs(%3 : tensor<1x24x5x7xf32>) {
  ^bb0(%in: i32, %out: f32):
    %7 = arith.sitofp %in : i32 to f32
    linalg.yield %7 : f32
  } -> tensor<1x24x5x7xf32>
  %5 = tensor.empty() : tensor<1x24x5x7xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x24x5x7xf32>) outs(%5 : tensor<1x24x5x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.mulf %in, %cst : f32
    linalg.yield %7 : f32
  } -> tensor<1x24x5x7xf32>
  return %6 : tensor<1x24x5x7xf32>
}
func.func @strided_dilated(%arg0: tensor<2x8x13x17xi8>, %arg1: tensor<12x8x3x3xi8>, %arg2: tensor<12xi32>) -> tensor<2x12x5x7xf32> {
  %cst = arith.constant 1.000000e-03 : f32
  %c3_i32 = arith.constant 3 : i32
  %c-7_i32 = arith.constant -7 : i32
  %0 = tensor.empty() : tensor<2x12x5x7xi32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<12xi32>) outs(%0 : tensor<2x12x5x7xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<2x12x5x7xi32>
  %2 = linalg.conv_2d_nchw_fchw_q {dilations = dense<2> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %arg1, %c-7_i32, %c3_i32 : tensor<2x8x13x17xi8>, tensor<12x8x3x3xi8>, i32, i32) outs(%1 : tensor<2x12x5x7xi32>) -> tensor<2x12x5x7xi32>
  %3 = tensor.empty() : tensor<2x12x5x7xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x12x5x7xi32>) outs(%3 : tensor<2x12x5x7xf32>) {
  ^bb0(%in: i32, %out: f32):
    %7 = arith.sitofp %in : i32 to f32
    linalg.yield %7 : f32
  } -> tensor<2x12x5x7xf32>
  %5 = tensor.empty() : tensor<2x12x5x7xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x12x5x7xf32>) outs(%5 : tensor<2x12x5x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.mulf %in, %cst : f32
    linalg.yield %7 : f32
  } -> tensor<2x12x5x7xf32>
  return %6 : tensor<2x12x5x7xf32>
}
func.func @channels_last(%arg0: tensor<2x9x8x12xi8>, %arg1: tensor<3x3x12x20xi8>, %arg2: tensor<20xi32>) -> tensor<2x7x6x20xf32> {
  %cst = arith.constant 1.000000e-03 : f32
  %c3_i32 = arith.constant 3 : i32
  %c-7_i32 = arith.constant -7 : i32
  %0 = tensor.empty() : tensor<2x7x6x20xi32>
  %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<20xi32>) outs(%0 : tensor<2x7x6x20xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<2x7x6x20xi32>
  %2 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1, %c-7_i32, %c3_i32 : tensor<2x9x8x12xi8>, tensor<3x3x12x20xi8>, i32, i32) outs(%1 : tensor<2x7x6x20xi32>) -> tensor<2x7x6x20xi32>
  %3 = tensor.empty() : tensor<2x7x6x20xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x7x6x20xi32>) outs(%3 : tensor<2x7x6x20xf32>) {
  ^bb0(%in: i32, %out: f32):
    %7 = arith.sitofp %in : i32 to f32
    linalg.yield %7 : f32
  } -> tensor<2x7x6x20xf32>
  %5 = tensor.empty() : tensor<2x7x6x20xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x7x6x20xf32>) outs(%5 : tensor<2x7x6x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.mulf %in, %cst : f32
    linalg.yield %7 : f32
  } -> tensor<2x7x6x20xf32>
  return %6 : tensor<2x7x6x20xf32>
}
