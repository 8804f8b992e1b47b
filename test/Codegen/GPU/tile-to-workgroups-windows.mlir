// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups --split-input-file | FileCheck %s

// A depthwise convolution is no matrix product: each element sums a window. A tile has
// elements of both dimensions of an image, and the loops run over the elements of
// windows, so that threads do not sum across each other.

// CHECK-LABEL: func @depthwise
// CHECK:         scf.forall {{.*}} to (16, 192, 28, 28) step (1, 1, 28, 28)
// CHECK:           scf.for {{.*}} to %c7{{.*}} step %c1{{.*}} -> (tensor<1x1x28x28xf32>)
// CHECK:             scf.for {{.*}} to %c7{{.*}} step %c1{{.*}} -> (tensor<1x1x28x28xf32>)
// CHECK:         return
func.func @depthwise(%x: tensor<16x192x34x34xf16>, %w: tensor<192x7x7xf16>) -> tensor<16x192x28x28xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x192x28x28xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x192x28x28xf32>) -> tensor<16x192x28x28xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w, i, j) -> (n, c, h + i, w + j)>,
                                        affine_map<(n, c, h, w, i, j) -> (c, i, j)>,
                                        affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<16x192x34x34xf16>, tensor<192x7x7xf16>) outs(%f : tensor<16x192x28x28xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %p = arith.mulf %ae, %be : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x192x28x28xf32>
  return %y : tensor<16x192x28x28xf32>
}

// -----

// An operand that is computed from tensors in two orders is stored: tiles of one of
// them would be transposed in each workgroup of a row.

// CHECK-LABEL: func @orders
// CHECK:         scf.forall {{.*}} to (2048, 1024)
// CHECK-NOT:     reduction
// CHECK:         scf.forall {{.*}} to (2048, 512)
// CHECK:         return
func.func @orders(%x: tensor<2048x1024xf16>, %y: tensor<1024x2048xf16>, %w: tensor<1024x512xf16>) -> tensor<2048x512xf32> {
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<2048x1024xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(t, c) -> (t, c)>, affine_map<(t, c) -> (c, t)>, affine_map<(t, c) -> (t, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<2048x1024xf16>, tensor<1024x2048xf16>) outs(%d : tensor<2048x1024xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %p = arith.mulf %a, %b : f16
    linalg.yield %p : f16
  } -> tensor<2048x1024xf16>
  %e = tensor.empty() : tensor<2048x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x512xf32>) -> tensor<2048x512xf32>
  %r = linalg.matmul ins(%g, %w : tensor<2048x1024xf16>, tensor<1024x512xf16>) outs(%f : tensor<2048x512xf32>) -> tensor<2048x512xf32>
  return %r : tensor<2048x512xf32>
}
