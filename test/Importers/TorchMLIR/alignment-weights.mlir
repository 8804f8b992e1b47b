// Weights of cross attention that are standardised over tokens, and then averaged over heads, as
// Whisper aligns words with time. The softmax reduces frames and the norm reduces tokens: a workgroup
// that computed both would hold all of a matrix. Compilers for GPUs with larger workgroups may still
// try that, and fall back.

// RUN: linalg-ext-check-program %s --targets=gpu --may-fall-back='a buffer of its own'
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=3
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=3 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=3 --gpu-options=chip=gfx1201

func.func @alignment_weights(%a0: tensor<1x3x70x16xf32>, %a1: tensor<1x3x130x16xf32>) -> tensor<1x70x130xf32> {
  %c5 = arith.constant 3.000000e+00 : f32
  %c4 = arith.constant 1.000000e-08 : f32
  %c3 = arith.constant 7.000000e+01 : f32
  %c2 = arith.constant 0xFF800000 : f32
  %c1 = arith.constant 2.500000e-01 : f32
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.empty() : tensor<1x3x16x130xf32>
  %v2 = linalg.transpose ins(%a1 : tensor<1x3x130x16xf32>) outs(%v1 : tensor<1x3x16x130xf32>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a0 [[0, 1], [2], [3]] : tensor<1x3x70x16xf32> into tensor<3x70x16xf32>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<1x3x16x130xf32> into tensor<3x16x130xf32>
  %v5 = tensor.empty() : tensor<3x70x130xf32>
  %v6 = linalg.fill ins(%c0 : f32) outs(%v5 : tensor<3x70x130xf32>) -> tensor<3x70x130xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<3x70x16xf32>, tensor<3x16x130xf32>) outs(%v6 : tensor<3x70x130xf32>) -> tensor<3x70x130xf32>
  %v8 = tensor.expand_shape %v7 [[0, 1], [2], [3]] output_shape [1, 3, 70, 130] : tensor<3x70x130xf32> into tensor<1x3x70x130xf32>
  %v9 = tensor.empty() : tensor<1x3x70x130xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x3x70x130xf32>) outs(%v9 : tensor<1x3x70x130xf32>) {
  ^bb0(%x10_0: f32, %o10: f32):
    %b11 = arith.mulf %x10_0, %c1 : f32
    linalg.yield %b11 : f32
  } -> tensor<1x3x70x130xf32>
  %v12 = tensor.empty() : tensor<1x3x70xf32>
  %v13 = linalg.fill ins(%c2 : f32) outs(%v12 : tensor<1x3x70xf32>) -> tensor<1x3x70xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v10 : tensor<1x3x70x130xf32>) outs(%v13 : tensor<1x3x70xf32>) {
  ^bb0(%x14_0: f32, %o14: f32):
    %b15 = arith.maximumf %x14_0, %o14 : f32
    linalg.yield %b15 : f32
  } -> tensor<1x3x70xf32>
  %v16 = tensor.expand_shape %v14 [[0], [1], [2, 3]] output_shape [1, 3, 70, 1] : tensor<1x3x70xf32> into tensor<1x3x70x1xf32>
  %v17 = tensor.empty() : tensor<1x3x70x130xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10, %v16 : tensor<1x3x70x130xf32>, tensor<1x3x70x1xf32>) outs(%v17 : tensor<1x3x70x130xf32>) {
  ^bb0(%x18_0: f32, %x18_1: f32, %o18: f32):
    %b19 = arith.subf %x18_0, %x18_1 : f32
    linalg.yield %b19 : f32
  } -> tensor<1x3x70x130xf32>
  %v20 = tensor.empty() : tensor<1x3x70x130xf32>
  %v21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<1x3x70x130xf32>) outs(%v20 : tensor<1x3x70x130xf32>) {
  ^bb0(%x21_0: f32, %o21: f32):
    %b22 = math.exp %x21_0 : f32
    linalg.yield %b22 : f32
  } -> tensor<1x3x70x130xf32>
  %v23 = tensor.empty() : tensor<1x3x70x1xf32>
  %v24 = linalg.fill ins(%c0 : f32) outs(%v23 : tensor<1x3x70x1xf32>) -> tensor<1x3x70x1xf32>
  %v25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v21 : tensor<1x3x70x130xf32>) outs(%v24 : tensor<1x3x70x1xf32>) {
  ^bb0(%x25_0: f32, %o25: f32):
    %b26 = arith.addf %x25_0, %o25 : f32
    linalg.yield %b26 : f32
  } -> tensor<1x3x70x1xf32>
  %v27 = tensor.empty() : tensor<1x3x70x130xf32>
  %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v21, %v25 : tensor<1x3x70x130xf32>, tensor<1x3x70x1xf32>) outs(%v27 : tensor<1x3x70x130xf32>) {
  ^bb0(%x28_0: f32, %x28_1: f32, %o28: f32):
    %b29 = arith.divf %x28_0, %x28_1 : f32
    linalg.yield %b29 : f32
  } -> tensor<1x3x70x130xf32>
  %v30 = tensor.empty() : tensor<1x3x1x130xf32>
  %v31 = linalg.fill ins(%c0 : f32) outs(%v30 : tensor<1x3x1x130xf32>) -> tensor<1x3x1x130xf32>
  %v32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%v28 : tensor<1x3x70x130xf32>) outs(%v31 : tensor<1x3x1x130xf32>) {
  ^bb0(%x32_0: f32, %o32: f32):
    %b33 = arith.addf %x32_0, %o32 : f32
    linalg.yield %b33 : f32
  } -> tensor<1x3x1x130xf32>
  %v34 = tensor.empty() : tensor<1x3x1x130xf32>
  %v35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v32 : tensor<1x3x1x130xf32>) outs(%v34 : tensor<1x3x1x130xf32>) {
  ^bb0(%x35_0: f32, %o35: f32):
    %b36 = arith.divf %x35_0, %c3 : f32
    linalg.yield %b36 : f32
  } -> tensor<1x3x1x130xf32>
  %v37 = tensor.empty() : tensor<1x3x70x130xf32>
  %v38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28, %v35 : tensor<1x3x70x130xf32>, tensor<1x3x1x130xf32>) outs(%v37 : tensor<1x3x70x130xf32>) {
  ^bb0(%x38_0: f32, %x38_1: f32, %o38: f32):
    %b39 = arith.subf %x38_0, %x38_1 : f32
    linalg.yield %b39 : f32
  } -> tensor<1x3x70x130xf32>
  %v40 = tensor.empty() : tensor<1x3x70x130xf32>
  %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v38, %v38 : tensor<1x3x70x130xf32>, tensor<1x3x70x130xf32>) outs(%v40 : tensor<1x3x70x130xf32>) {
  ^bb0(%x41_0: f32, %x41_1: f32, %o41: f32):
    %b42 = arith.mulf %x41_0, %x41_1 : f32
    linalg.yield %b42 : f32
  } -> tensor<1x3x70x130xf32>
  %v43 = tensor.empty() : tensor<1x3x1x130xf32>
  %v44 = linalg.fill ins(%c0 : f32) outs(%v43 : tensor<1x3x1x130xf32>) -> tensor<1x3x1x130xf32>
  %v45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%v41 : tensor<1x3x70x130xf32>) outs(%v44 : tensor<1x3x1x130xf32>) {
  ^bb0(%x45_0: f32, %o45: f32):
    %b46 = arith.addf %x45_0, %o45 : f32
    linalg.yield %b46 : f32
  } -> tensor<1x3x1x130xf32>
  %v47 = tensor.empty() : tensor<1x3x1x130xf32>
  %v48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45 : tensor<1x3x1x130xf32>) outs(%v47 : tensor<1x3x1x130xf32>) {
  ^bb0(%x48_0: f32, %o48: f32):
    %b49 = arith.divf %x48_0, %c3 : f32
    linalg.yield %b49 : f32
  } -> tensor<1x3x1x130xf32>
  %v50 = tensor.empty() : tensor<1x3x1x130xf32>
  %v51 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v48 : tensor<1x3x1x130xf32>) outs(%v50 : tensor<1x3x1x130xf32>) {
  ^bb0(%x51_0: f32, %o51: f32):
    %b52 = arith.addf %x51_0, %c4 : f32
    linalg.yield %b52 : f32
  } -> tensor<1x3x1x130xf32>
  %v53 = tensor.empty() : tensor<1x3x1x130xf32>
  %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v51 : tensor<1x3x1x130xf32>) outs(%v53 : tensor<1x3x1x130xf32>) {
  ^bb0(%x54_0: f32, %o54: f32):
    %b55 = math.sqrt %x54_0 : f32
    linalg.yield %b55 : f32
  } -> tensor<1x3x1x130xf32>
  %v56 = tensor.empty() : tensor<1x3x70x130xf32>
  %v57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v38, %v54 : tensor<1x3x70x130xf32>, tensor<1x3x1x130xf32>) outs(%v56 : tensor<1x3x70x130xf32>) {
  ^bb0(%x57_0: f32, %x57_1: f32, %o57: f32):
    %b58 = arith.divf %x57_0, %x57_1 : f32
    linalg.yield %b58 : f32
  } -> tensor<1x3x70x130xf32>
  %v59 = tensor.empty() : tensor<1x70x130xf32>
  %v60 = linalg.fill ins(%c0 : f32) outs(%v59 : tensor<1x70x130xf32>) -> tensor<1x70x130xf32>
  %v61 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%v57 : tensor<1x3x70x130xf32>) outs(%v60 : tensor<1x70x130xf32>) {
  ^bb0(%x61_0: f32, %o61: f32):
    %b62 = arith.addf %x61_0, %o61 : f32
    linalg.yield %b62 : f32
  } -> tensor<1x70x130xf32>
  %v63 = tensor.empty() : tensor<1x70x130xf32>
  %v64 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v61 : tensor<1x70x130xf32>) outs(%v63 : tensor<1x70x130xf32>) {
  ^bb0(%x64_0: f32, %o64: f32):
    %b65 = arith.divf %x64_0, %c5 : f32
    linalg.yield %b65 : f32
  } -> tensor<1x70x130xf32>
  return %v64 : tensor<1x70x130xf32>
}
