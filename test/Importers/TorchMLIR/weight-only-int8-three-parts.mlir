// Weights of int8 whose sums have 384 elements (a small vision transformer): three groups of 128 with a
// scale each, and weights stored as [K, N] with a scale for each column. A few rows.

// Three parts of the sums do not divide the four subgroups that a workgroup has at least, so there are two.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=sm_80
// RUN: sed 's/9x/1x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1
// RUN: sed 's/9x/7x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1

func.func @groups(%x: tensor<9x384xf16>, %w: tensor<75x384xi8> {check.draw = "uniform -128 127"}, %s: tensor<75x3xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<9x75xf32> {
  %zero = arith.constant 0.0 : f32
  %split = tensor.expand_shape %w [[0], [1, 2]] output_shape [75, 3, 128] : tensor<75x384xi8> into tensor<75x3x128xi8>
  %e = tensor.empty() : tensor<75x3x128xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%split, %s : tensor<75x3x128xi8>, tensor<75x3xf16>) outs(%e : tensor<75x3x128xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %0 = arith.sitofp %a : i8 to f16
    %1 = arith.mulf %0, %b : f16
    linalg.yield %1 : f16
  } -> tensor<75x3x128xf16>
  %rows = tensor.collapse_shape %d [[0], [1, 2]] : tensor<75x3x128xf16> into tensor<75x384xf16>
  %te = tensor.empty() : tensor<384x75xf16>
  %t = linalg.transpose ins(%rows : tensor<75x384xf16>) outs(%te : tensor<384x75xf16>) permutation = [1, 0]
  %ye = tensor.empty() : tensor<9x75xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%ye : tensor<9x75xf32>) -> tensor<9x75xf32>
  %p = linalg.matmul ins(%x, %t : tensor<9x384xf16>, tensor<384x75xf16>) outs(%y0 : tensor<9x75xf32>) -> tensor<9x75xf32>
  return %p : tensor<9x75xf32>
}

func.func @columns(%x: tensor<9x384xbf16>, %w: tensor<384x128xi8> {check.draw = "uniform -128 127"}, %s: tensor<128xbf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<9x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<384x128xbf16>
  %d = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<384x128xi8>, tensor<128xbf16>) outs(%e : tensor<384x128xbf16>) {
  ^bb0(%a: i8, %b: bf16, %o: bf16):
    %0 = arith.sitofp %a : i8 to bf16
    %1 = arith.mulf %0, %b : bf16
    linalg.yield %1 : bf16
  } -> tensor<384x128xbf16>
  %ye = tensor.empty() : tensor<9x128xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%ye : tensor<9x128xf32>) -> tensor<9x128xf32>
  %p = linalg.matmul ins(%x, %d : tensor<9x384xbf16>, tensor<384x128xbf16>) outs(%y0 : tensor<9x128xf32>) -> tensor<9x128xf32>
  return %p : tensor<9x128xf32>
}
