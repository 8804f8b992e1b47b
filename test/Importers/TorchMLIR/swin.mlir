// Swin: attention within shifted windows, a bias by relative position for all of
// them, and a mask for each window of an image.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=42688 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (0, d1, 0, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @swin(%qkv: tensor<6x37x144xf16>,
                %bias: tensor<3x37x37xf16>,
                %mask: tensor<2x37x37xf16> {check.draw = "choose -100 0"}) -> tensor<6x37x48xf16> {
  %cst = arith.constant 2.50000000000000000e-01 : f64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %qkv [[0], [1], [2, 3, 4]] output_shape [6, 37, 3, 3, 16] : tensor<6x37x144xf16> into tensor<6x37x3x3x16xf16>
  %1 = tensor.empty() : tensor<3x6x3x37x16xf16>
  %2 = linalg.transpose ins(%0 : tensor<6x37x3x3x16xf16>) outs(%1 : tensor<3x6x3x37x16xf16>) permutation = [2, 0, 3, 1, 4]
  %3 = tensor.extract_slice %2[0, 0, 0, 0, 0] [1, 6, 3, 37, 16] [1, 1, 1, 1, 1] : tensor<3x6x3x37x16xf16> to tensor<6x3x37x16xf16>
  %4 = tensor.extract_slice %2[1, 0, 0, 0, 0] [1, 6, 3, 37, 16] [1, 1, 1, 1, 1] : tensor<3x6x3x37x16xf16> to tensor<6x3x37x16xf16>
  %5 = tensor.extract_slice %2[2, 0, 0, 0, 0] [1, 6, 3, 37, 16] [1, 1, 1, 1, 1] : tensor<3x6x3x37x16xf16> to tensor<6x3x37x16xf16>
  %6 = tensor.empty() : tensor<6x3x37x16xf16>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<6x3x37x16xf16>) outs(%6 : tensor<6x3x37x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    %8 = arith.truncf %cst : f64 to f16
    %9 = arith.mulf %in, %8 : f16
    linalg.yield %9 : f16
  } -> tensor<6x3x37x16xf16>
  %10 = tensor.empty() : tensor<6x3x16x37xf16>
  %11 = linalg.transpose ins(%4 : tensor<6x3x37x16xf16>) outs(%10 : tensor<6x3x16x37xf16>) permutation = [0, 1, 3, 2]
  %12 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<6x3x37x16xf16> into tensor<18x37x16xf16>
  %13 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<6x3x16x37xf16> into tensor<18x16x37xf16>
  %14 = tensor.empty() : tensor<18x37x37xf32>
  %15 = linalg.fill ins(%cst_1 : f32) outs(%14 : tensor<18x37x37xf32>) -> tensor<18x37x37xf32>
  %16 = linalg.batch_matmul ins(%12, %13 : tensor<18x37x16xf16>, tensor<18x16x37xf16>) outs(%15 : tensor<18x37x37xf32>) -> tensor<18x37x37xf32>
  %17 = tensor.empty() : tensor<18x37x37xf16>
  %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<18x37x37xf32>) outs(%17 : tensor<18x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %19 = arith.truncf %in : f32 to f16
    linalg.yield %19 : f16
  } -> tensor<18x37x37xf16>
  %20 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [6, 3, 37, 37] : tensor<18x37x37xf16> into tensor<6x3x37x37xf16>
  %21 = tensor.expand_shape %bias [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf16> into tensor<1x3x37x37xf16>
  %22 = tensor.empty() : tensor<6x3x37x37xf16>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %21 : tensor<6x3x37x37xf16>, tensor<1x3x37x37xf16>) outs(%22 : tensor<6x3x37x37xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %24 = arith.addf %in, %in_1 : f16
    linalg.yield %24 : f16
  } -> tensor<6x3x37x37xf16>
  %25 = tensor.expand_shape %23 [[0, 1], [2], [3], [4]] output_shape [3, 2, 3, 37, 37] : tensor<6x3x37x37xf16> into tensor<3x2x3x37x37xf16>
  %26 = tensor.expand_shape %mask [[0, 1], [2, 3], [4]] output_shape [1, 2, 1, 37, 37] : tensor<2x37x37xf16> into tensor<1x2x1x37x37xf16>
  %27 = tensor.empty() : tensor<3x2x3x37x37xf16>
  %28 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25, %26 : tensor<3x2x3x37x37xf16>, tensor<1x2x1x37x37xf16>) outs(%27 : tensor<3x2x3x37x37xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %29 = arith.addf %in, %in_1 : f16
    linalg.yield %29 : f16
  } -> tensor<3x2x3x37x37xf16>
  %30 = tensor.collapse_shape %28 [[0, 1], [2], [3], [4]] : tensor<3x2x3x37x37xf16> into tensor<6x3x37x37xf16>
  %31 = tensor.empty() : tensor<6x3x37x37xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<6x3x37x37xf16>) outs(%31 : tensor<6x3x37x37xf32>) {
  ^bb0(%in: f16, %out: f32):
    %33 = arith.extf %in : f16 to f32
    linalg.yield %33 : f32
  } -> tensor<6x3x37x37xf32>
  %34 = tensor.empty() : tensor<6x3x37xi64>
  %35 = linalg.fill ins(%cst_2 : i64) outs(%34 : tensor<6x3x37xi64>) -> tensor<6x3x37xi64>
  %36 = tensor.empty() : tensor<6x3x37xf32>
  %37 = linalg.fill ins(%cst_3 : f32) outs(%36 : tensor<6x3x37xf32>) -> tensor<6x3x37xf32>
  %38:2 = linalg.generic {indexing_maps = [#map, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<6x3x37x37xf32>) outs(%37, %35 : tensor<6x3x37xf32>, tensor<6x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %39 = linalg.index 3 : index
    %40 = arith.index_cast %39 : index to i64
    %41 = arith.maximumf %in, %out : f32
    %42 = arith.cmpf ogt, %in, %out : f32
    %43 = arith.select %42, %40, %out_1 : i64
    linalg.yield %41, %43 : f32, i64
  } -> (tensor<6x3x37xf32>, tensor<6x3x37xi64>)
  %44 = tensor.expand_shape %38#0 [[0], [1], [2, 3]] output_shape [6, 3, 37, 1] : tensor<6x3x37xf32> into tensor<6x3x37x1xf32>
  %45 = tensor.empty() : tensor<6x3x37x37xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %44 : tensor<6x3x37x37xf32>, tensor<6x3x37x1xf32>) outs(%45 : tensor<6x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %47 = arith.subf %in, %in_1 : f32
    linalg.yield %47 : f32
  } -> tensor<6x3x37x37xf32>
  %48 = tensor.empty() : tensor<6x3x37x37xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<6x3x37x37xf32>) outs(%48 : tensor<6x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = math.exp %in : f32
    linalg.yield %50 : f32
  } -> tensor<6x3x37x37xf32>
  %51 = tensor.empty() : tensor<6x3x37x1xf32>
  %52 = linalg.fill ins(%cst_1 : f32) outs(%51 : tensor<6x3x37x1xf32>) -> tensor<6x3x37x1xf32>
  %53 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<6x3x37x37xf32>) outs(%52 : tensor<6x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %54 = arith.addf %in, %out : f32
    linalg.yield %54 : f32
  } -> tensor<6x3x37x1xf32>
  %55 = tensor.empty() : tensor<6x3x37x37xf32>
  %56 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %53 : tensor<6x3x37x37xf32>, tensor<6x3x37x1xf32>) outs(%55 : tensor<6x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %57 = arith.divf %in, %in_1 : f32
    linalg.yield %57 : f32
  } -> tensor<6x3x37x37xf32>
  %58 = tensor.empty() : tensor<6x3x37x37xf16>
  %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<6x3x37x37xf32>) outs(%58 : tensor<6x3x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %60 = arith.truncf %in : f32 to f16
    linalg.yield %60 : f16
  } -> tensor<6x3x37x37xf16>
  %61 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<6x3x37x37xf16> into tensor<18x37x37xf16>
  %62 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<6x3x37x16xf16> into tensor<18x37x16xf16>
  %63 = tensor.empty() : tensor<18x37x16xf32>
  %64 = linalg.fill ins(%cst_1 : f32) outs(%63 : tensor<18x37x16xf32>) -> tensor<18x37x16xf32>
  %65 = linalg.batch_matmul ins(%61, %62 : tensor<18x37x37xf16>, tensor<18x37x16xf16>) outs(%64 : tensor<18x37x16xf32>) -> tensor<18x37x16xf32>
  %66 = tensor.empty() : tensor<18x37x16xf16>
  %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<18x37x16xf32>) outs(%66 : tensor<18x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %68 = arith.truncf %in : f32 to f16
    linalg.yield %68 : f16
  } -> tensor<18x37x16xf16>
  %69 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [6, 3, 37, 16] : tensor<18x37x16xf16> into tensor<6x3x37x16xf16>
  %70 = tensor.empty() : tensor<6x37x3x16xf16>
  %71 = linalg.transpose ins(%69 : tensor<6x3x37x16xf16>) outs(%70 : tensor<6x37x3x16xf16>) permutation = [0, 2, 1, 3]
  %72 = tensor.collapse_shape %71 [[0], [1], [2, 3]] : tensor<6x37x3x16xf16> into tensor<6x37x48xf16>
  return %72 : tensor<6x37x48xf16>
}
