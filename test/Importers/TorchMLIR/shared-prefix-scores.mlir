// Prompts with a shared prefix. The scores of its keys, which have no batch, and those of
// each prompt are put side by side, and the weights are cut apart again, each for its
// values. The second function multiplies by the prefix for all prompts at once.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=464 --keys=16

#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#kp = affine_map<(b, h, i, j, d) -> (h, j, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#w = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#vp = affine_map<(b, h, i, d, j) -> (h, j, d)>
#v = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i, 0)>

func.func @shared_prefix_scores(%q: tensor<4x3x2x16xf32>, %k_prefix: tensor<3x45x16xf32>, %v_prefix: tensor<3x45x16xf32>,
                                %k: tensor<4x3x13x16xf32>, %v: tensor<4x3x13x16xf32>) -> tensor<4x3x2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %spe = tensor.empty() : tensor<4x3x2x45xf32>
  %sp0 = linalg.fill ins(%zero : f32) outs(%spe : tensor<4x3x2x45xf32>) -> tensor<4x3x2x45xf32>
  %sp = linalg.contract indexing_maps = [#q, #kp, #s] ins(%q, %k_prefix : tensor<4x3x2x16xf32>, tensor<3x45x16xf32>) outs(%sp0 : tensor<4x3x2x45xf32>) -> tensor<4x3x2x45xf32>
  %soe = tensor.empty() : tensor<4x3x2x13xf32>
  %so0 = linalg.fill ins(%zero : f32) outs(%soe : tensor<4x3x2x13xf32>) -> tensor<4x3x2x13xf32>
  %so = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x3x2x16xf32>, tensor<4x3x13x16xf32>) outs(%so0 : tensor<4x3x2x13xf32>) -> tensor<4x3x2x13xf32>
  %cat = tensor.concat dim(3) %sp, %so : (tensor<4x3x2x45xf32>, tensor<4x3x2x13xf32>) -> tensor<4x3x2x58xf32>
  %e = tensor.empty() : tensor<4x3x2x58xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cat : tensor<4x3x2x58xf32>) outs(%e : tensor<4x3x2x58xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x58xf32>
  %re = tensor.empty() : tensor<4x3x2x1xf32>
  %rlow = linalg.fill ins(%low : f32) outs(%re : tensor<4x3x2x1xf32>) -> tensor<4x3x2x1xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scaled : tensor<4x3x2x58xf32>) outs(%rlow : tensor<4x3x2x1xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.maximumf %x, %out : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x1xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %max : tensor<4x3x2x58xf32>, tensor<4x3x2x1xf32>) outs(%e : tensor<4x3x2x58xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x58xf32>
  %rzero = linalg.fill ins(%zero : f32) outs(%re : tensor<4x3x2x1xf32>) -> tensor<4x3x2x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<4x3x2x58xf32>) outs(%rzero : tensor<4x3x2x1xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.addf %x, %out : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x1xf32>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<4x3x2x58xf32>, tensor<4x3x2x1xf32>) outs(%e : tensor<4x3x2x58xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %y = arith.divf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x58xf32>
  %wp = tensor.extract_slice %w[0, 0, 0, 0] [4, 3, 2, 45] [1, 1, 1, 1] : tensor<4x3x2x58xf32> to tensor<4x3x2x45xf32>
  %wo = tensor.extract_slice %w[0, 0, 0, 45] [4, 3, 2, 13] [1, 1, 1, 1] : tensor<4x3x2x58xf32> to tensor<4x3x2x13xf32>
  %ope = tensor.empty() : tensor<4x3x2x16xf32>
  %op0 = linalg.fill ins(%zero : f32) outs(%ope : tensor<4x3x2x16xf32>) -> tensor<4x3x2x16xf32>
  %op = linalg.contract indexing_maps = [#w, #vp, #o] ins(%wp, %v_prefix : tensor<4x3x2x45xf32>, tensor<3x45x16xf32>) outs(%op0 : tensor<4x3x2x16xf32>) -> tensor<4x3x2x16xf32>
  %ooe = tensor.empty() : tensor<4x3x2x16xf32>
  %oo0 = linalg.fill ins(%zero : f32) outs(%ooe : tensor<4x3x2x16xf32>) -> tensor<4x3x2x16xf32>
  %oo = linalg.contract indexing_maps = [#w, #v, #o] ins(%wo, %v : tensor<4x3x2x13xf32>, tensor<4x3x13x16xf32>) outs(%oo0 : tensor<4x3x2x16xf32>) -> tensor<4x3x2x16xf32>
  %oe = tensor.empty() : tensor<4x3x2x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%op, %oo : tensor<4x3x2x16xf32>, tensor<4x3x2x16xf32>) outs(%oe : tensor<4x3x2x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<4x3x2x16xf32>
  return %r : tensor<4x3x2x16xf32>
}

func.func @shared_prefix_products(%q: tensor<4x3x2x16xf32>, %k_prefix: tensor<3x45x16xf32>, %v_prefix: tensor<3x45x16xf32>,
                                %k: tensor<4x3x13x16xf32>, %v: tensor<4x3x13x16xf32>) -> tensor<4x3x2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %qhe = tensor.empty() : tensor<3x4x2x16xf32>
  %qh = linalg.transpose ins(%q : tensor<4x3x2x16xf32>) outs(%qhe : tensor<3x4x2x16xf32>) permutation = [1, 0, 2, 3]
  %q3 = tensor.collapse_shape %qh [[0], [1, 2], [3]] : tensor<3x4x2x16xf32> into tensor<3x8x16xf32>
  %kte = tensor.empty() : tensor<3x16x45xf32>
  %kt = linalg.transpose ins(%k_prefix : tensor<3x45x16xf32>) outs(%kte : tensor<3x16x45xf32>) permutation = [0, 2, 1]
  %spe = tensor.empty() : tensor<3x8x45xf32>
  %sp0 = linalg.fill ins(%zero : f32) outs(%spe : tensor<3x8x45xf32>) -> tensor<3x8x45xf32>
  %sp3 = linalg.batch_matmul ins(%q3, %kt : tensor<3x8x16xf32>, tensor<3x16x45xf32>) outs(%sp0 : tensor<3x8x45xf32>) -> tensor<3x8x45xf32>
  %sp4 = tensor.expand_shape %sp3 [[0], [1, 2], [3]] output_shape [3, 4, 2, 45] : tensor<3x8x45xf32> into tensor<3x4x2x45xf32>
  %spte = tensor.empty() : tensor<4x3x2x45xf32>
  %sp = linalg.transpose ins(%sp4 : tensor<3x4x2x45xf32>) outs(%spte : tensor<4x3x2x45xf32>) permutation = [1, 0, 2, 3]
  %soe = tensor.empty() : tensor<4x3x2x13xf32>
  %so0 = linalg.fill ins(%zero : f32) outs(%soe : tensor<4x3x2x13xf32>) -> tensor<4x3x2x13xf32>
  %so = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x3x2x16xf32>, tensor<4x3x13x16xf32>) outs(%so0 : tensor<4x3x2x13xf32>) -> tensor<4x3x2x13xf32>
  %cat = tensor.concat dim(3) %sp, %so : (tensor<4x3x2x45xf32>, tensor<4x3x2x13xf32>) -> tensor<4x3x2x58xf32>
  %e = tensor.empty() : tensor<4x3x2x58xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cat : tensor<4x3x2x58xf32>) outs(%e : tensor<4x3x2x58xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x58xf32>
  %re = tensor.empty() : tensor<4x3x2x1xf32>
  %rlow = linalg.fill ins(%low : f32) outs(%re : tensor<4x3x2x1xf32>) -> tensor<4x3x2x1xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scaled : tensor<4x3x2x58xf32>) outs(%rlow : tensor<4x3x2x1xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.maximumf %x, %out : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x1xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %max : tensor<4x3x2x58xf32>, tensor<4x3x2x1xf32>) outs(%e : tensor<4x3x2x58xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x58xf32>
  %rzero = linalg.fill ins(%zero : f32) outs(%re : tensor<4x3x2x1xf32>) -> tensor<4x3x2x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<4x3x2x58xf32>) outs(%rzero : tensor<4x3x2x1xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.addf %x, %out : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x1xf32>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<4x3x2x58xf32>, tensor<4x3x2x1xf32>) outs(%e : tensor<4x3x2x58xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %y = arith.divf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<4x3x2x58xf32>
  %wp = tensor.extract_slice %w[0, 0, 0, 0] [4, 3, 2, 45] [1, 1, 1, 1] : tensor<4x3x2x58xf32> to tensor<4x3x2x45xf32>
  %wo = tensor.extract_slice %w[0, 0, 0, 45] [4, 3, 2, 13] [1, 1, 1, 1] : tensor<4x3x2x58xf32> to tensor<4x3x2x13xf32>
  %whe = tensor.empty() : tensor<3x4x2x45xf32>
  %wh = linalg.transpose ins(%wp : tensor<4x3x2x45xf32>) outs(%whe : tensor<3x4x2x45xf32>) permutation = [1, 0, 2, 3]
  %w3 = tensor.collapse_shape %wh [[0], [1, 2], [3]] : tensor<3x4x2x45xf32> into tensor<3x8x45xf32>
  %ope = tensor.empty() : tensor<3x8x16xf32>
  %op0 = linalg.fill ins(%zero : f32) outs(%ope : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %op3 = linalg.batch_matmul ins(%w3, %v_prefix : tensor<3x8x45xf32>, tensor<3x45x16xf32>) outs(%op0 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %op4 = tensor.expand_shape %op3 [[0], [1, 2], [3]] output_shape [3, 4, 2, 16] : tensor<3x8x16xf32> into tensor<3x4x2x16xf32>
  %opte = tensor.empty() : tensor<4x3x2x16xf32>
  %op = linalg.transpose ins(%op4 : tensor<3x4x2x16xf32>) outs(%opte : tensor<4x3x2x16xf32>) permutation = [1, 0, 2, 3]
  %ooe = tensor.empty() : tensor<4x3x2x16xf32>
  %oo0 = linalg.fill ins(%zero : f32) outs(%ooe : tensor<4x3x2x16xf32>) -> tensor<4x3x2x16xf32>
  %oo = linalg.contract indexing_maps = [#w, #v, #o] ins(%wo, %v : tensor<4x3x2x13xf32>, tensor<4x3x13x16xf32>) outs(%oo0 : tensor<4x3x2x16xf32>) -> tensor<4x3x2x16xf32>
  %oe = tensor.empty() : tensor<4x3x2x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%op, %oo : tensor<4x3x2x16xf32>, tensor<4x3x2x16xf32>) outs(%oe : tensor<4x3x2x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<4x3x2x16xf32>
  return %r : tensor<4x3x2x16xf32>
}
