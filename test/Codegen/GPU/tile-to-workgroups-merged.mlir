// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 columns=32 reduction=8' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups=reduction=8 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=CHOSEN

// Halves that are computed from the same two are one loop over workgroups.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @halves
// CHECK:         scf.forall {{.*}} -> (tensor<50x32xf16>, tensor<50x32xf16>)
// CHECK:           linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<{{.*}}xf16>, tensor<{{.*}}xf16>)
// CHECK:             arith.subf
// CHECK:             arith.addf
// CHECK-NOT:     scf.forall (
func.func @halves(%x: tensor<50x64xf16>) -> (tensor<50x32xf16>, tensor<50x32xf16>) {
  %a = tensor.extract_slice %x[0, 0] [50, 32] [1, 1] : tensor<50x64xf16> to tensor<50x32xf16>
  %b = tensor.extract_slice %x[0, 32] [50, 32] [1, 1] : tensor<50x64xf16> to tensor<50x32xf16>
  %e = tensor.empty() : tensor<50x32xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<50x32xf16>, tensor<50x32xf16>) outs(%e : tensor<50x32xf16>) {
  ^bb0(%u: f16, %v: f16, %out: f16):
    %d = arith.subf %u, %v : f16
    linalg.yield %d : f16
  } -> tensor<50x32xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b, %a : tensor<50x32xf16>, tensor<50x32xf16>) outs(%e : tensor<50x32xf16>) {
  ^bb0(%u: f16, %v: f16, %out: f16):
    %d = arith.addf %u, %v : f16
    linalg.yield %d : f16
  } -> tensor<50x32xf16>
  return %0, %1 : tensor<50x32xf16>, tensor<50x32xf16>
}

// -----

// The sizes of the second are known behind the first.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @sizes_in_between
// CHECK:         scf.forall {{.*}} -> (tensor<?x32xf16>, tensor<?x32xf16>)
// CHECK:             math.absf
// CHECK:             arith.addf
// CHECK-NOT:     scf.forall (
func.func @sizes_in_between(%x: tensor<?x32xf16>, %y: tensor<?x32xf16>) -> (tensor<?x32xf16>, tensor<?x32xf16>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x32xf16>
  %e = tensor.empty(%m) : tensor<?x32xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x32xf16>) outs(%e : tensor<?x32xf16>) {
  ^bb0(%u: f16, %out: f16):
    %d = math.absf %u : f16
    linalg.yield %d : f16
  } -> tensor<?x32xf16>
  %n = tensor.dim %y, %c0 : tensor<?x32xf16>
  %f = tensor.empty(%n) : tensor<?x32xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x32xf16>, tensor<?x32xf16>) outs(%f : tensor<?x32xf16>) {
  ^bb0(%u: f16, %v: f16, %out: f16):
    %d = arith.addf %u, %v : f16
    linalg.yield %d : f16
  } -> tensor<?x32xf16>
  return %0, %1 : tensor<?x32xf16>, tensor<?x32xf16>
}

// -----

// What shares nothing, or only a row, stays apart; so does what needs the other.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @negative_shared_row
// CHECK-COUNT-2: scf.forall (
func.func @negative_shared_row(%x: tensor<50x32xf16>, %y: tensor<50x32xf16>, %c: tensor<32xf16>)
    -> (tensor<50x32xf16>, tensor<50x32xf16>) {
  %e = tensor.empty() : tensor<50x32xf16>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<50x32xf16>, tensor<32xf16>) outs(%e : tensor<50x32xf16>) {
  ^bb0(%u: f16, %v: f16, %out: f16):
    %d = arith.subf %u, %v : f16
    linalg.yield %d : f16
  } -> tensor<50x32xf16>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %c : tensor<50x32xf16>, tensor<32xf16>) outs(%e : tensor<50x32xf16>) {
  ^bb0(%u: f16, %v: f16, %out: f16):
    %d = arith.addf %u, %v : f16
    linalg.yield %d : f16
  } -> tensor<50x32xf16>
  return %0, %1 : tensor<50x32xf16>, tensor<50x32xf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @negative_needs_it
// CHECK-COUNT-2: scf.forall (
func.func @negative_needs_it(%x: tensor<50x64xf16>) -> (tensor<50x64xf16>, tensor<50x64xf16>) {
  %e = tensor.empty() : tensor<50x64xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<50x64xf16>) outs(%e : tensor<50x64xf16>) {
  ^bb0(%u: f16, %out: f16):
    %d = arith.negf %u : f16
    linalg.yield %d : f16
  } -> tensor<50x64xf16>
  %part = tensor.extract_slice %0[1, 0] [49, 64] [1, 1] : tensor<50x64xf16> to tensor<49x64xf16>
  %last = tensor.extract_slice %0[0, 0] [1, 64] [1, 1] : tensor<50x64xf16> to tensor<1x64xf16>
  %turned = tensor.concat dim(0) %part, %last : (tensor<49x64xf16>, tensor<1x64xf16>) -> tensor<50x64xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %turned : tensor<50x64xf16>, tensor<50x64xf16>) outs(%e : tensor<50x64xf16>) {
  ^bb0(%u: f16, %v: f16, %out: f16):
    %d = arith.addf %u, %v : f16
    linalg.yield %d : f16
  } -> tensor<50x64xf16>
  return %0, %1 : tensor<50x64xf16>, tensor<50x64xf16>
}

// -----

// Two products of one operand, too small for all processors: their sums are in
// one loop, each of half of the columns.

#id = affine_map<(i, j) -> (i, j)>

// With given tiles, each has a loop of its own.
// CHECK-LABEL: func @products
// CHECK:         scf.forall {{.*}} to (64, 64) step (16, 32)
// CHECK:         scf.forall {{.*}} to (64, 64) step (16, 32)

// CHOSEN-LABEL: func @products
// CHOSEN:         scf.forall {{.*}} to (64, 64) step (64, 32)
// CHOSEN:           scf.for
// CHOSEN-COUNT-2:     linalg.matmul
// CHOSEN-NOT:     scf.forall (
// CHOSEN:         return
func.func @products(%x: tensor<64x40xf32>, %w: tensor<40x64xf32>, %u: tensor<40x64xf32>)
    -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %h = tensor.empty() : tensor<64x64xf16>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = linalg.matmul ins(%x, %w : tensor<64x40xf32>, tensor<40x64xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%h : tensor<64x64xf16>) {
  ^bb0(%s: f32, %out: f16):
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x64xf16>
  %b = linalg.matmul ins(%x, %u : tensor<64x40xf32>, tensor<40x64xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<64x64xf32>) outs(%h : tensor<64x64xf16>) {
  ^bb0(%s: f32, %out: f16):
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x64xf16>
  return %0, %1 : tensor<64x64xf16>, tensor<64x64xf16>
}

// -----

// Large ones have workgroups of their own.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @negative_large_products
// CHECK-COUNT-2: scf.forall {{.*}} to (256, 512) step (16, 32)
func.func @negative_large_products(%x: tensor<256x40xf32>, %w: tensor<40x512xf32>, %u: tensor<40x512xf32>)
    -> (tensor<256x512xf16>, tensor<256x512xf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %h = tensor.empty() : tensor<256x512xf16>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  %a = linalg.matmul ins(%x, %w : tensor<256x40xf32>, tensor<40x512xf32>) outs(%zeros : tensor<256x512xf32>) -> tensor<256x512xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<256x512xf32>) outs(%h : tensor<256x512xf16>) {
  ^bb0(%s: f32, %out: f16):
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<256x512xf16>
  %b = linalg.matmul ins(%x, %u : tensor<256x40xf32>, tensor<40x512xf32>) outs(%zeros : tensor<256x512xf32>) -> tensor<256x512xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<256x512xf32>) outs(%h : tensor<256x512xf16>) {
  ^bb0(%s: f32, %out: f16):
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<256x512xf16>
  return %0, %1 : tensor<256x512xf16>, tensor<256x512xf16>
}

// -----

// The second of two ops that read the same operand extracts elements of what is computed from the
// first: it cannot be computed with it.

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_extracts_of_first
// CHECK:       %[[A:.*]] = scf.forall
// CHECK:       %[[B:.*]] = scf.forall
// CHECK:       scf.forall
// CHECK:         tensor.extract %[[B]]
func.func @negative_extracts_of_first(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %1 = scf.forall (%i) = (0) to (64) step (8) shared_outs(%s = %e) -> (tensor<64x64xf32>) {
    %t = tensor.extract_slice %0[%i, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
    %u = tensor.extract_slice %s[%i, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
    %v = linalg.abs ins(%t : tensor<8x64xf32>) outs(%u : tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %s[%i, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %f = tensor.extract %1[%j, %i] : tensor<64x64xf32>
    %r = arith.addf %a, %f : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %1, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}
