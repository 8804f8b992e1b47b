// Two attentions with keys in rings of their own, of several lengths: the second one reads what
// the first one computes, as in a decoder with self attention and cross attention, although
// its keys are in front. The last one has the keys of the first one, and travels with it.
// REQUIRES: mpi, numpy

// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MPI=mpich COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 3 "3: [], [ring [0]], [ring [0]], [ring [0]], [ring [0]] -> []" %s | FileCheck %s

// CHECK: {{mpich|openmpi}}:
// CHECK-NEXT: process {{.*}} to one process
// CHECK-NOT: expected

func.func @attentions(%q: tensor<12x8xf32>, %k2: tensor<15x8xf32>, %v2: tensor<15x8xf32>, %k1: tensor<9x8xf32>, %v1: tensor<9x8xf32>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 3 : index
  %se1 = tensor.empty() : tensor<12x9xf32>
  %sz1 = linalg.fill ins(%zero : f32) outs(%se1 : tensor<12x9xf32>) -> tensor<12x9xf32>
  %s1 = linalg.generic {indexing_maps = [affine_map<(m, k, d) -> (m, d)>, affine_map<(m, k, d) -> (k, d)>, affine_map<(m, k, d) -> (m, k)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k1 : tensor<12x8xf32>, tensor<9x8xf32>) outs(%sz1 : tensor<12x9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<12x9xf32>
  %t1 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s1 : tensor<12x9xf32>) outs(%se1 : tensor<12x9xf32>) {
  ^bb0(%a: f32, %b: f32):
    %ki = linalg.index 1 : index
    %mi = linalg.index 0 : index
    %kk = arith.muli %ki, %c3 : index
    %vis = arith.cmpi ule, %kk, %mi : index
    %z = arith.select %vis, %a, %ninf : f32
    linalg.yield %z : f32
  } -> tensor<12x9xf32>
  %p1 = linalg.softmax dimension(1) ins(%t1 : tensor<12x9xf32>) outs(%se1 : tensor<12x9xf32>) -> tensor<12x9xf32>
  %oe1 = tensor.empty() : tensor<12x8xf32>
  %oz1 = linalg.fill ins(%zero : f32) outs(%oe1 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %o1 = linalg.matmul ins(%p1, %v1 : tensor<12x9xf32>, tensor<9x8xf32>) outs(%oz1 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %se2 = tensor.empty() : tensor<12x15xf32>
  %sz2 = linalg.fill ins(%zero : f32) outs(%se2 : tensor<12x15xf32>) -> tensor<12x15xf32>
  %s2 = linalg.generic {indexing_maps = [affine_map<(m, k, d) -> (m, d)>, affine_map<(m, k, d) -> (k, d)>, affine_map<(m, k, d) -> (m, k)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%o1, %k2 : tensor<12x8xf32>, tensor<15x8xf32>) outs(%sz2 : tensor<12x15xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<12x15xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s2 : tensor<12x15xf32>) outs(%se2 : tensor<12x15xf32>) {
  ^bb0(%a: f32, %b: f32):
    %ki = linalg.index 1 : index
    %mi = linalg.index 0 : index
    %kk = arith.muli %ki, %c3 : index
    %vis = arith.cmpi ule, %kk, %mi : index
    %z = arith.select %vis, %a, %ninf : f32
    linalg.yield %z : f32
  } -> tensor<12x15xf32>
  %p2 = linalg.softmax dimension(1) ins(%t2 : tensor<12x15xf32>) outs(%se2 : tensor<12x15xf32>) -> tensor<12x15xf32>
  %oe2 = tensor.empty() : tensor<12x8xf32>
  %oz2 = linalg.fill ins(%zero : f32) outs(%oe2 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %o2 = linalg.matmul ins(%p2, %v2 : tensor<12x15xf32>, tensor<15x8xf32>) outs(%oz2 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %se3 = tensor.empty() : tensor<12x9xf32>
  %sz3 = linalg.fill ins(%zero : f32) outs(%se3 : tensor<12x9xf32>) -> tensor<12x9xf32>
  %s3 = linalg.generic {indexing_maps = [affine_map<(m, k, d) -> (m, d)>, affine_map<(m, k, d) -> (k, d)>, affine_map<(m, k, d) -> (m, k)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k1 : tensor<12x8xf32>, tensor<9x8xf32>) outs(%sz3 : tensor<12x9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %c, %p : f32
    linalg.yield %t : f32
  } -> tensor<12x9xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s3 : tensor<12x9xf32>) outs(%se3 : tensor<12x9xf32>) {
  ^bb0(%a: f32, %b: f32):
    %ki = linalg.index 1 : index
    %mi = linalg.index 0 : index
    %kk = arith.muli %ki, %c3 : index
    %vis = arith.cmpi ule, %kk, %mi : index
    %z = arith.select %vis, %a, %ninf : f32
    linalg.yield %z : f32
  } -> tensor<12x9xf32>
  %p3 = linalg.softmax dimension(1) ins(%t3 : tensor<12x9xf32>) outs(%se3 : tensor<12x9xf32>) -> tensor<12x9xf32>
  %oe3 = tensor.empty() : tensor<12x8xf32>
  %oz3 = linalg.fill ins(%zero : f32) outs(%oe3 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %o3 = linalg.matmul ins(%p3, %v1 : tensor<12x9xf32>, tensor<9x8xf32>) outs(%oz3 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %a2 = linalg.add ins(%o1, %o2 : tensor<12x8xf32>, tensor<12x8xf32>) outs(%oe2 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %a3 = linalg.add ins(%a2, %o3 : tensor<12x8xf32>, tensor<12x8xf32>) outs(%oe3 : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %a3 : tensor<12x8xf32>
}
