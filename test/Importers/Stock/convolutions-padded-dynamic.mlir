// Padding in front of convolutions of unknown sizes, where a window is larger than the padding, and where it
// is not: then there are windows of padding alone, also of an empty image.

// RUN: linalg-ext-check-program %s --entry=causal --sizes=2x24x37,- --targets=gpu --max-kernels=3
// RUN: linalg-ext-check-program %s --entry=causal --sizes=2x24x1,- --targets=gpu --max-kernels=3 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --entry=image --sizes=1x5x13x9,- --targets=gpu --max-kernels=3
// RUN: linalg-ext-check-program %s --entry=large_padding --sizes=2x24x5,- --targets=gpu --max-kernels=3
// RUN: linalg-ext-check-program %s --entry=large_padding --sizes=2x24x0,- --targets=gpu --max-kernels=3 --min-informative=0

func.func @causal(%x: tensor<2x24x?xf32>, %w: tensor<24x4xf32>) -> tensor<2x24x?xf32> {
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c2 : tensor<2x24x?xf32>
  %p = tensor.pad %x low[0, 0, 3] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<2x24x?xf32> to tensor<2x24x?xf32>
  %e = tensor.empty(%n) : tensor<2x24x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x?xf32>) -> tensor<2x24x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, k) -> (n, c, i + k)>, affine_map<(n, c, i, k) -> (c, k)>, affine_map<(n, c, i, k) -> (n, c, i)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<2x24x?xf32>, tensor<24x4xf32>) outs(%f : tensor<2x24x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x24x?xf32>
  return %r : tensor<2x24x?xf32>
}

func.func @image(%x: tensor<1x5x?x?xf16>, %w: tensor<7x5x3x3xf16>) -> tensor<1x7x?x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f16
  %m = tensor.dim %x, %c2 : tensor<1x5x?x?xf16>
  %n = tensor.dim %x, %c3 : tensor<1x5x?x?xf16>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<1x5x?x?xf16> to tensor<1x5x?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<1x7x?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x?x?xf32>) -> tensor<1x7x?x?xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x5x?x?xf16>, tensor<7x5x3x3xf16>) outs(%f : tensor<1x7x?x?xf32>) -> tensor<1x7x?x?xf32>
  return %r : tensor<1x7x?x?xf32>
}

func.func @large_padding(%x: tensor<2x24x?xf32>, %w: tensor<24x4xf32>) -> tensor<2x24x?xf32> {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c2 : tensor<2x24x?xf32>
  %more = arith.addi %n, %c1 : index
  %p = tensor.pad %x low[0, 0, 2] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<2x24x?xf32> to tensor<2x24x?xf32>
  %e = tensor.empty(%more) : tensor<2x24x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x24x?xf32>) -> tensor<2x24x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, k) -> (n, c, i + k)>, affine_map<(n, c, i, k) -> (c, k)>, affine_map<(n, c, i, k) -> (n, c, i)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<2x24x?xf32>, tensor<24x4xf32>) outs(%f : tensor<2x24x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x24x?xf32>
  return %r : tensor<2x24x?xf32>
}
