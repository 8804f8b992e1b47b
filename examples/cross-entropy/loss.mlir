// The last layer of a language model, and its loss: logits = hidden weight^T, and for
// each token log(sum(exp(logits))) - logits[target]. The logits, which would be the
// largest tensor of the model, are in no memory. Upstream linalg; tokens and
// vocabulary are dynamic. f16, with sums of f32.

#h = affine_map<(i, j, d) -> (i, d)>
#w = affine_map<(i, j, d) -> (j, d)>
#l = affine_map<(i, j, d) -> (i, j)>
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#list = affine_map<(i) -> (i)>

func.func @loss(%hidden: tensor<?x256xf16>, %weight: tensor<?x256xf16>, %target: tensor<?xi64>)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %m = tensor.dim %hidden, %c0 : tensor<?x256xf16>
  %n = tensor.dim %weight, %c0 : tensor<?x256xf16>

  %l_empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %l_zero = linalg.fill ins(%zero : f32) outs(%l_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %logits = linalg.contract indexing_maps = [#h, #w, #l]
      ins(%hidden, %weight : tensor<?x256xf16>, tensor<?x256xf16>)
      outs(%l_zero : tensor<?x?xf32>) -> tensor<?x?xf32>

  %row_empty = tensor.empty(%m) : tensor<?xf32>
  %lowest = linalg.fill ins(%minus_inf : f32) outs(%row_empty : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%logits : tensor<?x?xf32>) outs(%lowest : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row_empty : tensor<?xf32>) -> tensor<?xf32>
  %exps = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%logits, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%l_empty : tensor<?x?xf32>) {
  ^bb0(%in: f32, %m0: f32, %out: f32):
    %0 = arith.subf %in, %m0 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exps : tensor<?x?xf32>) outs(%row_zero : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %out, %in : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>

  // The logit of the target, as a sum in which all others count 0.
  %chosen = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%logits, %target : tensor<?x?xf32>, tensor<?xi64>) outs(%row_zero : tensor<?xf32>) {
  ^bb0(%in: f32, %t: i64, %out: f32):
    %j = linalg.index 1 : index
    %at = arith.index_cast %t : i64 to index
    %hit = arith.cmpi eq, %j, %at : index
    %0 = arith.select %hit, %in, %zero : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>

  %loss = linalg.generic {indexing_maps = [#list, #list, #list, #list], iterator_types = ["parallel"]}
      ins(%max, %sum, %chosen : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%row_empty : tensor<?xf32>) {
  ^bb0(%m0: f32, %s0: f32, %c: f32, %out: f32):
    %0 = math.log %s0 : f32
    %1 = arith.addf %m0, %0 : f32
    %2 = arith.subf %1, %c : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %loss : tensor<?xf32>
}
