// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,1,0,0) split(0,0,0,1)" normalization=eager' | FileCheck %s

// The sum over the one row m takes the weights from 0 on, the root those of the
// iteration of a loop over m: the same tile, of which there must not be two, a
// state and one that is final.

// CHECK-LABEL: func @main
// CHECK-COUNT-1: linalg_ext.softmax
// CHECK-NOT:     linalg_ext.softmax
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3, d2, d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x2x1xf32>, %arg1: tensor<2x1x1xf32>) -> tensor<1x1x1xf32> {
    %0 = tensor.empty() : tensor<1x2x1xf32>
    %1 = tensor.empty() : tensor<1x1xf32>
    %cst = arith.constant 0xFF800000 : f32
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %3 = tensor.empty() : tensor<1x1xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %5 = tensor.empty() : tensor<1x1xf32>
    %6:4 = linalg_ext.softmax dimension(1) ins(%arg0 : tensor<1x2x1xf32>) outs(%0, %2, %4, %5 : tensor<1x2x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x2x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
    %7 = tensor.empty() : tensor<1x2xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %8 = linalg.fill ins(%cst_1 : f32) outs(%7 : tensor<1x2xf32>) -> tensor<1x2xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6#0 : tensor<1x2x1xf32>) outs(%8 : tensor<1x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.addf %out, %in : f32
      linalg.yield %15 : f32
    } -> tensor<1x2xf32>
    %10 = tensor.empty() : tensor<1x2x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6#0, %9 : tensor<1x2x1xf32>, tensor<1x2xf32>) outs(%10 : tensor<1x2x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %15 = arith.addf %in, %in_3 : f32
      linalg.yield %15 : f32
    } -> tensor<1x2x1xf32>
    %12 = tensor.empty() : tensor<1x1x1xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %13 = linalg.fill ins(%cst_2 : f32) outs(%12 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11, %arg1 : tensor<1x2x1xf32>, tensor<2x1x1xf32>) outs(%13 : tensor<1x1x1xf32>)  attrs = {linalg_ext.root} {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %15 = arith.mulf %in, %in_3 : f32
      %16 = arith.addf %out, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<1x1x1xf32>
    return %14 : tensor<1x1x1xf32>
  }
}

