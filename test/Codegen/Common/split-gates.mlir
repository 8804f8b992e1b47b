// RUN: linalg-ext-opt %s --linalg-ext-split-concatenations=steps=split-gates | FileCheck %s

// Two slices of a product that one op multiplies are two products.

// CHECK-LABEL: func @gate(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[W:[a-z0-9]+]]: tensor<8x12xf32>
//   CHECK-DAG:   %[[W0:.+]] = tensor.extract_slice %[[W]][0, 0] [8, 6] [1, 1]
//   CHECK-DAG:   %[[W1:.+]] = tensor.extract_slice %[[W]][0, 6] [8, 6] [1, 1]
//   CHECK-DAG:   %[[Y0:.+]] = linalg.matmul ins(%[[X]], %[[W0]]
//   CHECK-DAG:   %[[Y1:.+]] = linalg.matmul ins(%[[X]], %[[W1]]
//       CHECK:   linalg.mul ins(%[[Y0]], %[[Y1]]
func.func @gate(%x: tensor<4x8xf32>, %w: tensor<8x12xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x12xf32>) -> tensor<4x12xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x12xf32>) outs(%f : tensor<4x12xf32>) -> tensor<4x12xf32>
  %gate = tensor.extract_slice %y[0, 0] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %up = tensor.extract_slice %y[0, 6] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %er = tensor.empty() : tensor<4x6xf32>
  %r = linalg.mul ins(%gate, %up : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// Queries and keys of one product are apart.

// CHECK-LABEL: func @negative_apart(
//       CHECK:   linalg.matmul
//   CHECK-NOT:   linalg.matmul
func.func @negative_apart(%x: tensor<4x8xf32>, %w: tensor<8x12xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x12xf32>) -> tensor<4x12xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x12xf32>) outs(%f : tensor<4x12xf32>) -> tensor<4x12xf32>
  %q = tensor.extract_slice %y[0, 0] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %k = tensor.extract_slice %y[0, 6] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %er = tensor.empty() : tensor<4x6xf32>
  %r = linalg.exp ins(%q : tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r, %k : tensor<4x6xf32>, tensor<4x6xf32>
}

// Halves that are rotated are combined twice.

// CHECK-LABEL: func @negative_rotation(
//       CHECK:   linalg.matmul
//   CHECK-NOT:   linalg.matmul
func.func @negative_rotation(%x: tensor<4x8xf32>, %w: tensor<8x12xf32>, %c: tensor<4x6xf32>, %s: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x12xf32>) -> tensor<4x12xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x12xf32>) outs(%f : tensor<4x12xf32>) -> tensor<4x12xf32>
  %a = tensor.extract_slice %y[0, 0] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %b = tensor.extract_slice %y[0, 6] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %er = tensor.empty() : tensor<4x6xf32>
  %0 = linalg.mul ins(%a, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.mul ins(%b, %s : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.sub ins(%0, %1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = linalg.mul ins(%a, %s : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = linalg.mul ins(%b, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = linalg.add ins(%3, %4 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %2, %5 : tensor<4x6xf32>, tensor<4x6xf32>
}

// A batch of one that is added to the slices, of an unknown number of rows, is added to
// what combines them.

// CHECK-LABEL: func @batch_of_one(
//       CHECK:   %[[Y0:.+]] = linalg.matmul {{.*}} -> tensor<?x6xf32>
//       CHECK:   %[[Y1:.+]] = linalg.matmul {{.*}} -> tensor<?x6xf32>
//       CHECK:   %[[R:.+]] = linalg.generic {{.*}} ins(%[[Y0]], %[[Y1]] : tensor<?x6xf32>, tensor<?x6xf32>)
//       CHECK:   tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]]
func.func @batch_of_one(%x: tensor<?x8xf32>, %w: tensor<8x12xf32>) -> tensor<1x?x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x12xf32>) -> tensor<?x12xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x12xf32>) outs(%f : tensor<?x12xf32>) -> tensor<?x12xf32>
  %b = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, %n, 12] : tensor<?x12xf32> into tensor<1x?x12xf32>
  %gate = tensor.extract_slice %b[0, 0, 0] [1, %n, 6] [1, 1, 1] : tensor<1x?x12xf32> to tensor<1x?x6xf32>
  %up = tensor.extract_slice %b[0, 0, 6] [1, %n, 6] [1, 1, 1] : tensor<1x?x12xf32> to tensor<1x?x6xf32>
  %er = tensor.empty(%n) : tensor<1x?x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%gate, %up : tensor<1x?x6xf32>, tensor<1x?x6xf32>) outs(%er : tensor<1x?x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<1x?x6xf32>
  return %r : tensor<1x?x6xf32>
}

// One kernel computes four products, no more.

// CHECK-LABEL: func @negative_five(
//       CHECK:   linalg.matmul
//   CHECK-NOT:   linalg.matmul
//       CHECK:   return
func.func @negative_five(%x: tensor<4x8xf32>, %w: tensor<8x30xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x30xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x30xf32>) -> tensor<4x30xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x30xf32>) outs(%f : tensor<4x30xf32>) -> tensor<4x30xf32>
  %0 = tensor.extract_slice %y[0, 0] [4, 6] [1, 1] : tensor<4x30xf32> to tensor<4x6xf32>
  %1 = tensor.extract_slice %y[0, 6] [4, 6] [1, 1] : tensor<4x30xf32> to tensor<4x6xf32>
  %2 = tensor.extract_slice %y[0, 12] [4, 6] [1, 1] : tensor<4x30xf32> to tensor<4x6xf32>
  %3 = tensor.extract_slice %y[0, 18] [4, 6] [1, 1] : tensor<4x30xf32> to tensor<4x6xf32>
  %4 = tensor.extract_slice %y[0, 24] [4, 6] [1, 1] : tensor<4x30xf32> to tensor<4x6xf32>
  %er = tensor.empty() : tensor<4x6xf32>
  %m1 = linalg.max ins(%0, %1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m2 = linalg.max ins(%m1, %2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m3 = linalg.max ins(%m2, %3 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m4 = linalg.max ins(%m3, %4 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %m4 : tensor<4x6xf32>
}

// Three slices of each of two products, as of a GRU, are six products, which no kernel computes together.

// CHECK-LABEL: func @negative_three_gates_of_two_products(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[H:[a-z0-9]+]]: tensor<4x6xf32>, %[[W:[a-z0-9]+]]: tensor<8x18xf32>, %[[U:[a-z0-9]+]]: tensor<6x18xf32>
//       CHECK:   linalg.matmul ins(%[[X]], %[[W]]
//       CHECK:   linalg.matmul ins(%[[H]], %[[U]]
//   CHECK-NOT:   linalg.matmul
func.func @negative_three_gates_of_two_products(%x: tensor<4x8xf32>, %h: tensor<4x6xf32>, %w: tensor<8x18xf32>, %u: tensor<6x18xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x18xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x18xf32>) -> tensor<4x18xf32>
  %a = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x18xf32>) outs(%f : tensor<4x18xf32>) -> tensor<4x18xf32>
  %b = linalg.matmul ins(%h, %u : tensor<4x6xf32>, tensor<6x18xf32>) outs(%f : tensor<4x18xf32>) -> tensor<4x18xf32>
  %a0 = tensor.extract_slice %a[0, 0] [4, 6] [1, 1] : tensor<4x18xf32> to tensor<4x6xf32>
  %a1 = tensor.extract_slice %a[0, 6] [4, 6] [1, 1] : tensor<4x18xf32> to tensor<4x6xf32>
  %a2 = tensor.extract_slice %a[0, 12] [4, 6] [1, 1] : tensor<4x18xf32> to tensor<4x6xf32>
  %b0 = tensor.extract_slice %b[0, 0] [4, 6] [1, 1] : tensor<4x18xf32> to tensor<4x6xf32>
  %b1 = tensor.extract_slice %b[0, 6] [4, 6] [1, 1] : tensor<4x18xf32> to tensor<4x6xf32>
  %b2 = tensor.extract_slice %b[0, 12] [4, 6] [1, 1] : tensor<4x18xf32> to tensor<4x6xf32>
  %er = tensor.empty() : tensor<4x6xf32>
  %0 = linalg.add ins(%a0, %b0 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.add ins(%a1, %b1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.mul ins(%0, %b2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = linalg.add ins(%a2, %2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = linalg.mul ins(%1, %3 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %4 : tensor<4x6xf32>
}

// Layers of highways: the gate of each layer reads the result of the layer in front, as a product
// does. The slices of other layers do not count.

// CHECK-LABEL: func @layers(
//  CHECK-COUNT-6: linalg.matmul
//   CHECK-NOT:   linalg.matmul
func.func @layers(%x: tensor<4x6xf32>, %w0: tensor<6x12xf32>, %w1: tensor<6x12xf32>, %w2: tensor<6x12xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x12xf32>
  %er = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x12xf32>) -> tensor<4x12xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<4x6xf32>, tensor<6x12xf32>) outs(%f : tensor<4x12xf32>) -> tensor<4x12xf32>
  %a0 = tensor.extract_slice %p0[0, 0] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %b0 = tensor.extract_slice %p0[0, 6] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %d0 = linalg.sub ins(%a0, %x : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %g0 = linalg.mul ins(%d0, %b0 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %h0 = linalg.add ins(%g0, %x : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %p1 = linalg.matmul ins(%h0, %w1 : tensor<4x6xf32>, tensor<6x12xf32>) outs(%f : tensor<4x12xf32>) -> tensor<4x12xf32>
  %a1 = tensor.extract_slice %p1[0, 0] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %b1 = tensor.extract_slice %p1[0, 6] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %d1 = linalg.sub ins(%a1, %h0 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %g1 = linalg.mul ins(%d1, %b1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %h1 = linalg.add ins(%g1, %h0 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %p2 = linalg.matmul ins(%h1, %w2 : tensor<4x6xf32>, tensor<6x12xf32>) outs(%f : tensor<4x12xf32>) -> tensor<4x12xf32>
  %a2 = tensor.extract_slice %p2[0, 0] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %b2 = tensor.extract_slice %p2[0, 6] [4, 6] [1, 1] : tensor<4x12xf32> to tensor<4x6xf32>
  %d2 = linalg.sub ins(%a2, %h1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %g2 = linalg.mul ins(%d2, %b2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  %h2 = linalg.add ins(%g2, %h1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%er : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %h2 : tensor<4x6xf32>
}
