// Prompts padded on the left, with the mask of transformers (Hugging Face): it adds the
// lowest finite number to the scores. All scores of a row in the padding have it.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=14272 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @left_padding_bf16(%q: tensor<2x3x37x16xbf16>,
    %k: tensor<2x3x37x16xbf16>,
    %v: tensor<2x3x37x16xbf16>,
    %start: tensor<2xi64> {check.draw = "uniform 0 36"}) -> (tensor<2x37x48xbf16>) {
  %c0 = arith.constant 0.0 : bf16
  %c1 = arith.constant -3.389530e+38 : bf16
  %c2 = arith.constant 0.0 : f32
  %c3 = arith.constant 2.500000e-01 : f64
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %3 = tensor.expand_shape %start [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %4 = tensor.empty() : tensor<2x37xi1>
  %5 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<1x37xi64>, tensor<2x1xi64>) outs(%4 : tensor<2x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<2x37xi1>
  %6 = tensor.empty() : tensor<37xi64>
  %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%6 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %8 = tensor.empty() : tensor<37xi64>
  %9 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%8 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %10 = tensor.expand_shape %7 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %11 = tensor.empty() : tensor<37x37xi1>
  %12 = linalg.generic {indexing_maps = [#map4, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<37xi64>, tensor<37x1xi64>) outs(%11 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<37x37xi1>
  %13 = tensor.expand_shape %12 [[0, 1, 2], [3]] output_shape [1, 1, 37, 37] : tensor<37x37xi1> into tensor<1x1x37x37xi1>
  %14 = tensor.expand_shape %5 [[0], [1, 2, 3]] output_shape [2, 1, 1, 37] : tensor<2x37xi1> into tensor<2x1x1x37xi1>
  %15 = tensor.empty() : tensor<2x1x37x37xi1>
  %16 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<1x1x37x37xi1>, tensor<2x1x1x37xi1>) outs(%15 : tensor<2x1x37x37xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out: i1):
    %res = arith.andi %in0, %in1 : i1
    linalg.yield %res : i1
  } -> tensor<2x1x37x37xi1>
  %17 = tensor.empty() : tensor<2x1x37x37xbf16>
  %18 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x1x37x37xi1>) outs(%17 : tensor<2x1x37x37xbf16>) {
  ^bb0(%in0: i1, %out: bf16):
    %res = arith.select %in0, %c0, %c1 : bf16
    linalg.yield %res : bf16
  } -> tensor<2x1x37x37xbf16>
  %19 = tensor.empty() : tensor<2x3x16x37xbf16>
  %20 = linalg.transpose ins(%k : tensor<2x3x37x16xbf16>) outs(%19 : tensor<2x3x16x37xbf16>) permutation = [0, 1, 3, 2]
  %21 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x37x16xbf16> into tensor<6x37x16xbf16>
  %22 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<2x3x16x37xbf16> into tensor<6x16x37xbf16>
  %23 = tensor.empty() : tensor<6x37x37xf32>
  %24 = linalg.fill ins(%c2 : f32) outs(%23 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %25 = linalg.batch_matmul ins(%21, %22 : tensor<6x37x16xbf16>, tensor<6x16x37xbf16>) outs(%24 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %26 = tensor.empty() : tensor<6x37x37xbf16>
  %27 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<6x37x37xf32>) outs(%26 : tensor<6x37x37xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %res = arith.truncf %in0 : f32 to bf16
    linalg.yield %res : bf16
  } -> tensor<6x37x37xbf16>
  %28 = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [2, 3, 37, 37] : tensor<6x37x37xbf16> into tensor<2x3x37x37xbf16>
  %29 = tensor.empty() : tensor<2x3x37x37xbf16>
  %30 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x3x37x37xbf16>) outs(%29 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %cc = arith.truncf %c3 : f64 to bf16
    %res = arith.mulf %in0, %cc : bf16
    linalg.yield %res : bf16
  } -> tensor<2x3x37x37xbf16>
  %31 = tensor.empty() : tensor<2x3x37x37xbf16>
  %32 = linalg.generic {indexing_maps = [#map7, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %18 : tensor<2x3x37x37xbf16>, tensor<2x1x37x37xbf16>) outs(%31 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out: bf16):
    %res = arith.addf %in0, %in1 : bf16
    linalg.yield %res : bf16
  } -> tensor<2x3x37x37xbf16>
  %33 = tensor.empty() : tensor<2x3x37x37xf32>
  %34 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x3x37x37xbf16>) outs(%33 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: bf16, %out: f32):
    %res = arith.extf %in0 : bf16 to f32
    linalg.yield %res : f32
  } -> tensor<2x3x37x37xf32>
  %35 = tensor.empty() : tensor<2x3x37xi64>
  %36 = linalg.fill ins(%c4 : i64) outs(%35 : tensor<2x3x37xi64>) -> tensor<2x3x37xi64>
  %37 = tensor.empty() : tensor<2x3x37xf32>
  %38 = linalg.fill ins(%c5 : f32) outs(%37 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %39:2 = linalg.generic {indexing_maps = [#map7, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x3x37x37xf32>) outs(%38, %36 : tensor<2x3x37xf32>, tensor<2x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<2x3x37xf32>, tensor<2x3x37xi64>)
  %40 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [2, 3, 37, 1] : tensor<2x3x37xf32> into tensor<2x3x37x1xf32>
  %41 = tensor.empty() : tensor<2x3x37x37xf32>
  %42 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %40 : tensor<2x3x37x37xf32>, tensor<2x3x37x1xf32>) outs(%41 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x37x37xf32>
  %43 = tensor.empty() : tensor<2x3x37x37xf32>
  %44 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<2x3x37x37xf32>) outs(%43 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x37x37xf32>
  %45 = tensor.empty() : tensor<2x3x37x1xf32>
  %46 = linalg.fill ins(%c2 : f32) outs(%45 : tensor<2x3x37x1xf32>) -> tensor<2x3x37x1xf32>
  %47 = linalg.generic {indexing_maps = [#map7, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<2x3x37x37xf32>) outs(%46 : tensor<2x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<2x3x37x1xf32>
  %48 = tensor.empty() : tensor<2x3x37x37xf32>
  %49 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %47 : tensor<2x3x37x37xf32>, tensor<2x3x37x1xf32>) outs(%48 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x37x37xf32>
  %50 = tensor.empty() : tensor<2x3x37x37xbf16>
  %51 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<2x3x37x37xf32>) outs(%50 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %res = arith.truncf %in0 : f32 to bf16
    linalg.yield %res : bf16
  } -> tensor<2x3x37x37xbf16>
  %52 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<2x3x37x37xbf16> into tensor<6x37x37xbf16>
  %53 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x37x16xbf16> into tensor<6x37x16xbf16>
  %54 = tensor.empty() : tensor<6x37x16xf32>
  %55 = linalg.fill ins(%c2 : f32) outs(%54 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %56 = linalg.batch_matmul ins(%52, %53 : tensor<6x37x37xbf16>, tensor<6x37x16xbf16>) outs(%55 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %57 = tensor.empty() : tensor<6x37x16xbf16>
  %58 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<6x37x16xf32>) outs(%57 : tensor<6x37x16xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %res = arith.truncf %in0 : f32 to bf16
    linalg.yield %res : bf16
  } -> tensor<6x37x16xbf16>
  %59 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [2, 3, 37, 16] : tensor<6x37x16xbf16> into tensor<2x3x37x16xbf16>
  %60 = tensor.empty() : tensor<2x37x3x16xbf16>
  %61 = linalg.transpose ins(%59 : tensor<2x3x37x16xbf16>) outs(%60 : tensor<2x37x3x16xbf16>) permutation = [0, 2, 1, 3]
  %62 = tensor.collapse_shape %61 [[0], [1], [2, 3]] : tensor<2x37x3x16xbf16> into tensor<2x37x48xbf16>
  return %62 : tensor<2x37x48xbf16>
}
