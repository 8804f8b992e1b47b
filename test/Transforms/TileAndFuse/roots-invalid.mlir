// RUN: linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="for(0,0,4)"' -split-input-file -verify-diagnostics

// On buffers there is nothing to fuse along.

func.func @negative_root_on_buffers(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @below {{cannot tile and fuse: 'linalg.matmul' cannot be a root: expected tensors, got buffers}}
  linalg.matmul {linalg_ext.root} ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
