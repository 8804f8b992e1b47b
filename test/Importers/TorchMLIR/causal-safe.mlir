// Causal, from two counts, with the guard of hidden rows; bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @causal_safe(%q: tensor<1x3x37x16xbf16>,
                       %k: tensor<1x3x37x16xbf16>,
                       %v: tensor<1x3x37x16xbf16>) -> tensor<1x3x37x16xbf16> {
  %cst = arith.constant 0.000000e+00 : bf16
  %cst_1 = arith.constant 0xFF80 : bf16
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 2.50000000000000000e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %cst_6 = arith.constant true
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<37xi64>
  %4 = tensor.empty() : tensor<37xi64>
  %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%4 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %6 = linalg.index 0 : index
    %7 = arith.index_cast %6 : index to i64
    linalg.yield %7 : i64
  } -> tensor<37xi64>
  %8 = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %9 = tensor.expand_shape %5 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %10 = tensor.empty() : tensor<37x37xi1>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%9, %8 : tensor<1x37xi64>, tensor<37x1xi64>) outs(%10 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %12 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %12 : i1
  } -> tensor<37x37xi1>
  %13 = tensor.empty() : tensor<37x37xbf16>
  %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<37x37xi1>) outs(%13 : tensor<37x37xbf16>) {
  ^bb0(%in: i1, %out: bf16):
    %15 = arith.select %in, %cst, %cst_1 : bf16
    linalg.yield %15 : bf16
  } -> tensor<37x37xbf16>
  %16 = tensor.empty() : tensor<1x3x16x37xbf16>
  %17 = linalg.transpose ins(%k : tensor<1x3x37x16xbf16>) outs(%16 : tensor<1x3x16x37xbf16>) permutation = [0, 1, 3, 2]
  %18 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xbf16> into tensor<3x37x16xbf16>
  %19 = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<1x3x16x37xbf16> into tensor<3x16x37xbf16>
  %20 = tensor.empty() : tensor<3x37x37xf32>
  %21 = linalg.fill ins(%cst_2 : f32) outs(%20 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %22 = linalg.batch_matmul ins(%18, %19 : tensor<3x37x16xbf16>, tensor<3x16x37xbf16>) outs(%21 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %23 = tensor.empty() : tensor<3x37x37xbf16>
  %24 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<3x37x37xf32>) outs(%23 : tensor<3x37x37xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %25 = arith.truncf %in : f32 to bf16
    linalg.yield %25 : bf16
  } -> tensor<3x37x37xbf16>
  %26 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xbf16> into tensor<1x3x37x37xbf16>
  %27 = tensor.empty() : tensor<1x3x37x37xbf16>
  %28 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x3x37x37xbf16>) outs(%27 : tensor<1x3x37x37xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %29 = arith.truncf %cst_3 : f64 to bf16
    %30 = arith.mulf %in, %29 : bf16
    linalg.yield %30 : bf16
  } -> tensor<1x3x37x37xbf16>
  %31 = tensor.empty() : tensor<1x3x37x37xbf16>
  %32 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %14 : tensor<1x3x37x37xbf16>, tensor<37x37xbf16>) outs(%31 : tensor<1x3x37x37xbf16>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
    %33 = arith.addf %in, %in_1 : bf16
    linalg.yield %33 : bf16
  } -> tensor<1x3x37x37xbf16>
  %34 = tensor.empty() : tensor<1x3x37x37xf32>
  %35 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x3x37x37xbf16>) outs(%34 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %36 = arith.extf %in : bf16 to f32
    linalg.yield %36 : f32
  } -> tensor<1x3x37x37xf32>
  %37 = tensor.empty() : tensor<1x3x37xi64>
  %38 = linalg.fill ins(%cst_4 : i64) outs(%37 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %39 = tensor.empty() : tensor<1x3x37xf32>
  %40 = linalg.fill ins(%cst_5 : f32) outs(%39 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %41:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x3x37x37xf32>) outs(%40, %38 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %42 = linalg.index 3 : index
    %43 = arith.index_cast %42 : index to i64
    %44 = arith.maximumf %in, %out : f32
    %45 = arith.cmpf ogt, %in, %out : f32
    %46 = arith.select %45, %43, %out_1 : i64
    linalg.yield %44, %46 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %47 = tensor.expand_shape %41#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %48 = tensor.empty() : tensor<1x3x37x37xf32>
  %49 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %47 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%48 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %50 = arith.subf %in, %in_1 : f32
    linalg.yield %50 : f32
  } -> tensor<1x3x37x37xf32>
  %51 = tensor.empty() : tensor<1x3x37x37xf32>
  %52 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x3x37x37xf32>) outs(%51 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %53 = math.exp %in : f32
    linalg.yield %53 : f32
  } -> tensor<1x3x37x37xf32>
  %54 = tensor.empty() : tensor<1x3x37x1xf32>
  %55 = linalg.fill ins(%cst_2 : f32) outs(%54 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %56 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x3x37x37xf32>) outs(%55 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = arith.addf %in, %out : f32
    linalg.yield %57 : f32
  } -> tensor<1x3x37x1xf32>
  %58 = tensor.empty() : tensor<1x3x37x37xf32>
  %59 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %56 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%58 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %60 = arith.divf %in, %in_1 : f32
    linalg.yield %60 : f32
  } -> tensor<1x3x37x37xf32>
  %61 = tensor.empty() : tensor<1x3x37x37xi1>
  %62 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x3x37x37xf32>) outs(%61 : tensor<1x3x37x37xi1>) {
  ^bb0(%in: f32, %out: i1):
    %63 = arith.cmpf ueq, %in, %cst_5 : f32
    linalg.yield %63 : i1
  } -> tensor<1x3x37x37xi1>
  %64 = tensor.empty() : tensor<1x3x37x1xi1>
  %65 = linalg.fill ins(%cst_6 : i1) outs(%64 : tensor<1x3x37x1xi1>) -> tensor<1x3x37x1xi1>
  %66 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<1x3x37x37xi1>) outs(%65 : tensor<1x3x37x1xi1>) {
  ^bb0(%in: i1, %out: i1):
    %67 = arith.andi %in, %out : i1
    linalg.yield %67 : i1
  } -> tensor<1x3x37x1xi1>
  %68 = tensor.empty() : tensor<1x3x37x37xf32>
  %69 = linalg.generic {indexing_maps = [#map8, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %59 : tensor<1x3x37x1xi1>, tensor<1x3x37x37xf32>) outs(%68 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %70 = arith.select %in, %cst_2, %in_1 : f32
    linalg.yield %70 : f32
  } -> tensor<1x3x37x37xf32>
  %71 = tensor.empty() : tensor<1x3x37x37xbf16>
  %72 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x3x37x37xf32>) outs(%71 : tensor<1x3x37x37xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %73 = arith.truncf %in : f32 to bf16
    linalg.yield %73 : bf16
  } -> tensor<1x3x37x37xbf16>
  %74 = tensor.collapse_shape %72 [[0, 1], [2], [3]] : tensor<1x3x37x37xbf16> into tensor<3x37x37xbf16>
  %75 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x37x16xbf16> into tensor<3x37x16xbf16>
  %76 = tensor.empty() : tensor<3x37x16xf32>
  %77 = linalg.fill ins(%cst_2 : f32) outs(%76 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %78 = linalg.batch_matmul ins(%74, %75 : tensor<3x37x37xbf16>, tensor<3x37x16xbf16>) outs(%77 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %79 = tensor.empty() : tensor<3x37x16xbf16>
  %80 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<3x37x16xf32>) outs(%79 : tensor<3x37x16xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %81 = arith.truncf %in : f32 to bf16
    linalg.yield %81 : bf16
  } -> tensor<3x37x16xbf16>
  %82 = tensor.expand_shape %80 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xbf16> into tensor<1x3x37x16xbf16>
  return %82 : tensor<1x3x37x16xbf16>
}
