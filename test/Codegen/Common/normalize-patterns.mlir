// The pattern sets of the steps alone, on dynamic sizes: each function is for one set, and
// no other set changes it. (Together: normalize*.mlir.)

// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=drop-kept-dims | FileCheck %s --check-prefix=KEPT
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=extract-contraction-operands | FileCheck %s --check-prefix=OPERANDS
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=extract-elements | FileCheck %s --check-prefix=ELEMENTS
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-reshapes | FileCheck %s --check-prefix=RESHAPES
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-transpose | FileCheck %s --check-prefix=TRANSPOSE
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-transpose-into-producer | FileCheck %s --check-prefix=PRODUCER
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling | FileCheck %s --check-prefix=SPELLING

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij3 = affine_map<(i, j, k) -> (i, j)>
#ij = affine_map<(i, j) -> (i, j)>
#kept = affine_map<(i, j) -> (i, 0)>
#i = affine_map<(i) -> (i)>

// The reader of a reduction that keeps a dimension reads one without it.
// KEPT-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// KEPT-LABEL: func @kept(
// KEPT:         tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
// KEPT:         linalg.generic {indexing_maps = [#{{.*}}, #[[ROW]], #{{.*}}]
func.func @kept(%x: tensor<?x?xf32>, %init: tensor<?x1xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = linalg.generic {indexing_maps = [#ij, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%init : tensor<?x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<?x1xf32>
  %d = linalg.generic {indexing_maps = [#ij, #kept, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x?xf32>, tensor<?x1xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// A dimension of a size that is not known may not be dropped.
// KEPT-LABEL: func @negative_unknown(
// KEPT-NOT:     collapse_shape
// KEPT:         return
func.func @negative_unknown(%x: tensor<?x?xf32>, %s: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %d = linalg.generic {indexing_maps = [#ij, #kept, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// A factor of two tensors is computed in front of the contraction.
// OPERANDS-LABEL: func @factor(
// OPERANDS:         %[[F:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// OPERANDS:           arith.subf
// OPERANDS:         linalg.generic {{.*}} ins(%[[F]], %{{.*}} : tensor<?x?xf32>, tensor<?x?xf32>)
// OPERANDS-NEXT:    ^bb0
// OPERANDS-NEXT:      arith.mulf
func.func @factor(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %w: tensor<?x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = linalg.generic {indexing_maps = [#ik, #ik, #kj, #ij3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %w : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%a: f32, %a2: f32, %b: f32, %acc: f32):
    %0 = arith.subf %a, %a2 : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// A factor that is larger than what it is computed from stays in the payload.
// OPERANDS-LABEL: func @negative_larger(
// OPERANDS:         linalg.generic
// OPERANDS-SAME:      iterator_types = ["parallel", "parallel", "reduction"]
// OPERANDS:           arith.subf
// OPERANDS-NOT:     linalg.generic
// OPERANDS:         return
func.func @negative_larger(%x: tensor<?xf32>, %y: tensor<?xf32>, %w: tensor<?x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (k)>, #kj, #ij3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %w : tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%a: f32, %a2: f32, %b: f32, %acc: f32):
    %0 = arith.subf %a, %a2 : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// Of one element of each row, only that one is computed.
// ELEMENTS-LABEL: func @one_of_each_row(
// ELEMENTS-SAME:    %[[X:[a-z0-9]+]]: tensor<?x?xf32>
// ELEMENTS-NOT:     linalg.exp
// ELEMENTS:         tensor.extract %[[X]]
// ELEMENTS-NEXT:    math.exp
func.func @one_of_each_row(%x: tensor<?x?xf32>, %at: tensor<?xi64>, %e: tensor<?x?xf32>, %r: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%at : tensor<?xi64>) outs(%r : tensor<?xf32>) {
  ^bb0(%j: i64, %out: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %j : i64 to index
    %v = tensor.extract %y[%i, %k] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The op has the dimensions that there were before the collapse.
// RESHAPES-LABEL: func @heads(
// RESHAPES:         linalg.generic {{.*}} ins(%{{.*}} : tensor<?x4x8xf32>)
// RESHAPES:         tensor.collapse_shape
func.func @heads(%x: tensor<?x4x8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x4x8xf32> into tensor<?x8xf32>
  %y = linalg.exp ins(%c : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// What a slice reads of it keeps the reshape.
// RESHAPES-LABEL: func @negative_slice(
// RESHAPES-NEXT:    tensor.collapse_shape
// RESHAPES-NEXT:    tensor.extract_slice
func.func @negative_slice(%x: tensor<?x4x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x4x8xf32> into tensor<?x8xf32>
  %y = tensor.extract_slice %c[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// TRANSPOSE-LABEL: func @transposed(
// TRANSPOSE-NOT:     linalg.transpose
// TRANSPOSE:         linalg.generic
// TRANSPOSE-SAME:      ins(%arg0, %arg2
// PRODUCER-LABEL: func @transposed(
// PRODUCER-NEXT:    linalg.transpose
func.func @transposed(%x: tensor<?x?xf32>, %t: tensor<?x?xf32>, %y: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %xt = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) permutation = [1, 0]
  %0 = linalg.add ins(%xt, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The contraction writes its result transposed.
// PRODUCER-LABEL: func @product(
// PRODUCER:         linalg.fill
// PRODUCER-NOT:     linalg.transpose
// PRODUCER:         linalg.generic
// TRANSPOSE-LABEL: func @product(
// TRANSPOSE:         linalg.transpose
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %init: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.transpose ins(%0 : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) permutation = [1, 0]
  return %1 : tensor<?x?xf32>
}

// A sum that goes on from a tensor would need that tensor transposed.
// PRODUCER-LABEL: func @negative_accumulates(
// PRODUCER-NEXT:    linalg.matmul
// PRODUCER-NEXT:    linalg.transpose
func.func @negative_accumulates(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %init: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.transpose ins(%0 : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) permutation = [1, 0]
  return %1 : tensor<?x?xf32>
}

// SPELLING-LABEL: func @yields_a_scalar(
// SPELLING-NOT:     linalg.generic
// SPELLING:         linalg.fill
func.func @yields_a_scalar(%x: f32, %e: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, #i], iterator_types = ["parallel"]}
      ins(%x : f32) outs(%e : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// One group for a whole column: the dimension of size 1 leaves the dequantization.
// KEPT-LABEL: func @weights(
// KEPT-SAME:    %{{.*}}: tensor<?x?xf32>, %[[W:[^:]*]]: tensor<?x64xi8>
// KEPT:         %[[D:.*]] = linalg.generic {{.*}} ins(%[[W]], %{{.*}} : tensor<?x64xi8>, tensor<?x1xf32>)
// KEPT-NOT:     tensor.collapse_shape
// KEPT:         linalg.generic {{.*}} ins(%{{.*}}, %[[D]] : tensor<?x64xf32>, tensor<?x64xf32>)
func.func @weights(%any: tensor<?x?xf32>, %w: tensor<?x64xi8>, %s: tensor<?x1xf32>, %x: tensor<?x64xf32>, %n: index, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %w3 = tensor.expand_shape %w [[0], [1, 2]] output_shape [%n, 1, 64] : tensor<?x64xi8> into tensor<?x1x64xi8>
  %e = tensor.empty(%n) : tensor<?x1x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w3, %s : tensor<?x1x64xi8>, tensor<?x1xf32>) outs(%e : tensor<?x1x64xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x1x64xf32>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<?x1x64xf32> into tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<?x64xf32>, tensor<?x64xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
