// batch_norm_grad: gradients of the input, of the scale and of the offset.

// RUN: linalg-ext-check-program %s --max-kernels=7 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

func.func @batch_norm_vjp(%arg_x: tensor<3x11x7x5xf32>,
    %arg_dy: tensor<3x11x7x5xf32>,
    %arg_ga: tensor<1x11x1x1xf32>) -> (tensor<3x11x7x5xf32>, tensor<11xf32>, tensor<11xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 105.000000 : f32
  %c2 = arith.constant 1.000000e-05 : f32
  %0 = tensor.empty() : tensor<11xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<11xf32>) -> tensor<11xf32>
  %2 = linalg.reduce ins(%arg_x : tensor<3x11x7x5xf32>) outs(%1 : tensor<11xf32>) dimensions = [0, 2, 3]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %3 = tensor.expand_shape %2 [[0, 1, 2, 3]] output_shape [1, 11, 1, 1] : tensor<11xf32> into tensor<1x11x1x1xf32>
  %4 = tensor.empty() : tensor<1x11x1x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x11x1x1xf32>) outs(%4 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %6 = tensor.collapse_shape %5 [[0, 1, 2, 3]] : tensor<1x11x1x1xf32> into tensor<11xf32>
  %7 = tensor.empty() : tensor<3x11x7x5xf32>
  %8 = linalg.broadcast ins(%6 : tensor<11xf32>) outs(%7 : tensor<3x11x7x5xf32>) dimensions = [0, 2, 3]
  %9 = tensor.empty() : tensor<3x11x7x5xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg_x, %8 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%9 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %11 = tensor.empty() : tensor<3x11x7x5xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %10 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%11 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %13 = tensor.empty() : tensor<11xf32>
  %14 = linalg.fill ins(%c0 : f32) outs(%13 : tensor<11xf32>) -> tensor<11xf32>
  %15 = linalg.reduce ins(%12 : tensor<3x11x7x5xf32>) outs(%14 : tensor<11xf32>) dimensions = [0, 2, 3]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %16 = tensor.expand_shape %15 [[0, 1, 2, 3]] output_shape [1, 11, 1, 1] : tensor<11xf32> into tensor<1x11x1x1xf32>
  %17 = tensor.empty() : tensor<1x11x1x1xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x11x1x1xf32>) outs(%17 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %19 = tensor.empty() : tensor<1x11x1x1xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x11x1x1xf32>) outs(%19 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.addf %in0, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %21 = tensor.empty() : tensor<1x11x1x1xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x11x1x1xf32>) outs(%21 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %23 = tensor.collapse_shape %22 [[0, 1, 2, 3]] : tensor<1x11x1x1xf32> into tensor<11xf32>
  %24 = tensor.empty() : tensor<3x11x7x5xf32>
  %25 = linalg.broadcast ins(%23 : tensor<11xf32>) outs(%24 : tensor<3x11x7x5xf32>) dimensions = [0, 2, 3]
  %26 = tensor.empty() : tensor<3x11x7x5xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %25 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%26 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %28 = tensor.empty() : tensor<11xf32>
  %29 = linalg.fill ins(%c0 : f32) outs(%28 : tensor<11xf32>) -> tensor<11xf32>
  %30 = linalg.reduce ins(%arg_dy : tensor<3x11x7x5xf32>) outs(%29 : tensor<11xf32>) dimensions = [0, 2, 3]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %31 = tensor.expand_shape %30 [[0, 1, 2, 3]] output_shape [1, 11, 1, 1] : tensor<11xf32> into tensor<1x11x1x1xf32>
  %32 = tensor.empty() : tensor<1x11x1x1xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x11x1x1xf32>) outs(%32 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %34 = tensor.empty() : tensor<3x11x7x5xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg_dy, %27 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%34 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %36 = tensor.empty() : tensor<11xf32>
  %37 = linalg.fill ins(%c0 : f32) outs(%36 : tensor<11xf32>) -> tensor<11xf32>
  %38 = linalg.reduce ins(%35 : tensor<3x11x7x5xf32>) outs(%37 : tensor<11xf32>) dimensions = [0, 2, 3]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %39 = tensor.expand_shape %38 [[0, 1, 2, 3]] output_shape [1, 11, 1, 1] : tensor<11xf32> into tensor<1x11x1x1xf32>
  %40 = tensor.empty() : tensor<1x11x1x1xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x11x1x1xf32>) outs(%40 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %42 = tensor.collapse_shape %33 [[0, 1, 2, 3]] : tensor<1x11x1x1xf32> into tensor<11xf32>
  %43 = tensor.empty() : tensor<3x11x7x5xf32>
  %44 = linalg.broadcast ins(%42 : tensor<11xf32>) outs(%43 : tensor<3x11x7x5xf32>) dimensions = [0, 2, 3]
  %45 = tensor.empty() : tensor<3x11x7x5xf32>
  %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg_dy, %44 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%45 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %47 = tensor.collapse_shape %41 [[0, 1, 2, 3]] : tensor<1x11x1x1xf32> into tensor<11xf32>
  %48 = tensor.empty() : tensor<3x11x7x5xf32>
  %49 = linalg.broadcast ins(%47 : tensor<11xf32>) outs(%48 : tensor<3x11x7x5xf32>) dimensions = [0, 2, 3]
  %50 = tensor.empty() : tensor<3x11x7x5xf32>
  %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %49 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%50 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %52 = tensor.empty() : tensor<3x11x7x5xf32>
  %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %51 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%52 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %54 = tensor.collapse_shape %22 [[0, 1, 2, 3]] : tensor<1x11x1x1xf32> into tensor<11xf32>
  %55 = tensor.empty() : tensor<3x11x7x5xf32>
  %56 = linalg.broadcast ins(%54 : tensor<11xf32>) outs(%55 : tensor<3x11x7x5xf32>) dimensions = [0, 2, 3]
  %57 = tensor.empty() : tensor<3x11x7x5xf32>
  %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%57 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %59 = tensor.collapse_shape %arg_ga [[0, 1, 2, 3]] : tensor<1x11x1x1xf32> into tensor<11xf32>
  %60 = tensor.empty() : tensor<3x11x7x5xf32>
  %61 = linalg.broadcast ins(%59 : tensor<11xf32>) outs(%60 : tensor<3x11x7x5xf32>) dimensions = [0, 2, 3]
  %62 = tensor.empty() : tensor<3x11x7x5xf32>
  %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%62 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %64 = tensor.empty() : tensor<3x11x7x5xf32>
  %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg_dy, %27 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%64 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %66 = tensor.empty() : tensor<11xf32>
  %67 = linalg.fill ins(%c0 : f32) outs(%66 : tensor<11xf32>) -> tensor<11xf32>
  %68 = linalg.reduce ins(%65 : tensor<3x11x7x5xf32>) outs(%67 : tensor<11xf32>) dimensions = [0, 2, 3]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %69 = tensor.empty() : tensor<11xf32>
  %70 = linalg.fill ins(%c0 : f32) outs(%69 : tensor<11xf32>) -> tensor<11xf32>
  %71 = linalg.reduce ins(%arg_dy : tensor<3x11x7x5xf32>) outs(%70 : tensor<11xf32>) dimensions = [0, 2, 3]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  return %63, %68, %71 : tensor<3x11x7x5xf32>, tensor<11xf32>, tensor<11xf32>
}
