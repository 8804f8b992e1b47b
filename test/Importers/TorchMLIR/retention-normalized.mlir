// Retention whose rows are divided by the sum of their absolute values, or by 1
// if that is larger. The loop over keys carries the sum, and rescales the result
// when the divisor changes.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4995 --max-kernels=1 \
// RUN:   --keys=16

func.func @retention(%a0: tensor<3x37x16xf32>, %a1: tensor<3x45x16xf32>, %a2: tensor<3x45x16xf32>) -> (tensor<3x37x16xf32>) {
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
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %i, %j : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %l = arith.constant -0.0305 : f32
    %m = arith.mulf %df, %l : f32
    %e = math.exp %m : f32
    %z = arith.constant 0.0 : f32
    %c = arith.cmpi sge, %i, %j : index
    %sel = arith.select %c, %e, %z : f32
    %r = arith.mulf %x0, %sel : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v11 = tensor.empty() : tensor<3x37x45xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10 : tensor<3x37x45xf32>) outs(%v11 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = math.absf %x0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v13 = arith.constant 0.0 : f32
  %v14 = tensor.empty() : tensor<3x37x1xf32>
  %v15 = linalg.fill ins(%v13 : f32) outs(%v14 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v12 : tensor<3x37x45xf32>) outs(%v15 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = arith.addf %x0, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v17 = tensor.empty() : tensor<3x37x1xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v16 : tensor<3x37x1xf32>) outs(%v17 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %c = arith.constant 1.0 : f32
    %r = arith.maximumf %x0, %c : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v19 = tensor.empty() : tensor<3x37x45xf32>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v10, %v18 : tensor<3x37x45xf32>, tensor<3x37x1xf32>) outs(%v19 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.divf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v21 = arith.constant 0.0 : f32
  %v22 = tensor.empty() : tensor<3x37x16xf32>
  %v23 = linalg.fill ins(%v21 : f32) outs(%v22 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v24 = linalg.batch_matmul ins(%v20, %a2 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v23 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %v24 : tensor<3x37x16xf32>
}
