// RUN: linalg-ext-opt %s --linalg-ext-to-gpu-tiles='rows=32 keys=16 columns=16' --linalg-ext-map-to-launches=steps=workgroups --canonicalize --cse | FileCheck %s

// Tiles are vectors from the reads to the writes; what the loop does not change is
// read in front of it; each contraction keeps its configuration; the results are
// written to buffers of the caller.

#qk = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1]>
#pv = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [2, 2]>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s5 = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#s = affine_map<(b, h, i, j) -> (b, h, i, j)>
#p = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
// CHECK-LABEL: func @attention
// CHECK-SAME:      (%[[Q:.*]]: memref<2x3x?x64xf16>, %[[K:.*]]: memref<2x3x?x64xf16>, %[[V:.*]]: memref<2x3x?x64xf16>, %[[O:.*]]: memref<2x3x?x64xf16>) {
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         gpu.launch {{.*}} threads{{.*}} = %c128,
// CHECK:           affine.delinearize_index {{.*}} into (2, 3, %{{.*}})
// CHECK:           %[[QTILE:.*]] = vector.transfer_read %[[Q]][{{.*}} memref<2x3x?x64xf16>, vector<32x64xf16>
// CHECK:           scf.for {{.*}} -> (vector<32x64xf32>, vector<32xf32>, vector<32xf32>)
// CHECK:             %[[KTILE:.*]] = vector.transfer_read %[[K]][{{.*}} memref<2x3x?x64xf16>, vector<16x64xf16>
// CHECK:             vector.contract {{.*}} %[[QTILE]], %[[KTILE]], %{{.*}} {vector_ext.config = #vector_ext.contract_config<{{.*}} subgroups = [4, 1]>} : vector<32x64xf16>, vector<16x64xf16> into vector<32x16xf32>
// CHECK:             vector.multi_reduction <maximumf>
// CHECK:             math.exp %{{.*}} : vector<32x16xf32>
// CHECK:             vector.multi_reduction <add>
// CHECK:             %[[VTILE:.*]] = vector.transfer_read %[[V]][{{.*}} memref<2x3x?x64xf16>, vector<16x64xf16>
// CHECK:             vector.contract {{.*}} %{{.*}}, %[[VTILE]], %{{.*}} {vector_ext.config = #vector_ext.contract_config<{{.*}} subgroups = [2, 2]>} : vector<32x16xf16>, vector<16x64xf16> into vector<32x64xf32>
// CHECK:           vector.transfer_write %{{.*}} : vector<32x64xf16>, memref
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
func.func @attention(%q: tensor<2x3x?x64xf16>, %k: tensor<2x3x?x64xf16>, %v: tensor<2x3x?x64xf16>) -> tensor<2x3x?x64xf16> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %n = tensor.dim %q, %c2 : tensor<2x3x?x64xf16>
  %m = tensor.dim %k, %c2 : tensor<2x3x?x64xf16>
  %empty = tensor.empty(%n, %m) : tensor<2x3x?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s5],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x3x?x64xf16>, tensor<2x3x?x64xf16>)
      outs(%zeros : tensor<2x3x?x?xf32>) attrs = {vector_ext.config = #qk} {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %0 = arith.mulf %a1, %b1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x?x?xf32>
  %masked = linalg.generic {
      indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores : tensor<2x3x?x?xf32>) outs(%empty : tensor<2x3x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %visible = arith.cmpi sle, %j, %i : index
    %0 = arith.mulf %a, %scale : f32
    %1 = arith.select %visible, %0, %lowest : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x?x?xf32>
  %p = linalg.softmax dimension(3) ins(%masked : tensor<2x3x?x?xf32>)
      outs(%empty : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %empty16 = tensor.empty(%n, %m) : tensor<2x3x?x?xf16>
  %p16 = linalg.generic {
      indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x3x?x?xf32>) outs(%empty16 : tensor<2x3x?x?xf16>) {
  ^bb0(%a: f32, %b: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x3x?x?xf16>
  %out_empty = tensor.empty(%n) : tensor<2x3x?x64xf32>
  %out_zero = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<2x3x?x64xf32>)
      -> tensor<2x3x?x64xf32>
  %result = linalg.generic {indexing_maps = [#p, #v, #o],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p16, %v : tensor<2x3x?x?xf16>, tensor<2x3x?x64xf16>)
      outs(%out_zero : tensor<2x3x?x64xf32>) attrs = {vector_ext.config = #pv} {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %0 = arith.mulf %a1, %b1 : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x?x64xf32>
  %final_empty = tensor.empty(%n) : tensor<2x3x?x64xf16>
  %final = linalg.generic {
      indexing_maps = [#s, #s],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%result : tensor<2x3x?x64xf32>) outs(%final_empty : tensor<2x3x?x64xf16>) {
  ^bb0(%a: f32, %b: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x3x?x64xf16>
  return %final : tensor<2x3x?x64xf16>
}

// CHECK-LABEL: func @matmul_relu
// CHECK-SAME:      (%[[A:.*]]: memref<64x48xf16>, %[[B:.*]]: memref<48x32xf16>, %[[C:.*]]: memref<64x32xf32>) {
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.launch
// CHECK:           vector.transfer_read %[[A]][{{.*}} {in_bounds = [true, true]} : memref<64x48xf16>, vector<32x48xf16>
// CHECK:           vector.transfer_read %[[B]][{{.*}} {in_bounds = [true, true]} : memref<48x32xf16>, vector<48x16xf16>
// CHECK:           vector.contract {{.*}} : vector<32x48xf16>, vector<48x16xf16> into vector<32x16xf32>
// CHECK:           arith.maximumf %{{.*}} : vector<32x16xf32>
// CHECK:           vector.transfer_write
func.func @matmul_relu(%a: tensor<64x48xf16>, %b: tensor<48x32xf16>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x48xf16>, tensor<48x32xf16>) outs(%zeros : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<max_signed>
      ins(%c, %zeros : tensor<64x32xf32>, tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
