// RUN: linalg-ext-opt %s --transform-interpreter | FileCheck %s

// CHECK-LABEL: func @matmul
// CHECK:         scf.forall {{.*}} to (512, 512) step (64, 256)
// CHECK:           linalg.matmul
// CHECK:         } {marked}
func.func @matmul(%a: memref<512x512xf32>, %c: memref<512x512xf32>) {
  linalg.matmul ins(%a, %a : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %loop = transform.linalg_ext.tile_to_threads %matmul rows = 64 columns = 256
        : (!transform.any_op) -> !transform.any_op
    transform.annotate %loop "marked" : !transform.any_op
    transform.yield
  }
}
