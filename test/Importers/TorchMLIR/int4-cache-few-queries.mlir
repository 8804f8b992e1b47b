// Four queries of each of two heads, on a cache of 4 bits, two to a byte, and 8 more than what
// they mean, with a scale for each head. Each subgroup has tiles of 64 keys of its own, twice
// as many as of bytes (split-cache-bytes.mlir); the last ones have other sizes.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=8192 --max-kernels=2 --gpu-options="chip=sm_90a split=256"
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4096 --max-kernels=2 --gpu-options="chip=sm_90a split=512"
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=12288 --max-kernels=2 --gpu-options="chip=sm_80"
// RUN: sed 's/f16/bf16/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=8192 --max-kernels=2 --gpu-options="chip=sm_90a split=512"
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=256 key-subgroups=0' | FileCheck %s

// CHECK-LABEL: func @int4_cache_few_queries
// CHECK:       scf.forall
// CHECK:         scf.forall {{.*}} = (0) to (600) step (256)
// CHECK:           scf.for {{.*}} step %c256
// CHECK:             scf.forall ({{.*}}) in (4)
// CHECK:             {mapping = [#gpu.warp<linear_dim_0>]}

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#scale = affine_map<(d0, d1, d2) -> (d0, 0, 0)>

func.func @int4_cache_few_queries(%q: tensor<2x4x64xf16>,
                                  %k4: tensor<2x600x32xi8> {check.draw = "uniform -128 127"},
                                  %v4: tensor<2x600x32xi8> {check.draw = "uniform -128 127"},
                                  %k_scale: tensor<2x1x1xf16> {check.draw = "uniform 0.05 0.1"},
                                  %v_scale: tensor<2x1x1xf16> {check.draw = "uniform 0.05 0.1"}) -> tensor<2x4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4 : i8
  %eight = arith.constant 8 : i8
  %fifteen = arith.constant 15 : i8
  %bytes = tensor.empty() : tensor<2x600x32xi8>
  %wide = tensor.empty() : tensor<2x600x64xf16>
  %k_lo = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k4 : tensor<2x600x32xi8>) outs(%bytes : tensor<2x600x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %x = arith.andi %in, %fifteen : i8
    linalg.yield %x : i8
  } -> tensor<2x600x32xi8>
  %k_hi = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k4 : tensor<2x600x32xi8>) outs(%bytes : tensor<2x600x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %x = arith.shrui %in, %four : i8
    linalg.yield %x : i8
  } -> tensor<2x600x32xi8>
  %k_lo1 = tensor.expand_shape %k_lo [[0], [1], [2, 3]] output_shape [2, 600, 32, 1] : tensor<2x600x32xi8> into tensor<2x600x32x1xi8>
  %k_hi1 = tensor.expand_shape %k_hi [[0], [1], [2, 3]] output_shape [2, 600, 32, 1] : tensor<2x600x32xi8> into tensor<2x600x32x1xi8>
  %k_both = tensor.concat dim(3) %k_lo1, %k_hi1 : (tensor<2x600x32x1xi8>, tensor<2x600x32x1xi8>) -> tensor<2x600x32x2xi8>
  %k_codes = tensor.collapse_shape %k_both [[0], [1], [2, 3]] : tensor<2x600x32x2xi8> into tensor<2x600x64xi8>
  %k = linalg.generic {indexing_maps = [#all, #scale, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k_codes, %k_scale : tensor<2x600x64xi8>, tensor<2x1x1xf16>) outs(%wide : tensor<2x600x64xf16>) {
  ^bb0(%in: i8, %s: f16, %out: f16):
    %x = arith.subi %in, %eight : i8
    %y = arith.sitofp %x : i8 to f16
    %z = arith.mulf %y, %s : f16
    linalg.yield %z : f16
  } -> tensor<2x600x64xf16>
  %v_lo = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v4 : tensor<2x600x32xi8>) outs(%bytes : tensor<2x600x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %x = arith.andi %in, %fifteen : i8
    linalg.yield %x : i8
  } -> tensor<2x600x32xi8>
  %v_hi = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v4 : tensor<2x600x32xi8>) outs(%bytes : tensor<2x600x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %x = arith.shrui %in, %four : i8
    linalg.yield %x : i8
  } -> tensor<2x600x32xi8>
  %v_lo1 = tensor.expand_shape %v_lo [[0], [1], [2, 3]] output_shape [2, 600, 32, 1] : tensor<2x600x32xi8> into tensor<2x600x32x1xi8>
  %v_hi1 = tensor.expand_shape %v_hi [[0], [1], [2, 3]] output_shape [2, 600, 32, 1] : tensor<2x600x32xi8> into tensor<2x600x32x1xi8>
  %v_both = tensor.concat dim(3) %v_lo1, %v_hi1 : (tensor<2x600x32x1xi8>, tensor<2x600x32x1xi8>) -> tensor<2x600x32x2xi8>
  %v_codes = tensor.collapse_shape %v_both [[0], [1], [2, 3]] : tensor<2x600x32x2xi8> into tensor<2x600x64xi8>
  %v = linalg.generic {indexing_maps = [#all, #scale, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v_codes, %v_scale : tensor<2x600x64xi8>, tensor<2x1x1xf16>) outs(%wide : tensor<2x600x64xf16>) {
  ^bb0(%in: i8, %s: f16, %out: f16):
    %x = arith.subi %in, %eight : i8
    %y = arith.sitofp %x : i8 to f16
    %z = arith.mulf %y, %s : f16
    linalg.yield %z : f16
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
  %wh = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x4x600xf32>) outs(%eh : tensor<2x4x600xf16>) {
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
