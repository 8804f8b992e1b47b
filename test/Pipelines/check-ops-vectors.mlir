// RUN: linalg-ext-opt %s --linalg-ext-check-ops --split-input-file --verify-diagnostics | FileCheck %s

// As large as they may be; scalable ones count as their least size.

// CHECK-LABEL: @largest
//  CHECK-NEXT: return
func.func @largest(%x: vector<256x256xf32>, %y: vector<[65536]xf32>, %z: vector<f32>) {
  return
}

// -----

// expected-error @+1 {{expected vectors of at most 65536 elements, got 'vector<65537xf32>'}}
func.func @larger(%x: vector<65537xf32>) {
  return
}
