// Lengths of run time: assertions on sizes, also of the expanded maximum, and casts.

// RUN: linalg-ext-check-program %s --sizes=1x3x37x16,1x3x45x16,1x3x45x16 \
// RUN:   --max-buffer-bytes=7360 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @dynamic(%q: tensor<1x3x?x16xf32>,
                   %k: tensor<1x3x?x16xf32>,
                   %v: tensor<1x3x?x16xf32>) -> tensor<1x3x?x16xf32> {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %S = tensor.dim %q, %c2 : tensor<1x3x?x16xf32>
  %T = tensor.dim %k, %c2 : tensor<1x3x?x16xf32>
  %U = tensor.dim %v, %c2 : tensor<1x3x?x16xf32>
  %0 = tensor.empty(%T) : tensor<1x3x16x?xf32>
  %1 = linalg.transpose ins(%k : tensor<1x3x?x16xf32>) outs(%0 : tensor<1x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x?xf32> into tensor<3x16x?xf32>
  %4 = tensor.dim %2, %c1 : tensor<3x?x16xf32>
  %5 = tensor.dim %3, %c2 : tensor<3x16x?xf32>
  %6 = tensor.dim %2, %c2 : tensor<3x?x16xf32>
  %7 = tensor.dim %3, %c1 : tensor<3x16x?xf32>
  %8 = arith.cmpi eq, %6, %7 : index
  cf.assert %8, "mismatching contracting dimension for torch.aten.matmul"
  %9 = tensor.empty(%4, %5) : tensor<3x?x?xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %11 = linalg.batch_matmul ins(%2, %3 : tensor<3x?x16xf32>, tensor<3x16x?xf32>) outs(%10 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %12 = tensor.expand_shape %11 [[0, 1], [2], [3]] output_shape [1, 3, %4, %5] : tensor<3x?x?xf32> into tensor<1x3x?x?xf32>
  %13 = tensor.empty(%4, %5) : tensor<1x3x?x?xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x3x?x?xf32>) outs(%13 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.truncf %cst_1 : f64 to f32
    %16 = arith.mulf %in, %15 : f32
    linalg.yield %16 : f32
  } -> tensor<1x3x?x?xf32>
  %17 = tensor.empty(%4) : tensor<1x3x?xi64>
  %18 = linalg.fill ins(%cst_2 : i64) outs(%17 : tensor<1x3x?xi64>) -> tensor<1x3x?xi64>
  %19 = tensor.empty(%4) : tensor<1x3x?xf32>
  %20 = linalg.fill ins(%cst_3 : f32) outs(%19 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %21:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x3x?x?xf32>) outs(%20, %18 : tensor<1x3x?xf32>, tensor<1x3x?xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %22 = linalg.index 3 : index
    %23 = arith.index_cast %22 : index to i64
    %24 = arith.maximumf %in, %out : f32
    %25 = arith.cmpf ogt, %in, %out : f32
    %26 = arith.select %25, %23, %out_1 : i64
    linalg.yield %24, %26 : f32, i64
  } -> (tensor<1x3x?xf32>, tensor<1x3x?xi64>)
  %27 = tensor.expand_shape %21#0 [[0], [1], [2, 3]] output_shape [1, 3, %4, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %28 = tensor.dim %14, %c2 : tensor<1x3x?x?xf32>
  %29 = tensor.dim %27, %c2 : tensor<1x3x?x1xf32>
  %30 = arith.cmpi eq, %28, %29 : index
  cf.assert %30, "mismatched size for broadcast"
  %31 = tensor.empty(%4, %5) : tensor<1x3x?x?xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %27 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%31 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %33 = arith.subf %in, %in_1 : f32
    linalg.yield %33 : f32
  } -> tensor<1x3x?x?xf32>
  %34 = tensor.empty(%4, %5) : tensor<1x3x?x?xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x3x?x?xf32>) outs(%34 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = math.exp %in : f32
    linalg.yield %36 : f32
  } -> tensor<1x3x?x?xf32>
  %37 = tensor.empty(%4) : tensor<1x3x?x1xf32>
  %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x3x?x?xf32>) outs(%38 : tensor<1x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %40 = arith.addf %in, %out : f32
    linalg.yield %40 : f32
  } -> tensor<1x3x?x1xf32>
  %41 = tensor.empty(%4, %5) : tensor<1x3x?x?xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %39 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%41 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.divf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<1x3x?x?xf32>
  %44 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x3x?x?xf32> into tensor<3x?x?xf32>
  %45 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %46 = tensor.dim %44, %c1 : tensor<3x?x?xf32>
  %47 = tensor.dim %45, %c2 : tensor<3x?x16xf32>
  %48 = tensor.dim %44, %c2 : tensor<3x?x?xf32>
  %49 = tensor.dim %45, %c1 : tensor<3x?x16xf32>
  %50 = arith.cmpi eq, %48, %49 : index
  cf.assert %50, "mismatching contracting dimension for torch.aten.matmul"
  %51 = tensor.empty(%46) : tensor<3x?x16xf32>
  %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %53 = linalg.batch_matmul ins(%44, %45 : tensor<3x?x?xf32>, tensor<3x?x16xf32>) outs(%52 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %54 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [1, 3, %46, 16] : tensor<3x?x16xf32> into tensor<1x3x?x16xf32>
  %55 = tensor.cast %54 : tensor<1x3x?x16xf32> to tensor<1x3x?x16xf32>
  return %55 : tensor<1x3x?x16xf32>
}
