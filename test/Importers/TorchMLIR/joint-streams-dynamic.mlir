// Text and image are one sequence in attention, as in joint-streams, of sizes that are known at
// run time: attention for each of the two results.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=3528 --keys=16 \
// RUN:   --sizes=1x13x32,1x13x32,1x13x32,1x29x32,1x29x32,1x29x32

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @joint_streams_dynamic(%q_text: tensor<1x?x32xf32>,
    %k_text: tensor<1x?x32xf32>,
    %v_text: tensor<1x?x32xf32>,
    %q_image: tensor<1x?x32xf32>,
    %k_image: tensor<1x?x32xf32>,
    %v_image: tensor<1x?x32xf32>) -> (tensor<1x?x32xf32>, tensor<1x?x32xf32>) {
  %cst0 = arith.constant 1 : index
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 2.500000e-01 : f32
  %cst3 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %q_text, %cst0 : tensor<1x?x32xf32>
  %I = tensor.dim %q_image, %cst0 : tensor<1x?x32xf32>
  %0 = tensor.expand_shape %q_text [[0], [1], [2, 3]] output_shape [1, %T, 2, 16] : tensor<1x?x32xf32> into tensor<1x?x2x16xf32>
  %1 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %2 = linalg.transpose ins(%0 : tensor<1x?x2x16xf32>) outs(%1 : tensor<1x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %3 = tensor.expand_shape %q_image [[0], [1], [2, 3]] output_shape [1, %I, 2, 16] : tensor<1x?x32xf32> into tensor<1x?x2x16xf32>
  %4 = tensor.empty(%I) : tensor<1x2x?x16xf32>
  %5 = linalg.transpose ins(%3 : tensor<1x?x2x16xf32>) outs(%4 : tensor<1x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %6 = arith.addi %T, %I : index
  %7 = tensor.concat dim(2) %2, %5 : (tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
  %8 = tensor.expand_shape %k_text [[0], [1], [2, 3]] output_shape [1, %T, 2, 16] : tensor<1x?x32xf32> into tensor<1x?x2x16xf32>
  %9 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %10 = linalg.transpose ins(%8 : tensor<1x?x2x16xf32>) outs(%9 : tensor<1x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %11 = tensor.expand_shape %k_image [[0], [1], [2, 3]] output_shape [1, %I, 2, 16] : tensor<1x?x32xf32> into tensor<1x?x2x16xf32>
  %12 = tensor.empty(%I) : tensor<1x2x?x16xf32>
  %13 = linalg.transpose ins(%11 : tensor<1x?x2x16xf32>) outs(%12 : tensor<1x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %14 = arith.addi %T, %I : index
  %15 = tensor.concat dim(2) %10, %13 : (tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
  %16 = tensor.expand_shape %v_text [[0], [1], [2, 3]] output_shape [1, %T, 2, 16] : tensor<1x?x32xf32> into tensor<1x?x2x16xf32>
  %17 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %18 = linalg.transpose ins(%16 : tensor<1x?x2x16xf32>) outs(%17 : tensor<1x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %19 = tensor.expand_shape %v_image [[0], [1], [2, 3]] output_shape [1, %I, 2, 16] : tensor<1x?x32xf32> into tensor<1x?x2x16xf32>
  %20 = tensor.empty(%I) : tensor<1x2x?x16xf32>
  %21 = linalg.transpose ins(%19 : tensor<1x?x2x16xf32>) outs(%20 : tensor<1x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %22 = arith.addi %T, %I : index
  %23 = tensor.concat dim(2) %18, %21 : (tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
  %24 = tensor.empty(%14) : tensor<1x2x16x?xf32>
  %25 = linalg.transpose ins(%15 : tensor<1x2x?x16xf32>) outs(%24 : tensor<1x2x16x?xf32>) permutation = [0, 1, 3, 2]
  %26 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x2x?x16xf32> into tensor<2x?x16xf32>
  %27 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x2x16x?xf32> into tensor<2x16x?xf32>
  %28 = tensor.empty(%6, %14) : tensor<2x?x?xf32>
  %29 = linalg.fill ins(%cst1 : f32) outs(%28 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %30 = linalg.batch_matmul ins(%26, %27 : tensor<2x?x16xf32>, tensor<2x16x?xf32>) outs(%29 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %31 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 2, %6, %14] : tensor<2x?x?xf32> into tensor<1x2x?x?xf32>
  %32 = tensor.empty(%6, %14) : tensor<1x2x?x?xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x?x?xf32>) outs(%32 : tensor<1x2x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %34 = tensor.empty(%6) : tensor<1x2x?x1xf32>
  %35 = linalg.fill ins(%cst3 : f32) outs(%34 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x?x?xf32>) outs(%35 : tensor<1x2x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %37 = tensor.empty(%6, %14) : tensor<1x2x?x?xf32>
  %38 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%37 : tensor<1x2x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %39 = tensor.empty(%6, %14) : tensor<1x2x?x?xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x?x?xf32>) outs(%39 : tensor<1x2x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %41 = tensor.empty(%6) : tensor<1x2x?x1xf32>
  %42 = linalg.fill ins(%cst1 : f32) outs(%41 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x2x?x?xf32>) outs(%42 : tensor<1x2x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %44 = tensor.empty(%6, %14) : tensor<1x2x?x?xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%44 : tensor<1x2x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %46 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x2x?x?xf32> into tensor<2x?x?xf32>
  %47 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x2x?x16xf32> into tensor<2x?x16xf32>
  %48 = tensor.empty(%6) : tensor<2x?x16xf32>
  %49 = linalg.fill ins(%cst1 : f32) outs(%48 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %50 = linalg.batch_matmul ins(%46, %47 : tensor<2x?x?xf32>, tensor<2x?x16xf32>) outs(%49 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %51 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 2, %6, 16] : tensor<2x?x16xf32> into tensor<1x2x?x16xf32>
  %52 = tensor.empty(%6) : tensor<1x?x2x16xf32>
  %53 = linalg.transpose ins(%51 : tensor<1x2x?x16xf32>) outs(%52 : tensor<1x?x2x16xf32>) permutation = [0, 2, 1, 3]
  %54 = tensor.collapse_shape %53 [[0], [1], [2, 3]] : tensor<1x?x2x16xf32> into tensor<1x?x32xf32>
  %55 = tensor.extract_slice %54[0, 0, 0] [1, %T, 32] [1, 1, 1] : tensor<1x?x32xf32> to tensor<1x?x32xf32>
  %56 = tensor.extract_slice %54[0, %T, 0] [1, %I, 32] [1, 1, 1] : tensor<1x?x32xf32> to tensor<1x?x32xf32>
  return %55, %56 : tensor<1x?x32xf32>, tensor<1x?x32xf32>
}
