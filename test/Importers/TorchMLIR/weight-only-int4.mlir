// A linear layer of f16 with weights of 4 bits, two to a byte: low and high halves are
// stacked. Groups of 32 have a scale and a zero point each. Few rows, one and many.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024' --gpu-options=chip=gfx942
// RUN: sed 's/<5x/<37x/g' %s | linalg-ext-check-program - --max-buffer-bytes=9600 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: sed 's/<5x/<37x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=64 --max-kernels=1 --gpu-options=chip=gfx942
// RUN: sed 's/f16/bf16/g; s/<5x/<1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'

// In f32, 37 rows on a CPU read tiles that are dequantized by rows of the sums, with groups
// of 128: whole lines of bytes are transposed together. The last columns fill no vector.
// RUN: sed 's/f16/f32/g; s/<5x/<37x/g; s/truncf \(%[a-z0-9_]*\) : f32 to f32/negf \1 : f32/; s/128/256/g; s/-256/-128/; s/x64x/x128x/g; s/, 64,/, 128,/; s/4x32x/2x128x/g; s/4, 32/2, 128/; s/x4x1x/x2x1x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=cpu --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %t.mlir --targets=cpu --cpu-options=cpu=host

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @stack(%x: tensor<5x128xf16>, %w: tensor<75x64xi8> {check.draw = "uniform -128 127"},
                 %scale: tensor<75x4x1xf16> {check.draw = "uniform 0.01 0.02"},
                 %zero: tensor<75x4x1xf16> {check.draw = "uniform 5 9"}) -> tensor<5x75xf16> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<75x64xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x64xi8>) outs(%0 : tensor<75x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.andi %in, %c15 : i8
    linalg.yield %12 : i8
  } -> tensor<75x64xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x64xi8>) outs(%0 : tensor<75x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.shrui %in, %c4 : i8
    linalg.yield %12 : i8
  } -> tensor<75x64xi8>
  %e0 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [75, 64, 1] : tensor<75x64xi8> into tensor<75x64x1xi8>
  %e1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [75, 64, 1] : tensor<75x64xi8> into tensor<75x64x1xi8>
  %cat = tensor.concat dim(2) %e0, %e1 : (tensor<75x64x1xi8>, tensor<75x64x1xi8>) -> tensor<75x64x2xi8>
  %flat = tensor.collapse_shape %cat [[0], [1, 2]] : tensor<75x64x2xi8> into tensor<75x128xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [75, 4, 32] : tensor<75x128xi8> into tensor<75x4x32xi8>
  %1 = tensor.empty() : tensor<75x4x32xf16>
  %2 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups : tensor<75x4x32xi8>) outs(%1 : tensor<75x4x32xf16>) {
  ^bb0(%in: i8, %out: f16):
    %12 = arith.uitofp %in : i8 to f16
    linalg.yield %12 : f16
  } -> tensor<75x4x32xf16>
  %3 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2, %zero : tensor<75x4x32xf16>, tensor<75x4x1xf16>) outs(%1 : tensor<75x4x32xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.subf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<75x4x32xf16>
  %4 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %scale : tensor<75x4x32xf16>, tensor<75x4x1xf16>) outs(%1 : tensor<75x4x32xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.mulf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<75x4x32xf16>
  %5 = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<75x4x32xf16> into tensor<75x128xf16>
  %6 = tensor.empty() : tensor<128x75xf16>
  %7 = linalg.transpose ins(%5 : tensor<75x128xf16>) outs(%6 : tensor<128x75xf16>) permutation = [1, 0]
  %8 = tensor.empty() : tensor<5x75xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<5x75xf32>) -> tensor<5x75xf32>
  %10 = linalg.matmul ins(%x, %7 : tensor<5x128xf16>, tensor<128x75xf16>) outs(%9 : tensor<5x75xf32>) -> tensor<5x75xf32>
  %11 = tensor.empty() : tensor<5x75xf16>
  %12 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%10 : tensor<5x75xf32>) outs(%11 : tensor<5x75xf16>) {
  ^bb0(%in: f32, %out: f16):
    %13 = arith.truncf %in : f32 to f16
    linalg.yield %13 : f16
  } -> tensor<5x75xf16>
  return %12 : tensor<5x75xf16>
}
