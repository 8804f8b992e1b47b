// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=sync,async' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups='ways=sync,async,persistent' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=TILES

// Rows of a length that is not known: a loop with asynchronous products where they are
// a multiple of 16 bytes, and one without for others. Only one has iterations. What is
// no operand of the product says nothing. Where persistent kernels are allowed, two read
// copies of the operands, with rows of such a multiple.

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
// TILES:         %[[SPLIT:.*]] = scf.forall {{.*}} step (64, 128)
// TILES:           scf.forall
// TILES:         way = "async"
// TILES:         step (128, 256)
// TILES:         way = "roles"
// TILES:         step (192, 128)
// TILES:         way = "roles"
// TILES:         step (128, 128)
// TILES:         way = "roles"
// TILES:         step (64, 128)
// TILES:         way = "async"
// TILES:         linalg.copy
// TILES:         linalg.copy
// TILES-NOT:     linalg.copy
// TILES:         step (192, 128)
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
// few tiles and for many, of which there are three, by their numbers of tiles and what is
// summed. If there are so few tiles that sums have four chunks of at least 512 elements or more, workgroups sum
// chunks.

// CHECK-LABEL: func @known(
// CHECK:         scf.forall
// CHECK:         } {{.*}}way = "async"
// CHECK-NOT:     scf.forall
// CHECK:         return
// TILES-LABEL: func @known(
// TILES-SAME:      %[[A:[^:]*]]: tensor<?x4096xf16>
// TILES-DAG:     %[[M:.*]] = tensor.dim %[[A]], %c0
// TILES:         %[[CHUNK:.*]] = arith.maxui %{{.*}}, %c512
// TILES:         %[[THREE:.*]] = arith.muli %[[CHUNK]], %c3
// TILES:         %[[IS_SPLIT:.*]] = arith.cmpi ult, %[[THREE]], %c4096
// TILES:         %[[IS_WHOLE:.*]] = arith.cmpi uge, %[[THREE]], %c4096
// TILES:         %[[LARGE:.*]] = arith.addi %[[M]], %c127
// TILES:         arith.divui %[[LARGE]], %c128
// TILES:         %[[TIME:.*]] = arith.addi %{{.*}}, %c5000
// TILES:         arith.addi %[[M]], %c191
// TILES:         %[[OTHER_TIME:.*]] = arith.addi %{{.*}}, %c5000
// TILES:         %[[IS_FASTER:.*]] = arith.cmpi ule, %[[TIME]], %[[OTHER_TIME]]
// TILES:         %[[SMALL_TIME:.*]] = arith.addi %{{.*}}, %c5000
// TILES:         %[[IS_FASTER_THAN_SMALL:.*]] = arith.cmpi ule, %[[TIME]], %[[SMALL_TIME]]
// TILES:         %[[IS_FASTER_THAN_BOTH:.*]] = arith.andi %[[IS_FASTER]], %[[IS_FASTER_THAN_SMALL]]
// TILES:         %[[IS_FASTER_THAN_FEW:.*]] = arith.cmpi ule, %[[TIME]], %[[TIME_OF_FEW:.*]] :
// TILES:         %[[IS_FASTEST:.*]] = arith.andi %[[IS_FASTER_THAN_BOTH]], %[[IS_FASTER_THAN_FEW]]
// TILES:         %[[MANY:.*]] = arith.andi %[[IS_WHOLE]], %[[IS_FASTEST]]
// TILES:         %[[IS_SLOWER:.*]] = arith.xori %[[IS_FASTEST]], %true
// TILES:         %[[LEFT_OVER:.*]] = arith.andi %[[IS_WHOLE]], %[[IS_SLOWER]]
// TILES-DAG:     %[[OTHER_THAN_SMALL:.*]] = arith.cmpi ule, %[[OTHER_TIME]], %[[SMALL_TIME]]
// TILES-DAG:     %[[OTHER_THAN_FEW:.*]] = arith.cmpi ule, %[[OTHER_TIME]], %[[TIME_OF_FEW]]
// TILES:         %[[ARE_FASTEST:.*]] = arith.andi %[[OTHER_THAN_SMALL]], %[[OTHER_THAN_FEW]]
// TILES:         %[[OTHERS:.*]] = arith.andi %[[LEFT_OVER]], %[[ARE_FASTEST]]
// TILES:         %[[ARE_SLOWER:.*]] = arith.xori %[[ARE_FASTEST]], %true
// TILES:         %[[STILL_LEFT:.*]] = arith.andi %[[LEFT_OVER]], %[[ARE_SLOWER]]
// TILES:         %[[SMALL_THAN_FEW:.*]] = arith.cmpi ule, %[[SMALL_TIME]], %[[TIME_OF_FEW]]
// TILES:         %[[SMALL:.*]] = arith.andi %[[STILL_LEFT]], %[[SMALL_THAN_FEW]]
// TILES:         %[[SMALL_IS_SLOWER:.*]] = arith.cmpi ugt, %[[SMALL_TIME]], %[[TIME_OF_FEW]]
// TILES:         %[[FEW:.*]] = arith.andi %[[STILL_LEFT]], %[[SMALL_IS_SLOWER]]
// TILES:         %[[SPLIT_ROWS:.*]] = arith.select %[[IS_SPLIT]], %[[M]], %c0
// TILES:         %[[SPLIT:.*]] = scf.forall {{.*}} to (%[[SPLIT_ROWS]], 2048) step (64, 128)
// TILES:           scf.forall {{.*}} step (%[[CHUNK]])
// TILES:             scf.for {{.*}} step %c64
// TILES:         way = "async"
// TILES:         %[[ROWS:.*]] = arith.select %[[MANY]], %[[M]], %c0
// TILES:         %[[FIRST:.*]] = scf.forall {{.*}} to (%[[ROWS]], 2048) step (128, 256) shared_outs(%{{.*}} = %[[SPLIT]])
// TILES:         persist = 1
// TILES:         %[[OTHER_ROWS:.*]] = arith.select %[[OTHERS]], %[[M]], %c0
// TILES:         %[[SECOND:.*]] = scf.forall {{.*}} to (%[[OTHER_ROWS]], 2048) step (192, 128) shared_outs(%{{.*}} = %[[FIRST]])
// TILES:         persist = 1
// TILES:         %[[SMALL_ROWS:.*]] = arith.select %[[SMALL]], %[[M]], %c0
// TILES:         %[[THIRD:.*]] = scf.forall {{.*}} to (%[[SMALL_ROWS]], 2048) step (128, 128) shared_outs(%{{.*}} = %[[SECOND]])
// TILES:         persist = 1
// TILES:         %[[LEFT:.*]] = arith.select %[[FEW]], %[[M]], %c0
// TILES:         scf.forall {{.*}} to (%[[LEFT]], 2048) step (64, 128) shared_outs(%{{.*}} = %[[THIRD]])
// TILES-NOT:     scf.forall (
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
