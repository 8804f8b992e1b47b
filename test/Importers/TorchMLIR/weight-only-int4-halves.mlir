// Weights of 4 bits, two to a byte: high halves of the bytes are the first rows, low halves
// the others. A scale and a zero point for each row, subtracted in f32.

// On a GPU, an element of the product's weights reads the byte that it is a half of.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=64 --max-kernels=1 --gpu-options=chip=gfx942

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

func.func @halves(%x: tensor<3x96xf32>, %w: tensor<64x96xi8> {check.draw = "uniform -128 127"},
                  %scale: tensor<128x1xf32> {check.draw = "uniform 0.01 0.02"},
                  %zero: tensor<128x1xf32> {check.draw = "uniform 5 9"}) -> tensor<3x128xf32> {
  %high = arith.constant -16 : i8
  %low = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64x96xi8>
  %1 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x96xi8>) outs(%0 : tensor<64x96xi8>) {
  ^bb0(%in: i8, %out: i8):
    %a = arith.andi %in, %high : i8
    linalg.yield %a : i8
  } -> tensor<64x96xi8>
  %2 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<64x96xi8>) outs(%0 : tensor<64x96xi8>) {
  ^bb0(%in: i8, %out: i8):
    %a = arith.shrui %in, %c4 : i8
    linalg.yield %a : i8
  } -> tensor<64x96xi8>
  %3 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x96xi8>) outs(%0 : tensor<64x96xi8>) {
  ^bb0(%in: i8, %out: i8):
    %a = arith.andi %in, %low : i8
    linalg.yield %a : i8
  } -> tensor<64x96xi8>
  %4 = tensor.concat dim(0) %2, %3 : (tensor<64x96xi8>, tensor<64x96xi8>) -> tensor<128x96xi8>
  %5 = tensor.empty() : tensor<128x96xf32>
  %6 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%4 : tensor<128x96xi8>) outs(%5 : tensor<128x96xf32>) {
  ^bb0(%in: i8, %out: f32):
    %a = arith.uitofp %in : i8 to f32
    linalg.yield %a : f32
  } -> tensor<128x96xf32>
  %7 = linalg.generic {indexing_maps = [#id2, #row, #row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%6, %zero, %scale : tensor<128x96xf32>, tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x96xf32>) {
  ^bb0(%in: f32, %z: f32, %s: f32, %out: f32):
    %a = arith.subf %in, %z : f32
    %b = arith.mulf %a, %s : f32
    linalg.yield %b : f32
  } -> tensor<128x96xf32>
  %8 = tensor.empty() : tensor<96x128xf32>
  %9 = linalg.transpose ins(%7 : tensor<128x96xf32>) outs(%8 : tensor<96x128xf32>) permutation = [1, 0]
  %10 = tensor.empty() : tensor<3x128xf32>
  %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<3x128xf32>) -> tensor<3x128xf32>
  %12 = linalg.matmul ins(%x, %9 : tensor<3x96xf32>, tensor<96x128xf32>) outs(%11 : tensor<3x128xf32>) -> tensor<3x128xf32>
  return %12 : tensor<3x128xf32>
}
