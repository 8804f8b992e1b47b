// Complex numbers that are gathered, transposed, put together, cut, summed and seen as
// pairs.

// RUN: linalg-ext-check-program %s --max-kernels=11 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

func.func @complex_moves(%a_re: tensor<2x9x8xf32>,
    %a_im: tensor<2x9x8xf32>,
    %a_pos: tensor<9xi64> {check.draw = "uniform 0 8"},
    %a_fr: tensor<9x8xf32>,
    %a_fi: tensor<9x8xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x17x2xf32>) {
  %v1 = tensor.empty() : tensor<2x9x8xcomplex<f32>>
  %g2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_re, %a_im : tensor<2x9x8xf32>, tensor<2x9x8xf32>) outs(%v1 : tensor<2x9x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x9x8xcomplex<f32>>
  %v3 = tensor.empty() : tensor<9x8xcomplex<f32>>
  %g4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%a_fr, %a_fi : tensor<9x8xf32>, tensor<9x8xf32>) outs(%v3 : tensor<9x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<9x8xcomplex<f32>>
  %v5 = tensor.empty() : tensor<9x8xcomplex<f32>>
  %g6 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%a_pos : tensor<9xi64>) outs(%v5 : tensor<9x8xcomplex<f32>>) {
  ^bb0(%in0: i64, %out0: complex<f32>):
    %i = arith.index_cast %in0 : i64 to index
    %j = linalg.index 1 : index
    %e = tensor.extract %g4[%i, %j] : tensor<9x8xcomplex<f32>>
    linalg.yield %e : complex<f32>
  } -> tensor<9x8xcomplex<f32>>
  %v7 = tensor.expand_shape %g6 [[0, 1], [2]] output_shape [1, 9, 8] : tensor<9x8xcomplex<f32>> into tensor<1x9x8xcomplex<f32>>
  %v8 = tensor.empty() : tensor<2x9x8xcomplex<f32>>
  %g9 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g2, %v7 : tensor<2x9x8xcomplex<f32>>, tensor<1x9x8xcomplex<f32>>) outs(%v8 : tensor<2x9x8xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %in1: complex<f32>, %out0: complex<f32>):
    %r = complex.mul %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x9x8xcomplex<f32>>
  %v10 = tensor.empty() : tensor<2x8x9xcomplex<f32>>
  %v11 = linalg.transpose ins(%g9 : tensor<2x9x8xcomplex<f32>>) outs(%v10 : tensor<2x8x9xcomplex<f32>>) permutation = [0, 2, 1]
  %v12 = tensor.empty() : tensor<2x8x9xcomplex<f32>>
  %g13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v11 : tensor<2x8x9xcomplex<f32>>) outs(%v12 : tensor<2x8x9xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %out0: complex<f32>):
    %r = complex.conj %in0 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x8x9xcomplex<f32>>
  %v14 = tensor.concat dim(2) %v11, %g13 : (tensor<2x8x9xcomplex<f32>>, tensor<2x8x9xcomplex<f32>>) -> tensor<2x8x18xcomplex<f32>>
  %v15 = tensor.extract_slice %v14[0, 2, 1] [2, 4, 17] [1, 1, 1] : tensor<2x8x18xcomplex<f32>> to tensor<2x4x17xcomplex<f32>>
  %k16 = complex.constant [1.000000e+00 : f32, -5.000000e-01 : f32] : complex<f32>
  %v17 = tensor.empty() : tensor<2x4x17xcomplex<f32>>
  %g18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v15 : tensor<2x4x17xcomplex<f32>>) outs(%v17 : tensor<2x4x17xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %out0: complex<f32>):
    %r = complex.add %in0, %k16 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x4x17xcomplex<f32>>
  %k19 = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %v20 = tensor.empty() : tensor<2x4x4xcomplex<f32>>
  %v21 = linalg.fill ins(%k19 : complex<f32>) outs(%v20 : tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
  %g22 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g18, %g18 : tensor<2x4x17xcomplex<f32>>, tensor<2x4x17xcomplex<f32>>) outs(%v21 : tensor<2x4x4xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %in1: complex<f32>, %out0: complex<f32>):
    %c = complex.conj %in1 : complex<f32>
    %m = complex.mul %in0, %c : complex<f32>
    %r = complex.add %out0, %m : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x4x4xcomplex<f32>>
  %v23 = tensor.empty() : tensor<2x4x4xf32>
  %g24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g22 : tensor<2x4x4xcomplex<f32>>) outs(%v23 : tensor<2x4x4xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %r = complex.re %in0 : complex<f32>
    linalg.yield %r : f32
  } -> tensor<2x4x4xf32>
  %v25 = tensor.empty() : tensor<2x4x4xf32>
  %g26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g22 : tensor<2x4x4xcomplex<f32>>) outs(%v25 : tensor<2x4x4xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %r = complex.im %in0 : complex<f32>
    linalg.yield %r : f32
  } -> tensor<2x4x4xf32>
  %v27 = tensor.empty() : tensor<2x4x17x2xf32>
  %g28 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g18 : tensor<2x4x17xcomplex<f32>>) outs(%v27 : tensor<2x4x17x2xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %i = linalg.index 3 : index
    %z = arith.constant 0 : index
    %c = arith.cmpi eq, %i, %z : index
    %a = complex.re %in0 : complex<f32>
    %b = complex.im %in0 : complex<f32>
    %r = arith.select %c, %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x4x17x2xf32>
  return %g24, %g26, %g28 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x17x2xf32>
}

// A choice between tensors of complex numbers, written on tensors.

func.func @select_complex(%re: tensor<5x8xf32>, %im: tensor<5x8xf32>, %c: tensor<5x8xi1> {check.draw = "keep 0.5"}) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %e = tensor.empty() : tensor<5x8xcomplex<f32>>
  %x = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%re, %im : tensor<5x8xf32>, tensor<5x8xf32>) outs(%e : tensor<5x8xcomplex<f32>>) {
  ^bb0(%a: f32, %b: f32, %o: complex<f32>):
    %v = complex.create %a, %b : complex<f32>
    linalg.yield %v : complex<f32>
  } -> tensor<5x8xcomplex<f32>>
  %y = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x8xcomplex<f32>>) outs(%e : tensor<5x8xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    %v = complex.mul %a, %a : complex<f32>
    linalg.yield %v : complex<f32>
  } -> tensor<5x8xcomplex<f32>>
  %z = arith.select %c, %x, %y : tensor<5x8xi1>, tensor<5x8xcomplex<f32>>
  %f = tensor.empty() : tensor<5x8xf32>
  %r = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<5x8xcomplex<f32>>) outs(%f : tensor<5x8xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %v = complex.re %a : complex<f32>
    linalg.yield %v : f32
  } -> tensor<5x8xf32>
  %i = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<5x8xcomplex<f32>>) outs(%f : tensor<5x8xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %v = complex.im %a : complex<f32>
    linalg.yield %v : f32
  } -> tensor<5x8xf32>
  return %r, %i : tensor<5x8xf32>, tensor<5x8xf32>
}
