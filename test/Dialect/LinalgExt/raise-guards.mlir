// RUN: linalg-ext-opt %s -linalg-ext-raise | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-raise)' \
// RUN:   | FileCheck %s

// Chains that define fully masked rows as 0 by what they do where the maximum
// is -inf and where the sum is 0.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @guards_apart(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0
func.func @guards_apart(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %mg = linalg.generic {indexing_maps = [#vec, #vec],
      iterator_types = ["parallel"]}
      ins(%m : tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.cmpf oeq, %a, %ninf : f32
    %s = arith.select %c, %zero, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mg : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %lg = linalg.generic {indexing_maps = [#vec, #vec],
      iterator_types = ["parallel"]}
      ins(%l : tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.cmpf oeq, %a, %zero : f32
    %s = arith.select %c, %one, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %lg : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @guards_inline_dynamic(
// CHECK-SAME: %[[X:.+]]: tensor<?x?xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0
func.func @guards_inline_dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %row = tensor.empty(%d0) : tensor<?xf32>
  %full = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%m0 : tensor<?xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf une, %ninf, %b : f32
    %g = arith.select %c, %b, %zero : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<?x?xf32>) outs(%l0 : tensor<?xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<?x?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf ugt, %b, %zero : f32
    %g = arith.select %c, %b, %one : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func @guards_by_bounds(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0
func.func @guards_by_bounds(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %lowest = arith.constant 0xFF7FFFFF : f32
  %eps = arith.constant 1.000000e-30 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %g = arith.maximumf %b, %lowest : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %g = arith.maximumf %eps, %b : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @guarded_reciprocal(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0
func.func @guarded_reciprocal(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %ninf : f32
    %g = arith.select %c, %zero, %b : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %one, %b : f32
    %c = arith.cmpf oeq, %b, %zero : f32
    %g = arith.select %c, %zero, %r : f32
    %s = arith.mulf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @guards_with_other_constants(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0
// exp(-inf - 7) = 0, and 0 / 7 = 0.
func.func @guards_with_other_constants(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %seven = arith.constant 7.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %ninf : f32
    %g = arith.select %c, %seven, %b : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %zero : f32
    %g = arith.select %c, %seven, %b : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @guarded_maximum_only(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0
// A fully masked row is NaN, as it is without any guard.
func.func @guarded_maximum_only(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %ninf : f32
    %g = arith.select %c, %zero, %b : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @guarded_sum_only(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]#0
// A fully masked row is NaN, as it is without any guard.
func.func @guarded_sum_only(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %zero : f32
    %g = arith.select %c, %one, %b : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_guard_at_finite_maximum(
// CHECK-NOT: linalg_ext.softmax
// CHECK: arith.divf
// Not the softmax of a row of scores below -1e9.
func.func @negative_guard_at_finite_maximum(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %low = arith.constant -1.000000e+09 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf ole, %b, %low : f32
    %g = arith.select %c, %zero, %b : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %zero : f32
    %g = arith.select %c, %one, %b : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_guard_takes_other_maximum(
// CHECK-NOT: linalg_ext.softmax
// CHECK: arith.divf
func.func @negative_guard_takes_other_maximum(%x: tensor<3x4xf32>, %z: tensor<3xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %z : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %z0: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %ninf : f32
    %g = arith.select %c, %zero, %z0 : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %zero : f32
    %g = arith.select %c, %one, %b : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_guard_drops_nan(
// CHECK-NOT: linalg_ext.softmax
// CHECK: arith.divf
// The row of a score of +inf is 0 but for that score, not NaN.
func.func @negative_guard_drops_nan(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %ninf : f32
    %g = arith.select %c, %zero, %b : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf ogt, %b, %zero : f32
    %g = arith.select %c, %b, %one : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_sum_bounded_by_two(
// CHECK-NOT: linalg_ext.softmax
// CHECK: arith.divf
// Not the softmax of a row of which one score is visible.
func.func @negative_sum_bounded_by_two(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %two = arith.constant 2.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %ninf : f32
    %g = arith.select %c, %zero, %b : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %g = arith.maximumf %b, %two : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_maximum_bounded_by_zero(
// CHECK-NOT: linalg_ext.softmax
// CHECK: arith.divf
// A row far below 0 is 0.
func.func @negative_maximum_bounded_by_zero(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %g = arith.maximumf %b, %zero : f32
    %s = arith.subf %a, %g : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %b, %zero : f32
    %g = arith.select %c, %one, %b : f32
    %s = arith.divf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// A maximum that leaves out NaNs, and is NaN for rows that have nothing else (TOSA): the
// sum is NaN for both.

// CHECK-LABEL: func @max_without_nans(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<4x8xf32>
//       CHECK:   %[[S:.*]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]]
//       CHECK:   return %[[S]]#0
func.func @max_without_nans(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %nan = arith.constant 0x7FC00000 : f32
  %er = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi1>
  %e = tensor.empty() : tensor<4x8xf32>
  %nans = linalg.fill ins(%nan : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%true : i1) outs(%ei : tensor<4xi1>) -> tensor<4xi1>
  %fs = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %m:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%fm, %fi : tensor<4xf32>, tensor<4xi1>) {
  ^bb0(%a: f32, %b: f32, %acc: f32, %none: i1):
    %isNaN = arith.cmpf uno, %a, %a : f32
    %kept = arith.select %isNaN, %low, %a : f32
    %max = arith.maximumf %kept, %acc : f32
    %otherIsNaN = arith.cmpf uno, %b, %b : f32
    %all = arith.andi %none, %otherIsNaN : i1
    linalg.yield %max, %all : f32, i1
  } -> (tensor<4xf32>, tensor<4xi1>)
  %s = linalg.select ins(%m#1, %nans, %m#0 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %x0 = math.exp %d : f32
    linalg.yield %x0 : f32
  } -> tensor<4x8xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<4x8xf32>) outs(%fs : tensor<4xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %l : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// NaNs of another tensor make no difference to the sum.

// CHECK-LABEL: func @negative_nans_of_other_rows(
//   CHECK-NOT:   linalg_ext.softmax
//       CHECK:   return
func.func @negative_nans_of_other_rows(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %nan = arith.constant 0x7FC00000 : f32
  %er = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi1>
  %e = tensor.empty() : tensor<4x8xf32>
  %nans = linalg.fill ins(%nan : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%true : i1) outs(%ei : tensor<4xi1>) -> tensor<4xi1>
  %fs = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %m:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%fm, %fi : tensor<4xf32>, tensor<4xi1>) {
  ^bb0(%a: f32, %b: f32, %acc: f32, %none: i1):
    %isNaN = arith.cmpf uno, %a, %a : f32
    %kept = arith.select %isNaN, %low, %a : f32
    %max = arith.maximumf %kept, %acc : f32
    %otherIsNaN = arith.cmpf uno, %b, %b : f32
    %all = arith.andi %none, %otherIsNaN : i1
    linalg.yield %max, %all : f32, i1
  } -> (tensor<4xf32>, tensor<4xi1>)
  %s = linalg.select ins(%m#1, %nans, %m#0 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %x0 = math.exp %d : f32
    linalg.yield %x0 : f32
  } -> tensor<4x8xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<4x8xf32>) outs(%fs : tensor<4xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %l : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
