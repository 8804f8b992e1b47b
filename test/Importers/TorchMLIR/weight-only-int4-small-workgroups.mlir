// Few rows and weights of 4 bits in groups of 128, of so many columns that workgroups of two
// subgroups all run at the same time: of 28 tiles of 32 columns, 4 processors have 7 each. Two
// groups a subgroup, one, and columns that leave a part of a tile. With 20 tiles, or 8
// processors, workgroups have four subgroups or more.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a processors=4"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --gpu-options="chip=sm_80 processors=4"
// RUN: sed 's/3x/8x/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a processors=4"
// RUN: sed 's/896/889/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a processors=4"
// RUN: sed 's/256/128/g; s/512/256/g; s/896x4x/896x2x/g; s/896, 4,/896, 2,/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a processors=4"
// RUN: sed 's/f16/bf16/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --gpu-options="chip=sm_90a processors=4"

// RUN: linalg-ext-compile %s --target=sm_90a --options=processors=4 --emit=ptx -o - --manifest=%t.json | FileCheck %s --check-prefix=SMALL
// RUN: linalg-ext-compile %t.mlir --target=sm_90a --options=processors=4 --emit=ptx -o - --manifest=%t.json | FileCheck %s --check-prefix=SMALL
// RUN: sed 's/896/640/g' %s > %t-640.mlir
// RUN: linalg-ext-compile %t-640.mlir --target=sm_90a --options=processors=4 --emit=ptx -o - --manifest=%t.json | FileCheck %s --check-prefix=MORE
// RUN: linalg-ext-compile %s --target=sm_90a --options=processors=8 --emit=ptx -o - --manifest=%t.json | FileCheck %s --check-prefix=MORE
// SMALL: .entry
// SMALL: .maxntid 64, 1, 1
// SMALL-NOT: .entry
// MORE: .entry
// MORE-NOT: .maxntid 64,
// MORE: .maxntid

func.func @small_workgroups(%x: tensor<3x512xf16>, %w: tensor<896x256xi8> {check.draw = "uniform -128 127"}, %scale: tensor<896x4x1xf16> {check.draw = "uniform 0.01 0.02"}, %zero: tensor<896x4x1xf16> {check.draw = "uniform 5.0 10.0"}) -> tensor<3x896xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %f0 = arith.constant 0.0 : f32
  %bytes = tensor.empty() : tensor<896x256xi8>
  %lo = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<896x256xi8>) outs(%bytes : tensor<896x256xi8>) {
  ^bb0(%i: i8, %o: i8):
    %r = arith.andi %i, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<896x256xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [896, 256, 1]
      : tensor<896x256xi8> into tensor<896x256x1xi8>
  %hi = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<896x256xi8>) outs(%bytes : tensor<896x256xi8>) {
  ^bb0(%i: i8, %o: i8):
    %r = arith.shrui %i, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<896x256xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [896, 256, 1]
      : tensor<896x256xi8> into tensor<896x256x1xi8>
  %two = tensor.concat dim(2) %lo1, %hi1 : (tensor<896x256x1xi8>, tensor<896x256x1xi8>) -> tensor<896x256x2xi8>
  %codes = tensor.collapse_shape %two [[0], [1, 2]] : tensor<896x256x2xi8> into tensor<896x512xi8>
  %split = tensor.expand_shape %codes [[0], [1, 2]] output_shape [896, 4, 128]
      : tensor<896x512xi8> into tensor<896x4x128xi8>
  %e = tensor.empty() : tensor<896x4x128xf16>
  %wide = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%split : tensor<896x4x128xi8>) outs(%e : tensor<896x4x128xf16>) {
  ^bb0(%i: i8, %o: f16):
    %r = arith.uitofp %i : i8 to f16
    linalg.yield %r : f16
  } -> tensor<896x4x128xf16>
  %shifted = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wide, %zero : tensor<896x4x128xf16>, tensor<896x4x1xf16>) outs(%e : tensor<896x4x128xf16>) {
  ^bb0(%i: f16, %s: f16, %o: f16):
    %r = arith.subf %i, %s : f16
    linalg.yield %r : f16
  } -> tensor<896x4x128xf16>
  %scaled = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%shifted, %scale : tensor<896x4x128xf16>, tensor<896x4x1xf16>) outs(%e : tensor<896x4x128xf16>) {
  ^bb0(%i: f16, %s: f16, %o: f16):
    %r = arith.mulf %i, %s : f16
    linalg.yield %r : f16
  } -> tensor<896x4x128xf16>
  %columns = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<896x4x128xf16> into tensor<896x512xf16>
  %t = tensor.empty() : tensor<512x896xf16>
  %turned = linalg.transpose ins(%columns : tensor<896x512xf16>) outs(%t : tensor<512x896xf16>) permutation = [1, 0]
  %y = tensor.empty() : tensor<3x896xf32>
  %z = linalg.fill ins(%f0 : f32) outs(%y : tensor<3x896xf32>) -> tensor<3x896xf32>
  %p = linalg.matmul ins(%x, %turned : tensor<3x512xf16>, tensor<512x896xf16>) outs(%z : tensor<3x896xf32>) -> tensor<3x896xf32>
  return %p : tensor<3x896xf32>
}
