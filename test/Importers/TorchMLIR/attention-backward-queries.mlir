// Gradient of attention in the queries, from the saved log-sum-exp of each row: two products
// are combined, and feed a third.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @attention_backward_queries(%arg_q: tensor<2x37x16xf32>,
    %arg_k: tensor<2x45x16xf32>,
    %arg_v: tensor<2x45x16xf32>,
    %arg_do: tensor<2x37x16xf32>,
    %arg_lse: tensor<2x37x1xf32> {check.draw = "uniform 2 4"},
    %arg_dl: tensor<2x37x1xf32>) -> (tensor<2x37x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.250000e-01 : f32
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
  %5 = tensor.empty() : tensor<2x37x45xf32>
  %6 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %arg_lse : tensor<2x37x45xf32>, tensor<2x37x1xf32>) outs(%5 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %7 = tensor.empty() : tensor<2x37x45xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x37x45xf32>) outs(%7 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %9 = tensor.empty() : tensor<2x37x45xf32>
  %10 = linalg.fill ins(%c0 : f32) outs(%9 : tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg_do, %arg_v : tensor<2x37x16xf32>, tensor<2x45x16xf32>) outs(%10 : tensor<2x37x45xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x37x45xf32>
  %12 = tensor.empty() : tensor<2x37x45xf32>
  %13 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %arg_dl : tensor<2x37x45xf32>, tensor<2x37x1xf32>) outs(%12 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %14 = tensor.empty() : tensor<2x37x45xf32>
  %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %13 : tensor<2x37x45xf32>, tensor<2x37x45xf32>) outs(%14 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %16 = tensor.empty() : tensor<2x37x45xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x37x45xf32>) outs(%16 : tensor<2x37x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.mulf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x45xf32>
  %18 = tensor.empty() : tensor<2x37x16xf32>
  %19 = linalg.fill ins(%c0 : f32) outs(%18 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17, %arg_k : tensor<2x37x45xf32>, tensor<2x45x16xf32>) outs(%19 : tensor<2x37x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x37x16xf32>
  return %20 : tensor<2x37x16xf32>
}
