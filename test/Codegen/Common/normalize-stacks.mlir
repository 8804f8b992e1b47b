// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling | FileCheck %s

// An op that chooses by the position in a short dimension is one op for each position.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @pairs
// CHECK:       %[[A:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>)
// CHECK:       tensor.concat dim(1) {{.*}} : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
func.func @pairs(%x: tensor<?xf32>, %y: tensor<?xf32>, %e: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [#row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %d = arith.subf %a, %b : f32
    %i = linalg.index 1 : index
    %first = arith.cmpi eq, %i, %c0 : index
    %r = arith.select %first, %s, %d : f32
    linalg.yield %r : f32
  } -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// Of three short dimensions there would be 64 ops.

// CHECK-LABEL:  func @negative_many
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:    linalg.generic
// CHECK-NOT:    tensor.concat
// CHECK:        return
func.func @negative_many(%x: tensor<?xf32>, %e: tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(n, i, j, k) -> (n)>, affine_map<(n, i, j, k) -> (n, i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?x4x4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %k = linalg.index 3 : index
    %p = arith.cmpi eq, %i, %c0 : index
    %q = arith.cmpi eq, %j, %c0 : index
    %r = arith.cmpi eq, %k, %c0 : index
    %s = arith.select %p, %a, %zero : f32
    %t = arith.select %q, %s, %zero : f32
    %u = arith.select %r, %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<?x4x4x4xf32>
  return %0 : tensor<?x4x4x4xf32>
}
