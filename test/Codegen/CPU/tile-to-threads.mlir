// RUN: linalg-ext-opt %s --linalg-ext-share-among-threads=steps=tile --canonicalize --cse --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-share-among-threads{steps=tile},canonicalize,cse)' --split-input-file | FileCheck %s

// A block of the result, together with its fill.

// CHECK-LABEL: func @matmul(
// CHECK-SAME:    %[[A:.*]]: memref<512x64xf32>, %[[B:.*]]: memref<64x200xf32>, %[[C:.*]]: memref<512x200xf32>
// CHECK-NOT:     linalg.fill
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) = (0, 0) to (512, 200) step (128, 128) {
// CHECK:           %[[N:.*]] = affine.min {{.*}}(%[[J]])
// CHECK-DAG:       %[[AT:.*]] = memref.subview %[[A]][%[[I]], 0] [128, 64]
// CHECK-DAG:       %[[BT:.*]] = memref.subview %[[B]][0, %[[J]]] [64, %[[N]]]
// CHECK-DAG:       %[[CT:.*]] = memref.subview %[[C]][%[[I]], %[[J]]] [128, %[[N]]]
// CHECK:           linalg.fill {{.*}} outs(%[[CT]]
// CHECK:           linalg.matmul ins(%[[AT]], %[[BT]] : {{.*}} outs(%[[CT]]
func.func @matmul(%a: memref<512x64xf32>, %b: memref<64x200xf32>, %c: memref<512x200xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x200xf32>)
  linalg.matmul ins(%a, %b : memref<512x64xf32>, memref<64x200xf32>) outs(%c : memref<512x200xf32>)
  return
}

// -----

// A piece has as many rows as are worth starting a thread for. If sizes are unknown, this
// number is computed.

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK:       affine_map<()[s0, s1] -> (16384 ceildiv s0, s1)>
// CHECK-LABEL: func @elementwise_dynamic(
// CHECK:         scf.forall (%[[I:.*]], %{{.*}}) = (0, 0) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) {
// CHECK:           linalg.generic
// CHECK:             %[[IN:.*]] = linalg.index 0
// CHECK:             affine.apply {{.*}}(%[[I]])[%[[IN]]]
func.func @elementwise_dynamic(%a: memref<?x?xf32>, %o: memref<?x?xindex>) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf32>) outs(%o : memref<?x?xindex>) {
  ^bb0(%x: f32, %y: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  }
  return
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @rows(
// CHECK:         scf.forall {{.*}} = (0) to (1000) step (64)
// CHECK:           linalg.generic
func.func @rows(%a: memref<1000x4096xf32>, %s: memref<1000xf32>) {
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<1000x4096xf32>) outs(%s : memref<1000xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %acc, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @copy(
// CHECK:         scf.forall
// CHECK:           linalg.generic
// CHECK-NOT:     memref.copy
func.func @copy(%a: memref<512x512xf32>, %b: memref<512x512xf32>) {
  memref.copy %a, %b : memref<512x512xf32> to memref<512x512xf32>
  return
}

// -----

// Nothing changes if there is one piece, nothing to share, or a loop around the op.

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// CHECK-LABEL: func @negative_small(
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_small(%a: memref<32x32xf32>, %c: memref<32x32xf32>) {
  linalg.matmul ins(%a, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}

// CHECK-LABEL: func @negative_scalar(
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_scalar(%a: memref<1000000xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%a : memref<1000000xf32>) outs(%s : memref<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %acc, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func @negative_empty(
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_empty(%a: memref<0x512xf32>, %b: memref<512x512xf32>, %c: memref<0x512xf32>) {
  linalg.matmul ins(%a, %b : memref<0x512xf32>, memref<512x512xf32>) outs(%c : memref<0x512xf32>)
  return
}

// CHECK-LABEL: func @negative_in_loop(
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @negative_in_loop(%a: memref<512x512xf32>, %c: memref<512x512xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%a, %a : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  }
  return
}

// -----

// An op with many dimensions.

// CHECK-LABEL: func @many(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<
// CHECK:         scf.forall (%[[I0:.*]], %[[I1:.*]], %[[I2:.*]], %[[I3:.*]], %[[I4:.*]], %[[I5:.*]], %[[I6:.*]], %[[I7:.*]]) =
// CHECK:           memref.subview %[[A]][%[[I0]], %[[I1]], %[[I2]], %[[I3]], %[[I4]], %[[I5]], %[[I6]], %[[I7]]]
// CHECK:           linalg.exp
func.func @many(%a: memref<?x?x?x?x?x?x?x?xf32>, %b: memref<?x?x?x?x?x?x?x?xf32>) {
  linalg.exp ins(%a : memref<?x?x?x?x?x?x?x?xf32>) outs(%b : memref<?x?x?x?x?x?x?x?xf32>)
  return
}

// -----

#word = affine_map<(n, m) -> (n floordiv 8)>
#all = affine_map<(n, m) -> (n, m)>

// A piece begins with a whole word: 86 rows are worth a thread, and 88 have whole words.

// CHECK-LABEL: func @words(
// CHECK:         scf.forall (%[[N:.*]]) = (0) to (504) step (88)
// CHECK:           %[[WORD:.*]] = affine.apply {{.*}}(%[[N]])
// CHECK:           memref.subview %{{.*}}[%[[WORD]]]
func.func @words(%w: memref<63xi32>, %y: memref<504x192xi32>) {
  linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel"]}
      ins(%w : memref<63xi32>) outs(%y : memref<504x192xi32>) {
  ^bb0(%a: i32, %o: i32):
    %n = linalg.index 0 : index
    %i = arith.index_cast %n : index to i32
    %c7 = arith.constant 7 : i32
    %0 = arith.andi %i, %c7 : i32
    %1 = arith.shrui %a, %0 : i32
    linalg.yield %1 : i32
  }
  return
}
