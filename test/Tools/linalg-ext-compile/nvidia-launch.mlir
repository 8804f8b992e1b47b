// A launch whose vectors are those of a workgroup is distributed to threads, like what
// is made of linalg: with the instructions that the configs name.

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o - --report=none 2>/dev/null | FileCheck %s

// CHECK: .entry product_kernel
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

#mk = affine_map<(d0, d1, d2) -> (d0, d2)>
#nk = affine_map<(d0, d1, d2) -> (d1, d2)>
#mn = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @product(%a: memref<32x64xf16>, %b: memref<64x64xf16>, %c: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %sums = arith.constant dense<0.0> : vector<32x64xf32>
    %0 = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x64xf16>, vector<32x64xf16>
    %1 = arith.extf %0 : vector<32x64xf16> to vector<32x64xf32>
    %2 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %3 = arith.extf %2 : vector<64x64xf16> to vector<64x64xf32>
    %4 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
        vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 1], promote = [false, false]>}
        %1, %3, %sums : vector<32x64xf32>, vector<64x64xf32> into vector<32x64xf32>
    vector.transfer_write %4, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
    gpu.terminator
  }
  return
}
