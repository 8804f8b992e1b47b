// RUN: linalg-ext-opt %s -linalg-ext-raise | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-raise)' \
// RUN:   | FileCheck %s

// Dimensions, shapes and where in the payloads the parts of softmax are.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0, d1) -> ()>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#keep3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#unit3 = affine_map<(d0, d1, d2) -> (0, d1, 0)>
#slice = affine_map<(d0, d1) -> (1, d0, d1)>

// CHECK-LABEL: func @dimension_0(
// CHECK: linalg_ext.softmax dimension(0) ins(%{{.+}} : tensor<3x4xf32>)
// CHECK-NOT: exp
func.func @dimension_0(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<4xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#id, #col],
      iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#id, #col, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<4xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #col],
      iterator_types = ["reduction", "parallel"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<4xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<4xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @dynamic_middle_dimension
// CHECK-SAME: %[[X:.+]]: tensor<?x?x?xf32>)
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<?x?x?xf32>)
// CHECK-NOT: exp
func.func @dynamic_middle_dimension(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty(%d0, %d2) : tensor<?x?xf32>
  %full = tensor.empty(%d0, %d1, %d2) : tensor<?x?x?xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<?x?xf32>) -> tensor<?x?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?x?xf32>) outs(%m0 : tensor<?x?xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<?x?xf32>) outs(%full : tensor<?x?x?xf32>) dimensions = [1]
  %s = linalg.sub ins(%x, %mb : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%full : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e = linalg.exp ins(%s : tensor<?x?x?xf32>) outs(%full : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<?x?x?xf32>) outs(%l0 : tensor<?x?xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<?x?xf32>) outs(%full : tensor<?x?x?xf32>) dimensions = [1]
  %y = linalg.div ins(%e, %lb : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%full : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}

// CHECK-LABEL: func @batch_of_one_keepdim(
// CHECK-SAME: %[[X:.+]]: tensor<1x3x4xf32>)
// CHECK: linalg_ext.softmax dimension(2) ins(%[[X]] : tensor<1x3x4xf32>)
// CHECK-NOT: exp
// Dimensions of size 1 may be indexed by 0 or by a loop.
func.func @batch_of_one_keepdim(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<1x3x1xf32>
  %full = tensor.empty() : tensor<1x3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
  %m = linalg.generic {indexing_maps = [#id3, #keep3],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x3x4xf32>) outs(%m0 : tensor<1x3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<1x3x1xf32>
  %e = linalg.generic {indexing_maps = [#id3, #keep3, #id3],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<1x3x4xf32>, tensor<1x3x1xf32>) outs(%full : tensor<1x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<1x3x4xf32>
  %l = linalg.generic {indexing_maps = [#id3, #keep3],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<1x3x4xf32>) outs(%l0 : tensor<1x3x1xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<1x3x1xf32>
  %y = linalg.generic {indexing_maps = [#id3, #unit3, #id3],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %l : tensor<1x3x4xf32>, tensor<1x3x1xf32>) outs(%full : tensor<1x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x3x4xf32>
  return %y : tensor<1x3x4xf32>
}

// CHECK-LABEL: func @transposed_result(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: linalg.generic {{.*}} ins(%[[Y]]#0 :
// CHECK-NOT: {{exp|divf}}
// CHECK: linalg.yield
func.func @transposed_result(%x: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %other = tensor.empty() : tensor<4x3xf32>
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
  %y = linalg.generic {indexing_maps = [#id, #row, #transposed],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%other : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func @cast_result(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: tensor.cast %[[Y]]#0
// CHECK-NOT: exp
// Static scores, a result of dynamic shape.
func.func @cast_result(%x: tensor<3x4xf32>) -> tensor<?x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %c3 = arith.constant 3 : index
  %dyn = tensor.empty(%c3) : tensor<?x4xf32>
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
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%dyn : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func @fused_with_later_ops(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: linalg.generic {{.*}} ins(%[[Y]]#0, %[[X]] :
// CHECK: math.absf
// CHECK-NOT: {{exp|divf}}
// CHECK: linalg.yield
// What follows in the same op reads the result.
func.func @fused_with_later_ops(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
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
  %y = linalg.generic {indexing_maps = [#id, #row, #id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l, %x : tensor<3x4xf32>, tensor<3xf32>, tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    %t = math.absf %c : f32
    %u = arith.mulf %s, %t : f32
    linalg.yield %u : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @scores_computed_twice(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[S:.+]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: linalg.index 0
// CHECK: linalg.index 1
// CHECK: arith.select
// CHECK: linalg_ext.softmax dimension(1) ins(%[[S]] :
// CHECK-NOT: exp
// Scaled and causally masked within the maximum and within the exponential: a
// tensor of the scores is computed.
func.func @scores_computed_twice(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %half = arith.constant 5.000000e-01 : f32
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %g = arith.cmpi uge, %i, %j : index
    %q = arith.mulf %v, %half : f32
    %w = arith.select %g, %q, %ninf : f32
    %s = arith.maximumf %w, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %g = arith.cmpi uge, %i, %j : index
    %q = arith.mulf %a, %half : f32
    %w = arith.select %g, %q, %ninf : f32
    %s = arith.subf %w, %b : f32
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

// CHECK-LABEL: func @negative_scores_masked_otherwise(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_scores_masked_otherwise(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %half = arith.constant 5.000000e-01 : f32
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %g = arith.cmpi uge, %i, %j : index
    %q = arith.mulf %v, %half : f32
    %w = arith.select %g, %q, %ninf : f32
    %s = arith.maximumf %w, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %g = arith.cmpi ugt, %i, %j : index
    %q = arith.mulf %a, %half : f32
    %w = arith.select %g, %q, %ninf : f32
    %s = arith.subf %w, %b : f32
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

// CHECK-LABEL: func @in_a_loop
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>, %[[O:.+]]: tensor<3x4xf32>, %[[N:.+]]: index)
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[O]])
// CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<3x4xf32>) outs(%[[ACC]],
// CHECK-NOT: exp
// The destination of the quotient stays the destination.
func.func @in_a_loop(%x: tensor<3x4xf32>, %out: tensor<3x4xf32>, %n: index) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
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
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %out) -> (tensor<3x4xf32>) {
    %y = linalg.generic {indexing_maps = [#id, #row, #id],
        iterator_types = ["parallel", "parallel"]}
        ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%acc : tensor<3x4xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.divf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<3x4xf32>
    scf.yield %y : tensor<3x4xf32>
  }
  return %z : tensor<3x4xf32>
}

// CHECK-LABEL: func @of_softmax(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>)
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: linalg_ext.softmax dimension(1) ins(%[[Y]]#0 :
// CHECK-NOT: exp
func.func @of_softmax(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
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
  %m2 = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e2 = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%y, %m2 : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l2 = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e2 : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y2 = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e2, %l2 : tensor<3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y2 : tensor<3x4xf32>
}

// CHECK-LABEL: func @negative_along_dimension_of_size_1(
// CHECK-NOT: linalg_ext.softmax
// Nothing tells which dimension it is along.
func.func @negative_along_dimension_of_size_1(%x: tensor<3x1xf32>) -> tensor<3x1xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x1xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x1xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x1xf32>, tensor<3xf32>) outs(%full : tensor<3x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x1xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x1xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x1xf32>, tensor<3xf32>) outs(%full : tensor<3x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  return %y : tensor<3x1xf32>
}

// CHECK-LABEL: func @negative_along_two_dimensions(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_along_two_dimensions(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<f32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<f32>) -> tensor<f32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<f32>) -> tensor<f32>
  %m = linalg.generic {indexing_maps = [#id, #none],
      iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e = linalg.generic {indexing_maps = [#id, #none, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x4xf32>, tensor<f32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #none],
      iterator_types = ["reduction", "reduction"]}
      ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<f32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %y = linalg.generic {indexing_maps = [#id, #none, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<f32>) outs(%full : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func @of_a_slice_in_a_map(
// CHECK-SAME: %[[X:.+]]: tensor<5x3x4xf32>)
// CHECK: %[[S:.+]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK: linalg_ext.softmax dimension(1) ins(%[[S]] : tensor<3x4xf32>)
// CHECK-NOT: exp
// The scores are part of a tensor: they are copied.
func.func @of_a_slice_in_a_map(%x: tensor<5x3x4xf32>) -> tensor<3x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x4xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#slice, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x3x4xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#slice, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<5x3x4xf32>, tensor<3xf32>) outs(%full : tensor<3x4xf32>) {
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

// CHECK-LABEL: func @into_a_slice_in_a_map(
// CHECK-SAME: %[[X:.+]]: tensor<3x4xf32>, %[[D:.+]]: tensor
// CHECK: %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] :
// CHECK: linalg.generic {{.*}} ins(%[[Y]]#0 : {{.*}} outs(%[[D]] :
// CHECK-NOT: {{exp|divf}}
// CHECK: linalg.yield
// The rest of the destination stays.
func.func @into_a_slice_in_a_map(%x: tensor<3x4xf32>, %dest: tensor<5x3x4xf32>) -> tensor<5x3x4xf32> {
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
  %y = linalg.generic {indexing_maps = [#id, #row, #slice],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x4xf32>, tensor<3xf32>) outs(%dest : tensor<5x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<5x3x4xf32>
  return %y : tensor<5x3x4xf32>
}

// Not told apart from a dimension of size 1 that is merely kept.
// CHECK-LABEL: func @negative_one_key(
// CHECK-NOT: linalg_ext.softmax
// CHECK: arith.divf
func.func @negative_one_key(%x: tensor<3x1xf32>) -> tensor<3x1xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %row = tensor.empty() : tensor<3xf32>
  %full = tensor.empty() : tensor<3x1xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x1xf32>) outs(%m0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.maximumf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x1xf32>, tensor<3xf32>) outs(%full : tensor<3x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<3x1xf32>
  %l = linalg.generic {indexing_maps = [#id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<3x1xf32>) outs(%l0 : tensor<3xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %v, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<3x1xf32>, tensor<3xf32>) outs(%full : tensor<3x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  return %y : tensor<3x1xf32>
}
