// Attention of an unknown number of keys: a kernel for few tiles and one for many. The
// launch takes one of them.

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options="report=all" -o %t.ptx 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: remark: kernel 0: roles, 192 rows x 128 keys, rotated, persistent, for many tiles; roles, 128 rows x 128 keys, persistent, for few tiles

// RUN: %python -m linalg_ext plan %t.json attention 256x300x64xf16 256x1537x64xf16 256x1537x64xf16 256x300x64xf16 | FileCheck %s --check-prefix=MANY
// MANY: attention_kernel grid 0x1x1 block 384x1x1
// MANY: attention_kernel_0 grid 132x1x1 block 512x1x1

// Three groups take turns in a loop over tiles: all registers but 32 are theirs. Each
// subgroup stores its rows by a copy of its own, for tiles with keys and without; two
// groups that take no turns write words.
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// PTX-LABEL: .entry attention_kernel(
// PTX: setmaxnreg.inc.sync.aligned.u32 {{.*}}232;
// PTX-NOT: bar.sync {{.*}}, 256;
// PTX-NOT: st.global.v4
// PTX: st.global.b32
// PTX-LABEL: .entry attention_kernel_0(
// PTX: setmaxnreg.inc.sync.aligned.u32 {{.*}}160;
// PTX: bar.sync {{.*}}, 256;
// PTX-NOT: st.global
// PTX-COUNT-2: cp.async.bulk.tensor.3d.global.shared::cta
// PTX-NOT: cp.async.bulk.tensor.3d.global.shared::cta
// PTX-NOT: st.global
// PTX: setmaxnreg.dec.sync.aligned.u32 {{.*}}32;

// 160 tiles of 128 rows for 132 processors take twice as long as 120 of 192.
// RUN: %python -m linalg_ext plan %t.json attention 20x1024x64xf16 20x1024x64xf16 20x1024x64xf16 20x1024x64xf16 | FileCheck %s --check-prefix=ROUND
// ROUND: attention_kernel grid 0x1x1 block 384x1x1
// ROUND: attention_kernel_0 grid 120x1x1 block 512x1x1

// Of 300 rows, 128 are a better part than 192 where each processor has one tile.
// RUN: %python -m linalg_ext plan %t.json attention 8x300x64xf16 8x1537x64xf16 8x1537x64xf16 8x300x64xf16 | FileCheck %s --check-prefix=ALONE
// ALONE: attention_kernel grid 24x1x1 block 384x1x1
// ALONE: attention_kernel_0 grid 0x1x1 block 512x1x1

// Nothing is stored beside the result.
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "temporaries": []

// What is asked for is for any number.
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options="rows=128 report=all" -o %t.ptx 2>&1 | FileCheck %s --check-prefix=GIVEN
// GIVEN: remark: kernel 0: roles, 128 rows x 128 keys, persistent:

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#p = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @attention(%q: tensor<?x?x64xf16>, %k: tensor<?x?x64xf16>, %v: tensor<?x?x64xf16>) -> tensor<?x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x64xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x64xf16>
  %n = tensor.dim %k, %c1 : tensor<?x?x64xf16>
  %e = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x64xf16>, tensor<?x?x64xf16>) outs(%f : tensor<?x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %c: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %0 = arith.mulf %x1, %y1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e16 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %w16 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weights : tensor<?x?x?xf32>) outs(%e16 : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %y: f16):
    %1 = arith.truncf %x : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x?x?xf16>
  %eo = tensor.empty(%b, %m) : tensor<?x?x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %out = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w16, %v : tensor<?x?x?xf16>, tensor<?x?x64xf16>) outs(%fo : tensor<?x?x64xf32>) {
  ^bb0(%x: f16, %y: f16, %c: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %0 = arith.mulf %x1, %y1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x64xf32>
  %er = tensor.empty(%b, %m) : tensor<?x?x64xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%out : tensor<?x?x64xf32>) outs(%er : tensor<?x?x64xf16>) {
  ^bb0(%x: f32, %y: f16):
    %1 = arith.truncf %x : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x?x64xf16>
  return %r : tensor<?x?x64xf16>
}
