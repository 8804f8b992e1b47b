// A linear layer of f16 with weights of 4 bits, two to a byte, and few rows, as a decoder
// has. The sums are long: on a GPU the subgroups of a workgroup sum parts of them, in one
// kernel on sm_90a, and what the parts leave is summed by the whole workgroup. Groups of 128 have a
// scale and a zero point each.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=16384 --max-kernels=2 --targets=gpu
// RUN: sed 's/<3x/<1x/g; s/2560/4096/g; s/1280/2048/g; s/75x20x/75x32x/g; s/\[75, 20, 128\]/[75, 32, 128]/' %s | linalg-ext-check-program - --max-buffer-bytes=16384 --max-kernels=2 --targets=gpu
// RUN: sed 's/<3x/<16x/g; s/f16/bf16/g' %s | linalg-ext-check-program - --max-buffer-bytes=65536 --max-kernels=2 --targets=gpu

// Where there are enough columns for the processors, tiles of bytes are copied on sm_90a, and
// threads convert them for asynchronous products. The last tile has 3
// columns.
// RUN: sed 's/<3x/<16x/g; s/75/131/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1'
// RUN: sed 's/<3x/<9x/g; s/75/131/g; s/f16/bf16/g' %s | linalg-ext-check-program - --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=1 report=all' 2>&1 | FileCheck %s --check-prefix=COPIED
// COPIED: kernel 0: roles, 16 x 128 x 128, whose threads convert the right operand

// Of sums of 4096, threads that copy read scales of eight groups at once.
// RUN: sed 's/<3x/<16x/g; s/2560/4096/g; s/1280/2048/g; s/75x20x/256x32x/g; s/\[75, 20, 128\]/[256, 32, 128]/; s/75/256/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1'

// Of fewer tiles than processors, workgroups sum chunks. Of more than half as many, each
// processor has an equal share: two have the long parts of the sums, and one the rests of both,
// of as many iterations as a ring has slots.
// RUN: sed 's/<3x/<9x/g; s/75/256/g; s/f16/bf16/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=2 --targets=gpu --gpu-options='chip=sm_90a processors=3'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=3 report=all' 2>&1 | FileCheck %s --check-prefix=CHUNKS
// CHUNKS: kernel 0: roles, 16 x 256 x 128, whose threads convert the right operand, chunks of 1024
// RUN: sed 's/<3x/<16x/g; s/75x20x/512x28x/g; s/\[75, 20, 128\]/[512, 28, 128]/; s/75/512/g; s/2560/3584/g; s/1280/1792/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=2 --targets=gpu --gpu-options='chip=sm_90a processors=3'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=3 report=all' 2>&1 | FileCheck %s --check-prefix=SHARES
// SHARES: kernel 0: roles, 16 x 256 x 128, whose threads convert the right operand, equal shares of sums, chunks of 2560

// 5 rows, in groups of 32: their tile has 8. In longer groups, integers are multiplied as
// subnormal numbers by synchronous instructions.
// RUN: sed 's/<3x/<5x/g; s/75x20x/512x112x/g; s/\[75, 20, 128\]/[512, 112, 32]/; s/x128x/x32x/g; s/75/512/g; s/2560/3584/g; s/1280/1792/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=2 --targets=gpu --gpu-options='chip=sm_90a processors=3'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=3 report=all' 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: kernel 0: roles, 8 x 256 x 128, whose threads convert the right operand, equal shares of sums, chunks of 2560

// 6 to 8 rows of f16: threads load both operands of synchronous products from shared memory. Of sums of
// 2560, an iteration of the copying role has scales of two groups; of 4096, of eight. The rows fill a tile, or do not.
// RUN: sed 's/<3x/<8x/g; s/75/256/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=1 report=all' 2>&1 | FileCheck %s --check-prefix=LOADED
// RUN: sed 's/<3x/<7x/g; s/2560/4096/g; s/1280/2048/g; s/75x20x/256x32x/g; s/\[75, 20, 128\]/[256, 32, 128]/; s/75/256/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1' --share-memory
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=1 report=all' 2>&1 | FileCheck %s --check-prefix=LOADED
// LOADED: kernel 0: roles, 8 x 128 x 128, whose threads convert the right operand for synchronous products

// A scale of each column: two tiles of bytes side by side are one.
// RUN: sed 's/<16x/<9x/g; s/x20x1xf16/x1x1xf16/g; s/x20x128/x1x2560/g; s/\[75, 20, 128\]/[75, 1, 2560]/; s/75/131/g; s/<3x/<9x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=1 --targets=gpu --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=1 report=all' 2>&1 | FileCheck %s --check-prefix=COPIED

// Groups of 32: a tile of bytes has several groups of a row. More rows are permuted in front; the last
// of two tiles of rows has 2.
// RUN: sed 's/<3x/<9x/g; s/75x20x/256x80x/g; s/\[75, 20, 128\]/[256, 80, 32]/; s/x128x/x32x/g; s/75/256/g; s/f16/bf16/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=2 --targets=gpu --gpu-options='chip=sm_90a processors=3'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=3 report=all' 2>&1 | FileCheck %s --check-prefix=CHUNKS
// RUN: sed 's/<3x/<130x/g; s/75x20x/259x2x/g; s/\[75, 20, 128\]/[259, 2, 128]/; s/75/259/g; s/2560/256/g; s/1280/128/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-kernels=2 --max-buffer-bytes=131072 --targets=gpu --gpu-options='chip=sm_90a processors=8'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=8 report=all' 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: kernel 0: roles, 128 x 128 x 128, whose threads convert the right operand

// On a CPU with AVX-512, words of 4 bytes are read: 3 rows, and one.
// RUN: %if avx512 %{ linalg-ext-check-program %s --max-buffer-bytes=32768 --targets=cpu --cpu-options=cpu=avx512 %}
// RUN: %if avx512 %{ sed 's/<3x/<1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=16384 --targets=cpu --cpu-options=cpu=avx512 %}

// One kernel where bytes are copied asynchronously; others merge the parts in a second one.
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json 2>&1 | FileCheck %s
// RUN: sed 's/<3x/<16x/g; s/f16/bf16/g' %s | linalg-ext-compile - --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json 2>&1 | FileCheck %s
// CHECK: @few_rows: 1 kernel,

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @few_rows(%x: tensor<3x2560xf16>, %w: tensor<75x1280xi8> {check.draw = "uniform -128 127"}, %scale: tensor<75x20x1xf16> {check.draw = "uniform 0.01 0.02"}, %zero: tensor<75x20x1xf16> {check.draw = "uniform 5 9"}) -> tensor<3x75xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<75x1280xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x1280xi8>) outs(%0 : tensor<75x1280xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.andi %in, %c15 : i8
    linalg.yield %12 : i8
  } -> tensor<75x1280xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x1280xi8>) outs(%0 : tensor<75x1280xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.shrui %in, %c4 : i8
    linalg.yield %12 : i8
  } -> tensor<75x1280xi8>
  %e0 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [75, 1280, 1] : tensor<75x1280xi8> into tensor<75x1280x1xi8>
  %e1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [75, 1280, 1] : tensor<75x1280xi8> into tensor<75x1280x1xi8>
  %cat = tensor.concat dim(2) %e0, %e1 : (tensor<75x1280x1xi8>, tensor<75x1280x1xi8>) -> tensor<75x1280x2xi8>
  %flat = tensor.collapse_shape %cat [[0], [1, 2]] : tensor<75x1280x2xi8> into tensor<75x2560xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [75, 20, 128] : tensor<75x2560xi8> into tensor<75x20x128xi8>
  %1 = tensor.empty() : tensor<75x20x128xf16>
  %2 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups : tensor<75x20x128xi8>) outs(%1 : tensor<75x20x128xf16>) {
  ^bb0(%in: i8, %out: f16):
    %12 = arith.uitofp %in : i8 to f16
    linalg.yield %12 : f16
  } -> tensor<75x20x128xf16>
  %3 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2, %zero : tensor<75x20x128xf16>, tensor<75x20x1xf16>) outs(%1 : tensor<75x20x128xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.subf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<75x20x128xf16>
  %4 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %scale : tensor<75x20x128xf16>, tensor<75x20x1xf16>) outs(%1 : tensor<75x20x128xf16>) {
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
