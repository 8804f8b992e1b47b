// RUN: linalg-ext-opt %s --linalg-ext-schedule-forall=steps=fission --canonicalize --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-schedule-forall{steps=fission},canonicalize)' --split-input-file | FileCheck %s

// The chunks of all workgroups are one loop, the chunks fastest; what follows
// them reads its slot. What both need is computed in both.

// CHECK-LABEL: func @chunks
// CHECK:         %[[E:.*]] = bufferization.alloc_tensor() : tensor<8x4xf32>
// CHECK:         %[[ALL:.*]] = scf.forall (%[[I:.*]], %[[C:.*]]) in (8, 4) shared_outs(%[[A:.*]] = %[[E]])
// CHECK:           tensor.extract %{{.*}}[%[[I]]] : tensor<8xf32>
// CHECK:           %[[S:.*]] = tensor.extract_slice %[[A]][%[[I]], %[[C]]] [1, 1] [1, 1] : tensor<8x4xf32> to tensor<1xf32>
// CHECK:           %[[F:.*]] = linalg.fill {{.*}} outs(%[[S]] : tensor<1xf32>)
// CHECK:             tensor.parallel_insert_slice %[[F]] into %[[A]][%[[I]], %[[C]]] [1, 1] [1, 1]
// CHECK:         } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
// CHECK:         scf.forall (%[[J:.*]]) in (8)
// CHECK:           tensor.extract %{{.*}}[%[[J]]] : tensor<8xf32>
// CHECK:           tensor.extract_slice %[[ALL]][%[[J]], 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
// CHECK-NOT:       scf.forall (
// CHECK:           linalg.reduce
func.func @chunks(%x: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8xf32>) {
    %a = tensor.extract %x[%i] : tensor<8xf32>
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    %slots = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4xf32>) {
      %n = arith.index_cast %c : index to i32
      %f = arith.sitofp %n : i32 to f32
      %v = arith.mulf %a, %f : f32
      %slot = tensor.extract_slice %arg[%c] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %filled = linalg.fill ins(%v : f32) outs(%slot : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %filled into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    %s = tensor.empty() : tensor<f32>
    %t = linalg.fill ins(%a : f32) outs(%s : tensor<f32>) -> tensor<f32>
    %r = linalg.reduce { arith.addf } ins(%slots : tensor<4xf32>) outs(%t : tensor<f32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i] [1] [1] : tensor<f32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %0 : tensor<8xf32>
}

// -----

// Slots are as large as a tile is at most; their number is that of the tiles,
// and of chunks that is computed in the loop from what is known in front of it.

// CHECK-DAG:   #[[TILES:.*]] = affine_map<()[s0] -> (s0 ceildiv 16)>
// CHECK-DAG:   #[[TILE:.*]] = affine_map<(d0) -> (d0 floordiv 16)>
// CHECK-DAG:   #[[DOUBLE:.*]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-LABEL: func @tiles
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[K:[^:]*]]: index
// CHECK-DAG:     %[[COUNT:.*]] = affine.apply #[[TILES]]()[%[[N]]]
// CHECK-DAG:     %[[CHUNKS:.*]] = affine.apply #[[DOUBLE]]()[%[[K]]]
// CHECK:         bufferization.alloc_tensor(%[[COUNT]], %[[CHUNKS]]) : tensor<?x?x16xf32>
// CHECK:         scf.forall (%[[I:.*]], %[[C:.*]]) = (0, 0) to (%[[N]], %[[CHUNKS]]) step (16, 1) shared_outs(%[[A:.*]] = %
// CHECK-DAG:       %[[SIZE:.*]] = affine.min {{.*}}(%[[I]])[%[[N]]]
// CHECK-DAG:       %[[SLOT:.*]] = affine.apply #[[TILE]](%[[I]])
// CHECK:           tensor.extract_slice %[[A]][%[[SLOT]], %[[C]], 0] [1, 1, %[[SIZE]]] [1, 1, 1] : tensor<?x?x16xf32> to tensor<1x?xf32>
// CHECK:         scf.forall (%[[J:.*]]) = (0) to (%[[N]]) step (16)
// CHECK:           %[[SIZE:.*]] = affine.min {{.*}}(%[[J]])[%[[N]]]
// CHECK:           %[[INNER:.*]] = affine.apply #[[DOUBLE]]()[%[[K]]]
// CHECK:           tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0] [1, %[[INNER]], %[[SIZE]]] [1, 1, 1] : tensor<?x?x16xf32> to tensor<?x?xf32>
func.func @tiles(%n: index, %k: index, %init: tensor<?xf32>, %one: f32) -> tensor<?xf32> {
  %0 = scf.forall (%i) = (0) to (%n) step (16) shared_outs(%out = %init) -> (tensor<?xf32>) {
    %size = affine.min affine_map<(d0)[s0] -> (16, s0 - d0)>(%i)[%n]
    %chunks = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%k]
    %e = bufferization.alloc_tensor(%chunks, %size) : tensor<?x?xf32>
    %slots = scf.forall (%c) in (%chunks) shared_outs(%arg = %e) -> (tensor<?x?xf32>) {
      %slot = tensor.extract_slice %arg[%c, 0] [1, %size] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
      %f = linalg.fill ins(%one : f32) outs(%slot : tensor<1x?xf32>) -> tensor<1x?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c, 0] [1, %size] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
      }
    }
    %o = tensor.extract_slice %out[%i] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %r = linalg.reduce { arith.addf } ins(%slots : tensor<?x?xf32>) outs(%o : tensor<?xf32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

// -----

// Loops over threads stay.

// CHECK-LABEL: func @threads
// CHECK:         scf.forall (%{{.*}}) in (8)
// CHECK:           scf.forall (%{{.*}}) in (4)
func.func @threads(%init: tensor<8x4xf32>, %one: f32) -> tensor<8x4xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %e = bufferization.alloc_tensor() : tensor<4xf32>
    %row = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4xf32>) {
      %slot = tensor.extract_slice %arg[%c] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %f = linalg.fill ins(%one : f32) outs(%slot : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  return %0 : tensor<8x4xf32>
}

// -----

// One uninitialised tensor may stand for several, in the chunks too.

// CHECK-LABEL: func @empty
// CHECK-COUNT-2: bufferization.alloc_tensor() : tensor<8x4xf32>
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) in (8, 4)
// CHECK:           %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK:           linalg.fill {{.*}} outs(%[[E]] : tensor<4xf32>)
// CHECK:         scf.forall (%{{.*}}) in (8)
// CHECK-NOT:       tensor.empty
// CHECK:           linalg.add
func.func @empty(%init: tensor<8x4xf32>, %one: f32) -> tensor<8x4xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %row:2 = scf.forall (%c) in (4) shared_outs(%arg = %e, %arg2 = %e) -> (tensor<4xf32>, tensor<4xf32>) {
      %f = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %x = tensor.extract_slice %f[%c] [1] [1] : tensor<4xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %x into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
        tensor.parallel_insert_slice %x into %arg2[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    %sum = linalg.add ins(%row#0, %row#1 : tensor<4xf32>, tensor<4xf32>) outs(%row#0 : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}
