// A causal attention: heads x tokens x 64. Nothing in it says on how many processes it runs.

func.func @attention(%q: tensor<?x?x64xf32>, %k: tensor<?x?x64xf32>,
                     %v: tensor<?x?x64xf32>) -> tensor<?x?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %heads = tensor.dim %q, %c0 : tensor<?x?x64xf32>
  %rows = tensor.dim %q, %c1 : tensor<?x?x64xf32>
  %keys = tensor.dim %k, %c1 : tensor<?x?x64xf32>
  %se = tensor.empty(%heads, %rows, %keys) : tensor<?x?x?xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x64xf32>, tensor<?x?x64xf32>) outs(%sz : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x?x?xf32>) outs(%se : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %scale : f32
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %seen = arith.cmpi sle, %n, %m : index
    %masked = arith.select %seen, %scaled, %ninf : f32
    linalg.yield %masked : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<?x?x?xf32>) outs(%se : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %oe = tensor.empty(%heads, %rows) : tensor<?x?x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x64xf32>) outs(%oz : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %o : tensor<?x?x64xf32>
}
