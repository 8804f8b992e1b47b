// RUN: not linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=max-bytes=20 2>&1 | FileCheck %s
// CHECK: error: expected 'max-bytes' to be a multiple of 16, got 20

module {}
