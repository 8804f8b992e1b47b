// The weights of a gate and of what it multiplies are one tensor (Phi, GLM, Granite): its
// product is cut in two. On a GPU the halves are two products of one kernel, and no product
// is stored.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 \
// RUN:   --sizes=1x37x64,-
// RUN: linalg-ext-check-program %s --targets=cpu --sizes=1x37x64,-

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @batch_of_one(%a_x: tensor<1x?x64xbf16>,
    %a_wi: tensor<96x64xbf16>) -> (tensor<1x?x48xbf16>) {
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 1.000000000e+00 : bf16
  %T = tensor.dim %a_x, %c0 : tensor<1x?x64xbf16>
  %v1 = tensor.empty() : tensor<64x96xbf16>
  %v2 = linalg.transpose ins(%a_wi : tensor<96x64xbf16>) outs(%v1 : tensor<64x96xbf16>) permutation = [1, 0]
  %v3 = tensor.collapse_shape %a_x [[0, 1], [2]] : tensor<1x?x64xbf16> into tensor<?x64xbf16>
  %v4 = tensor.empty(%T) : tensor<?x96xf32>
  %v5 = linalg.fill ins(%c1 : f32) outs(%v4 : tensor<?x96xf32>) -> tensor<?x96xf32>
  %v6 = linalg.matmul ins(%v3, %v2 : tensor<?x64xbf16>, tensor<64x96xbf16>) outs(%v5 : tensor<?x96xf32>) -> tensor<?x96xf32>
  %v7 = tensor.empty(%T) : tensor<?x96xbf16>
  %g8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%v6 : tensor<?x96xf32>) outs(%v7 : tensor<?x96xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x96xbf16>
  %v9 = tensor.expand_shape %g8 [[0, 1], [2]] output_shape [1, %T, 96] : tensor<?x96xbf16> into tensor<1x?x96xbf16>
  %v10 = tensor.extract_slice %v9[0, 0, 0] [1, %T, 48] [1, 1, 1] : tensor<1x?x96xbf16> to tensor<1x?x48xbf16>
  %v11 = tensor.empty(%T) : tensor<1x?x48xbf16>
  %g12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x?x48xbf16>) outs(%v11 : tensor<1x?x48xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %n = arith.negf %in0 : bf16
    %e = math.exp %n : bf16
    %a = arith.addf %e, %c2 : bf16
    %r = arith.divf %c2, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x48xbf16>
  %v13 = tensor.empty(%T) : tensor<1x?x48xbf16>
  %g14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10, %g12 : tensor<1x?x48xbf16>, tensor<1x?x48xbf16>) outs(%v13 : tensor<1x?x48xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x48xbf16>
  %v15 = tensor.extract_slice %v9[0, 0, 48] [1, %T, 48] [1, 1, 1] : tensor<1x?x96xbf16> to tensor<1x?x48xbf16>
  %v16 = tensor.empty(%T) : tensor<1x?x48xbf16>
  %g17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g14, %v15 : tensor<1x?x48xbf16>, tensor<1x?x48xbf16>) outs(%v16 : tensor<1x?x48xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x48xbf16>
  return %g17 : tensor<1x?x48xbf16>
}

#rows = affine_map<(d0, d1) -> (d0, d1)>
#rows1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @batch_of_two(%a_x: tensor<2x37x64xbf16>,
    %a_wi: tensor<96x64xbf16>) -> (tensor<2x37x48xbf16>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 1.000000000e+00 : bf16
  %v1 = tensor.empty() : tensor<64x96xbf16>
  %v2 = linalg.transpose ins(%a_wi : tensor<96x64xbf16>) outs(%v1 : tensor<64x96xbf16>) permutation = [1, 0]
  %v3 = tensor.collapse_shape %a_x [[0, 1], [2]] : tensor<2x37x64xbf16> into tensor<74x64xbf16>
  %v4 = tensor.empty() : tensor<74x96xf32>
  %v5 = linalg.fill ins(%c0 : f32) outs(%v4 : tensor<74x96xf32>) -> tensor<74x96xf32>
  %v6 = linalg.matmul ins(%v3, %v2 : tensor<74x64xbf16>, tensor<64x96xbf16>) outs(%v5 : tensor<74x96xf32>) -> tensor<74x96xf32>
  %v7 = tensor.empty() : tensor<74x96xbf16>
  %g8 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%v6 : tensor<74x96xf32>) outs(%v7 : tensor<74x96xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<74x96xbf16>
  %v9 = tensor.expand_shape %g8 [[0, 1], [2]] output_shape [2, 37, 96] : tensor<74x96xbf16> into tensor<2x37x96xbf16>
  %v10 = tensor.extract_slice %v9[0, 0, 0] [2, 37, 48] [1, 1, 1] : tensor<2x37x96xbf16> to tensor<2x37x48xbf16>
  %v11 = tensor.empty() : tensor<2x37x48xbf16>
  %g12 = linalg.generic {indexing_maps = [#rows1, #rows1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10 : tensor<2x37x48xbf16>) outs(%v11 : tensor<2x37x48xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %n = arith.negf %in0 : bf16
    %e = math.exp %n : bf16
    %a = arith.addf %e, %c1 : bf16
    %r = arith.divf %c1, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<2x37x48xbf16>
  %v13 = tensor.empty() : tensor<2x37x48xbf16>
  %g14 = linalg.generic {indexing_maps = [#rows1, #rows1, #rows1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10, %g12 : tensor<2x37x48xbf16>, tensor<2x37x48xbf16>) outs(%v13 : tensor<2x37x48xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x37x48xbf16>
  %v15 = tensor.extract_slice %v9[0, 0, 48] [2, 37, 48] [1, 1, 1] : tensor<2x37x96xbf16> to tensor<2x37x48xbf16>
  %v16 = tensor.empty() : tensor<2x37x48xbf16>
  %g17 = linalg.generic {indexing_maps = [#rows1, #rows1, #rows1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g14, %v15 : tensor<2x37x48xbf16>, tensor<2x37x48xbf16>) outs(%v16 : tensor<2x37x48xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x37x48xbf16>
  return %g17 : tensor<2x37x48xbf16>
}
