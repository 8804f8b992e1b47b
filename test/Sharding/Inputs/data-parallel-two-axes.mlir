// A batch along both axes of the grid.
shard.grid @grid(shape = 2x2)

func.func @data_parallel_two_axes(%q: tensor<8x24x8xf32>,
    %k: tensor<8x24x8xf32>,
    %v: tensor<8x24x8xf32>)
    -> tensor<8x24x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[0, 1], [], []] : !shard.sharding
  %a1 = shard.shard %q to %s0 annotate_for_users : tensor<8x24x8xf32>
  %a2 = shard.shard %k to %s0 annotate_for_users : tensor<8x24x8xf32>
  %a3 = shard.shard %v to %s0 annotate_for_users : tensor<8x24x8xf32>
  %e4 = tensor.empty() : tensor<8x8x24xf32>
  %t5 = linalg.transpose ins(%a2 : tensor<8x24x8xf32>) outs(%e4 : tensor<8x8x24xf32>) permutation = [0, 2, 1]
  %e6 = tensor.empty() : tensor<8x24x24xf32>
  %z7 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
  %m8 = linalg.batch_matmul ins(%a1, %t5 : tensor<8x24x8xf32>, tensor<8x8x24xf32>) outs(%z7 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
  %e9 = tensor.empty() : tensor<8x24x24xf32>
  %g10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m8 : tensor<8x24x24xf32>) outs(%e9 : tensor<8x24x24xf32>) {
  ^bb0(%i0: f32, %out: f32):
    %f = arith.constant 0.3535533905932738 : f32
    %y = arith.mulf %i0, %f : f32
    linalg.yield %y : f32
  } -> tensor<8x24x24xf32>
  %e11 = tensor.empty() : tensor<8x24x24xf32>
  %p12 = linalg.softmax dimension(2) ins(%g10 : tensor<8x24x24xf32>) outs(%e11 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
  %e13 = tensor.empty() : tensor<8x24x8xf32>
  %z14 = linalg.fill ins(%zero : f32) outs(%e13 : tensor<8x24x8xf32>) -> tensor<8x24x8xf32>
  %m15 = linalg.batch_matmul ins(%p12, %a3 : tensor<8x24x24xf32>, tensor<8x24x8xf32>) outs(%z14 : tensor<8x24x8xf32>) -> tensor<8x24x8xf32>
  %a16 = shard.shard %m15 to %s0 : tensor<8x24x8xf32>
  %a17 = shard.shard %a16 to %s0 annotate_for_users : tensor<8x24x8xf32>
  return %a17 : tensor<8x24x8xf32>
}
