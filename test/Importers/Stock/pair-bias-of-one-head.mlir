// Rows of an alignment attend with a bias of pairs, the product of features with one vector, as in a
// layer with one head. It is the same for all rows: it is computed once, and stored. In the loops,
// its tile of 3 dimensions had no room in registers.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=2 --max-buffer-bytes=1764 \
// RUN:   --sizes=5x21x16,5x21x16,5x21x16,21x21x32,32

#query = affine_map<(r, i, j, c) -> (r, i, c)>
#key = affine_map<(r, i, j, c) -> (r, j, c)>
#score = affine_map<(r, i, j, c) -> (r, i, j)>
#features = affine_map<(i, j, c) -> (i, j, c)>
#vector = affine_map<(i, j, c) -> (c)>
#of_pair = affine_map<(i, j, c) -> (i, j)>
#scores = affine_map<(r, i, j) -> (r, i, j)>
#bias = affine_map<(r, i, j) -> (i, j)>
#weight = affine_map<(r, i, c, j) -> (r, i, j)>
#value = affine_map<(r, i, c, j) -> (r, j, c)>
#out = affine_map<(r, i, c, j) -> (r, i, c)>
func.func @pair(%q: tensor<?x?x16xf32>, %k: tensor<?x?x16xf32>, %v: tensor<?x?x16xf32>, %z: tensor<?x?x32xf32>, %w: tensor<32xf32>) -> tensor<?x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tensor.dim %q, %c0 : tensor<?x?x16xf32>
  %n = tensor.dim %q, %c1 : tensor<?x?x16xf32>
  %eb = tensor.empty(%n, %n) : tensor<?x?xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%eb : tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = linalg.generic {indexing_maps = [#features, #vector, #of_pair], iterator_types = ["parallel", "parallel", "reduction"]} ins(%z, %w : tensor<?x?x32xf32>, tensor<32xf32>) outs(%fb : tensor<?x?xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32):
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?xf32>
  %es = tensor.empty(%r, %n, %n) : tensor<?x?x?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #score], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<?x?x16xf32>, tensor<?x?x16xf32>) outs(%fs : tensor<?x?x?xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32):
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?x?xf32>
  %sb = linalg.generic {indexing_maps = [#scores, #bias, #scores], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %b : tensor<?x?x?xf32>, tensor<?x?xf32>) outs(%es : tensor<?x?x?xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32):
    %3 = arith.addf %0, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%sb : tensor<?x?x?xf32>) outs(%es : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %eo = tensor.empty(%r, %n) : tensor<?x?x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %o = linalg.generic {indexing_maps = [#weight, #value, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x16xf32>) outs(%fo : tensor<?x?x16xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32):
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}
