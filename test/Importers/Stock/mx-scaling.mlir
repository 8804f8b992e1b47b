// Blocks of 32 numbers of 8 or 4 bits with a power of two (f8E8M0FNU) for each, as `arith` has
// them: `scaling_extf` in the payload of a product, and `scaling_truncf` of rows that come.
// Tensors of f4E2M1FN have a byte for each number.

// The rows are quantized, and extended for the product, in one kernel; the product is another.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=18944 --max-kernels=2 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=18944 --max-kernels=2 --gpu-options=chip=gfx950
// RUN: sed 's/f8E4M3FN/f4E2M1FN/g; s/256.0/4.0/' %s | linalg-ext-check-program - --min-informative=0 --max-buffer-bytes=18944 --max-kernels=2 --cpu-options='l1-bytes=1024 l2-bytes=1024'

func.func @mx_scaling(%x: tensor<37x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %xs: tensor<37x4xf8E8M0FNU> {check.draw = "uniform 0.01 4"}, %w: tensor<80x128xf8E4M3FN> {check.draw = "uniform -2 2"}, %scale: tensor<80x4xf8E8M0FNU> {check.draw = "uniform 0.01 4"}) -> tensor<37x80xf32> {
  %k0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<37x80xf32>
  %2 = linalg.fill ins(%k0 : f32) outs(%1 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %3 = tensor.expand_shape %x [[0], [1, 2]] output_shape [37, 4, 32] : tensor<37x128xf8E4M3FN> into tensor<37x4x32xf8E4M3FN>
  %4 = tensor.expand_shape %w [[0], [1, 2]] output_shape [80, 4, 32] : tensor<80x128xf8E4M3FN> into tensor<80x4x32xf8E4M3FN>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%3, %4, %xs, %scale : tensor<37x4x32xf8E4M3FN>, tensor<80x4x32xf8E4M3FN>, tensor<37x4xf8E8M0FNU>, tensor<80x4xf8E8M0FNU>) outs(%2 : tensor<37x80xf32>) {
  ^bb0(%in0: f8E4M3FN, %in1: f8E4M3FN, %in2: f8E8M0FNU, %in3: f8E8M0FNU, %out: f32):
    %a = arith.scaling_extf %in0, %in2 : f8E4M3FN, f8E8M0FNU to f32
    %b = arith.scaling_extf %in1, %in3 : f8E4M3FN, f8E8M0FNU to f32
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %out, %m : f32
    linalg.yield %t : f32
  } -> tensor<37x80xf32>
  return %5 : tensor<37x80xf32>
}

func.func @mx_truncf(%x: tensor<37x128xf32>, %w: tensor<80x4x32xf8E4M3FN> {check.draw = "uniform -2 2"}, %scale: tensor<80x4xf8E8M0FNU> {check.draw = "uniform 0.01 4"}) -> tensor<37x80xf32> {
  %k0 = arith.constant 0.0 : f32
  %k1 = arith.constant 256.0 : f32
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [37, 4, 32] : tensor<37x128xf32> into tensor<37x4x32xf32>
  %2 = tensor.empty() : tensor<37x4xf32>
  %3 = linalg.fill ins(%k0 : f32) outs(%2 : tensor<37x4xf32>) -> tensor<37x4xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<37x4x32xf32>) outs(%3 : tensor<37x4xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = math.absf %in0 : f32
    %m = arith.maximumf %out, %a : f32
    linalg.yield %m : f32
  } -> tensor<37x4xf32>
  %5 = tensor.empty() : tensor<37x4xf8E8M0FNU>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<37x4xf32>) outs(%5 : tensor<37x4xf8E8M0FNU>) {
  ^bb0(%in0: f32, %out: f8E8M0FNU):
    %a = arith.divf %in0, %k1 : f32
    %m = arith.truncf %a : f32 to f8E8M0FNU
    linalg.yield %m : f8E8M0FNU
  } -> tensor<37x4xf8E8M0FNU>
  %7 = tensor.empty() : tensor<37x4x32xf8E4M3FN>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %6 : tensor<37x4x32xf32>, tensor<37x4xf8E8M0FNU>) outs(%7 : tensor<37x4x32xf8E4M3FN>) {
  ^bb0(%in0: f32, %in1: f8E8M0FNU, %out: f8E4M3FN):
    %a = arith.scaling_truncf %in0, %in1 : f32, f8E8M0FNU to f8E4M3FN
    linalg.yield %a : f8E4M3FN
  } -> tensor<37x4x32xf8E4M3FN>
  %9 = tensor.empty() : tensor<37x80xf32>
  %10 = linalg.fill ins(%k0 : f32) outs(%9 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%8, %w, %6, %scale : tensor<37x4x32xf8E4M3FN>, tensor<80x4x32xf8E4M3FN>, tensor<37x4xf8E8M0FNU>, tensor<80x4xf8E8M0FNU>) outs(%10 : tensor<37x80xf32>) {
  ^bb0(%in0: f8E4M3FN, %in1: f8E4M3FN, %in2: f8E8M0FNU, %in3: f8E8M0FNU, %out: f32):
    %a = arith.scaling_extf %in0, %in2 : f8E4M3FN, f8E8M0FNU to f32
    %b = arith.scaling_extf %in1, %in3 : f8E4M3FN, f8E8M0FNU to f32
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %out, %m : f32
    linalg.yield %t : f32
  } -> tensor<37x80xf32>
  return %11 : tensor<37x80xf32>
}
