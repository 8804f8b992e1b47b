// Products of f8 by wgmma: both operands are tiles of bytes, whose rows are what is
// summed. Instructions sum the 128 products of an iteration from zero, and threads add
// the result to the sums of f32, as the instruction keeps 13 bits of its sums.

// RUN: rm -rf %t && mkdir %t && split-file %s %t

// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/auto.ptx 2>&1 | FileCheck %s --check-prefix=AUTO
// AUTO: remark: kernel 0: roles, 128 x {{176|192}} x 128, persistent: 0.{{[0-9]+}} of the time of sync, {{.*}}
// RUN: FileCheck %s --check-prefix=WGMMA < %t/auto.ptx
// WGMMA: wgmma.mma_async.sync.aligned.m64n{{176|192}}k32.f32.e4m3.e4m3
// WGMMA: wgmma.wait_group.sync.aligned 0
// WGMMA: add.{{(rn\.)?}}f32

// With 256 threads and no roles, four instructions of a chain start from zero. Bytes
// are not transposed, so that instructions end with the signs of the operands.
// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="async-products=true roles=false rows=128 columns=128" -o %t/product.ptx
// RUN: grep -oE "(wgmma|mbarrier|cp\.async\.bulk|add)\.[a-z_.:0-9]*[a-z0-9]" %t/product.ptx | sort | uniq -c | FileCheck %s --check-prefix=COUNT
// COUNT: {{^ *}}64 add.f32
// COUNT: {{^ *}}1 wgmma.commit_group.sync.aligned
// COUNT: {{^ *}}1 wgmma.fence.sync.aligned
// COUNT: {{^ *}}4 wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
// COUNT: {{^ *}}1 wgmma.wait_group.sync.aligned
// RUN: FileCheck %s --check-prefix=CHAIN < %t/product.ptx
// CHAIN:         setp.ne.b32 p, 0, 0;
// CHAIN-NEXT:    wgmma.mma_async.{{.*}}, p, 1, 1;
// CHAIN-COUNT-3: setp.ne.b32 p, 1, 0;
// RUN: %if ptxas %{ linalg-ext-compile %t/product.mlir --target=sm_90a --options="async-products=true" -o %t/roles.cubin --resource-usage 2>&1 | FileCheck %s --check-prefix=USAGE %}
// USAGE-NOT: warning
// USAGE: product_kernel: {{.*}} 0 bytes spill stores, 0 bytes spill loads

// Tensor maps have elements of one byte: boxes of 128 columns, of 128 bytes.
// RUN: %python -m linalg_ext plan %t/product.json product 4096x4096xf8E4M3FN 4096x4096xf8E4M3FN 4096x4096xf32 | FileCheck %s --check-prefix=PLAN
// PLAN: tensor_map:argument:0:f8E4M3FN sizes 4096x4096 strides 4096 box 128x128 swizzle 128 tensor_map:argument:1:f8E4M3FN sizes 4096x4096 strides 4096 box 128x128 swizzle 128

// Operands of two formats are multiplied as they are, unless that is forbidden: then they are extended to
// f16, in front.
// RUN: sed 's/%a: tensor<4096x4096xf8E4M3FN>/%a: tensor<4096x4096xf8E5M2>/; s/ins(%a, %b : tensor<4096x4096xf8E4M3FN>/ins(%a, %b : tensor<4096x4096xf8E5M2>/; s/%x: f8E4M3FN/%x: f8E5M2/; s/%x : f8E4M3FN/%x : f8E5M2/' %t/product.mlir > %t/mixed.mlir
// RUN: linalg-ext-compile %t/mixed.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/two.ptx 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: remark: kernel 0: roles, 128 x 176 x 128, persistent: 0.{{[0-9]+}} of the time of sync, {{.*}}
// TWO: @product: 1 kernel, no temporary
// RUN: FileCheck %s --check-prefix=WGMMA2 < %t/two.ptx
// WGMMA2-NOT: e4m3.e4m3
// WGMMA2:     wgmma.mma_async.sync.aligned.m64n176k32.f32.e5m2.e4m3
// RUN: %python -m linalg_ext plan %t/two.json product 4096x4096xf8E5M2 4096x4096xf8E4M3FN 4096x4096xf32 | FileCheck %s --check-prefix=MAPS
// MAPS: tensor_map:argument:0:f8E5M2 sizes 4096x4096 {{.*}}tensor_map:argument:1:f8E4M3FN sizes 4096x4096
// RUN: linalg-ext-compile %t/mixed.mlir --target=sm_90a --emit=ptx --options="f8-products=f16 report=all" -o %t/mixed.ptx 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: FileCheck %s --check-prefix=WGMMA16 < %t/mixed.ptx

// With sums of f16's instruction, both are, too.
// RUN: linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="f8-products=f16 report=all" -o %t/exact.ptx 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: remark: kernel 0: roles, 128 x 128 x 64, persistent, in turns: 0.{{[0-9]+}} of the time of sync, {{.*}}
// RUN: FileCheck %s --check-prefix=WGMMA16 < %t/exact.ptx
// WGMMA16-NOT: e4m3.e4m3
// WGMMA16:     wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.f16.f16
// F16-NOT: e4m3.e4m3
// F16:     mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// RUN: not linalg-ext-compile %t/product.mlir --target=sm_90a --emit=ptx --options="f8-products=f32" -o %t/no.ptx 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}invalid option 'f8-products': expected {{.*}}f8{{.*}}f16{{.*}}got 'f32'

// An operand whose rows are not what is summed is transposed in front, if that takes less
// time in all. With few rows it does not.
// RUN: sed 's/(n, k)>/(k, n)>/' %t/product.mlir > %t/rows.mlir
// RUN: linalg-ext-compile %t/rows.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/rows.ptx 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: remark: kernel 0: roles, {{.*}}, persistent: 0.{{[0-9]+}} of the time of sync, {{.*}}
// ROWS: @product: 2 kernels, largest temporary 16.0 MiB
// RUN: FileCheck %s --check-prefix=WGMMA < %t/rows.ptx
// RUN: sed 's/tensor<4096x4096xf8E4M3FN>, %b/tensor<32x4096xf8E4M3FN>, %b/; s/ins(%a, %b : tensor<4096x4096/ins(%a, %b : tensor<32x4096/; s/4096x4096xf32/32x4096xf32/g' %t/rows.mlir > %t/few.mlir
// RUN: linalg-ext-compile %t/few.mlir --target=sm_90a --emit=ptx --options="report=all" -o %t/few.ptx 2>&1 | FileCheck %s --check-prefix=FEW
// FEW-NOT: remark: stored: 4096x4096
// FEW: @product: 2 kernels, largest temporary 4.0 MiB
// RUN: FileCheck %s --check-prefix=F16 < %t/few.ptx

//--- product.mlir
func.func @product(%a: tensor<4096x4096xf8E4M3FN>, %b: tensor<4096x4096xf8E4M3FN>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %c = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4096x4096xf8E4M3FN>, tensor<4096x4096xf8E4M3FN>) outs(%init : tensor<4096x4096xf32>) {
  ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %acc: f32):
    %0 = arith.extf %x : f8E4M3FN to f32
    %1 = arith.extf %y : f8E4M3FN to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}
