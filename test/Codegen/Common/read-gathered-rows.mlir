// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=read-gathered-rows --split-input-file | FileCheck %s

// Scales of groups that a table names are read where integers are unpacked, if the innermost loop
// goes along the rows.

// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[W:.*]]: tensor<256x80xi32>, %[[S:.*]]: tensor<4x1x80xf32>, %[[G:.*]]: tensor<256xi64>)
// CHECK-NOT:     paged_gather
// CHECK:         linalg.generic
// CHECK-SAME:        ins(%[[W]], %[[G]] : tensor<256x80xi32>, tensor<256xi64>)
// CHECK:           %[[N:.*]] = linalg.index 1
// CHECK:           tensor.extract %[[S]][%{{.*}}, %{{.*}}, %[[N]]]
func.func @rows(%w: tensor<256x80xi32>, %s: tensor<4x1x80xf32>, %g: tensor<256xi64>) -> tensor<256x80xf32> {
  %e = tensor.empty() : tensor<256x80xf32>
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%s : tensor<4x1x80xf32>) table(%g : tensor<256xi64>) outs(%e : tensor<256x80xf32>) -> tensor<256x80xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %r : tensor<256x80xi32>, tensor<256x80xf32>) outs(%e : tensor<256x80xf32>) {
  ^bb0(%in: i32, %scale: f32, %out: f32):
    %c15 = arith.constant 15 : i32
    %a = arith.andi %in, %c15 : i32
    %b = arith.sitofp %a : i32 to f32
    %c = arith.mulf %b, %scale : f32
    linalg.yield %c : f32
  } -> tensor<256x80xf32>
  return %0 : tensor<256x80xf32>
}

// -----

// The table names columns: a vector along them would gather.

// CHECK-LABEL: func @negative_columns(
// CHECK:         paged_gather
func.func @negative_columns(%w: tensor<256x80xi32>, %s: tensor<80x1x4xf32>, %g: tensor<256xi64>) -> tensor<256x80xf32> {
  %e = tensor.empty() : tensor<256x80xf32>
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [1, 0, -1] pool(%s : tensor<80x1x4xf32>) table(%g : tensor<256xi64>) outs(%e : tensor<256x80xf32>) -> tensor<256x80xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %r : tensor<256x80xi32>, tensor<256x80xf32>) outs(%e : tensor<256x80xf32>) {
  ^bb0(%in: i32, %scale: f32, %out: f32):
    %c15 = arith.constant 15 : i32
    %a = arith.andi %in, %c15 : i32
    %b = arith.sitofp %a : i32 to f32
    %c = arith.mulf %b, %scale : f32
    linalg.yield %c : f32
  } -> tensor<256x80xf32>
  return %0 : tensor<256x80xf32>
}

// -----

// The innermost loop goes along the table.

// CHECK-LABEL: func @negative_inner_table(
// CHECK:         paged_gather
func.func @negative_inner_table(%w: tensor<80x256xi32>, %s: tensor<4x1x80xf32>, %g: tensor<256xi64>) -> tensor<80x256xf32> {
  %e = tensor.empty() : tensor<256x80xf32>
  %o = tensor.empty() : tensor<80x256xf32>
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%s : tensor<4x1x80xf32>) table(%g : tensor<256xi64>) outs(%e : tensor<256x80xf32>) -> tensor<256x80xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %r : tensor<80x256xi32>, tensor<256x80xf32>) outs(%o : tensor<80x256xf32>) {
  ^bb0(%in: i32, %scale: f32, %out: f32):
    %c15 = arith.constant 15 : i32
    %a = arith.andi %in, %c15 : i32
    %b = arith.sitofp %a : i32 to f32
    %c = arith.mulf %b, %scale : f32
    linalg.yield %c : f32
  } -> tensor<80x256xf32>
  return %0 : tensor<80x256xf32>
}

// -----

// With unknown columns it is not known whether rows are small.

// CHECK-LABEL: func @negative_unknown_columns(
// CHECK:         paged_gather
func.func @negative_unknown_columns(%w: tensor<256x?xi32>, %s: tensor<4x1x?xf32>, %g: tensor<256xi64>, %e: tensor<256x?xf32>) -> tensor<256x?xf32> {
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%s : tensor<4x1x?xf32>) table(%g : tensor<256xi64>) outs(%e : tensor<256x?xf32>) -> tensor<256x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %r : tensor<256x?xi32>, tensor<256x?xf32>) outs(%e : tensor<256x?xf32>) {
  ^bb0(%in: i32, %scale: f32, %out: f32):
    %c15 = arith.constant 15 : i32
    %a = arith.andi %in, %c15 : i32
    %b = arith.sitofp %a : i32 to f32
    %c = arith.mulf %b, %scale : f32
    linalg.yield %c : f32
  } -> tensor<256x?xf32>
  return %0 : tensor<256x?xf32>
}
