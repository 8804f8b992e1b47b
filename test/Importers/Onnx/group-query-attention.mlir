// com.microsoft.GroupQueryAttention, decomposed: rotary embedding from caches,
// past and new keys concatenated and returned, softcap, a window, lengths of the
// sequences, softmax in f32; f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=704 --max-kernels=9 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1, d2) -> (0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @ort_group_query_attention(%q: tensor<2x5x64xf16>,
    %k: tensor<2x5x32xf16>,
    %v: tensor<2x5x32xf16>,
    %past_key: tensor<2x2x40x16xf16>,
    %past_value: tensor<2x2x40x16xf16>,
    %cos_cache: tensor<64x8xf16>,
    %sin_cache: tensor<64x8xf16>,
    %seqlens_k: tensor<2xi32> {check.draw = "uniform 30 44"}) -> (tensor<2x5x64xf16>, tensor<2x2x45x16xf16>, tensor<2x2x45x16xf16>) {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 5.00000000000000000e+01 : f64
  %cst_3 = arith.constant 40 : i64
  %cst_4 = arith.constant 20 : i64
  %cst_5 = arith.constant -1.000000e+04 : f32
  %cst_6 = arith.constant 0 : i64
  %cst_7 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [2, 5, 4, 16] : tensor<2x5x64xf16> into tensor<2x5x4x16xf16>
  %1 = tensor.empty() : tensor<2x4x5x16xf16>
  %2 = linalg.transpose ins(%0 : tensor<2x5x4x16xf16>) outs(%1 : tensor<2x4x5x16xf16>) permutation = [0, 2, 1, 3]
  %3 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xf16> into tensor<2x5x2x16xf16>
  %4 = tensor.empty() : tensor<2x2x5x16xf16>
  %5 = linalg.transpose ins(%3 : tensor<2x5x2x16xf16>) outs(%4 : tensor<2x2x5x16xf16>) permutation = [0, 2, 1, 3]
  %6 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xf16> into tensor<2x5x2x16xf16>
  %7 = tensor.empty() : tensor<2x2x5x16xf16>
  %8 = linalg.transpose ins(%6 : tensor<2x5x2x16xf16>) outs(%7 : tensor<2x2x5x16xf16>) permutation = [0, 2, 1, 3]
  %9 = tensor.extract_slice %cos_cache[40, 0] [5, 8] [1, 1] : tensor<64x8xf16> to tensor<5x8xf16>
  %10 = tensor.expand_shape %9 [[0, 1, 2], [3]] output_shape [1, 1, 5, 8] : tensor<5x8xf16> into tensor<1x1x5x8xf16>
  %11 = tensor.extract_slice %sin_cache[40, 0] [5, 8] [1, 1] : tensor<64x8xf16> to tensor<5x8xf16>
  %12 = tensor.expand_shape %11 [[0, 1, 2], [3]] output_shape [1, 1, 5, 8] : tensor<5x8xf16> into tensor<1x1x5x8xf16>
  %13 = tensor.extract_slice %2[0, 0, 0, 0] [2, 4, 5, 8] [1, 1, 1, 1] : tensor<2x4x5x16xf16> to tensor<2x4x5x8xf16>
  %14 = tensor.extract_slice %2[0, 0, 0, 8] [2, 4, 5, 8] [1, 1, 1, 1] : tensor<2x4x5x16xf16> to tensor<2x4x5x8xf16>
  %15 = tensor.empty() : tensor<2x4x5x8xf16>
  %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %10 : tensor<2x4x5x8xf16>, tensor<1x1x5x8xf16>) outs(%15 : tensor<2x4x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %17 = arith.mulf %in, %in_1 : f16
    linalg.yield %17 : f16
  } -> tensor<2x4x5x8xf16>
  %18 = tensor.empty() : tensor<2x4x5x8xf16>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %12 : tensor<2x4x5x8xf16>, tensor<1x1x5x8xf16>) outs(%18 : tensor<2x4x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %20 = arith.mulf %in, %in_1 : f16
    linalg.yield %20 : f16
  } -> tensor<2x4x5x8xf16>
  %21 = tensor.empty() : tensor<2x4x5x8xf16>
  %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %19 : tensor<2x4x5x8xf16>, tensor<2x4x5x8xf16>) outs(%21 : tensor<2x4x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %23 = arith.subf %in, %in_1 : f16
    linalg.yield %23 : f16
  } -> tensor<2x4x5x8xf16>
  %24 = tensor.empty() : tensor<2x4x5x8xf16>
  %25 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %12 : tensor<2x4x5x8xf16>, tensor<1x1x5x8xf16>) outs(%24 : tensor<2x4x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %26 = arith.mulf %in, %in_1 : f16
    linalg.yield %26 : f16
  } -> tensor<2x4x5x8xf16>
  %27 = tensor.empty() : tensor<2x4x5x8xf16>
  %28 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %10 : tensor<2x4x5x8xf16>, tensor<1x1x5x8xf16>) outs(%27 : tensor<2x4x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %29 = arith.mulf %in, %in_1 : f16
    linalg.yield %29 : f16
  } -> tensor<2x4x5x8xf16>
  %30 = tensor.empty() : tensor<2x4x5x8xf16>
  %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<2x4x5x8xf16>, tensor<2x4x5x8xf16>) outs(%30 : tensor<2x4x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %32 = arith.addf %in, %in_1 : f16
    linalg.yield %32 : f16
  } -> tensor<2x4x5x8xf16>
  %33 = tensor.concat dim(3) %22, %31 : (tensor<2x4x5x8xf16>, tensor<2x4x5x8xf16>) -> tensor<2x4x5x16xf16>
  %34 = tensor.extract_slice %5[0, 0, 0, 0] [2, 2, 5, 8] [1, 1, 1, 1] : tensor<2x2x5x16xf16> to tensor<2x2x5x8xf16>
  %35 = tensor.extract_slice %5[0, 0, 0, 8] [2, 2, 5, 8] [1, 1, 1, 1] : tensor<2x2x5x16xf16> to tensor<2x2x5x8xf16>
  %36 = tensor.empty() : tensor<2x2x5x8xf16>
  %37 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %10 : tensor<2x2x5x8xf16>, tensor<1x1x5x8xf16>) outs(%36 : tensor<2x2x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %38 = arith.mulf %in, %in_1 : f16
    linalg.yield %38 : f16
  } -> tensor<2x2x5x8xf16>
  %39 = tensor.empty() : tensor<2x2x5x8xf16>
  %40 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %12 : tensor<2x2x5x8xf16>, tensor<1x1x5x8xf16>) outs(%39 : tensor<2x2x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %41 = arith.mulf %in, %in_1 : f16
    linalg.yield %41 : f16
  } -> tensor<2x2x5x8xf16>
  %42 = tensor.empty() : tensor<2x2x5x8xf16>
  %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<2x2x5x8xf16>, tensor<2x2x5x8xf16>) outs(%42 : tensor<2x2x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %44 = arith.subf %in, %in_1 : f16
    linalg.yield %44 : f16
  } -> tensor<2x2x5x8xf16>
  %45 = tensor.empty() : tensor<2x2x5x8xf16>
  %46 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %12 : tensor<2x2x5x8xf16>, tensor<1x1x5x8xf16>) outs(%45 : tensor<2x2x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %47 = arith.mulf %in, %in_1 : f16
    linalg.yield %47 : f16
  } -> tensor<2x2x5x8xf16>
  %48 = tensor.empty() : tensor<2x2x5x8xf16>
  %49 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %10 : tensor<2x2x5x8xf16>, tensor<1x1x5x8xf16>) outs(%48 : tensor<2x2x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %50 = arith.mulf %in, %in_1 : f16
    linalg.yield %50 : f16
  } -> tensor<2x2x5x8xf16>
  %51 = tensor.empty() : tensor<2x2x5x8xf16>
  %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<2x2x5x8xf16>, tensor<2x2x5x8xf16>) outs(%51 : tensor<2x2x5x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %53 = arith.addf %in, %in_1 : f16
    linalg.yield %53 : f16
  } -> tensor<2x2x5x8xf16>
  %54 = tensor.concat dim(3) %43, %52 : (tensor<2x2x5x8xf16>, tensor<2x2x5x8xf16>) -> tensor<2x2x5x16xf16>
  %55 = tensor.concat dim(2) %past_key, %54 : (tensor<2x2x40x16xf16>, tensor<2x2x5x16xf16>) -> tensor<2x2x45x16xf16>
  %56 = tensor.concat dim(2) %past_value, %8 : (tensor<2x2x40x16xf16>, tensor<2x2x5x16xf16>) -> tensor<2x2x45x16xf16>
  %57 = tensor.expand_shape %55 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 45, 16] : tensor<2x2x45x16xf16> into tensor<2x2x1x45x16xf16>
  %58 = tensor.empty() : tensor<2x2x2x45x16xf16>
  %59 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<2x2x1x45x16xf16>) outs(%58 : tensor<2x2x2x45x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x2x2x45x16xf16>
  %60 = tensor.collapse_shape %59 [[0], [1, 2], [3], [4]] : tensor<2x2x2x45x16xf16> into tensor<2x4x45x16xf16>
  %61 = tensor.empty() : tensor<2x4x16x45xf16>
  %62 = linalg.transpose ins(%60 : tensor<2x4x45x16xf16>) outs(%61 : tensor<2x4x16x45xf16>) permutation = [0, 1, 3, 2]
  %63 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<2x4x5x16xf16> into tensor<8x5x16xf16>
  %64 = tensor.collapse_shape %62 [[0, 1], [2], [3]] : tensor<2x4x16x45xf16> into tensor<8x16x45xf16>
  %65 = tensor.empty() : tensor<8x5x45xf32>
  %66 = linalg.fill ins(%cst : f32) outs(%65 : tensor<8x5x45xf32>) -> tensor<8x5x45xf32>
  %67 = linalg.batch_matmul ins(%63, %64 : tensor<8x5x16xf16>, tensor<8x16x45xf16>) outs(%66 : tensor<8x5x45xf32>) -> tensor<8x5x45xf32>
  %68 = tensor.empty() : tensor<8x5x45xf16>
  %69 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<8x5x45xf32>) outs(%68 : tensor<8x5x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %70 = arith.truncf %in : f32 to f16
    linalg.yield %70 : f16
  } -> tensor<8x5x45xf16>
  %71 = tensor.expand_shape %69 [[0, 1], [2], [3]] output_shape [2, 4, 5, 45] : tensor<8x5x45xf16> into tensor<2x4x5x45xf16>
  %72 = tensor.empty() : tensor<2x4x5x45xf16>
  %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<2x4x5x45xf16>) outs(%72 : tensor<2x4x5x45xf16>) {
  ^bb0(%in: f16, %out: f16):
    %74 = arith.truncf %cst_1 : f64 to f16
    %75 = arith.mulf %in, %74 : f16
    linalg.yield %75 : f16
  } -> tensor<2x4x5x45xf16>
  %76 = tensor.empty() : tensor<2x4x5x45xf32>
  %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<2x4x5x45xf16>) outs(%76 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: f16, %out: f32):
    %78 = arith.extf %in : f16 to f32
    linalg.yield %78 : f32
  } -> tensor<2x4x5x45xf32>
  %79 = tensor.empty() : tensor<2x4x5x45xf32>
  %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<2x4x5x45xf32>) outs(%79 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %81 = arith.truncf %cst_2 : f64 to f32
    %82 = arith.divf %in, %81 : f32
    linalg.yield %82 : f32
  } -> tensor<2x4x5x45xf32>
  %83 = tensor.empty() : tensor<2x4x5x45xf32>
  %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<2x4x5x45xf32>) outs(%83 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %85 = math.tanh %in : f32
    linalg.yield %85 : f32
  } -> tensor<2x4x5x45xf32>
  %86 = tensor.empty() : tensor<2x4x5x45xf32>
  %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84 : tensor<2x4x5x45xf32>) outs(%86 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %88 = arith.truncf %cst_2 : f64 to f32
    %89 = arith.mulf %in, %88 : f32
    linalg.yield %89 : f32
  } -> tensor<2x4x5x45xf32>
  %90 = tensor.empty() : tensor<5xi64>
  %91 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%90 : tensor<5xi64>) {
  ^bb0(%out: i64):
    %92 = linalg.index 0 : index
    %93 = arith.index_cast %92 : index to i64
    linalg.yield %93 : i64
  } -> tensor<5xi64>
  %94 = tensor.expand_shape %91 [[0, 1, 2]] output_shape [1, 5, 1] : tensor<5xi64> into tensor<1x5x1xi64>
  %95 = tensor.empty() : tensor<45xi64>
  %96 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%95 : tensor<45xi64>) {
  ^bb0(%out: i64):
    %97 = linalg.index 0 : index
    %98 = arith.index_cast %97 : index to i64
    linalg.yield %98 : i64
  } -> tensor<45xi64>
  %99 = tensor.expand_shape %96 [[0, 1, 2]] output_shape [1, 1, 45] : tensor<45xi64> into tensor<1x1x45xi64>
  %100 = tensor.empty() : tensor<2xi64>
  %101 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%seqlens_k : tensor<2xi32>) outs(%100 : tensor<2xi64>) {
  ^bb0(%in: i32, %out: i64):
    %102 = arith.extsi %in : i32 to i64
    linalg.yield %102 : i64
  } -> tensor<2xi64>
  %103 = tensor.expand_shape %101 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xi64> into tensor<2x1x1xi64>
  %104 = tensor.empty() : tensor<2x5x45xi1>
  %105 = linalg.generic {indexing_maps = [#map6, #map7, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %99, %103 : tensor<1x5x1xi64>, tensor<1x1x45xi64>, tensor<2x1x1xi64>) outs(%104 : tensor<2x5x45xi1>) {
  ^bb0(%in: i64, %in_1: i64, %in_2: i64, %out: i1):
    %106 = arith.addi %in, %cst_3 : i64
    %107 = arith.cmpi sle, %in_1, %106 : i64
    %108 = arith.cmpi sle, %in_1, %in_2 : i64
    %109 = arith.subi %106, %cst_4 : i64
    %110 = arith.cmpi sgt, %in_1, %109 : i64
    %111 = arith.andi %107, %108 : i1
    %112 = arith.andi %111, %110 : i1
    linalg.yield %112 : i1
  } -> tensor<2x5x45xi1>
  %113 = tensor.expand_shape %105 [[0], [1, 2], [3]] output_shape [2, 1, 5, 45] : tensor<2x5x45xi1> into tensor<2x1x5x45xi1>
  %114 = tensor.empty() : tensor<2x4x5x45xf32>
  %115 = linalg.generic {indexing_maps = [#map9, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113, %87 : tensor<2x1x5x45xi1>, tensor<2x4x5x45xf32>) outs(%114 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %116 = arith.select %in, %in_1, %cst_5 : f32
    linalg.yield %116 : f32
  } -> tensor<2x4x5x45xf32>
  %117 = tensor.empty() : tensor<2x4x5xi64>
  %118 = linalg.fill ins(%cst_6 : i64) outs(%117 : tensor<2x4x5xi64>) -> tensor<2x4x5xi64>
  %119 = tensor.empty() : tensor<2x4x5xf32>
  %120 = linalg.fill ins(%cst_7 : f32) outs(%119 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %121:2 = linalg.generic {indexing_maps = [#map, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%115 : tensor<2x4x5x45xf32>) outs(%120, %118 : tensor<2x4x5xf32>, tensor<2x4x5xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %122 = linalg.index 3 : index
    %123 = arith.index_cast %122 : index to i64
    %124 = arith.maximumf %in, %out : f32
    %125 = arith.cmpf ogt, %in, %out : f32
    %126 = arith.select %125, %123, %out_1 : i64
    linalg.yield %124, %126 : f32, i64
  } -> (tensor<2x4x5xf32>, tensor<2x4x5xi64>)
  %127 = tensor.expand_shape %121#0 [[0], [1], [2, 3]] output_shape [2, 4, 5, 1] : tensor<2x4x5xf32> into tensor<2x4x5x1xf32>
  %128 = tensor.empty() : tensor<2x4x5x45xf32>
  %129 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %127 : tensor<2x4x5x45xf32>, tensor<2x4x5x1xf32>) outs(%128 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %130 = arith.subf %in, %in_1 : f32
    linalg.yield %130 : f32
  } -> tensor<2x4x5x45xf32>
  %131 = tensor.empty() : tensor<2x4x5x45xf32>
  %132 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129 : tensor<2x4x5x45xf32>) outs(%131 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %133 = math.exp %in : f32
    linalg.yield %133 : f32
  } -> tensor<2x4x5x45xf32>
  %134 = tensor.empty() : tensor<2x4x5x1xf32>
  %135 = linalg.fill ins(%cst : f32) outs(%134 : tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32>
  %136 = linalg.generic {indexing_maps = [#map, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%132 : tensor<2x4x5x45xf32>) outs(%135 : tensor<2x4x5x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %137 = arith.addf %in, %out : f32
    linalg.yield %137 : f32
  } -> tensor<2x4x5x1xf32>
  %138 = tensor.empty() : tensor<2x4x5x45xf32>
  %139 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %136 : tensor<2x4x5x45xf32>, tensor<2x4x5x1xf32>) outs(%138 : tensor<2x4x5x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %140 = arith.divf %in, %in_1 : f32
    linalg.yield %140 : f32
  } -> tensor<2x4x5x45xf32>
  %141 = tensor.empty() : tensor<2x4x5x45xf16>
  %142 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139 : tensor<2x4x5x45xf32>) outs(%141 : tensor<2x4x5x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %143 = arith.truncf %in : f32 to f16
    linalg.yield %143 : f16
  } -> tensor<2x4x5x45xf16>
  %144 = tensor.expand_shape %56 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 45, 16] : tensor<2x2x45x16xf16> into tensor<2x2x1x45x16xf16>
  %145 = tensor.empty() : tensor<2x2x2x45x16xf16>
  %146 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%144 : tensor<2x2x1x45x16xf16>) outs(%145 : tensor<2x2x2x45x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x2x2x45x16xf16>
  %147 = tensor.collapse_shape %146 [[0], [1, 2], [3], [4]] : tensor<2x2x2x45x16xf16> into tensor<2x4x45x16xf16>
  %148 = tensor.collapse_shape %142 [[0, 1], [2], [3]] : tensor<2x4x5x45xf16> into tensor<8x5x45xf16>
  %149 = tensor.collapse_shape %147 [[0, 1], [2], [3]] : tensor<2x4x45x16xf16> into tensor<8x45x16xf16>
  %150 = tensor.empty() : tensor<8x5x16xf32>
  %151 = linalg.fill ins(%cst : f32) outs(%150 : tensor<8x5x16xf32>) -> tensor<8x5x16xf32>
  %152 = linalg.batch_matmul ins(%148, %149 : tensor<8x5x45xf16>, tensor<8x45x16xf16>) outs(%151 : tensor<8x5x16xf32>) -> tensor<8x5x16xf32>
  %153 = tensor.empty() : tensor<8x5x16xf16>
  %154 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<8x5x16xf32>) outs(%153 : tensor<8x5x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %155 = arith.truncf %in : f32 to f16
    linalg.yield %155 : f16
  } -> tensor<8x5x16xf16>
  %156 = tensor.expand_shape %154 [[0, 1], [2], [3]] output_shape [2, 4, 5, 16] : tensor<8x5x16xf16> into tensor<2x4x5x16xf16>
  %157 = tensor.empty() : tensor<2x5x4x16xf16>
  %158 = linalg.transpose ins(%156 : tensor<2x4x5x16xf16>) outs(%157 : tensor<2x5x4x16xf16>) permutation = [0, 2, 1, 3]
  %159 = tensor.collapse_shape %158 [[0], [1], [2, 3]] : tensor<2x5x4x16xf16> into tensor<2x5x64xf16>
  return %159, %55, %56 : tensor<2x5x64xf16>, tensor<2x2x45x16xf16>, tensor<2x2x45x16xf16>
}
