// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fuse-dequantization --split-input-file | FileCheck %s

// Groups of 32 with a scale and a zero point each; a few rows.

#all = affine_map<(n, g, s) -> (n, g, s)>
#group = affine_map<(n, g, s) -> (n, g)>
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
// CHECK-DAG: #[[SCALE:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#x = affine_map<(m, n, g, s) -> (m, g, s)>
#w = affine_map<(m, n, g, s) -> (n, g, s)>
#o = affine_map<(m, n, g, s) -> (m, n)>

// CHECK-LABEL: func @groups
//  CHECK-SAME: %[[Q:.*]]: tensor<?x4x32xi8>, %[[S:.*]]: tensor<?x4xf16>, %[[Z:.*]]: tensor<?x4xf16>, %[[V:.*]]: tensor<3x4x32xf32>
//       CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[SCALE]], #[[SCALE]], #[[OUT]]],
//  CHECK-SAME:     ins(%[[V]], %[[Q]], %[[S]], %[[Z]] :
//       CHECK:   arith.uitofp
//       CHECK:   arith.subf
//       CHECK:   arith.mulf
//       CHECK:   arith.mulf
//       CHECK:   arith.addf
//   CHECK-NOT: linalg.generic
func.func @groups(%q: tensor<?x4x32xi8>, %s: tensor<?x4xf16>, %z: tensor<?x4xf16>, %v: tensor<3x4x32xf32>,
                  %e: tensor<?x4x32xf32>, %o: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #group, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %s, %z : tensor<?x4x32xi8>, tensor<?x4xf16>, tensor<?x4xf16>) outs(%e : tensor<?x4x32xf32>) {
  ^bb0(%a: i8, %b: f16, %c: f16, %out: f32):
    %1 = arith.uitofp %a : i8 to f32
    %2 = arith.extf %b : f16 to f32
    %3 = arith.extf %c : f16 to f32
    %4 = arith.subf %1, %3 : f32
    %5 = arith.mulf %4, %2 : f32
    linalg.yield %5 : f32
  } -> tensor<?x4x32xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%v, %0 : tensor<3x4x32xf32>, tensor<?x4x32xf32>) outs(%o : tensor<3x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}

// -----

// A conversion and a scale of each column, one after the other.

#id = affine_map<(k, n) -> (k, n)>
#column = affine_map<(k, n) -> (n)>

// CHECK-LABEL: func @two_steps
//       CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<8x64xf32>, tensor<64x?xf8E4M3FN>, tensor<?xf32>)
//       CHECK:   arith.extf
//   CHECK-NOT: linalg.generic
func.func @two_steps(%x: tensor<8x64xf32>, %q: tensor<64x?xf8E4M3FN>, %s: tensor<?xf32>, %e: tensor<64x?xf32>,
                     %o: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<64x?xf8E4M3FN>) outs(%e : tensor<64x?xf32>) {
  ^bb0(%a: f8E4M3FN, %out: f32):
    %2 = arith.extf %a : f8E4M3FN to f32
    linalg.yield %2 : f32
  } -> tensor<64x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %s : tensor<64x?xf32>, tensor<?xf32>) outs(%e : tensor<64x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %2 = arith.mulf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<64x?xf32>
  %r = linalg.matmul ins(%x, %1 : tensor<8x64xf32>, tensor<64x?xf32>) outs(%o : tensor<8x?xf32>) -> tensor<8x?xf32>
  return %r : tensor<8x?xf32>
}

// -----

// 9 rows, or a number that is not known: what is converted is stored.

#id = affine_map<(k, n) -> (k, n)>

// CHECK-LABEL: func @negative_many_rows
// CHECK-COUNT-2: linalg.matmul
func.func @negative_many_rows(%x: tensor<9x64xf32>, %y: tensor<?x64xf32>, %q: tensor<64x32xi8>, %e: tensor<64x32xf32>,
                              %o: tensor<9x32xf32>, %p: tensor<?x32xf32>) -> (tensor<9x32xf32>, tensor<?x32xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<64x32xi8>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: i8, %out: f32):
    %2 = arith.sitofp %a : i8 to f32
    linalg.yield %2 : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<64x32xi8>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: i8, %out: f32):
    %2 = arith.sitofp %a : i8 to f32
    linalg.yield %2 : f32
  } -> tensor<64x32xf32>
  %r = linalg.matmul ins(%x, %0 : tensor<9x64xf32>, tensor<64x32xf32>) outs(%o : tensor<9x32xf32>) -> tensor<9x32xf32>
  %t = linalg.matmul ins(%y, %1 : tensor<?x64xf32>, tensor<64x32xf32>) outs(%p : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %r, %t : tensor<9x32xf32>, tensor<?x32xf32>
}

// -----

// What is as large as its result, and what computes a function, stays.

#id = affine_map<(k, n) -> (k, n)>

// CHECK-LABEL: func @negative_no_dequantization
// CHECK-COUNT-2: linalg.matmul
func.func @negative_no_dequantization(%x: tensor<2x64xf32>, %a: tensor<64x32xf32>, %q: tensor<64x32xi8>, %e: tensor<64x32xf32>,
                                      %o: tensor<2x32xf32>) -> (tensor<2x32xf32>, tensor<2x32xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %q : tensor<64x32xf32>, tensor<64x32xi8>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%b: f32, %c: i8, %out: f32):
    %2 = arith.sitofp %c : i8 to f32
    %3 = arith.mulf %b, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<64x32xi8>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%b: i8, %out: f32):
    %2 = arith.sitofp %b : i8 to f32
    %3 = math.exp %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64x32xf32>
  %r = linalg.matmul ins(%x, %0 : tensor<2x64xf32>, tensor<64x32xf32>) outs(%o : tensor<2x32xf32>) -> tensor<2x32xf32>
  %t = linalg.matmul ins(%x, %1 : tensor<2x64xf32>, tensor<64x32xf32>) outs(%o : tensor<2x32xf32>) -> tensor<2x32xf32>
  return %r, %t : tensor<2x32xf32>, tensor<2x32xf32>
}

// -----

// A table names a row of scales for each column, and rows go along the sum: a
// vector of columns could not load them.

// CHECK-LABEL: func @negative_rows_along_sum(
// CHECK:         tensor.extract
// CHECK:         linalg.yield
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<1x512xf32>, tensor<512x384xf32>)
func.func @negative_rows_along_sum(%x: tensor<1x512xf32>, %w: tensor<512x384xi8>, %s: tensor<3x512xf32>, %t: tensor<384xi64>, %e: tensor<512x384xf32>, %y: tensor<1x384xf32>) -> tensor<1x384xf32> {
  %dq = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %t : tensor<512x384xi8>, tensor<384xi64>) outs(%e : tensor<512x384xf32>) {
  ^bb0(%c: i8, %ti: i64, %out: f32):
    %k = linalg.index 0 : index
    %i = arith.index_cast %ti : i64 to index
    %scale = tensor.extract %s[%i, %k] : tensor<3x512xf32>
    %d = arith.sitofp %c : i8 to f32
    %g = arith.mulf %d, %scale : f32
    linalg.yield %g : f32
  } -> tensor<512x384xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %dq : tensor<1x512xf32>, tensor<512x384xf32>) outs(%y : tensor<1x384xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x384xf32>
  return %r : tensor<1x384xf32>
}
