// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=widen-accumulators | FileCheck %s

// Sums of f16 and bf16 are sums of f32 that are rounded once. Maxima stay.

// CHECK-LABEL: func @sum
// CHECK:         %[[ZEROS:.+]] = linalg.fill {{.*}} -> tensor<7xf32>
// CHECK:         %[[SUM:.+]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<7x37xf16>) outs(%[[ZEROS]] : tensor<7xf32>)
// CHECK:           arith.extf %{{.*}} : f16 to f32
// CHECK:           arith.addf %{{.*}} : f32
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<7xf32>)
// CHECK:           arith.truncf %{{.*}} : f32 to f16
func.func @sum(%x: tensor<7x37xf16>) -> tensor<7xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<7xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<7xf16>) -> tensor<7xf16>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x37xf16>) outs(%f : tensor<7xf16>) {
  ^bb0(%a: f16, %o: f16):
    %r = arith.addf %a, %o : f16
    linalg.yield %r : f16
  } -> tensor<7xf16>
  return %s : tensor<7xf16>
}

// CHECK-LABEL: func @product
// CHECK:         linalg.contract {{.*}} outs(%{{.*}} : tensor<?x9xf32>)
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
func.func @product(%a: tensor<?x7xbf16>, %b: tensor<7x9xbf16>, %c: tensor<?x9xbf16>) -> tensor<?x9xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x7xbf16>, tensor<7x9xbf16>) outs(%c : tensor<?x9xbf16>) -> tensor<?x9xbf16>
  return %0 : tensor<?x9xbf16>
}

// CHECK-LABEL: func @negative_maximum
// CHECK-NOT:     f32
// CHECK:         return
func.func @negative_maximum(%x: tensor<7x37xf16>, %m: tensor<7xf16>) -> tensor<7xf16> {
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x37xf16>) outs(%m : tensor<7xf16>) {
  ^bb0(%a: f16, %o: f16):
    %r = arith.maximumf %a, %o : f16
    linalg.yield %r : f16
  } -> tensor<7xf16>
  return %s : tensor<7xf16>
}
