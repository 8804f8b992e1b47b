// RUN: linalg-ext-opt %s --linalg-ext-annotate-sharding="sharding='2x3: [[0], [1]], [] -> [[0]]'" | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-annotate-sharding="sharding='2: [[0]] -> [[0]]'" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not linalg-ext-opt %s --linalg-ext-annotate-sharding="sharding='[[0]] -> [[0]]'" 2>&1 | FileCheck %s --check-prefix=GRID

// FEW: error: expected a sharding for each argument, 2, got 1
// GRID: error: invalid sharding: expected the shape of a grid, such as '2x4', before ':', got '{{\[\[}}0]] -> {{\[\[}}0]]'

// Sizes may be dynamic here: linalg-ext-verify-sharding looks at them.

// CHECK:       shard.grid @grid(shape = 2x3)
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK:         %[[S:.*]] = shard.sharding @grid split_axes = {{\[}}[0], [1]] : !shard.sharding
// CHECK:         %[[A:.*]] = shard.shard %[[X]] to %[[S]] annotate_for_users : tensor<4x?xf32>
// CHECK:         %[[Y:.*]] = math.exp %[[A]]
// CHECK:         %[[T:.*]] = shard.sharding @grid split_axes = {{\[}}[0], []] : !shard.sharding
// CHECK:         %[[R:.*]] = shard.shard %[[Y]] to %[[T]] : tensor<4x?xf32>
// CHECK:         return %[[R]]
func.func @f(%x: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  %y = math.exp %x : tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// Others are for no caller.
// CHECK-LABEL: func.func private @negative_private(
// CHECK-NOT:     shard.shard
// CHECK:         return
func.func private @negative_private(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
