// Views of unknown sizes are tensor.reshape. torch.export writes each size once: the sizes, in
// i64, are those of the queries alone, and it is not known that there are as many sequences of
// values.

// RUN: linalg-ext-check-program %s --sizes=2x13x64,2x45x32,2x45x32 --max-buffer-bytes=4680 \
// RUN:   --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @strict_views(%a_q: tensor<?x?x64xf16>,
    %a_k: tensor<?x?x32xf16>,
    %a_v: tensor<?x?x32xf16>) -> (tensor<?x?x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 4 : i64
  %c3 = arith.constant 16 : i64
  %c4 = arith.constant 2 : i64
  %c5 = arith.constant 1 : i64
  %c6 = arith.constant 0.000000000e+00 : f32
  %c7 = arith.constant 2.500000000e-01 : f64
  %c8 = arith.constant 0 : i64
  %c9 = arith.constant 0xFF800000 : f32
  %c10 = arith.constant 64 : i64
  %B = tensor.dim %a_q, %c0 : tensor<?x?x64xf16>
  %T = tensor.dim %a_q, %c1 : tensor<?x?x64xf16>
  %S = tensor.dim %a_k, %c1 : tensor<?x?x32xf16>
  %i1 = arith.index_cast %B : index to i64
  %i2 = arith.index_cast %T : index to i64
  %sh3 = tensor.from_elements %i1, %i2, %c2, %c3 : tensor<4xi64>
  %v4 = tensor.reshape %a_q(%sh3) : (tensor<?x?x64xf16>, tensor<4xi64>) -> tensor<?x?x4x16xf16>
  %v5 = tensor.empty(%B, %T) : tensor<?x4x?x16xf16>
  %v6 = linalg.transpose ins(%v4 : tensor<?x?x4x16xf16>) outs(%v5 : tensor<?x4x?x16xf16>) permutation = [0, 2, 1, 3]
  %i7 = arith.index_cast %S : index to i64
  %sh8 = tensor.from_elements %i1, %i7, %c4, %c3 : tensor<4xi64>
  %v9 = tensor.reshape %a_k(%sh8) : (tensor<?x?x32xf16>, tensor<4xi64>) -> tensor<?x?x2x16xf16>
  %v10 = tensor.empty(%B, %S) : tensor<?x2x?x16xf16>
  %v11 = linalg.transpose ins(%v9 : tensor<?x?x2x16xf16>) outs(%v10 : tensor<?x2x?x16xf16>) permutation = [0, 2, 1, 3]
  %sh12 = tensor.from_elements %i1, %i7, %c4, %c3 : tensor<4xi64>
  %v13 = tensor.reshape %a_v(%sh12) : (tensor<?x?x32xf16>, tensor<4xi64>) -> tensor<?x?x2x16xf16>
  %v14 = tensor.empty(%B, %S) : tensor<?x2x?x16xf16>
  %v15 = linalg.transpose ins(%v13 : tensor<?x?x2x16xf16>) outs(%v14 : tensor<?x2x?x16xf16>) permutation = [0, 2, 1, 3]
  %sh16 = tensor.from_elements %i1, %c4, %c5, %i7, %c3 : tensor<5xi64>
  %v17 = tensor.reshape %v11(%sh16) : (tensor<?x2x?x16xf16>, tensor<5xi64>) -> tensor<?x2x1x?x16xf16>
  %v18 = tensor.empty(%B, %S) : tensor<?x2x2x?x16xf16>
  %g19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v17 : tensor<?x2x1x?x16xf16>) outs(%v18 : tensor<?x2x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<?x2x2x?x16xf16>
  %sh20 = tensor.from_elements %i1, %c2, %i7, %c3 : tensor<4xi64>
  %v21 = tensor.reshape %g19(%sh20) : (tensor<?x2x2x?x16xf16>, tensor<4xi64>) -> tensor<?x4x?x16xf16>
  %sh22 = tensor.from_elements %i1, %c4, %c5, %i7, %c3 : tensor<5xi64>
  %v23 = tensor.reshape %v15(%sh22) : (tensor<?x2x?x16xf16>, tensor<5xi64>) -> tensor<?x2x1x?x16xf16>
  %v24 = tensor.empty(%B, %S) : tensor<?x2x2x?x16xf16>
  %g25 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v23 : tensor<?x2x1x?x16xf16>) outs(%v24 : tensor<?x2x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<?x2x2x?x16xf16>
  %sh26 = tensor.from_elements %i1, %c2, %i7, %c3 : tensor<4xi64>
  %v27 = tensor.reshape %g25(%sh26) : (tensor<?x2x2x?x16xf16>, tensor<4xi64>) -> tensor<?x4x?x16xf16>
  %m28 = arith.muli %i1, %c2 : i64
  %mx29 = arith.index_cast %m28 : i64 to index
  %sh30 = tensor.from_elements %m28, %i2, %c3 : tensor<3xi64>
  %v31 = tensor.reshape %v6(%sh30) : (tensor<?x4x?x16xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
  %v32 = tensor.empty(%B, %S) : tensor<?x4x16x?xf16>
  %v33 = linalg.transpose ins(%v21 : tensor<?x4x?x16xf16>) outs(%v32 : tensor<?x4x16x?xf16>) permutation = [0, 1, 3, 2]
  %sh34 = tensor.from_elements %m28, %c3, %i7 : tensor<3xi64>
  %v35 = tensor.reshape %v33(%sh34) : (tensor<?x4x16x?xf16>, tensor<3xi64>) -> tensor<?x16x?xf16>
  %v36 = tensor.empty(%mx29, %T, %S) : tensor<?x?x?xf32>
  %v37 = linalg.fill ins(%c6 : f32) outs(%v36 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %v38 = linalg.batch_matmul ins(%v31, %v35 : tensor<?x?x16xf16>, tensor<?x16x?xf16>) outs(%v37 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %v39 = tensor.empty(%mx29, %T, %S) : tensor<?x?x?xf16>
  %g40 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v38 : tensor<?x?x?xf32>) outs(%v39 : tensor<?x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x?xf16>
  %sh41 = tensor.from_elements %i1, %c2, %i2, %i7 : tensor<4xi64>
  %v42 = tensor.reshape %g40(%sh41) : (tensor<?x?x?xf16>, tensor<4xi64>) -> tensor<?x4x?x?xf16>
  %v43 = tensor.empty(%B, %T, %S) : tensor<?x4x?x?xf16>
  %g44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v42 : tensor<?x4x?x?xf16>) outs(%v43 : tensor<?x4x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c7 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<?x4x?x?xf16>
  %v45 = tensor.empty(%B, %T, %S) : tensor<?x4x?x?xf32>
  %g46 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g44 : tensor<?x4x?x?xf16>) outs(%v45 : tensor<?x4x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<?x4x?x?xf32>
  %v47 = tensor.empty(%B, %T) : tensor<?x4x?xi64>
  %v48 = linalg.fill ins(%c8 : i64) outs(%v47 : tensor<?x4x?xi64>) -> tensor<?x4x?xi64>
  %v49 = tensor.empty(%B, %T) : tensor<?x4x?xf32>
  %v50 = linalg.fill ins(%c9 : f32) outs(%v49 : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %g51:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g46 : tensor<?x4x?x?xf32>) outs(%v50, %v48 : tensor<?x4x?xf32>, tensor<?x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<?x4x?xf32>, tensor<?x4x?xi64>)
  %v52 = tensor.expand_shape %g51#0 [[0], [1], [2, 3]] output_shape [%B, 4, %T, 1] : tensor<?x4x?xf32> into tensor<?x4x?x1xf32>
  %v53 = tensor.empty(%B, %T, %S) : tensor<?x4x?x?xf32>
  %g54 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g46, %v52 : tensor<?x4x?x?xf32>, tensor<?x4x?x1xf32>) outs(%v53 : tensor<?x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x?x?xf32>
  %v55 = tensor.empty(%B, %T, %S) : tensor<?x4x?x?xf32>
  %g56 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54 : tensor<?x4x?x?xf32>) outs(%v55 : tensor<?x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x?x?xf32>
  %v57 = tensor.empty(%B, %T) : tensor<?x4x?x1xf32>
  %v58 = linalg.fill ins(%c6 : f32) outs(%v57 : tensor<?x4x?x1xf32>) -> tensor<?x4x?x1xf32>
  %g59 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g56 : tensor<?x4x?x?xf32>) outs(%v58 : tensor<?x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x?x1xf32>
  %v60 = tensor.empty(%B, %T, %S) : tensor<?x4x?x?xf32>
  %g61 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g56, %g59 : tensor<?x4x?x?xf32>, tensor<?x4x?x1xf32>) outs(%v60 : tensor<?x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x?x?xf32>
  %v62 = tensor.empty(%B, %T, %S) : tensor<?x4x?x?xf16>
  %g63 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g61 : tensor<?x4x?x?xf32>) outs(%v62 : tensor<?x4x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x4x?x?xf16>
  %sh64 = tensor.from_elements %m28, %i2, %i7 : tensor<3xi64>
  %v65 = tensor.reshape %g63(%sh64) : (tensor<?x4x?x?xf16>, tensor<3xi64>) -> tensor<?x?x?xf16>
  %sh66 = tensor.from_elements %m28, %i7, %c3 : tensor<3xi64>
  %v67 = tensor.reshape %v27(%sh66) : (tensor<?x4x?x16xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
  %v68 = tensor.empty(%mx29, %T) : tensor<?x?x16xf32>
  %v69 = linalg.fill ins(%c6 : f32) outs(%v68 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %v70 = linalg.batch_matmul ins(%v65, %v67 : tensor<?x?x?xf16>, tensor<?x?x16xf16>) outs(%v69 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %v71 = tensor.empty(%mx29, %T) : tensor<?x?x16xf16>
  %g72 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v70 : tensor<?x?x16xf32>) outs(%v71 : tensor<?x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x16xf16>
  %sh73 = tensor.from_elements %i1, %c2, %i2, %c3 : tensor<4xi64>
  %v74 = tensor.reshape %g72(%sh73) : (tensor<?x?x16xf16>, tensor<4xi64>) -> tensor<?x4x?x16xf16>
  %v75 = tensor.empty(%B, %T) : tensor<?x?x4x16xf16>
  %v76 = linalg.transpose ins(%v74 : tensor<?x4x?x16xf16>) outs(%v75 : tensor<?x?x4x16xf16>) permutation = [0, 2, 1, 3]
  %sh77 = tensor.from_elements %i1, %i2, %c10 : tensor<3xi64>
  %v78 = tensor.reshape %v76(%sh77) : (tensor<?x?x4x16xf16>, tensor<3xi64>) -> tensor<?x?x64xf16>
  return %v78 : tensor<?x?x64xf16>
}
