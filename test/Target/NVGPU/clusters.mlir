// RUN: split-file %s %t
// RUN: linalg-ext-opt %t/kernel.mlir --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' | FileCheck %s
// RUN: sed s/sm_90a/sm_80/ %t/kernel.mlir | not linalg-ext-opt --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not linalg-ext-opt %t/barriers.mlir --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' 2>&1 | FileCheck %s --check-prefix=BARRIERS

// The kernel states the size of its clusters. A barrier of the cluster is an arrival and a wait. An
// arrival at the barrier of another workgroup is assembly with a predicate.

// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK: nvvm.read.ptx.sreg.cluster.ctaid.x
// CHECK: nvvm.cluster.arrive
// CHECK-NEXT: nvvm.cluster.wait
// CHECK: llvm.inline_asm has_side_effects
// CHECK-SAME: "{\0A  .reg .b32 at;\0A  @$2 mapa.shared::cluster.u32 at, $0, $1;\0A  @$2 mbarrier.arrive.shared::cluster.b64 _, [at];\0A}"
// CHECK-SAME: "r,r,b,~{memory}"
// CHECK-SAME: (i32, i32, i1) -> ()

// CHIP: error: 'vector_ext.cluster_barrier' op expected a chip with clusters, sm_90 or later, got sm_80

//--- kernel.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx81">] {
    gpu.func @kernel(%p: i1) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
      %c1 = arith.constant 1 : index
      %b = nvgpu.mbarrier.create -> !barriers
      %rank = gpu.cluster_block_id x
      vector_ext.cluster_barrier
      vector_ext.cluster_arrive %b[%c1] of %rank if %p : !barriers
      gpu.return
    }
  }
}

// BARRIERS: error: 'vector_ext.cluster_arrive' op expected mbarriers, got 'index'
//--- barriers.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx81">] {
    gpu.func @kernel(%p: i1, %i: index) kernel {
      vector_ext.cluster_arrive %i[%i] of %i if %p : index
      gpu.return
    }
  }
}
