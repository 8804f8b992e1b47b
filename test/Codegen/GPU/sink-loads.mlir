// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=sink-loads | FileCheck %s

#workgroup = #gpu.address_space<workgroup>

// Each load, and what takes it apart, is in front of its use.

// CHECK-LABEL: func @one_at_a_time
// CHECK: %[[A:.*]] = vector.load
// CHECK: %[[X:.*]] = vector.extract_strided_slice %[[A]]
// CHECK: arith.addf %[[X]]
// CHECK: %[[B:.*]] = vector.load
// CHECK: %[[Y:.*]] = vector.extract_strided_slice %[[B]]
// CHECK: arith.addf %[[Y]]
func.func @one_at_a_time(%i: index, %j: index, %v: vector<4xf16>) -> vector<4xf16> {
  %tile = memref.alloc() : memref<64xf16, #workgroup>
  %a = vector.load %tile[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  %b = vector.load %tile[%j] : memref<64xf16, #workgroup>, vector<8xf16>
  %x = vector.extract_strided_slice %a {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
  %y = vector.extract_strided_slice %b {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
  %0 = arith.addf %x, %v : vector<4xf16>
  %1 = arith.addf %y, %0 : vector<4xf16>
  return %1 : vector<4xf16>
}

// Not over a store to the same buffer, nor over a barrier behind which it is
// written; over a store to another one.

// CHECK-LABEL: func @fences
// CHECK: %[[TILE:.*]] = memref.alloc
// CHECK: %[[OTHER:.*]] = memref.alloc
// CHECK: vector.store %{{.*}}, %[[OTHER]]
// CHECK: %[[A:.*]] = vector.load %[[TILE]]
// CHECK: gpu.barrier
// CHECK: vector.store %{{.*}}, %[[TILE]]
// CHECK: arith.addf %[[A]]
func.func @fences(%i: index, %v: vector<8xf16>) -> vector<8xf16> {
  %tile = memref.alloc() : memref<64xf16, #workgroup>
  %other = memref.alloc() : memref<64xf16, #workgroup>
  %a = vector.load %tile[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  vector.store %v, %other[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  gpu.barrier
  vector.store %v, %tile[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  %0 = arith.addf %a, %v : vector<8xf16>
  return %0 : vector<8xf16>
}

// Not over the release of a slot of a ring, which copies write then.

// CHECK-LABEL: func @ring
// CHECK: vector.load
// CHECK: nvgpu.mbarrier.arrive.expect_tx
// CHECK: arith.addf
!barriers = !nvgpu.mbarrier.group<memorySpace = #workgroup, num_barriers = 2>
func.func @ring(%i: index, %v: vector<8xf16>, %empty: !barriers, %slot: index) -> vector<8xf16> {
  %c0 = arith.constant 0 : index
  %tile = memref.alloc() {vector_ext.ring_memory} : memref<64xf16, #workgroup>
  %a = vector.load %tile[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  nvgpu.mbarrier.arrive.expect_tx %empty[%slot], %c0 : !barriers
  %0 = arith.addf %a, %v : vector<8xf16>
  return %0 : vector<8xf16>
}

// Not over an op that may do anything to memory.

// CHECK-LABEL: func @negative_call
// CHECK: vector.load
// CHECK: call @anything
// CHECK: arith.addf
func.func private @anything(memref<64xf16, #workgroup>)
func.func @negative_call(%i: index, %v: vector<8xf16>) -> vector<8xf16> {
  %tile = memref.alloc() : memref<64xf16, #workgroup>
  %other = memref.alloc() : memref<64xf16, #workgroup>
  %a = vector.load %tile[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  func.call @anything(%other) : (memref<64xf16, #workgroup>) -> ()
  %0 = arith.addf %a, %v : vector<8xf16>
  return %0 : vector<8xf16>
}

// Over a barrier, into the block's rest, if nobody writes the buffer in it.

// CHECK-LABEL: func @read_only
// CHECK: gpu.barrier
// CHECK: vector.load
// CHECK: arith.addf
func.func @read_only(%i: index, %v: vector<8xf16>) -> vector<8xf16> {
  %tile = memref.alloc() : memref<64xf16, #workgroup>
  %a = vector.load %tile[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  gpu.barrier
  %0 = arith.addf %a, %v : vector<8xf16>
  return %0 : vector<8xf16>
}

// Global memory and buffers that come from elsewhere stay.

// CHECK-LABEL: func @negative_others
// CHECK: vector.load
// CHECK-NEXT: vector.load
func.func @negative_others(%global: memref<64xf16>, %tile: memref<64xf16, #workgroup>, %i: index, %v: vector<8xf16>) -> vector<8xf16> {
  %a = vector.load %global[%i] : memref<64xf16>, vector<8xf16>
  %b = vector.load %tile[%i] : memref<64xf16, #workgroup>, vector<8xf16>
  %0 = arith.addf %v, %v : vector<8xf16>
  %1 = arith.addf %a, %0 : vector<8xf16>
  %2 = arith.addf %b, %1 : vector<8xf16>
  return %2 : vector<8xf16>
}

// Of a kernel, what is computed in front of a loop and needed behind it.

// CHECK-LABEL: gpu.func @behind_the_loop
// CHECK: %[[A:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[A]]]
// CHECK: %[[B:.*]] = arith.muli
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[B]]]
gpu.module @kernels {
  gpu.func @behind_the_loop(%i: index, %n: index, %x: f32, %out: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = arith.muli %i, %n : index
    %a = arith.addi %i, %n : index
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %out[%a] : memref<?xf32>
    }
    memref.store %x, %out[%b] : memref<?xf32>
    gpu.return
  }
}
