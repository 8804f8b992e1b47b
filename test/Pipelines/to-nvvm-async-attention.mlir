// Attention by asynchronous instructions on tiles that are copied as a whole.

// RUN: rm -rf %t && mkdir %t && split-file %s %t

// Dynamic sizes, causal. A workgroup has 64 rows, an instruction of the first
// product 64 keys, and one of the second product all 128 columns. There are two
// loops, one with masks. Q, K and V have two boxes of 64 columns each. With one
// slot, copies are in the loops only.
// RUN: linalg-ext-compile %t/causal.mlir --target=sm_90a --emit=ptx --options="async-products=true roles=false rotate-loops=false" -o %t/causal.ptx
// RUN: grep -oE "(wgmma|mbarrier|cp\.async\.bulk|mma\.sync)\.[a-z_.:]*[a-z](\.m64n[0-9]*)?" %t/causal.ptx | sort | uniq -c | FileCheck %s --check-prefix=COUNT
// COUNT:      {{^ *}}10 cp.async.bulk.tensor
// COUNT-NEXT: {{^ *}}5 mbarrier.arrive.expect_tx.shared.b
// COUNT-NEXT: {{^ *}}3 mbarrier.init.shared.b
// COUNT-NEXT: {{^ *}}5 mbarrier.try_wait.parity.shared.b
// COUNT-NEXT: {{^ *}}4 wgmma.commit_group.sync.aligned
// COUNT-NEXT: {{^ *}}{{[0-9]+}} wgmma.fence.sync.aligned
// COUNT-NEXT: {{^ *}}8 wgmma.mma_async.sync.aligned.m64n128
// COUNT-NEXT: {{^ *}}16 wgmma.mma_async.sync.aligned.m64n64
// COUNT-NEXT: {{^ *}}4 wgmma.wait_group.sync.aligned
// COUNT-NOT:  {{.}}

// All of Q, K and V is copied by the hardware.
// RUN: FileCheck %s --check-prefix=PTX < %t/causal.ptx
// PTX: .param .align 64 .b8 {{.*}}[128]
// PTX-NOT: ld.global
// RUN: %if ptxas %{ linalg-ext-compile %t/causal.mlir --target=sm_90a --options="async-products=true roles=false" -o %t/shared.cubin --resource-usage 2>&1 | FileCheck %s --check-prefix=USAGE %}
// RUN: %if ptxas %{ linalg-ext-compile %t/causal.mlir --target=sm_90a --options="async-products=true" -o %t/roles.cubin --resource-usage 2>&1 | FileCheck %s --check-prefix=USAGE %}
// USAGE-NOT: warning
// USAGE: attention_kernel: {{.*}} 0 bytes spill stores, 0 bytes spill loads

// The map of V in the masked loop ends where K does; that of an empty buffer has
// a size of 1.
// RUN: %python -m linalg_ext plan %t/causal.json attention 3x100x128xf16 3x70x128xf16 3x70x128xf16 3x100x128xf16 | FileCheck %s --check-prefix=PLAN
// PLAN: attention_kernel grid 6x1x1 block 128x1x1
// PLAN-SAME: tensor_map:argument:0:f16 sizes 128x100x3 strides 256x25600 box 64x64x1 swizzle 128
// PLAN-SAME: tensor_map:argument:1:f16 sizes 128x70x3 strides 256x17920 box 64x64x1 swizzle 128
// PLAN-SAME: tensor_map:argument:2:f16 sizes 128x70x3 strides 256x17920 box 64x64x1 swizzle 128
// RUN: %python -m linalg_ext plan %t/causal.json attention 3x100x128xf16 3x0x128xf16 3x0x128xf16 3x100x128xf16 | FileCheck %s --check-prefix=EMPTY
// EMPTY: tensor_map:argument:1:f16 sizes 128x1x3 strides 256x256 box

// Rows of 72 bytes are compiled as without the option.
// RUN: sed s/x128xf16/x36xf16/g %t/causal.mlir | sed s/x128xf32/x36xf32/g > %t/odd.mlir
// RUN: linalg-ext-compile %t/odd.mlir --target=sm_90a --emit=ptx --options="async-products=true report=all" -o %t/odd.ptx 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: remark: falls back: {{.*}}cannot stage tiles: the rows of the buffer have 72 bytes, expected a multiple of 16
// RUN: linalg-ext-compile %t/odd.mlir --target=sm_90a --emit=ptx -o %t/today.ptx
// RUN: cmp %t/odd.ptx %t/today.ptx

//--- causal.mlir
func.func @attention(%q: tensor<?x?x128xf16>, %k: tensor<?x?x128xf16>, %v: tensor<?x?x128xf16>) -> tensor<?x?x128xf16> {
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x128xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x128xf16>
  %n = tensor.dim %k, %c1 : tensor<?x?x128xf16>
  %scores = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%scores : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %qk = linalg.generic {indexing_maps = [affine_map<(b, m, n, d) -> (b, m, d)>, affine_map<(b, m, n, d) -> (b, n, d)>, affine_map<(b, m, n, d) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x128xf16>, tensor<?x?x128xf16>) outs(%start : tensor<?x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x?x?xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qk : tensor<?x?x?xf32>) outs(%scores : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %visible = arith.cmpi ule, %column, %row : index
    %0 = arith.select %visible, %x, %hidden : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<?x?x?xf32>) outs(%scores : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %narrow = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<?x?x?xf32>) outs(%narrow : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %0 = arith.truncf %x : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x?x?xf16>
  %wide = tensor.empty(%b, %m) : tensor<?x?x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<?x?x128xf32>) -> tensor<?x?x128xf32>
  %pv = linalg.generic {indexing_maps = [affine_map<(b, m, e, n) -> (b, m, n)>, affine_map<(b, m, e, n) -> (b, n, e)>, affine_map<(b, m, e, n) -> (b, m, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %v : tensor<?x?x?xf16>, tensor<?x?x128xf16>) outs(%init : tensor<?x?x128xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x?x128xf32>
  %result = tensor.empty(%b, %m) : tensor<?x?x128xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, e) -> (b, m, e)>, affine_map<(b, m, e) -> (b, m, e)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pv : tensor<?x?x128xf32>) outs(%result : tensor<?x?x128xf16>) {
  ^bb0(%x: f32, %o: f16):
    %0 = arith.truncf %x : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x?x128xf16>
  return %r : tensor<?x?x128xf16>
}
