// Padding by run-time numbers that does not have the size of its result has no reference.

// RUN: not linalg-ext-check-program %s --entry=less_than_nothing --sizes=1,- 2>&1 | FileCheck %s
// RUN: not linalg-ext-check-program %s --entry=other_size --sizes=4,- 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: less_than_nothing: loc("{{.*}}padded-sizes.mlir":[[@LINE+5]]:{{.*}}): expected a size of at least 0, got -4
func.func @less_than_nothing(%x: tensor<?xf32>, %n: tensor<i64> {check.draw = "choose -5"}) -> tensor<?xf32> {
  %c = arith.constant 1.0 : f32
  %n64 = tensor.extract %n[] : tensor<i64>
  %high = arith.index_cast %n64 : i64 to index
  %p = tensor.pad %x low[0] high[%high] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// OTHER: other_size: loc("{{.*}}padded-sizes.mlir":[[@LINE+5]]:{{.*}}): expected a size of 5, got 7
func.func @other_size(%x: tensor<?xf32>, %n: tensor<i64> {check.draw = "choose 3"}) -> tensor<5xf32> {
  %c = arith.constant 1.0 : f32
  %n64 = tensor.extract %n[] : tensor<i64>
  %high = arith.index_cast %n64 : i64 to index
  %p = tensor.pad %x low[0] high[%high] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<5xf32>
  return %p : tensor<5xf32>
}
