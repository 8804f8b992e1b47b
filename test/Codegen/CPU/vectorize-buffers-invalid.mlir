// RUN: not linalg-ext-opt %s --linalg-ext-vectorize-buffers='vector-bits=100' 2>&1 | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-vectorize-buffers='num-registers=2' 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not linalg-ext-opt %s --linalg-ext-vectorize-buffers='shuffle-bits=96' 2>&1 | FileCheck %s --check-prefix=SHUFFLE

// CHECK: error: expected 'vector-bits' to be a power of 2 of at least 64 and 'num-registers' to be at least 4, got 100 and 32
// REGISTERS: got 512 and 2
// SHUFFLE: error: expected 'shuffle-bits' to be a power of 2 of at least 64, got 96

func.func @f() {
  return
}
