// f16 with sums in f32: the processes exchange f32.
// REQUIRES: mpi, numpy

// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env COMPILE=linalg-ext-compile PYTHON=%python_with_packages SOURCE=%src_root OUT=%t.dir \
// RUN:   bash %S/Inputs/check 2 "2: [], [[], [0]], [[], [0]] -> []" %s --attention=0.25 --tolerance=2e-3 | FileCheck %s

// CHECK: {{mpich|openmpi}}:
// CHECK-NEXT: process {{.*}} to {{one process|f64}}
// CHECK-NOT: expected

func.func @attention(%q: tensor<4x20x16xf16>, %k: tensor<4x32x16xf16>,
                     %v: tensor<4x32x16xf16>) -> tensor<4x20x16xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<4x20x32xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x20x32xf32>) -> tensor<4x20x32xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(h, m, k, d) -> (h, m, d)>, affine_map<(h, m, k, d) -> (h, k, d)>,
                       affine_map<(h, m, k, d) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x20x16xf16>, tensor<4x32x16xf16>) outs(%sz : tensor<4x20x32xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x20x32xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x20x32xf32>) outs(%se : tensor<4x20x32xf32>) {
  ^bb0(%a: f32, %c: f32):
    %scaled = arith.mulf %a, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<4x20x32xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<4x20x32xf32>) outs(%se : tensor<4x20x32xf32>) -> tensor<4x20x32xf32>
  %we = tensor.empty() : tensor<4x20x32xf16>
  %w16 = linalg.generic {
      indexing_maps = [affine_map<(h, m, k) -> (h, m, k)>, affine_map<(h, m, k) -> (h, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<4x20x32xf32>) outs(%we : tensor<4x20x32xf16>) {
  ^bb0(%w: f32, %c: f16):
    %rounded = arith.truncf %w : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<4x20x32xf16>
  %oe = tensor.empty() : tensor<4x20x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x20x16xf32>) -> tensor<4x20x16xf32>
  %o = linalg.batch_matmul ins(%w16, %v : tensor<4x20x32xf16>, tensor<4x32x16xf16>) outs(%oz : tensor<4x20x16xf32>) -> tensor<4x20x16xf32>
  %he = tensor.empty() : tensor<4x20x16xf16>
  %half = linalg.generic {
      indexing_maps = [affine_map<(h, m, d) -> (h, m, d)>, affine_map<(h, m, d) -> (h, m, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<4x20x16xf32>) outs(%he : tensor<4x20x16xf16>) {
  ^bb0(%w: f32, %c: f16):
    %rounded = arith.truncf %w : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<4x20x16xf16>
  return %half : tensor<4x20x16xf16>
}
