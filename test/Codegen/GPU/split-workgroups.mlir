// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=split-workgroups --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads='steps=split-workgroups workgroup-threads=96' --split-input-file | FileCheck %s --check-prefix=CUT
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-optimize-threads{steps=split-workgroups})' --split-input-file | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=workgroup-threads=0 2>&1 | FileCheck %s --check-prefix=THREADS

// THREADS: error: expected 'workgroup-threads' to be positive, got 0

// Each quarter of the threads is a workgroup.

// CHECK-LABEL: func @copy
// CHECK-SAME:      %[[N:[^:]*]]: index
// CHECK:         %[[PARTS:.*]] = arith.constant 4 : index
// CHECK:         %[[GRID:.*]] = arith.muli %[[N]], %[[PARTS]]
// CHECK:         %[[FEWER:.*]] = arith.constant 128 : index
// CHECK:         gpu.launch blocks(%[[B:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[GRID]], {{.*}} threads({{.*}}) in (%{{.*}} = %[[FEWER]],
// CHECK:           %[[WHOLE:.*]] = arith.divui %[[B]], %[[PARTS]]
// CHECK:           %[[PART:.*]] = arith.remui %[[B]], %[[PARTS]]
// CHECK:           %[[FIRST:.*]] = arith.muli %[[PART]], %[[FEWER]]
// CHECK:           %[[THREAD:.*]] = gpu.thread_id x
// CHECK:           %[[T:.*]] = arith.addi %[[FIRST]], %[[THREAD]]
// CHECK:           %[[X:.*]] = memref.load %{{.*}}[%[[WHOLE]], %[[T]]]
// CHECK:           memref.store %[[X]], %{{.*}}[%[[WHOLE]], %[[T]]]
func.func @copy(%n: index, %a: memref<?x512xf32>, %out: memref<?x512xf32>) {
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c512, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %x = memref.load %a[%bx, %t] : memref<?x512xf32>
    memref.store %x, %out[%bx, %t] : memref<?x512xf32>
    gpu.terminator
  }
  return
}

// -----

// Threads that wait for each other, that exchange what they have, that have
// memory in common or ask how many they are stay together; so do few.

// CHECK-LABEL: func @negative
// CHECK-NOT:     arith.divui
func.func @negative(%n: index, %a: memref<?x512xf32>, %out: memref<?x512xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c512, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %x = memref.load %a[%bx, %t] : memref<?x512xf32>
    gpu.barrier
    memref.store %x, %a[%bx, %c0] : memref<?x512xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c512, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %x = memref.load %a[%bx, %t] : memref<?x512xf32>
    %offset = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %y, %valid = gpu.shuffle xor %x, %offset, %width : f32
    memref.store %y, %a[%bx, %t] : memref<?x512xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c512, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %own = memref.alloc() : memref<512xf32, #gpu.address_space<workgroup>>
    %x = memref.load %a[%bx, %t] : memref<?x512xf32>
    memref.store %x, %own[%t] : memref<512xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c512, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    memref.store %sx, %out[%bx, %t] : memref<?x512xindex>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    memref.store %t, %out[%bx, %t] : memref<?x512xindex>
    gpu.terminator
  }
  return
}

// Workgroups of 96 may cut a subgroup, whose lanes had other numbers then; those
// of 128 do not.
// CHECK-LABEL: func @lanes(
// CHECK: %[[FEWER:.*]] = arith.constant 128 : index
// CHECK: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %[[FEWER]],
// CUT-LABEL: func @lanes(
// CUT: %[[ALL:.*]] = arith.constant 384 : index
// CUT: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %[[ALL]],
func.func @lanes(%n: index, %out: memref<?x384xindex>) {
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    memref.store %lane, %out[%bx, %t] : memref<?x384xindex>
    gpu.terminator
  }
  return
}
