// MatMulInteger as torch-mlir imports it: unsigned bytes become signed ones, 128 is taken from
// their zero point, and `linalg.quantized_matmul` subtracts both zero points. A scale and a
// rounded result follow, as in QLinearMatMul.

// Zero points are taken from the product: each sum of the other operand is one more kernel.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512 --gpu-options=chip=gfx1100
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_80 | FileCheck %s --check-prefix=MMA
// RUN: linalg-ext-opt %s --linalg-ext-to-rocdl='chip=gfx942 format=rocdl' | FileCheck %s --check-prefix=MFMA

// MMA: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// MFMA: rocdl.mfma.i32.16x16x32.i8

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @matmul_integer(%a: tensor<61x96xi8> {check.draw = "uniform -128 127"}, %b: tensor<96x75xi8> {check.draw = "uniform -128 127"}, %a_zero: tensor<i8> {check.draw = "uniform -128 127"}, %b_zero: tensor<i8> {check.draw = "uniform -128 127"}) -> tensor<61x75xi32> {
  %c0 = arith.constant 0 : i32
  %half = arith.constant -128 : i8
  %half32 = arith.constant -128 : i32
  %z0 = tensor.extract %a_zero[] : tensor<i8>
  %z1 = arith.extui %z0 : i8 to i64
  %z2 = arith.trunci %z1 : i64 to i32
  %za = arith.addi %z2, %half32 : i32
  %y0 = tensor.extract %b_zero[] : tensor<i8>
  %y1 = arith.extsi %y0 : i8 to i64
  %zb = arith.trunci %y1 : i64 to i32
  %ae = tensor.empty() : tensor<61x96xi8>
  %as = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<61x96xi8>) outs(%ae : tensor<61x96xi8>) {
  ^bb0(%x: i8, %o: i8):
    %0 = arith.addi %x, %half : i8
    linalg.yield %0 : i8
  } -> tensor<61x96xi8>
  %e = tensor.empty() : tensor<61x75xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<61x75xi32>) -> tensor<61x75xi32>
  %r = linalg.quantized_matmul ins(%as, %b, %za, %zb : tensor<61x96xi8>, tensor<96x75xi8>, i32, i32) outs(%f : tensor<61x75xi32>) -> tensor<61x75xi32>
  return %r : tensor<61x75xi32>
}

func.func @qlinear_matmul(%a: tensor<61x96xi8> {check.draw = "uniform -128 127"}, %b: tensor<96x75xi8> {check.draw = "uniform -128 127"}, %a_zero: tensor<i8> {check.draw = "uniform -128 127"}, %scale: tensor<f32> {check.draw = "uniform 0.0001 0.0005"}) -> tensor<61x75xi8> {
  %c0 = arith.constant 0 : i32
  %y0 = tensor.extract %a_zero[] : tensor<i8>
  %za = arith.extsi %y0 : i8 to i32
  %s = tensor.extract %scale[] : tensor<f32>
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<61x75xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<61x75xi32>) -> tensor<61x75xi32>
  %p = linalg.quantized_matmul ins(%a, %b, %za, %c0 : tensor<61x96xi8>, tensor<96x75xi8>, i32, i32) outs(%f : tensor<61x75xi32>) -> tensor<61x75xi32>
  %re = tensor.empty() : tensor<61x75xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<61x75xi32>) outs(%re : tensor<61x75xi8>) {
  ^bb0(%x: i32, %o: i8):
    %0 = arith.sitofp %x : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %three : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<61x75xi8>
  return %r : tensor<61x75xi8>
}
