// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=none report=all' --split-input-file --verify-diagnostics -o /dev/null
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=none report=none' --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=remark:
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=none require-fusion' --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=none report=some' --split-input-file 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-fuse{target=none report=all})' --split-input-file --verify-diagnostics -o /dev/null

// OPTION: error: invalid option 'report': expected none, missed or all, got 'some'

// NONE-LABEL: func @scores
// NONE:         return

// A product, a maximum of its rows, and a product of what depends on that: one line.

// ERROR: error: not fused: it is compiled op by op; 64x200xf32 (50.0 KiB) of 'linalg.matmul' stays in memory
// ERROR: error: not fused: {{.*}}; ?x?xf32 of 'linalg.matmul' stays in memory
// ERROR: error: not fused: {{.*}}; 4x8x100x100xf32 (1.2 MiB) of 'linalg.generic' stays in memory
// ERROR: error: not fused: {{.*}}; 64x128xf32 (32.0 KiB) of 'linalg.generic' stays in memory
// ERROR: error: not fused: {{.*}}; 64x200xf32 (50.0 KiB) of 'linalg.matmul' stays in memory
// ERROR: error: not fused: {{.*}}; 128x32000xf32 (15.6 MiB) of 'linalg.matmul' stays in memory
// ERROR-NOT: error: not fused
#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
func.func @scores(%q: tensor<64x16xf32>, %k: tensor<16x200xf32>, %v: tensor<200x16xf32>) -> (tensor<64x16xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<64x200xf32>
  %re = tensor.empty() : tensor<64xf32>
  %oe = tensor.empty() : tensor<64x16xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<64x200xf32>) -> tensor<64x200xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x200xf32>) outs(%s0 : tensor<64x200xf32>) -> tensor<64x200xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x200xf32>) outs(%m0 : tensor<64xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x200xf32>, tensor<64xf32>) outs(%se : tensor<64x200xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<64x200xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<64x200xf32>) outs(%l0 : tensor<64xf32>) dimensions = [1]
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{not fused: it is compiled op by op; 64x200xf32 (50.0 KiB) of 'linalg.matmul' stays in memory}}
  %o = linalg.matmul ins(%p, %v : tensor<64x200xf32>, tensor<200x16xf32>) outs(%o0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o, %l : tensor<64x16xf32>, tensor<64xf32>
}

// -----

// Dynamic sizes; an online op; what is stored reaches it through a reshape and a cast.

func.func @dynamic(%q: tensor<?x16xf32>, %k: tensor<16x?xf32>, %v: tensor<?x16xf32>, %e: tensor<?x?xf32>, %r: tensor<?xf32>, %o0: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %s = linalg.matmul ins(%q, %k : tensor<?x16xf32>, tensor<16x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = tensor.cast %s : tensor<?x?xf32> to tensor<?x?xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<?x?xf32>) outs(%e, %r, %r, %r : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  // expected-remark @below {{?x?xf32 of 'linalg.matmul' stays in memory}}
  %o = linalg.matmul ins(%p#0, %v : tensor<?x?xf32>, tensor<?x16xf32>) outs(%o0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %o : tensor<?x16xf32>
}

// -----

// A dimension of size 1 between the maximum and its use, as importers leave it; heads
// merged in front of the second product.

#s = affine_map<(b, h, m, k) -> (b, h, m, k)>
#r = affine_map<(b, h, m, k) -> (b, h, m, 0)>
#r1 = affine_map<(b, h, m, k) -> (b, h, m)>
#qm = affine_map<(b, h, m, k, d) -> (b, h, m, d)>
#km = affine_map<(b, h, m, k, d) -> (b, h, k, d)>
#sm = affine_map<(b, h, m, k, d) -> (b, h, m, k)>
func.func @importer(%q: tensor<4x8x100x32xf32>, %k: tensor<4x8x100x32xf32>, %v: tensor<32x100x32xf32>, %e: tensor<4x8x100x100xf32>, %z: tensor<4x8x100x100xf32>, %low: tensor<4x8x100xf32>, %o0: tensor<32x100x32xf32>) -> tensor<32x100x32xf32> {
  %s = linalg.generic {indexing_maps = [#qm, #km, #sm], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x8x100x32xf32>, tensor<4x8x100x32xf32>) outs(%z : tensor<4x8x100x100xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x100x100xf32>
  %m = linalg.generic {indexing_maps = [#s, #r1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<4x8x100x100xf32>) outs(%low : tensor<4x8x100xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.maximumf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x100xf32>
  %m1 = tensor.expand_shape %m [[0], [1], [2, 3]] output_shape [4, 8, 100, 1] : tensor<4x8x100xf32> into tensor<4x8x100x1xf32>
  %p = linalg.generic {indexing_maps = [#s, #r, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %m1 : tensor<4x8x100x100xf32>, tensor<4x8x100x1xf32>) outs(%e : tensor<4x8x100x100xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<4x8x100x100xf32>
  %c = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<4x8x100x100xf32> into tensor<32x100x100xf32>
  // expected-remark @below {{4x8x100x100xf32 (1.2 MiB) of 'linalg.generic' stays in memory}}
  %o = linalg.batch_matmul ins(%c, %v : tensor<32x100x100xf32>, tensor<32x100x32xf32>) outs(%o0 : tensor<32x100x32xf32>) -> tensor<32x100x32xf32>
  return %o : tensor<32x100x32xf32>
}

// -----

// Elementwise in an argument: with a maximum in front of it, a line; with a sum, as
// norms have it, only if all is asked for.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
func.func @from_argument(%x: tensor<64x128xf32>, %w: tensor<128x16xf32>, %r: tensor<64xf32>, %o0: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<64x128xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<64x128xf32>
  // expected-remark @below {{64x128xf32 (32.0 KiB) of 'linalg.generic' stays in memory}}
  %o = linalg.matmul ins(%p, %w : tensor<64x128xf32>, tensor<128x16xf32>) outs(%o0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o : tensor<64x16xf32>
}

func.func @norm(%x: tensor<64x256xf32>, %w: tensor<256x16xf32>, %r: tensor<64xf32>, %o0: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x256xf32>
  %m = linalg.reduce { arith.addf } ins(%x : tensor<64x256xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mk, #m, #mk], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x256xf32>, tensor<64xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<64x256xf32>
  // expected-remark @below {{64x256xf32 (64.0 KiB) of 'linalg.generic' stays in memory}}
  %o = linalg.matmul ins(%p, %w : tensor<64x256xf32>, tensor<256x16xf32>) outs(%o0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o : tensor<64x16xf32>
}

// -----

// A column beside the scores that is dropped again (a sink).

func.func @sink(%q: tensor<64x16xf32>, %k: tensor<16x200xf32>, %v: tensor<200x16xf32>, %sink: tensor<64x1xf32>, %z: tensor<64x200xf32>, %r: tensor<64xf32>, %o0: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x200xf32>) outs(%z : tensor<64x200xf32>) -> tensor<64x200xf32>
  %all = tensor.concat dim(1) %s, %sink : (tensor<64x200xf32>, tensor<64x1xf32>) -> tensor<64x201xf32>
  %e = tensor.empty() : tensor<64x201xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%all : tensor<64x201xf32>) outs(%e, %r, %r, %r : tensor<64x201xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x201xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  %kept = tensor.extract_slice %p#0[0, 0] [64, 200] [1, 1] : tensor<64x201xf32> to tensor<64x200xf32>
  // expected-remark @below {{64x200xf32 (50.0 KiB) of 'linalg.matmul' stays in memory}}
  %o = linalg.matmul ins(%kept, %v : tensor<64x200xf32>, tensor<200x16xf32>) outs(%o0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o : tensor<64x16xf32>
}

// -----

// The loss of a classifier: logits that two sums need.

#mk = affine_map<(m, k) -> (m, k)>
#m = affine_map<(m, k) -> (m)>
func.func @loss(%x: tensor<128x64xf32>, %w: tensor<64x32000xf32>, %z: tensor<128x32000xf32>, %r: tensor<128xf32>) -> tensor<128xf32> {
  %s = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x32000xf32>) outs(%z : tensor<128x32000xf32>) -> tensor<128x32000xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<128x32000xf32>) outs(%r : tensor<128xf32>) dimensions = [1]
  // expected-remark @below {{128x32000xf32 (15.6 MiB) of 'linalg.matmul' stays in memory}}
  %l = linalg.generic {indexing_maps = [#mk, #m, #m], iterator_types = ["parallel", "reduction"]}
      ins(%s, %m : tensor<128x32000xf32>, tensor<128xf32>) outs(%r : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    %f = arith.addf %c, %e : f32
    linalg.yield %f : f32
  } -> tensor<128xf32>
  return %l : tensor<128xf32>
}

// -----

// What somebody needs is stored anyway.

func.func @negative_returned(%q: tensor<64x16xf32>, %k: tensor<16x200xf32>, %v: tensor<200x16xf32>, %z: tensor<64x200xf32>, %r: tensor<64xf32>, %o0: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x200xf32>) {
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x200xf32>) outs(%z : tensor<64x200xf32>) -> tensor<64x200xf32>
  %e = tensor.empty() : tensor<64x200xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<64x200xf32>) outs(%e, %r, %r, %r : tensor<64x200xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x200xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<64x200xf32>, tensor<200x16xf32>) outs(%o0 : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o, %p#0 : tensor<64x16xf32>, tensor<64x200xf32>
}

// The accumulator is as large.
func.func @negative_many_columns(%q: tensor<64x16xf32>, %k: tensor<16x200xf32>, %v: tensor<200x200xf32>, %z: tensor<64x200xf32>, %r: tensor<64xf32>) -> tensor<64x200xf32> {
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x200xf32>) outs(%z : tensor<64x200xf32>) -> tensor<64x200xf32>
  %e = tensor.empty() : tensor<64x200xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<64x200xf32>) outs(%e, %r, %r, %r : tensor<64x200xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x200xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<64x200xf32>, tensor<200x200xf32>) outs(%z : tensor<64x200xf32>) -> tensor<64x200xf32>
  return %o : tensor<64x200xf32>
}

// Two layers: nothing is reduced that the second reduces.
func.func @negative_layers(%x: tensor<64x16xf32>, %w1: tensor<16x256xf32>, %w2: tensor<256x16xf32>, %z: tensor<64x256xf32>) -> tensor<64x16xf32> {
  %h = linalg.matmul ins(%x, %w1 : tensor<64x16xf32>, tensor<16x256xf32>) outs(%z : tensor<64x256xf32>) -> tensor<64x256xf32>
  %e = linalg.exp ins(%h : tensor<64x256xf32>) outs(%z : tensor<64x256xf32>) -> tensor<64x256xf32>
  %o = linalg.matmul ins(%e, %w2 : tensor<64x256xf32>, tensor<256x16xf32>) outs(%x : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o : tensor<64x16xf32>
}

// Eight columns beside rows of 4096: they hardly count.
func.func @negative_router(%x: tensor<64x4096xf32>, %w: tensor<4096x8xf32>, %z: tensor<64x8xf32>, %r: tensor<64xf32>) -> tensor<64xf32> {
  %s = linalg.matmul ins(%x, %w : tensor<64x4096xf32>, tensor<4096x8xf32>) outs(%z : tensor<64x8xf32>) -> tensor<64x8xf32>
  %e = tensor.empty() : tensor<64x8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<64x8xf32>) outs(%e, %r, %r, %r : tensor<64x8xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x8xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  %top = linalg.reduce { arith.maximumf } ins(%p#0 : tensor<64x8xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  return %top : tensor<64xf32>
}

// The rows of the scores are merged with the columns of nothing else: a product along
// the other dimension depends on no reduction along it.
func.func @negative_other_dimension(%q: tensor<64x16xf32>, %k: tensor<16x200xf32>, %d: tensor<64x4xf32>, %z: tensor<64x200xf32>, %r: tensor<64xf32>, %o0: tensor<200x4xf32>) -> tensor<200x4xf32> {
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x200xf32>) outs(%z : tensor<64x200xf32>) -> tensor<64x200xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<64x200xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<64x200xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<64x200xf32>, tensor<64xf32>) outs(%e : tensor<64x200xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %x = arith.subf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<64x200xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (m, n)>, affine_map<(k, n, m) -> (k, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %d : tensor<64x200xf32>, tensor<64x4xf32>) outs(%o0 : tensor<200x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<200x4xf32>
  return %o : tensor<200x4xf32>
}

// A cast may forget the rank.
func.func @negative_unranked(%x: tensor<4x8xf32>, %r: tensor<4xf32>) -> tensor<*xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  %c = tensor.cast %s : tensor<4xf32> to tensor<*xf32>
  return %c : tensor<*xf32>
}
