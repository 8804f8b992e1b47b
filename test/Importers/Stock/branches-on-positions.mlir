// Payloads that branch on positions: parts of tensors, with elements in front of them and
// behind, in transposed order, and comparisons without a sign that wrap around.

// RUN: linalg-ext-check-program %s --max-kernels=1

#id3 = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (i)>
#id = affine_map<(i) -> (i)>

func.func @slices(%x: tensor<1x6x4xf32>, %y: tensor<5x9xf32>, %s: tensor<7xf32>) -> tensor<1x7x4xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<1x7x4xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<7xf32>) outs(%e : tensor<1x7x4xf32>) {
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

// One column is another one's.
#first = affine_map<(i, j) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
func.func @one_column(%x: tensor<5x13xf32>, %y: tensor<5xf32>) -> tensor<5x13xf32> {
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<5x13xf32>
  %0 = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x13xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %is = arith.cmpi eq, %j, %c7 : index
    %r = scf.if %is -> (f32) {
      %v = tensor.extract %y[%i] : tensor<5xf32>
      scf.yield %v : f32
    } else {
      %v = tensor.extract %x[%i, %j] : tensor<5x13xf32>
      scf.yield %v : f32
    }
    linalg.yield %r : f32
  } -> tensor<5x13xf32>
  %1 = linalg.exp ins(%0 : tensor<5x13xf32>) outs(%e : tensor<5x13xf32>) -> tensor<5x13xf32>
  return %1 : tensor<5x13xf32>
}

// A branch on data with a branch on the position in it.
func.func @in_a_branch_on_data(%a: tensor<6x5xf32>, %b: tensor<6x7xf32>, %s: tensor<6xf32>) -> tensor<6x12xf32> {
  %c0 = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<6x12xf32>
  %0 = linalg.generic {indexing_maps = [#first, #id2], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<6xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.cmpf ogt, %x, %c0 : f32
    %r = scf.if %p -> f32 {
      %q = arith.cmpi ult, %j, %c5 : index
      %t = scf.if %q -> f32 {
        %v = tensor.extract %a[%i, %j] : tensor<6x5xf32>
        scf.yield %v : f32
      } else {
        %k = arith.subi %j, %c5 : index
        %v = tensor.extract %b[%i, %k] : tensor<6x7xf32>
        scf.yield %v : f32
      }
      scf.yield %t : f32
    } else {
      scf.yield %x : f32
    }
    linalg.yield %r : f32
  } -> tensor<6x12xf32>
  %e2 = tensor.empty() : tensor<6x12xf32>
  %1 = linalg.exp ins(%0 : tensor<6x12xf32>) outs(%e2 : tensor<6x12xf32>) -> tensor<6x12xf32>
  return %1 : tensor<6x12xf32>
}
