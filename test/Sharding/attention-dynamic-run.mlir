// Sizes that are known at run time alone: those of parts follow from their arguments, and
// positions from those. One library runs several shapes.
// Each under one MPI library, in turns (see importers-run.test).
// REQUIRES: mpi, numpy

// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [[0]], [[0]], [[0]] -> [[0]]" %s --attention=0.25 --causal \
// RUN:   --shapes=4x32x16,4x32x16,4x32x16/2x4x16,2x100x16,2x100x16/2x64x16,2x200x16,2x200x16 | FileCheck %s
// RUN: env MPI=openmpi COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [[], [0]], [], [] -> [[], [0]]" %s --attention=0.25 --causal \
// RUN:   --shapes=4x32x16,4x32x16,4x32x16/2x4x16,2x100x16,2x100x16/2x64x16,2x200x16,2x200x16 | FileCheck %s
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "4: [], [[], [0]], [[], [0]] -> []" %s --attention=0.25 --causal \
// RUN:   --shapes=4x32x16,4x32x16,4x32x16/2x4x16,2x100x16,2x100x16/2x64x16,2x200x16,2x200x16 | FileCheck %s
// RUN: env MPI=openmpi COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "2x2: [[0]], [[0], [1]], [[0], [1]] -> [[0]]" %s --attention=0.25 --causal \
// RUN:   --shapes=4x32x16,4x32x16,4x32x16/2x4x16,2x100x16,2x100x16/2x64x16,2x200x16,2x200x16 | FileCheck %s
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 4 "4: [[], [0]], [[], ring [0]], [[], ring [0]] -> [[], [0]]" %s --attention=0.25 --causal \
// RUN:   --shapes=4x32x16,4x32x16,4x32x16/2x4x16,2x100x16,2x100x16/2x64x16,2x200x16,2x200x16 | FileCheck %s
// RUN: env MPI=openmpi COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2 striped: [[], [0]], [[], ring [0]], [[], ring [0]] -> [[], [0]]" %s --attention=0.25 --causal \
// RUN:   --shapes=4x32x16,4x32x16,4x32x16/2x4x16,2x100x16,2x100x16/2x64x16,2x200x16,2x200x16 | FileCheck %s

// CHECK: {{mpich|openmpi}}:
// CHECK-NEXT: process {{.*}} to {{one process|f64}}
// CHECK-NOT: expected

func.func @attention(%q: tensor<?x?x16xf32>, %k: tensor<?x?x16xf32>,
                     %v: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %heads = tensor.dim %q, %c0 : tensor<?x?x16xf32>
  %rows = tensor.dim %q, %c1 : tensor<?x?x16xf32>
  %keys = tensor.dim %k, %c1 : tensor<?x?x16xf32>
  %shift = arith.subi %keys, %rows : index
  %se = tensor.empty(%heads, %rows, %keys) : tensor<?x?x?xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x16xf32>, tensor<?x?x16xf32>) outs(%sz : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x?x?xf32>) outs(%se : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %scale : f32
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %last = arith.addi %m, %shift : index
    %seen = arith.cmpi sle, %n, %last : index
    %masked = arith.select %seen, %scaled, %ninf : f32
    linalg.yield %masked : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<?x?x?xf32>) outs(%se : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %oe = tensor.empty(%heads, %rows) : tensor<?x?x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x16xf32>) outs(%oz : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  return %o : tensor<?x?x16xf32>
}
