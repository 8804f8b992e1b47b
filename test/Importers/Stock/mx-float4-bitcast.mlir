// Weights of 4 bits, two floats to a byte, the low half first (MXFP4), with a power of two
// (f8E8M0FNU) for each 32. Bits are cast to f4E2M1FN, and extended to bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9600 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=gfx942
// RUN: sed 's/37x/1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=1280 --max-kernels=1 --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024'

func.func @mxfp4_packed(%x: tensor<37x128xbf16>, %w: tensor<80x64xi8> {check.draw = "uniform -128 127"}, %scale: tensor<80x4xf8E8M0FNU> {check.draw = "uniform 0.01 4"}) -> tensor<37x80xbf16> {
  %k0 = arith.constant 4 : i8
  %k1 = arith.constant 15 : i8
  %k2 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<80x64xi8>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<80x64xi8>) outs(%1 : tensor<80x64xi8>) {
  ^bb0(%in0: i8, %out: i8):
    %a = arith.andi %in0, %k1 : i8
    linalg.yield %a : i8
  } -> tensor<80x64xi8>
  %3 = tensor.empty() : tensor<80x64xi8>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<80x64xi8>) outs(%3 : tensor<80x64xi8>) {
  ^bb0(%in0: i8, %out: i8):
    %a = arith.shrui %in0, %k0 : i8
    linalg.yield %a : i8
  } -> tensor<80x64xi8>
  %5 = tensor.expand_shape %2 [[0], [1, 2]] output_shape [80, 64, 1] : tensor<80x64xi8> into tensor<80x64x1xi8>
  %6 = tensor.expand_shape %4 [[0], [1, 2]] output_shape [80, 64, 1] : tensor<80x64xi8> into tensor<80x64x1xi8>
  %7 = tensor.concat dim(2) %5, %6 : (tensor<80x64x1xi8>, tensor<80x64x1xi8>) -> tensor<80x64x2xi8>
  %8 = tensor.collapse_shape %7 [[0], [1, 2]] : tensor<80x64x2xi8> into tensor<80x128xi8>
  %9 = tensor.empty() : tensor<80x128xbf16>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<80x128xi8>) outs(%9 : tensor<80x128xbf16>) {
  ^bb0(%in0: i8, %out: bf16):
    %a = arith.trunci %in0 : i8 to i4
    %b = arith.bitcast %a : i4 to f4E2M1FN
    %c = arith.extf %b : f4E2M1FN to bf16
    linalg.yield %c : bf16
  } -> tensor<80x128xbf16>
  %11 = tensor.expand_shape %10 [[0], [1, 2]] output_shape [80, 4, 32] : tensor<80x128xbf16> into tensor<80x4x32xbf16>
  %12 = tensor.empty() : tensor<80x4x32xbf16>
  %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %scale : tensor<80x4x32xbf16>, tensor<80x4xf8E8M0FNU>) outs(%12 : tensor<80x4x32xbf16>) {
  ^bb0(%in0: bf16, %in1: f8E8M0FNU, %out: bf16):
    %s = arith.extf %in1 : f8E8M0FNU to bf16
    %m = arith.mulf %in0, %s : bf16
    linalg.yield %m : bf16
  } -> tensor<80x4x32xbf16>
  %14 = tensor.collapse_shape %13 [[0], [1, 2]] : tensor<80x4x32xbf16> into tensor<80x128xbf16>
  %15 = tensor.empty() : tensor<128x80xbf16>
  %16 = linalg.transpose ins(%14 : tensor<80x128xbf16>) outs(%15 : tensor<128x80xbf16>) permutation = [1, 0]
  %17 = tensor.empty() : tensor<37x80xf32>
  %18 = linalg.fill ins(%k2 : f32) outs(%17 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %19 = linalg.matmul ins(%x, %16 : tensor<37x128xbf16>, tensor<128x80xbf16>) outs(%18 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %20 = tensor.empty() : tensor<37x80xbf16>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<37x80xf32>) outs(%20 : tensor<37x80xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<37x80xbf16>
  return %21 : tensor<37x80xbf16>
}
