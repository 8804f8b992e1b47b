// RUN: linalg-ext-opt %s --linalg-ext-shard="sharding='2: [], [[], [0]], [[], [0]] -> []'" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-shard="sharding='2: [[0]], [[0]], [[0]] -> [[0]]'" \
// RUN:   | FileCheck %s --check-prefix=HEADS --implicit-check-not=call
// RUN: linalg-ext-compile %s --shard='2: [], [[], [0]], [[], [0]] -> []' \
// RUN:   --emit=obj -o %t.o 2>&1 | FileCheck %s --check-prefix=FUSED --implicit-check-not=remark

// The product waits for the other processes. The scores and the weights are not stored.
// FUSED: remark: stored: 4x10x16xf32 (2.5 KiB) of a loop nest

// Each process has 16 of 32 keys. One loop can compute its state and its product: what
// depends on the other processes comes behind both. The repair of the weights is applied
// to the product.
// CHECK-LABEL: func.func @attention
// CHECK-SAME:    tensor<4x10x16xf32>, %{{.*}}: tensor<4x16x16xf32>, %{{.*}}: tensor<4x16x16xf32>
// CHECK:         %[[P:.*]]:4 = linalg_ext.softmax
// CHECK:         %[[O:.*]] = linalg.batch_matmul ins(%[[P]]#0,
// CHECK:         call @linalg_ext_mpi_all_gather_f32
// CHECK:         call @linalg_ext_mpi_all_gather_f32
// CHECK:         %[[RHO:.*]] = linalg.generic {{.*}} ins(%[[P]]#1,
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[O]], %[[RHO]]
// CHECK:         bufferization.materialize_in_destination %[[R]] in restrict writable %[[B:.*]] :
// CHECK:         call @linalg_ext_mpi_all_reduce_f32
// CHECK:         bufferization.to_tensor %[[B]]

// Heads need no communication.
// HEADS-LABEL: func.func @attention
// HEADS-SAME:    tensor<2x10x16xf32>, %{{.*}}: tensor<2x32x16xf32>, %{{.*}}: tensor<2x32x16xf32>
// HEADS:         linalg_ext.softmax

func.func @attention(%q: tensor<4x10x16xf32>, %k: tensor<4x32x16xf32>,
                     %v: tensor<4x32x16xf32>) -> tensor<4x10x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<4x10x32xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x10x32xf32>) -> tensor<4x10x32xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x10x16xf32>, tensor<4x32x16xf32>) outs(%sz : tensor<4x10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x10x32xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x10x32xf32>) outs(%se : tensor<4x10x32xf32>) {
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<4x10x32xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<4x10x32xf32>) outs(%se : tensor<4x10x32xf32>) -> tensor<4x10x32xf32>
  %oe = tensor.empty() : tensor<4x10x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x10x16xf32>) -> tensor<4x10x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x10x32xf32>, tensor<4x32x16xf32>) outs(%oz : tensor<4x10x16xf32>) -> tensor<4x10x16xf32>
  return %o : tensor<4x10x16xf32>
}
