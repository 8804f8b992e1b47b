// Forgetting Transformer: sums of the logarithms of gates, which are added to the scores,
// come from sums that are shifted by powers of two.

// RUN: linalg-ext-check-program %s --max-kernels=13 --max-buffer-bytes=4107 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @forgetting(%a_q: tensor<1x3x37x16xf32>,
    %a_k: tensor<1x3x37x16xf32>,
    %a_v: tensor<1x3x37x16xf32>,
    %a_gate: tensor<1x3x37xf32>) -> (tensor<1x3x37x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 0 : i64
  %v1 = tensor.empty() : tensor<1x3x37xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_gate : tensor<1x3x37xf32>) outs(%v1 : tensor<1x3x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %a = math.absf %in0 : f32
    %n = arith.negf %a : f32
    %x = math.exp %n : f32
    %l = math.log1p %x : f32
    %mn = arith.minimumf %in0, %c0 : f32
    %r = arith.subf %mn, %l : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37xf32>
  %v3 = tensor.collapse_shape %g2 [[0, 1], [2]] : tensor<1x3x37xf32> into tensor<3x37xf32>
  %v4 = tensor.pad %v3 low[0, 1] high[0, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %c0 : f32
  } : tensor<3x37xf32> to tensor<3x38xf32>
  %v5 = tensor.extract_slice %v4[0, 0] [3, 37] [1, 1] : tensor<3x38xf32> to tensor<3x37xf32>
  %v6 = tensor.empty() : tensor<3x37xf32>
  %g7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v3, %v5 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v6 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v8 = tensor.pad %g7 low[0, 2] high[0, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %c0 : f32
  } : tensor<3x37xf32> to tensor<3x39xf32>
  %v9 = tensor.extract_slice %v8[0, 0] [3, 37] [1, 1] : tensor<3x39xf32> to tensor<3x37xf32>
  %v10 = tensor.empty() : tensor<3x37xf32>
  %g11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%g7, %v9 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v10 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v12 = tensor.pad %g11 low[0, 4] high[0, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %c0 : f32
  } : tensor<3x37xf32> to tensor<3x41xf32>
  %v13 = tensor.extract_slice %v12[0, 0] [3, 37] [1, 1] : tensor<3x41xf32> to tensor<3x37xf32>
  %v14 = tensor.empty() : tensor<3x37xf32>
  %g15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%g11, %v13 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v14 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v16 = tensor.pad %g15 low[0, 8] high[0, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %c0 : f32
  } : tensor<3x37xf32> to tensor<3x45xf32>
  %v17 = tensor.extract_slice %v16[0, 0] [3, 37] [1, 1] : tensor<3x45xf32> to tensor<3x37xf32>
  %v18 = tensor.empty() : tensor<3x37xf32>
  %g19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%g15, %v17 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v18 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v20 = tensor.pad %g19 low[0, 16] high[0, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %c0 : f32
  } : tensor<3x37xf32> to tensor<3x53xf32>
  %v21 = tensor.extract_slice %v20[0, 0] [3, 37] [1, 1] : tensor<3x53xf32> to tensor<3x37xf32>
  %v22 = tensor.empty() : tensor<3x37xf32>
  %g23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%g19, %v21 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v22 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v24 = tensor.pad %g23 low[0, 32] high[0, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %c0 : f32
  } : tensor<3x37xf32> to tensor<3x69xf32>
  %v25 = tensor.extract_slice %v24[0, 0] [3, 37] [1, 1] : tensor<3x69xf32> to tensor<3x37xf32>
  %v26 = tensor.empty() : tensor<3x37xf32>
  %g27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%g23, %v25 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v26 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v28 = tensor.expand_shape %g27 [[0, 1], [2]] output_shape [1, 3, 37] : tensor<3x37xf32> into tensor<1x3x37xf32>
  %v29 = tensor.expand_shape %v28 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v30 = tensor.expand_shape %v28 [[0], [1, 2], [3]] output_shape [1, 3, 1, 37] : tensor<1x3x37xf32> into tensor<1x3x1x37xf32>
  %v31 = tensor.empty() : tensor<1x3x37x37xf32>
  %g32 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v29, %v30 : tensor<1x3x37x1xf32>, tensor<1x3x1x37xf32>) outs(%v31 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v33 = tensor.empty() : tensor<1x3x16x37xf32>
  %v34 = linalg.transpose ins(%a_k : tensor<1x3x37x16xf32>) outs(%v33 : tensor<1x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %v35 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v36 = tensor.collapse_shape %v34 [[0, 1], [2], [3]] : tensor<1x3x16x37xf32> into tensor<3x16x37xf32>
  %v37 = tensor.empty() : tensor<3x37x37xf32>
  %v38 = linalg.fill ins(%c0 : f32) outs(%v37 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v39 = linalg.batch_matmul ins(%v35, %v36 : tensor<3x37x16xf32>, tensor<3x16x37xf32>) outs(%v38 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v40 = tensor.expand_shape %v39 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf32> into tensor<1x3x37x37xf32>
  %v41 = tensor.empty() : tensor<1x3x37x37xf32>
  %g42 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v40 : tensor<1x3x37x37xf32>) outs(%v41 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v43 = tensor.empty() : tensor<1x3x37x37xf32>
  %g44 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42, %g32 : tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%v43 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v45 = tensor.empty() : tensor<37xi64>
  %g46 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%v45 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v47 = tensor.expand_shape %g46 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v48 = tensor.empty() : tensor<37xi64>
  %g49 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%v48 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v50 = tensor.expand_shape %g49 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v51 = tensor.empty() : tensor<37x37xi1>
  %g52 = linalg.generic {indexing_maps = [#map6, #map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%v47, %v50 : tensor<37x1xi64>, tensor<1x37xi64>) outs(%v51 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %v53 = tensor.empty() : tensor<1x3x37x37xf32>
  %g54 = linalg.generic {indexing_maps = [#map8, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g52, %g44 : tensor<37x37xi1>, tensor<1x3x37x37xf32>) outs(%v53 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c2 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v55 = tensor.empty() : tensor<1x3x37xi64>
  %v56 = linalg.fill ins(%c3 : i64) outs(%v55 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v57 = tensor.empty() : tensor<1x3x37xf32>
  %v58 = linalg.fill ins(%c2 : f32) outs(%v57 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g59:2 = linalg.generic {indexing_maps = [#map4, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g54 : tensor<1x3x37x37xf32>) outs(%v58, %v56 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v60 = tensor.expand_shape %g59#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v61 = tensor.empty() : tensor<1x3x37x37xf32>
  %g62 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54, %v60 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%v61 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v63 = tensor.empty() : tensor<1x3x37x37xf32>
  %g64 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g62 : tensor<1x3x37x37xf32>) outs(%v63 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v65 = tensor.empty() : tensor<1x3x37x1xf32>
  %v66 = linalg.fill ins(%c0 : f32) outs(%v65 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g67 = linalg.generic {indexing_maps = [#map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g64 : tensor<1x3x37x37xf32>) outs(%v66 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v68 = tensor.empty() : tensor<1x3x37x37xf32>
  %g69 = linalg.generic {indexing_maps = [#map4, #map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g64, %g67 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%v68 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v70 = tensor.collapse_shape %g69 [[0, 1], [2], [3]] : tensor<1x3x37x37xf32> into tensor<3x37x37xf32>
  %v71 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v72 = tensor.empty() : tensor<3x37x16xf32>
  %v73 = linalg.fill ins(%c0 : f32) outs(%v72 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v74 = linalg.batch_matmul ins(%v70, %v71 : tensor<3x37x37xf32>, tensor<3x37x16xf32>) outs(%v73 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v75 = tensor.expand_shape %v74 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %v75 : tensor<1x3x37x16xf32>
}
