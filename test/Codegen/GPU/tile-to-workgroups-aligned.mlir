// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=sync,async' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=sync,async,persistent' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=TILES

// Rows of a length that is not known: a loop with asynchronous products where they are
// a multiple of 16 bytes, and one without for others, in a branch. What is
// no operand of the product says nothing. Where persistent kernels are allowed, two read
// copies of the operands, with rows of such a multiple: they are in a branch with the
// copies.

// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[A:[^:]*]]: tensor<?x?xf16>, %[[B:[^:]*]]: tensor<?x?xbf16>,
// CHECK-SAME:      %[[C:[^:]*]]: tensor<?x?xf32>)
func.func @rows(%a: tensor<?x?xf16>, %u: tensor<?x?xbf16>, %b: tensor<?x?xf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-DAG:     %[[K:.*]] = tensor.dim %[[A]], %c1
// CHECK-DAG:     %[[REST:.*]] = arith.remui %[[K]], %c8
// CHECK-DAG:     %[[IS_K:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         %[[REST_N:.*]] = arith.remui %{{.*}}, %c8
// CHECK:         %[[IS_N:.*]] = arith.cmpi eq, %[[REST_N]], %c0
// CHECK:         %[[ALIGNED:.*]] = arith.andi %[[IS_K]], %[[IS_N]]
// CHECK:         scf.if %[[ALIGNED]]
// CHECK:           scf.forall {{.*}} step (128, 128) shared_outs(%{{.*}} = %[[C]])
// CHECK:           } {{.*}}way = "async"
// CHECK:         } else {
// CHECK:           scf.forall {{.*}} step (128, 128) shared_outs(%{{.*}} = %[[C]])
// CHECK-NOT:     way =
// CHECK:         return
// TILES-LABEL: func @rows(
// TILES-NOT:     linalg.copy
// TILES:         %[[IS_COPIED:.*]] = arith.ori %[[IS_FIRST:.*]], %[[IS_SECOND:.*]] :
// TILES-NOT:     linalg.copy
// TILES:         scf.forall {{.*}} step (64, 128)
// TILES:           scf.forall
// TILES:         alone = true
// TILES:         scf.forall {{.*}} step (128, 64)
// TILES:           scf.forall
// TILES:         alone = true
// TILES:         step (128, 256)
// TILES:         way = "roles"
// TILES:         step (192, 128)
// TILES:         way = "roles"
// TILES:         step (128, 128)
// TILES:         way = "roles"
// TILES:         step (64, 128)
// TILES:         scf.for {{.*}} step %c128
// TILES:         alone = true
// TILES:         step (64, 64)
// TILES:         scf.for {{.*}} step %c128
// TILES:         alone = true
// TILES:         step (64, 128)
// TILES:         scf.for {{.*}} step %c64
// TILES:         way = "async"
// TILES:         scf.if %[[IS_COPIED]]
// TILES-NEXT:      bufferization.alloc_tensor
// TILES:           linalg.copy
// TILES:           linalg.copy
// TILES:           scf.if %[[IS_FIRST]]
// TILES:             step (192, 128)
// TILES:             way = "roles"
// TILES:             scf.if %[[IS_SECOND]]
// TILES:               step (64, 128)
// TILES:               alone = true
// TILES-NOT:     linalg.copy
// TILES:         step (128, 128)
// TILES-NOT:     way =
// TILES:         return
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Rows of a known length that is a multiple. Then a launch chooses between kernels for
// few tiles, of which there are four, as the columns are known, and for many, of which there are three, by their numbers of tiles and what is
// summed. If there are few rows, workgroups sum chunks of at least 512 elements, if that saves so many that it pays to
// merge them: with 64 x 128 up to 64 rows, and with 128 x 64 up to 128.

// CHECK-LABEL: func @known(
// CHECK:         scf.forall
// CHECK:         } {{.*}}way = "async"
// CHECK-NOT:     scf.forall
// CHECK:         return
// TILES-LABEL: func @known(
// TILES-SAME:      %[[A:[^:]*]]: tensor<?x4096xf16>, %{{[^:]*}}: tensor<4096x2048xf16>, %[[C:[^:]*]]: tensor<?x2048xf32>)
// TILES-DAG:     %[[M:.*]] = tensor.dim %[[A]], %c0
// TILES:         %[[CHUNK:.*]] = arith.maxui %{{.*}}, %c512
// TILES:         %[[SAVING:.*]] = arith.addi %[[CHUNK]], %c1536
// TILES:         %[[SAVES:.*]] = arith.cmpi ule, %[[SAVING]], %c4096
// TILES:         %[[IS_ONE_TILE:.*]] = arith.cmpi ule, %[[M]], %c64
// TILES:         %[[IS_SPLIT:.*]] = arith.andi %[[SAVES]], %[[IS_ONE_TILE]]
// TILES:         %[[IS_WHOLE:.*]] = arith.xori %[[IS_SPLIT]], %true
// TILES:         %[[WIDE_CHUNK:.*]] = arith.maxui %{{.*}}, %c512
// TILES:         %[[WIDE_SAVING:.*]] = arith.addi %[[WIDE_CHUNK]], %c3072
// TILES:         %[[WIDE_SAVES:.*]] = arith.cmpi ule, %[[WIDE_SAVING]], %c4096
// TILES:         %[[IS_WIDE_TILE:.*]] = arith.cmpi ule, %[[M]], %c128
// TILES:         %[[ARE_SPLIT:.*]] = arith.andi %[[WIDE_SAVES]], %[[IS_WIDE_TILE]]
// TILES:         %[[IS_WIDE:.*]] = arith.andi %[[IS_WHOLE]], %[[ARE_SPLIT]]
// TILES:         %[[TIME:.*]] = arith.addi %{{.*}}, %c5000
// TILES:         arith.addi %[[M]], %c191
// TILES:         %[[OTHER_TIME:.*]] = arith.addi %{{.*}}, %c5000
// TILES:         %[[IS_FASTER:.*]] = arith.cmpi ule, %[[TIME]], %[[OTHER_TIME]]
// TILES:         %[[SMALL_TIME:.*]] = arith.addi %{{.*}}, %c5000
// TILES:         %[[IS_FASTER_THAN_SMALL:.*]] = arith.cmpi ule, %[[TIME]], %[[SMALL_TIME]]
// TILES:         arith.maxui %{{.*}}, %c303
// TILES:         arith.cmpi ule, %[[TIME]], %[[LONE_TIME:.*]] :
// TILES:         arith.cmpi ule, %[[TIME]], %[[SMALL_LONE_TIME:.*]] :
// TILES:         arith.cmpi ule, %[[TIME]], %[[WIDE_LONE_TIME:.*]] :
// TILES:         %[[IS_FASTER_THAN_FEW:.*]] = arith.cmpi ule, %[[TIME]], %[[TIME_OF_FEW:.*]] :
// TILES:         %[[IS_FASTEST:.*]] = arith.andi %{{.*}}, %[[IS_FASTER_THAN_FEW]]
// TILES:         %[[MANY:.*]] = arith.andi %{{.*}}, %[[IS_FASTEST]]
// TILES-DAG:     arith.cmpi ule, %[[OTHER_TIME]], %[[SMALL_TIME]]
// TILES-DAG:     arith.cmpi ule, %[[OTHER_TIME]], %[[LONE_TIME]]
// TILES:         %[[OTHER_THAN_FEW:.*]] = arith.cmpi ule, %[[OTHER_TIME]], %[[TIME_OF_FEW]]
// TILES:         %[[ARE_FASTEST:.*]] = arith.andi %{{.*}}, %[[OTHER_THAN_FEW]]
// TILES:         %[[OTHERS:.*]] = arith.andi %{{.*}}, %[[ARE_FASTEST]]
// TILES:         %[[SMALL_THAN_FEW:.*]] = arith.cmpi ule, %[[SMALL_TIME]], %[[TIME_OF_FEW]]
// TILES:         %[[SMALL_IS_FASTEST:.*]] = arith.andi %{{.*}}, %[[SMALL_THAN_FEW]]
// TILES:         %[[SMALL:.*]] = arith.andi %{{.*}}, %[[SMALL_IS_FASTEST]]
// TILES:         %[[LONE_THAN_FEW:.*]] = arith.cmpi ule, %[[LONE_TIME]], %[[TIME_OF_FEW]]
// TILES:         %[[RESULT:.*]] = scf.if %[[IS_SPLIT]]
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (64, 128) shared_outs(%{{.*}} = %[[C]])
// TILES:             scf.forall {{.*}} step (%[[CHUNK]])
// TILES:               scf.for {{.*}} step %c128
// TILES:         alone = true
// TILES:         } else {
// TILES:         scf.if %[[IS_WIDE]]
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (128, 64) shared_outs(%{{.*}} = %[[C]])
// TILES:             scf.forall {{.*}} step (%[[WIDE_CHUNK]])
// TILES:               scf.for {{.*}} step %c128
// TILES:         alone = true
// TILES:         } else {
// TILES:         scf.if %[[MANY]]
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (128, 256) shared_outs(%{{.*}} = %[[C]])
// TILES:         persist = 1
// TILES:         } else {
// TILES:         scf.if %[[OTHERS]]
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (192, 128) shared_outs(%{{.*}} = %[[C]])
// TILES:         persist = 1
// TILES:         } else {
// TILES:         scf.if %[[SMALL]]
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (128, 128) shared_outs(%{{.*}} = %[[C]])
// TILES:         persist = 1
// TILES:         } else {
// TILES:         scf.if
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (64, 128) shared_outs(%{{.*}} = %[[C]])
// TILES:         alone = true
// TILES:         } else {
// TILES:         scf.if
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (64, 64) shared_outs(%{{.*}} = %[[C]])
// TILES:         alone = true
// TILES:         } else {
// TILES:         scf.if
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (64, 192) shared_outs(%{{.*}} = %[[C]])
// TILES:         alone = true
// TILES:         } else {
// TILES:         scf.if
// TILES:           scf.forall {{.*}} to (%[[M]], 2048) step (64, 128) shared_outs(%{{.*}} = %[[C]])
// TILES-NOT:     scf.forall (
// TILES:         way = "async"
// TILES:         } else {
// TILES-NEXT:      scf.yield %[[C]]
// TILES:         return %[[RESULT]]
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

// -----

// A product that sums the one element of a dimension of one operand has no
// operand that could be copied, whatever its rows.

// CHECK-LABEL: func @sum_of_one(
// CHECK-NOT:     linalg.copy
// CHECK:         scf.forall
// CHECK-NOT:     linalg.copy
// TILES-LABEL: func @sum_of_one(
// TILES-NOT:     linalg.copy
// TILES:         scf.forall
// TILES-NOT:     linalg.copy
func.func @sum_of_one(%a: tensor<96x2101xbf16>, %b: tensor<1x2101xbf16>, %c: tensor<96x2101xbf16>) -> tensor<96x2101xbf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<96x2101xbf16>, tensor<1x2101xbf16>) outs(%c : tensor<96x2101xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %acc: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %acc, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<96x2101xbf16>
  return %r : tensor<96x2101xbf16>
}
