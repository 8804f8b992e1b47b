// What the models of ops refuse when the function is partitioned, also without
// the step verify of linalg-ext-complete-sharding in front.
//
// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(sharding-propagation{traversal=forward-backward},shard-partition))'

shard.grid @grid(shape = 2)

func.func @scale_used(%x: tensor<4x8xf32>, %r: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %cols = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %xs = shard.shard %x to %cols annotate_for_users : tensor<4x8xf32>
  %rs = shard.shard %r to %cols annotate_for_users : tensor<4x8xf32>
  %ms = shard.shard %m to %rows annotate_for_users : tensor<4xf32>
  %ls = shard.shard %l to %rows annotate_for_users : tensor<4xf32>
  %ss = shard.shard %s to %rows annotate_for_users : tensor<4xf32>
  // expected-error @+1 {{expected no users of result 3 where processes share a reduced dimension: it belongs to the state of one process}}
  %p:4 = linalg_ext.softmax dimension(1) ins(%xs : tensor<4x8xf32>)
      outs(%rs, %ms, %ls, %ss : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %o = shard.shard %p#3 to %rows : tensor<4xf32>
  %u = shard.shard %o to %rows annotate_for_users : tensor<4xf32>
  return %u : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @batch_matmul(%a: tensor<3x4x8xf32>, %b: tensor<3x8x5xf32>, %c: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %left = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %right = shard.sharding @grid split_axes = [[], [0], []] : !shard.sharding
  %whole = shard.sharding @grid split_axes = [[], [], []] : !shard.sharding
  %as = shard.shard %a to %left annotate_for_users : tensor<3x4x8xf32>
  %bs = shard.shard %b to %right annotate_for_users : tensor<3x8x5xf32>
  %cs = shard.shard %c to %whole annotate_for_users : tensor<3x4x5xf32>
  // expected-error @+1 {{expected no sharded reduction; convert the op to linalg.generic, which can be cut along it}}
  %d = linalg_ext.batch_matmul ins(%as, %bs : tensor<3x4x8xf32>, tensor<3x8x5xf32>)
      outs(%cs : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %o = shard.shard %d to %whole : tensor<3x4x5xf32>
  %u = shard.shard %o to %whole annotate_for_users : tensor<3x4x5xf32>
  return %u : tensor<3x4x5xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @inner_dimension(%x: tensor<8x3xf32>) -> tensor<2x4x3xf32> {
  %whole = shard.sharding @grid split_axes = [[], []] : !shard.sharding
  %inner = shard.sharding @grid split_axes = [[], [0], []] : !shard.sharding
  %xs = shard.shard %x to %whole annotate_for_users : tensor<8x3xf32>
  // expected-error @+1 {{expected only the outermost dimension of a group to be sharded, got dimension 1 of the expanded tensor}}
  %e = tensor.expand_shape %xs [[0, 1], [2]] output_shape [2, 4, 3] : tensor<8x3xf32> into tensor<2x4x3xf32>
  %o = shard.shard %e to %inner : tensor<2x4x3xf32>
  %u = shard.shard %o to %inner annotate_for_users : tensor<2x4x3xf32>
  return %u : tensor<2x4x3xf32>
}
