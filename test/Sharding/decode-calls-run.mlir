// One query, and many calls: a communicator is made once.
// REQUIRES: mpi, numpy

// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [], [[], [0]], [[], [0]] -> []" %s --attention=0.25 --calls=2500 | FileCheck %s


// CHECK: {{mpich|openmpi}}:
// CHECK-DAG: process 0: 2500 calls without a leak
// CHECK-DAG: process 1: 2500 calls without a leak
// CHECK-DAG: process {{.*}} to one process
// CHECK-DAG: process {{.*}} to f64
// CHECK-NOT: expected

func.func @attention(%q: tensor<4x1x16xf32>, %k: tensor<4x36x16xf32>,
                     %v: tensor<4x36x16xf32>) -> tensor<4x1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<4x1x36xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x1x36xf32>) -> tensor<4x1x36xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x1x16xf32>, tensor<4x36x16xf32>) outs(%sz : tensor<4x1x36xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x1x36xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x1x36xf32>) outs(%se : tensor<4x1x36xf32>) {
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<4x1x36xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<4x1x36xf32>) outs(%se : tensor<4x1x36xf32>) -> tensor<4x1x36xf32>
  %oe = tensor.empty() : tensor<4x1x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x1x36xf32>, tensor<4x36x16xf32>) outs(%oz : tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  return %o : tensor<4x1x16xf32>
}
