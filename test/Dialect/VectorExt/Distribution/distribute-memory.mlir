// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

// Registers that are neighbours in memory are one access of up to 16 bytes.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @transfer
  // CHECK-SAME: (%[[IN:.+]]: memref<32x8xf32>, %[[OUT:.+]]: memref<32x8xf32>)
  // CHECK: %[[LANE:.+]] = arith.remui %thread_id_x, %c32
  // CHECK: %[[ROW:.+]] = arith.divui %[[LANE]], %c2
  // CHECK: %[[PAIR:.+]] = arith.remui %[[LANE]], %c2
  // CHECK: %[[COLUMN:.+]] = arith.muli %[[PAIR]], %c4
  // CHECK: %[[X:.+]] = vector.load %[[IN]][%[[ROW]], %[[COLUMN]]] {alignment = 16 : i64} : memref<32x8xf32>, vector<4xf32>
  // CHECK: %[[NEXT:.+]] = arith.addi %[[ROW]], %c16
  // CHECK: %[[Y:.+]] = vector.load %[[IN]][%[[NEXT]], %[[COLUMN]]]
  // CHECK-DAG: vector.store %[[X]], %[[OUT]][%[[ROW]], %[[COLUMN]]]
  // CHECK-DAG: vector.store %[[Y]], %[[OUT]][%[[NEXT]], %[[COLUMN]]]
  // CHECK: gpu.return
  gpu.func @transfer(%in: memref<32x8xf32>, %out: memref<32x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x8xf32>, vector<32x8xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x8xf32>, memref<32x8xf32>
    gpu.return
  }

  // What is read beyond the mask is padding, and is not written.
  // CHECK-LABEL: gpu.func @create_mask
  // CHECK-SAME: %[[N:[^:]+]]: index)
  // CHECK: %[[ATLEAST:.+]] = arith.maxsi %[[N]], %c0
  // CHECK: %[[ATMOST:.+]] = arith.minsi %[[ATLEAST]], %c32
  // CHECK: %[[BOUND:.+]] = arith.index_cast %[[ATMOST]] : index to i32
  // CHECK: %[[FIRST:.+]] = arith.index_cast %[[I:.+]] : index to i32
  // CHECK: %[[LEFT:.+]] = arith.subi %[[BOUND]], %[[FIRST]] : i32
  // CHECK: %[[ISHERE:.+]] = arith.cmpi sgt, %[[LEFT]], %c0_i32
  // CHECK: %[[READ:.+]] = scf.if %[[ISHERE]] -> (f32) {
  // CHECK:   memref.load %{{.*}}[%[[I]]]
  // CHECK: } else {
  // CHECK:   scf.yield %cst : f32
  // CHECK: scf.if %[[ISHERE]] {
  // CHECK:   memref.store %[[READ]], %{{.*}}[%[[I]]]
  gpu.func @create_mask(%in: memref<32xf32>, %out: memref<32xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.0 : f32
    %mask = vector.create_mask %n : vector<32xi1>
    %0 = vector.transfer_read %in[%c0], %pad, %mask {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %1, %out[%c0], %mask {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // A mask of whole accesses keeps them whole, and a dimension that it has
  // whole is not compared.
  // CHECK-LABEL: gpu.func @constant_mask
  // CHECK: %[[ROW:.+]] = arith.divui %{{.*}}, %c2
  // CHECK: %[[FIRST:.+]] = arith.index_cast %[[ROW]] : index to i32
  // CHECK: %[[LEFT:.+]] = arith.subi %c14_i32, %[[FIRST]] : i32
  // CHECK: %[[ISBELOW:.+]] = arith.cmpi sgt, %[[LEFT]], %c0_i32
  // CHECK: scf.if %[[ISBELOW]] -> (vector<4xf32>) {
  // CHECK:   vector.load {{.*}} vector<4xf32>
  // CHECK: } else {
  // CHECK:   scf.yield %cst : vector<4xf32>
  // CHECK-NOT: scf.if
  // CHECK: vector.store
  gpu.func @constant_mask(%in: memref<16x8xf32>, %out: memref<16x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.0 : f32
    %mask = vector.constant_mask [14, 8] : vector<16x8xi1>
    %0 = vector.transfer_read %in[%c0, %c0], %pad, %mask {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }

  // A mask that is a vector like others has the layout of what is read.
  // CHECK-LABEL: gpu.func @general_mask
  // CHECK-SAME: (%[[KEEP:.+]]: memref<32xi1>, %[[IN:[^:]+]]: memref<32xf32>
  // CHECK: %[[BIT:.+]] = memref.load %[[KEEP]][%[[LANE:.+]]]
  // CHECK: scf.if %[[BIT]] -> (f32)
  // CHECK:   memref.load %[[IN]][%[[LANE]]]
  gpu.func @general_mask(%keep: memref<32xi1>, %in: memref<32xf32>, %out: memref<32xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.0 : f32
    %no = arith.constant false
    %bits = vector.transfer_read %keep[%c0], %no {in_bounds = [true]} : memref<32xi1>, vector<32xi1>
    %mask = vector_ext.to_layout %bits to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xi1>
    %0 = vector.transfer_read %in[%c0], %pad, %mask {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // A dimension that may be out of bounds is compared with what is left of the
  // memory.
  // CHECK-LABEL: gpu.func @out_of_bounds
  // CHECK-SAME: (%[[IN:.+]]: memref<?x8xf32>, %{{.+}}: memref<16x8xf32>, %[[AT:.+]]: index)
  // CHECK: %[[ROW:.+]] = arith.divui %{{.*}}, %c2
  // CHECK: %[[DIM:.+]] = memref.dim %[[IN]], %c0
  // CHECK: %[[REST:.+]] = arith.subi %[[DIM]], %[[AT]]
  // CHECK: %[[ATLEAST:.+]] = arith.maxsi %[[REST]], %c0
  // CHECK: %[[ATMOST:.+]] = arith.minsi %[[ATLEAST]], %c16
  // CHECK: %[[BOUND:.+]] = arith.index_cast %[[ATMOST]] : index to i32
  // CHECK: %[[FIRST:.+]] = arith.index_cast %[[ROW]] : index to i32
  // CHECK: %[[LEFT:.+]] = arith.subi %[[BOUND]], %[[FIRST]] : i32
  // CHECK: %[[ISBELOW:.+]] = arith.cmpi sgt, %[[LEFT]], %c0_i32
  // CHECK: scf.if %[[ISBELOW]] -> (vector<4xf32>)
  gpu.func @out_of_bounds(%in: memref<?x8xf32>, %out: memref<16x8xf32>, %at: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.0 : f32
    %0 = vector.transfer_read %in[%at, %c0], %pad {in_bounds = [false, true]} : memref<?x8xf32>, vector<16x8xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }

  // Rows behind the end are not used: threads read the last one there, without a branch.
  // CHECK-LABEL: gpu.func @unused_behind
  // CHECK-SAME: (%[[IN:.+]]: memref<?x8xf32>, %{{.+}}: memref<16x8xf32>)
  // CHECK: %[[ROW:.+]] = arith.divui %{{.*}}, %c2
  // CHECK: %[[DIM:.+]] = memref.dim %[[IN]], %c0
  // CHECK: %[[LAST:.+]] = arith.subi %[[DIM]], %c1
  // CHECK: %[[AT:.+]] = arith.minui %[[ROW]], %[[LAST]]
  // CHECK-NOT: scf.if
  // CHECK: vector.load %[[IN]][%[[AT]], %{{.*}}]
  // CHECK: gpu.return
  gpu.func @unused_behind(%in: memref<?x8xf32>, %out: memref<16x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.0 : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [false, true], vector_ext.unused_behind = 0 : i64} : memref<?x8xf32>, vector<16x8xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }

  // Columns of the memory are rows of the vector: no two registers are
  // neighbours.
  // CHECK-LABEL: gpu.func @permuted
  // CHECK-SAME: (%[[IN:.+]]: memref<8x16xf32>
  // CHECK-DAG: %[[I:.+]] = arith.divui %{{.*}}, %c2
  // CHECK-DAG: %[[J:.+]] = arith.muli %{{.*}}, %c4
  // CHECK: memref.load %[[IN]][%[[J]], %[[I]]]
  // CHECK: %[[NEXT:.+]] = arith.addi %[[J]], %c1
  // CHECK: memref.load %[[IN]][%[[NEXT]], %[[I]]]
  // CHECK: vector.store {{.*}} vector<4xf32>
  gpu.func @permuted(%in: memref<8x16xf32>, %out: memref<16x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x16xf32>, vector<16x8xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }

  // Rows that are the same: every thread reads what it needs.
  // CHECK-LABEL: gpu.func @broadcast
  // CHECK-SAME: (%[[IN:.+]]: memref<8xf32>
  // CHECK: %[[READ:.+]] = vector.load %[[IN]][%[[J:.+]]]
  // CHECK: vector.store %[[READ]], %{{.*}}[%{{.*}}, %[[J]]]
  gpu.func @broadcast(%in: memref<8xf32>, %out: memref<16x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (0, d0)>} : memref<8xf32>, vector<16x8xf32>
    vector.transfer_write %0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }

  // Of several threads that have an element, the first writes it.
  // CHECK-LABEL: gpu.func @replicated
  // CHECK: %[[COPY:.+]] = arith.divui %[[LANE:.+]], %c2
  // CHECK: %[[ISFIRST:.+]] = arith.cmpi eq, %[[COPY]], %c0
  // CHECK: %[[READ:.+]] = vector.load
  // CHECK: scf.if %[[ISFIRST]] {
  // CHECK:   vector.store %[[READ]]
  gpu.func @replicated(%in: memref<8xf32>, %out: memref<8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    vector.transfer_write %0, %out[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @gather
  // CHECK-SAME: (%[[ROWS:.+]]: memref<32xindex>, %[[IN:.+]]: memref<?xf32>
  // CHECK: %[[ISHERE:.+]] = arith.cmpi sgt, %{{.*}}, %c0_i32 : i32
  // CHECK: %[[AT:.+]] = memref.load %[[ROWS]][%{{.*}}]
  // CHECK: scf.if %[[ISHERE]] -> (f32) {
  // CHECK:   memref.load %[[IN]][%[[AT]]]
  // CHECK: } else {
  // CHECK:   scf.yield %cst
  gpu.func @gather(%rows: memref<32xindex>, %in: memref<?xf32>, %out: memref<32xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %mask = vector.create_mask %n : vector<32xi1>
    %other = arith.constant dense<7.0> : vector<32xf32>
    %i = vector.transfer_read %rows[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
    %at = vector_ext.to_layout %i to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xindex>
    %0 = vector.gather %in[%c0] [%at], %mask, %other : memref<?xf32>, vector<32xindex>, vector<32xi1>, vector<32xf32> into vector<32xf32>
    %1 = vector_ext.to_layout %0 to <[lane 32:1], lanes = 32, subgroups = 1> : vector<32xf32>
    vector.transfer_write %1, %out[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.return
  }

  // A scalar is stored once, when all threads have read what was there.
  // CHECK-LABEL: gpu.func @scalar_in_place
  // CHECK: %[[OLD:.+]] = memref.load %arg1[%c0]
  // CHECK: %[[NEW:.+]] = arith.addf %[[OLD]], %{{.*}} : f32
  // CHECK: gpu.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: memref.store %[[NEW]], %arg1[%c0]
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.barrier
  gpu.func @scalar_in_place(%in: memref<32xf32>, %out: memref<1xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %x = vector.transfer_read %in[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %old = memref.load %out[%c0] : memref<1xf32>
    %sum = vector.reduction <add>, %x : vector<32xf32> into f32
    %new = arith.addf %old, %sum : f32
    memref.store %new, %out[%c0] : memref<1xf32>
    gpu.return
  }

  // Where so many elements are known to exist, only the others are asked for.
  // CHECK-LABEL: gpu.func @known_elements
  // CHECK: %[[LEFT:.+]] = arith.subi
  // CHECK: %[[EXISTS:.+]] = arith.cmpi sgt, %[[LEFT]], %c64_i32
  // CHECK: memref.load %{{.+}}[%{{.+}}] : memref<?xf32>
  // CHECK: memref.load %{{.+}}[%{{.+}}] : memref<?xf32>
  // CHECK: scf.if %[[EXISTS]]
  // CHECK: memref.load
  // CHECK-NOT: arith.cmpi
  // CHECK-NOT: memref.load
  // CHECK: memref.store
  // CHECK: memref.store
  // CHECK: scf.if %[[EXISTS]]
  // CHECK: memref.store
  gpu.func @known_elements(%in: memref<?xf32>, %out: memref<?xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %pad = arith.constant 0.0 : f32
    %size = arith.maxsi %n, %c64 : index
    %mask = vector.create_mask %size : vector<96xi1>
    %0 = vector.transfer_read %in[%c0], %pad, %mask {in_bounds = [true]} : memref<?xf32>, vector<96xf32>
    %1 = vector_ext.to_layout %0 to <[register 3:1, lane 32:1], lanes = 32, subgroups = 1> : vector<96xf32>
    vector.transfer_write %1, %out[%c0], %mask {in_bounds = [true]} : vector<96xf32>, memref<?xf32>
    gpu.return
  }
}
