// Scores that are put together are one product of keys that are put together, and sums of
// products of all slices of the weights are one product.
//
// RUN: linalg-ext-opt %s -split-input-file -linalg-ext-split-concatenations=steps=reduce-parts -canonicalize -cse | FileCheck %s

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
func.func @scores(%q: tensor<?x8xf32>, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %sa: tensor<?x?xf32>, %sb: tensor<?x?xf32>, %y0: tensor<?x?xf32>, %m0: tensor<?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %fa = linalg.fill ins(%zero : f32) outs(%sa : tensor<?x?xf32>) -> tensor<?x?xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%sb : tensor<?x?xf32>) -> tensor<?x?xf32>
  %pa = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %a : tensor<?x8xf32>, tensor<?x8xf32>) outs(%fa : tensor<?x?xf32>) -> tensor<?x?xf32>
  %pb = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %b : tensor<?x8xf32>, tensor<?x8xf32>) outs(%fb : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = tensor.concat dim(1) %pa, %pb : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<?x?xf32>) outs(%y0, %m0, %m0, %m0 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %y#0 : tensor<?x?xf32>
}
// CHECK-LABEL: func @scores(
//  CHECK-SAME:     %[[Q:[a-z0-9]+]]: tensor<?x8xf32>, %[[A:[a-z0-9]+]]: tensor<?x8xf32>, %[[B:[a-z0-9]+]]: tensor<?x8xf32>
//       CHECK:   %[[K:.+]] = tensor.concat dim(0) %[[A]], %[[B]] :
//       CHECK:   %[[S:.+]] = linalg.generic {{.*}} ins(%[[Q]], %[[K]] : tensor<?x8xf32>, tensor<?x8xf32>)
//   CHECK-NOT:   tensor.concat
//       CHECK:   linalg_ext.softmax dimension(1) ins(%[[S]] : tensor<?x?xf32>)

// -----

// Only the second part has a mask, of positions in this part. What all scores are multiplied
// by stays behind them.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>
func.func @masked_part(%q: tensor<4x8xf32>, %a: tensor<?x8xf32>, %b: tensor<6x8xf32>, %bias: tensor<6xf32>, %sa: tensor<4x?xf32>, %y0: tensor<4x?xf32>, %m0: tensor<4xf32>) -> tensor<4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %sb = tensor.empty() : tensor<4x6xf32>
  %fa = linalg.fill ins(%zero : f32) outs(%sa : tensor<4x?xf32>) -> tensor<4x?xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%sb : tensor<4x6xf32>) -> tensor<4x6xf32>
  %pa = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %a : tensor<4x8xf32>, tensor<?x8xf32>) outs(%fa : tensor<4x?xf32>) -> tensor<4x?xf32>
  %pb = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %b : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fb : tensor<4x6xf32>) -> tensor<4x6xf32>
  %masked = linalg.generic {indexing_maps = [#id, #n, #id], iterator_types = ["parallel", "parallel"]} ins(%pb, %bias : tensor<4x6xf32>, tensor<6xf32>) outs(%sb : tensor<4x6xf32>) {
  ^bb0(%x: f32, %add: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi ule, %j, %i : index
    %sum = arith.addf %x, %add : f32
    %r = arith.select %seen, %sum, %low : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  %c = tensor.concat dim(1) %pa, %masked : (tensor<4x?xf32>, tensor<4x6xf32>) -> tensor<4x?xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x?xf32>) outs(%y0 : tensor<4x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<4x?xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%scaled : tensor<4x?xf32>) outs(%y0, %m0, %m0, %m0 : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y#0 : tensor<4x?xf32>
}
// CHECK-LABEL: func @masked_part(
//  CHECK-SAME:     %[[Q:[a-z0-9]+]]: tensor<4x8xf32>, %[[A:[a-z0-9]+]]: tensor<?x8xf32>, %[[B:[a-z0-9]+]]: tensor<6x8xf32>, %[[BIAS:[a-z0-9]+]]: tensor<6xf32>, %[[SA:[a-z0-9]+]]: tensor<4x?xf32>
//   CHECK-DAG:   %[[SEAM:.+]] = tensor.dim %[[SA]], %c1
//   CHECK-DAG:   %[[K:.+]] = tensor.concat dim(0) %[[A]], %[[B]] :
//       CHECK:   %[[S:.+]] = linalg.generic {{.*}} ins(%[[Q]], %[[K]] : tensor<4x8xf32>, tensor<?x8xf32>)
//       CHECK:   %[[ADD:.+]] = tensor.concat dim(0) %{{.+}}, %[[BIAS]] :
//       CHECK:   %[[M:.+]] = linalg.generic {{.*}} ins(%[[S]], %[[ADD]] : tensor<4x?xf32>, tensor<?xf32>)
//  CHECK-NEXT:   ^bb0(%[[X:.+]]: f32, %[[X2:.+]]: f32, %{{.+}}: f32):
//   CHECK-DAG:     %[[I:.+]] = linalg.index 0
//   CHECK-DAG:     %[[J:.+]] = linalg.index 1
//   CHECK-DAG:     %[[P:.+]] = arith.subi %[[J]], %[[SEAM]]
//   CHECK-DAG:     %[[SEEN:.+]] = arith.cmpi ule, %[[P]], %[[I]]
//   CHECK-DAG:     %[[SUM:.+]] = arith.addf %[[X]], %[[X2]]
//   CHECK-DAG:     %[[SECOND:.+]] = arith.select %[[SEEN]], %[[SUM]],
//   CHECK-DAG:     %[[BEHIND:.+]] = arith.cmpi uge, %[[J]], %[[SEAM]]
//       CHECK:     %[[R:.+]] = arith.select %[[BEHIND]], %[[SECOND]], %[[X]]
//  CHECK-NEXT:     linalg.yield %[[R]]
//       CHECK:   %[[SCALED:.+]] = linalg.generic {{.*}} ins(%[[M]] : tensor<4x?xf32>)
//       CHECK:   linalg_ext.softmax dimension(1) ins(%[[SCALED]] : tensor<4x?xf32>)

// -----

// The weights of the parts, times the values of each, are added.

#id = affine_map<(m, n) -> (m, n)>
func.func @slices_of_weights(%x: tensor<4x?xf32>, %v: tensor<?x8xf32>, %w: tensor<6x8xf32>, %m0: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %v, %c0 : tensor<?x8xf32>
  %all = arith.addi %n, %c6 : index
  %y0 = tensor.empty(%all) : tensor<4x?xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%y0, %m0, %m0, %m0 : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %a = tensor.extract_slice %y#0[0, 0] [4, %n] [1, 1] : tensor<4x?xf32> to tensor<4x?xf32>
  %b = tensor.extract_slice %y#0[0, %n] [4, 6] [1, 1] : tensor<4x?xf32> to tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%a, %v : tensor<4x?xf32>, tensor<?x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = linalg.matmul ins(%b, %w : tensor<4x6xf32>, tensor<6x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %p : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%d: f32, %e: f32, %out: f32):
    %r = arith.addf %d, %e : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
// CHECK-LABEL: func @slices_of_weights(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<4x?xf32>, %[[V:[a-z0-9]+]]: tensor<?x8xf32>, %[[W:[a-z0-9]+]]: tensor<6x8xf32>
//       CHECK:   %[[Y:.+]]:4 = linalg_ext.softmax
//       CHECK:   %[[ALL:.+]] = tensor.concat dim(0) %[[V]], %[[W]] :
//       CHECK:   %[[O:.+]] = linalg.generic {{.*}} ins(%[[Y]]#0, %[[ALL]] : tensor<4x?xf32>, tensor<?x8xf32>)
//   CHECK-NOT:   arith.addf {{.*}} tensor
//       CHECK:   return %[[O]]

// -----

// A part has queries of its own.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
func.func @negative_queries(%q: tensor<4x8xf32>, %z: tensor<4x8xf32>, %a: tensor<6x8xf32>, %f: tensor<4x6xf32>, %y0: tensor<4x12xf32>, %m0: tensor<4xf32>) -> tensor<4x12xf32> {
  %zero = arith.constant 0.0 : f32
  %fa = linalg.fill ins(%zero : f32) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %pa = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %a : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fa : tensor<4x6xf32>) -> tensor<4x6xf32>
  %pb = linalg.contract indexing_maps = [#q, #k, #s] ins(%z, %a : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fa : tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = tensor.concat dim(1) %pa, %pb : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x12xf32>) outs(%y0, %m0, %m0, %m0 : tensor<4x12xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x12xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y#0 : tensor<4x12xf32>
}
// CHECK-LABEL: func @negative_queries(
//       CHECK:   %[[A:.+]] = linalg.contract
//       CHECK:   %[[B:.+]] = linalg.contract
//       CHECK:   tensor.concat dim(1) %[[A]], %[[B]] :

// -----

// A part is returned, too: it would be computed twice.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
func.func @negative_returned(%q: tensor<4x8xf32>, %a: tensor<6x8xf32>, %b: tensor<6x8xf32>, %f: tensor<4x6xf32>, %y0: tensor<4x12xf32>, %m0: tensor<4xf32>) -> (tensor<4x12xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %fa = linalg.fill ins(%zero : f32) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %pa = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %a : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fa : tensor<4x6xf32>) -> tensor<4x6xf32>
  %pb = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %b : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fa : tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = tensor.concat dim(1) %pa, %pb : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x12xf32>) outs(%y0, %m0, %m0, %m0 : tensor<4x12xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x12xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y#0, %pb : tensor<4x12xf32>, tensor<4x6xf32>
}
// CHECK-LABEL: func @negative_returned(
//       CHECK:   linalg.contract
//       CHECK:   linalg.contract
//       CHECK:   tensor.concat dim(1)

// -----

// A part starts from another number.

#q = affine_map<(m, n, d) -> (m, d)>
#k = affine_map<(m, n, d) -> (n, d)>
#s = affine_map<(m, n, d) -> (m, n)>
func.func @negative_start(%q: tensor<4x8xf32>, %a: tensor<6x8xf32>, %b: tensor<6x8xf32>, %f: tensor<4x6xf32>, %y0: tensor<4x12xf32>, %m0: tensor<4xf32>) -> tensor<4x12xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %fa = linalg.fill ins(%zero : f32) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %fb = linalg.fill ins(%one : f32) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %pa = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %a : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fa : tensor<4x6xf32>) -> tensor<4x6xf32>
  %pb = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %b : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fb : tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = tensor.concat dim(1) %pa, %pb : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x12xf32>) outs(%y0, %m0, %m0, %m0 : tensor<4x12xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x12xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %y#0 : tensor<4x12xf32>
}
// CHECK-LABEL: func @negative_start(
//       CHECK:   linalg.contract
//       CHECK:   linalg.contract
//       CHECK:   tensor.concat dim(1)

// -----

// The slices leave a column of the weights out.

#id = affine_map<(m, n) -> (m, n)>
func.func @negative_slices(%x: tensor<4x11xf32>, %v: tensor<4x8xf32>, %w: tensor<6x8xf32>, %y0: tensor<4x11xf32>, %m0: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %y:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x11xf32>) outs(%y0, %m0, %m0, %m0 : tensor<4x11xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x11xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %a = tensor.extract_slice %y#0[0, 0] [4, 4] [1, 1] : tensor<4x11xf32> to tensor<4x4xf32>
  %b = tensor.extract_slice %y#0[0, 5] [4, 6] [1, 1] : tensor<4x11xf32> to tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%a, %v : tensor<4x4xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = linalg.matmul ins(%b, %w : tensor<4x6xf32>, tensor<6x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %p : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%d: f32, %e: f32, %out: f32):
    %r = arith.addf %d, %e : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
// CHECK-LABEL: func @negative_slices(
//   CHECK-NOT:   tensor.concat
//       CHECK:   linalg.matmul
//       CHECK:   linalg.matmul
//       CHECK:   arith.addf

// -----

// The weights are rounded before they are taken apart. The sum is not taken apart again.

#id = affine_map<(m, n) -> (m, n)>
func.func @rounded_weights(%x: tensor<4x10xf32>, %v: tensor<4x8xf16>, %w: tensor<6x8xf16>, %m0: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<4x10xf32>
  %h0 = tensor.empty() : tensor<4x10xf16>
  %y:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x10xf32>) outs(%y0, %m0, %m0, %m0 : tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y#0 : tensor<4x10xf32>) outs(%h0 : tensor<4x10xf16>) {
  ^bb0(%d: f32, %out: f16):
    %r = arith.truncf %d : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x10xf16>
  %a = tensor.extract_slice %h[0, 0] [4, 4] [1, 1] : tensor<4x10xf16> to tensor<4x4xf16>
  %b = tensor.extract_slice %h[0, 4] [4, 6] [1, 1] : tensor<4x10xf16> to tensor<4x6xf16>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%a, %v : tensor<4x4xf16>, tensor<4x8xf16>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = linalg.matmul ins(%b, %w : tensor<4x6xf16>, tensor<6x8xf16>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %q : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%d: f32, %e: f32, %out: f32):
    %r = arith.addf %d, %e : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
// CHECK-LABEL: func @rounded_weights(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<4x10xf32>, %[[V:[a-z0-9]+]]: tensor<4x8xf16>, %[[W:[a-z0-9]+]]: tensor<6x8xf16>
//       CHECK:   linalg_ext.softmax
//       CHECK:   %[[H:.+]] = linalg.generic {{.*}} outs(%{{.+}} : tensor<4x10xf16>)
//       CHECK:   %[[ALL:.+]] = tensor.concat dim(0) %[[V]], %[[W]] :
//       CHECK:   %[[O:.+]] = linalg.generic {{.*}} ins(%[[H]], %[[ALL]] : tensor<4x10xf16>, tensor<10x8xf16>)
//       CHECK:   return %[[O]]

// -----

// The keys of the first part have no batch: they are repeated for it. Nor do the
// dimensions of its product come in the same order.

#q = affine_map<(b, m, n, d) -> (b, m, d)>
#k = affine_map<(b, m, n, d) -> (b, n, d)>
#s = affine_map<(b, m, n, d) -> (b, m, n)>
#qp = affine_map<(m, b, d, n) -> (b, m, d)>
#kp = affine_map<(m, b, d, n) -> (n, d)>
#sp = affine_map<(m, b, d, n) -> (b, m, n)>
func.func @shared_part(%q: tensor<3x4x8xf32>, %a: tensor<5x8xf32>, %b: tensor<3x6x8xf32>, %y0: tensor<3x4x11xf32>, %m0: tensor<3x4xf32>) -> tensor<3x4x11xf32> {
  %zero = arith.constant 0.0 : f32
  %sa = tensor.empty() : tensor<3x4x5xf32>
  %sb = tensor.empty() : tensor<3x4x6xf32>
  %fa = linalg.fill ins(%zero : f32) outs(%sa : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%sb : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %pa = linalg.contract indexing_maps = [#qp, #kp, #sp] ins(%q, %a : tensor<3x4x8xf32>, tensor<5x8xf32>) outs(%fa : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %pb = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %b : tensor<3x4x8xf32>, tensor<3x6x8xf32>) outs(%fb : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %c = tensor.concat dim(2) %pa, %pb : (tensor<3x4x5xf32>, tensor<3x4x6xf32>) -> tensor<3x4x11xf32>
  %y:4 = linalg_ext.softmax dimension(2) ins(%c : tensor<3x4x11xf32>) outs(%y0, %m0, %m0, %m0 : tensor<3x4x11xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4x11xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  return %y#0 : tensor<3x4x11xf32>
}
// CHECK-LABEL: func @shared_part(
//  CHECK-SAME:     %[[Q:[a-z0-9]+]]: tensor<3x4x8xf32>, %[[A:[a-z0-9]+]]: tensor<5x8xf32>, %[[B:[a-z0-9]+]]: tensor<3x6x8xf32>
//       CHECK:   %[[R:.+]] = linalg.generic {{.*}} ins(%[[A]] : tensor<5x8xf32>) outs(%{{.*}} : tensor<3x5x8xf32>)
//       CHECK:   %[[K:.+]] = tensor.concat dim(1) %[[R]], %[[B]] : (tensor<3x5x8xf32>, tensor<3x6x8xf32>)
//       CHECK:   %[[S:.+]] = linalg.generic {{.*}} ins(%[[Q]], %[[K]] : tensor<3x4x8xf32>, tensor<3x11x8xf32>) outs(%{{.*}} : tensor<3x4x11xf32>)
//       CHECK:   linalg_ext.softmax dimension(2) ins(%[[S]] : tensor<3x4x11xf32>)
