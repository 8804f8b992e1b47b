// Tensors of complex numbers are two tensors: of real and of imaginary parts.

// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file -o %t
// RUN: FileCheck %s < %t
// RUN: linalg-ext-opt %t --linalg-ext-normalize --split-input-file | diff %t -
// RUN: mlir-opt %s --load-pass-plugin=%plugin --split-input-file \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-normalize)' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @product
//   CHECK-NOT: complex
//       CHECK: linalg.generic
//       CHECK: arith.subf
//       CHECK: linalg.generic
//       CHECK: arith.addf
//   CHECK-NOT: complex
func.func @product(%re: tensor<?x4xf32>, %im: tensor<?x4xf32>, %c: tensor<4xf32>, %s: tensor<4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %re, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xcomplex<f32>>
  %r = tensor.empty(%n) : tensor<?x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%re, %im : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xcomplex<f32>>) {
  ^bb0(%a: f32, %b: f32, %o: complex<f32>):
    %0 = complex.create %a, %b : complex<f32>
    linalg.yield %0 : complex<f32>
  } -> tensor<?x4xcomplex<f32>>
  %p = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %c, %s : tensor<?x4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<?x4xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: f32, %d: f32, %o: complex<f32>):
    %0 = complex.create %b, %d : complex<f32>
    %1 = complex.mul %a, %0 : complex<f32>
    linalg.yield %1 : complex<f32>
  } -> tensor<?x4xcomplex<f32>>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x4xcomplex<f32>>) outs(%r : tensor<?x4xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %0 = complex.re %a : complex<f32>
    linalg.yield %0 : f32
  } -> tensor<?x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x4xcomplex<f32>>) outs(%r : tensor<?x4xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %0 = complex.im %a : complex<f32>
    linalg.yield %0 : f32
  } -> tensor<?x4xf32>
  return %x, %y : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// What comes from an argument is taken apart, and what goes to a result is put
// together: in between are parts.

// CHECK-LABEL: func @argument
//  CHECK-SAME: %[[X:.*]]: tensor<2x4xcomplex<f32>>
//       CHECK: complex.re
//       CHECK: complex.im
//       CHECK: tensor.concat {{.*}} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
//       CHECK: tensor.concat {{.*}} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
//       CHECK: complex.create
//       CHECK: return {{.*}} : tensor<4x4xcomplex<f32>>
func.func @argument(%x: tensor<2x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  %e = tensor.empty() : tensor<2x4xcomplex<f32>>
  %c = linalg.map { complex.conj } ins(%x : tensor<2x4xcomplex<f32>>) outs(%e : tensor<2x4xcomplex<f32>>)
  %r = tensor.concat dim(0) %x, %c : (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return %r : tensor<4x4xcomplex<f32>>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Between an argument and a result nothing is won.

// CHECK-LABEL: func @negative_between
//       CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xcomplex<f32>>)
//   CHECK-NOT: linalg.generic
//       CHECK: return
func.func @negative_between(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    %0 = complex.mul %a, %a : complex<f32>
    linalg.yield %0 : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----

#in = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Pairs that are chosen by position are put together.

// CHECK-LABEL: func @pairs
//  CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>
//   CHECK-DAG: %[[X:.*]] = tensor.expand_shape %[[A]]
//   CHECK-DAG: %[[Y:.*]] = tensor.expand_shape %[[B]]
//       CHECK: tensor.concat dim(1) %[[X]], %[[Y]]
func.func @pairs(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?x2xf32>
  %r = linalg.generic {indexing_maps = [#in, #in, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?x2xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %i = linalg.index 1 : index
    %is = arith.cmpi eq, %i, %c0 : index
    %0 = arith.select %is, %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Casts from and to tensors of unknown rank stay as they are.

// CHECK-LABEL: func @negative_unranked
//       CHECK: tensor.cast %{{.*}} : tensor<*xcomplex<f32>> to tensor<4xcomplex<f32>>
//       CHECK: tensor.cast %{{.*}} : tensor<4xcomplex<f32>> to tensor<*xcomplex<f32>>
func.func @negative_unranked(%x: tensor<*xcomplex<f32>>) -> (tensor<4xf32>, tensor<*xcomplex<f32>>) {
  %0 = tensor.cast %x : tensor<*xcomplex<f32>> to tensor<4xcomplex<f32>>
  %e = tensor.empty() : tensor<4xf32>
  %ec = tensor.empty() : tensor<4xcomplex<f32>>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%0 : tensor<4xcomplex<f32>>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %r = complex.re %a : complex<f32>
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%1 : tensor<4xf32>) outs(%ec : tensor<4xcomplex<f32>>) {
  ^bb0(%a: f32, %o: complex<f32>):
    %r = complex.create %a, %a : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<4xcomplex<f32>>
  %3 = tensor.cast %2 : tensor<4xcomplex<f32>> to tensor<*xcomplex<f32>>
  return %1, %3 : tensor<4xf32>, tensor<*xcomplex<f32>>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A choice is one of each part.

// CHECK-LABEL: func @chosen
//   CHECK-NOT: complex
//       CHECK: arith.select {{.*}} : f32
//   CHECK-NOT: complex
//       CHECK: return
func.func @chosen(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<8xcomplex<f32>>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%ec : tensor<8xcomplex<f32>>) {
  ^bb0(%x: f32, %y: f32, %o: complex<f32>):
    %r = complex.create %x, %y : complex<f32>
    %c = complex.conj %r : complex<f32>
    %is = arith.cmpf ogt, %x, %zero : f32
    %s = arith.select %is, %r, %c : complex<f32>
    linalg.yield %s : complex<f32>
  } -> tensor<8xcomplex<f32>>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xcomplex<f32>>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: complex<f32>, %o: f32):
    %r = complex.re %x : complex<f32>
    %i = complex.im %x : complex<f32>
    %s = arith.mulf %r, %i : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Arguments stay complex. What reads their parts is in front of the concatenation, in one order.

// CHECK-LABEL: @concatenated_arguments
// CHECK-DAG:     %[[RE0:.*]] = linalg.generic {{.*}} ins(%arg0
// CHECK-DAG:     %[[RE1:.*]] = linalg.generic {{.*}} ins(%arg1
// CHECK:         tensor.concat dim(0) {{.*}} : (tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK:         tensor.concat dim(0) {{.*}} : (tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK-NOT:     complex.
func.func @concatenated_arguments(%x: tensor<2x4xcomplex<f32>>, %z: tensor<2x4xcomplex<f32>>) -> tensor<4x4xf32> {
  %c = tensor.concat dim(0) %x, %z : (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %e = tensor.empty() : tensor<4x4xf32>
  %abs = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<4x4xcomplex<f32>>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %v = complex.abs %a : complex<f32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %abs : tensor<4x4xf32>
}
