// An attention whose heads, queries, keys, or heads and keys are on several processes.
// Heads and queries give the bits of one process; keys the result up to rounding.
// Each under one MPI library, in turns (see importers-run.test).
// REQUIRES: mpi, numpy

// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [[0]], [[0]], [[0]] -> [[0]]" %s --bits --attention=0.25 | FileCheck %s
// RUN: env MPI=openmpi COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [[], [0]], [], [] -> [[], [0]]" %s --attention=0.25 | FileCheck %s
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [], [[], [0]], [[], [0]] -> []" %s --attention=0.25 | FileCheck %s
// RUN: env MPI=openmpi COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "2x2: [[0]], [[0], [1]], [[0], [1]] -> [[0]]" %s --attention=0.25 | FileCheck %s
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "2x2: [[], [1]], [[], [0]], [[], [0]] -> [[], [1]]" %s --attention=0.25 | FileCheck %s

// CHECK: {{mpich|openmpi}}:
// CHECK-NEXT: process {{.*}} to {{one process|f64}}
// CHECK-NOT: expected

func.func @attention(%q: tensor<4x10x16xf32>, %k: tensor<4x32x16xf32>,
                     %v: tensor<4x32x16xf32>) -> tensor<4x10x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<4x10x32xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x10x32xf32>) -> tensor<4x10x32xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x10x16xf32>, tensor<4x32x16xf32>) outs(%sz : tensor<4x10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x10x32xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x10x32xf32>) outs(%se : tensor<4x10x32xf32>) {
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<4x10x32xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<4x10x32xf32>) outs(%se : tensor<4x10x32xf32>) -> tensor<4x10x32xf32>
  %oe = tensor.empty() : tensor<4x10x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x10x16xf32>) -> tensor<4x10x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x10x32xf32>, tensor<4x32x16xf32>) outs(%oz : tensor<4x10x16xf32>) -> tensor<4x10x16xf32>
  return %o : tensor<4x10x16xf32>
}
