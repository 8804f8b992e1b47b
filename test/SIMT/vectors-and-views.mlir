// Vectors in registers and memory, and views of memory. The
// reference is upstream's lowering to LLVM and the runner, on the same file.
//
// REQUIRES: mlir-runner
// RUN: linalg-ext-simt-runner %s | sed 's/-nan/nan/g' > %t.got
// RUN: mlir-opt %s --pass-pipeline="builtin.module(%simt_reference)" \
// RUN:   | mlir-runner -e main -entry-point-result=void %runner_libs \
// RUN:   | sed 's/base@ = [^ ]*/base@ = 0x0/;s/-nan/nan/g' > %t.want
// RUN: diff %t.got %t.want
// RUN: FileCheck %s < %t.got

// CHECK: ( ( -1, 2, 3, 0.4 ), ( 0.5, 6, 17, 18 ), ( 19, 20, 21, 22 ) )
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#along = affine_map<(d0, d1) -> (d1)>
#down = affine_map<(d0, d1) -> (d0)>
#spread = affine_map<(d0, d1) -> (0, d1)>
func.func private @registers(%v : vector<2x3x4xf32>, %i : index, %j : index) {
  %e0 = vector.extract %v[1] : vector<3x4xf32> from vector<2x3x4xf32>
  vector.print %e0 : vector<3x4xf32>
  %e1 = vector.extract %v[0, 2, 1] : f32 from vector<2x3x4xf32>
  vector.print %e1 : f32
  %flat = vector.shape_cast %v : vector<2x3x4xf32> to vector<24xf32>
  %e2 = vector.extract %flat[%i] : f32 from vector<24xf32>
  vector.print %e2 : f32
  %i0 = vector.insert %e1, %v[1, 0, 3] : f32 into vector<2x3x4xf32>
  vector.print %i0 : vector<2x3x4xf32>
  %i1 = vector.insert %e2, %flat[%j] : f32 into vector<24xf32>
  vector.print %i1 : vector<24xf32>
  %row = vector.extract %v[0, 1] : vector<4xf32> from vector<2x3x4xf32>
  %i2 = vector.insert %row, %v[1, 2] : vector<4xf32> into vector<2x3x4xf32>
  vector.print %i2 : vector<2x3x4xf32>
  %s0 = vector.extract_strided_slice %v {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3x4xf32> to vector<2x2x4xf32>
  vector.print %s0 : vector<2x2x4xf32>
  %s1 = vector.extract_strided_slice %e0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x4xf32> to vector<2x2xf32>
  vector.print %s1 : vector<2x2xf32>
  %s2 = vector.insert_strided_slice %s1, %v {offsets = [1, 0, 2], strides = [1, 1]} : vector<2x2xf32> into vector<2x3x4xf32>
  vector.print %s2 : vector<2x3x4xf32>
  %other = vector.extract %v[0] : vector<3x4xf32> from vector<2x3x4xf32>
  %sh0 = vector.shuffle %e0, %other [5, 0, 2, 3] : vector<3x4xf32>, vector<3x4xf32>
  vector.print %sh0 : vector<4x4xf32>
  %sh1 = vector.shuffle %row, %row [7, 0, 1, 4, 3] : vector<4xf32>, vector<4xf32>
  vector.print %sh1 : vector<5xf32>
  %b0 = vector.broadcast %row : vector<4xf32> to vector<2x4xf32>
  vector.print %b0 : vector<2x4xf32>
  %b1 = vector.broadcast %e1 : f32 to vector<2x2xf32>
  vector.print %b1 : vector<2x2xf32>
  %column = vector.extract_strided_slice %e0 {offsets = [0, 1], sizes = [3, 1], strides = [1, 1]} : vector<3x4xf32> to vector<3x1xf32>
  %b2 = vector.broadcast %column : vector<3x1xf32> to vector<2x3x2xf32>
  vector.print %b2 : vector<2x3x2xf32>
  %t0 = vector.transpose %v, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
  vector.print %t0 : vector<4x2x3xf32>
  %il = vector.interleave %row, %row : vector<4xf32> -> vector<8xf32>
  vector.print %il : vector<8xf32>
  %even, %odd = vector.deinterleave %il : vector<8xf32> -> vector<4xf32>
  vector.print %even : vector<4xf32>
  vector.print %odd : vector<4xf32>
  %fe = vector.from_elements %e1, %e2, %e1, %e2 : vector<2x2xf32>
  vector.print %fe : vector<2x2xf32>
  %te:4 = vector.to_elements %row : vector<4xf32>
  vector.print %te#2 : f32
  %bc = vector.bitcast %row : vector<4xf32> to vector<8xi16>
  vector.print %bc : vector<8xi16>
  %bd = vector.bitcast %bc : vector<8xi16> to vector<2xi64>
  vector.print %bd : vector<2xi64>
  // The elements of one are not parts of those of the other.
  %three = vector.extract_strided_slice %bc {offsets = [1], sizes = [3], strides = [1]} : vector<8xi16> to vector<3xi16>
  %be = vector.bitcast %three : vector<3xi16> to vector<2xi24>
  %bf = arith.extui %be : vector<2xi24> to vector<2xi32>
  vector.print %bf : vector<2xi32>
  %step = vector.step : vector<5xindex>
  vector.print %step : vector<5xindex>
  %m0 = vector.create_mask %i, %j : vector<2x4xi1>
  vector.print %m0 : vector<2x4xi1>
  %m1 = vector.constant_mask [1, 3] : vector<2x4xi1>
  vector.print %m1 : vector<2x4xi1>
  %r0 = vector.reduction <add>, %row : vector<4xf32> into f32
  vector.print %r0 : f32
  %r1 = vector.reduction <mul>, %row, %e1 : vector<4xf32> into f32
  vector.print %r1 : f32
  %r2 = vector.reduction <maximumf>, %row : vector<4xf32> into f32
  vector.print %r2 : f32
  %r3 = vector.reduction <minnumf>, %row : vector<4xf32> into f32
  vector.print %r3 : f32
  %r4 = vector.reduction <xor>, %bc : vector<8xi16> into i16
  vector.print %r4 : i16
  %r5 = vector.reduction <maxui>, %bc : vector<8xi16> into i16
  vector.print %r5 : i16
  %r6 = vector.reduction <minsi>, %bc : vector<8xi16> into i16
  vector.print %r6 : i16
  %lhs = vector.transpose %e0, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
  %zeros = arith.constant dense<0.25> : vector<4x4xf32>
  %k0 = vector.contract {indexing_maps = [#rows, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %e0, %zeros : vector<4x3xf32>, vector<3x4xf32> into vector<4x4xf32>
  vector.print %k0 : vector<4x4xf32>
  %acc0 = arith.constant dense<1.0> : vector<2x4xf32>
  %mr0 = vector.multi_reduction <add>, %v, %acc0 [1] : vector<2x3x4xf32> to vector<2x4xf32>
  vector.print %mr0 : vector<2x4xf32>
  %acc1 = arith.constant dense<3.0> : vector<3xf32>
  %mr1 = vector.multi_reduction <maximumf>, %v, %acc1 [0, 2] : vector<2x3x4xf32> to vector<3xf32>
  vector.print %mr1 : vector<3xf32>
  return
}
func.func private @memory(%m : memref<5x7xf32>, %i : index, %j : index) {
  %pad = arith.constant -1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l0 = vector.load %m[%i, %c1] : memref<5x7xf32>, vector<6xf32>
  vector.print %l0 : vector<6xf32>
  %mask = arith.constant dense<[1, 0, 1, 1]> : vector<4xi1>
  %pass = arith.constant dense<9.0> : vector<4xf32>
  %ml = vector.maskedload %m[%i, %c1], %mask, %pass : memref<5x7xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %ml : vector<4xf32>
  %r0 = vector.transfer_read %m[%i, %j], %pad : memref<5x7xf32>, vector<3x4xf32>
  vector.print %r0 : vector<3x4xf32>
  %r1 = vector.transfer_read %m[%i, %j], %pad {permutation_map = #transposed} : memref<5x7xf32>, vector<4x3xf32>
  vector.print %r1 : vector<4x3xf32>
  %r2 = vector.transfer_read %m[%i, %j], %pad {permutation_map = #down} : memref<5x7xf32>, vector<4xf32>
  vector.print %r2 : vector<4xf32>
  %r3 = vector.transfer_read %m[%i, %c0], %pad {in_bounds = [true, true], permutation_map = #spread} : memref<5x7xf32>, vector<2x3xf32>
  vector.print %r3 : vector<2x3xf32>
  %r4 = vector.transfer_read %m[%i, %c1], %pad, %mask {in_bounds = [true]} : memref<5x7xf32>, vector<4xf32>
  vector.print %r4 : vector<4xf32>
  %mask2 = arith.constant dense<[[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 1]]> : vector<3x4xi1>
  %r5 = vector.transfer_read %m[%i, %j], %pad, %mask2 {permutation_map = #transposed} : memref<5x7xf32>, vector<4x3xf32>
  vector.print %r5 : vector<4x3xf32>
  %idx = arith.constant dense<[4, 0, 2, 2]> : vector<4xindex>
  %g = vector.gather %m[%i, %c0] [%idx], %mask, %pass : memref<5x7xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %g : vector<4xf32>
  vector.maskedstore %m[%c0, %c1], %mask, %pass : memref<5x7xf32>, vector<4xi1>, vector<4xf32>
  vector.store %ml, %m[%c1, %c1] : memref<5x7xf32>, vector<4xf32>
  vector.transfer_write %r1, %m[%i, %j] {permutation_map = #transposed} : vector<4x3xf32>, memref<5x7xf32>
  vector.transfer_write %pass, %m[%i, %c1], %mask {in_bounds = [true]} : vector<4xf32>, memref<5x7xf32>
  %two = arith.constant dense<[0.5, 0.25, 0.75, 1.5]> : vector<4xf32>
  %idy = arith.constant dense<[6, 0, 3, 1]> : vector<4xindex>
  vector.scatter %m[%c1, %c0] [%idy], %mask, %two : memref<5x7xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  %all = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]} : memref<5x7xf32>, vector<5x7xf32>
  vector.print %all : vector<5x7xf32>
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func private @views(%m : memref<6x8xf32>, %i : index, %n : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s0 = memref.subview %m[%i, 2] [%n, 3] [1, 2] : memref<6x8xf32> to memref<?x3xf32, strided<[8, 2], offset: ?>>
  %u0 = memref.cast %s0 : memref<?x3xf32, strided<[8, 2], offset: ?>> to memref<*xf32>
  call @printMemrefF32(%u0) : (memref<*xf32>) -> ()
  %s1 = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<6x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %u1 = memref.cast %s1 : memref<8xf32, strided<[1], offset: ?>> to memref<*xf32>
  call @printMemrefF32(%u1) : (memref<*xf32>) -> ()
  %s2 = memref.subview %s0[1, 1] [1, 2] [1, 1] : memref<?x3xf32, strided<[8, 2], offset: ?>> to memref<1x2xf32, strided<[8, 2], offset: ?>>
  %u2 = memref.cast %s2 : memref<1x2xf32, strided<[8, 2], offset: ?>> to memref<*xf32>
  call @printMemrefF32(%u2) : (memref<*xf32>) -> ()
  %e = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [3, 2, 2, 4] : memref<6x8xf32> into memref<3x2x2x4xf32>
  %ue = memref.cast %e : memref<3x2x2x4xf32> to memref<*xf32>
  call @printMemrefF32(%ue) : (memref<*xf32>) -> ()
  %k = memref.collapse_shape %e [[0], [1, 2, 3]] : memref<3x2x2x4xf32> into memref<3x16xf32>
  %uk = memref.cast %k : memref<3x16xf32> to memref<*xf32>
  call @printMemrefF32(%uk) : (memref<*xf32>) -> ()
  %r = memref.reinterpret_cast %m to offset: [%i], sizes: [2, %n], strides: [%n, 1] : memref<6x8xf32> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  %ur = memref.cast %r : memref<2x?xf32, strided<[?, 1], offset: ?>> to memref<*xf32>
  call @printMemrefF32(%ur) : (memref<*xf32>) -> ()
  %t = memref.transpose %m (a, b) -> (b, a) : memref<6x8xf32> to memref<8x6xf32, strided<[1, 8]>>
  %ut = memref.cast %t : memref<8x6xf32, strided<[1, 8]>> to memref<*xf32>
  call @printMemrefF32(%ut) : (memref<*xf32>) -> ()
  %thin = memref.subview %m[0, 2] [6, 1] [1, 1] : memref<6x8xf32> to memref<6x1xf32, strided<[8, 1], offset: 2>>
  %line = memref.collapse_shape %thin [[0, 1]] : memref<6x1xf32, strided<[8, 1], offset: 2>> into memref<6xf32, strided<[8], offset: 2>>
  %uline = memref.cast %line : memref<6xf32, strided<[8], offset: 2>> to memref<*xf32>
  call @printMemrefF32(%uline) : (memref<*xf32>) -> ()
  %d = memref.dim %s0, %c0 : memref<?x3xf32, strided<[8, 2], offset: ?>>
  vector.print %d : index
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s0 : memref<?x3xf32, strided<[8, 2], offset: ?>> -> memref<f32>, index, index, index, index, index
  vector.print %offset : index
  vector.print %sizes#0 : index
  vector.print %strides#0 : index
  %bytes = memref.alloc() : memref<64xi8>
  %v = memref.view %bytes[%c2][] : memref<64xi8> to memref<2x2xf32>
  %w = memref.view %bytes[%c2][%c2] : memref<64xi8> to memref<?xf32>
  %z = arith.constant 0.5 : f32
  memref.store %z, %w[%c1] : memref<?xf32>
  %lv = memref.load %v[%c0, %c1] : memref<2x2xf32>
  vector.print %lv : f32
  %o = memref.alloc(%n) : memref<?x3xf32>
  memref.copy %s0, %o : memref<?x3xf32, strided<[8, 2], offset: ?>> to memref<?x3xf32>
  %uo = memref.cast %o : memref<?x3xf32> to memref<*xf32>
  call @printMemrefF32(%uo) : (memref<*xf32>) -> ()
  return
}
memref.global "private" constant @table : memref<6x8xf32> = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0], [20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0], [30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0], [40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0], [50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0]]>
func.func @main() {
  %v = arith.constant dense<[[[1.0, 2.5, -3.0, 4.0], [5.0, 0.75, 7.0, -8.0], [9.0, 10.0, 11.5, 12.0]], [[-1.0, 2.0, 3.0, 0.4], [0.5, 6.0, 17.0, 18.0], [19.0, 20.0, 21.0, 22.0]]]> : vector<2x3x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  call @registers(%v, %c1, %c3) : (vector<2x3x4xf32>, index, index) -> ()
  %m = memref.alloc() : memref<5x7xf32>
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c7 step %c1 {
      %p = arith.muli %i, %c7 : index
      %q = arith.addi %p, %j : index
      %r = arith.index_cast %q : index to i32
      %x = arith.sitofp %r : i32 to f32
      memref.store %x, %m[%i, %j] : memref<5x7xf32>
    }
  }
  call @memory(%m, %c3, %c5) : (memref<5x7xf32>, index, index) -> ()
  call @memory(%m, %c2, %c1) : (memref<5x7xf32>, index, index) -> ()
  %t = memref.get_global @table : memref<6x8xf32>
  call @views(%t, %c2, %c3) : (memref<6x8xf32>, index, index) -> ()
  return
}
