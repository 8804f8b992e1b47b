// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles --split-input-file --verify-diagnostics | FileCheck %s

// What has no vector form stays, and gets its tile from memory.

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func @loop_in_payload
// CHECK:         %[[E:.*]] = math.exp %{{.*}} : vector<16xf32>
// CHECK:         %[[W:.*]] = vector.transfer_write %[[E]]
// CHECK:         %[[G:.*]] = linalg.generic {{.*}} ins(%[[W]]
// CHECK:         %[[R:.*]] = vector.transfer_read %[[G]]
// CHECK:         math.log %[[R]]
func.func @loop_in_payload(%x: tensor<64xf32>) -> tensor<64xf32> {
  %init = tensor.empty() : tensor<64xf32>
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64xf32>) {
    %a = tensor.extract_slice %x[%i] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %empty = tensor.empty() : tensor<16xf32>
    %b = linalg.exp ins(%a : tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
    // expected-remark @below {{not vectorized: the payload has 'scf.for', which has no vector form}}
    %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%b : tensor<16xf32>) outs(%empty : tensor<16xf32>) {
    ^bb0(%v: f32, %w: f32):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%sum = %v) -> f32 {
        %d = arith.addf %sum, %v : f32
        scf.yield %d : f32
      }
      linalg.yield %r : f32
    } -> tensor<16xf32>
    %d = linalg.log ins(%c : tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %0 : tensor<64xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// Both branches would be evaluated for all elements.

// CHECK-LABEL: func @division_in_branch
// CHECK:         linalg.generic
// CHECK:           scf.if
func.func @division_in_branch(%x: tensor<64xi32>) -> tensor<64xi32> {
  %init = tensor.empty() : tensor<64xi32>
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64xi32>) {
    %a = tensor.extract_slice %x[%i] [16] [1] : tensor<64xi32> to tensor<16xi32>
    %empty = tensor.empty() : tensor<16xi32>
    // expected-remark @below {{not vectorized: the payload has 'scf.if', which has no vector form}}
    %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<16xi32>) outs(%empty : tensor<16xi32>) {
    ^bb0(%v: i32, %w: i32):
      %zero = arith.constant 0 : i32
      %ten = arith.constant 10 : i32
      %is = arith.cmpi ne, %v, %zero : i32
      %r = scf.if %is -> i32 {
        %d = arith.divsi %ten, %v : i32
        scf.yield %d : i32
      } else {
        scf.yield %zero : i32
      }
      linalg.yield %r : i32
    } -> tensor<16xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [16] [1] : tensor<16xi32> into tensor<64xi32>
    }
  }
  return %0 : tensor<64xi32>
}

// -----

// CHECK-LABEL: func @unbounded
// CHECK:         linalg.exp
func.func @unbounded(%x: tensor<4x?xf32>, %init: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %0 = scf.forall (%i) in (4) shared_outs(%o = %init) -> (tensor<4x?xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, %n] [1, 1] : tensor<4x?xf32> to tensor<1x?xf32>
    %b = tensor.extract_slice %o[%i, 0] [1, %n] [1, 1] : tensor<4x?xf32> to tensor<1x?xf32>
    // expected-remark @below {{not vectorized: the size of operand 0 has no constant bound of at most 65536}}
    %c = linalg.exp ins(%a : tensor<1x?xf32>) outs(%b : tensor<1x?xf32>) -> tensor<1x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [1, %n] [1, 1] : tensor<1x?xf32> into tensor<4x?xf32>
    }
  }
  return %0 : tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func @too_large
// CHECK:         linalg.exp
func.func @too_large(%x: tensor<512x1024xf32>, %init: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = scf.forall (%i) = (0) to (512) step (256) shared_outs(%o = %init) -> (tensor<512x1024xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [256, 1024] [1, 1] : tensor<512x1024xf32> to tensor<256x1024xf32>
    %b = tensor.extract_slice %o[%i, 0] [256, 1024] [1, 1] : tensor<512x1024xf32> to tensor<256x1024xf32>
    // expected-remark @below {{not vectorized: a tile of 262144 elements is larger than 65536}}
    %c = linalg.exp ins(%a : tensor<256x1024xf32>) outs(%b : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [256, 1024] [1, 1] : tensor<256x1024xf32> into tensor<512x1024xf32>
    }
  }
  return %0 : tensor<512x1024xf32>
}
