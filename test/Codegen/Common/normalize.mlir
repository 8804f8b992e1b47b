// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file > %t.once
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-normalize --split-input-file | diff %t.once -
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-normalize)' --split-input-file | FileCheck %s

// Ops of arith and math on tensors. The argument is no destination.

// CHECK-LABEL: func @elementwise_on_tensors
//  CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>, %[[Y:[^:]*]]: tensor<?xf32>
//       CHECK: %[[DIM:.*]] = tensor.dim %[[X]]
//       CHECK: %[[EMPTY:.*]] = tensor.empty(%[[DIM]])
//       CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<?xf32>) outs(%[[EMPTY]] : tensor<?xf32>)
//       CHECK: math.cos
//       CHECK: linalg.generic
//       CHECK: arith.mulf
func.func @elementwise_on_tensors(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.cos %x : tensor<?xf32>
  %1 = arith.mulf %0, %y : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// A scale of f64 is rounded here, though that is not exact.

// CHECK-LABEL: func @rounded_constant
//   CHECK-DAG: arith.constant 8.837890e-02 : f16
//   CHECK-DAG: arith.constant 0.0883883461 : f32
//   CHECK-DAG: %[[WIDE:.*]] = arith.constant 0.088388347{{.*}} : f64
//       CHECK: arith.truncf %[[WIDE]] upward
//   CHECK-NOT: arith.truncf
func.func @rounded_constant() -> (f16, f32, f32) {
  %scale = arith.constant 0.088388347648318447 : f64
  %0 = arith.truncf %scale : f64 to f16
  %1 = arith.truncf %scale : f64 to f32
  %2 = arith.truncf %scale upward : f64 to f32
  return %0, %1, %2 : f16, f32, f32
}

// -----

// CHECK-LABEL: func @fill_as_generic
//   CHECK-NOT: linalg.generic
//       CHECK: %[[ZERO:.*]] = arith.constant 0.0
//       CHECK: linalg.fill ins(%[[ZERO]] : f32)
func.func @fill_as_generic(%n: index) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x4xf32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A splat is a scalar of the payload, also that of a fill.

// CHECK-LABEL: func @splat
//  CHECK-SAME: %[[X:[^:]*]]: tensor<4x?xf32>
//   CHECK-DAG: %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
//   CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
//   CHECK-NOT: linalg.fill
//       CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x?xf32>)
//       CHECK: arith.mulf %{{.*}}, %[[SCALE]]
//       CHECK: linalg.generic
//       CHECK: arith.addf %{{.*}}, %[[TWO]]
func.func @splat(%x: tensor<4x?xf32>, %e: tensor<4x?xf32>, %row: tensor<4xf32>) -> tensor<4x?xf32> {
  %two = arith.constant 2.0 : f32
  %scale = arith.constant dense<0.125> : tensor<4xf32>
  %twos = linalg.fill ins(%two : f32) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale : tensor<4x?xf32>, tensor<4xf32>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x?xf32>
  %2 = linalg.add ins(%0, %twos : tensor<4x?xf32>, tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// -----

// Behind the assertion there is one size.

// CHECK-LABEL: func @asserted_sizes
//  CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>, %[[Y:[^:]*]]: tensor<?xf32>
//       CHECK: %[[DIM:.*]] = tensor.dim %[[X]]
//       CHECK: cf.assert
//       CHECK: tensor.empty(%[[DIM]])
func.func @asserted_sizes(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "sizes differ"
  %e = tensor.empty(%m) : tensor<?xf32>
  %0 = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// One head of keys for three of queries: the head is a batch of the product,
// though its size is 1 and an expansion made it.

// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-DAG: #[[S:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @one_head_of_keys
//  CHECK-SAME: %[[A:[^:]*]]: tensor<3x10x8xf32>, %[[B:[^:]*]]: tensor<1x?x8xf32>
//       CHECK: %[[E:.*]] = tensor.expand_shape %[[A]]
//       CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[Q]], #[[K]], #[[S]]], {{.*}} ins(%[[E]], %[[B]] :
//       CHECK: return %[[R]]
func.func @one_head_of_keys(%q: tensor<3x10x8xf32>, %k: tensor<1x?x8xf32>, %init: tensor<1x3x10x?xf32>) -> tensor<1x3x10x?xf32> {
  %qe = tensor.expand_shape %q [[0, 1], [2], [3]] output_shape [1, 3, 10, 8] : tensor<3x10x8xf32> into tensor<1x3x10x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, g, m, n, d) -> (h, g, m, d)>, affine_map<(h, g, m, n, d) -> (h, n, d)>, affine_map<(h, g, m, n, d) -> (h, g, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%qe, %k : tensor<1x3x10x8xf32>, tensor<1x?x8xf32>) outs(%init : tensor<1x3x10x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x3x10x?xf32>
  return %s : tensor<1x3x10x?xf32>
}

// -----

// The mean keeps a dimension of size 1; its reciprocal is computed without.

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @kept_dims
//   CHECK-NOT: _shape
//       CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]]], iterator_types = ["parallel", "reduction"]}
//       CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]
//       CHECK: math.rsqrt
//       CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]]]
//   CHECK-NOT: _shape
func.func @kept_dims(%x: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty(%n) : tensor<?x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x64xf32>) outs(%z : tensor<?x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?x1xf32>) outs(%e1 : tensor<?x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.rsqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x1xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<?x64xf32>, tensor<?x1xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// The division goes in front of the contraction; what widens stays.

// CHECK-LABEL: func @division_in_contraction
//  CHECK-SAME: %[[P:[^:]*]]: tensor<?x?xf16>, %[[L:[^:]*]]: tensor<?xf16>, %[[V:[^:]*]]: tensor<?x16xf16>
//       CHECK: %[[Q:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[P]], %[[L]] :
//       CHECK: arith.divf
//       CHECK: linalg.generic {{.*}} ins(%[[Q]], %[[V]] : tensor<?x?xf16>, tensor<?x16xf16>)
//  CHECK-NEXT: ^bb0
//  CHECK-NEXT: arith.extf
//  CHECK-NEXT: arith.extf
//  CHECK-NEXT: arith.mulf
//  CHECK-NEXT: arith.addf
#ik = affine_map<(i, j, k) -> (i, k)>
#i = affine_map<(i, j, k) -> (i)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @division_in_contraction(%p: tensor<?x?xf16>, %l: tensor<?xf16>, %v: tensor<?x16xf16>, %o: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.generic {indexing_maps = [#ik, #i, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %l, %v : tensor<?x?xf16>, tensor<?xf16>, tensor<?x16xf16>) outs(%o : tensor<?x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %acc: f32):
    %1 = arith.divf %a, %b : f16
    %2 = arith.extf %1 : f16 to f32
    %3 = arith.extf %c : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// It has the sizes of the destination, which what comes behind has, too, and not
// those of another operand; one that is known goes first.

// CHECK-LABEL: func @sizes_of_factor
//  CHECK-SAME: %[[N:[a-z0-9]+]]: index)
//       CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x8xf16>
//       CHECK: linalg.generic {{.*}} outs(%[[E]] : tensor<?x8xf16>)
//       CHECK: arith.mulf
//       CHECK: linalg.generic
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @sizes_of_factor(%p: tensor<?x?xf16>, %l: tensor<?x8xf16>, %v: tensor<?x16xf16>, %n: index) -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %o = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %0 = linalg.generic {indexing_maps = [#ik, #ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %l, %v : tensor<?x?xf16>, tensor<?x8xf16>, tensor<?x16xf16>) outs(%o : tensor<?x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %acc: f32):
    %1 = arith.mulf %a, %b : f16
    %2 = arith.extf %1 : f16 to f32
    %3 = arith.extf %c : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// The factor would be larger than what it is computed from.

// CHECK-LABEL: func @negative_outer_factor
// CHECK-COUNT-1: linalg.generic
//   CHECK-NOT: linalg.generic
#ik = affine_map<(i, j, k) -> (i, k)>
#i = affine_map<(i, j, k) -> (i)>
#k = affine_map<(i, j, k) -> (k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @negative_outer_factor(%a: tensor<?xf32>, %b: tensor<?xf32>, %v: tensor<?x16xf32>, %o: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.generic {indexing_maps = [#i, #k, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %v : tensor<?xf32>, tensor<?xf32>, tensor<?x16xf32>) outs(%o : tensor<?x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %acc: f32):
    %1 = arith.subf %x, %y : f32
    %2 = math.exp %1 : f32
    %3 = arith.mulf %2, %z : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// A row reduction with a payload is no contraction.

// CHECK-LABEL: func @negative_row_reduction
// CHECK-COUNT-1: linalg.generic
//   CHECK-NOT: linalg.generic
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @negative_row_reduction(%x: tensor<4x?xf32>, %dy: tensor<4x?xf32>, %mean: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %dy, %mean : tensor<4x?xf32>, tensor<4x?xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %acc: f32):
    %1 = arith.subf %a, %c : f32
    %2 = arith.mulf %1, %b : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Heads that were merged for a named softmax; the state's users, too.

// CHECK-LABEL: func @softmax_of_merged_heads
//       CHECK: linalg_ext.softmax dimension(3) ins(%{{.*}} : tensor<2x3x?x?xf32>)
func.func @softmax_of_merged_heads(%x: tensor<2x3x?x?xf32>, %e: tensor<6x?x?xf32>) -> tensor<6x?x?xf32> {
  %c = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x3x?x?xf32> into tensor<6x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%c : tensor<6x?x?xf32>) outs(%e : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  return %p : tensor<6x?x?xf32>
}

// -----

// The dimension that is reduced is merged from two.

// CHECK-LABEL: func @negative_softmax_of_merged_keys
//       CHECK: linalg_ext.softmax dimension(1) ins(%{{.*}} : tensor<4x21xf32>)
func.func @negative_softmax_of_merged_keys(%x: tensor<4x3x7xf32>) -> tensor<4x21xf32> {
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<4x3x7xf32> into tensor<4x21xf32>
  %e = tensor.empty() : tensor<4x21xf32>
  %p = linalg.softmax dimension(1) ins(%c : tensor<4x21xf32>) outs(%e : tensor<4x21xf32>) -> tensor<4x21xf32>
  return %p : tensor<4x21xf32>
}

// -----

// A contraction whose result is only transposed.

// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-LABEL: func @transposed_result
//  CHECK-SAME: %[[D:[^:]*]]: tensor<5x2x3xf32>)
//       CHECK: linalg.fill {{.*}} outs(%[[D]] : tensor<5x2x3xf32>)
//       CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[OUT]]]
//   CHECK-NOT: linalg.transpose
func.func @transposed_result(%a: tensor<2x5x4xf32>, %b: tensor<2x4x3xf32>, %d: tensor<5x2x3xf32>) -> tensor<5x2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %s = linalg.batch_matmul ins(%a, %b : tensor<2x5x4xf32>, tensor<2x4x3xf32>) outs(%z : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %t = linalg.transpose ins(%s : tensor<2x5x3xf32>) outs(%d : tensor<5x2x3xf32>) permutation = [1, 0, 2]
  return %t : tensor<5x2x3xf32>
}

// -----

// It adds to what is there, and somebody else reads it.

// CHECK-LABEL: func @negative_transposed_result
//       CHECK: linalg.batch_matmul
//       CHECK: linalg.transpose
//       CHECK: linalg.batch_matmul
//       CHECK: linalg.transpose
func.func @negative_transposed_result(%a: tensor<2x5x4xf32>, %b: tensor<2x4x3xf32>, %c: tensor<2x5x3xf32>, %d: tensor<5x2x3xf32>) -> (tensor<5x2x3xf32>, tensor<5x2x3xf32>, tensor<2x5x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = linalg.batch_matmul ins(%a, %b : tensor<2x5x4xf32>, tensor<2x4x3xf32>) outs(%c : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %t = linalg.transpose ins(%s : tensor<2x5x3xf32>) outs(%d : tensor<5x2x3xf32>) permutation = [1, 0, 2]
  %e = tensor.empty() : tensor<2x5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %s2 = linalg.batch_matmul ins(%a, %b : tensor<2x5x4xf32>, tensor<2x4x3xf32>) outs(%z : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %t2 = linalg.transpose ins(%s2 : tensor<2x5x3xf32>) outs(%d : tensor<5x2x3xf32>) permutation = [1, 0, 2]
  return %t, %t2, %s2 : tensor<5x2x3xf32>, tensor<5x2x3xf32>, tensor<2x5x3xf32>
}

// -----

// A complex number is no constant of arith.

// CHECK-LABEL: func @negative_complex_splat
//  CHECK-SAME: %[[X:.*]]: tensor<4xcomplex<f32>>
//       CHECK: %[[C:.*]] = arith.constant dense<(1.000000e+00,2.000000e+00)>
//       CHECK: linalg.add ins(%[[X]], %[[C]]
func.func @negative_complex_splat(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %c = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %r = linalg.add ins(%x, %c : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}
