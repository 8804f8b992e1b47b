// Parts of the sequence are exchanged for heads, and back: sequence x heads x depth.
shard.grid @grid(shape = 4)

func.func @ulysses(%q: tensor<24x4x8xf32>,
    %k: tensor<24x4x8xf32>,
    %v: tensor<24x4x8xf32>)
    -> tensor<24x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[0], [], []] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[], [0], []] : !shard.sharding
  %a1 = shard.shard %q to %s0 annotate_for_users : tensor<24x4x8xf32>
  %a2 = shard.shard %a1 to %s0 : tensor<24x4x8xf32>
  %a3 = shard.shard %a2 to %s1 annotate_for_users : tensor<24x4x8xf32>
  %e4 = tensor.empty() : tensor<4x24x8xf32>
  %t5 = linalg.transpose ins(%a3 : tensor<24x4x8xf32>) outs(%e4 : tensor<4x24x8xf32>) permutation = [1, 0, 2]
  %a6 = shard.shard %k to %s0 annotate_for_users : tensor<24x4x8xf32>
  %a7 = shard.shard %a6 to %s0 : tensor<24x4x8xf32>
  %a8 = shard.shard %a7 to %s1 annotate_for_users : tensor<24x4x8xf32>
  %e9 = tensor.empty() : tensor<4x24x8xf32>
  %t10 = linalg.transpose ins(%a8 : tensor<24x4x8xf32>) outs(%e9 : tensor<4x24x8xf32>) permutation = [1, 0, 2]
  %a11 = shard.shard %v to %s0 annotate_for_users : tensor<24x4x8xf32>
  %a12 = shard.shard %a11 to %s0 : tensor<24x4x8xf32>
  %a13 = shard.shard %a12 to %s1 annotate_for_users : tensor<24x4x8xf32>
  %e14 = tensor.empty() : tensor<4x24x8xf32>
  %t15 = linalg.transpose ins(%a13 : tensor<24x4x8xf32>) outs(%e14 : tensor<4x24x8xf32>) permutation = [1, 0, 2]
  %e16 = tensor.empty() : tensor<4x8x24xf32>
  %t17 = linalg.transpose ins(%t10 : tensor<4x24x8xf32>) outs(%e16 : tensor<4x8x24xf32>) permutation = [0, 2, 1]
  %e18 = tensor.empty() : tensor<4x24x24xf32>
  %z19 = linalg.fill ins(%zero : f32) outs(%e18 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %m20 = linalg.batch_matmul ins(%t5, %t17 : tensor<4x24x8xf32>, tensor<4x8x24xf32>) outs(%z19 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e21 = tensor.empty() : tensor<4x24x24xf32>
  %g22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m20 : tensor<4x24x24xf32>) outs(%e21 : tensor<4x24x24xf32>) {
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
  %e23 = tensor.empty() : tensor<4x24x24xf32>
  %p24 = linalg.softmax dimension(2) ins(%g22 : tensor<4x24x24xf32>) outs(%e23 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e25 = tensor.empty() : tensor<4x24x8xf32>
  %z26 = linalg.fill ins(%zero : f32) outs(%e25 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %m27 = linalg.batch_matmul ins(%p24, %t15 : tensor<4x24x24xf32>, tensor<4x24x8xf32>) outs(%z26 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %e28 = tensor.empty() : tensor<24x4x8xf32>
  %t29 = linalg.transpose ins(%m27 : tensor<4x24x8xf32>) outs(%e28 : tensor<24x4x8xf32>) permutation = [1, 0, 2]
  %a30 = shard.shard %t29 to %s1 : tensor<24x4x8xf32>
  %a31 = shard.shard %a30 to %s0 annotate_for_users : tensor<24x4x8xf32>
  %a32 = shard.shard %a31 to %s0 : tensor<24x4x8xf32>
  %a33 = shard.shard %a32 to %s0 annotate_for_users : tensor<24x4x8xf32>
  return %a33 : tensor<24x4x8xf32>
}
