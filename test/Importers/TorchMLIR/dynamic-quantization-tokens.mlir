// A linear layer whose tokens are quantized as they come, as a quantized model is exported:
// the scale of a token is from its least and its largest element, 0 between them, and at
// least some small number. The tokens are multiplied by 1 over it, rounded and clamped; the
// product of integers is scaled by it and by the scale of a column.

// One kernel quantizes, and writes the scales, too. The other one multiplies and scales.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4096 --max-kernels=2
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4096 --max-kernels=2 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=4864 --cpu-options='l1-bytes=1024 l2-bytes=8192'

// A decoder has one.
// RUN: sed 's/37x/1x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=4096 --max-kernels=2

// Tokens of small elements have the least scale.
// RUN: sed 's/%x: tensor<37x96xf16>/& {check.draw = "uniform -0.0012 0.0012"}/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=4096 --max-kernels=2

// Products of f8 have scales of f8's range. A number that may be rounded to either side has
// 3 bits: the bound of the error is wide.
// RUN: sed 's/127.5/448.0/; s/-128.0/-448.0/; s/127.0/448.0/; s/math.roundeven %1 : f32/arith.addf %1, %zero : f32/; s/fptosi %4 : f32 to i8/truncf %4 : f32 to f8E4M3FN/; s/i8/f8E4M3FN/g; s/i32/f32/g; s/constant 0 : f32/constant 0.0 : f32/; s/arith.sitofp %a : f32 to f32/arith.addf %a, %zero : f32/; s/-127 127/1 400/; s/%x: tensor<37x96xf16>/& {check.draw = "uniform 0.1 1"}/' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=4096 --min-informative=0 --max-kernels=2

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @tokens(%x: tensor<37x96xf16>, %w: tensor<75x96xi8> {check.draw = "uniform -127 127"}, %ws: tensor<75xf32> {check.draw = "uniform 0.01 0.02"}) -> tensor<37x75xf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %wide0 = tensor.empty() : tensor<37x96xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<37x96xf16>) outs(%wide0 : tensor<37x96xf32>) {
  ^bb0(%a: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<37x96xf32>
  %m0 = tensor.empty() : tensor<37x1xf32>
  %least = arith.constant 0xFF800000 : f32
  %largest = arith.constant 0x7F800000 : f32
  %n1 = linalg.fill ins(%largest : f32) outs(%m0 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %min = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%wide : tensor<37x96xf32>) outs(%n1 : tensor<37x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.minimumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<37x1xf32>
  %m1 = linalg.fill ins(%least : f32) outs(%m0 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%wide : tensor<37x96xf32>) outs(%m1 : tensor<37x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<37x1xf32>
  %scale = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%min, %max : tensor<37x1xf32>, tensor<37x1xf32>) outs(%m0 : tensor<37x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %half = arith.constant 127.5 : f32
    %eps = arith.constant 1.0e-5 : f32
    %0 = arith.minimumf %a, %zero : f32
    %1 = arith.negf %0 : f32
    %2 = arith.maximumf %b, %zero : f32
    %3 = arith.maximumf %1, %2 : f32
    %4 = arith.divf %3, %half : f32
    %5 = arith.maximumf %4, %eps : f32
    linalg.yield %5 : f32
  } -> tensor<37x1xf32>
  %inverse = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scale : tensor<37x1xf32>) outs(%m0 : tensor<37x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %0 = arith.divf %one, %a : f32
    linalg.yield %0 : f32
  } -> tensor<37x1xf32>
  %q0 = tensor.empty() : tensor<37x96xi8>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%wide, %inverse : tensor<37x96xf32>, tensor<37x1xf32>) outs(%q0 : tensor<37x96xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %1 = arith.mulf %a, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<37x96xi8>
  %t0 = tensor.empty() : tensor<96x75xi8>
  %t = linalg.transpose ins(%w : tensor<75x96xi8>) outs(%t0 : tensor<96x75xi8>) permutation = [1, 0]
  %p0 = tensor.empty() : tensor<37x75xi32>
  %p1 = linalg.fill ins(%c0 : i32) outs(%p0 : tensor<37x75xi32>) -> tensor<37x75xi32>
  %p = linalg.matmul ins(%q, %t : tensor<37x96xi8>, tensor<96x75xi8>) outs(%p1 : tensor<37x75xi32>) -> tensor<37x75xi32>
  %r0 = tensor.empty() : tensor<37x75xf16>
  %r = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %scale, %ws : tensor<37x75xi32>, tensor<37x1xf32>, tensor<75xf32>) outs(%r0 : tensor<37x75xf16>) {
  ^bb0(%a: i32, %s: f32, %u: f32, %o: f16):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %1, %u : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<37x75xf16>
  return %r : tensor<37x75xf16>
}
