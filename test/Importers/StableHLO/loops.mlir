// Loops of JAX whose number of iterations the program does not state. On a GPU, a manifest
// has a loop around the kernels, and the interpreter runs what a launcher plans.

// A number of layers, one layer, and none.
// RUN: linalg-ext-check-program %s --entry=scan_layers --sizes=37x16,3x16x16 --max-kernels=10
// RUN: linalg-ext-check-program %s --entry=scan_layers --sizes=5x16,1x16x16 --max-kernels=4 --targets=gpu
// RUN: linalg-ext-check-program %s --entry=scan_layers --sizes=5x16,0x16x16 --max-kernels=1 --targets=gpu
// RUN: linalg-ext-check-program %s --entry=fori --sizes=-,7x16,- --max-kernels=8
// RUN: linalg-ext-check-program %s --entry=halves --sizes=37x16
// RUN: linalg-ext-check-program %s --entry=generate --sizes=-,-,-,5x16,-

#s = affine_map<() -> ()>
#s2 = affine_map<(d0, d1) -> ()>
#r1 = affine_map<(d0, d1) -> (d0)>
#r2 = affine_map<(d0, d1) -> (d0, d1)>
#v = affine_map<(d0) -> (d0)>
#sv = affine_map<(d0) -> ()>
#mv0 = affine_map<(d0, d1) -> (d0, d1)>
#mv1 = affine_map<(d0, d1) -> (d1)>
#mv2 = affine_map<(d0, d1) -> (d0)>
#vm0 = affine_map<(d0, d1) -> (d1)>
#vm1 = affine_map<(d0, d1) -> (d1, d0)>
#p0 = affine_map<(d0, d1, d2) -> (d0, d2)>
#p1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#p1t = affine_map<(d0, d1, d2) -> (d1, d2)>
#p2 = affine_map<(d0, d1, d2) -> (d0, d1)>

// lax.scan over stacked weights: the limit of the counter is a size.
func.func @scan_layers(%x: tensor<?x16xf32>, %ws: tensor<?x16x16xf32> {check.draw = "uniform -0.25 0.25"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %start = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %l = tensor.dim %ws, %c0 : tensor<?x16x16xf32>
  %l32 = arith.index_cast %l : index to i32
  %limit = tensor.from_elements %l32 : tensor<i32>
  %w:3 = scf.while (%i = %start, %bound = %limit, %h = %x) : (tensor<i32>, tensor<i32>, tensor<?x16xf32>) -> (tensor<i32>, tensor<i32>, tensor<?x16xf32>) {
    %e = tensor.empty() : tensor<i1>
    %c = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%i, %bound : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %v = arith.cmpi slt, %a, %b : i32
      linalg.yield %v : i1
    } -> tensor<i1>
    %holds = tensor.extract %c[] : tensor<i1>
    scf.condition(%holds) %i, %bound, %h : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  } do {
  ^bb0(%i: tensor<i32>, %bound: tensor<i32>, %h: tensor<?x16xf32>):
    // A slice that starts within the weights.
    %at = tensor.extract %i[] : tensor<i32>
    %index = arith.index_cast %at : i32 to index
    %c1 = arith.constant 1 : index
    %last = arith.subi %l, %c1 : index
    %least = arith.minsi %index, %last : index
    %offset = arith.maxsi %least, %c0 : index
    %slice = tensor.extract_slice %ws[%offset, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<?x16x16xf32> to tensor<1x16x16xf32>
    %weights = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
    %eq = tensor.empty(%n) : tensor<?x16xf32>
    %zq = linalg.fill ins(%zero : f32) outs(%eq : tensor<?x16xf32>) -> tensor<?x16xf32>
    %q = linalg.generic {indexing_maps = [#p0, #p1, #p2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %weights : tensor<?x16xf32>, tensor<16x16xf32>) outs(%zq : tensor<?x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<?x16xf32>
    %es = tensor.empty(%n, %n) : tensor<?x?xf32>
    %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
    %scores = linalg.generic {indexing_maps = [#p0, #p1t, #p2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %h : tensor<?x16xf32>, tensor<?x16xf32>) outs(%zs : tensor<?x?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    %er = tensor.empty(%n) : tensor<?xf32>
    %zm = linalg.fill ins(%low : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
    %max = linalg.generic {indexing_maps = [#r2, #r1], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<?x?xf32>) outs(%zm : tensor<?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %m = arith.maximumf %a, %o : f32
      linalg.yield %m : f32
    } -> tensor<?xf32>
    %exp = linalg.generic {indexing_maps = [#r2, #r1, #r2], iterator_types = ["parallel", "parallel"]} ins(%scores, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%es : tensor<?x?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      %v = math.exp %d : f32
      linalg.yield %v : f32
    } -> tensor<?x?xf32>
    %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
    %sum = linalg.generic {indexing_maps = [#r2, #r1], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<?x?xf32>) outs(%zr : tensor<?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %m = arith.addf %a, %o : f32
      linalg.yield %m : f32
    } -> tensor<?xf32>
    %p = linalg.generic {indexing_maps = [#r2, #r1, #r2], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%es : tensor<?x?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.divf %a, %b : f32
      linalg.yield %d : f32
    } -> tensor<?x?xf32>
    %y = linalg.generic {indexing_maps = [#p0, #p1, #p2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %h : tensor<?x?xf32>, tensor<?x16xf32>) outs(%zq : tensor<?x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<?x16xf32>
    %next = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%i, %one : tensor<i32>, tensor<i32>) outs(%start : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %v = arith.addi %a, %b : i32
      linalg.yield %v : i32
    } -> tensor<i32>
    scf.yield %next, %bound, %y : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  }
  return %w#2 : tensor<?x16xf32>
}

// lax.fori_loop whose limit is an argument: a launcher reads it before it launches.
func.func @fori(%limit: tensor<i32> {check.draw = "uniform 3 3"}, %x: tensor<?x16xf32>, %w: tensor<16x16xf32> {check.draw = "uniform -0.25 0.25"}) -> (tensor<i32>, tensor<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.000000e+00 : f32
  %start = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %r:3 = scf.while (%i = %start, %bound = %limit, %h = %x) : (tensor<i32>, tensor<i32>, tensor<?x16xf32>) -> (tensor<i32>, tensor<i32>, tensor<?x16xf32>) {
    %e = tensor.empty() : tensor<i1>
    %c = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%i, %bound : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %v = arith.cmpi slt, %a, %b : i32
      linalg.yield %v : i1
    } -> tensor<i1>
    %holds = tensor.extract %c[] : tensor<i1>
    scf.condition(%holds) %i, %bound, %h : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  } do {
  ^bb0(%i: tensor<i32>, %bound: tensor<i32>, %h: tensor<?x16xf32>):
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %q = linalg.matmul ins(%h, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
    %ef = tensor.empty() : tensor<f32>
    %position = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%i : tensor<i32>) outs(%ef : tensor<f32>) {
    ^bb0(%a: i32, %o: f32):
      %v = arith.sitofp %a : i32 to f32
      linalg.yield %v : f32
    } -> tensor<f32>
    %y = linalg.generic {indexing_maps = [#r2, #s2, #r2], iterator_types = ["parallel", "parallel"]} ins(%q, %position : tensor<?x16xf32>, tensor<f32>) outs(%e : tensor<?x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %t = math.tanh %a : f32
      %v = arith.addf %t, %b : f32
      linalg.yield %v : f32
    } -> tensor<?x16xf32>
    %next = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%i, %one : tensor<i32>, tensor<i32>) outs(%start : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %v = arith.addi %a, %b : i32
      linalg.yield %v : i32
    } -> tensor<i32>
    scf.yield %next, %bound, %y : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  }
  return %r#0, %r#2 : tensor<i32>, tensor<?x16xf32>
}

// lax.while_loop with integers that no counter is: half as many rows in each iteration,
// down to one.
func.func @halves(%x: tensor<?x16xf32>) -> (tensor<16xf32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %start = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %n32 = arith.index_cast %n : index to i32
  %rows = tensor.from_elements %n32 : tensor<i32>
  %r:3 = scf.while (%left = %rows, %steps = %start, %h = %x) : (tensor<i32>, tensor<i32>, tensor<?x16xf32>) -> (tensor<i32>, tensor<i32>, tensor<?x16xf32>) {
    %a = tensor.extract %left[] : tensor<i32>
    %b = tensor.extract %one[] : tensor<i32>
    %holds = arith.cmpi sgt, %a, %b : i32
    scf.condition(%holds) %left, %steps, %h : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  } do {
  ^bb0(%left: tensor<i32>, %steps: tensor<i32>, %h: tensor<?x16xf32>):
    %half = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%left, %two : tensor<i32>, tensor<i32>) outs(%start : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %v = arith.divsi %a, %b : i32
      linalg.yield %v : i32
    } -> tensor<i32>
    %m32 = tensor.extract %half[] : tensor<i32>
    %m = arith.index_cast %m32 : i32 to index
    %first = tensor.extract_slice %h[0, 0] [%m, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
    %second = tensor.extract_slice %h[%m, 0] [%m, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
    %e = tensor.empty(%m) : tensor<?x16xf32>
    %sum = linalg.add ins(%first, %second : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %all = tensor.insert_slice %sum into %h[0, 0] [%m, 16] [1, 1] : tensor<?x16xf32> into tensor<?x16xf32>
    %more = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%steps, %one : tensor<i32>, tensor<i32>) outs(%start : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %v = arith.addi %a, %b : i32
      linalg.yield %v : i32
    } -> tensor<i32>
    scf.yield %half, %more, %all : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  }
  %row = tensor.extract_slice %r#2[0, 0] [1, 16] [1, 1] : tensor<?x16xf32> to tensor<16xf32>
  return %row, %r#1 : tensor<16xf32>, tensor<i32>
}

// Greedy decoding: the token of a step is computed by the step before.
func.func @generate(%steps: tensor<i32> {check.draw = "uniform 3 3"}, %first: tensor<i32> {check.draw = "uniform 0 22"}, %table: tensor<23x16xf32>, %cache0: tensor<?x16xf32>, %w: tensor<16x23xf32>) -> (tensor<?x16xf32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.500000e-01 : f32
  %start = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %z32 = arith.constant 0 : i32
  %n = tensor.dim %cache0, %c0 : tensor<?x16xf32>
  %ei = tensor.empty() : tensor<i32>
  %r:3 = scf.while (%i = %start, %token = %first, %cache = %cache0) : (tensor<i32>, tensor<i32>, tensor<?x16xf32>) -> (tensor<i32>, tensor<i32>, tensor<?x16xf32>) {
    %e = tensor.empty() : tensor<i1>
    %c = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%i, %steps : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %v = arith.cmpi slt, %a, %b : i32
      linalg.yield %v : i1
    } -> tensor<i1>
    %holds = tensor.extract %c[] : tensor<i1>
    scf.condition(%holds) %i, %token, %cache : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  } do {
  ^bb0(%i: tensor<i32>, %token: tensor<i32>, %cache: tensor<?x16xf32>):
    %t = tensor.extract %token[] : tensor<i32>
    %ti = arith.index_cast %t : i32 to index
    %er = tensor.empty() : tensor<16xf32>
    %row = linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%er : tensor<16xf32>) {
    ^bb0(%o: f32):
      %j = linalg.index 0 : index
      %v = tensor.extract %table[%ti, %j] : tensor<23x16xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    %p = tensor.extract %i[] : tensor<i32>
    %pi = arith.index_cast %p : i32 to index
    %next = tensor.insert_slice %row into %cache[%pi, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<?x16xf32>
    %es = tensor.empty(%n) : tensor<?xf32>
    %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<?xf32>) -> tensor<?xf32>
    %scores = linalg.generic {indexing_maps = [#mv0, #mv1, #mv2], iterator_types = ["parallel", "reduction"]} ins(%next, %row : tensor<?x16xf32>, tensor<16xf32>) outs(%zs : tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %v = arith.addf %o, %m : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    %masked = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%scores : tensor<?xf32>) outs(%es : tensor<?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %k = linalg.index 0 : index
      %is = arith.cmpi sle, %k, %pi : index
      %m = arith.mulf %a, %scale : f32
      %v = arith.select %is, %m, %low : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    %probs = linalg.softmax dimension(0) ins(%masked : tensor<?xf32>) outs(%es : tensor<?xf32>) -> tensor<?xf32>
    %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<16xf32>) -> tensor<16xf32>
    %out = linalg.generic {indexing_maps = [#vm0, #vm1, #mv2], iterator_types = ["parallel", "reduction"]} ins(%probs, %next : tensor<?xf32>, tensor<?x16xf32>) outs(%zr : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %v = arith.addf %o, %m : f32
      linalg.yield %v : f32
    } -> tensor<16xf32>
    %el = tensor.empty() : tensor<23xf32>
    %zl = linalg.fill ins(%zero : f32) outs(%el : tensor<23xf32>) -> tensor<23xf32>
    %logits = linalg.generic {indexing_maps = [#vm0, #vm1, #mv2], iterator_types = ["parallel", "reduction"]} ins(%out, %w : tensor<16xf32>, tensor<16x23xf32>) outs(%zl : tensor<23xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %v = arith.addf %o, %m : f32
      linalg.yield %v : f32
    } -> tensor<23xf32>
    %em = tensor.empty() : tensor<f32>
    %lm = linalg.fill ins(%low : f32) outs(%em : tensor<f32>) -> tensor<f32>
    %li = linalg.fill ins(%z32 : i32) outs(%ei : tensor<i32>) -> tensor<i32>
    %best:2 = linalg.generic {indexing_maps = [#v, #sv, #sv], iterator_types = ["reduction"]} ins(%logits : tensor<23xf32>) outs(%lm, %li : tensor<f32>, tensor<i32>) {
    ^bb0(%a: f32, %m: f32, %at: i32):
      %k = linalg.index 0 : index
      %k32 = arith.index_cast %k : index to i32
      %is = arith.cmpf ogt, %a, %m : f32
      %v = arith.select %is, %a, %m : f32
      %w2 = arith.select %is, %k32, %at : i32
      linalg.yield %v, %w2 : f32, i32
    } -> (tensor<f32>, tensor<i32>)
    %i1 = linalg.generic {indexing_maps = [#s, #s, #s], iterator_types = []} ins(%i, %one : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %v = arith.addi %a, %b : i32
      linalg.yield %v : i32
    } -> tensor<i32>
    scf.yield %i1, %best#1, %next : tensor<i32>, tensor<i32>, tensor<?x16xf32>
  }
  return %r#2, %r#1 : tensor<?x16xf32>, tensor<i32>
}
