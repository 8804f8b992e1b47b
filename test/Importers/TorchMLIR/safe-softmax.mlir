// Rows of which all is hidden are 0: select(all(x == -inf), 0, softmax(x)).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @safe_softmax(%q: tensor<1x3x37x16xf32>,
                        %k: tensor<1x3x45x16xf32>,
                        %v: tensor<1x3x45x16xf32>,
                        %mask: tensor<1x1x37x45xf32> {check.draw = "choose -inf 0"}) -> tensor<1x3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant true
  %0 = tensor.empty() : tensor<1x3x16x45xf32>
  %1 = linalg.transpose ins(%k : tensor<1x3x45x16xf32>) outs(%0 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %4 = tensor.empty() : tensor<3x37x45xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %8 = tensor.empty() : tensor<1x3x37x45xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x3x37x45xf32>) outs(%8 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.truncf %cst_1 : f64 to f32
    %11 = arith.mulf %in, %10 : f32
    linalg.yield %11 : f32
  } -> tensor<1x3x37x45xf32>
  %12 = tensor.empty() : tensor<1x3x37x45xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %mask : tensor<1x3x37x45xf32>, tensor<1x1x37x45xf32>) outs(%12 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %14 = arith.addf %in, %in_1 : f32
    linalg.yield %14 : f32
  } -> tensor<1x3x37x45xf32>
  %15 = tensor.empty() : tensor<1x3x37xi64>
  %16 = linalg.fill ins(%cst_2 : i64) outs(%15 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %17 = tensor.empty() : tensor<1x3x37xf32>
  %18 = linalg.fill ins(%cst_3 : f32) outs(%17 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %19:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<1x3x37x45xf32>) outs(%18, %16 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %20 = linalg.index 3 : index
    %21 = arith.index_cast %20 : index to i64
    %22 = arith.maximumf %in, %out : f32
    %23 = arith.cmpf ogt, %in, %out : f32
    %24 = arith.select %23, %21, %out_1 : i64
    linalg.yield %22, %24 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %25 = tensor.expand_shape %19#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %26 = tensor.empty() : tensor<1x3x37x45xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %25 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%26 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %28 = arith.subf %in, %in_1 : f32
    linalg.yield %28 : f32
  } -> tensor<1x3x37x45xf32>
  %29 = tensor.empty() : tensor<1x3x37x45xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x3x37x45xf32>) outs(%29 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.exp %in : f32
    linalg.yield %31 : f32
  } -> tensor<1x3x37x45xf32>
  %32 = tensor.empty() : tensor<1x3x37x1xf32>
  %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x3x37x45xf32>) outs(%33 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %in, %out : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x37x1xf32>
  %36 = tensor.empty() : tensor<1x3x37x45xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %34 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%36 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %38 = arith.divf %in, %in_1 : f32
    linalg.yield %38 : f32
  } -> tensor<1x3x37x45xf32>
  %39 = tensor.empty() : tensor<1x3x37x45xi1>
  %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x3x37x45xf32>) outs(%39 : tensor<1x3x37x45xi1>) {
  ^bb0(%in: f32, %out: i1):
    %41 = arith.cmpf ueq, %in, %cst_3 : f32
    linalg.yield %41 : i1
  } -> tensor<1x3x37x45xi1>
  %42 = tensor.empty() : tensor<1x3x37x1xi1>
  %43 = linalg.fill ins(%cst_4 : i1) outs(%42 : tensor<1x3x37x1xi1>) -> tensor<1x3x37x1xi1>
  %44 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x3x37x45xi1>) outs(%43 : tensor<1x3x37x1xi1>) {
  ^bb0(%in: i1, %out: i1):
    %45 = arith.andi %in, %out : i1
    linalg.yield %45 : i1
  } -> tensor<1x3x37x1xi1>
  %46 = tensor.empty() : tensor<1x3x37x45xf32>
  %47 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %37 : tensor<1x3x37x1xi1>, tensor<1x3x37x45xf32>) outs(%46 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %48 = arith.select %in, %cst, %in_1 : f32
    linalg.yield %48 : f32
  } -> tensor<1x3x37x45xf32>
  %49 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %50 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %51 = tensor.empty() : tensor<3x37x16xf32>
  %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %53 = linalg.batch_matmul ins(%49, %50 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%52 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %54 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %54 : tensor<1x3x37x16xf32>
}
