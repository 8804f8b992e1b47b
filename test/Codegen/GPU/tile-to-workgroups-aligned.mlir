// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='narrow-rows=128 narrow-columns=128 reduction=32 ways=sync,async' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='narrow-rows=128 narrow-columns=128 reduction=32 ways=sync,async,persistent' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=TILES

// Rows of a length that is not known: a loop with asynchronous products where they are
// a multiple of 16 bytes, and one without for others. Only one has iterations. What is
// no operand of the product says nothing.

// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[A:[^:]*]]: tensor<?x?xf16>, %[[B:[^:]*]]: tensor<?x?xbf16>
func.func @rows(%a: tensor<?x?xf16>, %u: tensor<?x?xbf16>, %b: tensor<?x?xf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-DAG:     %[[K:.*]] = tensor.dim %[[A]], %c1
// CHECK-DAG:     %[[REST:.*]] = arith.remui %[[K]], %c8
// CHECK-DAG:     %[[IS_K:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         %[[REST_N:.*]] = arith.remui %{{.*}}, %c8
// CHECK:         %[[IS_N:.*]] = arith.cmpi eq, %[[REST_N]], %c0
// CHECK:         %[[ALIGNED:.*]] = arith.andi %[[IS_K]], %[[IS_N]]
// CHECK:         %[[ROWS:.*]] = arith.select %[[ALIGNED]], %{{.*}}, %c0
// CHECK:         %[[FIRST:.*]] = scf.forall {{.*}} to (%[[ROWS]], %{{.*}}) step (128, 128)
// CHECK:         } {{.*}}way = "async"
// CHECK:         %[[LEFT:.*]] = arith.select %[[ALIGNED]], %c0, %{{.*}}
// CHECK:         scf.forall {{.*}} to (%[[LEFT]], %{{.*}}) step (128, 128) shared_outs(%{{.*}} = %[[FIRST]])
// CHECK-NOT:     way =
// CHECK:         return
// TILES-LABEL: func @rows(
// TILES:         step (128, 256)
// TILES:         way = "roles"
// TILES:         step (64, 128)
// TILES:         way = "async"
// TILES:         step (128, 128)
// TILES-NOT:     way =
// TILES:         return
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Rows of a known length that is a multiple. Then a launch chooses between kernels for
// few tiles and for many, by their numbers of tiles and what is summed.

// CHECK-LABEL: func @known(
// CHECK:         scf.forall
// CHECK:         } {{.*}}way = "async"
// CHECK-NOT:     scf.forall
// CHECK:         return
// TILES-LABEL: func @known(
// TILES-SAME:      %[[A:[^:]*]]: tensor<?x4096xf16>
// TILES-DAG:     %[[M:.*]] = tensor.dim %[[A]], %c0
// TILES:         %[[LARGE:.*]] = arith.addi %[[M]], %c127
// TILES:         arith.divui %[[LARGE]], %c128
// TILES:         %[[SMALL:.*]] = arith.addi %[[M]], %c63
// TILES:         arith.divui %[[SMALL]], %c64
// TILES:         %[[MANY:.*]] = arith.cmpi ule
// TILES:         %[[FEW:.*]] = arith.cmpi ugt
// TILES:         %[[ROWS:.*]] = arith.select %[[MANY]], %[[M]], %c0
// TILES:         %[[FIRST:.*]] = scf.forall {{.*}} to (%[[ROWS]], 2048) step (128, 256)
// TILES:         persist = 1
// TILES:         %[[LEFT:.*]] = arith.select %[[FEW]], %[[M]], %c0
// TILES:         scf.forall {{.*}} to (%[[LEFT]], 2048) step (64, 128) shared_outs(%{{.*}} = %[[FIRST]])
// TILES:         way = "async"
// TILES:         return
func.func @known(%a: tensor<?x4096xf16>, %b: tensor<4096x2048xf16>, %c: tensor<?x2048xf32>) -> tensor<?x2048xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x4096xf16>, tensor<4096x2048xf16>) outs(%c : tensor<?x2048xf32>) -> tensor<?x2048xf32>
  return %0 : tensor<?x2048xf32>
}

// -----

// No length makes rows of 50 elements a multiple of 16 bytes.

// CHECK-LABEL: func @negative_rows(
// CHECK-NOT:     way = "async"
// CHECK:         return
func.func @negative_rows(%a: tensor<?x?xf16>, %b: tensor<?x50xf16>, %c: tensor<?x50xf32>) -> tensor<?x50xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x50xf16>) outs(%c : tensor<?x50xf32>) -> tensor<?x50xf32>
  return %0 : tensor<?x50xf32>
}
