// tosa.argmax of floats, as stock tosa-to-linalg writes it: the first NaN is chosen, unless NaN is
// ignored. Square roots of negative numbers are NaN.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0
// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu --gpu-options=chip=gfx1201
// RUN: sed 's/101/9001/g; s/5x37/2x3/g' %s | linalg-ext-check-program - --min-informative=0 --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu
// RUN: sed 's/-3 400/-9 1/g' %s | linalg-ext-check-program - --min-informative=0 --max-buffer-bytes=0 --max-kernels=1 --max-scalar-kernels=0 --targets=gpu

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>

func.func @first_nan(%x: tensor<5x37x101xf32> {check.draw = "uniform -3 400"}) -> tensor<5x37xi32> {
  %0 = tensor.empty() : tensor<5x37x101xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<5x37x101xf32>) outs(%0 : tensor<5x37x101xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = math.rsqrt %in : f32
    linalg.yield %7 : f32
  } -> tensor<5x37x101xf32>
  %2 = tensor.empty() : tensor<5x37xi32>
  %c0_i32 = arith.constant 0 : i32
  %3 = linalg.fill ins(%c0_i32 : i32) outs(%2 : tensor<5x37xi32>) -> tensor<5x37xi32>
  %4 = tensor.empty() : tensor<5x37xf32>
  %cst = arith.constant -3.40282347E+38 : f32
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<5x37xf32>) -> tensor<5x37xf32>
  %6:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<5x37x101xf32>) outs(%3, %5 : tensor<5x37xi32>, tensor<5x37xf32>) {
  ^bb0(%in: f32, %out: i32, %out_0: f32):
    %7 = linalg.index 2 : index
    %8 = arith.index_cast %7 : index to i32
    %9 = arith.cmpf ugt, %in, %out_0 : f32
    %10 = arith.cmpf ord, %out_0, %out_0 : f32
    %11 = arith.andi %9, %10 : i1
    %12 = arith.select %11, %in, %out_0 : f32
    %13 = arith.select %11, %8, %out : i32
    linalg.yield %13, %12 : i32, f32
  } -> (tensor<5x37xi32>, tensor<5x37xf32>)
  return %6#0 : tensor<5x37xi32>
}

func.func @without_nan(%x: tensor<5x37x101xf32>) -> tensor<5x37xi32> {
  %0 = tensor.empty() : tensor<5x37xi32>
  %c0_i32 = arith.constant 0 : i32
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<5x37xi32>) -> tensor<5x37xi32>
  %2 = tensor.empty() : tensor<5x37xf32>
  %cst = arith.constant -3.40282347E+38 : f32
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5x37xf32>) -> tensor<5x37xf32>
  %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<5x37x101xf32>) outs(%1, %3 : tensor<5x37xi32>, tensor<5x37xf32>) {
  ^bb0(%in: f32, %out: i32, %out_0: f32):
    %5 = linalg.index 2 : index
    %6 = arith.index_cast %5 : index to i32
    %7 = arith.cmpf ugt, %in, %out_0 : f32
    %8 = arith.cmpf ord, %out_0, %out_0 : f32
    %9 = arith.andi %7, %8 : i1
    %10 = arith.select %9, %in, %out_0 : f32
    %11 = arith.select %9, %6, %out : i32
    linalg.yield %11, %10 : i32, f32
  } -> (tensor<5x37xi32>, tensor<5x37xf32>)
  return %4#0 : tensor<5x37xi32>
}

func.func @ignores_nan(%x: tensor<5x37x101xf32>) -> tensor<5x37xi32> {
  %0 = tensor.empty() : tensor<5x37xi32>
  %c0_i32 = arith.constant 0 : i32
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<5x37xi32>) -> tensor<5x37xi32>
  %2 = tensor.empty() : tensor<5x37xf32>
  %cst = arith.constant -3.40282347E+38 : f32
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5x37xf32>) -> tensor<5x37xf32>
  %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<5x37x101xf32>) outs(%1, %3 : tensor<5x37xi32>, tensor<5x37xf32>) {
  ^bb0(%in: f32, %out: i32, %out_0: f32):
    %5 = linalg.index 2 : index
    %6 = arith.index_cast %5 : index to i32
    %7 = arith.cmpf ogt, %in, %out_0 : f32
    %8 = arith.select %7, %in, %out_0 : f32
    %9 = arith.select %7, %6, %out : i32
    linalg.yield %9, %8 : i32, f32
  } -> (tensor<5x37xi32>, tensor<5x37xf32>)
  return %4#0 : tensor<5x37xi32>
}
