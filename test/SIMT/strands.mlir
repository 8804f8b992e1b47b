// A kernel with mbarriers runs as several strands, in any order.
//
// RUN: split-file %s %t
// RUN: linalg-ext-simt-runner %t/copy.mlir --order=copies-first --kernel-stats | FileCheck %s
// RUN: linalg-ext-simt-runner %t/copy.mlir --order=copies-last | FileCheck %s --check-prefix=VALUE
// RUN: linalg-ext-simt-runner %t/copy.mlir --order=seeded --seed=5 | FileCheck %s --check-prefix=VALUE
// RUN: not linalg-ext-simt-runner %t/deadlock.mlir 2>&1 | FileCheck %s --check-prefix=DEADLOCK

// CHECK: 42
// CHECK: kernel main: launches 1, workgroups 1, threads 256, barriers 1,
// CHECK-SAME: box copies 1, wgmma 0
// VALUE: 42
//--- copy.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<1xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    gpu.barrier
    %copies = arith.cmpi eq, %tx, %c128 : index
    scf.if %copies {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%c0] : memref<1xf32>
    }
    gpu.terminator
  }
  %v = memref.load %y[%c0] : memref<1xf32>
  vector.print %v : f32
  return
}

// DEADLOCK: deadlock.mlir:[[#]]:{{.*}} error: deadlock: thread 0 waits for a phase of parity 0 in phase 0 of mbarrier 0 of group 0, which misses 1 of 1 arrivals and 0 bytes; threads 128 to 255 wait at barrier 2, which misses 64 of 192 threads
//--- deadlock.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %false = arith.constant false
    %two = arith.constant 2 : i32
    %count = arith.constant 192 : i32
    %b = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    gpu.barrier
    %second = arith.cmpi uge, %tx, %c128 : index
    scf.if %second {
      nvvm.barrier id = %two number_of_threads = %count
    }
    scf.if %first {
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %c0 : !barriers
    }
    gpu.terminator
  }
  return
}
