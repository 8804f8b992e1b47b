// A causal mask of positions: each process adds its own. The first rows see no key of
// the last process, so its state is the identity.
// Each under one MPI library, in turns (see importers-run.test).
// REQUIRES: mpi, numpy

// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "4: [], [[], [0]], [[], [0]] -> []" %s --attention=0.25 --causal | FileCheck %s
// RUN: env MPI=openmpi COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "4: [[], [0]], [], [] -> [[], [0]]" %s --attention=0.25 --causal | FileCheck %s
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "2x2: [[], [0]], [[], [1]], [[], [1]] -> [[], [0]]" %s --attention=0.25 --causal | FileCheck %s

// CHECK: {{mpich|openmpi}}:
// CHECK-NEXT: process {{.*}} to {{one process|f64}}
// CHECK-NOT: expected

func.func @attention(%q: tensor<4x32x16xf32>, %k: tensor<4x32x16xf32>,
                     %v: tensor<4x32x16xf32>) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %shift = arith.constant 0 : index
  %se = tensor.empty() : tensor<4x32x32xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x32x16xf32>, tensor<4x32x16xf32>) outs(%sz : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x32x32xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x32x32xf32>) outs(%se : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %scale : f32
    %row = linalg.index 1 : index
    %key = linalg.index 2 : index
    %last = arith.addi %row, %shift : index
    %seen = arith.cmpi ule, %key, %last : index
    %masked = arith.select %seen, %scaled, %ninf : f32
    linalg.yield %masked : f32
  } -> tensor<4x32x32xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<4x32x32xf32>) outs(%se : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %oe = tensor.empty() : tensor<4x32x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x32x32xf32>, tensor<4x32x16xf32>) outs(%oz : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %o : tensor<4x32x16xf32>
}
