// A linear layer of f16 with weights of 4 bits, two to a byte: one op converts them, subtracts
// the zero point of a group and scales, and the product reads the columns as they are stored.
// A layer of no columns has no elements.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: sed 's/<75x/<0x/g; s/x75x/x0x/g; s/\[75,/[0,/g' %s | linalg-ext-check-program -
// RUN: sed 's/<5x/<1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'

func.func @one_op(%x: tensor<5x256xf16>, %w: tensor<75x128xi8> {check.draw = "uniform -128 127"}, %scale: tensor<75x4x1xf16> {check.draw = "uniform 0.01 0.02"}, %zero: tensor<75x4x1xf16> {check.draw = "uniform 5 9"}) -> tensor<5x75xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<75x128xi8>
  %lo = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<75x128xi8>) outs(%e : tensor<75x128xi8>) {
  ^bb0(%i: i8, %o: i8):
    %r = arith.andi %i, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<75x128xi8>
  %hi = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<75x128xi8>) outs(%e : tensor<75x128xi8>) {
  ^bb0(%i: i8, %o: i8):
    %r = arith.shrui %i, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<75x128xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [75, 128, 1] : tensor<75x128xi8> into tensor<75x128x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [75, 128, 1] : tensor<75x128xi8> into tensor<75x128x1xi8>
  %two = tensor.concat dim(2) %lo1, %hi1 : (tensor<75x128x1xi8>, tensor<75x128x1xi8>) -> tensor<75x128x2xi8>
  %codes = tensor.collapse_shape %two [[0], [1, 2]] : tensor<75x128x2xi8> into tensor<75x256xi8>
  %cg = tensor.expand_shape %codes [[0], [1, 2]] output_shape [75, 4, 64] : tensor<75x256xi8> into tensor<75x4x64xi8>
  %we = tensor.empty() : tensor<75x4x64xf16>
  %wg = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cg, %zero, %scale : tensor<75x4x64xi8>, tensor<75x4x1xf16>, tensor<75x4x1xf16>) outs(%we : tensor<75x4x64xf16>) {
  ^bb0(%i: i8, %zp: f16, %s: f16, %o: f16):
    %f = arith.uitofp %i : i8 to f16
    %d = arith.subf %f, %zp : f16
    %r = arith.mulf %d, %s : f16
    linalg.yield %r : f16
  } -> tensor<75x4x64xf16>
  %wf = tensor.collapse_shape %wg [[0], [1, 2]] : tensor<75x4x64xf16> into tensor<75x256xf16>
  %oe = tensor.empty() : tensor<5x75xf32>
  %of = linalg.fill ins(%z : f32) outs(%oe : tensor<5x75xf32>) -> tensor<5x75xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %wf : tensor<5x256xf16>, tensor<75x256xf16>) outs(%of : tensor<5x75xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %af = arith.extf %a : f16 to f32
    %bf = arith.extf %b : f16 to f32
    %p = arith.mulf %af, %bf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x75xf32>
  return %out : tensor<5x75xf32>
}
