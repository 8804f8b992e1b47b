// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx512 --linalg-ext-lower-math=steps=tabulate --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-attach-target=chip=avx2 --linalg-ext-lower-math=steps=tabulate | FileCheck %s --check-prefix=AVX2
// AVX2-NOT: call_intrinsic

// The table is computed before the loop, in which its scalars do not change.

// CHECK-LABEL: func @dequantize(
// CHECK-SAME:    %[[CODES:.*]]: memref<?xi8>, %[[OFFSET:.*]]: i8, %[[SCALE:.*]]: f32
// CHECK:         %[[ALL:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi8>
// CHECK:         arith.subi %[[ALL]], %{{.*}} : vector<16xi8>
// CHECK:         arith.sitofp %{{.*}} : vector<16xi8> to vector<16xf32>
// CHECK:         %[[TABLE:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK:         scf.for
// CHECK-NEXT:      %[[LOADED:.*]] = vector.load %[[CODES]]
// CHECK-NEXT:      %[[INDICES:.*]] = arith.extui %[[LOADED]] : vector<16xi8> to vector<16xi32>
// CHECK-NEXT:      %[[VALUES:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %[[INDICES]]) : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
// CHECK-NEXT:      vector.store %[[VALUES]]
func.func @dequantize(%codes: memref<?xi8>, %offset: i8, %scale: f32, %to: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c15 = arith.constant dense<15> : vector<16xi8>
  scf.for %i = %c0 to %n step %c16 {
    %0 = vector.load %codes[%i] : memref<?xi8>, vector<16xi8>
    %1 = arith.andi %0, %c15 : vector<16xi8>
    %o = vector.broadcast %offset : i8 to vector<16xi8>
    %2 = arith.subi %1, %o : vector<16xi8>
    %3 = arith.sitofp %2 : vector<16xi8> to vector<16xf32>
    %s = vector.broadcast %scale : f32 to vector<16xf32>
    %4 = arith.mulf %3, %s : vector<16xf32>
    vector.store %4, %to[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}

// -----

// A shift is one of words, whose upper bits do not matter. The scale changes in the
// loop: what comes in front of it is folded.

// CHECK-LABEL: func @shifted(
// CHECK:         %[[EIGHTS:.*]] = arith.constant dense<[-8.000000e+00, -7.000000e+00, -6.000000e+00, {{.*}}, 7.000000e+00]> : vector<16xf32>
// CHECK:         scf.for
// CHECK:           %[[TABLE:.*]] = arith.mulf %{{.*}}, %[[EIGHTS]] : vector<16xf32>
// CHECK:           %[[WORDS:.*]] = arith.extui %{{.*}} : vector<16xi8> to vector<16xi32>
// CHECK:           %[[INDICES:.*]] = arith.shrui %[[WORDS]], %{{.*}} : vector<16xi32>
// CHECK-NOT:       arith.andi
// CHECK:           llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %[[INDICES]])
func.func @shifted(%codes: memref<?xi8>, %scales: memref<?xf32>, %to: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %n step %c1 {
    %scale = memref.load %scales[%i] : memref<?xf32>
    %at = arith.muli %i, %c16 : index
    %0 = vector.load %codes[%at] : memref<?xi8>, vector<16xi8>
    // Constants in the loop, as vectorisation leaves them.
    %four = arith.constant 4 : i8
    %fours = vector.broadcast %four : i8 to vector<16xi8>
    %1 = arith.shrui %0, %fours : vector<16xi8>
    %fifteen = arith.constant 15 : i8
    %mask = vector.broadcast %fifteen : i8 to vector<16xi8>
    %2 = arith.andi %mask, %1 : vector<16xi8>
    %eight = arith.constant 8 : i8
    %eights = vector.broadcast %eight : i8 to vector<16xi8>
    %3 = arith.subi %2, %eights : vector<16xi8>
    %4 = arith.sitofp %3 : vector<16xi8> to vector<16xf32>
    %s = vector.broadcast %scale : f32 to vector<16xf32>
    %5 = arith.mulf %s, %4 : vector<16xf32>
    vector.store %5, %to[%at] : memref<?xf32>, vector<16xf32>
  }
  return
}

// -----

// Two bits of words, by way of f16, and used twice: the codes that the mask does not let
// through are those that it makes of them.

// CHECK-LABEL: func @two_bits(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 1.500000e+00, 0.000000e+00, 5.000000e-01, {{.*}}1.500000e+00]> : vector<16xf32>
// CHECK:         %[[VALUES:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %{{.*}})
// CHECK:         arith.addf %[[VALUES]], %{{.*}} : vector<16xf32>
// CHECK:         arith.mulf %[[VALUES]], %{{.*}} : vector<16xf32>
func.func @two_bits(%words: vector<16xi32>, %x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %c3 = arith.constant dense<3> : vector<16xi32>
  %half = arith.constant dense<0.5> : vector<16xf16>
  %0 = arith.andi %words, %c3 : vector<16xi32>
  %1 = arith.uitofp %0 : vector<16xi32> to vector<16xf16>
  %2 = arith.mulf %1, %half : vector<16xf16>
  %3 = arith.extf %2 : vector<16xf16> to vector<16xf32>
  %4 = arith.addf %3, %x : vector<16xf32>
  %5 = arith.mulf %3, %x : vector<16xf32>
  return %4, %5 : vector<16xf32>, vector<16xf32>
}

// -----

// CHECK-LABEL: func @integers(
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.permvar.si.512"
func.func @integers(%codes: vector<16xi8>) -> vector<16xi32> {
  %c15 = arith.constant dense<15> : vector<16xi8>
  %c3 = arith.constant dense<3> : vector<16xi32>
  %0 = arith.andi %codes, %c15 : vector<16xi8>
  %1 = arith.extui %0 : vector<16xi8> to vector<16xi32>
  %2 = arith.muli %1, %c3 : vector<16xi32>
  return %2 : vector<16xi32>
}

// -----

// 32 values, two vectors of integers, half a vector, and a division, which may not be
// executed for integers that are not there.

// CHECK-LABEL: func @negative_five_bits(
// CHECK-NOT:     call_intrinsic
func.func @negative_five_bits(%codes: vector<16xi8>) -> vector<16xf32> {
  %c31 = arith.constant dense<31> : vector<16xi8>
  %0 = arith.andi %codes, %c31 : vector<16xi8>
  %1 = arith.uitofp %0 : vector<16xi8> to vector<16xf32>
  return %1 : vector<16xf32>
}

// CHECK-LABEL: func @negative_two_vectors(
// CHECK-NOT:     call_intrinsic
func.func @negative_two_vectors(%a: vector<16xi8>, %b: vector<16xi8>) -> vector<16xi32> {
  %c15 = arith.constant dense<15> : vector<16xi8>
  %0 = arith.andi %a, %c15 : vector<16xi8>
  %1 = arith.andi %b, %c15 : vector<16xi8>
  %2 = arith.muli %0, %1 : vector<16xi8>
  %3 = arith.extui %2 : vector<16xi8> to vector<16xi32>
  return %3 : vector<16xi32>
}

// CHECK-LABEL: func @negative_half(
// CHECK-NOT:     call_intrinsic
func.func @negative_half(%codes: vector<8xi8>) -> vector<8xf32> {
  %c15 = arith.constant dense<15> : vector<8xi8>
  %0 = arith.andi %codes, %c15 : vector<8xi8>
  %1 = arith.uitofp %0 : vector<8xi8> to vector<8xf32>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func @negative_division(
// CHECK-NOT:     call_intrinsic
func.func @negative_division(%codes: vector<16xi32>, %x: i32) -> vector<16xi32> {
  %c15 = arith.constant dense<15> : vector<16xi32>
  %0 = arith.andi %codes, %c15 : vector<16xi32>
  %1 = vector.broadcast %x : i32 to vector<16xi32>
  %2 = arith.divui %1, %0 : vector<16xi32>
  return %2 : vector<16xi32>
}

// -----

// Integers that are truncated from words: the words are the indices, shifted by so much
// that 4 bits of the integer are left. Of a byte that is shifted by 6, there are 2.

// CHECK-LABEL: func @truncated(
// CHECK-SAME:    %[[WORDS:.*]]: vector<16xi32>, %{{.*}}: f32
// CHECK:         %[[BYTES:.*]] = arith.trunci %[[WORDS]] : vector<16xi32> to vector<16xi8>
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%{{.*}}, %[[WORDS]])
// CHECK:         %[[HIGH:.*]] = arith.shrui %[[WORDS]], %{{.*}} : vector<16xi32>
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%{{.*}}, %[[HIGH]])
// CHECK:         %[[WIDE:.*]] = arith.extui %[[BYTES]] : vector<16xi8> to vector<16xi32>
// CHECK:         %[[TOP:.*]] = arith.shrui %[[WIDE]], %{{.*}} : vector<16xi32>
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%{{.*}}, %[[TOP]])
func.func @truncated(%words: vector<16xi32>, %scale: f32, %to: memref<3x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c15 = arith.constant dense<15> : vector<16xi8>
  %c4 = arith.constant dense<4> : vector<16xi8>
  %c6 = arith.constant dense<6> : vector<16xi8>
  %s = vector.broadcast %scale : f32 to vector<16xf32>
  %bytes = arith.trunci %words : vector<16xi32> to vector<16xi8>
  %0 = arith.andi %bytes, %c15 : vector<16xi8>
  %1 = arith.sitofp %0 : vector<16xi8> to vector<16xf32>
  %2 = arith.mulf %1, %s : vector<16xf32>
  vector.store %2, %to[%c0, %c0] : memref<3x16xf32>, vector<16xf32>
  %3 = arith.shrui %bytes, %c4 : vector<16xi8>
  %4 = arith.andi %3, %c15 : vector<16xi8>
  %5 = arith.sitofp %4 : vector<16xi8> to vector<16xf32>
  %6 = arith.mulf %5, %s : vector<16xf32>
  vector.store %6, %to[%c1, %c0] : memref<3x16xf32>, vector<16xf32>
  %7 = arith.shrui %bytes, %c6 : vector<16xi8>
  %8 = arith.andi %7, %c15 : vector<16xi8>
  %9 = arith.sitofp %8 : vector<16xi8> to vector<16xf32>
  %10 = arith.mulf %9, %s : vector<16xf32>
  vector.store %10, %to[%c2, %c0] : memref<3x16xf32>, vector<16xf32>
  return
}

// -----

// Both parts of a byte, with the zero point and the scale of a group, which each of them
// loads: the table is computed once.

// CHECK-LABEL: func @shared(
// CHECK:         %[[DIFFERENCES:.*]] = arith.subi %{{.*}}, %{{.*}} : vector<16xi8>
// CHECK:         %[[FLOATS:.*]] = arith.sitofp %[[DIFFERENCES]] : vector<16xi8> to vector<16xf32>
// CHECK:         %[[TABLE:.*]] = arith.mulf %[[FLOATS]], %{{.*}} : vector<16xf32>
// CHECK-NOT:     arith.subi
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %{{.*}})
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %{{.*}})
func.func @shared(%bytes: vector<16xi8>, %zeros: memref<4xi8>, %scale: f32, %to: memref<2x16xf32>, %group: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant dense<15> : vector<16xi8>
  %c4 = arith.constant dense<4> : vector<16xi8>
  %low = memref.load %zeros[%group] : memref<4xi8>
  %high = memref.load %zeros[%group] : memref<4xi8>
  %z = vector.broadcast %low : i8 to vector<16xi8>
  %y = vector.broadcast %high : i8 to vector<16xi8>
  %s = vector.broadcast %scale : f32 to vector<16xf32>
  %0 = arith.andi %bytes, %c15 : vector<16xi8>
  %1 = arith.subi %0, %z : vector<16xi8>
  %2 = arith.sitofp %1 : vector<16xi8> to vector<16xf32>
  %3 = arith.mulf %2, %s : vector<16xf32>
  vector.store %3, %to[%c0, %c0] : memref<2x16xf32>, vector<16xf32>
  %4 = arith.shrui %bytes, %c4 : vector<16xi8>
  %5 = arith.andi %4, %c15 : vector<16xi8>
  %6 = arith.subi %5, %y : vector<16xi8>
  %7 = arith.sitofp %6 : vector<16xi8> to vector<16xf32>
  %8 = arith.mulf %7, %s : vector<16xf32>
  vector.store %8, %to[%c1, %c0] : memref<2x16xf32>, vector<16xf32>
  return
}

// Two zero points have two tables, of one look-up each.

// CHECK-LABEL: func @negative_two_zero_points(
// CHECK-NOT:     call_intrinsic
func.func @negative_two_zero_points(%bytes: vector<16xi8>, %zero: i8, %other: i8, %scale: f32, %to: memref<2x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant dense<15> : vector<16xi8>
  %c4 = arith.constant dense<4> : vector<16xi8>
  %z = vector.broadcast %zero : i8 to vector<16xi8>
  %y = vector.broadcast %other : i8 to vector<16xi8>
  %s = vector.broadcast %scale : f32 to vector<16xf32>
  %0 = arith.andi %bytes, %c15 : vector<16xi8>
  %1 = arith.subi %0, %z : vector<16xi8>
  %2 = arith.sitofp %1 : vector<16xi8> to vector<16xf32>
  %3 = arith.mulf %2, %s : vector<16xf32>
  vector.store %3, %to[%c0, %c0] : memref<2x16xf32>, vector<16xf32>
  %4 = arith.shrui %bytes, %c4 : vector<16xi8>
  %5 = arith.andi %4, %c15 : vector<16xi8>
  %6 = arith.subi %5, %y : vector<16xi8>
  %7 = arith.sitofp %6 : vector<16xi8> to vector<16xf32>
  %8 = arith.mulf %7, %s : vector<16xf32>
  vector.store %8, %to[%c1, %c0] : memref<2x16xf32>, vector<16xf32>
  return
}

// Integers of 2 bits have no 16 values. What they are truncated from has other bits above.

// CHECK-LABEL: func @negative_integers_of_two_bits(
// CHECK-NOT:     call_intrinsic
func.func @negative_integers_of_two_bits(%words: vector<16xi32>) -> vector<16xf32> {
  %c3 = arith.constant dense<3> : vector<16xi2>
  %half = arith.constant dense<0.5> : vector<16xf32>
  %0 = arith.trunci %words : vector<16xi32> to vector<16xi2>
  %1 = arith.andi %0, %c3 : vector<16xi2>
  %2 = arith.uitofp %1 : vector<16xi2> to vector<16xf32>
  %3 = arith.mulf %2, %half : vector<16xf32>
  return %3 : vector<16xf32>
}
