// Few rows and weights of 4 bits in groups of 128, of fewer than two tiles of 32 columns for
// each processor: 7 tiles for 4. Tiles keep 32 columns, since each of 8 parts has four
// groups, and one workgroup of 8 subgroups sums a tile. With half of the sums, tiles have 16 columns.
// Rows of f16 and bf16, columns that leave a part of a tile, and groups of 64.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a async-products=true processors=4"
// RUN: sed 's/3x/8x/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a async-products=true processors=4"
// RUN: sed 's/224/217/g; s/f16/bf16/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a async-products=true processors=4"
// RUN: sed 's/224x32x128/224x64x64/g; s/224x32x1/224x64x1/g; s/224, 32, 128/224, 64, 64/g' %s > %t-64.mlir
// RUN: linalg-ext-check-program %t-64.mlir --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a async-products=true processors=4"

// RUN: linalg-ext-compile %s --target=sm_90a --options=processors=4 --emit=ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --check-prefix=WIDE --input-file=%t.json
// RUN: sed 's/2048/1024/g; s/4096/2048/g; s/224x32x/224x16x/g; s/224, 32,/224, 16,/g' %s > %t-short.mlir
// RUN: linalg-ext-compile %t-short.mlir --target=sm_90a --options=processors=4 --emit=ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --check-prefix=SHORT --input-file=%t.json
// WIDE: "block": [
// WIDE-NEXT: 256,
// WIDE: "grid": [
// WIDE-NEXT: 7,
// SHORT: "grid": [
// SHORT-NEXT: 14,

func.func @wide_tiles(%x: tensor<3x4096xf16>, %w: tensor<224x2048xi8> {check.draw = "uniform -128 127"}, %scale: tensor<224x32x1xf16> {check.draw = "uniform 0.01 0.02"}, %zero: tensor<224x32x1xf16> {check.draw = "uniform 5.0 10.0"}) -> tensor<3x224xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %f0 = arith.constant 0.0 : f32
  %bytes = tensor.empty() : tensor<224x2048xi8>
  %lo = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<224x2048xi8>) outs(%bytes : tensor<224x2048xi8>) {
  ^bb0(%i: i8, %o: i8):
    %r = arith.andi %i, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<224x2048xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [224, 2048, 1]
      : tensor<224x2048xi8> into tensor<224x2048x1xi8>
  %hi = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<224x2048xi8>) outs(%bytes : tensor<224x2048xi8>) {
  ^bb0(%i: i8, %o: i8):
    %r = arith.shrui %i, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<224x2048xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [224, 2048, 1]
      : tensor<224x2048xi8> into tensor<224x2048x1xi8>
  %two = tensor.concat dim(2) %lo1, %hi1 : (tensor<224x2048x1xi8>, tensor<224x2048x1xi8>) -> tensor<224x2048x2xi8>
  %codes = tensor.collapse_shape %two [[0], [1, 2]] : tensor<224x2048x2xi8> into tensor<224x4096xi8>
  %split = tensor.expand_shape %codes [[0], [1, 2]] output_shape [224, 32, 128]
      : tensor<224x4096xi8> into tensor<224x32x128xi8>
  %e = tensor.empty() : tensor<224x32x128xf16>
  %wide = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%split : tensor<224x32x128xi8>) outs(%e : tensor<224x32x128xf16>) {
  ^bb0(%i: i8, %o: f16):
    %r = arith.uitofp %i : i8 to f16
    linalg.yield %r : f16
  } -> tensor<224x32x128xf16>
  %shifted = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wide, %zero : tensor<224x32x128xf16>, tensor<224x32x1xf16>) outs(%e : tensor<224x32x128xf16>) {
  ^bb0(%i: f16, %s: f16, %o: f16):
    %r = arith.subf %i, %s : f16
    linalg.yield %r : f16
  } -> tensor<224x32x128xf16>
  %scaled = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%shifted, %scale : tensor<224x32x128xf16>, tensor<224x32x1xf16>) outs(%e : tensor<224x32x128xf16>) {
  ^bb0(%i: f16, %s: f16, %o: f16):
    %r = arith.mulf %i, %s : f16
    linalg.yield %r : f16
  } -> tensor<224x32x128xf16>
  %columns = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<224x32x128xf16> into tensor<224x4096xf16>
  %t = tensor.empty() : tensor<4096x224xf16>
  %turned = linalg.transpose ins(%columns : tensor<224x4096xf16>) outs(%t : tensor<4096x224xf16>) permutation = [1, 0]
  %y = tensor.empty() : tensor<3x224xf32>
  %z = linalg.fill ins(%f0 : f32) outs(%y : tensor<3x224xf32>) -> tensor<3x224xf32>
  %p = linalg.matmul ins(%x, %turned : tensor<3x4096xf16>, tensor<4096x224xf16>) outs(%z : tensor<3x224xf32>) -> tensor<3x224xf32>
  return %p : tensor<3x224xf32>
}
