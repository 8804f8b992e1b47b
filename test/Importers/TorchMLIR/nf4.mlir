// Weights of 4 bits that are numbers of a table (NF4), two to a byte, the high half first, with
// a scale for each 64 of them, which is a byte, too: an element of a table of 256, times a
// scale, plus a constant. Indices are extended to 64 bits, and count from the end where they are
// negative, as torch-mlir writes them. The table of 16 becomes selects, which the product
// computes; AVX-512 looks the numbers up in a register. The table of the floats of 4 bits (MXFP4)
// in the same way.

// On a GPU, the scales of the groups are computed in front: an index, and a number for each. On
// NVIDIA GPUs the table is in the lanes of a subgroup. A table of f16 is, too.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9600 --max-kernels=3 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: sed 's/37x/1x/g' %s | linalg-ext-check-program - --max-buffer-bytes=1280 --max-kernels=3 --cpu-options='cpu=host l1-bytes=1024 l2-bytes=1024'
// RUN: sed 's/dense<.*> : tensor<16xf32>/dense<[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]> : tensor<16xf32>/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=1280 --max-kernels=3 --gpu-options=chip=gfx942
// RUN: sed 's/%c = tensor.extract %k0\[%b\] : tensor<16xf32>/%h = tensor.extract %k0[%b] : tensor<16xf16> %c = arith.extf %h : f16 to f32/; s/: tensor<16xf32>$/: tensor<16xf16>/' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-buffer-bytes=1280 --max-kernels=3 --gpu-options=chip=sm_90a
// RUN: sed 's/37x/1x/g' %s | linalg-ext-opt --linalg-ext-to-llvm=cpu=x86-64-v4 | FileCheck %s
// RUN: linalg-ext-opt %t.mlir --linalg-ext-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=LANES

// CHECK-COUNT-4: permvar.sf.512
// LANES-COUNT-16: shfl.sync.idx.b32

func.func @nf4(%x: tensor<37x128xbf16>, %w: tensor<5120x1xi8> {check.draw = "uniform -128 127"}, %am: tensor<160xi8> {check.draw = "uniform -128 127"}, %code: tensor<256xf32> {check.draw = "uniform 0.1 1"}, %am2: tensor<1xf32> {check.draw = "uniform 0.1 1"}) -> tensor<37x80xbf16> {
  %k0 = arith.constant dense<[-1.0, -0.696192801, -0.525073051, -0.394917488, -0.284441382, -0.184773430, -0.0910500362, 0.0, 0.0795803, 0.160930201, 0.246112302, 0.337915242, 0.440709829, 0.562617003, 0.722956840, 1.0]> : tensor<16xf32>
  %k1 = arith.constant 4 : i8
  %k2 = arith.constant 15 : i8
  %k3 = arith.constant 0 : i64
  %k4 = arith.constant 16 : i64
  %k5 = arith.constant 256 : i64
  %k6 = arith.constant 0.05 : f32
  %k7 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<5120x1xi8>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<5120x1xi8>) outs(%1 : tensor<5120x1xi8>) {
  ^bb0(%in0: i8, %out: i8):
    %a = arith.shrui %in0, %k1 : i8
    linalg.yield %a : i8
  } -> tensor<5120x1xi8>
  %3 = tensor.empty() : tensor<5120x1xi8>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<5120x1xi8>) outs(%3 : tensor<5120x1xi8>) {
  ^bb0(%in0: i8, %out: i8):
    %a = arith.andi %in0, %k2 : i8
    linalg.yield %a : i8
  } -> tensor<5120x1xi8>
  %5 = tensor.concat dim(1) %2, %4 : (tensor<5120x1xi8>, tensor<5120x1xi8>) -> tensor<5120x2xi8>
  %6 = tensor.empty() : tensor<5120x2xi64>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<5120x2xi8>) outs(%6 : tensor<5120x2xi64>) {
  ^bb0(%in0: i8, %out: i64):
    %a = arith.extui %in0 : i8 to i64
    linalg.yield %a : i64
  } -> tensor<5120x2xi64>
  %8 = tensor.collapse_shape %7 [[0, 1]] : tensor<5120x2xi64> into tensor<10240xi64>
  %9 = tensor.empty() : tensor<10240xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%8 : tensor<10240xi64>) outs(%9 : tensor<10240xf32>) {
  ^bb0(%in0: i64, %out: f32):
    %n = arith.cmpi slt, %in0, %k3 : i64
    %a = arith.addi %in0, %k4 : i64
    %s = arith.select %n, %a, %in0 : i64
    %b = arith.index_cast %s : i64 to index
    %c = tensor.extract %k0[%b] : tensor<16xf32>
    linalg.yield %c : f32
  } -> tensor<10240xf32>
  %11 = tensor.empty() : tensor<160xi64>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%am : tensor<160xi8>) outs(%11 : tensor<160xi64>) {
  ^bb0(%in0: i8, %out: i64):
    %a = arith.extui %in0 : i8 to i64
    linalg.yield %a : i64
  } -> tensor<160xi64>
  %13 = tensor.empty() : tensor<160xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%12 : tensor<160xi64>) outs(%13 : tensor<160xf32>) {
  ^bb0(%in0: i64, %out: f32):
    %n = arith.cmpi slt, %in0, %k3 : i64
    %a = arith.addi %in0, %k5 : i64
    %s = arith.select %n, %a, %in0 : i64
    %b = arith.index_cast %s : i64 to index
    %c = tensor.extract %code[%b] : tensor<256xf32>
    linalg.yield %c : f32
  } -> tensor<160xf32>
  %15 = tensor.collapse_shape %am2 [] : tensor<1xf32> into tensor<f32>
  %16 = tensor.empty() : tensor<160xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%14, %15 : tensor<160xf32>, tensor<f32>) outs(%16 : tensor<160xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %m = arith.mulf %in0, %in1 : f32
    %r = arith.addf %m, %k6 : f32
    linalg.yield %r : f32
  } -> tensor<160xf32>
  %18 = tensor.expand_shape %10 [[0, 1]] output_shape [160, 64] : tensor<10240xf32> into tensor<160x64xf32>
  %19 = tensor.empty() : tensor<160x64xf32>
  %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18, %17 : tensor<160x64xf32>, tensor<160xf32>) outs(%19 : tensor<160x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %m = arith.mulf %in0, %in1 : f32
    linalg.yield %m : f32
  } -> tensor<160x64xf32>
  %21 = tensor.collapse_shape %20 [[0, 1]] : tensor<160x64xf32> into tensor<10240xf32>
  %22 = tensor.expand_shape %21 [[0, 1]] output_shape [80, 128] : tensor<10240xf32> into tensor<80x128xf32>
  %23 = tensor.empty() : tensor<80x128xbf16>
  %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<80x128xf32>) outs(%23 : tensor<80x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<80x128xbf16>
  %25 = tensor.empty() : tensor<128x80xbf16>
  %26 = linalg.transpose ins(%24 : tensor<80x128xbf16>) outs(%25 : tensor<128x80xbf16>) permutation = [1, 0]
  %27 = tensor.empty() : tensor<37x80xf32>
  %28 = linalg.fill ins(%k7 : f32) outs(%27 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %29 = linalg.matmul ins(%x, %26 : tensor<37x128xbf16>, tensor<128x80xbf16>) outs(%28 : tensor<37x80xf32>) -> tensor<37x80xf32>
  %30 = tensor.empty() : tensor<37x80xbf16>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<37x80xf32>) outs(%30 : tensor<37x80xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<37x80xbf16>
  return %31 : tensor<37x80xbf16>
}
