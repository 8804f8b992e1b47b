// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-tighten-loop-bounds,canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: sed 's/way = "async"/way = "sync"/' %s | linalg-ext-opt --split-input-file --linalg-ext-tighten-loop-bounds --canonicalize --cse | FileCheck %s --check-prefix=SYNC

// Rows of 8 with the last 9 columns of each: that is at most 16 columns, in two or three
// tiles of 8. If tiles are copied asynchronously, the loop keeps its masks. Otherwise the
// tiles in which nothing is hidden have a loop of their own.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}

// CHECK-LABEL: func @few_tiles
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK: return

// SYNC-LABEL: func @few_tiles
// SYNC-COUNT-3: scf.for %
// SYNC: return
func.func @few_tiles(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
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
        %near = arith.cmpi slt, %distance, %c9 : index
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
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}

// -----

// The last 32 columns of each row are in up to five tiles.

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#at = affine_map<(d0, d1) -> (d0 + d1)>
#mark = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}

// CHECK-LABEL: func @many_tiles
// CHECK-COUNT-3: scf.for %
// CHECK: return
func.func @many_tiles(%x: tensor<8x?xf32>, %init: tensor<8xf32>, %out: tensor<?xf32>, %m: index, %n: index) -> tensor<?xf32> {
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
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %o : tensor<?xf32>
}
