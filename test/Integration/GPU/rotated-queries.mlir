// Queries that are computed where they are multiplied, in two parts (rotary
// positions), by wgmma: the parts are stored in workgroup memory once for all keys,
// and instructions read them there. In the loop, the product of the second part
// continues that of the first one without a wait, and that of the weights and values
// is behind both.

// RUN: linalg-ext-check-program %s --sizes=1x256x128,1x256x128,1x256x128,-,- \
// RUN:   --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a -o /dev/null \
// RUN:   --mlir-print-ir-before=linalg-ext-gpu-lower-vector-ext 2>&1 \
// RUN: | FileCheck %s

// CHECK:      vector_ext.role first(0) threads(256)
// CHECK-NOT:  load_matrix
// CHECK:      vector.store %{{.*}}, %[[PART:[a-z_0-9]*]][%{{.*}} : memref<8192xf16
// CHECK:      nvvm.fence.proxy
// CHECK:      vector.store %{{.*}}, %[[OTHER:[a-z_0-9]*]][%{{.*}} : memref<8192xf16
// CHECK:      nvvm.fence.proxy
// CHECK-NOT:  vector.store
// CHECK:      scf.for
// CHECK:        vector_ext.turn.take
// CHECK-COUNT-4: vector_ext.async_mma {{.*}} %[[OTHER]][
// CHECK-NOT:    await
// CHECK:        %[[A:.*]] = vector_ext.async_mma {{.*}} %[[PART]][
// CHECK-NEXT:   %[[B:.*]] = vector_ext.async_mma {{.*}} %[[PART]][{{.*}}, %[[A]] :
// CHECK-NEXT:   %[[C:.*]] = vector_ext.async_mma {{.*}} %[[PART]][{{.*}}, %[[B]] :
// CHECK-NEXT:   %[[D:.*]] = vector_ext.async_mma {{.*}} %[[PART]][{{.*}}, %[[C]] :
// CHECK-NOT:    await
// CHECK-COUNT-8: vector_ext.async_mma
// CHECK:        vector_ext.await %[[D]] :

#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h, j, d)>
#o = affine_map<(h, i, d, j) -> (h, i, d)>
#id = affine_map<(h, i, d) -> (h, i, d)>
#angle = affine_map<(h, i, d) -> (i, d)>

func.func @rotated_queries(%q: tensor<?x256x128xf16>, %k: tensor<?x256x128xf16>, %v: tensor<?x256x128xf16>,
                           %cos: tensor<256x64xf16>, %sin: tensor<256x64xf16>) -> tensor<?x256x128xf16> {
  %c0 = arith.constant 0 : index
  %h = tensor.dim %q, %c0 : tensor<?x256x128xf16>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.08838834764 : f32
  %q1 = tensor.extract_slice %q[0, 0, 0] [%h, 256, 64] [1, 1, 1] : tensor<?x256x128xf16> to tensor<?x256x64xf16>
  %q2 = tensor.extract_slice %q[0, 0, 64] [%h, 256, 64] [1, 1, 1] : tensor<?x256x128xf16> to tensor<?x256x64xf16>
  %half = tensor.empty(%h) : tensor<?x256x64xf16>
  %r1 = linalg.generic {indexing_maps = [#id, #id, #angle, #angle, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q1, %q2, %cos, %sin : tensor<?x256x64xf16>, tensor<?x256x64xf16>, tensor<256x64xf16>, tensor<256x64xf16>)
      outs(%half : tensor<?x256x64xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %n: f16, %out: f16):
    %ac = arith.mulf %a, %c : f16
    %bn = arith.mulf %b, %n : f16
    %r = arith.subf %ac, %bn : f16
    linalg.yield %r : f16
  } -> tensor<?x256x64xf16>
  %r2 = linalg.generic {indexing_maps = [#id, #id, #angle, #angle, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q1, %q2, %cos, %sin : tensor<?x256x64xf16>, tensor<?x256x64xf16>, tensor<256x64xf16>, tensor<256x64xf16>)
      outs(%half : tensor<?x256x64xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %n: f16, %out: f16):
    %bc = arith.mulf %b, %c : f16
    %an = arith.mulf %a, %n : f16
    %r = arith.addf %bc, %an : f16
    linalg.yield %r : f16
  } -> tensor<?x256x64xf16>
  %rotated = tensor.concat dim(2) %r1, %r2 : (tensor<?x256x64xf16>, tensor<?x256x64xf16>) -> tensor<?x256x128xf16>
  %e0 = tensor.empty(%h) : tensor<?x256x256xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x256x256xf32>) -> tensor<?x256x256xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%rotated, %k : tensor<?x256x128xf16>, tensor<?x256x128xf16>)
      outs(%f0 : tensor<?x256x256xf32>) -> tensor<?x256x256xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qk : tensor<?x256x256xf32>) outs(%e0 : tensor<?x256x256xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %past = arith.cmpi ule, %j, %i : index
    %y = arith.mulf %x, %scale : f32
    %r = arith.select %past, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<?x256x256xf32>
  %w = linalg.softmax dimension(2) ins(%masked : tensor<?x256x256xf32>) outs(%e0 : tensor<?x256x256xf32>) -> tensor<?x256x256xf32>
  %e1 = tensor.empty(%h) : tensor<?x256x256xf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<?x256x256xf32>) outs(%e1 : tensor<?x256x256xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x256x256xf16>
  %e2 = tensor.empty(%h) : tensor<?x256x128xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x256x128xf32>) -> tensor<?x256x128xf32>
  %sum = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%narrow, %v : tensor<?x256x256xf16>, tensor<?x256x128xf16>)
      outs(%f2 : tensor<?x256x128xf32>) -> tensor<?x256x128xf32>
  %whole = tensor.empty(%h) : tensor<?x256x128xf16>
  %result = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<?x256x128xf32>) outs(%whole : tensor<?x256x128xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x256x128xf16>
  return %result : tensor<?x256x128xf16>
}
