// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=1' | FileCheck %s

// The first op of a launch is a read that the first ring replaces. The second ring is in
// front of where it was, too.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @first
// CHECK: gpu.launch
// CHECK-NEXT: %[[FIRST:.*]] = vector_ext.ring.create {{.*}}tiles = [vector<64x64xf16>, vector<64x64xf16>]
// CHECK-NEXT: %[[SECOND:.*]] = vector_ext.ring.create {{.*}}tiles = [vector<64x64xf16>]
// CHECK: %[[T:.*]]:2 = vector_ext.ring.get %[[FIRST]]
// CHECK: vector.contract {{.*}} %[[T]]#0, %[[T]]#1
// CHECK: %[[V:.*]] = vector_ext.ring.get %[[SECOND]]
// CHECK: vector.contract {{.*}}, %[[V]]
func.func @first(%q: memref<64x64xf16>, %k: memref<64x64xf16>, %v: memref<64x64xf16>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %b = vector.transfer_read %k[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %p = arith.truncf %s : vector<64x64xf32> to vector<64x64xf16>
    %c = vector.transfer_read %v[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %p, %c, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}
