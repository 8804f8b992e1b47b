// RUN: not linalg-ext-opt %s --linalg-ext-normalize=patterns=fuse-elementwise,fuse 2>&1 | FileCheck %s

// CHECK: error: invalid option 'patterns': expected spelling, drop-kept-dims, {{.*}}, factor-out-of-max, got 'fuse'
func.func @unknown_pattern_set() {
  return
}
