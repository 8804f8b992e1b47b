// Attention pooling: one learned query for all keys, with a padding mask of lengths.

// RUN: linalg-ext-check-program %s --max-kernels=2 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @attention_pooling(%x: tensor<2x45x48xf32>,
    %query: tensor<1x1x48xf32>,
    %len: tensor<2xi64> {check.draw = "uniform 1 45"},
    %w_kv: tensor<96x48xf32> {check.draw = "uniform -0.25 0.25"}) -> (tensor<2x1x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 0 : i64
  %0 = tensor.empty() : tensor<48x96xf32>
  %1 = linalg.transpose ins(%w_kv : tensor<96x48xf32>) outs(%0 : tensor<48x96xf32>) permutation = [1, 0]
  %2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x45x48xf32> into tensor<90x48xf32>
  %3 = tensor.empty() : tensor<90x96xf32>
  %4 = linalg.fill ins(%c0 : f32) outs(%3 : tensor<90x96xf32>) -> tensor<90x96xf32>
  %5 = linalg.matmul ins(%2, %1 : tensor<90x48xf32>, tensor<48x96xf32>) outs(%4 : tensor<90x96xf32>) -> tensor<90x96xf32>
  %6 = tensor.expand_shape %5 [[0, 1], [2]] output_shape [2, 45, 96] : tensor<90x96xf32> into tensor<2x45x96xf32>
  %7 = tensor.extract_slice %6[0, 0, 0] [2, 45, 48] [1, 1, 1] : tensor<2x45x96xf32> to tensor<2x45x48xf32>
  %8 = tensor.expand_shape %7 [[0], [1], [2, 3]] output_shape [2, 45, 3, 16] : tensor<2x45x48xf32> into tensor<2x45x3x16xf32>
  %9 = tensor.empty() : tensor<2x3x45x16xf32>
  %10 = linalg.transpose ins(%8 : tensor<2x45x3x16xf32>) outs(%9 : tensor<2x3x45x16xf32>) permutation = [0, 2, 1, 3]
  %11 = tensor.extract_slice %6[0, 0, 48] [2, 45, 48] [1, 1, 1] : tensor<2x45x96xf32> to tensor<2x45x48xf32>
  %12 = tensor.expand_shape %11 [[0], [1], [2, 3]] output_shape [2, 45, 3, 16] : tensor<2x45x48xf32> into tensor<2x45x3x16xf32>
  %13 = tensor.empty() : tensor<2x3x45x16xf32>
  %14 = linalg.transpose ins(%12 : tensor<2x45x3x16xf32>) outs(%13 : tensor<2x3x45x16xf32>) permutation = [0, 2, 1, 3]
  %15 = tensor.expand_shape %query [[0], [1], [2, 3]] output_shape [1, 1, 3, 16] : tensor<1x1x48xf32> into tensor<1x1x3x16xf32>
  %16 = tensor.empty() : tensor<1x3x1x16xf32>
  %17 = linalg.transpose ins(%15 : tensor<1x1x3x16xf32>) outs(%16 : tensor<1x3x1x16xf32>) permutation = [0, 2, 1, 3]
  %18 = tensor.empty() : tensor<2x3x1x16xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x3x1x16xf32>) outs(%18 : tensor<2x3x1x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    linalg.yield %in0 : f32
  } -> tensor<2x3x1x16xf32>
  %20 = tensor.empty() : tensor<45xi64>
  %21 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%20 : tensor<45xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<45xi64>
  %22 = tensor.expand_shape %21 [[0, 1]] output_shape [1, 45] : tensor<45xi64> into tensor<1x45xi64>
  %23 = tensor.expand_shape %len [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %24 = tensor.empty() : tensor<2x45xi1>
  %25 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%22, %23 : tensor<1x45xi64>, tensor<2x1xi64>) outs(%24 : tensor<2x45xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi slt, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<2x45xi1>
  %26 = tensor.expand_shape %25 [[0], [1, 2, 3]] output_shape [2, 1, 1, 45] : tensor<2x45xi1> into tensor<2x1x1x45xi1>
  %27 = tensor.empty() : tensor<2x3x16x45xf32>
  %28 = linalg.transpose ins(%10 : tensor<2x3x45x16xf32>) outs(%27 : tensor<2x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %29 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<2x3x1x16xf32> into tensor<6x1x16xf32>
  %30 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<2x3x16x45xf32> into tensor<6x16x45xf32>
  %31 = tensor.empty() : tensor<6x1x45xf32>
  %32 = linalg.fill ins(%c0 : f32) outs(%31 : tensor<6x1x45xf32>) -> tensor<6x1x45xf32>
  %33 = linalg.batch_matmul ins(%29, %30 : tensor<6x1x16xf32>, tensor<6x16x45xf32>) outs(%32 : tensor<6x1x45xf32>) -> tensor<6x1x45xf32>
  %34 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [2, 3, 1, 45] : tensor<6x1x45xf32> into tensor<2x3x1x45xf32>
  %35 = tensor.empty() : tensor<2x3x1x45xf32>
  %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x3x1x45xf32>) outs(%35 : tensor<2x3x1x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1x45xf32>
  %37 = tensor.empty() : tensor<2x3x1x45xf32>
  %38 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %36 : tensor<2x1x1x45xi1>, tensor<2x3x1x45xf32>) outs(%37 : tensor<2x3x1x45xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %in1, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1x45xf32>
  %39 = tensor.empty() : tensor<2x3x1xi64>
  %40 = linalg.fill ins(%c3 : i64) outs(%39 : tensor<2x3x1xi64>) -> tensor<2x3x1xi64>
  %41 = tensor.empty() : tensor<2x3x1xf32>
  %42 = linalg.fill ins(%c2 : f32) outs(%41 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %43:2 = linalg.generic {indexing_maps = [#map1, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<2x3x1x45xf32>) outs(%42, %40 : tensor<2x3x1xf32>, tensor<2x3x1xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<2x3x1xf32>, tensor<2x3x1xi64>)
  %44 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xf32> into tensor<2x3x1x1xf32>
  %45 = tensor.empty() : tensor<2x3x1x45xf32>
  %46 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %44 : tensor<2x3x1x45xf32>, tensor<2x3x1x1xf32>) outs(%45 : tensor<2x3x1x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1x45xf32>
  %47 = tensor.empty() : tensor<2x3x1x45xf32>
  %48 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x3x1x45xf32>) outs(%47 : tensor<2x3x1x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1x45xf32>
  %49 = tensor.empty() : tensor<2x3x1x1xf32>
  %50 = linalg.fill ins(%c0 : f32) outs(%49 : tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %51 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<2x3x1x45xf32>) outs(%50 : tensor<2x3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1x1xf32>
  %52 = tensor.empty() : tensor<2x3x1x45xf32>
  %53 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %51 : tensor<2x3x1x45xf32>, tensor<2x3x1x1xf32>) outs(%52 : tensor<2x3x1x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1x45xf32>
  %54 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<2x3x1x45xf32> into tensor<6x1x45xf32>
  %55 = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<2x3x45x16xf32> into tensor<6x45x16xf32>
  %56 = tensor.empty() : tensor<6x1x16xf32>
  %57 = linalg.fill ins(%c0 : f32) outs(%56 : tensor<6x1x16xf32>) -> tensor<6x1x16xf32>
  %58 = linalg.batch_matmul ins(%54, %55 : tensor<6x1x45xf32>, tensor<6x45x16xf32>) outs(%57 : tensor<6x1x16xf32>) -> tensor<6x1x16xf32>
  %59 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [2, 3, 1, 16] : tensor<6x1x16xf32> into tensor<2x3x1x16xf32>
  %60 = tensor.empty() : tensor<2x1x3x16xf32>
  %61 = linalg.transpose ins(%59 : tensor<2x3x1x16xf32>) outs(%60 : tensor<2x1x3x16xf32>) permutation = [0, 2, 1, 3]
  %62 = tensor.collapse_shape %61 [[0], [1], [2, 3]] : tensor<2x1x3x16xf32> into tensor<2x1x48xf32>
  return %62 : tensor<2x1x48xf32>
}
