// Products of few rows of bytes with each other, less a zero point times their sums. The sums are a
// product with ones in place of one of the two operands, which are one tensor. On AMD GPUs, another
// kernel sums in front.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --gpu-options=chip=gfx942
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-buffer-bytes=0 --max-kernels=1
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=sm_80

func.func @gram(%x: tensor<13x150xi8> {check.draw = "uniform -128 127"}, %z: i32 {check.draw = "uniform -128 127"}) -> tensor<13x13xi32> {
  %zero = arith.constant 0 : i32
  %sums = tensor.empty() : tensor<13xi32>
  %first = linalg.fill ins(%zero : i32) outs(%sums : tensor<13xi32>) -> tensor<13xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<13x150xi8>) outs(%first : tensor<13xi32>) {
  ^bb0(%a: i8, %out: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %out, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<13xi32>
  %empty = tensor.empty() : tensor<13x13xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<13x13xi32>) -> tensor<13x13xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<13x150xi8>, tensor<13x150xi8>) outs(%init : tensor<13x13xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %out, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<13x13xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<13x13xi32>, tensor<13xi32>) outs(%empty : tensor<13x13xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %0 = arith.muli %z, %b : i32
    %1 = arith.subi %a, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<13x13xi32>
  return %r : tensor<13x13xi32>
}
