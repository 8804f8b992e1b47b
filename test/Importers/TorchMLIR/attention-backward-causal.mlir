// All gradients of causal attention, as torch.autograd writes them.

// RUN: linalg-ext-check-program %s --max-kernels=4 --max-buffer-bytes=1000 --keys=16 --cpu-options=force-fusion
// RUN: linalg-ext-check-program %s --keys=16 --targets=cpu

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @attention_dqkv_causal(%q: tensor<1x2x37x16xf32>,
    %do: tensor<1x2x37x16xf32>,
    %k: tensor<1x2x45x16xf32>,
    %v: tensor<1x2x45x16xf32>) -> (tensor<1x2x37x16xf32>, tensor<1x2x45x16xf32>, tensor<1x2x45x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 8 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %cst4 = arith.constant 0 : i64
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
  %10 = tensor.empty() : tensor<37xi64>
  %11 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%10 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<37xi64>
  %12 = tensor.expand_shape %11 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %13 = tensor.empty() : tensor<45xi64>
  %14 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%13 : tensor<45xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<45xi64>
  %15 = tensor.expand_shape %14 [[0, 1]] output_shape [1, 45] : tensor<45xi64> into tensor<1x45xi64>
  %16 = tensor.empty() : tensor<37x1xi64>
  %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<37x1xi64>) outs(%16 : tensor<37x1xi64>) {
  ^bb0(%in: i64, %out: i64):
    %r = arith.addi %in, %cst2 : i64
    linalg.yield %r : i64
  } -> tensor<37x1xi64>
  %18 = tensor.empty() : tensor<37x45xi1>
  %19 = linalg.generic {indexing_maps = [#map3, #map4, #map2], iterator_types = ["parallel", "parallel"]} ins(%17, %15 : tensor<37x1xi64>, tensor<1x45xi64>) outs(%18 : tensor<37x45xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<37x45xi1>
  %20 = tensor.empty() : tensor<1x2x37x45xf32>
  %21 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %9 : tensor<37x45xi1>, tensor<1x2x37x45xf32>) outs(%20 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %22 = tensor.empty() : tensor<1x2x37xi64>
  %23 = linalg.fill ins(%cst4 : i64) outs(%22 : tensor<1x2x37xi64>) -> tensor<1x2x37xi64>
  %24 = tensor.empty() : tensor<1x2x37xf32>
  %25 = linalg.fill ins(%cst3 : f32) outs(%24 : tensor<1x2x37xf32>) -> tensor<1x2x37xf32>
  %26:2 = linalg.generic {indexing_maps = [#map, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x2x37x45xf32>) outs(%25, %23 : tensor<1x2x37xf32>, tensor<1x2x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x2x37xf32>, tensor<1x2x37xi64>)
  %27 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 2, 37, 1] : tensor<1x2x37xf32> into tensor<1x2x37x1xf32>
  %28 = tensor.empty() : tensor<1x2x37x45xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %27 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%28 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %30 = tensor.empty() : tensor<1x2x37x45xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x37x45xf32>) outs(%30 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %32 = tensor.empty() : tensor<1x2x37x1xf32>
  %33 = linalg.fill ins(%cst0 : f32) outs(%32 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x37x45xf32>) outs(%33 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %35 = tensor.empty() : tensor<1x2x37x45xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%35 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %37 = tensor.empty() : tensor<1x2x16x45xf32>
  %38 = linalg.transpose ins(%v : tensor<1x2x45x16xf32>) outs(%37 : tensor<1x2x16x45xf32>) permutation = [0, 1, 3, 2]
  %39 = tensor.collapse_shape %do [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %40 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x16x45xf32> into tensor<2x16x45xf32>
  %41 = tensor.empty() : tensor<2x37x45xf32>
  %42 = linalg.fill ins(%cst0 : f32) outs(%41 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %43 = linalg.batch_matmul ins(%39, %40 : tensor<2x37x16xf32>, tensor<2x16x45xf32>) outs(%42 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %44 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 2, 37, 45] : tensor<2x37x45xf32> into tensor<1x2x37x45xf32>
  %45 = tensor.empty() : tensor<1x2x37x45xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %44 : tensor<1x2x37x45xf32>, tensor<1x2x37x45xf32>) outs(%45 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %47 = tensor.empty() : tensor<1x2x37x1xf32>
  %48 = linalg.fill ins(%cst0 : f32) outs(%47 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<1x2x37x45xf32>) outs(%48 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %50 = tensor.empty() : tensor<1x2x37x45xf32>
  %51 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %49 : tensor<1x2x37x45xf32>, tensor<1x2x37x1xf32>) outs(%50 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %52 = tensor.empty() : tensor<1x2x37x45xf32>
  %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %51 : tensor<1x2x37x45xf32>, tensor<1x2x37x45xf32>) outs(%52 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %54 = tensor.empty() : tensor<1x2x37x45xf32>
  %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x2x37x45xf32>) outs(%54 : tensor<1x2x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x45xf32>
  %56 = tensor.empty() : tensor<1x2x45x37xf32>
  %57 = linalg.transpose ins(%36 : tensor<1x2x37x45xf32>) outs(%56 : tensor<1x2x45x37xf32>) permutation = [0, 1, 3, 2]
  %58 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<1x2x45x37xf32> into tensor<2x45x37xf32>
  %59 = tensor.collapse_shape %do [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %60 = tensor.empty() : tensor<2x45x16xf32>
  %61 = linalg.fill ins(%cst0 : f32) outs(%60 : tensor<2x45x16xf32>) -> tensor<2x45x16xf32>
  %62 = linalg.batch_matmul ins(%58, %59 : tensor<2x45x37xf32>, tensor<2x37x16xf32>) outs(%61 : tensor<2x45x16xf32>) -> tensor<2x45x16xf32>
  %63 = tensor.expand_shape %62 [[0, 1], [2], [3]] output_shape [1, 2, 45, 16] : tensor<2x45x16xf32> into tensor<1x2x45x16xf32>
  %64 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x2x37x45xf32> into tensor<2x37x45xf32>
  %65 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<1x2x45x16xf32> into tensor<2x45x16xf32>
  %66 = tensor.empty() : tensor<2x37x16xf32>
  %67 = linalg.fill ins(%cst0 : f32) outs(%66 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %68 = linalg.batch_matmul ins(%64, %65 : tensor<2x37x45xf32>, tensor<2x45x16xf32>) outs(%67 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %69 = tensor.expand_shape %68 [[0, 1], [2], [3]] output_shape [1, 2, 37, 16] : tensor<2x37x16xf32> into tensor<1x2x37x16xf32>
  %70 = tensor.empty() : tensor<1x2x45x37xf32>
  %71 = linalg.transpose ins(%55 : tensor<1x2x37x45xf32>) outs(%70 : tensor<1x2x45x37xf32>) permutation = [0, 1, 3, 2]
  %72 = tensor.collapse_shape %71 [[0, 1], [2], [3]] : tensor<1x2x45x37xf32> into tensor<2x45x37xf32>
  %73 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %74 = tensor.empty() : tensor<2x45x16xf32>
  %75 = linalg.fill ins(%cst0 : f32) outs(%74 : tensor<2x45x16xf32>) -> tensor<2x45x16xf32>
  %76 = linalg.batch_matmul ins(%72, %73 : tensor<2x45x37xf32>, tensor<2x37x16xf32>) outs(%75 : tensor<2x45x16xf32>) -> tensor<2x45x16xf32>
  %77 = tensor.expand_shape %76 [[0, 1], [2], [3]] output_shape [1, 2, 45, 16] : tensor<2x45x16xf32> into tensor<1x2x45x16xf32>
  return %69, %77, %63 : tensor<1x2x37x16xf32>, tensor<1x2x45x16xf32>, tensor<1x2x45x16xf32>
}
