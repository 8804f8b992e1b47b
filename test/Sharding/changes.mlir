// Shardings that follow each other, and differ in several axes. shard-partition changes one
// axis, and would take that for all.
//
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-complete-sharding{steps=verify})' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-complete-sharding{steps=verify},func.func(shard-partition),canonicalize)' | FileCheck %s --check-prefix=PARTS

shard.grid @grid(shape = 2x3)

// An axis moves to a dimension that is not cut otherwise: through the whole.
// CHECK-LABEL: func.func @move
// CHECK:         %[[A:.*]] = shard.shard %{{.*}} to %{{.*}} annotate_for_users
// CHECK:         %[[S:.*]] = shard.sharding @grid split_axes = {{\[\[}}0], [], []]
// CHECK:         %[[B:.*]] = shard.shard %[[A]] to %[[S]] annotate_for_users
// CHECK:         shard.shard %[[B]] to %{{.*}} annotate_for_users
// PARTS-LABEL: func.func @move(%{{.*}}: tensor<2x6x5xf32>) -> tensor<6x2x5xf32>
// PARTS:         shard.all_gather {{.*}} grid_axes = [1] gather_axis = 0
// PARTS:         shard.all_slice {{.*}} grid_axes = [1] slice_axis = 1
func.func @move(%x: tensor<12x6x5xf32>) -> tensor<12x6x5xf32> {
  %s = shard.sharding @grid split_axes = [[0, 1], [], []] : !shard.sharding
  %t = shard.sharding @grid split_axes = [[0], [1], []] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<12x6x5xf32>
  %b = shard.shard %a to %t annotate_for_users : tensor<12x6x5xf32>
  return %b : tensor<12x6x5xf32>
}

// One step is left as it is.
// CHECK-LABEL: func.func @negative_one_step
// CHECK-COUNT-2: = shard.shard %
// CHECK-NOT:     = shard.shard %
// PARTS-LABEL: func.func @negative_one_step
// PARTS:         shard.all_to_all {{.*}} grid_axes = [1] split_axis = 1 concat_axis = 0
func.func @negative_one_step(%x: tensor<12x6x5xf32>) -> tensor<12x6x5xf32> {
  %s = shard.sharding @grid split_axes = [[1], [], []] : !shard.sharding
  %t = shard.sharding @grid split_axes = [[], [1], []] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<12x6x5xf32>
  %b = shard.shard %a to %t annotate_for_users : tensor<12x6x5xf32>
  return %b : tensor<12x6x5xf32>
}

// Two axes change their places: one is gathered, one moves, one is cut.
// CHECK-LABEL: func.func @swap
// CHECK-COUNT-4: = shard.shard %
// CHECK-NOT:     = shard.shard %
// PARTS-LABEL: func.func @swap(%{{.*}}: tensor<6x2x5xf32>) -> tensor<4x3x5xf32>
// PARTS:         shard.all_gather {{.*}} grid_axes = [0] gather_axis = 0 : tensor<6x2x5xf32> -> tensor<12x2x5xf32>
// PARTS:         shard.all_to_all {{.*}} grid_axes = [1] split_axis = 0 concat_axis = 1 : tensor<12x2x5xf32> -> tensor<4x6x5xf32>
// PARTS:         shard.all_slice {{.*}} grid_axes = [0] slice_axis = 1 : tensor<4x6x5xf32> -> tensor<4x3x5xf32>
func.func @swap(%x: tensor<12x6x5xf32>) -> tensor<12x6x5xf32> {
  %s = shard.sharding @grid split_axes = [[0], [1], []] : !shard.sharding
  %t = shard.sharding @grid split_axes = [[1], [0], []] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<12x6x5xf32>
  %b = shard.shard %a to %t annotate_for_users : tensor<12x6x5xf32>
  return %b : tensor<12x6x5xf32>
}

// A position is that in the whole: each process has 6 rows behind those of the ones before.
// CHECK-LABEL: func.func @position
// CHECK:         %[[OWN:.*]] = linalg.index 0 : index
// CHECK:         %[[P:.*]] = shard.process_multi_index on @grid axes = [0]
// CHECK:         %[[FIRST:.*]] = affine.apply #{{.*}}(%[[P]])
// CHECK:         %[[WHOLE:.*]] = arith.addi %[[OWN]], %[[FIRST]]
// CHECK:         arith.index_cast %[[WHOLE]]
func.func @position(%x: tensor<12xi32>) -> tensor<12xi32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s annotate_for_users : tensor<12xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a : tensor<12xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i32
    linalg.yield %p : i32
  } -> tensor<12xi32>
  %r = shard.shard %0 to %s : tensor<12xi32>
  return %r : tensor<12xi32>
}
