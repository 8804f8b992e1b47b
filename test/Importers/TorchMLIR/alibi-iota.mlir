// ALiBi built in the program: slopes by iota and powf, distances by iota, the
// causal mask added to them.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1368 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @alibi_iota(%q: tensor<1x4x37x16xf32>,
    %k: tensor<1x4x37x16xf32>,
    %v: tensor<1x4x37x16xf32>) -> tensor<1x4x37x16xf32> {
  %cst = arith.constant 1 : i64
  %cst_1 = arith.constant 2.000000e+00 : f32
  %cst_2 = arith.constant -2.000000e+00 : f32
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %cst_5 = arith.constant 2.50000000000000000e-01 : f64
  %cst_6 = arith.constant 0 : i64
  %0 = tensor.empty() : tensor<4xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<4xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<4xi64>
  %4 = tensor.empty() : tensor<4xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<4xi64>) outs(%4 : tensor<4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %6 = arith.addi %in, %cst : i64
    %7 = arith.sitofp %6 : i64 to f32
    %8 = arith.mulf %7, %cst_2 : f32
    %9 = math.powf %cst_1, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %10 = tensor.empty() : tensor<37xi64>
  %11 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%10 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %12 = linalg.index 0 : index
    %13 = arith.index_cast %12 : index to i64
    linalg.yield %13 : i64
  } -> tensor<37xi64>
  %14 = tensor.expand_shape %11 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %15 = tensor.empty() : tensor<37xi64>
  %16 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%15 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %17 = linalg.index 0 : index
    %18 = arith.index_cast %17 : index to i64
    linalg.yield %18 : i64
  } -> tensor<37xi64>
  %19 = tensor.expand_shape %16 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %20 = tensor.empty() : tensor<37x37xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%19, %14 : tensor<1x37xi64>, tensor<37x1xi64>) outs(%20 : tensor<37x37xf32>) {
  ^bb0(%in: i64, %in_1: i64, %out: f32):
    %22 = arith.subi %in, %in_1 : i64
    %23 = arith.sitofp %22 : i64 to f32
    linalg.yield %23 : f32
  } -> tensor<37x37xf32>
  %24 = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32>
  %25 = tensor.empty() : tensor<1x4x37x37xf32>
  %26 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %21 : tensor<1x4x1x1xf32>, tensor<37x37xf32>) outs(%25 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %27 = arith.mulf %in, %in_1 : f32
    linalg.yield %27 : f32
  } -> tensor<1x4x37x37xf32>
  %28 = tensor.empty() : tensor<37x37xi1>
  %29 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%19, %14 : tensor<1x37xi64>, tensor<37x1xi64>) outs(%28 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %30 = arith.cmpi sgt, %in, %in_1 : i64
    linalg.yield %30 : i1
  } -> tensor<37x37xi1>
  %31 = tensor.empty() : tensor<37x37xf32>
  %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<37x37xi1>) outs(%31 : tensor<37x37xf32>) {
  ^bb0(%in: i1, %out: f32):
    %33 = arith.select %in, %cst_3, %cst_4 : f32
    linalg.yield %33 : f32
  } -> tensor<37x37xf32>
  %34 = tensor.empty() : tensor<1x4x37x37xf32>
  %35 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %32 : tensor<1x4x37x37xf32>, tensor<37x37xf32>) outs(%34 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %36 = arith.addf %in, %in_1 : f32
    linalg.yield %36 : f32
  } -> tensor<1x4x37x37xf32>
  %37 = tensor.empty() : tensor<1x4x16x37xf32>
  %38 = linalg.transpose ins(%k : tensor<1x4x37x16xf32>) outs(%37 : tensor<1x4x16x37xf32>) permutation = [0, 1, 3, 2]
  %39 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %40 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x4x16x37xf32> into tensor<4x16x37xf32>
  %41 = tensor.empty() : tensor<4x37x37xf32>
  %42 = linalg.fill ins(%cst_4 : f32) outs(%41 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %43 = linalg.batch_matmul ins(%39, %40 : tensor<4x37x16xf32>, tensor<4x16x37xf32>) outs(%42 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %44 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 4, 37, 37] : tensor<4x37x37xf32> into tensor<1x4x37x37xf32>
  %45 = tensor.empty() : tensor<1x4x37x37xf32>
  %46 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x4x37x37xf32>) outs(%45 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %47 = arith.truncf %cst_5 : f64 to f32
    %48 = arith.mulf %in, %47 : f32
    linalg.yield %48 : f32
  } -> tensor<1x4x37x37xf32>
  %49 = tensor.empty() : tensor<1x4x37x37xf32>
  %50 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %35 : tensor<1x4x37x37xf32>, tensor<1x4x37x37xf32>) outs(%49 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %51 = arith.addf %in, %in_1 : f32
    linalg.yield %51 : f32
  } -> tensor<1x4x37x37xf32>
  %52 = tensor.empty() : tensor<1x4x37xi64>
  %53 = linalg.fill ins(%cst_6 : i64) outs(%52 : tensor<1x4x37xi64>) -> tensor<1x4x37xi64>
  %54 = tensor.empty() : tensor<1x4x37xf32>
  %55 = linalg.fill ins(%cst_3 : f32) outs(%54 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %56:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<1x4x37x37xf32>) outs(%55, %53 : tensor<1x4x37xf32>, tensor<1x4x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %57 = linalg.index 3 : index
    %58 = arith.index_cast %57 : index to i64
    %59 = arith.maximumf %in, %out : f32
    %60 = arith.cmpf ogt, %in, %out : f32
    %61 = arith.select %60, %58, %out_1 : i64
    linalg.yield %59, %61 : f32, i64
  } -> (tensor<1x4x37xf32>, tensor<1x4x37xi64>)
  %62 = tensor.expand_shape %56#0 [[0], [1], [2, 3]] output_shape [1, 4, 37, 1] : tensor<1x4x37xf32> into tensor<1x4x37x1xf32>
  %63 = tensor.empty() : tensor<1x4x37x37xf32>
  %64 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %62 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%63 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %65 = arith.subf %in, %in_1 : f32
    linalg.yield %65 : f32
  } -> tensor<1x4x37x37xf32>
  %66 = tensor.empty() : tensor<1x4x37x37xf32>
  %67 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x4x37x37xf32>) outs(%66 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = math.exp %in : f32
    linalg.yield %68 : f32
  } -> tensor<1x4x37x37xf32>
  %69 = tensor.empty() : tensor<1x4x37x1xf32>
  %70 = linalg.fill ins(%cst_4 : f32) outs(%69 : tensor<1x4x37x1xf32>) -> tensor<1x4x37x1xf32>
  %71 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x4x37x37xf32>) outs(%70 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %72 = arith.addf %in, %out : f32
    linalg.yield %72 : f32
  } -> tensor<1x4x37x1xf32>
  %73 = tensor.empty() : tensor<1x4x37x37xf32>
  %74 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %71 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%73 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %75 = arith.divf %in, %in_1 : f32
    linalg.yield %75 : f32
  } -> tensor<1x4x37x37xf32>
  %76 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<1x4x37x37xf32> into tensor<4x37x37xf32>
  %77 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %78 = tensor.empty() : tensor<4x37x16xf32>
  %79 = linalg.fill ins(%cst_4 : f32) outs(%78 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %80 = linalg.batch_matmul ins(%76, %77 : tensor<4x37x37xf32>, tensor<4x37x16xf32>) outs(%79 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %81 = tensor.expand_shape %80 [[0, 1], [2], [3]] output_shape [1, 4, 37, 16] : tensor<4x37x16xf32> into tensor<1x4x37x16xf32>
  return %81 : tensor<1x4x37x16xf32>
}
