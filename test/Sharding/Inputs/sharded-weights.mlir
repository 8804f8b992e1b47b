// Each process has rows of the weights, and gathers them before it multiplies its rows of
// the batch.
shard.grid @grid(shape = 2)

func.func @sharded_weights(%x: tensor<8x32xf32>,
    %w1: tensor<32x48xf32>,
    %w2: tensor<48x32xf32>)
    -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[], []] : !shard.sharding
  %a1 = shard.shard %x to %s0 annotate_for_users : tensor<8x32xf32>
  %a2 = shard.shard %w1 to %s0 annotate_for_users : tensor<32x48xf32>
  %a3 = shard.shard %a2 to %s0 : tensor<32x48xf32>
  %a4 = shard.shard %a3 to %s1 annotate_for_users : tensor<32x48xf32>
  %a5 = shard.shard %w2 to %s0 annotate_for_users : tensor<48x32xf32>
  %a6 = shard.shard %a5 to %s0 : tensor<48x32xf32>
  %a7 = shard.shard %a6 to %s1 annotate_for_users : tensor<48x32xf32>
  %e8 = tensor.empty() : tensor<8x48xf32>
  %z9 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8x48xf32>) -> tensor<8x48xf32>
  %m10 = linalg.matmul ins(%a1, %a4 : tensor<8x32xf32>, tensor<32x48xf32>) outs(%z9 : tensor<8x48xf32>) -> tensor<8x48xf32>
  %e11 = tensor.empty() : tensor<8x48xf32>
  %g12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%m10 : tensor<8x48xf32>) outs(%e11 : tensor<8x48xf32>) {
  ^bb0(%i0: f32, %out: f32):
    %z = arith.constant 0.0 : f32
    %w = arith.maximumf %i0, %z : f32
    linalg.yield %w : f32
  } -> tensor<8x48xf32>
  %e13 = tensor.empty() : tensor<8x32xf32>
  %z14 = linalg.fill ins(%zero : f32) outs(%e13 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %m15 = linalg.matmul ins(%g12, %a7 : tensor<8x48xf32>, tensor<48x32xf32>) outs(%z14 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %a16 = shard.shard %m15 to %s0 : tensor<8x32xf32>
  %a17 = shard.shard %a16 to %s0 annotate_for_users : tensor<8x32xf32>
  return %a17 : tensor<8x32xf32>
}
