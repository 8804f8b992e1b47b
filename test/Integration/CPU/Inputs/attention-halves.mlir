// Attention of halves that are multiplied and added up in f32, with an additive mask,
// and causal: TYPE and HEAD_DIM are filled in by the tests. Sizes are dynamic.

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s4 = affine_map<(b, i, j, d) -> (b, i, j)>
#s = affine_map<(b, i, j) -> (b, i, j)>
#mask = affine_map<(b, i, j) -> (i, j)>

!x = tensor<3x?xHEAD_DIMxTYPE>

func.func @additive(%q: !x, %k: !x, %v: !x, %mask: tensor<?x?xTYPE>) -> !x {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %n = tensor.dim %q, %c1 : !x
  %m = tensor.dim %k, %c1 : !x
  %empty = tensor.empty(%n, %m) : tensor<3x?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s4],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : !x, !x) outs(%zeros : tensor<3x?x?xf32>) {
  ^bb0(%a: TYPE, %b: TYPE, %c: f32):
    %a32 = arith.extf %a : TYPE to f32
    %b32 = arith.extf %b : TYPE to f32
    %0 = arith.mulf %a32, %b32 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x?x?xf32>
  %masked = linalg.generic {
      indexing_maps = [#s, #mask, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<3x?x?xf32>, tensor<?x?xTYPE>)
      outs(%empty : tensor<3x?x?xf32>) {
  ^bb0(%a: f32, %b: TYPE, %c: f32):
    %0 = arith.mulf %a, %scale : f32
    %b32 = arith.extf %b : TYPE to f32
    %1 = arith.addf %0, %b32 : f32
    linalg.yield %1 : f32
  } -> tensor<3x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<3x?x?xf32>)
      outs(%empty : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %half_empty = tensor.empty(%n, %m) : tensor<3x?x?xTYPE>
  %half = linalg.generic {indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<3x?x?xf32>) outs(%half_empty : tensor<3x?x?xTYPE>) {
  ^bb0(%a: f32, %b: TYPE):
    %0 = arith.truncf %a : f32 to TYPE
    linalg.yield %0 : TYPE
  } -> tensor<3x?x?xTYPE>
  %out_empty = tensor.empty(%n) : tensor<3x?xHEAD_DIMxf32>
  %out = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<3x?xHEAD_DIMxf32>)
      -> tensor<3x?xHEAD_DIMxf32>
  %sums = linalg.batch_matmul ins(%half, %v : tensor<3x?x?xTYPE>, !x)
      outs(%out : tensor<3x?xHEAD_DIMxf32>) -> tensor<3x?xHEAD_DIMxf32>
  %result_empty = tensor.empty(%n) : !x
  %result = linalg.generic {indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : tensor<3x?xHEAD_DIMxf32>) outs(%result_empty : !x) {
  ^bb0(%a: f32, %b: TYPE):
    %0 = arith.truncf %a : f32 to TYPE
    linalg.yield %0 : TYPE
  } -> !x
  return %result : !x
}

func.func @causal(%q: !x, %k: !x, %v: !x) -> !x {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %n = tensor.dim %q, %c1 : !x
  %m = tensor.dim %k, %c1 : !x
  %empty = tensor.empty(%n, %m) : tensor<3x?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s4],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : !x, !x) outs(%zeros : tensor<3x?x?xf32>) {
  ^bb0(%a: TYPE, %b: TYPE, %c: f32):
    %a32 = arith.extf %a : TYPE to f32
    %b32 = arith.extf %b : TYPE to f32
    %0 = arith.mulf %a32, %b32 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x?x?xf32>
  %masked = linalg.generic {
      indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores : tensor<3x?x?xf32>)
      outs(%empty : tensor<3x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %visible = arith.cmpi sle, %j, %i : index
    %0 = arith.mulf %a, %scale : f32
    %1 = arith.select %visible, %0, %lowest : f32
    linalg.yield %1 : f32
  } -> tensor<3x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<3x?x?xf32>)
      outs(%empty : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %half_empty = tensor.empty(%n, %m) : tensor<3x?x?xTYPE>
  %half = linalg.generic {indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<3x?x?xf32>) outs(%half_empty : tensor<3x?x?xTYPE>) {
  ^bb0(%a: f32, %b: TYPE):
    %0 = arith.truncf %a : f32 to TYPE
    linalg.yield %0 : TYPE
  } -> tensor<3x?x?xTYPE>
  %out_empty = tensor.empty(%n) : tensor<3x?xHEAD_DIMxf32>
  %out = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<3x?xHEAD_DIMxf32>)
      -> tensor<3x?xHEAD_DIMxf32>
  %sums = linalg.batch_matmul ins(%half, %v : tensor<3x?x?xTYPE>, !x)
      outs(%out : tensor<3x?xHEAD_DIMxf32>) -> tensor<3x?xHEAD_DIMxf32>
  %result_empty = tensor.empty(%n) : !x
  %result = linalg.generic {indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : tensor<3x?xHEAD_DIMxf32>) outs(%result_empty : !x) {
  ^bb0(%a: f32, %b: TYPE):
    %0 = arith.truncf %a : f32 to TYPE
    linalg.yield %0 : TYPE
  } -> !x
  return %result : !x
}
