// A product of few rows of bytes and the transpose of another one. Of the zero points, one multiplies
// the sums of the weights by columns of the result, the other one by rows: one op reads the same sums
// in two ways. On NVIDIA GPUs, both are products with ones.

// RUN: linalg-ext-check-program %s
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942

func.func @rows_and_columns(%x: tensor<13x150xi8> {check.draw = "uniform -128 127"},
                            %y: tensor<13x150xi8> {check.draw = "uniform -128 127"},
                            %w: tensor<150x13xi8> {check.draw = "uniform -128 127"},
                            %zx: i32 {check.draw = "uniform -128 127"}, %zy: i32 {check.draw = "uniform -128 127"}) -> tensor<13x13xi32> {
  %zero = arith.constant 0 : i32
  %sums = tensor.empty() : tensor<13xi32>
  %first = linalg.fill ins(%zero : i32) outs(%sums : tensor<13xi32>) -> tensor<13xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%w : tensor<150x13xi8>) outs(%first : tensor<13xi32>) {
  ^bb0(%a: i8, %out: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %out, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<13xi32>
  %empty = tensor.empty() : tensor<13x13xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<13x13xi32>) -> tensor<13x13xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<13x150xi8>, tensor<150x13xi8>) outs(%init : tensor<13x13xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %out, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<13x13xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %w : tensor<13x150xi8>, tensor<150x13xi8>) outs(%init : tensor<13x13xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %out, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<13x13xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s, %q, %s : tensor<13x13xi32>, tensor<13xi32>, tensor<13x13xi32>, tensor<13xi32>) outs(%empty : tensor<13x13xi32>) {
  ^bb0(%a: i32, %ofColumn: i32, %b: i32, %ofRow: i32, %out: i32):
    %0 = arith.muli %zx, %ofColumn : i32
    %1 = arith.muli %zy, %ofRow : i32
    %2 = arith.subi %a, %0 : i32
    %3 = arith.subi %b, %1 : i32
    %4 = arith.addi %2, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<13x13xi32>
  return %r : tensor<13x13xi32>
}
