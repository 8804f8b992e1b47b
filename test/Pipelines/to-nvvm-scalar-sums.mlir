// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-nvvm{chip=sm_90a})' --mlir-disable-threading --mlir-print-ir-after=linalg-ext-map-to-launches -o /dev/null 2>&1 | FileCheck %s

// A sum whose terms have no vector form becomes scalar code. It is one of f32 that is
// rounded once, as in other code.

// CHECK: gpu.launch
// CHECK: %[[SUM:.+]] = arith.addf %{{.*}} : f32
// CHECK: memref.store %{{.*}} : memref<7xf32>
// CHECK: gpu.launch
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: falls back
func.func @sums(%x: tensor<7x41xf16>) -> tensor<7xf16> {
  %zero = arith.constant 0.0 : f16
  %half = arith.constant 0.5 : f16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1_i16 = arith.constant 1 : i16
  %e = tensor.empty() : tensor<7xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<7xf16>) -> tensor<7xf16>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x41xf16>) outs(%f : tensor<7xf16>) {
  ^bb0(%a: f16, %o: f16):
    %bits = arith.bitcast %a : f16 to i16
    %last = arith.andi %bits, %c1_i16 : i16
    %n = arith.index_cast %last : i16 to index
    %t = scf.for %k = %c0 to %n step %c1 iter_args(%v = %a) -> (f16) {
      %m = arith.mulf %v, %half : f16
      scf.yield %m : f16
    }
    %r = arith.addf %t, %o : f16
    linalg.yield %r : f16
  } -> tensor<7xf16>
  return %s : tensor<7xf16>
}
