// Router of a mixture of experts: a softmax of a product, the two largest.

// RUN: linalg-ext-check-program %s --max-kernels=99 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>

func.func @router(%arg_x: tensor<37x24xf32>,
    %arg_w: tensor<24x8xf32>) -> (tensor<37xf32>, tensor<37xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<37x8xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<37x8xf32>) -> tensor<37x8xf32>
  %2 = linalg.matmul ins(%arg_x, %arg_w : tensor<37x24xf32>, tensor<24x8xf32>) outs(%1 : tensor<37x8xf32>) -> tensor<37x8xf32>
  %3 = tensor.empty() : tensor<37xf32>
  %4 = linalg.fill ins(%c1 : f32) outs(%3 : tensor<37xf32>) -> tensor<37xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<37x8xf32>) outs(%4 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.maximumf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<37xf32>
  %6 = tensor.expand_shape %5 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %7 = tensor.empty() : tensor<37x8xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<37x8xf32>, tensor<37x1xf32>) outs(%7 : tensor<37x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x8xf32>
  %9 = tensor.empty() : tensor<37x8xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<37x8xf32>) outs(%9 : tensor<37x8xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x8xf32>
  %11 = tensor.empty() : tensor<37xf32>
  %12 = linalg.fill ins(%c0 : f32) outs(%11 : tensor<37xf32>) -> tensor<37xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<37x8xf32>) outs(%12 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<37xf32>
  %14 = tensor.expand_shape %13 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %15 = tensor.empty() : tensor<37x8xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %14 : tensor<37x8xf32>, tensor<37x1xf32>) outs(%15 : tensor<37x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x8xf32>
  %17 = tensor.empty() : tensor<37xf32>
  %18 = linalg.fill ins(%c1 : f32) outs(%17 : tensor<37xf32>) -> tensor<37xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<37x8xf32>) outs(%18 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.maximumf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<37xf32>
  %20 = tensor.expand_shape %19 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %21 = tensor.empty() : tensor<37x8xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %20 : tensor<37x8xf32>, tensor<37x1xf32>) outs(%21 : tensor<37x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %eq = arith.cmpf oeq, %in0, %in1 : f32
    %res = arith.select %eq, %c1, %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x8xf32>
  %23 = tensor.empty() : tensor<37xf32>
  %24 = linalg.fill ins(%c1 : f32) outs(%23 : tensor<37xf32>) -> tensor<37xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<37x8xf32>) outs(%24 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.maximumf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<37xf32>
  %26 = tensor.empty() : tensor<37xf32>
  %27 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%19, %25 : tensor<37xf32>, tensor<37xf32>) outs(%26 : tensor<37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37xf32>
  %28 = tensor.empty() : tensor<37xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%19, %27 : tensor<37xf32>, tensor<37xf32>) outs(%28 : tensor<37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37xf32>
  %30 = tensor.empty() : tensor<37xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%19, %25 : tensor<37xf32>, tensor<37xf32>) outs(%30 : tensor<37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37xf32>
  %32 = tensor.empty() : tensor<37xf32>
  %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%25, %31 : tensor<37xf32>, tensor<37xf32>) outs(%32 : tensor<37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37xf32>
  return %29, %33 : tensor<37xf32>, tensor<37xf32>
}
