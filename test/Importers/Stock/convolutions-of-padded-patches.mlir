// Patches of padded images are gathered from what is padded, with a condition on the position: the
// kernels are those of patches and of the product, and one for an activation in front. Other chips
// multiply what workgroups gather from the padded image.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --targets=gpu
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=3 --max-scalar-kernels=0 --targets=gpu --gpu-options='chip=sm_90a async-products=true'
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options=async-products=true -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// CHECK: .entry padded_kernel(
// CHECK-NOT: wgmma.mma_async
// CHECK: .entry padded_kernel_0(
// CHECK: wgmma.mma_async
// CHECK-NOT: .entry padded_kernel_1(

func.func @padded(%a0: tensor<2x16x9x9xf16>, %a1: tensor<24x16x3x3xf16>) -> tensor<2x24x9x9xf16> {
  %c1 = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0.000000e+00 : f16
  %v1 = tensor.pad %a0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%p1_0: index, %p1_1: index, %p1_2: index, %p1_3: index):
    tensor.yield %c0 : f16
  } : tensor<2x16x9x9xf16> to tensor<2x16x11x11xf16>
  %v2 = tensor.empty() : tensor<2x24x9x9xf32>
  %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<2x24x9x9xf32>) -> tensor<2x24x9x9xf32>
  %v4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v1, %a1 : tensor<2x16x11x11xf16>, tensor<24x16x3x3xf16>) outs(%v3 : tensor<2x24x9x9xf32>) -> tensor<2x24x9x9xf32>
  %v5 = tensor.empty() : tensor<2x24x9x9xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<2x24x9x9xf32>) outs(%v5 : tensor<2x24x9x9xf16>) {
  ^bb0(%x6_0: f32, %o6: f16):
    %b7 = arith.truncf %x6_0 : f32 to f16
    linalg.yield %b7 : f16
  } -> tensor<2x24x9x9xf16>
  return %v6 : tensor<2x24x9x9xf16>
}

func.func @activation_in_front(%a0: tensor<2x16x8x8xf16>, %a1: tensor<24x16x3x3xf16>) -> tensor<2x24x8x8xf16> {
  %c2 = arith.constant 0.000000e+00 : f32
  %c1 = arith.constant 0.000000e+00 : f16
  %c0 = arith.constant 1.000000e+00 : f16
  %v1 = tensor.empty() : tensor<2x16x8x8xf16>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a0 : tensor<2x16x8x8xf16>) outs(%v1 : tensor<2x16x8x8xf16>) {
  ^bb0(%x2_0: f16, %o2: f16):
    %b3 = arith.negf %x2_0 : f16
    %b4 = math.exp %b3 : f16
    %b5 = arith.addf %b4, %c0 : f16
    %b6 = arith.divf %c0, %b5 : f16
    linalg.yield %b6 : f16
  } -> tensor<2x16x8x8xf16>
  %v7 = tensor.empty() : tensor<2x16x8x8xf16>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v2, %a0 : tensor<2x16x8x8xf16>, tensor<2x16x8x8xf16>) outs(%v7 : tensor<2x16x8x8xf16>) {
  ^bb0(%x8_0: f16, %x8_1: f16, %o8: f16):
    %b9 = arith.mulf %x8_0, %x8_1 : f16
    linalg.yield %b9 : f16
  } -> tensor<2x16x8x8xf16>
  %v10 = tensor.pad %v8 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%p10_0: index, %p10_1: index, %p10_2: index, %p10_3: index):
    tensor.yield %c1 : f16
  } : tensor<2x16x8x8xf16> to tensor<2x16x10x10xf16>
  %v11 = tensor.empty() : tensor<2x24x8x8xf32>
  %v12 = linalg.fill ins(%c2 : f32) outs(%v11 : tensor<2x24x8x8xf32>) -> tensor<2x24x8x8xf32>
  %v13 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v10, %a1 : tensor<2x16x10x10xf16>, tensor<24x16x3x3xf16>) outs(%v12 : tensor<2x24x8x8xf32>) -> tensor<2x24x8x8xf32>
  %v14 = tensor.empty() : tensor<2x24x8x8xf16>
  %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<2x24x8x8xf32>) outs(%v14 : tensor<2x24x8x8xf16>) {
  ^bb0(%x15_0: f32, %o15: f16):
    %b16 = arith.truncf %x15_0 : f32 to f16
    linalg.yield %b16 : f16
  } -> tensor<2x24x8x8xf16>
  return %v15 : tensor<2x24x8x8xf16>
}

func.func @in_front_only(%a0: tensor<1x16x9x9xbf16>, %a1: tensor<40x16x3x3xbf16>) -> tensor<1x40x9x9xbf16> {
  %c1 = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0.000000e+00 : bf16
  %v1 = tensor.pad %a0 low[0, 0, 2, 2] high[0, 0, 0, 0] {
  ^bb0(%p1_0: index, %p1_1: index, %p1_2: index, %p1_3: index):
    tensor.yield %c0 : bf16
  } : tensor<1x16x9x9xbf16> to tensor<1x16x11x11xbf16>
  %v2 = tensor.empty() : tensor<1x40x9x9xf32>
  %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<1x40x9x9xf32>) -> tensor<1x40x9x9xf32>
  %v4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v1, %a1 : tensor<1x16x11x11xbf16>, tensor<40x16x3x3xbf16>) outs(%v3 : tensor<1x40x9x9xf32>) -> tensor<1x40x9x9xf32>
  %v5 = tensor.empty() : tensor<1x40x9x9xbf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x40x9x9xf32>) outs(%v5 : tensor<1x40x9x9xbf16>) {
  ^bb0(%x6_0: f32, %o6: bf16):
    %b7 = arith.truncf %x6_0 : f32 to bf16
    linalg.yield %b7 : bf16
  } -> tensor<1x40x9x9xbf16>
  return %v6 : tensor<1x40x9x9xbf16>
}

func.func @strided(%a0: tensor<2x8x16x16xf16>, %a1: tensor<24x8x3x3xf16>) -> tensor<2x24x8x8xf16> {
  %c1 = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0.000000e+00 : f16
  %v1 = tensor.pad %a0 low[0, 0, 0, 0] high[0, 0, 1, 1] {
  ^bb0(%p1_0: index, %p1_1: index, %p1_2: index, %p1_3: index):
    tensor.yield %c0 : f16
  } : tensor<2x8x16x16xf16> to tensor<2x8x17x17xf16>
  %v2 = tensor.empty() : tensor<2x24x8x8xf32>
  %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<2x24x8x8xf32>) -> tensor<2x24x8x8xf32>
  %v4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%v1, %a1 : tensor<2x8x17x17xf16>, tensor<24x8x3x3xf16>) outs(%v3 : tensor<2x24x8x8xf32>) -> tensor<2x24x8x8xf32>
  %v5 = tensor.empty() : tensor<2x24x8x8xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<2x24x8x8xf32>) outs(%v5 : tensor<2x24x8x8xf16>) {
  ^bb0(%x6_0: f32, %o6: f16):
    %b7 = arith.truncf %x6_0 : f32 to f16
    linalg.yield %b7 : f16
  } -> tensor<2x24x8x8xf16>
  return %v6 : tensor<2x24x8x8xf16>
}

func.func @another_number(%a0: tensor<1x16x8x8xf16>, %a1: tensor<24x16x3x3xf16>) -> tensor<1x24x8x8xf16> {
  %c1 = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 5.000000e-01 : f16
  %v1 = tensor.pad %a0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%p1_0: index, %p1_1: index, %p1_2: index, %p1_3: index):
    tensor.yield %c0 : f16
  } : tensor<1x16x8x8xf16> to tensor<1x16x10x10xf16>
  %v2 = tensor.empty() : tensor<1x24x8x8xf32>
  %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32>
  %v4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v1, %a1 : tensor<1x16x10x10xf16>, tensor<24x16x3x3xf16>) outs(%v3 : tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32>
  %v5 = tensor.empty() : tensor<1x24x8x8xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x24x8x8xf32>) outs(%v5 : tensor<1x24x8x8xf16>) {
  ^bb0(%x6_0: f32, %o6: f16):
    %b7 = arith.truncf %x6_0 : f32 to f16
    linalg.yield %b7 : f16
  } -> tensor<1x24x8x8xf16>
  return %v6 : tensor<1x24x8x8xf16>
}

func.func @channels_last(%x: tensor<2x8x8x16xf16>, %w: tensor<3x3x16x24xf16>) -> tensor<2x8x8x24xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %none : f16
  } : tensor<2x8x8x16xf16> to tensor<2x10x10x16xf16>
  %e = tensor.empty() : tensor<2x8x8x24xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x24xf32>) -> tensor<2x8x8x24xf32>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<2x10x10x16xf16>, tensor<3x3x16x24xf16>) outs(%s : tensor<2x8x8x24xf32>) -> tensor<2x8x8x24xf32>
  %f = tensor.empty() : tensor<2x8x8x24xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, v, o) -> (n, h, v, o)>, affine_map<(n, h, v, o) -> (n, h, v, o)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x8x8x24xf32>) outs(%f : tensor<2x8x8x24xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x8x8x24xf16>
  return %r : tensor<2x8x8x24xf16>
}
