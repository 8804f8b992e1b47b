// RUN: linalg-ext-opt %s --linalg-ext-tighten-loop-bounds --canonicalize --cse --split-input-file | FileCheck %s

// The loop of whole tiles gathers rows without lengths: all of them lie in front of
// the length, as the mask says that all keys count. The loop behind it has one tile
// with lengths.

#map = affine_map<(i) -> (i)>
#row = affine_map<(n, d) -> (n, d)>
#key = affine_map<(n, d) -> (n)>
#column = affine_map<(n, d) -> (d)>
#one = affine_map<(n, d) -> (0)>

// CHECK-LABEL: func @pages
//  CHECK-SAME:   %[[POOL:[^:]*]]: tensor<?x16x4xf32>, %[[TABLE:[^:]*]]: tensor<1x?xi32>, %[[LENGTHS:[^:]*]]: tensor<1xi32>
//       CHECK:   %[[READ:.*]] = tensor.extract %[[LENGTHS]][%c0]
//       CHECK:   %[[LENGTH:.*]] = arith.index_cast %[[READ]]
//       CHECK:   %[[WHOLE:.*]] = scf.for %[[I:.*]] = %c0 to %[[END:.*]] step %c16
//   CHECK-NOT:     arith.cmpi
//       CHECK:     linalg_ext.paged_gather {{.*}} pool(%[[POOL]] : tensor<?x16x4xf32>) table(%[[TABLE]] : tensor<1x?xi32>) offset(%[[I]]) outs
//       CHECK:   scf.for %[[J:.*]] = %[[END]] to %{{.*}} step %c16 iter_args(%{{.*}} = %[[WHOLE]])
//       CHECK:     linalg_ext.paged_gather {{.*}} lengths(%[[LENGTHS]] : tensor<1xi32>) offset(%[[J]]) outs
//       CHECK:     arith.cmpi
func.func @pages(%pool: tensor<?x16x4xf32>, %table: tensor<1x?xi32>, %lengths: tensor<1xi32>, %sum: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %sum) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<1x16x4xf32>
    %ns = tensor.extract_slice %lengths[0] [1] [1] : tensor<1xi32> to tensor<1xi32>
    %g = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
        pool(%pool : tensor<?x16x4xf32>) table(%table : tensor<1x?xi32>) lengths(%ns : tensor<1xi32>) offset(%i)
        outs(%e : tensor<1x16x4xf32>) -> tensor<1x16x4xf32>
    %rows = tensor.collapse_shape %g [[0, 1], [2]] : tensor<1x16x4xf32> into tensor<16x4xf32>
    %me = tensor.empty() : tensor<16x4xf32>
    %masked = linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
        ins(%rows, %lengths : tensor<16x4xf32>, tensor<1xi32>) outs(%me : tensor<16x4xf32>) {
    ^bb0(%x: f32, %length: i32, %out: f32):
      %k = linalg.index 0 : index
      %at = arith.addi %k, %i : index
      %end = arith.index_cast %length : i32 to index
      %visible = arith.cmpi slt, %at, %end : index
      %y = arith.select %visible, %x, %zero : f32
      linalg.yield %y : f32
    } -> tensor<16x4xf32>
    %next = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["reduction", "parallel"]}
        ins(%masked : tensor<16x4xf32>) outs(%acc : tensor<4xf32>) {
    ^bb0(%x: f32, %s: f32):
      %t = arith.addf %s, %x : f32
      linalg.yield %t : f32
    } -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
