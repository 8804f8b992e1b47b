// One query of each of 4 heads, and a cache of bytes with a scale for each head. Chunks of keys
// of a given size are reduced by the same kernel as chunks that the compiler chooses: each
// subgroup has tiles of 32 keys of its own, and loads bytes as it converts them.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=8192 --max-kernels=2 --gpu-options="chip=sm_90a split=256"
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=12288 --max-kernels=2 --gpu-options="chip=sm_80 split=100"
// In bf16, weights are multiplied with bytes in f16.
// RUN: sed 's/f16/bf16/g; s/0.01 0.02/0.001 0.002/; s/-128 127/0 127/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=8192 --max-kernels=2 --gpu-options="chip=sm_90a split=512"
// RUN: sed 's/f16/bf16/g; s/0.01 0.02/0.001 0.002/; s/-128 127/0 127/; s/i8 to/f8E4M3FN to/; s/%x: i8/%x: f8E4M3FN/; s/xi8>/xf8E4M3FN>/g; s/sitofp/extf/; s/uniform 0 127/uniform 0.5 8.0/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=8192 --max-kernels=2 --gpu-options="chip=sm_90a split=512"
// RUN: sed 's/f16/bf16/g; s/0.01 0.02/0.001 0.002/; s/-128 127/0 127/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=8192 --max-kernels=2 --gpu-options="chip=sm_80 split=512 excess-precision=false"
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=256 key-subgroups=0' | FileCheck %s --check-prefixes=CHECK,PARTS
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=256 key-subgroups=1' | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=64 split=256 key-subgroups=0' | FileCheck %s --check-prefixes=CHECK,ONE

// CHECK-LABEL: func @split_cache
// CHECK:       scf.forall
// CHECK:         scf.forall {{.*}} = (0) to (600) step (256)
// PARTS:           scf.for {{.*}} step %c128
// PARTS:             scf.forall ({{.*}}) in (4)
// PARTS:             {mapping = [#gpu.warp<linear_dim_0>]}
// ONE:             scf.for
// ONE-NOT:         gpu.warp
func.func @split_cache(%q: tensor<2x4x64xf16>,
                       %k8: tensor<2x600x64xi8> {check.draw = "uniform -128 127"},
                       %v8: tensor<2x600x64xi8> {check.draw = "uniform -128 127"},
                       %ks: tensor<2xf16> {check.draw = "uniform 0.01 0.02"},
                       %vs: tensor<2xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<2x4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %ke = tensor.empty() : tensor<2x600x64xf16>
  %k = linalg.generic {indexing_maps = [affine_map<(b, n, d) -> (b, n, d)>, affine_map<(b, n, d) -> (b)>, affine_map<(b, n, d) -> (b, n, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k8, %ks : tensor<2x600x64xi8>, tensor<2xf16>) outs(%ke : tensor<2x600x64xf16>) {
  ^bb0(%x: i8, %f: f16, %o: f16):
    %w = arith.sitofp %x : i8 to f16
    %r = arith.mulf %w, %f : f16
    linalg.yield %r : f16
  } -> tensor<2x600x64xf16>
  %v = linalg.generic {indexing_maps = [affine_map<(b, n, d) -> (b, n, d)>, affine_map<(b, n, d) -> (b)>, affine_map<(b, n, d) -> (b, n, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v8, %vs : tensor<2x600x64xi8>, tensor<2xf16>) outs(%ke : tensor<2x600x64xf16>) {
  ^bb0(%x: i8, %f: f16, %o: f16):
    %w = arith.sitofp %x : i8 to f16
    %r = arith.mulf %w, %f : f16
    linalg.yield %r : f16
  } -> tensor<2x600x64xf16>
  %e = tensor.empty() : tensor<2x4x600xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x600xf32>) -> tensor<2x4x600xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n, d) -> (b, m, d)>, affine_map<(b, m, n, d) -> (b, n, d)>, affine_map<(b, m, n, d) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x64xf16>, tensor<2x600x64xf16>) outs(%f0 : tensor<2x4x600xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x4x600xf32>
  %w = linalg.softmax dimension(2) ins(%s : tensor<2x4x600xf32>) outs(%e : tensor<2x4x600xf32>) -> tensor<2x4x600xf32>
  %eh = tensor.empty() : tensor<2x4x600xf16>
  %wh = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x4x600xf32>) outs(%eh : tensor<2x4x600xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x600xf16>
  %eo = tensor.empty() : tensor<2x4x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(b, m, d, n) -> (b, m, n)>, affine_map<(b, m, d, n) -> (b, n, d)>, affine_map<(b, m, d, n) -> (b, m, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%wh, %v : tensor<2x4x600xf16>, tensor<2x600x64xf16>) outs(%fo : tensor<2x4x64xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xf = arith.extf %x : f16 to f32
    %yf = arith.extf %y : f16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x4x64xf32>
  return %out : tensor<2x4x64xf32>
}
