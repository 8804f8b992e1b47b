// A moving average over more keys than an instruction for each would pay for is added to the
// scores. It is computed in front of attention: in the program of a workgroup, its windows would
// be no vectors.

// RUN: linalg-ext-check-program %s --max-kernels=4

func.func @moving_average(%a0: tensor<2x2x37x16xf32>, %a1: tensor<2x2x37x16xf32>, %a2: tensor<2x2x37x16xf32>, %a3: tensor<2x2x37xf32>) -> tensor<2x2x37x16xf32> {
  %c3 = arith.constant 0xFF800000 : f32
  %c2 = arith.constant 2.500000e-01 : f32
  %c1 = arith.constant 1.100000e+01 : f32
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.empty() : tensor<2x2x37xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a3 : tensor<2x2x37xf32>) outs(%v1 : tensor<2x2x37xf32>) {
  ^bb0(%x2_0: f32, %o2: f32):
    %b3 = math.tanh %x2_0 : f32
    linalg.yield %b3 : f32
  } -> tensor<2x2x37xf32>
  %v4 = tensor.pad %v2 low[0, 0, 5] high[0, 0, 5] {
  ^bb0(%p4_0: index, %p4_1: index, %p4_2: index):
    tensor.yield %c0 : f32
  } : tensor<2x2x37xf32> to tensor<2x2x47xf32>
  %v5 = tensor.empty() : tensor<11xf32>
  %v6 = tensor.empty() : tensor<2x2x37xf32>
  %v7 = linalg.fill ins(%c0 : f32) outs(%v6 : tensor<2x2x37xf32>) -> tensor<2x2x37xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 + d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v4, %v5 : tensor<2x2x47xf32>, tensor<11xf32>) outs(%v7 : tensor<2x2x37xf32>) {
  ^bb0(%x8_0: f32, %x8_1: f32, %o8: f32):
    %b9 = arith.addf %o8, %x8_0 : f32
    linalg.yield %b9 : f32
  } -> tensor<2x2x37xf32>
  %v10 = tensor.empty() : tensor<2x2x37xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8 : tensor<2x2x37xf32>) outs(%v10 : tensor<2x2x37xf32>) {
  ^bb0(%x11_0: f32, %o11: f32):
    %b12 = arith.divf %x11_0, %c1 : f32
    linalg.yield %b12 : f32
  } -> tensor<2x2x37xf32>
  %v13 = tensor.expand_shape %v11 [[0], [1], [2, 3]] output_shape [2, 2, 1, 37] : tensor<2x2x37xf32> into tensor<2x2x1x37xf32>
  %v14 = tensor.empty() : tensor<37xi64>
  %v15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v14 : tensor<37xi64>) {
  ^bb0(%o15: i64):
    %b16 = linalg.index 0 : index
    %b17 = arith.index_cast %b16 : index to i64
    linalg.yield %b17 : i64
  } -> tensor<37xi64>
  %v18 = tensor.expand_shape %v15 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v19 = tensor.empty() : tensor<37xi64>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v19 : tensor<37xi64>) {
  ^bb0(%o20: i64):
    %b21 = linalg.index 0 : index
    %b22 = arith.index_cast %b21 : index to i64
    linalg.yield %b22 : i64
  } -> tensor<37xi64>
  %v23 = tensor.expand_shape %v20 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v24 = tensor.empty() : tensor<37x37xi1>
  %v25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v18, %v23 : tensor<37x1xi64>, tensor<1x37xi64>) outs(%v24 : tensor<37x37xi1>) {
  ^bb0(%x25_0: i64, %x25_1: i64, %o25: i1):
    %b26 = arith.cmpi sge, %x25_0, %x25_1 : i64
    linalg.yield %b26 : i1
  } -> tensor<37x37xi1>
  %v27 = tensor.empty() : tensor<2x2x16x37xf32>
  %v28 = linalg.transpose ins(%a1 : tensor<2x2x37x16xf32>) outs(%v27 : tensor<2x2x16x37xf32>) permutation = [0, 1, 3, 2]
  %v29 = tensor.collapse_shape %a0 [[0, 1], [2], [3]] : tensor<2x2x37x16xf32> into tensor<4x37x16xf32>
  %v30 = tensor.collapse_shape %v28 [[0, 1], [2], [3]] : tensor<2x2x16x37xf32> into tensor<4x16x37xf32>
  %v31 = tensor.empty() : tensor<4x37x37xf32>
  %v32 = linalg.fill ins(%c0 : f32) outs(%v31 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %v33 = linalg.batch_matmul ins(%v29, %v30 : tensor<4x37x16xf32>, tensor<4x16x37xf32>) outs(%v32 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %v34 = tensor.expand_shape %v33 [[0, 1], [2], [3]] output_shape [2, 2, 37, 37] : tensor<4x37x37xf32> into tensor<2x2x37x37xf32>
  %v35 = tensor.empty() : tensor<2x2x37x37xf32>
  %v36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v34 : tensor<2x2x37x37xf32>) outs(%v35 : tensor<2x2x37x37xf32>) {
  ^bb0(%x36_0: f32, %o36: f32):
    %b37 = arith.mulf %x36_0, %c2 : f32
    linalg.yield %b37 : f32
  } -> tensor<2x2x37x37xf32>
  %v38 = tensor.empty() : tensor<2x2x37x37xf32>
  %v39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v36, %v13 : tensor<2x2x37x37xf32>, tensor<2x2x1x37xf32>) outs(%v38 : tensor<2x2x37x37xf32>) {
  ^bb0(%x39_0: f32, %x39_1: f32, %o39: f32):
    %b40 = arith.addf %x39_0, %x39_1 : f32
    linalg.yield %b40 : f32
  } -> tensor<2x2x37x37xf32>
  %v41 = tensor.empty() : tensor<37x37xf32>
  %v42 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v25 : tensor<37x37xi1>) outs(%v41 : tensor<37x37xf32>) {
  ^bb0(%x42_0: i1, %o42: f32):
    %b43 = arith.select %x42_0, %c0, %c3 : f32
    linalg.yield %b43 : f32
  } -> tensor<37x37xf32>
  %v44 = tensor.empty() : tensor<2x2x37x37xf32>
  %v45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v39, %v42 : tensor<2x2x37x37xf32>, tensor<37x37xf32>) outs(%v44 : tensor<2x2x37x37xf32>) {
  ^bb0(%x45_0: f32, %x45_1: f32, %o45: f32):
    %b46 = arith.addf %x45_0, %x45_1 : f32
    linalg.yield %b46 : f32
  } -> tensor<2x2x37x37xf32>
  %v47 = tensor.empty() : tensor<2x2x37xf32>
  %v48 = linalg.fill ins(%c3 : f32) outs(%v47 : tensor<2x2x37xf32>) -> tensor<2x2x37xf32>
  %v49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v45 : tensor<2x2x37x37xf32>) outs(%v48 : tensor<2x2x37xf32>) {
  ^bb0(%x49_0: f32, %o49: f32):
    %b50 = arith.maximumf %x49_0, %o49 : f32
    linalg.yield %b50 : f32
  } -> tensor<2x2x37xf32>
  %v51 = tensor.expand_shape %v49 [[0], [1], [2, 3]] output_shape [2, 2, 37, 1] : tensor<2x2x37xf32> into tensor<2x2x37x1xf32>
  %v52 = tensor.empty() : tensor<2x2x37x37xf32>
  %v53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45, %v51 : tensor<2x2x37x37xf32>, tensor<2x2x37x1xf32>) outs(%v52 : tensor<2x2x37x37xf32>) {
  ^bb0(%x53_0: f32, %x53_1: f32, %o53: f32):
    %b54 = arith.subf %x53_0, %x53_1 : f32
    linalg.yield %b54 : f32
  } -> tensor<2x2x37x37xf32>
  %v55 = tensor.empty() : tensor<2x2x37x37xf32>
  %v56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v53 : tensor<2x2x37x37xf32>) outs(%v55 : tensor<2x2x37x37xf32>) {
  ^bb0(%x56_0: f32, %o56: f32):
    %b57 = math.exp %x56_0 : f32
    linalg.yield %b57 : f32
  } -> tensor<2x2x37x37xf32>
  %v58 = tensor.empty() : tensor<2x2x37x1xf32>
  %v59 = linalg.fill ins(%c0 : f32) outs(%v58 : tensor<2x2x37x1xf32>) -> tensor<2x2x37x1xf32>
  %v60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v56 : tensor<2x2x37x37xf32>) outs(%v59 : tensor<2x2x37x1xf32>) {
  ^bb0(%x60_0: f32, %o60: f32):
    %b61 = arith.addf %x60_0, %o60 : f32
    linalg.yield %b61 : f32
  } -> tensor<2x2x37x1xf32>
  %v62 = tensor.empty() : tensor<2x2x37x37xf32>
  %v63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v56, %v60 : tensor<2x2x37x37xf32>, tensor<2x2x37x1xf32>) outs(%v62 : tensor<2x2x37x37xf32>) {
  ^bb0(%x63_0: f32, %x63_1: f32, %o63: f32):
    %b64 = arith.divf %x63_0, %x63_1 : f32
    linalg.yield %b64 : f32
  } -> tensor<2x2x37x37xf32>
  %v65 = tensor.collapse_shape %v63 [[0, 1], [2], [3]] : tensor<2x2x37x37xf32> into tensor<4x37x37xf32>
  %v66 = tensor.collapse_shape %a2 [[0, 1], [2], [3]] : tensor<2x2x37x16xf32> into tensor<4x37x16xf32>
  %v67 = tensor.empty() : tensor<4x37x16xf32>
  %v68 = linalg.fill ins(%c0 : f32) outs(%v67 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %v69 = linalg.batch_matmul ins(%v65, %v66 : tensor<4x37x37xf32>, tensor<4x37x16xf32>) outs(%v68 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %v70 = tensor.expand_shape %v69 [[0, 1], [2], [3]] output_shape [2, 2, 37, 16] : tensor<4x37x16xf32> into tensor<2x2x37x16xf32>
  return %v70 : tensor<2x2x37x16xf32>
}

func.func @moving_average_f16(%a0: tensor<2x2x70x16xf16>, %a1: tensor<2x2x70x16xf16>, %a2: tensor<2x2x70x16xf16>, %a3: tensor<2x2x70xf16>) -> tensor<2x2x70x16xf16> {
  %c4 = arith.constant 0xFC00 : f16
  %c3 = arith.constant 2.500000e-01 : f16
  %c2 = arith.constant 2.500000e+01 : f32
  %c1 = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0.000000e+00 : f16
  %v1 = tensor.empty() : tensor<2x2x70xf16>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a3 : tensor<2x2x70xf16>) outs(%v1 : tensor<2x2x70xf16>) {
  ^bb0(%x2_0: f16, %o2: f16):
    %b3 = math.tanh %x2_0 : f16
    linalg.yield %b3 : f16
  } -> tensor<2x2x70xf16>
  %v4 = tensor.pad %v2 low[0, 0, 12] high[0, 0, 12] {
  ^bb0(%p4_0: index, %p4_1: index, %p4_2: index):
    tensor.yield %c0 : f16
  } : tensor<2x2x70xf16> to tensor<2x2x94xf16>
  %v5 = tensor.empty() : tensor<25xf32>
  %v6 = tensor.empty() : tensor<2x2x94xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v4 : tensor<2x2x94xf16>) outs(%v6 : tensor<2x2x94xf32>) {
  ^bb0(%x7_0: f16, %o7: f32):
    %b8 = arith.extf %x7_0 : f16 to f32
    linalg.yield %b8 : f32
  } -> tensor<2x2x94xf32>
  %v9 = tensor.empty() : tensor<2x2x70xf32>
  %v10 = linalg.fill ins(%c1 : f32) outs(%v9 : tensor<2x2x70xf32>) -> tensor<2x2x70xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 + d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v7, %v5 : tensor<2x2x94xf32>, tensor<25xf32>) outs(%v10 : tensor<2x2x70xf32>) {
  ^bb0(%x11_0: f32, %x11_1: f32, %o11: f32):
    %b12 = arith.addf %o11, %x11_0 : f32
    linalg.yield %b12 : f32
  } -> tensor<2x2x70xf32>
  %v13 = tensor.empty() : tensor<2x2x70xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v11 : tensor<2x2x70xf32>) outs(%v13 : tensor<2x2x70xf32>) {
  ^bb0(%x14_0: f32, %o14: f32):
    %b15 = arith.divf %x14_0, %c2 : f32
    linalg.yield %b15 : f32
  } -> tensor<2x2x70xf32>
  %v16 = tensor.expand_shape %v14 [[0], [1], [2, 3]] output_shape [2, 2, 1, 70] : tensor<2x2x70xf32> into tensor<2x2x1x70xf32>
  %v17 = tensor.empty() : tensor<2x2x1x70xf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<2x2x1x70xf32>) outs(%v17 : tensor<2x2x1x70xf16>) {
  ^bb0(%x18_0: f32, %o18: f16):
    %b19 = arith.truncf %x18_0 : f32 to f16
    linalg.yield %b19 : f16
  } -> tensor<2x2x1x70xf16>
  %v20 = tensor.empty() : tensor<70xi64>
  %v21 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v20 : tensor<70xi64>) {
  ^bb0(%o21: i64):
    %b22 = linalg.index 0 : index
    %b23 = arith.index_cast %b22 : index to i64
    linalg.yield %b23 : i64
  } -> tensor<70xi64>
  %v24 = tensor.expand_shape %v21 [[0, 1]] output_shape [70, 1] : tensor<70xi64> into tensor<70x1xi64>
  %v25 = tensor.empty() : tensor<70xi64>
  %v26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v25 : tensor<70xi64>) {
  ^bb0(%o26: i64):
    %b27 = linalg.index 0 : index
    %b28 = arith.index_cast %b27 : index to i64
    linalg.yield %b28 : i64
  } -> tensor<70xi64>
  %v29 = tensor.expand_shape %v26 [[0, 1]] output_shape [1, 70] : tensor<70xi64> into tensor<1x70xi64>
  %v30 = tensor.empty() : tensor<70x70xi1>
  %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v24, %v29 : tensor<70x1xi64>, tensor<1x70xi64>) outs(%v30 : tensor<70x70xi1>) {
  ^bb0(%x31_0: i64, %x31_1: i64, %o31: i1):
    %b32 = arith.cmpi sge, %x31_0, %x31_1 : i64
    linalg.yield %b32 : i1
  } -> tensor<70x70xi1>
  %v33 = tensor.empty() : tensor<2x2x16x70xf16>
  %v34 = linalg.transpose ins(%a1 : tensor<2x2x70x16xf16>) outs(%v33 : tensor<2x2x16x70xf16>) permutation = [0, 1, 3, 2]
  %v35 = tensor.collapse_shape %a0 [[0, 1], [2], [3]] : tensor<2x2x70x16xf16> into tensor<4x70x16xf16>
  %v36 = tensor.collapse_shape %v34 [[0, 1], [2], [3]] : tensor<2x2x16x70xf16> into tensor<4x16x70xf16>
  %v37 = tensor.empty() : tensor<4x70x70xf32>
  %v38 = linalg.fill ins(%c1 : f32) outs(%v37 : tensor<4x70x70xf32>) -> tensor<4x70x70xf32>
  %v39 = linalg.batch_matmul ins(%v35, %v36 : tensor<4x70x16xf16>, tensor<4x16x70xf16>) outs(%v38 : tensor<4x70x70xf32>) -> tensor<4x70x70xf32>
  %v40 = tensor.empty() : tensor<4x70x70xf16>
  %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v39 : tensor<4x70x70xf32>) outs(%v40 : tensor<4x70x70xf16>) {
  ^bb0(%x41_0: f32, %o41: f16):
    %b42 = arith.truncf %x41_0 : f32 to f16
    linalg.yield %b42 : f16
  } -> tensor<4x70x70xf16>
  %v43 = tensor.expand_shape %v41 [[0, 1], [2], [3]] output_shape [2, 2, 70, 70] : tensor<4x70x70xf16> into tensor<2x2x70x70xf16>
  %v44 = tensor.empty() : tensor<2x2x70x70xf16>
  %v45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v43 : tensor<2x2x70x70xf16>) outs(%v44 : tensor<2x2x70x70xf16>) {
  ^bb0(%x45_0: f16, %o45: f16):
    %b46 = arith.mulf %x45_0, %c3 : f16
    linalg.yield %b46 : f16
  } -> tensor<2x2x70x70xf16>
  %v47 = tensor.empty() : tensor<2x2x70x70xf16>
  %v48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45, %v18 : tensor<2x2x70x70xf16>, tensor<2x2x1x70xf16>) outs(%v47 : tensor<2x2x70x70xf16>) {
  ^bb0(%x48_0: f16, %x48_1: f16, %o48: f16):
    %b49 = arith.addf %x48_0, %x48_1 : f16
    linalg.yield %b49 : f16
  } -> tensor<2x2x70x70xf16>
  %v50 = tensor.empty() : tensor<70x70xf16>
  %v51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v31 : tensor<70x70xi1>) outs(%v50 : tensor<70x70xf16>) {
  ^bb0(%x51_0: i1, %o51: f16):
    %b52 = arith.select %x51_0, %c0, %c4 : f16
    linalg.yield %b52 : f16
  } -> tensor<70x70xf16>
  %v53 = tensor.empty() : tensor<2x2x70x70xf16>
  %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v48, %v51 : tensor<2x2x70x70xf16>, tensor<70x70xf16>) outs(%v53 : tensor<2x2x70x70xf16>) {
  ^bb0(%x54_0: f16, %x54_1: f16, %o54: f16):
    %b55 = arith.addf %x54_0, %x54_1 : f16
    linalg.yield %b55 : f16
  } -> tensor<2x2x70x70xf16>
  %v56 = tensor.empty() : tensor<2x2x70xf16>
  %v57 = linalg.fill ins(%c4 : f16) outs(%v56 : tensor<2x2x70xf16>) -> tensor<2x2x70xf16>
  %v58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v54 : tensor<2x2x70x70xf16>) outs(%v57 : tensor<2x2x70xf16>) {
  ^bb0(%x58_0: f16, %o58: f16):
    %b59 = arith.maximumf %x58_0, %o58 : f16
    linalg.yield %b59 : f16
  } -> tensor<2x2x70xf16>
  %v60 = tensor.expand_shape %v58 [[0], [1], [2, 3]] output_shape [2, 2, 70, 1] : tensor<2x2x70xf16> into tensor<2x2x70x1xf16>
  %v61 = tensor.empty() : tensor<2x2x70x70xf16>
  %v62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v54, %v60 : tensor<2x2x70x70xf16>, tensor<2x2x70x1xf16>) outs(%v61 : tensor<2x2x70x70xf16>) {
  ^bb0(%x62_0: f16, %x62_1: f16, %o62: f16):
    %b63 = arith.subf %x62_0, %x62_1 : f16
    linalg.yield %b63 : f16
  } -> tensor<2x2x70x70xf16>
  %v64 = tensor.empty() : tensor<2x2x70x70xf16>
  %v65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v62 : tensor<2x2x70x70xf16>) outs(%v64 : tensor<2x2x70x70xf16>) {
  ^bb0(%x65_0: f16, %o65: f16):
    %b66 = math.exp %x65_0 : f16
    linalg.yield %b66 : f16
  } -> tensor<2x2x70x70xf16>
  %v67 = tensor.empty() : tensor<2x2x70x1xf16>
  %v68 = linalg.fill ins(%c0 : f16) outs(%v67 : tensor<2x2x70x1xf16>) -> tensor<2x2x70x1xf16>
  %v69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v65 : tensor<2x2x70x70xf16>) outs(%v68 : tensor<2x2x70x1xf16>) {
  ^bb0(%x69_0: f16, %o69: f16):
    %b70 = arith.addf %x69_0, %o69 : f16
    linalg.yield %b70 : f16
  } -> tensor<2x2x70x1xf16>
  %v71 = tensor.empty() : tensor<2x2x70x70xf16>
  %v72 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v65, %v69 : tensor<2x2x70x70xf16>, tensor<2x2x70x1xf16>) outs(%v71 : tensor<2x2x70x70xf16>) {
  ^bb0(%x72_0: f16, %x72_1: f16, %o72: f16):
    %b73 = arith.divf %x72_0, %x72_1 : f16
    linalg.yield %b73 : f16
  } -> tensor<2x2x70x70xf16>
  %v74 = tensor.collapse_shape %v72 [[0, 1], [2], [3]] : tensor<2x2x70x70xf16> into tensor<4x70x70xf16>
  %v75 = tensor.collapse_shape %a2 [[0, 1], [2], [3]] : tensor<2x2x70x16xf16> into tensor<4x70x16xf16>
  %v76 = tensor.empty() : tensor<4x70x16xf32>
  %v77 = linalg.fill ins(%c1 : f32) outs(%v76 : tensor<4x70x16xf32>) -> tensor<4x70x16xf32>
  %v78 = linalg.batch_matmul ins(%v74, %v75 : tensor<4x70x70xf16>, tensor<4x70x16xf16>) outs(%v77 : tensor<4x70x16xf32>) -> tensor<4x70x16xf32>
  %v79 = tensor.empty() : tensor<4x70x16xf16>
  %v80 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v78 : tensor<4x70x16xf32>) outs(%v79 : tensor<4x70x16xf16>) {
  ^bb0(%x80_0: f32, %o80: f16):
    %b81 = arith.truncf %x80_0 : f32 to f16
    linalg.yield %b81 : f16
  } -> tensor<4x70x16xf16>
  %v82 = tensor.expand_shape %v80 [[0, 1], [2], [3]] output_shape [2, 2, 70, 16] : tensor<4x70x16xf16> into tensor<2x2x70x16xf16>
  return %v82 : tensor<2x2x70x16xf16>
}
