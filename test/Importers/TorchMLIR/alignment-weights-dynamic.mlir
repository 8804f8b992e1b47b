// The same with unknown numbers of tokens and frames. Columns of unknown length, of which the result
// needs those of several heads, are reduced in kernels of their own.

// RUN: linalg-ext-check-program %s --sizes=1x3x70x16,1x3x130x16 --max-kernels=7
// RUN: linalg-ext-check-program %s --sizes=1x3x1x16,1x3x1x16 --max-kernels=7 --min-informative=0
// RUN: linalg-ext-check-program %s --sizes=1x3x9x16,1x3x45x16 --max-kernels=7

func.func @alignment_weights(%a0: tensor<1x3x?x16xf32>, %a1: tensor<1x3x?x16xf32>) -> tensor<1x?x?xf32> {
  %c5 = arith.constant 3.000000e+00 : f32
  %c4 = arith.constant 1.000000e-08 : f32
  %c3 = arith.constant 0xFF800000 : f32
  %c2 = arith.constant 2.500000e-01 : f32
  %c1 = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 2 : index
  %dim_n = tensor.dim %a0, %c0 : tensor<1x3x?x16xf32>
  %dim_m = tensor.dim %a1, %c0 : tensor<1x3x?x16xf32>
  %v1 = tensor.empty(%dim_m) : tensor<1x3x16x?xf32>
  %v2 = linalg.transpose ins(%a1 : tensor<1x3x?x16xf32>) outs(%v1 : tensor<1x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a0 [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<1x3x16x?xf32> into tensor<3x16x?xf32>
  %v5 = tensor.empty(%dim_n, %dim_m) : tensor<3x?x?xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<3x?x16xf32>, tensor<3x16x?xf32>) outs(%v6 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v8 = tensor.expand_shape %v7 [[0, 1], [2], [3]] output_shape [1, 3, %dim_n, %dim_m] : tensor<3x?x?xf32> into tensor<1x3x?x?xf32>
  %v9 = tensor.empty(%dim_n, %dim_m) : tensor<1x3x?x?xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x3x?x?xf32>) outs(%v9 : tensor<1x3x?x?xf32>) {
  ^bb0(%x10_0: f32, %o10: f32):
    %b11 = arith.mulf %x10_0, %c2 : f32
    linalg.yield %b11 : f32
  } -> tensor<1x3x?x?xf32>
  %v12 = tensor.empty(%dim_n) : tensor<1x3x?xf32>
  %v13 = linalg.fill ins(%c3 : f32) outs(%v12 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v10 : tensor<1x3x?x?xf32>) outs(%v13 : tensor<1x3x?xf32>) {
  ^bb0(%x14_0: f32, %o14: f32):
    %b15 = arith.maximumf %x14_0, %o14 : f32
    linalg.yield %b15 : f32
  } -> tensor<1x3x?xf32>
  %v16 = tensor.expand_shape %v14 [[0], [1], [2, 3]] output_shape [1, 3, %dim_n, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %v17 = tensor.empty(%dim_n, %dim_m) : tensor<1x3x?x?xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10, %v16 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v17 : tensor<1x3x?x?xf32>) {
  ^bb0(%x18_0: f32, %x18_1: f32, %o18: f32):
    %b19 = arith.subf %x18_0, %x18_1 : f32
    linalg.yield %b19 : f32
  } -> tensor<1x3x?x?xf32>
  %v20 = tensor.empty(%dim_n, %dim_m) : tensor<1x3x?x?xf32>
  %v21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<1x3x?x?xf32>) outs(%v20 : tensor<1x3x?x?xf32>) {
  ^bb0(%x21_0: f32, %o21: f32):
    %b22 = math.exp %x21_0 : f32
    linalg.yield %b22 : f32
  } -> tensor<1x3x?x?xf32>
  %v23 = tensor.empty(%dim_n) : tensor<1x3x?x1xf32>
  %v24 = linalg.fill ins(%c1 : f32) outs(%v23 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %v25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v21 : tensor<1x3x?x?xf32>) outs(%v24 : tensor<1x3x?x1xf32>) {
  ^bb0(%x25_0: f32, %o25: f32):
    %b26 = arith.addf %x25_0, %o25 : f32
    linalg.yield %b26 : f32
  } -> tensor<1x3x?x1xf32>
  %v27 = tensor.empty(%dim_n, %dim_m) : tensor<1x3x?x?xf32>
  %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v21, %v25 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v27 : tensor<1x3x?x?xf32>) {
  ^bb0(%x28_0: f32, %x28_1: f32, %o28: f32):
    %b29 = arith.divf %x28_0, %x28_1 : f32
    linalg.yield %b29 : f32
  } -> tensor<1x3x?x?xf32>
  %v30 = tensor.empty(%dim_m) : tensor<1x3x1x?xf32>
  %v31 = linalg.fill ins(%c1 : f32) outs(%v30 : tensor<1x3x1x?xf32>) -> tensor<1x3x1x?xf32>
  %v32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%v28 : tensor<1x3x?x?xf32>) outs(%v31 : tensor<1x3x1x?xf32>) {
  ^bb0(%x32_0: f32, %o32: f32):
    %b33 = arith.addf %x32_0, %o32 : f32
    linalg.yield %b33 : f32
  } -> tensor<1x3x1x?xf32>
  %v34 = arith.index_cast %dim_n : index to i64
  %v35 = arith.sitofp %v34 : i64 to f32
  %v36 = tensor.empty(%dim_m) : tensor<1x3x1x?xf32>
  %v37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v32 : tensor<1x3x1x?xf32>) outs(%v36 : tensor<1x3x1x?xf32>) {
  ^bb0(%x37_0: f32, %o37: f32):
    %b38 = arith.divf %x37_0, %v35 : f32
    linalg.yield %b38 : f32
  } -> tensor<1x3x1x?xf32>
  %v39 = tensor.empty(%dim_n, %dim_m) : tensor<1x3x?x?xf32>
  %v40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28, %v37 : tensor<1x3x?x?xf32>, tensor<1x3x1x?xf32>) outs(%v39 : tensor<1x3x?x?xf32>) {
  ^bb0(%x40_0: f32, %x40_1: f32, %o40: f32):
    %b41 = arith.subf %x40_0, %x40_1 : f32
    linalg.yield %b41 : f32
  } -> tensor<1x3x?x?xf32>
  %v42 = tensor.empty(%dim_n, %dim_m) : tensor<1x3x?x?xf32>
  %v43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v40, %v40 : tensor<1x3x?x?xf32>, tensor<1x3x?x?xf32>) outs(%v42 : tensor<1x3x?x?xf32>) {
  ^bb0(%x43_0: f32, %x43_1: f32, %o43: f32):
    %b44 = arith.mulf %x43_0, %x43_1 : f32
    linalg.yield %b44 : f32
  } -> tensor<1x3x?x?xf32>
  %v45 = tensor.empty(%dim_m) : tensor<1x3x1x?xf32>
  %v46 = linalg.fill ins(%c1 : f32) outs(%v45 : tensor<1x3x1x?xf32>) -> tensor<1x3x1x?xf32>
  %v47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%v43 : tensor<1x3x?x?xf32>) outs(%v46 : tensor<1x3x1x?xf32>) {
  ^bb0(%x47_0: f32, %o47: f32):
    %b48 = arith.addf %x47_0, %o47 : f32
    linalg.yield %b48 : f32
  } -> tensor<1x3x1x?xf32>
  %v49 = arith.index_cast %dim_n : index to i64
  %v50 = arith.sitofp %v49 : i64 to f32
  %v51 = tensor.empty(%dim_m) : tensor<1x3x1x?xf32>
  %v52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v47 : tensor<1x3x1x?xf32>) outs(%v51 : tensor<1x3x1x?xf32>) {
  ^bb0(%x52_0: f32, %o52: f32):
    %b53 = arith.divf %x52_0, %v50 : f32
    linalg.yield %b53 : f32
  } -> tensor<1x3x1x?xf32>
  %v54 = tensor.empty(%dim_m) : tensor<1x3x1x?xf32>
  %v55 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v52 : tensor<1x3x1x?xf32>) outs(%v54 : tensor<1x3x1x?xf32>) {
  ^bb0(%x55_0: f32, %o55: f32):
    %b56 = arith.addf %x55_0, %c4 : f32
    linalg.yield %b56 : f32
  } -> tensor<1x3x1x?xf32>
  %v57 = tensor.empty(%dim_m) : tensor<1x3x1x?xf32>
  %v58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v55 : tensor<1x3x1x?xf32>) outs(%v57 : tensor<1x3x1x?xf32>) {
  ^bb0(%x58_0: f32, %o58: f32):
    %b59 = math.sqrt %x58_0 : f32
    linalg.yield %b59 : f32
  } -> tensor<1x3x1x?xf32>
  %v60 = tensor.empty(%dim_n, %dim_m) : tensor<1x3x?x?xf32>
  %v61 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v40, %v58 : tensor<1x3x?x?xf32>, tensor<1x3x1x?xf32>) outs(%v60 : tensor<1x3x?x?xf32>) {
  ^bb0(%x61_0: f32, %x61_1: f32, %o61: f32):
    %b62 = arith.divf %x61_0, %x61_1 : f32
    linalg.yield %b62 : f32
  } -> tensor<1x3x?x?xf32>
  %v63 = tensor.empty(%dim_n, %dim_m) : tensor<1x?x?xf32>
  %v64 = linalg.fill ins(%c1 : f32) outs(%v63 : tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %v65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%v61 : tensor<1x3x?x?xf32>) outs(%v64 : tensor<1x?x?xf32>) {
  ^bb0(%x65_0: f32, %o65: f32):
    %b66 = arith.addf %x65_0, %o65 : f32
    linalg.yield %b66 : f32
  } -> tensor<1x?x?xf32>
  %v67 = tensor.empty(%dim_n, %dim_m) : tensor<1x?x?xf32>
  %v68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v65 : tensor<1x?x?xf32>) outs(%v67 : tensor<1x?x?xf32>) {
  ^bb0(%x68_0: f32, %o68: f32):
    %b69 = arith.divf %x68_0, %c5 : f32
    linalg.yield %b69 : f32
  } -> tensor<1x?x?xf32>
  return %v68 : tensor<1x?x?xf32>
}
