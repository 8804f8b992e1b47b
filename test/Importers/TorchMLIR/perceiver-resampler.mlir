// Perceiver: few latent queries read the normalised input and themselves, concatenated.

// RUN: linalg-ext-check-program %s --max-kernels=7 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @perceiver_resampler(%x: tensor<1x50x48xf32>,
    %latents: tensor<1x8x48xf32>,
    %g: tensor<48xf32>,
    %b: tensor<48xf32>,
    %w_q: tensor<48x48xf32> {check.draw = "uniform -0.25 0.25"},
    %w_kv: tensor<96x48xf32> {check.draw = "uniform -0.25 0.25"},
    %w_o: tensor<48x48xf32> {check.draw = "uniform -0.25 0.25"}) -> (tensor<1x8x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 4.800000e+01 : f64
  %c2 = arith.constant 1.000000e-05 : f64
  %c3 = arith.constant 2.500000e-01 : f64
  %c4 = arith.constant 0xFF800000 : f32
  %c5 = arith.constant 0 : i64
  %0 = tensor.empty() : tensor<1x50x1xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<1x50x1xf32>) -> tensor<1x50x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x50x48xf32>) outs(%1 : tensor<1x50x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x50x1xf32>
  %3 = tensor.empty() : tensor<1x50x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x50x1xf32>) outs(%3 : tensor<1x50x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x50x1xf32>
  %5 = tensor.empty() : tensor<1x50x48xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %4 : tensor<1x50x48xf32>, tensor<1x50x1xf32>) outs(%5 : tensor<1x50x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x50x48xf32>
  %7 = tensor.empty() : tensor<1x50x48xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x50x48xf32>, tensor<1x50x48xf32>) outs(%7 : tensor<1x50x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x50x48xf32>
  %9 = tensor.empty() : tensor<1x50x1xf32>
  %10 = linalg.fill ins(%c0 : f32) outs(%9 : tensor<1x50x1xf32>) -> tensor<1x50x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x50x48xf32>) outs(%10 : tensor<1x50x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x50x1xf32>
  %12 = tensor.empty() : tensor<1x50x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x50x1xf32>) outs(%12 : tensor<1x50x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x50x1xf32>
  %14 = tensor.empty() : tensor<1x50x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x50x1xf32>) outs(%14 : tensor<1x50x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c2 : f64 to f32
    %res = arith.addf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x50x1xf32>
  %16 = tensor.empty() : tensor<1x50x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x50x1xf32>) outs(%16 : tensor<1x50x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x50x1xf32>
  %18 = tensor.empty() : tensor<1x50x48xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<1x50x48xf32>, tensor<1x50x1xf32>) outs(%18 : tensor<1x50x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x50x48xf32>
  %20 = tensor.empty() : tensor<1x50x48xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %g : tensor<1x50x48xf32>, tensor<48xf32>) outs(%20 : tensor<1x50x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x50x48xf32>
  %22 = tensor.empty() : tensor<1x50x48xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %b : tensor<1x50x48xf32>, tensor<48xf32>) outs(%22 : tensor<1x50x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x50x48xf32>
  %24 = tensor.empty() : tensor<1x8x1xf32>
  %25 = linalg.fill ins(%c0 : f32) outs(%24 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%latents : tensor<1x8x48xf32>) outs(%25 : tensor<1x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x8x1xf32>
  %27 = tensor.empty() : tensor<1x8x1xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x8x1xf32>) outs(%27 : tensor<1x8x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x8x1xf32>
  %29 = tensor.empty() : tensor<1x8x48xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%latents, %28 : tensor<1x8x48xf32>, tensor<1x8x1xf32>) outs(%29 : tensor<1x8x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x8x48xf32>
  %31 = tensor.empty() : tensor<1x8x48xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %30 : tensor<1x8x48xf32>, tensor<1x8x48xf32>) outs(%31 : tensor<1x8x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x8x48xf32>
  %33 = tensor.empty() : tensor<1x8x1xf32>
  %34 = linalg.fill ins(%c0 : f32) outs(%33 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32 : tensor<1x8x48xf32>) outs(%34 : tensor<1x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x8x1xf32>
  %36 = tensor.empty() : tensor<1x8x1xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x8x1xf32>) outs(%36 : tensor<1x8x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x8x1xf32>
  %38 = tensor.empty() : tensor<1x8x1xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x8x1xf32>) outs(%38 : tensor<1x8x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c2 : f64 to f32
    %res = arith.addf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x8x1xf32>
  %40 = tensor.empty() : tensor<1x8x1xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<1x8x1xf32>) outs(%40 : tensor<1x8x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x8x1xf32>
  %42 = tensor.empty() : tensor<1x8x48xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %41 : tensor<1x8x48xf32>, tensor<1x8x1xf32>) outs(%42 : tensor<1x8x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x8x48xf32>
  %44 = tensor.empty() : tensor<1x8x48xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43, %g : tensor<1x8x48xf32>, tensor<48xf32>) outs(%44 : tensor<1x8x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x8x48xf32>
  %46 = tensor.empty() : tensor<1x8x48xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %b : tensor<1x8x48xf32>, tensor<48xf32>) outs(%46 : tensor<1x8x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x8x48xf32>
  %48 = tensor.empty() : tensor<48x48xf32>
  %49 = linalg.transpose ins(%w_q : tensor<48x48xf32>) outs(%48 : tensor<48x48xf32>) permutation = [1, 0]
  %50 = tensor.collapse_shape %47 [[0, 1], [2]] : tensor<1x8x48xf32> into tensor<8x48xf32>
  %51 = tensor.empty() : tensor<8x48xf32>
  %52 = linalg.fill ins(%c0 : f32) outs(%51 : tensor<8x48xf32>) -> tensor<8x48xf32>
  %53 = linalg.matmul ins(%50, %49 : tensor<8x48xf32>, tensor<48x48xf32>) outs(%52 : tensor<8x48xf32>) -> tensor<8x48xf32>
  %54 = tensor.expand_shape %53 [[0, 1], [2]] output_shape [1, 8, 48] : tensor<8x48xf32> into tensor<1x8x48xf32>
  %55 = tensor.expand_shape %54 [[0], [1], [2, 3]] output_shape [1, 8, 3, 16] : tensor<1x8x48xf32> into tensor<1x8x3x16xf32>
  %56 = tensor.empty() : tensor<1x3x8x16xf32>
  %57 = linalg.transpose ins(%55 : tensor<1x8x3x16xf32>) outs(%56 : tensor<1x3x8x16xf32>) permutation = [0, 2, 1, 3]
  %58 = tensor.concat dim(1) %23, %47 : (tensor<1x50x48xf32>, tensor<1x8x48xf32>) -> tensor<1x58x48xf32>
  %59 = tensor.empty() : tensor<48x96xf32>
  %60 = linalg.transpose ins(%w_kv : tensor<96x48xf32>) outs(%59 : tensor<48x96xf32>) permutation = [1, 0]
  %61 = tensor.collapse_shape %58 [[0, 1], [2]] : tensor<1x58x48xf32> into tensor<58x48xf32>
  %62 = tensor.empty() : tensor<58x96xf32>
  %63 = linalg.fill ins(%c0 : f32) outs(%62 : tensor<58x96xf32>) -> tensor<58x96xf32>
  %64 = linalg.matmul ins(%61, %60 : tensor<58x48xf32>, tensor<48x96xf32>) outs(%63 : tensor<58x96xf32>) -> tensor<58x96xf32>
  %65 = tensor.expand_shape %64 [[0, 1], [2]] output_shape [1, 58, 96] : tensor<58x96xf32> into tensor<1x58x96xf32>
  %66 = tensor.extract_slice %65[0, 0, 0] [1, 58, 48] [1, 1, 1] : tensor<1x58x96xf32> to tensor<1x58x48xf32>
  %67 = tensor.expand_shape %66 [[0], [1], [2, 3]] output_shape [1, 58, 3, 16] : tensor<1x58x48xf32> into tensor<1x58x3x16xf32>
  %68 = tensor.empty() : tensor<1x3x58x16xf32>
  %69 = linalg.transpose ins(%67 : tensor<1x58x3x16xf32>) outs(%68 : tensor<1x3x58x16xf32>) permutation = [0, 2, 1, 3]
  %70 = tensor.extract_slice %65[0, 0, 48] [1, 58, 48] [1, 1, 1] : tensor<1x58x96xf32> to tensor<1x58x48xf32>
  %71 = tensor.expand_shape %70 [[0], [1], [2, 3]] output_shape [1, 58, 3, 16] : tensor<1x58x48xf32> into tensor<1x58x3x16xf32>
  %72 = tensor.empty() : tensor<1x3x58x16xf32>
  %73 = linalg.transpose ins(%71 : tensor<1x58x3x16xf32>) outs(%72 : tensor<1x3x58x16xf32>) permutation = [0, 2, 1, 3]
  %74 = tensor.empty() : tensor<1x3x8x16xf32>
  %75 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x3x8x16xf32>) outs(%74 : tensor<1x3x8x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c3 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x3x8x16xf32>
  %76 = tensor.empty() : tensor<1x3x16x58xf32>
  %77 = linalg.transpose ins(%69 : tensor<1x3x58x16xf32>) outs(%76 : tensor<1x3x16x58xf32>) permutation = [0, 1, 3, 2]
  %78 = tensor.collapse_shape %75 [[0, 1], [2], [3]] : tensor<1x3x8x16xf32> into tensor<3x8x16xf32>
  %79 = tensor.collapse_shape %77 [[0, 1], [2], [3]] : tensor<1x3x16x58xf32> into tensor<3x16x58xf32>
  %80 = tensor.empty() : tensor<3x8x58xf32>
  %81 = linalg.fill ins(%c0 : f32) outs(%80 : tensor<3x8x58xf32>) -> tensor<3x8x58xf32>
  %82 = linalg.batch_matmul ins(%78, %79 : tensor<3x8x16xf32>, tensor<3x16x58xf32>) outs(%81 : tensor<3x8x58xf32>) -> tensor<3x8x58xf32>
  %83 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [1, 3, 8, 58] : tensor<3x8x58xf32> into tensor<1x3x8x58xf32>
  %84 = tensor.empty() : tensor<1x3x8x1xf32>
  %85 = linalg.fill ins(%c4 : f32) outs(%84 : tensor<1x3x8x1xf32>) -> tensor<1x3x8x1xf32>
  %86 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%83 : tensor<1x3x8x58xf32>) outs(%85 : tensor<1x3x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.maximumf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x8x1xf32>
  %87 = tensor.empty() : tensor<1x3x8x58xf32>
  %88 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %86 : tensor<1x3x8x58xf32>, tensor<1x3x8x1xf32>) outs(%87 : tensor<1x3x8x58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x8x58xf32>
  %89 = tensor.empty() : tensor<1x3x8xi64>
  %90 = linalg.fill ins(%c5 : i64) outs(%89 : tensor<1x3x8xi64>) -> tensor<1x3x8xi64>
  %91 = tensor.empty() : tensor<1x3x8xf32>
  %92 = linalg.fill ins(%c4 : f32) outs(%91 : tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %93:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88 : tensor<1x3x8x58xf32>) outs(%92, %90 : tensor<1x3x8xf32>, tensor<1x3x8xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x8xf32>, tensor<1x3x8xi64>)
  %94 = tensor.expand_shape %93#0 [[0], [1], [2, 3]] output_shape [1, 3, 8, 1] : tensor<1x3x8xf32> into tensor<1x3x8x1xf32>
  %95 = tensor.empty() : tensor<1x3x8x58xf32>
  %96 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %94 : tensor<1x3x8x58xf32>, tensor<1x3x8x1xf32>) outs(%95 : tensor<1x3x8x58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x8x58xf32>
  %97 = tensor.empty() : tensor<1x3x8x58xf32>
  %98 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96 : tensor<1x3x8x58xf32>) outs(%97 : tensor<1x3x8x58xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x8x58xf32>
  %99 = tensor.empty() : tensor<1x3x8x1xf32>
  %100 = linalg.fill ins(%c0 : f32) outs(%99 : tensor<1x3x8x1xf32>) -> tensor<1x3x8x1xf32>
  %101 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%98 : tensor<1x3x8x58xf32>) outs(%100 : tensor<1x3x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x8x1xf32>
  %102 = tensor.empty() : tensor<1x3x8x58xf32>
  %103 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98, %101 : tensor<1x3x8x58xf32>, tensor<1x3x8x1xf32>) outs(%102 : tensor<1x3x8x58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x8x58xf32>
  %104 = tensor.collapse_shape %103 [[0, 1], [2], [3]] : tensor<1x3x8x58xf32> into tensor<3x8x58xf32>
  %105 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<1x3x58x16xf32> into tensor<3x58x16xf32>
  %106 = tensor.empty() : tensor<3x8x16xf32>
  %107 = linalg.fill ins(%c0 : f32) outs(%106 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %108 = linalg.batch_matmul ins(%104, %105 : tensor<3x8x58xf32>, tensor<3x58x16xf32>) outs(%107 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %109 = tensor.expand_shape %108 [[0, 1], [2], [3]] output_shape [1, 3, 8, 16] : tensor<3x8x16xf32> into tensor<1x3x8x16xf32>
  %110 = tensor.empty() : tensor<1x8x3x16xf32>
  %111 = linalg.transpose ins(%109 : tensor<1x3x8x16xf32>) outs(%110 : tensor<1x8x3x16xf32>) permutation = [0, 2, 1, 3]
  %112 = tensor.collapse_shape %111 [[0], [1], [2, 3]] : tensor<1x8x3x16xf32> into tensor<1x8x48xf32>
  %113 = tensor.empty() : tensor<48x48xf32>
  %114 = linalg.transpose ins(%w_o : tensor<48x48xf32>) outs(%113 : tensor<48x48xf32>) permutation = [1, 0]
  %115 = tensor.collapse_shape %112 [[0, 1], [2]] : tensor<1x8x48xf32> into tensor<8x48xf32>
  %116 = tensor.empty() : tensor<8x48xf32>
  %117 = linalg.fill ins(%c0 : f32) outs(%116 : tensor<8x48xf32>) -> tensor<8x48xf32>
  %118 = linalg.matmul ins(%115, %114 : tensor<8x48xf32>, tensor<48x48xf32>) outs(%117 : tensor<8x48xf32>) -> tensor<8x48xf32>
  %119 = tensor.expand_shape %118 [[0, 1], [2]] output_shape [1, 8, 48] : tensor<8x48xf32> into tensor<1x8x48xf32>
  return %119 : tensor<1x8x48xf32>
}
