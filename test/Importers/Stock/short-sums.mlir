// Sums of a few terms in which one factor is the same: it is streamed, and the sum has no other loop
// than the one that is unrolled. Then of both integers of a byte.

// RUN: linalg-ext-check-program %s --targets=cpu

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (b, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>

func.func @same_factor(%x: tensor<5x2x4xf32>, %w: tensor<5x64xf32>) -> tensor<5x2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x2x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x2x64xf32>) -> tensor<5x2x64xf32>
  %r = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x2x4xf32>, tensor<5x64xf32>) outs(%f : tensor<5x2x64xf32>) {
  ^bb0(%xv: f32, %wv: f32, %o: f32):
    %p = arith.mulf %xv, %wv : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x2x64xf32>
  return %r : tensor<5x2x64xf32>
}

func.func @one_byte(%x: tensor<5x2x2xf32>, %w: tensor<5x64xi8>) -> tensor<5x2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %e = tensor.empty() : tensor<5x2x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x2x64xf32>) -> tensor<5x2x64xf32>
  %r = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x2x2xf32>, tensor<5x64xi8>) outs(%f : tensor<5x2x64xf32>) {
  ^bb0(%xv: f32, %wv: i8, %o: f32):
    %k = linalg.index 3 : index
    %part = arith.index_cast %k : index to i8
    %shift = arith.muli %part, %c4 : i8
    %high = arith.shrui %wv, %shift : i8
    %number = arith.andi %high, %c15 : i8
    %v = arith.uitofp %number : i8 to f32
    %p = arith.mulf %xv, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x2x64xf32>
  return %r : tensor<5x2x64xf32>
}
