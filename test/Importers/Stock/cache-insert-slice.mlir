// New keys and values are inserted into a cache at a length of run time, which
// masks what is behind. On a GPU each cache, which the caller keeps, is a kernel.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=8704 --max-kernels=3 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @cache_update(%q: tensor<3x5x16xf32>,
                        %cache_k: tensor<3x45x16xf32>,
                        %cache_v: tensor<3x45x16xf32>,
                        %k: tensor<3x5x16xf32>,
                        %v: tensor<3x5x16xf32>,
                        %length: tensor<1xi64> {check.draw = "uniform 11 11"}) -> tensor<3x5x16xf32> {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.extract %length[%c0] : tensor<1xi64>
  %1 = arith.index_cast %0 : i64 to index
  %2 = tensor.insert_slice %k into %cache_k[0, %1, 0] [3, 5, 16] [1, 1, 1] : tensor<3x5x16xf32> into tensor<3x45x16xf32>
  %3 = tensor.insert_slice %v into %cache_v[0, %1, 0] [3, 5, 16] [1, 1, 1] : tensor<3x5x16xf32> into tensor<3x45x16xf32>
  %4 = tensor.empty() : tensor<3x5x45xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x5x45xf32>) -> tensor<3x5x45xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %2 : tensor<3x5x16xf32>, tensor<3x45x16xf32>) outs(%5 : tensor<3x5x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %7 = arith.mulf %in, %in_1 : f32
    %8 = arith.addf %7, %out : f32
    linalg.yield %8 : f32
  } -> tensor<3x5x45xf32>
  %9 = tensor.empty() : tensor<3x5x45xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<3x5x45xf32>) outs(%9 : tensor<3x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %11 = linalg.index 2 : index
    %12 = linalg.index 1 : index
    %13 = arith.addi %12, %1 : index
    %14 = arith.cmpi ule, %11, %13 : index
    %15 = arith.select %14, %in, %cst_1 : f32
    linalg.yield %15 : f32
  } -> tensor<3x5x45xf32>
  %16 = tensor.empty() : tensor<3x5x45xf32>
  %17 = linalg.softmax dimension(2) ins(%10 : tensor<3x5x45xf32>) outs(%16 : tensor<3x5x45xf32>) -> tensor<3x5x45xf32>
  %18 = tensor.empty() : tensor<3x5x16xf32>
  %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<3x5x16xf32>) -> tensor<3x5x16xf32>
  %20 = linalg.batch_matmul ins(%17, %3 : tensor<3x5x45xf32>, tensor<3x45x16xf32>) outs(%19 : tensor<3x5x16xf32>) -> tensor<3x5x16xf32>
  return %20 : tensor<3x5x16xf32>
}
