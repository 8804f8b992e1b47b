// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fuse-elementwise --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-normalize{patterns=fuse-elementwise})' --split-input-file | FileCheck %s

// The argument stays the destination.

// CHECK-LABEL: func @into_elementwise
//  CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[OUT:.*]]: tensor<?xf32>)
func.func @into_elementwise(%a: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: linalg.generic {{.*}} ins(%[[A]] : tensor<?xf32>) outs(%[[OUT]] : tensor<?xf32>)
  // CHECK:   math.exp
  // CHECK:   math.tanh
  // CHECK-NOT: linalg.generic
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.tanh ins(%0 : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @into_reduction
func.func @into_reduction(%a: tensor<4x?xf32>, %e: tensor<4x?xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
  // CHECK:   math.exp
  // CHECK:   arith.addf
  %0 = linalg.exp ins(%a : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<4x?xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%x: f32, %s: f32):
    %2 = arith.addf %s, %x : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Each element would be computed once for every column.

// CHECK-LABEL: func @negative_read_many_times
func.func @negative_read_many_times(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %e: tensor<4x8xf32>,
                                    %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK: math.exp
  // CHECK: linalg.matmul
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%out : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// -----

// CHECK-LABEL: func @negative_two_users
func.func @negative_two_users(%a: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-COUNT-2: linalg.generic
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.tanh ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A destination that is read is an input if its result has no use.

// CHECK-LABEL: func @unused_result(
// CHECK-SAME:      %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf16>
func.func @unused_result(%a: tensor<4xf32>, %b: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<4xf32>) outs(%[[B]] : tensor<4xf16>)
  // CHECK: return %[[Y]]
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a, %b : tensor<4xf32>, tensor<4xf16>) {
  ^bb0(%x: f32, %y: f16):
    %s = arith.addf %x, %x : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %s, %t : f32, f16
  } -> (tensor<4xf32>, tensor<4xf16>)
  return %0#1 : tensor<4xf16>
}

// -----

// A destination that is reshaped before it is written is created with the new shape.

// CHECK-LABEL: func @reshaped_destination
// CHECK-SAME:    %[[M:[^ ]*]]: index
// CHECK:         %[[E:.*]] = tensor.empty(%[[M]]) : tensor<?x1x1x6xf32>
// CHECK-NOT:     tensor.expand_shape
// CHECK:         linalg.fill {{.*}} outs(%[[E]]
func.func @reshaped_destination(%m: index) -> tensor<?x1x1x6xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty(%m) : tensor<?x1x6xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2], [3]] output_shape [%m, 1, 1, 6] : tensor<?x1x6xf32> into tensor<?x1x1x6xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<?x1x1x6xf32>) -> tensor<?x1x1x6xf32>
  return %2 : tensor<?x1x1x6xf32>
}

// -----

// Upstream's verifier accepts an output_shape that contradicts the type, and
// upstream's pattern for an uninitialised source takes it. The type is right.

// CHECK-LABEL: func @output_shape_contradicts
//       CHECK:   %[[EMPTY:.*]] = tensor.empty() : tensor<2x4xf32>
//       CHECK:   return %[[EMPTY]]
func.func @output_shape_contradicts() -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %split = tensor.expand_shape %empty [[0, 1]] output_shape [36, 2] : tensor<8xf32> into tensor<2x4xf32>
  return %split : tensor<2x4xf32>
}

// -----

// If a size is dynamic in the type, output_shape may still state it.

// CHECK-LABEL: func @output_shape_knows_more
//       CHECK:   %[[EMPTY:.*]] = tensor.empty() : tensor<2x4xf32>
//       CHECK:   %[[CAST:.*]] = tensor.cast %[[EMPTY]] : tensor<2x4xf32> to tensor<2x?xf32>
//       CHECK:   return %[[CAST]]
func.func @output_shape_knows_more(%n: index) -> tensor<2x?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %split = tensor.expand_shape %empty [[0, 1]] output_shape [2, 4] : tensor<?xf32> into tensor<2x?xf32>
  return %split : tensor<2x?xf32>
}

// -----

// A conversion to larger elements that two ops read is done by both; one to smaller elements, and
// other computation, is done once.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @conversion_of_two
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<?x8xbf16>
//       CHECK:   linalg.generic {{.*}} ins(%[[X]] : tensor<?x8xbf16>)
//       CHECK:     arith.extf
//       CHECK:     arith.mulf
//       CHECK:   linalg.generic {{.*}} ins(%[[X]] : tensor<?x8xbf16>)
//       CHECK:     arith.extf
//       CHECK:     arith.addf
//       CHECK:   return
func.func @conversion_of_two(%x: tensor<?x8xbf16>, %e: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8xbf16>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %v = arith.extf %a : bf16 to f32
    linalg.yield %v : f32
  } -> tensor<?x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.mulf %a, %a : f32
    linalg.yield %v : f32
  } -> tensor<?x8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %a : f32
    linalg.yield %v : f32
  } -> tensor<?x8xf32>
  return %y, %z : tensor<?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func @negative_narrow_conversion_of_two
// CHECK-COUNT-3: linalg.generic
//      CHECK-NOT: linalg.generic
//          CHECK: return
func.func @negative_narrow_conversion_of_two(%x: tensor<?x8xf32>, %e: tensor<?x8xbf16>) -> (tensor<?x8xbf16>, tensor<?x8xbf16>) {
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %v = arith.truncf %a : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<?x8xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<?x8xbf16>) outs(%e : tensor<?x8xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %v = arith.mulf %a, %a : bf16
    linalg.yield %v : bf16
  } -> tensor<?x8xbf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<?x8xbf16>) outs(%e : tensor<?x8xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %v = arith.addf %a, %a : bf16
    linalg.yield %v : bf16
  } -> tensor<?x8xbf16>
  return %y, %z : tensor<?x8xbf16>, tensor<?x8xbf16>
}
