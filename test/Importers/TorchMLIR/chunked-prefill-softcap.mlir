// A chunk of a prompt: queries begin at a position that is an argument, and see what
// is before; logits are capped; bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @chunked_prefill_softcap(%q: tensor<1x3x19x16xbf16>,
    %k: tensor<1x3x61x16xbf16>,
    %v: tensor<1x3x61x16xbf16>,
    %start: i64 {check.draw = "uniform 0 42"}) -> (tensor<1x19x48xbf16>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 3.000000e+01 : f64
  %c3 = arith.constant 0xFF80 : bf16
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<19xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<19xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<19xi64>
  %2 = tensor.empty() : tensor<61xi64>
  %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%2 : tensor<61xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<61xi64>
  %4 = tensor.empty() : tensor<19xi64>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<19xi64>) outs(%4 : tensor<19xi64>) {
  ^bb0(%in0: i64, %out: i64):
    %res = arith.addi %in0, %start : i64
    linalg.yield %res : i64
  } -> tensor<19xi64>
  %6 = tensor.expand_shape %5 [[0, 1]] output_shape [19, 1] : tensor<19xi64> into tensor<19x1xi64>
  %7 = tensor.empty() : tensor<19x61xi1>
  %8 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<61xi64>, tensor<19x1xi64>) outs(%7 : tensor<19x61xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<19x61xi1>
  %9 = tensor.empty() : tensor<1x3x16x61xbf16>
  %10 = linalg.transpose ins(%k : tensor<1x3x61x16xbf16>) outs(%9 : tensor<1x3x16x61xbf16>) permutation = [0, 1, 3, 2]
  %11 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x19x16xbf16> into tensor<3x19x16xbf16>
  %12 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<1x3x16x61xbf16> into tensor<3x16x61xbf16>
  %13 = tensor.empty() : tensor<3x19x61xf32>
  %14 = linalg.fill ins(%c0 : f32) outs(%13 : tensor<3x19x61xf32>) -> tensor<3x19x61xf32>
  %15 = linalg.batch_matmul ins(%11, %12 : tensor<3x19x16xbf16>, tensor<3x16x61xbf16>) outs(%14 : tensor<3x19x61xf32>) -> tensor<3x19x61xf32>
  %16 = tensor.empty() : tensor<3x19x61xbf16>
  %17 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<3x19x61xf32>) outs(%16 : tensor<3x19x61xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %res = arith.truncf %in0 : f32 to bf16
    linalg.yield %res : bf16
  } -> tensor<3x19x61xbf16>
  %18 = tensor.expand_shape %17 [[0, 1], [2], [3]] output_shape [1, 3, 19, 61] : tensor<3x19x61xbf16> into tensor<1x3x19x61xbf16>
  %19 = tensor.empty() : tensor<1x3x19x61xbf16>
  %20 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x3x19x61xbf16>) outs(%19 : tensor<1x3x19x61xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %cc = arith.truncf %c1 : f64 to bf16
    %res = arith.mulf %in0, %cc : bf16
    linalg.yield %res : bf16
  } -> tensor<1x3x19x61xbf16>
  %21 = tensor.empty() : tensor<1x3x19x61xbf16>
  %22 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x3x19x61xbf16>) outs(%21 : tensor<1x3x19x61xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %cc = arith.truncf %c2 : f64 to bf16
    %res = arith.divf %in0, %cc : bf16
    linalg.yield %res : bf16
  } -> tensor<1x3x19x61xbf16>
  %23 = tensor.empty() : tensor<1x3x19x61xbf16>
  %24 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x3x19x61xbf16>) outs(%23 : tensor<1x3x19x61xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %res = math.tanh %in0 : bf16
    linalg.yield %res : bf16
  } -> tensor<1x3x19x61xbf16>
  %25 = tensor.empty() : tensor<1x3x19x61xbf16>
  %26 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x3x19x61xbf16>) outs(%25 : tensor<1x3x19x61xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %cc = arith.truncf %c2 : f64 to bf16
    %res = arith.mulf %in0, %cc : bf16
    linalg.yield %res : bf16
  } -> tensor<1x3x19x61xbf16>
  %27 = tensor.empty() : tensor<1x3x19x61xbf16>
  %28 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %26 : tensor<19x61xi1>, tensor<1x3x19x61xbf16>) outs(%27 : tensor<1x3x19x61xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out: bf16):
    %res = arith.select %in0, %in1, %c3 : bf16
    linalg.yield %res : bf16
  } -> tensor<1x3x19x61xbf16>
  %29 = tensor.empty() : tensor<1x3x19x61xf32>
  %30 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x3x19x61xbf16>) outs(%29 : tensor<1x3x19x61xf32>) {
  ^bb0(%in0: bf16, %out: f32):
    %res = arith.extf %in0 : bf16 to f32
    linalg.yield %res : f32
  } -> tensor<1x3x19x61xf32>
  %31 = tensor.empty() : tensor<1x3x19xi64>
  %32 = linalg.fill ins(%c4 : i64) outs(%31 : tensor<1x3x19xi64>) -> tensor<1x3x19xi64>
  %33 = tensor.empty() : tensor<1x3x19xf32>
  %34 = linalg.fill ins(%c5 : f32) outs(%33 : tensor<1x3x19xf32>) -> tensor<1x3x19xf32>
  %35:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x3x19x61xf32>) outs(%34, %32 : tensor<1x3x19xf32>, tensor<1x3x19xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x19xf32>, tensor<1x3x19xi64>)
  %36 = tensor.expand_shape %35#0 [[0], [1], [2, 3]] output_shape [1, 3, 19, 1] : tensor<1x3x19xf32> into tensor<1x3x19x1xf32>
  %37 = tensor.empty() : tensor<1x3x19x61xf32>
  %38 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %36 : tensor<1x3x19x61xf32>, tensor<1x3x19x1xf32>) outs(%37 : tensor<1x3x19x61xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x19x61xf32>
  %39 = tensor.empty() : tensor<1x3x19x61xf32>
  %40 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x3x19x61xf32>) outs(%39 : tensor<1x3x19x61xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x19x61xf32>
  %41 = tensor.empty() : tensor<1x3x19x1xf32>
  %42 = linalg.fill ins(%c0 : f32) outs(%41 : tensor<1x3x19x1xf32>) -> tensor<1x3x19x1xf32>
  %43 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x3x19x61xf32>) outs(%42 : tensor<1x3x19x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x19x1xf32>
  %44 = tensor.empty() : tensor<1x3x19x61xf32>
  %45 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<1x3x19x61xf32>, tensor<1x3x19x1xf32>) outs(%44 : tensor<1x3x19x61xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x19x61xf32>
  %46 = tensor.empty() : tensor<1x3x19x61xbf16>
  %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x3x19x61xf32>) outs(%46 : tensor<1x3x19x61xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %res = arith.truncf %in0 : f32 to bf16
    linalg.yield %res : bf16
  } -> tensor<1x3x19x61xbf16>
  %48 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x19x61xbf16> into tensor<3x19x61xbf16>
  %49 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x61x16xbf16> into tensor<3x61x16xbf16>
  %50 = tensor.empty() : tensor<3x19x16xf32>
  %51 = linalg.fill ins(%c0 : f32) outs(%50 : tensor<3x19x16xf32>) -> tensor<3x19x16xf32>
  %52 = linalg.batch_matmul ins(%48, %49 : tensor<3x19x61xbf16>, tensor<3x61x16xbf16>) outs(%51 : tensor<3x19x16xf32>) -> tensor<3x19x16xf32>
  %53 = tensor.empty() : tensor<3x19x16xbf16>
  %54 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<3x19x16xf32>) outs(%53 : tensor<3x19x16xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %res = arith.truncf %in0 : f32 to bf16
    linalg.yield %res : bf16
  } -> tensor<3x19x16xbf16>
  %55 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 3, 19, 16] : tensor<3x19x16xbf16> into tensor<1x3x19x16xbf16>
  %56 = tensor.empty() : tensor<1x19x3x16xbf16>
  %57 = linalg.transpose ins(%55 : tensor<1x3x19x16xbf16>) outs(%56 : tensor<1x19x3x16xbf16>) permutation = [0, 2, 1, 3]
  %58 = tensor.collapse_shape %57 [[0], [1], [2, 3]] : tensor<1x19x3x16xbf16> into tensor<1x19x48xbf16>
  return %58 : tensor<1x19x48xbf16>
}
