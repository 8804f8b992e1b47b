// Segment Anything 2: queries and the keys of frames in memory are rotated, those of
// object pointers behind them are not; the rotation of one frame is repeated.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=1792 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @sam2_memory_attention(%q: tensor<1x1x28x16xf32>,
    %k: tensor<1x1x60x16xf32>,
    %v: tensor<1x1x60x16xf32>,
    %cos: tensor<28x8xf32> {check.draw = "uniform -1 1"},
    %sin: tensor<28x8xf32> {check.draw = "uniform -1 1"}) -> (tensor<1x28x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q [[0], [1], [2], [3, 4]] output_shape [1, 1, 28, 8, 2] : tensor<1x1x28x16xf32> into tensor<1x1x28x8x2xf32>
  %1 = tensor.extract_slice %0[0, 0, 0, 0, 0] [1, 1, 28, 8, 1] [1, 1, 1, 1, 1] : tensor<1x1x28x8x2xf32> to tensor<1x1x28x8x1xf32>
  %2 = tensor.collapse_shape %1 [[0], [1], [2], [3, 4]] : tensor<1x1x28x8x1xf32> into tensor<1x1x28x8xf32>
  %3 = tensor.extract_slice %0[0, 0, 0, 0, 1] [1, 1, 28, 8, 1] [1, 1, 1, 1, 1] : tensor<1x1x28x8x2xf32> to tensor<1x1x28x8x1xf32>
  %4 = tensor.collapse_shape %3 [[0], [1], [2], [3, 4]] : tensor<1x1x28x8x1xf32> into tensor<1x1x28x8xf32>
  %5 = tensor.empty() : tensor<1x1x28x8xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %cos : tensor<1x1x28x8xf32>, tensor<28x8xf32>) outs(%5 : tensor<1x1x28x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x8xf32>
  %7 = tensor.empty() : tensor<1x1x28x8xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %sin : tensor<1x1x28x8xf32>, tensor<28x8xf32>) outs(%7 : tensor<1x1x28x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x8xf32>
  %9 = tensor.empty() : tensor<1x1x28x8xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<1x1x28x8xf32>, tensor<1x1x28x8xf32>) outs(%9 : tensor<1x1x28x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x8xf32>
  %11 = tensor.empty() : tensor<1x1x28x8xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %sin : tensor<1x1x28x8xf32>, tensor<28x8xf32>) outs(%11 : tensor<1x1x28x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x8xf32>
  %13 = tensor.empty() : tensor<1x1x28x8xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %cos : tensor<1x1x28x8xf32>, tensor<28x8xf32>) outs(%13 : tensor<1x1x28x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x8xf32>
  %15 = tensor.empty() : tensor<1x1x28x8xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<1x1x28x8xf32>, tensor<1x1x28x8xf32>) outs(%15 : tensor<1x1x28x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x8xf32>
  %17 = tensor.expand_shape %10 [[0], [1], [2], [3, 4]] output_shape [1, 1, 28, 8, 1] : tensor<1x1x28x8xf32> into tensor<1x1x28x8x1xf32>
  %18 = tensor.expand_shape %16 [[0], [1], [2], [3, 4]] output_shape [1, 1, 28, 8, 1] : tensor<1x1x28x8xf32> into tensor<1x1x28x8x1xf32>
  %19 = tensor.concat dim(4) %17, %18 : (tensor<1x1x28x8x1xf32>, tensor<1x1x28x8x1xf32>) -> tensor<1x1x28x8x2xf32>
  %20 = tensor.collapse_shape %19 [[0], [1], [2], [3, 4]] : tensor<1x1x28x8x2xf32> into tensor<1x1x28x16xf32>
  %21 = tensor.extract_slice %k[0, 0, 0, 0] [1, 1, 56, 16] [1, 1, 1, 1] : tensor<1x1x60x16xf32> to tensor<1x1x56x16xf32>
  %22 = tensor.expand_shape %cos [[0, 1], [2]] output_shape [1, 28, 8] : tensor<28x8xf32> into tensor<1x28x8xf32>
  %23 = tensor.empty() : tensor<2x28x8xf32>
  %24 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x28x8xf32>) outs(%23 : tensor<2x28x8xf32>) {
  ^bb0(%in0: f32, %out: f32):
    linalg.yield %in0 : f32
  } -> tensor<2x28x8xf32>
  %25 = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<2x28x8xf32> into tensor<56x8xf32>
  %26 = tensor.expand_shape %sin [[0, 1], [2]] output_shape [1, 28, 8] : tensor<28x8xf32> into tensor<1x28x8xf32>
  %27 = tensor.empty() : tensor<2x28x8xf32>
  %28 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x28x8xf32>) outs(%27 : tensor<2x28x8xf32>) {
  ^bb0(%in0: f32, %out: f32):
    linalg.yield %in0 : f32
  } -> tensor<2x28x8xf32>
  %29 = tensor.collapse_shape %28 [[0, 1], [2]] : tensor<2x28x8xf32> into tensor<56x8xf32>
  %30 = tensor.expand_shape %21 [[0], [1], [2], [3, 4]] output_shape [1, 1, 56, 8, 2] : tensor<1x1x56x16xf32> into tensor<1x1x56x8x2xf32>
  %31 = tensor.extract_slice %30[0, 0, 0, 0, 0] [1, 1, 56, 8, 1] [1, 1, 1, 1, 1] : tensor<1x1x56x8x2xf32> to tensor<1x1x56x8x1xf32>
  %32 = tensor.collapse_shape %31 [[0], [1], [2], [3, 4]] : tensor<1x1x56x8x1xf32> into tensor<1x1x56x8xf32>
  %33 = tensor.extract_slice %30[0, 0, 0, 0, 1] [1, 1, 56, 8, 1] [1, 1, 1, 1, 1] : tensor<1x1x56x8x2xf32> to tensor<1x1x56x8x1xf32>
  %34 = tensor.collapse_shape %33 [[0], [1], [2], [3, 4]] : tensor<1x1x56x8x1xf32> into tensor<1x1x56x8xf32>
  %35 = tensor.empty() : tensor<1x1x56x8xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %25 : tensor<1x1x56x8xf32>, tensor<56x8xf32>) outs(%35 : tensor<1x1x56x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x56x8xf32>
  %37 = tensor.empty() : tensor<1x1x56x8xf32>
  %38 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %29 : tensor<1x1x56x8xf32>, tensor<56x8xf32>) outs(%37 : tensor<1x1x56x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x56x8xf32>
  %39 = tensor.empty() : tensor<1x1x56x8xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %38 : tensor<1x1x56x8xf32>, tensor<1x1x56x8xf32>) outs(%39 : tensor<1x1x56x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x56x8xf32>
  %41 = tensor.empty() : tensor<1x1x56x8xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %29 : tensor<1x1x56x8xf32>, tensor<56x8xf32>) outs(%41 : tensor<1x1x56x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x56x8xf32>
  %43 = tensor.empty() : tensor<1x1x56x8xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %25 : tensor<1x1x56x8xf32>, tensor<56x8xf32>) outs(%43 : tensor<1x1x56x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x56x8xf32>
  %45 = tensor.empty() : tensor<1x1x56x8xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %44 : tensor<1x1x56x8xf32>, tensor<1x1x56x8xf32>) outs(%45 : tensor<1x1x56x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x56x8xf32>
  %47 = tensor.expand_shape %40 [[0], [1], [2], [3, 4]] output_shape [1, 1, 56, 8, 1] : tensor<1x1x56x8xf32> into tensor<1x1x56x8x1xf32>
  %48 = tensor.expand_shape %46 [[0], [1], [2], [3, 4]] output_shape [1, 1, 56, 8, 1] : tensor<1x1x56x8xf32> into tensor<1x1x56x8x1xf32>
  %49 = tensor.concat dim(4) %47, %48 : (tensor<1x1x56x8x1xf32>, tensor<1x1x56x8x1xf32>) -> tensor<1x1x56x8x2xf32>
  %50 = tensor.collapse_shape %49 [[0], [1], [2], [3, 4]] : tensor<1x1x56x8x2xf32> into tensor<1x1x56x16xf32>
  %51 = tensor.extract_slice %k[0, 0, 56, 0] [1, 1, 4, 16] [1, 1, 1, 1] : tensor<1x1x60x16xf32> to tensor<1x1x4x16xf32>
  %52 = tensor.concat dim(2) %50, %51 : (tensor<1x1x56x16xf32>, tensor<1x1x4x16xf32>) -> tensor<1x1x60x16xf32>
  %53 = tensor.empty() : tensor<1x1x16x60xf32>
  %54 = linalg.transpose ins(%52 : tensor<1x1x60x16xf32>) outs(%53 : tensor<1x1x16x60xf32>) permutation = [0, 1, 3, 2]
  %55 = tensor.collapse_shape %20 [[0], [1, 2], [3]] : tensor<1x1x28x16xf32> into tensor<1x28x16xf32>
  %56 = tensor.collapse_shape %54 [[0], [1, 2], [3]] : tensor<1x1x16x60xf32> into tensor<1x16x60xf32>
  %57 = tensor.empty() : tensor<1x28x60xf32>
  %58 = linalg.fill ins(%c0 : f32) outs(%57 : tensor<1x28x60xf32>) -> tensor<1x28x60xf32>
  %59 = linalg.batch_matmul ins(%55, %56 : tensor<1x28x16xf32>, tensor<1x16x60xf32>) outs(%58 : tensor<1x28x60xf32>) -> tensor<1x28x60xf32>
  %60 = tensor.expand_shape %59 [[0], [1, 2], [3]] output_shape [1, 1, 28, 60] : tensor<1x28x60xf32> into tensor<1x1x28x60xf32>
  %61 = tensor.empty() : tensor<1x1x28x60xf32>
  %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x1x28x60xf32>) outs(%61 : tensor<1x1x28x60xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x60xf32>
  %63 = tensor.empty() : tensor<1x1x28xi64>
  %64 = linalg.fill ins(%c2 : i64) outs(%63 : tensor<1x1x28xi64>) -> tensor<1x1x28xi64>
  %65 = tensor.empty() : tensor<1x1x28xf32>
  %66 = linalg.fill ins(%c3 : f32) outs(%65 : tensor<1x1x28xf32>) -> tensor<1x1x28xf32>
  %67:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<1x1x28x60xf32>) outs(%66, %64 : tensor<1x1x28xf32>, tensor<1x1x28xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x1x28xf32>, tensor<1x1x28xi64>)
  %68 = tensor.expand_shape %67#0 [[0], [1], [2, 3]] output_shape [1, 1, 28, 1] : tensor<1x1x28xf32> into tensor<1x1x28x1xf32>
  %69 = tensor.empty() : tensor<1x1x28x60xf32>
  %70 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %68 : tensor<1x1x28x60xf32>, tensor<1x1x28x1xf32>) outs(%69 : tensor<1x1x28x60xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x60xf32>
  %71 = tensor.empty() : tensor<1x1x28x60xf32>
  %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<1x1x28x60xf32>) outs(%71 : tensor<1x1x28x60xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x60xf32>
  %73 = tensor.empty() : tensor<1x1x28x1xf32>
  %74 = linalg.fill ins(%c0 : f32) outs(%73 : tensor<1x1x28x1xf32>) -> tensor<1x1x28x1xf32>
  %75 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<1x1x28x60xf32>) outs(%74 : tensor<1x1x28x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x1xf32>
  %76 = tensor.empty() : tensor<1x1x28x60xf32>
  %77 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %75 : tensor<1x1x28x60xf32>, tensor<1x1x28x1xf32>) outs(%76 : tensor<1x1x28x60xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x1x28x60xf32>
  %78 = tensor.collapse_shape %77 [[0], [1, 2], [3]] : tensor<1x1x28x60xf32> into tensor<1x28x60xf32>
  %79 = tensor.collapse_shape %v [[0], [1, 2], [3]] : tensor<1x1x60x16xf32> into tensor<1x60x16xf32>
  %80 = tensor.empty() : tensor<1x28x16xf32>
  %81 = linalg.fill ins(%c0 : f32) outs(%80 : tensor<1x28x16xf32>) -> tensor<1x28x16xf32>
  %82 = linalg.batch_matmul ins(%78, %79 : tensor<1x28x60xf32>, tensor<1x60x16xf32>) outs(%81 : tensor<1x28x16xf32>) -> tensor<1x28x16xf32>
  %83 = tensor.expand_shape %82 [[0], [1, 2], [3]] output_shape [1, 1, 28, 16] : tensor<1x28x16xf32> into tensor<1x1x28x16xf32>
  %84 = tensor.empty() : tensor<1x28x1x16xf32>
  %85 = linalg.transpose ins(%83 : tensor<1x1x28x16xf32>) outs(%84 : tensor<1x28x1x16xf32>) permutation = [0, 2, 1, 3]
  %86 = tensor.collapse_shape %85 [[0], [1], [2, 3]] : tensor<1x28x1x16xf32> into tensor<1x28x16xf32>
  return %86 : tensor<1x28x16xf32>
}
