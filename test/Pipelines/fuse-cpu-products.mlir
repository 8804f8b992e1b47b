// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx2 l1-bytes=4096 l2-bytes=65536},linalg-ext-fuse{shared=false},canonicalize)' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(linalg-ext-attach-target{chip=avx2 l1-bytes=4096 l2-bytes=65536},linalg-ext-fuse{shared=true},canonicalize)' --split-input-file | FileCheck %s --check-prefix=SHARED

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// A linear layer: 64 columns at a time, with its bias and what follows. Of these, 16
// columns, which are a register tile of two vectors, and 56 terms of the sum, whose
// weights are transposed. Threads share blocks of rows, too.

// CHECK-LABEL: func @linear(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<300x200xf32>
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[C56:.*]] = arith.constant 56 : index
// CHECK:         scf.forall (%[[J:.*]]) = (0) to (500) step (64)
// CHECK:           scf.for {{.*}} step %[[C16]]
// CHECK:             linalg.fill {{.*}} -> tensor<300x?xf32>
// CHECK:             scf.for {{.*}} step %[[C56]]
// CHECK:               tensor.extract_slice %[[X]]
// CHECK:               linalg.matmul {{.*}} ins(%{{.*}} : tensor<300x?xf32>, tensor<?x?xf32>)
// CHECK:           linalg.generic
// CHECK:             arith.addf
// CHECK:           linalg.generic
// CHECK:             arith.maximumf
// CHECK:           tensor.parallel_insert_slice
// CHECK-NOT:     linalg

// SHARED-LABEL: func @linear(
// SHARED-DAG:     %[[C16:.*]] = arith.constant 16 : index
// SHARED:         scf.forall {{.*}} = (0, 0) to (300, 500) step (256, 64)
// SHARED:           scf.for {{.*}} step %[[C16]]
func.func @linear(%x: tensor<300x200xf32>, %w: tensor<500x200xf32>, %bias: tensor<500xf32>) -> tensor<300x500xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300x500xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<300x500xf32>) -> tensor<300x500xf32>
  %p = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<300x200xf32>, tensor<500x200xf32>)
      outs(%f : tensor<300x500xf32>) -> tensor<300x500xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<300x500xf32>, tensor<500xf32>) outs(%e : tensor<300x500xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<300x500xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<300x500xf32>) outs(%e : tensor<300x500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %a, %zero : f32
    linalg.yield %t : f32
  } -> tensor<300x500xf32>
  return %r : tensor<300x500xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// Both products of a gate are in one loop. Weights that are stored by rows are not
// transposed, and have no strips.

// CHECK-LABEL: func @gated(
// CHECK:         scf.forall
// CHECK-NOT:     scf.for
// CHECK-COUNT-2:   linalg.matmul
// CHECK:           arith.mulf
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @gated(%x: tensor<40x64xf32>, %g: tensor<64x256xf32>, %u: tensor<64x256xf32>) -> tensor<40x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x256xf32>) -> tensor<40x256xf32>
  %p = linalg.matmul ins(%x, %g : tensor<40x64xf32>, tensor<64x256xf32>) outs(%f : tensor<40x256xf32>) -> tensor<40x256xf32>
  %q = linalg.matmul ins(%x, %u : tensor<40x64xf32>, tensor<64x256xf32>) outs(%f : tensor<40x256xf32>) -> tensor<40x256xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<40x256xf32>, tensor<40x256xf32>) outs(%e : tensor<40x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<40x256xf32>
  return %r : tensor<40x256xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// What somebody else needs is stored: the loops end at the product.

// CHECK-LABEL: func @negative_two_users(
// CHECK:         %[[P:.*]] = scf.forall
// CHECK:           linalg.matmul
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[P]]
// CHECK:         return %[[P]]
func.func @negative_two_users(%x: tensor<40x64xf32>, %w: tensor<64x256xf32>, %y: tensor<40x256xf32>) -> (tensor<40x256xf32>, tensor<40x256xf32>) {
  %p = linalg.matmul ins(%x, %w : tensor<40x64xf32>, tensor<64x256xf32>) outs(%y : tensor<40x256xf32>) -> tensor<40x256xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<40x256xf32>) outs(%y : tensor<40x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<40x256xf32>
  return %p, %r : tensor<40x256xf32>, tensor<40x256xf32>
}

// -----

// One tile, nothing to multiply, and few rows, whose weights one thread streams
// and several share.

// CHECK-LABEL: func @negative_one_tile(
// CHECK-NOT:     scf.for
// SHARED-LABEL: func @negative_one_tile(
// SHARED-NOT:     scf.for
func.func @negative_one_tile(%x: tensor<40x32xf32>, %w: tensor<32x64xf32>, %y: tensor<40x64xf32>) -> tensor<40x64xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<40x32xf32>, tensor<32x64xf32>) outs(%y : tensor<40x64xf32>) -> tensor<40x64xf32>
  return %p : tensor<40x64xf32>
}

// CHECK-LABEL: func @negative_no_terms(
// CHECK-NOT:     scf.for
// SHARED-LABEL: func @negative_no_terms(
// SHARED-NOT:     scf.for
func.func @negative_no_terms(%x: tensor<40x0xf32>, %w: tensor<0x256xf32>, %y: tensor<40x256xf32>) -> tensor<40x256xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<40x0xf32>, tensor<0x256xf32>) outs(%y : tensor<40x256xf32>) -> tensor<40x256xf32>
  return %p : tensor<40x256xf32>
}

// CHECK-LABEL: func @few_rows(
// CHECK-NOT:     scf.for
// SHARED-LABEL: func @few_rows(
// SHARED:         scf.forall {{.*}} = (0) to (1000) step (256)
func.func @few_rows(%x: tensor<8x512xf32>, %w: tensor<512x1000xf32>, %y: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<8x512xf32>, tensor<512x1000xf32>) outs(%y : tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %p : tensor<8x1000xf32>
}

// -----

// Each few columns read all rows again. So where weights are dequantized, a tile has as
// many sums as keep 5 to 8 rows in the first cache: 4096 bytes for 8 rows are 128.

#id = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d1, d2)>
#r = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func @few_rows_of_bytes(
// CHECK-DAG:     %[[STEP:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[END:.*]] = arith.constant 512 : index
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %[[END]] step %[[STEP]]
// CHECK:           tensor.extract_slice %{{.*}}[0, %[[K]]] [1000, 128]
// CHECK:           arith.sitofp
// CHECK:           linalg.matmul {{.*}} ins(%{{.*}} : tensor<8x128xf32>, tensor<1000x128xf32>)
// CHECK:           scf.yield
// CHECK-LABEL: func @negative_four_rows_of_bytes(
// CHECK-NOT:     scf.for
func.func @few_rows_of_bytes(%x: tensor<8x512xf32>, %w: tensor<1000x512xi8>, %y: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  %e = tensor.empty() : tensor<1000x512xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<1000x512xi8>) outs(%e : tensor<1000x512xf32>) {
  ^bb0(%a: i8, %out: f32):
    %c = arith.sitofp %a : i8 to f32
    linalg.yield %c : f32
  } -> tensor<1000x512xf32>
  %p = linalg.matmul indexing_maps = [#x, #w, #r]
      ins(%x, %f : tensor<8x512xf32>, tensor<1000x512xf32>) outs(%y : tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %p : tensor<8x1000xf32>
}

func.func @negative_four_rows_of_bytes(%x: tensor<4x512xf32>, %w: tensor<1000x512xi8>, %y: tensor<4x1000xf32>) -> tensor<4x1000xf32> {
  %e = tensor.empty() : tensor<1000x512xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<1000x512xi8>) outs(%e : tensor<1000x512xf32>) {
  ^bb0(%a: i8, %out: f32):
    %c = arith.sitofp %a : i8 to f32
    linalg.yield %c : f32
  } -> tensor<1000x512xf32>
  %p = linalg.matmul indexing_maps = [#x, #w, #r]
      ins(%x, %f : tensor<4x512xf32>, tensor<1000x512xf32>) outs(%y : tensor<4x1000xf32>) -> tensor<4x1000xf32>
  return %p : tensor<4x1000xf32>
}

// -----

// Heads of a projection are columns: of 12 heads of 24, two and 48 columns at a time, so
// that no copy of all weights is made where they are transposed. Strips are parts of a
// head.

// CHECK-LABEL: func @heads(
// CHECK:         scf.forall {{.*}} = (0) to (12) step (2)
// CHECK:           linalg.generic {{.*}} ins(%{{.*}} : tensor<300x?xf32>, tensor<1x?x?xf32>)
func.func @heads(%x: tensor<300x200xf32>, %w: tensor<12x24x200xf32>) -> tensor<300x12x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300x12x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<300x12x24xf32>) -> tensor<300x12x24xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, h, n, k) -> (m, k)>, affine_map<(m, h, n, k) -> (h, n, k)>,
                                        affine_map<(m, h, n, k) -> (m, h, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<300x200xf32>, tensor<12x24x200xf32>) outs(%f : tensor<300x12x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<300x12x24xf32>
  return %p : tensor<300x12x24xf32>
}
