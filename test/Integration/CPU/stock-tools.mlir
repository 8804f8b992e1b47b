// Stock mlir-opt with either plugin flag and stock mlir-runner, on attention as
// upstream linalg, with numbers that are known.

// REQUIRES: mlir-runner

// RUN: mlir-opt --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-to-llvm)' %s \
// RUN:   | mlir-runner -e main --entry-point-result=void %runner_libs | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-to-llvm{levels="for(1) for(0,0,3)"})' %s \
// RUN:   | mlir-runner -e main --entry-point-result=void %runner_libs | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-to-llvm{fuse=false})' %s \
// RUN:   | mlir-runner -e main --entry-point-result=void %runner_libs | FileCheck %s

// Weights by hand. Row 0: all scores are 0, the mean of the rows of v. Row 1: one
// key is visible. Row 2: nothing is. Row 3: scores of 200 and 100 beside 0, one
// weight is 1. Row 4: three equal scores of -200.

// CHECK: sizes = [5, 2]
// CHECK-NEXT: {{\[}}[3,   30],
// CHECK-NEXT: [2,   20],
// CHECK-NEXT: [0,   0],
// CHECK-NEXT: [4,   40],
// CHECK-NEXT: [4,   40]]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @attention(%q: tensor<5x2xf32>, %k: tensor<5x2xf32>, %v: tensor<5x2xf32>, %mask: tensor<5x5xf32>)
    -> tensor<5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x5xf32>) -> tensor<5x5xf32>
  %kt_empty = tensor.empty() : tensor<2x5xf32>
  %kt = linalg.transpose ins(%k : tensor<5x2xf32>) outs(%kt_empty : tensor<2x5xf32>) permutation = [1, 0]
  %scores = linalg.matmul ins(%q, %kt : tensor<5x2xf32>, tensor<2x5xf32>) outs(%zeros : tensor<5x5xf32>) -> tensor<5x5xf32>
  %masked = linalg.add ins(%scores, %mask : tensor<5x5xf32>, tensor<5x5xf32>) outs(%empty : tensor<5x5xf32>) -> tensor<5x5xf32>
  %p = linalg.softmax dimension(1) ins(%masked : tensor<5x5xf32>) outs(%empty : tensor<5x5xf32>) -> tensor<5x5xf32>
  %out_empty = tensor.empty() : tensor<5x2xf32>
  %out = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<5x2xf32>) -> tensor<5x2xf32>
  %r = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x2xf32>) outs(%out : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}

func.func @main() {
  %q = arith.constant dense<[[0.0, 0.0], [3.0, 1.0], [1.0, 1.0], [0.0, 100.0], [-100.0, 0.0]]> : tensor<5x2xf32>
  %k = arith.constant dense<[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [2.0, 2.0], [2.0, 0.0]]> : tensor<5x2xf32>
  %v = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0], [5.0, 50.0]]> : tensor<5x2xf32>
  %mask = arith.constant dense<[
    [0.0, 0.0, 0.0, 0.0, 0.0],
    [0xFF800000, 0.0, 0xFF800000, 0xFF800000, 0xFF800000],
    [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
    [0.0, 0.0, 0.0, 0.0, 0.0],
    [0xFF800000, 0xFF800000, 0.0, 0.0, 0.0]]> : tensor<5x5xf32>
  %r = call @attention(%q, %k, %v, %mask)
      : (tensor<5x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<5x5xf32>) -> tensor<5x2xf32>
  %u = tensor.cast %r : tensor<5x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
