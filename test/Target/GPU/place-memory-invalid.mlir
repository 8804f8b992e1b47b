// RUN: not linalg-ext-opt %s --linalg-ext-gpu-place-memory=steps=share-temporaries,pool 2>&1 | FileCheck %s

// CHECK: error: invalid option 'steps': expected check-workgroup-memory, share-temporaries, pool-workgroup-memory, got 'pool'
module {}
