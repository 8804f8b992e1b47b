// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels{index-bitwidth=32}))' | FileCheck %s --check-prefix=I32

gpu.module @kernels {
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

  // The assembler has to know the registers at the start of a kernel with roles.
  // CHECK-LABEL: llvm.func @roles
  // CHECK-SAME: nvvm.minctasm = 1 : i32
  gpu.func @roles() kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    nvvm.setmaxregister increase 240
    gpu.return
  }

  // CHECK-LABEL: llvm.func @mma_bf16
  // CHECK-COUNT-6: llvm.bitcast %{{.*}} : vector<2xbf16> to i32
  // CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}]
  // CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>
  // CHECK-SAME: #nvvm.shape<m = 16, n = 8, k = 16>
  // CHECK-SAME: (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  gpu.func @mma_bf16(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>, %out: memref<vector<2x2xf32>>) kernel {
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    memref.store %d, %out[] : memref<vector<2x2xf32>>
    gpu.return
  }

  // 48 bits: two words, the upper with 16 bits of nothing.
  // CHECK-LABEL: llvm.func @shuffle_48_bits
  // CHECK: llvm.zext %{{.*}} : i48 to i64
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  // CHECK-NOT: nvvm.shfl.sync
  // CHECK: llvm.trunc %{{.*}} : i64 to i48
  gpu.func @shuffle_48_bits(%x: vector<3xf16>, %out: memref<vector<3xf16>>) kernel {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %r, %p = gpu.shuffle xor %x, %one, %width : vector<3xf16>
    memref.store %r, %out[] : memref<vector<3xf16>>
    gpu.return
  }

  // The instruction reads the last five bits of a lane's number only. Four bits are masked.
  // CHECK-LABEL: llvm.func @masked_lanes
  // CHECK-SAME: %[[X:[^:]*]]: f32, %[[WORD:[^:]*]]: i32
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %[[X]], %[[WORD]], %{{.*}} : f32 -> f32
  // CHECK: %[[CODE:.*]] = llvm.and %[[WORD]]
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %[[X]], %[[CODE]], %{{.*}} : f32 -> f32
  gpu.func @masked_lanes(%x: f32, %word: i32, %out: memref<2xf32>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %c31 = arith.constant 31 : i32
    %c15 = arith.constant 15 : i32
    %width = arith.constant 32 : i32
    %lane = arith.andi %word, %c31 : i32
    %r, %p = gpu.shuffle idx %x, %lane, %width : f32
    memref.store %r, %out[%i0] : memref<2xf32>
    %code = arith.andi %word, %c15 : i32
    %s, %q = gpu.shuffle idx %x, %code, %width : f32
    memref.store %s, %out[%i1] : memref<2xf32>
    gpu.return
  }

  // A 32-bit number is shuffled as it is.
  // CHECK-LABEL: llvm.func @shuffle_f32
  // CHECK-NOT: llvm.bitcast
  // CHECK: %[[R:.*]] = nvvm.shfl.sync idx {{.*}} : f32 -> f32
  // CHECK: llvm.store %[[R]], %{{.*}} : f32, !llvm.ptr
  // CHECK: llvm.return
  gpu.func @shuffle_f32(%x: f32, %out: memref<f32>) kernel {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %r, %p = gpu.shuffle idx %x, %one, %width : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // Instructions, not calls of libdevice.
  // CHECK-LABEL: llvm.func @instructions
  // CHECK: llvm.intr.maxnum
  // CHECK: llvm.intr.fabs
  // CHECK: llvm.frem
  // CHECK-NOT: llvm.call
  gpu.func @instructions(%x: f32, %y: f32, %out: memref<f32>) kernel {
    %a = arith.maxnumf %x, %y : f32
    %b = math.absf %a : f32
    %c = arith.remf %b, %y : f32
    memref.store %c, %out[] : memref<f32>
    gpu.return
  }

  // A load with a predicate that LLVM does not make a branch of; only of memory that
  // nobody writes.
  // CHECK-LABEL: llvm.func @predicated_load
  // CHECK: %[[EXISTS:.*]] = llvm.icmp "ult"
  // CHECK: %[[AT:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
  // CHECK: llvm.inline_asm asm_dialect = att "@$2 ld.relaxed.cta.global.b32 $0, [$1];", "=r,l,b,0" %[[AT]], %{{.*}}, %{{.*}} : (!llvm.ptr<1>, i1, i32) -> i32
  // CHECK-NOT: llvm.intr.masked.load
  gpu.func @predicated_load(%table: memref<8xi32>, %at: index, %n: index, %out: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %exists = arith.cmpi ult, %at, %n : index
    %zero = arith.constant dense<0> : vector<1xi32>
    %mask = vector.from_elements %exists : vector<1xi1>
    %0 = vector.maskedload %table[%at], %mask, %zero {invariant} : memref<8xi32>, vector<1xi1>, vector<1xi32> into vector<1xi32>
    vector.store %0, %out[%c0] : memref<1xi32>, vector<1xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @negative_written
  // CHECK-NOT: llvm.inline_asm
  // CHECK: llvm.intr.masked.load
  gpu.func @negative_written(%table: memref<8xi32>, %at: index, %n: index, %out: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %exists = arith.cmpi ult, %at, %n : index
    %zero = arith.constant dense<0> : vector<1xi32>
    %mask = vector.from_elements %exists : vector<1xi1>
    %0 = vector.maskedload %table[%at], %mask, %zero : memref<8xi32>, vector<1xi1>, vector<1xi32> into vector<1xi32>
    vector.store %0, %out[%c0] : memref<1xi32>, vector<1xi32>
    gpu.return
  }

  // A load that fetches the run of 256 bytes around its own; others do not.
  // CHECK-LABEL: llvm.func @fetching_load
  // CHECK: %[[AT:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr to !llvm.ptr<1>
  // CHECK: llvm.inline_asm asm_dialect = att "ld.global.nc.L1::no_allocate.L2::256B.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l" %[[AT]] : (!llvm.ptr<1>) -> !llvm.struct<(i32, i32, i32, i32)>
  // CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<16xi8>
  // CHECK-NOT: llvm.inline_asm
  // CHECK: llvm.load
  gpu.func @fetching_load(%bytes: memref<64xi8>, %at: index, %out: memref<32xi8>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %0 = vector.load %bytes[%at] {alignment = 16 : i64, fetch} : memref<64xi8>, vector<16xi8>
    vector.store %0, %out[%c0] : memref<32xi8>, vector<16xi8>
    %1 = vector.load %bytes[%at] {alignment = 16 : i64} : memref<64xi8>, vector<16xi8>
    vector.store %1, %out[%c16] : memref<32xi8>, vector<16xi8>
    gpu.return
  }

  // I32-LABEL: llvm.func @index_width
  // I32: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  // CHECK-LABEL: llvm.func @index_width
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  gpu.func @index_width(%x: memref<16xf32>, %v: f32) kernel {
    %t = gpu.thread_id x
    memref.store %v, %x[%t] : memref<16xf32>
    gpu.return
  }
}
