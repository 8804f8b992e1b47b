// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)"' --canonicalize --cse | FileCheck %s

// RMSNorm as torch-mlir writes it, keeping the reduced dimension, then a matmul:
// one pass over x. The rsqrt of the mean square scales the result after the loop.

// CHECK-LABEL: func @rms
//   CHECK-NOT:   linalg.generic
//       CHECK:   scf.for {{.*}} -> (tensor<10x6xf32>, tensor<10x1xf32>)
//   CHECK-NOT:     math.rsqrt
//       CHECK:     linalg.matmul
//       CHECK:     scf.yield
//       CHECK:   math.rsqrt
//       CHECK:   linalg_ext.diag
//       CHECK:   linalg_ext.batch_matmul
#id = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0,0)>
#col = affine_map<(d0,d1)->(d1)>
func.func @rms(%x: tensor<10x32xf32>, %g: tensor<32xf32>, %w: tensor<32x6xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %n = arith.constant 32.0 : f32
  %re = tensor.empty() : tensor<10x1xf32>
  %li = linalg.fill ins(%zero : f32) outs(%re : tensor<10x1xf32>) -> tensor<10x1xf32>
  %xe = tensor.empty() : tensor<10x32xf32>
  %sq = linalg.generic {indexing_maps=[#id,#id], iterator_types=["parallel","parallel"]} ins(%x: tensor<10x32xf32>) outs(%xe: tensor<10x32xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.mulf %a, %a : f32
    linalg.yield %y : f32 } -> tensor<10x32xf32>
  %ss = linalg.generic {indexing_maps=[#id,#row], iterator_types=["parallel","reduction"]} ins(%sq: tensor<10x32xf32>) outs(%li: tensor<10x1xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.addf %c, %a : f32
    linalg.yield %y : f32 } -> tensor<10x1xf32>
  %mean = linalg.generic {indexing_maps=[#id,#id], iterator_types=["parallel","parallel"]} ins(%ss: tensor<10x1xf32>) outs(%re: tensor<10x1xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.divf %a, %n : f32
    %z = arith.addf %y, %eps : f32
    linalg.yield %z : f32 } -> tensor<10x1xf32>
  %r = linalg.generic {indexing_maps=[#id,#id], iterator_types=["parallel","parallel"]} ins(%mean: tensor<10x1xf32>) outs(%re: tensor<10x1xf32>) {
  ^bb0(%a: f32, %c: f32):
    %z = math.rsqrt %a : f32
    linalg.yield %z : f32 } -> tensor<10x1xf32>
  %p = linalg.generic {indexing_maps=[#id,#row,#id], iterator_types=["parallel","parallel"]} ins(%x,%r: tensor<10x32xf32>,tensor<10x1xf32>) outs(%xe: tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.mulf %a, %b : f32
    linalg.yield %y : f32 } -> tensor<10x32xf32>
  %p2 = linalg.generic {indexing_maps=[#id,#col,#id], iterator_types=["parallel","parallel"]} ins(%p,%g: tensor<10x32xf32>,tensor<32xf32>) outs(%xe: tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.mulf %a, %b : f32
    linalg.yield %y : f32 } -> tensor<10x32xf32>
  %oe = tensor.empty() : tensor<10x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<10x6xf32>) -> tensor<10x6xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%p2,%w: tensor<10x32xf32>, tensor<32x6xf32>) outs(%of: tensor<10x6xf32>) -> tensor<10x6xf32>
  return %o : tensor<10x6xf32>
}
