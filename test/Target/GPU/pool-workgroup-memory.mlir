// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline --linalg-ext-gpu-place-memory=steps=pool-workgroup-memory | FileCheck %s

// Attributions, then allocations in order, at multiples of 128 bytes or of what
// they ask for; an allocation in a loop is one; deallocations go.

// CHECK-LABEL: func.func @pool
// CHECK: %[[BYTES:.*]] = arith.constant 102528 : i32
// CHECK: gpu.launch_func @kernels::@pool_kernel
// CHECK-SAME: dynamic_shared_memory_size %[[BYTES]]
// CHECK: gpu.func @pool_kernel(%{{[^)]*}}) kernel attributes
// CHECK-SAME: workgroup_bytes = 102528 : i64
// CHECK: %[[POOL:.*]] = gpu.dynamic_shared_memory
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[POOL]][%[[C0]]][] : {{.*}} to memref<100xi8, #gpu.address_space<workgroup>>
// CHECK: %[[C1024:.*]] = arith.constant 1024 : index
// CHECK: memref.view %[[POOL]][%[[C1024]]][] : {{.*}} to memref<3x33xf16, #gpu.address_space<workgroup>>
// CHECK: %[[C1280:.*]] = arith.constant 1280 : index
// CHECK: memref.view %[[POOL]][%[[C1280]]][] : {{.*}} to memref<25312xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
func.func @pool(%out: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             workgroup(%w: memref<100xi8, #gpu.address_space<workgroup>>) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %v = memref.load %w[%tx] : memref<100xi8, #gpu.address_space<workgroup>>
    %a = memref.alloc() {alignment = 1024 : i64} : memref<3x33xf16, #gpu.address_space<workgroup>>
    scf.for %i = %k0 to %tx step %k1 {
      %b = memref.alloca() : memref<25312xf32, #gpu.address_space<workgroup>>
      %f = memref.load %b[%i] : memref<25312xf32, #gpu.address_space<workgroup>>
      %g = memref.load %a[%i, %i] : memref<3x33xf16, #gpu.address_space<workgroup>>
      %h = arith.extf %g : f16 to f32
      %s = arith.addf %f, %h : f32
      %j = arith.index_cast %v : i8 to index
      memref.store %s, %out[%j] : memref<8xf32>
    }
    memref.dealloc %a : memref<3x33xf16, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// Private memory and kernels without any are left alone.
// CHECK-LABEL: gpu.func @none_kernel
// CHECK-NOT: workgroup_bytes
// CHECK-NOT: dynamic_shared_memory
// CHECK: memref.alloca
func.func @none(%out: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %p = memref.alloca() : memref<8xf32>
    %v = memref.load %p[%tx] : memref<8xf32>
    memref.store %v, %out[%tx] : memref<8xf32>
    gpu.terminator
  }
  return
}
