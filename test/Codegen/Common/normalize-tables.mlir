// Elements of short constants, at positions that are elements, become selects by the bits of the
// position. Positions that count from the end where they are negative have the same bits.

// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-normalize | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @codes
// CHECK-NOT:     tensor.extract
// CHECK:         ^bb0(%[[IN:.*]]: i8
// CHECK:           %[[BIT:.*]] = arith.andi %[[IN]], %c1_i8
// CHECK:           %[[ODD:.*]] = arith.cmpi ne, %[[BIT]], %c0_i8
// CHECK:           %[[LOW:.*]] = arith.select %[[ODD]], %cst{{.*}}, %cst
// CHECK:           %[[HIGH:.*]] = arith.select %[[ODD]], %cst{{.*}}, %cst
// CHECK:           %[[TWO:.*]] = arith.andi %[[IN]], %c2_i8
// CHECK:           %[[SET:.*]] = arith.cmpi ne, %[[TWO]], %c0_i8
// CHECK:           arith.select %[[SET]], %[[HIGH]], %[[LOW]] : f32
func.func @codes(%codes: tensor<?xi8>, %empty: tensor<?xf32>) -> tensor<?xf32> {
  %table = arith.constant dense<[-1.0, 0.5, 3.0, 7.0]> : tensor<4xf32>
  %zero = arith.constant 0 : i64
  %four = arith.constant 4 : i64
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%codes : tensor<?xi8>) outs(%empty : tensor<?xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i64
    %1 = arith.cmpi slt, %0, %zero : i64
    %2 = arith.addi %0, %four : i64
    %3 = arith.select %1, %2, %0 : i64
    %4 = arith.index_cast %3 : i64 to index
    %5 = tensor.extract %table[%4] : tensor<4xf32>
    linalg.yield %5 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Not by bits: 17 numbers, and a table that is an argument.
// CHECK-LABEL: func @negative_long
// CHECK-NOT:     arith.select
// CHECK:         tensor.extract
// CHECK-LABEL: func @negative_argument
// CHECK-NOT:     arith.select
// CHECK:         tensor.extract
func.func @negative_long(%codes: tensor<?xi32>, %empty: tensor<?xi32>) -> tensor<?xi32> {
  %table = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17]> : tensor<17xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%codes : tensor<?xi32>) outs(%empty : tensor<?xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.index_cast %in : i32 to index
    %1 = tensor.extract %table[%0] : tensor<17xi32>
    linalg.yield %1 : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func @negative_argument(%codes: tensor<?xi32>, %table: tensor<4xf32>, %empty: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%codes : tensor<?xi32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.index_cast %in : i32 to index
    %1 = tensor.extract %table[%0] : tensor<4xf32>
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A product with a power of two.
// CHECK-LABEL: func @scaled
// CHECK-DAG:     %[[S:.*]] = arith.extf %{{.*}} : f8E8M0FNU to f32
// CHECK-DAG:     %[[X:.*]] = arith.extf %{{.*}} : f4E2M1FN to f32
// CHECK:         arith.mulf %[[X]], %[[S]]
func.func @scaled(%x: tensor<8xf4E2M1FN>, %s: tensor<8xf8E8M0FNU>) -> tensor<8xf32> {
  %r = arith.scaling_extf %x, %s : tensor<8xf4E2M1FN>, tensor<8xf8E8M0FNU> to tensor<8xf32>
  return %r : tensor<8xf32>
}
