// Positions that start again, in front of others. The first part may have no element, and no size
// to divide by.

// RUN: linalg-ext-check-program %s --sizes=0,21
// RUN: linalg-ext-check-program %s --sizes=4,21

func.func @remainders(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi64>
  %m = tensor.dim %y, %c0 : tensor<?xi64>
  %e0 = tensor.empty(%n) : tensor<?xi64>
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e0 : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %r = arith.remsi %i, %n : index
    %q = arith.index_cast %r : index to i64
    linalg.yield %q : i64
  } -> tensor<?xi64>
  %e1 = tensor.empty(%m) : tensor<?xi64>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e1 : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %q = arith.index_cast %i : index to i64
    linalg.yield %q : i64
  } -> tensor<?xi64>
  %c = tensor.concat dim(0) %a, %b : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %c : tensor<?xi64>
}
