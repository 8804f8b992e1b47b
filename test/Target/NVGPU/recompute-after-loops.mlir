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

  // Around a loop that carries 128 words, the row is computed again, and after that loop its
  // class is loaded again. What does not depend on the thread is not.
  // CHECK-LABEL: gpu.func @nested
  // CHECK-SAME: (%[[CLASSES:.*]]: memref<?xi64> {llvm.noalias, llvm.readonly}, %[[OUT:.*]]: memref<?xindex>,
  // CHECK: %[[UNIFORM:.*]] = memref.load %[[CLASSES]][%c0]
  // CHECK: scf.for
  // CHECK-NEXT: %[[ID:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, %tid.x;"
  // CHECK: %[[ROW:.*]] = arith.shrui
  // CHECK: memref.store %{{.*}}, %[[OUT]][%[[ROW]]]
  // CHECK: scf.for
  // CHECK: }
  // CHECK: %[[AGAIN:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, %tid.x;"
  // CHECK: %[[HERE:.*]] = arith.shrui
  // CHECK: %[[LOADED:.*]] = memref.load %[[CLASSES]][%[[HERE]]]
  // CHECK: %[[CLASS:.*]] = arith.index_cast %[[LOADED]]
  // CHECK: memref.store %[[CLASS]], %[[OUT]][%[[HERE]]]
  // CHECK: memref.store %{{.*}}, %[[OUT]][%{{.*}}]
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @nested(%classes: memref<?xi64> {llvm.noalias, llvm.readonly}, %out: memref<?xindex>, %n: index, %x: vector<128xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    %row = arith.shrui %id, %c1 : index
    %uniform = memref.load %classes[%c0] : memref<?xi64>
    %loaded = memref.load %classes[%row] : memref<?xi64>
    %class = arith.index_cast %loaded : i64 to index
    %all = arith.index_cast %uniform : i64 to index
    scf.for %i = %c0 to %n step %c1 {
      memref.store %i, %out[%row] : memref<?xindex>
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %x) -> vector<128xf32> {
        %next = arith.addf %acc, %x : vector<128xf32>
        scf.yield %next : vector<128xf32>
      }
      %bits = vector.bitcast %sum : vector<128xf32> to vector<128xi32>
      memref.store %class, %out[%row] : memref<?xindex>
      memref.store %all, %out[%i] : memref<?xindex>
    }
    gpu.return
  }

  // The inner loop carries little, or the memory may change.
  // CHECK-LABEL: gpu.func @negative_nested_few
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @negative_nested_few(%classes: memref<?xi64> {llvm.noalias, llvm.readonly}, %out: memref<?xi64>, %n: index, %x: vector<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    %class = memref.load %classes[%id] : memref<?xi64>
    scf.for %i = %c0 to %n step %c1 {
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %x) -> vector<64xf32> {
        %next = arith.addf %acc, %x : vector<64xf32>
        scf.yield %next : vector<64xf32>
      }
      memref.store %class, %out[%i] : memref<?xi64>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_nested_written
  // CHECK: memref.load
  // CHECK: scf.for
  // CHECK-NOT: memref.load
  // CHECK: gpu.return
  gpu.func @negative_nested_written(%out: memref<?xi64> {llvm.noalias}, %n: index, %x: vector<128xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    %class = memref.load %out[%id] : memref<?xi64>
    scf.for %i = %c0 to %n step %c1 {
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %x) -> vector<128xf32> {
        %next = arith.addf %acc, %x : vector<128xf32>
        scf.yield %next : vector<128xf32>
      }
      memref.store %class, %out[%i] : memref<?xi64>
    }
    gpu.return
  }
}
