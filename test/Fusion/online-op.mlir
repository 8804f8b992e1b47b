// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2)for(0,3)"' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="forall(2)for(0,3)"' -o /dev/null | FileCheck %s --check-prefix=PLAN

// An online op the driver has never heard of, repaired by adding: the max-plus
// product A[i, n] = max_j (logsoftmax(x)[i, j] + w[j, n]). Its log-sum-exp is a
// result too and leaves both loops.

// PLAN: level 1: for tiles [0, 3, 0]
// PLAN: fuse 'extend.log_softmax', partial, yields [1]
// PLAN: state 'extend.log_softmax', carried from level 1 to 1, eager normalisation
// PLAN-NEXT: repair root 'linalg.generic': add by the repair of 'extend.log_softmax'#0 along dims [0]

// CHECK-LABEL: func @max_plus
//       CHECK:   %[[R:.+]]:2 = scf.forall {{.*}} shared_outs(%{{.+}} = %{{.+}}, %[[LSE:.+]] = %{{.+}})
//       CHECK:     scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[STATE:.+]] = %{{.+}})
//       CHECK:       %[[OLD:.+]] = tensor.extract_slice %[[STATE]]
//       CHECK:       %[[Y:.+]]:2 = extend.log_softmax dimension(1) online {{.*}} outs(%{{.+}}, %[[OLD]]
//       CHECK:       %[[RHO:.+]] = linalg.generic {{.*}} ins(%[[OLD]], %[[Y]]#1
//       CHECK:       %[[REPAIRED:.+]] = linalg.generic {{.*}} ins(%[[RHO]]
//       CHECK:         arith.addf
//       CHECK:       linalg.generic {{.*}} ins(%[[Y]]#0, %{{.+}} outs(%[[REPAIRED]]
//       CHECK:   return %[[R]]#0, %[[R]]#1
func.func @max_plus(%x: tensor<?x?xf32>, %w: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = tensor.dim %x, %c0 : tensor<?x?xf32>
  %N = tensor.dim %x, %c1 : tensor<?x?xf32>
  %ey = tensor.empty(%M, %N) : tensor<?x?xf32>
  %el = tensor.empty(%M) : tensor<?xf32>
  %l0 = linalg.fill ins(%ninf : f32) outs(%el : tensor<?xf32>) -> tensor<?xf32>
  %y, %lse = extend.log_softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%ey, %l0 : tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>
  %eo = tensor.empty(%M) : tensor<?x2xf32>
  %fo = linalg.fill ins(%ninf : f32) outs(%eo : tensor<?x2xf32>) -> tensor<?x2xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j, n) -> (i, j)>, affine_map<(i, j, n) -> (j, n)>, affine_map<(i, j, n) -> (i, n)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%y, %w : tensor<?x?xf32>, tensor<?x2xf32>) outs(%fo : tensor<?x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %c, %s : f32
    linalg.yield %m : f32
  } -> tensor<?x2xf32>
  return %o, %lse : tensor<?x2xf32>, tensor<?xf32>
}
