// The attention of GPT-2 small (12 heads of 64, 1024 tokens, causal, f32), as an
// importer writes it: upstream linalg on tensors, op by op. Nothing here knows of
// linalg-ext.

#scores = affine_map<(h, i, j) -> (h, i, j)>
#rows = affine_map<(h, i, j) -> (h, i)>

func.func @attention(%q: tensor<12x1024x64xf32>, %k: tensor<12x1024x64xf32>,
                     %v: tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32

  // scores = q k^T
  %kt_empty = tensor.empty() : tensor<12x64x1024xf32>
  %kt = linalg.transpose ins(%k : tensor<12x1024x64xf32>)
      outs(%kt_empty : tensor<12x64x1024xf32>) permutation = [0, 2, 1]
  %empty = tensor.empty() : tensor<12x1024x1024xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x1024x1024xf32>)
      -> tensor<12x1024x1024xf32>
  %scores = linalg.batch_matmul
      ins(%q, %kt : tensor<12x1024x64xf32>, tensor<12x64x1024xf32>)
      outs(%zeros : tensor<12x1024x1024xf32>) -> tensor<12x1024x1024xf32>

  // scores / sqrt(64)
  %scaled = linalg.generic {
      indexing_maps = [#scores, #scores],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores : tensor<12x1024x1024xf32>)
      outs(%empty : tensor<12x1024x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<12x1024x1024xf32>

  // A token sees itself and the tokens in front of it.
  %masked = linalg.generic {
      indexing_maps = [#scores, #scores],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scaled : tensor<12x1024x1024xf32>)
      outs(%empty : tensor<12x1024x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %visible = arith.cmpi sle, %j, %i : index
    %0 = arith.select %visible, %in, %minus_inf : f32
    linalg.yield %0 : f32
  } -> tensor<12x1024x1024xf32>

  // softmax: e^(x - max) / sum
  %rows_empty = tensor.empty() : tensor<12x1024xf32>
  %lowest = linalg.fill ins(%minus_inf : f32)
      outs(%rows_empty : tensor<12x1024xf32>) -> tensor<12x1024xf32>
  %max = linalg.generic {
      indexing_maps = [#scores, #rows],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<12x1024x1024xf32>)
      outs(%lowest : tensor<12x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<12x1024xf32>
  %shifted = linalg.generic {
      indexing_maps = [#scores, #rows, #scores],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<12x1024x1024xf32>, tensor<12x1024xf32>)
      outs(%empty : tensor<12x1024x1024xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    linalg.yield %0 : f32
  } -> tensor<12x1024x1024xf32>
  %exp = linalg.generic {
      indexing_maps = [#scores, #scores],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%shifted : tensor<12x1024x1024xf32>)
      outs(%empty : tensor<12x1024x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<12x1024x1024xf32>
  %rows_zeros = linalg.fill ins(%zero : f32)
      outs(%rows_empty : tensor<12x1024xf32>) -> tensor<12x1024xf32>
  %sum = linalg.generic {
      indexing_maps = [#scores, #rows],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<12x1024x1024xf32>)
      outs(%rows_zeros : tensor<12x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<12x1024xf32>
  %probabilities = linalg.generic {
      indexing_maps = [#scores, #rows, #scores],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<12x1024x1024xf32>, tensor<12x1024xf32>)
      outs(%empty : tensor<12x1024x1024xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<12x1024x1024xf32>

  // probabilities v
  %out_empty = tensor.empty() : tensor<12x1024x64xf32>
  %out_zeros = linalg.fill ins(%zero : f32)
      outs(%out_empty : tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32>
  %result = linalg.batch_matmul
      ins(%probabilities, %v : tensor<12x1024x1024xf32>, tensor<12x1024x64xf32>)
      outs(%out_zeros : tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32>
  return %result : tensor<12x1024x64xf32>
}
