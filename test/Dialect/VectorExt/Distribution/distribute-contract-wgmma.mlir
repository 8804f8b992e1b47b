// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse | FileCheck %s

// An instruction of four subgroups that reads its right operand from shared
// memory: the same pattern as for mma.sync.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#rhs_transposed = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

gpu.module @kernels {
  // K is contiguous: rows of 128 bytes, and every step along K starts 32 bytes
  // further.
  // CHECK-LABEL: gpu.func @k_major
  // CHECK: %[[B:.+]] = memref.alloc() {alignment = 1024 : i64} : memref<5120xf16, #gpu.address_space<workgroup>>
  // CHECK: gpu.barrier
  // CHECK: vector.store %{{.*}}, %[[B]]
  // CHECK: gpu.barrier
  // CHECK: %[[D0:.+]] = vector_ext.mma "wgmma.m64n80k16.f32.f16" %{{.+}}, %[[B]] at <start = 0, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %{{.+}} : vector<8xf16>, memref<5120xf16, #gpu.address_space<workgroup>>, vector<40xf32>
  // CHECK: %[[D1:.+]] = vector_ext.mma {{.*}} at <start = 32, {{.*}}>, %[[D0]]
  // CHECK: %[[D2:.+]] = vector_ext.mma {{.*}} at <start = 64, {{.*}}>, %[[D1]]
  // CHECK: vector_ext.mma {{.*}} at <start = 96, {{.*}}>, %[[D2]]
  // CHECK-NOT: vector_ext.mma
  // CHECK: gpu.return
  gpu.func @k_major(%a: memref<64x64xf16>, %b: memref<80x64xf16>, %c: memref<64x80xf32>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<64x80xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<80x64xf16>, vector<80x64xf16>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs_transposed, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n80k16.f32.f16", subgroups = [1, 1]>
    } %lhs, %rhs, %zero : vector<64x64xf16>, vector<80x64xf16> into vector<64x80xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x80xf32>, memref<64x80xf32>
    gpu.return
  }

  // N is contiguous, and cut into panels; two groups of four subgroups share
  // the rows.
  // CHECK-LABEL: gpu.func @n_major
  // CHECK: vector_ext.mma "wgmma.m64n128k16.f32.bf16" %{{.+}}, %[[B:.+]] at <start = 0, leading = 4096, stride = 1024, swizzle = 128, k_major = false>, %{{.+}} : vector<8xbf16>, memref<4096xbf16, #gpu.address_space<workgroup>>, vector<64xf32>
  // CHECK: vector_ext.mma {{.*}} %[[B]] at <start = 2048,
  // CHECK-NOT: vector_ext.mma
  // CHECK: gpu.return
  gpu.func @n_major(%a: memref<128x32xbf16>, %b: memref<32x128xbf16>, %c: memref<128x128xf32>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : bf16
    %zero = arith.constant dense<0.0> : vector<128x128xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<128x32xbf16>, vector<128x32xbf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x128xbf16>, vector<32x128xbf16>
    %0 = vector.contract {
      indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.bf16", subgroups = [2, 1]>
    } %lhs, %rhs, %zero : vector<128x32xbf16>, vector<32x128xbf16> into vector<128x128xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<128x128xf32>, memref<128x128xf32>
    gpu.return
  }
}
