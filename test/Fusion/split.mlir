// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="split(0,0,8)for(0,0,4)"' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="split(0,0,8)" normalization=eager' --canonicalize --cse | FileCheck %s --check-prefix=EAGER
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="split(0,0,8)for(0,0,4)"' -o /dev/null | FileCheck %s --check-prefix=PLAN

// PLAN: level 0: split tiles [0, 0, 8]
// PLAN: level 1: for tiles [0, 0, 4]
// PLAN: carried from level 0 to 1

// Every chunk starts from the identity, in a slot of its own, of which there are
// as many as chunks. The merge starts from what the caller gives.
// CHECK-LABEL: func @attention
//  CHECK-SAME:   %[[M:[a-z0-9]+]]: tensor<3xf32>, %[[L:[a-z0-9]+]]: tensor<3xf32>
//       CHECK:   %[[P:.+]]:3 = scf.forall (%[[IV:.+]]) = (0) to (%[[N:.+]]) step (8)
//  CHECK-SAME:     -> (tensor<?x3x2xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
//       CHECK:     %[[C:.+]] = affine.apply #{{.+}}()[%[[IV]]]
//       CHECK:     %[[ACC0:.+]] = linalg.fill ins(%{{.+}} : f32)
//       CHECK:     %[[M0:.+]] = linalg.fill ins(%{{.+}} : f32)
//       CHECK:     %[[L0:.+]] = linalg.fill ins(%{{.+}} : f32)
//       CHECK:     %[[R:.+]]:3 = scf.for {{.*}} iter_args(%{{.+}} = %[[ACC0]], %{{.+}} = %[[M0]], %{{.+}} = %[[L0]])
//       CHECK:       linalg_ext.softmax dimension(1) online delayed
//       CHECK:     tensor.parallel_insert_slice %[[R]]#0 into %{{.+}}[%[[C]], 0, 0] [1, 3, 2]
//       CHECK:   %[[M1:.+]] = bufferization.alloc_tensor() copy(%[[M]])
//       CHECK:   %[[L1:.+]] = bufferization.alloc_tensor() copy(%[[L]])
//       CHECK:   %[[S:.+]]:3 = scf.for {{.*}} iter_args(%[[A:.+]] = %{{.+}}, %[[MA:.+]] = %[[M1]], %[[LA:.+]] = %[[L1]])
//   CHECK-DAG:     %[[PA:.+]] = tensor.extract_slice %[[P]]#0
//   CHECK-DAG:     %[[PM:.+]] = tensor.extract_slice %[[P]]#1
//       CHECK:     %[[NEW:.+]]:2 = linalg.generic {{.*}} ins(%[[MA]], %[[LA]], %[[PM]]
//       CHECK:       arith.maximumf
//       CHECK:     %[[RHO:.+]] = linalg.generic {{.*}} ins(%[[MA]], %[[NEW]]#0
//       CHECK:     linalg_ext.diag ins(%[[RHO]]
//       CHECK:     %[[RHOP:.+]] = linalg.generic {{.*}} ins(%[[PM]], %[[NEW]]#0
//       CHECK:     linalg_ext.diag ins(%[[RHOP]]
//       CHECK:     %[[SUM:.+]] = linalg.generic
//       CHECK:       arith.addf
//       CHECK:     %[[STORED:.+]] = bufferization.materialize_in_destination %[[NEW]]#0 in %[[MA]]
//       CHECK:     %[[STORED_SUM:.+]] = bufferization.materialize_in_destination %[[NEW]]#1 in %[[LA]]
//       CHECK:     scf.yield %{{.+}}, %[[STORED]], %[[STORED_SUM]]
// The normalisation is applied to what has been merged, and to nothing else.
//       CHECK:   %[[INV:.+]] = linalg.generic {{.*}} ins(%[[S]]#2
//       CHECK:   linalg_ext.diag ins(%[[INV]]

// A chunk of one tile needs no repair before it is merged.
// EAGER-LABEL: func @attention
//       EAGER:   scf.forall
//       EAGER:     linalg_ext.softmax dimension(1) online ins
//   EAGER-NOT:     linalg_ext.diag
//       EAGER:     linalg.matmul
//       EAGER:   scf.for
// EAGER-COUNT-2:   linalg_ext.diag
//   EAGER-NOT:   linalg_ext.diag
func.func @attention(%s: tensor<3x?xf32>, %v: tensor<?x2xf32>, %m: tensor<3xf32>, %l: tensor<3xf32>) -> tensor<3x2xf32> {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %s, %c1 : tensor<3x?xf32>
  %e = tensor.empty(%n) : tensor<3x?xf32>
  %r = tensor.empty() : tensor<3xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<3x?xf32>) outs(%e, %m, %l, %r : tensor<3x?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  %eo = tensor.empty() : tensor<3x2xf32>
  %fo = linalg.fill ins(%z : f32) outs(%eo : tensor<3x2xf32>) -> tensor<3x2xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<3x?xf32>, tensor<?x2xf32>) outs(%fo : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %o : tensor<3x2xf32>
}
