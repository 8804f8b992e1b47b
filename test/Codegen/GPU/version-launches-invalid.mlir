// RUN: not linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=bytes=12 2>&1 | FileCheck %s --check-prefix=TWELVE
// RUN: not linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=bytes=-8 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not linalg-ext-opt %s --linalg-ext-gpu-prepare-launches=max-bytes=20 2>&1 | FileCheck %s --check-prefix=MOST

// TWELVE: error: expected 'bytes' to be a power of two, got 12
// NEGATIVE: error: expected 'bytes' to be a power of two, got -8
// MOST: error: expected 'max-bytes' to be a multiple of 'bytes', got 20

module {}
