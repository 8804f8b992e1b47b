// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)" rescale-threshold=8' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)" rescale-threshold=8 explain=text' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)" rescale-threshold=8 explain=json' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON

// The max of a chain stays where it grows by at most 8, and the accumulator is
// scaled only where the repair is not 1 in all rows. The sum is no larger than
// the max: it is always scaled.

// PLAN: state 'linalg.generic', carried from level 0 to 0, rescaled lazily, when it moves by more than 8{{$}}
// PLAN-NEXT: state 'linalg.generic', carried from level 0 to 0{{$}}
// PLAN-NEXT: repair 'linalg.generic': scale by -1.00 times the difference of 'linalg.generic'#0 along dims [0]{{$}}
// PLAN-NEXT: repair root 'linalg.matmul': scale by -1.00 times the difference of 'linalg.generic'#0 along dims [0], where it moved;
// JSON: "conditional":true
// JSON-SAME: "rescale_threshold":8

// CHECK-LABEL: func.func @f(
//       CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}, %[[MAX:.*]] = %{{.*}}) -> (tensor<10x6xf32>, tensor<10xf32>, tensor<10xf32>)
//       CHECK:   %[[NEW:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} outs(%[[MAX]] :
//       CHECK:     arith.maximumf
//       CHECK:   %[[HELD:.*]] = linalg.generic {{.*}} ins(%[[MAX]] : {{.*}}) outs(%[[NEW]] :
//  CHECK-NEXT:   ^bb0(%[[O:.*]]: f32, %[[N:.*]]: f32):
//  CHECK-NEXT:     %[[D:.*]] = arith.subf %[[N]], %[[O]]
//  CHECK-NEXT:     %[[IS:.*]] = arith.cmpf ole, %[[D]], %{{.*}}
//  CHECK-NEXT:     %[[S:.*]] = arith.select %[[IS]], %[[O]], %[[N]]
//  CHECK-NEXT:     linalg.yield %[[S]]
//       CHECK:   %[[ANY:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%{{.*}} : tensor<10xf32>) outs(%{{.*}} : tensor<i1>)
//       CHECK:     arith.cmpf une, %{{.*}}, %{{.*}}
//       CHECK:     arith.ori
//       CHECK:   %[[BIT:.*]] = tensor.extract %[[ANY]][]
//       CHECK:   %[[REPAIRED:.*]] = scf.if %[[BIT]] -> (tensor<10x6xf32>) {
//       CHECK:     linalg_ext.batch_matmul ins(%{{.*}}, %[[ACC]] :
//       CHECK:   } else {
//  CHECK-NEXT:     scf.yield %[[ACC]]
//  CHECK-NEXT:   }
//       CHECK:   linalg.matmul {{.*}} outs(%[[REPAIRED]] :
//       CHECK:   %[[STORED:.*]] = bufferization.materialize_in_destination %[[HELD]] in %[[MAX]]
//       CHECK:   scf.yield %{{.*}}, %{{.*}}, %[[STORED]]
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

// -----

// The sum of exp(x - max) v as it is tells which max it was: nothing is rescaled lazily.

// PLAN: state 'linalg.generic', carried from level 0 to 0, not rescaled lazily: 'func.return' uses what is not the same for a state that is rescaled lazily
// JSON: "not_rescaled_lazily":"'func.return' uses what is not the same for a state that is rescaled lazily"

// CHECK-LABEL: func.func @negative_unnormalised(
//   CHECK-NOT: scf.if
#id = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
func.func @negative_unnormalised(%q: tensor<10x8xf32>, %k: tensor<37x8xf32>, %v: tensor<37x6xf32>) -> tensor<10x6xf32> {
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
  %m = linalg.generic {indexing_maps=[#id,#row], iterator_types=["parallel","reduction"]} ins(%s: tensor<10x37xf32>) outs(%mi: tensor<10xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.maximumf %c, %a : f32
    linalg.yield %y : f32 } -> tensor<10xf32>
  %p0 = linalg.generic {indexing_maps=[#id,#row,#id], iterator_types=["parallel","parallel"]} ins(%s,%m: tensor<10x37xf32>,tensor<10xf32>) outs(%se: tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.subf %a, %b : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32 } -> tensor<10x37xf32>
  %oe = tensor.empty() : tensor<10x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<10x6xf32>) -> tensor<10x6xf32>
  %o = linalg.matmul ins(%p0,%v: tensor<10x37xf32>, tensor<37x6xf32>) outs(%of: tensor<10x6xf32>) -> tensor<10x6xf32>
  return %o : tensor<10x6xf32>
}

// -----

// A softmax holds its max itself. e^8 fits f16.

// PLAN: state 'linalg_ext.softmax', carried from level 0 to 0, delayed normalisation, rescaled lazily, when it moves by more than 8{{$}}

// CHECK-LABEL: func.func @op(
//       CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
//       CHECK:   %[[P:.*]]:4 = linalg_ext.softmax dimension(1) online delayed rescale_threshold(8.000000e+00) ins
//       CHECK:   linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[P]]#3 : tensor<10xf32>) outs(%{{.*}} : tensor<i1>)
//       CHECK:   scf.if %{{.*}} -> (tensor<10x6xf32>) {
//       CHECK:     linalg_ext.diag ins(%[[P]]#3
//       CHECK:   } else {
//  CHECK-NEXT:     scf.yield %[[ACC]]
func.func @op(%s: tensor<10x?xf16>, %v: tensor<?x6xf16>, %w: tensor<10x?xf16>, %m: tensor<10xf32>, %o: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%ninf : f32) outs(%m : tensor<10xf32>) -> tensor<10xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%m : tensor<10xf32>) -> tensor<10xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<10x?xf16>) outs(%w, %m0, %l0, %m : tensor<10x?xf16>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) -> tensor<10x?xf16>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>
  %of = linalg.fill ins(%zero : f32) outs(%o : tensor<10x6xf32>) -> tensor<10x6xf32>
  %r = linalg.matmul ins(%p#0, %v : tensor<10x?xf16>, tensor<?x6xf16>) outs(%of : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}
