// A linear layer of f16 with weights of 8 bits in groups of 128 along what is summed. Each
// group of a row has a scale in f16.

// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=32768 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: sed 's/<3x/<1x/g' %s | linalg-ext-check-program - --targets=cpu --max-buffer-bytes=16384 --max-kernels=1 --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1 --targets=gpu --gpu-options="async-products=false"
// RUN: sed 's/<3x/<1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --targets=gpu --gpu-options="async-products=false"
// RUN: sed 's/<3x/<16x/g; s/f16/bf16/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --targets=gpu --gpu-options="async-products=false"
// RUN: sed 's/i8/f8E4M3FN/g; s/sitofp/extf/; s/-128 127/-400 400/; s/0.01 0.02/0.001 0.002/' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=1 --targets=gpu --gpu-options="async-products=false"
// On sm_90a, tiles of bytes are copied, and threads convert them for asynchronous products of
// more than 8 rows, if there are enough columns for the processors.
// RUN: sed 's/<3x/<13x/g; s/75/131/g' %s | linalg-ext-check-program - --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1'
// RUN: sed 's/<3x/<13x/g; s/75/131/g; s/i8/f8E4M3FN/g; s/sitofp/extf/; s/-128 127/-400 400/; s/0.01 0.02/0.001 0.002/' %s | linalg-ext-check-program - --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1'
// More rows, and chips of AMD: workgroups sum chunks, as of any product with so long sums, and
// a second kernel adds these.
// RUN: sed 's/<3x/<37x/g' %s | linalg-ext-check-program - --max-buffer-bytes=65536 --max-kernels=2 --targets=gpu
// RUN: linalg-ext-check-program %s --max-buffer-bytes=4500 --max-kernels=2 --targets=gpu --gpu-options=chip=gfx942
// RUN: sed 's/<3x/<1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=4096 --max-kernels=2 --targets=gpu --gpu-options=chip=gfx942
// RUN: sed 's/<3x/<16x/g; s/f16/bf16/g' %s | linalg-ext-check-program - --max-buffer-bytes=24000 --max-kernels=2 --targets=gpu --gpu-options=chip=gfx942

// The subgroups of a workgroup sum parts, as they do with weights of 4 bits: 10 of them, of two
// groups each. 16 would leave four groups to all subgroups.
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s < %t.ptx
// CHECK: .maxntid 320

// The product sums one dimension, and the scale of a group is read where it is.
// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s --check-prefix=NORMAL
// NORMAL-NOT: tensor.extract %
// NORMAL:     %[[W:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]]
// NORMAL:     linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %[[W]] :

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @groups(%x: tensor<3x2560xf16>, %w: tensor<75x2560xi8> {check.draw = "uniform -128 127"}, %scale: tensor<75x20x1xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<3x75xf32> {
  %cst = arith.constant 0.0 : f32
  %groups = tensor.expand_shape %w [[0], [1, 2]] output_shape [75, 20, 128] : tensor<75x2560xi8> into tensor<75x20x128xi8>
  %1 = tensor.empty() : tensor<75x20x128xf16>
  %2 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups : tensor<75x20x128xi8>) outs(%1 : tensor<75x20x128xf16>) {
  ^bb0(%in: i8, %out: f16):
    %12 = arith.sitofp %in : i8 to f16
    linalg.yield %12 : f16
  } -> tensor<75x20x128xf16>
  %4 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2, %scale : tensor<75x20x128xf16>, tensor<75x20x1xf16>) outs(%1 : tensor<75x20x128xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.mulf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<75x20x128xf16>
  %5 = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<75x20x128xf16> into tensor<75x2560xf16>
  %6 = tensor.empty() : tensor<2560x75xf16>
  %7 = linalg.transpose ins(%5 : tensor<75x2560xf16>) outs(%6 : tensor<2560x75xf16>) permutation = [1, 0]
  %8 = tensor.empty() : tensor<3x75xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<3x75xf32>) -> tensor<3x75xf32>
  %10 = linalg.matmul ins(%x, %7 : tensor<3x2560xf16>, tensor<2560x75xf16>) outs(%9 : tensor<3x75xf32>) -> tensor<3x75xf32>
  return %10 : tensor<3x75xf32>
}
