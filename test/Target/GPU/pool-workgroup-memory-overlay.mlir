// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-gpu-place-memory{steps=pool-workgroup-memory})' | FileCheck %s

#workgroup = #gpu.address_space<workgroup>

gpu.module @kernels {
  // Behind a barrier the first buffer is free; what is used with the second is not.
  // CHECK-LABEL: gpu.func @shared
  // CHECK-SAME: workgroup_bytes = 1536 : i64
  // CHECK-DAG: memref.view %{{.*}}[%c0{{.*}}][] : {{.*}} to memref<256xf32
  // CHECK-DAG: memref.view %{{.*}}[%c0{{.*}}][] : {{.*}} to memref<128xf32
  // CHECK-DAG: memref.view %{{.*}}[%c512{{.*}}][] : {{.*}} to memref<256xi32
  gpu.func @shared(%x: f32, %i: index, %y: i32, %out: memref<8xf32>) kernel {
    %a = memref.alloc() : memref<256xf32, #workgroup>
    %b = memref.alloc() : memref<128xf32, #workgroup>
    %c = memref.alloc() : memref<256xi32, #workgroup>
    memref.store %x, %a[%i] : memref<256xf32, #workgroup>
    gpu.barrier
    %0 = memref.load %a[%i] : memref<256xf32, #workgroup>
    gpu.barrier
    memref.store %0, %b[%i] : memref<128xf32, #workgroup>
    memref.store %y, %c[%i] : memref<256xi32, #workgroup>
    gpu.barrier
    %1 = memref.load %b[%i] : memref<128xf32, #workgroup>
    memref.store %1, %out[%i] : memref<8xf32>
    gpu.return
  }

  // Another thread may still read the first one.
  // CHECK-LABEL: gpu.func @no_barrier
  // CHECK-SAME: workgroup_bytes = 1024 : i64
  gpu.func @no_barrier(%x: f32, %i: index, %out: memref<8xf32>) kernel {
    %a = memref.alloc() : memref<128xf32, #workgroup>
    %b = memref.alloc() : memref<128xf32, #workgroup>
    memref.store %x, %a[%i] : memref<128xf32, #workgroup>
    gpu.barrier
    %0 = memref.load %a[%i] : memref<128xf32, #workgroup>
    memref.store %0, %b[%i] : memref<128xf32, #workgroup>
    gpu.barrier
    %1 = memref.load %b[%i] : memref<128xf32, #workgroup>
    memref.store %1, %out[%i] : memref<8xf32>
    gpu.return
  }

  // All of a loop, whose iterations use both in turn.
  // CHECK-LABEL: gpu.func @loop
  // CHECK-SAME: workgroup_bytes = 1024 : i64
  gpu.func @loop(%x: f32, %i: index, %n: index, %out: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<128xf32, #workgroup>
    %b = memref.alloc() : memref<128xf32, #workgroup>
    scf.for %j = %c0 to %n step %c1 {
      %0 = memref.load %b[%i] : memref<128xf32, #workgroup>
      memref.store %0, %out[%i] : memref<8xf32>
      memref.store %x, %a[%i] : memref<128xf32, #workgroup>
      gpu.barrier
      %1 = memref.load %a[%j] : memref<128xf32, #workgroup>
      memref.store %1, %b[%i] : memref<128xf32, #workgroup>
      gpu.barrier
    }
    gpu.return
  }

  // The copy arrives behind the barrier, when the second one is used already.
  // CHECK-LABEL: gpu.func @in_flight
  // CHECK-SAME: workgroup_bytes = 1024 : i64
  gpu.func @in_flight(%in: memref<128xf32>, %x: f32, %i: index, %out: memref<8xf32>) kernel {
    %a = memref.alloc() : memref<128xf32, #workgroup>
    %b = memref.alloc() : memref<128xf32, #workgroup>
    %t = nvgpu.device_async_copy %in[%i], %a[%i], 4 : memref<128xf32> to memref<128xf32, #workgroup>
    %g = nvgpu.device_async_create_group %t
    gpu.barrier
    nvgpu.device_async_wait %g
    memref.store %x, %b[%i] : memref<128xf32, #workgroup>
    gpu.barrier
    %1 = memref.load %b[%i] : memref<128xf32, #workgroup>
    memref.store %1, %out[%i] : memref<8xf32>
    gpu.return
  }

  // Which of them is stored to is not followed.
  // CHECK-LABEL: gpu.func @handed_on
  // CHECK-SAME: workgroup_bytes = 1536 : i64
  gpu.func @handed_on(%x: f32, %i: index, %bit: i1, %out: memref<8xf32>) kernel {
    %a = memref.alloc() : memref<128xf32, #workgroup>
    %b = memref.alloc() : memref<128xf32, #workgroup>
    %c = memref.alloc() : memref<128xf32, #workgroup>
    %either = arith.select %bit, %a, %b : memref<128xf32, #workgroup>
    gpu.barrier
    memref.store %x, %c[%i] : memref<128xf32, #workgroup>
    gpu.barrier
    memref.store %x, %either[%i] : memref<128xf32, #workgroup>
    %0 = memref.load %c[%i] : memref<128xf32, #workgroup>
    memref.store %0, %out[%i] : memref<8xf32>
    gpu.return
  }
}

// The role that reads a ring uses its memory again, behind a barrier of its own:
// %tile starts where %ring does. %early and %other are used in front of that
// barrier.

// CHECK-LABEL: gpu.func @ring
// CHECK-SAME: workgroup_bytes = 4480
// CHECK: %[[POOL:.*]] = gpu.dynamic_shared_memory
// CHECK: memref.view %[[POOL]][%c0{{.*}}][] : {{.*}} to memref<1024xf32
// CHECK: memref.view %[[POOL]][%c4096{{.*}}][] : {{.*}} to memref<64xf32
// CHECK: memref.view %[[POOL]][%c0{{.*}}][] : {{.*}} to memref<128xf32
// CHECK: memref.view %[[POOL]][%c4352{{.*}}][] : {{.*}} to memref<32xf32
gpu.module @ring_kernels {
  gpu.func @ring(%reads: i1, %fills: i1, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %threads = arith.constant 128 : i32
    %ring = memref.alloc() {vector_ext.ring_memory} : memref<1024xf32, #gpu.address_space<workgroup>>
    scf.if %reads {
      %early = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      %tile = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
      %other = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %v, %early[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
      %0 = memref.load %ring[%c0] : memref<1024xf32, #gpu.address_space<workgroup>>
      memref.store %0, %other[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
      nvvm.barrier id = %one number_of_threads = %threads
      memref.store %0, %tile[%c0] : memref<128xf32, #gpu.address_space<workgroup>>
    }
    scf.if %fills {
      memref.store %v, %ring[%c0] : memref<1024xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}

// Copies of boxes fill memory that threads have read: a fence in front of the barrier orders the
// reads before the copies. What instructions have read in place needs none.

// CHECK-LABEL: gpu.func @boxes
// CHECK-SAME: workgroup_bytes = 256
// CHECK:       memref.load %{{.*}} : memref<64xf32
// CHECK-NEXT:  gpu.barrier
// CHECK-NEXT:  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:  gpu.barrier
// CHECK-NEXT:  memref.reinterpret_cast
// CHECK-NEXT:  nvgpu.tma.async.load
// CHECK:       nvgpu.mbarrier.try_wait
// CHECK-NEXT:  gpu.barrier
// CHECK-NEXT:  memref.reinterpret_cast
// CHECK-NEXT:  nvgpu.tma.async.load
// CHECK-NOT:   nvvm.fence.proxy
// CHECK:       gpu.return
!box = memref<1x64xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !box, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
gpu.module @box_kernels {
  gpu.func @boxes(%map: !map, %v: f32, %i: index, %out: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %b = nvgpu.mbarrier.create -> !barriers
    %sums = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %tile = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %next = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %v, %sums[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %0 = memref.load %sums[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.barrier
    %box = memref.reinterpret_cast %tile to offset: [0], sizes: [1, 64], strides: [64, 1] : memref<64xf32, #gpu.address_space<workgroup>> to !box
    nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %box : !map, !barriers -> !box
    nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
    gpu.barrier
    %other = memref.reinterpret_cast %next to offset: [0], sizes: [1, 64], strides: [64, 1] : memref<64xf32, #gpu.address_space<workgroup>> to !box
    nvgpu.tma.async.load %map[%c0, %i], %b[%c0] to %other : !map, !barriers -> !box
    memref.store %0, %out[%i] : memref<8xf32>
    gpu.return
  }
}
