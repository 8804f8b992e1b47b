// Causal, from two counts; f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

// Several blocks of rows on a GPU, of which those of many heads begin together;
// of more heads than that as well.

// RUN: linalg-ext-check-program %s --targets=gpu --keys=16 --gpu-options=rows=16
// RUN: sed -e 's/x3x/x150x/g' -e 's/<3x/<150x/g' -e 's/\[1, 3, /[1, 150, /g' %s \
// RUN:   | linalg-ext-check-program - --targets=gpu --keys=16 --gpu-options=rows=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @causal_f16(%q: tensor<1x3x37x16xf16>,
                      %k: tensor<1x3x37x16xf16>,
                      %v: tensor<1x3x37x16xf16>) -> tensor<1x3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %cst_1 = arith.constant 0xFC00 : f16
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 2.50000000000000000e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
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
  %8 = tensor.expand_shape %5 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %9 = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %10 = tensor.empty() : tensor<37x37xi1>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<1x37xi64>, tensor<37x1xi64>) outs(%10 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %12 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %12 : i1
  } -> tensor<37x37xi1>
  %13 = tensor.empty() : tensor<37x37xf16>
  %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<37x37xi1>) outs(%13 : tensor<37x37xf16>) {
  ^bb0(%in: i1, %out: f16):
    %15 = arith.select %in, %cst, %cst_1 : f16
    linalg.yield %15 : f16
  } -> tensor<37x37xf16>
  %16 = tensor.empty() : tensor<1x3x16x37xf16>
  %17 = linalg.transpose ins(%k : tensor<1x3x37x16xf16>) outs(%16 : tensor<1x3x16x37xf16>) permutation = [0, 1, 3, 2]
  %18 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %19 = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<1x3x16x37xf16> into tensor<3x16x37xf16>
  %20 = tensor.empty() : tensor<3x37x37xf32>
  %21 = linalg.fill ins(%cst_2 : f32) outs(%20 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %22 = linalg.batch_matmul ins(%18, %19 : tensor<3x37x16xf16>, tensor<3x16x37xf16>) outs(%21 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %23 = tensor.empty() : tensor<3x37x37xf16>
  %24 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<3x37x37xf32>) outs(%23 : tensor<3x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %25 = arith.truncf %in : f32 to f16
    linalg.yield %25 : f16
  } -> tensor<3x37x37xf16>
  %26 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf16> into tensor<1x3x37x37xf16>
  %27 = tensor.empty() : tensor<1x3x37x37xf16>
  %28 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x3x37x37xf16>) outs(%27 : tensor<1x3x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %29 = arith.truncf %cst_3 : f64 to f16
    %30 = arith.mulf %in, %29 : f16
    linalg.yield %30 : f16
  } -> tensor<1x3x37x37xf16>
  %31 = tensor.empty() : tensor<1x3x37x37xf16>
  %32 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %14 : tensor<1x3x37x37xf16>, tensor<37x37xf16>) outs(%31 : tensor<1x3x37x37xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %33 = arith.addf %in, %in_1 : f16
    linalg.yield %33 : f16
  } -> tensor<1x3x37x37xf16>
  %34 = tensor.empty() : tensor<1x3x37x37xf32>
  %35 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x3x37x37xf16>) outs(%34 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f16, %out: f32):
    %36 = arith.extf %in : f16 to f32
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
  %61 = tensor.empty() : tensor<1x3x37x37xf16>
  %62 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x3x37x37xf32>) outs(%61 : tensor<1x3x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %63 = arith.truncf %in : f32 to f16
    linalg.yield %63 : f16
  } -> tensor<1x3x37x37xf16>
  %64 = tensor.collapse_shape %62 [[0, 1], [2], [3]] : tensor<1x3x37x37xf16> into tensor<3x37x37xf16>
  %65 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %66 = tensor.empty() : tensor<3x37x16xf32>
  %67 = linalg.fill ins(%cst_2 : f32) outs(%66 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %68 = linalg.batch_matmul ins(%64, %65 : tensor<3x37x37xf16>, tensor<3x37x16xf16>) outs(%67 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %69 = tensor.empty() : tensor<3x37x16xf16>
  %70 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<3x37x16xf32>) outs(%69 : tensor<3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %71 = arith.truncf %in : f32 to f16
    linalg.yield %71 : f16
  } -> tensor<3x37x16xf16>
  %72 = tensor.expand_shape %70 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf16> into tensor<1x3x37x16xf16>
  return %72 : tensor<1x3x37x16xf16>
}
