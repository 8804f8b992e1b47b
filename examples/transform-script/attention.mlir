// Attention of f32. Its second product, linalg.batch_matmul, is the root that schedule.mlir
// tiles. Upstream linalg; heads and lengths are dynamic.

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>

func.func @attention(%q: tensor<?x?x64xf32>, %k: tensor<?x?x64xf32>, %v: tensor<?x?x64xf32>)
    -> tensor<?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %h = tensor.dim %q, %c0 : tensor<?x?x64xf32>
  %m = tensor.dim %q, %c1 : tensor<?x?x64xf32>
  %n = tensor.dim %k, %c1 : tensor<?x?x64xf32>
  %s_empty = tensor.empty(%h, %m, %n) : tensor<?x?x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<?x?x64xf32>, tensor<?x?x64xf32>)
      outs(%s_zero : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<?x?x?xf32>)
      outs(%s_empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r_empty = tensor.empty(%h, %m) : tensor<?x?x64xf32>
  %r_zero = linalg.fill ins(%zero : f32) outs(%r_empty : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %result = linalg.batch_matmul
      ins(%weights, %v : tensor<?x?x?xf32>, tensor<?x?x64xf32>)
      outs(%r_zero : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %result : tensor<?x?x64xf32>
}
