// RUN: linalg-ext-opt %s -linalg-ext-raise | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-raise)' \
// RUN:   | FileCheck %s

// Spellings of softmax, each with a near miss of the same spelling. More are in
// the other raise-*.mlir. The raised ones are run in
// test/Integration/CPU/raise.test.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#keep = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func @generic(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// The spelling of upstream's decomposition.
func.func @generic(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
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

// CHECK-LABEL: func @negative_generic_sum_along_other_dim(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_generic_sum_along_other_dim(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<4xf32>
  %full = tensor.empty() : tensor<4x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x4xf32>, tensor<4xf32>) outs(%full : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<4x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #col],
      iterator_types = ["reduction", "parallel"]}
      ins(%e : tensor<4x4xf32>) outs(%l0 : tensor<4xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<4x4xf32>, tensor<4xf32>) outs(%full : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// CHECK-LABEL: func @generic_sub_and_exp_apart(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @generic_sub_and_exp_apart(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
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
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %e = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
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

// CHECK-LABEL: func @negative_generic_max_of_other_tensor(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_generic_max_of_other_tensor(%x: tensor<3x4xf32>, %z: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%z : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %e = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
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

// CHECK-LABEL: func @generic_recomputed(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// Fused into the sum and into the quotient.
func.func @generic_recomputed(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
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
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %l = linalg.generic {indexing_maps = [#id, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %u = arith.addf %acc, %t : f32
    linalg.yield %u : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %l : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %u = arith.divf %t, %c : f32
    linalg.yield %u : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_generic_recomputed_otherwise(
// CHECK-NOT: linalg_ext.softmax
// Another exponential is divided than was summed.
func.func @negative_generic_recomputed_otherwise(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
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
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %l = linalg.generic {indexing_maps = [#id, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %u = arith.addf %acc, %t : f32
    linalg.yield %u : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %l : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %n = arith.mulf %a, %a : f32
    %s = arith.subf %n, %b : f32
    %t = math.exp %s : f32
    %u = arith.divf %t, %c : f32
    linalg.yield %u : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @named(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @named(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %mb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %e = linalg.exp ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %y = linalg.div ins(%e, %lb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_named_sum_from_one(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_named_sum_from_one(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 1.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %mb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %e = linalg.exp ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %y = linalg.div ins(%e, %lb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @map_and_elementwise(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// linalg.map, and linalg.elementwise with a broadcasting map.
func.func @map_and_elementwise(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %s = linalg.map { arith.subf } ins(%x, %mb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>)
  %e = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %y = linalg.elementwise kind=#linalg.elementwise_kind<div> indexing_maps = [#id, #row, #id]
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_map_max_minus_x(
// CHECK-NOT: linalg_ext.softmax
// e^(max - x).
func.func @negative_map_max_minus_x(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %s = linalg.map { arith.subf } ins(%mb, %x : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>)
  %e = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %y = linalg.elementwise kind=#linalg.elementwise_kind<div> indexing_maps = [#id, #row, #id]
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @keepdim(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// Reduced to [.., 1], as torch-mlir does.
func.func @keepdim(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3x1xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %m = linalg.generic {indexing_maps = [#id, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %e = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_keepdim_max_before_tanh(
// CHECK-NOT: linalg_ext.softmax
// The maximum is that of the scores before a non-linear op.
func.func @negative_keepdim_max_before_tanh(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3x1xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %th = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.tanh %a : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %e = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%th, %m : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @expand_and_collapse_shape(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @expand_and_collapse_shape(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %mk = tensor.expand_shape %m [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
  %e = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mk : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %lk = tensor.expand_shape %l [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
  %lc = tensor.collapse_shape %lk [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %lc : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_expand_shape_broadcast_along_other_dim(
// CHECK-NOT: linalg_ext.softmax
// The maximum of row j is subtracted from column j.
func.func @negative_expand_shape_broadcast_along_other_dim(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<4xf32>
  %full = tensor.empty() : tensor<4x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x4xf32>) outs(%m0 : tensor<4xf32>) dimensions = [1]
  %mk = tensor.expand_shape %m [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %e = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1, 0)>, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mk : tensor<4x4xf32>, tensor<4x1xf32>) outs(%full : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<4x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<4x4xf32>) outs(%l0 : tensor<4xf32>) dimensions = [1]
  %lk = tensor.expand_shape %l [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %lc = tensor.collapse_shape %lk [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %lc : tensor<4x4xf32>, tensor<4xf32>) outs(%full : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// CHECK-LABEL: func @reciprocal_named(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @reciprocal_named(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %mb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %e = linalg.exp ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %r = linalg.reciprocal ins(%l : tensor<3xf32>) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %rb = linalg.broadcast ins(%r : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %y = linalg.mul ins(%rb, %e : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_reciprocal_of_max(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_reciprocal_of_max(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %mb : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %e = linalg.exp ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %r = linalg.reciprocal ins(%m : tensor<3xf32>) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %rb = linalg.broadcast ins(%r : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
  %y = linalg.mul ins(%rb, %e : tensor<3x4xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @reciprocal_generic(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @reciprocal_generic(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %one = arith.constant 1.000000e+00 : f32
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
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%l : tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %one, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %r : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_reciprocal_twice(
// CHECK-NOT: linalg_ext.softmax
// 2 / sum.
func.func @negative_reciprocal_twice(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %one = arith.constant 2.000000e+00 : f32
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
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%l : tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.divf %one, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %r : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @keepdim_with_argmax(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// torch.max also returns where the maximum is.
func.func @keepdim_with_argmax(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3x1xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3x1xf32>) -> tensor<3x1xf32>
  %czero = arith.constant 0 : i64
  %ie = tensor.empty() : tensor<3x1xi64>
  %i0 = linalg.fill ins(%czero : i64) outs(%ie : tensor<3x1xi64>) -> tensor<3x1xi64>
  %m, %where = linalg.generic {indexing_maps = [#id, #keep, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0, %i0 : tensor<3x1xf32>, tensor<3x1xi64>) {
  ^bb0(%v: f32, %acc: f32, %where_acc: i64):
    %s = arith.maximumf %v, %acc : f32
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i64
    %g = arith.cmpf ogt, %v, %acc : f32
    %k = arith.select %g, %i, %where_acc : i64
    linalg.yield %s, %k : f32, i64
  } -> (tensor<3x1xf32>, tensor<3x1xi64>)
  %e = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #keep],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #keep, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3x1xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
