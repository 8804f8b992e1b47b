// The result of attention is multiplied by the sigmoid of a gate. The sigmoid is
// computed in the kernel of attention. On a CPU the gate is applied in a loop
// behind it.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7168 --max-kernels=1 \
// RUN:   --keys=16

func.func @gated_attention(%a0: tensor<3x37x16xf32>, %a1: tensor<3x45x16xf32>, %a2: tensor<3x45x16xf32>, %a3: tensor<3x37x16xf32>) -> (tensor<3x37x16xf32>) {
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
  %v9 = arith.constant 0xFF800000 : f32
  %v10 = tensor.empty() : tensor<3x37x1xf32>
  %v11 = linalg.fill ins(%v9 : f32) outs(%v10 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v8 : tensor<3x37x45xf32>) outs(%v11 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = arith.maximumf %x0, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v13 = tensor.empty() : tensor<3x37x45xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8, %v12 : tensor<3x37x45xf32>, tensor<3x37x1xf32>) outs(%v13 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.subf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v15 = tensor.empty() : tensor<3x37x45xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v14 : tensor<3x37x45xf32>) outs(%v15 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = math.exp %x0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v17 = arith.constant 0.0 : f32
  %v18 = tensor.empty() : tensor<3x37x1xf32>
  %v19 = linalg.fill ins(%v17 : f32) outs(%v18 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v16 : tensor<3x37x45xf32>) outs(%v19 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = arith.addf %x0, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v21 = tensor.empty() : tensor<3x37x45xf32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v16, %v20 : tensor<3x37x45xf32>, tensor<3x37x1xf32>) outs(%v21 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.divf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v23 = arith.constant 0.0 : f32
  %v24 = tensor.empty() : tensor<3x37x16xf32>
  %v25 = linalg.fill ins(%v23 : f32) outs(%v24 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v26 = linalg.batch_matmul ins(%v22, %a2 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v25 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v27 = tensor.empty() : tensor<3x37x16xf32>
  %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a3 : tensor<3x37x16xf32>) outs(%v27 : tensor<3x37x16xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %n = arith.negf %x0 : f32
    %e = math.exp %n : f32
    %one = arith.constant 1.0 : f32
    %d = arith.addf %e, %one : f32
    %r = arith.divf %one, %d : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v29 = tensor.empty() : tensor<3x37x16xf32>
  %v30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v26, %v28 : tensor<3x37x16xf32>, tensor<3x37x16xf32>) outs(%v29 : tensor<3x37x16xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.mulf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  return %v30 : tensor<3x37x16xf32>
}
