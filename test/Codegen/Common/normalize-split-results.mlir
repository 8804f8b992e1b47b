// An op with elementwise results and with reductions becomes two ops, if only reductions
// read the elements.

// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s --check-prefix=ONLINE

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>

// What is summed is read from the elements.
// CHECK-DAG: #[[IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[JI:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[I:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @exp_and_sum(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?x?xf32>, %[[E:[^:]+]]: tensor<?x?xf32>, %[[INIT:[^:]+]]: tensor<?xf32>,
// CHECK:         %[[MAX:.*]] = linalg.reduce
// CHECK:         %[[EXP:.*]] = linalg.generic {indexing_maps = [#[[IJ]], #[[I]], #[[IJ]]], iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[MAX]] : tensor<?x?xf32>, tensor<?xf32>) outs(%[[E]] : tensor<?x?xf32>)
// CHECK:           math.exp
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[IJ]], #[[I]]], iterator_types = ["parallel", "reduction"]} ins(%[[EXP]] : tensor<?x?xf32>) outs(%[[INIT]] : tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[ACC]], %[[A]]
// CHECK-NEXT:      linalg.yield %[[S]]
// CHECK:         linalg.reduce {{.*}} ins(%[[EXP]] : tensor<?x?xf32>)
// CHECK:         return %{{.*}}, %[[SUM]]
func.func @exp_and_sum(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %init: tensor<?xf32>, %c: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  %p, %sum = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e, %init : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%x0: f32, %m0: f32, %o: f32, %acc: f32):
    %a = arith.subf %x0, %m0 : f32
    %w = math.exp %a : f32
    %s = arith.addf %acc, %w : f32
    linalg.yield %w, %s : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
    %columns = linalg.reduce { arith.addf } ins(%p : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [0]
  return %columns, %sum : tensor<?xf32>, tensor<?xf32>
}

// The sum is of what is not rounded yet, and the elements are written transposed.
// CHECK-LABEL: func @rounded(
// CHECK:         %[[EXP:.*]] = linalg.generic {indexing_maps = [#[[IJ]], #[[I]], #[[JI]]], {{.*}} outs(%{{.*}} : tensor<?x?xf32>)
// CHECK:           math.exp
// CHECK-NOT:       arith.truncf
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[JI]], #[[I]]], iterator_types = ["parallel", "reduction"]} ins(%[[EXP]] : tensor<?x?xf32>)
// CHECK-NOT:       math.exp
// CHECK:         %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<?x?xf32>) outs(%{{.*}} : tensor<?x?xf16>)
// CHECK:           arith.truncf
// CHECK:         linalg.reduce {{.*}} ins(%[[ROUNDED]] : tensor<?x?xf16>)
// CHECK:         return %{{.*}}, %[[SUM]]
func.func @rounded(%x: tensor<?x?xf32>, %e: tensor<?x?xf16>, %init: tensor<?xf32>, %c: tensor<?xf16>)
    -> (tensor<?xf16>, tensor<?xf32>) {
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  %p, %sum = linalg.generic {indexing_maps = [#ij, #i, #ji, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e, %init : tensor<?x?xf16>, tensor<?xf32>) {
  ^bb0(%x0: f32, %m0: f32, %o: f16, %acc: f32):
    %a = arith.subf %x0, %m0 : f32
    %w = math.exp %a : f32
    %h = arith.truncf %w : f32 to f16
    %s = arith.addf %acc, %w : f32
    linalg.yield %h, %s : f16, f32
  } -> (tensor<?x?xf16>, tensor<?xf32>)
    %columns = linalg.reduce { arith.addf } ins(%p : tensor<?x?xf16>) outs(%c : tensor<?xf16>) dimensions = [0]
  return %columns, %sum : tensor<?xf16>, tensor<?xf32>
}

// Nothing is shared but positions.
// CHECK-LABEL: func @apart(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK:           linalg.index 1
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK:           linalg.index 1
// CHECK:           arith.maxsi
func.func @apart(%x: tensor<?x?xindex>, %e: tensor<?x?xindex>, %init: tensor<?xindex>, %c: tensor<?xindex>)
    -> (tensor<?xindex>, tensor<?xindex>) {
  %m = linalg.reduce { arith.maxsi } ins(%x : tensor<?x?xindex>) outs(%init : tensor<?xindex>) dimensions = [1]
  %p, %max = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<?x?xindex>, tensor<?xindex>) outs(%e, %init : tensor<?x?xindex>, tensor<?xindex>) {
  ^bb0(%x0: index, %m0: index, %o: index, %acc: index):
    %a = arith.subi %x0, %m0 : index
    %j = linalg.index 1 : index
    %b = arith.addi %x0, %j : index
    %k = arith.muli %a, %j : index
    %n = arith.maxsi %acc, %k : index
    linalg.yield %b, %n : index, index
  } -> (tensor<?x?xindex>, tensor<?xindex>)
    %columns = linalg.reduce { arith.addi } ins(%p : tensor<?x?xindex>) outs(%c : tensor<?xindex>) dimensions = [0]
  return %columns, %max : tensor<?xindex>, tensor<?xindex>
}

// The elements are sums up to there.
// CHECK-LABEL: func @negative_running(
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @negative_running(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %init: tensor<?xf32>, %c: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  %p, %sum = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e, %init : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%x0: f32, %m0: f32, %o: f32, %acc: f32):
    %a = arith.subf %x0, %m0 : f32
    %s = arith.addf %acc, %a : f32
    linalg.yield %s, %s : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
    %columns = linalg.reduce { arith.addf } ins(%p : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [0]
  return %columns, %sum : tensor<?xf32>, tensor<?xf32>
}

// The exponential would be computed twice.
// CHECK-LABEL: func @negative_not_yielded(
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @negative_not_yielded(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %init: tensor<?xf32>, %c: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  %p, %sum = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e, %init : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%x0: f32, %m0: f32, %o: f32, %acc: f32):
    %a = arith.subf %x0, %m0 : f32
    %w = math.exp %a : f32
    %b = arith.mulf %w, %a : f32
    %s = arith.addf %acc, %w : f32
    linalg.yield %b, %s : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
    %columns = linalg.reduce { arith.addf } ins(%p : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [0]
  return %columns, %sum : tensor<?xf32>, tensor<?xf32>
}

// The destination is read.
// CHECK-LABEL: func @negative_destination(
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @negative_destination(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %init: tensor<?xf32>, %c: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  %p, %sum = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e, %init : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%x0: f32, %m0: f32, %o: f32, %acc: f32):
    %a = arith.subf %x0, %m0 : f32
    %w = arith.addf %o, %a : f32
    %s = arith.addf %acc, %a : f32
    linalg.yield %w, %s : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
    %columns = linalg.reduce { arith.addf } ins(%p : tensor<?x?xf32>) outs(%c : tensor<?xf32>) dimensions = [0]
  return %columns, %sum : tensor<?xf32>, tensor<?xf32>
}

// The elements are stored anyway.
// CHECK-LABEL: func @negative_stored(
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "reduction"]
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @negative_stored(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %init: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>) {
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  %p, %sum = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e, %init : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%x0: f32, %m0: f32, %o: f32, %acc: f32):
    %a = arith.subf %x0, %m0 : f32
    %w = math.exp %a : f32
    %s = arith.addf %acc, %w : f32
    linalg.yield %w, %s : f32, f32
  } -> (tensor<?x?xf32>, tensor<?xf32>)
  return %p, %sum : tensor<?x?xf32>, tensor<?xf32>
}

// A softmax is found, whose exponentials and sum were one op.
// ONLINE-LABEL: func @softmax(
// ONLINE:         linalg_ext.softmax dimension(1)
// ONLINE-NOT:     math.exp
// ONLINE:         return
func.func @softmax(%x: tensor<8x64xf32>, %v: tensor<64x4xf32>, %dest: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %r = tensor.empty() : tensor<8xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%m0 : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %p, %sum = linalg.generic {indexing_maps = [#ij, #i, #ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<8x64xf32>, tensor<8xf32>) outs(%e, %s0 : tensor<8x64xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %acc: f32):
    %d = arith.subf %a, %b : f32
    %w = math.exp %d : f32
    %s = arith.addf %acc, %w : f32
    linalg.yield %w, %s : f32, f32
  } -> (tensor<8x64xf32>, tensor<8xf32>)
  %y = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %sum : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<8x64xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%dest : tensor<8x4xf32>) -> tensor<8x4xf32>
  %pv = linalg.matmul ins(%y, %v : tensor<8x64xf32>, tensor<64x4xf32>) outs(%r0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %pv : tensor<8x4xf32>
}
