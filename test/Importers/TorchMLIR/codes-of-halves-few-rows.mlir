// The programs of codes-of-halves.mlir with 16 rows, where threads of a kernel with roles convert codes for
// wgmma, and with 3 rows. Shared memory has the numbers of each byte.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm='chip=sm_90a processors=1 report=all' 2>&1 | FileCheck %s
// CHECK-DAG: remark: kernel 0: roles, 16 x 128 x 128, whose threads convert the right operand
// CHECK-DAG: .shared .align 1024 .b8 {{.*}}[32768]
// CHECK-DAG: ld.shared.v2.b32
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16
// RUN: sed 's/tensor<16x\([0-9]\)/tensor<3x\1/g' %s > %t.few.mlir
// RUN: linalg-ext-check-program %t.few.mlir --targets=gpu --max-kernels=2 --max-buffer-bytes=21000 --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-opt %t.few.mlir --linalg-ext-to-nvvm='chip=sm_90a processors=1' | FileCheck %s --check-prefix=PAIRS
// PAIRS: .shared .align 1024 .b8 {{.*}}[32768]
// PAIRS: ld.shared.v2.b32

// A table of bf16: numbers of 16 bits.
// RUN: sed 's/%r = tensor.extract %v1\[%c\] : tensor<16xf32>/%h = tensor.extract %v1[%c] : tensor<16xbf16> %r = arith.extf %h : bf16 to f32/; s/: tensor<16xf32>$/: tensor<16xbf16>/' %t.few.mlir > %t.halves.mlir
// RUN: linalg-ext-check-program %t.halves.mlir --targets=gpu --max-kernels=2 --max-buffer-bytes=21000 --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-opt %t.halves.mlir --linalg-ext-to-nvvm='chip=sm_90a processors=1' | FileCheck %s --check-prefix=HALVES
// HALVES: .shared .align 1024 .b8 {{.*}}[32768]
// HALVES: ld.shared.b32

func.func @nf4(%x: tensor<16x2560xbf16>, %w: tensor<131x1280xi8>, %s: tensor<131x40xf32> {check.draw = "uniform 0.01 0.02"}) -> tensor<16x131xbf16> {
  %v1 = arith.constant dense<[-1.0, -0.696192801, -0.525073051, -0.394917488, -0.284441382, -0.184773430, -0.0910500362, 0.0, 0.0795803, 0.160930201, 0.246112302, 0.337915242, 0.440709829, 0.562617003, 0.722956840, 1.0]> : tensor<16xf32>
  %v2 = arith.constant 4 : i8
  %v3 = arith.constant 15 : i8
  %v4 = tensor.empty() : tensor<131x1280xi8>
  %v5 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<131x1280xi8>) outs(%v4 : tensor<131x1280xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.shrui %a0, %v2 : i8
    linalg.yield %r : i8
  } -> tensor<131x1280xi8>
  %v6 = tensor.empty() : tensor<131x1280xi64>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v5 : tensor<131x1280xi8>) outs(%v6 : tensor<131x1280xi64>) {
  ^bb0(%a0: i8, %o: i64):
    %r = arith.extui %a0 : i8 to i64
    linalg.yield %r : i64
  } -> tensor<131x1280xi64>
  %v8 = tensor.empty() : tensor<131x1280xf32>
  %v9 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v7 : tensor<131x1280xi64>) outs(%v8 : tensor<131x1280xf32>) {
  ^bb0(%a0: i64, %o: f32):
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %v1[%c] : tensor<16xf32>
    linalg.yield %r : f32
  } -> tensor<131x1280xf32>
  %v10 = tensor.expand_shape %v9 [[0], [1, 2]] output_shape [131, 1280, 1] : tensor<131x1280xf32> into tensor<131x1280x1xf32>
  %v11 = tensor.empty() : tensor<131x1280xi8>
  %v12 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<131x1280xi8>) outs(%v11 : tensor<131x1280xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %v3 : i8
    linalg.yield %r : i8
  } -> tensor<131x1280xi8>
  %v13 = tensor.empty() : tensor<131x1280xi64>
  %v14 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v12 : tensor<131x1280xi8>) outs(%v13 : tensor<131x1280xi64>) {
  ^bb0(%a0: i8, %o: i64):
    %r = arith.extui %a0 : i8 to i64
    linalg.yield %r : i64
  } -> tensor<131x1280xi64>
  %v15 = tensor.empty() : tensor<131x1280xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v14 : tensor<131x1280xi64>) outs(%v15 : tensor<131x1280xf32>) {
  ^bb0(%a0: i64, %o: f32):
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %v1[%c] : tensor<16xf32>
    linalg.yield %r : f32
  } -> tensor<131x1280xf32>
  %v17 = tensor.expand_shape %v16 [[0], [1, 2]] output_shape [131, 1280, 1] : tensor<131x1280xf32> into tensor<131x1280x1xf32>
  %v18 = tensor.concat dim(2) %v10, %v17 : (tensor<131x1280x1xf32>, tensor<131x1280x1xf32>) -> tensor<131x1280x2xf32>
  %v19 = tensor.collapse_shape %v18 [[0], [1, 2]] : tensor<131x1280x2xf32> into tensor<131x2560xf32>
  %v20 = tensor.expand_shape %v19 [[0], [1, 2]] output_shape [131, 40, 64] : tensor<131x2560xf32> into tensor<131x40x64xf32>
  %v21 = tensor.empty() : tensor<131x40x64xf32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v20, %s : tensor<131x40x64xf32>, tensor<131x40xf32>) outs(%v21 : tensor<131x40x64xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<131x40x64xf32>
  %v23 = tensor.empty() : tensor<131x40x64xbf16>
  %v24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22 : tensor<131x40x64xf32>) outs(%v23 : tensor<131x40x64xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<131x40x64xbf16>
  %v25 = tensor.collapse_shape %v24 [[0], [1, 2]] : tensor<131x40x64xbf16> into tensor<131x2560xbf16>
  %v26 = tensor.empty() : tensor<2560x131xbf16>
  %v27 = linalg.transpose ins(%v25 : tensor<131x2560xbf16>) outs(%v26 : tensor<2560x131xbf16>) permutation = [1, 0]
  %v28 = arith.constant 0.0 : f32
  %v29 = tensor.empty() : tensor<16x131xf32>
  %v30 = linalg.fill ins(%v28 : f32) outs(%v29 : tensor<16x131xf32>) -> tensor<16x131xf32>
  %v31 = linalg.matmul ins(%x, %v27 : tensor<16x2560xbf16>, tensor<2560x131xbf16>) outs(%v30 : tensor<16x131xf32>) -> tensor<16x131xf32>
  %v32 = tensor.empty() : tensor<16x131xbf16>
  %v33 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v31 : tensor<16x131xf32>) outs(%v32 : tensor<16x131xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<16x131xbf16>
  return %v33 : tensor<16x131xbf16>
}

func.func @mxfp4(%x: tensor<16x2560xbf16>, %w: tensor<131x1280xi8>, %s: tensor<131x80xi8> {check.draw = "uniform 120 127"}) -> tensor<16x131xbf16> {
  %v1 = arith.constant dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]> : tensor<16xbf16>
  %v2 = arith.constant 4 : i8
  %v3 = arith.constant 15 : i8
  %v4 = tensor.empty() : tensor<131x1280xi8>
  %v5 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<131x1280xi8>) outs(%v4 : tensor<131x1280xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.shrui %a0, %v2 : i8
    linalg.yield %r : i8
  } -> tensor<131x1280xi8>
  %v6 = tensor.empty() : tensor<131x1280xi64>
  %v7 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v5 : tensor<131x1280xi8>) outs(%v6 : tensor<131x1280xi64>) {
  ^bb0(%a0: i8, %o: i64):
    %r = arith.extui %a0 : i8 to i64
    linalg.yield %r : i64
  } -> tensor<131x1280xi64>
  %v8 = tensor.empty() : tensor<131x1280xbf16>
  %v9 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v7 : tensor<131x1280xi64>) outs(%v8 : tensor<131x1280xbf16>) {
  ^bb0(%a0: i64, %o: bf16):
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %v1[%c] : tensor<16xbf16>
    linalg.yield %r : bf16
  } -> tensor<131x1280xbf16>
  %v10 = tensor.expand_shape %v9 [[0], [1, 2]] output_shape [131, 1280, 1] : tensor<131x1280xbf16> into tensor<131x1280x1xbf16>
  %v11 = tensor.empty() : tensor<131x1280xi8>
  %v12 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<131x1280xi8>) outs(%v11 : tensor<131x1280xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %v3 : i8
    linalg.yield %r : i8
  } -> tensor<131x1280xi8>
  %v13 = tensor.empty() : tensor<131x1280xi64>
  %v14 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v12 : tensor<131x1280xi8>) outs(%v13 : tensor<131x1280xi64>) {
  ^bb0(%a0: i8, %o: i64):
    %r = arith.extui %a0 : i8 to i64
    linalg.yield %r : i64
  } -> tensor<131x1280xi64>
  %v15 = tensor.empty() : tensor<131x1280xbf16>
  %v16 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v14 : tensor<131x1280xi64>) outs(%v15 : tensor<131x1280xbf16>) {
  ^bb0(%a0: i64, %o: bf16):
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %v1[%c] : tensor<16xbf16>
    linalg.yield %r : bf16
  } -> tensor<131x1280xbf16>
  %v17 = tensor.expand_shape %v16 [[0], [1, 2]] output_shape [131, 1280, 1] : tensor<131x1280xbf16> into tensor<131x1280x1xbf16>
  %v18 = tensor.concat dim(2) %v17, %v10 : (tensor<131x1280x1xbf16>, tensor<131x1280x1xbf16>) -> tensor<131x1280x2xbf16>
  %v19 = tensor.collapse_shape %v18 [[0], [1, 2]] : tensor<131x1280x2xbf16> into tensor<131x2560xbf16>
  %v20 = tensor.expand_shape %v19 [[0], [1, 2]] output_shape [131, 80, 32] : tensor<131x2560xbf16> into tensor<131x80x32xbf16>
  %v21 = arith.constant 23 : i32
  %v22 = tensor.empty() : tensor<131x80xf32>
  %v23 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<131x80xi8>) outs(%v22 : tensor<131x80xf32>) {
  ^bb0(%a0: i8, %o: f32):
    %e = arith.extui %a0 : i8 to i32
    %h = arith.shli %e, %v21 : i32
    %r = arith.bitcast %h : i32 to f32
    linalg.yield %r : f32
  } -> tensor<131x80xf32>
  %v24 = tensor.empty() : tensor<131x80xbf16>
  %v25 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v23 : tensor<131x80xf32>) outs(%v24 : tensor<131x80xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<131x80xbf16>
  %v26 = tensor.empty() : tensor<131x80x32xbf16>
  %v27 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v20, %v25 : tensor<131x80x32xbf16>, tensor<131x80xbf16>) outs(%v26 : tensor<131x80x32xbf16>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: bf16):
    %r = arith.mulf %a0, %a1 : bf16
    linalg.yield %r : bf16
  } -> tensor<131x80x32xbf16>
  %v28 = tensor.collapse_shape %v27 [[0], [1, 2]] : tensor<131x80x32xbf16> into tensor<131x2560xbf16>
  %v29 = tensor.empty() : tensor<2560x131xbf16>
  %v30 = linalg.transpose ins(%v28 : tensor<131x2560xbf16>) outs(%v29 : tensor<2560x131xbf16>) permutation = [1, 0]
  %v31 = arith.constant 0.0 : f32
  %v32 = tensor.empty() : tensor<16x131xf32>
  %v33 = linalg.fill ins(%v31 : f32) outs(%v32 : tensor<16x131xf32>) -> tensor<16x131xf32>
  %v34 = linalg.matmul ins(%x, %v30 : tensor<16x2560xbf16>, tensor<2560x131xbf16>) outs(%v33 : tensor<16x131xf32>) -> tensor<16x131xf32>
  %v35 = tensor.empty() : tensor<16x131xbf16>
  %v36 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v34 : tensor<16x131xf32>) outs(%v35 : tensor<16x131xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<16x131xbf16>
  return %v36 : tensor<16x131xbf16>
}
