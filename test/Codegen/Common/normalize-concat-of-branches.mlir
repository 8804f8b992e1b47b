// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// StableHLO's concatenation of three tensors: a branch for each, with the sizes so far.

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @three_parts
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<5x3xf32>, %[[Y:[a-z0-9]+]]: tensor<5x7xf32>, %[[Z:[a-z0-9]+]]: tensor<5x2xf32>
// CHECK-NOT:   scf.if
// CHECK:       %[[R:.*]] = tensor.concat dim(1) %[[X]], %[[Y]], %[[Z]]
// CHECK:       linalg.exp ins(%[[R]] :
func.func @three_parts(%x: tensor<5x3xf32>, %y: tensor<5x7xf32>, %z: tensor<5x2xf32>) -> tensor<5x12xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<5x12xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x12xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %j = linalg.index 1 : index
    %dx = tensor.dim %x, %c1 : tensor<5x3xf32>
    %nx = arith.addi %c0, %dx : index
    %inx = arith.cmpi ult, %j, %nx : index
    %r = scf.if %inx -> (f32) {
      %p = arith.subi %j, %c0 : index
      %v = tensor.extract %x[%i, %p] : tensor<5x3xf32>
      scf.yield %v : f32
    } else {
      %dy = tensor.dim %y, %c1 : tensor<5x7xf32>
      %ny = arith.addi %nx, %dy : index
      %iny = arith.cmpi ult, %j, %ny : index
      %s = scf.if %iny -> (f32) {
        %p = arith.subi %j, %nx : index
        %v = tensor.extract %y[%i, %p] : tensor<5x7xf32>
        scf.yield %v : f32
      } else {
        %p = arith.subi %j, %ny : index
        %v = tensor.extract %z[%i, %p] : tensor<5x2xf32>
        scf.yield %v : f32
      }
      scf.yield %s : f32
    }
    linalg.yield %r : f32
  } -> tensor<5x12xf32>
  %1 = linalg.exp ins(%0 : tensor<5x12xf32>) outs(%e : tensor<5x12xf32>) -> tensor<5x12xf32>
  return %1 : tensor<5x12xf32>
}

// -----

// Loops of size 1 have the position 0. Each part reads a slice of the operand that all read, and
// of its tensor: 4 rows from row 2 on, which are transposed.

#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (i)>
// CHECK-LABEL: func @slices
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<1x6x4xf32>, %[[Y:[a-z0-9]+]]: tensor<5x9xf32>, %[[S:[a-z0-9]+]]: tensor<7xf32>
// CHECK-NOT:   scf.if
// CHECK-DAG:   tensor.extract_slice %[[S]][0] [3] [1]
// CHECK-DAG:   tensor.extract_slice %[[X]][0, 2, 0] [1, 3, 4] [1, 1, 1]
// CHECK-DAG:   tensor.extract_slice %[[S]][3] [4] [1]
// CHECK-DAG:   tensor.extract_slice %[[Y]][0, 5] [4, 4] [1, 1]
// CHECK:       tensor.concat dim(1)
// CHECK-SAME:  (tensor<1x3x4xf32>, tensor<1x4x4xf32>) -> tensor<1x7x4xf32>
func.func @slices(%x: tensor<1x6x4xf32>, %y: tensor<5x9xf32>, %s: tensor<7xf32>) -> tensor<1x7x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<1x7x4xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<7xf32>) outs(%e : tensor<1x7x4xf32>) {
  ^bb0(%f: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %is = arith.cmpi sge, %i, %c3 : index
    %r = scf.if %is -> (f32) {
      %p = arith.addi %i, %c2 : index
      %v = tensor.extract %y[%j, %p] : tensor<5x9xf32>
      scf.yield %v : f32
    } else {
      %p = arith.addi %i, %c2 : index
      %v = tensor.extract %x[%b, %p, %j] : tensor<1x6x4xf32>
      scf.yield %v : f32
    }
    %m = arith.mulf %r, %f : f32
    linalg.yield %m : f32
  } -> tensor<1x7x4xf32>
  %1 = linalg.exp ins(%0 : tensor<1x7x4xf32>) outs(%e : tensor<1x7x4xf32>) -> tensor<1x7x4xf32>
  return %1 : tensor<1x7x4xf32>
}

// -----

// i - 4 is a large number for i < 4 if it has no sign: the first branch is that of 4 and 5.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @unsigned
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<2xf32>, %[[Y:[a-z0-9]+]]: tensor<9xf32>
// CHECK-DAG:   %[[A:.*]] = tensor.extract_slice %[[Y]][0] [4] [1]
// CHECK-DAG:   %[[B:.*]] = tensor.extract_slice %[[Y]][6] [3] [1]
// CHECK:       tensor.concat dim(0) %[[A]], %[[X]], %[[B]]
func.func @unsigned(%x: tensor<2xf32>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<9xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %p = arith.subi %i, %c4 : index
    %is = arith.cmpi ult, %p, %c2 : index
    %r = scf.if %is -> (f32) {
      %v = tensor.extract %x[%p] : tensor<2xf32>
      scf.yield %v : f32
    } else {
      %v = tensor.extract %y[%i] : tensor<9xf32>
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<9xf32>
  %1 = linalg.exp ins(%0 : tensor<9xf32>) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// -----

// A branch on what a tensor has stays, in each part.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @other_branch
// CHECK-COUNT-2: scf.if
// CHECK-NOT:   scf.if
// CHECK:       tensor.concat dim(0)
func.func @other_branch(%x: tensor<5xf32>, %y: tensor<4xf32>, %n: tensor<9xindex>, %t: tensor<100xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  %c99 = arith.constant 99 : index
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%n : tensor<9xindex>) outs(%e : tensor<9xf32>) {
  ^bb0(%k: index, %o: f32):
    %i = linalg.index 0 : index
    %small = arith.cmpi ule, %k, %c99 : index
    %l = scf.if %small -> (f32) {
      %v = tensor.extract %t[%k] : tensor<100xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    %is = arith.cmpi ult, %i, %c5 : index
    %r = scf.if %is -> (f32) {
      %v = tensor.extract %x[%i] : tensor<5xf32>
      scf.yield %v : f32
    } else {
      %p = arith.subi %i, %c5 : index
      %v = tensor.extract %y[%p] : tensor<4xf32>
      scf.yield %v : f32
    }
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<9xf32>
  %1 = linalg.exp ins(%0 : tensor<9xf32>) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// -----

// It is not known where a dimension of unknown size ends.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @negative_unknown_size
// CHECK:       scf.if
// CHECK-NOT:   tensor.concat
// CHECK:       return
func.func @negative_unknown_size(%x: tensor<5xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c5 = arith.constant 5 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi ult, %i, %c5 : index
    %r = scf.if %is -> (f32) {
      %v = tensor.extract %x[%i] : tensor<5xf32>
      scf.yield %v : f32
    } else {
      %p = arith.subi %i, %c5 : index
      %v = tensor.extract %y[%p] : tensor<?xf32>
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// What is only returned is one op: parts would be ops of their own.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @negative_returned
// CHECK:       scf.if
// CHECK-NOT:   tensor.concat
// CHECK:       return
func.func @negative_returned(%x: tensor<5xf32>, %y: tensor<4xf32>) -> tensor<9xf32> {
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<9xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi ult, %i, %c5 : index
    %r = scf.if %is -> (f32) {
      %v = tensor.extract %x[%i] : tensor<5xf32>
      scf.yield %v : f32
    } else {
      %p = arith.subi %i, %c5 : index
      %v = tensor.extract %y[%p] : tensor<4xf32>
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// A branch on data has a branch on the position in it. Parts would have both branches again, so
// it is left: the pass returns.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @in_a_branch_on_data
// CHECK-NOT:   tensor.concat
// CHECK:       scf.if
// CHECK:         scf.if
// CHECK-NOT:   tensor.concat
// CHECK:       linalg.exp
func.func @in_a_branch_on_data(%x: tensor<6x5xf32>, %y: tensor<6x7xf32>, %s: tensor<6xf32>) -> tensor<6x12xf32> {
  %c0 = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<6x12xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<6xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%f: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %is = arith.cmpf ogt, %f, %c0 : f32
    %r = scf.if %is -> (f32) {
      %inx = arith.cmpi ult, %j, %c5 : index
      %t = scf.if %inx -> (f32) {
        %v = tensor.extract %x[%i, %j] : tensor<6x5xf32>
        scf.yield %v : f32
      } else {
        %p = arith.subi %j, %c5 : index
        %v = tensor.extract %y[%i, %p] : tensor<6x7xf32>
        scf.yield %v : f32
      }
      scf.yield %t : f32
    } else {
      scf.yield %f : f32
    }
    linalg.yield %r : f32
  } -> tensor<6x12xf32>
  %1 = linalg.exp ins(%0 : tensor<6x12xf32>) outs(%e : tensor<6x12xf32>) -> tensor<6x12xf32>
  return %1 : tensor<6x12xf32>
}

// -----

// What is returned is stored by one op, and the other op reads it.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @returned_and_read
// CHECK-NOT:   tensor.concat
// CHECK:       %[[R:.*]] = linalg.generic
// CHECK:         scf.if
// CHECK:       %[[E:.*]] = linalg.exp ins(%[[R]] :
// CHECK:       return %[[R]], %[[E]]
func.func @returned_and_read(%x: tensor<5xf32>, %y: tensor<7xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<12xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<12xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %inx = arith.cmpi ult, %i, %c5 : index
    %r = scf.if %inx -> (f32) {
      %v = tensor.extract %x[%i] : tensor<5xf32>
      scf.yield %v : f32
    } else {
      %p = arith.subi %i, %c5 : index
      %v = tensor.extract %y[%p] : tensor<7xf32>
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<12xf32>
  %1 = linalg.exp ins(%0 : tensor<12xf32>) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  return %0, %1 : tensor<12xf32>, tensor<12xf32>
}
