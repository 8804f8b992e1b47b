// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=min-workgroups}))' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=sm_80},gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=min-workgroups}))' | FileCheck %s --check-prefix=SM80

#tile = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

gpu.module @kernels {
  // Room for three workgroups of 72 KiB in 228, for two in 164.
  // CHECK-LABEL: gpu.func @room_for_three
  // CHECK-SAME: nvvm.minctasm = 3 : i32
  // SM80-LABEL: gpu.func @room_for_three
  // SM80-SAME: nvvm.minctasm = 2 : i32
  gpu.func @room_for_three() kernel attributes {known_block_size = array<i32: 128, 1, 1>, workgroup_bytes = 73728 : i64} {
    gpu.return
  }

  // Six of 128 threads have 85 registers each, of which a loop carries 8.
  // CHECK-LABEL: gpu.func @negative_registers
  // CHECK-NOT: minctasm
  gpu.func @negative_registers(%n: index, %out: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, workgroup_bytes = 32768 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<8xf32> {
      %next = arith.addf %acc, %acc : vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    vector.store %sum, %out[%c0] : memref<?xf32>, vector<8xf32>
    gpu.return
  }

  // A loop that carries what it loads states what its registers allow: 82 of 128 threads,
  // of which it carries two, fit six times, and shared memory would allow 25.
  // CHECK-LABEL: gpu.func @loads_ahead
  // CHECK-SAME: nvvm.minctasm = 6 : i32
  gpu.func @loads_ahead(%n: index, %in: memref<?xi8>, %out: memref<?xi8>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, workgroup_bytes = 8192 : i64} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %first = vector.load %in[%c0] : memref<?xi8>, vector<8xi8>
    %words = vector.bitcast %first : vector<8xi8> to vector<2xi32>
    %last = scf.for %i = %c0 to %n step %c8 iter_args(%w = %words) -> vector<2xi32> {
      %x = vector.bitcast %w : vector<2xi32> to vector<8xi8>
      vector.store %x, %out[%i] : memref<?xi8>, vector<8xi8>
      %ahead = vector.load %in[%i] : memref<?xi8>, vector<8xi8>
      %next = vector.bitcast %ahead : vector<8xi8> to vector<2xi32>
      scf.yield %next : vector<2xi32>
    }
    gpu.return
  }

  // 110 registers of 64 threads fit nine times, but a scheduler with five of the 18 subgroups
  // would have 102 for each thread: eight.
  // CHECK-LABEL: gpu.func @small_loads_ahead
  // CHECK-SAME: nvvm.minctasm = 8 : i32
  gpu.func @small_loads_ahead(%n: index, %in: memref<?xi8>, %out: memref<?xi8>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, workgroup_bytes = 8192 : i64} {
    %c0 = arith.constant 0 : index
    %c120 = arith.constant 120 : index
    %first = vector.load %in[%c0] : memref<?xi8>, vector<120xi8>
    %words = vector.bitcast %first : vector<120xi8> to vector<30xi32>
    %last = scf.for %i = %c0 to %n step %c120 iter_args(%w = %words) -> vector<30xi32> {
      %x = vector.bitcast %w : vector<30xi32> to vector<120xi8>
      vector.store %x, %out[%i] : memref<?xi8>, vector<120xi8>
      %ahead = vector.load %in[%i] : memref<?xi8>, vector<120xi8>
      %next = vector.bitcast %ahead : vector<120xi8> to vector<30xi32>
      scf.yield %next : vector<30xi32>
    }
    gpu.return
  }

  // Without loops, two workgroups of 512 threads that multiply hide each other's latency.
  // CHECK-LABEL: gpu.func @two_of_512
  // CHECK-SAME: nvvm.minctasm = 2 : i32
  gpu.func @two_of_512(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>, %out: memref<vector<2x2xf32>>) kernel attributes {known_block_size = array<i32: 512, 1, 1>, workgroup_bytes = 8192 : i64} {
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    memref.store %d, %out[] : memref<vector<2x2xf32>>
    gpu.return
  }

  // Functions of 32 words that an iteration loads, as where chunks are merged: 80 registers.
  // CHECK-LABEL: gpu.func @functions_of_loads
  // CHECK-SAME: nvvm.minctasm = 6 : i32
  gpu.func @functions_of_loads(%n: index, %in: memref<?xf32>, %out: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> f32 {
      %x = vector.load %in[%i] : memref<?xf32>, vector<32xf32>
      %y = vector.reduction <add>, %x : vector<32xf32> into f32
      %e = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%y) : (f32) -> f32
      %next = arith.addf %acc, %e : f32
      scf.yield %next : f32
    }
    memref.store %sum, %out[%c0] : memref<?xf32>
    gpu.return
  }

  // What somebody has said stays.
  // CHECK-LABEL: gpu.func @given
  // CHECK-SAME: nvvm.minctasm = 1 : i32
  gpu.func @given() kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32, workgroup_bytes = 73728 : i64} {
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_no_memory
  // CHECK-NOT: minctasm
  gpu.func @negative_no_memory() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    gpu.return
  }

  // Roles share out the registers of a processor.
  // CHECK-LABEL: gpu.func @negative_roles
  // CHECK-NOT: minctasm
  gpu.func @negative_roles() kernel attributes {known_block_size = array<i32: 384, 1, 1>, workgroup_bytes = 73728 : i64} {
    nvvm.setmaxregister increase 240
    gpu.return
  }

  // Seven of 128 threads have 73 registers each: an instruction needs more than
  // that, also in front of all loops.
  // CHECK-LABEL: gpu.func @negative_asynchronous_product
  // CHECK-NOT: minctasm
  gpu.func @negative_asynchronous_product(%a: memref<4096xf16, #gpu.address_space<workgroup>>,
                                          %acc: vector<32xf32>) -> vector<32xf32> attributes {known_block_size = array<i32: 128, 1, 1>, workgroup_bytes = 30720 : i64} {
    %c0 = arith.constant 0 : index
    %0 = vector_ext.async_mma "wgmma.m64n64k16.f32.f16" %a[%c0, %c0] in #tile, %a[%c0, %c0] in #tile, %acc
      : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<32xf32>
    %1 = vector_ext.await %0 : vector<32xf32>
    gpu.return %1 : vector<32xf32>
  }
}
