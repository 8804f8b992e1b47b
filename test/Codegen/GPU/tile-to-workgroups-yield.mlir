// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-tile-to-workgroups --split-input-file | FileCheck %s

// The sum and its rows are results, too: the workgroups of the norm yield their tiles.

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @norm
// CHECK:       %[[R:.*]]:3 = scf.forall
// CHECK:         scf.forall.in_parallel
// CHECK-COUNT-3:         tensor.parallel_insert_slice
// CHECK-NOT:   scf.forall
// CHECK:       return %[[R]]#{{[0-2]}}, %[[R]]#{{[0-2]}}, %[[R]]#{{[0-2]}}
func.func @norm(%x: tensor<?x72xf32>, %y: tensor<?x72xf32>, %e0: tensor<?x72xf32>, %e1: tensor<?x72xf32>, %r0: tensor<?xf32>) -> (tensor<?x72xf32>, tensor<?x72xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x72xf32>, tensor<?x72xf32>) outs(%e0 : tensor<?x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r0 : tensor<?xf32>) -> tensor<?xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<?x72xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %p, %acc : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %n : tensor<?x72xf32>, tensor<?xf32>) outs(%e1 : tensor<?x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x72xf32>
  return %q, %s, %n : tensor<?x72xf32>, tensor<?x72xf32>, tensor<?xf32>
}

// -----

// What is needed in front of the norm, or by a product in the same workgroups, is computed
// before.

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @negative_in_front
// CHECK:       scf.forall
// CHECK:       linalg.exp
// CHECK:       tensor.extract_slice
// CHECK:       scf.forall
func.func @negative_in_front(%x: tensor<?x72xf32>, %e0: tensor<?x72xf32>, %e1: tensor<?x72xf32>, %r0: tensor<?xf32>) -> (tensor<?x72xf32>, f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %s = linalg.exp ins(%x : tensor<?x72xf32>) outs(%e0 : tensor<?x72xf32>) -> tensor<?x72xf32>
  %first = tensor.extract %s[%c0, %c0] : tensor<?x72xf32>
  %z = linalg.fill ins(%first : f32) outs(%r0 : tensor<?xf32>) -> tensor<?xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<?x72xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %n : tensor<?x72xf32>, tensor<?xf32>) outs(%e1 : tensor<?x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?x72xf32>
  return %q, %first : tensor<?x72xf32>, f32
}

// -----

// A reshape of the maxima stands in front of the root. It moves to where they are returned.

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @reshaped
// CHECK:       %[[R:.*]]:2 = scf.forall
// CHECK-COUNT-2:         tensor.parallel_insert_slice
// CHECK-NOT:   scf.forall
// CHECK:       %[[M:.*]] = tensor.expand_shape %[[R]]#{{[01]}}
// CHECK:       return %[[R]]#{{[01]}}, %[[M]]
func.func @reshaped(%x: tensor<5x72xf32>) -> (tensor<5x72xf32>, tensor<5x1xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %r0 = tensor.empty() : tensor<5xf32>
  %z = linalg.fill ins(%least : f32) outs(%r0 : tensor<5xf32>) -> tensor<5xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x72xf32>) outs(%z : tensor<5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.maximumf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %m = tensor.expand_shape %n [[0, 1]] output_shape [5, 1] : tensor<5xf32> into tensor<5x1xf32>
  %e = tensor.empty() : tensor<5x72xf32>
  %q = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %n : tensor<5x72xf32>, tensor<5xf32>) outs(%e : tensor<5x72xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<5x72xf32>
  return %q, %m : tensor<5x72xf32>, tensor<5x1xf32>
}
