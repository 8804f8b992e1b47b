// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=free-slots}))' | FileCheck %s

// 32 functions follow the arrival that frees a slot behind a loop of products: a
// fence keeps them behind it. An arrival that few functions follow, and one in front
// of which memory is written, stay alone.

!group = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @many_functions
  // CHECK:         vector_ext.await
  // CHECK-NEXT:    nvgpu.mbarrier.arrive.expect_tx
  // CHECK-NEXT:    llvm.fence syncscope("block") acq_rel
  // CHECK-COUNT-32: llvm.call_intrinsic
  gpu.func @many_functions(%empty: !group, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %open = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      scf.yield %acc : vector<4xf32>
    }
    %sum = vector_ext.await %open : vector<4xf32>
    nvgpu.mbarrier.arrive.expect_tx %empty[%c0], %c0 : !group
    %e0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_few_functions
  // CHECK:         nvgpu.mbarrier.arrive.expect_tx
  // CHECK-NEXT:    llvm.call_intrinsic
  gpu.func @negative_few_functions(%empty: !group, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %open = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      scf.yield %acc : vector<4xf32>
    }
    %sum = vector_ext.await %open : vector<4xf32>
    nvgpu.mbarrier.arrive.expect_tx %empty[%c0], %c0 : !group
    %e0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_behind_a_store
  // CHECK:         nvgpu.mbarrier.arrive.expect_tx
  // CHECK-NEXT:    llvm.call_intrinsic
  gpu.func @negative_behind_a_store(%empty: !group, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %open = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      scf.yield %acc : vector<4xf32>
    }
    %sum = vector_ext.await %open : vector<4xf32>
    memref.store %x, %out[%c1] : memref<?xf32>
    nvgpu.mbarrier.arrive.expect_tx %empty[%c0], %c0 : !group
    %e0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e1 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e3 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e4 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e5 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e7 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e8 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e10 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e11 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e12 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e13 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e14 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e15 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e16 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e17 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e18 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e19 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e20 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e21 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e22 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e23 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e24 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e25 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e26 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e27 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e28 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e29 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e30 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %e31 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
  // The loop frees slots, and nothing behind it does: a fence follows the wait. Where
  // the loop frees none, has a barrier, or computes functions, there is no fence.
  // CHECK-LABEL: gpu.func @no_arrival_behind
  // CHECK:         vector_ext.await
  // CHECK-NEXT:    llvm.fence syncscope("block") acq_rel
  // CHECK-NEXT:    vector.store
  gpu.func @no_arrival_behind(%empty: !group, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %open = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      nvgpu.mbarrier.arrive.expect_tx %empty[%c0], %c0 : !group
      scf.yield %acc : vector<4xf32>
    }
    %sum = vector_ext.await %open : vector<4xf32>
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_no_slots
  // CHECK:         vector_ext.await
  // CHECK-NEXT:    vector.store
  gpu.func @negative_no_slots(%empty: !group, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %open = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      scf.yield %acc : vector<4xf32>
    }
    %sum = vector_ext.await %open : vector<4xf32>
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_barrier
  // CHECK:         vector_ext.await
  // CHECK-NEXT:    vector.store
  gpu.func @negative_barrier(%empty: !group, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %open = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      gpu.barrier
      nvgpu.mbarrier.arrive.expect_tx %empty[%c0], %c0 : !group
      scf.yield %acc : vector<4xf32>
    }
    %sum = vector_ext.await %open : vector<4xf32>
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_functions_in_loop
  // CHECK:         vector_ext.await
  // CHECK-NEXT:    vector.store
  gpu.func @negative_functions_in_loop(%empty: !group, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %open = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      %e = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
      nvgpu.mbarrier.arrive.expect_tx %empty[%c0], %c0 : !group
      scf.yield %acc : vector<4xf32>
    }
    %sum = vector_ext.await %open : vector<4xf32>
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
