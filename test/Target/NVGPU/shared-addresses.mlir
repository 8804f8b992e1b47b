// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' | FileCheck %s

// Copies of tiles take 32-bit addresses of the workgroup's memory. A copy without a predicate is text;
// one with a predicate becomes text later. No address becomes one of a cluster, which would be a
// generic address in between. A copy to several workgroups takes the address in its own one.

#shared = #gpu.address_space<workgroup>
!barriers = !nvgpu.mbarrier.group<memorySpace = #shared, num_barriers = 2>
!map = !nvgpu.tensormap.descriptor<tensor = memref<16x64xf16, #shared>, swizzle = swizzle_128b,
    l2promo = none, oob = zero, interleave = none>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx81">] {
    // CHECK-LABEL: llvm.func @copies
    // CHECK-SAME:    i1
    // CHECK-NOT:     addrspacecast {{.*}} !llvm.ptr<7>
    // CHECK:         llvm.inline_asm has_side_effects
    // CHECK-SAME:      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2,$3} ], [$4];"
    // CHECK-SAME:      "r,l,r,r,r,~{memory}"
    // CHECK-SAME:      (i32, !llvm.ptr, i32, i32, i32)
    // CHECK-NOT:     addrspacecast {{.*}} !llvm.ptr<7>
    // CHECK:         nvvm.cp.async.bulk.tensor.shared.cluster.global
    // CHECK-SAME:      predicate = %{{.*}} : !llvm.ptr<3>, !llvm.ptr
    // CHECK-NOT:     addrspacecast {{.*}} !llvm.ptr<7>
    // CHECK:         llvm.inline_asm has_side_effects
    // CHECK-SAME:      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2,$3} ], [$4], $5;"
    // CHECK-SAME:      "r,l,r,r,r,h,~{memory}"
    // CHECK-SAME:      (i32, !llvm.ptr, i32, i32, i32, i16)
    gpu.func @copies(%p: i1, %mask: i16, %row: index, %map: !map)
        workgroup(%box : memref<16x64xf16, #shared>) kernel {
      %c0 = arith.constant 0 : index
      %b = nvgpu.mbarrier.create -> !barriers
      nvgpu.tma.async.load %map[%c0, %row], %b[%c0] to %box : !map, !barriers -> memref<16x64xf16, #shared>
      nvgpu.tma.async.load %map[%c0, %row], %b[%c0] to %box, predicate = %p : !map, !barriers -> memref<16x64xf16, #shared>
      nvgpu.tma.async.load %map[%c0, %row], %b[%c0] to %box multicast_mask = %mask : !map, !barriers -> memref<16x64xf16, #shared>
      gpu.return
    }
  }
}
