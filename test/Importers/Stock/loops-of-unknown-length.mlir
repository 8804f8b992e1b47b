// Loops to a size: layers of two kinds in turn, a loop in a loop, and tensors that move.

// RUN: linalg-ext-check-program %s --entry=kinds --sizes=7x16,-,3x16x16,- --max-kernels=19
// RUN: linalg-ext-check-program %s --entry=swap --sizes=-,-,3
// RUN: linalg-ext-check-program %s --entry=turn --sizes=-,-,3
// RUN: linalg-ext-check-program %s --entry=outside --sizes=-,-,3
// RUN: linalg-ext-check-program %s --entry=random

#r2 = affine_map<(d0, d1) -> (d0, d1)>
// Layers of two kinds in turn, a scale that is read in front, and a loop in a loop.
func.func @kinds(%x: tensor<?x16xf32>, %scale: tensor<1xf32>, %ws: tensor<?x16x16xf32> {check.draw = "uniform -0.25 0.25"}, %inner64: i64 {check.draw = "uniform 2 2"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %inner = arith.index_cast %inner64 : i64 to index
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract %scale[%c0] : tensor<1xf32>
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %l = tensor.dim %ws, %c0 : tensor<?x16x16xf32>
  %r = scf.for %i = %c0 to %l step %c1 iter_args(%h = %x) -> (tensor<?x16xf32>) {
    %w = tensor.extract_slice %ws[%i, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<?x16x16xf32> to tensor<16x16xf32>
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %odd = arith.remsi %i, %c2 : index
    %is = arith.cmpi eq, %odd, %c0 : index
    %y = scf.if %is -> (tensor<?x16xf32>) {
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
      %q = linalg.matmul ins(%h, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
      scf.yield %q : tensor<?x16xf32>
    } else {
      %q = linalg.softmax dimension(1) ins(%h : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
      scf.yield %q : tensor<?x16xf32>
    }
    %z2 = scf.for %j = %c0 to %inner step %c1 iter_args(%g = %y) -> (tensor<?x16xf32>) {
      %t = linalg.generic {indexing_maps = [#r2, #r2], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
      ^bb0(%a: f32, %o: f32):
        %m = arith.mulf %a, %s : f32
        %v = math.tanh %m : f32
        linalg.yield %v : f32
      } -> tensor<?x16xf32>
      scf.yield %t : tensor<?x16xf32>
    }
    scf.yield %z2 : tensor<?x16xf32>
  }
  return %r : tensor<?x16xf32>
}

// A tensor takes the place of another one, which is computed anew.
func.func @swap(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: tensor<?xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %m, %c0 : tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %s = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b, %s : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// Two tensors take turns.
func.func @turn(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: tensor<?xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %m, %c0 : tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %b, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// What an iteration hands on is from outside of the loop.
func.func @outside(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: tensor<?xf32>) -> (tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %m, %c0 : tensor<?xf32>
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    scf.yield %z : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Random numbers wrap around, which the integers of a launcher do not.
#scalar = affine_map<() -> ()>
func.func @random(%x: tensor<8xf32>, %n: tensor<i32> {check.draw = "choose 5"}) -> (tensor<8xf32>) {
  %z = arith.constant dense<0> : tensor<i32>
  %seven = arith.constant dense<7> : tensor<i32>
  %e = tensor.empty() : tensor<8xf32>
  %r:3 = scf.while (%i = %z, %h = %seven, %t = %x) : (tensor<i32>, tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<i32>, tensor<8xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %nn = tensor.extract %n[] : tensor<i32>
    %c = arith.cmpi slt, %a, %nn : i32
    scf.condition(%c) %i, %h, %t : tensor<i32>, tensor<i32>, tensor<8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<i32>, %t: tensor<8xf32>):
    %ei = tensor.empty() : tensor<i32>
    %i1 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%i : tensor<i32>) outs(%ei : tensor<i32>) {
    ^bb0(%p: i32, %o: i32):
      %c1 = arith.constant 1 : i32
      %q = arith.addi %p, %c1 : i32
      linalg.yield %q : i32
    } -> tensor<i32>
    %h1 = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%h, %i : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) {
    ^bb0(%p: i32, %p2: i32, %o: i32):
      %c1 = arith.constant 1664525 : i32
      %c2 = arith.constant 1013904223 : i32
      %q = arith.muli %p, %c1 : i32
      %q2 = arith.addi %q, %c2 : i32
      %c7 = arith.constant 1000 : i32
      %q1 = arith.remsi %q2, %c7 : i32
      linalg.yield %q1 : i32
    } -> tensor<i32>
    %u = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t, %h1 : tensor<8xf32>, tensor<i32>) outs(%e : tensor<8xf32>) {
    ^bb0(%p: f32, %hh: i32, %o: f32):
      %f = arith.sitofp %hh : i32 to f32
      %q = arith.addf %p, %f : f32
      linalg.yield %q : f32
    } -> tensor<8xf32>
    scf.yield %i1, %h1, %u : tensor<i32>, tensor<i32>, tensor<8xf32>
  }
  return %r#2 : tensor<8xf32>
}
