// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='versions-by-m=16,64' --canonicalize --cse | FileCheck %s

// A product that may have few rows has loops over workgroups for them, too, in which
// its sums are split for there to be 264 workgroups at most, but not into less than
// 512 elements; and loops for where that is one chunk. They are regions of branches.

// CHECK-LABEL: func @unknown_rows(
// CHECK-SAME:      %[[A:[^:]*]]: tensor<?x?xf16>, %{{[^:]*}}: tensor<?x4096xf16>, %[[C:[^:]*]]: tensor<?x4096xf32>)
// CHECK:         %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK:         %[[FEW:.*]] = arith.cmpi sle, %[[M]], %c16
// CHECK:         %[[MORE:.*]] = arith.cmpi sgt, %[[M]], %c16
// CHECK:         %[[CHUNK:.*]] = arith.maxui %{{.*}}, %c512
// CHECK:         %[[IS_SPLIT:.*]] = arith.cmpi sgt, %{{.*}}, %[[CHUNK]]
// CHECK:         %[[SPLIT:.*]] = arith.andi %[[FEW]], %[[IS_SPLIT]]
// CHECK:         %[[IS_WHOLE:.*]] = arith.cmpi sle, %{{.*}}, %[[CHUNK]]
// CHECK:         %[[WHOLE:.*]] = arith.andi %[[FEW]], %[[IS_WHOLE]]
// CHECK:         %[[RESULT:.*]] = scf.if %[[SPLIT]]
// CHECK:           scf.forall {{.*}} to (%[[M]], 4096) step (16, 128) shared_outs(%{{.*}} = %[[C]])
// CHECK:             scf.forall {{.*}} step (%[[CHUNK]])
// CHECK:               scf.for {{.*}} step %c64
// CHECK:                 linalg.matmul
// CHECK:         } else {
// CHECK:           scf.if %[[WHOLE]]
// CHECK:             scf.forall {{.*}} to (%[[M]], 4096) step (16, 128) shared_outs(%{{.*}} = %[[C]])
// CHECK-NOT:           scf.forall
// CHECK:               scf.for {{.*}} step %c64
// CHECK:           } else {
// CHECK:             scf.if
// CHECK:               scf.forall {{.*}} step (64, 128) shared_outs(%{{.*}} = %[[C]])
// CHECK:                 scf.forall
// CHECK:             } else {
// CHECK:               scf.if
// CHECK:                 scf.forall {{.*}} step (64, 128) shared_outs(%{{.*}} = %[[C]])
// CHECK-NOT:               scf.forall (
// CHECK:               } else {
// CHECK:                 scf.if
// CHECK:                   scf.forall {{.*}} step (128, 128) shared_outs(%{{.*}} = %[[C]])
// CHECK-NOT:                 scf.forall (
// CHECK:         return %[[RESULT]]
func.func @unknown_rows(%a: tensor<?x?xf16>, %b: tensor<?x4096xf16>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x4096xf16>) outs(%c : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %0 : tensor<?x4096xf32>
}

// Rows that are known to be few have nothing but that.

// CHECK-LABEL: func @few(
// CHECK:         scf.forall (
// CHECK:           scf.forall {{.*}} step (1152)
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @few(%a: tensor<5x9000xf16>, %b: tensor<9000x4096xf16>, %c: tensor<5x4096xf32>) -> tensor<5x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<5x9000xf16>, tensor<9000x4096xf16>) outs(%c : tensor<5x4096xf32>) -> tensor<5x4096xf32>
  return %0 : tensor<5x4096xf32>
}

// Of those columns alone there are enough workgroups.

// CHECK-LABEL: func @many_columns(
// CHECK:         scf.forall (
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @many_columns(%a: tensor<5x9000xf16>, %b: tensor<9000x32768xf16>, %c: tensor<5x32768xf32>) -> tensor<5x32768xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<5x9000xf16>, tensor<9000x32768xf16>) outs(%c : tensor<5x32768xf32>) -> tensor<5x32768xf32>
  return %0 : tensor<5x32768xf32>
}

// If only the rows are known, both are there.

// CHECK-LABEL: func @few_known_rows(
// CHECK:         scf.if
// CHECK:           scf.forall (
// CHECK:             scf.forall (
// CHECK:         } else {
// CHECK:           scf.forall (
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @few_known_rows(%a: tensor<5x?xf16>, %b: tensor<?x?xf16>, %c: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<5x?xf16>, tensor<?x?xf16>) outs(%c : tensor<5x?xf32>) -> tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// CHECK-LABEL: func @negative_many(
// CHECK:         scf.forall (
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @negative_many(%a: tensor<65x?xf16>, %b: tensor<?x4096xf16>, %c: tensor<65x4096xf32>) -> tensor<65x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<65x?xf16>, tensor<?x4096xf16>) outs(%c : tensor<65x4096xf32>) -> tensor<65x4096xf32>
  return %0 : tensor<65x4096xf32>
}

// Nor is a short sum split.

// CHECK-LABEL: func @negative_short_sum(
// CHECK:         scf.forall (
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @negative_short_sum(%a: tensor<5x512xf16>, %b: tensor<512x4096xf16>, %c: tensor<5x4096xf32>) -> tensor<5x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<5x512xf16>, tensor<512x4096xf16>) outs(%c : tensor<5x4096xf32>) -> tensor<5x4096xf32>
  return %0 : tensor<5x4096xf32>
}

// A row that is normalised is one where it is reduced, not in each block of columns.

// CHECK-LABEL: func @norm(
// CHECK:         scf.forall
// CHECK:           linalg.reduce
// CHECK:           arith.divf
// CHECK:         scf.forall
// CHECK-NOT:       arith.divf
// CHECK:         return
func.func @norm(%x: tensor<200x64xf16>, %b: tensor<64x4096xf16>, %c: tensor<200x4096xf32>) -> tensor<200x4096xf32> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<200xf16>
  %h = tensor.empty() : tensor<200x64xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<200xf16>) -> tensor<200xf16>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<200x64xf16>) outs(%f : tensor<200xf16>) dimensions = [1]
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<200x64xf16>, tensor<200xf16>) outs(%h : tensor<200x64xf16>) {
  ^bb0(%p: f16, %q: f16, %o: f16):
    %d = arith.divf %p, %q : f16
    linalg.yield %d : f16
  } -> tensor<200x64xf16>
  %0 = linalg.matmul ins(%y, %b : tensor<200x64xf16>, tensor<64x4096xf16>) outs(%c : tensor<200x4096xf32>) -> tensor<200x4096xf32>
  return %0 : tensor<200x4096xf32>
}

// A right operand of 16 bits that is read as it is, contiguous along the sum: the subgroups of a workgroup
// sum parts of 16 columns, and nothing is merged in another kernel. Here each of 16 has one tile.

// CHECK-LABEL: func @parts_of_reads(
// CHECK:         scf.forall {{.*}} to (2048) step (16)
// CHECK:           scf.forall {{.*}} in (16)
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @parts_of_reads(%a: tensor<1x2048xf16>, %b: tensor<2048x2048xf16>, %c: tensor<1x2048xf32>) -> tensor<1x2048xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<1x2048xf16>, tensor<2048x2048xf16>) outs(%c : tensor<1x2048xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %1 = arith.extf %x : f16 to f32
    %2 = arith.extf %y : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x2048xf32>
  return %0 : tensor<1x2048xf32>
}
