// Weights in blocks of 32 numbers of f8 with a power of two for each block (MXFP8). First, the
// powers are f8E8M0FNU, and rows are bf16. Then powers are bytes, which are shifted to the
// exponent of f32, as PyTorch writes them, and rows are quantized as they come: the
// exponent of the largest number of a block is taken from its bits.

// Scales belong to blocks of what is summed, so they stay in front of the product. The
// quantized rows are written by a kernel of their own.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9472 --max-kernels=2 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=9472 --max-kernels=2 --gpu-options=chip=gfx1200
// RUN: sed 's/37x/1x/g; s/\[37,/[1,/; s/f8E4M3FN/f8E4M3FNUZ/g; s/448.0/240.0/' %s | linalg-ext-check-program - --max-buffer-bytes=9472 --max-kernels=2 --gpu-options=chip=gfx942 --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024'

func.func @mx_linear(%x: tensor<37x128xbf16>, %weights: tensor<80x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %scale: tensor<80x4xf8E8M0FNU> {check.draw = "uniform 0.01 4"}) -> tensor<37x80xbf16> {
  %k0 = arith.constant 0.0 : f32
  %1 = tensor.expand_shape %weights [[0], [1, 2]] output_shape [80, 4, 32] : tensor<80x128xf8E4M3FN> into tensor<80x4x32xf8E4M3FN>
  %2 = tensor.empty() : tensor<80x4x32xbf16>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %scale : tensor<80x4x32xf8E4M3FN>, tensor<80x4xf8E8M0FNU>) outs(%2 : tensor<80x4x32xbf16>) {
  ^bb0(%in0: f8E4M3FN, %in1: f8E8M0FNU, %out: bf16):
    %a = arith.extf %in0 : f8E4M3FN to bf16
    %s = arith.extf %in1 : f8E8M0FNU to bf16
    %m = arith.mulf %a, %s : bf16
    linalg.yield %m : bf16
  } -> tensor<80x4x32xbf16>
  %4 = tensor.collapse_shape %3 [[0], [1, 2]] : tensor<80x4x32xbf16> into tensor<80x128xbf16>
  %5 = tensor.empty() : tensor<128x80xbf16>
  %6 = linalg.transpose ins(%4 : tensor<80x128xbf16>) outs(%5 : tensor<128x80xbf16>) permutation = [1, 0]
  %7 = tensor.empty() : tensor<37x80xf32>
  %8 = linalg.fill ins(%k0 : f32) outs(%7 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %9 = linalg.matmul ins(%x, %6 : tensor<37x128xbf16>, tensor<128x80xbf16>) outs(%8 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %10 = tensor.empty() : tensor<37x80xbf16>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<37x80xf32>) outs(%10 : tensor<37x80xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<37x80xbf16>
  return %11 : tensor<37x80xbf16>
}

func.func @mx_dynamic(%x: tensor<37x128xbf16>, %weights: tensor<80x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %scale: tensor<80x4xi8> {check.draw = "uniform 120 127"}) -> tensor<37x80xbf16> {
  %k0 = arith.constant 0.0 : bf16
  %k1 = arith.constant 23 : i32
  %k2 = arith.constant 255 : i32
  %k3 = arith.constant 8 : i32
  %k4 = arith.constant 0 : i32
  %k5 = arith.constant 254 : i32
  %k6 = arith.constant 1.17549435E-38 : f32
  %k7 = arith.constant 448.0 : f32
  %k8 = arith.constant -448.0 : f32
  %k9 = arith.constant 0.0 : f32
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [37, 4, 32] : tensor<37x128xbf16> into tensor<37x4x32xbf16>
  %2 = tensor.empty() : tensor<37x4xbf16>
  %3 = linalg.fill ins(%k0 : bf16) outs(%2 : tensor<37x4xbf16>) -> tensor<37x4xbf16>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<37x4x32xbf16>) outs(%3 : tensor<37x4xbf16>) {
  ^bb0(%in0: bf16, %out: bf16):
    %a = math.absf %in0 : bf16
    %m = arith.maximumf %out, %a : bf16
    linalg.yield %m : bf16
  } -> tensor<37x4xbf16>
  %5 = tensor.empty() : tensor<37x4xi8>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<37x4xbf16>) outs(%5 : tensor<37x4xi8>) {
  ^bb0(%in0: bf16, %out: i8):
    %w = arith.extf %in0 : bf16 to f32
    %b = arith.bitcast %w : f32 to i32
    %h = arith.shrsi %b, %k1 : i32
    %e = arith.andi %h, %k2 : i32
    %m = arith.subi %e, %k3 : i32
    %l = arith.maxsi %m, %k4 : i32
    %u = arith.minsi %l, %k5 : i32
    %r = arith.trunci %u : i32 to i8
    linalg.yield %r : i8
  } -> tensor<37x4xi8>
  %7 = tensor.empty() : tensor<37x4x32xf8E4M3FN>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %6 : tensor<37x4x32xbf16>, tensor<37x4xi8>) outs(%7 : tensor<37x4x32xf8E4M3FN>) {
  ^bb0(%in0: bf16, %in1: i8, %out: f8E4M3FN):
    %w = arith.extf %in0 : bf16 to f32
    %i = arith.extui %in1 : i8 to i32
    %h = arith.shli %i, %k1 : i32
    %b = arith.bitcast %h : i32 to f32
    %m = arith.maximumf %b, %k6 : f32
    %d = arith.divf %w, %m : f32
    %c = arith.maximumf %d, %k8 : f32
    %c2 = arith.minimumf %c, %k7 : f32
    %r = arith.truncf %c2 : f32 to f8E4M3FN
    linalg.yield %r : f8E4M3FN
  } -> tensor<37x4x32xf8E4M3FN>
  %9 = tensor.collapse_shape %8 [[0], [1, 2]] : tensor<37x4x32xf8E4M3FN> into tensor<37x128xf8E4M3FN>
  %10 = tensor.expand_shape %9 [[0], [1, 2]] output_shape [37, 4, 32] : tensor<37x128xf8E4M3FN> into tensor<37x4x32xf8E4M3FN>
  %11 = tensor.empty() : tensor<37x4x32xbf16>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %6 : tensor<37x4x32xf8E4M3FN>, tensor<37x4xi8>) outs(%11 : tensor<37x4x32xbf16>) {
  ^bb0(%in0: f8E4M3FN, %in1: i8, %out: bf16):
    %a = arith.extf %in0 : f8E4M3FN to bf16
    %s0 = arith.extui %in1 : i8 to i32
    %s1 = arith.shli %s0, %k1 : i32
    %s2 = arith.bitcast %s1 : i32 to f32
    %s = arith.truncf %s2 : f32 to bf16
    %m = arith.mulf %a, %s : bf16
    linalg.yield %m : bf16
  } -> tensor<37x4x32xbf16>
  %13 = tensor.collapse_shape %12 [[0], [1, 2]] : tensor<37x4x32xbf16> into tensor<37x128xbf16>
  %14 = tensor.expand_shape %weights [[0], [1, 2]] output_shape [80, 4, 32] : tensor<80x128xf8E4M3FN> into tensor<80x4x32xf8E4M3FN>
  %15 = tensor.empty() : tensor<80x4x32xbf16>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %scale : tensor<80x4x32xf8E4M3FN>, tensor<80x4xi8>) outs(%15 : tensor<80x4x32xbf16>) {
  ^bb0(%in0: f8E4M3FN, %in1: i8, %out: bf16):
    %a = arith.extf %in0 : f8E4M3FN to bf16
    %s0 = arith.extui %in1 : i8 to i32
    %s1 = arith.shli %s0, %k1 : i32
    %s2 = arith.bitcast %s1 : i32 to f32
    %s = arith.truncf %s2 : f32 to bf16
    %m = arith.mulf %a, %s : bf16
    linalg.yield %m : bf16
  } -> tensor<80x4x32xbf16>
  %17 = tensor.collapse_shape %16 [[0], [1, 2]] : tensor<80x4x32xbf16> into tensor<80x128xbf16>
  %18 = tensor.empty() : tensor<128x80xbf16>
  %19 = linalg.transpose ins(%17 : tensor<80x128xbf16>) outs(%18 : tensor<128x80xbf16>) permutation = [1, 0]
  %20 = tensor.empty() : tensor<37x80xf32>
  %21 = linalg.fill ins(%k9 : f32) outs(%20 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %22 = linalg.matmul ins(%13, %19 : tensor<37x128xbf16>, tensor<128x80xbf16>) outs(%21 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %23 = tensor.empty() : tensor<37x80xbf16>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<37x80xf32>) outs(%23 : tensor<37x80xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<37x80xbf16>
  return %24 : tensor<37x80xbf16>
}
