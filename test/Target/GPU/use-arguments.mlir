// RUN: linalg-ext-opt %s --linalg-ext-gpu-use-arguments --split-input-file | FileCheck %s

// What is loaded by a copy, of a view as well, is read where it is.

// CHECK-LABEL: func @block
//  CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[OUT:.*]]: memref<4xf32>)
//   CHECK-NOT: memref.alloc
//   CHECK-NOT: memref.copy
//       CHECK: %[[V:.*]] = memref.reinterpret_cast %[[X]]
//       CHECK: %[[T:.*]] = bufferization.to_tensor %[[V]] restrict :
//       CHECK: %[[R:.*]] = linalg.exp ins(%[[T]]
//       CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[OUT]]
func.func @block(%x: memref<?xf32>, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.reinterpret_cast %x to offset: [8], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: 8>>
  memref.copy %v, %a : memref<4xf32, strided<[1], offset: 8>> to memref<4xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// What is written is copied as it was, and it is not only written.

// CHECK-LABEL: func @negative_written
//       CHECK: %[[A:.*]] = memref.alloc
//       CHECK: memref.copy
//       CHECK: bufferization.to_tensor %[[A]]
//       CHECK: materialize_in_destination %{{.*}} in writable
func.func @negative_written(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in writable %x : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// A part that is filled in the allocation, as padding is, is not in the argument.

// CHECK-LABEL: func @negative_padded
//       CHECK: %[[A:.*]] = memref.alloc
//       CHECK: linalg.fill
//       CHECK: memref.copy
//       CHECK: bufferization.to_tensor %[[A]]
func.func @negative_padded(%x: memref<3xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
  %s = memref.subview %a[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  memref.copy %x, %s : memref<3xf32> to memref<3xf32, strided<[1]>>
  %t = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// Read before the copy it is something else.

// CHECK-LABEL: func @negative_read_before
//       CHECK: %[[A:.*]] = memref.alloc
//       CHECK: bufferization.to_tensor %[[A]]
//       CHECK: memref.copy
func.func @negative_read_before(%x: memref<4xf32>) -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %t : tensor<4xf32>
}

// -----

// What is overwritten and used elsewhere would be copied. Here the op itself, another
// op, and a softmax.

// CHECK-LABEL: func @overwritten
//  CHECK-SAME: (%[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>)
//       CHECK: %[[N:.*]] = tensor.dim %[[A]], %{{.*}}
//       CHECK: %[[E:.*]] = tensor.empty(%[[N]])
//       CHECK: %[[S:.*]] = linalg.add ins(%[[A]], %[[B]] : {{.*}}) outs(%[[E]]
//       CHECK: %[[E2:.*]] = tensor.empty
//       CHECK: %[[X:.*]] = linalg.exp ins(%[[S]] : {{.*}}) outs(%[[E2]]
//       CHECK: %[[E3:.*]] = tensor.empty
//       CHECK: linalg.softmax dimension(1) ins(%[[X]] : {{.*}}) outs(%[[E3]]
func.func @overwritten(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %s = linalg.add ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>
  %x = linalg.exp ins(%s : tensor<?x4xf32>) outs(%b : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %x, %p : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// A destination that nothing else uses is where the caller wants the result; what an op
// adds to stays.

// CHECK-LABEL: func @negative_overwritten
//  CHECK-SAME: (%[[A:.*]]: tensor<4x4xf32>, %[[B:.*]]: tensor<4x4xf32>, %[[C:.*]]: tensor<4x4xf32>)
//   CHECK-NOT: tensor.empty
//       CHECK: linalg.exp ins(%[[A]] : {{.*}}) outs(%[[B]]
//       CHECK: linalg.matmul ins(%[[C]], %[[C]] : {{.*}}) outs(%[[C]]
func.func @negative_overwritten(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %x = linalg.exp ins(%a : tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%c, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x, %y : tensor<4x4xf32>, tensor<4x4xf32>
}
