// Values that are broadcast along one of two loops that are summed are no operand of
// `linalg.contract`: the product keeps its weights of bf16, or its values of f8.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=1024 --gpu-options="chip=sm_90a"
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse="target=gpu weights-in-f16" | FileCheck %s
// RUN: sed 's/i8/f8E4M3FN/g; s/sitofp/extf/; s/<4x/<64x/g' %s | linalg-ext-opt --linalg-ext-normalize --linalg-ext-fuse="target=gpu f8-products=rounded" | FileCheck %s

// CHECK-LABEL: @of_pairs
// CHECK-NOT: linalg.contract
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK-NOT: linalg.contract
// CHECK: return

#id = affine_map<(a, b) -> (a, b)>
#pairs = affine_map<(a, b, c) -> (a, b, c)>
func.func @of_pairs(%s: tensor<4x64x2xf32>, %v8: tensor<64x64xi8>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xbf16>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%v8 : tensor<64x64xi8>) outs(%e : tensor<64x64xbf16>) {
  ^bb0(%x: i8, %o: bf16):
    %r = arith.sitofp %x : i8 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x64xbf16>
  %es = tensor.empty() : tensor<4x64x2xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<4x64x2xf32>) outs(%es : tensor<4x64x2xf32>) -> tensor<4x64x2xf32>
  %eh = tensor.empty() : tensor<4x64x2xbf16>
  %wh = linalg.generic {indexing_maps = [#pairs, #pairs], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<4x64x2xf32>) outs(%eh : tensor<4x64x2xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x64x2xbf16>
  %eo = tensor.empty() : tensor<4x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<4x64xf32>) -> tensor<4x64xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(m, d, n, j) -> (m, n, j)>, affine_map<(m, d, n, j) -> (n, d)>, affine_map<(m, d, n, j) -> (m, d)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%wh, %v : tensor<4x64x2xbf16>, tensor<64x64xbf16>) outs(%fo : tensor<4x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %p = arith.mulf %xf, %yf : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  return %out : tensor<4x64xf32>
}
