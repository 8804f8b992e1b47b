// A config that names no instruction is an error, with those that there are.

// RUN: not linalg-ext-opt %s --linalg-ext-to-nvvm 2>&1 | FileCheck %s
// RUN: not linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx 2>&1 | FileCheck %s

// CHECK: to-nvvm-config-invalid.mlir:[[@LINE+10]]:{{.*}}: error: expected the name of a known instruction in 'vector_ext.config' ({{.*}}mma.sync.m16n8k16.f32.f16{{.*}}), got 'mma.sync.m16n8k16.f23.f16'
func.func @f(%a: memref<16x16xf16>, %b: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %0 = vector.transfer_read %a[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
    %1 = vector.contract {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
      vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f23.f16", subgroups = [1, 1]>
    } %0, %0, %zero : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    vector.transfer_write %1, %b[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
    gpu.terminator
  }
  return
}
