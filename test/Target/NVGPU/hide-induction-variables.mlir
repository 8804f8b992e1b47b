// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=hide-induction-variables}))' | FileCheck %s

gpu.module @kernels {
  // Of a loop that copies and carries 96 words.
  // CHECK-LABEL: gpu.func @f
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to
  // CHECK-NEXT: %[[NUMBER:.*]] = arith.index_cast %[[I]] : index to i64
  // CHECK-NEXT: %[[HIDDEN:.*]] = llvm.inline_asm {{.*}}"mov.b64 $0, $1;", "=l,l" %[[NUMBER]] : (i64) -> i64
  // CHECK-NEXT: %[[INDEX:.*]] = arith.index_cast %[[HIDDEN]] : i64 to index
  // CHECK-NEXT: nvgpu.device_async_copy %{{.*}}[%[[INDEX]]], %
  // CHECK: scf.for
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @f(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<96xf32>
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %memory[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<96xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %n step %c4 iter_args(%acc = %zero) -> vector<96xf32> {
      %token = nvgpu.device_async_copy %a[%i], %tile[%c0], 4 : memref<?xf32> to memref<96xf32, #gpu.address_space<workgroup>>
      %group = nvgpu.device_async_create_group %token
      nvgpu.device_async_wait %group
      %v = vector.load %tile[%c0] : memref<96xf32, #gpu.address_space<workgroup>>, vector<96xf32>
      %next = arith.addf %acc, %v : vector<96xf32>
      scf.yield %next : vector<96xf32>
    }
    %other = scf.for %i = %c0 to %n step %c4 iter_args(%acc = %sum) -> vector<96xf32> {
      %v = vector.load %a[%i] : memref<?xf32>, vector<96xf32>
      %next = arith.addf %acc, %v : vector<96xf32>
      scf.yield %next : vector<96xf32>
    }
    vector.store %other, %out[%c0] : memref<?xf32>, vector<96xf32>
    gpu.return
  }

  // A loop that carries 95 words stays.
  // CHECK-LABEL: gpu.func @negative_few_words
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @negative_few_words(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<95xf32>
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %memory[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<95xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %n step %c4 iter_args(%acc = %zero) -> vector<95xf32> {
      %token = nvgpu.device_async_copy %a[%i], %tile[%c0], 4 : memref<?xf32> to memref<95xf32, #gpu.address_space<workgroup>>
      %group = nvgpu.device_async_create_group %token
      nvgpu.device_async_wait %group
      %v = vector.load %tile[%c0] : memref<95xf32, #gpu.address_space<workgroup>>, vector<95xf32>
      %next = arith.addf %acc, %v : vector<95xf32>
      scf.yield %next : vector<95xf32>
    }
    %other = scf.for %i = %c0 to %n step %c4 iter_args(%acc = %sum) -> vector<95xf32> {
      %v = vector.load %a[%i] : memref<?xf32>, vector<95xf32>
      %next = arith.addf %acc, %v : vector<95xf32>
      scf.yield %next : vector<95xf32>
    }
    vector.store %other, %out[%c0] : memref<?xf32>, vector<95xf32>
    gpu.return
  }

  // Nothing is copied: no address needs the induction variable to be hidden.
  // CHECK-LABEL: gpu.func @negative_no_copy
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @negative_no_copy(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<96xf32>
    %sum = scf.for %i = %c0 to %n step %c4 iter_args(%acc = %zero) -> vector<96xf32> {
      %v = vector.load %a[%i] : memref<?xf32>, vector<96xf32>
      %next = arith.addf %acc, %v : vector<96xf32>
      scf.yield %next : vector<96xf32>
    }
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<96xf32>
    gpu.return
  }
}
