// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

// A product is awaited behind what does not need it, but in front of a wait for a tile, which
// may still arrive while the result is used.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#tile = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @in_front_of_wait
  // CHECK: scf.for
  // CHECK: %[[OPEN:.*]] = vector_ext.async_mma
  // CHECK: %[[OPEN:.*]] = vector_ext.async_mma
  // CHECK: %[[OPEN:.*]] = vector_ext.async_mma
  // CHECK: %[[OPEN:.*]] = vector_ext.async_mma
  // CHECK: gpu.barrier
  // CHECK: %[[DONE:.*]] = vector_ext.await %[[OPEN]]
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %{{.*}}, %[[DONE]] : vector<32xf32>
  // CHECK: nvgpu.mbarrier.try_wait.parity
  // CHECK-NEXT: scf.yield %[[SUM]]
  gpu.func @in_front_of_wait(%a: memref<4096xf16, #gpu.address_space<workgroup>>, %b: memref<4096xf16, #gpu.address_space<workgroup>>, %o: memref<64x64xf32>, %barriers: !barriers, %n: index)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ticks = arith.constant 10000000 : index
    %phase = arith.constant false
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %x = vector_ext.shared_tile %a in #tile : memref<4096xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
      %y = vector_ext.shared_tile %b in #tile : memref<4096xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
      %s = vector.contract {
        indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
        vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
      } %x, %y, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %next = arith.addf %sum, %s : vector<64x64xf32>
      gpu.barrier
      nvgpu.mbarrier.try_wait.parity %barriers[%c0], %phase, %ticks : !barriers
      scf.yield %next : vector<64x64xf32>
    }
    vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
