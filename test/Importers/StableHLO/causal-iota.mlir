// Causal by comparing two iotas, selecting from a splat of -1e30.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=2 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>

func.func @causal(%q: tensor<1x37x3x16xf32>,
                  %k: tensor<1x37x3x16xf32>,
                  %v: tensor<1x37x3x16xf32>) -> tensor<1x37x3x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x3x37x37xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x37x37xf32>) -> tensor<1x3x37x37xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x37x3x16xf32>, tensor<1x37x3x16xf32>) outs(%1 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x3x37x37xf32>
  %5 = arith.constant dense<2.500000e-01> : tensor<1x3x37x37xf32>
  %6 = tensor.empty() : tensor<1x3x37x37xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %5 : tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%6 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.mulf %in, %in_1 : f32
    linalg.yield %8 : f32
  } -> tensor<1x3x37x37xf32>
  %9 = tensor.empty() : tensor<37x37xi32>
  %10 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<37x37xi32>) {
  ^bb0(%out: i32):
    %11 = linalg.index 0 : index
    %12 = arith.index_cast %11 : index to i32
    linalg.yield %12 : i32
  } -> tensor<37x37xi32>
  %13 = tensor.empty() : tensor<37x37xi32>
  %14 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%13 : tensor<37x37xi32>) {
  ^bb0(%out: i32):
    %15 = linalg.index 1 : index
    %16 = arith.index_cast %15 : index to i32
    linalg.yield %16 : i32
  } -> tensor<37x37xi32>
  %17 = tensor.empty() : tensor<37x37xi1>
  %18 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10, %14 : tensor<37x37xi32>, tensor<37x37xi32>) outs(%17 : tensor<37x37xi1>) {
  ^bb0(%in: i32, %in_1: i32, %out: i1):
    %19 = arith.cmpi sge, %in, %in_1 : i32
    linalg.yield %19 : i1
  } -> tensor<37x37xi1>
  %20 = tensor.empty() : tensor<1x3x37x37xi1>
  %21 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<37x37xi1>) outs(%20 : tensor<1x3x37x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x3x37x37xi1>
  %22 = arith.constant dense<-1.000000e+30> : tensor<1x3x37x37xf32>
  %23 = tensor.empty() : tensor<1x3x37x37xf32>
  %24 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %7, %22 : tensor<1x3x37x37xi1>, tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%23 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
    %25 = arith.select %in, %in_1, %in_2 : f32
    linalg.yield %25 : f32
  } -> tensor<1x3x37x37xf32>
  %26 = tensor.empty() : tensor<1x3x37xf32>
  %27 = linalg.fill ins(%cst_1 : f32) outs(%26 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %28 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x3x37x37xf32>) outs(%27 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.maximumf %out, %in : f32
    linalg.yield %29 : f32
  } -> tensor<1x3x37xf32>
  %30 = arith.constant dense<0xFF800000> : tensor<1x3x37xf32>
  %31 = tensor.empty() : tensor<1x3x37xf32>
  %32 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %28 : tensor<1x3x37xf32>, tensor<1x3x37xf32>) outs(%31 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %33 = arith.maximumf %in, %in_1 : f32
    linalg.yield %33 : f32
  } -> tensor<1x3x37xf32>
  %34 = tensor.empty() : tensor<1x3x37x1xf32>
  %35 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x3x37xf32>) outs(%34 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %36 = tensor.empty() : tensor<1x3x37x37xf32>
  %37 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x3x37x1xf32>) outs(%36 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x37xf32>
  %38 = tensor.empty() : tensor<1x3x37x37xf32>
  %39 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %37 : tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%38 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %40 = arith.subf %in, %in_1 : f32
    linalg.yield %40 : f32
  } -> tensor<1x3x37x37xf32>
  %41 = tensor.empty() : tensor<1x3x37x37xf32>
  %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x3x37x37xf32>) outs(%41 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = math.exp %in : f32
    linalg.yield %43 : f32
  } -> tensor<1x3x37x37xf32>
  %44 = tensor.empty() : tensor<1x3x37xf32>
  %45 = linalg.fill ins(%cst_2 : f32) outs(%44 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %46 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<1x3x37x37xf32>) outs(%45 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %47 = arith.addf %out, %in : f32
    linalg.yield %47 : f32
  } -> tensor<1x3x37xf32>
  %48 = tensor.empty() : tensor<1x3x37x1xf32>
  %49 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x3x37xf32>) outs(%48 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %50 = tensor.empty() : tensor<1x3x37x37xf32>
  %51 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x3x37x1xf32>) outs(%50 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x37xf32>
  %52 = tensor.empty() : tensor<1x3x37x37xf32>
  %53 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %51 : tensor<1x3x37x37xf32>, tensor<1x3x37x37xf32>) outs(%52 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %54 = arith.divf %in, %in_1 : f32
    linalg.yield %54 : f32
  } -> tensor<1x3x37x37xf32>
  %55 = tensor.empty() : tensor<1x3x16x37xf32>
  %56 = linalg.fill ins(%cst : f32) outs(%55 : tensor<1x3x16x37xf32>) -> tensor<1x3x16x37xf32>
  %57 = linalg.generic {indexing_maps = [#map9, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %53 : tensor<1x37x3x16xf32>, tensor<1x3x37x37xf32>) outs(%56 : tensor<1x3x16x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %58 = arith.mulf %in, %in_1 : f32
    %59 = arith.addf %out, %58 : f32
    linalg.yield %59 : f32
  } -> tensor<1x3x16x37xf32>
  %60 = tensor.empty() : tensor<1x37x3x16xf32>
  %61 = linalg.transpose ins(%57 : tensor<1x3x16x37xf32>) outs(%60 : tensor<1x37x3x16xf32>) permutation = [0, 3, 1, 2]
  return %61 : tensor<1x37x3x16xf32>
}
