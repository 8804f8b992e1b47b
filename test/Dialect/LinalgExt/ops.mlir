// RUN: linalg-ext-opt %s | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -mlir-print-op-generic | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -emit-bytecode | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-DAG: #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-DAG: #[[$S:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @softmax_f32
//       CHECK: linalg_ext.softmax dimension(1) ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
//
//     GENERIC: "linalg_ext.softmax"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{dimension = 1 : i64}>
func.func @softmax_f32(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @softmax_rescale_threshold
//       CHECK: linalg_ext.softmax dimension(1) online delayed rescale_threshold(5.500000e+00) {attr} ins
func.func @softmax_rescale_threshold(%x: tensor<4x8xf64>, %y: tensor<4x8xf64>, %s: tensor<4xf64>) -> tensor<4x8xf64> {
  %0:4 = linalg_ext.softmax dimension(1) online delayed rescale_threshold(5.5) {attr} ins(%x : tensor<4x8xf64>) outs(%y, %s, %s, %s : tensor<4x8xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4x8xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
  return %0#0 : tensor<4x8xf64>
}

// CHECK-LABEL: func.func @softmax_rank_1
//       CHECK: linalg_ext.softmax dimension(0) ins(%{{.*}} : tensor<8xf32>) outs({{.*}} : tensor<8xf32>, tensor<f32>, tensor<f32>, tensor<f32>)
func.func @softmax_rank_1(%x: tensor<8xf32>, %s: tensor<f32>) -> tensor<8xf32> {
  %0:4 = linalg_ext.softmax dimension(0) ins(%x : tensor<8xf32>) outs(%x, %s, %s, %s : tensor<8xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<8xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  return %0#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @softmax_rank_5
//       CHECK: linalg_ext.softmax dimension(2) ins(%{{.*}} : tensor<2x3x4x5x6xf32>) outs({{.*}} : tensor<2x3x4x5x6xf32>, tensor<2x3x5x6xf32>,
func.func @softmax_rank_5(%x: tensor<2x3x4x5x6xf32>, %s: tensor<2x3x5x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %0:4 = linalg_ext.softmax dimension(2) ins(%x : tensor<2x3x4x5x6xf32>) outs(%x, %s, %s, %s : tensor<2x3x4x5x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x3x4x5x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>
  return %0#0 : tensor<2x3x4x5x6xf32>
}

// The state of a narrow softmax is f32.

// CHECK-LABEL: func.func @softmax_f16
//       CHECK: ins(%{{.*}} : tensor<4x8xf16>) outs({{.*}} : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @softmax_f16(%x: tensor<4x8xf16>, %s: tensor<4xf32>) -> tensor<4x8xf16> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf16>) outs(%x, %s, %s, %s : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @softmax_bf16
//       CHECK: ins(%{{.*}} : tensor<4x8xbf16>) outs({{.*}} : tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
func.func @softmax_bf16(%x: tensor<4x8xbf16>, %s: tensor<8xf32>) -> tensor<4x8xbf16> {
  %0:4 = linalg_ext.softmax dimension(0) ins(%x : tensor<4x8xbf16>) outs(%x, %s, %s, %s : tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %0#0 : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @softmax_f64
//       CHECK: ins(%{{.*}} : tensor<4x8xf64>) outs({{.*}} : tensor<4x8xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
func.func @softmax_f64(%x: tensor<4x8xf64>, %s: tensor<4xf64>) -> tensor<4x8xf64> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf64>) outs(%x, %s, %s, %s : tensor<4x8xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4x8xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
  return %0#0 : tensor<4x8xf64>
}

// CHECK-LABEL: func.func @softmax_dynamic
//       CHECK: ins(%{{.*}} : tensor<?x?xf32>) outs({{.*}} : tensor<?x8xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>)
func.func @softmax_dynamic(%x: tensor<?x?xf32>, %y: tensor<?x8xf32>, %m: tensor<4xf32>, %s: tensor<?xf32>) -> tensor<?x8xf32> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%y, %m, %s, %s : tensor<?x8xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x8xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>
  return %0#0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @softmax_online_delayed
//       CHECK: linalg_ext.softmax dimension(1) online delayed {config = 1 : i64} ins
//
//     GENERIC: "linalg_ext.softmax"({{.*}}) <{delayed, dimension = 1 : i64, online}> {config = 1 : i64}
func.func @softmax_online_delayed(%x: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %0:4 = linalg_ext.softmax dimension(1) online delayed {config = 1 : i64} ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @softmax_memref
//       CHECK: linalg_ext.softmax dimension(1) ins(%{{.*}} : memref<?x8xf16>) outs(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<?x8xf16, strided<[16, 1]>>, memref<?xf32>, memref<?xf32>, memref<?xf32>){{$}}
func.func @softmax_memref(%x: memref<?x8xf16>, %y: memref<?x8xf16, strided<[16, 1]>>, %m: memref<?xf32>, %l: memref<?xf32>, %s: memref<?xf32>) {
  linalg_ext.softmax dimension(1) ins(%x : memref<?x8xf16>) outs(%y, %m, %l, %s : memref<?x8xf16, strided<[16, 1]>>, memref<?xf32>, memref<?xf32>, memref<?xf32>)
  return
}

//===----------------------------------------------------------------------===//
// diag
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @diag_rank_1
//       CHECK: linalg_ext.diag ins(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<4x4xf32>) -> tensor<4x4xf32>
//
//     GENERIC: "linalg_ext.diag"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @diag_rank_1(%v: tensor<4xf32>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @diag_rank_4_f16
//       CHECK: linalg_ext.diag {name = "repair"} ins(%{{.*}} : tensor<2x3x4x5xf16>) outs(%{{.*}} : tensor<2x3x4x5x5xf16>) -> tensor<2x3x4x5x5xf16>
func.func @diag_rank_4_f16(%v: tensor<2x3x4x5xf16>, %d: tensor<2x3x4x5x5xf16>) -> tensor<2x3x4x5x5xf16> {
  %0 = linalg_ext.diag {name = "repair"} ins(%v : tensor<2x3x4x5xf16>) outs(%d : tensor<2x3x4x5x5xf16>) -> tensor<2x3x4x5x5xf16>
  return %0 : tensor<2x3x4x5x5xf16>
}

// CHECK-LABEL: func.func @diag_dynamic_bf16
//       CHECK: linalg_ext.diag ins(%{{.*}} : tensor<?x?xbf16>) outs(%{{.*}} : tensor<2x?x4xbf16>) -> tensor<2x?x4xbf16>
func.func @diag_dynamic_bf16(%v: tensor<?x?xbf16>, %d: tensor<2x?x4xbf16>) -> tensor<2x?x4xbf16> {
  %0 = linalg_ext.diag ins(%v : tensor<?x?xbf16>) outs(%d : tensor<2x?x4xbf16>) -> tensor<2x?x4xbf16>
  return %0 : tensor<2x?x4xbf16>
}

// CHECK-LABEL: func.func @diag_i32
//       CHECK: linalg_ext.diag ins(%{{.*}} : tensor<4xi32>) outs(%{{.*}} : tensor<4x4xi32>)
func.func @diag_i32(%v: tensor<4xi32>, %d: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %0 = linalg_ext.diag ins(%v : tensor<4xi32>) outs(%d : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// CHECK-LABEL: func.func @diag_memref
//       CHECK: linalg_ext.diag ins(%{{.*}} : memref<2x4xf64>) outs(%{{.*}} : memref<2x4x4xf64>){{$}}
func.func @diag_memref(%v: memref<2x4xf64>, %d: memref<2x4x4xf64>) {
  linalg_ext.diag ins(%v : memref<2x4xf64>) outs(%d : memref<2x4x4xf64>)
  return
}

//===----------------------------------------------------------------------===//
// batch_matmul
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @batch_matmul_no_batch
//       CHECK: linalg_ext.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<3x4xf32>, tensor<4x5xf32>) outs(%{{.*}} : tensor<3x5xf32>) -> tensor<3x5xf32>
//
//     GENERIC: "linalg_ext.batch_matmul"(%{{.*}}, %{{.*}}, %{{.*}}) <{indexing_maps = [{{.*}}], operandSegmentSizes = array<i32: 2, 1>}>
func.func @batch_matmul_no_batch(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @batch_matmul_three_batches
//       CHECK: linalg_ext.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<1x2x3x4x5xf32>, tensor<1x2x3x5x6xf32>) outs(%{{.*}} : tensor<1x2x3x4x6xf32>)
func.func @batch_matmul_three_batches(%a: tensor<1x2x3x4x5xf32>, %b: tensor<1x2x3x5x6xf32>, %c: tensor<1x2x3x4x6xf32>) -> tensor<1x2x3x4x6xf32> {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<1x2x3x4x5xf32>, tensor<1x2x3x5x6xf32>) outs(%c : tensor<1x2x3x4x6xf32>) -> tensor<1x2x3x4x6xf32>
  return %0 : tensor<1x2x3x4x6xf32>
}

// CHECK-LABEL: func.func @batch_matmul_mixed_precision
//       CHECK: linalg_ext.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<2x3x4xf16>, tensor<2x4x5xbf16>) outs(%{{.*}} : tensor<2x3x5xf32>)
func.func @batch_matmul_mixed_precision(%a: tensor<2x3x4xf16>, %b: tensor<2x4x5xbf16>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<2x3x4xf16>, tensor<2x4x5xbf16>) outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @batch_matmul_i8_i32
//       CHECK: linalg_ext.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<3x4xi8>, tensor<4x5xi8>) outs(%{{.*}} : tensor<3x5xi32>)
func.func @batch_matmul_i8_i32(%a: tensor<3x4xi8>, %b: tensor<4x5xi8>, %c: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<3x4xi8>, tensor<4x5xi8>) outs(%c : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

// Keys that are transposed and shared by a group of heads.

// CHECK-LABEL: func.func @batch_matmul_grouped
//       CHECK: linalg_ext.batch_matmul indexing_maps = [#[[$Q]], #[[$K]], #[[$S]]] {name = "scores"} ins
func.func @batch_matmul_grouped(%q: tensor<2x4x16x8xf32>, %k: tensor<2x32x8xf32>, %s: tensor<2x4x16x32xf32>) -> tensor<2x4x16x32xf32> {
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(h, g, m, n, k) -> (h, g, m, k)>,
                       affine_map<(h, g, m, n, k) -> (h, n, k)>,
                       affine_map<(h, g, m, n, k) -> (h, g, m, n)>]
      {name = "scores"}
      ins(%q, %k : tensor<2x4x16x8xf32>, tensor<2x32x8xf32>)
      outs(%s : tensor<2x4x16x32xf32>) -> tensor<2x4x16x32xf32>
  return %0 : tensor<2x4x16x32xf32>
}

// CHECK-LABEL: func.func @batch_matmul_dot_product
//       CHECK: linalg_ext.batch_matmul indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>) outs(%{{.*}} : tensor<f32>)
func.func @batch_matmul_dot_product(%a: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg_ext.batch_matmul indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
      ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Maps that are the default ones are not printed.

// CHECK-LABEL: func.func @batch_matmul_default_maps
//       CHECK: linalg_ext.batch_matmul ins
func.func @batch_matmul_default_maps(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @batch_matmul_memref
//       CHECK: linalg_ext.batch_matmul ins(%{{.*}}, %{{.*}} : memref<?x3x?xf64>, memref<?x?x5xf64>) outs(%{{.*}} : memref<?x3x5xf64>){{$}}
func.func @batch_matmul_memref(%a: memref<?x3x?xf64>, %b: memref<?x?x5xf64>, %c: memref<?x3x5xf64>) {
  linalg_ext.batch_matmul ins(%a, %b : memref<?x3x?xf64>, memref<?x?x5xf64>) outs(%c : memref<?x3x5xf64>)
  return
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @root_on_upstream_op
//       CHECK: linalg.matmul {linalg_ext.root}
func.func @root_on_upstream_op(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
