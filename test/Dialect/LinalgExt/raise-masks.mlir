// RUN: linalg-ext-opt %s --linalg-ext-raise --canonicalize | FileCheck %s

// Guards of empty rows behind a softmax, and softmax over what a mask keeps.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// 0 where all scores are -inf: so it is.

// CHECK-LABEL: func @all_minus_infinity(
// CHECK: linalg_ext.softmax
// CHECK-NOT: arith.select
func.func @all_minus_infinity(%x: tensor<3x?xf32>, %other: tensor<3x?xf32>, %full: tensor<3x?xf32>, %b: tensor<3x?xi1>, %r: tensor<3xi1>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %init = arith.constant true
  %true = arith.constant true
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x?xf32>) outs(%b : tensor<3x?xi1>) {
  ^bb0(%a: f32, %o: i1):
    %k = arith.cmpf oeq, %a, %ninf : f32
    linalg.yield %k : i1
  } -> tensor<3x?xi1>
  %r0 = linalg.fill ins(%init : i1) outs(%r : tensor<3xi1>) -> tensor<3xi1>
  %all = linalg.reduce { arith.andi } ins(%c : tensor<3x?xi1>) outs(%r0 : tensor<3xi1>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<3xi1>, tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %v: f32, %o: f32):
    %s = arith.select %k, %zero, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// As torch-mlir compares.

// CHECK-LABEL: func @all_minus_infinity_or_nan(
// CHECK: linalg_ext.softmax
// CHECK-NOT: arith.select
func.func @all_minus_infinity_or_nan(%x: tensor<3x?xf32>, %other: tensor<3x?xf32>, %full: tensor<3x?xf32>, %b: tensor<3x?xi1>, %r: tensor<3xi1>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %init = arith.constant true
  %true = arith.constant true
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x?xf32>) outs(%b : tensor<3x?xi1>) {
  ^bb0(%a: f32, %o: i1):
    %k = arith.cmpf ueq, %a, %ninf : f32
    linalg.yield %k : i1
  } -> tensor<3x?xi1>
  %r0 = linalg.fill ins(%init : i1) outs(%r : tensor<3xi1>) -> tensor<3xi1>
  %all = linalg.reduce { arith.andi } ins(%c : tensor<3x?xi1>) outs(%r0 : tensor<3xi1>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<3xi1>, tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %v: f32, %o: f32):
    %s = arith.select %k, %zero, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// Not any that is not -inf.

// CHECK-LABEL: func @not_any_other(
// CHECK: linalg_ext.softmax
// CHECK-NOT: arith.select
func.func @not_any_other(%x: tensor<3x?xf32>, %other: tensor<3x?xf32>, %full: tensor<3x?xf32>, %b: tensor<3x?xi1>, %r: tensor<3xi1>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %init = arith.constant false
  %true = arith.constant true
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x?xf32>) outs(%b : tensor<3x?xi1>) {
  ^bb0(%a: f32, %o: i1):
    %k = arith.cmpf une, %a, %ninf : f32
    linalg.yield %k : i1
  } -> tensor<3x?xi1>
  %r0 = linalg.fill ins(%init : i1) outs(%r : tensor<3xi1>) -> tensor<3xi1>
  %all = linalg.reduce { arith.ori } ins(%c : tensor<3x?xi1>) outs(%r0 : tensor<3xi1>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<3xi1>, tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %v: f32, %o: f32):
    %n = arith.xori %k, %true : i1
    %s = arith.select %n, %zero, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// One hidden score is no empty row.

// CHECK-LABEL: func @negative_any_minus_infinity(
// CHECK: linalg_ext.softmax
// CHECK: arith.select
func.func @negative_any_minus_infinity(%x: tensor<3x?xf32>, %other: tensor<3x?xf32>, %full: tensor<3x?xf32>, %b: tensor<3x?xi1>, %r: tensor<3xi1>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %init = arith.constant false
  %true = arith.constant true
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x?xf32>) outs(%b : tensor<3x?xi1>) {
  ^bb0(%a: f32, %o: i1):
    %k = arith.cmpf oeq, %a, %ninf : f32
    linalg.yield %k : i1
  } -> tensor<3x?xi1>
  %r0 = linalg.fill ins(%init : i1) outs(%r : tensor<3xi1>) -> tensor<3xi1>
  %all = linalg.reduce { arith.ori } ins(%c : tensor<3x?xi1>) outs(%r0 : tensor<3xi1>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<3xi1>, tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %v: f32, %o: f32):
    %s = arith.select %k, %zero, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// Other scores are -inf.

// CHECK-LABEL: func @negative_other_scores(
// CHECK: linalg_ext.softmax
// CHECK: arith.select
func.func @negative_other_scores(%x: tensor<3x?xf32>, %other: tensor<3x?xf32>, %full: tensor<3x?xf32>, %b: tensor<3x?xi1>, %r: tensor<3xi1>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %init = arith.constant true
  %true = arith.constant true
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%other : tensor<3x?xf32>) outs(%b : tensor<3x?xi1>) {
  ^bb0(%a: f32, %o: i1):
    %k = arith.cmpf oeq, %a, %ninf : f32
    linalg.yield %k : i1
  } -> tensor<3x?xi1>
  %r0 = linalg.fill ins(%init : i1) outs(%r : tensor<3xi1>) -> tensor<3xi1>
  %all = linalg.reduce { arith.andi } ins(%c : tensor<3x?xi1>) outs(%r0 : tensor<3xi1>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<3xi1>, tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %v: f32, %o: f32):
    %s = arith.select %k, %zero, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// Rows of which none is hidden become 0.

// CHECK-LABEL: func @negative_larger(
// CHECK: linalg_ext.softmax
// CHECK: arith.select
func.func @negative_larger(%x: tensor<3x?xf32>, %other: tensor<3x?xf32>, %full: tensor<3x?xf32>, %b: tensor<3x?xi1>, %r: tensor<3xi1>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %init = arith.constant true
  %true = arith.constant true
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x?xf32>) outs(%b : tensor<3x?xi1>) {
  ^bb0(%a: f32, %o: i1):
    %k = arith.cmpf ogt, %a, %ninf : f32
    linalg.yield %k : i1
  } -> tensor<3x?xi1>
  %r0 = linalg.fill ins(%init : i1) outs(%r : tensor<3xi1>) -> tensor<3xi1>
  %all = linalg.reduce { arith.andi } ins(%c : tensor<3x?xi1>) outs(%r0 : tensor<3xi1>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<3xi1>, tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %v: f32, %o: f32):
    %s = arith.select %k, %zero, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// Never true.

// CHECK-LABEL: func @negative_starts_from_false(
// CHECK: linalg_ext.softmax
// CHECK: arith.andi
func.func @negative_starts_from_false(%x: tensor<3x?xf32>, %other: tensor<3x?xf32>, %full: tensor<3x?xf32>, %b: tensor<3x?xi1>, %r: tensor<3xi1>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %init = arith.constant false
  %true = arith.constant true
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x?xf32>) outs(%b : tensor<3x?xi1>) {
  ^bb0(%a: f32, %o: i1):
    %k = arith.cmpf oeq, %a, %ninf : f32
    linalg.yield %k : i1
  } -> tensor<3x?xi1>
  %r0 = linalg.fill ins(%init : i1) outs(%r : tensor<3xi1>) -> tensor<3xi1>
  %all = linalg.reduce { arith.andi } ins(%c : tensor<3x?xi1>) outs(%r0 : tensor<3xi1>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<3xi1>, tensor<3x?xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %v: f32, %o: f32):
    %s = arith.select %k, %zero, %v : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// What the mask hides is in neither the maximum nor the sum, and 0.

// CHECK-LABEL: func @mask(
// CHECK-NOT: math.exp
// CHECK: arith.select
// CHECK: linalg_ext.softmax
// CHECK-NOT: math.exp
// CHECK: return
func.func @mask(%x: tensor<3x?xf32>, %mask: tensor<3x?xi1>, %other: tensor<3x?xi1>, %full: tensor<3x?xf32>, %r: tensor<3xf32>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m0 = linalg.fill ins(%ninf : f32) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%mask, %x : tensor<3x?xi1>, tensor<3x?xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%k: i1, %a: f32, %acc: f32):
    %s = arith.select %k, %a, %ninf : f32
    %t = arith.maximumf %acc, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<3x?xf32>, tensor<3xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  %l = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%mask, %e : tensor<3x?xi1>, tensor<3x?xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%k: i1, %a: f32, %acc: f32):
    %s = arith.select %k, %a, %zero : f32
    %t = arith.addf %acc, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %e, %l : tensor<3x?xi1>, tensor<3x?xf32>, tensor<3xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    %s = arith.select %k, %d, %zero : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}

// The sum has another mask.

// CHECK-LABEL: func @negative_other_mask(
// CHECK-NOT: linalg_ext.softmax
// CHECK: math.exp
// CHECK-NOT: linalg_ext.softmax
// CHECK: return
func.func @negative_other_mask(%x: tensor<3x?xf32>, %mask: tensor<3x?xi1>, %other: tensor<3x?xi1>, %full: tensor<3x?xf32>, %r: tensor<3xf32>) -> tensor<3x?xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m0 = linalg.fill ins(%ninf : f32) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%mask, %x : tensor<3x?xi1>, tensor<3x?xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%k: i1, %a: f32, %acc: f32):
    %s = arith.select %k, %a, %ninf : f32
    %t = arith.maximumf %acc, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<3x?xf32>, tensor<3xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  %l = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%other, %e : tensor<3x?xi1>, tensor<3x?xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%k: i1, %a: f32, %acc: f32):
    %s = arith.select %k, %a, %zero : f32
    %t = arith.addf %acc, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %e, %l : tensor<3x?xi1>, tensor<3x?xf32>, tensor<3xf32>) outs(%full : tensor<3x?xf32>) {
  ^bb0(%k: i1, %a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    %s = arith.select %k, %d, %zero : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %y : tensor<3x?xf32>
}
