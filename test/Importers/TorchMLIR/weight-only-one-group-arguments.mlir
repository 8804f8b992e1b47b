// A linear layer of f16 with weights of 8 bits that arrive with a dimension of size 1 for their only
// group: nothing is stored, as if they had two dimensions. The same with zero points, and with weights
// [in, out].

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2048
// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(n, g, k) -> (n, g)>

// CHECK-LABEL: func @columns(
// CHECK-SAME:    %{{[a-z0-9]+}}: {{.*}}, %[[W:[a-z0-9]+]]: tensor<130x1x256xi8>
//       CHECK:   %[[FLAT:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0], [1, 2]]
//       CHECK:   linalg.generic {{.*}} ins(%[[FLAT]]
//   CHECK-NOT:   tensor<130x1x256xf16>
//       CHECK:   return
func.func @columns(%x: tensor<1x256xf16>, %w: tensor<130x1x256xi8> {check.draw = "uniform -128 127"}, %scale: tensor<130x1xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<1x130xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<130x1x256xf16>
  %d = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale : tensor<130x1x256xi8>, tensor<130x1xf16>) outs(%e : tensor<130x1x256xf16>) {
  ^bb0(%a: i8, %s: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %s : f16
    linalg.yield %1 : f16
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

// CHECK-LABEL: func @zero_points(
//       CHECK:   tensor.collapse_shape %{{.*}} : tensor<130x1x256xi8> into tensor<130x256xi8>
//   CHECK-NOT:   tensor<130x1x256xf32>
//       CHECK:   return
func.func @zero_points(%x: tensor<3x256xf32>, %w: tensor<130x1x256xi8> {check.draw = "uniform -128 127"}, %scale: tensor<130x1xf32> {check.draw = "uniform 0.01 0.02"},
                       %z: tensor<130x1xi8> {check.draw = "uniform -9 9"}) -> tensor<3x130xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<130x1x256xf32>
  %d = linalg.generic {indexing_maps = [#id3, #group, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale, %z : tensor<130x1x256xi8>, tensor<130x1xf32>, tensor<130x1xi8>) outs(%e : tensor<130x1x256xf32>) {
  ^bb0(%a: i8, %s: f32, %b: i8, %o: f32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<130x1x256xf32>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<130x1x256xf32> into tensor<130x256xf32>
  %ye = tensor.empty() : tensor<3x130xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ye : tensor<3x130xf32>) -> tensor<3x130xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<3x256xf32>, tensor<130x256xf32>) outs(%f : tensor<3x130xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x130xf32>
  return %r : tensor<3x130xf32>
}
