// A ring on two GPUs. The kernel that runs while parts travel is not persistent: what
// carries them needs processors. The last one, behind the wait, is. Bounds of loops follow
// from the causal mask and the position of the process: a loop without a mask, and one with,
// which comes first in the persistent kernel.
//
// RUN: linalg-ext-compile %s --target=sm_90a --emit=mlir --report=all -o %t.mlir \
// RUN:   --shard='2: [[], [0]], [[], ring [0]], [[], ring [0]] -> [[], [0]]' 2>&1 | FileCheck %s
// RUN: linalg-ext-compile %s --target=sm_90a --emit=mlir --report=all -o %t.mlir \
// RUN:   --shard='2 striped: [[], [0]], [[], ring [0]], [[], ring [0]] -> [[], [0]]' 2>&1 | FileCheck %s
//
// CHECK-DAG: kernel 0: roles, {{[^,]*}}, rotated:
// CHECK-DAG: kernel 1: roles, {{[^,]*}}, rotated, persistent, rows in registers:
// CHECK:     @attention: 3 kernels
//
// RUN: linalg-ext-opt %s \
// RUN:   --linalg-ext-shard="sharding='2: [[], [0]], [[], ring [0]], [[], ring [0]] -> [[], [0]]'" \
// RUN:   --linalg-ext-to-nvvm=chip=sm_90a --mlir-print-ir-after=linalg-ext-tighten-loop-bounds -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOOPS
//
// LOOPS-LABEL: IR Dump After {{.*}} (linalg-ext-tighten-loop-bounds)
// LOOPS:       = scf.forall
// LOOPS:       = scf.for %
// LOOPS-NOT:   arith.cmpi
// LOOPS:       = scf.for %
// LOOPS:       arith.cmpi
// LOOPS-NOT:   = scf.for %
// LOOPS:       scf.forall.in_parallel
// LOOPS:       = scf.forall
// LOOPS:       = scf.for %
// LOOPS:       arith.cmpi
// LOOPS:       = scf.for %
// LOOPS-NOT:   arith.cmpi
// LOOPS:       scf.forall.in_parallel

func.func @attention(%q: tensor<16x8192x128xf16>, %k: tensor<16x8192x128xf16>,
                     %v: tensor<16x8192x128xf16>) -> tensor<16x8192x128xf16> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<16x8192x8192xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<16x8192x8192xf32>) -> tensor<16x8192x8192xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, n, d) -> (h, m, d)>,
                       affine_map<(h, m, n, d) -> (h, n, d)>,
                       affine_map<(h, m, n, d) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<16x8192x128xf16>, tensor<16x8192x128xf16>) outs(%sz : tensor<16x8192x8192xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<16x8192x8192xf32>
  %t_e = tensor.empty() : tensor<16x8192x8192xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<16x8192x8192xf32>) outs(%t_e : tensor<16x8192x8192xf32>) {
  ^bb0(%x: f32, %unused: f32):
    %scale = arith.constant 0.08838834764831845 : f32
    %y = arith.mulf %x, %scale : f32
    %row = linalg.index 1 : index
    %key = linalg.index 2 : index
    %seen = arith.cmpi ule, %key, %row : index
    %ninf = arith.constant 0xFF800000 : f32
    %z = arith.select %seen, %y, %ninf : f32
    linalg.yield %z : f32
  } -> tensor<16x8192x8192xf32>
  %w32 = linalg.softmax dimension(2) ins(%t : tensor<16x8192x8192xf32>) outs(%se : tensor<16x8192x8192xf32>)
      -> tensor<16x8192x8192xf32>
  %w_e = tensor.empty() : tensor<16x8192x8192xf16>
  %w = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w32 : tensor<16x8192x8192xf32>) outs(%w_e : tensor<16x8192x8192xf16>) {
  ^bb0(%x: f32, %unused: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<16x8192x8192xf16>
  %oe = tensor.empty() : tensor<16x8192x128xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<16x8192x128xf32>) -> tensor<16x8192x128xf32>
  %o32 = linalg.batch_matmul
      ins(%w, %v : tensor<16x8192x8192xf16>, tensor<16x8192x128xf16>)
      outs(%oz : tensor<16x8192x128xf32>) -> tensor<16x8192x128xf32>
  %o_e = tensor.empty() : tensor<16x8192x128xf16>
  %o = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o32 : tensor<16x8192x128xf32>) outs(%o_e : tensor<16x8192x128xf16>) {
  ^bb0(%x: f32, %unused: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<16x8192x128xf16>
  return %o : tensor<16x8192x128xf16>
}
