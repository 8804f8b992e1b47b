// As large as they may be; scalable ones count as their least size.
// RUN: linalg-ext-opt %s --linalg-ext-check-ops | FileCheck %s
// RUN: not linalg-ext-opt %s --linalg-ext-check-ops=max-elements=65535 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: check-ops-vectors.mlir:[[@LINE+4]]:{{[0-9]+}}: error: expected vectors of at most 65535 elements, got 'vector<256x256xf32>'

// CHECK-LABEL: @largest
//  CHECK-NEXT: return
func.func @largest(%x: vector<256x256xf32>, %y: vector<[65536]xf32>, %z: vector<f32>) {
  return
}
