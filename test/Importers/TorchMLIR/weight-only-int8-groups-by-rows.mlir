// A linear layer of f32 with weights [in, out] of 8 bits in groups along what is summed. Each
// group of a column has a scale, [out, groups], which is transposed once on a CPU: lanes lie
// along the columns. The result is where the caller wants it, also if a scale is behind the
// sums, or if columns of 4 bits are packed.

// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=1500 --max-kernels=1
// RUN: linalg-ext-opt %s --linalg-ext-to-buffers='cpu=avx512' | FileCheck %s
// RUN: linalg-ext-compile %s -o %t.o --header=%t.h --report=none
// RUN: FileCheck %s --check-prefix=HEADER < %t.h

// HEADER:     _mlir_ciface_
// HEADER-NOT: result0

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func @groups(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: {{.*}}, %[[W:[a-z0-9]+]]: {{.*}}, %[[S:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: memref<3x75xf32>)
// CHECK:         %[[T:.*]] = memref.alloca() {{.*}} : memref<5x75xf32>
// CHECK:         linalg.transpose ins(%[[S]] : memref<75x5xf32>) outs(%[[T]]
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[W]], %[[T]] : {{.*}} outs(%[[Y]]
func.func @groups(%x: tensor<3x5x48xf32>, %w: tensor<5x48x75xi8> {check.draw = "uniform -128 127"}, %scale: tensor<75x5xf32> {check.draw = "uniform 0.01 0.02"}, %y: tensor<3x75xf32>) -> tensor<3x75xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x48x75xf32>
  %d = linalg.generic {indexing_maps = [#id3, affine_map<(g, s, n) -> (n, g)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale : tensor<5x48x75xi8>, tensor<75x5xf32>) outs(%e : tensor<5x48x75xf32>) {
  ^bb0(%a: i8, %s: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x48x75xf32>
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<3x75xf32>) -> tensor<3x75xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, g, s) -> (m, g, s)>, affine_map<(m, n, g, s) -> (g, s, n)>, affine_map<(m, n, g, s) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %d : tensor<3x5x48xf32>, tensor<5x48x75xf32>) outs(%f : tensor<3x75xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x75xf32>
  return %r : tensor<3x75xf32>
}

// CHECK-LABEL: func @columns(
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<3x76xf32>)
// CHECK:         %[[E:.*]] = memref.expand_shape %[[Y]] {{\[\[}}0], [1, 2]]
// CHECK:         linalg.transpose {{.*}} outs(%[[E]]
func.func @columns(%x: tensor<3x48xf32>, %w: tensor<48x38xi8> {check.draw = "uniform -128 127"}, %scale: tensor<76xf32> {check.draw = "uniform 0.01 0.02"}, %y: tensor<3x76xf32>) -> tensor<3x76xf32> {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %b = tensor.empty() : tensor<48x38xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<48x38xi8>) outs(%b : tensor<48x38xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<48x38xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<48x38xi8>) outs(%b : tensor<48x38xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<48x38xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [48, 38, 1] : tensor<48x38xi8> into tensor<48x38x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [48, 38, 1] : tensor<48x38xi8> into tensor<48x38x1xi8>
  %both = tensor.concat dim(2) %lo1, %hi1 : (tensor<48x38x1xi8>, tensor<48x38x1xi8>) -> tensor<48x38x2xi8>
  %codes = tensor.collapse_shape %both [[0], [1, 2]] : tensor<48x38x2xi8> into tensor<48x76xi8>
  %e = tensor.empty() : tensor<48x76xf32>
  %d = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d1)>, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%codes, %scale : tensor<48x76xi8>, tensor<76xf32>) outs(%e : tensor<48x76xf32>) {
  ^bb0(%a: i8, %s: f32, %o: f32):
    %0 = arith.uitofp %a : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<48x76xf32>
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<3x76xf32>) -> tensor<3x76xf32>
  %r = linalg.matmul ins(%x, %d : tensor<3x48xf32>, tensor<48x76xf32>) outs(%f : tensor<3x76xf32>) -> tensor<3x76xf32>
  return %r : tensor<3x76xf32>
}
