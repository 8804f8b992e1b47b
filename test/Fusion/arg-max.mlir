// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,3)"' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="split(0,3)"' --canonicalize --cse | FileCheck %s --check-prefix=SPLIT
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,3)"' -o /dev/null | FileCheck %s --check-prefix=PLAN

// The arg-max of a softmax, as importers write it, is one accumulation: the
// loop scales the maximum, where it is one, and leaves the index alone. That is
// of the whole row.

// PLAN: repair root 'linalg.generic': scale by the repair of 'linalg_ext.softmax'#0 along dims [0]

// CHECK-LABEL: func @arg_max
//       CHECK:   %[[NONE:.+]] = arith.constant 0xFF800000
//       CHECK:   %[[L:.+]]:4 = scf.for %[[IV:.+]] = {{.*}} iter_args(%[[V:.+]] = %{{.+}}, %[[I:.+]] = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}})
//       CHECK:     %[[P:.+]]:4 = linalg_ext.softmax dimension(1) online delayed
//       CHECK:     %[[REPAIRED:.+]] = linalg.generic {{.*}} ins(%[[P]]#3 : {{.*}} outs(%[[V]] :
//       CHECK:     ^bb0(%[[RHO:.+]]: f32, %[[OLD:.+]]: f32):
//       CHECK:       %[[SCALED:.+]] = arith.mulf %[[OLD]], %[[RHO]]
//       CHECK:       %[[NOTHING:.+]] = arith.cmpf oeq, %[[OLD]], %[[NONE]]
//       CHECK:       arith.select %[[NOTHING]], %[[OLD]], %[[SCALED]]
//       CHECK:     linalg.generic {{.*}} ins(%[[P]]#0 : {{.*}} outs(%[[REPAIRED]], %[[I]] :
//       CHECK:       %[[LOCAL:.+]] = linalg.index 1
//       CHECK:       affine.apply {{.*}}(%[[IV]])[%[[LOCAL]]]
//       CHECK:   %[[FINAL:.+]] = linalg.generic {{.*}} outs(%[[L]]#0 :
//       CHECK:   return %[[FINAL]], %[[L]]#1

// Chunks are merged pair by pair, the first chunk keeping what is equal.

// SPLIT-LABEL: func @arg_max
//       SPLIT:   scf.forall
//       SPLIT:   scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[I:.+]] = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}})
//       SPLIT:     linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<4xf32>, tensor<4xi64>) outs(%{{.+}}, %[[I]] : tensor<4xf32>, tensor<4xi64>)
//       SPLIT:     ^bb0(%[[V:.+]]: f32, %[[J:.+]]: i64, %[[BEST:.+]]: f32, %[[K:.+]]: i64):
//       SPLIT:       %[[BETTER:.+]] = arith.cmpf ogt, %[[V]], %[[BEST]]
//   SPLIT-DAG:       arith.select %[[BETTER]], %[[V]], %[[BEST]]
//   SPLIT-DAG:       arith.select %[[BETTER]], %[[J]], %[[K]]
func.func @arg_max(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %izero = arith.constant 0 : i64
  %ey = tensor.empty() : tensor<4x8xf32>
  %er = tensor.empty() : tensor<4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%ey, %m0, %l0, %er : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %i0 = linalg.fill ins(%izero : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %best:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p#0 : tensor<4x8xf32>) outs(%m0, %i0 : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %v: f32, %i: i64):
    %j = linalg.index 1 : index
    %jc = arith.index_cast %j : index to i64
    %better = arith.cmpf ogt, %in, %v : f32
    %nv = arith.select %better, %in, %v : f32
    %ni = arith.select %better, %jc, %i : i64
    linalg.yield %nv, %ni : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %best#0, %best#1 : tensor<4xf32>, tensor<4xi64>
}
