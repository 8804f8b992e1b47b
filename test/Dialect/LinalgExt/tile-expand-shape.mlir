// RUN: linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="for(1,4)"' -canonicalize -cse -mlir-print-local-scope -split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="for(2,4)"' -canonicalize -cse -mlir-print-local-scope -split-input-file | FileCheck %s --check-prefix=TWO

// Tiles of 1 x 4 through an expand_shape; tiles of 2 x 4 are two ranges of the
// source, and what is behind the reshape stays in the loop over rows.

// CHECK-LABEL: func @rows
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//       CHECK:     scf.for %[[J:[a-z0-9]+]] =
//       CHECK:       linalg.log {{.*}} -> tensor<4xf32>
//       CHECK:       tensor.expand_shape {{.*}} output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
// TWO-LABEL: func @rows
//       TWO:   scf.for
//       TWO:     linalg.log {{.*}} -> tensor<16xf32>
//       TWO:     tensor.expand_shape {{.*}} output_shape [2, 8]
//       TWO:     scf.for
func.func @rows(%x: tensor<32xf32>, %e: tensor<32xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %p = linalg.log ins(%x : tensor<32xf32>) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %c = tensor.expand_shape %p [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// The output shape is the tile's.
// CHECK-LABEL: func @remainder
//       CHECK:     scf.for
//       CHECK:       %[[S:.*]] = affine.min
//       CHECK:       linalg.log {{.*}} -> tensor<?xf32>
//       CHECK:       tensor.expand_shape {{.*}} output_shape [1, %[[S]]] : tensor<?xf32> into tensor<1x?xf32>
func.func @remainder(%x: tensor<30xf32>, %e: tensor<30xf32>, %o: tensor<3x10xf32>) -> tensor<3x10xf32> {
  %p = linalg.log ins(%x : tensor<30xf32>) outs(%e : tensor<30xf32>) -> tensor<30xf32>
  %c = tensor.expand_shape %p [[0, 1]] output_shape [3, 10] : tensor<30xf32> into tensor<3x10xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<3x10xf32>) outs(%o : tensor<3x10xf32>) -> tensor<3x10xf32>
  return %r : tensor<3x10xf32>
}

// -----

// (1, t, whole), with the whole of a dynamic dimension.
// CHECK-LABEL: func @whole_inside
//  CHECK-SAME:   %[[N:[a-z0-9]*]]: index
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//       CHECK:     scf.for %[[J:[a-z0-9]+]] =
//   CHECK-DAG:       %[[O:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%[[J]], %[[N]]]
//   CHECK-DAG:       %[[S:.*]] = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%[[N]]]
//       CHECK:       tensor.extract_slice %{{.*}}[%[[O]]] [%[[S]]]
//       CHECK:       linalg.log {{.*}} -> tensor<?xf32>
//       CHECK:       tensor.expand_shape {{.*}} output_shape [1, 4, %[[N]]] : tensor<?xf32> into tensor<1x4x?xf32>
func.func @whole_inside(%x: tensor<?xf32>, %e: tensor<?xf32>, %o: tensor<3x8x?xf32>, %n: index) -> tensor<3x8x?xf32> {
  %p = linalg.log ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %c = tensor.expand_shape %p [[0, 1, 2]] output_shape [3, 8, %n] : tensor<?xf32> into tensor<3x8x?xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<3x8x?xf32>) outs(%o : tensor<3x8x?xf32>) -> tensor<3x8x?xf32>
  return %r : tensor<3x8x?xf32>
}

// -----

// A dimension kept by a reduction.
// CHECK-LABEL: func @keepdim
//       CHECK:       linalg.log {{.*}} -> tensor<1x4xf32>
//       CHECK:       tensor.expand_shape {{.*}} output_shape [1, 4, 1]
// TWO-LABEL: func @keepdim
//       TWO:         linalg.log {{.*}} -> tensor<2x4xf32>
func.func @keepdim(%x: tensor<6x8xf32>, %e: tensor<6x8xf32>, %o: tensor<6x8x1xf32>) -> tensor<6x8x1xf32> {
  %p = linalg.log ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %c = tensor.expand_shape %p [[0], [1, 2]] output_shape [6, 8, 1] : tensor<6x8xf32> into tensor<6x8x1xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<6x8x1xf32>) outs(%o : tensor<6x8x1xf32>) -> tensor<6x8x1xf32>
  return %r : tensor<6x8x1xf32>
}

// -----

// Upstream's verifier accepts an output_shape that contradicts the type. The tiles
// are those of the type.
// CHECK-LABEL: func @output_shape_contradicts
//   CHECK-NOT:   36
//       CHECK:       linalg.log {{.*}} -> tensor<4xf32>
//       CHECK:       tensor.expand_shape {{.*}} output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
func.func @output_shape_contradicts(%x: tensor<48xf32>, %e: tensor<48xf32>, %o: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %p = linalg.log ins(%x : tensor<48xf32>) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  %c = tensor.expand_shape %p [[0, 1]] output_shape [36, 36] : tensor<48xf32> into tensor<6x8xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<6x8xf32>) outs(%o : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
