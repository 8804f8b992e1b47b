// A decoder of one sequence, without a batch: a row is put into each cache at a position in
// memory, which also bounds what is read. The caller keeps the caches.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=200 --max-kernels=3 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

func.func @update_then_read(%q: tensor<48xf32>,
    %k_new: tensor<48xf32>,
    %v_new: tensor<48xf32>,
    %k_cache: tensor<45x48xf32>,
    %v_cache: tensor<45x48xf32>,
    %pos: tensor<i64> {check.draw = "uniform 0 44"}) -> (tensor<48xf32>, tensor<45x48xf32>, tensor<45x48xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 4.000000e+00 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 0 : i64
  %0 = tensor.extract %pos[] : tensor<i64>
  %1 = arith.index_cast %0 : i64 to index
  %2 = tensor.insert_slice %k_new into %k_cache[%1, 0] [1, 48] [1, 1] : tensor<48xf32> into tensor<45x48xf32>
  %3 = tensor.insert_slice %v_new into %v_cache[%1, 0] [1, 48] [1, 1] : tensor<48xf32> into tensor<45x48xf32>
  %4 = tensor.expand_shape %q [[0, 1]] output_shape [3, 16] : tensor<48xf32> into tensor<3x16xf32>
  %5 = tensor.expand_shape %2 [[0], [1, 2]] output_shape [45, 3, 16] : tensor<45x48xf32> into tensor<45x3x16xf32>
  %6 = tensor.expand_shape %3 [[0], [1, 2]] output_shape [45, 3, 16] : tensor<45x48xf32> into tensor<45x3x16xf32>
  %7 = tensor.empty() : tensor<3x45xf32>
  %8 = linalg.fill ins(%cst0 : f32) outs(%7 : tensor<3x45xf32>) -> tensor<3x45xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4, %5 : tensor<3x16xf32>, tensor<45x3x16xf32>) outs(%8 : tensor<3x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x45xf32>
  %10 = tensor.empty() : tensor<3x45xf32>
  %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<3x45xf32>) outs(%10 : tensor<3x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<3x45xf32>
  %12 = tensor.empty() : tensor<45xi1>
  %13 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%12 : tensor<45xi1>) {
  ^bb0(%out: i1):
    %ix = linalg.index 0 : index
    %r = arith.cmpi ule, %ix, %1 : index
    linalg.yield %r : i1
  } -> tensor<45xi1>
  %14 = tensor.expand_shape %13 [[0, 1]] output_shape [1, 45] : tensor<45xi1> into tensor<1x45xi1>
  %15 = tensor.empty() : tensor<3x45xf32>
  %16 = linalg.generic {indexing_maps = [#map5, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%14, %11 : tensor<1x45xi1>, tensor<3x45xf32>) outs(%15 : tensor<3x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<3x45xf32>
  %17 = tensor.empty() : tensor<3xi64>
  %18 = linalg.fill ins(%cst3 : i64) outs(%17 : tensor<3xi64>) -> tensor<3xi64>
  %19 = tensor.empty() : tensor<3xf32>
  %20 = linalg.fill ins(%cst2 : f32) outs(%19 : tensor<3xf32>) -> tensor<3xf32>
  %21:2 = linalg.generic {indexing_maps = [#map3, #map6, #map6], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<3x45xf32>) outs(%20, %18 : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 1 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  %22 = tensor.expand_shape %21#0 [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
  %23 = tensor.empty() : tensor<3x45xf32>
  %24 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel"]} ins(%16, %22 : tensor<3x45xf32>, tensor<3x1xf32>) outs(%23 : tensor<3x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<3x45xf32>
  %25 = tensor.empty() : tensor<3x45xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<3x45xf32>) outs(%25 : tensor<3x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<3x45xf32>
  %27 = tensor.empty() : tensor<3x1xf32>
  %28 = linalg.fill ins(%cst0 : f32) outs(%27 : tensor<3x1xf32>) -> tensor<3x1xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map7], iterator_types = ["parallel", "reduction"]} ins(%26 : tensor<3x45xf32>) outs(%28 : tensor<3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x1xf32>
  %30 = tensor.empty() : tensor<3x45xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel"]} ins(%26, %29 : tensor<3x45xf32>, tensor<3x1xf32>) outs(%30 : tensor<3x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<3x45xf32>
  %32 = tensor.empty() : tensor<3x16xf32>
  %33 = linalg.fill ins(%cst0 : f32) outs(%32 : tensor<3x16xf32>) -> tensor<3x16xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map8, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%31, %6 : tensor<3x45xf32>, tensor<45x3x16xf32>) outs(%33 : tensor<3x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x16xf32>
  %35 = tensor.collapse_shape %34 [[0, 1]] : tensor<3x16xf32> into tensor<48xf32>
  return %35, %2, %3 : tensor<48xf32>, tensor<45x48xf32>, tensor<45x48xf32>
}
