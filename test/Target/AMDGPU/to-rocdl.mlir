// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels{index-bitwidth=32}))' | FileCheck %s --check-prefix=I32

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // One block without a size, for all kernels.
  // CHECK: llvm.mlir.global external @linalg_ext_workgroup_memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // CHECK-NOT: llvm.mlir.global

  // CHECK-LABEL: llvm.func @shared
  // CHECK: llvm.mlir.addressof @linalg_ext_workgroup_memory : !llvm.ptr<3>
  gpu.func @shared(%out: memref<f32>) kernel {
    %c16 = arith.constant 16 : index
    %pool = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %pool[%c16][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<f32, #gpu.address_space<workgroup>>
    %v = memref.load %view[] : memref<f32, #gpu.address_space<workgroup>>
    memref.store %v, %out[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @mfma
  // CHECK: rocdl.mfma.f32.16x16x16f16
  gpu.func @mfma(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>, %out: memref<vector<4xf32>>) kernel {
    %d = amdgpu.mfma 16x16x16 %a * %b + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    memref.store %d, %out[] : memref<vector<4xf32>>
    gpu.return
  }

  // An xor with less than 32 needs no address; 48 bits are two words.
  // CHECK-LABEL: llvm.func @shuffle_48_bits
  // CHECK-COUNT-2: rocdl.ds_swizzle
  // CHECK-NOT: rocdl.ds
  gpu.func @shuffle_48_bits(%x: vector<3xf16>, %out: memref<vector<3xf16>>) kernel {
    %one = arith.constant 1 : i32
    %width = arith.constant 64 : i32
    %r, %p = gpu.shuffle xor %x, %one, %width : vector<3xf16>
    memref.store %r, %out[] : memref<vector<3xf16>>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @shuffle_f32
  // CHECK-SAME: %[[X:[^:]*]]: f32, %{{[^:]*}}: !llvm.ptr) attributes {{.*}}rocdl.kernel
  // CHECK: %[[WORD:.*]] = llvm.bitcast %[[X]] : f32 to i32
  // CHECK: %[[SHUFFLED:.*]] = rocdl.ds_swizzle %[[WORD]], %{{.*}} : (i32, i32) -> i32
  // CHECK: %[[R:.*]] = llvm.bitcast %[[SHUFFLED]] : i32 to f32
  // CHECK: llvm.store %[[R]], %{{.*}} : f32, !llvm.ptr
  // CHECK: llvm.return
  gpu.func @shuffle_f32(%x: f32, %out: memref<f32>) kernel {
    %one = arith.constant 1 : i32
    %width = arith.constant 64 : i32
    %r, %p = gpu.shuffle xor %x, %one, %width : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @shuffle_halves
  // CHECK: rocdl.ds_bpermute
  gpu.func @shuffle_halves(%x: f32, %out: memref<f32>) kernel {
    %half = arith.constant 32 : i32
    %width = arith.constant 64 : i32
    %r, %p = gpu.shuffle xor %x, %half, %width : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // Hidden arguments: numbers of workgroups of 32 bits, then those of threads
  // of 16 bits.
  // CHECK-LABEL: llvm.func @sizes
  // CHECK: %[[ARGS:.*]] = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"() : () -> !llvm.ptr<4>
  // CHECK: %[[GRID:.*]] = llvm.getelementptr %[[ARGS]][4]
  // CHECK: llvm.load %[[GRID]] invariant {alignment = 4 : i64} : !llvm.ptr<4> -> i32
  // CHECK: %[[BLOCK:.*]] = llvm.getelementptr %{{.*}}[12]
  // CHECK: llvm.load %[[BLOCK]] invariant {alignment = 2 : i64} : !llvm.ptr<4> -> i16
  gpu.func @sizes(%out: memref<index>) kernel {
    %grid = gpu.grid_dim y
    %block = gpu.block_dim x
    %sum = arith.addi %grid, %block : index
    memref.store %sum, %out[] : memref<index>
    gpu.return
  }

  // All registers of a processor are for so many threads.
  // CHECK-LABEL: llvm.func @known_size
  // CHECK-SAME: rocdl.flat_work_group_size = "128,128"
  // CHECK-SAME: rocdl.reqd_work_group_size = array<i32: 128, 1, 1>
  // I32-LABEL: llvm.func @known_size
  // I32: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  gpu.func @known_size(%x: memref<128xf32>, %v: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    memref.store %v, %x[%t] : memref<128xf32>
    gpu.return
  }
}

// Two elements of 16 bits go to the other half of 32 lanes as a word, without LDS.
gpu.module @rdna [#rocdl.target<chip = "gfx1100">] {
  // CHECK-LABEL: llvm.func @permlane
  // CHECK: %[[BITS:.*]] = llvm.extractelement %{{.*}} : vector<1xi32>
  // CHECK: %[[OTHER:.*]] = rocdl.permlanex16 %[[BITS]], %[[BITS]], %{{.*}}, %{{.*}}, true, false : i32, i32
  // CHECK-NOT: rocdl.ds_bpermute
  // CHECK: llvm.insertelement %[[OTHER]], %{{.*}} : vector<1xi32>
  gpu.func @permlane(%x: vector<2xf16>, %out: memref<vector<2xf16>>) kernel {
    %half = arith.constant 16 : i32
    %width = arith.constant 32 : i32
    %bits = vector.bitcast %x : vector<2xf16> to vector<1xi32>
    %word = vector.extract %bits[0] : i32 from vector<1xi32>
    %other, %valid = gpu.shuffle xor %word, %half, %width : i32
    %back = vector.broadcast %other : i32 to vector<1xi32>
    %y = vector.bitcast %back : vector<1xi32> to vector<2xf16>
    memref.store %y, %out[] : memref<vector<2xf16>>
    gpu.return
  }
}
