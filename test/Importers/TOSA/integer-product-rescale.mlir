// A product of integers with constant zero points (`linalg.quantized_batch_matmul`), and a
// rescale in i64, which rounds and clamps to bytes.

// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor))' -o %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=cpu
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=3 --max-buffer-bytes=512
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=3 --max-buffer-bytes=512 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=3 --max-buffer-bytes=512 --gpu-options=chip=gfx1100
// RUN: linalg-ext-opt %t.mlir --linalg-ext-to-nvvm=chip=sm_80 | FileCheck %s

// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32

func.func @fully_connected(%a: tensor<2x33x80xi8> {check.draw = "uniform -128 127"}, %b: tensor<2x80x48xi8> {check.draw = "uniform -128 127"}) -> tensor<2x33x48xi8> {
  %za = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zb = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.matmul %a, %b, %za, %zb : (tensor<2x33x80xi8>, tensor<2x80x48xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x33x48xi32>
  %multiplier = "tosa.const"() <{values = dense<1142502542> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zi = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zo = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %p, %multiplier, %shift, %zi, %zo {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<2x33x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x33x48xi8>
  return %r : tensor<2x33x48xi8>
}
