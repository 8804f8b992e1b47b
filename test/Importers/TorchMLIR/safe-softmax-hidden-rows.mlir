// Whole rows are hidden, and come out as 0; products of f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @safe_softmax_hidden_rows(%q: tensor<1x3x37x16xf16>,
                                    %k: tensor<1x3x45x16xf16>,
                                    %v: tensor<1x3x45x16xf16>,
                                    %mask: tensor<1x1x37x1xf32> {check.draw = "choose -inf 0"},
                                    %keys: tensor<1x1x1x45xf32> {check.draw = "mask 0.4"}) -> tensor<1x3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant true
  %0 = tensor.empty() : tensor<1x3x16x45xf16>
  %1 = linalg.transpose ins(%k : tensor<1x3x45x16xf16>) outs(%0 : tensor<1x3x16x45xf16>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xf16> into tensor<3x16x45xf16>
  %4 = tensor.empty() : tensor<3x37x45xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xf16>, tensor<3x16x45xf16>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.empty() : tensor<3x37x45xf16>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<3x37x45xf32>) outs(%7 : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %9 = arith.truncf %in : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<3x37x45xf16>
  %10 = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf16> into tensor<1x3x37x45xf16>
  %11 = tensor.empty() : tensor<1x3x37x45xf16>
  %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x37x45xf16>) outs(%11 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f16, %out: f16):
    %13 = arith.truncf %cst_1 : f64 to f16
    %14 = arith.mulf %in, %13 : f16
    linalg.yield %14 : f16
  } -> tensor<1x3x37x45xf16>
  %15 = tensor.empty() : tensor<1x3x37x45xf32>
  %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x3x37x45xf16>) outs(%15 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f16, %out: f32):
    %17 = arith.extf %in : f16 to f32
    linalg.yield %17 : f32
  } -> tensor<1x3x37x45xf32>
  %18 = tensor.empty() : tensor<1x3x37x45xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %mask : tensor<1x3x37x45xf32>, tensor<1x1x37x1xf32>) outs(%18 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %20 = arith.addf %in, %in_1 : f32
    linalg.yield %20 : f32
  } -> tensor<1x3x37x45xf32>
  %21 = tensor.empty() : tensor<1x3x37x45xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %keys : tensor<1x3x37x45xf32>, tensor<1x1x1x45xf32>) outs(%21 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %23 = arith.addf %in, %in_1 : f32
    linalg.yield %23 : f32
  } -> tensor<1x3x37x45xf32>
  %24 = tensor.empty() : tensor<1x3x37xi64>
  %25 = linalg.fill ins(%cst_2 : i64) outs(%24 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %26 = tensor.empty() : tensor<1x3x37xf32>
  %27 = linalg.fill ins(%cst_3 : f32) outs(%26 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %28:2 = linalg.generic {indexing_maps = [#map1, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x3x37x45xf32>) outs(%27, %25 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %29 = linalg.index 3 : index
    %30 = arith.index_cast %29 : index to i64
    %31 = arith.maximumf %in, %out : f32
    %32 = arith.cmpf ogt, %in, %out : f32
    %33 = arith.select %32, %30, %out_1 : i64
    linalg.yield %31, %33 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %34 = tensor.expand_shape %28#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %35 = tensor.empty() : tensor<1x3x37x45xf32>
  %36 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %34 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%35 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %37 = arith.subf %in, %in_1 : f32
    linalg.yield %37 : f32
  } -> tensor<1x3x37x45xf32>
  %38 = tensor.empty() : tensor<1x3x37x45xf32>
  %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x3x37x45xf32>) outs(%38 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %40 = math.exp %in : f32
    linalg.yield %40 : f32
  } -> tensor<1x3x37x45xf32>
  %41 = tensor.empty() : tensor<1x3x37x1xf32>
  %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %43 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x3x37x45xf32>) outs(%42 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.addf %in, %out : f32
    linalg.yield %44 : f32
  } -> tensor<1x3x37x1xf32>
  %45 = tensor.empty() : tensor<1x3x37x45xf32>
  %46 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %43 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%45 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %47 = arith.divf %in, %in_1 : f32
    linalg.yield %47 : f32
  } -> tensor<1x3x37x45xf32>
  %48 = tensor.empty() : tensor<1x3x37x45xi1>
  %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x3x37x45xf32>) outs(%48 : tensor<1x3x37x45xi1>) {
  ^bb0(%in: f32, %out: i1):
    %50 = arith.cmpf ueq, %in, %cst_3 : f32
    linalg.yield %50 : i1
  } -> tensor<1x3x37x45xi1>
  %51 = tensor.empty() : tensor<1x3x37x1xi1>
  %52 = linalg.fill ins(%cst_4 : i1) outs(%51 : tensor<1x3x37x1xi1>) -> tensor<1x3x37x1xi1>
  %53 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<1x3x37x45xi1>) outs(%52 : tensor<1x3x37x1xi1>) {
  ^bb0(%in: i1, %out: i1):
    %54 = arith.andi %in, %out : i1
    linalg.yield %54 : i1
  } -> tensor<1x3x37x1xi1>
  %55 = tensor.empty() : tensor<1x3x37x45xf32>
  %56 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %46 : tensor<1x3x37x1xi1>, tensor<1x3x37x45xf32>) outs(%55 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %57 = arith.select %in, %cst, %in_1 : f32
    linalg.yield %57 : f32
  } -> tensor<1x3x37x45xf32>
  %58 = tensor.empty() : tensor<1x3x37x45xf16>
  %59 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x3x37x45xf32>) outs(%58 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %60 = arith.truncf %in : f32 to f16
    linalg.yield %60 : f16
  } -> tensor<1x3x37x45xf16>
  %61 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<1x3x37x45xf16> into tensor<3x37x45xf16>
  %62 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf16> into tensor<3x45x16xf16>
  %63 = tensor.empty() : tensor<3x37x16xf32>
  %64 = linalg.fill ins(%cst : f32) outs(%63 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %65 = linalg.batch_matmul ins(%61, %62 : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%64 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %66 = tensor.empty() : tensor<3x37x16xf16>
  %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<3x37x16xf32>) outs(%66 : tensor<3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %68 = arith.truncf %in : f32 to f16
    linalg.yield %68 : f16
  } -> tensor<3x37x16xf16>
  %69 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf16> into tensor<1x3x37x16xf16>
  return %69 : tensor<1x3x37x16xf16>
}
