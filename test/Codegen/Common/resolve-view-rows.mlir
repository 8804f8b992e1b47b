// RUN: linalg-ext-opt %s --linalg-ext-legalize-buffers=steps=resolve-view-rows --canonicalize --split-input-file | FileCheck %s

// What is read of a view is read where the list says that it is.

// CHECK-LABEL: func.func @loads
//  CHECK-SAME:   %[[A:[a-z0-9]*]]: memref<?x8x3x128xf32>, %[[LIST:[a-z0-9]*]]: memref<5x2xindex>, %[[I:[a-z0-9]*]]: index, %[[H:[a-z0-9]*]]: index, %[[D:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: vector<16xi1>
//   CHECK-NOT:   view_rows
//       CHECK:   %[[P:.*]] = memref.load %[[LIST]][%[[I]], %c0]
//       CHECK:   %[[R:.*]] = memref.load %[[LIST]][%[[I]], %c1]
//       CHECK:   memref.load %[[A]][%[[P]], %[[H]], %[[R]], %[[D]]]
//       CHECK:   %[[P:.*]] = memref.load %[[LIST]][%[[I]], %c0]
//       CHECK:   %[[R:.*]] = memref.load %[[LIST]][%[[I]], %c1]
//       CHECK:   vector.load %[[A]][%[[P]], %[[H]], %[[R]], %[[D]]] : {{.*}}, vector<16xf32>
//       CHECK:   vector.maskedload %[[A]][%{{.*}}, %[[H]], %{{.*}}, %[[D]]], %[[M]]
//       CHECK:   memref.prefetch %[[A]][%{{.*}}, %[[H]], %{{.*}}, %[[D]]], read, locality<2>
func.func @loads(%a: memref<?x8x3x128xf32>, %list: memref<5x2xindex>, %i: index, %h: index, %d: index, %m: vector<16xi1>) -> (f32, vector<16xf32>, vector<16xf32>) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %v = linalg_ext.view_rows %a[%list] dims [0, 2] : memref<?x8x3x128xf32>, memref<5x2xindex>
  %x = memref.load %v[%i, %h, %d] : memref<5x8x128xf32, strided<[?, 384, 1], offset: ?>>
  %y = vector.load %v[%i, %h, %d] : memref<5x8x128xf32, strided<[?, 384, 1], offset: ?>>, vector<16xf32>
  %z = vector.maskedload %v[%i, %h, %d], %m, %zero : memref<5x8x128xf32, strided<[?, 384, 1], offset: ?>>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  memref.prefetch %v[%i, %h, %d], read, locality<2>, data : memref<5x8x128xf32, strided<[?, 384, 1], offset: ?>>
  return %x, %y, %z : f32, vector<16xf32>, vector<16xf32>
}

// -----

// A slice is a view of slices, and its size that of the list.

// CHECK-LABEL: func.func @slices
//  CHECK-SAME:   %[[A:[a-z0-9]*]]: memref<9x64xf32>, %[[LIST:[a-z0-9]*]]: memref<?x1xindex>, %[[I:[a-z0-9]*]]: index
//   CHECK-NOT:   view_rows
//   CHECK-DAG:   %[[ROWS:.*]] = memref.subview %[[LIST]][%[[I]], 0] [4, 1] [1, 1]
//   CHECK-DAG:   %[[COLUMNS:.*]] = memref.subview %[[A]][0, 16] [9, 32] [1, 1]
//       CHECK:   %[[P:.*]] = memref.load %[[ROWS]][%c2, %c0]
//       CHECK:   memref.load %[[COLUMNS]][%[[P]], %c3]
//       CHECK:   memref.dim %[[LIST]], %c0
func.func @slices(%a: memref<9x64xf32>, %list: memref<?x1xindex>, %i: index) -> (f32, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = linalg_ext.view_rows %a[%list] dims [0] : memref<9x64xf32>, memref<?x1xindex>
  %s = memref.subview %v[%i, 16] [4, 32] [1, 1] : memref<?x64xf32, strided<[?, 1], offset: ?>> to memref<4x32xf32, strided<[?, 1], offset: ?>>
  %x = memref.load %s[%c2, %c3] : memref<4x32xf32, strided<[?, 1], offset: ?>>
  %n = memref.dim %v, %c0 : memref<?x64xf32, strided<[?, 1], offset: ?>>
  %d = memref.dim %v, %c1 : memref<?x64xf32, strided<[?, 1], offset: ?>>
  return %x, %n, %d : f32, index, index
}

// -----

// Slices without dimensions: of one row, which is a slice of the source, and of one head.

// CHECK-LABEL: func.func @slices_without_dimensions
//  CHECK-SAME:   %[[A:[a-z0-9]*]]: memref<5x8x3x128xf32>, %[[LIST:[a-z0-9]*]]: memref<?x2xindex>, %[[I:[a-z0-9]*]]: index
//   CHECK-NOT:   view_rows
//   CHECK-DAG:   %[[PAGE:.*]] = memref.load %[[LIST]][%[[I]], %c0]
//   CHECK-DAG:   %[[PLACE:.*]] = memref.load %[[LIST]][%[[I]], %c1]
//       CHECK:   %[[ROW:.*]] = memref.subview %[[A]][%[[PAGE]], 0, %[[PLACE]], 16] [1, 8, 1, 32] [1, 1, 1, 1] : memref<5x8x3x128xf32> to memref<8x32xf32
//       CHECK:   %[[HEAD:.*]] = memref.subview %[[A]][0, 4, 0, 0] [5, 1, 3, 128] [1, 1, 1, 1] : memref<5x8x3x128xf32> to memref<5x3x128xf32
//       CHECK:   memref.load %[[ROW]][%c2, %c3]
//       CHECK:   %[[P:.*]] = memref.load %{{.*}}[%c2, %c0]
//       CHECK:   %[[Q:.*]] = memref.load %{{.*}}[%c2, %c1]
//       CHECK:   memref.load %[[HEAD]][%[[P]], %[[Q]], %c3]
func.func @slices_without_dimensions(%a: memref<5x8x3x128xf32>, %list: memref<?x2xindex>, %i: index) -> (f32, f32) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = linalg_ext.view_rows %a[%list] dims [0, 2] : memref<5x8x3x128xf32>, memref<?x2xindex>
  %row = memref.subview %v[%i, 0, 16] [1, 8, 32] [1, 1, 1] : memref<?x8x128xf32, strided<[?, 384, 1], offset: ?>> to memref<8x32xf32, strided<[384, 1], offset: ?>>
  %head = memref.subview %v[%i, 4, 0] [4, 1, 128] [1, 1, 1] : memref<?x8x128xf32, strided<[?, 384, 1], offset: ?>> to memref<4x128xf32, strided<[?, 1], offset: ?>>
  %x = memref.load %row[%c2, %c3] : memref<8x32xf32, strided<[384, 1], offset: ?>>
  %y = memref.load %head[%c2, %c3] : memref<4x128xf32, strided<[?, 1], offset: ?>>
  return %x, %y : f32, f32
}

// -----

// A vector across rows has no address.

// CHECK-LABEL: func.func @negative_vector_across_rows
//       CHECK:   %[[V:.*]] = linalg_ext.view_rows
//       CHECK:   vector.load %[[V]]
func.func @negative_vector_across_rows(%a: memref<64x9xf32, strided<[1, 64]>>, %list: memref<32x1xindex>, %i: index, %j: index) -> vector<1xf32> {
  %v = linalg_ext.view_rows %a[%list] dims [1] : memref<64x9xf32, strided<[1, 64]>>, memref<32x1xindex>
  %x = vector.load %v[%i, %j] : memref<32x64xf32, strided<[?, 1], offset: ?>>, vector<1xf32>
  return %x : vector<1xf32>
}
