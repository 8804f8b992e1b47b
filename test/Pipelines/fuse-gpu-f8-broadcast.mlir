// Values of f8 that are widened and broadcast along the keys in one op are no operand of
// `linalg.contract`: the product stays as it is.

// RUN: linalg-ext-opt %s --linalg-ext-fuse="target=gpu f8-products=rounded" | FileCheck %s

// CHECK-LABEL: @widened_along_keys
// CHECK-NOT: linalg.contract
// CHECK: linalg.matmul
// CHECK-NOT: linalg.contract
// CHECK: return

#columns = affine_map<(k, n) -> (n)>
#id = affine_map<(k, n) -> (k, n)>
func.func @widened_along_keys(%s: tensor<256x1024xf32>, %v: tensor<64xf8E4M3FN>) -> tensor<256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %ep = tensor.empty() : tensor<256x1024xf32>
  %er = tensor.empty() : tensor<256xf32>
  %ev = tensor.empty() : tensor<1024x64xf32>
  %eo = tensor.empty() : tensor<256x64xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<256xf32>) -> tensor<256xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<256xf32>) -> tensor<256xf32>
  %wide = linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<64xf8E4M3FN>) outs(%ev : tensor<1024x64xf32>) {
  ^bb0(%x: f8E4M3FN, %o: f32):
    %r = arith.extf %x : f8E4M3FN to f32
    linalg.yield %r : f32
  } -> tensor<1024x64xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<256x1024xf32>) outs(%ep, %max, %sum, %er : tensor<256x1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    -> tensor<256x1024xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<256x64xf32>) -> tensor<256x64xf32>
  %out = linalg.matmul ins(%p#0, %wide : tensor<256x1024xf32>, tensor<1024x64xf32>) outs(%fo : tensor<256x64xf32>) -> tensor<256x64xf32>
  return %out : tensor<256x64xf32>
}
