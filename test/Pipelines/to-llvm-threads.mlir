// Buffers of a tile are allocated by the thread that uses them, and loops handed out
// one iteration at a time. With stock mlir-opt and the plugin the result is the same.

// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512 threads=openmp split=-1})' -o %t.ours
// RUN: FileCheck %s < %t.ours
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512 threads=openmp split=-1})' | diff %t.ours -
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512 threads=openmp split=256})' | FileCheck %s --check-prefix=SPLIT
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512})' | FileCheck %s --check-prefix=NONE

// NONE-NOT: omp.

// CHECK-LABEL: llvm.func @attention(
// The result, and nothing else, in front of the threads.
// CHECK:         llvm.call @malloc
// CHECK-NOT:     {{@malloc|alloca}}
// CHECK:         omp.parallel
// CHECK:           llvm.call @malloc
// CHECK:           omp.wsloop nowait schedule(dynamic) {
// CHECK-NEXT:        omp.loop_nest
// CHECK-NOT:           {{@malloc|alloca|@free|stacksave}}
// CHECK:               llvm.intr.fma
// CHECK-NOT:           {{@malloc|alloca|@free|stacksave}}
// CHECK:               omp.yield
// CHECK:           llvm.call @free
// CHECK:           omp.terminator
// CHECK:         llvm.return

// Chunks of the keys, and what merges them.
// SPLIT-LABEL: llvm.func @attention(
// SPLIT:         omp.parallel
// SPLIT:         omp.parallel
// SPLIT:         llvm.return
func.func @attention(%q: tensor<4x64x64xf32>, %k: tensor<4x1000x64xf32>, %v: tensor<4x1000x64xf32>) -> tensor<4x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<4x64x1000xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<4x64x1000xf32>) -> tensor<4x64x1000xf32>
  %kt_empty = tensor.empty() : tensor<4x64x1000xf32>
  %kt = linalg.transpose ins(%k : tensor<4x1000x64xf32>) outs(%kt_empty : tensor<4x64x1000xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<4x64x64xf32>, tensor<4x64x1000xf32>)
      outs(%sf : tensor<4x64x1000xf32>) -> tensor<4x64x1000xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x64x1000xf32>) outs(%se : tensor<4x64x1000xf32>) -> tensor<4x64x1000xf32>
  %oe = tensor.empty() : tensor<4x64x64xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<4x64x1000xf32>, tensor<4x1000x64xf32>)
      outs(%of : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  return %r : tensor<4x64x64xf32>
}
