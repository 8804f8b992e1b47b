// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' | FileCheck %s

// A barrier that is known not to be reached is not there, and one that always is has no
// predicate: the text of instructions has registers for predicates, and no numbers. A loop of
// few iterations makes such constants of the copies that run ahead of it.

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
    // CHECK-LABEL: llvm.func @constants
    // CHECK-SAME:    %[[P:[a-z0-9]+]]: i1
    // CHECK:         nvvm.mbarrier.init %{{[0-9]+}}, %{{[0-9]+}} :
    // CHECK-NOT:     mbarrier.init
    // CHECK:         nvvm.mbarrier.arrive.expect_tx %{{[0-9]+}}, %{{[0-9]+}} :
    // CHECK-NOT:     expect_tx
    // CHECK:         nvvm.mbarrier.arrive.expect_tx %{{.*}}, predicate = %[[P]] :
    // CHECK-NOT:     expect_tx
    // CHECK:         llvm.return
    gpu.func @constants(%p: i1) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %bytes = arith.constant 1024 : index
      %true = arith.constant true
      %false = arith.constant false
      %b = nvgpu.mbarrier.create -> !barriers
      nvgpu.mbarrier.init %b[%c0], %c1, predicate = %true : !barriers
      nvgpu.mbarrier.init %b[%c1], %c1, predicate = %false : !barriers
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %true : !barriers
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %false : !barriers
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %p : !barriers
      gpu.return
    }
  }
}
