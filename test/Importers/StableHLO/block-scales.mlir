// A product of two operands of f8 with scales of 1 x 128 and 128 x 128 elements (DeepSeek V3): a
// product for each block of what is summed, as a batch, whose results are scaled and added. On
// sm_90a, wgmma multiplies a block from zero, and threads scale and add while the next one is
// copied: one tile a workgroup, and several. Rows that fill no tile, and an unknown number of them.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: sed '/^.. Integers/,$d' %s > %t.f8.mlir
// RUN: linalg-ext-check-program %t.f8.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a roles=true persistent-kernels=true processors=2'
// RUN: sed 's/f8E4M3FN/bf16/g' %t.f8.mlir | linalg-ext-check-program - --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: sed 's/200x/?x/g; s/tensor.empty()/tensor.empty(%rows)/; s/output_shape .200,/output_shape [%rows,/; s/%z = /%c0 = arith.constant 0 : index %rows = tensor.dim %x, %c0 : tensor<?x768xf8E4M3FN> %z = /' %t.f8.mlir > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --sizes=150x768,150x6,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a | FileCheck %s
// RUN: linalg-ext-opt %t.f8.mlir --linalg-ext-to-nvvm='chip=sm_90a f8-products=f16' | FileCheck %s --check-prefix=F16

// CHECK: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.f32.e4m3.e4m3
// CHECK: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.s32.s8.s8

// F16-NOT: e4m3.e4m3
// F16: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16

func.func @block_scaled(%x: tensor<200x768xf8E4M3FN> {check.draw = "uniform -2 2"},
                        %xs: tensor<200x6xf32> {check.draw = "uniform 0.1 1"},
                        %w: tensor<256x768xf8E4M3FN> {check.draw = "uniform -2 2"},
                        %ws: tensor<2x6xf32> {check.draw = "uniform 0.1 1"}) -> tensor<200x256xbf16> {
  %z = arith.constant 0.0 : f32
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [200, 6, 128] : tensor<200x768xf8E4M3FN> into tensor<200x6x128xf8E4M3FN>
  %2 = tensor.expand_shape %w [[0, 1], [2, 3]] output_shape [2, 128, 6, 128] : tensor<256x768xf8E4M3FN> into tensor<2x128x6x128xf8E4M3FN>
  %3 = tensor.empty() : tensor<6x200x2x128xf32>
  %4 = linalg.fill ins(%z : f32) outs(%3 : tensor<6x200x2x128xf32>) -> tensor<6x200x2x128xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(g, m, a, b, k) -> (m, g, k)>, affine_map<(g, m, a, b, k) -> (a, b, g, k)>, affine_map<(g, m, a, b, k) -> (g, m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %2 : tensor<200x6x128xf8E4M3FN>, tensor<2x128x6x128xf8E4M3FN>) outs(%4 : tensor<6x200x2x128xf32>) {
  ^bb0(%in0: f8E4M3FN, %in1: f8E4M3FN, %out: f32):
    %a = arith.extf %in0 : f8E4M3FN to f32
    %b = arith.extf %in1 : f8E4M3FN to f32
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %out, %m : f32
    linalg.yield %t : f32
  } -> tensor<6x200x2x128xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(g, m, a, b) -> (g, m, a, b)>, affine_map<(g, m, a, b) -> (m, g)>, affine_map<(g, m, a, b) -> (a, g)>, affine_map<(g, m, a, b) -> (g, m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%5, %xs, %ws : tensor<6x200x2x128xf32>, tensor<200x6xf32>, tensor<2x6xf32>) outs(%3 : tensor<6x200x2x128xf32>) {
  ^bb0(%in0: f32, %s0: f32, %s1: f32, %out: f32):
    %s = arith.mulf %s0, %s1 : f32
    %a = arith.mulf %in0, %s : f32
    linalg.yield %a : f32
  } -> tensor<6x200x2x128xf32>
  %7 = tensor.empty() : tensor<200x2x128xf32>
  %8 = linalg.fill ins(%z : f32) outs(%7 : tensor<200x2x128xf32>) -> tensor<200x2x128xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(m, a, b, g) -> (g, m, a, b)>, affine_map<(m, a, b, g) -> (m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%6 : tensor<6x200x2x128xf32>) outs(%8 : tensor<200x2x128xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %t = arith.addf %out, %in0 : f32
    linalg.yield %t : f32
  } -> tensor<200x2x128xf32>
  %10 = tensor.empty() : tensor<200x2x128xbf16>
  %11 = linalg.generic {indexing_maps = [affine_map<(m, a, b) -> (m, a, b)>, affine_map<(m, a, b) -> (m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%9 : tensor<200x2x128xf32>) outs(%10 : tensor<200x2x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<200x2x128xbf16>
  %12 = tensor.collapse_shape %11 [[0], [1, 2]] : tensor<200x2x128xbf16> into tensor<200x256xbf16>
  return %12 : tensor<200x256xbf16>
}

// Integers.

func.func @block_scaled_integers(%x: tensor<200x768xi8> {check.draw = "uniform -128 127"},
                        %xs: tensor<200x6xf32> {check.draw = "uniform 0.1 1"},
                        %w: tensor<256x768xi8> {check.draw = "uniform -128 127"},
                        %ws: tensor<2x6xf32> {check.draw = "uniform 0.1 1"}) -> tensor<200x256xbf16> {
  %z = arith.constant 0.0 : f32
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [200, 6, 128] : tensor<200x768xi8> into tensor<200x6x128xi8>
  %2 = tensor.expand_shape %w [[0, 1], [2, 3]] output_shape [2, 128, 6, 128] : tensor<256x768xi8> into tensor<2x128x6x128xi8>
  %e = tensor.empty() : tensor<6x200x2x128xf32>
  %zi = arith.constant 0 : i32
  %3 = tensor.empty() : tensor<6x200x2x128xi32>
  %4 = linalg.fill ins(%zi : i32) outs(%3 : tensor<6x200x2x128xi32>) -> tensor<6x200x2x128xi32>
  %5 = linalg.generic {indexing_maps = [affine_map<(g, m, a, b, k) -> (m, g, k)>, affine_map<(g, m, a, b, k) -> (a, b, g, k)>, affine_map<(g, m, a, b, k) -> (g, m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %2 : tensor<200x6x128xi8>, tensor<2x128x6x128xi8>) outs(%4 : tensor<6x200x2x128xi32>) {
  ^bb0(%in0: i8, %in1: i8, %out: i32):
    %a = arith.extsi %in0 : i8 to i32
    %b = arith.extsi %in1 : i8 to i32
    %m = arith.muli %a, %b : i32
    %t = arith.addi %out, %m : i32
    linalg.yield %t : i32
  } -> tensor<6x200x2x128xi32>
  %6 = linalg.generic {indexing_maps = [affine_map<(g, m, a, b) -> (g, m, a, b)>, affine_map<(g, m, a, b) -> (m, g)>, affine_map<(g, m, a, b) -> (a, g)>, affine_map<(g, m, a, b) -> (g, m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%5, %xs, %ws : tensor<6x200x2x128xi32>, tensor<200x6xf32>, tensor<2x6xf32>) outs(%e : tensor<6x200x2x128xf32>) {
  ^bb0(%in0: i32, %s0: f32, %s1: f32, %out: f32):
    %s = arith.mulf %s0, %s1 : f32
    %w0 = arith.sitofp %in0 : i32 to f32
    %a = arith.mulf %w0, %s : f32
    linalg.yield %a : f32
  } -> tensor<6x200x2x128xf32>
  %7 = tensor.empty() : tensor<200x2x128xf32>
  %8 = linalg.fill ins(%z : f32) outs(%7 : tensor<200x2x128xf32>) -> tensor<200x2x128xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(m, a, b, g) -> (g, m, a, b)>, affine_map<(m, a, b, g) -> (m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%6 : tensor<6x200x2x128xf32>) outs(%8 : tensor<200x2x128xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %t = arith.addf %out, %in0 : f32
    linalg.yield %t : f32
  } -> tensor<200x2x128xf32>
  %10 = tensor.empty() : tensor<200x2x128xbf16>
  %11 = linalg.generic {indexing_maps = [affine_map<(m, a, b) -> (m, a, b)>, affine_map<(m, a, b) -> (m, a, b)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%9 : tensor<200x2x128xf32>) outs(%10 : tensor<200x2x128xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<200x2x128xbf16>
  %12 = tensor.collapse_shape %11 [[0], [1, 2]] : tensor<200x2x128xbf16> into tensor<200x256xbf16>
  return %12 : tensor<200x256xbf16>
}
