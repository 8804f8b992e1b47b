// Arguments whose elements lie backwards.

// RUN: linalg-ext-check-program %s --layouts=-10x-1+59,-
// RUN: linalg-ext-check-program %s --layouts=-20x2+103,-
// RUN: not linalg-ext-check-program %s --targets=gpu --layouts=-10x-1+58,- 2>&1 | FileCheck %s

// CHECK: expected an offset of at least 59 for a buffer of type 'memref<6x10xf32, strided<[?, ?], offset: ?>>', got 58

func.func @f(%x: memref<6x10xf32, strided<[?, ?], offset: ?>>, %y: memref<6x10xf32>) {
  linalg.exp ins(%x : memref<6x10xf32, strided<[?, ?], offset: ?>>) outs(%y : memref<6x10xf32>)
  return
}
