// A product of 3 rows with weights [K, N] of 8 bits, with a scale and a zero point for each column. On
// NVIDIA GPUs a thread loads words of neighbouring columns and permutes their bytes: nothing goes through
// shared memory but the parts of a sum. With one processor, workgroups have 64 columns, and otherwise 32.
// Also 16 rows, which no kernel with roles loads byte by byte, and unknown ones.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=1824 --gpu-options=chip=gfx942
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_80 processors=1'
// RUN: sed 's/<3x/<16x/g' %s > %t.16.mlir
// RUN: linalg-ext-check-program %t.16.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a processors=1'
// RUN: sed 's/<3x/<?x/g; s/tensor.empty() : tensor<?x/tensor.empty(%%m) : tensor<?x/; s/^  %%zero = /  %%i0 = arith.constant 0 : index\n  %%m = tensor.dim %%x, %%i0 : tensor<?x640xf16>\n&/' %s > %t.any.mlir
// RUN: linalg-ext-check-program %t.any.mlir --sizes=13x640,-,-,- --targets=gpu --max-kernels=2 --max-buffer-bytes=98304 --gpu-options='chip=sm_90a processors=1'
// RUN: linalg-ext-compile %s --target=sm_90a --options=processors=1 --emit=ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s < %t.ptx
// CHECK-NOT: ldmatrix
// CHECK:     mma.sync.aligned.m16n8k16
// CHECK-NOT: ldmatrix

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @columns(%x: tensor<3x640xf16>, %w: tensor<640x76xi8> {check.draw = "uniform -128 127"},
                   %s: tensor<76xf16> {check.draw = "uniform 0.01 0.02"},
                   %z: tensor<76xi8> {check.draw = "uniform -128 127"}) -> tensor<3x76xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<640x76xf16>
  %d = linalg.generic {indexing_maps = [#id, #column, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s, %z : tensor<640x76xi8>, tensor<76xf16>, tensor<76xi8>) outs(%ew : tensor<640x76xf16>) {
  ^bb0(%q: i8, %scale: f16, %point: i8, %o: f16):
    %0 = arith.extsi %q : i8 to i32
    %1 = arith.extsi %point : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f16
    %4 = arith.mulf %3, %scale : f16
    linalg.yield %4 : f16
  } -> tensor<640x76xf16>
  %ey = tensor.empty() : tensor<3x76xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ey : tensor<3x76xf32>) -> tensor<3x76xf32>
  %p = linalg.matmul ins(%x, %d : tensor<3x640xf16>, tensor<640x76xf16>) outs(%f : tensor<3x76xf32>) -> tensor<3x76xf32>
  return %p : tensor<3x76xf32>
}
