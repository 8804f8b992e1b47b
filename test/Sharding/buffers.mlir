// Buffers cannot be cut among processes.

// RUN: not linalg-ext-opt %s --linalg-ext-shard 2>&1 | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-complete-sharding=steps=annotate 2>&1 | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-complete-sharding 2>&1 | FileCheck %s --check-prefix=STEPS

// STEPS: error: expected 'steps' to have annotate, verify or lower, got none

// CHECK: buffers.mlir:[[@LINE+2]]:3: error: 'linalg.batch_matmul' op expected tensors, which can be cut among processes, got 'memref<4x8x8xf32>', 'memref<4x?x8xf32>', 'memref<4x8x8xf32>'
func.func @f(%a: memref<4x8x8xf32>, %b: memref<4x?x8xf32>, %c: memref<4x8x8xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<4x8x8xf32>, memref<4x?x8xf32>) outs(%c : memref<4x8x8xf32>)
  return
}
