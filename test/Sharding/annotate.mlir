// RUN: linalg-ext-opt %s --linalg-ext-complete-sharding="steps=annotate sharding='2x3: [[0], [1]], [] -> [[0]]'" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-complete-sharding="steps=annotate sharding='2x3 striped: [[0], ring [1]], [] -> [[0]]'" | FileCheck %s --check-prefix=RING
// RUN: linalg-ext-opt %s --linalg-ext-complete-sharding=steps=annotate | FileCheck %s --check-prefix=PREPARE
// RUN: not linalg-ext-opt %s --linalg-ext-complete-sharding="steps=annotate sharding='2: [[0]] -> [[0]]'" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not linalg-ext-opt %s --linalg-ext-complete-sharding="steps=annotate sharding='[[0]] -> [[0]]'" 2>&1 | FileCheck %s --check-prefix=GRID

// FEW: error: expected a sharding for each argument, 2, got 1
// GRID: error: invalid sharding: expected the shape of a grid, such as '2x4', before ':', got '{{\[\[}}0]] -> {{\[\[}}0]]'

// Sizes may be dynamic here: the step verify of linalg-ext-complete-sharding looks at them.

// CHECK:       shard.grid @grid(shape = 2x3) {arguments = {{\[\[}}array<i16: 0>, array<i16: 1>], []]}
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

// The program reads all of %x.
// RING:       shard.grid @grid(shape = 2x3) {{{.*}}striped = array<i16: 1>}
// RING-LABEL: func.func @f(
// RING-SAME:    %[[X:[a-z0-9]+]]: tensor<4x?xf32> {shard.ring}
// RING:         %[[S:.*]] = shard.sharding @grid split_axes = {{\[}}[0], [1]] : !shard.sharding
// RING:         %[[A:.*]] = shard.shard %[[X]] to %[[S]] : tensor<4x?xf32>
// RING:         %[[W:.*]] = shard.sharding @grid split_axes = {{\[}}[0], []] : !shard.sharding
// RING:         %[[B:.*]] = shard.shard %[[A]] to %[[W]] annotate_for_users : tensor<4x?xf32>
// RING:         math.exp %[[B]]

// Without a sharding: sizes and numbers that upstream's passes have no models for.
// PREPARE-LABEL: func.func private @sizes(
// PREPARE-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[N:[a-z0-9]+]]: index
// PREPARE-NOT:     arith.addi
// PREPARE:         %[[E:.*]] = bufferization.alloc_tensor(%[[N]]) : tensor<?xf32>
// PREPARE:         linalg.generic {{.*}} outs(%[[E]]
// PREPARE:           arith.addi %[[N]], %[[N]]
// PREPARE:           linalg.yield
func.func private @sizes(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %twice = arith.addi %n, %n : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = arith.index_cast %twice : index to i64
    %f = arith.sitofp %i : i64 to f32
    %p = arith.mulf %a, %f : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// The result that is read: here the high word.
// PREPARE-LABEL: func.func private @high_word(
// PREPARE-SAME:    %{{[a-z0-9]+}}: tensor<4xf32>, %[[A:[a-z0-9]+]]: i32, %[[B:[a-z0-9]+]]: i32
// PREPARE:         linalg.generic
// PREPARE:           %{{.*}}, %[[HIGH:.*]] = arith.mulsi_extended %[[A]], %[[B]] : i32
// PREPARE:           arith.sitofp %[[HIGH]]
func.func private @high_word(%x: tensor<4xf32>, %a: i32, %b: i32) -> tensor<4xf32> {
  %low, %high = arith.mulsi_extended %a, %b : i32
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %c: f32):
    %f = arith.sitofp %high : i32 to f32
    %p = arith.addf %in, %f : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
