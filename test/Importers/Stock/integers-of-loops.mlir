// Integers that loops carry: a launcher counts with those that it can compute. Others are
// in memory of the device.

// RUN: linalg-ext-check-program %s --entry=wraps --sizes=-,5x16 --max-kernels=19
// RUN: linalg-ext-check-program %s --entry=unsigned --sizes=-,5x16 --max-kernels=13
// RUN: linalg-ext-check-program %s --entry=bits --max-scalar-kernels=9
// RUN: linalg-ext-check-program %s --entry=converted
// RUN: linalg-ext-check-program %s --entry=twice
// RUN: linalg-ext-check-program %s --entry=past_the_sign

#map = affine_map<(d0) -> (d0)>
// Random numbers, of 32 bits also where a launcher has 64, choose rows.
func.func @wraps(%n: tensor<i32> {check.draw = "uniform 9 9"}, %x: tensor<?x16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = arith.constant 1664525 : i32
  %c = arith.constant 1013904223 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %d = tensor.dim %x, %i0 : tensor<?x16xf32>
  %d32 = arith.index_cast %d : index to i32
  %end = tensor.extract %n[] : tensor<i32>
  %first = arith.muli %end, %c : i32
  %e0 = tensor.empty() : tensor<16xf32>
  %t0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<16xf32>) -> tensor<16xf32>
  %r:3 = scf.while (%i = %c0, %s = %first, %t = %t0) : (i32, i32, tensor<16xf32>) -> (i32, i32, tensor<16xf32>) {
    %p = arith.cmpi slt, %i, %end : i32
    scf.condition(%p) %i, %s, %t : i32, i32, tensor<16xf32>
  } do {
  ^bb0(%i: i32, %s: i32, %t: tensor<16xf32>):
    %q0 = arith.remsi %s, %d32 : i32
    %q1 = arith.maxsi %q0, %c0 : i32
    %q = arith.index_cast %q1 : i32 to index
    %sl = tensor.extract_slice %x[%q, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    %e = tensor.empty() : tensor<16xf32>
    %u = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%t, %sl : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%v: f32, %v2: f32, %o: f32):
      %h = arith.constant 0.5 : f32
      %v3 = arith.mulf %v, %h : f32
      %w = arith.addf %v3, %v2 : f32
      linalg.yield %w : f32
    } -> tensor<16xf32>
    %s1 = arith.muli %s, %a : i32
    %s2 = arith.addi %s1, %c : i32
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %s2, %u : i32, i32, tensor<16xf32>
  }
  return %r#2 : tensor<16xf32>
}

// Numbers without sign, of more bits on the way.
func.func @unsigned(%n: tensor<i32> {check.draw = "uniform 6 6"}, %x: tensor<?x16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant -5 : i32
  %k1 = arith.constant -1640531527 : i32
  %z = arith.constant 0.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %d32 = arith.index_cast %d : index to i32
  %n32 = tensor.extract %n[] : tensor<i32>
  %end = arith.index_cast %n32 : i32 to index
  %e0 = tensor.empty() : tensor<16xf32>
  %t0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<16xf32>) -> tensor<16xf32>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%s = %k0, %t = %t0) -> (i32, tensor<16xf32>) {
    %q = arith.remui %s, %d32 : i32
    %q1 = arith.extui %q : i32 to i64
    %q2 = arith.index_cast %q1 : i64 to index
    %sl = tensor.extract_slice %x[%q2, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
    %e = tensor.empty() : tensor<16xf32>
    %u = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%t, %sl : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%v: f32, %v2: f32, %o: f32):
      %h = arith.constant 0.5 : f32
      %v3 = arith.mulf %v, %h : f32
      %w = arith.addf %v3, %v2 : f32
      linalg.yield %w : f32
    } -> tensor<16xf32>
    %s1 = arith.addi %s, %k1 : i32
    %b = arith.extui %s1 : i32 to i64
    %c97 = arith.constant 97 : i64
    %s2 = arith.muli %b, %c97 : i64
    %s3 = arith.trunci %s2 : i64 to i32
    scf.yield %s3, %u : i32, tensor<16xf32>
  }
  return %r#1 : tensor<16xf32>
}

// The bits of a number, which no expression of a manifest has.
func.func @bits(%n: tensor<i32> {check.draw = "uniform 3 6"}, %x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant dense<7> : tensor<i32>
  %r:3 = scf.while (%i = %c0, %s = %c1, %t = %x) : (tensor<i32>, tensor<i32>, tensor<16xf32>) -> (tensor<i32>, tensor<i32>, tensor<16xf32>) {
    %a = tensor.extract %i[] : tensor<i32>
    %b = tensor.extract %n[] : tensor<i32>
    %p = arith.cmpi slt, %a, %b : i32
    scf.condition(%p) %i, %s, %t : tensor<i32>, tensor<i32>, tensor<16xf32>
  } do {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %t: tensor<16xf32>):
    %e = tensor.empty() : tensor<16xf32>
    %u = linalg.generic {indexing_maps = [#map, affine_map<(d0) -> ()>, #map], iterator_types = ["parallel"]} ins(%t, %s : tensor<16xf32>, tensor<i32>) outs(%e : tensor<16xf32>) {
    ^bb0(%v: f32, %q: i32, %o: f32):
      %c255 = arith.constant 255 : i32
      %q1 = arith.andi %q, %c255 : i32
      %f = arith.sitofp %q1 : i32 to f32
      %w = arith.addf %v, %f : f32
      linalg.yield %w : f32
    } -> tensor<16xf32>
    %ei = tensor.empty() : tensor<i32>
    %j = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%i : tensor<i32>) outs(%ei : tensor<i32>) {
    ^bb0(%v: i32, %o: i32):
      %one = arith.constant 1 : i32
      %w = arith.addi %v, %one : i32
      linalg.yield %w : i32
    } -> tensor<i32>
    %g = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%s : tensor<i32>) outs(%ei : tensor<i32>) {
    ^bb0(%v: i32, %o: i32):
      %k = arith.constant 13 : i32
      %k2 = arith.constant 17 : i32
      %k3 = arith.constant 5 : i32
      %w = arith.shli %v, %k : i32
      %w1 = arith.xori %w, %v : i32
      %w2 = arith.shrui %w1, %k2 : i32
      %w3 = arith.xori %w1, %w2 : i32
      %w4 = arith.shli %w3, %k3 : i32
      %w5 = arith.xori %w3, %w4 : i32
      linalg.yield %w5 : i32
    } -> tensor<i32>
    scf.yield %j, %g, %u : tensor<i32>, tensor<i32>, tensor<16xf32>
  }
  return %r#2 : tensor<16xf32>
}

// A float decides how much is added.
func.func @converted(%n: tensor<i32> {check.draw = "uniform 4 6"}, %y: tensor<f32> {check.draw = "uniform 2 3"}, %x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant dense<0> : tensor<i32>
  %r:3 = scf.while (%i = %c0, %s = %c0, %t = %x) : (tensor<i32>, tensor<i32>, tensor<16xf32>) -> (tensor<i32>, tensor<i32>, tensor<16xf32>) {
    %iv = tensor.extract %i[] : tensor<i32>
    %end = tensor.extract %n[] : tensor<i32>
    %p = arith.cmpi slt, %iv, %end : i32
    scf.condition(%p) %i, %s, %t : tensor<i32>, tensor<i32>, tensor<16xf32>
  } do {
  ^bb0(%i: tensor<i32>, %s: tensor<i32>, %t: tensor<16xf32>):
    %c1 = arith.constant 1 : i32
    %iv = tensor.extract %i[] : tensor<i32>
    %i1 = arith.addi %iv, %c1 : i32
    %j = tensor.from_elements %i1 : tensor<i32>
    %yv = tensor.extract %y[] : tensor<f32>
    %yi = arith.fptosi %yv : f32 to i32
    %sv = tensor.extract %s[] : tensor<i32>
    %s1 = arith.addi %sv, %yi : i32
    %s2 = tensor.from_elements %s1 : tensor<i32>
    %e = tensor.empty() : tensor<16xf32>
    %u = linalg.generic {indexing_maps = [#map, affine_map<(d0) -> ()>, #map], iterator_types = ["parallel"]} ins(%t, %s : tensor<16xf32>, tensor<i32>) outs(%e : tensor<16xf32>) {
    ^bb0(%v: f32, %k: i32, %o: f32):
      %f = arith.sitofp %k : i32 to f32
      %w = arith.addf %v, %f : f32
      linalg.yield %w : f32
    } -> tensor<16xf32>
    scf.yield %j, %s2, %u : tensor<i32>, tensor<i32>, tensor<16xf32>
  }
  return %r#2 : tensor<16xf32>
}

// The same tensor takes the places of two.
func.func @twice(%n: tensor<i32> {check.draw = "uniform 2 6"}, %x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e32 = tensor.extract %n[] : tensor<i32>
  %end = arith.index_cast %e32 : i32 to index
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %x, %b = %y) -> (tensor<16xf32>, tensor<16xf32>) {
    %e = tensor.empty() : tensor<16xf32>
    %u = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %h = arith.constant 0.5 : f32
      %w = arith.mulf %p, %h : f32
      %w2 = arith.addf %w, %q : f32
      linalg.yield %w2 : f32
    } -> tensor<16xf32>
    scf.yield %u, %u : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}

// The end of a loop without sign is negative as a number with one.
func.func @past_the_sign(%n: i32 {check.draw = "uniform 5 5"}, %x: tensor<16xf32>) -> tensor<16xf32> {
  %c1 = arith.constant 1 : i32
  %begin = arith.constant 2147483645 : i32
  %end = arith.addi %begin, %n : i32
  %r = scf.for unsigned %i = %begin to %end step %c1 iter_args(%t = %x) -> (tensor<16xf32>) : i32 {
    %e = tensor.empty() : tensor<16xf32>
    %u = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%t : tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%v: f32, %o: f32):
      %h = arith.constant 0.5 : f32
      %w = arith.mulf %v, %h : f32
      linalg.yield %w : f32
    } -> tensor<16xf32>
    scf.yield %u : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
