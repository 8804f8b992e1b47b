// Flax's BERT: projections to [b, t, n, h], the scale on the queries, (1 - mask)
// times -1e9, an output projection over two dimensions.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=6208 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>

func.func @bert(%x: tensor<1x31x24xf32>,
                %wq: tensor<24x3x8xf32> {check.draw = "uniform -0.3 0.3"},
                %wk: tensor<24x3x8xf32> {check.draw = "uniform -0.3 0.3"},
                %wv: tensor<24x3x8xf32> {check.draw = "uniform -0.3 0.3"},
                %wo: tensor<3x8x24xf32>,
                %pad: tensor<1x31xi32> {check.draw = "choose 1 1 1 0"}) -> tensor<1x31x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x31x3x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x31x3x8xf32>) -> tensor<1x31x3x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %wq : tensor<1x31x24xf32>, tensor<24x3x8xf32>) outs(%1 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x31x3x8xf32>
  %5 = tensor.empty() : tensor<1x31x3x8xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1x31x3x8xf32>) -> tensor<1x31x3x8xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %wk : tensor<1x31x24xf32>, tensor<24x3x8xf32>) outs(%6 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.mulf %in, %in_1 : f32
    %9 = arith.addf %out, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<1x31x3x8xf32>
  %10 = tensor.empty() : tensor<1x31x3x8xf32>
  %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x31x3x8xf32>) -> tensor<1x31x3x8xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %wv : tensor<1x31x24xf32>, tensor<24x3x8xf32>) outs(%11 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.mulf %in, %in_1 : f32
    %14 = arith.addf %out, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<1x31x3x8xf32>
  %15 = arith.constant dense<3.535534e-01> : tensor<1x31x3x8xf32>
  %16 = tensor.empty() : tensor<1x31x3x8xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %15 : tensor<1x31x3x8xf32>, tensor<1x31x3x8xf32>) outs(%16 : tensor<1x31x3x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<1x31x3x8xf32>
  %19 = tensor.empty() : tensor<1x3x31x31xf32>
  %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<1x3x31x31xf32>) -> tensor<1x3x31x31xf32>
  %21 = linalg.generic {indexing_maps = [#map4, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%17, %7 : tensor<1x31x3x8xf32>, tensor<1x31x3x8xf32>) outs(%20 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %22 = arith.mulf %in, %in_1 : f32
    %23 = arith.addf %out, %22 : f32
    linalg.yield %23 : f32
  } -> tensor<1x3x31x31xf32>
  %24 = tensor.empty() : tensor<1x31xf32>
  %25 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%pad : tensor<1x31xi32>) outs(%24 : tensor<1x31xf32>) {
  ^bb0(%in: i32, %out: f32):
    %26 = arith.sitofp %in : i32 to f32
    linalg.yield %26 : f32
  } -> tensor<1x31xf32>
  %27 = arith.constant dense<1.000000e+00> : tensor<1x31xf32>
  %28 = tensor.empty() : tensor<1x31xf32>
  %29 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%27, %25 : tensor<1x31xf32>, tensor<1x31xf32>) outs(%28 : tensor<1x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %30 = arith.subf %in, %in_1 : f32
    linalg.yield %30 : f32
  } -> tensor<1x31xf32>
  %31 = arith.constant dense<-1.000000e+09> : tensor<1x31xf32>
  %32 = tensor.empty() : tensor<1x31xf32>
  %33 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%29, %31 : tensor<1x31xf32>, tensor<1x31xf32>) outs(%32 : tensor<1x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.mulf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<1x31xf32>
  %35 = tensor.empty() : tensor<1x3x31x31xf32>
  %36 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x31xf32>) outs(%35 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x31x31xf32>
  %37 = tensor.empty() : tensor<1x3x31x31xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %36 : tensor<1x3x31x31xf32>, tensor<1x3x31x31xf32>) outs(%37 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %39 = arith.addf %in, %in_1 : f32
    linalg.yield %39 : f32
  } -> tensor<1x3x31x31xf32>
  %40 = tensor.empty() : tensor<1x3x31xf32>
  %41 = linalg.fill ins(%cst_1 : f32) outs(%40 : tensor<1x3x31xf32>) -> tensor<1x3x31xf32>
  %42 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<1x3x31x31xf32>) outs(%41 : tensor<1x3x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.maximumf %out, %in : f32
    linalg.yield %43 : f32
  } -> tensor<1x3x31xf32>
  %44 = tensor.empty() : tensor<1x3x31x1xf32>
  %45 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x3x31xf32>) outs(%44 : tensor<1x3x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x31x1xf32>
  %46 = tensor.empty() : tensor<1x3x31x31xf32>
  %47 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x3x31x1xf32>) outs(%46 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x31x31xf32>
  %48 = tensor.empty() : tensor<1x3x31x31xf32>
  %49 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %47 : tensor<1x3x31x31xf32>, tensor<1x3x31x31xf32>) outs(%48 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %50 = arith.subf %in, %in_1 : f32
    linalg.yield %50 : f32
  } -> tensor<1x3x31x31xf32>
  %51 = tensor.empty() : tensor<1x3x31x31xf32>
  %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x3x31x31xf32>) outs(%51 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %53 = math.exp %in : f32
    linalg.yield %53 : f32
  } -> tensor<1x3x31x31xf32>
  %54 = tensor.empty() : tensor<1x3x31xf32>
  %55 = linalg.fill ins(%cst_2 : f32) outs(%54 : tensor<1x3x31xf32>) -> tensor<1x3x31xf32>
  %56 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x3x31x31xf32>) outs(%55 : tensor<1x3x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    %57 = arith.addf %out, %in : f32
    linalg.yield %57 : f32
  } -> tensor<1x3x31xf32>
  %58 = tensor.empty() : tensor<1x3x31x1xf32>
  %59 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x3x31xf32>) outs(%58 : tensor<1x3x31x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x31x1xf32>
  %60 = tensor.empty() : tensor<1x3x31x31xf32>
  %61 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x3x31x1xf32>) outs(%60 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x31x31xf32>
  %62 = tensor.empty() : tensor<1x3x31x31xf32>
  %63 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %61 : tensor<1x3x31x31xf32>, tensor<1x3x31x31xf32>) outs(%62 : tensor<1x3x31x31xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %64 = arith.divf %in, %in_1 : f32
    linalg.yield %64 : f32
  } -> tensor<1x3x31x31xf32>
  %65 = tensor.empty() : tensor<1x3x31x8xf32>
  %66 = linalg.fill ins(%cst : f32) outs(%65 : tensor<1x3x31x8xf32>) -> tensor<1x3x31x8xf32>
  %67 = linalg.generic {indexing_maps = [#map10, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%63, %12 : tensor<1x3x31x31xf32>, tensor<1x31x3x8xf32>) outs(%66 : tensor<1x3x31x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %68 = arith.mulf %in, %in_1 : f32
    %69 = arith.addf %out, %68 : f32
    linalg.yield %69 : f32
  } -> tensor<1x3x31x8xf32>
  %70 = tensor.empty() : tensor<1x31x24xf32>
  %71 = linalg.fill ins(%cst : f32) outs(%70 : tensor<1x31x24xf32>) -> tensor<1x31x24xf32>
  %72 = linalg.generic {indexing_maps = [#map5, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%67, %wo : tensor<1x3x31x8xf32>, tensor<3x8x24xf32>) outs(%71 : tensor<1x31x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %73 = arith.mulf %in, %in_1 : f32
    %74 = arith.addf %out, %73 : f32
    linalg.yield %74 : f32
  } -> tensor<1x31x24xf32>
  return %72 : tensor<1x31x24xf32>
}
