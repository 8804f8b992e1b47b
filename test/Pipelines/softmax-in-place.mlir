// Tiles of a softmax that no op follows are computed where the result is stored: no
// buffer of a tile, and no copy of it. (docs/Decisions/0112)

// RUN: linalg-ext-compile %s --emit=obj -o %t.o 2>&1 | FileCheck %s
// CHECK: @softmax: 1 loop nest, largest temporary {{[0-9]+}} bytes
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
