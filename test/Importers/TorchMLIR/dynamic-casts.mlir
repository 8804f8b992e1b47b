// Keys of a length that is known behind a cast; a mask of booleans.

// RUN: linalg-ext-check-program %s \
// RUN:   --sizes=1x3x37x16,1x3x45x16,1x3x45x16,1x1x37x45 \
// RUN:   --max-buffer-bytes=7360 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @dynamic_fixed_length(%q: tensor<1x3x?x16xf32>,
                                %k: tensor<1x3x?x16xf32>,
                                %v: tensor<1x3x?x16xf32>,
                                %mask: tensor<1x1x?x45xi1> {check.draw = "keep 0.7"}) -> tensor<1x3x?x16xf32> {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 0 : i64
  %S = tensor.dim %q, %c2 : tensor<1x3x?x16xf32>
  %T = tensor.dim %k, %c2 : tensor<1x3x?x16xf32>
  %U = tensor.dim %v, %c2 : tensor<1x3x?x16xf32>
  %0 = tensor.cast %k : tensor<1x3x?x16xf32> to tensor<1x3x45x16xf32>
  %1 = tensor.cast %v : tensor<1x3x?x16xf32> to tensor<1x3x45x16xf32>
  %2 = tensor.empty() : tensor<1x3x16x45xf32>
  %3 = linalg.transpose ins(%0 : tensor<1x3x45x16xf32>) outs(%2 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %4 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %5 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %6 = tensor.dim %4, %c1 : tensor<3x?x16xf32>
  %7 = tensor.dim %5, %c2 : tensor<3x16x45xf32>
  %8 = tensor.dim %4, %c2 : tensor<3x?x16xf32>
  %9 = tensor.dim %5, %c1 : tensor<3x16x45xf32>
  %10 = arith.cmpi eq, %8, %9 : index
  cf.assert %10, "mismatching contracting dimension for torch.aten.matmul"
  %11 = tensor.empty(%6) : tensor<3x?x45xf32>
  %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<3x?x45xf32>) -> tensor<3x?x45xf32>
  %13 = linalg.batch_matmul ins(%4, %5 : tensor<3x?x16xf32>, tensor<3x16x45xf32>) outs(%12 : tensor<3x?x45xf32>) -> tensor<3x?x45xf32>
  %14 = tensor.expand_shape %13 [[0, 1], [2], [3]] output_shape [1, 3, %6, 45] : tensor<3x?x45xf32> into tensor<1x3x?x45xf32>
  %15 = tensor.empty(%6) : tensor<1x3x?x45xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x3x?x45xf32>) outs(%15 : tensor<1x3x?x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.truncf %cst_1 : f64 to f32
    %18 = arith.mulf %in, %17 : f32
    linalg.yield %18 : f32
  } -> tensor<1x3x?x45xf32>
  %19 = tensor.empty(%S) : tensor<1x1x?x45xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mask : tensor<1x1x?x45xi1>) outs(%19 : tensor<1x1x?x45xf32>) {
  ^bb0(%in: i1, %out: f32):
    %21 = arith.select %in, %cst, %cst_2 : f32
    linalg.yield %21 : f32
  } -> tensor<1x1x?x45xf32>
  %22 = tensor.empty(%S) : tensor<1x3x?x45xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %20 : tensor<1x3x?x45xf32>, tensor<1x1x?x45xf32>) outs(%22 : tensor<1x3x?x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %24 = arith.addf %in, %in_1 : f32
    linalg.yield %24 : f32
  } -> tensor<1x3x?x45xf32>
  %25 = tensor.empty(%S) : tensor<1x3x?xi64>
  %26 = linalg.fill ins(%cst_3 : i64) outs(%25 : tensor<1x3x?xi64>) -> tensor<1x3x?xi64>
  %27 = tensor.empty(%S) : tensor<1x3x?xf32>
  %28 = linalg.fill ins(%cst_2 : f32) outs(%27 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %29:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<1x3x?x45xf32>) outs(%28, %26 : tensor<1x3x?xf32>, tensor<1x3x?xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %30 = linalg.index 3 : index
    %31 = arith.index_cast %30 : index to i64
    %32 = arith.maximumf %in, %out : f32
    %33 = arith.cmpf ogt, %in, %out : f32
    %34 = arith.select %33, %31, %out_1 : i64
    linalg.yield %32, %34 : f32, i64
  } -> (tensor<1x3x?xf32>, tensor<1x3x?xi64>)
  %35 = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [1, 3, %S, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %36 = tensor.empty(%S) : tensor<1x3x?x45xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %35 : tensor<1x3x?x45xf32>, tensor<1x3x?x1xf32>) outs(%36 : tensor<1x3x?x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %38 = arith.subf %in, %in_1 : f32
    linalg.yield %38 : f32
  } -> tensor<1x3x?x45xf32>
  %39 = tensor.empty(%S) : tensor<1x3x?x45xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x3x?x45xf32>) outs(%39 : tensor<1x3x?x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %41 = math.exp %in : f32
    linalg.yield %41 : f32
  } -> tensor<1x3x?x45xf32>
  %42 = tensor.empty(%S) : tensor<1x3x?x1xf32>
  %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x3x?x45xf32>) outs(%43 : tensor<1x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %45 = arith.addf %in, %out : f32
    linalg.yield %45 : f32
  } -> tensor<1x3x?x1xf32>
  %46 = tensor.empty(%S) : tensor<1x3x?x45xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %44 : tensor<1x3x?x45xf32>, tensor<1x3x?x1xf32>) outs(%46 : tensor<1x3x?x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %48 = arith.divf %in, %in_1 : f32
    linalg.yield %48 : f32
  } -> tensor<1x3x?x45xf32>
  %49 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x?x45xf32> into tensor<3x?x45xf32>
  %50 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %51 = tensor.dim %49, %c1 : tensor<3x?x45xf32>
  %52 = tensor.dim %50, %c2 : tensor<3x45x16xf32>
  %53 = tensor.dim %49, %c2 : tensor<3x?x45xf32>
  %54 = tensor.dim %50, %c1 : tensor<3x45x16xf32>
  %55 = arith.cmpi eq, %53, %54 : index
  cf.assert %55, "mismatching contracting dimension for torch.aten.matmul"
  %56 = tensor.empty(%51) : tensor<3x?x16xf32>
  %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %58 = linalg.batch_matmul ins(%49, %50 : tensor<3x?x45xf32>, tensor<3x45x16xf32>) outs(%57 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %59 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [1, 3, %51, 16] : tensor<3x?x16xf32> into tensor<1x3x?x16xf32>
  return %59 : tensor<1x3x?x16xf32>
}
