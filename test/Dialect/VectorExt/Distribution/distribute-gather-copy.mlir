// RUN: linalg-ext-opt %s --vector-ext-distribute=async-copies=true --canonicalize --cse | FileCheck %s

// Rows of pages that threads exchange are copied to shared memory, 16 bytes at a
// time. What the mask leaves out has the size 0, so there is no branch, and the
// pool is not read through registers.

#by_rows = #vector_ext.layout<[register 2:32, lane 16:2] x [lane 2:1, register 32:1], lanes = 32, subgroups = 1>

#by_entries = #vector_ext.layout<[register 8:1, lane 4:1], lanes = 32, subgroups = 1>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @copy_rows
  // CHECK-SAME:    %[[POOL:.+]]: memref<?x16x64xf16>, %{{.+}}: memref<32xi32>, %[[OUT:.+]]: memref<32x64xf16>
  // CHECK-NOT:     scf.if
  // CHECK-NOT:     vector.load %[[POOL]]
  // CHECK-NOT:     memref.load %[[POOL]]
  // CHECK:         %[[ALL:.+]] = memref.collapse_shape %[[POOL]]
  // CHECK:         %[[SIZE:.+]] = arith.select %{{.+}}, %c8, %c0 : index
  // CHECK:         nvgpu.device_async_copy %[[ALL]][%{{.+}}, %{{.+}}], %{{.+}}[%{{.+}}], 8, %[[SIZE]] {bypassL1}
  // CHECK-COUNT-7: nvgpu.device_async_copy %[[ALL]]
  // CHECK-NOT:     nvgpu.device_async_copy
  // CHECK:         nvgpu.device_async_wait
  // CHECK-NOT:     scf.if
  // CHECK:         gpu.return
  gpu.func @copy_rows(%pool: memref<?x16x64xf16>, %pages: memref<32xi32>, %out: memref<32x64xf16>, %size: i32)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : i32
    %page = vector.transfer_read %pages[%c0], %pad {in_bounds = [true]} : memref<32xi32>, vector<32xi32>
    %step = vector.step : vector<32xindex>
    %low = arith.constant dense<15> : vector<32xindex>
    %row = arith.andi %step, %low : vector<32xindex>
    %sizes = vector.broadcast %size : i32 to vector<32xi32>
    %exists = arith.cmpi ult, %page, %sizes : vector<32xi32>
    %0 = vector_ext.transfer_gather %pool[%c0, %c0, %c0]
           indices(%page, %row : vector<32xi32>, vector<32xindex>) mask(%exists : vector<32xi1>)
           {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>,
                             affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]}
         : memref<?x16x64xf16>, vector<32x64xf16>
    %1 = vector_ext.to_layout %0 to #by_rows shared_memory : vector<32x64xf16>
    vector.transfer_write %1, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
    gpu.return
  }

  // A table whose entries the elements of a block share: one load for each of the
  // two pages that a thread has. Of static size, it is read without a branch.

  // CHECK-LABEL: gpu.func @entries
  // CHECK-SAME:    %[[TABLE:.+]]: memref<8xi32>
  // CHECK-NOT:     scf.if
  // CHECK-COUNT-2: memref.load %[[TABLE]]
  // CHECK-NOT:     memref.load %[[TABLE]]
  // CHECK:         memref.store
  gpu.func @entries(%table: memref<8xi32>, %out: memref<32xi32>, %size: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %step = vector.step : vector<32xindex>
    %four = arith.constant dense<4> : vector<32xindex>
    %none = arith.constant dense<0> : vector<32xi32>
    %entry = arith.shrsi %step, %four : vector<32xindex>
    %sizes = vector.broadcast %size : index to vector<32xindex>
    %exists = arith.cmpi ult, %entry, %sizes : vector<32xindex>
    %0 = vector.gather %table[%c0] [%entry], %exists, %none : memref<8xi32>, vector<32xindex>, vector<32xi1>, vector<32xi32> into vector<32xi32>
    %1 = vector_ext.to_layout %0 to #by_entries : vector<32xi32>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<32xi32>, memref<32xi32>
    gpu.return
  }
}
