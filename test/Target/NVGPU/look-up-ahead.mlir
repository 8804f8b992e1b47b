// RUN: linalg-ext-opt %s --linalg-ext-gpu-pipeline-loops --split-input-file | FileCheck %s

// The copying role reads the entry of the next iteration before it waits for a slot. It
// reads none for an iteration that does not exist, in front of the loop as well.

// CHECK-LABEL: func.func @entries
// CHECK:         %[[ANY:.*]] = arith.cmpi slt, %c0, %[[N:.*]] : index
// CHECK:         %[[HAS:.*]] = arith.andi %{{.*}}, %[[ANY]] : i1
// CHECK:         %[[FIRST:.*]] = scf.if %[[HAS]] -> (i32)
// CHECK:           memref.load
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[N]] step %c64 iter_args(%[[ENTRY:.*]] = %[[FIRST]]) -> (i32)
// CHECK:           %[[J:.*]] = arith.addi %[[I]], %c64
// CHECK:           %[[IN:.*]] = arith.cmpi slt, %[[J]], %[[N]] : index
// CHECK:           %[[HAS:.*]] = arith.andi %{{.*}}, %[[IN]] : i1
// CHECK:           %[[NEXT:.*]] = scf.if %[[HAS]] -> (i32)
// CHECK:             memref.load
// CHECK-NOT:       memref.load
// CHECK:           nvgpu.mbarrier.try_wait.parity
// CHECK-NOT:       memref.load
// CHECK:           memref.store %[[ENTRY]]
// CHECK:           scf.yield %[[NEXT]] : i32
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
func.func @entries(%table: memref<?xi32>, %n: index, %first: index) {
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %ticks = arith.constant 10000000 : index
    %none = arith.constant -1 : i32
    %entries = memref.dim %table, %c0 : memref<?xi32>
    %slots = memref.alloc() : memref<384xi32, #gpu.address_space<workgroup>>
    %empty = nvgpu.mbarrier.create -> !barriers
    vector_ext.role first(256) threads(128) registers(40) {
      scf.for %i = %c0 to %n step %c64 {
        %at = arith.addi %i, %first : index
        %exists = arith.cmpi ult, %at, %entries : index
        %entry = scf.if %exists -> (i32) {
          %0 = memref.load %table[%at] : memref<?xi32>
          scf.yield %0 : i32
        } else {
          scf.yield %none : i32
        }
        %number = arith.divui %i, %c64 : index
        %slot = arith.remui %number, %c2 : index
        %phase = arith.cmpi eq, %slot, %c0 : index
        nvgpu.mbarrier.try_wait.parity %empty[%slot], %phase, %ticks : !barriers
        memref.store %entry, %slots[%tx] : memref<384xi32, #gpu.address_space<workgroup>>
      }
    }
    gpu.terminator
  }
  return
}

// -----

// A role of single threads stays as it is, and so does an entry that the loop carries.

// CHECK-LABEL: func.func @negative_single
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c64 {
// CHECK:           memref.load
// CHECK-NOT:     memref.load
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c64 iter_args(%{{.*}} = %c0) -> (index) {
// CHECK:           memref.load
// CHECK-NOT:     memref.load
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
func.func @negative_single(%table: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %ticks = arith.constant 10000000 : index
    %true = arith.constant true
    %none = arith.constant -1 : i32
    %entries = memref.dim %table, %c0 : memref<?xi32>
    %slots = memref.alloc() : memref<384xi32, #gpu.address_space<workgroup>>
    %empty = nvgpu.mbarrier.create -> !barriers
    vector_ext.role first(256) threads(128) single registers(40) {
      scf.for %i = %c0 to %n step %c64 {
        %exists = arith.cmpi ult, %i, %entries : index
        %entry = scf.if %exists -> (i32) {
          %0 = memref.load %table[%i] : memref<?xi32>
          scf.yield %0 : i32
        } else {
          scf.yield %none : i32
        }
        nvgpu.mbarrier.try_wait.parity %empty[%c0], %true, %ticks : !barriers
        memref.store %entry, %slots[%tx] : memref<384xi32, #gpu.address_space<workgroup>>
      }
    }
    vector_ext.role first(0) threads(256) registers(232) {
      %last = scf.for %i = %c0 to %n step %c64 iter_args(%at = %c0) -> (index) {
        %exists = arith.cmpi ult, %at, %entries : index
        %entry = scf.if %exists -> (i32) {
          %0 = memref.load %table[%at] : memref<?xi32>
          scf.yield %0 : i32
        } else {
          scf.yield %none : i32
        }
        nvgpu.mbarrier.try_wait.parity %empty[%c0], %true, %ticks : !barriers
        memref.store %entry, %slots[%tx] : memref<384xi32, #gpu.address_space<workgroup>>
        %next = arith.index_cast %entry : i32 to index
        scf.yield %next : index
      }
    }
    gpu.terminator
  }
  return
}

// -----

// A branch that does more than to read stays where it is.

// CHECK-LABEL: func.func @negative_writes
// CHECK:         vector_ext.role
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %{{.*}} step %c64 {
// CHECK:             scf.if
// CHECK:               memref.load
// CHECK:               memref.store
// CHECK:             nvgpu.mbarrier.try_wait.parity
// CHECK-NOT:     memref.load
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
func.func @negative_writes(%table: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %ticks = arith.constant 10000000 : index
    %true = arith.constant true
    %none = arith.constant -1 : i32
    %entries = memref.dim %table, %c0 : memref<?xi32>
    %slots = memref.alloc() : memref<384xi32, #gpu.address_space<workgroup>>
    %empty = nvgpu.mbarrier.create -> !barriers
    vector_ext.role first(256) threads(128) registers(40) {
      scf.for %i = %c0 to %n step %c64 {
        %exists = arith.cmpi ult, %i, %entries : index
        %entry = scf.if %exists -> (i32) {
          %0 = memref.load %table[%i] : memref<?xi32>
          memref.store %0, %slots[%tx] : memref<384xi32, #gpu.address_space<workgroup>>
          scf.yield %0 : i32
        } else {
          scf.yield %none : i32
        }
        nvgpu.mbarrier.try_wait.parity %empty[%c0], %true, %ticks : !barriers
        memref.store %entry, %slots[%tx] : memref<384xi32, #gpu.address_space<workgroup>>
      }
    }
    gpu.terminator
  }
  return
}
