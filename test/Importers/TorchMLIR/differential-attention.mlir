// Differential attention: the weights of one softmax, less those of another one,
// scaled. Each has a kernel; the result of the first one is stored.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7168 --max-kernels=2 \
// RUN:   --keys=16

func.func @differential_attention(%a0: tensor<3x37x16xf32>, %a1: tensor<3x45x16xf32>, %a2: tensor<3x45x16xf32>, %a3: tensor<3x37x16xf32>, %a4: tensor<3x45x16xf32>) -> (tensor<3x37x16xf32>) {
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
  %v23 = tensor.empty() : tensor<3x16x45xf32>
  %v24 = linalg.transpose ins(%a4 : tensor<3x45x16xf32>) outs(%v23 : tensor<3x16x45xf32>) permutation = [0, 2, 1]
  %v25 = arith.constant 0.0 : f32
  %v26 = tensor.empty() : tensor<3x37x45xf32>
  %v27 = linalg.fill ins(%v25 : f32) outs(%v26 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v28 = linalg.batch_matmul ins(%a3, %v24 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v27 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v29 = tensor.empty() : tensor<3x37x45xf32>
  %v30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v28 : tensor<3x37x45xf32>) outs(%v29 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %c = arith.constant 2.500000000e-01 : f32
    %r = arith.mulf %x0, %c : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v31 = arith.constant 0xFF800000 : f32
  %v32 = tensor.empty() : tensor<3x37x1xf32>
  %v33 = linalg.fill ins(%v31 : f32) outs(%v32 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v30 : tensor<3x37x45xf32>) outs(%v33 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = arith.maximumf %x0, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v35 = tensor.empty() : tensor<3x37x45xf32>
  %v36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v30, %v34 : tensor<3x37x45xf32>, tensor<3x37x1xf32>) outs(%v35 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.subf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v37 = tensor.empty() : tensor<3x37x45xf32>
  %v38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v36 : tensor<3x37x45xf32>) outs(%v37 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = math.exp %x0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v39 = arith.constant 0.0 : f32
  %v40 = tensor.empty() : tensor<3x37x1xf32>
  %v41 = linalg.fill ins(%v39 : f32) outs(%v40 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %v42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v38 : tensor<3x37x45xf32>) outs(%v41 : tensor<3x37x1xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = arith.addf %x0, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v43 = tensor.empty() : tensor<3x37x45xf32>
  %v44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v38, %v42 : tensor<3x37x45xf32>, tensor<3x37x1xf32>) outs(%v43 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.divf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v45 = tensor.empty() : tensor<3x37x45xf32>
  %v46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v44 : tensor<3x37x45xf32>) outs(%v45 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %c = arith.constant 8.000000000e-01 : f32
    %r = arith.mulf %x0, %c : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v47 = tensor.empty() : tensor<3x37x45xf32>
  %v48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22, %v46 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%v47 : tensor<3x37x45xf32>) {
  ^bb0(%x0: f32, %x1: f32, %out: f32):
    %r = arith.subf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x45xf32>
  %v49 = arith.constant 0.0 : f32
  %v50 = tensor.empty() : tensor<3x37x16xf32>
  %v51 = linalg.fill ins(%v49 : f32) outs(%v50 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v52 = linalg.batch_matmul ins(%v48, %a2 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v51 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %v52 : tensor<3x37x16xf32>
}
