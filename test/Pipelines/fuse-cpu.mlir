// RUN: linalg-ext-opt %s --linalg-ext-fuse --split-input-file --verify-diagnostics | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-fuse)' --split-input-file --verify-diagnostics | FileCheck %s

// One head and 64 rows at a time, 128 keys; the head dimension is whole.

// CHECK-LABEL: func @heads_and_rows
func.func @heads_and_rows(%s: tensor<8x512x1024xf32>, %v: tensor<8x1024x40xf32>, %e: tensor<8x512x1024xf32>,
                          %m: tensor<8x512xf32>, %o: tensor<8x512x40xf32>) -> tensor<8x512x40xf32> {
  // CHECK: scf.forall {{.*}} to (8, 512) step (1, 64)
  // CHECK:   scf.for {{.*}} step %c128
  // CHECK:     linalg_ext.softmax {{.*}} ins(%{{.*}} : tensor<1x64x128xf32>)
  // CHECK:     linalg.batch_matmul {{.*}} tensor<1x128x40xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<8x512x1024xf32>)
      outs(%e, %max, %sum, %m : tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>)
      -> tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<8x512x1024xf32>, tensor<8x1024x40xf32>)
      outs(%zeros : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  return %0 : tensor<8x512x40xf32>
}

// -----

// Few rows in a head: several heads at a time.

#p = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, j, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// CHECK-LABEL: func @few_rows
func.func @few_rows(%s: tensor<2x32x4x?xf32>, %v: tensor<2x?x40xf32>, %e: tensor<2x32x4x?xf32>,
                    %m: tensor<2x32x4xf32>, %o: tensor<2x32x4x40xf32>) -> tensor<2x32x4x40xf32> {
  // CHECK: scf.forall {{.*}} to (2, 32, 4) step (1, 16, 4)
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<2x32x4xf32>) -> tensor<2x32x4xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<2x32x4xf32>) -> tensor<2x32x4xf32>
  %p:4 = linalg_ext.softmax dimension(3) ins(%s : tensor<2x32x4x?xf32>)
      outs(%e, %max, %sum, %m : tensor<2x32x4x?xf32>, tensor<2x32x4xf32>, tensor<2x32x4xf32>, tensor<2x32x4xf32>)
      -> tensor<2x32x4x?xf32>, tensor<2x32x4xf32>, tensor<2x32x4xf32>, tensor<2x32x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<2x32x4x40xf32>) -> tensor<2x32x4x40xf32>
  %0 = linalg.generic {indexing_maps = [#p, #v, #o],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p#0, %v : tensor<2x32x4x?xf32>, tensor<2x?x40xf32>) outs(%zeros : tensor<2x32x4x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x32x4x40xf32>
  return %0 : tensor<2x32x4x40xf32>
}

// -----

// Nothing to fuse is not an error.

// CHECK-LABEL: func @negative_no_root
func.func @negative_no_root(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NOT: scf
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// A root that its author named, but that no online reduction feeds.

// CHECK-LABEL: func @negative_no_levels
func.func @negative_no_levels(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NOT: scf
  // expected-remark @below {{not fused: no levels are known for this root}}
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Two marked roots: the second is accumulated in the loops of the first.

// CHECK-LABEL: func @two_roots
func.func @two_roots(%s: tensor<8x512x1024xf32>, %v: tensor<8x1024x40xf32>, %w: tensor<8x1024x24xf32>) -> (tensor<8x512x40xf32>, tensor<8x512x24xf32>) {
  // CHECK:     scf.forall
  // CHECK:       scf.for
  // CHECK:         linalg_ext.softmax
  // CHECK-DAG:     linalg.batch_matmul {{.*}} tensor<1x128x40xf32>
  // CHECK-DAG:     linalg.batch_matmul {{.*}} tensor<1x128x24xf32>
  // CHECK-NOT: scf.for %
  // CHECK:     return
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x512x1024xf32>
  %m = tensor.empty() : tensor<8x512xf32>
  %o = tensor.empty() : tensor<8x512x40xf32>
  %q = tensor.empty() : tensor<8x512x24xf32>
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<8x512x1024xf32>)
      outs(%e, %max, %sum, %m : tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>)
      -> tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%o : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  %0 = linalg.batch_matmul {linalg_ext.root} ins(%p#0, %v : tensor<8x512x1024xf32>, tensor<8x1024x40xf32>)
      outs(%zo : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  %zq = linalg.fill ins(%zero : f32) outs(%q : tensor<8x512x24xf32>) -> tensor<8x512x24xf32>
  %1 = linalg.batch_matmul {linalg_ext.root} ins(%p#0, %w : tensor<8x512x1024xf32>, tensor<8x1024x24xf32>)
      outs(%zq : tensor<8x512x24xf32>) -> tensor<8x512x24xf32>
  return %0, %1 : tensor<8x512x40xf32>, tensor<8x512x24xf32>
}

// -----

// Of maximum, exponentials and sum, with a sink in the sum.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>

// CHECK-LABEL: func @chain_with_sinks
func.func @chain_with_sinks(%s: tensor<512x1024xf32>, %v: tensor<1024x40xf32>, %sink: tensor<512xf32>) -> tensor<512x40xf32> {
  // CHECK:     scf.forall
  // CHECK:       scf.for {{.*}} -> (tensor<64x40xf32>, tensor<64xf32>, tensor<64xf32>)
  // CHECK:         linalg.matmul {{.*}} -> tensor<64x40xf32>
  // CHECK-NOT: linalg.matmul
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x1024xf32>
  %r = tensor.empty() : tensor<512xf32>
  %o = tensor.empty() : tensor<512x40xf32>
  %fm = linalg.fill ins(%low : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %max = linalg.reduce {arith.maximumf} ins(%s : tensor<512x1024xf32>) outs(%fm : tensor<512xf32>) dimensions = [1]
  %top = linalg.max ins(%max, %sink : tensor<512xf32>, tensor<512xf32>) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %top : tensor<512x1024xf32>, tensor<512xf32>) outs(%e : tensor<512x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<512x1024xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.reduce {arith.addf} ins(%p : tensor<512x1024xf32>) outs(%fl : tensor<512xf32>) dimensions = [1]
  %l = linalg.generic {indexing_maps = [#one, #one, #one, #one], iterator_types = ["parallel"]}
      ins(%sum, %top, %sink : tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) outs(%r : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %t = arith.subf %c, %b : f32
    %u = math.exp %t : f32
    %w = arith.addf %a, %u : f32
    linalg.yield %w : f32
  } -> tensor<512xf32>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %l : tensor<512x1024xf32>, tensor<512xf32>) outs(%e : tensor<512x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<512x1024xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%o : tensor<512x40xf32>) -> tensor<512x40xf32>
  %0 = linalg.matmul ins(%weights, %v : tensor<512x1024xf32>, tensor<1024x40xf32>) outs(%fo : tensor<512x40xf32>) -> tensor<512x40xf32>
  return %0 : tensor<512x40xf32>
}
