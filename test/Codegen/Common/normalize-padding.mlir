// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling | FileCheck %s --check-prefix=SPELLING
// RUN: not linalg-ext-opt %s --linalg-ext-normalize=patterns=none --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefix=FAILED

// Negative padding cuts elements off.

// CHECK-LABEL: @crop(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<6x10xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][1, 3] [5, 5] [1, 1] : tensor<6x10xf32> to tensor<5x5xf32>
// CHECK:         return %[[S]]
func.func @crop(%x: tensor<6x10xf32>) -> tensor<5x5xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[-1, -3] high[0, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<6x10xf32> to tensor<5x5xf32>
  return %y : tensor<5x5xf32>
}

// CHECK-LABEL: @crop_and_pad(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x10xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0, 0] [%{{.*}}, 8] [1, 1] : tensor<?x10xf32> to tensor<?x8xf32>
// CHECK:         tensor.pad %[[S]] low[1, 0] high[0, 0]
func.func @crop_and_pad(%x: tensor<?x10xf32>) -> tensor<?x8xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[1, 0] high[0, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x10xf32> to tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Padding of one side is cut off from the other side: first it is there.

// CHECK-LABEL: @crop_of_padding(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<6xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0] high[5]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[P]][7] [4] [1] : tensor<11xf32> to tensor<4xf32>
// CHECK:         return %[[S]]
func.func @crop_of_padding(%x: tensor<6xf32>) -> tensor<4xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[-7] high[5] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<6xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// How many elements there are is not known.

// CHECK-LABEL: @crop_of_padding_dynamic(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[5] high[0]
// CHECK:         tensor.extract_slice %[[P]][0] [%{{.*}}] [1] : tensor<?xf32> to tensor<?xf32>
func.func @crop_of_padding_dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[5] high[-3] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// Padding that shifts a tensor keeps its type. It is not folded away, as
// upstream's fold would.

// CHECK-LABEL: @shift(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0] [7] [1] : tensor<8xf32> to tensor<7xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[S]] low[1] high[0]
// CHECK:         return %[[P]]
func.func @shift(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[1] high[-1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<8xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// More is shifted than there is.

// CHECK-LABEL: @shift_all(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<3xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0] high[5]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[P]][5] [3] [1] : tensor<8xf32> to tensor<3xf32>
// CHECK:         return %[[S]]
func.func @shift_all(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[-5] high[5] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<3xf32> to tensor<3xf32>
  return %y : tensor<3xf32>
}

// Exactly what there is: a slice of no elements would be invalid.

// CHECK-LABEL: @shift_out(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<5xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0] high[5]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[P]][5] [5] [1] : tensor<10xf32> to tensor<5xf32>
// CHECK:         return %[[S]]
func.func @shift_out(%x: tensor<5xf32>) -> tensor<5xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[-5] high[5] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<5xf32> to tensor<5xf32>
  return %y : tensor<5xf32>
}

// CHECK-LABEL: @cut_to_nothing(
// CHECK:         %[[D:.*]] = tensor.dim
// CHECK-NEXT:    %[[E:.*]] = tensor.empty(%[[D]]) : tensor<?x0xf32>
// CHECK-NEXT:    return %[[E]]
func.func @cut_to_nothing(%x: tensor<?x5xf32>) -> tensor<?x0xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[0, -5] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x5xf32> to tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}

// There is no room for all elements, so the number that is not known is negative.

// CHECK-LABEL: @no_room(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[N:[a-z0-9]+]]: index
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0] [3] [1] : tensor<4xf32> to tensor<3xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[S]] low[2] high[0]
// CHECK:         return %[[P]]
func.func @no_room(%x: tensor<4xf32>, %n: index) -> tensor<5xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[2] high[%n] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %y : tensor<5xf32>
}

// Nothing says whether the number is negative.

// CHECK-LABEL: @unknown_sign(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[N:[a-z0-9]+]]: index
// CHECK:         %[[MORE:.*]] = affine.min #{{.*}}()[%[[N]], %{{.*}}]
// CHECK:         %[[H:.*]] = affine.max #{{.*}}()[%[[MORE]]]
// CHECK:         %[[LEFT:.*]] = affine.min #{{.*}}()[%{{.*}}, %[[N]]]
// CHECK:         %[[L:.*]] = affine.max #{{.*}}()[%[[LEFT]]]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][0] [%[[L]]] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[S]] low[0] high[%[[H]]]
// CHECK:         return %[[P]]
func.func @unknown_sign(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c = arith.constant 1.0 : f32
  %y = tensor.pad %x low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// Padding to a multiple of a number adds elements.

// CHECK-LABEL: @to_multiple(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NOT:     tensor.extract_slice
// CHECK:         tensor.pad %[[X]] low[0] high[%{{.*}}]
func.func @to_multiple(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %m = affine.apply affine_map<()[s0] -> (s0 ceildiv 16 * 16)>()[%d]
  %n = arith.subi %m, %d : index
  %y = tensor.pad %x low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// SPELLING-LABEL: @shift(
// SPELLING:         tensor.extract_slice

// A failure leaves the program as it was.

// FAILED: error: invalid option 'patterns'
// FAILED: func.func @shift(
// FAILED: tensor.pad %{{.*}} low[1] high[-1]
