// RUN: linalg-ext-opt %s -linalg-ext-raise -split-input-file | FileCheck %s

// The exponential of one more element, which has no result, is added to the sum: softmax
// starts from it, with the sum 1. An infinite one is finite as the maximum.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @base_two(
//  CHECK-SAME:   %[[X:.+]]: tensor<3x4xf32>, %[[SINK:.+]]: tensor<3xf32>)
//       CHECK:   %[[M:.+]] = linalg.generic {{.*}} ins(%[[SINK]]
//       CHECK:     %[[LN2:.+]] = arith.constant 0.69314
//       CHECK:     arith.mulf %{{.*}}, %[[LN2]]
//       CHECK:     arith.minimumf %{{.*}}, %{{.*}}
//       CHECK:   %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
//       CHECK:   %[[L:.+]] = linalg.fill ins(%[[ONE]]
//       CHECK:   linalg_ext.softmax dimension(1) {{.*}} outs(%{{.*}}, %[[M]], %[[L]], %{{.*}}
func.func @base_two(%x: tensor<3x4xf32>, %sink: tensor<3xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp2 %d : f32
    linalg.yield %p : f32
  } -> tensor<3x4xf32>
  %s = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %l = linalg.generic {indexing_maps = [#vec, #vec, #vec, #vec], iterator_types = ["parallel"]}
      ins(%s, %sink, %m : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %unused: f32):
    %d = arith.subf %b, %c : f32
    %p = math.exp2 %d : f32
    %q = arith.addf %p, %a : f32
    linalg.yield %q : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// What is added is relative to another maximum.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @negative_other_maximum(
//   CHECK-NOT:   linalg_ext.softmax
//       CHECK:   return
func.func @negative_other_maximum(%x: tensor<3x4xf32>, %sink: tensor<3xf32>, %other: tensor<3xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %l0 = linalg.generic {indexing_maps = [#vec, #vec, #vec], iterator_types = ["parallel"]}
      ins(%sink, %other : tensor<3xf32>, tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%b: f32, %c: f32, %unused: f32):
    %d = arith.subf %b, %c : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// What is added is another one for each column.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @negative_of_columns(
//   CHECK-NOT:   linalg_ext.softmax
//       CHECK:   return
func.func @negative_of_columns(%x: tensor<3x4xf32>, %sink: tensor<4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<3x4xf32>
  %s = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s, %sink, %m : tensor<3x4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %max: f32, %unused: f32):
    %d = arith.subf %c, %max : f32
    %p = math.exp %d : f32
    %l = arith.addf %b, %p : f32
    %q = arith.divf %a, %l : f32
    linalg.yield %q : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// What is added is a power of another number.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @negative_other_base(
//   CHECK-NOT:   linalg_ext.softmax
//       CHECK:   return
func.func @negative_other_base(%x: tensor<3x4xf32>, %sink: tensor<3xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %l0 = linalg.generic {indexing_maps = [#vec, #vec, #vec], iterator_types = ["parallel"]}
      ins(%sink, %m : tensor<3xf32>, tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%b: f32, %c: f32, %unused: f32):
    %d = arith.subf %b, %c : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp2 %d : f32
    linalg.yield %p : f32
  } -> tensor<3x4xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// What is added is the power of no difference from the maximum.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @negative_no_difference(
//   CHECK-NOT:   linalg_ext.softmax
func.func @negative_no_difference(%x: tensor<3x4xf32>, %sink: tensor<3xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp2 %d : f32
    linalg.yield %p : f32
  } -> tensor<3x4xf32>
  %s = linalg.reduce { arith.addf } ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %l = linalg.generic {indexing_maps = [#vec, #vec, #vec, #vec], iterator_types = ["parallel"]}
      ins(%s, %sink, %m : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%row : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %unused: f32):
    %p = math.exp2 %b : f32
    %q = arith.addf %p, %a : f32
    linalg.yield %q : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
