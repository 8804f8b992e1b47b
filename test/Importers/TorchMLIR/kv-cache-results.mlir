// The same, causal, with the longer cache as results: a kernel for each of the
// four parts that are copied, and one.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7656 --max-kernels=5 \
// RUN:   --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @kv_cache_results(%q: tensor<1x3x37x16xf32>,
                            %past_k: tensor<1x3x13x16xf32>,
                            %past_v: tensor<1x3x13x16xf32>,
                            %k: tensor<1x3x37x16xf32>,
                            %v: tensor<1x3x37x16xf32>) -> (tensor<1x3x37x16xf32>, tensor<1x3x50x16xf32>, tensor<1x3x50x16xf32>) {
  %cst = arith.constant 13 : i64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 2.50000000000000000e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %0 = tensor.concat dim(2) %past_k, %k : (tensor<1x3x13x16xf32>, tensor<1x3x37x16xf32>) -> tensor<1x3x50x16xf32>
  %1 = tensor.concat dim(2) %past_v, %v : (tensor<1x3x13x16xf32>, tensor<1x3x37x16xf32>) -> tensor<1x3x50x16xf32>
  %2 = tensor.empty() : tensor<37xi64>
  %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%2 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %4 = linalg.index 0 : index
    %5 = arith.index_cast %4 : index to i64
    linalg.yield %5 : i64
  } -> tensor<37xi64>
  %6 = tensor.empty() : tensor<50xi64>
  %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%6 : tensor<50xi64>) {
  ^bb0(%out: i64):
    %8 = linalg.index 0 : index
    %9 = arith.index_cast %8 : index to i64
    linalg.yield %9 : i64
  } -> tensor<50xi64>
  %10 = tensor.expand_shape %3 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %11 = tensor.expand_shape %7 [[0, 1]] output_shape [1, 50] : tensor<50xi64> into tensor<1x50xi64>
  %12 = tensor.empty() : tensor<37x1xi64>
  %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<37x1xi64>) outs(%12 : tensor<37x1xi64>) {
  ^bb0(%in: i64, %out: i64):
    %14 = arith.addi %in, %cst : i64
    linalg.yield %14 : i64
  } -> tensor<37x1xi64>
  %15 = tensor.empty() : tensor<37x50xi1>
  %16 = linalg.generic {indexing_maps = [#map2, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %13 : tensor<1x50xi64>, tensor<37x1xi64>) outs(%15 : tensor<37x50xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %17 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %17 : i1
  } -> tensor<37x50xi1>
  %18 = tensor.empty() : tensor<37x50xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<37x50xi1>) outs(%18 : tensor<37x50xf32>) {
  ^bb0(%in: i1, %out: f32):
    %20 = arith.select %in, %cst_1, %cst_2 : f32
    linalg.yield %20 : f32
  } -> tensor<37x50xf32>
  %21 = tensor.empty() : tensor<1x3x16x50xf32>
  %22 = linalg.transpose ins(%0 : tensor<1x3x50x16xf32>) outs(%21 : tensor<1x3x16x50xf32>) permutation = [0, 1, 3, 2]
  %23 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %24 = tensor.collapse_shape %22 [[0, 1], [2], [3]] : tensor<1x3x16x50xf32> into tensor<3x16x50xf32>
  %25 = tensor.empty() : tensor<3x37x50xf32>
  %26 = linalg.fill ins(%cst_1 : f32) outs(%25 : tensor<3x37x50xf32>) -> tensor<3x37x50xf32>
  %27 = linalg.batch_matmul ins(%23, %24 : tensor<3x37x16xf32>, tensor<3x16x50xf32>) outs(%26 : tensor<3x37x50xf32>) -> tensor<3x37x50xf32>
  %28 = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [1, 3, 37, 50] : tensor<3x37x50xf32> into tensor<1x3x37x50xf32>
  %29 = tensor.empty() : tensor<1x3x37x50xf32>
  %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x3x37x50xf32>) outs(%29 : tensor<1x3x37x50xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.truncf %cst_3 : f64 to f32
    %32 = arith.mulf %in, %31 : f32
    linalg.yield %32 : f32
  } -> tensor<1x3x37x50xf32>
  %33 = tensor.empty() : tensor<1x3x37x50xf32>
  %34 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %19 : tensor<1x3x37x50xf32>, tensor<37x50xf32>) outs(%33 : tensor<1x3x37x50xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.addf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x37x50xf32>
  %36 = tensor.empty() : tensor<1x3x37xi64>
  %37 = linalg.fill ins(%cst_4 : i64) outs(%36 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %38 = tensor.empty() : tensor<1x3x37xf32>
  %39 = linalg.fill ins(%cst_2 : f32) outs(%38 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %40:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x3x37x50xf32>) outs(%39, %37 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %41 = linalg.index 3 : index
    %42 = arith.index_cast %41 : index to i64
    %43 = arith.maximumf %in, %out : f32
    %44 = arith.cmpf ogt, %in, %out : f32
    %45 = arith.select %44, %42, %out_1 : i64
    linalg.yield %43, %45 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %46 = tensor.expand_shape %40#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %47 = tensor.empty() : tensor<1x3x37x50xf32>
  %48 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %46 : tensor<1x3x37x50xf32>, tensor<1x3x37x1xf32>) outs(%47 : tensor<1x3x37x50xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %49 = arith.subf %in, %in_1 : f32
    linalg.yield %49 : f32
  } -> tensor<1x3x37x50xf32>
  %50 = tensor.empty() : tensor<1x3x37x50xf32>
  %51 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x3x37x50xf32>) outs(%50 : tensor<1x3x37x50xf32>) {
  ^bb0(%in: f32, %out: f32):
    %52 = math.exp %in : f32
    linalg.yield %52 : f32
  } -> tensor<1x3x37x50xf32>
  %53 = tensor.empty() : tensor<1x3x37x1xf32>
  %54 = linalg.fill ins(%cst_1 : f32) outs(%53 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %55 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<1x3x37x50xf32>) outs(%54 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %56 = arith.addf %in, %out : f32
    linalg.yield %56 : f32
  } -> tensor<1x3x37x1xf32>
  %57 = tensor.empty() : tensor<1x3x37x50xf32>
  %58 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %55 : tensor<1x3x37x50xf32>, tensor<1x3x37x1xf32>) outs(%57 : tensor<1x3x37x50xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %59 = arith.divf %in, %in_1 : f32
    linalg.yield %59 : f32
  } -> tensor<1x3x37x50xf32>
  %60 = tensor.collapse_shape %58 [[0, 1], [2], [3]] : tensor<1x3x37x50xf32> into tensor<3x37x50xf32>
  %61 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x50x16xf32> into tensor<3x50x16xf32>
  %62 = tensor.empty() : tensor<3x37x16xf32>
  %63 = linalg.fill ins(%cst_1 : f32) outs(%62 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %64 = linalg.batch_matmul ins(%60, %61 : tensor<3x37x50xf32>, tensor<3x50x16xf32>) outs(%63 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %65 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %65, %0, %1 : tensor<1x3x37x16xf32>, tensor<1x3x50x16xf32>, tensor<1x3x50x16xf32>
}
