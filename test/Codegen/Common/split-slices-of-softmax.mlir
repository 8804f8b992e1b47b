// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-split-concatenations=steps=reduce-parts -canonicalize -cse \
// RUN:   | FileCheck %s

// Each slice gets a product and a softmax of its own.

// CHECK-LABEL: func.func @slices
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x6x4xf32>, %[[K:[a-z0-9]+]]: tensor<2x9x4xf32>
// CHECK: %[[Q0:.*]] = tensor.extract_slice %[[Q]][0, 0, 0] [1, 6, 4]
// CHECK: %[[S0:.*]] = linalg.batch_matmul {{.*}} ins(%[[Q0]],
// CHECK: %[[Y0:.*]]:4 = linalg_ext.softmax dimension(2) ins(%[[S0]] : tensor<1x6x9xf32>)
// CHECK: %[[Q1:.*]] = tensor.extract_slice %[[Q]][1, 0, 0] [1, 6, 4]
// CHECK: %[[S1:.*]] = linalg.batch_matmul {{.*}} ins(%[[Q1]],
// CHECK: %[[Y1:.*]]:4 = linalg_ext.softmax dimension(2) ins(%[[S1]] : tensor<1x6x9xf32>)
// CHECK: return %[[Y0]]#0, %[[Y1]]#0
func.func @slices(%q: tensor<2x6x4xf32>, %k: tensor<2x9x4xf32>, %s0: tensor<2x6x9xf32>,
                  %m: tensor<2x6xf32>, %l: tensor<2x6xf32>)
    -> (tensor<1x6x9xf32>, tensor<1x6x9xf32>) {
  %s = linalg.batch_matmul
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                       affine_map<(b, m, n, k) -> (b, n, k)>,
                       affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x6x4xf32>, tensor<2x9x4xf32>) outs(%s0 : tensor<2x6x9xf32>)
      -> tensor<2x6x9xf32>
  %y:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<2x6x9xf32>)
      outs(%s0, %m, %l, %m : tensor<2x6x9xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>)
      -> tensor<2x6x9xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
  %a = tensor.extract_slice %y#0[0, 0, 0] [1, 6, 9] [1, 1, 1] : tensor<2x6x9xf32> to tensor<1x6x9xf32>
  %b = tensor.extract_slice %y#0[1, 0, 0] [1, 6, 9] [1, 1, 1] : tensor<2x6x9xf32> to tensor<1x6x9xf32>
  return %a, %b : tensor<1x6x9xf32>, tensor<1x6x9xf32>
}

// -----

// A slice along what is reduced, and a state that is used.

// CHECK-LABEL: func.func @negative_columns
// CHECK: linalg_ext.softmax dimension(2) ins(%{{.*}} : tensor<2x6x9xf32>)
func.func @negative_columns(%s: tensor<2x6x9xf32>, %m: tensor<2x6xf32>, %l: tensor<2x6xf32>)
    -> tensor<2x6x5xf32> {
  %y:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<2x6x9xf32>)
      outs(%s, %m, %l, %m : tensor<2x6x9xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>)
      -> tensor<2x6x9xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
  %a = tensor.extract_slice %y#0[0, 0, 0] [2, 6, 5] [1, 1, 1] : tensor<2x6x9xf32> to tensor<2x6x5xf32>
  return %a : tensor<2x6x5xf32>
}

// CHECK-LABEL: func.func @negative_state
// CHECK: linalg_ext.softmax dimension(2) ins(%{{.*}} : tensor<2x6x9xf32>)
func.func @negative_state(%s: tensor<2x6x9xf32>, %m: tensor<2x6xf32>, %l: tensor<2x6xf32>)
    -> (tensor<1x6x9xf32>, tensor<2x6xf32>) {
  %y:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<2x6x9xf32>)
      outs(%s, %m, %l, %m : tensor<2x6x9xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>)
      -> tensor<2x6x9xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
  %a = tensor.extract_slice %y#0[0, 0, 0] [1, 6, 9] [1, 1, 1] : tensor<2x6x9xf32> to tensor<1x6x9xf32>
  return %a, %y#1 : tensor<1x6x9xf32>, tensor<2x6xf32>
}

// -----

// The rows of two streams of dynamic sizes are taken apart behind a product of the weights.
// Each slice takes all keys, as many as there are.

// CHECK-LABEL: func.func @rows_dynamic
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<?x?xf32>, %{{[a-z0-9]+}}: tensor<?x4xf32>, %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK-DAG: %[[S0:.*]] = tensor.extract_slice %[[S]][0, 0] [%[[N]],
// CHECK-DAG: %[[Y0:.*]]:4 = linalg_ext.softmax dimension(1) ins(%[[S0]] : tensor<?x?xf32>)
// CHECK-DAG: %[[P0:.*]] = linalg.matmul ins(%[[Y0]]#0, %{{.*}} :
// CHECK-DAG: %[[S1:.*]] = tensor.extract_slice %[[S]][%[[N]], 0] [%[[M]],
// CHECK-DAG: %[[Y1:.*]]:4 = linalg_ext.softmax dimension(1) ins(%[[S1]] : tensor<?x?xf32>)
// CHECK-DAG: %[[P1:.*]] = linalg.matmul ins(%[[Y1]]#0, %{{.*}} :
// CHECK: return %[[P0]], %[[P1]]
func.func @rows_dynamic(%s: tensor<?x?xf32>, %v: tensor<?x4xf32>, %n: index, %k: index,
                        %y0: tensor<?x?xf32>, %m: tensor<?xf32>, %o: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %y:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<?x?xf32>)
      outs(%y0, %m, %m, %m : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
      -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %p = linalg.matmul ins(%y#0, %v : tensor<?x?xf32>, tensor<?x4xf32>) outs(%o : tensor<?x4xf32>)
      -> tensor<?x4xf32>
  %a = tensor.extract_slice %p[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %b = tensor.extract_slice %p[%n, 0] [%k, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// As many columns as an argument says, which may be fewer than all.

// CHECK-LABEL: func.func @negative_columns_dynamic
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<2x?x?xf32>
// CHECK: linalg_ext.softmax dimension(2) ins(%[[S]] : tensor<2x?x?xf32>)
// CHECK: tensor.extract_slice
func.func @negative_columns_dynamic(%s: tensor<2x?x?xf32>, %m: tensor<2x?xf32>, %n: index, %k: index)
    -> tensor<1x?x?xf32> {
  %y:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<2x?x?xf32>)
      outs(%s, %m, %m, %m : tensor<2x?x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>)
      -> tensor<2x?x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>
  %a = tensor.extract_slice %y#0[0, 0, 0] [1, %n, %k] [1, 1, 1] : tensor<2x?x?xf32> to tensor<1x?x?xf32>
  return %a : tensor<1x?x?xf32>
}
