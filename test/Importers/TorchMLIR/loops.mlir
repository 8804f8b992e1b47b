// Loops and branches of TorchScript and of torch.while_loop, as the conversion to scf leaves
// them. Integers of the caller say how often they run, and which branch is taken.

// RUN: linalg-ext-check-program %s --entry=for_range --sizes=-,7x16,4x16x16 --max-kernels=7
// RUN: linalg-ext-check-program %s --entry=while_less --max-kernels=7
// RUN: linalg-ext-check-program %s --entry=while_loop --max-kernels=8
// RUN: linalg-ext-check-program %s --entry=if_long --sizes=7x16,-,- --max-kernels=2
// RUN: linalg-ext-check-program %s --entry=if_long --sizes=9x16,-,- --max-kernels=2 --targets=gpu
// RUN: linalg-ext-check-program %s --entry=if_argument --sizes=-,37x16 --max-kernels=2
// RUN: linalg-ext-check-program %s --entry=if_argument --sizes=-,37x16 --max-kernels=2 --targets=gpu --seed=3

#s = affine_map<() -> ()>
#r2 = affine_map<(d0, d1) -> (d0, d1)>
#r1 = affine_map<(d0, d1) -> (d0)>

// `for i in range(n)`: n is an integer of the caller.
func.func @for_range(%n: i64 {check.draw = "uniform 3 3"}, %x: tensor<?x16xf32>, %ws: tensor<?x16x16xf32> {check.draw = "uniform -0.25 0.25"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.000000e+00 : f32
  %end = arith.index_cast %n : i64 to index
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%h = %x) -> (tensor<?x16xf32>) {
    %i64 = arith.index_cast %i : index to i64
    %zero64 = arith.constant 0 : i64
    // An index may be negative.
    %l = tensor.dim %ws, %c0 : tensor<?x16x16xf32>
    %l64 = arith.index_cast %l : index to i64
    %wrapped = arith.addi %i64, %l64 : i64
    %isLess = arith.cmpi slt, %i64, %zero64 : i64
    %at = arith.select %isLess, %wrapped, %i64 : i64
    %index = arith.index_cast %at : i64 to index
    %w = tensor.extract_slice %ws[%index, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<?x16x16xf32> to tensor<1x16x16xf32>
    %weights = tensor.collapse_shape %w [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
    %m = tensor.dim %h, %c0 : tensor<?x16xf32>
    %e = tensor.empty(%m) : tensor<?x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %q = linalg.matmul ins(%h, %weights : tensor<?x16xf32>, tensor<16x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    %y = linalg.generic {indexing_maps = [#r2, #r2, #r2], iterator_types = ["parallel", "parallel"]} ins(%q, %h : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = math.tanh %a : f32
      %v = arith.addf %t, %b : f32
      linalg.yield %v : f32
    } -> tensor<?x16xf32>
    scf.yield %y : tensor<?x16xf32>
  }
  return %r : tensor<?x16xf32>
}

// `while k < n`: the condition is carried.
func.func @while_less(%n: i64 {check.draw = "uniform 20 20"}, %x: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %most = arith.constant 9223372036854775807 : i64
  %begin = arith.cmpi slt, %one, %n : i64
  %zero = arith.constant 0 : i64
  %r:4 = scf.while (%i = %zero, %c = %begin, %k = %one, %h = %x) : (i64, i1, i64, tensor<5x16xf32>) -> (i64, i1, i64, tensor<5x16xf32>) {
    %isBelow = arith.cmpi slt, %i, %most : i64
    %both = arith.andi %isBelow, %c : i1
    scf.condition(%both) %i, %c, %k, %h : i64, i1, i64, tensor<5x16xf32>
  } do {
  ^bb0(%i: i64, %c: i1, %k: i64, %h: tensor<5x16xf32>):
    %e = tensor.empty() : tensor<5x16xf32>
    %y = linalg.generic {indexing_maps = [#r2, #r2], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<5x16xf32>) outs(%e : tensor<5x16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %f = arith.sitofp %k : i64 to f32
      %t = math.tanh %a : f32
      %v = arith.addf %t, %f : f32
      linalg.yield %v : f32
    } -> tensor<5x16xf32>
    %next = arith.muli %k, %three : i64
    %holds = arith.cmpi slt, %next, %n : i64
    %i1 = arith.addi %i, %one : i64
    scf.yield %i1, %holds, %next, %y : i64, i1, i64, tensor<5x16xf32>
  }
  return %r#3 : tensor<5x16xf32>
}

// torch.while_loop: counters are tensors, and so is the condition. The limit is an argument.
func.func @while_loop(%n: tensor<i64> {check.draw = "uniform 3 3"}, %x: tensor<5x16xf32>) -> (tensor<5x16xf32>, tensor<i64>) {
  %start = arith.constant dense<0> : tensor<i64>
  %one = arith.constant 1 : i64
  %e1 = tensor.empty() : tensor<i1>
  %ei = tensor.empty() : tensor<i64>
  %c0 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%start, %n : tensor<i64>, tensor<i64>) outs(%e1 : tensor<i1>) {
  ^bb0(%a: i64, %b: i64, %o: i1):
    %v = arith.cmpi slt, %a, %b : i64
    linalg.yield %v : i1
  } -> tensor<i1>
  %begin = tensor.extract %c0[] : tensor<i1>
  %r:3 = scf.while (%c = %begin, %i = %start, %h = %x) : (i1, tensor<i64>, tensor<5x16xf32>) -> (i1, tensor<i64>, tensor<5x16xf32>) {
    scf.condition(%c) %c, %i, %h : i1, tensor<i64>, tensor<5x16xf32>
  } do {
  ^bb0(%c: i1, %i: tensor<i64>, %h: tensor<5x16xf32>):
    %next = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%i : tensor<i64>) outs(%ei : tensor<i64>) {
    ^bb0(%a: i64, %o: i64):
      %v = arith.addi %a, %one : i64
      linalg.yield %v : i64
    } -> tensor<i64>
    %e = tensor.empty() : tensor<5x16xf32>
    %p = linalg.softmax dimension(1) ins(%h : tensor<5x16xf32>) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
    %y = linalg.add ins(%p, %h : tensor<5x16xf32>, tensor<5x16xf32>) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
    %less = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%next, %n : tensor<i64>, tensor<i64>) outs(%e1 : tensor<i1>) {
    ^bb0(%a: i64, %b: i64, %o: i1):
      %v = arith.cmpi slt, %a, %b : i64
      linalg.yield %v : i1
    } -> tensor<i1>
    %holds = tensor.extract %less[] : tensor<i1>
    scf.yield %holds, %next, %y : i1, tensor<i64>, tensor<5x16xf32>
  }
  return %r#2, %r#1 : tensor<5x16xf32>, tensor<i64>
}

// A branch by a size: frequencies of short and of long sequences.
func.func @if_long(%x: tensor<?x16xf32>, %short: tensor<16xf32>, %long: tensor<16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 8 : i64
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %n64 = arith.index_cast %n : index to i64
  %isLong = arith.cmpi sgt, %n64, %limit : i64
  %ef = tensor.empty() : tensor<16xf32>
  %f = scf.if %isLong -> (tensor<16xf32>) {
    %scaled = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%long : tensor<16xf32>) outs(%ef : tensor<16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %p = arith.sitofp %n64 : i64 to f32
      %v = arith.divf %a, %p : f32
      linalg.yield %v : f32
    } -> tensor<16xf32>
    scf.yield %scaled : tensor<16xf32>
  } else {
    scf.yield %short : tensor<16xf32>
  }
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %y = linalg.generic {indexing_maps = [#r2, affine_map<(d0, d1) -> (d1)>, #r2], iterator_types = ["parallel", "parallel"]} ins(%x, %f : tensor<?x16xf32>, tensor<16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// A branch by an argument: with or without attention.
func.func @if_argument(%flag: i1, %x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.000000e+00 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %y = scf.if %flag -> (tensor<?x16xf32>) {
    %es = tensor.empty(%n, %n) : tensor<?x?xf32>
    %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
    %et = tensor.empty(%n) : tensor<16x?xf32>
    %t = linalg.transpose ins(%x : tensor<?x16xf32>) outs(%et : tensor<16x?xf32>) permutation = [1, 0]
    %sc = linalg.matmul ins(%x, %t : tensor<?x16xf32>, tensor<16x?xf32>) outs(%zs : tensor<?x?xf32>) -> tensor<?x?xf32>
    %p = linalg.softmax dimension(1) ins(%sc : tensor<?x?xf32>) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %o = linalg.matmul ins(%p, %x : tensor<?x?xf32>, tensor<?x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %o : tensor<?x16xf32>
  } else {
    scf.yield %x : tensor<?x16xf32>
  }
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %r = linalg.add ins(%y, %x : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
