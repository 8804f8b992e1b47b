// Memory-efficient attention as lax.scan writes it: a loop whose counter is a tensor
// carries the maximum, the sum and the result.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9000 --max-kernels=4 --keys=16

#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @scan_keys(%a_q: tensor<3x37x16xf32>,
    %a_k: tensor<3x48x16xf32>,
    %a_v: tensor<3x48x16xf32>) -> (tensor<3x37x16xf32>) {
  %c0 = arith.constant 0xFF800000 : f32
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 16 : i32
  %c3 = arith.constant 32 : index
  %c4 = arith.constant 0 : index
  %c5 = arith.constant 2.500000000e-01 : f64
  %c6 = arith.constant -0.0 : f32
  %v1 = tensor.empty() : tensor<3x37xf32>
  %v2 = linalg.fill ins(%c0 : f32) outs(%v1 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %v3 = tensor.empty() : tensor<3x37xf32>
  %v4 = linalg.fill ins(%c1 : f32) outs(%v3 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %v5 = tensor.empty() : tensor<3x37x16xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %z7 = arith.constant dense<0> : tensor<i32>
  %w8:4 = scf.while (%i = %z7, %m = %v2, %l = %v4, %o = %v6) : (tensor<i32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37x16xf32>) -> (tensor<i32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37x16xf32>) {
    %lim = arith.constant dense<3> : tensor<i32>
    %ce = tensor.empty() : tensor<i1>
    %cc = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%i, %lim : tensor<i32>, tensor<i32>) outs(%ce : tensor<i1>) {
    ^bb0(%ca: i32, %cb: i32, %co: i1):
      %cr = arith.cmpi slt, %ca, %cb : i32
      linalg.yield %cr : i1
    } -> tensor<i1>
    %cx = tensor.extract %cc[] : tensor<i1>
    scf.condition(%cx) %i, %m, %l, %o : tensor<i32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37x16xf32>
  } do {
  ^bb0(%i: tensor<i32>, %m: tensor<3x37xf32>, %l: tensor<3x37xf32>, %o: tensor<3x37x16xf32>):
  %i9 = tensor.extract %i[] : tensor<i32>
  %i10 = arith.muli %i9, %c2 : i32
  %x11 = arith.index_cast %i10 : i32 to index
  %x12 = arith.minsi %x11, %c3 : index
  %x13 = arith.maxsi %x12, %c4 : index
  %v14 = tensor.extract_slice %a_k[0, %x13, 0] [3, 16, 16] [1, 1, 1] : tensor<3x48x16xf32> to tensor<3x16x16xf32>
  %v15 = tensor.extract_slice %a_v[0, %x13, 0] [3, 16, 16] [1, 1, 1] : tensor<3x48x16xf32> to tensor<3x16x16xf32>
  %v16 = tensor.empty() : tensor<3x37x16xf32>
  %g17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_q : tensor<3x37x16xf32>) outs(%v16 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v18 = tensor.empty() : tensor<3x37x16xf32>
  %v19 = linalg.fill ins(%c1 : f32) outs(%v18 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %g20 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g17, %v14 : tensor<3x37x16xf32>, tensor<3x16x16xf32>) outs(%v19 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %p = arith.mulf %in0, %in1 : f32
    %r = arith.addf %out0, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v21 = tensor.empty() : tensor<3x37xf32>
  %v22 = linalg.fill ins(%c0 : f32) outs(%v21 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %g23 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g20 : tensor<3x37x16xf32>) outs(%v22 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.maximumf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v24 = tensor.empty() : tensor<3x37xf32>
  %g25 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%m, %g23 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v24 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.maximumf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v26 = tensor.empty() : tensor<3x37xf32>
  %g27 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%m, %g25 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v26 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v28 = tensor.empty() : tensor<3x37xf32>
  %g29 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g27 : tensor<3x37xf32>) outs(%v28 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v30 = tensor.expand_shape %g25 [[0], [1, 2]] output_shape [3, 37, 1] : tensor<3x37xf32> into tensor<3x37x1xf32>
  %v31 = tensor.empty() : tensor<3x37x16xf32>
  %g32 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v30 : tensor<3x37x1xf32>) outs(%v31 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<3x37x16xf32>
  %v33 = tensor.empty() : tensor<3x37x16xf32>
  %g34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g20, %g32 : tensor<3x37x16xf32>, tensor<3x37x16xf32>) outs(%v33 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v35 = tensor.empty() : tensor<3x37x16xf32>
  %g36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g34 : tensor<3x37x16xf32>) outs(%v35 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v37 = tensor.empty() : tensor<3x37xf32>
  %g38 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%l, %g29 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v37 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v39 = tensor.empty() : tensor<3x37xf32>
  %v40 = linalg.fill ins(%c6 : f32) outs(%v39 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %g41 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g36 : tensor<3x37x16xf32>) outs(%v40 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v42 = tensor.empty() : tensor<3x37xf32>
  %g43 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g38, %g41 : tensor<3x37xf32>, tensor<3x37xf32>) outs(%v42 : tensor<3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37xf32>
  %v44 = tensor.empty() : tensor<3x37x16xf32>
  %v45 = linalg.fill ins(%c1 : f32) outs(%v44 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %g46 = linalg.generic {indexing_maps = [#map2, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g36, %v15 : tensor<3x37x16xf32>, tensor<3x16x16xf32>) outs(%v45 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %p = arith.mulf %in0, %in1 : f32
    %r = arith.addf %out0, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v47 = tensor.expand_shape %g29 [[0], [1, 2]] output_shape [3, 37, 1] : tensor<3x37xf32> into tensor<3x37x1xf32>
  %v48 = tensor.empty() : tensor<3x37x16xf32>
  %g49 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v47 : tensor<3x37x1xf32>) outs(%v48 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<3x37x16xf32>
  %v50 = tensor.empty() : tensor<3x37x16xf32>
  %g51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o, %g49 : tensor<3x37x16xf32>, tensor<3x37x16xf32>) outs(%v50 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v52 = tensor.empty() : tensor<3x37x16xf32>
  %g53 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g51, %g46 : tensor<3x37x16xf32>, tensor<3x37x16xf32>) outs(%v52 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %z54 = arith.constant dense<1> : tensor<i32>
  %v55 = tensor.empty() : tensor<i32>
  %g56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%i, %z54 : tensor<i32>, tensor<i32>) outs(%v55 : tensor<i32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %r = arith.addi %in0, %in1 : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  scf.yield %g56, %g25, %g43, %g53 : tensor<i32>, tensor<3x37xf32>, tensor<3x37xf32>, tensor<3x37x16xf32>
  }
  %v57 = tensor.expand_shape %w8#2 [[0], [1, 2]] output_shape [3, 37, 1] : tensor<3x37xf32> into tensor<3x37x1xf32>
  %v58 = tensor.empty() : tensor<3x37x16xf32>
  %g59 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v57 : tensor<3x37x1xf32>) outs(%v58 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<3x37x16xf32>
  %v60 = tensor.empty() : tensor<3x37x16xf32>
  %g61 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w8#3, %g59 : tensor<3x37x16xf32>, tensor<3x37x16xf32>) outs(%v60 : tensor<3x37x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  return %g61 : tensor<3x37x16xf32>
}
