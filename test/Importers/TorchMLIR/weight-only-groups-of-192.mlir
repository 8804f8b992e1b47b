// A linear layer with weights of 4 bits in groups of 192: no tile of sums divides a group, or is a
// multiple of one. 1536 sums, 75 columns, 20 rows that are known or not. Chunks of sums have whole
// groups, so that products have tiles of matrix instructions; a chunk that cut a group fell back to
// scalars.

// RUN: linalg-ext-check-program %s --sizes=20x1536,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=40000 --gpu-options='chip=sm_90a async-products=true processors=3'
// RUN: linalg-ext-check-program %s --sizes=20x1536,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=40000 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --sizes=20x1536,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=40000 --gpu-options=chip=gfx942
// RUN: sed 's/?x/20x/g; s/tensor.empty(%m)/tensor.empty()/; /%m = tensor.dim/d' %s > %t.known.mlir
// RUN: linalg-ext-check-program %t.known.mlir --targets=gpu --max-kernels=2 --max-buffer-bytes=16384 --gpu-options='chip=sm_90a processors=3'
// RUN: linalg-ext-check-program %t.known.mlir --targets=gpu --max-kernels=2 --max-buffer-bytes=16384 --gpu-options=chip=sm_80
// RUN: linalg-ext-compile %s --target=sm_80 --emit=ptx -o %t.ptx --manifest=%t.json --options=report=all 2>&1 | FileCheck %s
// RUN: linalg-ext-compile %t.known.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options=report=all 2>&1 | FileCheck %s
// CHECK-NOT: falls back
// CHECK: @groups_of_192: {{[12]}} kernel
// CHECK-NOT: falls back

// Groups of 384, of which there are four.
// RUN: sed 's/x8x/x4x/g; s/x192x/x384x/g; s/, 8, 192/, 4, 384/' %s | linalg-ext-check-program - --sizes=20x1536,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=40000 --gpu-options='chip=sm_90a async-products=true processors=3'
// RUN: sed 's/x8x/x4x/g; s/x192x/x384x/g; s/, 8, 192/, 4, 384/' %s | linalg-ext-check-program - --sizes=20x1536,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=40000 --gpu-options=chip=sm_80

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @groups_of_192(%x: tensor<?x1536xf16>, %w: tensor<75x768xi8> {check.draw = "uniform -128 127"}, %scale: tensor<75x8x1xf16> {check.draw = "uniform 0.01 0.02"}, %zero: tensor<75x8x1xf16> {check.draw = "uniform 5 9"}) -> tensor<?x75xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<75x768xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x768xi8>) outs(%0 : tensor<75x768xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.andi %in, %c15 : i8
    linalg.yield %12 : i8
  } -> tensor<75x768xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x768xi8>) outs(%0 : tensor<75x768xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.shrui %in, %c4 : i8
    linalg.yield %12 : i8
  } -> tensor<75x768xi8>
  %e0 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [75, 768, 1] : tensor<75x768xi8> into tensor<75x768x1xi8>
  %e1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [75, 768, 1] : tensor<75x768xi8> into tensor<75x768x1xi8>
  %cat = tensor.concat dim(2) %e0, %e1 : (tensor<75x768x1xi8>, tensor<75x768x1xi8>) -> tensor<75x768x2xi8>
  %flat = tensor.collapse_shape %cat [[0], [1, 2]] : tensor<75x768x2xi8> into tensor<75x1536xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [75, 8, 192] : tensor<75x1536xi8> into tensor<75x8x192xi8>
  %1 = tensor.empty() : tensor<75x8x192xf16>
  %2 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups : tensor<75x8x192xi8>) outs(%1 : tensor<75x8x192xf16>) {
  ^bb0(%in: i8, %out: f16):
    %12 = arith.uitofp %in : i8 to f16
    linalg.yield %12 : f16
  } -> tensor<75x8x192xf16>
  %3 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2, %zero : tensor<75x8x192xf16>, tensor<75x8x1xf16>) outs(%1 : tensor<75x8x192xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.subf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<75x8x192xf16>
  %4 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %scale : tensor<75x8x192xf16>, tensor<75x8x1xf16>) outs(%1 : tensor<75x8x192xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.mulf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<75x8x192xf16>
  %5 = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<75x8x192xf16> into tensor<75x1536xf16>
  %6 = tensor.empty() : tensor<1536x75xf16>
  %7 = linalg.transpose ins(%5 : tensor<75x1536xf16>) outs(%6 : tensor<1536x75xf16>) permutation = [1, 0]
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x1536xf16>
  %8 = tensor.empty(%m) : tensor<?x75xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<?x75xf32>) -> tensor<?x75xf32>
  %10 = linalg.matmul ins(%x, %7 : tensor<?x1536xf16>, tensor<1536x75xf16>) outs(%9 : tensor<?x75xf32>) -> tensor<?x75xf32>
  return %10 : tensor<?x75xf32>
}
