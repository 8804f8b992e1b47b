// One step of an LSTM, of bf16: the columns of two products are four gates each. Slices of the weights
// would be eight products, in six kernels: the products are stored, and a third kernel computes all
// gates.

// RUN: linalg-ext-check-program %s --max-kernels=3 --targets=gpu
// RUN: linalg-ext-check-program %s --max-kernels=3 --targets=gpu --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=cpu

func.func @lstm_cell(%a0: tensor<37x24xbf16>, %a1: tensor<37x32xbf16>, %a2: tensor<37x32xbf16>, %a3: tensor<128x24xbf16>, %a4: tensor<128x32xbf16>, %a5: tensor<128xbf16>, %a6: tensor<128xbf16>) -> (tensor<37x32xbf16>, tensor<37x32xbf16>) {
  %c1 = arith.constant 1.000000e+00 : bf16
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.empty() : tensor<24x128xbf16>
  %v2 = linalg.transpose ins(%a3 : tensor<128x24xbf16>) outs(%v1 : tensor<24x128xbf16>) permutation = [1, 0]
  %v3 = tensor.empty() : tensor<37x128xf32>
  %v4 = linalg.fill ins(%c0 : f32) outs(%v3 : tensor<37x128xf32>) -> tensor<37x128xf32>
  %v5 = linalg.matmul ins(%a0, %v2 : tensor<37x24xbf16>, tensor<24x128xbf16>) outs(%v4 : tensor<37x128xf32>) -> tensor<37x128xf32>
  %v6 = tensor.empty() : tensor<37x128xbf16>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v5 : tensor<37x128xf32>) outs(%v6 : tensor<37x128xbf16>) {
  ^bb0(%x7_0: f32, %o7: bf16):
    %b8 = arith.truncf %x7_0 : f32 to bf16
    linalg.yield %b8 : bf16
  } -> tensor<37x128xbf16>
  %v9 = tensor.empty() : tensor<37x128xbf16>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v7, %a5 : tensor<37x128xbf16>, tensor<128xbf16>) outs(%v9 : tensor<37x128xbf16>) {
  ^bb0(%x10_0: bf16, %x10_1: bf16, %o10: bf16):
    %b11 = arith.addf %x10_0, %x10_1 : bf16
    linalg.yield %b11 : bf16
  } -> tensor<37x128xbf16>
  %v12 = tensor.empty() : tensor<32x128xbf16>
  %v13 = linalg.transpose ins(%a4 : tensor<128x32xbf16>) outs(%v12 : tensor<32x128xbf16>) permutation = [1, 0]
  %v14 = tensor.empty() : tensor<37x128xf32>
  %v15 = linalg.fill ins(%c0 : f32) outs(%v14 : tensor<37x128xf32>) -> tensor<37x128xf32>
  %v16 = linalg.matmul ins(%a1, %v13 : tensor<37x32xbf16>, tensor<32x128xbf16>) outs(%v15 : tensor<37x128xf32>) -> tensor<37x128xf32>
  %v17 = tensor.empty() : tensor<37x128xbf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v16 : tensor<37x128xf32>) outs(%v17 : tensor<37x128xbf16>) {
  ^bb0(%x18_0: f32, %o18: bf16):
    %b19 = arith.truncf %x18_0 : f32 to bf16
    linalg.yield %b19 : bf16
  } -> tensor<37x128xbf16>
  %v20 = tensor.empty() : tensor<37x128xbf16>
  %v21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v18, %a6 : tensor<37x128xbf16>, tensor<128xbf16>) outs(%v20 : tensor<37x128xbf16>) {
  ^bb0(%x21_0: bf16, %x21_1: bf16, %o21: bf16):
    %b22 = arith.addf %x21_0, %x21_1 : bf16
    linalg.yield %b22 : bf16
  } -> tensor<37x128xbf16>
  %v23 = tensor.empty() : tensor<37x128xbf16>
  %v24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v10, %v21 : tensor<37x128xbf16>, tensor<37x128xbf16>) outs(%v23 : tensor<37x128xbf16>) {
  ^bb0(%x24_0: bf16, %x24_1: bf16, %o24: bf16):
    %b25 = arith.addf %x24_0, %x24_1 : bf16
    linalg.yield %b25 : bf16
  } -> tensor<37x128xbf16>
  %v26 = tensor.extract_slice %v24[0, 0] [37, 32] [1, 1] : tensor<37x128xbf16> to tensor<37x32xbf16>
  %v27 = tensor.extract_slice %v24[0, 32] [37, 32] [1, 1] : tensor<37x128xbf16> to tensor<37x32xbf16>
  %v28 = tensor.extract_slice %v24[0, 64] [37, 32] [1, 1] : tensor<37x128xbf16> to tensor<37x32xbf16>
  %v29 = tensor.extract_slice %v24[0, 96] [37, 32] [1, 1] : tensor<37x128xbf16> to tensor<37x32xbf16>
  %v30 = tensor.empty() : tensor<37x32xbf16>
  %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v27 : tensor<37x32xbf16>) outs(%v30 : tensor<37x32xbf16>) {
  ^bb0(%x31_0: bf16, %o31: bf16):
    %b32 = arith.negf %x31_0 : bf16
    %b33 = math.exp %b32 : bf16
    %b34 = arith.addf %b33, %c1 : bf16
    %b35 = arith.divf %c1, %b34 : bf16
    linalg.yield %b35 : bf16
  } -> tensor<37x32xbf16>
  %v36 = tensor.empty() : tensor<37x32xbf16>
  %v37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v31, %a2 : tensor<37x32xbf16>, tensor<37x32xbf16>) outs(%v36 : tensor<37x32xbf16>) {
  ^bb0(%x37_0: bf16, %x37_1: bf16, %o37: bf16):
    %b38 = arith.mulf %x37_0, %x37_1 : bf16
    linalg.yield %b38 : bf16
  } -> tensor<37x32xbf16>
  %v39 = tensor.empty() : tensor<37x32xbf16>
  %v40 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v26 : tensor<37x32xbf16>) outs(%v39 : tensor<37x32xbf16>) {
  ^bb0(%x40_0: bf16, %o40: bf16):
    %b41 = arith.negf %x40_0 : bf16
    %b42 = math.exp %b41 : bf16
    %b43 = arith.addf %b42, %c1 : bf16
    %b44 = arith.divf %c1, %b43 : bf16
    linalg.yield %b44 : bf16
  } -> tensor<37x32xbf16>
  %v45 = tensor.empty() : tensor<37x32xbf16>
  %v46 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v28 : tensor<37x32xbf16>) outs(%v45 : tensor<37x32xbf16>) {
  ^bb0(%x46_0: bf16, %o46: bf16):
    %b47 = math.tanh %x46_0 : bf16
    linalg.yield %b47 : bf16
  } -> tensor<37x32xbf16>
  %v48 = tensor.empty() : tensor<37x32xbf16>
  %v49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v40, %v46 : tensor<37x32xbf16>, tensor<37x32xbf16>) outs(%v48 : tensor<37x32xbf16>) {
  ^bb0(%x49_0: bf16, %x49_1: bf16, %o49: bf16):
    %b50 = arith.mulf %x49_0, %x49_1 : bf16
    linalg.yield %b50 : bf16
  } -> tensor<37x32xbf16>
  %v51 = tensor.empty() : tensor<37x32xbf16>
  %v52 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v37, %v49 : tensor<37x32xbf16>, tensor<37x32xbf16>) outs(%v51 : tensor<37x32xbf16>) {
  ^bb0(%x52_0: bf16, %x52_1: bf16, %o52: bf16):
    %b53 = arith.addf %x52_0, %x52_1 : bf16
    linalg.yield %b53 : bf16
  } -> tensor<37x32xbf16>
  %v54 = tensor.empty() : tensor<37x32xbf16>
  %v55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v29 : tensor<37x32xbf16>) outs(%v54 : tensor<37x32xbf16>) {
  ^bb0(%x55_0: bf16, %o55: bf16):
    %b56 = arith.negf %x55_0 : bf16
    %b57 = math.exp %b56 : bf16
    %b58 = arith.addf %b57, %c1 : bf16
    %b59 = arith.divf %c1, %b58 : bf16
    linalg.yield %b59 : bf16
  } -> tensor<37x32xbf16>
  %v60 = tensor.empty() : tensor<37x32xbf16>
  %v61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v52 : tensor<37x32xbf16>) outs(%v60 : tensor<37x32xbf16>) {
  ^bb0(%x61_0: bf16, %o61: bf16):
    %b62 = math.tanh %x61_0 : bf16
    linalg.yield %b62 : bf16
  } -> tensor<37x32xbf16>
  %v63 = tensor.empty() : tensor<37x32xbf16>
  %v64 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v55, %v61 : tensor<37x32xbf16>, tensor<37x32xbf16>) outs(%v63 : tensor<37x32xbf16>) {
  ^bb0(%x64_0: bf16, %x64_1: bf16, %o64: bf16):
    %b65 = arith.mulf %x64_0, %x64_1 : bf16
    linalg.yield %b65 : bf16
  } -> tensor<37x32xbf16>
  return %v64, %v52 : tensor<37x32xbf16>, tensor<37x32xbf16>
}
