// RUN: linalg-ext-opt %s | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -canonicalize | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @coordinates
//       CHECK:   linalg_ext.view_rows %{{.*}}[%{{.*}}] dims [2, 0] : tensor<?x8x3x128xf32>, tensor<5x2xindex>
//       CHECK:   return %{{.*}} : tensor<5x8x128xf32>

// The stride of the rows is not known, those inside of a row are. Nothing is copied.

// BUFFERS-LABEL: func.func @coordinates
//       BUFFERS:   %[[V:.*]] = linalg_ext.view_rows %{{.*}}[%{{.*}}] dims [2, 0] : memref<?x8x3x128xf32>, memref<5x2xindex>
//       BUFFERS:   memref.copy %[[V]], %{{.*}} : memref<5x8x128xf32, strided<[?, 384, 1], offset: ?>> to memref<5x8x128xf32>
func.func @coordinates(%a: tensor<?x8x3x128xf32>, %list: tensor<5x2xindex>) -> tensor<5x8x128xf32> {
  %0 = linalg_ext.view_rows %a[%list] dims [2, 0] : tensor<?x8x3x128xf32>, tensor<5x2xindex>
  return %0 : tensor<5x8x128xf32>
}

// CHECK-LABEL: func.func @buffers
//       CHECK:   linalg_ext.view_rows {{.*}} : memref<9x64xf32, strided<[100, 1], offset: 7>>, memref<?x1xindex>
//       CHECK:   return %{{.*}} : memref<?x64xf32, strided<[?, 1], offset: ?>>
func.func @buffers(%a: memref<9x64xf32, strided<[100, 1], offset: 7>>, %list: memref<?x1xindex>) -> memref<?x64xf32, strided<[?, 1], offset: ?>> {
  %0 = linalg_ext.view_rows %a[%list] dims [0] : memref<9x64xf32, strided<[100, 1], offset: 7>>, memref<?x1xindex>
  return %0 : memref<?x64xf32, strided<[?, 1], offset: ?>>
}

// The view is read after its list, or its source, has changed: it is one of a copy of
// what was there before.

// BUFFERS-LABEL: func.func @list_changes
//  BUFFERS-SAME:   %{{.*}}: memref<9x64xf32>, %[[LIST:.*]]: memref<3x1xindex>
//       BUFFERS:   %[[COPY:.*]] = memref.alloc() {{.*}} : memref<3x1xindex>
//       BUFFERS:   memref.copy %[[LIST]], %[[COPY]]
//       BUFFERS:   linalg_ext.view_rows %{{.*}}[%[[COPY]]]
//       BUFFERS:   memref.store %{{.*}}, %[[LIST]]
func.func @list_changes(%a: tensor<9x64xf32>, %list: tensor<3x1xindex> {bufferization.writable = true}, %i: index, %x: index) -> (tensor<3x64xf32>, tensor<3x1xindex>) {
  %c0 = arith.constant 0 : index
  %0 = linalg_ext.view_rows %a[%list] dims [0] : tensor<9x64xf32>, tensor<3x1xindex>
  %1 = tensor.insert %x into %list[%i, %c0] : tensor<3x1xindex>
  %e = tensor.empty() : tensor<3x64xf32>
  %2 = linalg.copy ins(%0 : tensor<3x64xf32>) outs(%e : tensor<3x64xf32>) -> tensor<3x64xf32>
  return %2, %1 : tensor<3x64xf32>, tensor<3x1xindex>
}

// BUFFERS-LABEL: func.func @source_changes
//  BUFFERS-SAME:   %[[A:.*]]: memref<9x64xf32>, %{{.*}}: memref<3x1xindex>
//       BUFFERS:   %[[COPY:.*]] = memref.alloc() {{.*}} : memref<9x64xf32>
//       BUFFERS:   memref.copy %[[A]], %[[COPY]]
//       BUFFERS:   linalg_ext.view_rows %[[COPY]]
//       BUFFERS:   memref.store %{{.*}}, %[[A]]
func.func @source_changes(%a: tensor<9x64xf32> {bufferization.writable = true}, %list: tensor<3x1xindex>, %i: index, %x: f32) -> (tensor<3x64xf32>, tensor<9x64xf32>) {
  %0 = linalg_ext.view_rows %a[%list] dims [0] : tensor<9x64xf32>, tensor<3x1xindex>
  %1 = tensor.insert %x into %a[%i, %i] : tensor<9x64xf32>
  %e = tensor.empty() : tensor<3x64xf32>
  %2 = linalg.copy ins(%0 : tensor<3x64xf32>) outs(%e : tensor<3x64xf32>) -> tensor<3x64xf32>
  return %2, %1 : tensor<3x64xf32>, tensor<9x64xf32>
}
