// A diffusion transformer (DiT): a layer norm without weights, shifted and scaled by a
// condition, attention, a gate, the residual.

// RUN: linalg-ext-check-program %s --max-kernels=5 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @dit_block(%x: tensor<1x37x48xf32>,
    %shift: tensor<1x48xf32>,
    %scale: tensor<1x48xf32>,
    %gate: tensor<1x48xf32>,
    %w_qkv: tensor<144x48xf32> {check.draw = "uniform -0.25 0.25"},
    %b_qkv: tensor<144xf32>,
    %w_o: tensor<48x48xf32> {check.draw = "uniform -0.25 0.25"},
    %b_o: tensor<48xf32>) -> (tensor<1x37x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 4.800000e+01 : f64
  %c2 = arith.constant 1.000000e-06 : f64
  %c3 = arith.constant 1.000000e+00 : f64
  %c4 = arith.constant 2.500000e-01 : f64
  %c5 = arith.constant 0 : i64
  %c6 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x37x1xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x37x48xf32>) outs(%1 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %3 = tensor.empty() : tensor<1x37x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x37x1xf32>) outs(%3 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %5 = tensor.empty() : tensor<1x37x48xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %4 : tensor<1x37x48xf32>, tensor<1x37x1xf32>) outs(%5 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %7 = tensor.empty() : tensor<1x37x48xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x37x48xf32>, tensor<1x37x48xf32>) outs(%7 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %9 = tensor.empty() : tensor<1x37x1xf32>
  %10 = linalg.fill ins(%c0 : f32) outs(%9 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x37x48xf32>) outs(%10 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %12 = tensor.empty() : tensor<1x37x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x37x1xf32>) outs(%12 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %14 = tensor.empty() : tensor<1x37x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x37x1xf32>) outs(%14 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c2 : f64 to f32
    %res = arith.addf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %16 = tensor.empty() : tensor<1x37x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x37x1xf32>) outs(%16 : tensor<1x37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x1xf32>
  %18 = tensor.empty() : tensor<1x37x48xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<1x37x48xf32>, tensor<1x37x1xf32>) outs(%18 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %20 = tensor.expand_shape %scale [[0], [1, 2]] output_shape [1, 1, 48] : tensor<1x48xf32> into tensor<1x1x48xf32>
  %21 = tensor.empty() : tensor<1x1x48xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x48xf32>) outs(%21 : tensor<1x1x48xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c3 : f64 to f32
    %res = arith.addf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x1x48xf32>
  %23 = tensor.empty() : tensor<1x37x48xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x37x48xf32>, tensor<1x1x48xf32>) outs(%23 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %25 = tensor.expand_shape %shift [[0], [1, 2]] output_shape [1, 1, 48] : tensor<1x48xf32> into tensor<1x1x48xf32>
  %26 = tensor.empty() : tensor<1x37x48xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %25 : tensor<1x37x48xf32>, tensor<1x1x48xf32>) outs(%26 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %28 = tensor.empty() : tensor<48x144xf32>
  %29 = linalg.transpose ins(%w_qkv : tensor<144x48xf32>) outs(%28 : tensor<48x144xf32>) permutation = [1, 0]
  %30 = tensor.collapse_shape %27 [[0, 1], [2]] : tensor<1x37x48xf32> into tensor<37x48xf32>
  %31 = tensor.empty() : tensor<37x144xf32>
  %32 = linalg.fill ins(%c0 : f32) outs(%31 : tensor<37x144xf32>) -> tensor<37x144xf32>
  %33 = linalg.matmul ins(%30, %29 : tensor<37x48xf32>, tensor<48x144xf32>) outs(%32 : tensor<37x144xf32>) -> tensor<37x144xf32>
  %34 = tensor.expand_shape %33 [[0, 1], [2]] output_shape [1, 37, 144] : tensor<37x144xf32> into tensor<1x37x144xf32>
  %35 = tensor.empty() : tensor<1x37x144xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %b_qkv : tensor<1x37x144xf32>, tensor<144xf32>) outs(%35 : tensor<1x37x144xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x144xf32>
  %37 = tensor.expand_shape %36 [[0], [1], [2, 3, 4]] output_shape [1, 37, 3, 3, 16] : tensor<1x37x144xf32> into tensor<1x37x3x3x16xf32>
  %38 = tensor.empty() : tensor<3x1x3x37x16xf32>
  %39 = linalg.transpose ins(%37 : tensor<1x37x3x3x16xf32>) outs(%38 : tensor<3x1x3x37x16xf32>) permutation = [2, 0, 3, 1, 4]
  %40 = tensor.extract_slice %39[0, 0, 0, 0, 0] [1, 1, 3, 37, 16] [1, 1, 1, 1, 1] : tensor<3x1x3x37x16xf32> to tensor<1x1x3x37x16xf32>
  %41 = tensor.collapse_shape %40 [[0], [1, 2], [3], [4]] : tensor<1x1x3x37x16xf32> into tensor<1x3x37x16xf32>
  %42 = tensor.extract_slice %39[1, 0, 0, 0, 0] [1, 1, 3, 37, 16] [1, 1, 1, 1, 1] : tensor<3x1x3x37x16xf32> to tensor<1x1x3x37x16xf32>
  %43 = tensor.collapse_shape %42 [[0], [1, 2], [3], [4]] : tensor<1x1x3x37x16xf32> into tensor<1x3x37x16xf32>
  %44 = tensor.extract_slice %39[2, 0, 0, 0, 0] [1, 1, 3, 37, 16] [1, 1, 1, 1, 1] : tensor<3x1x3x37x16xf32> to tensor<1x1x3x37x16xf32>
  %45 = tensor.collapse_shape %44 [[0], [1, 2], [3], [4]] : tensor<1x1x3x37x16xf32> into tensor<1x3x37x16xf32>
  %46 = tensor.empty() : tensor<1x3x37x16xf32>
  %47 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x3x37x16xf32>) outs(%46 : tensor<1x3x37x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c4 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x16xf32>
  %48 = tensor.empty() : tensor<1x3x16x37xf32>
  %49 = linalg.transpose ins(%43 : tensor<1x3x37x16xf32>) outs(%48 : tensor<1x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %50 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %51 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x3x16x37xf32> into tensor<3x16x37xf32>
  %52 = tensor.empty() : tensor<3x37x37xf32>
  %53 = linalg.fill ins(%c0 : f32) outs(%52 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %54 = linalg.batch_matmul ins(%50, %51 : tensor<3x37x16xf32>, tensor<3x16x37xf32>) outs(%53 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %55 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf32> into tensor<1x3x37x37xf32>
  %56 = tensor.empty() : tensor<1x3x37xi64>
  %57 = linalg.fill ins(%c5 : i64) outs(%56 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %58 = tensor.empty() : tensor<1x3x37xf32>
  %59 = linalg.fill ins(%c6 : f32) outs(%58 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %60:2 = linalg.generic {indexing_maps = [#map4, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<1x3x37x37xf32>) outs(%59, %57 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %61 = tensor.expand_shape %60#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %62 = tensor.empty() : tensor<1x3x37x37xf32>
  %63 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %61 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%62 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x37xf32>
  %64 = tensor.empty() : tensor<1x3x37x37xf32>
  %65 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x3x37x37xf32>) outs(%64 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x37xf32>
  %66 = tensor.empty() : tensor<1x3x37x1xf32>
  %67 = linalg.fill ins(%c0 : f32) outs(%66 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %68 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%65 : tensor<1x3x37x37xf32>) outs(%67 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x1xf32>
  %69 = tensor.empty() : tensor<1x3x37x37xf32>
  %70 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %68 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%69 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x37xf32>
  %71 = tensor.collapse_shape %70 [[0, 1], [2], [3]] : tensor<1x3x37x37xf32> into tensor<3x37x37xf32>
  %72 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %73 = tensor.empty() : tensor<3x37x16xf32>
  %74 = linalg.fill ins(%c0 : f32) outs(%73 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %75 = linalg.batch_matmul ins(%71, %72 : tensor<3x37x37xf32>, tensor<3x37x16xf32>) outs(%74 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %76 = tensor.expand_shape %75 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %77 = tensor.empty() : tensor<1x37x3x16xf32>
  %78 = linalg.transpose ins(%76 : tensor<1x3x37x16xf32>) outs(%77 : tensor<1x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %79 = tensor.collapse_shape %78 [[0], [1], [2, 3]] : tensor<1x37x3x16xf32> into tensor<1x37x48xf32>
  %80 = tensor.empty() : tensor<48x48xf32>
  %81 = linalg.transpose ins(%w_o : tensor<48x48xf32>) outs(%80 : tensor<48x48xf32>) permutation = [1, 0]
  %82 = tensor.collapse_shape %79 [[0, 1], [2]] : tensor<1x37x48xf32> into tensor<37x48xf32>
  %83 = tensor.empty() : tensor<37x48xf32>
  %84 = linalg.fill ins(%c0 : f32) outs(%83 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %85 = linalg.matmul ins(%82, %81 : tensor<37x48xf32>, tensor<48x48xf32>) outs(%84 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %86 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf32> into tensor<1x37x48xf32>
  %87 = tensor.empty() : tensor<1x37x48xf32>
  %88 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %b_o : tensor<1x37x48xf32>, tensor<48xf32>) outs(%87 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %89 = tensor.expand_shape %gate [[0], [1, 2]] output_shape [1, 1, 48] : tensor<1x48xf32> into tensor<1x1x48xf32>
  %90 = tensor.empty() : tensor<1x37x48xf32>
  %91 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %88 : tensor<1x1x48xf32>, tensor<1x37x48xf32>) outs(%90 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %92 = tensor.empty() : tensor<1x37x48xf32>
  %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %91 : tensor<1x37x48xf32>, tensor<1x37x48xf32>) outs(%92 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  return %93 : tensor<1x37x48xf32>
}
