// What is padded, sliced by rows and transposed is read and written where it is.

// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @windows
//  CHECK-SAME: %[[X:.*]]: tensor<8xf32>
//   CHECK-NOT: tensor.pad
//       CHECK: linalg.generic
//       CHECK: arith.cmpi sge
//       CHECK: arith.cmpi slt
//       CHECK: %[[E:.*]] = tensor.extract %[[X]]
//       CHECK: arith.select %{{.*}}, %[[E]]
func.func @windows(%x: tensor<8xf32>) -> tensor<8x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  %e = tensor.empty() : tensor<8x3xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %v = tensor.extract %p[%k] : tensor<10xf32>
    linalg.yield %v : f32
  } -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// An empty tensor has no element to read in place of the padding.

// CHECK-LABEL: func @negative_may_be_empty
//       CHECK: tensor.pad
func.func @negative_may_be_empty(%x: tensor<?xf32>, %n: index) -> tensor<?x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %v = tensor.extract %p[%k] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func @rows
//  CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[R:[a-z0-9]+]]: index, %[[C:[a-z0-9]+]]: index
//   CHECK-NOT: tensor.collapse_shape
//       CHECK: tensor.extract_slice %[[X]][%[[C]]]
func.func @rows(%x: tensor<?xf32>, %r: index, %c: index, %n: index) -> tensor<?xf32> {
  %e = tensor.expand_shape %x [[0, 1]] output_shape [%r, %c] : tensor<?xf32> into tensor<?x?xf32>
  %s = tensor.extract_slice %e[1, 0] [%n, %c] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %f = tensor.collapse_shape %s [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %f : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @transposed
//   CHECK-NOT: linalg.transpose
//       CHECK: %[[P:.*]] = linalg.generic
//       CHECK: -> tensor<5x3x2x4xf32>
//       CHECK: tensor.collapse_shape %[[P]] {{\[}}[0], [1], [2, 3]] : tensor<5x3x2x4xf32> into tensor<5x3x8xf32>
func.func @transposed(%a: tensor<3x5x7xf32>, %b: tensor<3x7x2x4xf32>) -> tensor<5x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x2x4xf32>) -> tensor<3x5x2x4xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>,
      affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x5x7xf32>, tensor<3x7x2x4xf32>) outs(%f : tensor<3x5x2x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x5x2x4xf32>
  %c = tensor.collapse_shape %p [[0], [1], [2, 3]] : tensor<3x5x2x4xf32> into tensor<3x5x8xf32>
  %t = tensor.empty() : tensor<5x3x8xf32>
  %r = linalg.transpose ins(%c : tensor<3x5x8xf32>) outs(%t : tensor<5x3x8xf32>) permutation = [1, 0, 2]
  return %r : tensor<5x3x8xf32>
}
