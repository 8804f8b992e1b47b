// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse="target=gpu weights-in-f16 keys=16" | FileCheck %s
// RUN: sed 's/i8/f8E4M3FN/g; s/sitofp/extf/' %s | linalg-ext-opt --linalg-ext-normalize --linalg-ext-fuse="target=gpu weights-in-f16 keys=16" | FileCheck %s --check-prefix=F8

// Values of i8: weights are rounded to f16, times 2^12, and values are converted to f16. Keys are
// converted to bf16, as queries are.
// CHECK-LABEL: @few_rows
// CHECK: arith.sitofp %{{.*}} : i8 to bf16
// CHECK: arith.sitofp %{{.*}} : i8 to f16
// CHECK: scf.for
// CHECK: linalg_ext.softmax
// CHECK: arith.constant 4.096000e+03 : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: arith.constant 2.44140625E-4 : f32
// F8-LABEL: @few_rows
// F8: arith.extf %{{.*}} : f8E4M3FN to f16
// F8: arith.constant 4.096000e+03 : f32

// Not without the option, with larger weights, with many rows, or values that f16 rounds: i16, and
// powers of two up to 2^127.
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse="target=gpu keys=16" | FileCheck %s --check-prefix=SAME
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse="target=gpu weights-in-f16 keys=16 rescale-threshold=5.0" | FileCheck %s --check-prefix=SAME
// RUN: sed 's/<4x64/<17x64/g' %s | linalg-ext-opt --linalg-ext-normalize --linalg-ext-fuse="target=gpu weights-in-f16 keys=16" | FileCheck %s --check-prefix=SAME
// RUN: sed 's/i8/i16/g' %s | linalg-ext-opt --linalg-ext-normalize --linalg-ext-fuse="target=gpu weights-in-f16 keys=16" | FileCheck %s --check-prefix=SAME
// RUN: sed 's/i8/f8E8M0FNU/g; s/sitofp/extf/' %s | linalg-ext-opt --linalg-ext-normalize --linalg-ext-fuse="target=gpu weights-in-f16 keys=16" | FileCheck %s --check-prefix=SAME
// SAME-LABEL: @few_rows
// SAME-NOT: to f16
// SAME: arith.truncf %{{.*}} : f32 to bf16
// SAME-NOT: to f16
// SAME: return

// Only a GPU has it.
// RUN: not linalg-ext-opt %s --linalg-ext-fuse="target=cpu weights-in-f16" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: expected 'weights-in-f16' only with target=gpu, got target=cpu

#qk = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>]
#pv = [affine_map<(m, d, n) -> (m, n)>, affine_map<(m, d, n) -> (n, d)>, affine_map<(m, d, n) -> (m, d)>]
#id = affine_map<(a, b) -> (a, b)>
func.func @few_rows(%q: tensor<4x64xbf16>, %k8: tensor<64x64xi8>, %v8: tensor<64x64xi8>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xbf16>
  %k = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%k8 : tensor<64x64xi8>) outs(%e : tensor<64x64xbf16>) {
  ^bb0(%x: i8, %o: bf16):
    %r = arith.sitofp %x : i8 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x64xbf16>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%v8 : tensor<64x64xi8>) outs(%e : tensor<64x64xbf16>) {
  ^bb0(%x: i8, %o: bf16):
    %r = arith.sitofp %x : i8 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x64xbf16>
  %es = tensor.empty() : tensor<4x64xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x64xf32>) -> tensor<4x64xf32>
  %s = linalg.generic {indexing_maps = #qk, iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%fs : tensor<4x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<4x64xf32>) outs(%es : tensor<4x64xf32>) -> tensor<4x64xf32>
  %eh = tensor.empty() : tensor<4x64xbf16>
  %wh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x64xf32>) outs(%eh : tensor<4x64xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x64xbf16>
  %out = linalg.generic {indexing_maps = #pv, iterator_types = ["parallel", "parallel", "reduction"]} ins(%wh, %v : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%fs : tensor<4x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  return %out : tensor<4x64xf32>
}
