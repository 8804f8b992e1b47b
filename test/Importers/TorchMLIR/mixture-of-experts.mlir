// A mixture of experts: softmax of the router, the two largest by argmax, weights
// normalised among them, the products of all experts, their weighted sum.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=27904 --max-kernels=4

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @moe_top2(%x: tensor<29x32xf32>,
    %router: tensor<6x32xf32>,
    %w1: tensor<6x32x40xf32>,
    %w2: tensor<6x40x32xf32>) -> tensor<29x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0 : i64
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<32x6xf32>
  %1 = linalg.transpose ins(%router : tensor<6x32xf32>) outs(%0 : tensor<32x6xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<29x6xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<29x6xf32>) -> tensor<29x6xf32>
  %4 = linalg.matmul ins(%x, %1 : tensor<29x32xf32>, tensor<32x6xf32>) outs(%3 : tensor<29x6xf32>) -> tensor<29x6xf32>
  %5 = tensor.empty() : tensor<29xi64>
  %6 = linalg.fill ins(%cst_1 : i64) outs(%5 : tensor<29xi64>) -> tensor<29xi64>
  %7 = tensor.empty() : tensor<29xf32>
  %8 = linalg.fill ins(%cst_2 : f32) outs(%7 : tensor<29xf32>) -> tensor<29xf32>
  %9:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<29x6xf32>) outs(%8, %6 : tensor<29xf32>, tensor<29xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %10 = linalg.index 1 : index
    %11 = arith.index_cast %10 : index to i64
    %12 = arith.maximumf %in, %out : f32
    %13 = arith.cmpf ogt, %in, %out : f32
    %14 = arith.select %13, %11, %out_1 : i64
    linalg.yield %12, %14 : f32, i64
  } -> (tensor<29xf32>, tensor<29xi64>)
  %15 = tensor.expand_shape %9#0 [[0, 1]] output_shape [29, 1] : tensor<29xf32> into tensor<29x1xf32>
  %16 = tensor.empty() : tensor<29x6xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %15 : tensor<29x6xf32>, tensor<29x1xf32>) outs(%16 : tensor<29x6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.subf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<29x6xf32>
  %19 = tensor.empty() : tensor<29x6xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<29x6xf32>) outs(%19 : tensor<29x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %21 = math.exp %in : f32
    linalg.yield %21 : f32
  } -> tensor<29x6xf32>
  %22 = tensor.empty() : tensor<29x1xf32>
  %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<29x1xf32>) -> tensor<29x1xf32>
  %24 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%20 : tensor<29x6xf32>) outs(%23 : tensor<29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = arith.addf %in, %out : f32
    linalg.yield %25 : f32
  } -> tensor<29x1xf32>
  %26 = tensor.empty() : tensor<29x6xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%20, %24 : tensor<29x6xf32>, tensor<29x1xf32>) outs(%26 : tensor<29x6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %28 = arith.divf %in, %in_1 : f32
    linalg.yield %28 : f32
  } -> tensor<29x6xf32>
  %29 = tensor.empty() : tensor<29xi64>
  %30 = linalg.fill ins(%cst_1 : i64) outs(%29 : tensor<29xi64>) -> tensor<29xi64>
  %31 = tensor.empty() : tensor<29xf32>
  %32 = linalg.fill ins(%cst_2 : f32) outs(%31 : tensor<29xf32>) -> tensor<29xf32>
  %33:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%27 : tensor<29x6xf32>) outs(%32, %30 : tensor<29xf32>, tensor<29xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %34 = linalg.index 1 : index
    %35 = arith.index_cast %34 : index to i64
    %36 = arith.maximumf %in, %out : f32
    %37 = arith.cmpf ogt, %in, %out : f32
    %38 = arith.select %37, %35, %out_1 : i64
    linalg.yield %36, %38 : f32, i64
  } -> (tensor<29xf32>, tensor<29xi64>)
  %39 = tensor.expand_shape %33#0 [[0, 1]] output_shape [29, 1] : tensor<29xf32> into tensor<29x1xf32>
  %40 = tensor.empty() : tensor<6xi64>
  %41 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%40 : tensor<6xi64>) {
  ^bb0(%out: i64):
    %42 = linalg.index 0 : index
    %43 = arith.index_cast %42 : index to i64
    linalg.yield %43 : i64
  } -> tensor<6xi64>
  %44 = tensor.expand_shape %41 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
  %45 = tensor.expand_shape %33#1 [[0, 1]] output_shape [29, 1] : tensor<29xi64> into tensor<29x1xi64>
  %46 = tensor.empty() : tensor<29x6xi1>
  %47 = linalg.generic {indexing_maps = [#map2, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%45, %44 : tensor<29x1xi64>, tensor<1x6xi64>) outs(%46 : tensor<29x6xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %48 = arith.cmpi eq, %in, %in_1 : i64
    linalg.yield %48 : i1
  } -> tensor<29x6xi1>
  %49 = tensor.empty() : tensor<29x6xf32>
  %50 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%47, %27 : tensor<29x6xi1>, tensor<29x6xf32>) outs(%49 : tensor<29x6xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %51 = arith.select %in, %cst_2, %in_1 : f32
    linalg.yield %51 : f32
  } -> tensor<29x6xf32>
  %52 = tensor.empty() : tensor<29xi64>
  %53 = linalg.fill ins(%cst_1 : i64) outs(%52 : tensor<29xi64>) -> tensor<29xi64>
  %54 = tensor.empty() : tensor<29xf32>
  %55 = linalg.fill ins(%cst_2 : f32) outs(%54 : tensor<29xf32>) -> tensor<29xf32>
  %56:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%50 : tensor<29x6xf32>) outs(%55, %53 : tensor<29xf32>, tensor<29xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %57 = linalg.index 1 : index
    %58 = arith.index_cast %57 : index to i64
    %59 = arith.maximumf %in, %out : f32
    %60 = arith.cmpf ogt, %in, %out : f32
    %61 = arith.select %60, %58, %out_1 : i64
    linalg.yield %59, %61 : f32, i64
  } -> (tensor<29xf32>, tensor<29xi64>)
  %62 = tensor.expand_shape %56#0 [[0, 1]] output_shape [29, 1] : tensor<29xf32> into tensor<29x1xf32>
  %63 = tensor.expand_shape %56#1 [[0, 1]] output_shape [29, 1] : tensor<29xi64> into tensor<29x1xi64>
  %64 = tensor.empty() : tensor<29x6xi1>
  %65 = linalg.generic {indexing_maps = [#map2, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%63, %44 : tensor<29x1xi64>, tensor<1x6xi64>) outs(%64 : tensor<29x6xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %66 = arith.cmpi eq, %in, %in_1 : i64
    linalg.yield %66 : i1
  } -> tensor<29x6xi1>
  %67 = tensor.empty() : tensor<29x1xf32>
  %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%39, %62 : tensor<29x1xf32>, tensor<29x1xf32>) outs(%67 : tensor<29x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %69 = arith.addf %in, %in_1 : f32
    linalg.yield %69 : f32
  } -> tensor<29x1xf32>
  %70 = tensor.empty() : tensor<29x6xf32>
  %71 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%47, %65, %27 : tensor<29x6xi1>, tensor<29x6xi1>, tensor<29x6xf32>) outs(%70 : tensor<29x6xf32>) {
  ^bb0(%in: i1, %in_1: i1, %in_2: f32, %out: f32):
    %72 = arith.ori %in, %in_1 : i1
    %73 = arith.select %72, %in_2, %cst : f32
    linalg.yield %73 : f32
  } -> tensor<29x6xf32>
  %74 = tensor.empty() : tensor<29x6xf32>
  %75 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%71, %68 : tensor<29x6xf32>, tensor<29x1xf32>) outs(%74 : tensor<29x6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %76 = arith.divf %in, %in_1 : f32
    linalg.yield %76 : f32
  } -> tensor<29x6xf32>
  %77 = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 29, 32] : tensor<29x32xf32> into tensor<1x29x32xf32>
  %78 = tensor.empty() : tensor<6x29x32xf32>
  %79 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x29x32xf32>) outs(%78 : tensor<6x29x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x29x32xf32>
  %80 = tensor.empty() : tensor<6x29x40xf32>
  %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<6x29x40xf32>) -> tensor<6x29x40xf32>
  %82 = linalg.batch_matmul ins(%79, %w1 : tensor<6x29x32xf32>, tensor<6x32x40xf32>) outs(%81 : tensor<6x29x40xf32>) -> tensor<6x29x40xf32>
  %83 = tensor.empty() : tensor<6x29x40xf32>
  %84 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<6x29x40xf32>) outs(%83 : tensor<6x29x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %85 = arith.negf %in : f32
    %86 = math.exp %85 : f32
    %87 = arith.addf %86, %cst_3 : f32
    %88 = arith.divf %in, %87 : f32
    linalg.yield %88 : f32
  } -> tensor<6x29x40xf32>
  %89 = tensor.empty() : tensor<6x29x32xf32>
  %90 = linalg.fill ins(%cst : f32) outs(%89 : tensor<6x29x32xf32>) -> tensor<6x29x32xf32>
  %91 = linalg.batch_matmul ins(%84, %w2 : tensor<6x29x40xf32>, tensor<6x40x32xf32>) outs(%90 : tensor<6x29x32xf32>) -> tensor<6x29x32xf32>
  %92 = tensor.empty() : tensor<6x29xf32>
  %93 = linalg.transpose ins(%75 : tensor<29x6xf32>) outs(%92 : tensor<6x29xf32>) permutation = [1, 0]
  %94 = tensor.expand_shape %93 [[0], [1, 2]] output_shape [6, 29, 1] : tensor<6x29xf32> into tensor<6x29x1xf32>
  %95 = tensor.empty() : tensor<6x29x32xf32>
  %96 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %94 : tensor<6x29x32xf32>, tensor<6x29x1xf32>) outs(%95 : tensor<6x29x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %97 = arith.mulf %in, %in_1 : f32
    linalg.yield %97 : f32
  } -> tensor<6x29x32xf32>
  %98 = tensor.empty() : tensor<29x32xf32>
  %99 = linalg.fill ins(%cst : f32) outs(%98 : tensor<29x32xf32>) -> tensor<29x32xf32>
  %100 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["reduction", "parallel", "parallel"]} ins(%96 : tensor<6x29x32xf32>) outs(%99 : tensor<29x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %101 = arith.addf %in, %out : f32
    linalg.yield %101 : f32
  } -> tensor<29x32xf32>
  return %100 : tensor<29x32xf32>
}
