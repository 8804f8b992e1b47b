// The key loop neither allocates nor copies, whether the sequence lengths are
// multiples of the tile sizes, are not, or are not known. With stock mlir-opt and
// either plugin flag the result is the same.

// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512})' -o %t.ours
// RUN: FileCheck %s < %t.ours
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512})' | diff %t.ours -
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512})' | diff %t.ours -
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx512})' | diff %t.ours -
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=avx2})' | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-to-llvm{cpu=x86-64-v3 normalization=eager})' | FileCheck %s

// Buffers are made in front of the first loop: the scores of one tile and the
// result on the heap, the state of its rows on the stack.

// CHECK-LABEL: llvm.func @dividing(
// CHECK-DAG:     llvm.alloca
// CHECK-DAG:     llvm.call @malloc
// CHECK:         llvm.br
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.intr.fma
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.call @free
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.return
// CHECK:       llvm.func @_mlir_ciface_dividing(
func.func @dividing(%q: tensor<12x1024x64xf32>, %k: tensor<12x1024x64xf32>,
                    %v: tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x1024x1024xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x1024x1024xf32>) -> tensor<12x1024x1024xf32>
  %kt_empty = tensor.empty() : tensor<12x64x1024xf32>
  %kt = linalg.transpose ins(%k : tensor<12x1024x64xf32>) outs(%kt_empty : tensor<12x64x1024xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<12x1024x64xf32>, tensor<12x64x1024xf32>)
      outs(%zeros : tensor<12x1024x1024xf32>) -> tensor<12x1024x1024xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<12x1024x1024xf32>)
      outs(%empty : tensor<12x1024x1024xf32>) -> tensor<12x1024x1024xf32>
  %out_empty = tensor.empty() : tensor<12x1024x64xf32>
  %out = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<12x1024x1024xf32>, tensor<12x1024x64xf32>)
      outs(%out : tensor<12x1024x64xf32>) -> tensor<12x1024x64xf32>
  return %r : tensor<12x1024x64xf32>
}

// CHECK-LABEL: llvm.func @not_dividing(
// CHECK-DAG:     llvm.alloca
// CHECK-DAG:     llvm.call @malloc
// CHECK:         llvm.br
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.intr.fma
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.intr.masked.load
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.call @free
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.return
// CHECK:       llvm.func @_mlir_ciface_not_dividing(
func.func @not_dividing(%q: tensor<12x1001x64xf32>, %k: tensor<12x1003x64xf32>,
                        %v: tensor<12x1003x64xf32>) -> tensor<12x1001x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x1001x1003xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x1001x1003xf32>) -> tensor<12x1001x1003xf32>
  %kt_empty = tensor.empty() : tensor<12x64x1003xf32>
  %kt = linalg.transpose ins(%k : tensor<12x1003x64xf32>) outs(%kt_empty : tensor<12x64x1003xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<12x1001x64xf32>, tensor<12x64x1003xf32>)
      outs(%zeros : tensor<12x1001x1003xf32>) -> tensor<12x1001x1003xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<12x1001x1003xf32>)
      outs(%empty : tensor<12x1001x1003xf32>) -> tensor<12x1001x1003xf32>
  %out_empty = tensor.empty() : tensor<12x1001x64xf32>
  %out = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<12x1001x64xf32>) -> tensor<12x1001x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<12x1001x1003xf32>, tensor<12x1003x64xf32>)
      outs(%out : tensor<12x1001x64xf32>) -> tensor<12x1001x64xf32>
  return %r : tensor<12x1001x64xf32>
}

// CHECK-LABEL: llvm.func @dynamic(
// CHECK-DAG:     llvm.alloca
// CHECK-DAG:     llvm.call @malloc
// CHECK:         llvm.br
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.intr.fma
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.intr.masked.load
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.call @free
// CHECK-NOT:     {{@malloc|@aligned_alloc|alloca|memcpy|memmove|memrefCopy}}
// CHECK:         llvm.return
// CHECK:       llvm.func @_mlir_ciface_dynamic(
func.func @dynamic(%q: tensor<?x?x64xf32>, %k: tensor<?x?x64xf32>, %v: tensor<?x?x64xf32>) -> tensor<?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x64xf32>
  %n = tensor.dim %q, %c1 : tensor<?x?x64xf32>
  %m = tensor.dim %k, %c1 : tensor<?x?x64xf32>
  %empty = tensor.empty(%b, %n, %m) : tensor<?x?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %kt_empty = tensor.empty(%b, %m) : tensor<?x64x?xf32>
  %kt = linalg.transpose ins(%k : tensor<?x?x64xf32>) outs(%kt_empty : tensor<?x64x?xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<?x?x64xf32>, tensor<?x64x?xf32>)
      outs(%zeros : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x?x?xf32>)
      outs(%empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %out_empty = tensor.empty(%b, %n) : tensor<?x?x64xf32>
  %out = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x64xf32>)
      outs(%out : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %r : tensor<?x?x64xf32>
}
