// A value for each key, which no outer loop indexes, is computed again by each
// iteration, in tiles of the loop over keys; a matrix is computed once.

// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="forall(4) for(0,0,8)"' -o /dev/null | FileCheck %s --check-prefix=PLAN
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(4) for(0,0,8)"' | FileCheck %s

#mn = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>

// PLAN-LABEL: level 0: forall tiles [4, 0, 0]
//       PLAN:   fuse 'linalg.generic', whole
//       PLAN: level 1: for tiles [0, 0, 8]
//       PLAN:   fuse 'linalg.generic'
//  PLAN-NEXT:   fuse 'linalg.generic'
//  PLAN-NEXT: state

// CHECK-LABEL: func @line
//  CHECK-SAME: (%[[HIDDEN:.*]]: tensor<16xi1>,
//       CHECK: scf.forall
//   CHECK-NOT: tensor<16xf32>
//       CHECK:   scf.for %[[J:[a-z0-9]+]] =
//       CHECK:     %[[H:.*]] = tensor.extract_slice %[[HIDDEN]][%[[J]]] [8] [1]
//       CHECK:     linalg.generic {{.*}} ins(%[[H]] : tensor<8xi1>)
//  CHECK-NEXT:     ^bb0
//  CHECK-NEXT:       arith.select
func.func @line(%hidden: tensor<16xi1>, %x: tensor<8x16xf32>, %v: tensor<16x4xf32>, %e: tensor<8x16xf32>, %r: tensor<8xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %ek = tensor.empty() : tensor<16xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
      ins(%hidden : tensor<16xi1>) outs(%ek : tensor<16xf32>) {
  ^bb0(%h: i1, %out: f32):
    %t = arith.select %h, %low, %zero : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mask : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  %fm = linalg.fill ins(%low : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%e, %fm, %fl, %r : tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%p#0, %v : tensor<8x16xf32>, tensor<16x4xf32>) outs(%fo : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// PLAN-LABEL: level 0: forall tiles [4, 0, 0]
//       PLAN:   keep 'linalg.exp': no loop of the level indexes it
//       PLAN: level 1: for tiles [0, 0, 8]
//       PLAN:   keep 'linalg.exp': an enclosing level computes it

// CHECK-LABEL: func @negative_matrix
//       CHECK: linalg.exp
//       CHECK: scf.forall
//   CHECK-NOT: linalg.exp
//       CHECK: return
func.func @negative_matrix(%w: tensor<16x4xf32>, %x: tensor<8x16xf32>, %e: tensor<8x16xf32>, %r: tensor<8xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %ev = tensor.empty() : tensor<16x4xf32>
  %v = linalg.exp ins(%w : tensor<16x4xf32>) outs(%ev : tensor<16x4xf32>) -> tensor<16x4xf32>
  %fm = linalg.fill ins(%low : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%e, %fm, %fl, %r : tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%p#0, %v : tensor<8x16xf32>, tensor<16x4xf32>) outs(%fo : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
