// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2)for(0,3)"' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="forall(2)for(0,3)"' -o /dev/null | FileCheck %s --check-prefix=PLAN
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="split(0,3)"' --canonicalize --cse | FileCheck %s --check-prefix=SPLIT

// The weights of the 2 best experts of each token, renormalised, and who they
// are, in one pass over the scores: an accumulation of two results, of which
// the loop repairs the first. What the driver knows of the op it is told by
// RepairableOpInterface. The position of an expert is that in the whole row.

// PLAN: repair root 'extend.topk': scale by the repair of 'linalg_ext.softmax'#0 along dims [0]

// CHECK-LABEL: func @route
//       CHECK:   %[[R:.+]]:2 = scf.forall
//       CHECK:     %[[L:.+]]:4 = scf.for %[[IV:.+]] = {{.*}} iter_args(%[[V:.+]] = %{{.+}}, %[[I:.+]] = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}})
//   CHECK-DAG:       %[[OLDV:.+]] = tensor.extract_slice %[[V]]
//   CHECK-DAG:       %[[OLDI:.+]] = tensor.extract_slice %[[I]]
//   CHECK-DAG:       %[[P:.+]]:4 = linalg_ext.softmax dimension(1) online delayed
//   CHECK-DAG:       %[[POS:.+]] = tensor.extract_slice %{{.+}}[%[[IV]]] [%{{.+}}] [1] : tensor<?xi64>
//       CHECK:       %[[REPAIRED:.+]] = linalg.generic {{.*}} ins(%[[P]]#3 : {{.*}} outs(%[[OLDV]] :
//       CHECK:       extend.topk dimension(1) ins(%[[P]]#0, %[[POS]] : {{.*}} outs(%[[REPAIRED]], %[[OLDI]] :
//       CHECK:     %[[FINAL:.+]] = linalg.generic {{.*}} ins(%{{.+}} : {{.*}} outs(%[[L]]#0 :
//       CHECK:     tensor.parallel_insert_slice %[[FINAL]]
//       CHECK:     tensor.parallel_insert_slice %[[L]]#1
//       CHECK:   %[[SUM:.+]] = linalg.reduce {{.*}} ins(%[[R]]#0
//       CHECK:   %[[W:.+]] = linalg.generic {{.*}} ins(%[[R]]#0, %[[SUM]]
//       CHECK:   return %[[W]], %[[R]]#1

// Chunks are merged by the op itself: what one of them holds is put into what
// the others hold.

// SPLIT-LABEL: func @route
//       SPLIT:   scf.forall
//       SPLIT:     extend.topk
//       SPLIT:   scf.for
//       SPLIT:     extend.topk dimension(1) ins(%{{.+}}, %{{.+}} : tensor<?x2xf32>, tensor<?x2xi64>) outs(%{{.+}}, %{{.+}} : tensor<?x2xf32>, tensor<?x2xi64>)
func.func @route(%x: tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x2xi64>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %izero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = tensor.dim %x, %c0 : tensor<?x?xf32>
  %N = tensor.dim %x, %c1 : tensor<?x?xf32>
  %ey = tensor.empty(%M, %N) : tensor<?x?xf32>
  %er = tensor.empty(%M) : tensor<?xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%ey, %m0, %l0, %er : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %ep = tensor.empty(%N) : tensor<?xi64>
  %positions = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]} outs(%ep : tensor<?xi64>) {
  ^bb0(%out: i64):
    %j = linalg.index 0 : index
    %jc = arith.index_cast %j : index to i64
    linalg.yield %jc : i64
  } -> tensor<?xi64>
  %ev = tensor.empty(%M) : tensor<?x2xf32>
  %ei = tensor.empty(%M) : tensor<?x2xi64>
  %v0 = linalg.fill ins(%ninf : f32) outs(%ev : tensor<?x2xf32>) -> tensor<?x2xf32>
  %i0 = linalg.fill ins(%izero : i64) outs(%ei : tensor<?x2xi64>) -> tensor<?x2xi64>
  %best:2 = extend.topk dimension(1) ins(%p#0, %positions : tensor<?x?xf32>, tensor<?xi64>) outs(%v0, %i0 : tensor<?x2xf32>, tensor<?x2xi64>) -> tensor<?x2xf32>, tensor<?x2xi64>
  %sum = linalg.reduce {arith.addf} ins(%best#0 : tensor<?x2xf32>) outs(%l0 : tensor<?xf32>) dimensions = [1]
  %weights = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (i, k)>], iterator_types = ["parallel", "parallel"]} ins(%best#0, %sum : tensor<?x2xf32>, tensor<?xf32>) outs(%ev : tensor<?x2xf32>) {
  ^bb0(%v: f32, %s: f32, %out: f32):
    %w = arith.divf %v, %s : f32
    linalg.yield %w : f32
  } -> tensor<?x2xf32>
  return %weights, %best#1 : tensor<?x2xf32>, tensor<?x2xi64>
}
