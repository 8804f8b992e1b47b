// jax.nn.softmax(where=...): the mask selects in front of the maximum, of the
// exponentials and of the result.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=2 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>

func.func @softmax_where(%q: tensor<1x37x3x16xf32>,
                         %k: tensor<1x45x3x16xf32>,
                         %v: tensor<1x45x3x16xf32>,
                         %where: tensor<1x1x37x45xi1> {check.draw = "keep 0.7"}) -> tensor<1x37x3x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x37x45xf32>) -> tensor<1x3x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x37x3x16xf32>, tensor<1x45x3x16xf32>) outs(%1 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x3x37x45xf32>
  %5 = tensor.empty() : tensor<1x3x37x45xi1>
  %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%where : tensor<1x1x37x45xi1>) outs(%5 : tensor<1x3x37x45xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x3x37x45xi1>
  %7 = arith.constant dense<0xFF800000> : tensor<1x3x37x45xf32>
  %8 = arith.constant dense<0.000000e+00> : tensor<1x3x37x45xf32>
  %9 = tensor.empty() : tensor<1x3x37x45xf32>
  %10 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %2, %7 : tensor<1x3x37x45xi1>, tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%9 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
    %11 = arith.select %in, %in_1, %in_2 : f32
    linalg.yield %11 : f32
  } -> tensor<1x3x37x45xf32>
  %12 = tensor.empty() : tensor<1x3x37xf32>
  %13 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %14 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<1x3x37x45xf32>) outs(%13 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.maximumf %out, %in : f32
    linalg.yield %15 : f32
  } -> tensor<1x3x37xf32>
  %16 = tensor.empty() : tensor<1x3x37x1xf32>
  %17 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x3x37xf32>) outs(%16 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %18 = tensor.empty() : tensor<1x3x37x45xf32>
  %19 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x3x37x1xf32>) outs(%18 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x45xf32>
  %20 = tensor.empty() : tensor<1x3x37x45xf32>
  %21 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %19 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%20 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %22 = arith.subf %in, %in_1 : f32
    linalg.yield %22 : f32
  } -> tensor<1x3x37x45xf32>
  %23 = tensor.empty() : tensor<1x3x37x45xf32>
  %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %21, %7 : tensor<1x3x37x45xi1>, tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%23 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
    %25 = arith.select %in, %in_1, %in_2 : f32
    linalg.yield %25 : f32
  } -> tensor<1x3x37x45xf32>
  %26 = tensor.empty() : tensor<1x3x37x45xf32>
  %27 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x3x37x45xf32>) outs(%26 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.exp %in : f32
    linalg.yield %28 : f32
  } -> tensor<1x3x37x45xf32>
  %29 = tensor.empty() : tensor<1x3x37x45xf32>
  %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %27, %8 : tensor<1x3x37x45xi1>, tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%29 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
    %31 = arith.select %in, %in_1, %in_2 : f32
    linalg.yield %31 : f32
  } -> tensor<1x3x37x45xf32>
  %32 = tensor.empty() : tensor<1x3x37xf32>
  %33 = linalg.fill ins(%cst_2 : f32) outs(%32 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %34 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x3x37x45xf32>) outs(%33 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x37xf32>
  %36 = tensor.empty() : tensor<1x3x37x1xf32>
  %37 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x37xf32>) outs(%36 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %38 = tensor.empty() : tensor<1x3x37x45xf32>
  %39 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x3x37x1xf32>) outs(%38 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x45xf32>
  %40 = tensor.empty() : tensor<1x3x37x45xf32>
  %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %39 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%40 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %42 = arith.divf %in, %in_1 : f32
    linalg.yield %42 : f32
  } -> tensor<1x3x37x45xf32>
  %43 = tensor.empty() : tensor<1x3x37x45xf32>
  %44 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %41, %8 : tensor<1x3x37x45xi1>, tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%43 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
    %45 = arith.select %in, %in_1, %in_2 : f32
    linalg.yield %45 : f32
  } -> tensor<1x3x37x45xf32>
  %46 = tensor.empty() : tensor<1x3x16x37xf32>
  %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<1x3x16x37xf32>) -> tensor<1x3x16x37xf32>
  %48 = linalg.generic {indexing_maps = [#map7, #map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %44 : tensor<1x45x3x16xf32>, tensor<1x3x37x45xf32>) outs(%47 : tensor<1x3x16x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %49 = arith.mulf %in, %in_1 : f32
    %50 = arith.addf %out, %49 : f32
    linalg.yield %50 : f32
  } -> tensor<1x3x16x37xf32>
  %51 = tensor.empty() : tensor<1x37x3x16xf32>
  %52 = linalg.transpose ins(%48 : tensor<1x3x16x37xf32>) outs(%51 : tensor<1x37x3x16xf32>) permutation = [0, 3, 1, 2]
  return %52 : tensor<1x37x3x16xf32>
}
