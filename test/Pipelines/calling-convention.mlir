// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-drop-aliased-results,func.func(linalg-ext-request-c-interface))' | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-drop-aliased-results,func.func(linalg-ext-request-c-interface))' | FileCheck %s

// CHECK-LABEL: func @one_of_two(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>) -> memref<4xf32> attributes {llvm.emit_c_interface}
// CHECK:         %[[C:.*]] = memref.alloc
// CHECK:         return %[[C]]
func.func @one_of_two(%a: memref<4xf32>, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %c = memref.alloc() : memref<4xf32>
  return %b, %c : memref<4xf32>, memref<4xf32>
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
