// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=await-behind-loops --split-input-file | FileCheck %s --implicit-check-not=vector_ext.await_earlier

// Two chains: both are carried, and the products of the previous iteration are awaited
// in front of the barrier that frees their tiles.

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!tile = memref<8192xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: func @carried
// CHECK:         %[[OPEN:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
// CHECK:           %[[X0:.*]] = vector_ext.async_mma {{.*}}, %[[X]] :
// CHECK:           %[[Y0:.*]] = vector_ext.async_mma {{.*}}, %[[Y]] :
// CHECK:           %[[X1:.*]] = vector_ext.async_mma {{.*}}, %[[X0]] :
// CHECK:           vector_ext.await_earlier %[[X1]], %[[Y0]]
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      scf.yield %[[X1]], %[[Y0]]
// CHECK:         %[[SUM:.*]]:2 = vector_ext.await %[[OPEN]]#0, %[[OPEN]]#1
// CHECK:         vector.store %[[SUM]]#0
// CHECK:         vector.store %[[SUM]]#1
func.func @carried(%at: !tile, %bt: !tile, %out: memref<?xf32>, %n: index, %h: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (vector<64xf32>, vector<64xf32>) {
      %x0 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !tile, !tile, vector<64xf32>
      %y0 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c64, %c0] in #a, %bt[%c0, %c0] in #b, %y : !tile, !tile, vector<64xf32>
      %x1 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x0 : !tile, !tile, vector<64xf32>
      gpu.barrier
      memref.store %h, %at[%c0] : !tile
      %z:2 = vector_ext.await %x1, %y0 : vector<64xf32>, vector<64xf32>
      scf.yield %z#0, %z#1 : vector<64xf32>, vector<64xf32>
    }
    vector.store %r#0, %out[%c0] : memref<?xf32>, vector<64xf32>
    vector.store %r#1, %out[%c0] : memref<?xf32>, vector<64xf32>
    gpu.terminator
  }
  return
}

// -----

// No barrier behind the products; a write in front of it; a barrier in front of them;
// a result that is used; an operand in registers; a chain that starts from zero; a write
// behind the wait; a chain in front of the loop; a result that is carried and used.

#a = #vector_ext.shared<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
!left = memref<4096xf16, #gpu.address_space<workgroup>>
!tile = memref<8192xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: func @negative
// CHECK-NOT:     vector_ext.await_earlier
// Not CHECK-COUNT: it would look for what must not be there in front of its first match only.
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK:         vector_ext.await %{{.*}}, %{{.*}} : vector<64xf32>, vector<64xf32>
// CHECK:         vector_ext.await %{{.*}} : vector<64xf32>
// CHECK-NOT:     vector_ext.await
func.func @negative(%at: !left, %bt: !tile, %out: memref<?xf32>, %n: index, %h: f16, %regs: vector<8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %r0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !left, !tile, vector<64xf32>
      %z = vector_ext.await %p : vector<64xf32>
      scf.yield %z : vector<64xf32>
    }
    %r1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r0) -> (vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !left, !tile, vector<64xf32>
      memref.store %h, %bt[%c0] : !tile
      gpu.barrier
      %z = vector_ext.await %p : vector<64xf32>
      scf.yield %z : vector<64xf32>
    }
    %r2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r1) -> (vector<64xf32>) {
      gpu.barrier
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !left, !tile, vector<64xf32>
      gpu.barrier
      %z = vector_ext.await %p : vector<64xf32>
      scf.yield %z : vector<64xf32>
    }
    %r3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r2) -> (vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !left, !tile, vector<64xf32>
      gpu.barrier
      %z = vector_ext.await %p : vector<64xf32>
      %y = arith.addf %z, %z : vector<64xf32>
      scf.yield %y : vector<64xf32>
    }
    %r4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r3) -> (vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %regs, %bt[%c0, %c0] in #b, %x : vector<8xf16>, !tile, vector<64xf32>
      gpu.barrier
      %z = vector_ext.await %p : vector<64xf32>
      scf.yield %z : vector<64xf32>
    }
    %r5 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r4) -> (vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zero : !left, !tile, vector<64xf32>
      gpu.barrier
      %z = vector_ext.await %p : vector<64xf32>
      scf.yield %z : vector<64xf32>
    }
    %r6 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r5) -> (vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !left, !tile, vector<64xf32>
      gpu.barrier
      %z = vector_ext.await %p : vector<64xf32>
      gpu.barrier
      memref.store %h, %bt[%c0] : !tile
      scf.yield %z : vector<64xf32>
    }
    %q = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %zero : !left, !tile, vector<64xf32>
    %r7:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r6, %y = %zero) -> (vector<64xf32>, vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !left, !tile, vector<64xf32>
      gpu.barrier
      %z:2 = vector_ext.await %p, %q : vector<64xf32>, vector<64xf32>
      scf.yield %z#0, %z#1 : vector<64xf32>, vector<64xf32>
    }
    %r8:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r7#0, %y = %zero) -> (vector<64xf32>, vector<64xf32>) {
      %p = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !left, !tile, vector<64xf32>
      gpu.barrier
      %z = vector_ext.await %p : vector<64xf32>
      %sum = arith.addf %y, %z : vector<64xf32>
      scf.yield %z, %sum : vector<64xf32>, vector<64xf32>
    }
    vector.store %r8#1, %out[%c0] : memref<?xf32>, vector<64xf32>
    vector.store %r8#0, %out[%c0] : memref<?xf32>, vector<64xf32>
    gpu.terminator
  }
  return
}

// -----

// The program says where it needs the earlier products only. Chains are carried one by
// one, and awaited when the turn was passed.

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 8], order = [0, 1], bits = 16, panel = 8, padding = 0, swizzle = [0, 0, 0]>
!tile = memref<8192xf16, #gpu.address_space<workgroup>>
!right = memref<512xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: func @groups
// CHECK:         %[[OPEN:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
// CHECK:           %[[X0:.*]] = vector_ext.async_mma {{.*}}, %[[X]] :
// CHECK:           %[[Y0:.*]] = vector_ext.async_mma {{.*}}, %[[Y]] :
// CHECK:           vector_ext.await_earlier %[[X0]], %[[Y0]]
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      scf.yield %{{.*}}, %[[X0]], %[[Y0]]
// CHECK:         vector_ext.turn.pass
// CHECK-NEXT:    %[[SUM:.*]]:2 = vector_ext.await %[[OPEN]]#1, %[[OPEN]]#2
// CHECK:         vector.extract %[[SUM]]#0[0]
// CHECK:         vector.extract %[[SUM]]#1[0]
// CHECK:         %[[ALL:.*]] = vector.from_elements
// CHECK:         vector.store %[[ALL]]
func.func @groups(%at: !tile, %bt: !right, %out: memref<?xf32>, %n: index, %h: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    vector_ext.role first(0) threads(256) groups(2) {
      vector_ext.turn.take groups(2)
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<8xf32>) {
        %x = vector.extract_strided_slice %s {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
        %x0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c0, %c0] in #a, %bt[%c0, %c0] in #b, %x : !tile, !right, vector<4xf32>
        %y = vector.extract_strided_slice %s {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
        %y0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %at[%c64, %c0] in #a, %bt[%c0, %c0] in #b, %y : !tile, !right, vector<4xf32>
        vector_ext.await_earlier %x0, %y0 : vector<4xf32>, vector<4xf32>
        memref.store %h, %at[%c0] : !tile
        %z:2 = vector_ext.await %x0, %y0 : vector<4xf32>, vector<4xf32>
        %e0 = vector.extract %z#0[0] : f32 from vector<4xf32>
        %e1 = vector.extract %z#0[1] : f32 from vector<4xf32>
        %e2 = vector.extract %z#0[2] : f32 from vector<4xf32>
        %e3 = vector.extract %z#0[3] : f32 from vector<4xf32>
        %e4 = vector.extract %z#1[0] : f32 from vector<4xf32>
        %e5 = vector.extract %z#1[1] : f32 from vector<4xf32>
        %e6 = vector.extract %z#1[2] : f32 from vector<4xf32>
        %e7 = vector.extract %z#1[3] : f32 from vector<4xf32>
        %t = vector.from_elements %e0, %e1, %e2, %e3, %e4, %e5, %e6, %e7 : vector<8xf32>
        scf.yield %t : vector<8xf32>
      }
      vector_ext.turn.pass groups(2)
      vector.store %r, %out[%c0] : memref<?xf32>, vector<8xf32>
    }
    gpu.terminator
  }
  return
}
