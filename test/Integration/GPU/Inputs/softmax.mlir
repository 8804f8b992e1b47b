// Softmax of the rows of a buffer of any size: one warp per row, four rows per
// block; the lanes' maxima and sums are combined by shuffles. Maxima, sums and
// the result are in f32, the input is f16. The scale is an argument.
func.func @softmax(%x: memref<?x?xf16>, %scale: f32, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf16>
  %blocks = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%rows]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c4, %sz = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k32 = arith.constant 32 : index
    %width = arith.constant 32 : i32
    %row = affine.apply affine_map<(b, t) -> (b * 4 + t)>(%bx, %ty)
    %m = memref.dim %x, %k0 : memref<?x?xf16>
    %n = memref.dim %x, %k1 : memref<?x?xf16>
    %inside = arith.cmpi slt, %row, %m : index
    scf.if %inside {
      %low = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %max = scf.for %i = %tx to %n step %k32 iter_args(%acc = %low) -> f32 {
        %h = memref.load %x[%row, %i] : memref<?x?xf16>
        %e = arith.extf %h : f16 to f32
        %s = arith.mulf %e, %scale : f32
        %r = arith.maxnumf %acc, %s : f32
        scf.yield %r : f32
      }
      %d16 = arith.constant 16 : i32
      %d8 = arith.constant 8 : i32
      %d4 = arith.constant 4 : i32
      %d2 = arith.constant 2 : i32
      %d1 = arith.constant 1 : i32
      %a0, %p0 = gpu.shuffle xor %max, %d16, %width : f32
      %b0 = arith.maxnumf %max, %a0 : f32
      %a1, %p1 = gpu.shuffle xor %b0, %d8, %width : f32
      %b1 = arith.maxnumf %b0, %a1 : f32
      %a2, %p2 = gpu.shuffle xor %b1, %d4, %width : f32
      %b2 = arith.maxnumf %b1, %a2 : f32
      %a3, %p3 = gpu.shuffle xor %b2, %d2, %width : f32
      %b3 = arith.maxnumf %b2, %a3 : f32
      %a4, %p4 = gpu.shuffle xor %b3, %d1, %width : f32
      %b4 = arith.maxnumf %b3, %a4 : f32
      %sum = scf.for %i = %tx to %n step %k32 iter_args(%acc = %zero) -> f32 {
        %h = memref.load %x[%row, %i] : memref<?x?xf16>
        %e = arith.extf %h : f16 to f32
        %s = arith.mulf %e, %scale : f32
        %t = arith.subf %s, %b4 : f32
        %u = math.exp %t fastmath<afn> : f32
        %r = arith.addf %acc, %u : f32
        scf.yield %r : f32
      }
      %f0, %q0 = gpu.shuffle xor %sum, %d16, %width : f32
      %g0 = arith.addf %sum, %f0 : f32
      %f1, %q1 = gpu.shuffle xor %g0, %d8, %width : f32
      %g1 = arith.addf %g0, %f1 : f32
      %f2, %q2 = gpu.shuffle xor %g1, %d4, %width : f32
      %g2 = arith.addf %g1, %f2 : f32
      %f3, %q3 = gpu.shuffle xor %g2, %d2, %width : f32
      %g3 = arith.addf %g2, %f3 : f32
      %f4, %q4 = gpu.shuffle xor %g3, %d1, %width : f32
      %g4 = arith.addf %g3, %f4 : f32
      scf.for %i = %tx to %n step %k32 {
        %h = memref.load %x[%row, %i] : memref<?x?xf16>
        %e = arith.extf %h : f16 to f32
        %s = arith.mulf %e, %scale : f32
        %t = arith.subf %s, %b4 : f32
        %u = math.exp %t fastmath<afn> : f32
        %r = arith.divf %u, %g4 : f32
        memref.store %r, %out[%row, %i] : memref<?x?xf32>
      }
    }
    gpu.terminator
  }
  return
}
