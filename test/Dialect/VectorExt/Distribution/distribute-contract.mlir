// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#rhs_transposed = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

gpu.module @kernels {
  // Two steps along K, two columns of instructions; the sum goes from one to
  // the next.
  // CHECK-LABEL: gpu.func @instruction
  // CHECK: %[[D0:.+]] = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %[[A0:.+]], %[[B00:.+]], %{{.+}} : vector<8xf16>, vector<4xf16>, vector<4xf32>
  // CHECK: %[[E0:.+]] = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %[[A0]], %[[B01:.+]], %{{.+}}
  // CHECK: %[[D1:.+]] = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %[[A1:.+]], %[[B10:.+]], %[[D0]]
  // CHECK: vector_ext.mma "mma.sync.m16n8k16.f32.f16" %[[A1]], %[[B11:.+]], %[[E0]]
  // CHECK-NOT: vector_ext.mma
  // CHECK: gpu.return
  gpu.func @instruction(%a: memref<16x32xf16>, %b: memref<32x16xf16>, %c: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 1]>
    } %lhs, %rhs, %zero : vector<16x32xf16>, vector<32x16xf16> into vector<16x16xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }

  // Rows are shared by two subgroups, columns by two: each does one
  // instruction. The right operand goes through shared memory.
  // CHECK-LABEL: gpu.func @subgroups
  // CHECK: memref.alloc() {{.*}} : memref<{{.*}}xf16, #gpu.address_space<workgroup>>
  // CHECK: gpu.barrier
  // CHECK: gpu.barrier
  // CHECK: vector_ext.mma
  // CHECK-NOT: vector_ext.mma
  // CHECK: gpu.return
  gpu.func @subgroups(%a: memref<32x16xf16>, %b: memref<16x16xf16>, %c: memref<32x16xf32>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<32x16xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs_transposed, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [2, 2], promote = [false, true]>
    } %lhs, %rhs, %zero : vector<32x16xf16>, vector<16x16xf16> into vector<32x16xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
    gpu.return
  }

  // What two of them read alike goes through shared memory, and is loaded, once.
  // CHECK-LABEL: gpu.func @same_rows
  // CHECK-COUNT-3: memref.alloc() {{.*}} : memref<{{.*}}xf16, #gpu.address_space<workgroup>>
  // CHECK-NOT: memref.alloc
  // CHECK: vector_ext.mma "mma.sync.m16n8k16.f32.f16" %[[A:.+]], %{{.+}}, %{{.+}} :
  // CHECK: vector_ext.mma "mma.sync.m16n8k16.f32.f16" %[[A]], %{{.+}}, %{{.+}} :
  // CHECK-NOT: vector_ext.mma
  // CHECK: gpu.return
  gpu.func @same_rows(%a: memref<32x16xf16>, %b: memref<16x16xf16>, %b2: memref<16x16xf16>, %c: memref<32x16xf32>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<32x16xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %rhs2 = vector.transfer_read %b2[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs_transposed, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [2, 2], promote = [true, true]>
    } %lhs, %rhs, %zero : vector<32x16xf16>, vector<16x16xf16> into vector<32x16xf32>
    %1 = vector.contract {
      indexing_maps = [#lhs, #rhs_transposed, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [2, 2], promote = [true, true]>
    } %lhs, %rhs2, %zero : vector<32x16xf16>, vector<16x16xf16> into vector<32x16xf32>
    %2 = arith.mulf %0, %1 : vector<32x16xf32>
    vector.transfer_write %2, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
    gpu.return
  }

  // Products of f32 of what was extended: no instruction for f16 was asked for.
  // CHECK-LABEL: gpu.func @extended
  // CHECK: vector_ext.mma "fma.m4n8k4.f32" %{{.*}} : vector<4xf32>, vector<4xf32>, vector<1xf32>
  // CHECK: gpu.return
  gpu.func @extended(%a: memref<4x4xf16>, %b: memref<4x8xf16>, %c: memref<4x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<4x8xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x4xf16>, vector<4x4xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x8xf16>, vector<4x8xf16>
    %x = arith.extf %lhs : vector<4x4xf16> to vector<4x4xf32>
    %y = arith.extf %rhs : vector<4x8xf16> to vector<4x8xf32>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "fma.m4n8k4.f32", subgroups = [1, 1]>
    } %x, %y, %zero : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    gpu.return
  }

  // Without a config every thread has all that its element of the result needs.
  // CHECK-LABEL: gpu.func @products
  // CHECK-DAG: %[[A:.+]] = vector.extract %{{.*}}[0] : f16 from vector<2xf16>
  // CHECK-DAG: arith.extf %[[A]] : f16 to f32
  // CHECK-COUNT-2: math.fma
  // CHECK-NOT: math.fma
  // CHECK: gpu.return
  gpu.func @products(%a: memref<8x2xf16>, %b: memref<2x4xf16>, %c: memref<8x4xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<8x4xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x2xf16>, vector<8x2xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<2x4xf16>, vector<2x4xf16>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
    } %lhs, %rhs, %zero : vector<8x2xf16>, vector<2x4xf16> into vector<8x4xf32>
    %1 = vector_ext.to_layout %0 to <[lane 8:4] x [lane 4:1], lanes = 32, subgroups = 1> : vector<8x4xf32>
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, memref<8x4xf32>
    gpu.return
  }

  // Each thread has the elements of `lhs` and `rhs` for its registers, and adds.
  // CHECK-LABEL: gpu.func @outer_product
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[X:.+]] = memref.load %{{.*}}[%[[I:.+]]] : memref<8xf32>
  // CHECK: %[[Y:.+]] = vector.load %{{.*}}[%[[J:.+]]] {{.*}} : memref<8xf32>, vector<2xf32>
  // CHECK: %[[Z:.+]] = vector.load %{{.*}}[%[[I]], %[[J]]]
  // CHECK: %[[XX:.+]] = vector.broadcast %[[X]] : f32 to vector<2xf32>
  // CHECK: %[[R:.+]] = vector.fma %[[XX]], %[[Y]], %[[Z]] : vector<2xf32>
  // CHECK: vector.store %[[R]], %{{.*}}[%[[I]], %[[J]]]
  gpu.func @outer_product(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f32
    %0 = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %1 = vector_ext.to_layout %0 to <[lane 8:4], lanes = 32, subgroups = 1> : vector<8xf32>
    %2 = vector.transfer_read %y[%c0], %pad {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %3 = vector_ext.to_layout %2 to <[lane 4:1, register 2:1], lanes = 32, subgroups = 1> : vector<8xf32>
    %4 = vector.transfer_read %z[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
    %5 = vector_ext.to_layout %4 to <[lane 8:4] x [lane 4:1, register 2:1], lanes = 32, subgroups = 1> : vector<8x8xf32>
    %6 = vector.outerproduct %1, %3, %5 : vector<8xf32>, vector<8xf32>
    vector.transfer_write %6, %z[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
    gpu.return
  }
}
