// out = a * b^T, with the warp's tensor core instruction: one warp computes a
// tile of 16x8 over the whole of k. a is m x k, b is n x k. Sizes are multiples
// of 16 (m, k) and 8 (n). Fragments are loaded from a copy in shared memory.
func.func @mma_bf16(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %out, %c0 : memref<?x?xf32>
  %n = memref.dim %out, %c1 : memref<?x?xf32>
  %gm = arith.ceildivui %m, %c16 : index
  %gn = arith.ceildivui %n, %c8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %gm, %gy = %gn, %gz = %c1)
             threads(%lane, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%sa: memref<16x16xbf16, #gpu.address_space<workgroup>>,
                       %sb: memref<8x16xbf16, #gpu.address_space<workgroup>>) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k8 = arith.constant 8 : index
    %k16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %k = memref.dim %a, %k1 : memref<?x?xbf16>
    // Each lane copies 8 elements of a, and half of the lanes 8 elements of b.
    %ci = affine.apply affine_map<(l) -> (l floordiv 2)>(%lane)
    %cj = affine.apply affine_map<(l) -> ((l mod 2) * 8)>(%lane)
    %ai = affine.apply affine_map<(b, i) -> (b * 16 + i)>(%bx, %ci)
    %bi = affine.apply affine_map<(b, i) -> (b * 8 + i)>(%by, %ci)
    %copies = arith.cmpi slt, %lane, %k16 : index
    // ldmatrix: lane l gives the address of row l mod 8 of matrix l / 8.
    %fi = affine.apply affine_map<(l) -> (l mod 16)>(%lane)
    %fj = affine.apply affine_map<(l) -> ((l floordiv 16) * 8)>(%lane)
    %gi = affine.apply affine_map<(l) -> (l mod 8)>(%lane)
    %gj = affine.apply affine_map<(l) -> (((l floordiv 8) mod 2) * 8)>(%lane)
    %acc = scf.for %kk = %k0 to %k step %k16 iter_args(%c = %zero) -> vector<2x2xf32> {
      %kj = arith.addi %kk, %cj : index
      %t0 = nvgpu.device_async_copy %a[%ai, %kj], %sa[%ci, %cj], 8 {bypassL1}
        : memref<?x?xbf16> to memref<16x16xbf16, #gpu.address_space<workgroup>>
      scf.if %copies {
        %v = vector.load %b[%bi, %kj] : memref<?x?xbf16>, vector<8xbf16>
        vector.store %v, %sb[%ci, %cj] : memref<8x16xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
      }
      %g = nvgpu.device_async_create_group %t0
      nvgpu.device_async_wait %g {numGroups = 0 : i32}
      gpu.barrier
      %fa = nvgpu.ldmatrix %sa[%fi, %fj] {transpose = false, numTiles = 4 : i32}
        : memref<16x16xbf16, #gpu.address_space<workgroup>> -> vector<4x2xbf16>
      %fb = nvgpu.ldmatrix %sb[%gi, %gj] {transpose = false, numTiles = 2 : i32}
        : memref<8x16xbf16, #gpu.address_space<workgroup>> -> vector<2x2xbf16>
      %d = nvgpu.mma.sync (%fa, %fb, %c) {mmaShape = [16, 8, 16]}
        : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
      gpu.barrier
      scf.yield %d : vector<2x2xf32>
    }
    // Lane l has rows l / 4 and l / 4 + 8, columns 2 (l mod 4) and the next.
    %oi = affine.apply affine_map<(b, l) -> (b * 16 + l floordiv 4)>(%bx, %lane)
    %oi8 = arith.addi %oi, %k8 : index
    %oj = affine.apply affine_map<(b, l) -> (b * 8 + (l mod 4) * 2)>(%by, %lane)
    %r0 = vector.extract %acc[0] : vector<2xf32> from vector<2x2xf32>
    %r1 = vector.extract %acc[1] : vector<2xf32> from vector<2x2xf32>
    vector.store %r0, %out[%oi, %oj] : memref<?x?xf32>, vector<2xf32>
    vector.store %r1, %out[%oi8, %oj] : memref<?x?xf32>, vector<2xf32>
    gpu.terminator
  }
  return
}
