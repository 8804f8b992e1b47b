// Arguments as upstream's bufferisation has them at the boundary of a function: every
// stride and the offset is dynamic. Rows that are aligned have a kernel of their own.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=3000 --max-kernels=1 --keys=16 \
// RUN:   --sizes=2x37x16,2x45x16,2x45x16,2x37x16 --targets=gpu
// Rows of packed heads, with gaps: aligned, then one of the buffers not.
// RUN: linalg-ext-check-program %s --max-buffer-bytes=3000 --max-kernels=1 --keys=16 \
// RUN:   --sizes=2x37x16,2x45x16,2x45x16,2x37x16 --targets=gpu \
// RUN:   --layouts=16x96x1+32,16x48x1,16x48x1+16,16x32x1+8
// RUN: linalg-ext-check-program %s --max-buffer-bytes=3000 --max-kernels=1 --keys=16 \
// RUN:   --sizes=2x37x16,2x45x16,2x45x16,2x37x16 --targets=gpu \
// RUN:   --layouts=16x96x1+32,16x48x1,16x48x1+16,17x34x1+3
// Columns with gaps.
// RUN: linalg-ext-check-program %s --max-buffer-bytes=3000 --max-kernels=1 --keys=16 \
// RUN:   --sizes=2x37x16,2x45x16,2x45x16,2x37x16 --targets=gpu \
// RUN:   --layouts=1x64x2+1,-,720x1x45,2000x40x2+7
// On a CPU, f16 is computed in f32 and rounded in a loop of its own.
// RUN: linalg-ext-check-program %s --keys=16 --targets=cpu \
// RUN:   --sizes=2x37x16,2x45x16,2x45x16,2x37x16 \
// RUN:   --layouts=16x96x1+32,16x48x1,720x1x45,17x34x1+3

#q = affine_map<(h, s, t, d) -> (h, s, d)>
#k = affine_map<(h, s, t, d) -> (h, t, d)>
#s = affine_map<(h, s, t, d) -> (h, s, t)>
#p = affine_map<(h, s, d, t) -> (h, s, t)>
#v = affine_map<(h, s, d, t) -> (h, t, d)>
#o = affine_map<(h, s, d, t) -> (h, s, d)>
#i = affine_map<(a, b, c) -> (a, b, c)>
!buffer = memref<?x?x16xf16, strided<[?, ?, ?], offset: ?>>
!rows = tensor<?x?x16xf16>
!scores = tensor<?x?x?xf32>
func.func @attention(%q: !buffer, %k: !buffer, %v: !buffer, %o: !buffer) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %qt = bufferization.to_tensor %q restrict : !buffer to !rows
  %kt = bufferization.to_tensor %k restrict : !buffer to !rows
  %vt = bufferization.to_tensor %v restrict : !buffer to !rows
  %heads = tensor.dim %qt, %c0 : !rows
  %queries = tensor.dim %qt, %c1 : !rows
  %keys = tensor.dim %kt, %c1 : !rows
  %se = tensor.empty(%heads, %queries, %keys) : !scores
  %s0 = linalg.fill ins(%zero : f32) outs(%se : !scores) -> !scores
  %s1 = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%qt, %kt : !rows, !rows) outs(%s0 : !scores) -> !scores
  %p = linalg.softmax dimension(2) ins(%s1 : !scores) outs(%se : !scores) -> !scores
  %pe = tensor.empty(%heads, %queries, %keys) : tensor<?x?x?xf16>
  %pn = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : !scores) outs(%pe : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %y: f16):
    %z = arith.truncf %x : f32 to f16
    linalg.yield %z : f16
  } -> tensor<?x?x?xf16>
  %oe = tensor.empty(%heads, %queries) : tensor<?x?x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %o1 = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%pn, %vt : tensor<?x?x?xf16>, !rows) outs(%o0 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %re = tensor.empty(%heads, %queries) : !rows
  %rn = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o1 : tensor<?x?x16xf32>) outs(%re : !rows) {
  ^bb0(%x: f32, %y: f16):
    %z = arith.truncf %x : f32 to f16
    linalg.yield %z : f16
  } -> !rows
  bufferization.materialize_in_destination %rn in restrict writable %o : (!rows, !buffer) -> ()
  return
}
