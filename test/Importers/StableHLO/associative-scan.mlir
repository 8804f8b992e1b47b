// jax.lax.associative_scan of a linear recurrence: halves of elements in turn, which are
// interleaved again.

// RUN: linalg-ext-check-program %s --max-kernels=21

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @linear_recurrence(%a_a: tensor<2x8x6xf32> {check.draw = "uniform 0 1"},
    %a_b: tensor<2x8x6xf32>) -> (tensor<2x8x6xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %v1 = tensor.extract_slice %a_a[0, 0, 0] [2, 4, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x4x6xf32>
  %v2 = tensor.extract_slice %a_a[0, 1, 0] [2, 4, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x4x6xf32>
  %v3 = tensor.extract_slice %a_b[0, 0, 0] [2, 4, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x4x6xf32>
  %v4 = tensor.extract_slice %a_b[0, 1, 0] [2, 4, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x4x6xf32>
  %v5 = tensor.empty() : tensor<2x4x6xf32>
  %g6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v1, %v2 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%v5 : tensor<2x4x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x6xf32>
  %v7 = tensor.empty() : tensor<2x4x6xf32>
  %g8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v2, %v3 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%v7 : tensor<2x4x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x6xf32>
  %v9 = tensor.empty() : tensor<2x4x6xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g8, %v4 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%v9 : tensor<2x4x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x6xf32>
  %v11 = tensor.extract_slice %g6[0, 0, 0] [2, 2, 6] [1, 2, 1] : tensor<2x4x6xf32> to tensor<2x2x6xf32>
  %v12 = tensor.extract_slice %g6[0, 1, 0] [2, 2, 6] [1, 2, 1] : tensor<2x4x6xf32> to tensor<2x2x6xf32>
  %v13 = tensor.extract_slice %g10[0, 0, 0] [2, 2, 6] [1, 2, 1] : tensor<2x4x6xf32> to tensor<2x2x6xf32>
  %v14 = tensor.extract_slice %g10[0, 1, 0] [2, 2, 6] [1, 2, 1] : tensor<2x4x6xf32> to tensor<2x2x6xf32>
  %v15 = tensor.empty() : tensor<2x2x6xf32>
  %g16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v11, %v12 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%v15 : tensor<2x2x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x6xf32>
  %v17 = tensor.empty() : tensor<2x2x6xf32>
  %g18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v12, %v13 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%v17 : tensor<2x2x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x6xf32>
  %v19 = tensor.empty() : tensor<2x2x6xf32>
  %g20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g18, %v14 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%v19 : tensor<2x2x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x6xf32>
  %v21 = tensor.extract_slice %g16[0, 0, 0] [2, 1, 6] [1, 2, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v22 = tensor.extract_slice %g16[0, 1, 0] [2, 1, 6] [1, 2, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v23 = tensor.extract_slice %g20[0, 0, 0] [2, 1, 6] [1, 2, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v24 = tensor.extract_slice %g20[0, 1, 0] [2, 1, 6] [1, 2, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v25 = tensor.empty() : tensor<2x1x6xf32>
  %g26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v21, %v22 : tensor<2x1x6xf32>, tensor<2x1x6xf32>) outs(%v25 : tensor<2x1x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x6xf32>
  %v27 = tensor.empty() : tensor<2x1x6xf32>
  %g28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22, %v23 : tensor<2x1x6xf32>, tensor<2x1x6xf32>) outs(%v27 : tensor<2x1x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x6xf32>
  %v29 = tensor.empty() : tensor<2x1x6xf32>
  %g30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g28, %v24 : tensor<2x1x6xf32>, tensor<2x1x6xf32>) outs(%v29 : tensor<2x1x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x6xf32>
  %v31 = tensor.extract_slice %g16[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v32 = tensor.extract_slice %g20[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v33 = tensor.empty() : tensor<2x2x6xf32>
  %v34 = linalg.fill ins(%c0 : f32) outs(%v33 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  %v35 = tensor.insert_slice %v31 into %v34[0, 0, 0] [2, 1, 6] [1, 2, 1] : tensor<2x1x6xf32> into tensor<2x2x6xf32>
  %v36 = tensor.empty() : tensor<2x2x6xf32>
  %v37 = linalg.fill ins(%c0 : f32) outs(%v36 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  %v38 = tensor.insert_slice %g26 into %v37[0, 1, 0] [2, 1, 6] [1, 2, 1] : tensor<2x1x6xf32> into tensor<2x2x6xf32>
  %v39 = tensor.empty() : tensor<2x2x6xf32>
  %g40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v35, %v38 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%v39 : tensor<2x2x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x6xf32>
  %v41 = tensor.empty() : tensor<2x2x6xf32>
  %v42 = linalg.fill ins(%c0 : f32) outs(%v41 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  %v43 = tensor.insert_slice %v32 into %v42[0, 0, 0] [2, 1, 6] [1, 2, 1] : tensor<2x1x6xf32> into tensor<2x2x6xf32>
  %v44 = tensor.empty() : tensor<2x2x6xf32>
  %v45 = linalg.fill ins(%c0 : f32) outs(%v44 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  %v46 = tensor.insert_slice %g30 into %v45[0, 1, 0] [2, 1, 6] [1, 2, 1] : tensor<2x1x6xf32> into tensor<2x2x6xf32>
  %v47 = tensor.empty() : tensor<2x2x6xf32>
  %g48 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v43, %v46 : tensor<2x2x6xf32>, tensor<2x2x6xf32>) outs(%v47 : tensor<2x2x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x6xf32>
  %v49 = tensor.extract_slice %g6[0, 2, 0] [2, 1, 6] [1, 2, 1] : tensor<2x4x6xf32> to tensor<2x1x6xf32>
  %v50 = tensor.extract_slice %g10[0, 2, 0] [2, 1, 6] [1, 2, 1] : tensor<2x4x6xf32> to tensor<2x1x6xf32>
  %v51 = tensor.extract_slice %g40[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v52 = tensor.extract_slice %g48[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x2x6xf32> to tensor<2x1x6xf32>
  %v53 = tensor.extract_slice %g6[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x4x6xf32> to tensor<2x1x6xf32>
  %v54 = tensor.empty() : tensor<2x1x6xf32>
  %g55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v51, %v49 : tensor<2x1x6xf32>, tensor<2x1x6xf32>) outs(%v54 : tensor<2x1x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x6xf32>
  %v56 = tensor.concat dim(1) %v53, %g55 : (tensor<2x1x6xf32>, tensor<2x1x6xf32>) -> tensor<2x2x6xf32>
  %v57 = tensor.extract_slice %g10[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x4x6xf32> to tensor<2x1x6xf32>
  %v58 = tensor.empty() : tensor<2x1x6xf32>
  %g59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v49, %v52 : tensor<2x1x6xf32>, tensor<2x1x6xf32>) outs(%v58 : tensor<2x1x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x6xf32>
  %v60 = tensor.empty() : tensor<2x1x6xf32>
  %g61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g59, %v50 : tensor<2x1x6xf32>, tensor<2x1x6xf32>) outs(%v60 : tensor<2x1x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x6xf32>
  %v62 = tensor.concat dim(1) %v57, %g61 : (tensor<2x1x6xf32>, tensor<2x1x6xf32>) -> tensor<2x2x6xf32>
  %v63 = tensor.empty() : tensor<2x4x6xf32>
  %v64 = linalg.fill ins(%c0 : f32) outs(%v63 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %v65 = tensor.insert_slice %v56 into %v64[0, 0, 0] [2, 2, 6] [1, 2, 1] : tensor<2x2x6xf32> into tensor<2x4x6xf32>
  %v66 = tensor.empty() : tensor<2x4x6xf32>
  %v67 = linalg.fill ins(%c0 : f32) outs(%v66 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %v68 = tensor.insert_slice %g40 into %v67[0, 1, 0] [2, 2, 6] [1, 2, 1] : tensor<2x2x6xf32> into tensor<2x4x6xf32>
  %v69 = tensor.empty() : tensor<2x4x6xf32>
  %g70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v65, %v68 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%v69 : tensor<2x4x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x6xf32>
  %v71 = tensor.empty() : tensor<2x4x6xf32>
  %v72 = linalg.fill ins(%c0 : f32) outs(%v71 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %v73 = tensor.insert_slice %v62 into %v72[0, 0, 0] [2, 2, 6] [1, 2, 1] : tensor<2x2x6xf32> into tensor<2x4x6xf32>
  %v74 = tensor.empty() : tensor<2x4x6xf32>
  %v75 = linalg.fill ins(%c0 : f32) outs(%v74 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %v76 = tensor.insert_slice %g48 into %v75[0, 1, 0] [2, 2, 6] [1, 2, 1] : tensor<2x2x6xf32> into tensor<2x4x6xf32>
  %v77 = tensor.empty() : tensor<2x4x6xf32>
  %g78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v73, %v76 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%v77 : tensor<2x4x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x6xf32>
  %v79 = tensor.extract_slice %a_a[0, 2, 0] [2, 3, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x3x6xf32>
  %v80 = tensor.extract_slice %a_b[0, 2, 0] [2, 3, 6] [1, 2, 1] : tensor<2x8x6xf32> to tensor<2x3x6xf32>
  %v81 = tensor.extract_slice %g70[0, 0, 0] [2, 3, 6] [1, 1, 1] : tensor<2x4x6xf32> to tensor<2x3x6xf32>
  %v82 = tensor.extract_slice %g78[0, 0, 0] [2, 3, 6] [1, 1, 1] : tensor<2x4x6xf32> to tensor<2x3x6xf32>
  %v83 = tensor.extract_slice %a_a[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x8x6xf32> to tensor<2x1x6xf32>
  %v84 = tensor.empty() : tensor<2x3x6xf32>
  %g85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v81, %v79 : tensor<2x3x6xf32>, tensor<2x3x6xf32>) outs(%v84 : tensor<2x3x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x6xf32>
  %v86 = tensor.concat dim(1) %v83, %g85 : (tensor<2x1x6xf32>, tensor<2x3x6xf32>) -> tensor<2x4x6xf32>
  %v87 = tensor.extract_slice %a_b[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x8x6xf32> to tensor<2x1x6xf32>
  %v88 = tensor.empty() : tensor<2x3x6xf32>
  %g89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v79, %v82 : tensor<2x3x6xf32>, tensor<2x3x6xf32>) outs(%v88 : tensor<2x3x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x6xf32>
  %v90 = tensor.empty() : tensor<2x3x6xf32>
  %g91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g89, %v80 : tensor<2x3x6xf32>, tensor<2x3x6xf32>) outs(%v90 : tensor<2x3x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x6xf32>
  %v92 = tensor.concat dim(1) %v87, %g91 : (tensor<2x1x6xf32>, tensor<2x3x6xf32>) -> tensor<2x4x6xf32>
  %v93 = tensor.empty() : tensor<2x8x6xf32>
  %v94 = linalg.fill ins(%c0 : f32) outs(%v93 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %v95 = tensor.insert_slice %v86 into %v94[0, 0, 0] [2, 4, 6] [1, 2, 1] : tensor<2x4x6xf32> into tensor<2x8x6xf32>
  %v96 = tensor.empty() : tensor<2x8x6xf32>
  %v97 = linalg.fill ins(%c0 : f32) outs(%v96 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %v98 = tensor.insert_slice %g70 into %v97[0, 1, 0] [2, 4, 6] [1, 2, 1] : tensor<2x4x6xf32> into tensor<2x8x6xf32>
  %v99 = tensor.empty() : tensor<2x8x6xf32>
  %g100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v95, %v98 : tensor<2x8x6xf32>, tensor<2x8x6xf32>) outs(%v99 : tensor<2x8x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x6xf32>
  %v101 = tensor.empty() : tensor<2x8x6xf32>
  %v102 = linalg.fill ins(%c0 : f32) outs(%v101 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %v103 = tensor.insert_slice %v92 into %v102[0, 0, 0] [2, 4, 6] [1, 2, 1] : tensor<2x4x6xf32> into tensor<2x8x6xf32>
  %v104 = tensor.empty() : tensor<2x8x6xf32>
  %v105 = linalg.fill ins(%c0 : f32) outs(%v104 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %v106 = tensor.insert_slice %g78 into %v105[0, 1, 0] [2, 4, 6] [1, 2, 1] : tensor<2x4x6xf32> into tensor<2x8x6xf32>
  %v107 = tensor.empty() : tensor<2x8x6xf32>
  %g108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v103, %v106 : tensor<2x8x6xf32>, tensor<2x8x6xf32>) outs(%v107 : tensor<2x8x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x6xf32>
  return %g108 : tensor<2x8x6xf32>
}
