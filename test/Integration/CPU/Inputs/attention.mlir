// Attention with an additive mask, and causal, in any element type: TYPE and LOWEST
// (its -inf) are filled in by the tests. Sizes are dynamic.

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s4 = affine_map<(b, i, j, d) -> (b, i, j)>
#s = affine_map<(b, i, j) -> (b, i, j)>
#mask = affine_map<(b, i, j) -> (i, j)>

func.func @additive(%q: tensor<3x?x40xTYPE>, %k: tensor<3x?x40xTYPE>,
                    %v: tensor<3x?x40xTYPE>, %mask: tensor<?x?xTYPE>)
    -> tensor<3x?x40xTYPE> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : TYPE
  %scale = arith.constant 0.125 : TYPE
  %n = tensor.dim %q, %c1 : tensor<3x?x40xTYPE>
  %m = tensor.dim %k, %c1 : tensor<3x?x40xTYPE>
  %empty = tensor.empty(%n, %m) : tensor<3x?x?xTYPE>
  %zeros = linalg.fill ins(%zero : TYPE) outs(%empty : tensor<3x?x?xTYPE>)
      -> tensor<3x?x?xTYPE>
  %scores = linalg.generic {
      indexing_maps = [#q, #k, #s4],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<3x?x40xTYPE>, tensor<3x?x40xTYPE>)
      outs(%zeros : tensor<3x?x?xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %c: TYPE):
    %0 = arith.mulf %a, %b : TYPE
    %1 = arith.addf %c, %0 : TYPE
    linalg.yield %1 : TYPE
  } -> tensor<3x?x?xTYPE>
  %masked = linalg.generic {
      indexing_maps = [#s, #mask, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<3x?x?xTYPE>, tensor<?x?xTYPE>)
      outs(%empty : tensor<3x?x?xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %c: TYPE):
    %0 = arith.mulf %a, %scale : TYPE
    %1 = arith.addf %0, %b : TYPE
    linalg.yield %1 : TYPE
  } -> tensor<3x?x?xTYPE>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<3x?x?xTYPE>)
      outs(%empty : tensor<3x?x?xTYPE>) -> tensor<3x?x?xTYPE>
  %out_empty = tensor.empty(%n) : tensor<3x?x40xTYPE>
  %out = linalg.fill ins(%zero : TYPE) outs(%out_empty : tensor<3x?x40xTYPE>)
      -> tensor<3x?x40xTYPE>
  %result = linalg.batch_matmul
      ins(%p, %v : tensor<3x?x?xTYPE>, tensor<3x?x40xTYPE>)
      outs(%out : tensor<3x?x40xTYPE>) -> tensor<3x?x40xTYPE>
  return %result : tensor<3x?x40xTYPE>
}

func.func @causal(%q: tensor<3x?x40xTYPE>, %k: tensor<3x?x40xTYPE>,
                  %v: tensor<3x?x40xTYPE>) -> tensor<3x?x40xTYPE> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : TYPE
  %scale = arith.constant 0.125 : TYPE
  %lowest = arith.constant LOWEST : TYPE
  %n = tensor.dim %q, %c1 : tensor<3x?x40xTYPE>
  %m = tensor.dim %k, %c1 : tensor<3x?x40xTYPE>
  %kt_empty = tensor.empty(%m) : tensor<3x40x?xTYPE>
  %kt = linalg.transpose ins(%k : tensor<3x?x40xTYPE>)
      outs(%kt_empty : tensor<3x40x?xTYPE>) permutation = [0, 2, 1]
  %empty = tensor.empty(%n, %m) : tensor<3x?x?xTYPE>
  %zeros = linalg.fill ins(%zero : TYPE) outs(%empty : tensor<3x?x?xTYPE>)
      -> tensor<3x?x?xTYPE>
  %scores = linalg.batch_matmul
      ins(%q, %kt : tensor<3x?x40xTYPE>, tensor<3x40x?xTYPE>)
      outs(%zeros : tensor<3x?x?xTYPE>) -> tensor<3x?x?xTYPE>
  %masked = linalg.generic {
      indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores : tensor<3x?x?xTYPE>) outs(%empty : tensor<3x?x?xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %visible = arith.cmpi sle, %j, %i : index
    %0 = arith.mulf %a, %scale : TYPE
    %1 = arith.select %visible, %0, %lowest : TYPE
    linalg.yield %1 : TYPE
  } -> tensor<3x?x?xTYPE>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<3x?x?xTYPE>)
      outs(%empty : tensor<3x?x?xTYPE>) -> tensor<3x?x?xTYPE>
  %out_empty = tensor.empty(%n) : tensor<3x?x40xTYPE>
  %out = linalg.fill ins(%zero : TYPE) outs(%out_empty : tensor<3x?x40xTYPE>)
      -> tensor<3x?x40xTYPE>
  %result = linalg.batch_matmul
      ins(%p, %v : tensor<3x?x?xTYPE>, tensor<3x?x40xTYPE>)
      outs(%out : tensor<3x?x40xTYPE>) -> tensor<3x?x40xTYPE>
  return %result : tensor<3x?x40xTYPE>
}
