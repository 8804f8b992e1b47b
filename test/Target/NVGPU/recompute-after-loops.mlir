// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=recompute-after-loops}))' | FileCheck %s

gpu.module @kernels {
  // Of the row, which a loop uses too, behind each loop that it is needed behind; what
  // does not depend on the thread, and what is loaded, stays.
  // CHECK-LABEL: gpu.func @f
  // CHECK: %[[ID:.*]] = gpu.thread_id x
  // CHECK: %[[ROW:.*]] = arith.shrui %[[ID]]
  // CHECK: %[[END:.*]] = arith.muli
  // CHECK: %[[LOADED:.*]] = memref.load %{{.*}}[%[[ROW]]]
  // CHECK: scf.for
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]]]
  // CHECK: }
  // CHECK-NEXT: %[[BETWEEN:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, %tid.x;", "=r" : () -> i32
  // CHECK: %[[THERE:.*]] = arith.shrui
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[THERE]]]
  // CHECK-NEXT: scf.for
  // CHECK: }
  // CHECK: %[[AGAIN:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, %tid.x;", "=r" : () -> i32
  // CHECK: %[[SMALL:.*]] = arith.andi %[[AGAIN]]
  // CHECK: %[[INDEX:.*]] = arith.index_castui %[[SMALL]] : i32 to index
  // CHECK: %[[HERE:.*]] = arith.shrui %[[INDEX]]
  // CHECK-NOT: inline_asm
  // CHECK: scf.if
  // CHECK: memref.store %[[LOADED]], %{{.*}}[%[[HERE]]]
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[END]]]
  gpu.func @f(%n: index, %x: f32, %bit: i1, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    %row = arith.shrui %id, %c1 : index
    %end = arith.muli %n, %n : index
    %loaded = memref.load %out[%row] : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %out[%row] : memref<?xf32>
    }
    memref.store %x, %out[%row] : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %out[%i] : memref<?xf32>
    }
    scf.if %bit {
      memref.store %loaded, %out[%row] : memref<?xf32>
    }
    memref.store %x, %out[%end] : memref<?xf32>
    gpu.return
  }

  // No loop, and none that a value of the thread crosses.
  // CHECK-LABEL: gpu.func @negative_no_crossing
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @negative_no_crossing(%n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.thread_id x
    %row = arith.shrui %id, %c2 : index
    memref.store %x, %out[%row] : memref<?xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> f32 {
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    memref.store %sum, %out[%c0] : memref<?xf32>
    gpu.return
  }
}
