// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels),canonicalize)' --split-input-file | FileCheck %s

// A and B in shared memory: a chain has one fence, accumulators are tied, and
// one wait is behind it. A has rows of 128 bytes along K; B is transposed.

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 8], order = [0, 1], bits = 16, panel = 8, padding = 0, swizzle = [0, 0, 0]>
#b_k = #vector_ext.shared<[64, 8], order = [1, 0], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>

// CHECK-LABEL: llvm.func @shared
gpu.module @kernels {
  gpu.func @shared(%out: memref<4xf32>, %m: index) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %a = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %at = memref.view %a[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8192xf16, #gpu.address_space<workgroup>>
    %bt = memref.view %a[%c16][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<512xf16, #gpu.address_space<workgroup>>
    %acc = vector.load %out[%c0] : memref<4xf32>, vector<4xf32>
    // 14 bits of the address in units of 16 bytes. A: eight rows are 1024 bytes
    // (bits 32 to 45), the swizzle is of 128 bytes (bit 62). B: the next eight
    // along K are 128 bytes further (bits 16 to 29).
    // CHECK-DAG: %[[SWIZZLED:.*]] = llvm.mlir.constant(4611686293305360384 : i64) : i64
    // CHECK-DAG: %[[PLAIN:.*]] = llvm.mlir.constant(4295491584 : i64) : i64
    // CHECK-DAG: %[[BITS:.*]] = llvm.mlir.constant(16383 : i32) : i32
    // CHECK-DAG: %[[ROW:.*]] = llvm.mlir.constant(128 : i32) : i32
    // CHECK: llvm.mul %{{.*}}, %[[ROW]]
    // CHECK: llvm.lshr
    // CHECK: llvm.and %{{.*}}, %[[BITS]]
    // CHECK: llvm.zext
    // CHECK: %[[A:.*]] = llvm.or %{{.*}}, %[[SWIZZLED]]
    // CHECK: %[[B:.*]] = llvm.or %{{.*}}, %[[PLAIN]]
    // CHECK: %[[FIRST:.*]] = llvm.inline_asm has_side_effects {{.*}} "{\0A.reg .pred p;\0Awgmma.fence.sync.aligned;\0Asetp.ne.b32 p, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, p, 1, 1, 0, 1;\0A}", "=f,=f,=f,=f,0,1,2,3,l,l,~{memory}" %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[A]], %[[B]]
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%m, %c0] in #a, %bt[%c0, %c0] in #b, %acc
       : memref<8192xf16, #gpu.address_space<workgroup>>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "{\0A.reg .pred p;\0Asetp.ne.b32 p, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, p, 1, 1, 0, 0;\0Awgmma.commit_group.sync.aligned;\0A}"
    %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%m, %c16] in #a, %bt[%c16, %c0] in #b_k, %0
       : memref<8192xf16, #gpu.address_space<workgroup>>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
    %2 = vector_ext.await %1 : vector<4xf32>
    vector.store %2, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// A in registers, behind another product: the first instruction has the registers of
// the later ones, too, so that its fence counts for them. What is computed after it is
// moved in front of it, but a load is not: that needs a fence. An accumulator of zeros
// is none: the instruction does not read it.

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// CHECK-LABEL: llvm.func @registers
gpu.module @kernels {
  gpu.func @registers(%in: memref<8xbf16>, %out: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %bt = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xbf16, #gpu.address_space<workgroup>>
    %a = vector.load %in[%c0] : memref<8xbf16>, vector<8xbf16>
    // CHECK: mma_async
    %front = vector_ext.async_mma "wgmma.m64n8k16.f32.bf16" %a, %bt[%c0, %c0] in #b, %zero
       : vector<8xbf16>, memref<128xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: %[[NEG:.*]] = llvm.fneg
    // CHECK: llvm.bitcast %[[NEG]]
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "{\0A.reg .pred p;\0Awgmma.fence.sync.aligned;\0Asetp.ne.b32 p, 0, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $5, $6, $7}, $8, p, 1, 1, 0;\0A}", "=f,=f,=f,=f,r,r,r,r,l,r,r,r,r,~{memory}"
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.bf16" %a, %bt[%c0, %c0] in #b, %zero
       : vector<8xbf16>, memref<128xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "{\0A.reg .pred p;\0Asetp.ne.b32 p, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, p, 1, 1, 0;\0A}", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l,~{memory}"
    %negated = arith.negf %a : vector<8xbf16>
    %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.bf16" %negated, %bt[%c0, %c0] in #b, %0
       : vector<8xbf16>, memref<128xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: llvm.load %arg0
    // CHECK: llvm.inline_asm has_side_effects {{.*}} "{\0A.reg .pred p;\0Awgmma.fence.sync.aligned;\0Asetp.ne.b32 p, 1, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, p, 1, 1, 0;\0Awgmma.commit_group.sync.aligned;\0A}", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l,~{memory}"
    %later = vector.load %in[%c0] : memref<8xbf16>, vector<8xbf16>
    %2 = vector_ext.async_mma "wgmma.m64n8k16.f32.bf16" %later, %bt[%c0, %c0] in #b, %1
       : vector<8xbf16>, memref<128xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %w = vector_ext.await %front : vector<4xf32>
    %3 = vector_ext.await %2 : vector<4xf32>
    vector.store %w, %out[%c0] : memref<4xf32>, vector<4xf32>
    vector.store %3, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// With no product in front, operands are computed while the first are multiplied, and
// each instruction has its fence.

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// CHECK-LABEL: llvm.func @negative_registers
gpu.module @kernels {
  gpu.func @negative_registers(%in: memref<8xbf16>, %out: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %bt = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xbf16, #gpu.address_space<workgroup>>
    %a = vector.load %in[%c0] : memref<8xbf16>, vector<8xbf16>
    // CHECK: llvm.inline_asm has_side_effects {{.*}}wgmma.fence.sync.aligned;{{.*}}mma_async{{.*}} "=f,=f,=f,=f,r,r,r,r,l,~{memory}"
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.bf16" %a, %bt[%c0, %c0] in #b, %zero
       : vector<8xbf16>, memref<128xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: llvm.fneg
    // CHECK: llvm.inline_asm has_side_effects {{.*}}wgmma.fence.sync.aligned;{{.*}}mma_async{{.*}} "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l,~{memory}"
    %negated = arith.negf %a : vector<8xbf16>
    %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.bf16" %negated, %bt[%c0, %c0] in #b, %0
       : vector<8xbf16>, memref<128xbf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %2 = vector_ext.await %1 : vector<4xf32>
    vector.store %2, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// Operands that have been loaded are there, so a chain from zero, or from what threads
// compute, such as a bias, has one fence. A sum that was loaded was not measured so.

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// CHECK-LABEL: llvm.func @loaded
gpu.module @kernels {
  gpu.func @loaded(%bias: vector<4xf16>, %out: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %eight = arith.constant dense<8.0> : vector<4xf32>
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %at = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<1024xf16, #gpu.address_space<workgroup>>
    %bt = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf16, #gpu.address_space<workgroup>>
    %matrices = nvgpu.ldmatrix %at[%c0] {numTiles = 4 : i32, transpose = false} : memref<1024xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %a = vector.shape_cast %matrices : vector<4x2xf16> to vector<8xf16>
    // CHECK: llvm.fpext
    // CHECK: llvm.fmul
    // CHECK: wgmma.fence.sync.aligned;{{.*}}mma_async{{.*}}, p, 1, 1, 0;\0A}"
    // CHECK-NOT: wgmma.fence
    // CHECK: mma_async{{.*}}wgmma.commit_group.sync.aligned;\0A}"
    %wide = arith.extf %bias : vector<4xf16> to vector<4xf32>
    %acc = arith.mulf %wide, %eight : vector<4xf32>
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %bt[%c0, %c0] in #b, %acc
       : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %bt[%c0, %c0] in #b, %0
       : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %2 = vector_ext.await %1 : vector<4xf32>
    // CHECK: llvm.load
    // CHECK: wgmma.fence.sync.aligned;{{.*}}mma_async{{.*}}, p, 1, 1, 0;\0A}"
    // CHECK: wgmma.fence.sync.aligned;{{.*}}mma_async{{.*}}wgmma.commit_group.sync.aligned;\0A}"
    %sum = vector.load %out[%c0] : memref<4xf32>, vector<4xf32>
    %3 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %bt[%c0, %c0] in #b, %sum
       : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %4 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %bt[%c0, %c0] in #b, %3
       : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %5 = vector_ext.await %4 : vector<4xf32>
    %6 = arith.addf %2, %5 : vector<4xf32>
    vector.store %6, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// Three groups. The wait for the first one leaves two open, that for both chains
// of the second one leaves one open; the third one is waited for last.

#a = #vector_ext.shared<[64, 16], order = [0, 1], bits = 16, panel = 8, padding = 0, swizzle = [0, 0, 0]>
#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 8, padding = 0, swizzle = [0, 0, 0]>

// CHECK-LABEL: llvm.func @groups
// CHECK: mma_async{{.*}}wgmma.commit_group.sync.aligned;\0A}"
// CHECK: mma_async
// CHECK-NOT: commit
// CHECK: mma_async{{.*}}wgmma.commit_group.sync.aligned;\0A}"
// CHECK-NOT: wait_group
// CHECK: mma_async{{.*}}wgmma.commit_group.sync.aligned;\0A}"
// CHECK: "wgmma.wait_group.sync.aligned 2;"
// CHECK: "wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,~{memory}"
// CHECK: "wgmma.wait_group.sync.aligned 0;"
gpu.module @kernels {
  gpu.func @groups(%out: memref<16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %at = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<1024xf16, #gpu.address_space<workgroup>>
    %bt = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf16, #gpu.address_space<workgroup>>
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zero
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zero
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %2 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zero
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %3 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zero
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    %r0 = vector_ext.await %0 : vector<4xf32>
    vector.store %r0, %out[%c0] : memref<16xf32>, vector<4xf32>
    %r1:2 = vector_ext.await %1, %2 : vector<4xf32>, vector<4xf32>
    vector.store %r1#0, %out[%c4] : memref<16xf32>, vector<4xf32>
    vector.store %r1#1, %out[%c8] : memref<16xf32>, vector<4xf32>
    %r3 = vector_ext.await %3 : vector<4xf32>
    vector.store %r3, %out[%c12] : memref<16xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// A tensor map is passed by value.

// CHECK-LABEL: llvm.func @tensor_map
// CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{.*}}: !llvm.ptr
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
gpu.module @kernels {
  gpu.func @tensor_map(%map: !map, %out: memref<4xf32>) kernel {
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.return
  }
}

// -----

// Branches without products may be between a product and its wait, also in each other.

#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// CHECK-LABEL: llvm.func @behind_a_branch
// CHECK: wgmma.mma_async
// CHECK: llvm.cond_br
// CHECK: wgmma.wait_group.sync.aligned 0;
gpu.module @kernels {
  gpu.func @behind_a_branch(%out: memref<4xf32>, %x: vector<8xf16>, %p: i1) kernel {
    %c0 = arith.constant 0 : index
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %b = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf16, #gpu.address_space<workgroup>>
    %acc = vector.load %out[%c0] : memref<4xf32>, vector<4xf32>
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %x, %b[%c0, %c0] in #b, %acc
       : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    cf.cond_br %p, ^other, ^end
  ^other:
    vector.store %acc, %out[%c0] : memref<4xf32>, vector<4xf32>
    cf.br ^end
  ^end:
    %1 = vector_ext.await %0 : vector<4xf32>
    vector.store %1, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @behind_branches
  // CHECK: wgmma.mma_async
  // CHECK-COUNT-2: llvm.cond_br
  // CHECK: wgmma.wait_group.sync.aligned 0;
  gpu.func @behind_branches(%out: memref<4xf32>, %x: vector<8xf16>, %p: i1, %q: i1) kernel {
    %c0 = arith.constant 0 : index
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %b = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf16, #gpu.address_space<workgroup>>
    %acc = vector.load %out[%c0] : memref<4xf32>, vector<4xf32>
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %x, %b[%c0, %c0] in #b, %acc
       : vector<8xf16>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    cf.cond_br %p, ^first, ^others
  ^first:
    vector.store %acc, %out[%c0] : memref<4xf32>, vector<4xf32>
    cf.br ^end
  ^others:
    cf.cond_br %q, ^second, ^join
  ^second:
    vector.store %acc, %out[%c0] : memref<4xf32>, vector<4xf32>
    cf.br ^join
  ^join:
    cf.br ^end
  ^end:
    %1 = vector_ext.await %0 : vector<4xf32>
    vector.store %1, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// A loop carries what is open: an iteration leaves its own group open, and waits for
// those before it with no register of its own. All is awaited behind the loop.

#a = #vector_ext.shared<[64, 16], order = [0, 1], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// CHECK-LABEL: llvm.func @carried
// CHECK:         llvm.inline_asm has_side_effects {{.*}}wgmma.fence.sync.aligned;{{.*}}wgmma.mma_async{{.*}}wgmma.commit_group.sync.aligned;
// CHECK-NEXT:    llvm.extractvalue
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "wgmma.wait_group.sync.aligned 1;", "~{memory}" : () -> ()
// CHECK:         llvm.inline_asm has_side_effects {{.*}} "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
gpu.module @kernels {
  gpu.func @carried(%out: memref<4xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %at = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<1024xf16, #gpu.address_space<workgroup>>
    %bt = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf16, #gpu.address_space<workgroup>>
    %acc = vector.load %out[%c0] : memref<4xf32>, vector<4xf32>
    cf.br ^head(%c0, %acc : index, vector<4xf32>)
  ^head(%i: index, %sum: vector<4xf32>):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %sum
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    vector_ext.await_earlier %0 : vector<4xf32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next, %0 : index, vector<4xf32>)
  ^end:
    %1 = vector_ext.await %sum : vector<4xf32>
    vector.store %1, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// The head of the loop hands it on to both of its successors.

#a = #vector_ext.shared<[64, 16], order = [0, 1], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>

// CHECK-LABEL: llvm.func @handed_on
// CHECK:         "wgmma.wait_group.sync.aligned 1;", "~{memory}" : () -> ()
// CHECK:         "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
gpu.module @kernels {
  gpu.func @handed_on(%out: memref<4xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %at = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<1024xf16, #gpu.address_space<workgroup>>
    %bt = memref.view %pool[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf16, #gpu.address_space<workgroup>>
    %acc = vector.load %out[%c0] : memref<4xf32>, vector<4xf32>
    cf.br ^head(%c0, %acc : index, vector<4xf32>)
  ^head(%i: index, %sum: vector<4xf32>):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body(%sum : vector<4xf32>), ^end(%sum : vector<4xf32>)
  ^body(%open: vector<4xf32>):
    %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %open
       : memref<1024xf16, #gpu.address_space<workgroup>>, memref<128xf16, #gpu.address_space<workgroup>>, vector<4xf32>
    vector_ext.await_earlier %0 : vector<4xf32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next, %0 : index, vector<4xf32>)
  ^end(%last: vector<4xf32>):
    %1 = vector_ext.await %last : vector<4xf32>
    vector.store %1, %out[%c0] : memref<4xf32>, vector<4xf32>
    gpu.return
  }
}
