// A buffer that a workgroup allocates and that vectors alone use is in shared memory, with
// barriers around what is written.

// RUN: linalg-ext-opt %s --vector-ext-distribute --split-input-file | FileCheck %s

// CHECK-LABEL: gpu.func @static
//       CHECK: %[[A:.*]] = memref.alloc() {{.*}}: memref<64xf32, #gpu.address_space<workgroup>>
//       CHECK: gpu.barrier
//       CHECK: vector.store {{.*}}, %[[A]]
//       CHECK: gpu.barrier
//       CHECK: scf.for
//       CHECK: memref<64xf32, #gpu.address_space<workgroup>>
//   CHECK-NOT: memref.dealloc
gpu.module @kernels {
  gpu.func @static(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %pad = arith.constant 0.0 : f32
    %v = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    scf.for %i = %c0 to %c64 step %c16 {
      %p = vector.transfer_read %a[%i], %pad {in_bounds = [true]} : memref<64xf32>, vector<16xf32>
      %q = arith.addf %p, %p : vector<16xf32>
      vector.transfer_write %q, %out[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32>
    }
    memref.dealloc %a : memref<64xf32>
    gpu.return
  }
}

// -----

// What is as large as a tile at most has memory for the largest.

// CHECK-LABEL: gpu.func @bounded
//       CHECK: %[[A:.*]] = memref.alloc() {{.*}}: memref<256xi8, #gpu.address_space<workgroup>>
//       CHECK: memref.view %[[A]]{{.*}} to memref<?xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @bounded(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %pad = arith.constant 0.0 : f32
    %size = affine.min affine_map<()[s0] -> (s0, 64)>()[%n]
    %mask = vector.create_mask %size : vector<64xi1>
    %v = vector.transfer_read %in[%c0], %pad, %mask {in_bounds = [true]} : memref<?xf32>, vector<64xf32>
    %a = memref.alloc(%size) {alignment = 64 : i64} : memref<?xf32>
    vector.transfer_write %v, %a[%c0], %mask {in_bounds = [true]} : vector<64xf32>, memref<?xf32>
    scf.for %i = %c0 to %size step %c16 {
      %p = vector.transfer_read %a[%i], %pad : memref<?xf32>, vector<16xf32>
      vector.transfer_write %p, %out[%i] : vector<16xf32>, memref<?xf32>
    }
    memref.dealloc %a : memref<?xf32>
    gpu.return
  }
}
