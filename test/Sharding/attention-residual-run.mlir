// An attention whose last product accumulates to a residual, which is added once: not by each
// process, nor repaired as what the steps of a ring have accumulated.
// REQUIRES: mpi, numpy

// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 3 "3: [], [[], ring [0]], [[], ring [0]], [] -> []" %s | FileCheck %s
// RUN: env MPI=openmpi COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [], [[], [0]], [[], [0]], [] -> []" %s | FileCheck %s

// CHECK: {{mpich|openmpi}}:
// CHECK-NEXT: process {{.*}} to one process
// CHECK-NOT: expected

func.func @attention(%q: tensor<4x10x16xf32>, %k: tensor<4x30x16xf32>,
                     %v: tensor<4x30x16xf32>, %residual: tensor<4x10x16xf32>) -> tensor<4x10x16xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<4x10x30xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x10x30xf32>) -> tensor<4x10x30xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x10x16xf32>, tensor<4x30x16xf32>) outs(%sz : tensor<4x10x30xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x10x30xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x10x30xf32>) outs(%se : tensor<4x10x30xf32>) -> tensor<4x10x30xf32>
  %te = tensor.empty() : tensor<4x10x16xf32>
  %twice = linalg.generic {indexing_maps = [affine_map<(h, m, d) -> (h, m, d)>, affine_map<(h, m, d) -> (h, m, d)>],
                        iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%residual : tensor<4x10x16xf32>) outs(%te : tensor<4x10x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = arith.addf %a, %a : f32
    linalg.yield %y : f32
  } -> tensor<4x10x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x10x30xf32>, tensor<4x30x16xf32>) outs(%twice : tensor<4x10x16xf32>) -> tensor<4x10x16xf32>
  return %o : tensor<4x10x16xf32>
}
