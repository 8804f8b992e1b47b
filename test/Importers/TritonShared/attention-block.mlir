// A block of attention: loads are copies to allocations, K is transposed, rows are
// reduced by maxnumf, broadcasts are generics; bf16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=3071 --max-kernels=1 \
// RUN:   --keys=16

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @attention(%q: memref<32x16xbf16>, %k: memref<48x16xbf16>, %v: memref<48x16xbf16>, %out: memref<32x16xbf16>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %qv = memref.reinterpret_cast %q to offset: [0], sizes: [32, 16], strides: [16, 1] : memref<32x16xbf16> to memref<32x16xbf16, strided<[16, 1]>>
  %qa = memref.alloc() : memref<32x16xbf16>
  memref.copy %qv, %qa : memref<32x16xbf16, strided<[16, 1]>> to memref<32x16xbf16>
  %qt = bufferization.to_tensor %qa restrict writable : memref<32x16xbf16> to tensor<32x16xbf16>
  %ka = memref.alloc() : memref<48x16xbf16>
  memref.copy %k, %ka : memref<48x16xbf16> to memref<48x16xbf16>
  %kt = bufferization.to_tensor %ka restrict writable : memref<48x16xbf16> to tensor<48x16xbf16>
  %va = memref.alloc() : memref<48x16xbf16>
  memref.copy %v, %va : memref<48x16xbf16> to memref<48x16xbf16>
  %vt = bufferization.to_tensor %va restrict writable : memref<48x16xbf16> to tensor<48x16xbf16>
  %te = tensor.empty() : tensor<16x48xbf16>
  %tr = linalg.transpose ins(%kt : tensor<48x16xbf16>) outs(%te : tensor<16x48xbf16>) permutation = [1, 0]
  %se = tensor.empty() : tensor<32x48xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<32x48xf32>) -> tensor<32x48xf32>
  %s = linalg.matmul ins(%qt, %tr : tensor<32x16xbf16>, tensor<16x48xbf16>) outs(%s0 : tensor<32x48xf32>) -> tensor<32x48xf32>
  %me = tensor.empty() : tensor<32xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%me : tensor<32xf32>) -> tensor<32xf32>
  %mr = linalg.reduce ins(%s : tensor<32x48xf32>) outs(%m0 : tensor<32xf32>) dimensions = [1]
    (%e: f32, %acc: f32) {
      %t = arith.maxnumf %e, %acc : f32
      linalg.yield %t : f32
    }
  %mx = tensor.expand_shape %mr [[0, 1]] output_shape [32, 1] : tensor<32xf32> into tensor<32x1xf32>
  %mb = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mx : tensor<32x1xf32>) outs(%se : tensor<32x48xf32>) attrs = {broadcastDims = array<i64: 1>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<32x48xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mb : tensor<32x48xf32>, tensor<32x48xf32>) outs(%s : tensor<32x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x48xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<32x48xf32>) outs(%d : tensor<32x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<32x48xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%me : tensor<32xf32>) -> tensor<32xf32>
  %lr = linalg.reduce ins(%x : tensor<32x48xf32>) outs(%l0 : tensor<32xf32>) dimensions = [1]
    (%e: f32, %acc: f32) {
      %t = arith.addf %e, %acc : f32
      linalg.yield %t : f32
    }
  %lx = tensor.expand_shape %lr [[0, 1]] output_shape [32, 1] : tensor<32xf32> into tensor<32x1xf32>
  %lb = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%lx : tensor<32x1xf32>) outs(%se : tensor<32x48xf32>) attrs = {broadcastDims = array<i64: 1>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<32x48xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %lb : tensor<32x48xf32>, tensor<32x48xf32>) outs(%x : tensor<32x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x48xf32>
  %pe = tensor.empty() : tensor<32x48xbf16>
  %pt = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<32x48xf32>) outs(%pe : tensor<32x48xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<32x48xbf16>
  %oe = tensor.empty() : tensor<32x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<32x16xf32>) -> tensor<32x16xf32>
  %o1 = linalg.matmul ins(%pt, %vt : tensor<32x48xbf16>, tensor<48x16xbf16>) outs(%o0 : tensor<32x16xf32>) -> tensor<32x16xf32>
  %re = tensor.empty() : tensor<32x16xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o1 : tensor<32x16xf32>) outs(%re : tensor<32x16xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<32x16xbf16>
  bufferization.materialize_in_destination %r in writable %out : (tensor<32x16xbf16>, memref<32x16xbf16>) -> ()
  return
}
