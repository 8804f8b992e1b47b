// RUN: linalg-ext-compile %s --target=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ linalg-ext-compile %s --target=sm_80 -o %t.cubin --resource-usage 2>&1 | FileCheck %s %}
// RUN: %if ptxas %{ linalg-ext-compile %s --target=sm_90a -o %t.cubin --resource-usage 2>&1 | FileCheck %s %}
// RUN: %if ptxas %{ linalg-ext-compile %s --target=sm_90a --options=index-bitwidth=32 -o %t.cubin --resource-usage 2>&1 | FileCheck %s %}

// 128 numbers in one vector and 64 in a two-dimensional one are carried around
// a loop in registers; rows whose size is known are loaded 16 bytes at once.

// PTX-NOT: .local
// PTX: ld.global.nc.v4.b32
// PTX-NOT: ld.global.nc.b16
// PTX: cvt.rn.bf16x2.f32
// PTX: st.global.v4.b32
// CHECK: carried_kernel: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
func.func @carried(%a: memref<?x128x64xf16>, %out: memref<?x128xf32>, %narrow: memref<?x64x8xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %a, %c0 : memref<?x128x64xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : vector<128xf32>
    %zero2 = arith.constant dense<0.0> : vector<8x8xf32>
    %r:2 = scf.for %i = %k0 to %k128 step %k1
        iter_args(%acc = %zero, %acc2 = %zero2) -> (vector<128xf32>, vector<8x8xf32>) {
      %v = vector.load %a[%bx, %i, %k0] : memref<?x128x64xf16>, vector<64xf16>
      %e = arith.extf %v : vector<64xf16> to vector<64xf32>
      %e2 = vector.shape_cast %e : vector<64xf32> to vector<8x8xf32>
      %sum2 = arith.addf %acc2, %e2 : vector<8x8xf32>
      %old = vector.extract_strided_slice %acc {offsets = [64], sizes = [64], strides = [1]} : vector<128xf32> to vector<64xf32>
      %p = math.exp2 %old : vector<64xf32>
      %q = arith.mulf %p, %e : vector<64xf32>
      %s = vector.insert_strided_slice %q, %acc {offsets = [0], strides = [1]} : vector<64xf32> into vector<128xf32>
      %t = arith.addf %s, %acc : vector<128xf32>
      scf.yield %t, %sum2 : vector<128xf32>, vector<8x8xf32>
    }
    vector.store %r#0, %out[%bx, %k0] : memref<?x128xf32>, vector<128xf32>
    %row = vector.extract %r#1[3] : vector<8xf32> from vector<8x8xf32>
    %b = arith.truncf %row : vector<8xf32> to vector<8xbf16>
    vector.store %b, %narrow[%bx, %tx, %k0] : memref<?x64x8xbf16>, vector<8xbf16>
    gpu.terminator
  }
  return
}
