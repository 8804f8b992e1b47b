// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90 --linalg-ext-gpu-outline-kernels=steps=wait > %t
// RUN: FileCheck %s < %t
// RUN: linalg-ext-opt %t --linalg-ext-gpu-outline-kernels=steps=wait | FileCheck %s
// RUN: linalg-ext-opt %t --linalg-ext-gpu-manifest | %python %S/Inputs/print-manifest.py | FileCheck %s --check-prefix=MANIFEST
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_89 --linalg-ext-gpu-outline-kernels=steps=wait | FileCheck %s --check-prefix=OLDER
// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=wait | FileCheck %s --check-prefix=OLDER
// RUN: linalg-ext-opt %t --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,linalg-ext-gpu-convert-kernels))' | FileCheck %s --check-prefix=LLVM

// OLDER-NOT: griddepcontrol

// MANIFEST: launch 0: scale waits

// The kernel waits behind what only its own threads see.

// CHECK-LABEL: gpu.func @scale(
// CHECK: memref.store {{.*}} #gpu.address_space<workgroup>
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.load
// CHECK: memref.store
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// LLVM takes %a for constant, and so does the assembler: the load is in a block that depends on the
// wait, by a number that neither of them knows. Indices are operands of the wait, so that they are
// computed in front of it.

// LLVM-LABEL: llvm.func @scale(
// LLVM: %[[INDEX:.*]] = llvm.sext
// LLVM: nvvm.barrier
// LLVM: llvm.alloca
// LLVM: llvm.br ^[[WAIT:.*]]
// LLVM: ^[[WAIT]]:
// LLVM-NEXT: %[[NUMBER:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "griddepcontrol.wait; mov.u32 $0, %nctaid.x;", "=r,l,~{memory}" %[[INDEX]] : (i64) -> i32
// LLVM: %[[ALWAYS:.*]] = llvm.icmp "ne" %[[NUMBER]], %{{.*}} : i32
// LLVM-NEXT: llvm.cond_br %[[ALWAYS]], ^[[REST:.*]], ^[[WAIT]]
// LLVM: ^[[REST]]:
// LLVM: llvm.load
// LLVM: llvm.store
// LLVM: llvm.return

// What stores the result of a loop lets others begin: behind the wait, or, where
// tiles are copied, in front of the store.

// CHECK-LABEL: gpu.func @sum(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: scf.for
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// CHECK-LABEL: gpu.func @sum_of_tiles(
// CHECK: nvgpu.mbarrier.init
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: scf.for
// CHECK: memref.load
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// In the branch of a role, too.

// CHECK-LABEL: gpu.func @sum_in_role(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.for
// CHECK: memref.load
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// A copy by a tensor map is an access, though its effects name only the tile.

// CHECK-LABEL: gpu.func @copy_first(
// CHECK: nvgpu.mbarrier.init
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvgpu.tma.async.load

// LLVM-LABEL: llvm.func @sum(
// LLVM: "griddepcontrol.wait;
// LLVM: nvvm.griddepcontrol launch_dependents
// LLVM: llvm.store

// An access in a branch is one, and so is a branch in front of it. A loop that
// stores goes on: others would begin too early.

// CHECK-LABEL: gpu.func @loop(
// CHECK: scf.for
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: scf.if
// CHECK: scf.for
// CHECK: memref.store
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// Nothing is accessed: those behind it wait for it as the end of all before.

// CHECK-LABEL: gpu.func @nothing(
// CHECK: nvvm.griddepcontrol wait
// CHECK: gpu.return

// Negative: no kernel.

// CHECK-LABEL: gpu.func @callee(
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>

module attributes {gpu.container_module} {
  func.func @main(%a: memref<64xf32>, %b: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @scale(%a: memref<64xf32>, %b: memref<64xf32>) workgroup(%s : memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %0 = gpu.thread_id x
      %f = arith.constant 2.0 : f32
      memref.store %f, %s[%0] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %1 = memref.load %a[%0] : memref<64xf32>
      %own = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
      %c0 = arith.constant 0 : index
      memref.store %1, %own[%c0] : memref<4xf32, #gpu.address_space<private>>
      %2 = arith.mulf %1, %f : f32
      memref.store %2, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @sum(%a: memref<64x64xf32>, %b: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %1 = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %zero) -> f32 {
        %2 = memref.load %a[%i, %0] : memref<64x64xf32>
        %3 = arith.addf %sum, %2 : f32
        scf.yield %3 : f32
      }
      memref.store %1, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @sum_of_tiles(%p: memref<f32>, %b: memref<64xf32>, %n: index) kernel {
      %a = memref.reinterpret_cast %p to offset: [0], sizes: [%n, 64], strides: [64, 1] : memref<f32> to memref<?x64xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      %1 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f32 {
        %2 = memref.load %a[%i, %0] : memref<?x64xf32>
        %3 = arith.addf %sum, %2 : f32
        scf.yield %3 : f32
      }
      memref.store %1, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @sum_in_role(%p: memref<f32>, %b: memref<64xf32>, %n: index, %x: i1) kernel {
      %a = memref.reinterpret_cast %p to offset: [0], sizes: [%n, 64], strides: [64, 1] : memref<f32> to memref<?x64xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      scf.if %x {
        %1 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f32 {
          %2 = memref.load %a[%i, %0] : memref<?x64xf32>
          %3 = arith.addf %sum, %2 : f32
          scf.yield %3 : f32
        }
        memref.store %1, %b[%0] : memref<64xf32>
      }
      gpu.return
    }
    gpu.func @copy_first(%map: !map) workgroup(%tile : memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.tma.async.load %map[%c0, %c0], %barrier[%c0] to %tile : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
    gpu.func @loop(%a: memref<64xf32>, %x: i1, %s: f32) workgroup(%w : memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      scf.for %i = %c0 to %c64 step %c1 {
        memref.store %s, %w[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      }
      scf.if %x {
        scf.for %i = %c0 to %c64 step %c1 {
          memref.store %s, %a[%i] : memref<64xf32>
        }
      }
      gpu.return
    }
    gpu.func @nothing() kernel {
      %0 = gpu.thread_id x
      gpu.return
    }
    gpu.func @callee(%a: memref<64xf32>, %s: f32) {
      %c0 = arith.constant 0 : index
      memref.store %s, %a[%c0] : memref<64xf32>
      gpu.return
    }
  }
}
