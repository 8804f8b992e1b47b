// Contractions of what other contractions compute, with elementwise ops between
// them and no online reduction.

// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="target=gpu report=all" 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-fuse="target=cpu steps=roots report=all" 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,CPU

// The scores are computed in the loop over keys, by tiles.

// CHECK: remark: fused: 'linalg.batch_matmul' with 4 producers in 2 levels
// CHECK-LABEL: func.func @dynamic_lengths
// GPU: scf.forall {{.*}} step (1, 128)
// CPU: scf.forall
// CHECK: scf.for
// CHECK: linalg.batch_matmul ins
// CHECK: math.tanh
// CHECK: linalg.batch_matmul ins
// CHECK: scf.yield
// CHECK-NOT: linalg.batch_matmul
func.func @dynamic_lengths(%q: tensor<?x?x64xf16>, %k: tensor<?x64x?xf16>,
                           %v: tensor<?x?x64xf16>)
    -> tensor<?x?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x64xf16>
  %m = tensor.dim %q, %c1 : tensor<?x?x64xf16>
  %n = tensor.dim %v, %c1 : tensor<?x?x64xf16>
  %e0 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scores = linalg.batch_matmul
      ins(%q, %k : tensor<?x?x64xf16>, tensor<?x64x?xf16>)
      outs(%f0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e1 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf16>
  %weights = linalg.generic {
      indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>,
                       affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores : tensor<?x?x?xf32>) outs(%e1 : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %out: f16):
    %t = math.tanh %x : f32
    %r = arith.truncf %t : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x?xf16>
  %e2 = tensor.empty(%b, %m) : tensor<?x?x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %r = linalg.batch_matmul
      ins(%weights, %v : tensor<?x?x?xf16>, tensor<?x?x64xf16>)
      outs(%f2 : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %r : tensor<?x?x64xf32>
}

// -----

// A feed-forward block: each product is faster by itself, which is no miss.

// CHECK-NOT: fused
// CHECK-LABEL: func.func @negative_feed_forward
// CHECK: linalg.matmul
// CHECK: arith.maximumf
// CHECK: linalg.matmul
func.func @negative_feed_forward(%x: tensor<512x512xf32>, %w: tensor<512x2048xf32>,
                                 %u: tensor<2048x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<512x2048xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h = linalg.matmul ins(%x, %w : tensor<512x512xf32>, tensor<512x2048xf32>)
      outs(%f0 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %a = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<512x2048xf32>) outs(%e0 : tensor<512x2048xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %zero : f32
    linalg.yield %r : f32
  } -> tensor<512x2048xf32>
  %e1 = tensor.empty() : tensor<512x512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %y = linalg.matmul ins(%a, %u : tensor<512x2048xf32>, tensor<2048x512xf32>)
      outs(%f1 : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %y : tensor<512x512xf32>
}

// -----

// What two contractions read is stored.

// CHECK-NOT: fused: 'linalg.matmul'
// CHECK-LABEL: func.func @negative_two_users
// CHECK-COUNT-3: linalg.matmul
func.func @negative_two_users(%q: tensor<256x64xf32>, %k: tensor<64x512xf32>,
                              %v: tensor<512x64xf32>, %w: tensor<512x32xf32>)
    -> (tensor<256x64xf32>, tensor<256x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<256x512xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %s = linalg.matmul ins(%q, %k : tensor<256x64xf32>, tensor<64x512xf32>)
      outs(%f0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %e1 = tensor.empty() : tensor<256x64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<256x64xf32>) -> tensor<256x64xf32>
  %x = linalg.matmul ins(%s, %v : tensor<256x512xf32>, tensor<512x64xf32>)
      outs(%f1 : tensor<256x64xf32>) -> tensor<256x64xf32>
  %e2 = tensor.empty() : tensor<256x32xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<256x32xf32>) -> tensor<256x32xf32>
  %y = linalg.matmul ins(%s, %w : tensor<256x512xf32>, tensor<512x32xf32>)
      outs(%f2 : tensor<256x32xf32>) -> tensor<256x32xf32>
  return %x, %y : tensor<256x64xf32>, tensor<256x32xf32>
}
