// One row times weights of 8 bits in groups of 32, with a scale and a zero point for each
// group, in f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'

#all = affine_map<(n, g, s) -> (n, g, s)>
#group = affine_map<(n, g, s) -> (n, g)>
#xr = affine_map<(n, g, s) -> (g, s)>
#or = affine_map<(n, g, s) -> (n)>

func.func @one_row(%w: tensor<75x4x32xi8> {check.draw = "uniform -128 127"},
                   %scale: tensor<75x4xf16> {check.draw = "uniform 0.01 0.02"},
                   %zero: tensor<75x4xf16> {check.draw = "uniform 100 140"},
                   %x: tensor<4x32xf16>) -> tensor<75xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<75x4x32xf16>
  %1 = linalg.generic {indexing_maps = [#all, #group, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale, %zero : tensor<75x4x32xi8>, tensor<75x4xf16>, tensor<75x4xf16>) outs(%0 : tensor<75x4x32xf16>) {
  ^bb0(%in: i8, %s: f16, %z: f16, %out: f16):
    %5 = arith.extui %in : i8 to i32
    %6 = arith.uitofp %5 : i32 to f16
    %7 = arith.subf %6, %z : f16
    %8 = arith.mulf %7, %s : f16
    linalg.yield %8 : f16
  } -> tensor<75x4x32xf16>
  %2 = tensor.empty() : tensor<75xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<75xf32>) -> tensor<75xf32>
  %4 = linalg.generic {indexing_maps = [#xr, #all, #or], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %1 : tensor<4x32xf16>, tensor<75x4x32xf16>) outs(%3 : tensor<75xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %5 = arith.extf %in : f16 to f32
    %6 = arith.extf %in_0 : f16 to f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %7, %out : f32
    linalg.yield %8 : f32
  } -> tensor<75xf32>
  return %4 : tensor<75xf32>
}
