// Triangle multiplication (AlphaFold): channels are the batches of a product, and adjacent in
// memory. The op that computes an operand writes them in front.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=7
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=7 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=7 --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
#map10 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

func.func @triangle_multiplication(%arg0: tensor<21x21x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<12xf32>, %arg4: tensor<12xf32>, %arg5: tensor<12x16xf32>, %arg6: tensor<12x16xf32>, %arg7: tensor<12x16xf32>, %arg8: tensor<12x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x12xf32>) -> tensor<21x21x16xf32> {
  %cst = arith.constant dense<1.200000e+01> : tensor<f32>
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant dense<9.99999974E-6> : tensor<f32>
  %cst_2 = arith.constant dense<1.600000e+01> : tensor<f32>
  %cst_3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<21x21xf32>
  %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<21x21xf32>) -> tensor<21x21xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<21x21x16xf32>) outs(%1 : tensor<21x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.addf %in, %out : f32
    linalg.yield %119 : f32
  } -> tensor<21x21xf32>
  %3 = tensor.empty() : tensor<21x21x1xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<21x21xf32>) outs(%3 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %5 = tensor.empty() : tensor<21x21x1xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %7 = tensor.empty() : tensor<21x21x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<21x21x1xf32>, tensor<21x21x1xf32>) outs(%7 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.divf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %9 = tensor.empty() : tensor<21x21x16xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<21x21x1xf32>) outs(%9 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x16xf32>
  %11 = tensor.empty() : tensor<21x21x16xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %10 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%11 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.subf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x16xf32>
  %13 = tensor.empty() : tensor<21x21x16xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %12 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%13 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x16xf32>
  %15 = tensor.empty() : tensor<21x21xf32>
  %16 = linalg.fill ins(%cst_3 : f32) outs(%15 : tensor<21x21xf32>) -> tensor<21x21xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<21x21x16xf32>) outs(%16 : tensor<21x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.addf %in, %out : f32
    linalg.yield %119 : f32
  } -> tensor<21x21xf32>
  %18 = tensor.empty() : tensor<21x21x1xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<21x21xf32>) outs(%18 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %20 = tensor.empty() : tensor<21x21x1xf32>
  %21 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%20 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %22 = tensor.empty() : tensor<21x21x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %21 : tensor<21x21x1xf32>, tensor<21x21x1xf32>) outs(%22 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.divf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %24 = tensor.empty() : tensor<21x21x1xf32>
  %25 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%24 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %26 = tensor.empty() : tensor<21x21x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %25 : tensor<21x21x1xf32>, tensor<21x21x1xf32>) outs(%26 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.addf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %28 = tensor.empty() : tensor<21x21x1xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<21x21x1xf32>) outs(%28 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = math.rsqrt %in : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %30 = tensor.empty() : tensor<21x21x16xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<21x21x1xf32>) outs(%30 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x16xf32>
  %32 = tensor.empty() : tensor<21x21x16xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %31 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%32 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x16xf32>
  %34 = tensor.empty() : tensor<21x21x16xf32>
  %35 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<16xf32>) outs(%34 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x16xf32>
  %36 = tensor.empty() : tensor<21x21x16xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %35 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%36 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x16xf32>
  %38 = tensor.empty() : tensor<21x21x16xf32>
  %39 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<16xf32>) outs(%38 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x16xf32>
  %40 = tensor.empty() : tensor<21x21x16xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %39 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%40 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.addf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x16xf32>
  %42 = tensor.empty() : tensor<21x21x12xf32>
  %43 = linalg.fill ins(%cst_3 : f32) outs(%42 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %44 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41, %arg6 : tensor<21x21x16xf32>, tensor<12x16xf32>) outs(%43 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    %120 = arith.addf %out, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<21x21x12xf32>
  %45 = tensor.empty() : tensor<21x21x12xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<21x21x12xf32>) outs(%45 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.negf %in : f32
    %120 = math.exp %119 : f32
    %121 = arith.addf %120, %cst_0 : f32
    %122 = arith.divf %cst_0, %121 : f32
    linalg.yield %122 : f32
  } -> tensor<21x21x12xf32>
  %47 = tensor.empty() : tensor<21x21x12xf32>
  %48 = linalg.fill ins(%cst_3 : f32) outs(%47 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %49 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41, %arg5 : tensor<21x21x16xf32>, tensor<12x16xf32>) outs(%48 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    %120 = arith.addf %out, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<21x21x12xf32>
  %50 = tensor.empty() : tensor<21x21x12xf32>
  %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%50 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x12xf32>
  %52 = tensor.empty() : tensor<21x21x12xf32>
  %53 = linalg.fill ins(%cst_3 : f32) outs(%52 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %54 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41, %arg8 : tensor<21x21x16xf32>, tensor<12x16xf32>) outs(%53 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    %120 = arith.addf %out, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<21x21x12xf32>
  %55 = tensor.empty() : tensor<21x21x12xf32>
  %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<21x21x12xf32>) outs(%55 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.negf %in : f32
    %120 = math.exp %119 : f32
    %121 = arith.addf %120, %cst_0 : f32
    %122 = arith.divf %cst_0, %121 : f32
    linalg.yield %122 : f32
  } -> tensor<21x21x12xf32>
  %57 = tensor.empty() : tensor<21x21x12xf32>
  %58 = linalg.fill ins(%cst_3 : f32) outs(%57 : tensor<21x21x12xf32>) -> tensor<21x21x12xf32>
  %59 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41, %arg7 : tensor<21x21x16xf32>, tensor<12x16xf32>) outs(%58 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    %120 = arith.addf %out, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<21x21x12xf32>
  %60 = tensor.empty() : tensor<21x21x12xf32>
  %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %59 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%60 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x12xf32>
  %62 = tensor.empty() : tensor<12x21x21xf32>
  %63 = linalg.fill ins(%cst_3 : f32) outs(%62 : tensor<12x21x21xf32>) -> tensor<12x21x21xf32>
  %64 = linalg.generic {indexing_maps = [#map8, #map9, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51, %61 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%63 : tensor<12x21x21xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    %120 = arith.addf %out, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<12x21x21xf32>
  %65 = tensor.empty() : tensor<21x21x12xf32>
  %66 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<12x21x21xf32>) outs(%65 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x12xf32>
  %67 = tensor.empty() : tensor<21x21xf32>
  %68 = linalg.fill ins(%cst_3 : f32) outs(%67 : tensor<21x21xf32>) -> tensor<21x21xf32>
  %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%66 : tensor<21x21x12xf32>) outs(%68 : tensor<21x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.addf %in, %out : f32
    linalg.yield %119 : f32
  } -> tensor<21x21xf32>
  %70 = tensor.empty() : tensor<21x21x1xf32>
  %71 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<21x21xf32>) outs(%70 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %72 = tensor.empty() : tensor<21x21x1xf32>
  %73 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%72 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %74 = tensor.empty() : tensor<21x21x1xf32>
  %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %73 : tensor<21x21x1xf32>, tensor<21x21x1xf32>) outs(%74 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.divf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %76 = tensor.empty() : tensor<21x21x12xf32>
  %77 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<21x21x1xf32>) outs(%76 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x12xf32>
  %78 = tensor.empty() : tensor<21x21x12xf32>
  %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %77 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%78 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.subf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x12xf32>
  %80 = tensor.empty() : tensor<21x21x12xf32>
  %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %79 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%80 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x12xf32>
  %82 = tensor.empty() : tensor<21x21xf32>
  %83 = linalg.fill ins(%cst_3 : f32) outs(%82 : tensor<21x21xf32>) -> tensor<21x21xf32>
  %84 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81 : tensor<21x21x12xf32>) outs(%83 : tensor<21x21xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.addf %in, %out : f32
    linalg.yield %119 : f32
  } -> tensor<21x21xf32>
  %85 = tensor.empty() : tensor<21x21x1xf32>
  %86 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<21x21xf32>) outs(%85 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %87 = tensor.empty() : tensor<21x21x1xf32>
  %88 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%87 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %89 = tensor.empty() : tensor<21x21x1xf32>
  %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %88 : tensor<21x21x1xf32>, tensor<21x21x1xf32>) outs(%89 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.divf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %91 = tensor.empty() : tensor<21x21x1xf32>
  %92 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%91 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x1xf32>
  %93 = tensor.empty() : tensor<21x21x1xf32>
  %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %92 : tensor<21x21x1xf32>, tensor<21x21x1xf32>) outs(%93 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.addf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %95 = tensor.empty() : tensor<21x21x1xf32>
  %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<21x21x1xf32>) outs(%95 : tensor<21x21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = math.rsqrt %in : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x1xf32>
  %97 = tensor.empty() : tensor<21x21x12xf32>
  %98 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<21x21x1xf32>) outs(%97 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x12xf32>
  %99 = tensor.empty() : tensor<21x21x12xf32>
  %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %98 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%99 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x12xf32>
  %101 = tensor.empty() : tensor<21x21x12xf32>
  %102 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<12xf32>) outs(%101 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x12xf32>
  %103 = tensor.empty() : tensor<21x21x12xf32>
  %104 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %102 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%103 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x12xf32>
  %105 = tensor.empty() : tensor<21x21x12xf32>
  %106 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<12xf32>) outs(%105 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<21x21x12xf32>
  %107 = tensor.empty() : tensor<21x21x12xf32>
  %108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %106 : tensor<21x21x12xf32>, tensor<21x21x12xf32>) outs(%107 : tensor<21x21x12xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.addf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x12xf32>
  %109 = tensor.empty() : tensor<21x21x16xf32>
  %110 = linalg.fill ins(%cst_3 : f32) outs(%109 : tensor<21x21x16xf32>) -> tensor<21x21x16xf32>
  %111 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%108, %arg10 : tensor<21x21x12xf32>, tensor<16x12xf32>) outs(%110 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    %120 = arith.addf %out, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<21x21x16xf32>
  %112 = tensor.empty() : tensor<21x21x16xf32>
  %113 = linalg.fill ins(%cst_3 : f32) outs(%112 : tensor<21x21x16xf32>) -> tensor<21x21x16xf32>
  %114 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41, %arg9 : tensor<21x21x16xf32>, tensor<16x16xf32>) outs(%113 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    %120 = arith.addf %out, %119 : f32
    linalg.yield %120 : f32
  } -> tensor<21x21x16xf32>
  %115 = tensor.empty() : tensor<21x21x16xf32>
  %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<21x21x16xf32>) outs(%115 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %119 = arith.negf %in : f32
    %120 = math.exp %119 : f32
    %121 = arith.addf %120, %cst_0 : f32
    %122 = arith.divf %cst_0, %121 : f32
    linalg.yield %122 : f32
  } -> tensor<21x21x16xf32>
  %117 = tensor.empty() : tensor<21x21x16xf32>
  %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %116 : tensor<21x21x16xf32>, tensor<21x21x16xf32>) outs(%117 : tensor<21x21x16xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %119 = arith.mulf %in, %in_4 : f32
    linalg.yield %119 : f32
  } -> tensor<21x21x16xf32>
  return %118 : tensor<21x21x16xf32>
}
