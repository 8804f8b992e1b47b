// A row a thread, K and V in tiles of workgroup memory, an online softmax; 130
// rows, which the workgroups do not divide. All scores are the same, so that every
// row of the result is the mean of V: column d of row n of V is n + 1000 d.
//
// RUN: linalg-ext-simt-runner %s --kernel-stats | FileCheck %s
//
// CHECK: ( 64.5, 63064.5 )
// CHECK: ( 64.5, 63064.5 )
// CHECK: kernel main: launches 1, workgroups 2, threads 128, barriers 36,
// CHECK-SAME: workgroup bytes 8192

#row = affine_map<(d0, d1) -> (d0 * 128 + d1)>
#plus = affine_map<(d0, d1) -> (d0 + d1)>
#left = affine_map<(d0)[s0] -> (16, s0 - d0)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c63 = arith.constant 63 : index
  %c129 = arith.constant 129 : index
  %c1000 = arith.constant 1000 : index
  %c128 = arith.constant 128 : index
  %S = arith.constant 130 : index
  %D = arith.constant 64 : index
  %q = memref.alloc() : memref<130x64xf32>
  %k = memref.alloc() : memref<130x64xf32>
  %v = memref.alloc() : memref<130x64xf32>
  %o = memref.alloc() : memref<130x64xf32>
  %f = arith.constant 0.01 : f32
  scf.for %i = %c0 to %S step %c1 {
    scf.for %j = %c0 to %D step %c1 {
      memref.store %f, %q[%i, %j] : memref<130x64xf32>
      memref.store %f, %k[%i, %j] : memref<130x64xf32>
      %ji = arith.muli %j, %c1000 : index
      %ij = arith.addi %ji, %i : index
      %i32 = arith.index_cast %ij : index to i32
      %x = arith.sitofp %i32 : i32 to f32
      memref.store %x, %v[%i, %j] : memref<130x64xf32>
    }
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1)
             workgroup(%sk : memref<16x64xf32, 3>, %sv : memref<16x64xf32, 3>) {
    %zero = arith.constant 0.0 : f32
    %minf = arith.constant 0xFF800000 : f32
    %zeros = arith.constant dense<0.0> : vector<64xf32>
    %row = affine.apply #row(%bx, %tx)
    %in = arith.cmpi slt, %row, %S : index
    %rowc = arith.minsi %row, %c129 : index
    %qr = vector.transfer_read %q[%rowc, %c0], %zero {in_bounds=[true]} : memref<130x64xf32>, vector<64xf32>
    %r:3 = scf.for %n0 = %c0 to %S step %c16 iter_args(%m = %minf, %l = %zero, %acc = %zeros) -> (f32, f32, vector<64xf32>) {
      %lr = arith.divui %tx, %c8 : index
      %lc0 = arith.remui %tx, %c8 : index
      %lc = arith.muli %lc0, %c8 : index
      %g = affine.apply #plus(%n0, %lr)
      %gin = arith.cmpi slt, %g, %S : index
      scf.if %gin {
        %a = vector.load %k[%g, %lc] : memref<130x64xf32>, vector<8xf32>
        vector.store %a, %sk[%lr, %lc] : memref<16x64xf32, 3>, vector<8xf32>
        %b = vector.load %v[%g, %lc] : memref<130x64xf32>, vector<8xf32>
        vector.store %b, %sv[%lr, %lc] : memref<16x64xf32, 3>, vector<8xf32>
      }
      gpu.barrier
      %count = affine.min #left(%n0)[%S]
      %t:3 = scf.for %j = %c0 to %count step %c1 iter_args(%mm = %m, %ll = %l, %aa = %acc) -> (f32, f32, vector<64xf32>) {
        %kr = vector.load %sk[%j, %c0] : memref<16x64xf32, 3>, vector<64xf32>
        %p = arith.mulf %qr, %kr : vector<64xf32>
        %s = vector.reduction <add>, %p : vector<64xf32> into f32
        %m1 = arith.maximumf %mm, %s : f32
        %d0 = arith.subf %mm, %m1 : f32
        %e0 = math.exp %d0 : f32
        %d1 = arith.subf %s, %m1 : f32
        %e1 = math.exp %d1 : f32
        %l0 = arith.mulf %ll, %e0 : f32
        %l1 = arith.addf %l0, %e1 : f32
        %vr = vector.load %sv[%j, %c0] : memref<16x64xf32, 3>, vector<64xf32>
        %b0 = vector.broadcast %e0 : f32 to vector<64xf32>
        %b1 = vector.broadcast %e1 : f32 to vector<64xf32>
        %a0 = arith.mulf %aa, %b0 : vector<64xf32>
        %a1 = vector.fma %b1, %vr, %a0 : vector<64xf32>
        scf.yield %m1, %l1, %a1 : f32, f32, vector<64xf32>
      }
      gpu.barrier
      scf.yield %t#0, %t#1, %t#2 : f32, f32, vector<64xf32>
    }
    %lb = vector.broadcast %r#1 : f32 to vector<64xf32>
    %out = arith.divf %r#2, %lb : vector<64xf32>
    scf.if %in {
      vector.store %out, %o[%row, %c0] : memref<130x64xf32>, vector<64xf32>
    }
    gpu.terminator
  }
  scf.for %i = %c0 to %S step %c129 {
    %first = memref.load %o[%i, %c0] : memref<130x64xf32>
    %last = memref.load %o[%i, %c63] : memref<130x64xf32>
    %both = vector.from_elements %first, %last : vector<2xf32>
    vector.print %both : vector<2xf32>
  }
  return
}
