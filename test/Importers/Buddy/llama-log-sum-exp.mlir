// LLaMA and DeepSeek: rotary positions, softmax by the log-sum-exp,
// exp(x - (m + log l)).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=8704 \
// RUN:   --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @buddy_attention(%q: tensor<1x4x33x16xf32>,
                           %k: tensor<1x4x33x16xf32>,
                           %v: tensor<1x4x33x16xf32>,
                           %cos: tensor<1x1x33x16xf32>,
                           %sin: tensor<1x1x33x16xf32>,
                           %mask: tensor<1x1x33x33xf32> {check.draw = "mask 0.3 -3.4e38"}) -> tensor<1x4x33x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant -3.40282347E+38 : f32
  %0 = tensor.empty() : tensor<1x4x33x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %cos : tensor<1x4x33x16xf32>, tensor<1x1x33x16xf32>) outs(%0 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %2 = arith.mulf %in, %in_1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x4x33x16xf32>
  %3 = tensor.extract_slice %q[0, 0, 0, 0] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf32> to tensor<1x4x33x8xf32>
  %4 = tensor.extract_slice %q[0, 0, 0, 8] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf32> to tensor<1x4x33x8xf32>
  %5 = tensor.empty() : tensor<1x4x33x8xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x4x33x8xf32>) outs(%5 : tensor<1x4x33x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.negf %in : f32
    linalg.yield %7 : f32
  } -> tensor<1x4x33x8xf32>
  %8 = tensor.concat dim(3) %6, %3 : (tensor<1x4x33x8xf32>, tensor<1x4x33x8xf32>) -> tensor<1x4x33x16xf32>
  %9 = tensor.empty() : tensor<1x4x33x16xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %sin : tensor<1x4x33x16xf32>, tensor<1x1x33x16xf32>) outs(%9 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %11 = arith.mulf %in, %in_1 : f32
    linalg.yield %11 : f32
  } -> tensor<1x4x33x16xf32>
  %12 = tensor.empty() : tensor<1x4x33x16xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %10 : tensor<1x4x33x16xf32>, tensor<1x4x33x16xf32>) outs(%12 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %14 = arith.addf %in, %in_1 : f32
    linalg.yield %14 : f32
  } -> tensor<1x4x33x16xf32>
  %15 = tensor.empty() : tensor<1x4x33x16xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %cos : tensor<1x4x33x16xf32>, tensor<1x1x33x16xf32>) outs(%15 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %17 = arith.mulf %in, %in_1 : f32
    linalg.yield %17 : f32
  } -> tensor<1x4x33x16xf32>
  %18 = tensor.extract_slice %k[0, 0, 0, 0] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf32> to tensor<1x4x33x8xf32>
  %19 = tensor.extract_slice %k[0, 0, 0, 8] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf32> to tensor<1x4x33x8xf32>
  %20 = tensor.empty() : tensor<1x4x33x8xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x4x33x8xf32>) outs(%20 : tensor<1x4x33x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.negf %in : f32
    linalg.yield %22 : f32
  } -> tensor<1x4x33x8xf32>
  %23 = tensor.concat dim(3) %21, %18 : (tensor<1x4x33x8xf32>, tensor<1x4x33x8xf32>) -> tensor<1x4x33x16xf32>
  %24 = tensor.empty() : tensor<1x4x33x16xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %sin : tensor<1x4x33x16xf32>, tensor<1x1x33x16xf32>) outs(%24 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %26 = arith.mulf %in, %in_1 : f32
    linalg.yield %26 : f32
  } -> tensor<1x4x33x16xf32>
  %27 = tensor.empty() : tensor<1x4x33x16xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %25 : tensor<1x4x33x16xf32>, tensor<1x4x33x16xf32>) outs(%27 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %29 = arith.addf %in, %in_1 : f32
    linalg.yield %29 : f32
  } -> tensor<1x4x33x16xf32>
  %30 = tensor.empty() : tensor<1x4x16x33xf32>
  %31 = linalg.transpose ins(%28 : tensor<1x4x33x16xf32>) outs(%30 : tensor<1x4x16x33xf32>) permutation = [0, 1, 3, 2]
  %32 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x4x16x33xf32> into tensor<4x16x33xf32>
  %33 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x4x33x16xf32> into tensor<4x33x16xf32>
  %34 = tensor.empty() : tensor<4x33x33xf32>
  %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %36 = linalg.batch_matmul ins(%33, %32 : tensor<4x33x16xf32>, tensor<4x16x33xf32>) outs(%35 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %37 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 4, 33, 33] : tensor<4x33x33xf32> into tensor<1x4x33x33xf32>
  %38 = tensor.empty() : tensor<1x1x1x1xf32>
  %39 = linalg.fill ins(%cst_1 : f32) outs(%38 : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %40 = tensor.empty() : tensor<1x4x33x33xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %39 : tensor<1x4x33x33xf32>, tensor<1x1x1x1xf32>) outs(%40 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %42 = arith.mulf %in, %in_1 : f32
    linalg.yield %42 : f32
  } -> tensor<1x4x33x33xf32>
  %43 = tensor.empty() : tensor<1x4x33x33xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %mask : tensor<1x4x33x33xf32>, tensor<1x1x33x33xf32>) outs(%43 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %45 = arith.addf %in, %in_1 : f32
    linalg.yield %45 : f32
  } -> tensor<1x4x33x33xf32>
  %47 = tensor.empty() : tensor<1x4x33xf32>
  %48 = linalg.fill ins(%cst_2 : f32) outs(%47 : tensor<1x4x33xf32>) -> tensor<1x4x33xf32>
  %46 = linalg.reduce { arith.maximumf } ins(%44 : tensor<1x4x33x33xf32>) outs(%48 : tensor<1x4x33xf32>) dimensions = [3]
  %49 = tensor.expand_shape %46 [[0], [1], [2, 3]] output_shape [1, 4, 33, 1] : tensor<1x4x33xf32> into tensor<1x4x33x1xf32>
  %50 = tensor.empty() : tensor<1x4x33x33xf32>
  %51 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %49 : tensor<1x4x33x33xf32>, tensor<1x4x33x1xf32>) outs(%50 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %52 = arith.subf %in, %in_1 : f32
    linalg.yield %52 : f32
  } -> tensor<1x4x33x33xf32>
  %53 = tensor.empty() : tensor<1x4x33x33xf32>
  %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x4x33x33xf32>) outs(%53 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %55 = math.exp %in : f32
    linalg.yield %55 : f32
  } -> tensor<1x4x33x33xf32>
  %57 = tensor.empty() : tensor<1x4x33xf32>
  %58 = linalg.fill ins(%cst : f32) outs(%57 : tensor<1x4x33xf32>) -> tensor<1x4x33xf32>
  %56 = linalg.reduce { arith.addf } ins(%54 : tensor<1x4x33x33xf32>) outs(%58 : tensor<1x4x33xf32>) dimensions = [3]
  %59 = tensor.expand_shape %56 [[0], [1], [2, 3]] output_shape [1, 4, 33, 1] : tensor<1x4x33xf32> into tensor<1x4x33x1xf32>
  %60 = tensor.empty() : tensor<1x4x33x1xf32>
  %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x4x33x1xf32>) outs(%60 : tensor<1x4x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = math.log %in : f32
    linalg.yield %62 : f32
  } -> tensor<1x4x33x1xf32>
  %63 = tensor.empty() : tensor<1x4x33x1xf32>
  %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %61 : tensor<1x4x33x1xf32>, tensor<1x4x33x1xf32>) outs(%63 : tensor<1x4x33x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %65 = arith.addf %in, %in_1 : f32
    linalg.yield %65 : f32
  } -> tensor<1x4x33x1xf32>
  %66 = tensor.empty() : tensor<1x4x33x33xf32>
  %67 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %64 : tensor<1x4x33x33xf32>, tensor<1x4x33x1xf32>) outs(%66 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %68 = arith.subf %in, %in_1 : f32
    linalg.yield %68 : f32
  } -> tensor<1x4x33x33xf32>
  %69 = tensor.empty() : tensor<1x4x33x33xf32>
  %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x4x33x33xf32>) outs(%69 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %71 = math.exp %in : f32
    linalg.yield %71 : f32
  } -> tensor<1x4x33x33xf32>
  %72 = tensor.collapse_shape %70 [[0, 1], [2], [3]] : tensor<1x4x33x33xf32> into tensor<4x33x33xf32>
  %73 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x4x33x16xf32> into tensor<4x33x16xf32>
  %74 = tensor.empty() : tensor<4x33x16xf32>
  %75 = linalg.fill ins(%cst : f32) outs(%74 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %76 = linalg.batch_matmul ins(%72, %73 : tensor<4x33x33xf32>, tensor<4x33x16xf32>) outs(%75 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %77 = tensor.expand_shape %76 [[0, 1], [2], [3]] output_shape [1, 4, 33, 16] : tensor<4x33x16xf32> into tensor<1x4x33x16xf32>
  return %77 : tensor<1x4x33x16xf32>
}
