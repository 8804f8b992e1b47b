// Weights of int8 with a zero point and a scale for each column, as the lowering of
// uniform_dequantize leaves them: converted, the zero point subtracted, scaled. Few rows,
// and many.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4096 --max-kernels=1 --gpu-options=chip=gfx942
// RUN: sed 's/37x/3x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: sed 's/37x/1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024'

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @dequantize(%x: tensor<37x130xf32>, %w: tensor<130x75xi8> {check.draw = "uniform -128 127"},
                      %zero: tensor<75xi32> {check.draw = "uniform -10 10"},
                      %scale: tensor<75xf32> {check.draw = "uniform 0.01 0.02"}) -> tensor<37x75xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<130x75xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<130x75xi8>) outs(%0 : tensor<130x75xi32>) {
  ^bb0(%in: i8, %out: i32):
    %12 = arith.extsi %in : i8 to i32
    linalg.yield %12 : i32
  } -> tensor<130x75xi32>
  %2 = linalg.broadcast ins(%zero : tensor<75xi32>) outs(%0 : tensor<130x75xi32>) dimensions = [0]
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1, %2 : tensor<130x75xi32>, tensor<130x75xi32>) outs(%0 : tensor<130x75xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %12 = arith.subi %in, %in_0 : i32
    linalg.yield %12 : i32
  } -> tensor<130x75xi32>
  %4 = tensor.empty() : tensor<130x75xf32>
  %5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<130x75xi32>) outs(%4 : tensor<130x75xf32>) {
  ^bb0(%in: i32, %out: f32):
    %12 = arith.sitofp %in : i32 to f32
    linalg.yield %12 : f32
  } -> tensor<130x75xf32>
  %6 = linalg.broadcast ins(%scale : tensor<75xf32>) outs(%4 : tensor<130x75xf32>) dimensions = [0]
  %7 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%5, %6 : tensor<130x75xf32>, tensor<130x75xf32>) outs(%4 : tensor<130x75xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %12 = arith.mulf %in, %in_0 : f32
    linalg.yield %12 : f32
  } -> tensor<130x75xf32>
  %8 = tensor.empty() : tensor<37x75xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<37x75xf32>) -> tensor<37x75xf32>
  %10 = linalg.matmul ins(%x, %7 : tensor<37x130xf32>, tensor<130x75xf32>) outs(%9 : tensor<37x75xf32>) -> tensor<37x75xf32>
  return %10 : tensor<37x75xf32>
}
