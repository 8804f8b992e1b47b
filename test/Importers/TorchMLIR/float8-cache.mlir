// Keys and values in f8, with a scale for each head; queries of f32. Many rows, and one, also
// in tiles of 128 columns, which no thread holds. A cache of int8 in the same way. A quarter
// of the scores is 4 KB, of the values 2 KB.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --keys=16
// RUN: sed 's/f8E4M3FN/f8E4M3FNUZ/g; s/448/240/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --keys=16 --gpu-options=chip=gfx942
// RUN: sed 's/f8E4M3FN/f8E5M2/g; s/37x/1x/g; s/, 37,/, 1,/g' %s | linalg-ext-check-program - --max-buffer-bytes=2048 --max-kernels=1 --keys=16 --gpu-options=chip=gfx950
// RUN: sed -E 's/(x|, )16(x|\])/\1128\2/g; s/37x/1x/g; s/, 37,/, 1,/g' %s | linalg-ext-check-program - --max-buffer-bytes=540 --max-kernels=1
// RUN: sed 's/extf %in : f8E4M3FN/sitofp %in : i8/; s/f8E4M3FN/i8/g; s/-448 448/-128 127/' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --keys=16
// RUN: sed 's/extf %in : f8E4M3FN/sitofp %in : i8/; s/f8E4M3FN/i8/g; s/-448 448/-128 127/; s/37x/1x/g; s/, 37,/, 1,/g' %s | linalg-ext-check-program - --max-buffer-bytes=2048 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#head = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

func.func @float8_cache(%q: tensor<1x3x37x16xf32>,
                        %k8: tensor<1x3x45x16xf8E4M3FN> {check.draw = "uniform -448 448"},
                        %v8: tensor<1x3x45x16xf8E4M3FN> {check.draw = "uniform -448 448"},
                        %k_scale: tensor<1x3x1x1xf32> {check.draw = "uniform 0.002 0.004"},
                        %v_scale: tensor<1x3x1x1xf32> {check.draw = "uniform 0.002 0.004"}) -> tensor<1x3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %rows = tensor.empty() : tensor<1x3x45x16xf32>
  %k_wide = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k8 : tensor<1x3x45x16xf8E4M3FN>) outs(%rows : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f8E4M3FN, %out: f32):
    %x = arith.extf %in : f8E4M3FN to f32
    linalg.yield %x : f32
  } -> tensor<1x3x45x16xf32>
  %k = linalg.generic {indexing_maps = [#map, #head, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k_wide, %k_scale : tensor<1x3x45x16xf32>, tensor<1x3x1x1xf32>) outs(%rows : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %x = arith.mulf %in, %scale : f32
    linalg.yield %x : f32
  } -> tensor<1x3x45x16xf32>
  %v_wide = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x3x45x16xf8E4M3FN>) outs(%rows : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f8E4M3FN, %out: f32):
    %x = arith.extf %in : f8E4M3FN to f32
    linalg.yield %x : f32
  } -> tensor<1x3x45x16xf32>
  %v = linalg.generic {indexing_maps = [#map, #head, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v_wide, %v_scale : tensor<1x3x45x16xf32>, tensor<1x3x1x1xf32>) outs(%rows : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %x = arith.mulf %in, %scale : f32
    linalg.yield %x : f32
  } -> tensor<1x3x45x16xf32>
  %0 = tensor.empty() : tensor<1x3x16x45xf32>
  %1 = linalg.transpose ins(%k : tensor<1x3x45x16xf32>) outs(%0 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %4 = tensor.empty() : tensor<3x37x45xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %8 = tensor.empty() : tensor<1x3x37x45xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x3x37x45xf32>) outs(%8 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.truncf %cst_1 : f64 to f32
    %11 = arith.mulf %in, %10 : f32
    linalg.yield %11 : f32
  } -> tensor<1x3x37x45xf32>
  %12 = tensor.empty() : tensor<1x3x37xi64>
  %13 = linalg.fill ins(%cst_2 : i64) outs(%12 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %14 = tensor.empty() : tensor<1x3x37xf32>
  %15 = linalg.fill ins(%cst_3 : f32) outs(%14 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %16:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x3x37x45xf32>) outs(%15, %13 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %17 = linalg.index 3 : index
    %18 = arith.index_cast %17 : index to i64
    %19 = arith.maximumf %in, %out : f32
    %20 = arith.cmpf ogt, %in, %out : f32
    %21 = arith.select %20, %18, %out_1 : i64
    linalg.yield %19, %21 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %22 = tensor.expand_shape %16#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %23 = tensor.empty() : tensor<1x3x37x45xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %22 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%23 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %25 = arith.subf %in, %in_1 : f32
    linalg.yield %25 : f32
  } -> tensor<1x3x37x45xf32>
  %26 = tensor.empty() : tensor<1x3x37x45xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x3x37x45xf32>) outs(%26 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.exp %in : f32
    linalg.yield %28 : f32
  } -> tensor<1x3x37x45xf32>
  %29 = tensor.empty() : tensor<1x3x37x1xf32>
  %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x3x37x45xf32>) outs(%30 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %in, %out : f32
    linalg.yield %32 : f32
  } -> tensor<1x3x37x1xf32>
  %33 = tensor.empty() : tensor<1x3x37x45xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %31 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%33 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.divf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x37x45xf32>
  %36 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %37 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %38 = tensor.empty() : tensor<3x37x16xf32>
  %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %40 = linalg.batch_matmul ins(%36, %37 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%39 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %41 = tensor.expand_shape %40 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %41 : tensor<1x3x37x16xf32>
}
