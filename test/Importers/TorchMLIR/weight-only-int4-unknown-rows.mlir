// A linear layer with weights of 4 bits in groups of 128, and a number of rows that is not known.
// Each launch takes a kernel for as many rows as it has: subgroups that sum parts, rows that are
// columns of asynchronous products (9 to 512, where there are enough columns for the
// processors; more than 16 are permuted in front), synchronous products of up to 64 rows whose sums
// are split, and, of more, asynchronous products of weights that a kernel in front stores. The last
// tile of columns has 3.

// RUN: linalg-ext-check-program %s --sizes=3x2560,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a async-products=true'
// RUN: linalg-ext-check-program %s --sizes=12x2560,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a async-products=true processors=1'
// RUN: sed 's/131/259/g; s/2560/768/g; s/1280/384/g; s/x20x/x6x/g; s/, 20, 128/, 6, 128/' %s | linalg-ext-check-program - --sizes=40x768,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=98304 --gpu-options='chip=sm_90a async-products=true processors=1'
// CPUs: up to 32 rows in tiles of 8, 4 and 1 that convert the weights in registers, and more rows.
// RUN: linalg-ext-check-program %s --sizes=1x2560,-,-,- --targets=cpu --max-buffer-bytes=41024
// RUN: linalg-ext-check-program %s --sizes=13x2560,-,-,- --targets=cpu --max-buffer-bytes=66624
// RUN: linalg-ext-check-program %s --sizes=40x2560,-,-,- --targets=cpu --max-buffer-bytes=204864
// Groups of 32: chunks that are merged, of 40 rows, and tiles of 128 rows, the last of which has 22.
// Groups of 64 and 12 rows.
// RUN: sed 's/131/259/g; s/2560/1024/g; s/1280/512/g; s/x20x/x32x/g; s/, 20, 128/, 32, 32/; s/x128x/x32x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --sizes=40x1024,-,-,- --targets=gpu --max-kernels=3 --gpu-options='chip=sm_90a async-products=true processors=12'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=12 report=all' 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: kernel {{.*}}: roles, 64 x 128 x 128, whose threads convert the right operand, chunks of 256
// RUN: sed 's/131/259/g; s/x128x/x32x/g; s/, 20, 128/, 8, 32/; s/2560/256/g; s/1280/128/g; s/x20x/x8x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --sizes=150x256,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=131072 --gpu-options='chip=sm_90a async-products=true processors=8'
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=8 report=all' 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: kernel {{.*}}: roles, 128 x 128 x 128, whose threads convert the right operand{{$}}
// RUN: sed 's/131/259/g; s/2560/768/g; s/1280/384/g; s/x20x/x12x/g; s/, 20, 128/, 12, 64/; s/x128x/x64x/g' %s | linalg-ext-check-program - --sizes=12x768,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a async-products=true processors=1'
// RUN: linalg-ext-check-program %s --sizes=40x2560,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=327680
// RUN: linalg-ext-check-program %s --sizes=70x2560,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=670720
// Chunks of three workgroups would cut a group: they are rounded up to whole ones.
// RUN: sed 's/131/75/g; s/2560/4096/g; s/1280/2048/g; s/x20x/x32x/g; s/, 20, 128/, 32, 128/' %s | linalg-ext-check-program - --sizes=20x4096,-,-,- --targets=gpu --max-kernels=2 --gpu-options='chip=sm_90a async-products=true processors=3'
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options=report=all 2>&1 | FileCheck %s
// CHECK-NOT: falls back
// CHECK: roles, {{.*}}: for launches of many tiles
// CHECK: async, {{.*}}: for launches of few tiles
// CHECK-NOT: falls back

// The tiles of unknown rows are not counted, so processors have no equal shares of sums.
// RUN: sed 's/131/512/g' %s | linalg-ext-compile - --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --options='processors=3 report=all' 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: kernel 0: roles, 16 x 256 x 128, whose threads convert the right operand{{$}}

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#group = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @unknown_rows(%x: tensor<?x2560xf16>, %w: tensor<131x1280xi8> {check.draw = "uniform -128 127"}, %scale: tensor<131x20x1xf16> {check.draw = "uniform 0.01 0.02"}, %zero: tensor<131x20x1xf16> {check.draw = "uniform 5 9"}) -> tensor<?x131xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<131x1280xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<131x1280xi8>) outs(%0 : tensor<131x1280xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.andi %in, %c15 : i8
    linalg.yield %12 : i8
  } -> tensor<131x1280xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<131x1280xi8>) outs(%0 : tensor<131x1280xi8>) {
  ^bb0(%in: i8, %out: i8):
    %12 = arith.shrui %in, %c4 : i8
    linalg.yield %12 : i8
  } -> tensor<131x1280xi8>
  %e0 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [131, 1280, 1] : tensor<131x1280xi8> into tensor<131x1280x1xi8>
  %e1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [131, 1280, 1] : tensor<131x1280xi8> into tensor<131x1280x1xi8>
  %cat = tensor.concat dim(2) %e0, %e1 : (tensor<131x1280x1xi8>, tensor<131x1280x1xi8>) -> tensor<131x1280x2xi8>
  %flat = tensor.collapse_shape %cat [[0], [1, 2]] : tensor<131x1280x2xi8> into tensor<131x2560xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [131, 20, 128] : tensor<131x2560xi8> into tensor<131x20x128xi8>
  %1 = tensor.empty() : tensor<131x20x128xf16>
  %2 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups : tensor<131x20x128xi8>) outs(%1 : tensor<131x20x128xf16>) {
  ^bb0(%in: i8, %out: f16):
    %12 = arith.uitofp %in : i8 to f16
    linalg.yield %12 : f16
  } -> tensor<131x20x128xf16>
  %3 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2, %zero : tensor<131x20x128xf16>, tensor<131x20x1xf16>) outs(%1 : tensor<131x20x128xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.subf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<131x20x128xf16>
  %4 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %scale : tensor<131x20x128xf16>, tensor<131x20x1xf16>) outs(%1 : tensor<131x20x128xf16>) {
  ^bb0(%in: f16, %z: f16, %out: f16):
    %12 = arith.mulf %in, %z : f16
    linalg.yield %12 : f16
  } -> tensor<131x20x128xf16>
  %5 = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<131x20x128xf16> into tensor<131x2560xf16>
  %6 = tensor.empty() : tensor<2560x131xf16>
  %7 = linalg.transpose ins(%5 : tensor<131x2560xf16>) outs(%6 : tensor<2560x131xf16>) permutation = [1, 0]
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x2560xf16>
  %8 = tensor.empty(%m) : tensor<?x131xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<?x131xf32>) -> tensor<?x131xf32>
  %10 = linalg.matmul ins(%x, %7 : tensor<?x2560xf16>, tensor<2560x131xf16>) outs(%9 : tensor<?x131xf32>) -> tensor<?x131xf32>
  return %10 : tensor<?x131xf32>
}
