// A linear layer with weights of E4M3 in one group for each column, whose scales have two dimensions
// of size 1, and a number of rows that is not known. The weights keep their group: with fewer loops
// than the scales have dimensions, ops are not elementwise to upstream, the weights were not stored in
// front, and most kernels had synchronous products.

// RUN: linalg-ext-check-program %s --sizes=150x256,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=132608 --gpu-options='chip=sm_90a async-products=true processors=10'
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=10 report=all' 2>&1 | FileCheck %s
// CHECK-NOT: all other ways were refused
// CHECK: async, {{.*}}: for launches of few tiles
// CHECK-NOT: all other ways were refused

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @one_group(%x: tensor<?x256xbf16>, %w: tensor<259x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %scale: tensor<259x1x1xbf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<?x259xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %groups = tensor.expand_shape %w [[0], [1, 2]] output_shape [259, 1, 256] : tensor<259x256xf8E4M3FN> into tensor<259x1x256xf8E4M3FN>
  %0 = tensor.empty() : tensor<259x1x256xbf16>
  %1 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups : tensor<259x1x256xf8E4M3FN>) outs(%0 : tensor<259x1x256xbf16>) {
  ^bb0(%in: f8E4M3FN, %out: bf16):
    %8 = arith.extf %in : f8E4M3FN to bf16
    linalg.yield %8 : bf16
  } -> tensor<259x1x256xbf16>
  %2 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1, %scale : tensor<259x1x256xbf16>, tensor<259x1x1xbf16>) outs(%0 : tensor<259x1x256xbf16>) {
  ^bb0(%in: bf16, %s: bf16, %out: bf16):
    %8 = arith.mulf %in, %s : bf16
    linalg.yield %8 : bf16
  } -> tensor<259x1x256xbf16>
  %3 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<259x1x256xbf16> into tensor<259x256xbf16>
  %4 = tensor.empty() : tensor<256x259xbf16>
  %5 = linalg.transpose ins(%3 : tensor<259x256xbf16>) outs(%4 : tensor<256x259xbf16>) permutation = [1, 0]
  %6 = tensor.empty(%m) : tensor<?x259xf32>
  %7 = linalg.fill ins(%zero : f32) outs(%6 : tensor<?x259xf32>) -> tensor<?x259xf32>
  %r = linalg.matmul ins(%x, %5 : tensor<?x256xbf16>, tensor<256x259xbf16>) outs(%7 : tensor<?x259xf32>) -> tensor<?x259xf32>
  return %r : tensor<?x259xf32>
}
