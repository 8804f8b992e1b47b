// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)"' --canonicalize --cse | FileCheck %s

// LayerNorm with a bias, then a matmul: one pass over x. Carried are the result,
// for each row the sum, the count, the variance and its two derivatives, for each
// column the bias times %w and the derivative of the result in the mean. Nothing
// but the result has its size. The bias is added when the rows have been scaled,
// and nothing is subtracted from them.

// CHECK-LABEL: func @layer_norm
//       CHECK:   scf.for {{.*}} -> (tensor<10x6xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<6xf32>, tensor<6xf32>)
//   CHECK-NOT:     math.rsqrt
//       CHECK:     scf.yield
//   CHECK-NOT:   arith.subf %out
//       CHECK:   math.rsqrt
//       CHECK:   linalg_ext.diag
//   CHECK-NOT:   scf.for
//   CHECK-NOT:   arith.subf
//       CHECK:   arith.addf %out
//       CHECK:   return

// The same where the rows are divided by the deviation.

// CHECK-LABEL: func @quotient
//       CHECK:   scf.for {{.*}} -> (tensor<10x6xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<6xf32>, tensor<6xf32>)
//   CHECK-NOT:     math.sqrt
//       CHECK:     scf.yield
//       CHECK:   math.sqrt
//       CHECK:   linalg_ext.diag
//   CHECK-NOT:   scf.for
//       CHECK:   arith.addf
//       CHECK:   return

// A bias of which each element has one of its own is none: its part would be a
// second contraction.

// CHECK-LABEL: func @residual
//       CHECK:   linalg.generic {{.*}}"reduction"
//       CHECK:   scf.for {{.*}} -> (tensor<10x6xf32>)

// The plan says what moves how.

// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)" explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN-LABEL: in @layer_norm
// PLAN: repair 'linalg.generic': add a polynomial of degree 2 in the difference of 'linalg.generic'#0 along dims [0]
// PLAN: repair root 'linalg.matmul': add a polynomial of degree 1 in the difference of 'linalg.generic'#0 along dims [0]; scale a part by the ratio of 'linalg.generic'#0 along dims [0], after the loops
// PLAN: derivatives: carried too
// PLAN: the part of the root that does not scale: carried apart, added after the loops
// PLAN-LABEL: in @quotient
// PLAN: scale a part by -1.00 times the ratio of 'linalg.generic'#0 along dims [0], after the loops
// PLAN-LABEL: in @residual
// PLAN: keep 'linalg.generic': {{.*}}expected the rest to vary along fewer dimensions than the result does
#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
#key = affine_map<(m, k) -> (k)>
#one = affine_map<(m) -> (m)>
func.func @layer_norm(%x: tensor<10x32xf32>, %gamma: tensor<32xf32>, %beta: tensor<32xf32>, %w: tensor<32x6xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %n = arith.constant 32.0 : f32
  %re = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%re : tensor<10xf32>) -> tensor<10xf32>
  %xe = tensor.empty() : tensor<10x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<10x32xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<10xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<10xf32>) outs(%re : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.divf %a, %n : f32
    linalg.yield %1 : f32
  } -> tensor<10xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<10x32xf32>, tensor<10xf32>) outs(%xe : tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<10x32xf32>
  %var = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<10x32xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<10xf32>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%var : tensor<10xf32>) outs(%re : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.divf %a, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.rsqrt %2 : f32
    linalg.yield %3 : f32
  } -> tensor<10xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #key, #key, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %r, %gamma, %beta : tensor<10x32xf32>, tensor<10xf32>, tensor<32xf32>, tensor<32xf32>) outs(%xe : tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %h: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.mulf %1, %g : f32
    %3 = arith.addf %2, %h : f32
    linalg.yield %3 : f32
  } -> tensor<10x32xf32>
  %oe = tensor.empty() : tensor<10x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<10x6xf32>) -> tensor<10x6xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%y, %w : tensor<10x32xf32>, tensor<32x6xf32>) outs(%of : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %o : tensor<10x6xf32>
}

func.func @quotient(%x: tensor<10x32xf32>, %gamma: tensor<32xf32>, %beta: tensor<32xf32>, %w: tensor<32x6xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %n = arith.constant 32.0 : f32
  %re = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%re : tensor<10xf32>) -> tensor<10xf32>
  %xe = tensor.empty() : tensor<10x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<10x32xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<10xf32>
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<10xf32>) outs(%re : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.divf %a, %n : f32
    linalg.yield %1 : f32
  } -> tensor<10xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<10x32xf32>, tensor<10xf32>) outs(%xe : tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<10x32xf32>
  %var = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<10x32xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<10xf32>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%var : tensor<10xf32>) outs(%re : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.divf %a, %n : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.sqrt %2 : f32
    linalg.yield %3 : f32
  } -> tensor<10xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #key, #key, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %r, %gamma, %beta : tensor<10x32xf32>, tensor<10xf32>, tensor<32xf32>, tensor<32xf32>) outs(%xe : tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %h: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    %2 = arith.mulf %1, %g : f32
    %3 = arith.addf %2, %h : f32
    linalg.yield %3 : f32
  } -> tensor<10x32xf32>
  %oe = tensor.empty() : tensor<10x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<10x6xf32>) -> tensor<10x6xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%y, %w : tensor<10x32xf32>, tensor<32x6xf32>) outs(%of : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %o : tensor<10x6xf32>
}

func.func @residual(%x: tensor<10x32xf32>, %z: tensor<10x32xf32>, %w: tensor<32x6xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%re : tensor<10xf32>) -> tensor<10xf32>
  %xe = tensor.empty() : tensor<10x32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<10x32xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<10xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %z : tensor<10x32xf32>, tensor<10xf32>, tensor<10x32xf32>) outs(%xe : tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %h: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    %2 = arith.addf %1, %h : f32
    linalg.yield %2 : f32
  } -> tensor<10x32xf32>
  %oe = tensor.empty() : tensor<10x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<10x6xf32>) -> tensor<10x6xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%y, %w : tensor<10x32xf32>, tensor<32x6xf32>) outs(%of : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %o : tensor<10x6xf32>
}
