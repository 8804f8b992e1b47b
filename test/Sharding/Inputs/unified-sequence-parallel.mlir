// Parts of the sequence are exchanged for heads along one axis, and keys are gathered along
// the other.
shard.grid @grid(shape = 2x2)

func.func @unified_sequence_parallel(%q: tensor<24x4x8xf32>,
    %k: tensor<24x4x8xf32>,
    %v: tensor<24x4x8xf32>)
    -> tensor<24x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[0, 1], [], []] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[0], [1], []] : !shard.sharding
  %s2 = shard.sharding @grid split_axes = [[1], [0], []] : !shard.sharding
  %s3 = shard.sharding @grid split_axes = [[1], [], []] : !shard.sharding
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
  %a11 = shard.shard %t10 to %s2 : tensor<4x24x8xf32>
  %a12 = shard.shard %a11 to %s3 annotate_for_users : tensor<4x24x8xf32>
  %a13 = shard.shard %v to %s0 annotate_for_users : tensor<24x4x8xf32>
  %a14 = shard.shard %a13 to %s0 : tensor<24x4x8xf32>
  %a15 = shard.shard %a14 to %s1 annotate_for_users : tensor<24x4x8xf32>
  %e16 = tensor.empty() : tensor<4x24x8xf32>
  %t17 = linalg.transpose ins(%a15 : tensor<24x4x8xf32>) outs(%e16 : tensor<4x24x8xf32>) permutation = [1, 0, 2]
  %a18 = shard.shard %t17 to %s2 : tensor<4x24x8xf32>
  %a19 = shard.shard %a18 to %s3 annotate_for_users : tensor<4x24x8xf32>
  %e20 = tensor.empty() : tensor<4x8x24xf32>
  %t21 = linalg.transpose ins(%a12 : tensor<4x24x8xf32>) outs(%e20 : tensor<4x8x24xf32>) permutation = [0, 2, 1]
  %e22 = tensor.empty() : tensor<4x24x24xf32>
  %z23 = linalg.fill ins(%zero : f32) outs(%e22 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %m24 = linalg.batch_matmul ins(%t5, %t21 : tensor<4x24x8xf32>, tensor<4x8x24xf32>) outs(%z23 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e25 = tensor.empty() : tensor<4x24x24xf32>
  %g26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m24 : tensor<4x24x24xf32>) outs(%e25 : tensor<4x24x24xf32>) {
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
  %e27 = tensor.empty() : tensor<4x24x24xf32>
  %p28 = linalg.softmax dimension(2) ins(%g26 : tensor<4x24x24xf32>) outs(%e27 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e29 = tensor.empty() : tensor<4x24x8xf32>
  %z30 = linalg.fill ins(%zero : f32) outs(%e29 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %m31 = linalg.batch_matmul ins(%p28, %a19 : tensor<4x24x24xf32>, tensor<4x24x8xf32>) outs(%z30 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %e32 = tensor.empty() : tensor<24x4x8xf32>
  %t33 = linalg.transpose ins(%m31 : tensor<4x24x8xf32>) outs(%e32 : tensor<24x4x8xf32>) permutation = [1, 0, 2]
  %a34 = shard.shard %t33 to %s1 : tensor<24x4x8xf32>
  %a35 = shard.shard %a34 to %s0 annotate_for_users : tensor<24x4x8xf32>
  %a36 = shard.shard %a35 to %s0 : tensor<24x4x8xf32>
  %a37 = shard.shard %a36 to %s0 annotate_for_users : tensor<24x4x8xf32>
  return %a37 : tensor<24x4x8xf32>
}
