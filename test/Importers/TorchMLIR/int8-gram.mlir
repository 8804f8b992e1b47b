// Products of rows with each other, in one workgroup: both operands of the product are one tile,
// which is extended once.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --gpu-options=chip=gfx942

func.func @gram(%x: tensor<61x75xi8> {check.draw = "uniform -128 127"}) -> tensor<61x61xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<61x61xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<61x61xi32>) -> tensor<61x61xi32>
  %sums = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<61x75xi8>, tensor<61x75xi8>) outs(%init : tensor<61x61xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extui %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %out, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<61x61xi32>
  return %sums : tensor<61x61xi32>
}
