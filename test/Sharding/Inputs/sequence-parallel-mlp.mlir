// A norm and a residual in parts of the sequence, the products between in parts of the
// hidden dimension.
shard.grid @grid(shape = 2)

func.func @sequence_parallel_mlp(%x: tensor<24x32xf32>,
    %up: tensor<32x64xf32>,
    %gate: tensor<32x64xf32>,
    %down: tensor<64x32xf32>)
    -> tensor<24x32xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[], []] : !shard.sharding
  %s2 = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %a1 = shard.shard %x to %s0 annotate_for_users : tensor<24x32xf32>
  %e2 = tensor.empty() : tensor<24xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<24xf32>) -> tensor<24xf32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a1 : tensor<24x32xf32>) outs(%z3 : tensor<24xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %i : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<24xf32>
  %e5 = tensor.empty() : tensor<24x32xf32>
  %g6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a1, %r4 : tensor<24x32xf32>, tensor<24xf32>) outs(%e5 : tensor<24x32xf32>) {
  ^bb0(%i0: f32, %i1: f32, %out: f32):
    %c = arith.constant 0.03125 : f32
    %eps = arith.constant 1.0e-5 : f32
    %m = arith.mulf %i1, %c : f32
    %k = arith.addf %m, %eps : f32
    %y = math.rsqrt %k : f32
    %w = arith.mulf %i0, %y : f32
    linalg.yield %w : f32
  } -> tensor<24x32xf32>
  %a7 = shard.shard %g6 to %s0 : tensor<24x32xf32>
  %a8 = shard.shard %a7 to %s1 annotate_for_users : tensor<24x32xf32>
  %a9 = shard.shard %up to %s2 annotate_for_users : tensor<32x64xf32>
  %a10 = shard.shard %gate to %s2 annotate_for_users : tensor<32x64xf32>
  %e11 = tensor.empty() : tensor<24x64xf32>
  %z12 = linalg.fill ins(%zero : f32) outs(%e11 : tensor<24x64xf32>) -> tensor<24x64xf32>
  %m13 = linalg.matmul ins(%a8, %a9 : tensor<24x32xf32>, tensor<32x64xf32>) outs(%z12 : tensor<24x64xf32>) -> tensor<24x64xf32>
  %e14 = tensor.empty() : tensor<24x64xf32>
  %z15 = linalg.fill ins(%zero : f32) outs(%e14 : tensor<24x64xf32>) -> tensor<24x64xf32>
  %m16 = linalg.matmul ins(%a8, %a10 : tensor<24x32xf32>, tensor<32x64xf32>) outs(%z15 : tensor<24x64xf32>) -> tensor<24x64xf32>
  %e17 = tensor.empty() : tensor<24x64xf32>
  %g18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%m13, %m16 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%e17 : tensor<24x64xf32>) {
  ^bb0(%i0: f32, %i1: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %neg = arith.negf %i1 : f32
    %ex = math.exp %neg : f32
    %den = arith.addf %one, %ex : f32
    %si = arith.divf %i1, %den : f32
    %w = arith.mulf %i0, %si : f32
    linalg.yield %w : f32
  } -> tensor<24x64xf32>
  %a19 = shard.shard %down to %s0 annotate_for_users : tensor<64x32xf32>
  %e20 = tensor.empty() : tensor<24x32xf32>
  %z21 = linalg.fill ins(%zero : f32) outs(%e20 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %m22 = linalg.matmul ins(%g18, %a19 : tensor<24x64xf32>, tensor<64x32xf32>) outs(%z21 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %a23 = shard.shard %m22 to %s1 : tensor<24x32xf32>
  %a24 = shard.shard %a23 to %s0 annotate_for_users : tensor<24x32xf32>
  %e25 = tensor.empty() : tensor<24x32xf32>
  %g26 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a24, %a1 : tensor<24x32xf32>, tensor<24x32xf32>) outs(%e25 : tensor<24x32xf32>) {
  ^bb0(%i0: f32, %i1: f32, %out: f32):
    %w = arith.addf %i0, %i1 : f32
    linalg.yield %w : f32
  } -> tensor<24x32xf32>
  %a27 = shard.shard %g26 to %s0 : tensor<24x32xf32>
  %a28 = shard.shard %a27 to %s0 annotate_for_users : tensor<24x32xf32>
  return %a28 : tensor<24x32xf32>
}
