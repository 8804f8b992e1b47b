// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90 --linalg-ext-gpu-outline-kernels=steps=wait > %t
// RUN: FileCheck %s < %t
// RUN: linalg-ext-opt %t --linalg-ext-gpu-outline-kernels=steps=wait | FileCheck %s
// RUN: linalg-ext-opt %t --linalg-ext-gpu-manifest | %python %S/Inputs/print-manifest.py | FileCheck %s --check-prefix=MANIFEST
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_89 --linalg-ext-gpu-outline-kernels=steps=wait | FileCheck %s --check-prefix=OLDER
// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=wait | FileCheck %s --check-prefix=OLDER
// RUN: linalg-ext-opt %t --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,linalg-ext-gpu-convert-kernels))' | FileCheck %s --check-prefix=LLVM

// OLDER-NOT: griddepcontrol

// A launcher distributes workgroups evenly, those of kernels that read memory in a loop only up to
// four on a processor: they need the L1 cache. Clusters are left as they are.

// MANIFEST: launch 0: scale waits even up to 16
// MANIFEST: launch 1: sum waits even up to 4
// MANIFEST: launch 2: copies_in_role_of_large waits even up to 16
// MANIFEST: launch 9: scale waits{{$}}

// The kernel waits behind what only its own threads see.

// CHECK-LABEL: gpu.func @scale(
// CHECK: memref.store {{.*}} #gpu.address_space<workgroup>
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
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

// What stores in no loop lets others begin: behind the wait, or, where tiles are copied and the
// last copy is not known, in front of the store behind a loop.

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

// Where the last copy of a tile has been started: in iterations in which the thread that copies
// does not.

// CHECK-LABEL: gpu.func @last_copy(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NOT: griddepcontrol
// CHECK: scf.for
// CHECK: %[[COPIES:.*]] = arith.cmpi slt
// CHECK: nvgpu.tma.async.load
// CHECK: nvgpu.tma.async.load
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: %[[NOT:.*]] = arith.xori %[[COPIES]], %[[TRUE]]
// CHECK-NEXT: %[[ENDS:.*]] = arith.andi %[[FIRST:.*]], %[[NOT]]
// CHECK-NEXT: nvvm.inline_ptx "griddepcontrol.launch_dependents;", predicate = %[[ENDS]]
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// The order of the two conditions is free.

// CHECK-LABEL: gpu.func @last_copy_swapped(
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvgpu.tma.async.load
// CHECK: arith.xori
// CHECK: nvvm.inline_ptx "griddepcontrol.launch_dependents;"

// Negative: all iterations copy, so it is in front of the store.

// CHECK-LABEL: gpu.func @negative_last_copy(
// CHECK-NOT: inline_ptx
// CHECK: nvgpu.tma.async.load
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
// CHECK: gpu.return

// Behind the loop of a role that copies.

// CHECK-LABEL: gpu.func @copies_in_role(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NOT: griddepcontrol
// CHECK: scf.for
// CHECK: nvgpu.tma.async.load
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: }
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// Where a processor has no room for two workgroups, in front of the store.

// CHECK-LABEL: gpu.func @copies_in_role_of_large(
// CHECK: nvgpu.tma.async.load
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
// CHECK: gpu.return

// Negative: persistent workgroups, which store in a loop.

// CHECK-LABEL: gpu.func @negative_persistent(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

// LLVM-LABEL: llvm.func @sum(
// LLVM: "griddepcontrol.wait;
// LLVM: nvvm.griddepcontrol launch_dependents
// LLVM: llvm.store

// LLVM-LABEL: llvm.func @last_copy(
// LLVM: "griddepcontrol.wait;
// LLVM: nvvm.inline_ptx "griddepcontrol.launch_dependents;"

// Without a loop, more than 16 workgroups for each of 132 processors say nothing: they take turns.
// If their number is not known, they look at
// those sizes of the grid that are not 1.

// CHECK-LABEL: gpu.func @few(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.return

// CHECK-LABEL: gpu.func @negative_many(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.return

// CHECK-LABEL: gpu.func @few_or_many(
// CHECK: nvvm.griddepcontrol wait
// CHECK-NEXT: %[[X:.*]] = gpu.grid_dim x
// CHECK-NEXT: %[[Z:.*]] = gpu.grid_dim z
// CHECK-NEXT: %[[ALL:.*]] = arith.muli %[[X]], %[[Z]]
// CHECK-NEXT: %[[MOST:.*]] = arith.constant 2112 : index
// CHECK-NEXT: %[[FEW:.*]] = arith.cmpi ule, %[[ALL]], %[[MOST]]
// CHECK-NEXT: nvvm.inline_ptx "griddepcontrol.launch_dependents;", predicate = %[[FEW]]
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.return

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
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK: gpu.return

// Negative: no kernel.

// CHECK-LABEL: gpu.func @callee(
// CHECK-NOT: griddepcontrol
// CHECK: gpu.return

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>

module attributes {gpu.container_module} {
  func.func @main(%a: memref<64xf32>, %b: memref<64xf32>, %m: memref<64x64xf32>, %n: index, %s: f32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %large = arith.constant 131072 : i32
    %x = arith.constant true
    %any = memref.cast %m : memref<64x64xf32> to memref<*xf32>
    %c8 = arith.constant 8 : index
    %map = nvgpu.tma.create.descriptor %any box[%c8, %c8] : memref<*xf32> -> !map
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<64x64xf32>, %b : memref<64xf32>)
    gpu.launch_func @kernels::@copies_in_role_of_large blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %large args(%map : !map, %b : memref<64xf32>, %c64 : index, %x : i1)
    %c33 = arith.constant 33 : index
    gpu.launch_func @kernels::@few blocks in (%c64, %c33, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %s : f32)
    gpu.launch_func @kernels::@negative_many blocks in (%c33, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %s : f32)
    gpu.launch_func @kernels::@negative_many blocks in (%c64, %c1, %c33) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %s : f32)
    gpu.launch_func @kernels::@negative_many blocks in (%c64, %c2, %c33) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %s : f32)
    gpu.launch_func @kernels::@few_or_many blocks in (%c1, %c1, %c2) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %s : f32)
    gpu.launch_func @kernels::@few_or_many blocks in (%n, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %s : f32)
    gpu.launch_func @kernels::@scale clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
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
    gpu.func @last_copy(%map: !map, %b: memref<64xf32>, %n: index) workgroup(%tile : memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %first = arith.cmpi eq, %0, %c0 : index
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.tma.async.load %map[%c0, %c0], %barrier[%c0] to %tile, predicate = %first : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
      %1 = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %zero) -> f32 {
        %v = memref.load %tile[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>>
        %s = arith.addf %sum, %v : f32
        %next = arith.addi %i, %c8 : index
        %copies = arith.cmpi slt, %next, %n : index
        %p = arith.andi %first, %copies : i1
        nvgpu.tma.async.load %map[%c0, %next], %barrier[%c0] to %tile, predicate = %p : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
        nvgpu.tma.async.load %map[%c0, %i], %barrier[%c0] to %tile, predicate = %p : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
        scf.yield %s : f32
      }
      memref.store %1, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @last_copy_swapped(%map: !map, %b: memref<64xf32>, %n: index) workgroup(%tile : memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %first = arith.cmpi eq, %0, %c0 : index
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.tma.async.load %map[%c0, %c0], %barrier[%c0] to %tile, predicate = %first : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
      %1 = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %zero) -> f32 {
        %v = memref.load %tile[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>>
        %s = arith.addf %sum, %v : f32
        %next = arith.addi %i, %c8 : index
        %copies = arith.cmpi slt, %next, %n : index
        %p = arith.andi %copies, %first : i1
        nvgpu.tma.async.load %map[%c0, %next], %barrier[%c0] to %tile, predicate = %p : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
        scf.yield %s : f32
      }
      memref.store %1, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @negative_last_copy(%map: !map, %b: memref<64xf32>, %n: index) workgroup(%tile : memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %first = arith.cmpi eq, %0, %c0 : index
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.tma.async.load %map[%c0, %c0], %barrier[%c0] to %tile, predicate = %first : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
      %1 = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %zero) -> f32 {
        %v = memref.load %tile[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>>
        %s = arith.addf %sum, %v : f32
        %next = arith.addi %i, %c8 : index
        nvgpu.tma.async.load %map[%c0, %next], %barrier[%c0] to %tile, predicate = %first : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
        scf.yield %s : f32
      }
      memref.store %1, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @copies_in_role(%map: !map, %b: memref<64xf32>, %n: index, %role: i1) workgroup(%tile : memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %first = arith.cmpi eq, %0, %c0 : index
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      scf.if %role {
        scf.for %i = %c0 to %n step %c8 {
          nvgpu.tma.async.load %map[%c0, %i], %barrier[%c0] to %tile, predicate = %first : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
        }
      }
      %v = memref.load %tile[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>>
      memref.store %v, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @copies_in_role_of_large(%map: !map, %b: memref<64xf32>, %n: index, %role: i1) workgroup(%tile : memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %first = arith.cmpi eq, %0, %c0 : index
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      scf.if %role {
        scf.for %i = %c0 to %n step %c8 {
          nvgpu.tma.async.load %map[%c0, %i], %barrier[%c0] to %tile, predicate = %first : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
        }
      }
      %v = memref.load %tile[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>>
      memref.store %v, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @negative_persistent(%map: !map, %b: memref<64xf32>, %n: index, %role: i1) workgroup(%tile : memref<8x8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %0 = gpu.thread_id x
      %first = arith.cmpi eq, %0, %c0 : index
      %barrier = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
      nvgpu.mbarrier.init %barrier[%c0], %c1 : <memorySpace = #gpu.address_space<workgroup>>
      scf.if %role {
        scf.for %i = %c0 to %n step %c8 {
          nvgpu.tma.async.load %map[%c0, %i], %barrier[%c0] to %tile, predicate = %first : !map, <memorySpace = #gpu.address_space<workgroup>> -> memref<8x8xf32, #gpu.address_space<workgroup>>
        }
      }
      scf.for %i = %c0 to %c64 step %c8 {
        memref.store %zero, %b[%i] : memref<64xf32>
      }
      gpu.return
    }
    gpu.func @few(%b: memref<64xf32>, %s: f32) kernel {
      %0 = gpu.thread_id x
      memref.store %s, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @negative_many(%b: memref<64xf32>, %s: f32) kernel {
      %0 = gpu.thread_id x
      memref.store %s, %b[%0] : memref<64xf32>
      gpu.return
    }
    gpu.func @few_or_many(%b: memref<64xf32>, %s: f32) kernel {
      %0 = gpu.thread_id x
      memref.store %s, %b[%0] : memref<64xf32>
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
