// Products of unsigned bytes with themselves: both operands are one tile.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=16x64 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=16x64 --gpu-options=chip=gfx942

func.func @gram(%x: tensor<16x64xi8>) -> tensor<16x16xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16x16xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<16x16xi32>) -> tensor<16x16xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<16x64xi8>, tensor<16x64xi8>) outs(%z : tensor<16x16xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %aw = arith.extui %a : i8 to i32
    %bw = arith.extui %b : i8 to i32
    %p = arith.muli %aw, %bw : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<16x16xi32>
  return %0 : tensor<16x16xi32>
}
