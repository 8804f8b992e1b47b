// Cumulative sums, maxima and products are reductions of windows of a padded tensor
// (stablehlo.reduce_window), each as long as the tensor. They are reductions up to a position: no
// padding is stored, and gates that decay with distance are computed in the kernel of attention.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4736 --max-kernels=1

func.func @forget_gates(%a0: tensor<2x2x37x16xf32>, %a1: tensor<2x2x37x16xf32>, %a2: tensor<2x2x37x16xf32>, %a3: tensor<2x2x37xf32>) -> tensor<2x2x37x16xf32> {
  %s5 = arith.constant dense<0xFF800000> : tensor<f32>
  %c4 = arith.constant 0xFF800000 : f32
  %s3 = arith.constant dense<-3.402820e+38> : tensor<f32>
  %c2 = arith.constant 0xFF7FFFFF : f32
  %s1 = arith.constant dense<2.500000e-01> : tensor<f32>
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.empty() : tensor<2x2x37xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a3 : tensor<2x2x37xf32>) outs(%v1 : tensor<2x2x37xf32>) {
  ^bb0(%x2_0: f32, %o2: f32):
    %b3 = arith.minimumf %x2_0, %c0 : f32
    %b4 = math.absf %x2_0 : f32
    %b5 = arith.negf %b4 : f32
    %b6 = math.exp %b5 : f32
    %b7 = math.log1p %b6 : f32
    %b8 = arith.subf %b3, %b7 : f32
    linalg.yield %b8 : f32
  } -> tensor<2x2x37xf32>
  %v9 = tensor.pad %v2 low[0, 0, 36] high[0, 0, 0] {
  ^bb0(%p9_0: index, %p9_1: index, %p9_2: index):
    tensor.yield %c0 : f32
  } : tensor<2x2x37xf32> to tensor<2x2x73xf32>
  %v10 = tensor.empty() : tensor<1x1x37xf32>
  %v11 = tensor.empty() : tensor<2x2x37xf32>
  %v12 = linalg.fill ins(%c0 : f32) outs(%v11 : tensor<2x2x37xf32>) -> tensor<2x2x37xf32>
  %v13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d3, d1 + d4, d2 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%v9, %v10 : tensor<2x2x73xf32>, tensor<1x1x37xf32>) outs(%v12 : tensor<2x2x37xf32>) {
  ^bb0(%x13_0: f32, %x13_1: f32, %o13: f32):
    %b14 = arith.addf %o13, %x13_0 : f32
    linalg.yield %b14 : f32
  } -> tensor<2x2x37xf32>
  %v15 = tensor.expand_shape %v13 [[0], [1], [2, 3]] output_shape [2, 2, 37, 1] : tensor<2x2x37xf32> into tensor<2x2x37x1xf32>
  %v16 = tensor.expand_shape %v13 [[0], [1], [2, 3]] output_shape [2, 2, 1, 37] : tensor<2x2x37xf32> into tensor<2x2x1x37xf32>
  %v17 = tensor.empty() : tensor<2x2x37x37xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v15 : tensor<2x2x37x1xf32>) outs(%v17 : tensor<2x2x37x37xf32>) {
  ^bb0(%x18_0: f32, %o18: f32):
    linalg.yield %x18_0 : f32
  } -> tensor<2x2x37x37xf32>
  %v19 = tensor.empty() : tensor<2x2x37x37xf32>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<2x2x1x37xf32>) outs(%v19 : tensor<2x2x37x37xf32>) {
  ^bb0(%x20_0: f32, %o20: f32):
    linalg.yield %x20_0 : f32
  } -> tensor<2x2x37x37xf32>
  %v21 = tensor.empty() : tensor<2x2x37x37xf32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18, %v20 : tensor<2x2x37x37xf32>, tensor<2x2x37x37xf32>) outs(%v21 : tensor<2x2x37x37xf32>) {
  ^bb0(%x22_0: f32, %x22_1: f32, %o22: f32):
    %b23 = arith.subf %x22_0, %x22_1 : f32
    linalg.yield %b23 : f32
  } -> tensor<2x2x37x37xf32>
  %v24 = tensor.empty() : tensor<37xi64>
  %v25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v24 : tensor<37xi64>) {
  ^bb0(%o25: i64):
    %b26 = linalg.index 0 : index
    %b27 = arith.index_cast %b26 : index to i64
    linalg.yield %b27 : i64
  } -> tensor<37xi64>
  %v28 = tensor.expand_shape %v25 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v29 = tensor.empty() : tensor<37xi64>
  %v30 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v29 : tensor<37xi64>) {
  ^bb0(%o30: i64):
    %b31 = linalg.index 0 : index
    %b32 = arith.index_cast %b31 : index to i64
    linalg.yield %b32 : i64
  } -> tensor<37xi64>
  %v33 = tensor.expand_shape %v30 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v34 = tensor.empty() : tensor<37x37xi64>
  %v35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v33 : tensor<1x37xi64>) outs(%v34 : tensor<37x37xi64>) {
  ^bb0(%x35_0: i64, %o35: i64):
    linalg.yield %x35_0 : i64
  } -> tensor<37x37xi64>
  %v36 = tensor.empty() : tensor<37x37xi64>
  %v37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v28 : tensor<37x1xi64>) outs(%v36 : tensor<37x37xi64>) {
  ^bb0(%x37_0: i64, %o37: i64):
    linalg.yield %x37_0 : i64
  } -> tensor<37x37xi64>
  %v38 = tensor.empty() : tensor<37x37xi1>
  %v39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v35, %v37 : tensor<37x37xi64>, tensor<37x37xi64>) outs(%v38 : tensor<37x37xi1>) {
  ^bb0(%x39_0: i64, %x39_1: i64, %o39: i1):
    %b40 = arith.cmpi sle, %x39_0, %x39_1 : i64
    linalg.yield %b40 : i1
  } -> tensor<37x37xi1>
  %v41 = tensor.empty() : tensor<2x2x37x37xf32>
  %v42 = linalg.fill ins(%c0 : f32) outs(%v41 : tensor<2x2x37x37xf32>) -> tensor<2x2x37x37xf32>
  %v43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<2x2x37x16xf32>, tensor<2x2x37x16xf32>) outs(%v42 : tensor<2x2x37x37xf32>) {
  ^bb0(%x43_0: f32, %x43_1: f32, %o43: f32):
    %b44 = arith.mulf %x43_0, %x43_1 : f32
    %b45 = arith.addf %o43, %b44 : f32
    linalg.yield %b45 : f32
  } -> tensor<2x2x37x37xf32>
  %v46 = tensor.empty() : tensor<2x2x37x37xf32>
  %v47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<f32>) outs(%v46 : tensor<2x2x37x37xf32>) {
  ^bb0(%x47_0: f32, %o47: f32):
    linalg.yield %x47_0 : f32
  } -> tensor<2x2x37x37xf32>
  %v48 = tensor.empty() : tensor<2x2x37x37xf32>
  %v49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v43, %v47 : tensor<2x2x37x37xf32>, tensor<2x2x37x37xf32>) outs(%v48 : tensor<2x2x37x37xf32>) {
  ^bb0(%x49_0: f32, %x49_1: f32, %o49: f32):
    %b50 = arith.mulf %x49_0, %x49_1 : f32
    linalg.yield %b50 : f32
  } -> tensor<2x2x37x37xf32>
  %v51 = tensor.empty() : tensor<2x2x37x37xf32>
  %v52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v49, %v22 : tensor<2x2x37x37xf32>, tensor<2x2x37x37xf32>) outs(%v51 : tensor<2x2x37x37xf32>) {
  ^bb0(%x52_0: f32, %x52_1: f32, %o52: f32):
    %b53 = arith.addf %x52_0, %x52_1 : f32
    linalg.yield %b53 : f32
  } -> tensor<2x2x37x37xf32>
  %v54 = tensor.empty() : tensor<2x2x37x37xi1>
  %v55 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v39 : tensor<37x37xi1>) outs(%v54 : tensor<2x2x37x37xi1>) {
  ^bb0(%x55_0: i1, %o55: i1):
    linalg.yield %x55_0 : i1
  } -> tensor<2x2x37x37xi1>
  %v56 = tensor.empty() : tensor<2x2x37x37xf32>
  %v57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s3 : tensor<f32>) outs(%v56 : tensor<2x2x37x37xf32>) {
  ^bb0(%x57_0: f32, %o57: f32):
    linalg.yield %x57_0 : f32
  } -> tensor<2x2x37x37xf32>
  %v58 = tensor.empty() : tensor<2x2x37x37xf32>
  %v59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v55, %v52, %v57 : tensor<2x2x37x37xi1>, tensor<2x2x37x37xf32>, tensor<2x2x37x37xf32>) outs(%v58 : tensor<2x2x37x37xf32>) {
  ^bb0(%x59_0: i1, %x59_1: f32, %x59_2: f32, %o59: f32):
    %b60 = arith.select %x59_0, %x59_1, %x59_2 : f32
    linalg.yield %b60 : f32
  } -> tensor<2x2x37x37xf32>
  %v61 = tensor.empty() : tensor<2x2x37xf32>
  %v62 = linalg.fill ins(%c4 : f32) outs(%v61 : tensor<2x2x37xf32>) -> tensor<2x2x37xf32>
  %v63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v59 : tensor<2x2x37x37xf32>) outs(%v62 : tensor<2x2x37xf32>) {
  ^bb0(%x63_0: f32, %o63: f32):
    %b64 = arith.maximumf %x63_0, %o63 : f32
    linalg.yield %b64 : f32
  } -> tensor<2x2x37xf32>
  %v65 = tensor.empty() : tensor<2x2x37x1xf32>
  %v66 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v63 : tensor<2x2x37xf32>) outs(%v65 : tensor<2x2x37x1xf32>) {
  ^bb0(%x66_0: f32, %o66: f32):
    linalg.yield %x66_0 : f32
  } -> tensor<2x2x37x1xf32>
  %v67 = tensor.empty() : tensor<2x2x37x1xf32>
  %v68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s5 : tensor<f32>) outs(%v67 : tensor<2x2x37x1xf32>) {
  ^bb0(%x68_0: f32, %o68: f32):
    linalg.yield %x68_0 : f32
  } -> tensor<2x2x37x1xf32>
  %v69 = tensor.empty() : tensor<2x2x37x1xf32>
  %v70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v66, %v68 : tensor<2x2x37x1xf32>, tensor<2x2x37x1xf32>) outs(%v69 : tensor<2x2x37x1xf32>) {
  ^bb0(%x70_0: f32, %x70_1: f32, %o70: f32):
    %b71 = arith.maximumf %x70_0, %x70_1 : f32
    linalg.yield %b71 : f32
  } -> tensor<2x2x37x1xf32>
  %v72 = tensor.empty() : tensor<2x2x37x37xf32>
  %v73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v70 : tensor<2x2x37x1xf32>) outs(%v72 : tensor<2x2x37x37xf32>) {
  ^bb0(%x73_0: f32, %o73: f32):
    linalg.yield %x73_0 : f32
  } -> tensor<2x2x37x37xf32>
  %v74 = tensor.empty() : tensor<2x2x37x37xf32>
  %v75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v59, %v73 : tensor<2x2x37x37xf32>, tensor<2x2x37x37xf32>) outs(%v74 : tensor<2x2x37x37xf32>) {
  ^bb0(%x75_0: f32, %x75_1: f32, %o75: f32):
    %b76 = arith.subf %x75_0, %x75_1 : f32
    linalg.yield %b76 : f32
  } -> tensor<2x2x37x37xf32>
  %v77 = tensor.empty() : tensor<2x2x37x37xf32>
  %v78 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v75 : tensor<2x2x37x37xf32>) outs(%v77 : tensor<2x2x37x37xf32>) {
  ^bb0(%x78_0: f32, %o78: f32):
    %b79 = math.exp %x78_0 : f32
    linalg.yield %b79 : f32
  } -> tensor<2x2x37x37xf32>
  %v80 = tensor.empty() : tensor<2x2x37xf32>
  %v81 = linalg.fill ins(%c0 : f32) outs(%v80 : tensor<2x2x37xf32>) -> tensor<2x2x37xf32>
  %v82 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v78 : tensor<2x2x37x37xf32>) outs(%v81 : tensor<2x2x37xf32>) {
  ^bb0(%x82_0: f32, %o82: f32):
    %b83 = arith.addf %x82_0, %o82 : f32
    linalg.yield %b83 : f32
  } -> tensor<2x2x37xf32>
  %v84 = tensor.empty() : tensor<2x2x37x1xf32>
  %v85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v82 : tensor<2x2x37xf32>) outs(%v84 : tensor<2x2x37x1xf32>) {
  ^bb0(%x85_0: f32, %o85: f32):
    linalg.yield %x85_0 : f32
  } -> tensor<2x2x37x1xf32>
  %v86 = tensor.empty() : tensor<2x2x37x37xf32>
  %v87 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v85 : tensor<2x2x37x1xf32>) outs(%v86 : tensor<2x2x37x37xf32>) {
  ^bb0(%x87_0: f32, %o87: f32):
    linalg.yield %x87_0 : f32
  } -> tensor<2x2x37x37xf32>
  %v88 = tensor.empty() : tensor<2x2x37x37xf32>
  %v89 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v78, %v87 : tensor<2x2x37x37xf32>, tensor<2x2x37x37xf32>) outs(%v88 : tensor<2x2x37x37xf32>) {
  ^bb0(%x89_0: f32, %x89_1: f32, %o89: f32):
    %b90 = arith.divf %x89_0, %x89_1 : f32
    linalg.yield %b90 : f32
  } -> tensor<2x2x37x37xf32>
  %v91 = tensor.empty() : tensor<2x2x37x16xf32>
  %v92 = linalg.fill ins(%c0 : f32) outs(%v91 : tensor<2x2x37x16xf32>) -> tensor<2x2x37x16xf32>
  %v93 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v89, %a2 : tensor<2x2x37x37xf32>, tensor<2x2x37x16xf32>) outs(%v92 : tensor<2x2x37x16xf32>) {
  ^bb0(%x93_0: f32, %x93_1: f32, %o93: f32):
    %b94 = arith.mulf %x93_0, %x93_1 : f32
    %b95 = arith.addf %o93, %b94 : f32
    linalg.yield %b95 : f32
  } -> tensor<2x2x37x16xf32>
  return %v93 : tensor<2x2x37x16xf32>
}

func.func @sums(%a0: tensor<3x37xf32>) -> tensor<3x37xf32> {
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.pad %a0 low[0, 36] high[0, 0] {
  ^bb0(%p1_0: index, %p1_1: index):
    tensor.yield %c0 : f32
  } : tensor<3x37xf32> to tensor<3x73xf32>
  %v2 = tensor.empty() : tensor<1x37xf32>
  %v3 = tensor.empty() : tensor<3x37xf32>
  %v4 = linalg.fill ins(%c0 : f32) outs(%v3 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v1, %v2 : tensor<3x73xf32>, tensor<1x37xf32>) outs(%v4 : tensor<3x37xf32>) {
  ^bb0(%x5_0: f32, %x5_1: f32, %o5: f32):
    %b6 = arith.addf %o5, %x5_0 : f32
    linalg.yield %b6 : f32
  } -> tensor<3x37xf32>
  return %v5 : tensor<3x37xf32>
}

func.func @reversed_maxima(%a0: tensor<3x37xf32>) -> tensor<3x37xf32> {
  %c1 = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0.000000e+00 : f32
  %v1 = tensor.pad %a0 low[0, 0] high[0, 36] {
  ^bb0(%p1_0: index, %p1_1: index):
    tensor.yield %c1 : f32
  } : tensor<3x37xf32> to tensor<3x73xf32>
  %v2 = tensor.empty() : tensor<1x37xf32>
  %v3 = tensor.empty() : tensor<3x37xf32>
  %v4 = linalg.fill ins(%c1 : f32) outs(%v3 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v1, %v2 : tensor<3x73xf32>, tensor<1x37xf32>) outs(%v4 : tensor<3x37xf32>) {
  ^bb0(%x5_0: f32, %x5_1: f32, %o5: f32):
    %b6 = arith.maximumf %o5, %x5_0 : f32
    linalg.yield %b6 : f32
  } -> tensor<3x37xf32>
  return %v5 : tensor<3x37xf32>
}

func.func @products(%a0: tensor<3x21xf32> {check.draw = "uniform 0.5 1.5"}) -> tensor<3x21xf32> {
  %c0 = arith.constant 1.000000e+00 : f32
  %v1 = tensor.pad %a0 low[0, 20] high[0, 0] {
  ^bb0(%p1_0: index, %p1_1: index):
    tensor.yield %c0 : f32
  } : tensor<3x21xf32> to tensor<3x41xf32>
  %v2 = tensor.empty() : tensor<1x21xf32>
  %v3 = tensor.empty() : tensor<3x21xf32>
  %v4 = linalg.fill ins(%c0 : f32) outs(%v3 : tensor<3x21xf32>) -> tensor<3x21xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v1, %v2 : tensor<3x41xf32>, tensor<1x21xf32>) outs(%v4 : tensor<3x21xf32>) {
  ^bb0(%x5_0: f32, %x5_1: f32, %o5: f32):
    %b6 = arith.mulf %o5, %x5_0 : f32
    linalg.yield %b6 : f32
  } -> tensor<3x21xf32>
  return %v5 : tensor<3x21xf32>
}

func.func @sums_of_bf16(%a0: tensor<2x3x29xbf16>) -> tensor<2x3x29xbf16> {
  %c0 = arith.constant 0.000000e+00 : bf16
  %v1 = tensor.pad %a0 low[0, 0, 28] high[0, 0, 0] {
  ^bb0(%p1_0: index, %p1_1: index, %p1_2: index):
    tensor.yield %c0 : bf16
  } : tensor<2x3x29xbf16> to tensor<2x3x57xbf16>
  %v2 = tensor.empty() : tensor<1x1x29xbf16>
  %v3 = tensor.empty() : tensor<2x3x29xbf16>
  %v4 = linalg.fill ins(%c0 : bf16) outs(%v3 : tensor<2x3x29xbf16>) -> tensor<2x3x29xbf16>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d3, d1 + d4, d2 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%v1, %v2 : tensor<2x3x57xbf16>, tensor<1x1x29xbf16>) outs(%v4 : tensor<2x3x29xbf16>) {
  ^bb0(%x5_0: bf16, %x5_1: bf16, %o5: bf16):
    %b6 = arith.addf %o5, %x5_0 : bf16
    linalg.yield %b6 : bf16
  } -> tensor<2x3x29xbf16>
  return %v5 : tensor<2x3x29xbf16>
}
