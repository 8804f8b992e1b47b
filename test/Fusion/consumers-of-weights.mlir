// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(0,1)for(0,0,0,1)for(0,0,1)" normalization=eager fuse-consumers' | FileCheck %s

// Columns of weights are summed where their products are computed. The size of the column that
// a tile leaves is the size of the tensor that it is written to, as value bounds say: a copy of
// the program says it by another op than the program, which has a second product.

// CHECK-LABEL: func @products_and_sums
// CHECK: scf.forall
// CHECK:   scf.for
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : tensor<?x1xf32>) outs(%{{.*}} : tensor<1xf32>)
// CHECK:   scf.forall.in_parallel
// CHECK-NOT: iterator_types = ["reduction", "parallel"]
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @products_and_sums(%arg0: tensor<?x4xf32>, %arg1: tensor<4x1x?x?xf32>) -> (tensor<1x4x?xf32>, tensor<1x4x?xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg1, %c2 : tensor<4x1x?x?xf32>
  %0 = tensor.empty() : tensor<4xf32>
  %cst = arith.constant 0xFF800000 : f32
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<?x4xf32>) outs(%1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.maximumf %in, %out : f32
    linalg.yield %19 : f32
  } -> tensor<4xf32>
  %3 = tensor.empty(%dim) : tensor<?x4xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<?x4xf32>, tensor<4xf32>) outs(%3 : tensor<?x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %19 = arith.subf %in, %in_5 : f32
    %20 = math.exp %19 : f32
    linalg.yield %20 : f32
  } -> tensor<?x4xf32>
  %5 = tensor.empty() : tensor<4xf32>
  %cst_1 = arith.constant 0.000000e+00 : f32
  %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<4xf32>) -> tensor<4xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%4 : tensor<?x4xf32>) outs(%6 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %in, %out : f32
    linalg.yield %19 : f32
  } -> tensor<4xf32>
  %8 = tensor.empty(%dim) : tensor<?x4xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<?x4xf32>, tensor<4xf32>) outs(%8 : tensor<?x4xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %19 = arith.divf %in, %in_5 : f32
    linalg.yield %19 : f32
  } -> tensor<?x4xf32>
  %expanded = tensor.expand_shape %9 [[0], [1, 2]] output_shape [%dim, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
  %10 = tensor.empty(%dim_0) : tensor<1x4x?xf32>
  %cst_2 = arith.constant 0.000000e+00 : f32
  %11 = linalg.fill ins(%cst_2 : f32) outs(%10 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %12 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<?x1x4xf32>, tensor<4x1x?x?xf32>) outs(%11 : tensor<1x4x?xf32>) attrs = {linalg_ext.root} {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %19 = arith.mulf %in, %in_5 : f32
    %20 = arith.addf %out, %19 : f32
    linalg.yield %20 : f32
  } -> tensor<1x4x?xf32>
  %13 = tensor.empty(%dim_0) : tensor<1x4x?xf32>
  %cst_3 = arith.constant 0.000000e+00 : f32
  %14 = linalg.fill ins(%cst_3 : f32) outs(%13 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<?x1x4xf32>, tensor<4x1x?x?xf32>) outs(%14 : tensor<1x4x?xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %19 = arith.mulf %in, %in_5 : f32
    %20 = arith.addf %out, %19 : f32
    linalg.yield %20 : f32
  } -> tensor<1x4x?xf32>
  %16 = tensor.empty() : tensor<4xf32>
  %cst_4 = arith.constant 0.000000e+00 : f32
  %17 = linalg.fill ins(%cst_4 : f32) outs(%16 : tensor<4xf32>) -> tensor<4xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%9 : tensor<?x4xf32>) outs(%17 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %out, %in : f32
    linalg.yield %19 : f32
  } -> tensor<4xf32>
  return %12, %15, %18 : tensor<1x4x?xf32>, tensor<1x4x?xf32>, tensor<4xf32>
}
