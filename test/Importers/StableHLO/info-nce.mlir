// InfoNCE with a queue of negatives: the log-sum-exp of a product.

// Few rows: several workgroups share the keys of one, and a third kernel merges them.
// RUN: linalg-ext-check-program %s --max-kernels=3 --keys=16
// RUN: linalg-ext-check-program %s --max-kernels=2 --keys=16 --targets=gpu --gpu-options=split=-1

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @info_nce(%arg_x: tensor<37x24xf32>,
    %arg_p: tensor<37x24xf32>,
    %arg_w: tensor<301x24xf32>) -> (tensor<37x1xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<37x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %arg_p : tensor<37x24xf32>, tensor<37x24xf32>) outs(%0 : tensor<37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x24xf32>
  %2 = tensor.empty() : tensor<37xf32>
  %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<37xf32>) -> tensor<37xf32>
  %4 = linalg.reduce ins(%1 : tensor<37x24xf32>) outs(%3 : tensor<37xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %6 = tensor.empty() : tensor<37x301xf32>
  %7 = linalg.fill ins(%c0 : f32) outs(%6 : tensor<37x301xf32>) -> tensor<37x301xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg_x, %arg_w : tensor<37x24xf32>, tensor<301x24xf32>) outs(%7 : tensor<37x301xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<37x301xf32>
  %9 = tensor.empty() : tensor<37xf32>
  %10 = linalg.fill ins(%c1 : f32) outs(%9 : tensor<37xf32>) -> tensor<37xf32>
  %11 = linalg.reduce ins(%8 : tensor<37x301xf32>) outs(%10 : tensor<37xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.maximumf %x, %y : f32
      linalg.yield %z : f32
    }
  %12 = tensor.expand_shape %11 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %13 = tensor.collapse_shape %12 [[0, 1]] : tensor<37x1xf32> into tensor<37xf32>
  %14 = tensor.empty() : tensor<37x301xf32>
  %15 = linalg.broadcast ins(%13 : tensor<37xf32>) outs(%14 : tensor<37x301xf32>) dimensions = [1]
  %16 = tensor.empty() : tensor<37x301xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %15 : tensor<37x301xf32>, tensor<37x301xf32>) outs(%16 : tensor<37x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x301xf32>
  %18 = tensor.empty() : tensor<37x301xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<37x301xf32>) outs(%18 : tensor<37x301xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x301xf32>
  %20 = tensor.empty() : tensor<37xf32>
  %21 = linalg.fill ins(%c0 : f32) outs(%20 : tensor<37xf32>) -> tensor<37xf32>
  %22 = linalg.reduce ins(%19 : tensor<37x301xf32>) outs(%21 : tensor<37xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %23 = tensor.expand_shape %22 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %24 = tensor.empty() : tensor<37x1xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<37x1xf32>) outs(%24 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.log %in0 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %26 = tensor.empty() : tensor<37x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %12 : tensor<37x1xf32>, tensor<37x1xf32>) outs(%26 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %28 = tensor.empty() : tensor<37x1xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %5 : tensor<37x1xf32>, tensor<37x1xf32>) outs(%28 : tensor<37x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  return %29 : tensor<37x1xf32>
}
