// RUN: linalg-ext-opt %s --vector-ext-distribute=wide-writes | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-distribute | FileCheck %s --check-prefix=SHORT

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 1]>

gpu.module @kernels {
  // The instruction leaves pairs of numbers in a thread.
  // CHECK-LABEL: gpu.func @large
  // CHECK: vector_ext.mma
  // CHECK: gpu.barrier
  // CHECK: gpu.barrier
  // CHECK: vector.store %{{.*}}, %arg2[{{.*}}] {{.*}}: memref<16x128xf32>, vector<4xf32>
  // CHECK-NOT: vector<2xf32>
  // CHECK: gpu.return
  // SHORT-LABEL: gpu.func @large
  // SHORT: vector.store %{{.*}}, %arg2[{{.*}}] {{.*}}: memref<16x128xf32>, vector<2xf32>
  gpu.func @large(%a: memref<16x16xf16>, %b: memref<16x128xf16>, %c: memref<16x128xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<16x128xf32>
    %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %y = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x128xf16>, vector<16x128xf16>
    %z = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %zero : vector<16x16xf16>, vector<16x128xf16> into vector<16x128xf32>
    vector.transfer_write %z, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x128xf32>, memref<16x128xf32>
    gpu.return
  }

  // Rows that are no multiple of 16 bytes are written as they are.
  // CHECK-LABEL: gpu.func @odd
  // CHECK: vector_ext.mma
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @odd(%a: memref<16x16xf16>, %b: memref<16x128xf16>, %c: memref<16x130xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<16x128xf32>
    %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %y = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x128xf16>, vector<16x128xf16>
    %z = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %x, %y, %zero : vector<16x16xf16>, vector<16x128xf16> into vector<16x128xf32>
    vector.transfer_write %z, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x128xf32>, memref<16x130xf32>
    gpu.return
  }

  // An index has no width in bits.
  // CHECK-LABEL: gpu.func @index
  // CHECK: vector.store %{{.*}} : memref<16x128xindex>, vector<{{.*}}xindex>
  // CHECK: gpu.return
  gpu.func @index(%a: memref<16x128xindex>, %c: memref<16x128xindex>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = vector.transfer_read %a[%c0, %c0], %c0 {in_bounds = [true, true]} : memref<16x128xindex>, vector<16x128xindex>
    vector.transfer_write %x, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x128xindex>, memref<16x128xindex>
    gpu.return
  }
}
