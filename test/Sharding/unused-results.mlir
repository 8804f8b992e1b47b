// A result that nobody reads, such as the maximum of an arg-max, is cut as its init.
// shard-partition takes the types of all results from annotations.
//
// RUN: linalg-ext-opt %s --linalg-ext-shard='sharding="2: [[0]] -> [[0]]"' | FileCheck %s

// CHECK-LABEL: func.func @arg_max(
// CHECK-SAME:      %[[X:.*]]: tensor<3x4xf32>) -> tensor<3xi64>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]] : tensor<3x4xf32>) outs({{.*}} : tensor<3xf32>, tensor<3xi64>, tensor<3xi32>)
func.func @arg_max(%x: tensor<6x4xf32>) -> tensor<6xi64> {
  %zero = arith.constant 0 : i64
  %least = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<6xf32>
  %max = linalg.fill ins(%least : f32) outs(%e0 : tensor<6xf32>) -> tensor<6xf32>
  %e1 = tensor.empty() : tensor<6xi64>
  %position = linalg.fill ins(%zero : i64) outs(%e1 : tensor<6xi64>) -> tensor<6xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x4xf32>) outs(%max, %position : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%a: f32, %m: f32, %p: i64):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i64
    %largest = arith.maximumf %a, %m : f32
    %isLarger = arith.cmpf ogt, %a, %m : f32
    %at = arith.select %isLarger, %i, %p : i64
    linalg.yield %largest, %at : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  return %r#1 : tensor<6xi64>
}
