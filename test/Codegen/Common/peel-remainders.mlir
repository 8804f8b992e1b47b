// RUN: linalg-ext-opt %s --allow-unregistered-dialect --linalg-ext-tighten-loop-bounds=remainders --canonicalize --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --allow-unregistered-dialect --linalg-ext-tighten-loop-bounds='remainders split-wide-products=false' --canonicalize --split-input-file | FileCheck %s --check-prefix=NARROW

#rest = affine_map<(d0)[s0] -> (-d0 + s0, 64)>
#last = affine_map<(d0) -> (-d0 + 197, 64)>

// CHECK-LABEL: func @dynamic
// CHECK: %[[WHOLE:.*]] = affine.apply
// CHECK: scf.for %{{.*}} = %c0 to %[[WHOLE]] step %c64
// CHECK: "test.use"(%c64)
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to %arg0 step %c64
func.func @dynamic(%n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %size = affine.min #rest(%i)[%n]
    "test.use"(%size) : (index) -> ()
  }
  return
}

// A bound that is known is part of the map. What is left has a known size, too.

// CHECK-LABEL: func @static
// CHECK: scf.for %{{.*}} = %c0 to %c192 step %c64
// CHECK: "test.use"(%c64)
// CHECK-NOT: scf.for
// CHECK: "test.use"(%c5)
func.func @static(%n: index) {
  %c0 = arith.constant 0 : index
  %c197 = arith.constant 197 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c197 step %c64 {
    %size = affine.min #last(%i)
    "test.use"(%size) : (index) -> ()
  }
  return
}

// -----

// All tiles of all chunks are whole: nothing is left. Of other chunks, something may be.

#chunk = affine_map<(d0) -> (-d0 + 8192, 7168)>
#other = affine_map<(d0) -> (-d0 + 8192, 7200)>
#rest = affine_map<(d0)[s0] -> (-d0 + s0, 128)>

// CHECK-LABEL: func @chunks
// CHECK: scf.forall
// CHECK: %[[CHUNK:.*]] = affine.min
// CHECK: scf.for %{{.*}} = %c0 to %[[CHUNK]] step %c128
// CHECK-NOT: affine.min
// CHECK: "test.use"(%c128)
// CHECK-NOT: scf.for
// CHECK: return
func.func @chunks() {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.forall (%i) = (0) to (8192) step (7168) {
    %chunk = affine.min #chunk(%i)
    scf.for %j = %c0 to %chunk step %c128 {
      %size = affine.min #rest(%j)[%chunk]
      "test.use"(%size) : (index) -> ()
    }
  }
  return
}

// CHECK-LABEL: func @other_chunks
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: "test.use"(%c128)
// CHECK: scf.for
// CHECK: return
func.func @other_chunks() {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.forall (%i) = (0) to (8192) step (7200) {
    %chunk = affine.min #other(%i)
    scf.for %j = %c0 to %chunk step %c128 {
      %size = affine.min #rest(%j)[%chunk]
      "test.use"(%size) : (index) -> ()
    }
  }
  return
}

// -----

// Products of f32 are not copied if that is asked for; those of f16 are.

#last = affine_map<(d0) -> (-d0 + 197, 64)>

// CHECK-LABEL: func @wide
// CHECK-COUNT-2: linalg.matmul
// NARROW-LABEL: func @wide
// NARROW: scf.for %{{.*}} = %c0 to %c197 step %c64
// NARROW: linalg.matmul
// NARROW-NOT: linalg.matmul
// NARROW: return
func.func @wide(%a: tensor<16x197xf32>, %b: tensor<197x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %c197 = arith.constant 197 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c197 step %c64 iter_args(%acc = %c) -> tensor<16x8xf32> {
    %size = affine.min #last(%i)
    %x = tensor.extract_slice %a[0, %i] [16, %size] [1, 1] : tensor<16x197xf32> to tensor<16x?xf32>
    %y = tensor.extract_slice %b[%i, 0] [%size, 8] [1, 1] : tensor<197x8xf32> to tensor<?x8xf32>
    %z = linalg.matmul ins(%x, %y : tensor<16x?xf32>, tensor<?x8xf32>) outs(%acc : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %z : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// -----

// Nor does a conversion make wide products of narrow ones.

#last = affine_map<(d0) -> (-d0 + 197, 64)>

// NARROW-LABEL: func @narrow
// NARROW-COUNT-2: linalg.matmul
func.func @narrow(%a: tensor<16x197xf16>, %b: tensor<197x8xf16>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %c197 = arith.constant 197 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c197 step %c64 iter_args(%acc = %c) -> tensor<16x8xf32> {
    %size = affine.min #last(%i)
    %x = tensor.extract_slice %a[0, %i] [16, %size] [1, 1] : tensor<16x197xf16> to tensor<16x?xf16>
    %e = tensor.empty(%size) : tensor<16x?xf32>
    %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<16x?xf16>) outs(%e : tensor<16x?xf32>) {
    ^bb0(%in: f16, %out: f32):
      %0 = arith.extf %in : f16 to f32
      linalg.yield %0 : f32
    } -> tensor<16x?xf32>
    %y = tensor.extract_slice %b[%i, 0] [%size, 8] [1, 1] : tensor<197x8xf16> to tensor<?x8xf16>
    %z = linalg.matmul ins(%w, %y : tensor<16x?xf32>, tensor<?x8xf16>) outs(%acc : tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %z : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// -----

// A sum of asynchronous products: copies write zeros where there is nothing, so that
// the last iteration is as fast. Where threads load operands, or compute with them,
// it has a body of its own.

#mark = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}
#sync = {number = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "sync"}

// CHECK-LABEL: func @async(
// CHECK:         scf.forall
// CHECK:           scf.for %
// CHECK:             affine.min
// CHECK:             linalg.matmul
// CHECK-NOT:       scf.for %
// CHECK:         way = "async"
// CHECK:         scf.forall
// CHECK:           scf.for %
// CHECK-NOT:         affine.min
// CHECK:             linalg.matmul
// CHECK:           scf.for %
// CHECK:             linalg.matmul
// CHECK:         way = "sync"
// CHECK:         scf.forall
// CHECK:           scf.for %
// CHECK:             linalg.exp
// CHECK:             linalg.matmul
// CHECK:           scf.for %
// CHECK:             linalg.matmul
// CHECK:         way = "async"
func.func @async(%a: tensor<64x?xf16>, %b: tensor<?x128xf16>, %c: tensor<64x128xf32>, %n: index) -> tensor<64x128xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = scf.forall (%i) in (1) shared_outs(%o = %c) -> (tensor<64x128xf32>) {
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %o) -> (tensor<64x128xf32>) {
      %size = affine.min affine_map<(d0)[s0] -> (64, s0 - d0)>(%k)[%n]
      %x = tensor.extract_slice %a[0, %k] [64, %size] [1, 1] : tensor<64x?xf16> to tensor<64x?xf16>
      %y = tensor.extract_slice %b[%k, 0] [%size, 128] [1, 1] : tensor<?x128xf16> to tensor<?x128xf16>
      %p = linalg.matmul ins(%x, %y : tensor<64x?xf16>, tensor<?x128xf16>) outs(%acc : tensor<64x128xf32>) -> tensor<64x128xf32>
      scf.yield %p : tensor<64x128xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0, 0] [64, 128] [1, 1] : tensor<64x128xf32> into tensor<64x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  %1 = scf.forall (%i) in (1) shared_outs(%o = %0) -> (tensor<64x128xf32>) {
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %o) -> (tensor<64x128xf32>) {
      %size = affine.min affine_map<(d0)[s0] -> (64, s0 - d0)>(%k)[%n]
      %x = tensor.extract_slice %a[0, %k] [64, %size] [1, 1] : tensor<64x?xf16> to tensor<64x?xf16>
      %y = tensor.extract_slice %b[%k, 0] [%size, 128] [1, 1] : tensor<?x128xf16> to tensor<?x128xf16>
      %p = linalg.matmul ins(%x, %y : tensor<64x?xf16>, tensor<?x128xf16>) outs(%acc : tensor<64x128xf32>) -> tensor<64x128xf32>
      scf.yield %p : tensor<64x128xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0, 0] [64, 128] [1, 1] : tensor<64x128xf32> into tensor<64x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #sync}
  %2 = scf.forall (%i) in (1) shared_outs(%o = %1) -> (tensor<64x128xf32>) {
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %o) -> (tensor<64x128xf32>) {
      %size = affine.min affine_map<(d0)[s0] -> (64, s0 - d0)>(%k)[%n]
      %x = tensor.extract_slice %a[0, %k] [64, %size] [1, 1] : tensor<64x?xf16> to tensor<64x?xf16>
      %y = tensor.extract_slice %b[%k, 0] [%size, 128] [1, 1] : tensor<?x128xf16> to tensor<?x128xf16>
      %e = linalg.exp ins(%x : tensor<64x?xf16>) outs(%x : tensor<64x?xf16>) -> tensor<64x?xf16>
      %p = linalg.matmul ins(%e, %y : tensor<64x?xf16>, tensor<?x128xf16>) outs(%acc : tensor<64x128xf32>) -> tensor<64x128xf32>
      scf.yield %p : tensor<64x128xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0, 0] [64, 128] [1, 1] : tensor<64x128xf32> into tensor<64x128xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>], vector_ext.kernel = #mark}
  return %2 : tensor<64x128xf32>
}

// -----

// What is left has 24 integers, which are unpacked from 12 bytes, a part of two matrix
// instructions: the loop stays. What is left of 48 is whole instructions.

#rest24 = affine_map<(d0) -> (-d0 + 120, 48)>
#rest48 = affine_map<(d0) -> (-d0 + 144, 96)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#word = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @negative_part_of_instruction
// CHECK: scf.for %{{.*}} = %c0 to %c120 step %c48
// CHECK: affine.min
// CHECK-NOT: tensor<12x
func.func @negative_part_of_instruction(%w: tensor<60xi8>) {
  %c0 = arith.constant 0 : index
  %c120 = arith.constant 120 : index
  %c48 = arith.constant 48 : index
  scf.for %i = %c0 to %c120 step %c48 {
    %size = affine.min #rest24(%i)
    %bytes = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%size)
    %from = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    %part = tensor.extract_slice %w[%from] [%bytes] [1] : tensor<60xi8> to tensor<?xi8>
    %e = tensor.empty(%bytes) : tensor<?x2xi8>
    %u = linalg.generic {indexing_maps = [#word, #id], iterator_types = ["parallel", "parallel"]}
        ins(%part : tensor<?xi8>) outs(%e : tensor<?x2xi8>) {
    ^bb0(%a: i8, %o: i8):
      %c4 = arith.constant 4 : i8
      %0 = linalg.index 1 : index
      %1 = arith.index_cast %0 : index to i8
      %2 = arith.muli %1, %c4 : i8
      %3 = arith.shrui %a, %2 : i8
      linalg.yield %3 : i8
    } -> tensor<?x2xi8>
    %all = tensor.collapse_shape %u [[0, 1]] : tensor<?x2xi8> into tensor<?xi8>
    "test.use"(%all) : (tensor<?xi8>) -> ()
  }
  return
}

// CHECK-LABEL: func @whole_instructions
// CHECK-NOT: affine.min
// CHECK: tensor.collapse_shape %{{.*}} into tensor<96xi8>
// CHECK: tensor.collapse_shape %{{.*}} into tensor<48xi8>
func.func @whole_instructions(%w: tensor<72xi8>) {
  %c0 = arith.constant 0 : index
  %c144 = arith.constant 144 : index
  %c96 = arith.constant 96 : index
  scf.for %i = %c0 to %c144 step %c96 {
    %size = affine.min #rest48(%i)
    %bytes = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%size)
    %from = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    %part = tensor.extract_slice %w[%from] [%bytes] [1] : tensor<72xi8> to tensor<?xi8>
    %e = tensor.empty(%bytes) : tensor<?x2xi8>
    %u = linalg.generic {indexing_maps = [#word, #id], iterator_types = ["parallel", "parallel"]}
        ins(%part : tensor<?xi8>) outs(%e : tensor<?x2xi8>) {
    ^bb0(%a: i8, %o: i8):
      %c4 = arith.constant 4 : i8
      %0 = linalg.index 1 : index
      %1 = arith.index_cast %0 : index to i8
      %2 = arith.muli %1, %c4 : i8
      %3 = arith.shrui %a, %2 : i8
      linalg.yield %3 : i8
    } -> tensor<?x2xi8>
    %all = tensor.collapse_shape %u [[0, 1]] : tensor<?x2xi8> into tensor<?xi8>
    "test.use"(%all) : (tensor<?xi8>) -> ()
  }
  return
}
