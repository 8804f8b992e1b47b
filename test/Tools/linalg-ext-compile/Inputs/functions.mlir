// Results of every kind: an argument, allocated buffers, numbers, several.

func.func @scale(%a: tensor<?x3xf32>, %factor: f32, %out: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x3xf32>) outs(%out : tensor<?x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.mulf %x, %factor : f32
    linalg.yield %1 : f32
  } -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @row_sums(%a: tensor<?x3xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x3xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.reduce {arith.addf} ins(%a : tensor<?x3xf32>) outs(%zeros : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>
}

func.func @length(%a: tensor<?x3xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x3xf32>
  return %n : index
}

func.func @both(%a: tensor<?x3xf32>) -> (index, tensor<?xf32>) {
  %0 = call @length(%a) : (tensor<?x3xf32>) -> index
  %1 = call @row_sums(%a) : (tensor<?x3xf32>) -> tensor<?xf32>
  return %0, %1 : index, tensor<?xf32>
}

func.func private @hidden(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
