// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-vectorize-tiles=multiple-of=16 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=MULTIPLE
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-vectorize-tiles)' --split-input-file

// A tile that may be smaller than its vector is read and written under masks,
// from where its tensor is.

#rest = affine_map<(i) -> (-i + 50, 16)>

// CHECK-LABEL: func @elementwise
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (50) step (16) shared_outs(%[[O:.*]] =
// CHECK:           %[[SIZE:.*]] = affine.min
// CHECK:           %[[MASK:.*]] = vector.create_mask %[[SIZE]] : vector<16xi1>
// CHECK:           %[[A:.*]] = vector.transfer_read %arg0[%[[I]]], %{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<50xf32>, vector<16xf32>
// CHECK:           %[[E:.*]] = math.exp %[[A]] : vector<16xf32>
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %[[O]][%[[I]]] [%[[SIZE]]] [1]
// CHECK:           %[[W:.*]] = vector.transfer_write %[[E]], %[[SLICE]][%c0], %[[MASK]] {in_bounds = [true]}
// CHECK:           scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %[[W]] into %[[O]]
func.func @elementwise(%x: tensor<50xf32>, %init: tensor<50xf32>) -> tensor<50xf32> {
  %0 = scf.forall (%i) = (0) to (50) step (16) shared_outs(%o = %init) -> (tensor<50xf32>) {
    %size = affine.min #rest(%i)
    %a = tensor.extract_slice %x[%i] [%size] [1] : tensor<50xf32> to tensor<?xf32>
    %b = tensor.extract_slice %o[%i] [%size] [1] : tensor<50xf32> to tensor<?xf32>
    %c = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [%size] [1] : tensor<?xf32> into tensor<50xf32>
    }
  }
  return %0 : tensor<50xf32>
}

// -----

// A loop carries a vector; what it sums is 0 beyond the tile on both sides; the
// contraction keeps its configuration and takes the extensions in.

#rest = affine_map<(i) -> (-i + 20, 8)>
#config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1]>

// CHECK-LABEL: func @product
// CHECK:           %[[FILL:.*]] = arith.constant dense<0.000000e+00> : vector<4x6xf32>
// CHECK:           scf.for %[[K:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[FILL]]) -> (vector<4x6xf32>)
// CHECK:             %[[AMASK:.*]] = vector.create_mask %c4, %[[SIZE:.*]] : vector<4x8xi1>
// CHECK:             %[[A:.*]] = vector.transfer_read %arg0[%{{.*}}, %{{.*}}, %[[K]]], %{{.*}}, %[[AMASK]]
// CHECK-SAME:            tensor<3x4x20xf16>, vector<4x8xf16>
// CHECK:             %[[DOUBLE:.*]] = arith.mulf %[[A]], %{{.*}} : vector<4x8xf16>
// CHECK:             %[[B:.*]] = vector.transfer_read %arg1
// CHECK-SAME:            tensor<20x6xf16>, vector<8x6xf16>
// CHECK:             %[[IN:.*]] = arith.select %[[AMASK]], %[[DOUBLE]], %{{.*}} : vector<4x8xi1>, vector<4x8xf16>
// CHECK:             %[[C:.*]] = vector.contract
// CHECK-SAME:            iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:            %[[IN]], %[[B]], %[[ACC]] {vector_ext.config = #vector_ext.contract_config<{{.*}}>} : vector<4x8xf16>, vector<8x6xf16> into vector<4x6xf32>
// CHECK:             scf.yield %[[C]]

// MULTIPLE-LABEL: func @product
// MULTIPLE:         vector.contract {{.*}} : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
func.func @product(%a: tensor<3x4x20xf16>, %b: tensor<20x6xf16>, %init: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f16
  %0 = scf.forall (%i) in (3) shared_outs(%o = %init) -> (tensor<3x4x6xf32>) {
    %slice = tensor.extract_slice %o[%i, 0, 0] [1, 4, 6] [1, 1, 1] : tensor<3x4x6xf32> to tensor<4x6xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%slice : tensor<4x6xf32>) -> tensor<4x6xf32>
    %c = scf.for %k = %c0 to %c20 step %c8 iter_args(%acc = %zeros) -> (tensor<4x6xf32>) {
      %size = affine.min #rest(%k)
      %at = tensor.extract_slice %a[%i, 0, %k] [1, 4, %size] [1, 1, 1] : tensor<3x4x20xf16> to tensor<4x?xf16>
      %bt = tensor.extract_slice %b[%k, 0] [%size, 6] [1, 1] : tensor<20x6xf16> to tensor<?x6xf16>
      %empty = tensor.empty(%size) : tensor<4x?xf16>
      %double = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%at : tensor<4x?xf16>) outs(%empty : tensor<4x?xf16>) {
      ^bb0(%x: f16, %y: f16):
        %m = arith.mulf %x, %two : f16
        linalg.yield %m : f16
      } -> tensor<4x?xf16>
      %next = linalg.matmul {vector_ext.config = #config} ins(%double, %bt : tensor<4x?xf16>, tensor<?x6xf16>)
          outs(%acc : tensor<4x6xf32>) -> tensor<4x6xf32>
      scf.yield %next : tensor<4x6xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0, 0] [1, 4, 6] [1, 1, 1] : tensor<4x6xf32> into tensor<3x4x6xf32>
    }
  }
  return %0 : tensor<3x4x6xf32>
}

// -----

// A reduction meets the neutral element beyond the tile; coordinates are steps.

#rest = affine_map<(i)[n] -> (-i + n, 16)>

// CHECK-LABEL: func @reduction
// CHECK-DAG:       %[[NEUTRAL:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK:           %[[A:.*]] = vector.transfer_read
// CHECK:           %[[STEP:.*]] = vector.step : vector<16xindex>
// CHECK:           %[[IN:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NEUTRAL]] : vector<16xi1>, vector<16xf32>
// CHECK:           %[[M:.*]] = vector.multi_reduction <maximumf>, %[[IN]], %{{.*}} [0] : vector<16xf32> to f32
// CHECK:           tensor.insert %[[M]]
func.func @reduction(%x: tensor<?x16xf32>, %n: index, %init: tensor<?xf32>) -> tensor<?xf32> {
  %low = arith.constant 0xFF800000 : f32
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %init) -> (tensor<?xf32>) {
    %size = affine.min #rest(%i)[%n]
    %a = tensor.extract_slice %x[%i, 0] [1, %size] [1, 1] : tensor<?x16xf32> to tensor<1x?xf32>
    %b = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %lows = linalg.fill ins(%low : f32) outs(%b : tensor<1xf32>) -> tensor<1xf32>
    %m = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<1x?xf32>) outs(%lows : tensor<1xf32>) {
    ^bb0(%x0: f32, %m0: f32):
      %j = linalg.index 1 : index
      %k = arith.index_cast %j : index to i32
      %f = arith.sitofp %k : i32 to f32
      %s = arith.addf %x0, %f : f32
      %max = arith.maximumf %m0, %s : f32
      linalg.yield %max : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

// -----

// A copy of a tile in a place of its own is the same vector: the loop that
// merges the chunks of a split carries it.

// CHECK-LABEL: func @copies
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK:           %[[X:.*]] = vector.transfer_read
// CHECK:           %[[MAX:.*]] = arith.maximumf %[[X]], %[[ACC]]
// CHECK:           scf.yield %[[MAX]] : vector<4xf32>
// CHECK-NOT:     bufferization
func.func @copies(%x: tensor<8x3x4xf32>, %init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %low = arith.constant 0xFF800000 : f32
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %o = tensor.extract_slice %out[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %f = linalg.fill ins(%low : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    %start = bufferization.alloc_tensor() copy(%f) : tensor<4xf32>
    %max = scf.for %c = %c0 to %c3 step %c1 iter_args(%acc = %start) -> (tensor<4xf32>) {
      %slot = tensor.extract_slice %x[%i, %c, 0] [1, 1, 4] [1, 1, 1] : tensor<8x3x4xf32> to tensor<4xf32>
      %e = tensor.empty() : tensor<4xf32>
      %m = linalg.max ins(%slot, %acc : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %kept = bufferization.materialize_in_destination %m in %acc : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %kept : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %max into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}

// -----

// A workgroup that only copies a part of another tensor reads it as a tile; what
// it has in the result already stays.

// CHECK-LABEL: func @copied_part
// CHECK:         scf.forall
// CHECK:           %[[X:.*]] = vector.transfer_read %{{.*}} : tensor<{{.*}}xf32>, vector<8xf32>
// CHECK:           vector.transfer_write %[[X]]
// CHECK:           tensor.parallel_insert_slice
func.func @copied_part(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%out = %init) -> (tensor<4x8xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @negative_own_part
// CHECK-NOT:     vector.
// CHECK:         return
func.func @negative_own_part(%init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%out = %init) -> (tensor<4x8xf32>) {
    %s = tensor.extract_slice %out[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    }
  }
  return %0 : tensor<4x8xf32>
}

// -----

// The sizes of a tile of which dims of size 1 are taken away are those that it
// had: it stays a vector, and is in no tensor on the way.

#rest = affine_map<(i)[n] -> (-i + n, 16)>

// CHECK-LABEL: func @collapsed_dynamic
// CHECK:         scf.forall
// CHECK:           %[[A:.*]] = vector.transfer_read
// CHECK:           %[[L:.*]] = scf.for {{.*}} -> (vector<16x4xf32>)
// CHECK-NOT:       tensor.collapse_shape
// CHECK-NOT:       vector.transfer_read
// CHECK:           %[[N:.*]] = arith.negf %[[L]]
// CHECK:           vector.transfer_write %[[N]]
func.func @collapsed_dynamic(%x: tensor<1x1x?x4xf32>, %init: tensor<1x?x4xf32>, %n: index, %k: index) -> tensor<1x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.forall (%i) = (0) to (%n) step (16) shared_outs(%o = %init) -> (tensor<1x?x4xf32>) {
    %size = affine.min #rest(%i)[%n]
    %a = tensor.extract_slice %x[0, 0, %i, 0] [1, 1, %size, 4] [1, 1, 1, 1] : tensor<1x1x?x4xf32> to tensor<1x1x?x4xf32>
    %b = scf.for %j = %c0 to %k step %c1 iter_args(%acc = %a) -> tensor<1x1x?x4xf32> {
      %next = linalg.exp ins(%acc : tensor<1x1x?x4xf32>) outs(%acc : tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
      scf.yield %next : tensor<1x1x?x4xf32>
    }
    %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<1x1x?x4xf32> into tensor<1x?x4xf32>
    %d = tensor.extract_slice %o[0, %i, 0] [1, %size, 4] [1, 1, 1] : tensor<1x?x4xf32> to tensor<1x?x4xf32>
    %r = linalg.negf ins(%c : tensor<1x?x4xf32>) outs(%d : tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[0, %i, 0] [1, %size, 4] [1, 1, 1] : tensor<1x?x4xf32> into tensor<1x?x4xf32>
    }
  }
  return %0 : tensor<1x?x4xf32>
}

// -----

// What lies behind dimensions of one element is read where it is, whichever way
// these came about.

// CHECK-LABEL: func @unit_dims
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (64) step (16)
// CHECK:           vector.transfer_read %arg0[%c3, %[[I]], %c8], %{{.*}} {in_bounds = [true, true]} : tensor<4x64x24xf32>, vector<16x8xf32>
func.func @unit_dims(%x: tensor<4x64x24xf32>, %init: tensor<64x1x8xf32>) -> tensor<64x1x8xf32> {
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64x1x8xf32>) {
    %a = tensor.extract_slice %x[3, %i, 8] [1, 16, 8] [1, 1, 1] : tensor<4x64x24xf32> to tensor<1x16x8xf32>
    %b = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [1, 16, 1, 8] : tensor<1x16x8xf32> into tensor<1x16x1x8xf32>
    %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<1x16x1x8xf32> into tensor<16x1x8xf32>
    %d = tensor.extract_slice %o[%i, 0, 0] [16, 1, 8] [1, 1, 1] : tensor<64x1x8xf32> to tensor<16x1x8xf32>
    %e = linalg.exp ins(%c : tensor<16x1x8xf32>) outs(%d : tensor<16x1x8xf32>) -> tensor<16x1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i, 0, 0] [16, 1, 8] [1, 1, 1] : tensor<16x1x8xf32> into tensor<64x1x8xf32>
    }
  }
  return %0 : tensor<64x1x8xf32>
}

// -----

// A loop in a workgroup that is not mapped to subgroups keeps its tensors: its
// iterations leave tiles, not slots of parts.

// CHECK-LABEL: func @negative_inner_forall
// CHECK: scf.forall (%{{.*}}) in (2) shared_outs(%[[OUT:.*]] =
// CHECK: scf.forall
// CHECK: linalg.exp
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%{{.*}}, 0] [16, 32]
func.func @negative_inner_forall(%a: tensor<64x32xf32>, %o: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = scf.forall (%i) in (2) shared_outs(%x = %o) -> tensor<64x32xf32> {
    %off = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %s = tensor.extract_slice %x[%off, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
    %in = tensor.extract_slice %a[%off, 0] [32, 32] [1, 1] : tensor<64x32xf32> to tensor<32x32xf32>
    %t = scf.forall (%j) in (2) shared_outs(%y = %s) -> tensor<32x32xf32> {
      %p = affine.apply affine_map<(d0) -> (d0 * 16)>(%j)
      %u = tensor.extract_slice %in[%p, 0] [16, 32] [1, 1] : tensor<32x32xf32> to tensor<16x32xf32>
      %v = tensor.extract_slice %y[%p, 0] [16, 32] [1, 1] : tensor<32x32xf32> to tensor<16x32xf32>
      %w = linalg.exp ins(%u : tensor<16x32xf32>) outs(%v : tensor<16x32xf32>) -> tensor<16x32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %y[%p, 0] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<32x32xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %x[%off, 0] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x32xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %r : tensor<64x32xf32>
}

// -----

// The first rows of a tile are in its vector; a mask writes them. The only element
// of a tile is a scalar, which a read of it becomes.

#one = affine_map<(i) -> (i)>
#first = affine_map<(d0)[s0] -> (16, d0 - s0)>

// CHECK-LABEL: func @first_rows
//  CHECK-SAME:   %[[X:[^:]*]]: tensor<64x16xf32>, %[[N:[^:]*]]: tensor<4xindex>, %[[OUT:[^:]*]]: tensor<80x16xf32>
//       CHECK:   scf.forall (%[[I:.*]]) =
//       CHECK:     %[[READ:.*]] = tensor.extract %[[N]]
//       CHECK:     %[[LENGTH:.*]] = arith.addi %[[READ]], %c1
//       CHECK:     %[[COUNT:.*]] = affine.min #{{.*}}(%[[LENGTH]])[%[[I]]]
//       CHECK:     %[[TILE:.*]] = vector.transfer_read %[[X]]
//       CHECK:     %[[SUM:.*]] = arith.addf %[[TILE]], %[[TILE]] : vector<16x16xf32>
//       CHECK:     %[[TO:.*]] = tensor.extract_slice %{{.*}}[%[[LENGTH]], 0] [%[[COUNT]], 16]
//       CHECK:     %[[MASK:.*]] = vector.create_mask %[[COUNT]]
//       CHECK:     vector.transfer_write %[[SUM]], %[[TO]]{{.*}}, %{{.*}} {in_bounds = [true, true]}
func.func @first_rows(%x: tensor<64x16xf32>, %n: tensor<4xindex>, %out: tensor<80x16xf32>) -> tensor<80x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %out) -> (tensor<80x16xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%i)
    %ns = tensor.extract_slice %n[%at] [1] [1] : tensor<4xindex> to tensor<1xindex>
    %le = tensor.empty() : tensor<1xindex>
    %lengths = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%ns : tensor<1xindex>) outs(%le : tensor<1xindex>) {
    ^bb0(%a: index, %b: index):
      %sum = arith.addi %a, %c1 : index
      linalg.yield %sum : index
    } -> tensor<1xindex>
    %length = tensor.extract %lengths[%c0] : tensor<1xindex>
    %count = affine.min #first(%length)[%i]
    %tile = tensor.extract_slice %x[%i, 0] [16, 16] [1, 1] : tensor<64x16xf32> to tensor<16x16xf32>
    %e = tensor.empty() : tensor<16x16xf32>
    %twice = linalg.add ins(%tile, %tile : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
    %part = tensor.extract_slice %twice[0, 0] [%count, 16] [1, 1] : tensor<16x16xf32> to tensor<?x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%length, 0] [%count, 16] [1, 1] : tensor<?x16xf32> into tensor<80x16xf32>
    }
  }
  return %0 : tensor<80x16xf32>
}

// -----

// A sum of products whose factors have all dimensions is no contraction.

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @negative_rows_of_products
// CHECK-NOT:     vector.contract
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<16x32xf32>
// CHECK:         vector.multi_reduction <add>, %[[P]]
func.func @negative_rows_of_products(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %init) -> (tensor<64xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
    %b = tensor.extract_slice %y[%i, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
    %c = tensor.extract_slice %o[%i] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %d = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a, %b : tensor<16x32xf32>, tensor<16x32xf32>) outs(%c : tensor<16xf32>) {
    ^bb0(%p: f32, %q: f32, %acc: f32):
      %1 = arith.mulf %p, %q : f32
      %2 = arith.addf %acc, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %0 : tensor<64xf32>
}
