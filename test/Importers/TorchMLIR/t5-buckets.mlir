// T5: the bias of a score is looked up in a table by the bucket of its distance.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @t5_buckets(%q: tensor<1x3x37x16xf32>,
    %k: tensor<1x3x45x16xf32>,
    %v: tensor<1x3x45x16xf32>,
    %table: tensor<32x3xf32>,
    %buckets: tensor<37x45xi64> {check.draw = "uniform 0 31"}) -> (tensor<1x37x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 0 : i64
  %c2 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %buckets [[0], [1, 2]] output_shape [37, 45, 1] : tensor<37x45xi64> into tensor<37x45x1xi64>
  %1 = tensor.empty() : tensor<37x45x3xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<37x45x1xi64>) outs(%1 : tensor<37x45x3xf32>) {
  ^bb0(%in0: i64, %out: f32):
    %b = arith.index_cast %in0 : i64 to index
    %h = linalg.index 2 : index
    %res = tensor.extract %table[%b, %h] : tensor<32x3xf32>
    linalg.yield %res : f32
  } -> tensor<37x45x3xf32>
  %3 = tensor.empty() : tensor<3x37x45xf32>
  %4 = linalg.transpose ins(%2 : tensor<37x45x3xf32>) outs(%3 : tensor<3x37x45xf32>) permutation = [2, 0, 1]
  %5 = tensor.expand_shape %4 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %6 = tensor.empty() : tensor<1x3x16x45xf32>
  %7 = linalg.transpose ins(%k : tensor<1x3x45x16xf32>) outs(%6 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %8 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %9 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %10 = tensor.empty() : tensor<3x37x45xf32>
  %11 = linalg.fill ins(%c0 : f32) outs(%10 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %12 = linalg.batch_matmul ins(%8, %9 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%11 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %13 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %14 = tensor.empty() : tensor<1x3x37x45xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %5 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%14 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x45xf32>
  %16 = tensor.empty() : tensor<1x3x37xi64>
  %17 = linalg.fill ins(%c1 : i64) outs(%16 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %18 = tensor.empty() : tensor<1x3x37xf32>
  %19 = linalg.fill ins(%c2 : f32) outs(%18 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %20:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x3x37x45xf32>) outs(%19, %17 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %21 = tensor.expand_shape %20#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %22 = tensor.empty() : tensor<1x3x37x45xf32>
  %23 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %21 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%22 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x45xf32>
  %24 = tensor.empty() : tensor<1x3x37x45xf32>
  %25 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x3x37x45xf32>) outs(%24 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x45xf32>
  %26 = tensor.empty() : tensor<1x3x37x1xf32>
  %27 = linalg.fill ins(%c0 : f32) outs(%26 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %28 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x3x37x45xf32>) outs(%27 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x1xf32>
  %29 = tensor.empty() : tensor<1x3x37x45xf32>
  %30 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%29 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x37x45xf32>
  %31 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %32 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %33 = tensor.empty() : tensor<3x37x16xf32>
  %34 = linalg.fill ins(%c0 : f32) outs(%33 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %35 = linalg.batch_matmul ins(%31, %32 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%34 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %36 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %37 = tensor.empty() : tensor<1x37x3x16xf32>
  %38 = linalg.transpose ins(%36 : tensor<1x3x37x16xf32>) outs(%37 : tensor<1x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %39 = tensor.collapse_shape %38 [[0], [1], [2, 3]] : tensor<1x37x3x16xf32> into tensor<1x37x48xf32>
  return %39 : tensor<1x37x48xf32>
}
