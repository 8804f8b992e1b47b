// The sum of the squares of a norm with a bias follows the mean and the scale of the norm,
// both by polynomials of degree 2, and the scale is computed from the mean.
// (PolynomialFusionTest executes it, tile by tile.)

// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(1) for(0,2)" explain=text' -o /dev/null 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(1) for(0,0,2)" explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=RESHAPED
// RUN: linalg-ext-check-program %s --targets=cpu

// CHECK: in @main
// CHECK: state {{.*}}
// CHECK-NEXT: state {{.*}}
// CHECK-NEXT: repair {{.*}}: add a polynomial of degree 2 in the difference of
// CHECK-NEXT: repair root {{.*}}: add a polynomial of degree 2 in the difference of {{.*}}; add a polynomial of degree 2 in the difference of
// CHECK-NEXT: derivatives: carried too

// The loop of the first level indexes the norm through a reshape of its rows, but not what
// the derivatives are computed from, which would stay outside: with the final mean.

// RESHAPED: in @reshaped
// RESHAPED: keep 'linalg.generic': a derivative reads 'linalg.generic' outside of the loops, where it follows the final value of 'linalg.generic'
// RESHAPED-NOT: repair

#id = affine_map<(b, n) -> (b, n)>
#row = affine_map<(b, n) -> (b)>
#column = affine_map<(b, n) -> (n)>
#rows = affine_map<(b) -> (b)>
#all = affine_map<(a, b, n) -> (a, b, n)>
#last = affine_map<(a, b, n) -> (b, n)>
#first = affine_map<(a, b, n) -> (a, b)>

func.func @main(%x: tensor<3x8xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>, %v: tensor<3x8xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0.125 : f32
  %eps = arith.constant 9.765625E-4 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x8xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %mean = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%sum : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %n : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %w = tensor.empty() : tensor<3x8xf32>
  %centred = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<3x8xf32>, tensor<3xf32>) outs(%w : tensor<3x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    linalg.yield %d : f32
  } -> tensor<3x8xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%centred : tensor<3x8xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %scale = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%squares : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %n : f32
    %p = arith.addf %m, %eps : f32
    %r = math.rsqrt %p : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  %norm = linalg.generic {indexing_maps = [#id, #row, #column, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%centred, %scale, %gamma, %beta : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<3x8xf32>) {
  ^bb0(%a: f32, %r: f32, %g: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %r : f32
    %2 = arith.mulf %1, %g : f32
    %3 = arith.addf %2, %b : f32
    linalg.yield %3 : f32
  } -> tensor<3x8xf32>
  %result = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%norm, %v : tensor<3x8xf32>, tensor<3x8xf32>) outs(%f : tensor<3xf32>) attrs = {linalg_ext.root} {
  ^bb0(%y: f32, %c: f32, %o: f32):
    %1 = arith.mulf %y, %c : f32
    %2 = arith.mulf %1, %y : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3xf32>
  return %result : tensor<3xf32>
}

func.func @reshaped(%x: tensor<3x8xf32>, %gamma: tensor<8xf32>, %beta: tensor<8xf32>, %v: tensor<3x8xf32>) -> tensor<1x3xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0.125 : f32
  %eps = arith.constant 9.765625E-4 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x8xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %mean = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%sum : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %n : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %w = tensor.empty() : tensor<3x8xf32>
  %centred = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<3x8xf32>, tensor<3xf32>) outs(%w : tensor<3x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    linalg.yield %d : f32
  } -> tensor<3x8xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%centred : tensor<3x8xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %scale = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%squares : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %n : f32
    %p = arith.addf %m, %eps : f32
    %r = math.rsqrt %p : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  %norm = linalg.generic {indexing_maps = [#id, #row, #column, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%centred, %scale, %gamma, %beta : tensor<3x8xf32>, tensor<3xf32>, tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<3x8xf32>) {
  ^bb0(%a: f32, %r: f32, %g: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %r : f32
    %2 = arith.mulf %1, %g : f32
    %3 = arith.addf %2, %b : f32
    linalg.yield %3 : f32
  } -> tensor<3x8xf32>
  %rows = tensor.expand_shape %norm [[0, 1], [2]] output_shape [1, 3, 8] : tensor<3x8xf32> into tensor<1x3x8xf32>
  %re = tensor.empty() : tensor<1x3xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<1x3xf32>) -> tensor<1x3xf32>
  %result = linalg.generic {indexing_maps = [#all, #last, #first], iterator_types = ["parallel", "parallel", "reduction"]} ins(%rows, %v : tensor<1x3x8xf32>, tensor<3x8xf32>) outs(%rf : tensor<1x3xf32>) attrs = {linalg_ext.root} {
  ^bb0(%y: f32, %c: f32, %o: f32):
    %1 = arith.mulf %y, %c : f32
    %2 = arith.mulf %1, %y : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x3xf32>
  return %result : tensor<1x3xf32>
}
