// One batch dimension: named products.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @one_batch(%q: tensor<3x37x16xf32>,
                     %k: tensor<3x45x16xf32>,
                     %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x16x45xf32>
  %1 = linalg.transpose ins(%k : tensor<3x45x16xf32>) outs(%0 : tensor<3x16x45xf32>) permutation = [0, 2, 1]
  %2 = tensor.empty() : tensor<3x37x45xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %4 = linalg.batch_matmul ins(%q, %1 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%3 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %5 = tensor.empty() : tensor<3x37xf32>
  %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<3x37x45xf32>) outs(%6 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.maximumf %out, %in : f32
    linalg.yield %8 : f32
  } -> tensor<3x37xf32>
  %9 = tensor.empty() : tensor<3x37x1xf32>
  %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<3x37xf32>) outs(%9 : tensor<3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x37x1xf32>
  %11 = tensor.empty() : tensor<3x37x45xf32>
  %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<3x37x1xf32>) outs(%11 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x37x45xf32>
  %13 = tensor.empty() : tensor<3x37x45xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %12 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%13 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %15 = arith.subf %in, %in_1 : f32
    linalg.yield %15 : f32
  } -> tensor<3x37x45xf32>
  %16 = tensor.empty() : tensor<3x37x45xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<3x37x45xf32>) outs(%16 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = math.exp %in : f32
    linalg.yield %18 : f32
  } -> tensor<3x37x45xf32>
  %19 = tensor.empty() : tensor<3x37xf32>
  %20 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<3x37x45xf32>) outs(%20 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.addf %out, %in : f32
    linalg.yield %22 : f32
  } -> tensor<3x37xf32>
  %23 = tensor.empty() : tensor<3x37x1xf32>
  %24 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<3x37xf32>) outs(%23 : tensor<3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x37x1xf32>
  %25 = tensor.empty() : tensor<3x37x45xf32>
  %26 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<3x37x1xf32>) outs(%25 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x37x45xf32>
  %27 = tensor.empty() : tensor<3x37x45xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %26 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%27 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %29 = arith.divf %in, %in_1 : f32
    linalg.yield %29 : f32
  } -> tensor<3x37x45xf32>
  %30 = tensor.empty() : tensor<3x37x16xf32>
  %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %32 = linalg.batch_matmul ins(%28, %v : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%31 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %32 : tensor<3x37x16xf32>
}
