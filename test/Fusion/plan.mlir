// What the plan says of each producer. Dimensions of the root: (m, n, k).

// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(4)"' -o /dev/null | FileCheck %s --check-prefix=ROWS
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,2)"' -o /dev/null | FileCheck %s --check-prefix=COLUMNS
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="forall(4,2)"' -o /dev/null | FileCheck %s --check-prefix=BOTH
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,8)"' -o /dev/null | FileCheck %s --check-prefix=KEYS
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,8) for(4)"' -o /dev/null | FileCheck %s --check-prefix=KEYS-ROWS
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,8) forall(4,2)"' -o /dev/null | FileCheck %s --check-prefix=KEYS-BOTH
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,8) for(0,0,2)"' -o /dev/null | FileCheck %s --check-prefix=TWICE
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(4,0,8)interchange(2,1,0)"' -o /dev/null | FileCheck %s --check-prefix=INTERCHANGE

// No reduction is cut: everything is fused, inits too, nothing is repaired.
//       ROWS: level 0: for tiles [4, 0, 0]
//  ROWS-NEXT:   fuse 'linalg.fill'
//  ROWS-NEXT:   fuse 'linalg_ext.softmax', yields [1, 2]
//  ROWS-NEXT:   fuse 'linalg.fill'
//  ROWS-NEXT:   fuse 'linalg.fill'
//  ROWS-NEXT:   fuse 'linalg.matmul'
//  ROWS-NEXT:   fuse 'linalg.fill'
//   ROWS-NOT: repair

// Columns of the result do not index the softmax.
//   COLUMNS: keep 'linalg_ext.softmax': no loop of the level indexes it
// COLUMNS-NOT: repair

// Where only some of the loops index it, it is recomputed, and nothing of it
// can be yielded.
//     BOTH: fuse 'linalg_ext.softmax', recomputed{{$}}
// BOTH-NOT: repair

// Keys are cut: the state is carried, and what initialises it stays outside.
//      KEYS: keep 'linalg.fill': it initialises a reduction that the level cuts
// KEYS-NEXT: fuse 'linalg_ext.softmax', partial, yields [1, 2]
// KEYS-NEXT: keep 'linalg.fill': it initialises a reduction that the level cuts
// KEYS-NEXT: keep 'linalg.fill': it initialises a reduction that the level cuts
// KEYS-NEXT: fuse 'linalg.matmul'
// KEYS-NEXT: fuse 'linalg.fill'
// KEYS-NEXT: state 'linalg_ext.softmax', carried from level 0 to 0, delayed normalisation
// KEYS-NEXT: repair root 'linalg.matmul': scale by the repair of 'linalg_ext.softmax'#0 along dims [0]
// KEYS-NEXT: exactness: reassociated

// Rows inside keys: the state goes through both loops.
// KEYS-ROWS: level 1: for tiles [4, 0, 0]
// KEYS-ROWS:   fuse 'linalg_ext.softmax', yields [1, 2]
// KEYS-ROWS: state {{.*}}, carried from level 0 to 1

// Rows and columns inside keys: fused, the state would be updated once for each
// column.
// KEYS-BOTH: level 1: forall tiles [4, 2, 0]
// KEYS-BOTH:   keep 'linalg_ext.softmax': its state would be updated more than once
// KEYS-BOTH: state {{.*}}, carried from level 0 to 0

// TWICE: level 1: for tiles [0, 0, 2]
// TWICE:   fuse 'linalg_ext.softmax', partial, yields [1, 2]
// TWICE: state {{.*}}, carried from level 0 to 1

// One level for each loop, in the order of the interchange.
// INTERCHANGE: level 0: for tiles [0, 0, 8]
// INTERCHANGE: level 1: for tiles [4, 0, 0]
// INTERCHANGE-NOT: level 2

func.func @attention(%q: tensor<?x4xf32>, %k: tensor<4x?xf32>, %v: tensor<?x4xf32>, %m: index, %n: index) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty(%m, %n) : tensor<?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.matmul ins(%q, %k : tensor<?x4xf32>, tensor<4x?xf32>) outs(%sf : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<?x?xf32>) outs(%se, %m0, %l0, %e : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %oe = tensor.empty(%m) : tensor<?x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x4xf32>) -> tensor<?x4xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<?x?xf32>, tensor<?x4xf32>) outs(%of : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o, %p#1, %p#2 : tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>
}
