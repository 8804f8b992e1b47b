// Remarks say what was fused and repaired, and what was not, why, and what to do.

// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="for(0,0,8)"' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="for(0,2)"' --remarks-filter-missed='linalg-ext-tile-and-fuse' 2>&1 | FileCheck %s --check-prefix=MISSED --implicit-check-not=remark:
// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="forall(4,2)"' --remarks-filter-passed='linalg-ext-tile-and-fuse' 2>&1 | FileCheck %s --check-prefix=PASSED --implicit-check-not=Missed
// RUN: not linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="forall(0,0,8)"' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="for(0,0,8)" exactness=exact' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: linalg-ext-opt %s -o %t --transform-interpreter --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="for(0,2)"' --remarks-filter='linalg-ext.*' --remark-format=yaml --remarks-output-file=%t.yaml
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=YAML
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s -o %t --pass-pipeline='builtin.module(linalg-ext-tile-and-fuse{levels=for(0,0,8)})' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s

// None unless they are asked for.
// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="for(0,2)"' 2>&1 | count 0

// CHECK: remark: [Analysis] outside | Category:linalg-ext-tile-and-fuse | Function=attention | Op=linalg.fill, Reason="it initialises a reduction that the level cuts"
// CHECK: remark: [Passed] fused | Category:linalg-ext-tile-and-fuse | Function=attention | Levels=1, Op=linalg_ext.softmax, Partial=true
// CHECK: remark: [Passed] fused | Category:linalg-ext-tile-and-fuse | Function=attention | Levels=1, Op=linalg.matmul
// CHECK: remark: [Passed] repaired | Category:linalg-ext-tile-and-fuse | Function=attention | After=linalg_ext.softmax, Exactness=reassociated, Kind=scale, Measure=repair, Normalization=delayed, Op=linalg.matmul

// MISSED: remark: [Missed] not-fused | Category:linalg-ext-tile-and-fuse | Function=attention | Op=linalg_ext.softmax, Reason="no loop of the level indexes it", Suggestion="tile a dimension of the root that indexes it in the first level"

// PASSED: remark: [Passed] fused | Category:linalg-ext-tile-and-fuse | Function=attention | Levels=1, Op=linalg_ext.softmax, Recomputed=true

// REFUSED: remark: [Missed] refused | Category:linalg-ext-tile-and-fuse | Function=attention | Op=linalg.matmul, Reason="expected 'forall' to tile parallel dimensions only, got reduction dimension 2, whose tiles would race", Suggestion="tile the reduction with 'for' instead of 'forall', in a level of its own"
// REFUSED: error: cannot tile and fuse

// EXACT: remark: [Missed] refused | {{.*}} Reason="expected a fusion that is exact, got one that is reassociated", Suggestion="accept it with the option exactness, or leave the dimension that is reduced whole"

//      YAML: --- !Missed
// YAML-NEXT: Pass: {{ *}}linalg-ext-tile-and-fuse
// YAML-NEXT: Name: {{ *}}not-fused
//      YAML: Function: {{ *}}attention
//      YAML: - Reason: {{ *}}no loop of the level indexes it

func.func @attention(%q: tensor<8x4xf32>, %k: tensor<4x16xf32>, %v: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<8x16xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x16xf32>) outs(%sf : tensor<8x16xf32>) -> tensor<8x16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%se, %m0, %l0, %e : tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%p#0, %v : tensor<8x16xf32>, tensor<16x4xf32>) outs(%of : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match attributes {linalg_ext.root} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(0, 0, 8)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
