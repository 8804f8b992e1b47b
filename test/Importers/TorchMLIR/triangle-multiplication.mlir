// Triangle multiplication (AlphaFold): channels are the batches of a product, and adjacent in
// memory. The op that computes an operand writes them in front.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=7
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=7 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=7 --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @triangle_multiplication(%arg0: tensor<21x21x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<12xf32>, %arg4: tensor<12xf32>, %arg5: tensor<12x16xf32>, %arg6: tensor<12x16xf32>, %arg7: tensor<12x16xf32>, %arg8: tensor<12x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x12xf32>) -> tensor<21x21x16xf32> {
  %cst = arith.constant 1.200000e+01 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 9.99999974E-6 : f32
  %cst_2 = arith.constant 1.600000e+01 : f32
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<21x21x1xf32>
  %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<21x21x1xf32>) -> tensor<21x21x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<21x21x16xf32>) outs(%1 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.addf %in, %out : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %3 = tensor.empty() : tensor<21x21x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<21x21x1xf32>) outs(%3 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.divf %in, %cst_2 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %5 = tensor.empty() : tensor<21x21x16xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<21x21x16xf32>, tensor<21x21x1xf32>) outs(%5 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.subf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x16xf32>
  %7 = tensor.empty() : tensor<21x21x16xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%7 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x16xf32>
  %9 = tensor.empty() : tensor<21x21x1xf32>
  %10 = linalg.fill ins(%cst_3 : f32) outs(%9 : tensor<21x21x1xf32>) -> tensor<21x21x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<21x21x16xf32>) outs(%10 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.addf %in, %out : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %12 = tensor.empty() : tensor<21x21x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<21x21x1xf32>) outs(%12 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.divf %in, %cst_2 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %14 = tensor.empty() : tensor<21x21x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<21x21x1xf32>) outs(%14 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.addf %in, %cst_1 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %16 = tensor.empty() : tensor<21x21x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<21x21x1xf32>) outs(%16 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = math.rsqrt %in : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %18 = tensor.empty() : tensor<21x21x16xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<21x21x16xf32>, tensor<21x21x1xf32>) outs(%18 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x16xf32>
  %20 = tensor.empty() : tensor<21x21x16xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<21x21x16xf32>, tensor<16xf32>) outs(%20 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x16xf32>
  %22 = tensor.empty() : tensor<21x21x16xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<21x21x16xf32>, tensor<16xf32>) outs(%22 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.addf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x16xf32>
  %24 = tensor.empty() : tensor<16x12xf32>
  %transposed = linalg.transpose ins(%arg6 : tensor<12x16xf32>) outs(%24 : tensor<16x12xf32>) permutation = [1, 0] 
  %25 = tensor.empty() : tensor<21x16x12xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<16x12xf32>) outs(%25 : tensor<21x16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x16x12xf32>
  %27 = tensor.empty() : tensor<21x21x12xf32>
  %28 = linalg.fill ins(%cst_3 : f32) outs(%27 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %29 = linalg.batch_matmul ins(%23, %26 : tensor<21x21x16xf32>, tensor<21x16x12xf32>) outs(%28 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %30 = tensor.empty() : tensor<21x21x12xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<21x21x12xf32>) outs(%30 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.negf %in : f32
    %103 = math.exp %102 : f32
    %104 = arith.addf %103, %cst_0 : f32
    %105 = arith.divf %cst_0, %104 : f32
    linalg.yield %105 : f32
  } -> tensor<21x21x12xf32>
  %32 = tensor.empty() : tensor<16x12xf32>
  %transposed_4 = linalg.transpose ins(%arg5 : tensor<12x16xf32>) outs(%32 : tensor<16x12xf32>) permutation = [1, 0] 
  %33 = tensor.empty() : tensor<21x16x12xf32>
  %34 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_4 : tensor<16x12xf32>) outs(%33 : tensor<21x16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x16x12xf32>
  %35 = tensor.empty() : tensor<21x21x12xf32>
  %36 = linalg.fill ins(%cst_3 : f32) outs(%35 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %37 = linalg.batch_matmul ins(%23, %34 : tensor<21x21x16xf32>, tensor<21x16x12xf32>) outs(%36 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %38 = tensor.empty() : tensor<21x21x12xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %37 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%38 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x12xf32>
  %40 = tensor.empty() : tensor<16x12xf32>
  %transposed_5 = linalg.transpose ins(%arg8 : tensor<12x16xf32>) outs(%40 : tensor<16x12xf32>) permutation = [1, 0] 
  %41 = tensor.empty() : tensor<21x16x12xf32>
  %42 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_5 : tensor<16x12xf32>) outs(%41 : tensor<21x16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x16x12xf32>
  %43 = tensor.empty() : tensor<21x21x12xf32>
  %44 = linalg.fill ins(%cst_3 : f32) outs(%43 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %45 = linalg.batch_matmul ins(%23, %42 : tensor<21x21x16xf32>, tensor<21x16x12xf32>) outs(%44 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %46 = tensor.empty() : tensor<21x21x12xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<21x21x12xf32>) outs(%46 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.negf %in : f32
    %103 = math.exp %102 : f32
    %104 = arith.addf %103, %cst_0 : f32
    %105 = arith.divf %cst_0, %104 : f32
    linalg.yield %105 : f32
  } -> tensor<21x21x12xf32>
  %48 = tensor.empty() : tensor<16x12xf32>
  %transposed_6 = linalg.transpose ins(%arg7 : tensor<12x16xf32>) outs(%48 : tensor<16x12xf32>) permutation = [1, 0] 
  %49 = tensor.empty() : tensor<21x16x12xf32>
  %50 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_6 : tensor<16x12xf32>) outs(%49 : tensor<21x16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x16x12xf32>
  %51 = tensor.empty() : tensor<21x21x12xf32>
  %52 = linalg.fill ins(%cst_3 : f32) outs(%51 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %53 = linalg.batch_matmul ins(%23, %50 : tensor<21x21x16xf32>, tensor<21x16x12xf32>) outs(%52 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %54 = tensor.empty() : tensor<21x21x12xf32>
  %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %53 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%54 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x12xf32>
  %56 = tensor.empty() : tensor<12x21x21xf32>
  %transposed_7 = linalg.transpose ins(%39 : tensor<21x21x12xf32>) outs(%56 : tensor<12x21x21xf32>) permutation = [2, 0, 1] 
  %57 = tensor.empty() : tensor<12x21x21xf32>
  %transposed_8 = linalg.transpose ins(%55 : tensor<21x21x12xf32>) outs(%57 : tensor<12x21x21xf32>) permutation = [2, 1, 0] 
  %58 = tensor.empty() : tensor<12x21x21xf32>
  %59 = linalg.fill ins(%cst_3 : f32) outs(%58 : tensor<12x21x21xf32>) -> tensor<12x21x21xf32>
  %60 = linalg.batch_matmul ins(%transposed_7, %transposed_8 : tensor<12x21x21xf32>, tensor<12x21x21xf32>) outs(%59 : tensor<12x21x21xf32>) -> tensor<12x21x21xf32>
  %61 = tensor.empty() : tensor<21x21x12xf32>
  %transposed_9 = linalg.transpose ins(%60 : tensor<12x21x21xf32>) outs(%61 : tensor<21x21x12xf32>) permutation = [1, 2, 0] 
  %62 = tensor.empty() : tensor<21x21x1xf32>
  %63 = linalg.fill ins(%cst_3 : f32) outs(%62 : tensor<21x21x1xf32>) -> tensor<21x21x1xf32>
  %64 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%transposed_9 : tensor<21x21x12xf32>) outs(%63 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.addf %in, %out : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %65 = tensor.empty() : tensor<21x21x1xf32>
  %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<21x21x1xf32>) outs(%65 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.divf %in, %cst : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %67 = tensor.empty() : tensor<21x21x12xf32>
  %68 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_9, %66 : tensor<21x21x12xf32>, tensor<21x21x1xf32>) outs(%67 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.subf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x12xf32>
  %69 = tensor.empty() : tensor<21x21x12xf32>
  %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %68 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%69 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x12xf32>
  %71 = tensor.empty() : tensor<21x21x1xf32>
  %72 = linalg.fill ins(%cst_3 : f32) outs(%71 : tensor<21x21x1xf32>) -> tensor<21x21x1xf32>
  %73 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%70 : tensor<21x21x12xf32>) outs(%72 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.addf %in, %out : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %74 = tensor.empty() : tensor<21x21x1xf32>
  %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<21x21x1xf32>) outs(%74 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.divf %in, %cst : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %76 = tensor.empty() : tensor<21x21x1xf32>
  %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<21x21x1xf32>) outs(%76 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.addf %in, %cst_1 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %78 = tensor.empty() : tensor<21x21x1xf32>
  %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<21x21x1xf32>) outs(%78 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = math.rsqrt %in : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x1xf32>
  %80 = tensor.empty() : tensor<21x21x12xf32>
  %81 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %79 : tensor<21x21x12xf32>, tensor<21x21x1xf32>) outs(%80 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x12xf32>
  %82 = tensor.empty() : tensor<21x21x12xf32>
  %83 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %arg3 : tensor<21x21x12xf32>, tensor<12xf32>) outs(%82 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x12xf32>
  %84 = tensor.empty() : tensor<21x21x12xf32>
  %85 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %arg4 : tensor<21x21x12xf32>, tensor<12xf32>) outs(%84 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.addf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x12xf32>
  %86 = tensor.empty() : tensor<12x16xf32>
  %transposed_10 = linalg.transpose ins(%arg10 : tensor<16x12xf32>) outs(%86 : tensor<12x16xf32>) permutation = [1, 0] 
  %87 = tensor.empty() : tensor<21x12x16xf32>
  %88 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<12x16xf32>) outs(%87 : tensor<21x12x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x12x16xf32>
  %89 = tensor.empty() : tensor<21x21x16xf32>
  %90 = linalg.fill ins(%cst_3 : f32) outs(%89 : tensor<21x21x16xf32>) -> tensor<21x21x16xf32>
  %91 = linalg.batch_matmul ins(%85, %88 : tensor<21x21x12xf32>, tensor<21x12x16xf32>) outs(%90 : tensor<21x21x16xf32>) -> tensor<21x21x16xf32>
  %92 = tensor.empty() : tensor<16x16xf32>
  %transposed_11 = linalg.transpose ins(%arg9 : tensor<16x16xf32>) outs(%92 : tensor<16x16xf32>) permutation = [1, 0] 
  %93 = tensor.empty() : tensor<21x16x16xf32>
  %94 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<16x16xf32>) outs(%93 : tensor<21x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x16x16xf32>
  %95 = tensor.empty() : tensor<21x21x16xf32>
  %96 = linalg.fill ins(%cst_3 : f32) outs(%95 : tensor<21x21x16xf32>) -> tensor<21x21x16xf32>
  %97 = linalg.batch_matmul ins(%23, %94 : tensor<21x21x16xf32>, tensor<21x16x16xf32>) outs(%96 : tensor<21x21x16xf32>) -> tensor<21x21x16xf32>
  %98 = tensor.empty() : tensor<21x21x16xf32>
  %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<21x21x16xf32>) outs(%98 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %102 = arith.negf %in : f32
    %103 = math.exp %102 : f32
    %104 = arith.addf %103, %cst_0 : f32
    %105 = arith.divf %cst_0, %104 : f32
    linalg.yield %105 : f32
  } -> tensor<21x21x16xf32>
  %100 = tensor.empty() : tensor<21x21x16xf32>
  %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %99 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%100 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %102 = arith.mulf %in, %in_12 : f32
    linalg.yield %102 : f32
  } -> tensor<21x21x16xf32>
  return %101 : tensor<21x21x16xf32>
}
