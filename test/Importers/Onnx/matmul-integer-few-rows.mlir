// MatMulInteger of few rows with a zero point of the rows, whose results are the sums themselves: no bound is
// wide. The zero point is an argument, and multiplies the sums of the weights. Weights are [K, N] and
// [N, K], signed and unsigned.

// One kernel: the sums of the weights are a second product in its loop, with ones for rows. On AMD's chips
// they are a kernel, and workgroups sum parts.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=4 --gpu-options=chip=gfx942
// RUN: sed 's/5x/16x/g; s/640/1536/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=4 --gpu-options=chip=gfx1200
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_80
// RUN: sed 's/5x/1x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: sed 's/5x/16x/g; s/640/1536/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: sed 's/5x/9x/g; s/640/600/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// The last tile of the sums has 104 elements, which a mask hides in the sums of the weights, too.
// RUN: sed 's/5x/8x/g; s/640/1000/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_80
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a 2>&1 | FileCheck %s --implicit-check-not="one product at a time"

// CHECK: mma.sync.aligned.m16n8k32
func.func @columns(%q: tensor<5x640xi8> {check.draw = "uniform -128 127"}, %w: tensor<640x75xi8> {check.draw = "uniform -128 127"}, %z: tensor<i8> {check.draw = "uniform -128 127"}) -> tensor<5x75xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x75xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x75xi32>) -> tensor<5x75xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> ()>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w, %z : tensor<5x640xi8>, tensor<640x75xi8>, tensor<i8>) outs(%f : tensor<5x75xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extui %c : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %o, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<5x75xi32>
  return %r : tensor<5x75xi32>
}

func.func @rows_unsigned(%q: tensor<5x640xi8> {check.draw = "uniform -128 127"}, %w: tensor<72x640xi8> {check.draw = "uniform -128 127"}, %z: tensor<i8> {check.draw = "uniform -128 127"}) -> tensor<5x72xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x72xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x72xi32>) -> tensor<5x72xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> ()>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %w, %z : tensor<5x640xi8>, tensor<72x640xi8>, tensor<i8>) outs(%f : tensor<5x72xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extui %c : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extui %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %o, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<5x72xi32>
  return %r : tensor<5x72xi32>
}
