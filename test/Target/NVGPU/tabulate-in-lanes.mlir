// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-lower-math))' --split-input-file | FileCheck %s

// Each lane holds one of 16 numbers, bits of f32, and lanes read those of others: of lane
// word & 31, (word >> 4) & 31 and so on, as two lanes hold each number.

gpu.module @nvidia [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @numbers
  //   CHECK-DAG: %[[C31:.*]] = arith.constant 31 : i32
  //   CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
  //   CHECK-DAG: %[[LANES:.*]] = arith.constant 32 : i32
  // 0.0 and 15.0
  //   CHECK-DAG: arith.constant 0 : i32
  //   CHECK-DAG: arith.constant 1097859072 : i32
  //       CHECK: gpu.lane_id
  //   CHECK-COUNT-5: arith.select %{{.*}} : i32
  //       CHECK: %[[NUMBER:.*]] = arith.select %{{.*}} : i32
  //       CHECK: %[[WORD:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
  //       CHECK: %[[CODE:.*]] = arith.andi %[[WORD]], %[[C31]] : i32
  //       CHECK: gpu.shuffle idx %[[NUMBER]], %[[CODE]], %[[LANES]] : i32
  //       CHECK: %[[HIGH:.*]] = arith.shrui %{{.*}}, %[[C4]] : i32
  //       CHECK: %[[CODE1:.*]] = arith.andi %[[HIGH]], %[[C31]] : i32
  //       CHECK: gpu.shuffle idx %[[NUMBER]], %[[CODE1]], %[[LANES]] : i32
  // CHECK-COUNT-6: gpu.shuffle idx %[[NUMBER]]
  //   CHECK-NOT: gpu.shuffle {{.*}}idx
  //       CHECK: arith.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
  gpu.func @numbers(%x: vector<4xi8>, %seen: memref<i32>, %out: memref<vector<8xf32>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c1 = arith.constant dense<1> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f1 = arith.constant dense<1.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %f15 = arith.constant dense<15.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %3 = arith.cmpi eq, %2, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
    %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
    %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
    %13 = arith.select %3, %f15, %12 : vector<8xi1>, vector<8xf32>
    memref.store %13, %out[] : memref<vector<8xf32>>
    %lane = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %other, %valid = gpu.shuffle xor %lane, %lane, %width : i32
    memref.store %other, %seen[] : memref<i32>
    gpu.return
  }

  // Half of that many bits.

  // CHECK-LABEL: gpu.func @halves
  // CHECK-COUNT-8: gpu.shuffle idx
  //       CHECK: arith.trunci %{{.*}} : vector<8xi32> to vector<8xi16>
  //       CHECK: arith.bitcast %{{.*}} : vector<8xi16> to vector<8xf16>
  gpu.func @halves(%x: vector<4xi8>, %seen: memref<i32>, %out: memref<vector<8xf16>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf16>
    %f2 = arith.constant dense<2.0> : vector<8xf16>
    %f4 = arith.constant dense<4.0> : vector<8xf16>
    %f8 = arith.constant dense<8.0> : vector<8xf16>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf16>
    %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf16>
    %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf16>
    memref.store %12, %out[] : memref<vector<8xf16>>
    %lane = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %other, %valid = gpu.shuffle xor %lane, %lane, %width : i32
    memref.store %other, %seen[] : memref<i32>
    gpu.return
  }

  // Numbers that differ from element to element are no table.

  // CHECK-LABEL: gpu.func @negative_elements
  //   CHECK-NOT: gpu.shuffle {{.*}}idx
  gpu.func @negative_elements(%x: vector<4xi8>, %seen: memref<i32>, %out: memref<vector<8xf32>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %columns = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %10 = arith.select %9, %f2, %columns : vector<8xi1>, vector<8xf32>
    %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
    %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
    memref.store %12, %out[] : memref<vector<8xf32>>
    %lane = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %other, %valid = gpu.shuffle xor %lane, %lane, %width : i32
    memref.store %other, %seen[] : memref<i32>
    gpu.return
  }

  // No op of a whole subgroup, only of a half of it; a number that is no constant; few ops.

  // CHECK-LABEL: gpu.func @apart
  //   CHECK-NOT: gpu.shuffle {{.*}}idx
  gpu.func @apart(%x: vector<4xi8>, %seen: memref<i32>, %z: vector<8xf32>, %out: memref<3xvector<8xf32>>) kernel {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %thread = gpu.thread_id x
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %lane = arith.constant 1 : i32
    %half = arith.constant 16 : i32
    %c16 = arith.constant 16 : index
    %first = arith.cmpi ult, %thread, %c16 : index
    scf.if %first {
      %beside, %has = gpu.shuffle xor %lane, %lane, %half : i32
      memref.store %beside, %seen[] : memref<i32>
      %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
      %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
      %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
      memref.store %12, %out[%i0] : memref<3xvector<8xf32>>
    }
    %13 = arith.select %9, %z, %f0 : vector<8xi1>, vector<8xf32>
    %14 = arith.select %7, %f4, %13 : vector<8xi1>, vector<8xf32>
    %15 = arith.select %5, %f8, %14 : vector<8xi1>, vector<8xf32>
    memref.store %15, %out[%i1] : memref<3xvector<8xf32>>
    %16 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
    memref.store %16, %out[%i2] : memref<3xvector<8xf32>>
    %width = arith.constant 32 : i32
    %other, %valid = gpu.shuffle xor %lane, %lane, %width : i32
    memref.store %other, %seen[] : memref<i32>
    gpu.return
  }
}

// -----

// gfx942 has 16 selects.

gpu.module @amd [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @selects
  //   CHECK-NOT: gpu.shuffle {{.*}}idx
  gpu.func @selects(%x: vector<4xi8>, %seen: memref<i32>, %out: memref<vector<8xf32>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
    %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
    %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
    memref.store %12, %out[] : memref<vector<8xf32>>
    %lane = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %other, %valid = gpu.shuffle xor %lane, %lane, %width : i32
    memref.store %other, %seen[] : memref<i32>
    gpu.return
  }
}

// -----

// All threads execute the first block of a kernel. Subgroups of 64 threads are whole.

gpu.module @nvidia [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @first_block
  // CHECK-COUNT-8: gpu.shuffle idx
  gpu.func @first_block(%x: vector<4xi8>, %out: memref<vector<8xf32>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
    %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
    %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
    memref.store %12, %out[] : memref<vector<8xf32>>
    gpu.return
  }

  // Of 48 threads, 16 are in a subgroup that has no others.

  // CHECK-LABEL: gpu.func @negative_part_of_subgroup
  //   CHECK-NOT: gpu.shuffle
  gpu.func @negative_part_of_subgroup(%x: vector<4xi8>, %out: memref<vector<8xf32>>) kernel attributes {known_block_size = array<i32: 48, 1, 1>} {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
    %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
    %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
    memref.store %12, %out[] : memref<vector<8xf32>>
    gpu.return
  }

  // The number of threads is not known.

  // CHECK-LABEL: gpu.func @negative_any_threads
  //   CHECK-NOT: gpu.shuffle
  gpu.func @negative_any_threads(%x: vector<4xi8>, %out: memref<vector<8xf32>>) kernel {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
    %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
    %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
    memref.store %12, %out[] : memref<vector<8xf32>>
    gpu.return
  }

  // Some threads take a branch.

  // CHECK-LABEL: gpu.func @negative_branch
  //   CHECK-NOT: gpu.shuffle
  gpu.func @negative_branch(%x: vector<4xi8>, %is: i1, %out: memref<vector<8xf32>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
    %1 = arith.shrui %0, %shift : vector<8xi8>
    %2 = arith.andi %1, %c15 : vector<8xi8>
    %4 = arith.andi %2, %c8 : vector<8xi8>
    %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
    %6 = arith.andi %2, %c4 : vector<8xi8>
    %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
    %8 = arith.andi %2, %c2 : vector<8xi8>
    %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
    scf.if %is {
      %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
      %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
      %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
      memref.store %12, %out[] : memref<vector<8xf32>>
    }
    gpu.return
  }
}

// -----

// Loops that have no iterations, or more than an integer counts numbers of.

gpu.module @trips [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @none
  //       CHECK: scf.for
  // CHECK-COUNT-8: gpu.shuffle idx
  gpu.func @none(%x: vector<4xi8>, %seen: memref<i32>, %out: memref<vector<8xf32>>) kernel {
    %begin = arith.constant 0 : index
    %step = arith.constant 1 : index
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c1 = arith.constant dense<1> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f1 = arith.constant dense<1.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %f15 = arith.constant dense<15.0> : vector<8xf32>
    %lane = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    scf.for %i = %begin to %begin step %step {
      %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
      %1 = arith.shrui %0, %shift : vector<8xi8>
      %2 = arith.andi %1, %c15 : vector<8xi8>
      %3 = arith.cmpi eq, %2, %c15 : vector<8xi8>
      %4 = arith.andi %2, %c8 : vector<8xi8>
      %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
      %6 = arith.andi %2, %c4 : vector<8xi8>
      %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
      %8 = arith.andi %2, %c2 : vector<8xi8>
      %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
      %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
      %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
      %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
      %13 = arith.select %3, %f15, %12 : vector<8xi1>, vector<8xf32>
      memref.store %13, %out[] : memref<vector<8xf32>>
      %other, %valid = gpu.shuffle xor %lane, %lane, %width : i32
      memref.store %other, %seen[] : memref<i32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @many
  //  CHECK-SAME: workgroup(%{{.*}} : memref<32768xi8
  //       CHECK: scf.for
  // CHECK-COUNT-4: vector.load {{.*}} vector<8xi8>
  gpu.func @many(%x: vector<4xi8>, %seen: memref<i32>, %out: memref<vector<8xf32>>) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %begin = arith.constant 0 : index
    %step = arith.constant 1 : index
    %end = arith.constant 4611686018427387904 : index
    %shift = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4]> : vector<8xi8>
    %c15 = arith.constant dense<15> : vector<8xi8>
    %c8 = arith.constant dense<8> : vector<8xi8>
    %c4 = arith.constant dense<4> : vector<8xi8>
    %c2 = arith.constant dense<2> : vector<8xi8>
    %c1 = arith.constant dense<1> : vector<8xi8>
    %c0 = arith.constant dense<0> : vector<8xi8>
    %f0 = arith.constant dense<0.0> : vector<8xf32>
    %f1 = arith.constant dense<1.0> : vector<8xf32>
    %f2 = arith.constant dense<2.0> : vector<8xf32>
    %f4 = arith.constant dense<4.0> : vector<8xf32>
    %f8 = arith.constant dense<8.0> : vector<8xf32>
    %f15 = arith.constant dense<15.0> : vector<8xf32>
    %lane = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    scf.for %i = %begin to %end step %step {
      %0 = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
      %1 = arith.shrui %0, %shift : vector<8xi8>
      %2 = arith.andi %1, %c15 : vector<8xi8>
      %3 = arith.cmpi eq, %2, %c15 : vector<8xi8>
      %4 = arith.andi %2, %c8 : vector<8xi8>
      %5 = arith.cmpi ne, %4, %c0 : vector<8xi8>
      %6 = arith.andi %2, %c4 : vector<8xi8>
      %7 = arith.cmpi ne, %6, %c0 : vector<8xi8>
      %8 = arith.andi %2, %c2 : vector<8xi8>
      %9 = arith.cmpi ne, %8, %c0 : vector<8xi8>
      %10 = arith.select %9, %f2, %f0 : vector<8xi1>, vector<8xf32>
      %11 = arith.select %7, %f4, %10 : vector<8xi1>, vector<8xf32>
      %12 = arith.select %5, %f8, %11 : vector<8xi1>, vector<8xf32>
      %13 = arith.select %3, %f15, %12 : vector<8xi1>, vector<8xf32>
      memref.store %13, %out[] : memref<vector<8xf32>>
      %other, %valid = gpu.shuffle xor %lane, %lane, %width : i32
      memref.store %other, %seen[] : memref<i32>
    }
    gpu.return
  }
}
