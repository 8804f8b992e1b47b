// RUN: linalg-ext-opt %s --vector-ext-distribute=remarks --canonicalize --cse --verify-diagnostics | FileCheck %s

// Instructions of 64 lanes: the same pattern as for mma.sync. The target of the
// module says how many lanes there are.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"lanes" = 64 : i64>>} {
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @mfma
  // CHECK: %[[D:.+]] = vector_ext.mma "mfma.m32n32k8.f32.f16" %{{.+}}, %{{.+}}, %{{.+}} : vector<4xf16>, vector<4xf16>, vector<16xf32>
  // CHECK: vector_ext.mma "mfma.m32n32k8.f32.f16" %{{.+}}, %{{.+}}, %[[D]]
  // CHECK-NOT: vector_ext.mma
  // CHECK: gpu.return
  gpu.func @mfma(%a: memref<32x16xf16>, %b: memref<16x32xf16>, %c: memref<32x32xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
    %0 = vector.contract {
      indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mfma.m32n32k8.f32.f16", subgroups = [1, 1]>
    } %lhs, %rhs, %zero : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
    gpu.return
  }

  // S' = K Q' is, in its layout, what O' = V' P' reads: there is no remark of a
  // change of layout between the two, neither of the scores nor of their
  // column maxima.
  // CHECK-LABEL: gpu.func @transposed
  // CHECK: vector_ext.mma "mfma.m16n16k16.f32.f16"
  // CHECK-NOT: gpu.barrier
  // CHECK-COUNT-2: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  // CHECK-NOT: gpu.barrier
  // CHECK: vector_ext.mma "mfma.m16n16k16.f32.f16"
  // CHECK: gpu.return
  gpu.func @transposed(%q: memref<16x16xf16>, %k: memref<16x16xf16>, %vt: memref<16x16xf16>, %o: memref<16x16xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = ub.poison : f16
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %low = arith.constant dense<0xFF800000> : vector<16xf32>
    %0 = vector.transfer_read %k[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %1 = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %s = vector.contract {
      indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mfma.m16n16k16.f32.f16", subgroups = [1, 1]>
    } %0, %1, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    %max = vector.multi_reduction <maximumf>, %s, %low [0] : vector<16x16xf32> to vector<16xf32>
    %b = vector.broadcast %max : vector<16xf32> to vector<16x16xf32>
    %d = arith.subf %s, %b : vector<16x16xf32>
    %e = math.exp2 %d : vector<16x16xf32>
    %p = arith.truncf %e : vector<16x16xf32> to vector<16x16xf16>
    %2 = vector.transfer_read %vt[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
    %3 = vector.contract {
      indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mfma.m16n16k16.f32.f16", subgroups = [1, 1]>
    } %2, %p, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.transfer_write %3, %o[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
}
