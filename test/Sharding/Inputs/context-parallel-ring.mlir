// Rows of the queries are cut, and so are keys and values, which travel.
shard.grid @grid(shape = 4)

func.func @context_parallel_ring(%q: tensor<4x24x8xf32>,
    %k: tensor<4x24x8xf32> {shard.ring},
    %v: tensor<4x24x8xf32> {shard.ring})
    -> tensor<4x24x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[], [0], []] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[], [], []] : !shard.sharding
  %a1 = shard.shard %q to %s0 annotate_for_users : tensor<4x24x8xf32>
  %a2 = shard.shard %k to %s0 annotate_for_users : tensor<4x24x8xf32>
  %a3 = shard.shard %a2 to %s0 : tensor<4x24x8xf32>
  %a4 = shard.shard %a3 to %s1 annotate_for_users : tensor<4x24x8xf32>
  %a5 = shard.shard %v to %s0 annotate_for_users : tensor<4x24x8xf32>
  %a6 = shard.shard %a5 to %s0 : tensor<4x24x8xf32>
  %a7 = shard.shard %a6 to %s1 annotate_for_users : tensor<4x24x8xf32>
  %e8 = tensor.empty() : tensor<4x8x24xf32>
  %t9 = linalg.transpose ins(%a4 : tensor<4x24x8xf32>) outs(%e8 : tensor<4x8x24xf32>) permutation = [0, 2, 1]
  %e10 = tensor.empty() : tensor<4x24x24xf32>
  %z11 = linalg.fill ins(%zero : f32) outs(%e10 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %m12 = linalg.batch_matmul ins(%a1, %t9 : tensor<4x24x8xf32>, tensor<4x8x24xf32>) outs(%z11 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e13 = tensor.empty() : tensor<4x24x24xf32>
  %g14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m12 : tensor<4x24x24xf32>) outs(%e13 : tensor<4x24x24xf32>) {
  ^bb0(%i0: f32, %out: f32):
    %f = arith.constant 0.3535533905932738 : f32
    %y = arith.mulf %i0, %f : f32
    %row = linalg.index 1 : index
    %key = linalg.index 2 : index
    %seen = arith.cmpi sle, %key, %row : index
    %ninf = arith.constant 0xFF800000 : f32
    %w = arith.select %seen, %y, %ninf : f32
    linalg.yield %w : f32
  } -> tensor<4x24x24xf32>
  %e15 = tensor.empty() : tensor<4x24x24xf32>
  %p16 = linalg.softmax dimension(2) ins(%g14 : tensor<4x24x24xf32>) outs(%e15 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e17 = tensor.empty() : tensor<4x24x8xf32>
  %z18 = linalg.fill ins(%zero : f32) outs(%e17 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %m19 = linalg.batch_matmul ins(%p16, %a7 : tensor<4x24x24xf32>, tensor<4x24x8xf32>) outs(%z18 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %a20 = shard.shard %m19 to %s0 : tensor<4x24x8xf32>
  %a21 = shard.shard %a20 to %s0 annotate_for_users : tensor<4x24x8xf32>
  return %a21 : tensor<4x24x8xf32>
}
