// RUN: linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="for(4)"' -canonicalize -cse -mlir-print-local-scope -split-input-file | FileCheck %s

// Tiles of 4 through a collapse_shape: which part of the producer is computed.

// One row.
// CHECK-LABEL: func @row
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//       CHECK:     %[[R:.*]] = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%[[I]]]
//       CHECK:     tensor.extract_slice %arg0[%[[R]], 0] [1, 4]
//       CHECK:     linalg.log {{.*}} -> tensor<1x4xf32>
func.func @row(%x: tensor<6x4xf32>, %e: tensor<6x4xf32>, %o: tensor<24xf32>) -> tensor<24xf32> {
  %p = linalg.log ins(%x : tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<24xf32>) outs(%o : tensor<24xf32>) -> tensor<24xf32>
  return %r : tensor<24xf32>
}

// -----

// Several rows, of the outermost of three dimensions.
// CHECK-LABEL: func @rows
//       CHECK:   scf.for
//       CHECK:     linalg.log {{.*}} -> tensor<2x1x2xf32>
func.func @rows(%x: tensor<6x1x2xf32>, %e: tensor<6x1x2xf32>, %o: tensor<12xf32>) -> tensor<12xf32> {
  %p = linalg.log ins(%x : tensor<6x1x2xf32>) outs(%e : tensor<6x1x2xf32>) -> tensor<6x1x2xf32>
  %c = tensor.collapse_shape %p [[0, 1, 2]] : tensor<6x1x2xf32> into tensor<12xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<12xf32>) outs(%o : tensor<12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// Half a row.
// CHECK-LABEL: func @part_of_row
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//   CHECK-DAG:     %[[C:.*]] = affine.apply affine_map<()[s0] -> (s0 mod 8)>()[%[[I]]]
//   CHECK-DAG:     %[[R:.*]] = affine.apply affine_map<()[s0] -> (s0 floordiv 8)>()[%[[I]]]
//       CHECK:     tensor.extract_slice %arg0[%[[R]], %[[C]]] [1, 4]
//       CHECK:     linalg.log {{.*}} -> tensor<1x4xf32>
func.func @part_of_row(%x: tensor<3x8xf32>, %e: tensor<3x8xf32>, %o: tensor<24xf32>) -> tensor<24xf32> {
  %p = linalg.log ins(%x : tensor<3x8xf32>) outs(%e : tensor<3x8xf32>) -> tensor<3x8xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<3x8xf32> into tensor<24xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<24xf32>) outs(%o : tensor<24xf32>) -> tensor<24xf32>
  return %r : tensor<24xf32>
}

// -----

// The rows of 3 that 4 elements, and in the last tile 2, are parts of; of those,
// the elements.
// CHECK-LABEL: func @across_rows
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//       CHECK:     %[[S:.*]] = affine.min affine_map<(d0) -> (-d0 + 18, 4)>(%[[I]])
//   CHECK-DAG:     %[[R:.*]] = affine.apply affine_map<()[s0] -> (s0 floordiv 3)>()[%[[I]]]
//   CHECK-DAG:     %[[N:.*]] = affine.apply affine_map<()[s0, s1] -> ((s0 + s1 + 2) floordiv 3 - s0 floordiv 3)>()[%[[I]], %[[S]]]
//   CHECK-DAG:     %[[AT:.*]] = affine.apply affine_map<()[s0] -> (s0 mod 3)>()[%[[I]]]
//       CHECK:     tensor.extract_slice %arg0[%[[R]], 0] [%[[N]], 3]
//       CHECK:     linalg.log {{.*}} -> tensor<?x3xf32>
//       CHECK:     %[[C:.*]] = tensor.collapse_shape
//       CHECK:     tensor.extract_slice %[[C]][%[[AT]]] [%[[S]]]
func.func @across_rows(%x: tensor<6x3xf32>, %e: tensor<6x3xf32>, %o: tensor<18xf32>) -> tensor<18xf32> {
  %p = linalg.log ins(%x : tensor<6x3xf32>) outs(%e : tensor<6x3xf32>) -> tensor<6x3xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<6x3xf32> into tensor<18xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<18xf32>) outs(%o : tensor<18xf32>) -> tensor<18xf32>
  return %r : tensor<18xf32>
}

// -----

// Rows of which it is not known how many there are; the last tile is whole too.
// CHECK-LABEL: func @dynamic_rows
//       CHECK:   scf.for
//       CHECK:     linalg.log {{.*}} -> tensor<?x2xf32>
//       CHECK:     %[[C:.*]] = tensor.collapse_shape
//       CHECK:     linalg.exp {{.*}}ins(%[[C]]
func.func @dynamic_rows(%x: tensor<?x2xf32>, %e: tensor<?x2xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %p = linalg.log ins(%x : tensor<?x2xf32>) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// One group is cut, the other whole.
// CHECK-LABEL: func @groups
//       CHECK:   scf.for
//       CHECK:     linalg.log {{.*}} -> tensor<1x4x?x5xf32>
func.func @groups(%x: tensor<6x4x?x5xf32>, %e: tensor<6x4x?x5xf32>, %o: tensor<24x?xf32>) -> tensor<24x?xf32> {
  %p = linalg.log ins(%x : tensor<6x4x?x5xf32>) outs(%e : tensor<6x4x?x5xf32>) -> tensor<6x4x?x5xf32>
  %c = tensor.collapse_shape %p [[0, 1], [2, 3]] : tensor<6x4x?x5xf32> into tensor<24x?xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<24x?xf32>) outs(%o : tensor<24x?xf32>) -> tensor<24x?xf32>
  return %r : tensor<24x?xf32>
}

// -----

// Dimensions of size 1 may lie anywhere.
// CHECK-LABEL: func @unit_dims
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//       CHECK:     tensor.extract_slice %arg0[0, %[[I]], 0] [1, 4, 1]
//       CHECK:     linalg.log {{.*}} -> tensor<1x4x1xf32>
func.func @unit_dims(%x: tensor<1x8x1xf32>, %e: tensor<1x8x1xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %p = linalg.log ins(%x : tensor<1x8x1xf32>) outs(%e : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  %c = tensor.collapse_shape %p [[0, 1, 2]] : tensor<1x8x1xf32> into tensor<8xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Rows longer than the tile, at any place: part of one row or, where the tile
// crosses from one to the next, both.
// CHECK-LABEL: func @long_rows
//   CHECK-NOT:   linalg.log
//       CHECK:   scf.for
//       CHECK:     linalg.log {{.*}} -> tensor<?x?xf32>
//       CHECK:     %[[C:.*]] = tensor.collapse_shape
//       CHECK:     tensor.extract_slice %[[C]]
func.func @long_rows(%x: tensor<5x7xf32>, %e: tensor<5x7xf32>, %o: tensor<35xf32>) -> tensor<35xf32> {
  %p = linalg.log ins(%x : tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<5x7xf32> into tensor<35xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<35xf32>) outs(%o : tensor<35xf32>) -> tensor<35xf32>
  return %r : tensor<35xf32>
}

// -----

// Rows of unknown length, likewise.
// CHECK-LABEL: func @rows_of_unknown_length
//   CHECK-NOT:   linalg.log
//       CHECK:   scf.for
//       CHECK:     linalg.log {{.*}} -> tensor<?x?xf32>
//       CHECK:     %[[C:.*]] = tensor.collapse_shape
//       CHECK:     tensor.extract_slice %[[C]]
func.func @rows_of_unknown_length(%x: tensor<3x?xf32>, %e: tensor<3x?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %p = linalg.log ins(%x : tensor<3x?xf32>) outs(%e : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = tensor.collapse_shape %p [[0, 1]] : tensor<3x?xf32> into tensor<?xf32>
  %r = linalg.exp {linalg_ext.root} ins(%c : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
