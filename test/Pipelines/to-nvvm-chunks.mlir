// Chunks of 8192 keys have about 4096 of them on average, and those of 1024 have 512. No kernel of
// them is persistent. Two loops multiply: whole tiles, and those on the diagonal.

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx --options="report=all" -o %t.ptx 2>&1 | FileCheck %s
// CHECK: remark: kernel 0: roles, 128 rows x 128 keys, rotated:
// RUN: sed 's/constant 8192/constant 1024/' %s | linalg-ext-compile --target=sm_90a --emit=ptx --options="report=all" -o %t.ptx - 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: FileCheck %s --check-prefix=LOOPS < %t.ptx
// SHORT: remark: kernel 0: async, 64 rows x 64 keys:
// LOOPS-COUNT-8: wgmma.mma_async.sync.aligned.m64n64k16
// LOOPS-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16
// LOOPS-COUNT-8: wgmma.mma_async.sync.aligned.m64n64k16
// LOOPS-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16
// LOOPS-NOT: wgmma.mma_async

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#p = affine_map<(b, i, d, j) -> (b, i, j)>
#v = affine_map<(b, i, d, j) -> (b, j, d)>
#o = affine_map<(b, i, d, j) -> (b, i, d)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @chunks(%q: tensor<?x?x128xf16>, %k: tensor<?x?x128xf16>, %v: tensor<?x?x128xf16>) -> tensor<?x?x128xf16> {
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
  %low = arith.constant 0xFF800000 : f32
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.constant 8192 : index
    %of_row = arith.floordivsi %i, %c : index
    %of_key = arith.floordivsi %j, %c : index
    %same = arith.cmpi eq, %of_row, %of_key : index
    %past = arith.cmpi sle, %j, %i : index
    %visible = arith.andi %same, %past : i1
    %r = arith.select %visible, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %weights = linalg.softmax dimension(2) ins(%masked : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
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
