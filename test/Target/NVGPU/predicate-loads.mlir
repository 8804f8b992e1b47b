// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=predicate-loads}))' --split-input-file | FileCheck %s

gpu.module @kernels {
  // The entry is read in front of the barrier, under both conditions.
  // CHECK-LABEL: gpu.func @f
  //  CHECK-SAME:   %[[N:.*]]: index, %[[TABLE:[a-z0-9]+]]: memref<?xi32>
  //       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[N]]
  //       CHECK:     %[[INNER:.*]] = arith.cmpi ult, %[[I]], %dim
  //       CHECK:     %[[OUTER:.*]] = arith.cmpi ult, %[[I]], %c8
  //       CHECK:     %[[BOTH:.*]] = arith.andi %{{.*}}, %[[OUTER]] : i1
  //       CHECK:     %[[MASK:.*]] = vector.from_elements %[[BOTH]] : vector<1xi1>
  //       CHECK:     %[[LOADED:.*]] = vector.maskedload %[[TABLE]][%[[I]]], %[[MASK]], %{{.*}} {invariant}
  //  CHECK-NEXT:     gpu.barrier
  //   CHECK-NOT:     scf.if
  //       CHECK:     %[[ENTRY:.*]] = vector.extract %[[LOADED]][0]
  //       CHECK:     %[[KNOWN:.*]] = arith.select %[[INNER]], %[[ENTRY]], %c-1_i32
  //       CHECK:     %[[PAGE:.*]] = arith.select %[[OUTER]], %[[KNOWN]], %c-1_i32
  //       CHECK:     memref.store %[[PAGE]]
  gpu.func @f(%n: index, %table: memref<?xi32> {llvm.noalias, llvm.readonly}, %out: memref<?xi32> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %none = arith.constant -1 : i32
    %entries = memref.dim %table, %c0 : memref<?xi32>
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
      %outer = arith.cmpi ult, %i, %c8 : index
      %page = scf.if %outer -> (i32) {
        %inner = arith.cmpi ult, %i, %entries : index
        %known = scf.if %inner -> (i32) {
          %entry = memref.load %table[%i] : memref<?xi32>
          scf.yield %entry : i32
        } else {
          scf.yield %none : i32
        }
        scf.yield %known : i32
      } else {
        scf.yield %none : i32
      }
      memref.store %page, %out[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // Others may write to the table, by another name, or the branch stores.
  // CHECK-LABEL: gpu.func @negative_written
  //       CHECK:   scf.if
  //       CHECK:   memref.load
  //   CHECK-NOT:   vector.maskedload
  //       CHECK:   scf.if
  //       CHECK:   memref.load
  //       CHECK:   memref.store
  gpu.func @negative_written(%n: index, %table: memref<?xi32> {llvm.readonly}, %other: memref<?xi32> {llvm.noalias, llvm.readonly}, %out: memref<?xi32> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %none = arith.constant -1 : i32
    scf.for %i = %c0 to %n step %c1 {
      %exists = arith.cmpi ult, %i, %c8 : index
      %page = scf.if %exists -> (i32) {
        %entry = memref.load %table[%i] : memref<?xi32>
        scf.yield %entry : i32
      } else {
        scf.yield %none : i32
      }
      %stored = scf.if %exists -> (i32) {
        %entry = memref.load %other[%i] : memref<?xi32>
        memref.store %entry, %out[%c0] : memref<?xi32>
        scf.yield %entry : i32
      } else {
        scf.yield %page : i32
      }
      memref.store %stored, %out[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // Three loads would be three registers.
  // CHECK-LABEL: gpu.func @negative_many
  // CHECK-COUNT-3: memref.load
  //   CHECK-NOT:   vector.maskedload
  gpu.func @negative_many(%n: index, %table: memref<?xi32> {llvm.noalias, llvm.readonly}, %out: memref<?xi32> {llvm.noalias}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %none = arith.constant -1 : i32
    scf.for %i = %c0 to %n step %c1 {
      %exists = arith.cmpi ult, %i, %c8 : index
      %sum = scf.if %exists -> (i32) {
        %a = memref.load %table[%i] : memref<?xi32>
        %b = memref.load %table[%c0] : memref<?xi32>
        %c = memref.load %table[%c1] : memref<?xi32>
        %ab = arith.addi %a, %b : i32
        %abc = arith.addi %ab, %c : i32
        scf.yield %abc : i32
      } else {
        scf.yield %none : i32
      }
      memref.store %sum, %out[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // Earlier launches may still write to the table in front of the wait for them.
  // CHECK-LABEL: gpu.func @negative_early
  //       CHECK:   gpu.barrier
  //   CHECK-NOT:   vector.maskedload
  //       CHECK:   nvvm.griddepcontrol wait
  //       CHECK:   vector.maskedload
  //       CHECK:   memref.store
  gpu.func @negative_early(%i: index, %table: memref<?xi32> {llvm.noalias, llvm.readonly}, %out: memref<?xi32> {llvm.noalias}) kernel {
    %c8 = arith.constant 8 : index
    %none = arith.constant -1 : i32
    gpu.barrier
    nvvm.griddepcontrol wait
    %outer = arith.cmpi ult, %i, %c8 : index
    %page = scf.if %outer -> (i32) {
      %entry = memref.load %table[%i] : memref<?xi32>
      scf.yield %entry : i32
    } else {
      scf.yield %none : i32
    }
    memref.store %page, %out[%i] : memref<?xi32>
    gpu.return
  }
}
