// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

// Instructions of a contraction that is marked start from zero, and threads add. What
// starts from zero by itself needs no addition.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @adds
  // CHECK: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
  // CHECK: %[[D0:.+]] = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %{{.+}}, %{{.+}}, %[[ZERO]]
  // CHECK: %[[D1:.+]] = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %{{.+}}, %{{.+}}, %[[D0]]
  // CHECK-NOT: vector_ext.mma
  // CHECK: arith.addf %{{.+}}, %[[D1]] : vector<4xf32>
  // CHECK: gpu.return
  gpu.func @adds(%a: memref<16x64xf8E4M3FN>, %b: memref<8x64xf8E4M3FN>, %c: memref<16x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f8E4M3FN
    %none = ub.poison : f32
    %sum = vector.transfer_read %c[%c0, %c0], %none {in_bounds = [true, true]} : memref<16x8xf32>, vector<16x8xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf8E4M3FN>, vector<16x64xf8E4M3FN>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf8E4M3FN>, vector<8x64xf8E4M3FN>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k32.f32.e4m3", subgroups = [1, 1]>,
      vector_ext.short_sums
    } %lhs, %rhs, %sum : vector<16x64xf8E4M3FN>, vector<8x64xf8E4M3FN> into vector<16x8xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_zero
  // CHECK-COUNT-2: vector_ext.mma
  // CHECK-NOT: arith.addf
  // CHECK: gpu.return
  gpu.func @negative_zero(%a: memref<16x64xf8E4M3FN>, %b: memref<8x64xf8E4M3FN>, %c: memref<16x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f8E4M3FN
    %zero = arith.constant dense<0.0> : vector<16x8xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf8E4M3FN>, vector<16x64xf8E4M3FN>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf8E4M3FN>, vector<8x64xf8E4M3FN>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k32.f32.e4m3", subgroups = [1, 1]>,
      vector_ext.short_sums
    } %lhs, %rhs, %zero : vector<16x64xf8E4M3FN>, vector<8x64xf8E4M3FN> into vector<16x8xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }

  // More than 128 products are several sums, each of which starts from zero.
  // CHECK-LABEL: gpu.func @long
  // CHECK: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
  // CHECK: %[[A0:.+]] = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %{{.+}}, %{{.+}}, %[[ZERO]]
  // CHECK: %[[A1:.+]] = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %{{.+}}, %{{.+}}, %[[A0]]
  // CHECK: %[[A2:.+]] = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %{{.+}}, %{{.+}}, %[[A1]]
  // CHECK: %[[A3:.+]] = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %{{.+}}, %{{.+}}, %[[A2]]
  // CHECK: %[[B0:.+]] = vector_ext.mma "mma.sync.m16n8k32.f32.e4m3" %{{.+}}, %{{.+}}, %[[ZERO]]
  // CHECK-NOT: vector_ext.mma
  // CHECK: arith.addf %[[B0]], %[[A3]] : vector<4xf32>
  // CHECK: gpu.return
  gpu.func @long(%a: memref<16x160xf8E4M3FN>, %b: memref<8x160xf8E4M3FN>, %c: memref<16x8xf32>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f8E4M3FN
    %zero = arith.constant dense<0.0> : vector<16x8xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x160xf8E4M3FN>, vector<16x160xf8E4M3FN>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x160xf8E4M3FN>, vector<8x160xf8E4M3FN>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k32.f32.e4m3", subgroups = [1, 1]>,
      vector_ext.short_sums
    } %lhs, %rhs, %zero : vector<16x160xf8E4M3FN>, vector<8x160xf8E4M3FN> into vector<16x8xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf32>, memref<16x8xf32>
    gpu.return
  }
}
