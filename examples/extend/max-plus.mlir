// A max-plus product of a log-softmax: result[i, n] = max_j (y[i, j] + w[j, n]).

func.func @max_plus(%x: tensor<?x?xf32>, %w: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %minus_inf = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %y_empty = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %lse_empty = tensor.empty(%rows) : tensor<?xf32>
  %lse_init = linalg.fill ins(%minus_inf : f32) outs(%lse_empty : tensor<?xf32>) -> tensor<?xf32>
  %y, %lse = extend.log_softmax dimension(1)
    ins(%x : tensor<?x?xf32>) outs(%y_empty, %lse_init : tensor<?x?xf32>, tensor<?xf32>)
    -> tensor<?x?xf32>, tensor<?xf32>
  %empty = tensor.empty(%rows) : tensor<?x2xf32>
  %init = linalg.fill ins(%minus_inf : f32) outs(%empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %result = linalg.generic {
      indexing_maps = [affine_map<(i, j, n) -> (i, j)>, affine_map<(i, j, n) -> (j, n)>, affine_map<(i, j, n) -> (i, n)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%y, %w : tensor<?x?xf32>, tensor<?x2xf32>) outs(%init : tensor<?x2xf32>) {
  ^bb0(%a: f32, %b: f32, %max: f32):
    %sum = arith.addf %a, %b : f32
    %0 = arith.maximumf %max, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<?x2xf32>
  return %result : tensor<?x2xf32>
}
