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
