// The loss of DPO: logits are a product, and its rows have the log-probability of one token each, of
// which a pair of sequences has a sum. The tokens are gathered from the logits, so these are stored,
// and the loop over them has one iteration on a CPU. Their maximum is stored to the buffer of the old
// one only in loops with more: another op could read the old one later, and the program did not
// bufferize.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=24000 --max-kernels=4
// RUN: linalg-ext-check-program %s --max-buffer-bytes=24000 --targets=cpu --cpu-options='l1-bytes=1024 l2-bytes=1024'

func.func @preference_loss(%a0: tensor<24x32xf32>, %a1: tensor<101x32xf32>, %a2: tensor<24xf32>, %a3: tensor<24xi64> {check.draw = "uniform 0 100"}) -> tensor<1xf32> {
  %c2 = arith.constant 1.000000e-01 : f32
  %c1 = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.empty() : tensor<32x101xf32>
  %v2 = linalg.transpose ins(%a1 : tensor<101x32xf32>) outs(%v1 : tensor<32x101xf32>) permutation = [1, 0]
  %v3 = tensor.empty() : tensor<24x101xf32>
  %v4 = linalg.fill ins(%c0 : f32) outs(%v3 : tensor<24x101xf32>) -> tensor<24x101xf32>
  %v5 = linalg.matmul ins(%a0, %v2 : tensor<24x32xf32>, tensor<32x101xf32>) outs(%v4 : tensor<24x101xf32>) -> tensor<24x101xf32>
  %v6 = tensor.empty() : tensor<24x1xf32>
  %v7 = linalg.fill ins(%c1 : f32) outs(%v6 : tensor<24x1xf32>) -> tensor<24x1xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%v5 : tensor<24x101xf32>) outs(%v7 : tensor<24x1xf32>) {
  ^bb0(%x8_0: f32, %o8: f32):
    %b9 = arith.maximumf %x8_0, %o8 : f32
    linalg.yield %b9 : f32
  } -> tensor<24x1xf32>
  %v10 = tensor.empty() : tensor<24x101xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v5, %v8 : tensor<24x101xf32>, tensor<24x1xf32>) outs(%v10 : tensor<24x101xf32>) {
  ^bb0(%x11_0: f32, %x11_1: f32, %o11: f32):
    %b12 = arith.subf %x11_0, %x11_1 : f32
    linalg.yield %b12 : f32
  } -> tensor<24x101xf32>
  %v13 = tensor.empty() : tensor<24x101xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v11 : tensor<24x101xf32>) outs(%v13 : tensor<24x101xf32>) {
  ^bb0(%x14_0: f32, %o14: f32):
    %b15 = math.exp %x14_0 : f32
    linalg.yield %b15 : f32
  } -> tensor<24x101xf32>
  %v16 = tensor.empty() : tensor<24x1xf32>
  %v17 = linalg.fill ins(%c0 : f32) outs(%v16 : tensor<24x1xf32>) -> tensor<24x1xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%v14 : tensor<24x101xf32>) outs(%v17 : tensor<24x1xf32>) {
  ^bb0(%x18_0: f32, %o18: f32):
    %b19 = arith.addf %x18_0, %o18 : f32
    linalg.yield %b19 : f32
  } -> tensor<24x1xf32>
  %v20 = tensor.empty() : tensor<24x1xf32>
  %v21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v18 : tensor<24x1xf32>) outs(%v20 : tensor<24x1xf32>) {
  ^bb0(%x21_0: f32, %o21: f32):
    %b22 = math.log %x21_0 : f32
    linalg.yield %b22 : f32
  } -> tensor<24x1xf32>
  %v23 = tensor.empty() : tensor<24x1xf32>
  %v24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v21, %v8 : tensor<24x1xf32>, tensor<24x1xf32>) outs(%v23 : tensor<24x1xf32>) {
  ^bb0(%x24_0: f32, %x24_1: f32, %o24: f32):
    %b25 = arith.addf %x24_0, %x24_1 : f32
    linalg.yield %b25 : f32
  } -> tensor<24x1xf32>
  %v26 = tensor.empty() : tensor<24x101xf32>
  %v27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v5, %v24 : tensor<24x101xf32>, tensor<24x1xf32>) outs(%v26 : tensor<24x101xf32>) {
  ^bb0(%x27_0: f32, %x27_1: f32, %o27: f32):
    %b28 = arith.subf %x27_0, %x27_1 : f32
    linalg.yield %b28 : f32
  } -> tensor<24x101xf32>
  %v29 = tensor.expand_shape %a3 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
  %v30 = tensor.empty() : tensor<24x1xf32>
  %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v29 : tensor<24x1xi64>) outs(%v30 : tensor<24x1xf32>) {
  ^bb0(%x31_0: i64, %o31: f32):
    %b32 = arith.index_cast %x31_0 : i64 to index
    %b33 = linalg.index 0 : index
    %b34 = tensor.extract %v27[%b33, %b32] : tensor<24x101xf32>
    linalg.yield %b34 : f32
  } -> tensor<24x1xf32>
  %v35 = tensor.collapse_shape %v31 [[0, 1]] : tensor<24x1xf32> into tensor<24xf32>
  %v36 = tensor.empty() : tensor<24xf32>
  %v37 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v35, %a2 : tensor<24xf32>, tensor<24xf32>) outs(%v36 : tensor<24xf32>) {
  ^bb0(%x37_0: f32, %x37_1: f32, %o37: f32):
    %b38 = arith.subf %x37_0, %x37_1 : f32
    linalg.yield %b38 : f32
  } -> tensor<24xf32>
  %v39 = tensor.expand_shape %v37 [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  %v40 = tensor.empty() : tensor<2xf32>
  %v41 = linalg.fill ins(%c0 : f32) outs(%v40 : tensor<2xf32>) -> tensor<2xf32>
  %v42 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%v39 : tensor<2x12xf32>) outs(%v41 : tensor<2xf32>) {
  ^bb0(%x42_0: f32, %o42: f32):
    %b43 = arith.addf %x42_0, %o42 : f32
    linalg.yield %b43 : f32
  } -> tensor<2xf32>
  %v44 = tensor.extract_slice %v42[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %v45 = tensor.extract_slice %v42[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %v46 = tensor.empty() : tensor<1xf32>
  %v47 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v44, %v45 : tensor<1xf32>, tensor<1xf32>) outs(%v46 : tensor<1xf32>) {
  ^bb0(%x47_0: f32, %x47_1: f32, %o47: f32):
    %b48 = arith.subf %x47_0, %x47_1 : f32
    linalg.yield %b48 : f32
  } -> tensor<1xf32>
  %v49 = tensor.empty() : tensor<1xf32>
  %v50 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v47 : tensor<1xf32>) outs(%v49 : tensor<1xf32>) {
  ^bb0(%x50_0: f32, %o50: f32):
    %b51 = arith.mulf %x50_0, %c2 : f32
    linalg.yield %b51 : f32
  } -> tensor<1xf32>
  %v52 = tensor.empty() : tensor<1xf32>
  %v53 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v50 : tensor<1xf32>) outs(%v52 : tensor<1xf32>) {
  ^bb0(%x53_0: f32, %o53: f32):
    %b54 = arith.minimumf %x53_0, %c0 : f32
    %b55 = math.absf %x53_0 : f32
    %b56 = arith.negf %b55 : f32
    %b57 = math.exp %b56 : f32
    %b58 = math.log1p %b57 : f32
    %b59 = arith.subf %b54, %b58 : f32
    linalg.yield %b59 : f32
  } -> tensor<1xf32>
  %v60 = tensor.empty() : tensor<1xf32>
  %v61 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v53 : tensor<1xf32>) outs(%v60 : tensor<1xf32>) {
  ^bb0(%x61_0: f32, %o61: f32):
    %b62 = arith.negf %x61_0 : f32
    linalg.yield %b62 : f32
  } -> tensor<1xf32>
  return %v61 : tensor<1xf32>
}
