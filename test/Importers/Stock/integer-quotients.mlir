// Quotients of integers, of rows that fill no vectors: the lanes behind them read 0, and no
// lane divides by 0.

// RUN: linalg-ext-check-program %s --entry=main
// RUN: linalg-ext-check-program %s --entry=named
// RUN: linalg-ext-check-program %s --entry=from_end --sizes=5x6

#id = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<5x6xi32>, %d: tensor<5x6xi32> {check.draw = "choose 1 2 -3"}) -> tensor<5x6xi32> {
  %e = tensor.empty() : tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %d : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%v: i32, %w: i32, %o: i32):
    %a = arith.divsi %v, %w : i32
    %b = arith.remsi %v, %w : i32
    %c = arith.addi %a, %b : i32
    linalg.yield %c : i32
  } -> tensor<5x6xi32>
  return %q : tensor<5x6xi32>
}

func.func @named(%x: tensor<5x6xi32>, %d: tensor<5x6xi32> {check.draw = "choose 1 2 -3"}) -> tensor<5x6xi32> {
  %e = tensor.empty() : tensor<5x6xi32>
  %q = linalg.div ins(%x, %d : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %q : tensor<5x6xi32>
}

func.func @from_end(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xi32>
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%m, %n) : tensor<?x?xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xi32>) outs(%e : tensor<?x?xi32>) {
  ^bb0(%v: i32, %o: i32):
    %j = linalg.index 1 : index
    %left = arith.subi %n, %j : index
    %d = arith.index_cast %left : index to i32
    %a = arith.divsi %v, %d : i32
    linalg.yield %a : i32
  } -> tensor<?x?xi32>
  return %q : tensor<?x?xi32>
}
