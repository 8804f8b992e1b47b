// RUN: linalg-ext-opt %s -linalg-ext-raise | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-raise)' \
// RUN:   | FileCheck %s

// Forms of the maximum and of what it starts from, with near misses.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @maxnumf_from_nan(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @maxnumf_from_nan(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%nan : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maxnumf %v, %acc : f32
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_maximumf_from_nan(
// CHECK-NOT: linalg_ext.softmax
// NaN is no identity of maximumf.
func.func @negative_maximumf_from_nan(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%nan : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @max_by_select_ogt(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @max_by_select_ogt(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %g = arith.cmpf ogt, %v, %acc : f32
    %s = arith.select %g, %v, %acc : f32
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @max_by_select_ult(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @max_by_select_ult(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %g = arith.cmpf ult, %v, %acc : f32
    %s = arith.select %g, %acc, %v : f32
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_min_by_select(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_min_by_select(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %g = arith.cmpf ogt, %v, %acc : f32
    %s = arith.select %g, %acc, %v : f32
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @max_from_lowest(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @max_from_lowest(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %lowest = arith.constant 0xFF7FFFFF : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_max_from_zero(
// CHECK-NOT: linalg_ext.softmax
// 0 may be above every element.
func.func @negative_max_from_zero(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %z = arith.constant 0.000000e+00 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%z : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_max_from_almost_lowest(
// CHECK-NOT: linalg_ext.softmax
// -1e30 may be above every element.
func.func @negative_max_from_almost_lowest(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %low = arith.constant -1.000000e+30 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_max_from_argument(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_max_from_argument(%x: tensor<3x4xf32>, %m0: tensor<3xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
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
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @max_with_minus_inf(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// The maximum once more with -inf, as JAX writes it.
func.func @max_with_minus_inf(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %n = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%m, %m0 : tensor<3xf32>, tensor<3xf32>) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %mb = linalg.broadcast ins(%n : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %mb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %e = linalg.exp ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %y = linalg.div ins(%e, %lb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
