// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  // A value that a loop carries has one layout all the way.
  // CHECK-LABEL: gpu.func @for
  // CHECK-SAME: %[[N:[^:]+]]: index)
  // CHECK: %[[R:.+]] = scf.for %{{.*}} = %c0 to %[[N]] step %c1 iter_args(%[[SUM:.+]] = %cst) -> (vector<2xf32>) {
  // CHECK:   %[[X:.+]] = vector.load
  // CHECK:   %[[Y:.+]] = arith.addf %[[SUM]], %[[X]] : vector<2xf32>
  // CHECK:   scf.yield %[[Y]] : vector<2xf32>
  // CHECK: vector.store %[[R]]
  gpu.func @for(%in: memref<?x64xf32>, %out: memref<64xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (vector<64xf32>) {
      %x = vector.transfer_read %in[%i, %c0], %pad {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      %1 = vector_ext.to_layout %x to <[lane 32:1, register 2:1], lanes = 32, subgroups = 1> : vector<64xf32>
      %2 = arith.addf %sum, %1 : vector<64xf32>
      scf.yield %2 : vector<64xf32>
    }
    vector.transfer_write %0, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // Values that are no vectors are carried as they are.
  // CHECK-LABEL: gpu.func @for_mixed
  // CHECK: scf.for {{.*}} -> (vector<2xf32>, index) {
  gpu.func @for_mixed(%in: memref<?x64xf32>, %out: memref<64xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %pad = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %row = %c1) -> (vector<64xf32>, index) {
      %x = vector.transfer_read %in[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      %1 = vector_ext.to_layout %x to <[lane 32:1, register 2:1], lanes = 32, subgroups = 1> : vector<64xf32>
      %2 = arith.addf %sum, %1 : vector<64xf32>
      %next = arith.muli %row, %c3 : index
      scf.yield %2, %next : vector<64xf32>, index
    }
    vector.transfer_write %0#0, %out[%0#1] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @if
  // CHECK-SAME: %[[BIT:[^:]+]]: i1)
  // CHECK: %[[R:.+]] = scf.if %[[BIT]] -> (vector<2xf32>) {
  // CHECK:   vector.load
  // CHECK: } else {
  // CHECK:   scf.yield %cst : vector<2xf32>
  // CHECK: vector.store %[[R]]
  gpu.func @if(%in: memref<64xf32>, %out: memref<64xf32>, %bit: i1)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %0 = scf.if %bit -> (vector<64xf32>) {
      %x = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
      %1 = vector_ext.to_layout %x to <[lane 32:1, register 2:1], lanes = 32, subgroups = 1> : vector<64xf32>
      scf.yield %1 : vector<64xf32>
    } else {
      scf.yield %zero : vector<64xf32>
    }
    vector.transfer_write %0, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @if_without_results
  // CHECK: scf.if
  // CHECK:   vector.store
  gpu.func @if_without_results(%in: memref<128xf32>, %out: memref<128xf32>, %bit: i1)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %x = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<128xf32>, vector<128xf32>
    scf.if %bit {
      vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<128xf32>, memref<128xf32>
    }
    gpu.return
  }
}

// A launch is a workgroup's program as well; a constant shared with the host is
// brought in.
// CHECK-LABEL: func.func @launch
// CHECK: gpu.launch
// CHECK:   vector.store %{{.*}}, %{{.*}} : memref<128xf32>, vector<4xf32>
// CHECK:   gpu.terminator
func.func @launch(%out: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %x = arith.constant dense<2.0> : vector<128xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<128xf32>, memref<128xf32>
    gpu.terminator
  }
  return
}
