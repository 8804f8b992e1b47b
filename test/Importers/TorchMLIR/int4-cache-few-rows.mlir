// Four queries of bf16 for each head on keys and values of 4 bits, two to a byte, with a zero
// point of 8 and a scale for each head. The products multiply the bits of integers: sums of
// queries times the zero point are subtracted from scores, and sums of weights from results,
// behind the loop over 256 keys. The other keys are in other loops.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4096 --max-kernels=2
// RUN: sed 's/bf16/f16/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=4096 --max-kernels=2

// One query, seven, and no zero point.
// RUN: sed 's/x4x/x1x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=1024 --max-kernels=2
// RUN: sed 's/x4x/x7x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=8192 --max-kernels=2
// RUN: sed 's/bf16/f16/g; s/constant 8 : i8/constant 0 : i8/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=4096 --max-kernels=2

func.func @attention(%q: tensor<1x2x4x64xbf16>, %kc: tensor<1x2x300x32xi8> {check.draw = "uniform -128 127"}, %vc: tensor<1x2x300x32xi8> {check.draw = "uniform -128 127"}, %k_scale: tensor<2xbf16> {check.draw = "uniform 0.1 0.2"}, %v_scale: tensor<2xbf16> {check.draw = "uniform 0.1 0.2"}) -> tensor<1x2x4x64xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.250000000e-01 : f32
  %b = tensor.dim %q, %c0 : tensor<1x2x4x64xbf16>
  %h = tensor.dim %q, %c1 : tensor<1x2x4x64xbf16>
  %n = tensor.dim %kc, %c2 : tensor<1x2x300x32xi8>
  %kce = tensor.empty() : tensor<1x2x300x32xi8>
  %klo = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%kc : tensor<1x2x300x32xi8>) outs(%kce : tensor<1x2x300x32xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c15 = arith.constant 15 : i8
    %c4 = arith.constant 4 : i8
    %r = arith.andi %x, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<1x2x300x32xi8>
  %klo1 = tensor.expand_shape %klo [[0], [1], [2], [3, 4]]
      output_shape [1, 2, 300, 32, 1] : tensor<1x2x300x32xi8> into tensor<1x2x300x32x1xi8>
  %khi = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%kc : tensor<1x2x300x32xi8>) outs(%kce : tensor<1x2x300x32xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c15 = arith.constant 15 : i8
    %c4 = arith.constant 4 : i8
    %r = arith.shrui %x, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<1x2x300x32xi8>
  %khi1 = tensor.expand_shape %khi [[0], [1], [2], [3, 4]]
      output_shape [1, 2, 300, 32, 1] : tensor<1x2x300x32xi8> into tensor<1x2x300x32x1xi8>
  %ktwo = tensor.concat dim(4) %klo1, %khi1 : (tensor<1x2x300x32x1xi8>, tensor<1x2x300x32x1xi8>) -> tensor<1x2x300x32x2xi8>
  %kflat = tensor.collapse_shape %ktwo [[0], [1], [2], [3, 4]] : tensor<1x2x300x32x2xi8> into tensor<1x2x300x64xi8>
  %kue = tensor.empty() : tensor<1x2x300x64xi8>
  %ku = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%kflat : tensor<1x2x300x64xi8>) outs(%kue : tensor<1x2x300x64xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c8 = arith.constant 8 : i8
    %r = arith.subi %x, %c8 : i8
    linalg.yield %r : i8
  } -> tensor<1x2x300x64xi8>
  %ke = tensor.empty() : tensor<1x2x300x64xbf16>
  %k = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (h)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%ku, %k_scale : tensor<1x2x300x64xi8>, tensor<2xbf16>)
      outs(%ke : tensor<1x2x300x64xbf16>) {
  ^bb0(%x: i8, %f: bf16, %o: bf16):
    %w = arith.sitofp %x : i8 to bf16
    %r = arith.mulf %w, %f : bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x300x64xbf16>
  %vce = tensor.empty() : tensor<1x2x300x32xi8>
  %vlo = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%vc : tensor<1x2x300x32xi8>) outs(%vce : tensor<1x2x300x32xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c15 = arith.constant 15 : i8
    %c4 = arith.constant 4 : i8
    %r = arith.andi %x, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<1x2x300x32xi8>
  %vlo1 = tensor.expand_shape %vlo [[0], [1], [2], [3, 4]]
      output_shape [1, 2, 300, 32, 1] : tensor<1x2x300x32xi8> into tensor<1x2x300x32x1xi8>
  %vhi = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%vc : tensor<1x2x300x32xi8>) outs(%vce : tensor<1x2x300x32xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c15 = arith.constant 15 : i8
    %c4 = arith.constant 4 : i8
    %r = arith.shrui %x, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<1x2x300x32xi8>
  %vhi1 = tensor.expand_shape %vhi [[0], [1], [2], [3, 4]]
      output_shape [1, 2, 300, 32, 1] : tensor<1x2x300x32xi8> into tensor<1x2x300x32x1xi8>
  %vtwo = tensor.concat dim(4) %vlo1, %vhi1 : (tensor<1x2x300x32x1xi8>, tensor<1x2x300x32x1xi8>) -> tensor<1x2x300x32x2xi8>
  %vflat = tensor.collapse_shape %vtwo [[0], [1], [2], [3, 4]] : tensor<1x2x300x32x2xi8> into tensor<1x2x300x64xi8>
  %vue = tensor.empty() : tensor<1x2x300x64xi8>
  %vu = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%vflat : tensor<1x2x300x64xi8>) outs(%vue : tensor<1x2x300x64xi8>) {
  ^bb0(%x: i8, %o: i8):
    %c8 = arith.constant 8 : i8
    %r = arith.subi %x, %c8 : i8
    linalg.yield %r : i8
  } -> tensor<1x2x300x64xi8>
  %ve = tensor.empty() : tensor<1x2x300x64xbf16>
  %v = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (h)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%vu, %v_scale : tensor<1x2x300x64xi8>, tensor<2xbf16>)
      outs(%ve : tensor<1x2x300x64xbf16>) {
  ^bb0(%x: i8, %f: bf16, %o: bf16):
    %w = arith.sitofp %x : i8 to bf16
    %r = arith.mulf %w, %f : bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x300x64xbf16>
  %e0 = tensor.empty() : tensor<1x2x4x300xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x2x4x300xf32>) -> tensor<1x2x4x300xf32>
  %qk = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x2x4x64xbf16>, tensor<1x2x300x64xbf16>) outs(%f0 : tensor<1x2x4x300xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<1x2x4x300xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%qk : tensor<1x2x4x300xf32>) outs(%e0 : tensor<1x2x4x300xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %scale : f32
    linalg.yield %r : f32
  } -> tensor<1x2x4x300xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<1x2x4x300xf32>) outs(%e0 : tensor<1x2x4x300xf32>) -> tensor<1x2x4x300xf32>
  %e1 = tensor.empty() : tensor<1x2x4x300xbf16>
  %wh = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<1x2x4x300xf32>) outs(%e1 : tensor<1x2x4x300xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x4x300xbf16>
  %e2 = tensor.empty() : tensor<1x2x4x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x2x4x64xf32>) -> tensor<1x2x4x64xf32>
  %pv = linalg.generic {indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%wh, %v : tensor<1x2x4x300xbf16>, tensor<1x2x300x64xbf16>) outs(%f2 : tensor<1x2x4x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %xy : f32
    linalg.yield %r : f32
  } -> tensor<1x2x4x64xf32>
  %e3 = tensor.empty() : tensor<1x2x4x64xbf16>
  %out = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%pv : tensor<1x2x4x64xf32>) outs(%e3 : tensor<1x2x4x64xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x4x64xbf16>
  return %out : tensor<1x2x4x64xbf16>
}
