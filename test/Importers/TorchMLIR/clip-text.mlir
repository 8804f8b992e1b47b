// CLIP's text tower: projections, scaled queries, heads as batches, a causal mask that
// is added, f16.

// RUN: linalg-ext-check-program %s --max-kernels=4 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @clip_text(%x: tensor<1x37x48xf16>,
    %w_q: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %w_k: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %w_v: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %w_o: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %b: tensor<48xf16>) -> (tensor<1x37x48xf16>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0.0 : f16
  %c3 = arith.constant 0xFBFF : f16
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<48x48xf16>
  %1 = linalg.transpose ins(%w_q : tensor<48x48xf16>) outs(%0 : tensor<48x48xf16>) permutation = [1, 0]
  %2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x37x48xf16> into tensor<37x48xf16>
  %3 = tensor.empty() : tensor<37x48xf32>
  %4 = linalg.fill ins(%c0 : f32) outs(%3 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %5 = linalg.matmul ins(%2, %1 : tensor<37x48xf16>, tensor<48x48xf16>) outs(%4 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %6 = tensor.empty() : tensor<37x48xf16>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<37x48xf32>) outs(%6 : tensor<37x48xf16>) {
  ^bb0(%in0: f32, %out: f16):
    %res = arith.truncf %in0 : f32 to f16
    linalg.yield %res : f16
  } -> tensor<37x48xf16>
  %8 = tensor.expand_shape %7 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf16> into tensor<1x37x48xf16>
  %9 = tensor.empty() : tensor<1x37x48xf16>
  %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %b : tensor<1x37x48xf16>, tensor<48xf16>) outs(%9 : tensor<1x37x48xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out: f16):
    %res = arith.addf %in0, %in1 : f16
    linalg.yield %res : f16
  } -> tensor<1x37x48xf16>
  %11 = tensor.empty() : tensor<1x37x48xf16>
  %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x37x48xf16>) outs(%11 : tensor<1x37x48xf16>) {
  ^bb0(%in0: f16, %out: f16):
    %cc = arith.truncf %c1 : f64 to f16
    %res = arith.mulf %in0, %cc : f16
    linalg.yield %res : f16
  } -> tensor<1x37x48xf16>
  %13 = tensor.expand_shape %12 [[0], [1], [2, 3]] output_shape [1, 37, 3, 16] : tensor<1x37x48xf16> into tensor<1x37x3x16xf16>
  %14 = tensor.empty() : tensor<1x3x37x16xf16>
  %15 = linalg.transpose ins(%13 : tensor<1x37x3x16xf16>) outs(%14 : tensor<1x3x37x16xf16>) permutation = [0, 2, 1, 3]
  %16 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %17 = tensor.empty() : tensor<48x48xf16>
  %18 = linalg.transpose ins(%w_k : tensor<48x48xf16>) outs(%17 : tensor<48x48xf16>) permutation = [1, 0]
  %19 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x37x48xf16> into tensor<37x48xf16>
  %20 = tensor.empty() : tensor<37x48xf32>
  %21 = linalg.fill ins(%c0 : f32) outs(%20 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %22 = linalg.matmul ins(%19, %18 : tensor<37x48xf16>, tensor<48x48xf16>) outs(%21 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %23 = tensor.empty() : tensor<37x48xf16>
  %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<37x48xf32>) outs(%23 : tensor<37x48xf16>) {
  ^bb0(%in0: f32, %out: f16):
    %res = arith.truncf %in0 : f32 to f16
    linalg.yield %res : f16
  } -> tensor<37x48xf16>
  %25 = tensor.expand_shape %24 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf16> into tensor<1x37x48xf16>
  %26 = tensor.empty() : tensor<1x37x48xf16>
  %27 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %b : tensor<1x37x48xf16>, tensor<48xf16>) outs(%26 : tensor<1x37x48xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out: f16):
    %res = arith.addf %in0, %in1 : f16
    linalg.yield %res : f16
  } -> tensor<1x37x48xf16>
  %28 = tensor.expand_shape %27 [[0], [1], [2, 3]] output_shape [1, 37, 3, 16] : tensor<1x37x48xf16> into tensor<1x37x3x16xf16>
  %29 = tensor.empty() : tensor<1x3x37x16xf16>
  %30 = linalg.transpose ins(%28 : tensor<1x37x3x16xf16>) outs(%29 : tensor<1x3x37x16xf16>) permutation = [0, 2, 1, 3]
  %31 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %32 = tensor.empty() : tensor<48x48xf16>
  %33 = linalg.transpose ins(%w_v : tensor<48x48xf16>) outs(%32 : tensor<48x48xf16>) permutation = [1, 0]
  %34 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x37x48xf16> into tensor<37x48xf16>
  %35 = tensor.empty() : tensor<37x48xf32>
  %36 = linalg.fill ins(%c0 : f32) outs(%35 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %37 = linalg.matmul ins(%34, %33 : tensor<37x48xf16>, tensor<48x48xf16>) outs(%36 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %38 = tensor.empty() : tensor<37x48xf16>
  %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<37x48xf32>) outs(%38 : tensor<37x48xf16>) {
  ^bb0(%in0: f32, %out: f16):
    %res = arith.truncf %in0 : f32 to f16
    linalg.yield %res : f16
  } -> tensor<37x48xf16>
  %40 = tensor.expand_shape %39 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf16> into tensor<1x37x48xf16>
  %41 = tensor.empty() : tensor<1x37x48xf16>
  %42 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %b : tensor<1x37x48xf16>, tensor<48xf16>) outs(%41 : tensor<1x37x48xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out: f16):
    %res = arith.addf %in0, %in1 : f16
    linalg.yield %res : f16
  } -> tensor<1x37x48xf16>
  %43 = tensor.expand_shape %42 [[0], [1], [2, 3]] output_shape [1, 37, 3, 16] : tensor<1x37x48xf16> into tensor<1x37x3x16xf16>
  %44 = tensor.empty() : tensor<1x3x37x16xf16>
  %45 = linalg.transpose ins(%43 : tensor<1x37x3x16xf16>) outs(%44 : tensor<1x3x37x16xf16>) permutation = [0, 2, 1, 3]
  %46 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %47 = tensor.empty() : tensor<37x37xf16>
  %48 = linalg.fill ins(%c2 : f16) outs(%47 : tensor<37x37xf16>) -> tensor<37x37xf16>
  %49 = tensor.empty() : tensor<37xi64>
  %50 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%49 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %51 = tensor.empty() : tensor<37xi64>
  %52 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%51 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<37xi64>
  %53 = tensor.expand_shape %50 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %54 = tensor.empty() : tensor<37x37xi1>
  %55 = linalg.generic {indexing_maps = [#map4, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%52, %53 : tensor<37xi64>, tensor<37x1xi64>) outs(%54 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<37x37xi1>
  %56 = tensor.empty() : tensor<37x37xf16>
  %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%55, %48 : tensor<37x37xi1>, tensor<37x37xf16>) outs(%56 : tensor<37x37xf16>) {
  ^bb0(%in0: i1, %in1: f16, %out: f16):
    %res = arith.select %in0, %in1, %c3 : f16
    linalg.yield %res : f16
  } -> tensor<37x37xf16>
  %58 = tensor.empty() : tensor<3x16x37xf16>
  %59 = linalg.transpose ins(%31 : tensor<3x37x16xf16>) outs(%58 : tensor<3x16x37xf16>) permutation = [0, 2, 1]
  %60 = tensor.empty() : tensor<3x37x37xf32>
  %61 = linalg.fill ins(%c0 : f32) outs(%60 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %62 = linalg.batch_matmul ins(%16, %59 : tensor<3x37x16xf16>, tensor<3x16x37xf16>) outs(%61 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %63 = tensor.empty() : tensor<3x37x37xf16>
  %64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<3x37x37xf32>) outs(%63 : tensor<3x37x37xf16>) {
  ^bb0(%in0: f32, %out: f16):
    %res = arith.truncf %in0 : f32 to f16
    linalg.yield %res : f16
  } -> tensor<3x37x37xf16>
  %65 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf16> into tensor<1x3x37x37xf16>
  %66 = tensor.expand_shape %57 [[0, 1, 2], [3]] output_shape [1, 1, 37, 37] : tensor<37x37xf16> into tensor<1x1x37x37xf16>
  %67 = tensor.empty() : tensor<1x3x37x37xf16>
  %68 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %66 : tensor<1x3x37x37xf16>, tensor<1x1x37x37xf16>) outs(%67 : tensor<1x3x37x37xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out: f16):
    %res = arith.addf %in0, %in1 : f16
    linalg.yield %res : f16
  } -> tensor<1x3x37x37xf16>
  %69 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<1x3x37x37xf16> into tensor<3x37x37xf16>
  %70 = tensor.empty() : tensor<3x37x37xf32>
  %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<3x37x37xf16>) outs(%70 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f16, %out: f32):
    %res = arith.extf %in0 : f16 to f32
    linalg.yield %res : f32
  } -> tensor<3x37x37xf32>
  %72 = tensor.empty() : tensor<3x37xi64>
  %73 = linalg.fill ins(%c4 : i64) outs(%72 : tensor<3x37xi64>) -> tensor<3x37xi64>
  %74 = tensor.empty() : tensor<3x37xf32>
  %75 = linalg.fill ins(%c5 : f32) outs(%74 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %76:2 = linalg.generic {indexing_maps = [#map1, #map8, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<3x37x37xf32>) outs(%75, %73 : tensor<3x37xf32>, tensor<3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<3x37xf32>, tensor<3x37xi64>)
  %77 = tensor.expand_shape %76#0 [[0], [1, 2]] output_shape [3, 37, 1] : tensor<3x37xf32> into tensor<3x37x1xf32>
  %78 = tensor.empty() : tensor<3x37x37xf32>
  %79 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %77 : tensor<3x37x37xf32>, tensor<3x37x1xf32>) outs(%78 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x37x37xf32>
  %80 = tensor.empty() : tensor<3x37x37xf32>
  %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<3x37x37xf32>) outs(%80 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<3x37x37xf32>
  %82 = tensor.empty() : tensor<3x37x1xf32>
  %83 = linalg.fill ins(%c0 : f32) outs(%82 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %84 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81 : tensor<3x37x37xf32>) outs(%83 : tensor<3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<3x37x1xf32>
  %85 = tensor.empty() : tensor<3x37x37xf32>
  %86 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %84 : tensor<3x37x37xf32>, tensor<3x37x1xf32>) outs(%85 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x37x37xf32>
  %87 = tensor.empty() : tensor<3x37x37xf16>
  %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<3x37x37xf32>) outs(%87 : tensor<3x37x37xf16>) {
  ^bb0(%in0: f32, %out: f16):
    %res = arith.truncf %in0 : f32 to f16
    linalg.yield %res : f16
  } -> tensor<3x37x37xf16>
  %89 = tensor.empty() : tensor<3x37x16xf32>
  %90 = linalg.fill ins(%c0 : f32) outs(%89 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %91 = linalg.batch_matmul ins(%88, %46 : tensor<3x37x37xf16>, tensor<3x37x16xf16>) outs(%90 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %92 = tensor.empty() : tensor<3x37x16xf16>
  %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<3x37x16xf32>) outs(%92 : tensor<3x37x16xf16>) {
  ^bb0(%in0: f32, %out: f16):
    %res = arith.truncf %in0 : f32 to f16
    linalg.yield %res : f16
  } -> tensor<3x37x16xf16>
  %94 = tensor.expand_shape %93 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf16> into tensor<1x3x37x16xf16>
  %95 = tensor.empty() : tensor<1x37x3x16xf16>
  %96 = linalg.transpose ins(%94 : tensor<1x3x37x16xf16>) outs(%95 : tensor<1x37x3x16xf16>) permutation = [0, 2, 1, 3]
  %97 = tensor.collapse_shape %96 [[0], [1], [2, 3]] : tensor<1x37x3x16xf16> into tensor<1x37x48xf16>
  %98 = tensor.empty() : tensor<48x48xf16>
  %99 = linalg.transpose ins(%w_o : tensor<48x48xf16>) outs(%98 : tensor<48x48xf16>) permutation = [1, 0]
  %100 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<1x37x48xf16> into tensor<37x48xf16>
  %101 = tensor.empty() : tensor<37x48xf32>
  %102 = linalg.fill ins(%c0 : f32) outs(%101 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %103 = linalg.matmul ins(%100, %99 : tensor<37x48xf16>, tensor<48x48xf16>) outs(%102 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %104 = tensor.empty() : tensor<37x48xf16>
  %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%103 : tensor<37x48xf32>) outs(%104 : tensor<37x48xf16>) {
  ^bb0(%in0: f32, %out: f16):
    %res = arith.truncf %in0 : f32 to f16
    linalg.yield %res : f16
  } -> tensor<37x48xf16>
  %106 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf16> into tensor<1x37x48xf16>
  %107 = tensor.empty() : tensor<1x37x48xf16>
  %108 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %b : tensor<1x37x48xf16>, tensor<48xf16>) outs(%107 : tensor<1x37x48xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out: f16):
    %res = arith.addf %in0, %in1 : f16
    linalg.yield %res : f16
  } -> tensor<1x37x48xf16>
  return %108 : tensor<1x37x48xf16>
}
