// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-normalize | FileCheck %s

// What tosa-to-linalg writes where sizes are not in types: an operand is repeated if its size is
// 1. The result has the size of the operand, so nothing is repeated.

#id = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (0, j)>
#last = affine_map<(i, j) -> (i, 0)>

func.func @same_size(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %is_one = arith.cmpi eq, %m, %c1 : index
  %r = scf.if %is_one -> tensor<?x?xf32> {
    %most = arith.maxui %m, %m : index
    %e = tensor.empty(%most, %n) : tensor<?x?xf32>
    %b = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  } else {
    scf.yield %x : tensor<?x?xf32>
  }
  %s = tensor.dim %r, %c1 : tensor<?x?xf32>
  %is_one_too = arith.cmpi eq, %s, %c1 : index
  %t = scf.if %is_one_too -> tensor<?x?xf32> {
    %d = tensor.dim %r, %c0 : tensor<?x?xf32>
    %e = tensor.empty(%d, %n) : tensor<?x?xf32>
    %b = linalg.generic {indexing_maps = [#last, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  } else {
    scf.yield %r : tensor<?x?xf32>
  }
  return %t : tensor<?x?xf32>
}
// CHECK-LABEL: @same_size(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<?x?xf32>
//  CHECK-NEXT:   return %[[X]]

// -----

// The other operand may have more rows; another size is 1; the elements are moved.

#id = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (0, j)>
#moved = affine_map<(i, j) -> (0, i)>

func.func @negative_larger(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %y, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %most = arith.maxui %m, %k : index
  %is_one = arith.cmpi eq, %m, %c1 : index
  %r = scf.if %is_one -> tensor<?x?xf32> {
    %e = tensor.empty(%most, %n) : tensor<?x?xf32>
    %b = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  } else {
    scf.yield %x : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
// CHECK-LABEL: @negative_larger(
//       CHECK:   scf.if

func.func @negative_other_size(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %is_one = arith.cmpi eq, %n, %c1 : index
  %r = scf.if %is_one -> tensor<?x?xf32> {
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %b = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  } else {
    scf.yield %x : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
// CHECK-LABEL: @negative_other_size(
//       CHECK:   scf.if

func.func @negative_moved(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %is_one = arith.cmpi eq, %m, %c1 : index
  %r = scf.if %is_one -> tensor<?x?xf32> {
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %b = linalg.generic {indexing_maps = [#moved, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  } else {
    scf.yield %x : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
// CHECK-LABEL: @negative_moved(
//       CHECK:   scf.if

// Branches that compute little for an element: each element is chosen.

// CHECK-LABEL: func @mask_or_not(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[M:[a-z0-9]+]]: tensor<8xf32>, %[[B:[a-z0-9]+]]: i1
//   CHECK-NOT:   scf.if
//       CHECK:   %[[S:.+]] = linalg.generic {{.*}} ins(%[[X]], %[[M]]
//       CHECK:   linalg.generic {{.*}} ins(%[[S]], %[[X]]
//       CHECK:     arith.select %[[B]]
func.func @mask_or_not(%x: tensor<4x8xf32>, %m: tensor<8xf32>, %b: i1) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = scf.if %b -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in0: f32, %out: f32):
      %1 = arith.addf %in, %in0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    scf.yield %0 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  %r = linalg.exp ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Where the branch is not taken, the mask may be of any size.

// CHECK-LABEL: func @negative_mask_of_any_size(
//       CHECK:   scf.if
func.func @negative_mask_of_any_size(%x: tensor<4x?xf32>, %m: tensor<?xf32>, %b: i1) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %s = scf.if %b -> tensor<4x?xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<4x?xf32>, tensor<?xf32>) outs(%e : tensor<4x?xf32>) {
    ^bb0(%in: f32, %in0: f32, %out: f32):
      %1 = arith.addf %in, %in0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x?xf32>
    scf.yield %0 : tensor<4x?xf32>
  } else {
    scf.yield %x : tensor<4x?xf32>
  }
  %r = linalg.exp ins(%s : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// A product is not computed for nothing.

// CHECK-LABEL: func @negative_product_in_branch(
//       CHECK:   scf.if
func.func @negative_product_in_branch(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: i1) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = scf.if %b -> tensor<4x8xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %0 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  %r = linalg.exp ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The branches yield tensors of other sizes.

// CHECK-LABEL: func @negative_other_sizes(
//       CHECK:   scf.if
func.func @negative_other_sizes(%x: tensor<?xf32>, %y: tensor<?xf32>, %b: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = scf.if %b -> tensor<?xf32> {
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    %0 = linalg.negf ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  %m = tensor.dim %s, %c0 : tensor<?xf32>
  %er = tensor.empty(%m) : tensor<?xf32>
  %r = linalg.exp ins(%s : tensor<?xf32>) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Exponentials are not computed for nothing either.

// CHECK-LABEL: func @negative_exponentials_in_branch(
//       CHECK:   scf.if
func.func @negative_exponentials_in_branch(%x: tensor<4x8xf32>, %b: i1) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = scf.if %b -> tensor<4x8xf32> {
    %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %0 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  %r = linalg.exp ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The only element of a tensor is there in any case.

// CHECK-LABEL: func @element(
//   CHECK-NOT:   scf.if
//       CHECK:   tensor.extract
//       CHECK:   arith.select
func.func @element(%x: tensor<4x8xf32>, %t: tensor<f32>, %b: i1) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %s = scf.if %b -> tensor<4x8xf32> {
    %a = tensor.extract %t[] : tensor<f32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %a : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    scf.yield %0 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  %r = linalg.exp ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Where the branch is not taken, the tensor may have no element.

// CHECK-LABEL: func @negative_element_of_any(
//       CHECK:   scf.if
//       CHECK:     tensor.extract
func.func @negative_element_of_any(%x: tensor<4x8xf32>, %t: tensor<?xf32>, %b: i1) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %s = scf.if %b -> tensor<4x8xf32> {
    %a = tensor.extract %t[%c0] : tensor<?xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %a : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    scf.yield %0 : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  %r = linalg.exp ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A branch that hands on one of two tensors chooses elements, like a select of tensors, also
// after the first round.

func.func @choice(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %c: i1) -> tensor<4x8xf32> {
  %r = scf.if %c -> tensor<4x8xf32> {
    scf.yield %x : tensor<4x8xf32>
  } else {
    scf.yield %y : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
// CHECK-LABEL: @choice(
//       CHECK:   linalg.generic
//       CHECK:     arith.select %{{.+}}, %{{.+}}, %{{.+}} : f32
//   CHECK-NOT:   arith.select
