// Two of four experts for each token, of which all experts compute all tokens. The sum over the
// experts reduces what a product computes for each token. In one loop with the softmax, the
// product would have one row at a time.

// RUN: linalg-ext-check-program %s --max-kernels=4

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @experts_of_all_tokens(%arg0: tensor<37x24xf32>, %arg1: tensor<4x24xf32>, %arg2: tensor<4x40x24xf32>, %arg3: tensor<4x40x24xf32>, %arg4: tensor<4x24x40xf32>) -> tensor<37x24xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = arith.constant dense<-1.000000e+30> : tensor<f32>
  %c0_i64 = arith.constant 0 : i64
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x4xf32>
  %transposed = linalg.transpose ins(%arg1 : tensor<4x24xf32>) outs(%0 : tensor<24x4xf32>) permutation = [1, 0] 
  %1 = tensor.empty() : tensor<37x4xf32>
  %2 = linalg.fill ins(%cst_3 : f32) outs(%1 : tensor<37x4xf32>) -> tensor<37x4xf32>
  %3 = linalg.matmul ins(%arg0, %transposed : tensor<37x24xf32>, tensor<24x4xf32>) outs(%2 : tensor<37x4xf32>) -> tensor<37x4xf32>
  %4 = tensor.empty() : tensor<37xf32>
  %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<37xf32>) -> tensor<37xf32>
  %6 = tensor.empty() : tensor<37xi64>
  %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<37xi64>) -> tensor<37xi64>
  %8:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<37x4xf32>) outs(%5, %7 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_14: i64):
    %68 = linalg.index 1 : index
    %69 = arith.index_cast %68 : index to i64
    %70 = arith.maximumf %in, %out : f32
    %71 = arith.cmpf ogt, %in, %out : f32
    %72 = arith.select %71, %69, %out_14 : i64
    linalg.yield %70, %72 : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  %expanded = tensor.expand_shape %8#1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %9 = tensor.empty() : tensor<4xi64>
  %10 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%9 : tensor<4xi64>) {
  ^bb0(%out: i64):
    %68 = linalg.index 0 : index
    %69 = arith.index_cast %68 : index to i64
    linalg.yield %69 : i64
  } -> tensor<4xi64>
  %expanded_4 = tensor.expand_shape %10 [[0, 1]] output_shape [1, 4] : tensor<4xi64> into tensor<1x4xi64>
  %11 = tensor.empty() : tensor<37x4xi1>
  %12 = linalg.generic {indexing_maps = [#map3, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_4 : tensor<37x1xi64>, tensor<1x4xi64>) outs(%11 : tensor<37x4xi1>) {
  ^bb0(%in: i64, %in_14: i64, %out: i1):
    %68 = arith.cmpi eq, %in, %in_14 : i64
    linalg.yield %68 : i1
  } -> tensor<37x4xi1>
  %13 = tensor.empty() : tensor<37x4xf32>
  %14 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%13 : tensor<37x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<37x4xf32>
  %15 = tensor.empty() : tensor<37x4xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %14, %3 : tensor<37x4xi1>, tensor<37x4xf32>, tensor<37x4xf32>) outs(%15 : tensor<37x4xf32>) {
  ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
    %68 = arith.select %in, %in_14, %in_15 : f32
    linalg.yield %68 : f32
  } -> tensor<37x4xf32>
  %17 = tensor.empty() : tensor<37xf32>
  %18 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<37xf32>) -> tensor<37xf32>
  %19 = tensor.empty() : tensor<37xi64>
  %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<37xi64>) -> tensor<37xi64>
  %21:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<37x4xf32>) outs(%18, %20 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_14: i64):
    %68 = linalg.index 1 : index
    %69 = arith.index_cast %68 : index to i64
    %70 = arith.maximumf %in, %out : f32
    %71 = arith.cmpf ogt, %in, %out : f32
    %72 = arith.select %71, %69, %out_14 : i64
    linalg.yield %70, %72 : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  %expanded_5 = tensor.expand_shape %21#1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %22 = tensor.empty() : tensor<4xi64>
  %23 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%22 : tensor<4xi64>) {
  ^bb0(%out: i64):
    %68 = linalg.index 0 : index
    %69 = arith.index_cast %68 : index to i64
    linalg.yield %69 : i64
  } -> tensor<4xi64>
  %expanded_6 = tensor.expand_shape %23 [[0, 1]] output_shape [1, 4] : tensor<4xi64> into tensor<1x4xi64>
  %24 = tensor.empty() : tensor<37x4xi1>
  %25 = linalg.generic {indexing_maps = [#map3, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<37x1xi64>, tensor<1x4xi64>) outs(%24 : tensor<37x4xi1>) {
  ^bb0(%in: i64, %in_14: i64, %out: i1):
    %68 = arith.cmpi eq, %in, %in_14 : i64
    linalg.yield %68 : i1
  } -> tensor<37x4xi1>
  %26 = tensor.empty() : tensor<37x4xi1>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %25 : tensor<37x4xi1>, tensor<37x4xi1>) outs(%26 : tensor<37x4xi1>) {
  ^bb0(%in: i1, %in_14: i1, %out: i1):
    %68 = arith.ori %in, %in_14 : i1
    linalg.yield %68 : i1
  } -> tensor<37x4xi1>
  %28 = tensor.empty() : tensor<37x4xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %3, %cst_0 : tensor<37x4xi1>, tensor<37x4xf32>, tensor<f32>) outs(%28 : tensor<37x4xf32>) {
  ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
    %68 = arith.select %in, %in_14, %in_15 : f32
    linalg.yield %68 : f32
  } -> tensor<37x4xf32>
  %30 = tensor.empty() : tensor<37xf32>
  %31 = linalg.fill ins(%cst_2 : f32) outs(%30 : tensor<37xf32>) -> tensor<37xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%29 : tensor<37x4xf32>) outs(%31 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.maximumf %in, %out : f32
    linalg.yield %68 : f32
  } -> tensor<37xf32>
  %expanded_7 = tensor.expand_shape %32 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %33 = tensor.empty() : tensor<37x4xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %expanded_7 : tensor<37x4xf32>, tensor<37x1xf32>) outs(%33 : tensor<37x4xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %68 = arith.subf %in, %in_14 : f32
    linalg.yield %68 : f32
  } -> tensor<37x4xf32>
  %35 = tensor.empty() : tensor<37x4xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<37x4xf32>) outs(%35 : tensor<37x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = math.exp %in : f32
    linalg.yield %68 : f32
  } -> tensor<37x4xf32>
  %37 = tensor.empty() : tensor<37x1xf32>
  %38 = linalg.fill ins(%cst_3 : f32) outs(%37 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "reduction"]} ins(%36 : tensor<37x4xf32>) outs(%38 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %in, %out : f32
    linalg.yield %68 : f32
  } -> tensor<37x1xf32>
  %40 = tensor.empty() : tensor<37x4xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%36, %39 : tensor<37x4xf32>, tensor<37x1xf32>) outs(%40 : tensor<37x4xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %68 = arith.divf %in, %in_14 : f32
    linalg.yield %68 : f32
  } -> tensor<37x4xf32>
  %expanded_8 = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 37, 24] : tensor<37x24xf32> into tensor<1x37x24xf32>
  %42 = tensor.empty() : tensor<4x37x24xf32>
  %43 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x37x24xf32>) outs(%42 : tensor<4x37x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x37x24xf32>
  %44 = tensor.empty() : tensor<4x24x40xf32>
  %transposed_9 = linalg.transpose ins(%arg2 : tensor<4x40x24xf32>) outs(%44 : tensor<4x24x40xf32>) permutation = [0, 2, 1] 
  %45 = tensor.empty() : tensor<4x37x40xf32>
  %46 = linalg.fill ins(%cst_3 : f32) outs(%45 : tensor<4x37x40xf32>) -> tensor<4x37x40xf32>
  %47 = linalg.batch_matmul ins(%43, %transposed_9 : tensor<4x37x24xf32>, tensor<4x24x40xf32>) outs(%46 : tensor<4x37x40xf32>) -> tensor<4x37x40xf32>
  %48 = tensor.empty() : tensor<4x37x40xf32>
  %49 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<4x37x40xf32>) outs(%48 : tensor<4x37x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.negf %in : f32
    %69 = math.exp %68 : f32
    %70 = arith.addf %69, %cst : f32
    %71 = arith.divf %cst, %70 : f32
    linalg.yield %71 : f32
  } -> tensor<4x37x40xf32>
  %50 = tensor.empty() : tensor<4x37x40xf32>
  %51 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %47 : tensor<4x37x40xf32>, tensor<4x37x40xf32>) outs(%50 : tensor<4x37x40xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %68 = arith.mulf %in, %in_14 : f32
    linalg.yield %68 : f32
  } -> tensor<4x37x40xf32>
  %52 = tensor.empty() : tensor<4x24x40xf32>
  %transposed_10 = linalg.transpose ins(%arg3 : tensor<4x40x24xf32>) outs(%52 : tensor<4x24x40xf32>) permutation = [0, 2, 1] 
  %53 = tensor.empty() : tensor<4x37x40xf32>
  %54 = linalg.fill ins(%cst_3 : f32) outs(%53 : tensor<4x37x40xf32>) -> tensor<4x37x40xf32>
  %55 = linalg.batch_matmul ins(%43, %transposed_10 : tensor<4x37x24xf32>, tensor<4x24x40xf32>) outs(%54 : tensor<4x37x40xf32>) -> tensor<4x37x40xf32>
  %56 = tensor.empty() : tensor<4x37x40xf32>
  %57 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51, %55 : tensor<4x37x40xf32>, tensor<4x37x40xf32>) outs(%56 : tensor<4x37x40xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %68 = arith.mulf %in, %in_14 : f32
    linalg.yield %68 : f32
  } -> tensor<4x37x40xf32>
  %58 = tensor.empty() : tensor<4x40x24xf32>
  %transposed_11 = linalg.transpose ins(%arg4 : tensor<4x24x40xf32>) outs(%58 : tensor<4x40x24xf32>) permutation = [0, 2, 1] 
  %59 = tensor.empty() : tensor<4x37x24xf32>
  %60 = linalg.fill ins(%cst_3 : f32) outs(%59 : tensor<4x37x24xf32>) -> tensor<4x37x24xf32>
  %61 = linalg.batch_matmul ins(%57, %transposed_11 : tensor<4x37x40xf32>, tensor<4x40x24xf32>) outs(%60 : tensor<4x37x24xf32>) -> tensor<4x37x24xf32>
  %62 = tensor.empty() : tensor<4x37xf32>
  %transposed_12 = linalg.transpose ins(%41 : tensor<37x4xf32>) outs(%62 : tensor<4x37xf32>) permutation = [1, 0] 
  %expanded_13 = tensor.expand_shape %transposed_12 [[0], [1, 2]] output_shape [4, 37, 1] : tensor<4x37xf32> into tensor<4x37x1xf32>
  %63 = tensor.empty() : tensor<4x37x24xf32>
  %64 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %expanded_13 : tensor<4x37x24xf32>, tensor<4x37x1xf32>) outs(%63 : tensor<4x37x24xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %68 = arith.mulf %in, %in_14 : f32
    linalg.yield %68 : f32
  } -> tensor<4x37x24xf32>
  %65 = tensor.empty() : tensor<37x24xf32>
  %66 = linalg.fill ins(%cst_3 : f32) outs(%65 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %67 = linalg.generic {indexing_maps = [#map7, #map9], iterator_types = ["reduction", "parallel", "parallel"]} ins(%64 : tensor<4x37x24xf32>) outs(%66 : tensor<37x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %68 = arith.addf %in, %out : f32
    linalg.yield %68 : f32
  } -> tensor<37x24xf32>
  return %67 : tensor<37x24xf32>
}
