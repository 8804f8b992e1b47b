// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --linalg-ext-gpu-pipeline-loops --canonicalize --cse --split-input-file | FileCheck %s

!fat = memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
!lds = memref<4096xf16, #gpu.address_space<workgroup>>

// The tile that is stored before the products is loaded by the iteration before; the
// one that is stored behind them, at the head of the iteration.
// CHECK-LABEL: func @attention
//       CHECK:   %[[EXISTS:.+]] = arith.cmpi sgt, %{{.+}}, %c0
//       CHECK:   %[[BYTES:.+]] = arith.select %[[EXISTS]], %{{.+}}, %{{.+}} : i64
//       CHECK:   %[[B0:.+]] = amdgpu.fat_raw_buffer_cast %{{.+}} validBytes(%[[BYTES]]) resetOffset
//       CHECK:   %[[FIRST:.+]] = vector.load %[[B0]]
//       CHECK:   scf.for {{.*}} iter_args({{.*}}%[[TILE:.+]] = %[[FIRST]])
//       CHECK:     %[[LATE:.+]] = vector.load %{{.+}}[%{{.+}}] : memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
//       CHECK:     gpu.barrier
//  CHECK-NEXT:     vector.store %[[TILE]], %{{.+}}[%{{.+}}]
//  CHECK-NEXT:     gpu.barrier
//       CHECK:     %[[BYTES1:.+]] = arith.select %{{.+}}, %{{.+}}, %{{.+}} : i64
//       CHECK:     %[[B1:.+]] = amdgpu.fat_raw_buffer_cast %{{.+}} validBytes(%[[BYTES1]])
//       CHECK:     %[[NEXT:.+]] = vector.load %[[B1]]
//       CHECK:     amdgpu.mfma
//       CHECK:     vector.store %[[LATE]]
//       CHECK:     amdgpu.mfma
//       CHECK:     scf.yield {{.*}}%[[NEXT]]
func.func @attention(%x: memref<?xf16>, %n: index, %k: !lds, %v: !lds, %at: index,
                     %acc: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%c = %acc) -> (vector<4xf32>) {
    %left = arith.subi %n, %i : index
    %bytes = arith.index_cast %left : index to i64
    %rows = memref.reinterpret_cast %x to offset: [%i], sizes: [%left], strides: [1]
      : memref<?xf16> to memref<?xf16, strided<[1], offset: ?>>
    %buffer = amdgpu.fat_raw_buffer_cast %rows validBytes(%bytes) resetOffset
      : memref<?xf16, strided<[1], offset: ?>> to !fat
    %0 = vector.load %buffer[%at] : !fat, vector<8xf16>
    gpu.barrier
    vector.store %0, %k[%at] : !lds, vector<8xf16>
    gpu.barrier
    %a = vector.load %k[%c0] : !lds, vector<4xf16>
    %s = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %far = arith.addi %at, %c64 : index
    %1 = vector.load %buffer[%far] : !fat, vector<8xf16>
    gpu.barrier
    vector.store %1, %v[%at] : !lds, vector<8xf16>
    gpu.barrier
    %b = vector.load %v[%c0] : !lds, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %b * %a + %s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    scf.yield %d : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// -----

!fat = memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
!lds = memref<4096xf16, #gpu.address_space<workgroup>>

// What the loop carries says where the tile is, or the loop writes to memory.
// CHECK-LABEL: func @negative_carried
//       CHECK:   scf.for
//   CHECK-NOT:   scf.for
//       CHECK:     %[[TILE:.+]] = vector.load %{{.+}}[%{{.+}}] : memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
//       CHECK:     vector.store %[[TILE]]
func.func @negative_carried(%b: !fat, %n: index, %k: !lds, %acc: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%c = %acc, %at = %c0) -> (vector<4xf32>, index) {
    %0 = vector.load %b[%at] : !fat, vector<8xf16>
    gpu.barrier
    vector.store %0, %k[%c0] : !lds, vector<8xf16>
    gpu.barrier
    %a = vector.load %k[%c0] : !lds, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %next = arith.addi %at, %c64 : index
    scf.yield %d, %next : vector<4xf32>, index
  }
  return %r#0 : vector<4xf32>
}

// CHECK-LABEL: func @negative_writes
//       CHECK:   scf.for
//   CHECK-NOT:   iter_args({{.*}}, {{.*}})
//       CHECK:     %[[TILE:.+]] = vector.load %{{.+}}[%{{.+}}] : memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
//       CHECK:     vector.store %[[TILE]]
func.func @negative_writes(%b: !fat, %out: memref<?xf16>, %n: index, %k: !lds, %acc: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%c = %acc) -> (vector<4xf32>) {
    %0 = vector.load %b[%i] : !fat, vector<8xf16>
    gpu.barrier
    vector.store %0, %k[%c0] : !lds, vector<8xf16>
    gpu.barrier
    %a = vector.load %k[%c0] : !lds, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    vector.store %a, %out[%i] : memref<?xf16>, vector<4xf16>
    scf.yield %d : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// -----

!fat = memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
!lds = memref<8192xf16, #gpu.address_space<workgroup>>

// Two tiles, each of which has two buffers in turn. What the iteration before has copied
// is waited for once. The next tiles are copied behind what is read in front of the first
// product. Behind the loop, what the last iteration copies is waited for, too.
// CHECK-LABEL: func @copies
//       CHECK:   %[[K:.+]] = memref.alloc()
//       CHECK:   %[[V:.+]] = memref.alloc()
//       CHECK:   gpu.barrier
//       CHECK:   amdgpu.gather_to_lds %{{.+}}[%{{.+}}], %[[K]]
//       CHECK:   amdgpu.gather_to_lds %{{.+}}[%{{.+}}], %[[V]]
//       CHECK:   scf.for
//       CHECK:     amdgpu.memory_counter_wait load(0)
//  CHECK-NEXT:     gpu.barrier
//   CHECK-NOT:     gpu.barrier
//   CHECK-NOT:     amdgpu.memory_counter_wait
//       CHECK:     vector.load %[[K]]
//       CHECK:     %[[BYTES:.+]] = arith.select %{{.+}}, %{{.+}}, %c0_i64 : i64
//       CHECK:     %[[B:.+]] = amdgpu.fat_raw_buffer_cast %{{.+}} validBytes(%[[BYTES]])
//       CHECK:     amdgpu.gather_to_lds %[[B]][%{{.+}}], %[[K]]
//       CHECK:     amdgpu.gather_to_lds %[[B]][%{{.+}}], %[[V]]
//       CHECK:     amdgpu.mfma
//       CHECK:     vector.load %[[V]]
//       CHECK:     amdgpu.mfma
//       CHECK:     scf.yield
//       CHECK:   amdgpu.memory_counter_wait load(0)
//       CHECK:   return
func.func @copies(%x: memref<?xf16>, %n: index, %at: index, %acc: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %k = memref.alloc() {vector_ext.buffers = 2 : i64} : !lds
  %v = memref.alloc() {vector_ext.buffers = 2 : i64} : !lds
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%c = %acc) -> (vector<4xf32>) {
    %left = arith.subi %n, %i : index
    %bytes = arith.index_cast %left : index to i64
    %rows = memref.reinterpret_cast %x to offset: [%i], sizes: [%left], strides: [1]
      : memref<?xf16> to memref<?xf16, strided<[1], offset: ?>>
    %buffer = amdgpu.fat_raw_buffer_cast %rows validBytes(%bytes) resetOffset
      : memref<?xf16, strided<[1], offset: ?>> to !fat
    %number = arith.divui %i, %c64 : index
    %turn = arith.remui %number, %c2 : index
    %start = arith.muli %turn, %c4096 : index
    amdgpu.gather_to_lds %buffer[%at], %k[%start] : vector<8xf16>, !fat, !lds
    amdgpu.memory_counter_wait load(0)
    gpu.barrier
    %a = vector.load %k[%start] : !lds, vector<4xf16>
    %s = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    amdgpu.gather_to_lds %buffer[%at], %v[%start] : vector<8xf16>, !fat, !lds
    amdgpu.memory_counter_wait load(0)
    gpu.barrier
    %b = vector.load %v[%start] : !lds, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %b * %a + %s blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    scf.yield %d : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// -----

!fat = memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
!lds = memref<4096xf16, #gpu.address_space<workgroup>>

// One buffer: what is copied next would overwrite what is read.
// CHECK-LABEL: func @negative_one_buffer
//   CHECK-NOT:   amdgpu.gather_to_lds
//       CHECK:   scf.for
//       CHECK:     amdgpu.gather_to_lds
//       CHECK:     amdgpu.memory_counter_wait load(0)
//       CHECK:     amdgpu.mfma
func.func @negative_one_buffer(%b: !fat, %n: index, %acc: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %k = memref.alloc() : !lds
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%c = %acc) -> (vector<4xf32>) {
    gpu.barrier
    amdgpu.gather_to_lds %b[%i], %k[%c0] : vector<8xf16>, !fat, !lds
    amdgpu.memory_counter_wait load(0)
    gpu.barrier
    %a = vector.load %k[%c0] : !lds, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    scf.yield %d : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// -----

!fat = memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
!lds = memref<4096xf16, #gpu.address_space<workgroup>>

// A view of the next tile is one of the first tile where there is no next one.
// CHECK-LABEL: func @view
//       CHECK:   scf.for %[[I:.+]] = %c0 to %c256 step %c64
//       CHECK:     %[[EXISTS:.+]] = arith.cmpi slt, %[[I]], %{{.+}}
//       CHECK:     %[[NEXT:.+]] = arith.addi %[[I]], %c64
//       CHECK:     %[[AT:.+]] = arith.select %[[EXISTS]], %[[NEXT]], %c0 : index
//       CHECK:     memref.subview %{{.+}}[%[[AT]]] [64] [1]
func.func @view(%x: memref<256xf16>, %k: !lds, %at: index, %acc: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %bytes = arith.constant 128 : i64
  %r = scf.for %i = %c0 to %c256 step %c64 iter_args(%c = %acc) -> (vector<4xf32>) {
    %tile = memref.subview %x[%i] [64] [1] : memref<256xf16> to memref<64xf16, strided<[1], offset: ?>>
    %rows = memref.cast %tile : memref<64xf16, strided<[1], offset: ?>> to memref<?xf16, strided<[1], offset: ?>>
    %buffer = amdgpu.fat_raw_buffer_cast %rows validBytes(%bytes) resetOffset
      : memref<?xf16, strided<[1], offset: ?>> to !fat
    %0 = vector.load %buffer[%at] : !fat, vector<8xf16>
    gpu.barrier
    vector.store %0, %k[%at] : !lds, vector<8xf16>
    gpu.barrier
    %a = vector.load %k[%c0] : !lds, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    scf.yield %d : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// -----

!fat = memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
!lds = memref<4096xf16, #gpu.address_space<workgroup>>

// A tile that is stored behind the last barrier in front of the products stays: loads
// for the next iteration start there.
// CHECK-LABEL: func @negative_stored_behind_barrier
//   CHECK-NOT:   vector.load
//       CHECK:   scf.for
//       CHECK:     %[[TILE:.+]] = vector.load %{{.+}}[%{{.+}}] : memref<?xf16, #amdgpu.address_space<fat_raw_buffer>>
//       CHECK:     gpu.barrier
//       CHECK:     vector.store %[[TILE]]
//       CHECK:     amdgpu.mfma
func.func @negative_stored_behind_barrier(%b: !fat, %n: index, %k: !lds, %v: !lds, %acc: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%c = %acc) -> (vector<4xf32>) {
    %0 = vector.load %b[%i] : !fat, vector<8xf16>
    gpu.barrier
    vector.store %0, %v[%c0] : !lds, vector<8xf16>
    %a = vector.load %k[%c0] : !lds, vector<4xf16>
    %d = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    scf.yield %d : vector<4xf32>
  }
  return %r : vector<4xf32>
}
