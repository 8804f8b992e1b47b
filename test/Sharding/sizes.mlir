// Where a program computes elements with the whole size of what is cut, all parts must have
// the same size, although the processes do not communicate.
//
// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-shard='sharding="2: [[0]] -> [[0]]"' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @size_in_elements(
// CHECK-SAME:      %[[X:.*]]: tensor<?xf32>)
// CHECK:         %[[DIM:.*]] = tensor.dim %[[X]]
// CHECK:         %[[SIZE:.*]] = arith.index_cast %[[DIM]] : index to i64
// CHECK:         call @linalg_ext_mpi_check_size(%[[SIZE]],
func.func @size_in_elements(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %integer = arith.index_cast %size : index to i64
  %float = arith.sitofp %integer : i64 to f32
  %empty = tensor.empty(%size) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %float : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @size_of_result(
// CHECK-NOT:     linalg_ext_mpi
// CHECK:         return
func.func @size_of_result(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}
