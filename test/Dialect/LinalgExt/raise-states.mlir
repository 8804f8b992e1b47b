// RUN: linalg-ext-opt %s --linalg-ext-raise --canonicalize --cse | FileCheck %s

// A log-sum-exp beside a softmax: it uses the state of the op. Where the maximum is inf, 0 is subtracted,
// so the sum is inf and not NaN. (test/Importers/TorchMLIR/flex-attention-dense.mlir is executed.)

#i = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: @guarded(
//   CHECK-NOT:   linalg.reduce
//       CHECK:   %[[P:.*]]:4 = linalg_ext.softmax dimension(1)
//   CHECK-NOT:   linalg.reduce
//   CHECK-DAG:   %[[M:.*]] = linalg.generic {{.*}} ins(%[[P]]#1 : tensor<4xf32>)
//   CHECK-DAG:   %[[L:.*]] = linalg.generic {{.*}} ins(%[[P]]#1, %[[P]]#2 : tensor<4xf32>, tensor<4xf32>)
//       CHECK:     arith.cmpf oeq
//       CHECK:     arith.select
//       CHECK:   return %[[P]]#0, %[[M]], %[[L]]
func.func @guarded(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %m0 = tensor.empty() : tensor<4xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %mi = linalg.fill ins(%ninf : f32) outs(%m0 : tensor<4xf32>) -> tensor<4xf32>
  %si = linalg.fill ins(%zero : f32) outs(%m0 : tensor<4xf32>) -> tensor<4xf32>
  %e0 = tensor.empty() : tensor<4x8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%mi : tensor<4xf32>) dimensions = [1]
  %guarded = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%max : tensor<4xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %abs = math.absf %a : f32
    %is = arith.cmpf oeq, %abs, %inf : f32
    %v = arith.select %is, %zero, %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #row, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %guarded : tensor<4x8xf32>, tensor<4xf32>) outs(%e0 : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %v = math.exp %d : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x8xf32>) outs(%si : tensor<4xf32>) dimensions = [1]
  %p = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p, %guarded, %sum : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
}

// Something else is subtracted there; the base is 2: only the maximum is shared.

// CHECK-LABEL: @negative_other_guard(
//       CHECK:   linalg_ext.softmax
//       CHECK:   linalg.reduce {{.*}}addf
func.func @negative_other_guard(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %m0 = tensor.empty() : tensor<4xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %mi = linalg.fill ins(%ninf : f32) outs(%m0 : tensor<4xf32>) -> tensor<4xf32>
  %si = linalg.fill ins(%zero : f32) outs(%m0 : tensor<4xf32>) -> tensor<4xf32>
  %e0 = tensor.empty() : tensor<4x8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%mi : tensor<4xf32>) dimensions = [1]
  %guarded = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%max : tensor<4xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %abs = math.absf %a : f32
    %is = arith.cmpf oeq, %abs, %inf : f32
    %v = arith.select %is, %one, %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #row, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %guarded : tensor<4x8xf32>, tensor<4xf32>) outs(%e0 : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %v = math.exp %d : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x8xf32>) outs(%si : tensor<4xf32>) dimensions = [1]
  %p = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p, %guarded, %sum : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @negative_other_base(
//       CHECK:   linalg_ext.softmax
//       CHECK:   linalg.reduce {{.*}}addf
func.func @negative_other_base(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %m0 = tensor.empty() : tensor<4xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %mi = linalg.fill ins(%ninf : f32) outs(%m0 : tensor<4xf32>) -> tensor<4xf32>
  %si = linalg.fill ins(%zero : f32) outs(%m0 : tensor<4xf32>) -> tensor<4xf32>
  %e0 = tensor.empty() : tensor<4x8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%mi : tensor<4xf32>) dimensions = [1]
  %guarded = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%max : tensor<4xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %abs = math.absf %a : f32
    %is = arith.cmpf oeq, %abs, %inf : f32
    %v = arith.select %is, %zero, %a : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#ij, #row, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %guarded : tensor<4x8xf32>, tensor<4xf32>) outs(%e0 : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %v = math.exp2 %d : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x8xf32>) outs(%si : tensor<4xf32>) dimensions = [1]
  %p = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p, %guarded, %sum : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>
}
