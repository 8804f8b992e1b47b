// ChatGLM: half of each head is rotated, in pairs that are next to each other; two
// heads of keys for four of queries; causal.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5476 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @chatglm_partial_rope(%q: tensor<1x37x4x16xf32>,
    %k: tensor<1x37x2x16xf32>,
    %v: tensor<1x37x2x16xf32>,
    %cos: tensor<1x37x1x4xf32> {check.draw = "uniform -1 1"},
    %sin: tensor<1x37x1x4xf32> {check.draw = "uniform -1 1"}) -> (tensor<1x37x64xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 0 : i64
  %0 = tensor.extract_slice %q[0, 0, 0, 0] [1, 37, 4, 8] [1, 1, 1, 1] : tensor<1x37x4x16xf32> to tensor<1x37x4x8xf32>
  %1 = tensor.extract_slice %q[0, 0, 0, 8] [1, 37, 4, 8] [1, 1, 1, 1] : tensor<1x37x4x16xf32> to tensor<1x37x4x8xf32>
  %2 = tensor.expand_shape %0 [[0], [1], [2], [3, 4]] output_shape [1, 37, 4, 4, 2] : tensor<1x37x4x8xf32> into tensor<1x37x4x4x2xf32>
  %3 = tensor.extract_slice %2[0, 0, 0, 0, 0] [1, 37, 4, 4, 1] [1, 1, 1, 1, 1] : tensor<1x37x4x4x2xf32> to tensor<1x37x4x4x1xf32>
  %4 = tensor.collapse_shape %3 [[0], [1], [2], [3, 4]] : tensor<1x37x4x4x1xf32> into tensor<1x37x4x4xf32>
  %5 = tensor.extract_slice %2[0, 0, 0, 0, 1] [1, 37, 4, 4, 1] [1, 1, 1, 1, 1] : tensor<1x37x4x4x2xf32> to tensor<1x37x4x4x1xf32>
  %6 = tensor.collapse_shape %5 [[0], [1], [2], [3, 4]] : tensor<1x37x4x4x1xf32> into tensor<1x37x4x4xf32>
  %7 = tensor.empty() : tensor<1x37x4x4xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %cos : tensor<1x37x4x4xf32>, tensor<1x37x1x4xf32>) outs(%7 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %9 = tensor.empty() : tensor<1x37x4x4xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %sin : tensor<1x37x4x4xf32>, tensor<1x37x1x4xf32>) outs(%9 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %11 = tensor.empty() : tensor<1x37x4x4xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x37x4x4xf32>, tensor<1x37x4x4xf32>) outs(%11 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %13 = tensor.empty() : tensor<1x37x4x4xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %cos : tensor<1x37x4x4xf32>, tensor<1x37x1x4xf32>) outs(%13 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %15 = tensor.empty() : tensor<1x37x4x4xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %sin : tensor<1x37x4x4xf32>, tensor<1x37x1x4xf32>) outs(%15 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %17 = tensor.empty() : tensor<1x37x4x4xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %16 : tensor<1x37x4x4xf32>, tensor<1x37x4x4xf32>) outs(%17 : tensor<1x37x4x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x4x4xf32>
  %19 = tensor.expand_shape %12 [[0], [1], [2], [3, 4]] output_shape [1, 37, 4, 4, 1] : tensor<1x37x4x4xf32> into tensor<1x37x4x4x1xf32>
  %20 = tensor.expand_shape %18 [[0], [1], [2], [3, 4]] output_shape [1, 37, 4, 4, 1] : tensor<1x37x4x4xf32> into tensor<1x37x4x4x1xf32>
  %21 = tensor.concat dim(4) %19, %20 : (tensor<1x37x4x4x1xf32>, tensor<1x37x4x4x1xf32>) -> tensor<1x37x4x4x2xf32>
  %22 = tensor.collapse_shape %21 [[0], [1], [2], [3, 4]] : tensor<1x37x4x4x2xf32> into tensor<1x37x4x8xf32>
  %23 = tensor.concat dim(3) %22, %1 : (tensor<1x37x4x8xf32>, tensor<1x37x4x8xf32>) -> tensor<1x37x4x16xf32>
  %24 = tensor.empty() : tensor<1x4x37x16xf32>
  %25 = linalg.transpose ins(%23 : tensor<1x37x4x16xf32>) outs(%24 : tensor<1x4x37x16xf32>) permutation = [0, 2, 1, 3]
  %26 = tensor.extract_slice %k[0, 0, 0, 0] [1, 37, 2, 8] [1, 1, 1, 1] : tensor<1x37x2x16xf32> to tensor<1x37x2x8xf32>
  %27 = tensor.extract_slice %k[0, 0, 0, 8] [1, 37, 2, 8] [1, 1, 1, 1] : tensor<1x37x2x16xf32> to tensor<1x37x2x8xf32>
  %28 = tensor.expand_shape %26 [[0], [1], [2], [3, 4]] output_shape [1, 37, 2, 4, 2] : tensor<1x37x2x8xf32> into tensor<1x37x2x4x2xf32>
  %29 = tensor.extract_slice %28[0, 0, 0, 0, 0] [1, 37, 2, 4, 1] [1, 1, 1, 1, 1] : tensor<1x37x2x4x2xf32> to tensor<1x37x2x4x1xf32>
  %30 = tensor.collapse_shape %29 [[0], [1], [2], [3, 4]] : tensor<1x37x2x4x1xf32> into tensor<1x37x2x4xf32>
  %31 = tensor.extract_slice %28[0, 0, 0, 0, 1] [1, 37, 2, 4, 1] [1, 1, 1, 1, 1] : tensor<1x37x2x4x2xf32> to tensor<1x37x2x4x1xf32>
  %32 = tensor.collapse_shape %31 [[0], [1], [2], [3, 4]] : tensor<1x37x2x4x1xf32> into tensor<1x37x2x4xf32>
  %33 = tensor.empty() : tensor<1x37x2x4xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cos : tensor<1x37x2x4xf32>, tensor<1x37x1x4xf32>) outs(%33 : tensor<1x37x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x2x4xf32>
  %35 = tensor.empty() : tensor<1x37x2x4xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %sin : tensor<1x37x2x4xf32>, tensor<1x37x1x4xf32>) outs(%35 : tensor<1x37x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x2x4xf32>
  %37 = tensor.empty() : tensor<1x37x2x4xf32>
  %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<1x37x2x4xf32>, tensor<1x37x2x4xf32>) outs(%37 : tensor<1x37x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x2x4xf32>
  %39 = tensor.empty() : tensor<1x37x2x4xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %cos : tensor<1x37x2x4xf32>, tensor<1x37x1x4xf32>) outs(%39 : tensor<1x37x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x2x4xf32>
  %41 = tensor.empty() : tensor<1x37x2x4xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %sin : tensor<1x37x2x4xf32>, tensor<1x37x1x4xf32>) outs(%41 : tensor<1x37x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x2x4xf32>
  %43 = tensor.empty() : tensor<1x37x2x4xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<1x37x2x4xf32>, tensor<1x37x2x4xf32>) outs(%43 : tensor<1x37x2x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x2x4xf32>
  %45 = tensor.expand_shape %38 [[0], [1], [2], [3, 4]] output_shape [1, 37, 2, 4, 1] : tensor<1x37x2x4xf32> into tensor<1x37x2x4x1xf32>
  %46 = tensor.expand_shape %44 [[0], [1], [2], [3, 4]] output_shape [1, 37, 2, 4, 1] : tensor<1x37x2x4xf32> into tensor<1x37x2x4x1xf32>
  %47 = tensor.concat dim(4) %45, %46 : (tensor<1x37x2x4x1xf32>, tensor<1x37x2x4x1xf32>) -> tensor<1x37x2x4x2xf32>
  %48 = tensor.collapse_shape %47 [[0], [1], [2], [3, 4]] : tensor<1x37x2x4x2xf32> into tensor<1x37x2x8xf32>
  %49 = tensor.concat dim(3) %48, %27 : (tensor<1x37x2x8xf32>, tensor<1x37x2x8xf32>) -> tensor<1x37x2x16xf32>
  %50 = tensor.empty() : tensor<1x2x37x16xf32>
  %51 = linalg.transpose ins(%49 : tensor<1x37x2x16xf32>) outs(%50 : tensor<1x2x37x16xf32>) permutation = [0, 2, 1, 3]
  %52 = tensor.expand_shape %51 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %53 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %54 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x2x1x37x16xf32>) outs(%53 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x2x2x37x16xf32>
  %55 = tensor.collapse_shape %54 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %56 = tensor.empty() : tensor<1x2x37x16xf32>
  %57 = linalg.transpose ins(%v : tensor<1x37x2x16xf32>) outs(%56 : tensor<1x2x37x16xf32>) permutation = [0, 2, 1, 3]
  %58 = tensor.expand_shape %57 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %59 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %60 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x1x37x16xf32>) outs(%59 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x2x2x37x16xf32>
  %61 = tensor.collapse_shape %60 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %62 = tensor.empty() : tensor<37xi64>
  %63 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%62 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %64 = tensor.empty() : tensor<37xi64>
  %65 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%64 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %66 = tensor.expand_shape %63 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %67 = tensor.empty() : tensor<37x37xi1>
  %68 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%65, %66 : tensor<37xi64>, tensor<37x1xi64>) outs(%67 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<37x37xi1>
  %69 = tensor.empty() : tensor<1x4x16x37xf32>
  %70 = linalg.transpose ins(%55 : tensor<1x4x37x16xf32>) outs(%69 : tensor<1x4x16x37xf32>) permutation = [0, 1, 3, 2]
  %71 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %72 = tensor.collapse_shape %70 [[0, 1], [2], [3]] : tensor<1x4x16x37xf32> into tensor<4x16x37xf32>
  %73 = tensor.empty() : tensor<4x37x37xf32>
  %74 = linalg.fill ins(%c0 : f32) outs(%73 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %75 = linalg.batch_matmul ins(%71, %72 : tensor<4x37x16xf32>, tensor<4x16x37xf32>) outs(%74 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %76 = tensor.expand_shape %75 [[0, 1], [2], [3]] output_shape [1, 4, 37, 37] : tensor<4x37x37xf32> into tensor<1x4x37x37xf32>
  %77 = tensor.empty() : tensor<1x4x37x37xf32>
  %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<1x4x37x37xf32>) outs(%77 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %79 = tensor.empty() : tensor<1x4x37x37xf32>
  %80 = linalg.generic {indexing_maps = [#map8, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %78 : tensor<37x37xi1>, tensor<1x4x37x37xf32>) outs(%79 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %in1, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %81 = tensor.empty() : tensor<1x4x37xi64>
  %82 = linalg.fill ins(%c3 : i64) outs(%81 : tensor<1x4x37xi64>) -> tensor<1x4x37xi64>
  %83 = tensor.empty() : tensor<1x4x37xf32>
  %84 = linalg.fill ins(%c2 : f32) outs(%83 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %85:2 = linalg.generic {indexing_maps = [#map, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%80 : tensor<1x4x37x37xf32>) outs(%84, %82 : tensor<1x4x37xf32>, tensor<1x4x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x37xf32>, tensor<1x4x37xi64>)
  %86 = tensor.expand_shape %85#0 [[0], [1], [2, 3]] output_shape [1, 4, 37, 1] : tensor<1x4x37xf32> into tensor<1x4x37x1xf32>
  %87 = tensor.empty() : tensor<1x4x37x37xf32>
  %88 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %86 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%87 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %89 = tensor.empty() : tensor<1x4x37x37xf32>
  %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x4x37x37xf32>) outs(%89 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %91 = tensor.empty() : tensor<1x4x37x1xf32>
  %92 = linalg.fill ins(%c0 : f32) outs(%91 : tensor<1x4x37x1xf32>) -> tensor<1x4x37x1xf32>
  %93 = linalg.generic {indexing_maps = [#map, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%90 : tensor<1x4x37x37xf32>) outs(%92 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x1xf32>
  %94 = tensor.empty() : tensor<1x4x37x37xf32>
  %95 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %93 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%94 : tensor<1x4x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x4x37x37xf32>
  %96 = tensor.collapse_shape %95 [[0, 1], [2], [3]] : tensor<1x4x37x37xf32> into tensor<4x37x37xf32>
  %97 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %98 = tensor.empty() : tensor<4x37x16xf32>
  %99 = linalg.fill ins(%c0 : f32) outs(%98 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %100 = linalg.batch_matmul ins(%96, %97 : tensor<4x37x37xf32>, tensor<4x37x16xf32>) outs(%99 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %101 = tensor.expand_shape %100 [[0, 1], [2], [3]] output_shape [1, 4, 37, 16] : tensor<4x37x16xf32> into tensor<1x4x37x16xf32>
  %102 = tensor.empty() : tensor<1x37x4x16xf32>
  %103 = linalg.transpose ins(%101 : tensor<1x4x37x16xf32>) outs(%102 : tensor<1x37x4x16xf32>) permutation = [0, 2, 1, 3]
  %104 = tensor.collapse_shape %103 [[0], [1], [2, 3]] : tensor<1x37x4x16xf32> into tensor<1x37x64xf32>
  return %104 : tensor<1x37x64xf32>
}
