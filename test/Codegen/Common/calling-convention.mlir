// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-prepare-c-interface)' | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-prepare-c-interface=drop-results=some 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-prepare-c-interface)' | FileCheck %s

// SOME: error: invalid option 'drop-results': expected none, private or all, got 'some'

// CHECK-LABEL: func.func @one_of_two(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>) -> memref<4xf32> attributes {llvm.emit_c_interface}
// CHECK:         %[[C:.*]] = memref.alloc
// CHECK:         return %[[C]]
func.func @one_of_two(%a: memref<4xf32>, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %c = memref.alloc() : memref<4xf32>
  return %b, %c : memref<4xf32>, memref<4xf32>
}

// What is allocated in another shape than that of the result has its shape.

// CHECK-LABEL: func @collapsed(
// CHECK-SAME:    %[[N:.*]]: index) -> memref<4x?xf32>
// CHECK:         %[[C3:.*]] = arith.constant 3 : index
// CHECK:         %[[SIZE:.*]] = arith.muli %[[N]], %[[C3]]
// CHECK:         %[[R:.*]] = memref.alloc(%[[SIZE]]) : memref<4x?xf32>
// CHECK:         %[[V:.*]] = memref.expand_shape %[[R]] {{\[\[}}0], [1, 2]] output_shape [4, %[[N]], 3] : memref<4x?xf32> into memref<4x?x3xf32>
// CHECK:         memref.store %{{.*}}, %[[V]]
// CHECK:         return %[[R]]
func.func @collapsed(%n: index) -> memref<4x?xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<4x?x3xf32>
  memref.store %f, %a[%c0, %c0, %c0] : memref<4x?x3xf32>
  %r = memref.collapse_shape %a [[0], [1, 2]] : memref<4x?x3xf32> into memref<4x?xf32>
  return %r : memref<4x?xf32>
}

// CHECK-LABEL: func @expanded(
// CHECK:         %[[R:.*]] = memref.alloc() : memref<2x4xf32>
// CHECK:         %[[V:.*]] = memref.collapse_shape %[[R]] {{\[\[}}0, 1]] : memref<2x4xf32> into memref<8xf32>
// CHECK:         memref.store %{{.*}}, %[[V]]
// CHECK:         return %[[R]]
func.func @expanded() -> memref<2x4xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  memref.store %f, %a[%c0] : memref<8xf32>
  %r = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return %r : memref<2x4xf32>
}

// The sizes are only known behind the allocation.

// CHECK-LABEL: func @negative_expanded_later(
// CHECK:         %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         %[[R:.*]] = memref.expand_shape %[[A]]
// CHECK:         return %[[R]]
func.func @negative_expanded_later(%n: index, %sizes: memref<index>) -> memref<?x4xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %m = memref.load %sizes[] : memref<index>
  %r = memref.expand_shape %a [[0, 1]] output_shape [%m, 4] : memref<?xf32> into memref<?x4xf32>
  return %r : memref<?x4xf32>
}

// CHECK-LABEL: func private @caller(
// CHECK-NOT:     emit_c_interface
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
// CHECK:         %[[R:.*]] = call @one_of_two(%[[A]], %[[B]]) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK:         memref.copy %[[R]], %[[B]]
func.func private @caller(%a: memref<4xf32>, %b: memref<4xf32>) {
  %0:2 = call @one_of_two(%a, %b) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.copy %0#1, %0#0 : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func @negative_another_argument_each_time(
// CHECK-SAME:    ) -> memref<4xf32>
func.func @negative_another_argument_each_time(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<4xf32>
^bb2:
  return %b : memref<4xf32>
}

// Its type is part of the constant.

// CHECK-LABEL: func @negative_address_taken(
// CHECK-SAME:    ) -> memref<4xf32>
func.func @negative_address_taken(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func private @taker() -> ((memref<4xf32>) -> memref<4xf32>) {
  %f = func.constant @negative_address_taken : (memref<4xf32>) -> memref<4xf32>
  return %f : (memref<4xf32>) -> memref<4xf32>
}

// CHECK: func private @negative_declaration() -> f64
// CHECK-NOT: emit_c_interface
func.func private @negative_declaration() -> f64

// Several reshapes, one behind the other.

// CHECK-LABEL: func @reshaped_twice(
// CHECK:         %[[R:.*]] = memref.alloc() : memref<1x4x6xf32>
// CHECK:         %[[E:.*]] = memref.expand_shape %[[R]] {{.*}} into memref<1x4x2x3xf32>
// CHECK:         %[[C:.*]] = memref.collapse_shape %[[E]] {{.*}} into memref<4x2x3xf32>
// CHECK:         memref.store %{{.*}}, %[[C]]
// CHECK:         return %[[R]]
func.func @reshaped_twice() -> memref<1x4x6xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4x2x3xf32>
  memref.store %f, %a[%c0, %c0, %c0] : memref<4x2x3xf32>
  %e = memref.expand_shape %a [[0, 1], [2], [3]] output_shape [1, 4, 2, 3] : memref<4x2x3xf32> into memref<1x4x2x3xf32>
  %r = memref.collapse_shape %e [[0], [1], [2, 3]] : memref<1x4x2x3xf32> into memref<1x4x6xf32>
  return %r : memref<1x4x6xf32>
}

// Each result has a buffer of its own, which the caller frees.

// CHECK-LABEL: func @in_two_shapes(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4x4xf32>
// CHECK:         %[[V:.*]] = memref.collapse_shape %[[A]]
// CHECK:         %[[B:.*]] = memref.alloc() : memref<16xf32>
// CHECK:         memref.copy %[[V]], %[[B]]
// CHECK:         return %[[A]], %[[B]]
func.func @in_two_shapes() -> (memref<4x4xf32>, memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %f, %a[%c0, %c0] : memref<4x4xf32>
  %r = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  return %a, %r : memref<4x4xf32>, memref<16xf32>
}

// C callers read more bits than these types have.

// CHECK-LABEL: func @flag(
// CHECK-SAME:    %{{.*}}: i32) -> (i1 {llvm.zeroext}) attributes {llvm.emit_c_interface}
func.func @flag(%x: i32) -> i1 {
  %b = arith.trunci %x : i32 to i1
  return %b : i1
}

// CHECK-LABEL: func @byte(
// CHECK-SAME:    %{{.*}}: i32) -> (i8 {llvm.signext}) attributes {llvm.emit_c_interface}
func.func @byte(%x: i32) -> i8 {
  %b = arith.trunci %x : i32 to i8
  return %b : i8
}
