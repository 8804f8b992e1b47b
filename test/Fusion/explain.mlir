// What a fusion would do and cost. Numbers are those of the closed forms in
// unittests/Fusion/Cost/FusionCostTest.cpp; M = 8 rows, N = 20 keys, heads of 5.

// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tile-and-fuse='levels="for(3,0,8)" explain=text' -o %t.after 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file -o %t.before
// RUN: diff %t.before %t.after
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tile-and-fuse='levels="for(3,0,8)" explain=json' -o %t 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tile-and-fuse='levels="for(3,0,8)" dynamic-size=8 explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=ASSUMED
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tile-and-fuse='levels="for(3,0,8)" normalization=eager explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=EAGER
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tile-and-fuse='levels="forall(0,0,8)" explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tile-and-fuse='levels="forall(0,0,8)" explain=json' -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED-JSON
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s --split-input-file --pass-pipeline='builtin.module(linalg-ext-tile-and-fuse{levels=for(3,0,8) explain=text})' -o %t 2>&1 | FileCheck %s
//
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(3)" explain=xml' 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: invalid option 'explain': expected none, text or json, got 'xml'
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(3)" dynamic-size=0 explain=text' 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: invalid option 'dynamic-size': expected a positive number, got 0
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="while(3)" explain=text' 2>&1 | FileCheck %s --check-prefix=LEVELS
// LEVELS: error: invalid option 'levels': expected 'for', 'forall' or 'split', got 'while(3)'

//      CHECK: {{.*}}explain.mlir:[[#@LINE+45]]:8 in @attention
// CHECK-NEXT: root 'linalg.matmul'
// CHECK-NEXT: level 0: for tiles [3, 0, 0]
//      CHECK:   fuse 'linalg_ext.softmax', partial, yields [1, 2]
//      CHECK: state 'linalg_ext.softmax', carried from level 1 to 1, delayed normalisation
// CHECK-NEXT: repair root 'linalg.matmul': scale by the repair of 'linalg_ext.softmax'#0 along dims [0]
// CHECK-NEXT: exactness: reassociated
// CHECK-NEXT: cost, unfused -> fused
// CHECK-NEXT:   FLOPs 4000 -> 4000 (x1)
// CHECK-NEXT:   bytes moved 5504 -> 2720 (x0.494)
// CHECK-NEXT:   bytes read 3104 -> 2560 (x0.825)
// CHECK-NEXT:   bytes written 2400 -> 160 (x0.0667)
// CHECK-NEXT:   'linalg.matmul': FLOPs 1600 -> 1600, read 1200 -> 1200, written 160 -> 160
// CHECK-NEXT:   'linalg.fill': FLOPs 0 -> 0, read 0 -> 0, written 160 -> 0
// CHECK-NEXT:   'linalg_ext.softmax': FLOPs 800 -> 640, read 704 -> 0, written 736 -> 0
//      CHECK:   repairs: FLOPs 0 -> 160
//  CHECK-NOT:   assumed

//      JSON: {"consumers":[],"cost":{"after":{"bytes_read":2560,"bytes_written":160,"flops":4000},"before":{"bytes_read":3104,"bytes_written":2400,"flops":4000},
// JSON-SAME: "function":"attention"
// JSON-SAME: "fused":true,{{.*}}"op":"linalg_ext.softmax","partial":true,"recomputed":false,"whole":false,"yields":[1,2]
// JSON-SAME: "repairs":[{"accumulator":"linalg.matmul","factors":[{"coefficient":1,"deferred":false,"dims":[0],"kind":"scale","location":"{{[^"]*}}","measure":"repair","result":0,"source":"linalg_ext.softmax"}],
// JSON-SAME: "root":"linalg.matmul","siblings":[],"states":[{"location":"{{[^"]*}}","normalization":"delayed","op":"linalg_ext.softmax"}]}

// EAGER: eager normalisation
// EAGER:   repairs: FLOPs 0 -> 120

//      REFUSED: in @attention
// REFUSED-NEXT: root 'linalg.matmul'
// REFUSED-NEXT: refused: expected 'forall' to tile parallel dimensions only, got reduction dimension 2, whose tiles would race
// REFUSED-NEXT: suggestion: tile the reduction with 'for' instead of 'forall', in a level of its own

// REFUSED-JSON: {"function":"attention",{{.*}}"refused":"expected 'forall' {{.*}}","root":"linalg.matmul","suggestion":"tile the reduction
func.func @attention(%q: tensor<8x5xf32>, %k: tensor<5x20xf32>, %v: tensor<20x5xf32>) -> tensor<8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<8x20xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x20xf32>) -> tensor<8x20xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x5xf32>, tensor<5x20xf32>) outs(%sf : tensor<8x20xf32>) -> tensor<8x20xf32>
  %e = tensor.empty() : tensor<8xf32>
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<8x20xf32>) outs(%se, %m0, %l0, %e : tensor<8x20xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x20xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %oe = tensor.empty() : tensor<8x5xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x5xf32>) -> tensor<8x5xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<8x20xf32>, tensor<20x5xf32>) outs(%of : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %o : tensor<8x5xf32>
}

// -----

// A root is explained as it will be found: the first one is a loop by then.

//  CHECK-LABEL: in @two_roots
//        CHECK:   'linalg.matmul': FLOPs 262144 ->
//    CHECK-NOT:   'linalg.matmul': FLOPs 262144 ->
//        CHECK:   assumed: each dynamic size is 1024
//        CHECK: in @two_roots
//        CHECK:   keep 'scf.for': it cannot be tiled
//    CHECK-NOT:   'linalg.matmul': FLOPs 524288 ->
//        CHECK:   'linalg.matmul': FLOPs 262144 ->
//    CHECK-NOT:   'linalg.matmul': FLOPs 262144 ->
//        CHECK:   assumed: each dynamic size is 1024
//
// ASSUMED-LABEL: in @two_roots
//       ASSUMED:   'linalg.matmul': FLOPs 2048 ->
//       ASSUMED:   assumed: each dynamic size is 8
func.func @two_roots(%a: tensor<?x16xf32>, %b: tensor<16x8xf32>, %c: tensor<8x16xf32>, %d: tensor<?x8xf32>, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<?x16xf32>, tensor<16x8xf32>) outs(%d : tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = linalg.matmul {linalg_ext.root} ins(%0, %c : tensor<?x8xf32>, tensor<8x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %1 : tensor<?x16xf32>
}
