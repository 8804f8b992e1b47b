// The sum of the squares of a norm with a bias follows the mean and the scale of the norm,
// both by polynomials of degree 2, and the scale is computed from the mean. What would be
// built for these two is wrong, so rows are reduced whole, in front of the loop over keys.

// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(1) for(0,2)" explain=text' -o /dev/null 2>&1 | FileCheck %s
// RUN: linalg-ext-check-program %s --targets=cpu

// CHECK: level 1: for tiles [0, 2]
// CHECK: keep 'linalg.generic': 'linalg.generic' follows polynomials of two sources, expected none of them to be computed from the other
// CHECK-NOT: repair

#id = affine_map<(b, n) -> (b, n)>
#row = affine_map<(b, n) -> (b)>
#column = affine_map<(b, n) -> (n)>
#rows = affine_map<(b) -> (b)>

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
