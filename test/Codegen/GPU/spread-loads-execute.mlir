// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads='steps=spread-loads' > %t
// RUN: FileCheck %s --check-prefix=SPREAD < %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s
// RUN: linalg-ext-simt-runner %s | FileCheck %s

// Each thread computes what depends on the order of the elements of its row, of two
// tensors that have exactly these elements. The host computes the same, and counts
// what differs, for loops of 0 to 13 iterations; then it prints the last result:
// 2^13 - 11 * (0 * 2^12 + 1 * 2^11 + ... + 12 * 2^0) = -81766.

// SPREAD-COUNT-2: gpu.shuffle idx

// CHECK:      ( 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 )
// CHECK-NEXT: -81766

// Also for 13 iterations, whose number is known: all elements go to workgroup memory. Each
// thread then reads another row of those that each eighth lane shares, too.

// SPREAD-COUNT-2: gpu.barrier

// CHECK-NEXT: 0
// CHECK-NEXT: -73458

func.func @element(%row: index, %i: index, %factor: index) -> f16 {
  %c5 = arith.constant 5 : index
  %0 = arith.muli %row, %c5 : index
  %1 = arith.muli %i, %factor : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.index_cast %2 : index to i32
  %4 = arith.sitofp %3 : i32 to f16
  return %4 : f16
}

func.func @differ(%n: index, %r: memref<64xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc(%n) : memref<16x?xf16>
  %b = memref.alloc(%n) : memref<16x?xf16>
  %c16 = arith.constant 16 : index
  scf.for %row = %c0 to %c16 step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %x = func.call @element(%row, %i, %c1) : (index, index, index) -> f16
      %y = func.call @element(%row, %i, %c12) : (index, index, index) -> f16
      memref.store %x, %a[%row, %i] : memref<16x?xf16>
      memref.store %y, %b[%row, %i] : memref<16x?xf16>
    }
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %row = arith.divui %tx, %c4 : index
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> (f32) {
      %x = memref.load %a[%row, %i] : memref<16x?xf16>
      %y = memref.load %b[%row, %i] : memref<16x?xf16>
      %z = memref.load %a[%c0, %i] : memref<16x?xf16>
      %xf = arith.extf %x : f16 to f32
      %yf = arith.extf %y : f16 to f32
      %zf = arith.extf %z : f16 to f32
      %0 = arith.mulf %acc, %two : f32
      %1 = arith.addf %0, %xf : f32
      %2 = arith.subf %1, %yf : f32
      %3 = arith.mulf %zf, %two : f32
      %4 = arith.addf %2, %3 : f32
      %5 = arith.subf %4, %3 : f32
      scf.yield %5 : f32
    }
    memref.store %sum, %r[%tx] : memref<64xf32>
    gpu.terminator
  }
  %zero = arith.constant 0 : i32
  %wrong = scf.for %t = %c0 to %c64 step %c1 iter_args(%count = %zero) -> (i32) {
    %row = arith.divui %t, %c4 : index
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> (f32) {
      %x = func.call @element(%row, %i, %c1) : (index, index, index) -> f16
      %y = func.call @element(%row, %i, %c12) : (index, index, index) -> f16
      %xf = arith.extf %x : f16 to f32
      %yf = arith.extf %y : f16 to f32
      %0 = arith.mulf %acc, %two : f32
      %1 = arith.addf %0, %xf : f32
      %2 = arith.subf %1, %yf : f32
      scf.yield %2 : f32
    }
    %got = memref.load %r[%t] : memref<64xf32>
    %same = arith.cmpf oeq, %got, %sum : f32
    %next = arith.extui %same : i1 to i32
    %c1_i32 = arith.constant 1 : i32
    %bad = arith.subi %c1_i32, %next : i32
    %all = arith.addi %count, %bad : i32
    scf.yield %all : i32
  }
  return %wrong : i32
}

func.func @in_front(%r: memref<64xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c29 = arith.constant 29 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16x29xf16>
  %b = memref.alloc() : memref<16x29xf16>
  scf.for %row = %c0 to %c16 step %c1 {
    scf.for %i = %c0 to %c29 step %c1 {
      %x = func.call @element(%row, %i, %c1) : (index, index, index) -> f16
      %y = func.call @element(%row, %i, %c12) : (index, index, index) -> f16
      memref.store %x, %a[%row, %i] : memref<16x29xf16>
      memref.store %y, %b[%row, %i] : memref<16x29xf16>
    }
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %row = arith.divui %tx, %c4 : index
    %rest = arith.remui %tx, %c8 : index
    %last = arith.constant 29 : index
    %step = arith.constant 2 : index
    %sum = scf.for %i = %c3 to %last step %step iter_args(%acc = %one) -> (f32) {
      %x = memref.load %a[%row, %i] : memref<16x29xf16>
      %y = memref.load %b[%rest, %i] : memref<16x29xf16>
      %z = memref.load %a[%c0, %i] : memref<16x29xf16>
      %xf = arith.extf %x : f16 to f32
      %yf = arith.extf %y : f16 to f32
      %zf = arith.extf %z : f16 to f32
      %0 = arith.mulf %acc, %two : f32
      %1 = arith.addf %0, %xf : f32
      %2 = arith.subf %1, %yf : f32
      %3 = arith.addf %2, %zf : f32
      scf.yield %3 : f32
    }
    memref.store %sum, %r[%tx] : memref<64xf32>
    gpu.terminator
  }
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : index
  %wrong = scf.for %t = %c0 to %c64 step %c1 iter_args(%count = %zero) -> (i32) {
    %row = arith.divui %t, %c4 : index
    %rest = arith.remui %t, %c8 : index
    %sum = scf.for %i = %c3 to %c29 step %c2 iter_args(%acc = %one) -> (f32) {
      %x = func.call @element(%row, %i, %c1) : (index, index, index) -> f16
      %y = func.call @element(%rest, %i, %c12) : (index, index, index) -> f16
      %z = func.call @element(%c0, %i, %c1) : (index, index, index) -> f16
      %xf = arith.extf %x : f16 to f32
      %yf = arith.extf %y : f16 to f32
      %zf = arith.extf %z : f16 to f32
      %0 = arith.mulf %acc, %two : f32
      %1 = arith.addf %0, %xf : f32
      %2 = arith.subf %1, %yf : f32
      %3 = arith.addf %2, %zf : f32
      scf.yield %3 : f32
    }
    %got = memref.load %r[%t] : memref<64xf32>
    %same = arith.cmpf oeq, %got, %sum : f32
    %next = arith.extui %same : i1 to i32
    %c1_i32 = arith.constant 1 : i32
    %bad = arith.subi %c1_i32, %next : i32
    %all = arith.addi %count, %bad : i32
    scf.yield %all : i32
  }
  return %wrong : i32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c63 = arith.constant 63 : index
  %r = memref.alloc() : memref<64xf32>
  %none = arith.constant dense<-1> : vector<14xi32>
  %counts = scf.for %n = %c0 to %c14 step %c1 iter_args(%all = %none) -> (vector<14xi32>) {
    %count = func.call @differ(%n, %r) : (index, memref<64xf32>) -> i32
    %next = vector.insert %count, %all[%n] : i32 into vector<14xi32>
    scf.yield %next : vector<14xi32>
  }
  vector.print %counts : vector<14xi32>
  %last = memref.load %r[%c63] : memref<64xf32>
  vector.print %last : f32
  %wrong = func.call @in_front(%r) : (memref<64xf32>) -> i32
  vector.print %wrong : i32
  %first = memref.load %r[%c63] : memref<64xf32>
  vector.print %first : f32
  return
}
