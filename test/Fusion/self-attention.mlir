// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-tile-and-fuse='levels="for(2) for(0,0,3)"' --canonicalize --cse | FileCheck %s

// RUN: linalg-ext-opt %s --linalg-ext-raise --test-linalg-ext-plan='levels="for(2) for(0,0,3)"' -o /dev/null | FileCheck %s --check-prefix=PLAN

// PLAN: level 0
// PLAN:   fuse 'linalg.exp'{{$}}
// PLAN: level 1
// PLAN:   keep 'linalg.exp'

// One producer is the query, the key and the value. As key and value it is the
// same for every block of queries, and is computed once; as query it is fused.

// CHECK-LABEL: func @self_attention
//       CHECK:   %[[X:.+]] = linalg.exp
//       CHECK:   scf.for
//       CHECK:     linalg.exp {{.*}} -> tensor<2x4xf32>
//       CHECK:     scf.for
//   CHECK-NOT:       linalg.exp
//   CHECK-DAG:       tensor.extract_slice %[[X]]
//       CHECK:   return
func.func @self_attention(%arg: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %xe = tensor.empty() : tensor<8x4xf32>
  %x = linalg.exp ins(%arg : tensor<8x4xf32>) outs(%xe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %se = tensor.empty() : tensor<8x8xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %x : tensor<8x4xf32>, tensor<8x4xf32>) outs(%sf : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%se : tensor<8x8xf32>) -> tensor<8x8xf32>
  %of = linalg.fill ins(%zero : f32) outs(%xe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %x : tensor<8x8xf32>, tensor<8x4xf32>) outs(%of : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
