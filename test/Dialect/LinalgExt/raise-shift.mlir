// RUN: linalg-ext-opt %s -split-input-file -linalg-ext-raise | FileCheck %s

// A softmax of what has been shifted by its maximum before, so that exponents do
// not overflow in f16, is that of what it was.

func.func @shift(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %b = linalg.broadcast ins(%m : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.softmax dimension(1) ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// CHECK-LABEL: func @shift(
//  CHECK-SAME:     %[[X:.+]]: tensor<4x8xf32>
//   CHECK-NOT:   linalg.sub
//   CHECK-NOT:   linalg.reduce
//       CHECK:   linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<4x8xf32>)

// -----

// In f16, in one op with what is extended, and with a dimension that is kept.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @shift_extended(%x: tensor<4x?xf16>, %e: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %ninf = arith.constant 0xFC00 : f16
  %r = tensor.empty() : tensor<4x1xf16>
  %f = linalg.fill ins(%ninf : f16) outs(%r : tensor<4x1xf16>) -> tensor<4x1xf16>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x?xf16>) outs(%f : tensor<4x1xf16>) {
  ^bb0(%a: f16, %o: f16):
    %b = arith.maximumf %a, %o : f16
    linalg.yield %b : f16
  } -> tensor<4x1xf16>
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<4x?xf16>, tensor<4x1xf16>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %c = arith.subf %a, %b : f16
    %d = arith.extf %c : f16 to f32
    linalg.yield %d : f32
  } -> tensor<4x?xf32>
  %y = linalg.softmax dimension(1) ins(%s : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}
// CHECK-LABEL: func @shift_extended(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<4x?xf16>
//   CHECK-NOT:   arith.subf
//       CHECK:   %[[WIDE:.+]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x?xf16>)
//       CHECK:     arith.extf
//       CHECK:   linalg_ext.softmax dimension(1) ins(%[[WIDE]] :

// -----

// The maximum of something else, and one along another dimension.

func.func @negative_shift(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%z : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %b = linalg.broadcast ins(%m : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.softmax dimension(1) ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s2 = linalg.sub ins(%z, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y2 = linalg.softmax dimension(0) ins(%s2 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y, %y2 : tensor<4x8xf32>, tensor<4x8xf32>
}
// CHECK-LABEL: func @negative_shift(
//       CHECK:   %[[S:.+]] = linalg.sub
//       CHECK:   linalg_ext.softmax dimension(1) ins(%[[S]] :
//       CHECK:   %[[T:.+]] = linalg.sub
//       CHECK:   linalg_ext.softmax dimension(0) ins(%[[T]] :

// -----

// A maximum that starts above what there may be.

func.func @negative_shift_bounded(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %b = linalg.broadcast ins(%m : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.softmax dimension(1) ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// CHECK-LABEL: func @negative_shift_bounded(
//       CHECK:   %[[S:.+]] = linalg.sub
//       CHECK:   linalg_ext.softmax dimension(1) ins(%[[S]] :
