// A result that is an argument stays a result, as upstream's bufferization has it: callers
// may be in modules that were compiled by other means. Dropping it is an option.

// RUN: linalg-ext-opt %s --linalg-ext-to-llvm | FileCheck %s
// RUN: mlir-opt %s --pass-pipeline='builtin.module(%cpu_passes)' --load-pass-plugin=%plugin | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=drop-aliased-results=true | FileCheck %s --check-prefix=DROP
// RUN: linalg-ext-opt %s --linalg-ext-to-buffers=out-params=true | FileCheck %s --check-prefix=PARAMS

// CHECK: llvm.func @accumulate({{.*}}) -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// DROP: llvm.func @accumulate(
// DROP-NOT: ) -> !llvm.struct
// DROP: llvm.return{{$}}

// PARAMS: func @accumulate(%{{.*}}: memref<4x4xf32>, %{{.*}}: memref<4x4xf32>, %{{.*}}: memref<4x4xf32>, %{{.*}}: memref<4x4xf32>) {
func.func @accumulate(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
