// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 recompute=all' --split-input-file | FileCheck %s --check-prefix=ALL

// Queries and keys are rounded by the products that make them, and not by each
// workgroup: it takes no kernel, and half of the bytes.

#x = affine_map<(b, i, d, k) -> (i, k)>
#w = affine_map<(b, i, d, k) -> (b, k, d)>
#y = affine_map<(b, i, d, k) -> (b, i, d)>
#id = affine_map<(b, i, d) -> (b, i, d)>
#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>

// CHECK-LABEL: func @projections
// CHECK-COUNT-2: arith.truncf
// CHECK:         scf.forall
// CHECK-NOT:       arith.truncf
// CHECK:           scf.for
// CHECK-NOT:         arith.truncf
// ALL-LABEL: func @projections
// ALL-NOT:     arith.truncf
// ALL:         scf.forall
// ALL:           arith.truncf
// ALL:           scf.for
// ALL:             arith.truncf
func.func @projections(%x: tensor<512x256xf16>, %wq: tensor<4x256x64xf16>, %wk: tensor<4x256x64xf16>,
                       %v: tensor<4x512x64xf32>) -> tensor<4x512x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<4x512x64xf32>
  %eh = tensor.empty() : tensor<4x512x64xf16>
  %fy = linalg.fill ins(%zero : f32) outs(%ey : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  %q0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %wq : tensor<512x256xf16>, tensor<4x256x64xf16>) outs(%fy : tensor<4x512x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x512x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q0 : tensor<4x512x64xf32>) outs(%eh : tensor<4x512x64xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<4x512x64xf16>
  %k0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %wk : tensor<512x256xf16>, tensor<4x256x64xf16>) outs(%fy : tensor<4x512x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x512x64xf32>
  %k = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k0 : tensor<4x512x64xf32>) outs(%eh : tensor<4x512x64xf16>) {
  ^bb0(%a: f32, %b: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<4x512x64xf16>
  %es = tensor.empty() : tensor<4x512x512xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x512x64xf16>, tensor<4x512x64xf16>) outs(%fs : tensor<4x512x512xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x512x512xf32>
  %er = tensor.empty() : tensor<4x512xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<4x512xf32>) -> tensor<4x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<4x512xf32>) -> tensor<4x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<4x512x512xf32>)
      outs(%es, %max, %sum, %er : tensor<4x512x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>)
      -> tensor<4x512x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>, tensor<4x512xf32>
  %o = linalg.batch_matmul ins(%p#0, %v : tensor<4x512x512xf32>, tensor<4x512x64xf32>)
      outs(%fy : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  return %o : tensor<4x512x64xf32>
}
