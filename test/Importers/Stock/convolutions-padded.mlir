// Padding in front of convolutions and poolings, as importers write it.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=cpu

func.func @nchw_f16(%x: tensor<2x16x13x11xf16>, %w: tensor<24x16x3x3xf16>, %b: tensor<24xf16>) -> tensor<2x24x13x11xf16> {
  %z = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<2x16x13x11xf16> to tensor<2x16x15x13xf16>
  %e = tensor.empty() : tensor<2x24x13x11xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x13x11xf32>) -> tensor<2x24x13x11xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<2x16x15x13xf16>, tensor<24x16x3x3xf16>) outs(%f : tensor<2x24x13x11xf32>) -> tensor<2x24x13x11xf32>
  %eh = tensor.empty() : tensor<2x24x13x11xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(n, c, i, j) -> (n, c, i, j)>, affine_map<(n, c, i, j) -> (c)>, affine_map<(n, c, i, j) -> (n, c, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r, %b : tensor<2x24x13x11xf32>, tensor<24xf16>) outs(%eh : tensor<2x24x13x11xf16>) {
  ^bb0(%in: f32, %bias: f16, %out: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %in, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<2x24x13x11xf16>
  return %h : tensor<2x24x13x11xf16>
}

// Other padding in front than behind, dilations and strides.
func.func @dilated_strided(%x: tensor<1x13x11x5xf32>, %w: tensor<3x2x5x7xf32>) -> tensor<1x6x11x7xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 2, 1, 0] high[0, 1, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x13x11x5xf32> to tensor<1x16x14x5xf32>
  %e = tensor.empty() : tensor<1x6x11x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x11x7xf32>) -> tensor<1x6x11x7xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 3]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<1x16x14x5xf32>, tensor<3x2x5x7xf32>) outs(%f : tensor<1x6x11x7xf32>) -> tensor<1x6x11x7xf32>
  return %r : tensor<1x6x11x7xf32>
}

// A maximum starts from the padding, -inf. The elements are all negative.
func.func @max_pooling(%x: tensor<1x9x9x24xf32> {check.draw = "uniform -3 -1"}) -> tensor<1x5x5x24xf32> {
  %z = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x9x9x24xf32> to tensor<1x11x11x24xf32>
  %e = tensor.empty() : tensor<1x5x5x24xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x5x5x24xf32>) -> tensor<1x5x5x24xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %k : tensor<1x11x11x24xf32>, tensor<3x3xf32>) outs(%f : tensor<1x5x5x24xf32>) -> tensor<1x5x5x24xf32>
  return %r : tensor<1x5x5x24xf32>
}

// A causal convolution of sequences, and SiLU (Mamba, gated delta rules).
func.func @causal_silu(%x: tensor<2x24x37xbf16>, %w: tensor<24x4xbf16>) -> tensor<2x24x37xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 0, 3] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : bf16
  } : tensor<2x24x37xbf16> to tensor<2x24x40xbf16>
  %e = tensor.empty() : tensor<2x24x37xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x37xf32>) -> tensor<2x24x37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, k) -> (n, c, i + k)>, affine_map<(n, c, i, k) -> (c, k)>, affine_map<(n, c, i, k) -> (n, c, i)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<2x24x40xbf16>, tensor<24x4xbf16>) outs(%f : tensor<2x24x37xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x24x37xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, c, i) -> (n, c, i)>, affine_map<(n, c, i) -> (n, c, i)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<2x24x37xf32>) outs(%e : tensor<2x24x37xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = arith.negf %a : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %a, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x24x37xf32>
  return %s : tensor<2x24x37xf32>
}
