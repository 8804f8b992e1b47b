// A product of unsigned rows and of weights [K, N] of integers, as an ONNX importer gives it,
// with a scale and a rounding behind it. wgmma transposes no bytes: weights are transposed in
// front of it.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=15600 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true" | FileCheck %s

// CHECK: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.s32.u8.u8

func.func @int8_weights(%x: tensor<70x208xi8> {check.draw = "uniform -128 127"},
                        %w: tensor<208x75xi8> {check.draw = "uniform -128 127"},
                        %scale: tensor<75xf32> {check.draw = "uniform 0.0001 0.0005"}) -> tensor<70x75xf16> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<70x75xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<70x75xi32>) -> tensor<70x75xi32>
  %sums = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<70x208xi8>, tensor<208x75xi8>) outs(%init : tensor<70x75xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extui %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<70x75xi32>
  %rounded = tensor.empty() : tensor<70x75xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums, %scale : tensor<70x75xi32>, tensor<75xf32>) outs(%rounded : tensor<70x75xf16>) {
  ^bb0(%a: i32, %s: f32, %o: f16):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<70x75xf16>
  return %r : tensor<70x75xf16>
}
