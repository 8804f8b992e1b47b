// Attention to one key, as of an image to one token that describes it: the second product has one term in each
// sum, and stays a product, from which attention is fused.

// RUN: linalg-ext-check-program %s --max-kernels=1
// RUN: sed 's/f16/f32/g; /arith.truncf/s/truncf \(%[a-z0-9_]*\) : f32 to f32/negf \1 : f32/; s/0xFC00/0xFF800000/' %s | linalg-ext-check-program - --max-kernels=1 --targets=gpu --gpu-options=chip=gfx942

func.func @one_key(%a0: tensor<3x37x16xf16>, %a1: tensor<3x1x16xf16>, %a2: tensor<3x1x16xf16>) -> tensor<3x37x16xf16> {
  %c2 = arith.constant 0.000000e+00 : f16
  %c1 = arith.constant 0xFC00 : f16
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.empty() : tensor<3x16x1xf16>
  %v2 = linalg.transpose ins(%a1 : tensor<3x1x16xf16>) outs(%v1 : tensor<3x16x1xf16>) permutation = [0, 2, 1]
  %v3 = tensor.empty() : tensor<3x37x1xf32>
  %v4 = linalg.fill ins(%c0 : f32) outs(%v3 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v5 = linalg.batch_matmul ins(%a0, %v2 : tensor<3x37x16xf16>, tensor<3x16x1xf16>) outs(%v4 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v6 = tensor.empty() : tensor<3x37x1xf16>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<3x37x1xf32>) outs(%v6 : tensor<3x37x1xf16>) {
  ^bb0(%x7_0: f32, %o7: f16):
    %b8 = arith.truncf %x7_0 : f32 to f16
    linalg.yield %b8 : f16
  } -> tensor<3x37x1xf16>
  %v9 = tensor.empty() : tensor<3x37xf16>
  %v10 = linalg.fill ins(%c1 : f16) outs(%v9 : tensor<3x37xf16>) -> tensor<3x37xf16>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v7 : tensor<3x37x1xf16>) outs(%v10 : tensor<3x37xf16>) {
  ^bb0(%x11_0: f16, %o11: f16):
    %b12 = arith.maximumf %x11_0, %o11 : f16
    linalg.yield %b12 : f16
  } -> tensor<3x37xf16>
  %v13 = tensor.expand_shape %v11 [[0], [1, 2]] output_shape [3, 37, 1] : tensor<3x37xf16> into tensor<3x37x1xf16>
  %v14 = tensor.empty() : tensor<3x37x1xf16>
  %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7, %v13 : tensor<3x37x1xf16>, tensor<3x37x1xf16>) outs(%v14 : tensor<3x37x1xf16>) {
  ^bb0(%x15_0: f16, %x15_1: f16, %o15: f16):
    %b16 = arith.subf %x15_0, %x15_1 : f16
    linalg.yield %b16 : f16
  } -> tensor<3x37x1xf16>
  %v17 = tensor.empty() : tensor<3x37x1xf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v15 : tensor<3x37x1xf16>) outs(%v17 : tensor<3x37x1xf16>) {
  ^bb0(%x18_0: f16, %o18: f16):
    %b19 = math.exp %x18_0 : f16
    linalg.yield %b19 : f16
  } -> tensor<3x37x1xf16>
  %v20 = tensor.empty() : tensor<3x37x1xf16>
  %v21 = linalg.fill ins(%c2 : f16) outs(%v20 : tensor<3x37x1xf16>) -> tensor<3x37x1xf16>
  %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v18 : tensor<3x37x1xf16>) outs(%v21 : tensor<3x37x1xf16>) {
  ^bb0(%x22_0: f16, %o22: f16):
    %b23 = arith.addf %x22_0, %o22 : f16
    linalg.yield %b23 : f16
  } -> tensor<3x37x1xf16>
  %v24 = tensor.empty() : tensor<3x37x1xf16>
  %v25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v18, %v22 : tensor<3x37x1xf16>, tensor<3x37x1xf16>) outs(%v24 : tensor<3x37x1xf16>) {
  ^bb0(%x25_0: f16, %x25_1: f16, %o25: f16):
    %b26 = arith.divf %x25_0, %x25_1 : f16
    linalg.yield %b26 : f16
  } -> tensor<3x37x1xf16>
  %v27 = tensor.empty() : tensor<3x37x16xf32>
  %v28 = linalg.fill ins(%c0 : f32) outs(%v27 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v29 = linalg.batch_matmul ins(%v25, %a2 : tensor<3x37x1xf16>, tensor<3x1x16xf16>) outs(%v28 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v30 = tensor.empty() : tensor<3x37x16xf16>
  %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v29 : tensor<3x37x16xf32>) outs(%v30 : tensor<3x37x16xf16>) {
  ^bb0(%x31_0: f32, %o31: f16):
    %b32 = arith.truncf %x31_0 : f32 to f16
    linalg.yield %b32 : f16
  } -> tensor<3x37x16xf16>
  return %v31 : tensor<3x37x16xf16>
}

// The same with a softmax op.
func.func @softmax_of_one_key(%q: tensor<2x37x40xf16>, %k: tensor<2x1x40xf16>, %v: tensor<2x1x40xf16>) -> tensor<2x37x40xf32> {
  %z = arith.constant 0.0 : f32
  %scores = tensor.empty() : tensor<2x37x1xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%scores : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q, %k : tensor<2x37x40xf16>, tensor<2x1x40xf16>) outs(%zeros : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x37x1xf32>) outs(%scores : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %weights = tensor.empty() : tensor<2x37x1xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x37x1xf32>) outs(%weights : tensor<2x37x1xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x37x1xf16>
  %e = tensor.empty() : tensor<2x37x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x37x40xf32>) -> tensor<2x37x40xf32>
  %r = linalg.batch_matmul ins(%w, %v : tensor<2x37x1xf16>, tensor<2x1x40xf16>) outs(%f : tensor<2x37x40xf32>) -> tensor<2x37x40xf32>
  return %r : tensor<2x37x40xf32>
}
