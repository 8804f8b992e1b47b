// The transform op prints what the pass prints, and changes nothing.

// RUN: linalg-ext-opt %s --split-input-file --transform-interpreter -o %t.after 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --split-input-file -o %t.before
// RUN: diff %t.before %t.after
// RUN: linalg-ext-opt %s --split-input-file | FileCheck %s --check-prefix=SYNTAX
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --split-input-file --transform-interpreter -o %t 2>&1 | FileCheck %s

//      CHECK: in @matmul
// CHECK-NEXT: root 'linalg.matmul'
// CHECK-NEXT: level 0: forall tiles [4, 5, 0]
// CHECK-NEXT: cost, unfused -> fused
// CHECK-NEXT:   FLOPs 2002 -> 2002 (x1)
// CHECK-NEXT:   bytes moved 1552 -> 2852 (x1.84)
//      CHECK: {"function":"matmul",{{.*}}"refused":
// SYNTAX: transform.linalg_ext.explain_fusion %{{.*}} levels = [forall(4, 5)] : !transform.any_op
// SYNTAX: transform.linalg_ext.explain_fusion %{{.*}} levels = [forall(0, 0, 5)] {dynamic_size = 8 : i64, format = "json", normalization = "eager"} : !transform.any_op
func.func @matmul(%a: tensor<7x13xf32>, %b: tensor<13x11xf32>, %c: tensor<7x11xf32>) -> tensor<7x11xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<7x13xf32>, tensor<13x11xf32>) outs(%c : tensor<7x11xf32>) -> tensor<7x11xf32>
  return %0 : tensor<7x11xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.explain_fusion %root levels = [forall(4, 5)] : !transform.any_op
    transform.linalg_ext.explain_fusion %root levels = [forall(0, 0, 5)] {normalization = "eager", dynamic_size = 8 : i64, format = "json"} : !transform.any_op
    transform.yield
  }
}

// -----

// Roots in the order of the handle; one that another took with it is gone.

// CHECK: in @chain
// CHECK:   fuse 'linalg.matmul'
// CHECK: in @chain
// CHECK-NEXT: root 'linalg.matmul'
// CHECK-NEXT: refused: it is fused into an earlier root
func.func @chain(%a: tensor<7x7xf32>, %b: tensor<7x7xf32>, %c: tensor<7x7xf32>) -> tensor<7x7xf32> {
  %0 = linalg.matmul {first} ins(%a, %b : tensor<7x7xf32>, tensor<7x7xf32>) outs(%c : tensor<7x7xf32>) -> tensor<7x7xf32>
  %1 = linalg.matmul {second} ins(%0, %b : tensor<7x7xf32>, tensor<7x7xf32>) outs(%c : tensor<7x7xf32>) -> tensor<7x7xf32>
  return %1 : tensor<7x7xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %first = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %roots = transform.merge_handles %second, %first : !transform.any_op
    transform.linalg_ext.explain_fusion %roots levels = [for(4)] : !transform.any_op
    transform.yield
  }
}
