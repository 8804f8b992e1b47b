// The gradient of keys with the softmax in the same program: the weights are computed
// again from the max and the sum of each row, so that two kernels store only these and
// the sum of the weighted rows. On CPUs that does not pay unless it is forced.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=1000 --keys=16 --cpu-options=force-fusion
// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=1000 --keys=16 --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @attention_dk(%q: tensor<1x2x37x16xf32>,
    %do: tensor<1x2x37x16xf32>,
    %k: tensor<1x2x45x16xf32>,
    %v: tensor<1x2x45x16xf32>) -> (tensor<1x2x45x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x2x16x45xf32>
  %1 = linalg.transpose ins(%k : tensor<1x2x45x16xf32>) outs(%0 : tensor<1x2x16x45xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x16x45xf32> into tensor<2x16x45xf32>
  %4 = tensor.empty() : tensor<2x37x45xf32>
  %5 = linalg.fill ins(%cst0 : f32) outs(%4 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<2x37x16xf32>, tensor<2x16x45xf32>) outs(%5 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 2, 37, 45] : tensor<2x37x45xf32> into tensor<1x2x37x45xf32>
  %8 = tensor.empty() : tensor<1x2x37x45xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x37x45xf32>) outs(%8 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %10 = tensor.empty() : tensor<1x2x37xi64>
  %11 = linalg.fill ins(%cst2 : i64) outs(%10 : tensor<1x2x37xi64>) -> tensor<1x2x37xi64>
  %12 = tensor.empty() : tensor<1x2x37xf32>
  %13 = linalg.fill ins(%cst3 : f32) outs(%12 : tensor<1x2x37xf32>) -> tensor<1x2x37xf32>
  %14:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x2x37x45xf32>) outs(%13, %11 : tensor<1x2x37xf32>, tensor<1x2x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x2x37xf32>, tensor<1x2x37xi64>)
  %15 = tensor.expand_shape %14#0 [[0], [1], [2, 3]] output_shape [1, 2, 37, 1] : tensor<1x2x37xf32> into tensor<1x2x37x1xf32>
  %16 = tensor.empty() : tensor<1x2x37x45xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%16 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %18 = tensor.empty() : tensor<1x2x37x45xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x37x45xf32>) outs(%18 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %20 = tensor.empty() : tensor<1x2x37x1xf32>
  %21 = linalg.fill ins(%cst0 : f32) outs(%20 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x2x37x45xf32>) outs(%21 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %23 = tensor.empty() : tensor<1x2x37x45xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%23 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %25 = tensor.empty() : tensor<1x2x16x45xf32>
  %26 = linalg.transpose ins(%v : tensor<1x2x45x16xf32>) outs(%25 : tensor<1x2x16x45xf32>) permutation = [0, 1, 3, 2]
  %27 = tensor.collapse_shape %do [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %28 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x2x16x45xf32> into tensor<2x16x45xf32>
  %29 = tensor.empty() : tensor<2x37x45xf32>
  %30 = linalg.fill ins(%cst0 : f32) outs(%29 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %31 = linalg.batch_matmul ins(%27, %28 : tensor<2x37x16xf32>, tensor<2x16x45xf32>) outs(%30 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %32 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 2, 37, 45] : tensor<2x37x45xf32> into tensor<1x2x37x45xf32>
  %33 = tensor.empty() : tensor<1x2x37x45xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %32 : tensor<1x2x37x45xf32>, tensor<1x2x37x45xf32>) outs(%33 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %35 = tensor.empty() : tensor<1x2x37x1xf32>
  %36 = linalg.fill ins(%cst0 : f32) outs(%35 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x37x45xf32>) outs(%36 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %38 = tensor.empty() : tensor<1x2x37x45xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %37 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%38 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %40 = tensor.empty() : tensor<1x2x37x45xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %39 : tensor<1x2x37x45xf32>, tensor<1x2x37x45xf32>) outs(%40 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %42 = tensor.empty() : tensor<1x2x37x45xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x2x37x45xf32>) outs(%42 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %44 = tensor.empty() : tensor<1x2x45x37xf32>
  %45 = linalg.transpose ins(%43 : tensor<1x2x37x45xf32>) outs(%44 : tensor<1x2x45x37xf32>) permutation = [0, 1, 3, 2]
  %46 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x2x45x37xf32> into tensor<2x45x37xf32>
  %47 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %48 = tensor.empty() : tensor<2x45x16xf32>
  %49 = linalg.fill ins(%cst0 : f32) outs(%48 : tensor<2x45x16xf32>) -> tensor<2x45x16xf32>
  %50 = linalg.batch_matmul ins(%46, %47 : tensor<2x45x37xf32>, tensor<2x37x16xf32>) outs(%49 : tensor<2x45x16xf32>) -> tensor<2x45x16xf32>
  %51 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 2, 45, 16] : tensor<2x45x16xf32> into tensor<1x2x45x16xf32>
  return %51 : tensor<1x2x45x16xf32>
}
