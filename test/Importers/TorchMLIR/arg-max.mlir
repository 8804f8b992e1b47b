// torch.max along the rows: values and indices are returned. Many elements are
// equal: the first counts. Short rows, and rows that are read in pieces. In a row with NaN,
// the position is that of the greatest element in front of the first NaN: this is what the op
// says, though PyTorch returns the position of the NaN.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=64 --max-kernels=1
// RUN: sed -e 's/21x301/3x9001/g' -e 's/<21x/<3x/g' %s \
// RUN:   | linalg-ext-check-program - --max-buffer-bytes=64 --max-kernels=1
// RUN: sed -e 's/21x301/2x70001/g' -e 's/<21x/<2x/g' -e 's/-4 400/-1 50000/g' %s \
// RUN:   | linalg-ext-check-program - --max-buffer-bytes=64 --max-kernels=1 --max-scalar-kernels=0 --entry=arg_min_with_nan

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>

func.func @arg_max(%x: tensor<21x301xf32> {check.draw = "uniform -4 4"}) -> (tensor<21xf32>, tensor<21xi64>) {
  %cst = arith.constant 0 : i64
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<21x301xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<21x301xf32>) outs(%0 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = math.floor %in : f32
    linalg.yield %7 : f32
  } -> tensor<21x301xf32>
  %2 = tensor.empty() : tensor<21xi64>
  %3 = linalg.fill ins(%cst : i64) outs(%2 : tensor<21xi64>) -> tensor<21xi64>
  %4 = tensor.empty() : tensor<21xf32>
  %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<21xf32>) -> tensor<21xf32>
  %6:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<21x301xf32>) outs(%5, %3 : tensor<21xf32>, tensor<21xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %7 = linalg.index 1 : index
    %8 = arith.index_cast %7 : index to i64
    %9 = arith.maximumf %in, %out : f32
    %10 = arith.cmpf ogt, %in, %out : f32
    %11 = arith.select %10, %8, %out_1 : i64
    linalg.yield %9, %11 : f32, i64
  } -> (tensor<21xf32>, tensor<21xi64>)
  return %6#0, %6#1 : tensor<21xf32>, tensor<21xi64>
}

// Numbers below 0 become NaN, in most rows.

func.func @arg_max_with_nan(%x: tensor<21x301xf32> {check.draw = "uniform -4 400"}) -> (tensor<21xf32>, tensor<21xi64>) {
  %cst = arith.constant 0 : i64
  %zero = arith.constant 0.000000e+00 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<21x301xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<21x301xf32>) outs(%0 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.cmpf olt, %in, %zero : f32
    %8 = arith.select %7, %nan, %in : f32
    linalg.yield %8 : f32
  } -> tensor<21x301xf32>
  %2 = tensor.empty() : tensor<21xi64>
  %3 = linalg.fill ins(%cst : i64) outs(%2 : tensor<21xi64>) -> tensor<21xi64>
  %4 = tensor.empty() : tensor<21xf32>
  %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<21xf32>) -> tensor<21xf32>
  %6:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<21x301xf32>) outs(%5, %3 : tensor<21xf32>, tensor<21xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %7 = linalg.index 1 : index
    %8 = arith.index_cast %7 : index to i64
    %9 = arith.maximumf %in, %out : f32
    %10 = arith.cmpf ogt, %in, %out : f32
    %11 = arith.select %10, %8, %out_1 : i64
    linalg.yield %9, %11 : f32, i64
  } -> (tensor<21xf32>, tensor<21xi64>)
  return %6#0, %6#1 : tensor<21xf32>, tensor<21xi64>
}

func.func @arg_min_with_nan(%x: tensor<21x301xf32> {check.draw = "uniform -4 400"}) -> tensor<21xi64> {
  %cst = arith.constant 0 : i64
  %zero = arith.constant 0.000000e+00 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %cst_1 = arith.constant 0x7F800000 : f32
  %0 = tensor.empty() : tensor<21x301xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<21x301xf32>) outs(%0 : tensor<21x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.cmpf olt, %in, %zero : f32
    %8 = arith.select %7, %nan, %in : f32
    linalg.yield %8 : f32
  } -> tensor<21x301xf32>
  %2 = tensor.empty() : tensor<21xi64>
  %3 = linalg.fill ins(%cst : i64) outs(%2 : tensor<21xi64>) -> tensor<21xi64>
  %4 = tensor.empty() : tensor<21xf32>
  %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<21xf32>) -> tensor<21xf32>
  %6:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<21x301xf32>) outs(%5, %3 : tensor<21xf32>, tensor<21xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %7 = linalg.index 1 : index
    %8 = arith.index_cast %7 : index to i64
    %9 = arith.minimumf %in, %out : f32
    %10 = arith.cmpf olt, %in, %out : f32
    %11 = arith.select %10, %8, %out_1 : i64
    linalg.yield %9, %11 : f32, i64
  } -> (tensor<21xf32>, tensor<21xi64>)
  return %6#1 : tensor<21xi64>
}
