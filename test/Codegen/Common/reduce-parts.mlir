// RUN: linalg-ext-opt %s -split-input-file -linalg-ext-split-concatenations=steps=reduce-parts -canonicalize -cse | FileCheck %s

// A sink: the softmax of the scores starts from the state of the column.

func.func @sink(%x: tensor<4x8xf32>, %sink: tensor<4x1xf32>, %m0: tensor<4xf32>, %l0: tensor<4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x9xf32>
  %s = tensor.empty() : tensor<4xf32>
  %c = tensor.concat dim(1) %x, %sink : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x9xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x9xf32>) outs(%e, %m0, %l0, %s : tensor<4x9xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x9xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %p = tensor.extract_slice %y#0[0, 0] [4, 8] [1, 1] : tensor<4x9xf32> to tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}
// CHECK-LABEL: func @sink(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[SINK:[a-z0-9]+]]: tensor<4x1xf32>, %[[M:[a-z0-9]+]]: tensor<4xf32>, %[[L:[a-z0-9]+]]: tensor<4xf32>
//   CHECK-NOT:   tensor.concat
//       CHECK:   %[[STATE:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[SINK]] : tensor<4x1xf32>) outs(%{{.+}}, %[[M]], %[[L]], %{{.+}} :
//       CHECK:   %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<4x8xf32>) outs(%{{.+}}, %[[STATE]]#1, %[[STATE]]#2, %{{.+}} :
//       CHECK:   return %[[Y]]#0

// -----

// In front, with what is elementwise on both sides, dynamic; whoever asks for
// the state takes that of all parts.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @sink_dynamic(%x: tensor<4x?xf16>, %sink: tensor<4x1xf16>, %y0: tensor<4x?xf32>, %m0: tensor<4xf32>, %l0: tensor<4xf32>, %e0: tensor<4x?xf32>, %e1: tensor<4x?xf16>) -> (tensor<4x?xf16>, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf16>
  %c = tensor.concat dim(1) %sink, %x : (tensor<4x1xf16>, tensor<4x?xf16>) -> tensor<4x?xf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x?xf16>) outs(%e0 : tensor<4x?xf32>) {
  ^bb0(%a: f16, %o: f32):
    %r = arith.extf %a : f16 to f32
    linalg.yield %r : f32
  } -> tensor<4x?xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%w : tensor<4x?xf32>) outs(%y0, %m0, %l0, %m0 : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y#0 : tensor<4x?xf32>) outs(%e1 : tensor<4x?xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x?xf16>
  %p = tensor.extract_slice %t[0, 1] [4, %n] [1, 1] : tensor<4x?xf16> to tensor<4x?xf16>
  return %p, %y#1 : tensor<4x?xf16>, tensor<4xf32>
}
// CHECK-LABEL: func @sink_dynamic(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<4x?xf16>, %[[SINK:[a-z0-9]+]]: tensor<4x1xf16>
//   CHECK-NOT:   tensor.concat
//       CHECK:   %[[COLUMN:.+]] = linalg.generic {{.*}} ins(%[[SINK]] : tensor<4x1xf16>)
//       CHECK:   %[[STATE:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[COLUMN]] : tensor<4x1xf32>)
//       CHECK:   %[[WIDE:.+]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x?xf16>)
//       CHECK:   %[[Y:.+]]:4 = linalg_ext.softmax dimension(1) ins(%[[WIDE]] : tensor<4x?xf32>) outs(%{{.+}}, %[[STATE]]#1, %[[STATE]]#2, %{{.+}} :
//       CHECK:   %[[T:.+]] = linalg.generic {{.*}} ins(%[[Y]]#0 : tensor<4x?xf32>)
//       CHECK:   return %[[T]], %[[Y]]#1

// -----

// All parts are used.

func.func @negative_softmax_all(%x: tensor<4x8xf32>, %z: tensor<4x2xf32>, %m0: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x2xf32>) {
  %e = tensor.empty() : tensor<4x10xf32>
  %c = tensor.concat dim(1) %x, %z : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x10xf32>) outs(%e, %m0, %m0, %m0 : tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %p = tensor.extract_slice %y#0[0, 0] [4, 8] [1, 1] : tensor<4x10xf32> to tensor<4x8xf32>
  %q = tensor.extract_slice %y#0[0, 8] [4, 2] [1, 1] : tensor<4x10xf32> to tensor<4x2xf32>
  return %p, %q : tensor<4x8xf32>, tensor<4x2xf32>
}
// CHECK-LABEL: func @negative_softmax_all(
//       CHECK:   tensor.concat
//       CHECK:   linalg_ext.softmax
//   CHECK-NOT:   linalg_ext.softmax

// -----

// What is used does not end where a part ends.

func.func @negative_softmax_seam(%x: tensor<4x8xf32>, %z: tensor<4x2xf32>, %m0: tensor<4xf32>) -> tensor<4x9xf32> {
  %e = tensor.empty() : tensor<4x10xf32>
  %c = tensor.concat dim(1) %x, %z : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x10xf32>) outs(%e, %m0, %m0, %m0 : tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %p = tensor.extract_slice %y#0[0, 0] [4, 9] [1, 1] : tensor<4x10xf32> to tensor<4x9xf32>
  return %p : tensor<4x9xf32>
}
// CHECK-LABEL: func @negative_softmax_seam(
//       CHECK:   tensor.concat
//       CHECK:   linalg_ext.softmax
//   CHECK-NOT:   linalg_ext.softmax

// -----

// The scale of the op is that from the state before it.

func.func @negative_softmax_scale(%x: tensor<4x8xf32>, %z: tensor<4x2xf32>, %m0: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x10xf32>
  %c = tensor.concat dim(1) %x, %z : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x10xf32>) outs(%e, %m0, %m0, %m0 : tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %p = tensor.extract_slice %y#0[0, 0] [4, 8] [1, 1] : tensor<4x10xf32> to tensor<4x8xf32>
  return %p, %y#3 : tensor<4x8xf32>, tensor<4xf32>
}
// CHECK-LABEL: func @negative_softmax_scale(
//       CHECK:   tensor.concat
//       CHECK:   linalg_ext.softmax
//   CHECK-NOT:   linalg_ext.softmax

// -----

// Both operands are concatenated (the queries and the cache of latent
// attention), one by insert_slice.

func.func @sum(%a: tensor<4x6xf32>, %b: tensor<4x2xf32>, %c: tensor<6x5xf32>, %d: tensor<2x5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.insert_slice %b into %e[0, 6] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x8xf32>
  %l = tensor.insert_slice %a into %f[0, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<4x8xf32>
  %r = tensor.concat dim(0) %c, %d : (tensor<6x5xf32>, tensor<2x5xf32>) -> tensor<8x5xf32>
  %s = linalg.matmul ins(%l, %r : tensor<4x8xf32>, tensor<8x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
// CHECK-LABEL: func @sum(
//  CHECK-SAME:     %[[A:[a-z0-9]+]]: tensor<4x6xf32>, %[[B:[a-z0-9]+]]: tensor<4x2xf32>, %[[C:[a-z0-9]+]]: tensor<6x5xf32>, %[[D:[a-z0-9]+]]: tensor<2x5xf32>, %[[INIT:[a-z0-9]+]]: tensor<4x5xf32>
//  CHECK-NEXT:   %[[FIRST:.+]] = linalg.matmul ins(%[[A]], %[[C]] : {{.*}}) outs(%[[INIT]] :
//  CHECK-NEXT:   %[[SUM:.+]] = linalg.matmul ins(%[[B]], %[[D]] : {{.*}}) outs(%[[FIRST]] :
//  CHECK-NEXT:   return %[[SUM]]

// -----

// The destination is whole, though nothing says that it has the rows of the
// other operand.

func.func @sum_into_other_rows(%a: tensor<?x6xf32>, %b: tensor<?x2xf32>, %r: tensor<8x5xf32>, %init: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %l = tensor.concat dim(1) %a, %b : (tensor<?x6xf32>, tensor<?x2xf32>) -> tensor<?x8xf32>
  %s = linalg.matmul ins(%l, %r : tensor<?x8xf32>, tensor<8x5xf32>) outs(%init : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %s : tensor<?x5xf32>
}
// CHECK-LABEL: func @sum_into_other_rows(
//  CHECK-SAME:     %[[INIT:[a-z0-9]+]]: tensor<?x5xf32>) ->
//   CHECK-NOT:   tensor.extract_slice %[[INIT]]
//       CHECK:   %[[FIRST:.+]] = linalg.matmul ins({{.*}}) outs(%[[INIT]] :
//       CHECK:   linalg.matmul ins({{.*}}) outs(%[[FIRST]] :

// -----

// A rotary embedding by slices: what is elementwise computes halves.

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @rotate(%x: tensor<4x8xf32>, %cos: tensor<4x8xf32>, %sin: tensor<4x8xf32>, %k: tensor<8x5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %h = tensor.empty() : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %x1 = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %x2 = tensor.extract_slice %x[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %n = linalg.negf ins(%x2 : tensor<4x4xf32>) outs(%h : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = tensor.concat dim(1) %n, %x1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %c = linalg.mul ins(%x, %cos : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.mul ins(%t, %sin : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = linalg.add ins(%c, %s : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%q, %k : tensor<4x8xf32>, tensor<8x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
// CHECK-LABEL: func @rotate(
//   CHECK-NOT:   tensor.concat
//   CHECK-NOT:   tensor<4x8xf32>) outs
//   CHECK-DAG:   %[[X1:.+]] = tensor.extract_slice %arg0[0, 0] [4, 4]
//   CHECK-DAG:   %[[X2:.+]] = tensor.extract_slice %arg0[0, 4] [4, 4]
//       CHECK:   %[[N:.+]] = linalg.negf ins(%[[X2]] :
//       CHECK:   linalg.mul ins(%[[N]], %{{.+}} :
//       CHECK:   %[[LEFT:.+]] = linalg.add
//       CHECK:   %[[FIRST:.+]] = linalg.matmul ins(%[[LEFT]], %{{.+}} : tensor<4x4xf32>, tensor<4x5xf32>) outs(%arg4 :
//       CHECK:   linalg.mul ins(%[[X1]], %{{.+}} :
//       CHECK:   %[[RIGHT:.+]] = linalg.add
//       CHECK:   linalg.matmul ins(%[[RIGHT]], %{{.+}} : tensor<4x4xf32>, tensor<4x5xf32>) outs(%[[FIRST]] :

// -----

// Somebody else needs what is concatenated: it is in memory anyway.

func.func @negative_sum_returned(%a: tensor<4x6xf32>, %b: tensor<4x2xf32>, %k: tensor<8x5xf32>, %init: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x8xf32>) {
  %l = tensor.concat dim(1) %a, %b : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %s = linalg.matmul ins(%l, %k : tensor<4x8xf32>, tensor<8x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s, %l : tensor<4x5xf32>, tensor<4x8xf32>
}
// CHECK-LABEL: func @negative_sum_returned(
//       CHECK:   %[[C:.+]] = tensor.concat
//       CHECK:   linalg.matmul ins(%[[C]],
//   CHECK-NOT:   linalg.matmul

// -----

// The weights of a softmax are computed in one loop with their product.

func.func @negative_sum_of_softmax(%x: tensor<4x8xf32>, %v0: tensor<6x5xf32>, %v1: tensor<2x5xf32>, %m0: tensor<4xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %v = tensor.concat dim(0) %v0, %v1 : (tensor<6x5xf32>, tensor<2x5xf32>) -> tensor<8x5xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e, %m0, %m0, %m0 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %s = linalg.matmul ins(%y#0, %v : tensor<4x8xf32>, tensor<8x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
// CHECK-LABEL: func @negative_sum_of_softmax(
//       CHECK:   %[[V:.+]] = tensor.concat
//       CHECK:   linalg.matmul ins(%{{.+}}, %[[V]] :
//   CHECK-NOT:   linalg.matmul

// -----

// So are those of a chain that is none: they depend on a sum of what they are
// computed from.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @negative_sum_of_chain(%x: tensor<4x8xf32>, %v0: tensor<6x5xf32>, %v1: tensor<2x5xf32>, %l0: tensor<4xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %v = tensor.concat dim(0) %v0, %v1 : (tensor<6x5xf32>, tensor<2x5xf32>) -> tensor<8x5xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%l0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %l : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %s = linalg.matmul ins(%p, %v : tensor<4x8xf32>, tensor<8x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
// CHECK-LABEL: func @negative_sum_of_chain(
//       CHECK:   %[[V:.+]] = tensor.concat
//       CHECK:   linalg.matmul ins(%{{.+}}, %[[V]] :
//   CHECK-NOT:   linalg.matmul

// -----

// Padded keys are parts, what is padded along with the columns is not; without
// an online reduction nothing is.

func.func @pad(%q: tensor<4x6xf32>, %k: tensor<13x6xf32>, %s0: tensor<4x16xf32>, %m0: tensor<4xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %k low[0, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<13x6xf32> to tensor<16x6xf32>
  %s = linalg.contract indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>] ins(%q, %p : tensor<4x6xf32>, tensor<16x6xf32>) outs(%s0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<4x16xf32>) outs(%s0, %m0, %m0, %m0 : tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y#0 : tensor<4x16xf32>
}
// CHECK-LABEL: func @pad(
//   CHECK-NOT:   tensor.pad
//       CHECK:   %[[FILL:.+]] = linalg.fill {{.*}} -> tensor<3x6xf32>
//       CHECK:   tensor.concat dim(0) %{{.+}}, %[[FILL]]

// -----

func.func @negative_pad_two(%q: tensor<4x8xf32>, %k: tensor<13x6xf32>, %s0: tensor<4x16xf32>, %m0: tensor<4xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %k low[0, 0] high[3, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<13x6xf32> to tensor<16x8xf32>
  %s = linalg.contract indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>] ins(%q, %p : tensor<4x8xf32>, tensor<16x8xf32>) outs(%s0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<4x16xf32>) outs(%s0, %m0, %m0, %m0 : tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y#0 : tensor<4x16xf32>
}
// CHECK-LABEL: func @negative_pad_two(
//       CHECK:   tensor.pad
//   CHECK-NOT:   tensor.concat

// -----

func.func @negative_pad_alone(%q: tensor<4x6xf32>, %k: tensor<13x6xf32>, %s0: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %k low[0, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<13x6xf32> to tensor<16x6xf32>
  %s = linalg.contract indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>] ins(%q, %p : tensor<4x6xf32>, tensor<16x6xf32>) outs(%s0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %s : tensor<4x16xf32>
}
// CHECK-LABEL: func @negative_pad_alone(
//       CHECK:   tensor.pad
//   CHECK-NOT:   tensor.concat

// -----

// What has no elements stays, whatever of it is empty.

func.func @negative_empty_part(%a: tensor<4x6xf32>, %b: tensor<4x0xf32>, %k: tensor<6x5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %l = tensor.concat dim(1) %a, %b : (tensor<4x6xf32>, tensor<4x0xf32>) -> tensor<4x6xf32>
  %s = linalg.matmul ins(%l, %k : tensor<4x6xf32>, tensor<6x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
// CHECK-LABEL: func @negative_empty_part(
//       CHECK:   %[[L:.+]] = tensor.concat
//   CHECK-NOT:   tensor.extract_slice
//       CHECK:   linalg.matmul ins(%[[L]]

// -----

func.func @negative_empty_result(%a: tensor<4x6xf32>, %b: tensor<4x2xf32>, %k: tensor<8x0xf32>, %init: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %l = tensor.concat dim(1) %a, %b : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %s = linalg.matmul ins(%l, %k : tensor<4x8xf32>, tensor<8x0xf32>) outs(%init : tensor<4x0xf32>) -> tensor<4x0xf32>
  return %s : tensor<4x0xf32>
}
// CHECK-LABEL: func @negative_empty_result(
//   CHECK-NOT:   tensor.extract_slice
//       CHECK:   linalg.matmul
//   CHECK-NOT:   linalg.matmul

// -----

// The types leave nothing for the dynamic part. It is no part.

func.func @part_that_must_be_empty(%a: tensor<4x6xf32>, %b: tensor<4x?xf32>, %c: tensor<4x2xf32>, %k: tensor<8x5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %l = tensor.concat dim(1) %a, %b, %c : (tensor<4x6xf32>, tensor<4x?xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %s = linalg.matmul ins(%l, %k : tensor<4x8xf32>, tensor<8x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
// CHECK-LABEL: func @part_that_must_be_empty(
//  CHECK-SAME:     %[[A:[a-z0-9]+]]: tensor<4x6xf32>, %[[B:[a-z0-9]+]]: tensor<4x?xf32>, %[[C:[a-z0-9]+]]: tensor<4x2xf32>, %[[K:[a-z0-9]+]]: tensor<8x5xf32>
//   CHECK-NOT:   tensor.concat
//       CHECK:   %[[K0:.+]] = tensor.extract_slice %[[K]][0, 0] [6, 5]
//       CHECK:   %[[S:.+]] = linalg.matmul ins(%[[A]], %[[K0]]
//       CHECK:   %[[K1:.+]] = tensor.extract_slice %[[K]][6, 0] [2, 5]
//       CHECK:   linalg.matmul ins(%[[C]], %[[K1]] : {{.*}}) outs(%[[S]]

// -----

func.func @negative_only_one_part(%a: tensor<4x6xf32>, %b: tensor<4x?xf32>, %k: tensor<6x5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %l = tensor.concat dim(1) %a, %b : (tensor<4x6xf32>, tensor<4x?xf32>) -> tensor<4x6xf32>
  %s = linalg.matmul ins(%l, %k : tensor<4x6xf32>, tensor<6x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
// CHECK-LABEL: func @negative_only_one_part(
//       CHECK:   %[[L:.+]] = tensor.concat
//   CHECK-NOT:   tensor.extract_slice
//       CHECK:   linalg.matmul ins(%[[L]]

// -----

// Upstream's verifier accepts parts that are longer than the whole, if the size
// of one of them is dynamic.

func.func @negative_too_long(%a: tensor<4x7xf32>, %b: tensor<4x?xf32>, %k: tensor<6x5xf32>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %l = tensor.concat dim(1) %a, %b : (tensor<4x7xf32>, tensor<4x?xf32>) -> tensor<4x6xf32>
  %s = linalg.matmul ins(%l, %k : tensor<4x6xf32>, tensor<6x5xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %s : tensor<4x5xf32>
}
// CHECK-LABEL: func @negative_too_long(
//       CHECK:   %[[L:.+]] = tensor.concat
//   CHECK-NOT:   tensor.extract_slice
//       CHECK:   linalg.matmul ins(%[[L]]

// -----

// Two elements of each pair that are computed from the same ones: each has a sum of its
// own, since they do not merge with the pairs.

#q = affine_map<(i, j, k, c) -> (i, k, c)>
#k = affine_map<(i, j, k, c) -> (j, k, c)>
#s = affine_map<(i, j, k, c) -> (i, j)>
#all = affine_map<(i, k, c) -> (i, k, c)>
#pairs = affine_map<(i, k, c) -> (i, k)>
func.func @pairs(%x: tensor<5x8xf32>, %y: tensor<7x8xf32>, %a: tensor<5x8x2xf32>, %b: tensor<7x8x2xf32>, %init: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %e0 = tensor.empty() : tensor<5x8x2xf32>
  %e1 = tensor.empty() : tensor<7x8x2xf32>
  %q = linalg.generic {indexing_maps = [#pairs, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %a : tensor<5x8xf32>, tensor<5x8x2xf32>) outs(%e0 : tensor<5x8x2xf32>) {
  ^bb0(%p: f32, %m: f32, %o: f32):
    %r = arith.mulf %p, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x8x2xf32>
  %k = linalg.generic {indexing_maps = [#pairs, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %b : tensor<7x8xf32>, tensor<7x8x2xf32>) outs(%e1 : tensor<7x8x2xf32>) {
  ^bb0(%p: f32, %m: f32, %o: f32):
    %r = arith.mulf %p, %m : f32
    linalg.yield %r : f32
  } -> tensor<7x8x2xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%q, %k : tensor<5x8x2xf32>, tensor<7x8x2xf32>) outs(%init : tensor<5x7xf32>) {
  ^bb0(%p: f32, %m: f32, %o: f32):
    %r = arith.mulf %p, %m : f32
    %t = arith.addf %o, %r : f32
    linalg.yield %t : f32
  } -> tensor<5x7xf32>
  return %s : tensor<5x7xf32>
}
// CHECK-LABEL: func @pairs(
//  CHECK-SAME:     %{{.*}}: tensor<5x8xf32>, %{{.*}}: tensor<7x8xf32>, %[[A:[a-z0-9]+]]: tensor<5x8x2xf32>, %[[B:[a-z0-9]+]]: tensor<7x8x2xf32>, %[[INIT:[a-z0-9]+]]: tensor<5x7xf32>
//       CHECK:   tensor.extract_slice %[[A]][0, 0, 0] [5, 8, 1] [1, 1, 1]
//       CHECK:   tensor.extract_slice %[[B]][0, 0, 0] [7, 8, 1] [1, 1, 1]
//       CHECK:   %[[FIRST:.+]] = linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<5x8x1xf32>, tensor<7x8x1xf32>) outs(%[[INIT]] : tensor<5x7xf32>)
//       CHECK:   tensor.extract_slice %[[A]][0, 0, 1] [5, 8, 1] [1, 1, 1]
//       CHECK:   tensor.extract_slice %[[B]][0, 0, 1] [7, 8, 1] [1, 1, 1]
//       CHECK:   linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<5x8x1xf32>, tensor<7x8x1xf32>) outs(%[[FIRST]] : tensor<5x7xf32>)

// -----

// A factor of each row merges, and operands in memory are read as they are.

#q = affine_map<(i, j, k, c) -> (i, k, c)>
#k = affine_map<(i, j, k, c) -> (j, k, c)>
#s = affine_map<(i, j, k, c) -> (i, j)>
#all = affine_map<(i, k, c) -> (i, k, c)>
#rows = affine_map<(i, k, c) -> (i)>
func.func @negative_factors_of_rows(%x: tensor<5x8x2xf32>, %y: tensor<7x8x2xf32>, %a: tensor<5xf32>, %init: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %e0 = tensor.empty() : tensor<5x8x2xf32>
  %q = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %a : tensor<5x8x2xf32>, tensor<5xf32>) outs(%e0 : tensor<5x8x2xf32>) {
  ^bb0(%p: f32, %m: f32, %o: f32):
    %r = arith.mulf %p, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x8x2xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%q, %y : tensor<5x8x2xf32>, tensor<7x8x2xf32>) outs(%init : tensor<5x7xf32>) {
  ^bb0(%p: f32, %m: f32, %o: f32):
    %r = arith.mulf %p, %m : f32
    %t = arith.addf %o, %r : f32
    linalg.yield %t : f32
  } -> tensor<5x7xf32>
  return %s : tensor<5x7xf32>
}
// CHECK-LABEL: func @negative_factors_of_rows(
//   CHECK-NOT:   tensor.extract_slice
//       CHECK:   return
