// RUN: linalg-ext-opt %s --vector-ext-distribute=async-copies=true --canonicalize --cse | FileCheck %s

// Asynchronous copies read global memory only. A tile that the workgroup has
// written to shared memory is read from there behind a barrier, through
// registers.

#turned = #vector_ext.layout<[lane 4:1, register 4:1] x [register 2:4, lane 8:4], lanes = 32, subgroups = 1>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @temporary
  // CHECK-SAME:    %[[IN:[a-z0-9]+]]: memref<16x16xf32>
  // CHECK:         %[[ALLOC:.+]] = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32, #gpu.address_space<workgroup>>
  // CHECK-NOT:     nvgpu.device_async_copy
  // CHECK:         gpu.barrier
  // CHECK:         vector.store %{{.+}}, %[[ALLOC]]
  // CHECK:         gpu.barrier
  // CHECK:         vector.load %[[ALLOC]]
  // CHECK-NOT:     nvgpu.device_async_copy
  // CHECK:         gpu.return
  gpu.func @temporary(%in: memref<16x16xf32>, %out: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %a = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
    %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    %r = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %0 = vector_ext.to_layout %r to #turned shared_memory : vector<16x16xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    memref.dealloc %a : memref<16x16xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @argument
  // CHECK-SAME:    %[[IN:[a-z0-9]+]]: memref<16x16xf32>
  // CHECK:         nvgpu.device_async_copy %[[IN]]
  gpu.func @argument(%in: memref<16x16xf32>, %out: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %r = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
    %0 = vector_ext.to_layout %r to #turned shared_memory : vector<16x16xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
