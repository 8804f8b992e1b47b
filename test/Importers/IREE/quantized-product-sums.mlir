// IREE's form of a product with zero points: the product of the bytes, sums of rows and of
// columns, and an op that takes zero points times sums from the product. All are kernels of
// their own, but for the last one, which stays with the product.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=3 --max-buffer-bytes=512 --gpu-options=chip=gfx942
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_80 | FileCheck %s

// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @qmm(%a: tensor<37x96xi8> {check.draw = "uniform -128 127"}, %b: tensor<96x75xi8> {check.draw = "uniform -128 127"}, %za: i32 {check.draw = "uniform -128 127"}, %zb: i32 {check.draw = "uniform -128 127"}) -> tensor<37x75xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<37x75xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<37x75xi32>) -> tensor<37x75xi32>
  %mm = linalg.matmul ins(%a, %b : tensor<37x96xi8>, tensor<96x75xi8>) outs(%f : tensor<37x75xi32>) -> tensor<37x75xi32>
  %re = tensor.empty() : tensor<37xi32>
  %rf = linalg.fill ins(%c0 : i32) outs(%re : tensor<37xi32>) -> tensor<37xi32>
  %rs = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<37x96xi8>) outs(%rf : tensor<37xi32>) {
  ^bb0(%x: i8, %o: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.addi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<37xi32>
  %ce = tensor.empty() : tensor<75xi32>
  %cf = linalg.fill ins(%c0 : i32) outs(%ce : tensor<75xi32>) -> tensor<75xi32>
  %cs = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%b : tensor<96x75xi8>) outs(%cf : tensor<75xi32>) {
  ^bb0(%x: i8, %o: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.addi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<75xi32>
  %k = arith.constant 96 : i32
  %zz = arith.muli %za, %zb : i32
  %kzz = arith.muli %zz, %k : i32
  %r = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%mm, %rs, %cs : tensor<37x75xi32>, tensor<37xi32>, tensor<75xi32>) outs(%e : tensor<37x75xi32>) {
  ^bb0(%p: i32, %x: i32, %y: i32, %o: i32):
    %0 = arith.muli %zb, %x : i32
    %1 = arith.subi %p, %0 : i32
    %2 = arith.muli %za, %y : i32
    %3 = arith.subi %1, %2 : i32
    %4 = arith.addi %3, %kzz : i32
    linalg.yield %4 : i32
  } -> tensor<37x75xi32>
  return %r : tensor<37x75xi32>
}
