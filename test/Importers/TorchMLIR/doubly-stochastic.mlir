// Doubly stochastic weights (Sinkhorn): the log-sum-exp of rows, then of columns, three times.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=27584 --max-kernels=1

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>

func.func @doubly_stochastic(%arg0: tensor<2x37x16xf32>, %arg1: tensor<2x37x16xf32>, %arg2: tensor<2x37x16xf32>) -> tensor<2x37x16xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 2.500000e-01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x16x37xf32>
  %transposed = linalg.transpose ins(%arg1 : tensor<2x37x16xf32>) outs(%0 : tensor<2x16x37xf32>) permutation = [0, 2, 1] 
  %1 = tensor.empty() : tensor<2x37x37xf32>
  %2 = linalg.fill ins(%cst_1 : f32) outs(%1 : tensor<2x37x37xf32>) -> tensor<2x37x37xf32>
  %3 = linalg.batch_matmul ins(%arg0, %transposed : tensor<2x37x16xf32>, tensor<2x16x37xf32>) outs(%2 : tensor<2x37x37xf32>) -> tensor<2x37x37xf32>
  %4 = tensor.empty() : tensor<2x37x37xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x37x37xf32>) outs(%4 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.mulf %in, %cst_0 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %6 = tensor.empty() : tensor<2x37x1xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<2x37x37xf32>) outs(%7 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.maximumf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %9 = tensor.empty() : tensor<2x37x37xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %8 : tensor<2x37x37xf32>, tensor<2x37x1xf32>) outs(%9 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %11 = tensor.empty() : tensor<2x37x37xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x37x37xf32>) outs(%11 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %13 = tensor.empty() : tensor<2x37x1xf32>
  %14 = linalg.fill ins(%cst_1 : f32) outs(%13 : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<2x37x37xf32>) outs(%14 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %16 = tensor.empty() : tensor<2x37x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x37x1xf32>) outs(%16 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.log %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %18 = tensor.empty() : tensor<2x37x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %8 : tensor<2x37x1xf32>, tensor<2x37x1xf32>) outs(%18 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.addf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %20 = tensor.empty() : tensor<2x37x37xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %19 : tensor<2x37x37xf32>, tensor<2x37x1xf32>) outs(%20 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %22 = tensor.empty() : tensor<2x1x37xf32>
  %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x1x37xf32>) -> tensor<2x1x37xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction", "parallel"]} ins(%21 : tensor<2x37x37xf32>) outs(%23 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.maximumf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %25 = tensor.empty() : tensor<2x37x37xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<2x37x37xf32>, tensor<2x1x37xf32>) outs(%25 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %27 = tensor.empty() : tensor<2x37x37xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x37x37xf32>) outs(%27 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %29 = tensor.empty() : tensor<2x1x37xf32>
  %30 = linalg.fill ins(%cst_1 : f32) outs(%29 : tensor<2x1x37xf32>) -> tensor<2x1x37xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction", "parallel"]} ins(%28 : tensor<2x37x37xf32>) outs(%30 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %32 = tensor.empty() : tensor<2x1x37xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x1x37xf32>) outs(%32 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.log %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %34 = tensor.empty() : tensor<2x1x37xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %24 : tensor<2x1x37xf32>, tensor<2x1x37xf32>) outs(%34 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.addf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %36 = tensor.empty() : tensor<2x37x37xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %35 : tensor<2x37x37xf32>, tensor<2x1x37xf32>) outs(%36 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %38 = tensor.empty() : tensor<2x37x1xf32>
  %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37 : tensor<2x37x37xf32>) outs(%39 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.maximumf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %41 = tensor.empty() : tensor<2x37x37xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<2x37x37xf32>, tensor<2x37x1xf32>) outs(%41 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %43 = tensor.empty() : tensor<2x37x37xf32>
  %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<2x37x37xf32>) outs(%43 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %45 = tensor.empty() : tensor<2x37x1xf32>
  %46 = linalg.fill ins(%cst_1 : f32) outs(%45 : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%44 : tensor<2x37x37xf32>) outs(%46 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %48 = tensor.empty() : tensor<2x37x1xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<2x37x1xf32>) outs(%48 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.log %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %50 = tensor.empty() : tensor<2x37x1xf32>
  %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49, %40 : tensor<2x37x1xf32>, tensor<2x37x1xf32>) outs(%50 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.addf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %52 = tensor.empty() : tensor<2x37x37xf32>
  %53 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %51 : tensor<2x37x37xf32>, tensor<2x37x1xf32>) outs(%52 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %54 = tensor.empty() : tensor<2x1x37xf32>
  %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<2x1x37xf32>) -> tensor<2x1x37xf32>
  %56 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction", "parallel"]} ins(%53 : tensor<2x37x37xf32>) outs(%55 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.maximumf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %57 = tensor.empty() : tensor<2x37x37xf32>
  %58 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<2x37x37xf32>, tensor<2x1x37xf32>) outs(%57 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %59 = tensor.empty() : tensor<2x37x37xf32>
  %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x37x37xf32>) outs(%59 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %61 = tensor.empty() : tensor<2x1x37xf32>
  %62 = linalg.fill ins(%cst_1 : f32) outs(%61 : tensor<2x1x37xf32>) -> tensor<2x1x37xf32>
  %63 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction", "parallel"]} ins(%60 : tensor<2x37x37xf32>) outs(%62 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %64 = tensor.empty() : tensor<2x1x37xf32>
  %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x1x37xf32>) outs(%64 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.log %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %66 = tensor.empty() : tensor<2x1x37xf32>
  %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %56 : tensor<2x1x37xf32>, tensor<2x1x37xf32>) outs(%66 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.addf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %68 = tensor.empty() : tensor<2x37x37xf32>
  %69 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %67 : tensor<2x37x37xf32>, tensor<2x1x37xf32>) outs(%68 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %70 = tensor.empty() : tensor<2x37x1xf32>
  %71 = linalg.fill ins(%cst : f32) outs(%70 : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %72 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%69 : tensor<2x37x37xf32>) outs(%71 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.maximumf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %73 = tensor.empty() : tensor<2x37x37xf32>
  %74 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %72 : tensor<2x37x37xf32>, tensor<2x37x1xf32>) outs(%73 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %75 = tensor.empty() : tensor<2x37x37xf32>
  %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x37x37xf32>) outs(%75 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %77 = tensor.empty() : tensor<2x37x1xf32>
  %78 = linalg.fill ins(%cst_1 : f32) outs(%77 : tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %79 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%76 : tensor<2x37x37xf32>) outs(%78 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %80 = tensor.empty() : tensor<2x37x1xf32>
  %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x37x1xf32>) outs(%80 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.log %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %82 = tensor.empty() : tensor<2x37x1xf32>
  %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %72 : tensor<2x37x1xf32>, tensor<2x37x1xf32>) outs(%82 : tensor<2x37x1xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.addf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x1xf32>
  %84 = tensor.empty() : tensor<2x37x37xf32>
  %85 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %83 : tensor<2x37x37xf32>, tensor<2x37x1xf32>) outs(%84 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %86 = tensor.empty() : tensor<2x1x37xf32>
  %87 = linalg.fill ins(%cst : f32) outs(%86 : tensor<2x1x37xf32>) -> tensor<2x1x37xf32>
  %88 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction", "parallel"]} ins(%85 : tensor<2x37x37xf32>) outs(%87 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.maximumf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %89 = tensor.empty() : tensor<2x37x37xf32>
  %90 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %88 : tensor<2x37x37xf32>, tensor<2x1x37xf32>) outs(%89 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %91 = tensor.empty() : tensor<2x37x37xf32>
  %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x37x37xf32>) outs(%91 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %93 = tensor.empty() : tensor<2x1x37xf32>
  %94 = linalg.fill ins(%cst_1 : f32) outs(%93 : tensor<2x1x37xf32>) -> tensor<2x1x37xf32>
  %95 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction", "parallel"]} ins(%92 : tensor<2x37x37xf32>) outs(%94 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = arith.addf %in, %out : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %96 = tensor.empty() : tensor<2x1x37xf32>
  %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x1x37xf32>) outs(%96 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.log %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %98 = tensor.empty() : tensor<2x1x37xf32>
  %99 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %88 : tensor<2x1x37xf32>, tensor<2x1x37xf32>) outs(%98 : tensor<2x1x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.addf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x1x37xf32>
  %100 = tensor.empty() : tensor<2x37x37xf32>
  %101 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %99 : tensor<2x37x37xf32>, tensor<2x1x37xf32>) outs(%100 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %107 = arith.subf %in, %in_2 : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %102 = tensor.empty() : tensor<2x37x37xf32>
  %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x37x37xf32>) outs(%102 : tensor<2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %107 = math.exp %in : f32
    linalg.yield %107 : f32
  } -> tensor<2x37x37xf32>
  %104 = tensor.empty() : tensor<2x37x16xf32>
  %105 = linalg.fill ins(%cst_1 : f32) outs(%104 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %106 = linalg.batch_matmul ins(%103, %arg2 : tensor<2x37x37xf32>, tensor<2x37x16xf32>) outs(%105 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  return %106 : tensor<2x37x16xf32>
}
