// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)"' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,8)"' -o /dev/null | FileCheck %s --check-prefix=PLAN

// Softmax as max, exp, sum and division: nobody has said that it is one. The
// root is found from the max.

// PLAN: state 'linalg.generic', carried from level 0 to 0
// PLAN-NEXT: state 'linalg.generic', carried from level 0 to 0
// PLAN-NEXT: repair 'linalg.generic': scale by -1.00 times the difference of 'linalg.generic'#0 along dims [0]
// PLAN-NEXT: repair root 'linalg.matmul': scale by -1.00 times the difference of 'linalg.generic'#0 along dims [0]; scale by -1.00 times the ratio of 'linalg.generic'#0 along dims [0], after the loops
// PLAN-NEXT: exactness: reassociated

// The loop carries the accumulator, the sum and the max, and nothing of the size
// of the scores is left.
// CHECK-LABEL: func @f
//   CHECK-NOT:   10x37
//       CHECK:   scf.for {{.*}} -> (tensor<10x6xf32>, tensor<10xf32>, tensor<10xf32>)
//       CHECK:     arith.maximumf
//       CHECK:     math.exp
//       CHECK:     linalg.matmul
//       CHECK:     scf.yield
//   CHECK-NOT:   10x37
#id = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
func.func @f(%q: tensor<10x8xf32>, %k: tensor<37x8xf32>, %v: tensor<37x6xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<10x37xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<10x37xf32>) -> tensor<10x37xf32>
  %s = linalg.generic {indexing_maps=[affine_map<(m,n,d)->(m,d)>, affine_map<(m,n,d)->(n,d)>, affine_map<(m,n,d)->(m,n)>], iterator_types=["parallel","parallel","reduction"]} ins(%q,%k: tensor<10x8xf32>, tensor<37x8xf32>) outs(%sf: tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.mulf %a, %b : f32
    %y = arith.addf %c, %x : f32
    linalg.yield %y : f32 } -> tensor<10x37xf32>
  %re = tensor.empty() : tensor<10xf32>
  %mi = linalg.fill ins(%ninf : f32) outs(%re : tensor<10xf32>) -> tensor<10xf32>
  %li = linalg.fill ins(%zero : f32) outs(%re : tensor<10xf32>) -> tensor<10xf32>
  %m = linalg.generic {indexing_maps=[#id,#row], iterator_types=["parallel","reduction"]} ins(%s: tensor<10x37xf32>) outs(%mi: tensor<10xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.maximumf %c, %a : f32
    linalg.yield %y : f32 } -> tensor<10xf32>
  %p0 = linalg.generic {indexing_maps=[#id,#row,#id], iterator_types=["parallel","parallel"]} ins(%s,%m: tensor<10x37xf32>,tensor<10xf32>) outs(%se: tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.subf %a, %b : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32 } -> tensor<10x37xf32>
  %l = linalg.generic {indexing_maps=[#id,#row], iterator_types=["parallel","reduction"]} ins(%p0: tensor<10x37xf32>) outs(%li: tensor<10xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.addf %c, %a : f32
    linalg.yield %y : f32 } -> tensor<10xf32>
  %p = linalg.generic {indexing_maps=[#id,#row,#id], iterator_types=["parallel","parallel"]} ins(%p0,%l: tensor<10x37xf32>,tensor<10xf32>) outs(%se: tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32 } -> tensor<10x37xf32>
  %oe = tensor.empty() : tensor<10x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<10x6xf32>) -> tensor<10x6xf32>
  %o = linalg.matmul ins(%p,%v: tensor<10x37xf32>, tensor<37x6xf32>) outs(%of: tensor<10x6xf32>) -> tensor<10x6xf32>
  return %o : tensor<10x6xf32>
}
