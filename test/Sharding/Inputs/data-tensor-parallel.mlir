// A batch along one axis of the grid, heads along the other.
shard.grid @grid(shape = 2x2)

func.func @data_tensor_parallel(%q: tensor<4x24x4x8xf32>,
    %k: tensor<4x24x4x8xf32>,
    %v: tensor<4x24x4x8xf32>)
    -> tensor<4x24x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[0], [], [1], []] : !shard.sharding
  %a1 = shard.shard %q to %s0 annotate_for_users : tensor<4x24x4x8xf32>
  %e2 = tensor.empty() : tensor<4x4x24x8xf32>
  %t3 = linalg.transpose ins(%a1 : tensor<4x24x4x8xf32>) outs(%e2 : tensor<4x4x24x8xf32>) permutation = [0, 2, 1, 3]
  %c4 = tensor.collapse_shape %t3 [[0, 1], [2], [3]] : tensor<4x4x24x8xf32> into tensor<16x24x8xf32>
  %a5 = shard.shard %k to %s0 annotate_for_users : tensor<4x24x4x8xf32>
  %e6 = tensor.empty() : tensor<4x4x24x8xf32>
  %t7 = linalg.transpose ins(%a5 : tensor<4x24x4x8xf32>) outs(%e6 : tensor<4x4x24x8xf32>) permutation = [0, 2, 1, 3]
  %c8 = tensor.collapse_shape %t7 [[0, 1], [2], [3]] : tensor<4x4x24x8xf32> into tensor<16x24x8xf32>
  %a9 = shard.shard %v to %s0 annotate_for_users : tensor<4x24x4x8xf32>
  %e10 = tensor.empty() : tensor<4x4x24x8xf32>
  %t11 = linalg.transpose ins(%a9 : tensor<4x24x4x8xf32>) outs(%e10 : tensor<4x4x24x8xf32>) permutation = [0, 2, 1, 3]
  %c12 = tensor.collapse_shape %t11 [[0, 1], [2], [3]] : tensor<4x4x24x8xf32> into tensor<16x24x8xf32>
  %e13 = tensor.empty() : tensor<16x8x24xf32>
  %t14 = linalg.transpose ins(%c8 : tensor<16x24x8xf32>) outs(%e13 : tensor<16x8x24xf32>) permutation = [0, 2, 1]
  %e15 = tensor.empty() : tensor<16x24x24xf32>
  %z16 = linalg.fill ins(%zero : f32) outs(%e15 : tensor<16x24x24xf32>) -> tensor<16x24x24xf32>
  %m17 = linalg.batch_matmul ins(%c4, %t14 : tensor<16x24x8xf32>, tensor<16x8x24xf32>) outs(%z16 : tensor<16x24x24xf32>) -> tensor<16x24x24xf32>
  %e18 = tensor.empty() : tensor<16x24x24xf32>
  %g19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m17 : tensor<16x24x24xf32>) outs(%e18 : tensor<16x24x24xf32>) {
  ^bb0(%i0: f32, %out: f32):
    %f = arith.constant 0.3535533905932738 : f32
    %y = arith.mulf %i0, %f : f32
    %row = linalg.index 1 : index
    %key = linalg.index 2 : index
    %seen = arith.cmpi sle, %key, %row : index
    %ninf = arith.constant 0xFF800000 : f32
    %w = arith.select %seen, %y, %ninf : f32
    linalg.yield %w : f32
  } -> tensor<16x24x24xf32>
  %e20 = tensor.empty() : tensor<16x24x24xf32>
  %p21 = linalg.softmax dimension(2) ins(%g19 : tensor<16x24x24xf32>) outs(%e20 : tensor<16x24x24xf32>) -> tensor<16x24x24xf32>
  %e22 = tensor.empty() : tensor<16x24x8xf32>
  %z23 = linalg.fill ins(%zero : f32) outs(%e22 : tensor<16x24x8xf32>) -> tensor<16x24x8xf32>
  %m24 = linalg.batch_matmul ins(%p21, %c12 : tensor<16x24x24xf32>, tensor<16x24x8xf32>) outs(%z23 : tensor<16x24x8xf32>) -> tensor<16x24x8xf32>
  %x25 = tensor.expand_shape %m24 [[0, 1], [2], [3]] output_shape [4, 4, 24, 8] : tensor<16x24x8xf32> into tensor<4x4x24x8xf32>
  %e26 = tensor.empty() : tensor<4x24x4x8xf32>
  %t27 = linalg.transpose ins(%x25 : tensor<4x4x24x8xf32>) outs(%e26 : tensor<4x24x4x8xf32>) permutation = [0, 2, 1, 3]
  %a28 = shard.shard %t27 to %s0 : tensor<4x24x4x8xf32>
  %a29 = shard.shard %a28 to %s0 annotate_for_users : tensor<4x24x4x8xf32>
  return %a29 : tensor<4x24x4x8xf32>
}
