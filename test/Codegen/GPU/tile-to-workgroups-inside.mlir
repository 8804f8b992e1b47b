// RUN: linalg-ext-opt %s -linalg-ext-tile-to-workgroups -resolve-shaped-type-result-dims -canonicalize -cse | FileCheck %s

// A reduction in a workgroup whose size has no bound is cut, with what it is computed
// from, also behind a reshape: nothing of that size is left in front of the loop.

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @behind_reshape(
// CHECK:         scf.forall
// CHECK-NOT:       linalg.generic
// CHECK:           scf.for {{.*}} step %{{.*}} iter_args
// CHECK:             %[[MASK:.*]] = linalg.generic
// CHECK:             %[[SPREAD:.*]] = tensor.expand_shape %[[MASK]] {{\[}}[0], [1, 2]] {{.*}} into tensor<?x1x?xf32>
// CHECK:             linalg.generic {{.*}} ins(%[[SPREAD]] :
func.func @behind_reshape(%lengths: tensor<?xi32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %m = tensor.dim %lengths, %c0 : tensor<?xi32>
  %out = tensor.empty(%m) : tensor<?xf32>
  %r = scf.forall (%i) = (0) to (%m) step (64) shared_outs(%o = %out) -> (tensor<?xf32>) {
    %size = affine.min affine_map<(i)[m] -> (m - i, 64)>(%i)[%m]
    %tile = tensor.extract_slice %lengths[%i] [%size] [1] : tensor<?xi32> to tensor<?xi32>
    %e = tensor.empty(%size, %n) : tensor<?x?xf32>
    %mask = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]}
        ins(%tile : tensor<?xi32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%length: i32, %unused: f32):
      %j = linalg.index 1 : index
      %end = arith.index_cast %length : i32 to index
      %keep = arith.cmpi slt, %j, %end : index
      %s = arith.select %keep, %one, %zero : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    %spread = tensor.expand_shape %mask [[0], [1, 2]] output_shape [%size, 1, %n] : tensor<?x?xf32> into tensor<?x1x?xf32>
    %f = tensor.empty(%size) : tensor<?xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(i, u, j) -> (i, u, j)>, affine_map<(i, u, j) -> (i)>],
                           iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%spread : tensor<?x1x?xf32>) outs(%zeros : tensor<?xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o[%i] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// 64 rows of 600 elements are more than registers hold: they are reduced in pieces that
// have as many elements as the longest row, 64 x 16 here.

// CHECK-LABEL: func @long_rows(
// CHECK-DAG:     %[[PIECE:.*]] = arith.constant 16 : index
// CHECK:         scf.forall
// CHECK-NOT:       linalg.generic
// CHECK:           scf.for {{.*}} step %[[PIECE]] iter_args
func.func @long_rows(%x: tensor<128x600xf32>) -> tensor<128xf32> {
  %zero = arith.constant 0.0 : f32
  %out = tensor.empty() : tensor<128xf32>
  %r = scf.forall (%i) = (0) to (128) step (64) shared_outs(%o = %out) -> (tensor<128xf32>) {
    %tile = tensor.extract_slice %x[%i, 0] [64, 600] [1, 1] : tensor<128x600xf32> to tensor<64x600xf32>
    %f = tensor.empty() : tensor<64xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
    %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%tile : tensor<64x600xf32>) outs(%zeros : tensor<64xf32>) {
    ^bb0(%y: f32, %acc: f32):
      %s = arith.addf %acc, %y : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o[%i] [64] [1] : tensor<64xf32> into tensor<128xf32>
    }
  }
  return %r : tensor<128xf32>
}

// A norm reads the rows that it reduces again: they stay in registers.

// CHECK-LABEL: func @read_again(
// CHECK:         scf.forall
// CHECK-NOT:       scf.for %
// CHECK:           return
func.func @read_again(%x: tensor<128x600xf32>) -> tensor<128x600xf32> {
  %zero = arith.constant 0.0 : f32
  %out = tensor.empty() : tensor<128x600xf32>
  %r = scf.forall (%i) = (0) to (128) step (64) shared_outs(%o = %out) -> (tensor<128x600xf32>) {
    %tile = tensor.extract_slice %x[%i, 0] [64, 600] [1, 1] : tensor<128x600xf32> to tensor<64x600xf32>
    %place = tensor.extract_slice %o[%i, 0] [64, 600] [1, 1] : tensor<128x600xf32> to tensor<64x600xf32>
    %f = tensor.empty() : tensor<64xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
    %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
        ins(%tile : tensor<64x600xf32>) outs(%zeros : tensor<64xf32>) {
    ^bb0(%y: f32, %acc: f32):
      %s = arith.addf %acc, %y : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    %part = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
        ins(%tile, %sum : tensor<64x600xf32>, tensor<64xf32>) outs(%place : tensor<64x600xf32>) {
    ^bb0(%y: f32, %all: f32, %unused: f32):
      %s = arith.divf %y, %all : f32
      linalg.yield %s : f32
    } -> tensor<64x600xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%i, 0] [64, 600] [1, 1] : tensor<64x600xf32> into tensor<128x600xf32>
    }
  }
  return %r : tensor<128x600xf32>
}
