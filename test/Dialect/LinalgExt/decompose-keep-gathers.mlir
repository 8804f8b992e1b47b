// RUN: linalg-ext-opt %s --linalg-ext-decompose=keep-gathers | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-decompose | FileCheck %s --check-prefix=ALL
// ALL-NOT: linalg_ext.paged_gather

// Pages of int8 in front of a product: a reshape, and a conversion, are between the two.

// CHECK-LABEL: func @dequantized(
// CHECK:         linalg_ext.paged_gather
func.func @dequantized(%q: tensor<1x4x64xf32>, %pool: tensor<?x16x64xi8>, %table: tensor<8xi64>, %s: tensor<1x4x128xf32>) -> tensor<1x4x128xf32> {
  %e = tensor.empty() : tensor<128x64xi8>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%pool : tensor<?x16x64xi8>) table(%table : tensor<8xi64>) outs(%e : tensor<128x64xi8>) -> tensor<128x64xi8>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 128, 64] : tensor<128x64xi8> into tensor<1x128x64xi8>
  %f = tensor.empty() : tensor<1x128x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, n, d) -> (b, n, d)>, affine_map<(b, n, d) -> (b, n, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1 : tensor<1x128x64xi8>) outs(%f : tensor<1x128x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %4 = arith.sitofp %a : i8 to f32
    linalg.yield %4 : f32
  } -> tensor<1x128x64xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(b, m, n, d) -> (b, m, d)>, affine_map<(b, m, n, d) -> (b, n, d)>, affine_map<(b, m, n, d) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %2 : tensor<1x4x64xf32>, tensor<1x128x64xf32>) outs(%s : tensor<1x4x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %4 = arith.mulf %a, %b : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1x4x128xf32>
  return %3 : tensor<1x4x128xf32>
}

// Nothing reduces what is gathered.

// CHECK-LABEL: func @negative_returned(
// CHECK-NOT:     linalg_ext.paged_gather
// CHECK:         return
func.func @negative_returned(%pool: tensor<?x16x64xi8>, %table: tensor<8xi64>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xi8>
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%pool : tensor<?x16x64xi8>) table(%table : tensor<8xi64>) outs(%e : tensor<128x64xi8>) -> tensor<128x64xi8>
  %f = tensor.empty() : tensor<128x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, d) -> (n, d)>, affine_map<(n, d) -> (n, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<128x64xi8>) outs(%f : tensor<128x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %2 = arith.sitofp %a : i8 to f32
    linalg.yield %2 : f32
  } -> tensor<128x64xf32>
  return %1 : tensor<128x64xf32>
}
