// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-nvgpu-register-workarounds{workarounds=recompute-swizzles}))' --split-input-file | FileCheck %s

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 8, padding = 0, swizzle = [0, 4, 3]>

// The number of the exclusive or is hidden once in the loop, also if one place is
// used twice.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @f
  // CHECK: %[[PLACE:.*]] = arith.shli
  // CHECK: scf.for
  // CHECK-NEXT: %[[HIDDEN:.*]] = llvm.inline_asm has_side_effects {{.*}}"", "=r,0" %[[PLACE]] : (i32) -> i32
  // CHECK: %[[XOR:.*]] = arith.xori %[[HIDDEN]], %c16_i32
  // CHECK: %[[INDEX:.*]] = arith.index_cast %[[XOR]]
  // CHECK: %[[AT:.*]] = arith.addi %[[INDEX]], %c64
  // CHECK: nvgpu.ldmatrix %{{.*}}[%[[AT]]]
  // CHECK: %[[XOR:.*]] = arith.xori %[[HIDDEN]], %c16_i32
  // CHECK: %[[INDEX:.*]] = arith.index_cast %[[XOR]]
  // CHECK: nvgpu.ldmatrix %{{.*}}[%[[INDEX]]]
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @f(%n: index, %out: memref<4xf32>, %words: memref<?xvector<4x2xf16>>) kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c3 = arith.constant 3 : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %left = arith.constant dense<1.0> : vector<8xf16>
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %place = arith.shli %t, %c3 : i32
    %xor = arith.xori %place, %c16 : i32
    %index = arith.index_cast %xor : i32 to index
    %at = arith.addi %index, %c64 : index
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8192xf16, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      %0 = nvgpu.ldmatrix %tile[%at] {numTiles = 4 : i32, transpose = false} : memref<8192xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      %1 = nvgpu.ldmatrix %tile[%index] {numTiles = 4 : i32, transpose = false} : memref<8192xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      %2 = arith.addf %0, %1 : vector<4x2xf16>
      memref.store %2, %words[%i] : memref<?xvector<4x2xf16>>
      %open = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %left, %tile[%c0, %c0] in #b, %acc
         : vector<8xf16>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<4xf32>
      %sum = vector_ext.await %open : vector<4xf32>
      scf.yield %sum : vector<4xf32>
    }
    vector.store %r, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 8, padding = 0, swizzle = [0, 4, 3]>

// With fewer threads, each has enough registers. A loop without products has, too.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @negative_few_threads
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @negative_few_threads(%n: index, %out: memref<4xf32>, %words: memref<?xvector<4x2xf16>>) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : i32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %left = arith.constant dense<1.0> : vector<8xf16>
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %xor = arith.xori %t, %c16 : i32
    %index = arith.index_cast %xor : i32 to index
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8192xf16, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<4xf32> {
      %0 = nvgpu.ldmatrix %tile[%index] {numTiles = 4 : i32, transpose = false} : memref<8192xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      memref.store %0, %words[%i] : memref<?xvector<4x2xf16>>
      %open = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %left, %tile[%c0, %c0] in #b, %acc
         : vector<8xf16>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<4xf32>
      %sum = vector_ext.await %open : vector<4xf32>
      scf.yield %sum : vector<4xf32>
    }
    vector.store %r, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_no_products
  // CHECK-NOT: inline_asm
  // CHECK: gpu.return
  gpu.func @negative_no_products(%n: index, %words: memref<?xvector<4x2xf16>>) kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : i32
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %xor = arith.xori %t, %c16 : i32
    %index = arith.index_cast %xor : i32 to index
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8192xf16, #gpu.address_space<workgroup>>
    scf.for %i = %c0 to %n step %c1 {
      %0 = nvgpu.ldmatrix %tile[%index] {numTiles = 4 : i32, transpose = false} : memref<8192xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      memref.store %0, %words[%i] : memref<?xvector<4x2xf16>>
    }
    gpu.return
  }
}
