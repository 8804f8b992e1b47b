// The 2 largest weights of each row of a softmax, and where they are.

func.func @route(%x: tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x2xi64>) {
  %minus_inf = arith.constant 0xFF800000 : f32
  %nowhere = arith.constant -1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %weights_empty = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %weights = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>)
    outs(%weights_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %positions_empty = tensor.empty(%columns) : tensor<?xi64>
  %positions = linalg.generic {
      indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]}
      outs(%positions_empty : tensor<?xi64>) {
  ^bb0(%out: i64):
    %j = linalg.index 0 : index
    %position = arith.index_cast %j : index to i64
    linalg.yield %position : i64
  } -> tensor<?xi64>
  %values_empty = tensor.empty(%rows) : tensor<?x2xf32>
  %values_init = linalg.fill ins(%minus_inf : f32) outs(%values_empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %best_empty = tensor.empty(%rows) : tensor<?x2xi64>
  %best_init = linalg.fill ins(%nowhere : i64) outs(%best_empty : tensor<?x2xi64>) -> tensor<?x2xi64>
  %values, %best = extend.topk dimension(1)
    ins(%weights, %positions : tensor<?x?xf32>, tensor<?xi64>)
    outs(%values_init, %best_init : tensor<?x2xf32>, tensor<?x2xi64>)
    -> tensor<?x2xf32>, tensor<?x2xi64>
  return %values, %best : tensor<?x2xf32>, tensor<?x2xi64>
}
