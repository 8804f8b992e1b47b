// Cross entropy: log_softmax, the entry of the target, the mean. On a GPU a
// kernel for the rows, whose losses are stored, and one for the mean.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=84 --max-kernels=2

// Rows that a workgroup holds as they are, and longer ones, which it reads in
// pieces, once.

// RUN: sed -e 's/<21x/<3x/g' -e 's/\[21, 1\]/[3, 1]/' -e 's/301/9001/g' %s \
// RUN:   | linalg-ext-check-program - --max-buffer-bytes=12 --max-kernels=2
// RUN: sed -e 's/<21x/<3x/g' -e 's/\[21, 1\]/[3, 1]/' -e 's/301/33001/g' %s \
// RUN:   | linalg-ext-check-program - --max-buffer-bytes=12 --max-kernels=2

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<() -> ()>

func.func @cross_entropy(%logits: tensor<21x301xf32> {check.draw = "uniform -4 4"},
                         %target: tensor<21xi64> {check.draw = "uniform 0 300"}) -> tensor<f32> {
  %cst = arith.constant 0 : i64
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 2.10000000000000000e+01 : f64
  %0 = tensor.empty() : tensor<21xi64>
  %1 = linalg.fill ins(%cst : i64) outs(%0 : tensor<21xi64>) -> tensor<21xi64>
  %2 = tensor.empty() : tensor<21xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<21xf32>) -> tensor<21xf32>
  %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%logits : tensor<21x301xf32>) outs(%3, %1 : tensor<21xf32>, tensor<21xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %5 = linalg.index 1 : index
    %6 = arith.index_cast %5 : index to i64
    %7 = arith.maximumf %in, %out : f32
    %8 = arith.cmpf ogt, %in, %out : f32
    %9 = arith.select %8, %6, %out_1 : i64
    linalg.yield %7, %9 : f32, i64
  } -> (tensor<21xf32>, tensor<21xi64>)
  %10 = tensor.expand_shape %4#0 [[0, 1]] output_shape [21, 1] : tensor<21xf32> into tensor<21x1xf32>
  %11 = tensor.empty() : tensor<21x301xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%logits, %10 : tensor<21x301xf32>, tensor<21x1xf32>) outs(%11 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.subf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<21x301xf32>
  %14 = tensor.empty() : tensor<21x301xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<21x301xf32>) outs(%14 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = math.exp %in : f32
    linalg.yield %16 : f32
  } -> tensor<21x301xf32>
  %17 = tensor.empty() : tensor<21x1xf32>
  %18 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<21x1xf32>) -> tensor<21x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<21x301xf32>) outs(%18 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.addf %in, %out : f32
    linalg.yield %20 : f32
  } -> tensor<21x1xf32>
  %21 = tensor.empty() : tensor<21x1xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<21x1xf32>) outs(%21 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = math.log %in : f32
    linalg.yield %23 : f32
  } -> tensor<21x1xf32>
  %24 = tensor.empty() : tensor<21x301xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %22 : tensor<21x301xf32>, tensor<21x1xf32>) outs(%24 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %26 = arith.subf %in, %in_1 : f32
    linalg.yield %26 : f32
  } -> tensor<21x301xf32>
  %27 = tensor.empty() : tensor<21xf32>
  %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%target : tensor<21xi64>) outs(%27 : tensor<21xf32>) {
  ^bb0(%in: i64, %out: f32):
    %29 = arith.index_cast %in : i64 to index
    %30 = linalg.index 0 : index
    %31 = tensor.extract %25[%30, %29] : tensor<21x301xf32>
    %32 = arith.negf %31 : f32
    linalg.yield %32 : f32
  } -> tensor<21xf32>
  %33 = tensor.empty() : tensor<f32>
  %34 = linalg.fill ins(%cst_2 : f32) outs(%33 : tensor<f32>) -> tensor<f32>
  %35 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%28 : tensor<21xf32>) outs(%34 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = arith.addf %in, %out : f32
    linalg.yield %36 : f32
  } -> tensor<f32>
  %37 = tensor.empty() : tensor<f32>
  %38 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%35 : tensor<f32>) outs(%37 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %39 = arith.truncf %cst_3 : f64 to f32
    %40 = arith.divf %in, %39 : f32
    linalg.yield %40 : f32
  } -> tensor<f32>
  return %38 : tensor<f32>
}
