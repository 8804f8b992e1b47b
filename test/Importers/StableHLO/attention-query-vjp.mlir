// Gradient of attention in the queries: two products, a softmax and its gradient in
// one loop over keys.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @attention_query_vjp(%arg_q: tensor<2x37x16xf32>,
    %arg_k: tensor<2x45x16xf32>,
    %arg_v: tensor<2x45x16xf32>,
    %arg_do: tensor<2x37x16xf32>) -> (tensor<2x37x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.250000e-01 : f32
  %c2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2x37x45xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg_q, %arg_k : tensor<2x37x16xf32>, tensor<2x45x16xf32>) outs(%1 : tensor<2x37x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x37x45xf32>
  %3 = tensor.empty() : tensor<2x37x45xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x37x45xf32>) outs(%3 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.mulf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %5 = tensor.empty() : tensor<2x37xf32>
  %6 = linalg.fill ins(%c2 : f32) outs(%5 : tensor<2x37xf32>) -> tensor<2x37xf32>
  %7 = linalg.reduce ins(%4 : tensor<2x37x45xf32>) outs(%6 : tensor<2x37xf32>) dimensions = [2]
    (%x: f32, %y: f32) {
      %z = arith.maximumf %x, %y : f32
      linalg.yield %z : f32
    }
  %8 = tensor.expand_shape %7 [[0], [1, 2]] output_shape [2, 37, 1] : tensor<2x37xf32> into tensor<2x37x1xf32>
  %9 = tensor.collapse_shape %8 [[0], [1, 2]] : tensor<2x37x1xf32> into tensor<2x37xf32>
  %10 = tensor.empty() : tensor<2x37x45xf32>
  %11 = linalg.broadcast ins(%9 : tensor<2x37xf32>) outs(%10 : tensor<2x37x45xf32>) dimensions = [2]
  %12 = tensor.empty() : tensor<2x37x45xf32>
  %13 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %11 : tensor<2x37x45xf32>, tensor<2x37x45xf32>) outs(%12 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %14 = tensor.empty() : tensor<2x37x45xf32>
  %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x37x45xf32>) outs(%14 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %16 = tensor.empty() : tensor<2x37xf32>
  %17 = linalg.fill ins(%c0 : f32) outs(%16 : tensor<2x37xf32>) -> tensor<2x37xf32>
  %18 = linalg.reduce ins(%15 : tensor<2x37x45xf32>) outs(%17 : tensor<2x37xf32>) dimensions = [2]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %19 = tensor.expand_shape %18 [[0], [1, 2]] output_shape [2, 37, 1] : tensor<2x37xf32> into tensor<2x37x1xf32>
  %20 = tensor.collapse_shape %19 [[0], [1, 2]] : tensor<2x37x1xf32> into tensor<2x37xf32>
  %21 = tensor.empty() : tensor<2x37x45xf32>
  %22 = linalg.broadcast ins(%20 : tensor<2x37xf32>) outs(%21 : tensor<2x37x45xf32>) dimensions = [2]
  %23 = tensor.empty() : tensor<2x37x45xf32>
  %24 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %22 : tensor<2x37x45xf32>, tensor<2x37x45xf32>) outs(%23 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %25 = tensor.empty() : tensor<2x37x45xf32>
  %26 = linalg.fill ins(%c0 : f32) outs(%25 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg_do, %arg_v : tensor<2x37x16xf32>, tensor<2x45x16xf32>) outs(%26 : tensor<2x37x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x37x45xf32>
  %28 = tensor.empty() : tensor<2x37x45xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<2x37x45xf32>, tensor<2x37x45xf32>) outs(%28 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %30 = tensor.empty() : tensor<2x37xf32>
  %31 = linalg.fill ins(%c0 : f32) outs(%30 : tensor<2x37xf32>) -> tensor<2x37xf32>
  %32 = linalg.reduce ins(%29 : tensor<2x37x45xf32>) outs(%31 : tensor<2x37xf32>) dimensions = [2]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %33 = tensor.expand_shape %32 [[0], [1, 2]] output_shape [2, 37, 1] : tensor<2x37xf32> into tensor<2x37x1xf32>
  %34 = tensor.collapse_shape %33 [[0], [1, 2]] : tensor<2x37x1xf32> into tensor<2x37xf32>
  %35 = tensor.empty() : tensor<2x37x45xf32>
  %36 = linalg.broadcast ins(%34 : tensor<2x37xf32>) outs(%35 : tensor<2x37x45xf32>) dimensions = [2]
  %37 = tensor.empty() : tensor<2x37x45xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %36 : tensor<2x37x45xf32>, tensor<2x37x45xf32>) outs(%37 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %39 = tensor.empty() : tensor<2x37x45xf32>
  %40 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %38 : tensor<2x37x45xf32>, tensor<2x37x45xf32>) outs(%39 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %41 = tensor.empty() : tensor<2x37x45xf32>
  %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<2x37x45xf32>) outs(%41 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.mulf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %43 = tensor.empty() : tensor<2x37x16xf32>
  %44 = linalg.fill ins(%c0 : f32) outs(%43 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42, %arg_k : tensor<2x37x45xf32>, tensor<2x45x16xf32>) outs(%44 : tensor<2x37x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x37x16xf32>
  return %45 : tensor<2x37x16xf32>
}
