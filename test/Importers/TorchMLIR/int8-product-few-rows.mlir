// Products of few rows of integers, as decoders have them: `torch._int_mm` with weights that are
// a view of [N, K], unsigned rows (PyTorch's quint8), and weights stored as [K, N]. All sums are
// exact, so any order of what is summed gives the same bits.

// One instruction has all rows, and each subgroup sums a part, which it loads in runs, in the same
// order for both operands. Up to 8 rows are the columns of the instruction. No product is done by
// threads. On RDNA, workgroups sum parts, and another kernel adds these.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --gpu-options=chip=gfx1100
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: sed 's/5x/1x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: sed 's/5x/8x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: sed 's/5x/13x/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: sed 's/5x/16x/g; s/1280/4096/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: sed 's/5x/4x/g; s/1280/1000/g' %s > %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a 2>&1 | FileCheck %s --implicit-check-not="one product at a time"
// RUN: sed 's/5x/1x/g' %s | linalg-ext-opt - --linalg-ext-to-nvvm=chip=sm_80 2>&1 | FileCheck %s --implicit-check-not="one product at a time"

// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
func.func @int_mm(%x: tensor<5x1280xi8> {check.draw = "uniform -128 127"}, %w: tensor<75x1280xi8> {check.draw = "uniform -128 127"}) -> tensor<5x75xi32> {
  %zero = arith.constant 0 : i32
  %te = tensor.empty() : tensor<1280x75xi8>
  %wt = linalg.transpose ins(%w : tensor<75x1280xi8>) outs(%te : tensor<1280x75xi8>) permutation = [1, 0]
  %e = tensor.empty() : tensor<5x75xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<5x75xi32>) -> tensor<5x75xi32>
  %r = linalg.matmul ins(%x, %wt : tensor<5x1280xi8>, tensor<1280x75xi8>) outs(%init : tensor<5x75xi32>) -> tensor<5x75xi32>
  return %r : tensor<5x75xi32>
}

func.func @unsigned_rows(%x: tensor<5x1280xi8> {check.draw = "uniform -128 127"}, %w: tensor<75x1280xi8> {check.draw = "uniform -128 127"}) -> tensor<5x75xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x75xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<5x75xi32>) -> tensor<5x75xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<5x1280xi8>, tensor<75x1280xi8>) outs(%init : tensor<5x75xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x75xi32>
  return %r : tensor<5x75xi32>
}

func.func @by_rows_of_sums(%x: tensor<5x1280xi8> {check.draw = "uniform -128 127"}, %w: tensor<1280x72xi8> {check.draw = "uniform -128 127"}) -> tensor<5x72xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x72xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<5x72xi32>) -> tensor<5x72xi32>
  %r = linalg.matmul ins(%x, %w : tensor<5x1280xi8>, tensor<1280x72xi8>) outs(%init : tensor<5x72xi32>) -> tensor<5x72xi32>
  return %r : tensor<5x72xi32>
}
