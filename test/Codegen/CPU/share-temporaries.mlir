// RUN: linalg-ext-opt %s --linalg-ext-share-temporaries --canonicalize --cse --split-input-file | FileCheck %s

// The third buffer has the memory of the first; the largest is at the start.

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    %[[X:[^:]*]]: memref<64xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG:     %[[BLOCK:.*]] = memref.alloc() {alignment = 64 : i64} : memref<512xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[A:.*]] = memref.view %[[BLOCK]][%[[C0]]][] : memref<512xi8> to memref<64xf32>
// CHECK:         linalg.exp ins(%[[X]] : memref<64xf32>) outs(%[[A]] : memref<64xf32>)
// CHECK:         %[[B:.*]] = memref.view %[[BLOCK]][%[[C256]]][] : memref<512xi8> to memref<60xf32>
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[B]]
// CHECK:         linalg.exp ins(%[[X]] : memref<64xf32>) outs(%[[A]] : memref<64xf32>)
// CHECK:         %[[PART:.*]] = memref.subview %[[A]][0] [60] [1]
// CHECK:         linalg.exp ins(%[[B]] : memref<60xf32>) outs(%[[PART]]
// CHECK:         linalg.exp ins(%[[A]] : memref<64xf32>) outs(%[[X]] : memref<64xf32>)
// CHECK-NEXT:    memref.dealloc %[[BLOCK]]
// CHECK-NEXT:    return
func.func @chain(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() {alignment = 64 : i64} : memref<60xf32>
  scf.for %i = %c0 to %c60 step %c1 {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %b[%i] : memref<60xf32>
  }
  memref.dealloc %a : memref<64xf32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%c : memref<64xf32>)
  %part = memref.subview %c[0] [60] [1] : memref<64xf32> to memref<60xf32, strided<[1]>>
  linalg.exp ins(%b : memref<60xf32>) outs(%part : memref<60xf32, strided<[1]>>)
  memref.dealloc %b : memref<60xf32>
  linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
  memref.dealloc %c : memref<64xf32>
  return
}

// -----

// A loop accesses its buffers from its start to its end: the second one is
// written in an iteration before the first is read in the next.

// CHECK-LABEL: func.func @in_a_loop
// CHECK:         %[[BLOCK:.*]] = memref.alloc() {alignment = 64 : i64} : memref<512xi8>
// CHECK-DAG:     memref.view %[[BLOCK]][%c0
// CHECK-DAG:     memref.view %[[BLOCK]][%c256
func.func @in_a_loop(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c60 = arith.constant 60 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c60 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
    %w = memref.load %a[%i] : memref<64xf32>
    memref.store %w, %b[%i] : memref<64xf32>
  }
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}

// -----

// Sizes that are not known: the buffers take turns in parts of the block.

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: index
// CHECK:         arith.maxsi
// CHECK:         %[[BLOCK:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %[[BLOCK]][%c0{{.*}}][%[[N]]]
// CHECK:         memref.view %[[BLOCK]][%[[SECOND:.*]]][%[[N]]]
// CHECK:         memref.view %[[BLOCK]][%c0{{.*}}][
// CHECK:         memref.dealloc %[[BLOCK]]
func.func @dynamic(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  %c = memref.alloc(%m) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.exp ins(%c : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.exp ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return
}

// -----

// A single buffer stays. So do buffers that are returned, passed to a call,
// carried by a loop, freed under a condition, kept in another buffer, or whose
// address is taken.

// CHECK-LABEL: func.func @negative_one
// CHECK-NOT:     memref.view
func.func @negative_one(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @negative_kept
// CHECK-NOT:     memref.view
func.func private @use(memref<64xf32>)
func.func @negative_kept(%x: memref<64xf32>, %free: i1, %names: memref<1xmemref<64xf32>>)
    -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  func.call @use(%b) : (memref<64xf32>) -> ()
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%c : memref<64xf32>)
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%d = %c) -> memref<64xf32> {
    scf.yield %d : memref<64xf32>
  }
  linalg.exp ins(%last : memref<64xf32>) outs(%x : memref<64xf32>)
  %e = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%e : memref<64xf32>)
  scf.if %free {
    memref.dealloc %e : memref<64xf32>
  }
  %f = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%f : memref<64xf32>)
  memref.store %f, %names[%c0] : memref<1xmemref<64xf32>>
  %g = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%g : memref<64xf32>)
  %address = memref.extract_aligned_pointer_as_index %g : memref<64xf32> -> index
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  return %a : memref<64xf32>
}

// -----

// A size that is read after the first allocation is not known there.

// CHECK-LABEL: func.func @negative_unknown_size
// CHECK-NOT:     memref.view
func.func @negative_unknown_size(%m: memref<index>, %x: memref<?xf32>) {
  %n = memref.load %m[] : memref<index>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %k = memref.load %m[] : memref<index>
  %b = memref.alloc(%k) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

// Views start at multiples of 64 bytes only.

// CHECK-LABEL: func.func @negative_alignment
// CHECK:         memref.alloc() {alignment = 128 : i64} : memref<64xf32>
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<512xi8>
func.func @negative_alignment(%x: memref<64xf32>) {
  %a = memref.alloc() {alignment = 128 : i64} : memref<64xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  return
}
