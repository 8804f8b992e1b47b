// Flamingo: text sees the media of its time; text before the first media gets 0; a gate
// of tanh and the residual.

// RUN: linalg-ext-check-program %s --max-kernels=3 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2) -> (0)>

func.func @flamingo_cross_attention(%x: tensor<1x37x48xf32>,
    %q: tensor<1x3x37x16xf32>,
    %k: tensor<1x3x40x16xf32>,
    %v: tensor<1x3x40x16xf32>,
    %time: tensor<1x37xi64> {check.draw = "uniform 0 3"},
    %w_o: tensor<48x48xf32> {check.draw = "uniform -0.25 0.25"},
    %gate: tensor<1xf32>) -> (tensor<1x37x48xf32>) {
  %one = arith.constant 1 : i64
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0.0 : f32
  %c3 = arith.constant -3.40282347E+38 : f32
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<2xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %jx = arith.index_cast %ix : index to i64
    %res = arith.addi %jx, %one : i64
    linalg.yield %res : i64
  } -> tensor<2xi64>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %3 = tensor.empty() : tensor<2x20xi64>
  %4 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x1xi64>) outs(%3 : tensor<2x20xi64>) {
  ^bb0(%in0: i64, %out: i64):
    linalg.yield %in0 : i64
  } -> tensor<2x20xi64>
  %5 = tensor.collapse_shape %4 [[0, 1]] : tensor<2x20xi64> into tensor<40xi64>
  %6 = tensor.expand_shape %time [[0], [1, 2, 3]] output_shape [1, 1, 37, 1] : tensor<1x37xi64> into tensor<1x1x37x1xi64>
  %7 = tensor.expand_shape %5 [[0, 1, 2, 3]] output_shape [1, 1, 1, 40] : tensor<40xi64> into tensor<1x1x1x40xi64>
  %8 = tensor.empty() : tensor<1x1x37x40xi1>
  %9 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<1x1x37x1xi64>, tensor<1x1x1x40xi64>) outs(%8 : tensor<1x1x37x40xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<1x1x37x40xi1>
  %10 = tensor.empty() : tensor<1x3x37x16xf32>
  %11 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x3x37x16xf32>) outs(%10 : tensor<1x3x37x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x16xf32>
  %12 = tensor.empty() : tensor<1x3x16x40xf32>
  %13 = linalg.transpose ins(%k : tensor<1x3x40x16xf32>) outs(%12 : tensor<1x3x16x40xf32>) permutation = [0, 1, 3, 2]
  %14 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %15 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x3x16x40xf32> into tensor<3x16x40xf32>
  %16 = tensor.empty() : tensor<3x37x40xf32>
  %17 = linalg.fill ins(%c2 : f32) outs(%16 : tensor<3x37x40xf32>) -> tensor<3x37x40xf32>
  %18 = linalg.batch_matmul ins(%14, %15 : tensor<3x37x16xf32>, tensor<3x16x40xf32>) outs(%17 : tensor<3x37x40xf32>) -> tensor<3x37x40xf32>
  %19 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [1, 3, 37, 40] : tensor<3x37x40xf32> into tensor<1x3x37x40xf32>
  %20 = tensor.empty() : tensor<1x3x37x40xf32>
  %21 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %19 : tensor<1x1x37x40xi1>, tensor<1x3x37x40xf32>) outs(%20 : tensor<1x3x37x40xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %in1, %c3 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x40xf32>
  %22 = tensor.empty() : tensor<1x3x37xi64>
  %23 = linalg.fill ins(%c4 : i64) outs(%22 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %24 = tensor.empty() : tensor<1x3x37xf32>
  %25 = linalg.fill ins(%c5 : f32) outs(%24 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %26:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x3x37x40xf32>) outs(%25, %23 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %27 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %28 = tensor.empty() : tensor<1x3x37x40xf32>
  %29 = linalg.generic {indexing_maps = [#map5, #map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %27 : tensor<1x3x37x40xf32>, tensor<1x3x37x1xf32>) outs(%28 : tensor<1x3x37x40xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x40xf32>
  %30 = tensor.empty() : tensor<1x3x37x40xf32>
  %31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x3x37x40xf32>) outs(%30 : tensor<1x3x37x40xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x40xf32>
  %32 = tensor.empty() : tensor<1x3x37x1xf32>
  %33 = linalg.fill ins(%c2 : f32) outs(%32 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %34 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x3x37x40xf32>) outs(%33 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x1xf32>
  %35 = tensor.empty() : tensor<1x3x37x40xf32>
  %36 = linalg.generic {indexing_maps = [#map5, #map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x3x37x40xf32>, tensor<1x3x37x1xf32>) outs(%35 : tensor<1x3x37x40xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x40xf32>
  %37 = tensor.expand_shape %time [[0], [1, 2, 3]] output_shape [1, 1, 37, 1] : tensor<1x37xi64> into tensor<1x1x37x1xi64>
  %38 = tensor.empty() : tensor<1x1x37x1xi1>
  %39 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x1x37x1xi64>) outs(%38 : tensor<1x1x37x1xi1>) {
  ^bb0(%in0: i64, %out: i1):
    %res = arith.cmpi eq, %in0, %c4 : i64
    linalg.yield %res : i1
  } -> tensor<1x1x37x1xi1>
  %40 = tensor.empty() : tensor<1x3x37x40xf32>
  %41 = linalg.generic {indexing_maps = [#map8, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %36 : tensor<1x1x37x1xi1>, tensor<1x3x37x40xf32>) outs(%40 : tensor<1x3x37x40xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %c2, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x40xf32>
  %42 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<1x3x37x40xf32> into tensor<3x37x40xf32>
  %43 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x40x16xf32> into tensor<3x40x16xf32>
  %44 = tensor.empty() : tensor<3x37x16xf32>
  %45 = linalg.fill ins(%c2 : f32) outs(%44 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %46 = linalg.batch_matmul ins(%42, %43 : tensor<3x37x40xf32>, tensor<3x40x16xf32>) outs(%45 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %47 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %48 = tensor.empty() : tensor<1x37x3x16xf32>
  %49 = linalg.transpose ins(%47 : tensor<1x3x37x16xf32>) outs(%48 : tensor<1x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %50 = tensor.collapse_shape %49 [[0], [1], [2, 3]] : tensor<1x37x3x16xf32> into tensor<1x37x48xf32>
  %51 = tensor.empty() : tensor<48x48xf32>
  %52 = linalg.transpose ins(%w_o : tensor<48x48xf32>) outs(%51 : tensor<48x48xf32>) permutation = [1, 0]
  %53 = tensor.collapse_shape %50 [[0, 1], [2]] : tensor<1x37x48xf32> into tensor<37x48xf32>
  %54 = tensor.empty() : tensor<37x48xf32>
  %55 = linalg.fill ins(%c2 : f32) outs(%54 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %56 = linalg.matmul ins(%53, %52 : tensor<37x48xf32>, tensor<48x48xf32>) outs(%55 : tensor<37x48xf32>) -> tensor<37x48xf32>
  %57 = tensor.expand_shape %56 [[0, 1], [2]] output_shape [1, 37, 48] : tensor<37x48xf32> into tensor<1x37x48xf32>
  %58 = tensor.empty() : tensor<1xf32>
  %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%gate : tensor<1xf32>) outs(%58 : tensor<1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.tanh %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1xf32>
  %60 = tensor.empty() : tensor<1x37x48xf32>
  %61 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %59 : tensor<1x37x48xf32>, tensor<1xf32>) outs(%60 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  %62 = tensor.empty() : tensor<1x37x48xf32>
  %63 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %x : tensor<1x37x48xf32>, tensor<1x37x48xf32>) outs(%62 : tensor<1x37x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x37x48xf32>
  return %63 : tensor<1x37x48xf32>
}
