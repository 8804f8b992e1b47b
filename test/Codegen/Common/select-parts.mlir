// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-split-concatenations=steps=select-parts --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-prepare-destinations=steps=write-unread | FileCheck %s --check-prefix=UNREAD

// A part that is computed for the concatenation alone. (test/Importers/TorchMLIR/rope-alone.mlir
// executes such programs.)

#id = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

func.func @rotate(%x1: tensor<?x32xf32>, %x2: tensor<?x32xf32>, %sin: tensor<64xf32>, %n: index) -> tensor<?x64xf32> {
  %e = tensor.empty(%n) : tensor<?x32xf32>
  %neg = linalg.negf ins(%x2 : tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %c = tensor.concat dim(1) %neg, %x1 : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x64xf32>
  %e2 = tensor.empty(%n) : tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #j, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %sin : tensor<?x64xf32>, tensor<64xf32>) outs(%e2 : tensor<?x64xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %v = arith.mulf %a, %s : f32
    linalg.yield %v : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
// CHECK-LABEL: @rotate(
//  CHECK-SAME:   %[[X1:[a-z0-9]+]]: tensor<?x32xf32>, %[[X2:[a-z0-9]+]]: tensor<?x32xf32>, %[[SIN:[a-z0-9]+]]:
//   CHECK-NOT:   tensor.concat
//       CHECK:   %[[P2:.*]] = tensor.pad %[[X2]] low[0, 0] high[0, 32]
//       CHECK:   %[[P1:.*]] = tensor.pad %[[X1]] low[0, 32] high[0, 0]
//       CHECK:   linalg.generic {{.*}} ins(%[[SIN]], %[[P2]], %[[P1]] :
//  CHECK-NEXT:   ^bb0(%[[S:.*]]: f32, %[[A:.*]]: f32, %[[B:.*]]: f32,
//       CHECK:     %[[J:.*]] = linalg.index 1
//       CHECK:     %[[IS:.*]] = arith.cmpi slt, %[[J]], %c32
//       CHECK:     %[[NEG:.*]] = arith.negf %[[A]]
//       CHECK:     %[[R:.*]] = arith.select %[[IS]], %[[NEG]], %[[B]]
//       CHECK:     arith.mulf %[[R]], %[[S]]
// Loops over tiles read it.
// UNREAD-LABEL: @rotate(
//       UNREAD:   tensor.concat

// -----

// Nothing is computed: loops read the parts as they are.

#id = affine_map<(i, j) -> (i, j)>

func.func @negative_plain(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.exp ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-LABEL: @negative_plain(
//       CHECK:   tensor.concat
// UNREAD-LABEL: @negative_plain(
//       UNREAD:   tensor.concat

// -----

// A product reads tiles of it many times; a part that is divided may divide by padding; what
// reduces along the parts has all of them; a result is stored anyway.

func.func @negative_product(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %w: tensor<8x16xf32>, %i: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%c, %w : tensor<8x8xf32>, tensor<8x16xf32>) outs(%i : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
// CHECK-LABEL: @negative_product(
//       CHECK:   tensor.concat
// UNREAD-LABEL: @negative_product(
//   UNREAD-NOT:   tensor.concat
//       UNREAD:   return

func.func @negative_division(%x: tensor<8x4xi32>, %y: tensor<8x4xi32>, %z: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %e = tensor.empty() : tensor<8x4xi32>
  %q = linalg.div ins(%x, %y : tensor<8x4xi32>, tensor<8x4xi32>) outs(%e : tensor<8x4xi32>) -> tensor<8x4xi32>
  %c = tensor.concat dim(1) %q, %y : (tensor<8x4xi32>, tensor<8x4xi32>) -> tensor<8x8xi32>
  %e2 = tensor.empty() : tensor<8x8xi32>
  %r = linalg.add ins(%c, %z : tensor<8x8xi32>, tensor<8x8xi32>) outs(%e2 : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}
// CHECK-LABEL: @negative_division(
//       CHECK:   linalg.div
//       CHECK:   tensor.concat

func.func @negative_reduced(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %r = linalg.reduce { arith.addf } ins(%c : tensor<8x8xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}
// CHECK-LABEL: @negative_reduced(
//       CHECK:   tensor.concat
// UNREAD-LABEL: @negative_reduced(
//   UNREAD-NOT:   tensor.concat
//       UNREAD:   return

func.func @negative_result(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %n = linalg.negf ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = tensor.concat dim(1) %n, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %r = linalg.exp ins(%c : tensor<8x8xf32>) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %c : tensor<8x8xf32>, tensor<8x8xf32>
}
// CHECK-LABEL: @negative_result(
//       CHECK:   linalg.negf
//       CHECK:   tensor.concat

// -----

// Padding that loops read, and padding that a product reads.

#id = affine_map<(i, j) -> (i, j)>

func.func @padding(%x: tensor<7x8xf32>, %z: tensor<8x8xf32>, %i: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%t: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<8x8xf32>
  %q = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%t: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<7x8xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.sub ins(%p, %z : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %z : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
}
// UNREAD-LABEL: @padding(
//       UNREAD:   tensor.pad %{{.*}} low[1, 0] high[0, 0]
//   UNREAD-NOT:   tensor.pad
//       UNREAD:   return

// -----

// Complex numbers are not padded by zeros.

func.func @real_parts(%x: tensor<2x4xcomplex<f32>>, %z: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %re = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xcomplex<f32>>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %v = complex.re %a : complex<f32>
    linalg.yield %v : f32
  } -> tensor<2x4xf32>
  %c = tensor.concat dim(0) %re, %z : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %y = linalg.exp ins(%c : tensor<4x4xf32>) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
// CHECK-LABEL: @real_parts(
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}} : tensor<2x4xcomplex<f32>>)
//       CHECK:   tensor.concat
