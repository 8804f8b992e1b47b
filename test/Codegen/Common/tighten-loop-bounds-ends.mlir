// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s

// The last 32 columns of each of 8 rows, in tiles of 8. Those at the start of the window are
// in front of the diagonal, and those on the diagonal are behind the start. So each loop has
// one mask, and that in the middle has none.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK-LABEL: func @ends_apart
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.cmpi slt, %{{.*}}, %c32
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
// CHECK: scf.for %
// CHECK-NOT: arith.cmpi
// CHECK: arith.cmpi sle
// CHECK-NOT: arith.cmpi
// CHECK: arith.addf
func.func @ends_apart(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %past = arith.cmpi sle, %column, %row : index
        %distance = arith.subi %row, %column : index
        %near = arith.cmpi slt, %distance, %c32 : index
        %c = arith.andi %past, %near : i1
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}

// -----

// The last 5 columns of each row: a tile at the start of the window is on the diagonal, too.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>

// CHECK-LABEL: func @negative_ends_together
// CHECK: scf.for %
// CHECK-DAG: arith.cmpi sle
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %c5
// CHECK: arith.andi
// CHECK: arith.addf
func.func @negative_ends_together(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %o = scf.forall (%q) = (0) to (%m) step (8) shared_outs(%result = %out) -> (tensor<?xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %init) -> (tensor<8xf32>) {
      %tile = tensor.extract_slice %x[0, %k] [8, 8] [1, 1] : tensor<8x?xf32> to tensor<8x8xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %masked = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %row = affine.apply #at(%q, %i)
        %column = affine.apply #at(%k, %j)
        %past = arith.cmpi sle, %column, %row : index
        %distance = arith.subi %row, %column : index
        %near = arith.cmpi slt, %distance, %c5 : index
        %c = arith.andi %past, %near : i1
        %s = arith.select %c, %a, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8x8xf32>
      %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<8x8xf32>) outs(%acc : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %result[%q] [8] [1] : tensor<8xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %o : tensor<?xf32>
}
