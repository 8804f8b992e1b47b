// Products by asynchronous instructions on tiles that are copied as a whole.

// RUN: rm -rf %t && mkdir %t && split-file %s %t

// What is faster is chosen: workgroups that are alone for few tiles, and groups in
// turns for many.
// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/few.ptx 2>&1 | FileCheck %s --check-prefix=AUTO
// AUTO: remark: kernel 0: roles, 32 x 64 x 128, alone, operands exchanged: 0.{{[0-9]+}} of the time of sync
// RUN: sed 's/1024x/4096x/g; s/x256x/x1024x/g' %t/product.mlir > %t/many.mlir
// RUN: linalg-ext-compile %t/many.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/auto.ptx 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: remark: kernel 0: roles, 128 x 128 x 64, persistent, in turns: 0.{{[0-9]+}} of the time of sync, {{.*}}
// RUN: FileCheck %s --check-prefix=WGMMA < %t/auto.ptx
// WGMMA: wgmma.mma_async
// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="async-products=false report=all" -o %t/sync.ptx 2>&1 | FileCheck %s --check-prefix=SYNC --allow-empty
// SYNC-NOT: remark: kernel
// RUN: FileCheck %s --check-prefix=MMA < %t/sync.ptx
// MMA-NOT: wgmma
// MMA: mma.sync

// With roles: 256 threads compute tiles of 128 x 128 x 64, because wider ones would be
// too few, and one of 128 more copies. LLVM unrolls its eight iterations, of three
// boxes each. Each waits for an empty slot and expects bytes; the other role waits
// for a full slot, and arrives. Results go through shared memory, between two barriers.
// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="async-products=true roles=true exchange-operands=false report=all" -o %t/roles.ptx 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: remark: kernel 0: roles, 128 x 128 x 64: {{.*}}
// RUN: grep -oE "(wgmma|mbarrier|cp\.async\.bulk|bar|fence|setmaxnreg)\.[a-z_.:]*[a-z]" %t/roles.ptx | sort | uniq -c | FileCheck %s --check-prefix=ROLES
// ROLES:      {{^ *}}3 bar.sync
// ROLES-NEXT: {{^ *}}24 cp.async.bulk.tensor
// ROLES-NEXT: {{^ *}}2 fence.mbarrier_init.release.cluster
// ROLES-NEXT: {{^ *}}9 mbarrier.arrive.expect_tx.shared.b
// ROLES-NEXT: {{^ *}}8 mbarrier.init.shared.b
// ROLES-NEXT: {{^ *}}9 mbarrier.try_wait.parity.shared.b
// ROLES-NEXT: {{^ *}}1 setmaxnreg.dec.sync.aligned.u
// ROLES-NEXT: {{^ *}}1 setmaxnreg.inc.sync.aligned.u
// ROLES-NEXT: {{^ *}}1 wgmma.commit_group.sync.aligned
// ROLES-NEXT: {{^ *}}1 wgmma.fence.sync.aligned
// ROLES-NEXT: {{^ *}}4 wgmma.mma_async.sync.aligned.m
// ROLES-NEXT: {{^ *}}1 wgmma.wait_group.sync.aligned
// ROLES-NOT:  {{.}}
// RUN: %if ptxas %{ linalg-ext-compile %t/product.mlir --target=sm_90a --options="async-products=true roles=true exchange-operands=false" -o %t/roles.cubin --resource-usage 2>&1 | FileCheck %s --check-prefix=USAGE %}

// Without: 128 x 128 x 64 with 128 threads: two rows of instructions, four along K. A is
// one box, B two of 64 columns, and there are three slots: copies for the first
// two iterations are in front of the loop.
// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="async-products=true roles=false rows=128 columns=128" -o %t/product.ptx
// RUN: grep -oE "(wgmma|mbarrier|cp\.async\.bulk|bar|fence)\.[a-z_.:]*[a-z]" %t/product.ptx | sort | uniq -c | FileCheck %s --check-prefix=COUNT
// COUNT:      {{^ *}}{{[1-9]}} bar.sync
// COUNT-NEXT: {{^ *}}9 cp.async.bulk.tensor
// COUNT-NEXT: {{^ *}}1 fence.mbarrier_init.release.cluster
// COUNT-NEXT: {{^ *}}3 mbarrier.arrive.expect_tx.shared.b
// COUNT-NEXT: {{^ *}}3 mbarrier.init.shared.b
// COUNT-NEXT: {{^ *}}1 mbarrier.try_wait.parity.shared.b
// COUNT-NEXT: {{^ *}}1 wgmma.commit_group.sync.aligned
// COUNT-NEXT: {{^ *}}2 wgmma.fence.sync.aligned
// COUNT-NEXT: {{^ *}}8 wgmma.mma_async.sync.aligned.m
// COUNT-NEXT: {{^ *}}1 wgmma.wait_group.sync.aligned
// COUNT-NOT:  {{.}}

// The copies of a later iteration are under the product.
// RUN: FileCheck %s --check-prefix=OVERLAP < %t/product.ptx
// OVERLAP: mbarrier.try_wait.parity
// OVERLAP-COUNT-8: wgmma.mma_async
// OVERLAP-NOT: wgmma.wait_group
// OVERLAP: bar.sync
// OVERLAP-COUNT-3: cp.async.bulk.tensor
// OVERLAP: wgmma.wait_group.sync.aligned 0

// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="async-products=true roles=false rows=128 columns=128 stages=1" -o %t/one.ptx
// RUN: grep -oE "(mbarrier|cp\.async\.bulk)\.[a-z_.:]*[a-z]" %t/one.ptx | sort | uniq -c | FileCheck %s --check-prefix=ONE
// ONE:      {{^ *}}3 cp.async.bulk.tensor
// ONE-NEXT: {{^ *}}1 mbarrier.arrive.expect_tx.shared.b
// ONE-NEXT: {{^ *}}1 mbarrier.init.shared.b

// Tensor maps are parameters by value.
// RUN: FileCheck %s --check-prefix=PTX < %t/product.ptx
// PTX: .param .align 64 .b8 product_kernel_param_0[128]
// PTX: .param .align 64 .b8 product_kernel_param_1[128]
// PTX-NOT: {{ld.global|mma.sync}}
// RUN: %if ptxas %{ linalg-ext-compile %t/product.mlir --target=sm_90a --options="async-products=true roles=false rows=128 columns=128" -o %t/product.cubin --resource-usage 2>&1 | FileCheck %s --check-prefix=USAGE %}
// USAGE-NOT: warning
// USAGE: product_kernel: {{.*}} 0 bytes spill stores, 0 bytes spill loads

// RUN: FileCheck %s --check-prefix=MANIFEST < %t/product.json
// MANIFEST: "tensor_map"
// MANIFEST: "version": 3
// RUN: %python -m linalg_ext plan %t/product.json product 1024x512xf16 512x256xf16 1024x256xf32 | FileCheck %s --check-prefix=PLAN
// PLAN: product_kernel grid 16x1x1 block 128x1x1 shared 98304 args tensor_map:argument:0:f16 sizes 512x1024 strides 1024 box 64x128 swizzle 128 tensor_map:argument:1:f16 sizes 256x512 strides 512 box 64x64 swizzle 128 argument:2

// Rows that tensor maps do not address are copied in front, where that is faster:
// to 128 elements here.
// RUN: linalg-ext-compile %t/odd.mlir --target=sm_90a --emit=ptx --options="async-products=true roles=false report=all" -o %t/odd.ptx 2>&1 | FileCheck %s --check-prefix=COPIED
// COPIED: remark: kernel 0: async, {{.*}}
// COPIED: remark: stored: 256x100xf16 {{.*}}
// RUN: %python -m linalg_ext plan %t/odd.json odd 256x100xf16 100x256xf16 256x256xf32 | FileCheck %s --check-prefix=COPIES
// COPIES: odd_kernel grid {{.*}} args argument:0 temporary:0
// COPIES: odd_kernel_0 grid {{.*}} args tensor_map:temporary:0:f16 sizes 100x256 strides 256 {{.*}} tensor_map:argument:1:f16 {{.*}}
// RUN: linalg-ext-compile %t/odd.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/odd-auto.ptx 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: remark: kernel 0: sync: rows of an operand have 200 bytes, expected a multiple of 16
// RUN: linalg-ext-compile %t/odd.mlir --target=sm_90a --emit=ptx --options="async-products=false" -o %t/today.ptx
// RUN: cmp %t/odd-auto.ptx %t/today.ptx

// Results whose rows are no multiple of 4 bytes: nothing is between the loop and the
// wait behind it, or the assembler would serialise the products.
// RUN: linalg-ext-compile %t/narrow.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/narrow.ptx 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: remark: kernel 0: async, {{.*}}
// RUN: FileCheck %s --check-prefix=BEHIND < %t/narrow.ptx
// BEHIND: wgmma.wait_group.sync.aligned 1;
// BEHIND: bra
// BEHIND-NOT: %tid
// BEHIND: wgmma.wait_group.sync.aligned 0;
// BEHIND: %tid
// RUN: %if ptxas %{ linalg-ext-compile %t/narrow.mlir --target=sm_90a -o %t/narrow.cubin %}

// RUN: not linalg-ext-compile %t/product.mlir --target=sm_90 --emit=ptx --options="async-products=true roles=false" -o %t/no.ptx 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}invalid option 'async-products': expected the chip sm_90a, got sm_90

//--- product.mlir
func.func @product(%a: tensor<1024x512xf16>, %b: tensor<512x256xf16>) -> tensor<1024x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x256xf32>) -> tensor<1024x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<1024x512xf16>, tensor<512x256xf16>) outs(%init : tensor<1024x256xf32>) -> tensor<1024x256xf32>
  return %c : tensor<1024x256xf32>
}

//--- odd.mlir
func.func @odd(%a: tensor<256x100xf16>, %b: tensor<100x256xf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<256x100xf16>, tensor<100x256xf16>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

//--- narrow.mlir
func.func @narrow(%a: tensor<1024x1024xbf16>, %b: tensor<1023x1024xbf16>) -> tensor<1024x1023xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x1023xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x1023xf32>) -> tensor<1024x1023xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1024x1024xbf16>, tensor<1023x1024xbf16>) outs(%init : tensor<1024x1023xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1024x1023xf32>
  %r = tensor.empty() : tensor<1024x1023xbf16>
  %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<1024x1023xf32>) outs(%r : tensor<1024x1023xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1023xbf16>
  return %h : tensor<1024x1023xbf16>
}
