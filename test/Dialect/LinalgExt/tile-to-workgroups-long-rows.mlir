// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 max-row=64 row-tile=8' --canonicalize | FileCheck %s

// Rows that may be longer than a tile are reduced piece by piece.

// CHECK-LABEL: func @unknown_length
// CHECK:         scf.forall {{.*}} step (16)
// CHECK:           scf.for {{.*}} step %c8
// CHECK:             linalg.reduce
func.func @unknown_length(%x: tensor<50x?xf32>, %out: tensor<50xf32>) -> tensor<50xf32> {
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x?xf32>) outs(%out : tensor<50xf32>) dimensions = [1]
  return %0 : tensor<50xf32>
}

// What reads a row again can do so in its workgroup, which then has one row; if the
// length is dynamic, up to 16 elements are for a loop with 8 rows a workgroup, each
// of one piece. Only one of them has iterations.

// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 max-row=64 row-tile=64 fuse-long-rows row-elements=128 short-rows=16' --canonicalize --cse | FileCheck %s --check-prefix=FUSED

// FUSED-LABEL: func @norm(
// FUSED-SAME:      %[[X:[^:]*]]: tensor<50x?xf32>
// FUSED:         %[[N:.*]] = tensor.dim %[[X]]
// FUSED:         %[[PIECES:.*]] = arith.divui %[[N]], %c17
// FUSED:         %[[LONG:.*]] = arith.minui %[[PIECES]], %c1
// FUSED:         %[[SHORT:.*]] = arith.subi %c1, %[[LONG]]
// FUSED:         %[[BOUND:.*]] = arith.muli %[[SHORT]], %c50
// FUSED:         %[[FIRST:.*]] = scf.forall {{.*}} to (%[[BOUND]]) step (8)
// FUSED:           affine.min #{{.*}}()[%[[N]]]
// FUSED-NOT:       scf.for
// FUSED:           linalg.reduce
// FUSED:           linalg.generic
// FUSED:         %[[OTHERS:.*]] = arith.muli %[[LONG]], %c50
// FUSED:         %[[RESULT:.*]] = scf.forall {{.*}} in (%[[OTHERS]]) shared_outs(%{{.*}} = %[[FIRST]])
// FUSED:           scf.for {{.*}} step %c64
// FUSED:             linalg.reduce
// FUSED:           scf.for {{.*}} step %c64
// FUSED:             linalg.generic
// FUSED:         return %[[RESULT]]
func.func @norm(%x: tensor<50x?xf32>, %out: tensor<50x?xf32>) -> tensor<50x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x?xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<50x?xf32>, tensor<50xf32>) outs(%out : tensor<50x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<50x?xf32>
  return %1 : tensor<50x?xf32>
}

// Short rows are whole, as many as there may be elements.

// FUSED-LABEL: func @short(
// FUSED:         scf.forall {{.*}} step (4)
// FUSED-NOT:       scf.for
// FUSED:           linalg.reduce
// FUSED:           linalg.generic
func.func @short(%x: tensor<50x32xf32>, %out: tensor<50x32xf32>) -> tensor<50x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<50xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x32xf32>) outs(%f : tensor<50xf32>) dimensions = [1]
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<50x32xf32>, tensor<50xf32>) outs(%out : tensor<50x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<50x32xf32>
  return %1 : tensor<50x32xf32>
}
