// Heads of an attention block: columns of three weights, rows of the fourth, one sum.
shard.grid @grid(shape = 2)

func.func @tensor_parallel_attention(%x: tensor<24x32xf32>,
    %wq: tensor<32x32xf32>,
    %wk: tensor<32x32xf32>,
    %wv: tensor<32x32xf32>,
    %wo: tensor<32x32xf32>)
    -> tensor<24x32xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[], []] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %s2 = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %a1 = shard.shard %x to %s0 annotate_for_users : tensor<24x32xf32>
  %a2 = shard.shard %wq to %s1 annotate_for_users : tensor<32x32xf32>
  %e3 = tensor.empty() : tensor<24x32xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %m5 = linalg.matmul ins(%a1, %a2 : tensor<24x32xf32>, tensor<32x32xf32>) outs(%z4 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %x6 = tensor.expand_shape %m5 [[0], [1, 2]] output_shape [24, 4, 8] : tensor<24x32xf32> into tensor<24x4x8xf32>
  %e7 = tensor.empty() : tensor<4x24x8xf32>
  %t8 = linalg.transpose ins(%x6 : tensor<24x4x8xf32>) outs(%e7 : tensor<4x24x8xf32>) permutation = [1, 0, 2]
  %a9 = shard.shard %wk to %s1 annotate_for_users : tensor<32x32xf32>
  %e10 = tensor.empty() : tensor<24x32xf32>
  %z11 = linalg.fill ins(%zero : f32) outs(%e10 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %m12 = linalg.matmul ins(%a1, %a9 : tensor<24x32xf32>, tensor<32x32xf32>) outs(%z11 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %x13 = tensor.expand_shape %m12 [[0], [1, 2]] output_shape [24, 4, 8] : tensor<24x32xf32> into tensor<24x4x8xf32>
  %e14 = tensor.empty() : tensor<4x24x8xf32>
  %t15 = linalg.transpose ins(%x13 : tensor<24x4x8xf32>) outs(%e14 : tensor<4x24x8xf32>) permutation = [1, 0, 2]
  %a16 = shard.shard %wv to %s1 annotate_for_users : tensor<32x32xf32>
  %e17 = tensor.empty() : tensor<24x32xf32>
  %z18 = linalg.fill ins(%zero : f32) outs(%e17 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %m19 = linalg.matmul ins(%a1, %a16 : tensor<24x32xf32>, tensor<32x32xf32>) outs(%z18 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %x20 = tensor.expand_shape %m19 [[0], [1, 2]] output_shape [24, 4, 8] : tensor<24x32xf32> into tensor<24x4x8xf32>
  %e21 = tensor.empty() : tensor<4x24x8xf32>
  %t22 = linalg.transpose ins(%x20 : tensor<24x4x8xf32>) outs(%e21 : tensor<4x24x8xf32>) permutation = [1, 0, 2]
  %e23 = tensor.empty() : tensor<4x8x24xf32>
  %t24 = linalg.transpose ins(%t15 : tensor<4x24x8xf32>) outs(%e23 : tensor<4x8x24xf32>) permutation = [0, 2, 1]
  %e25 = tensor.empty() : tensor<4x24x24xf32>
  %z26 = linalg.fill ins(%zero : f32) outs(%e25 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %m27 = linalg.batch_matmul ins(%t8, %t24 : tensor<4x24x8xf32>, tensor<4x8x24xf32>) outs(%z26 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e28 = tensor.empty() : tensor<4x24x24xf32>
  %g29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m27 : tensor<4x24x24xf32>) outs(%e28 : tensor<4x24x24xf32>) {
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
  %e30 = tensor.empty() : tensor<4x24x24xf32>
  %p31 = linalg.softmax dimension(2) ins(%g29 : tensor<4x24x24xf32>) outs(%e30 : tensor<4x24x24xf32>) -> tensor<4x24x24xf32>
  %e32 = tensor.empty() : tensor<4x24x8xf32>
  %z33 = linalg.fill ins(%zero : f32) outs(%e32 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %m34 = linalg.batch_matmul ins(%p31, %t22 : tensor<4x24x24xf32>, tensor<4x24x8xf32>) outs(%z33 : tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
  %e35 = tensor.empty() : tensor<24x4x8xf32>
  %t36 = linalg.transpose ins(%m34 : tensor<4x24x8xf32>) outs(%e35 : tensor<24x4x8xf32>) permutation = [1, 0, 2]
  %c37 = tensor.collapse_shape %t36 [[0], [1, 2]] : tensor<24x4x8xf32> into tensor<24x32xf32>
  %a38 = shard.shard %wo to %s2 annotate_for_users : tensor<32x32xf32>
  %e39 = tensor.empty() : tensor<24x32xf32>
  %z40 = linalg.fill ins(%zero : f32) outs(%e39 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %m41 = linalg.matmul ins(%c37, %a38 : tensor<24x32xf32>, tensor<32x32xf32>) outs(%z40 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %a42 = shard.shard %m41 to %s0 : tensor<24x32xf32>
  %a43 = shard.shard %a42 to %s0 annotate_for_users : tensor<24x32xf32>
  return %a43 : tensor<24x32xf32>
}
