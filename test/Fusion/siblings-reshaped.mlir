// A product with the weights and, of their heads merged with the batch, the sums of
// the rows: the sums are accumulated where a tile of both is a tile of merged rows.
//
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1, 3) for(0, 0, 0, 4)" explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2, 3) for(0, 0, 0, 4)" explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART

// FUSED: sibling 'linalg.generic', dims of the root [0 x 1, 3]
// FUSED: repair sibling 'linalg.generic': scale by the repair of 'linalg_ext.softmax'#0 along dims [0 x 1 -> 0]
// APART: sibling 'linalg.generic' apart: a tile of what 'tensor.collapse_shape' reshapes is not known to be a tile of its result
func.func @f(%x: tensor<2x6x10xf32>, %v: tensor<2x10x5xf32>) -> (tensor<2x6x5xf32>, tensor<12xf32>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %pe = tensor.empty() : tensor<2x6x10xf32>
  %re = tensor.empty() : tensor<2x6xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%re : tensor<2x6xf32>) -> tensor<2x6xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x6xf32>) -> tensor<2x6xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%x : tensor<2x6x10xf32>)
      outs(%pe, %m0, %l0, %re : tensor<2x6x10xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>)
      -> tensor<2x6x10xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
  %oe = tensor.empty() : tensor<2x6x5xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  %o = linalg.batch_matmul {linalg_ext.root} ins(%p#0, %v : tensor<2x6x10xf32>, tensor<2x10x5xf32>) outs(%o0 : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  %q = tensor.collapse_shape %p#0 [[0, 1], [2]] : tensor<2x6x10xf32> into tensor<12x10xf32>
  %se = tensor.empty() : tensor<12xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<12xf32>) -> tensor<12xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(r, n) -> (r, n)>, affine_map<(r, n) -> (r)>], iterator_types = ["parallel", "reduction"]}
      ins(%q : tensor<12x10xf32>) outs(%s0 : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    linalg.yield %c : f32
  } -> tensor<12xf32>
  return %o, %s : tensor<2x6x5xf32>, tensor<12xf32>
}
