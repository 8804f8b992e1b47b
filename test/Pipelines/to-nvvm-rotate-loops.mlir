// Attention whose products overlap with the softmax of the next iteration: the wait
// for the scores leaves the other product open.

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options="async-products=true roles=true persistent-kernels=false" -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: ex2.approx
// CHECK: cvt.rn.f16x2.f32
// CHECK: wgmma.mma_async
// CHECK: wgmma.commit_group
// CHECK: wgmma.mma_async
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-NOT: cvt.rn.f16x2.f32
// CHECK: ex2.approx
// CHECK-NOT: cvt.rn.f16x2.f32
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: cvt.rn.f16x2.f32

// ptxas serialises nothing, and nothing spills.
// RUN: %if ptxas %{ linalg-ext-compile %s --target=sm_90a --options="async-products=true roles=true persistent-kernels=false" -o %t.cubin --resource-usage 2>&1 | FileCheck %s --check-prefix=USAGE %}
// USAGE-NOT: warning
// USAGE: 0 bytes spill stores, 0 bytes spill loads

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options="async-products=true roles=true rotate-loops=false" -o %t.ptx
// RUN: FileCheck %s --check-prefix=PLAIN < %t.ptx
// PLAIN: wgmma.mma_async
// PLAIN-NOT: wgmma.wait_group.sync.aligned 1;

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#p = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @attention(%q: tensor<8x?x128xf16>, %k: tensor<8x16384x128xf16>, %v: tensor<8x16384x128xf16>) -> tensor<8x?x128xf16> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<8x?x128xf16>
  %e = tensor.empty(%m) : tensor<8x?x16384xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x?x16384xf32>) -> tensor<8x?x16384xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<8x?x128xf16>, tensor<8x16384x128xf16>) outs(%f : tensor<8x?x16384xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %0 = arith.mulf %a1, %b1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x?x16384xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<8x?x16384xf32>) outs(%e : tensor<8x?x16384xf32>) -> tensor<8x?x16384xf32>
  %e16 = tensor.empty(%m) : tensor<8x?x16384xf16>
  %w16 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weights : tensor<8x?x16384xf32>) outs(%e16 : tensor<8x?x16384xf16>) {
  ^bb0(%a: f32, %b: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<8x?x16384xf16>
  %eo = tensor.empty(%m) : tensor<8x?x128xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x?x128xf32>) -> tensor<8x?x128xf32>
  %result = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w16, %v : tensor<8x?x16384xf16>, tensor<8x16384x128xf16>) outs(%fo : tensor<8x?x128xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %0 = arith.mulf %a1, %b1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x?x128xf32>
  %r = tensor.empty(%m) : tensor<8x?x128xf16>
  %out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%result : tensor<8x?x128xf32>) outs(%r : tensor<8x?x128xf16>) {
  ^bb0(%a: f32, %b: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<8x?x128xf16>
  return %out : tensor<8x?x128xf16>
}
