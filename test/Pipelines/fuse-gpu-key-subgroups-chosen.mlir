// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=0 key-subgroups=0' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=0 key-subgroups=1' --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=64 keys=0 split=0 key-subgroups=0' --split-input-file | FileCheck %s --check-prefix=GIVEN

// Four heads of 512 tokens are 16 workgroups of 128 rows. With 16 rows and four
// parts there is one for each processor.

// CHECK-LABEL: func @few_workgroups
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (4, 512) step (1, 16)
// CHECK:           scf.for {{.*}} step %c256
// CHECK:             scf.forall ({{.*}}) in (4)
// CHECK:             {mapping = [#gpu.warp<linear_dim_0>]}
// ONE-LABEL:   func @few_workgroups
// ONE:           scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (4, 512) step (1, 128)
// ONE-NOT:       gpu.warp
// Given rows are kept, and nothing else is chosen.
// GIVEN-LABEL: func @few_workgroups
// GIVEN:         scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (4, 512) step (1, 64)
// GIVEN-NOT:     gpu.warp
func.func @few_workgroups(%q: tensor<4x512x64xf16>, %kt: tensor<4x64x512xf16>, %v: tensor<4x512x64xf16>)
    -> tensor<4x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x512x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<4x512x64xf16>, tensor<4x64x512xf16>)
      outs(%z : tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x512x512xf32>) outs(%e : tensor<4x512x512xf32>)
      -> tensor<4x512x512xf32>
  %eh = tensor.empty() : tensor<4x512x512xf16>
  %ph = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
                        iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<4x512x512xf32>) outs(%eh : tensor<4x512x512xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4x512x512xf16>
  %oe = tensor.empty() : tensor<4x512x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  %r = linalg.batch_matmul ins(%ph, %v : tensor<4x512x512xf16>, tensor<4x512x64xf16>)
      outs(%oz : tensor<4x512x64xf32>) -> tensor<4x512x64xf32>
  return %r : tensor<4x512x64xf32>
}

// -----

// Nothing is chosen if a size is not known.

// CHECK-LABEL: func @negative_dynamic
// CHECK:         scf.forall {{.*}} step (1, 128)
// CHECK-NOT:     gpu.warp
func.func @negative_dynamic(%q: tensor<4x?x64xf16>, %kt: tensor<4x64x512xf16>, %v: tensor<4x512x64xf16>)
    -> tensor<4x?x64xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %q, %c1 : tensor<4x?x64xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<4x?x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x?x512xf32>) -> tensor<4x?x512xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<4x?x64xf16>, tensor<4x64x512xf16>)
      outs(%z : tensor<4x?x512xf32>) -> tensor<4x?x512xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x?x512xf32>) outs(%e : tensor<4x?x512xf32>)
      -> tensor<4x?x512xf32>
  %eh = tensor.empty(%n) : tensor<4x?x512xf16>
  %ph = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
                        iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<4x?x512xf32>) outs(%eh : tensor<4x?x512xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4x?x512xf16>
  %oe = tensor.empty(%n) : tensor<4x?x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
  %r = linalg.batch_matmul ins(%ph, %v : tensor<4x?x512xf16>, tensor<4x512x64xf16>)
      outs(%oz : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
  return %r : tensor<4x?x64xf32>
}
