// Convolutions and poolings by name, a causal convolution of sequences (Mamba), and elements of
// every second row: one kernel each, and nothing is stored between. Only the weights of the first one,
// whose channels are in front of the window, are permuted in front.

// RUN: linalg-ext-check-program %s --entry=nchw_f16 --max-kernels=2 --max-buffer-bytes=6912
// RUN: linalg-ext-check-program %s --entry=depthwise --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --entry=pooling --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --entry=causal_1d --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --entry=strided_rows --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --entry=whole_image --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --entry=whole_image --targets=cpu --max-buffer-bytes=2880
// RUN: linalg-ext-check-program %s --entry=most_of_an_image --max-kernels=1 --max-buffer-bytes=0

func.func @nchw_f16(%x: tensor<2x16x13x11xf16>, %w: tensor<24x16x3x3xf16>) -> tensor<2x24x5x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x24x5x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x5x4xf32>) -> tensor<2x24x5x4xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x16x13x11xf16>, tensor<24x16x3x3xf16>) outs(%f : tensor<2x24x5x4xf32>) -> tensor<2x24x5x4xf32>
  return %r : tensor<2x24x5x4xf32>
}
func.func @depthwise(%x: tensor<1x9x9x24xf32>, %w: tensor<3x3x24xf32>) -> tensor<1x7x7x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x7x24xf32>) -> tensor<1x7x7x24xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x24xf32>, tensor<3x3x24xf32>) outs(%f : tensor<1x7x7x24xf32>) -> tensor<1x7x7x24xf32>
  return %r : tensor<1x7x7x24xf32>
}
func.func @pooling(%x: tensor<1x9x9x24xf32>) -> tensor<1x4x4x24xf32> {
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4x4x24xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x9x9x24xf32>, tensor<3x3xf32>) outs(%f : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  return %r : tensor<1x4x4x24xf32>
}
func.func @causal_1d(%x: tensor<2x24x40xf32>, %w: tensor<24x4xf32>) -> tensor<2x24x37xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x24x37xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x37xf32>) -> tensor<2x24x37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b,c,t,k) -> (b,c,t+k)>, affine_map<(b,c,t,k) -> (c,k)>, affine_map<(b,c,t,k) -> (b,c,t)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%x, %w : tensor<2x24x40xf32>, tensor<24x4xf32>) outs(%f : tensor<2x24x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x24x37xf32>
  return %r : tensor<2x24x37xf32>
}
func.func @strided_rows(%x: tensor<80x24xf32>) -> tensor<40x24xf32> {
  %e = tensor.empty() : tensor<40x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j) -> (2*i,j)>, affine_map<(i,j) -> (2*i+1,j)>, affine_map<(i,j) -> (i,j)>], iterator_types = ["parallel","parallel"]} ins(%x, %x : tensor<80x24xf32>, tensor<80x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<40x24xf32>
  return %r : tensor<40x24xf32>
}
func.func @whole_image(%x: tensor<2x40x3x3xf16>, %w: tensor<24x40x3x3xf16>) -> tensor<2x24x1x1xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x24x1x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x1x1xf32>) -> tensor<2x24x1x1xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x40x3x3xf16>, tensor<24x40x3x3xf16>) outs(%f : tensor<2x24x1x1xf32>) -> tensor<2x24x1x1xf32>
  return %r : tensor<2x24x1x1xf32>
}
func.func @most_of_an_image(%x: tensor<3x6x7x17xf32>, %w: tensor<5x5x17x33xf32>) -> tensor<3x1x1x33xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x1x1x33xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x1x1x33xf32>) -> tensor<3x1x1x33xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<3> : tensor<2xi64>} ins(%x, %w : tensor<3x6x7x17xf32>, tensor<5x5x17x33xf32>) outs(%f : tensor<3x1x1x33xf32>) -> tensor<3x1x1x33xf32>
  return %r : tensor<3x1x1x33xf32>
}
