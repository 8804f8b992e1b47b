// One step of a GRU, of f32: the columns of two products are three gates each, and the last gate of one
// product is multiplied by another gate before the sum. Slices of the weights would be six products, in
// four kernels.

// RUN: linalg-ext-check-program %s --max-kernels=3 --targets=gpu
// RUN: linalg-ext-check-program %s --max-kernels=3 --targets=gpu --gpu-options=chip=gfx1201
// RUN: linalg-ext-check-program %s --targets=cpu --cpu-options='l1-bytes=1024 l2-bytes=1024'

func.func @gru_cell(%a0: tensor<37x24xf32>, %a1: tensor<37x32xf32>, %a2: tensor<96x24xf32>, %a3: tensor<96x32xf32>, %a4: tensor<96xf32>, %a5: tensor<96xf32>) -> tensor<37x32xf32> {
  %c1 = arith.constant 1.000000e+00 : f32
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.empty() : tensor<24x96xf32>
  %v2 = linalg.transpose ins(%a2 : tensor<96x24xf32>) outs(%v1 : tensor<24x96xf32>) permutation = [1, 0]
  %v3 = tensor.empty() : tensor<37x96xf32>
  %v4 = linalg.fill ins(%c0 : f32) outs(%v3 : tensor<37x96xf32>) -> tensor<37x96xf32>
  %v5 = linalg.matmul ins(%a0, %v2 : tensor<37x24xf32>, tensor<24x96xf32>) outs(%v4 : tensor<37x96xf32>) -> tensor<37x96xf32>
  %v6 = tensor.empty() : tensor<37x96xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v5, %a4 : tensor<37x96xf32>, tensor<96xf32>) outs(%v6 : tensor<37x96xf32>) {
  ^bb0(%x7_0: f32, %x7_1: f32, %o7: f32):
    %b8 = arith.addf %x7_0, %x7_1 : f32
    linalg.yield %b8 : f32
  } -> tensor<37x96xf32>
  %v9 = tensor.empty() : tensor<32x96xf32>
  %v10 = linalg.transpose ins(%a3 : tensor<96x32xf32>) outs(%v9 : tensor<32x96xf32>) permutation = [1, 0]
  %v11 = tensor.empty() : tensor<37x96xf32>
  %v12 = linalg.fill ins(%c0 : f32) outs(%v11 : tensor<37x96xf32>) -> tensor<37x96xf32>
  %v13 = linalg.matmul ins(%a1, %v10 : tensor<37x32xf32>, tensor<32x96xf32>) outs(%v12 : tensor<37x96xf32>) -> tensor<37x96xf32>
  %v14 = tensor.empty() : tensor<37x96xf32>
  %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v13, %a5 : tensor<37x96xf32>, tensor<96xf32>) outs(%v14 : tensor<37x96xf32>) {
  ^bb0(%x15_0: f32, %x15_1: f32, %o15: f32):
    %b16 = arith.addf %x15_0, %x15_1 : f32
    linalg.yield %b16 : f32
  } -> tensor<37x96xf32>
  %v17 = tensor.extract_slice %v7[0, 0] [37, 32] [1, 1] : tensor<37x96xf32> to tensor<37x32xf32>
  %v18 = tensor.extract_slice %v15[0, 0] [37, 32] [1, 1] : tensor<37x96xf32> to tensor<37x32xf32>
  %v19 = tensor.empty() : tensor<37x32xf32>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v17, %v18 : tensor<37x32xf32>, tensor<37x32xf32>) outs(%v19 : tensor<37x32xf32>) {
  ^bb0(%x20_0: f32, %x20_1: f32, %o20: f32):
    %b21 = arith.addf %x20_0, %x20_1 : f32
    linalg.yield %b21 : f32
  } -> tensor<37x32xf32>
  %v22 = tensor.empty() : tensor<37x32xf32>
  %v23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v20 : tensor<37x32xf32>) outs(%v22 : tensor<37x32xf32>) {
  ^bb0(%x23_0: f32, %o23: f32):
    %b24 = arith.negf %x23_0 : f32
    %b25 = math.exp %b24 : f32
    %b26 = arith.addf %b25, %c1 : f32
    %b27 = arith.divf %c1, %b26 : f32
    linalg.yield %b27 : f32
  } -> tensor<37x32xf32>
  %v28 = tensor.extract_slice %v7[0, 32] [37, 32] [1, 1] : tensor<37x96xf32> to tensor<37x32xf32>
  %v29 = tensor.extract_slice %v15[0, 32] [37, 32] [1, 1] : tensor<37x96xf32> to tensor<37x32xf32>
  %v30 = tensor.empty() : tensor<37x32xf32>
  %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v28, %v29 : tensor<37x32xf32>, tensor<37x32xf32>) outs(%v30 : tensor<37x32xf32>) {
  ^bb0(%x31_0: f32, %x31_1: f32, %o31: f32):
    %b32 = arith.addf %x31_0, %x31_1 : f32
    linalg.yield %b32 : f32
  } -> tensor<37x32xf32>
  %v33 = tensor.empty() : tensor<37x32xf32>
  %v34 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v31 : tensor<37x32xf32>) outs(%v33 : tensor<37x32xf32>) {
  ^bb0(%x34_0: f32, %o34: f32):
    %b35 = arith.negf %x34_0 : f32
    %b36 = math.exp %b35 : f32
    %b37 = arith.addf %b36, %c1 : f32
    %b38 = arith.divf %c1, %b37 : f32
    linalg.yield %b38 : f32
  } -> tensor<37x32xf32>
  %v39 = tensor.extract_slice %v7[0, 64] [37, 32] [1, 1] : tensor<37x96xf32> to tensor<37x32xf32>
  %v40 = tensor.extract_slice %v15[0, 64] [37, 32] [1, 1] : tensor<37x96xf32> to tensor<37x32xf32>
  %v41 = tensor.empty() : tensor<37x32xf32>
  %v42 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v23, %v40 : tensor<37x32xf32>, tensor<37x32xf32>) outs(%v41 : tensor<37x32xf32>) {
  ^bb0(%x42_0: f32, %x42_1: f32, %o42: f32):
    %b43 = arith.mulf %x42_0, %x42_1 : f32
    linalg.yield %b43 : f32
  } -> tensor<37x32xf32>
  %v44 = tensor.empty() : tensor<37x32xf32>
  %v45 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v39, %v42 : tensor<37x32xf32>, tensor<37x32xf32>) outs(%v44 : tensor<37x32xf32>) {
  ^bb0(%x45_0: f32, %x45_1: f32, %o45: f32):
    %b46 = arith.addf %x45_0, %x45_1 : f32
    linalg.yield %b46 : f32
  } -> tensor<37x32xf32>
  %v47 = tensor.empty() : tensor<37x32xf32>
  %v48 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v45 : tensor<37x32xf32>) outs(%v47 : tensor<37x32xf32>) {
  ^bb0(%x48_0: f32, %o48: f32):
    %b49 = math.tanh %x48_0 : f32
    linalg.yield %b49 : f32
  } -> tensor<37x32xf32>
  %v50 = tensor.empty() : tensor<37x32xf32>
  %v51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a1, %v48 : tensor<37x32xf32>, tensor<37x32xf32>) outs(%v50 : tensor<37x32xf32>) {
  ^bb0(%x51_0: f32, %x51_1: f32, %o51: f32):
    %b52 = arith.subf %x51_0, %x51_1 : f32
    linalg.yield %b52 : f32
  } -> tensor<37x32xf32>
  %v53 = tensor.empty() : tensor<37x32xf32>
  %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v51, %v34 : tensor<37x32xf32>, tensor<37x32xf32>) outs(%v53 : tensor<37x32xf32>) {
  ^bb0(%x54_0: f32, %x54_1: f32, %o54: f32):
    %b55 = arith.mulf %x54_0, %x54_1 : f32
    linalg.yield %b55 : f32
  } -> tensor<37x32xf32>
  %v56 = tensor.empty() : tensor<37x32xf32>
  %v57 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v54, %v48 : tensor<37x32xf32>, tensor<37x32xf32>) outs(%v56 : tensor<37x32xf32>) {
  ^bb0(%x57_0: f32, %x57_1: f32, %o57: f32):
    %b58 = arith.addf %x57_0, %x57_1 : f32
    linalg.yield %b58 : f32
  } -> tensor<37x32xf32>
  return %v57 : tensor<37x32xf32>
}
