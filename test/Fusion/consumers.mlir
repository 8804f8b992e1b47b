// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(4,5)for(0,0,4)" fuse-consumers' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,4)for(4)" fuse-consumers' --canonicalize --cse | FileCheck %s --check-prefix=REDUCTION
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(4,5)for(0,0,4)" fuse-consumers explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(4,5)for(0,0,4)" fuse-consumers explain=json' -o %t 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="forall(4,5)for(0,0,4)" fuse-consumers' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s --check-prefix=REMARK

// EXPLAIN: follow 'linalg.generic' into level 0
// EXPLAIN: 'linalg.generic': FLOPs 120 -> 120, read 528 -> 144, written 480 -> 0
// EXPLAIN: 'linalg.generic': FLOPs 0 -> 0, read 480 -> 0, written 240 -> 240
// JSON: "consumers":[{"levels":1,"location":"{{[^"]*}}","op":"linalg.generic"},{
// REMARK: [Passed] fused | {{.*}} | Function=follow | Follows=true, Levels=1, Op=linalg.generic

// Elementwise ops after the root are computed in its loops, tile by tile.
// CHECK-LABEL: func @follow
// CHECK: scf.forall
// CHECK:   scf.for
// CHECK:     linalg.matmul
// CHECK:   arith.addf
// CHECK:   arith.truncf
// CHECK:   scf.forall.in_parallel
// CHECK-NOT: linalg.generic

// Tiles of a loop that cuts a reduction are not final.
// REDUCTION-LABEL: func @follow
// REDUCTION: scf.for
// REDUCTION: linalg.generic
// REDUCTION: linalg.generic
#id = affine_map<(d0,d1)->(d0,d1)>
func.func @follow(%a: tensor<10x8xf32>, %b: tensor<8x12xf32>, %bias: tensor<12xf32>, %out: tensor<12x10xf16>) -> tensor<12x10xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%a,%b: tensor<10x8xf32>, tensor<8x12xf32>) outs(%f: tensor<10x12xf32>) -> tensor<10x12xf32>
  %p = linalg.generic {indexing_maps=[#id,affine_map<(d0,d1)->(d1)>,#id], iterator_types=["parallel","parallel"]} ins(%o,%bias: tensor<10x12xf32>,tensor<12xf32>) outs(%e: tensor<10x12xf32>) {
  ^bb0(%x: f32, %y: f32, %c: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32 } -> tensor<10x12xf32>
  %q = linalg.generic {indexing_maps=[affine_map<(d0,d1)->(d1,d0)>,#id], iterator_types=["parallel","parallel"]} ins(%p: tensor<10x12xf32>) outs(%out: tensor<12x10xf16>) {
  ^bb0(%x: f32, %c: f16):
    %z = arith.truncf %x : f32 to f16
    linalg.yield %z : f16 } -> tensor<12x10xf16>
  return %q : tensor<12x10xf16>
}
