// Levels that a root of three dimensions (m, n, k) cannot be tiled by.

// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels=""' -o /dev/null | FileCheck %s --check-prefix=NONE
// NONE: refused: expected at least one level of tiling, got none
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(1,2,3,4)"' -o /dev/null | FileCheck %s --check-prefix=MANY
// MANY: refused: expected at most 3 tile sizes, one for each dimension of the root, got 4
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,-2)"' -o /dev/null | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: refused: expected tile sizes that are not negative, got -2 for dimension 1
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,0)"' -o /dev/null | FileCheck %s --check-prefix=ZERO
// ZERO: refused: expected a level to tile at least one dimension, got only tile sizes of 0
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(1,1,1)interchange(0,2,2)"' -o /dev/null | FileCheck %s --check-prefix=PERMUTATION
// PERMUTATION: refused: expected interchange to be a permutation of the 3 dimensions of the root, got [0, 2, 2]
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="forall(2,0,4)"' -o /dev/null | FileCheck %s --check-prefix=RACE
// RACE: refused: expected 'forall' to tile parallel dimensions only, got reduction dimension 2, whose tiles would race
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="split(0,2)"' -o /dev/null | FileCheck %s --check-prefix=CHUNK
// CHUNK: refused: expected 'split' to tile reduction dimensions only, got parallel dimension 1
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,4)for(2)split(0,0,2)"' -o /dev/null | FileCheck %s --check-prefix=FIRST
// FIRST: refused: expected 'split' to be the first level that tiles dimension 2, got levels 0 and 2

// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="while(1)"' 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: invalid option 'levels': expected 'for', 'forall' or 'split', got 'while(1)'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="foral(1)"' 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: invalid option 'levels': expected 'for', 'forall' or 'split', got 'foral(1)'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for 4"' 2>&1 | FileCheck %s --check-prefix=PAREN
// PAREN: error: invalid option 'levels': expected '(', got '4'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4,x)"' 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: error: invalid option 'levels': expected an integer, got 'x)'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4 8)"' 2>&1 | FileCheck %s --check-prefix=CLOSE
// CLOSE: error: invalid option 'levels': expected ',' or ')', got '8)'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" normalization=late' 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: invalid option 'normalization': expected 'eager' or 'delayed', got 'late'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" rescale-threshold=some' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: invalid option 'rescale-threshold': expected a number, got 'some'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" recompute=some' 2>&1 | FileCheck %s --check-prefix=RECOMPUTE
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" recompute=some explain=text' 2>&1 | FileCheck %s --check-prefix=RECOMPUTE
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 recompute=some' 2>&1 | FileCheck %s --check-prefix=RECOMPUTE
// RECOMPUTE: error: invalid option 'recompute': expected 'all', 'cheap' or 'none', got 'some'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" rescale-elements' 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" rescale-elements explain=text' 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: levels-invalid.mlir:{{.*}}: error: invalid option 'rescale-elements': expected a 'rescale-threshold' with it, got none
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" rescale-threshold=80' 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: cannot tile and fuse: expected a rescale threshold from 0 to 72, for which f32 holds sums of e^threshold, got 80
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(4)" rescale-threshold=8 normalization=eager' 2>&1 | FileCheck %s --check-prefix=EAGER
// EAGER: error: cannot tile and fuse: expected delayed normalisation with a rescale threshold, got eager, which rescales in every tile
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2,0,4)"' 2>&1 | FileCheck %s --check-prefix=LOCATED
// LOCATED: levels-invalid.mlir:[[#@LINE+3]]:{{.+}} error: cannot tile and fuse: expected 'forall' to tile parallel dimensions only

func.func @matmul(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
