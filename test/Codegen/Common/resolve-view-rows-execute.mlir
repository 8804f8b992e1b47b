// Slices of listed rows, executed: element [p, h, r, d] of the pool is 1000 p + 100 h +
// 10 r + d.

// RUN: linalg-ext-opt %s --linalg-ext-legalize-buffers=steps=resolve-view-rows | linalg-ext-simt-runner - | FileCheck %s

// Row 2 is in page 1 at place 1, row 3 in page 2 at place 0.
// CHECK:      1113
// CHECK-NEXT: 2102
// CHECK-NEXT: 2003

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %c1000 = arith.constant 1000 : index
  %pool = memref.alloc() : memref<3x2x2x4xi32>
  %list = memref.alloc() : memref<4x2xindex>
  scf.for %p = %c0 to %c3 step %c1 {
    scf.for %h = %c0 to %c2 step %c1 {
      scf.for %r = %c0 to %c2 step %c1 {
        scf.for %d = %c0 to %c4 step %c1 {
          %0 = arith.muli %p, %c1000 : index
          %1 = arith.muli %h, %c100 : index
          %2 = arith.muli %r, %c10 : index
          %3 = arith.addi %0, %1 : index
          %4 = arith.addi %2, %d : index
          %5 = arith.addi %3, %4 : index
          %6 = arith.index_cast %5 : index to i32
          memref.store %6, %pool[%p, %h, %r, %d] : memref<3x2x2x4xi32>
        }
      }
    }
  }
  memref.store %c2, %list[%c0, %c0] : memref<4x2xindex>
  memref.store %c1, %list[%c0, %c1] : memref<4x2xindex>
  memref.store %c0, %list[%c1, %c0] : memref<4x2xindex>
  memref.store %c0, %list[%c1, %c1] : memref<4x2xindex>
  memref.store %c1, %list[%c2, %c0] : memref<4x2xindex>
  memref.store %c1, %list[%c2, %c1] : memref<4x2xindex>
  memref.store %c2, %list[%c3, %c0] : memref<4x2xindex>
  memref.store %c0, %list[%c3, %c1] : memref<4x2xindex>
  %v = linalg_ext.view_rows %pool[%list] dims [0, 2] : memref<3x2x2x4xi32>, memref<4x2xindex>
  %row = memref.subview %v[%c2, 0, 1] [1, 2, 3] [1, 1, 1] : memref<4x2x4xi32, strided<[?, 8, 1], offset: ?>> to memref<2x3xi32, strided<[8, 1], offset: ?>>
  %head = memref.subview %v[1, 1, 0] [3, 1, 4] [1, 1, 1] : memref<4x2x4xi32, strided<[?, 8, 1], offset: ?>> to memref<3x4xi32, strided<[?, 1], offset: ?>>
  %both = memref.subview %v[3, 0, 0] [1, 1, 4] [1, 1, 1] : memref<4x2x4xi32, strided<[?, 8, 1], offset: ?>> to memref<4xi32, strided<[1], offset: ?>>
  %x = memref.load %row[%c1, %c2] : memref<2x3xi32, strided<[8, 1], offset: ?>>
  %y = memref.load %head[%c2, %c2] : memref<3x4xi32, strided<[?, 1], offset: ?>>
  %z = memref.load %both[%c3] : memref<4xi32, strided<[1], offset: ?>>
  vector.print %x : i32
  vector.print %y : i32
  vector.print %z : i32
  return
}
