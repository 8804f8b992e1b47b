// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles=multiple-of=16 --split-input-file | FileCheck %s

// Four rows, and keys that are stored as bytes, of which each subgroup has 32: the rows are
// padded to eight, which are the columns of instructions with exchanged operands.

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#keys = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @bytes
//       CHECK: vector.transfer_read %{{.*}} : tensor<4x32xf16>, vector<8x32xf16>
//       CHECK: scf.for {{.*}} -> (vector<4x8x32xf32>)
//       CHECK:   vector.contract {{.*}} : vector<8x32xf16>, vector<4x32x32xf16> into vector<4x8x32xf32>
func.func @bytes(%q: tensor<4x32xf16>, %k: tensor<?x32xi8>, %init: tensor<4x4x32xf32>, %n: index) -> tensor<4x4x32xf32> {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.forall (%w) in (1) shared_outs(%o = %init) -> tensor<4x4x32xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4x32xf32>
    %first = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4x32xf32>) -> tensor<4x4x32xf32>
    %sums = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %first) -> tensor<4x4x32xf32> {
      %parts = scf.forall (%p) in (4) shared_outs(%s = %acc) -> tensor<4x4x32xf32> {
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 32)>(%i, %p)
        %own = tensor.extract_slice %s[%p, 0, 0] [1, 4, 32] [1, 1, 1] : tensor<4x4x32xf32> to tensor<4x32xf32>
        %tile = tensor.extract_slice %k[%at, 0] [32, 32] [1, 1] : tensor<?x32xi8> to tensor<32x32xi8>
        %he = tensor.empty() : tensor<32x32xf16>
        %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%tile : tensor<32x32xi8>) outs(%he : tensor<32x32xf16>) {
        ^bb0(%x: i8, %y: f16):
          %f = arith.sitofp %x : i8 to f16
          linalg.yield %f : f16
        } -> tensor<32x32xf16>
        %sum = linalg.generic {indexing_maps = [#rows, #keys, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %h : tensor<4x32xf16>, tensor<32x32xf16>) outs(%own : tensor<4x32xf32>) {
        ^bb0(%a: f16, %b: f16, %c: f32):
          %aw = arith.extf %a : f16 to f32
          %bw = arith.extf %b : f16 to f32
          %ab = arith.mulf %aw, %bw : f32
          %abc = arith.addf %c, %ab : f32
          linalg.yield %abc : f32
        } -> tensor<4x32xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %sum into %s[%p, 0, 0] [1, 4, 32] [1, 1, 1] : tensor<4x32xf32> into tensor<4x4x32xf32>
        }
      } {mapping = [#gpu.warp<linear_dim_0>]}
      scf.yield %parts : tensor<4x4x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sums into %o[0, 0, 0] [4, 4, 32] [1, 1, 1] : tensor<4x4x32xf32> into tensor<4x4x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<4x4x32xf32>
}

// -----

// Keys of 16 bits: an instruction has 16 rows.

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#keys = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: @negative_halves
//       CHECK:   vector.contract {{.*}} : vector<16x32xf16>, vector<4x32x32xf16> into vector<4x16x32xf32>
func.func @negative_halves(%q: tensor<4x32xf16>, %k: tensor<?x32xf16>, %init: tensor<4x4x32xf32>, %n: index) -> tensor<4x4x32xf32> {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.forall (%w) in (1) shared_outs(%o = %init) -> tensor<4x4x32xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4x32xf32>
    %first = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4x32xf32>) -> tensor<4x4x32xf32>
    %sums = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %first) -> tensor<4x4x32xf32> {
      %parts = scf.forall (%p) in (4) shared_outs(%s = %acc) -> tensor<4x4x32xf32> {
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 32)>(%i, %p)
        %own = tensor.extract_slice %s[%p, 0, 0] [1, 4, 32] [1, 1, 1] : tensor<4x4x32xf32> to tensor<4x32xf32>
        %tile = tensor.extract_slice %k[%at, 0] [32, 32] [1, 1] : tensor<?x32xf16> to tensor<32x32xf16>
        %sum = linalg.generic {indexing_maps = [#rows, #keys, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %tile : tensor<4x32xf16>, tensor<32x32xf16>) outs(%own : tensor<4x32xf32>) {
        ^bb0(%a: f16, %b: f16, %c: f32):
          %aw = arith.extf %a : f16 to f32
          %bw = arith.extf %b : f16 to f32
          %ab = arith.mulf %aw, %bw : f32
          %abc = arith.addf %c, %ab : f32
          linalg.yield %abc : f32
        } -> tensor<4x32xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %sum into %s[%p, 0, 0] [1, 4, 32] [1, 1, 1] : tensor<4x32xf32> into tensor<4x4x32xf32>
        }
      } {mapping = [#gpu.warp<linear_dim_0>]}
      scf.yield %parts : tensor<4x4x32xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sums into %o[0, 0, 0] [4, 4, 32] [1, 1, 1] : tensor<4x4x32xf32> into tensor<4x4x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<4x4x32xf32>
}
