// Linear layers with halves of bytes that arrive with a dimension of size 1 for their only group, and
// that are put together by a concatenation: the codes are not stored, as if the bytes had two
// dimensions. One row, and three with zero points.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=4096
// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(n, g, k) -> (n, g)>

// An op that reads the dimension at 0 would stay apart from the product.
// CHECK-NOT: -> (d0, 0, d1)
//     CHECK: func @row(
func.func @row(%x: tensor<1x256xf16>, %w: tensor<130x1x128xi8> {check.draw = "uniform -128 127"}, %scale: tensor<130x1xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<1x130xf32> {
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8 : i8
  %c15 = arith.constant 15 : i8
  %zero = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<130x1x128xi8>
  %low = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<130x1x128xi8>) outs(%e8 : tensor<130x1x128xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<130x1x128xi8>
  %high = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<130x1x128xi8>) outs(%e8 : tensor<130x1x128xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<130x1x128xi8>
  %l = tensor.expand_shape %low [[0], [1], [2, 3]] output_shape [130, 1, 128, 1] : tensor<130x1x128xi8> into tensor<130x1x128x1xi8>
  %u = tensor.expand_shape %high [[0], [1], [2, 3]] output_shape [130, 1, 128, 1] : tensor<130x1x128xi8> into tensor<130x1x128x1xi8>
  %both = tensor.concat dim(3) %l, %u : (tensor<130x1x128x1xi8>, tensor<130x1x128x1xi8>) -> tensor<130x1x128x2xi8>
  %q = tensor.collapse_shape %both [[0], [1], [2, 3]] : tensor<130x1x128x2xi8> into tensor<130x1x256xi8>
  %e = tensor.empty() : tensor<130x1x256xf16>
  %d = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %scale : tensor<130x1x256xi8>, tensor<130x1xf16>) outs(%e : tensor<130x1x256xf16>) {
  ^bb0(%a: i8, %s: f16, %o: f16):
    %2 = arith.subi %a, %c8 : i8
    %3 = arith.sitofp %2 : i8 to f16
    %4 = arith.mulf %3, %s : f16
    linalg.yield %4 : f16
  } -> tensor<130x1x256xf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<130x1x256xf16> into tensor<130x256xf16>
  %ye = tensor.empty() : tensor<1x130xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x130xf32>) -> tensor<1x130xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<1x256xf16>, tensor<130x256xf16>) outs(%f : tensor<1x130xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x130xf32>
  return %r : tensor<1x130xf32>
}

func.func @zero_points(%x: tensor<3x192xf32>, %w: tensor<131x1x96xi8> {check.draw = "uniform -128 127"}, %scale: tensor<131x1xf32> {check.draw = "uniform 0.01 0.02"}, %z: tensor<131x1xi8> {check.draw = "uniform 0 15"}) -> tensor<3x131xf32> {
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8 : i8
  %c15 = arith.constant 15 : i8
  %zero = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<131x1x96xi8>
  %low = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<131x1x96xi8>) outs(%e8 : tensor<131x1x96xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<131x1x96xi8>
  %high = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<131x1x96xi8>) outs(%e8 : tensor<131x1x96xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<131x1x96xi8>
  %l = tensor.expand_shape %low [[0], [1], [2, 3]] output_shape [131, 1, 96, 1] : tensor<131x1x96xi8> into tensor<131x1x96x1xi8>
  %u = tensor.expand_shape %high [[0], [1], [2, 3]] output_shape [131, 1, 96, 1] : tensor<131x1x96xi8> into tensor<131x1x96x1xi8>
  %both = tensor.concat dim(3) %l, %u : (tensor<131x1x96x1xi8>, tensor<131x1x96x1xi8>) -> tensor<131x1x96x2xi8>
  %q = tensor.collapse_shape %both [[0], [1], [2, 3]] : tensor<131x1x96x2xi8> into tensor<131x1x192xi8>
  %e = tensor.empty() : tensor<131x1x192xf32>
  %d = linalg.generic {indexing_maps = [#id3, #group, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %scale, %z : tensor<131x1x192xi8>, tensor<131x1xf32>, tensor<131x1xi8>) outs(%e : tensor<131x1x192xf32>) {
  ^bb0(%a: i8, %s: f32, %z0: i8, %o: f32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %z0 : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<131x1x192xf32>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<131x1x192xf32> into tensor<131x192xf32>
  %ye = tensor.empty() : tensor<3x131xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ye : tensor<3x131xf32>) -> tensor<3x131xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<3x192xf32>, tensor<131x192xf32>) outs(%f : tensor<3x131xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x131xf32>
  return %r : tensor<3x131xf32>
}
