// Sizes that are not known, if linalg-ext-verify-sharding has not refused them.
//
// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(shard-partition))'

shard.grid @grid(shape = 2)

func.func @expand(%x: tensor<?x8xf32>, %n: index) -> tensor<?x2x4xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @grid split_axes = [[], [0], []] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<?x8xf32>
  %xu = shard.shard %xs to %s annotate_for_users : tensor<?x8xf32>
  // expected-error @+1 {{expected a static shape, got 'tensor<?x1x4xf32>'}}
  %e = tensor.expand_shape %xu [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %o = shard.shard %e to %t : tensor<?x2x4xf32>
  %u = shard.shard %o to %t annotate_for_users : tensor<?x2x4xf32>
  return %u : tensor<?x2x4xf32>
}
