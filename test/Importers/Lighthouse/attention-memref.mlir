// Arguments are memrefs: to_tensor restrict and materialize_in_destination around
// linalg.contract, linalg.elementwise and linalg.softmax.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#q = affine_map<(h, s, t, d) -> (h, s, d)>
#k = affine_map<(h, s, t, d) -> (h, t, d)>
#s = affine_map<(h, s, t, d) -> (h, s, t)>
#p = affine_map<(h, s, d, t) -> (h, s, t)>
#v = affine_map<(h, s, d, t) -> (h, t, d)>
#o = affine_map<(h, s, d, t) -> (h, s, d)>
func.func @attention(%q: memref<3x37x16xf32>, %k: memref<3x45x16xf32>, %v: memref<3x45x16xf32>,
                     %out: memref<3x37x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %qt = bufferization.to_tensor %q restrict : memref<3x37x16xf32> to tensor<3x37x16xf32>
  %kt = bufferization.to_tensor %k restrict : memref<3x45x16xf32> to tensor<3x45x16xf32>
  %vt = bufferization.to_tensor %v restrict : memref<3x45x16xf32> to tensor<3x45x16xf32>
  %se = tensor.empty() : tensor<3x37x45xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s1 = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%qt, %kt : tensor<3x37x16xf32>, tensor<3x45x16xf32>) outs(%s0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %sc = linalg.fill ins(%scale : f32) outs(%se : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %s2 = linalg.elementwise kind=#linalg.elementwise_kind<mul>
      ins(%s1, %sc : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%se : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %p = linalg.softmax dimension(2) ins(%s2 : tensor<3x37x45xf32>) outs(%se : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %oe = tensor.empty() : tensor<3x37x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %o1 = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %vt : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%o0 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  bufferization.materialize_in_destination %o1 in restrict writable %out : (tensor<3x37x16xf32>, memref<3x37x16xf32>) -> ()
  return
}
