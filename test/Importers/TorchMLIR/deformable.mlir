// Deformable DETR: weights of points multiply values that are read between four places.

// RUN: linalg-ext-check-program %s --max-kernels=2 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>

func.func @deformable(%a_value: tensor<2x42x2x8xf32>,
    %a_locations: tensor<2x21x2x4x2xf32> {check.draw = "uniform -0.2 1.2"},
    %a_logits: tensor<2x21x2x4xf32>) -> (tensor<2x21x16xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 0xFF800000 : f32
  %c2 = arith.constant 0.000000000e+00 : f32
  %c3 = arith.constant 7.000000000e+00 : f64
  %c4 = arith.constant 5.000000000e-01 : f64
  %c5 = arith.constant 6.000000000e+00 : f64
  %c6 = arith.constant 0.000000000e+00 : f64
  %c7 = arith.constant 1.000000000e+00 : f64
  %v1 = tensor.empty() : tensor<2x21x2xi64>
  %v2 = linalg.fill ins(%c0 : i64) outs(%v1 : tensor<2x21x2xi64>) -> tensor<2x21x2xi64>
  %v3 = tensor.empty() : tensor<2x21x2xf32>
  %v4 = linalg.fill ins(%c1 : f32) outs(%v3 : tensor<2x21x2xf32>) -> tensor<2x21x2xf32>
  %g5:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a_logits : tensor<2x21x2x4xf32>) outs(%v4, %v2 : tensor<2x21x2xf32>, tensor<2x21x2xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x21x2xf32>, tensor<2x21x2xi64>)
  %v6 = tensor.expand_shape %g5#0 [[0], [1], [2, 3]] output_shape [2, 21, 2, 1] : tensor<2x21x2xf32> into tensor<2x21x2x1xf32>
  %v7 = tensor.empty() : tensor<2x21x2x4xf32>
  %g8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_logits, %v6 : tensor<2x21x2x4xf32>, tensor<2x21x2x1xf32>) outs(%v7 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v9 = tensor.empty() : tensor<2x21x2x4xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g8 : tensor<2x21x2x4xf32>) outs(%v9 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v11 = tensor.empty() : tensor<2x21x2x1xf32>
  %v12 = linalg.fill ins(%c2 : f32) outs(%v11 : tensor<2x21x2x1xf32>) -> tensor<2x21x2x1xf32>
  %g13 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g10 : tensor<2x21x2x4xf32>) outs(%v12 : tensor<2x21x2x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x1xf32>
  %v14 = tensor.empty() : tensor<2x21x2x4xf32>
  %g15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g10, %g13 : tensor<2x21x2x4xf32>, tensor<2x21x2x1xf32>) outs(%v14 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v16 = tensor.extract_slice %a_locations[0, 0, 0, 0, 0] [2, 21, 2, 4, 1] [1, 1, 1, 1, 1] : tensor<2x21x2x4x2xf32> to tensor<2x21x2x4x1xf32>
  %v17 = tensor.collapse_shape %v16 [[0], [1], [2], [3, 4]] : tensor<2x21x2x4x1xf32> into tensor<2x21x2x4xf32>
  %v18 = tensor.extract_slice %a_locations[0, 0, 0, 0, 1] [2, 21, 2, 4, 1] [1, 1, 1, 1, 1] : tensor<2x21x2x4x2xf32> to tensor<2x21x2x4x1xf32>
  %v19 = tensor.collapse_shape %v18 [[0], [1], [2], [3, 4]] : tensor<2x21x2x4x1xf32> into tensor<2x21x2x4xf32>
  %v20 = tensor.empty() : tensor<2x21x2x4xf32>
  %g21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17 : tensor<2x21x2x4xf32>) outs(%v20 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v22 = tensor.empty() : tensor<2x21x2x4xf32>
  %g23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g21 : tensor<2x21x2x4xf32>) outs(%v22 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.subf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v24 = tensor.empty() : tensor<2x21x2x4xf32>
  %g25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v19 : tensor<2x21x2x4xf32>) outs(%v24 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v26 = tensor.empty() : tensor<2x21x2x4xf32>
  %g27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g25 : tensor<2x21x2x4xf32>) outs(%v26 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.subf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v28 = tensor.empty() : tensor<2x21x2x4xf32>
  %g29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g23 : tensor<2x21x2x4xf32>) outs(%v28 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.floor %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v30 = tensor.empty() : tensor<2x21x2x4xf32>
  %g31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27 : tensor<2x21x2x4xf32>) outs(%v30 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.floor %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v32 = tensor.empty() : tensor<2x21x2x4xf32>
  %g33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29 : tensor<2x21x2x4xf32>) outs(%v32 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v34 = tensor.empty() : tensor<2x21x2x4xf32>
  %g35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31 : tensor<2x21x2x4xf32>) outs(%v34 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v36 = tensor.empty() : tensor<2x21x2x4xf32>
  %g37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g23, %g33 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v36 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v38 = tensor.empty() : tensor<2x21x2x4xf32>
  %g39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27, %g35 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v38 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v40 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g41 = linalg.generic {indexing_maps = [#map3, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g33, %g35 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v40 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %i0 = linalg.index 0 : index
    %i2 = linalg.index 2 : index
    %i4 = linalg.index 4 : index
    %xl = arith.fptosi %in0 : f32 to i64
    %yl = arith.fptosi %in1 : f32 to i64
    %z = arith.constant 0 : i64
    %wm = arith.constant 6 : i64
    %hm = arith.constant 5 : i64
    %ww = arith.constant 7 : i64
    %x1 = arith.maxsi %xl, %z : i64
    %x2 = arith.minsi %x1, %wm : i64
    %y1 = arith.maxsi %yl, %z : i64
    %y2 = arith.minsi %y1, %hm : i64
    %lin = arith.muli %y2, %ww : i64
    %l2 = arith.addi %lin, %x2 : i64
    %l3 = arith.index_cast %l2 : i64 to index
    %okx = arith.cmpi eq, %x2, %xl : i64
    %oky = arith.cmpi eq, %y2, %yl : i64
    %ok = arith.andi %okx, %oky : i1
    %e = tensor.extract %a_value[%i0, %l3, %i2, %i4] : tensor<2x42x2x8xf32>
    %zf = arith.constant 0.0 : f32
    %r = arith.select %ok, %e, %zf : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v42 = tensor.empty() : tensor<2x21x2x4xf32>
  %g43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37, %g39 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v42 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v44 = tensor.expand_shape %g43 [[0], [1], [2], [3, 4]] output_shape [2, 21, 2, 4, 1] : tensor<2x21x2x4xf32> into tensor<2x21x2x4x1xf32>
  %v45 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g46 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g41, %v44 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x1xf32>) outs(%v45 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v47 = tensor.empty() : tensor<2x21x2x4xf32>
  %g48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29 : tensor<2x21x2x4xf32>) outs(%v47 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v49 = tensor.empty() : tensor<2x21x2x4xf32>
  %g50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31 : tensor<2x21x2x4xf32>) outs(%v49 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c7 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v51 = tensor.empty() : tensor<2x21x2x4xf32>
  %g52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g23, %g48 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v51 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v53 = tensor.empty() : tensor<2x21x2x4xf32>
  %g54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27, %g50 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v53 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v55 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g56 = linalg.generic {indexing_maps = [#map3, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g48, %g50 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v55 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %i0 = linalg.index 0 : index
    %i2 = linalg.index 2 : index
    %i4 = linalg.index 4 : index
    %xl = arith.fptosi %in0 : f32 to i64
    %yl = arith.fptosi %in1 : f32 to i64
    %z = arith.constant 0 : i64
    %wm = arith.constant 6 : i64
    %hm = arith.constant 5 : i64
    %ww = arith.constant 7 : i64
    %x1 = arith.maxsi %xl, %z : i64
    %x2 = arith.minsi %x1, %wm : i64
    %y1 = arith.maxsi %yl, %z : i64
    %y2 = arith.minsi %y1, %hm : i64
    %lin = arith.muli %y2, %ww : i64
    %l2 = arith.addi %lin, %x2 : i64
    %l3 = arith.index_cast %l2 : i64 to index
    %okx = arith.cmpi eq, %x2, %xl : i64
    %oky = arith.cmpi eq, %y2, %yl : i64
    %ok = arith.andi %okx, %oky : i1
    %e = tensor.extract %a_value[%i0, %l3, %i2, %i4] : tensor<2x42x2x8xf32>
    %zf = arith.constant 0.0 : f32
    %r = arith.select %ok, %e, %zf : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v57 = tensor.empty() : tensor<2x21x2x4xf32>
  %g58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g52, %g54 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v57 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v59 = tensor.expand_shape %g58 [[0], [1], [2], [3, 4]] output_shape [2, 21, 2, 4, 1] : tensor<2x21x2x4xf32> into tensor<2x21x2x4x1xf32>
  %v60 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g61 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g56, %v59 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x1xf32>) outs(%v60 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v62 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g63 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g46, %g61 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x8xf32>) outs(%v62 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v64 = tensor.empty() : tensor<2x21x2x4xf32>
  %g65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29 : tensor<2x21x2x4xf32>) outs(%v64 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c7 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v66 = tensor.empty() : tensor<2x21x2x4xf32>
  %g67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31 : tensor<2x21x2x4xf32>) outs(%v66 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v68 = tensor.empty() : tensor<2x21x2x4xf32>
  %g69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g23, %g65 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v68 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v70 = tensor.empty() : tensor<2x21x2x4xf32>
  %g71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27, %g67 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v70 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v72 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g73 = linalg.generic {indexing_maps = [#map3, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g65, %g67 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v72 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %i0 = linalg.index 0 : index
    %i2 = linalg.index 2 : index
    %i4 = linalg.index 4 : index
    %xl = arith.fptosi %in0 : f32 to i64
    %yl = arith.fptosi %in1 : f32 to i64
    %z = arith.constant 0 : i64
    %wm = arith.constant 6 : i64
    %hm = arith.constant 5 : i64
    %ww = arith.constant 7 : i64
    %x1 = arith.maxsi %xl, %z : i64
    %x2 = arith.minsi %x1, %wm : i64
    %y1 = arith.maxsi %yl, %z : i64
    %y2 = arith.minsi %y1, %hm : i64
    %lin = arith.muli %y2, %ww : i64
    %l2 = arith.addi %lin, %x2 : i64
    %l3 = arith.index_cast %l2 : i64 to index
    %okx = arith.cmpi eq, %x2, %xl : i64
    %oky = arith.cmpi eq, %y2, %yl : i64
    %ok = arith.andi %okx, %oky : i1
    %e = tensor.extract %a_value[%i0, %l3, %i2, %i4] : tensor<2x42x2x8xf32>
    %zf = arith.constant 0.0 : f32
    %r = arith.select %ok, %e, %zf : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v74 = tensor.empty() : tensor<2x21x2x4xf32>
  %g75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g69, %g71 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v74 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v76 = tensor.expand_shape %g75 [[0], [1], [2], [3, 4]] output_shape [2, 21, 2, 4, 1] : tensor<2x21x2x4xf32> into tensor<2x21x2x4x1xf32>
  %v77 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g78 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g73, %v76 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x1xf32>) outs(%v77 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v79 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g80 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g63, %g78 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x8xf32>) outs(%v79 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v81 = tensor.empty() : tensor<2x21x2x4xf32>
  %g82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29 : tensor<2x21x2x4xf32>) outs(%v81 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c7 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v83 = tensor.empty() : tensor<2x21x2x4xf32>
  %g84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31 : tensor<2x21x2x4xf32>) outs(%v83 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c7 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v85 = tensor.empty() : tensor<2x21x2x4xf32>
  %g86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g23, %g82 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v85 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v87 = tensor.empty() : tensor<2x21x2x4xf32>
  %g88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27, %g84 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v87 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %o = arith.constant 1.0 : f32
    %d = arith.subf %in0, %in1 : f32
    %a = math.absf %d : f32
    %r = arith.subf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v89 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g90 = linalg.generic {indexing_maps = [#map3, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g82, %g84 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v89 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %i0 = linalg.index 0 : index
    %i2 = linalg.index 2 : index
    %i4 = linalg.index 4 : index
    %xl = arith.fptosi %in0 : f32 to i64
    %yl = arith.fptosi %in1 : f32 to i64
    %z = arith.constant 0 : i64
    %wm = arith.constant 6 : i64
    %hm = arith.constant 5 : i64
    %ww = arith.constant 7 : i64
    %x1 = arith.maxsi %xl, %z : i64
    %x2 = arith.minsi %x1, %wm : i64
    %y1 = arith.maxsi %yl, %z : i64
    %y2 = arith.minsi %y1, %hm : i64
    %lin = arith.muli %y2, %ww : i64
    %l2 = arith.addi %lin, %x2 : i64
    %l3 = arith.index_cast %l2 : i64 to index
    %okx = arith.cmpi eq, %x2, %xl : i64
    %oky = arith.cmpi eq, %y2, %yl : i64
    %ok = arith.andi %okx, %oky : i1
    %e = tensor.extract %a_value[%i0, %l3, %i2, %i4] : tensor<2x42x2x8xf32>
    %zf = arith.constant 0.0 : f32
    %r = arith.select %ok, %e, %zf : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v91 = tensor.empty() : tensor<2x21x2x4xf32>
  %g92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g86, %g88 : tensor<2x21x2x4xf32>, tensor<2x21x2x4xf32>) outs(%v91 : tensor<2x21x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4xf32>
  %v93 = tensor.expand_shape %g92 [[0], [1], [2], [3, 4]] output_shape [2, 21, 2, 4, 1] : tensor<2x21x2x4xf32> into tensor<2x21x2x4x1xf32>
  %v94 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g95 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g90, %v93 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x1xf32>) outs(%v94 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v96 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g97 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g80, %g95 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x8xf32>) outs(%v96 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v98 = tensor.expand_shape %g15 [[0], [1], [2], [3, 4]] output_shape [2, 21, 2, 4, 1] : tensor<2x21x2x4xf32> into tensor<2x21x2x4x1xf32>
  %v99 = tensor.empty() : tensor<2x21x2x4x8xf32>
  %g100 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g97, %v98 : tensor<2x21x2x4x8xf32>, tensor<2x21x2x4x1xf32>) outs(%v99 : tensor<2x21x2x4x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x4x8xf32>
  %v101 = tensor.empty() : tensor<2x21x2x8xf32>
  %v102 = linalg.fill ins(%c2 : f32) outs(%v101 : tensor<2x21x2x8xf32>) -> tensor<2x21x2x8xf32>
  %g103 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%g100 : tensor<2x21x2x4x8xf32>) outs(%v102 : tensor<2x21x2x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x21x2x8xf32>
  %v104 = tensor.collapse_shape %g103 [[0], [1], [2, 3]] : tensor<2x21x2x8xf32> into tensor<2x21x16xf32>
  return %v104 : tensor<2x21x16xf32>
}
