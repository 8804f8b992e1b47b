// Attention whose products start from a bias of f16. In a kernel for many tiles, threads
// convert the bias of the next one, too. Where there are at most as many tiles as
// processors, a launch takes one whose workgroups have one tile.

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options="report=all" -o %t.ptx 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: remark: kernel 0: roles, 128 rows x 128 keys, rotated, persistent, for many tiles; roles, 128 rows x 128 keys, rotated, for few tiles

// Rows of the bias have a multiple of 16 bytes. There are 132 tiles, and 133.
// RUN: %python -m linalg_ext plan %t.json attention 66x200x128xf16 66x264x128xf16 66x264x128xf16 66x200x264xf16 66x200x128xf16 | FileCheck %s --check-prefix=FEW
// FEW: attention_kernel grid 132x1x1 block 384x1x1
// FEW-NOT: grid 1{{[0-9]+}}x1x1
// RUN: %python -m linalg_ext plan %t.json attention 133x100x128xf16 133x264x128xf16 133x264x128xf16 133x100x264xf16 133x100x128xf16 | FileCheck %s --check-prefix=MANY
// MANY: attention_kernel grid 0x1x1 block 384x1x1
// MANY: grid 132x1x1 block 384x1x1

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#p = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @attention(%q: tensor<?x?x128xf16>, %k: tensor<?x?x128xf16>, %v: tensor<?x?x128xf16>, %bias: tensor<?x?x?xf16>) -> tensor<?x?x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x128xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x128xf16>
  %n = tensor.dim %k, %c1 : tensor<?x?x128xf16>
  %e = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x128xf16>, tensor<?x?x128xf16>) outs(%f : tensor<?x?x?xf32>) {
  ^bb0(%x: f16, %y: f16, %c: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %0 = arith.mulf %x1, %y1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %bias : tensor<?x?x?xf32>, tensor<?x?x?xf16>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %y: f16, %z: f32):
    %y1 = arith.extf %y : f16 to f32
    %1 = arith.addf %x, %y1 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  %weights = linalg.softmax dimension(2) ins(%biased : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e16 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %w16 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weights : tensor<?x?x?xf32>) outs(%e16 : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %y: f16):
    %1 = arith.truncf %x : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x?x?xf16>
  %eo = tensor.empty(%b, %m) : tensor<?x?x128xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x128xf32>) -> tensor<?x?x128xf32>
  %out = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w16, %v : tensor<?x?x?xf16>, tensor<?x?x128xf16>) outs(%fo : tensor<?x?x128xf32>) {
  ^bb0(%x: f16, %y: f16, %c: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %0 = arith.mulf %x1, %y1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x128xf32>
  %er = tensor.empty(%b, %m) : tensor<?x?x128xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%out : tensor<?x?x128xf32>) outs(%er : tensor<?x?x128xf16>) {
  ^bb0(%x: f32, %y: f16):
    %1 = arith.truncf %x : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x?x128xf16>
  return %r : tensor<?x?x128xf16>
}
