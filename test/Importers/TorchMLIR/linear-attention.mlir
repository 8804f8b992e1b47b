// Linear attention in its quadratic form: products of feature maps, divided by
// their sums.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4995 --max-kernels=1 \
// RUN:   --keys=16

func.func @linear_attention(%a0: tensor<3x37x16xf32>, %a1: tensor<3x45x16xf32>, %a2: tensor<3x45x16xf32>) -> (tensor<3x37x16xf32>) {
  %v1 = tensor.empty() : tensor<3x37x16xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a0 : tensor<3x37x16xf32>) outs(%v1 : tensor<3x37x16xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %c = arith.cmpf ogt, %x0, %z : f32
    %e = math.exp %x0 : f32
    %p = arith.addf %x0, %one : f32
    %r = arith.select %c, %p, %e : f32
    linalg.yield %r : f32
  } -> tensor<3x37x16xf32>
  %v3 = tensor.empty() : tensor<3x45x16xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a1 : tensor<3x45x16xf32>) outs(%v3 : tensor<3x45x16xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %c = arith.cmpf ogt, %x0, %z : f32
    %e = math.exp %x0 : f32
    %p = arith.addf %x0, %one : f32
    %r = arith.select %c, %p, %e : f32
    linalg.yield %r : f32
  } -> tensor<3x45x16xf32>
  %v5 = tensor.empty() : tensor<3x16x45xf32>
  %v6 = linalg.transpose ins(%v4 : tensor<3x45x16xf32>) outs(%v5 : tensor<3x16x45xf32>) permutation = [0, 2, 1]
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<3x37x45xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v10 = linalg.batch_matmul ins(%v2, %v6 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v9 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v11 = arith.constant 0.0 : f32
  %v12 = tensor.empty() : tensor<3x37x1xf32>
  %v13 = linalg.fill ins(%v11 : f32) outs(%v12 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v10 : tensor<3x37x45xf32>) outs(%v13 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = arith.addf %x0, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v15 = tensor.empty() : tensor<3x37x1xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v14 : tensor<3x37x1xf32>) outs(%v15 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %c = arith.constant 1.000000000e-06 : f32
    %r = arith.addf %x0, %c : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v17 = tensor.empty() : tensor<3x37x45xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10, %v16 : tensor<3x37x45xf32>, tensor<3x37x1xf32>) outs(%v17 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.divf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v19 = arith.constant 0.0 : f32
  %v20 = tensor.empty() : tensor<3x37x16xf32>
  %v21 = linalg.fill ins(%v19 : f32) outs(%v20 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v22 = linalg.batch_matmul ins(%v18, %a2 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v21 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %v22 : tensor<3x37x16xf32>
}
