// A product of two quantized operands, f8 or integers of 8 bits. Each row and each column has one
// scale for every 128 elements of the sum. The program has one product for each tile of 128, as a
// batch; it scales their results and adds them. The kernel has one loop over the tiles instead.

// Falls short on a CPU: the products of all tiles are stored.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=gfx950
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=47424

func.func @tiled(%x: tensor<37x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %xs: tensor<37x2xf32> {check.draw = "uniform 0.1 1"}, %w: tensor<256x80xf8E4M3FN> {check.draw = "uniform -2 2"}, %ws: tensor<2x80xf32> {check.draw = "uniform 0.1 1"}) -> tensor<37x80xbf16> {
  %k0 = arith.constant 0.0 : f32
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [37, 2, 128] : tensor<37x256xf8E4M3FN> into tensor<37x2x128xf8E4M3FN>
  %2 = tensor.expand_shape %w [[0, 1], [2]] output_shape [2, 128, 80] : tensor<256x80xf8E4M3FN> into tensor<2x128x80xf8E4M3FN>
  %3 = tensor.empty() : tensor<2x37x80xf32>
  %4 = linalg.fill ins(%k0 : f32) outs(%3 : tensor<2x37x80xf32>) -> tensor<2x37x80xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %2 : tensor<37x2x128xf8E4M3FN>, tensor<2x128x80xf8E4M3FN>) outs(%4 : tensor<2x37x80xf32>) {
  ^bb0(%in0: f8E4M3FN, %in1: f8E4M3FN, %out: f32):
    %a = arith.extf %in0 : f8E4M3FN to f32
    %b = arith.extf %in1 : f8E4M3FN to f32
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %out, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x37x80xf32>
  %6 = tensor.empty() : tensor<2x37x80xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %xs : tensor<2x37x80xf32>, tensor<37x2xf32>) outs(%6 : tensor<2x37x80xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %a = arith.mulf %in0, %in1 : f32
    linalg.yield %a : f32
  } -> tensor<2x37x80xf32>
  %8 = tensor.empty() : tensor<2x37x80xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %ws : tensor<2x37x80xf32>, tensor<2x80xf32>) outs(%8 : tensor<2x37x80xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %a = arith.mulf %in0, %in1 : f32
    linalg.yield %a : f32
  } -> tensor<2x37x80xf32>
  %10 = tensor.empty() : tensor<37x80xf32>
  %11 = linalg.fill ins(%k0 : f32) outs(%10 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x37x80xf32>) outs(%11 : tensor<37x80xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %t = arith.addf %out, %in0 : f32
    linalg.yield %t : f32
  } -> tensor<37x80xf32>
  %13 = tensor.empty() : tensor<37x80xbf16>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<37x80xf32>) outs(%13 : tensor<37x80xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<37x80xbf16>
  return %14 : tensor<37x80xbf16>
}

func.func @tiled_integers(%x: tensor<37x256xi8> {check.draw = "uniform -128 127"}, %xs: tensor<37x4xf32> {check.draw = "uniform 0.1 1"}, %w: tensor<256x80xi8> {check.draw = "uniform -128 127"}, %ws: tensor<4x80xf32> {check.draw = "uniform 0.1 1"}) -> tensor<37x80xbf16> {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 0.0 : f32
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [37, 4, 64] : tensor<37x256xi8> into tensor<37x4x64xi8>
  %2 = tensor.expand_shape %w [[0, 1], [2]] output_shape [4, 64, 80] : tensor<256x80xi8> into tensor<4x64x80xi8>
  %3 = tensor.empty() : tensor<4x37x80xi32>
  %4 = linalg.fill ins(%k0 : i32) outs(%3 : tensor<4x37x80xi32>) -> tensor<4x37x80xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %2 : tensor<37x4x64xi8>, tensor<4x64x80xi8>) outs(%4 : tensor<4x37x80xi32>) {
  ^bb0(%in0: i8, %in1: i8, %out: i32):
    %a = arith.extsi %in0 : i8 to i32
    %b = arith.extsi %in1 : i8 to i32
    %m = arith.muli %a, %b : i32
    %t = arith.addi %out, %m : i32
    linalg.yield %t : i32
  } -> tensor<4x37x80xi32>
  %6 = tensor.empty() : tensor<4x37x80xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<4x37x80xi32>) outs(%6 : tensor<4x37x80xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    linalg.yield %a : f32
  } -> tensor<4x37x80xf32>
  %8 = tensor.empty() : tensor<4x37x80xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %xs : tensor<4x37x80xf32>, tensor<37x4xf32>) outs(%8 : tensor<4x37x80xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %a = arith.mulf %in0, %in1 : f32
    linalg.yield %a : f32
  } -> tensor<4x37x80xf32>
  %10 = tensor.empty() : tensor<4x37x80xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %ws : tensor<4x37x80xf32>, tensor<4x80xf32>) outs(%10 : tensor<4x37x80xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %a = arith.mulf %in0, %in1 : f32
    linalg.yield %a : f32
  } -> tensor<4x37x80xf32>
  %12 = tensor.empty() : tensor<37x80xf32>
  %13 = linalg.fill ins(%k1 : f32) outs(%12 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<4x37x80xf32>) outs(%13 : tensor<37x80xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %t = arith.addf %out, %in0 : f32
    linalg.yield %t : f32
  } -> tensor<37x80xf32>
  %15 = tensor.empty() : tensor<37x80xbf16>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<37x80xf32>) outs(%15 : tensor<37x80xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<37x80xbf16>
  return %16 : tensor<37x80xbf16>
}
