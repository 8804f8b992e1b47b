// Attention whose weights are sigmoids of the scores: two contractions with
// elementwise ops between them. Nothing is reduced online.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4995 --max-kernels=1 \
// RUN:   --keys=16

func.func @sigmoid_attention(%a0: tensor<3x37x16xf32>, %a1: tensor<3x45x16xf32>, %a2: tensor<3x45x16xf32>) -> (tensor<3x37x16xf32>) {
  %v1 = tensor.empty() : tensor<3x16x45xf32>
  %v2 = linalg.transpose ins(%a1 : tensor<3x45x16xf32>) outs(%v1 : tensor<3x16x45xf32>) permutation = [0, 2, 1]
  %v3 = arith.constant 0.0 : f32
  %v4 = tensor.empty() : tensor<3x37x45xf32>
  %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v6 = linalg.batch_matmul ins(%a0, %v2 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v7 = tensor.empty() : tensor<3x37x45xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v6 : tensor<3x37x45xf32>) outs(%v7 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %c = arith.constant 2.500000000e-01 : f32
    %r = arith.mulf %x0, %c : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v9 = tensor.empty() : tensor<3x37x45xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8 : tensor<3x37x45xf32>) outs(%v9 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %c = arith.constant -3.800000000e+00 : f32
    %r = arith.addf %x0, %c : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v11 = tensor.empty() : tensor<3x37x45xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10 : tensor<3x37x45xf32>) outs(%v11 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %n = arith.negf %x0 : f32
    %e = math.exp %n : f32
    %one = arith.constant 1.0 : f32
    %d = arith.addf %e, %one : f32
    %r = arith.divf %one, %d : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v13 = arith.constant 0.0 : f32
  %v14 = tensor.empty() : tensor<3x37x16xf32>
  %v15 = linalg.fill ins(%v13 : f32) outs(%v14 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v16 = linalg.batch_matmul ins(%v12, %a2 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v15 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %v16 : tensor<3x37x16xf32>
}
