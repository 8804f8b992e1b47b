// CLIP's loss: normalised features, a product, log-sum-exp of its rows and of its
// columns, less the diagonal.

// RUN: linalg-ext-check-program %s --max-kernels=8

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<() -> ()>

func.func @contrastive_loss(%a: tensor<37x24xf32>,
    %b: tensor<37x24xf32>,
    %s: tensor<1xf32> {check.draw = "uniform -1 1"}) -> (tensor<f32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 0xFF800000 : f32
  %c2 = arith.constant 5.000000e-01 : f64
  %c3 = arith.constant 3.700000e+01 : f64
  %0 = tensor.empty() : tensor<37x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%a, %a : tensor<37x24xf32>, tensor<37x24xf32>) outs(%0 : tensor<37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x24xf32>
  %2 = tensor.empty() : tensor<37x1xf32>
  %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<37x24xf32>) outs(%3 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %5 = tensor.empty() : tensor<37x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<37x1xf32>) outs(%5 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.sqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %7 = tensor.empty() : tensor<37x24xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%a, %6 : tensor<37x24xf32>, tensor<37x1xf32>) outs(%7 : tensor<37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x24xf32>
  %9 = tensor.empty() : tensor<37x24xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%b, %b : tensor<37x24xf32>, tensor<37x24xf32>) outs(%9 : tensor<37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x24xf32>
  %11 = tensor.empty() : tensor<37x1xf32>
  %12 = linalg.fill ins(%c0 : f32) outs(%11 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<37x24xf32>) outs(%12 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %14 = tensor.empty() : tensor<37x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<37x1xf32>) outs(%14 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.sqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %16 = tensor.empty() : tensor<37x24xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%b, %15 : tensor<37x24xf32>, tensor<37x1xf32>) outs(%16 : tensor<37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x24xf32>
  %18 = tensor.empty() : tensor<1xf32>
  %19 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%s : tensor<1xf32>) outs(%18 : tensor<1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1xf32>
  %20 = tensor.empty() : tensor<24x37xf32>
  %21 = linalg.transpose ins(%17 : tensor<37x24xf32>) outs(%20 : tensor<24x37xf32>) permutation = [1, 0]
  %22 = tensor.empty() : tensor<37x37xf32>
  %23 = linalg.fill ins(%c0 : f32) outs(%22 : tensor<37x37xf32>) -> tensor<37x37xf32>
  %24 = linalg.matmul ins(%8, %21 : tensor<37x24xf32>, tensor<24x37xf32>) outs(%23 : tensor<37x37xf32>) -> tensor<37x37xf32>
  %25 = tensor.empty() : tensor<37x37xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %19 : tensor<37x37xf32>, tensor<1xf32>) outs(%25 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x37xf32>
  %27 = tensor.empty() : tensor<37x1xf32>
  %28 = linalg.fill ins(%c1 : f32) outs(%27 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%26 : tensor<37x37xf32>) outs(%28 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.maximumf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %30 = tensor.empty() : tensor<37x37xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %29 : tensor<37x37xf32>, tensor<37x1xf32>) outs(%30 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x37xf32>
  %32 = tensor.empty() : tensor<37x37xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<37x37xf32>) outs(%32 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x37xf32>
  %34 = tensor.empty() : tensor<37x1xf32>
  %35 = linalg.fill ins(%c0 : f32) outs(%34 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%33 : tensor<37x37xf32>) outs(%35 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %37 = tensor.empty() : tensor<37x1xf32>
  %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<37x1xf32>) outs(%37 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.log %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %39 = tensor.empty() : tensor<37x1xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%38, %29 : tensor<37x1xf32>, tensor<37x1xf32>) outs(%39 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %41 = tensor.empty() : tensor<37x37xf32>
  %42 = linalg.transpose ins(%26 : tensor<37x37xf32>) outs(%41 : tensor<37x37xf32>) permutation = [1, 0]
  %43 = tensor.empty() : tensor<37x1xf32>
  %44 = linalg.fill ins(%c1 : f32) outs(%43 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%42 : tensor<37x37xf32>) outs(%44 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.maximumf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %46 = tensor.empty() : tensor<37x37xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%42, %45 : tensor<37x37xf32>, tensor<37x1xf32>) outs(%46 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x37xf32>
  %48 = tensor.empty() : tensor<37x37xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<37x37xf32>) outs(%48 : tensor<37x37xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x37xf32>
  %50 = tensor.empty() : tensor<37x1xf32>
  %51 = linalg.fill ins(%c0 : f32) outs(%50 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %52 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%49 : tensor<37x37xf32>) outs(%51 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %53 = tensor.empty() : tensor<37x1xf32>
  %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<37x1xf32>) outs(%53 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.log %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %55 = tensor.empty() : tensor<37x1xf32>
  %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%54, %45 : tensor<37x1xf32>, tensor<37x1xf32>) outs(%55 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %57 = tensor.empty() : tensor<37x24xf32>
  %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %17 : tensor<37x24xf32>, tensor<37x24xf32>) outs(%57 : tensor<37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x24xf32>
  %59 = tensor.empty() : tensor<37x1xf32>
  %60 = linalg.fill ins(%c0 : f32) outs(%59 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %61 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%58 : tensor<37x24xf32>) outs(%60 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %62 = tensor.empty() : tensor<37x1xf32>
  %63 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%61, %19 : tensor<37x1xf32>, tensor<1xf32>) outs(%62 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %64 = tensor.empty() : tensor<37x1xf32>
  %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%40, %56 : tensor<37x1xf32>, tensor<37x1xf32>) outs(%64 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %66 = tensor.empty() : tensor<37x1xf32>
  %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<37x1xf32>) outs(%66 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c2 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %68 = tensor.empty() : tensor<37x1xf32>
  %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%67, %63 : tensor<37x1xf32>, tensor<37x1xf32>) outs(%68 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %70 = tensor.collapse_shape %69 [[0, 1]] : tensor<37x1xf32> into tensor<37xf32>
  %71 = tensor.empty() : tensor<f32>
  %72 = linalg.fill ins(%c0 : f32) outs(%71 : tensor<f32>) -> tensor<f32>
  %73 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["reduction"]} ins(%70 : tensor<37xf32>) outs(%72 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<f32>
  %74 = tensor.empty() : tensor<f32>
  %75 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%73 : tensor<f32>) outs(%74 : tensor<f32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c3 : f64 to f32
    %res = arith.divf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<f32>
  return %75 : tensor<f32>
}
