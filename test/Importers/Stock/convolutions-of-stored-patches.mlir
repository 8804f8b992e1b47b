// Convolutions as products of stored patches, which asynchronous products read: images with
// channels in front or last, weights with either last, strides, dilations, and pixels whose number
// is no multiple of 8. Small ones have other products unless these are asked for.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-scalar-kernels=0 --targets=gpu --gpu-options='chip=sm_90a async-products=true'
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options=async-products=true -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// CHECK: .entry channels_in_front_kernel(
// CHECK-NOT: wgmma.mma_async
// CHECK: .entry channels_in_front_kernel_0(
// CHECK: wgmma.mma_async

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>

func.func @channels_in_front(%x: tensor<2x16x10x18xf16>, %w: tensor<24x16x3x3xf16>) -> tensor<2x24x8x16xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x24x8x16xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x8x16xf32>) -> tensor<2x24x8x16xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x16x10x18xf16>, tensor<24x16x3x3xf16>) outs(%s : tensor<2x24x8x16xf32>) -> tensor<2x24x8x16xf32>
  %f = tensor.empty() : tensor<2x24x8x16xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x24x8x16xf32>) outs(%f : tensor<2x24x8x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x24x8x16xf16>
  return %r : tensor<2x24x8x16xf16>
}

func.func @odd_pixels(%x: tensor<1x8x9x9xf16>, %w: tensor<17x8x3x3xf16>) -> tensor<1x17x7x7xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x17x7x7xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<1x17x7x7xf32>) -> tensor<1x17x7x7xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x9x9xf16>, tensor<17x8x3x3xf16>) outs(%s : tensor<1x17x7x7xf32>) -> tensor<1x17x7x7xf32>
  %f = tensor.empty() : tensor<1x17x7x7xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x17x7x7xf32>) outs(%f : tensor<1x17x7x7xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<1x17x7x7xf16>
  return %r : tensor<1x17x7x7xf16>
}

func.func @channels_last(%x: tensor<2x11x11x16xf16>, %w: tensor<24x3x3x16xf16>) -> tensor<2x5x5x24xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x5x24xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x5x24xf32>) -> tensor<2x5x5x24xf32>
  %y = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x11x11x16xf16>, tensor<24x3x3x16xf16>) outs(%s : tensor<2x5x5x24xf32>) -> tensor<2x5x5x24xf32>
  %f = tensor.empty() : tensor<2x5x5x24xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x5x5x24xf32>) outs(%f : tensor<2x5x5x24xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x5x5x24xf16>
  return %r : tensor<2x5x5x24xf16>
}

func.func @weights_in_front(%x: tensor<2x12x12x16xf16>, %w: tensor<3x3x16x24xf16>) -> tensor<2x8x8x24xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x24xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x24xf32>) -> tensor<2x8x8x24xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x12x12x16xf16>, tensor<3x3x16x24xf16>) outs(%s : tensor<2x8x8x24xf32>) -> tensor<2x8x8x24xf32>
  %f = tensor.empty() : tensor<2x8x8x24xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x8x8x24xf32>) outs(%f : tensor<2x8x8x24xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x8x8x24xf16>
  return %r : tensor<2x8x8x24xf16>
}
