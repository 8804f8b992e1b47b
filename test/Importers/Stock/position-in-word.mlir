// Elements at a position modulo 8, of a table that may be as short as what reads it. A tile that
// ends before 8 elements reads only those that it needs.

// RUN: linalg-ext-check-program %s --sizes=3,1x3 --targets=gpu --max-kernels=1
// RUN: linalg-ext-check-program %s --sizes=37,1x8 --targets=gpu --max-kernels=1

func.func @position_in_word(%x: tensor<?xf32>, %t: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a)->(a)>, affine_map<(a)->(a)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %i = linalg.index 0 : index
    %m = affine.apply affine_map<(a)->(a mod 8)>(%i)
    %w = tensor.extract %t[%c0, %m] : tensor<?x?xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
