// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,4)"' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,4)"' --linalg-ext-decompose --canonicalize --cse --eliminate-empty-tensors --one-shot-bufferize='bufferize-function-boundaries' --canonicalize | FileCheck %s --check-prefix=BUFFERS
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)"' | FileCheck %s --check-prefix=ONCE

// The maximum of a softmax as torch-mlir writes it, the first result of an
// arg-max, is a state like any other, and the position is carried with it. Here
// a guard goes by that: its value before the tile is computed from both.

// CHECK-LABEL: func @arg_max_as_state
//       CHECK:   scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[M:.+]] = %{{.+}}, %[[I:.+]] = %{{.+}}) -> (tensor<4x3xf32>, tensor<4xf32>, tensor<4xi64>)
//       CHECK:     %[[NEW:.+]]:2 = linalg.generic {{.*}} outs(%[[M]], %[[I]] : tensor<4xf32>, tensor<4xi64>)
//       CHECK:     linalg.generic {{.*}} ins(%{{.+}}, %[[NEW]]#1 : tensor<4xf32>, tensor<4xi64>)
//       CHECK:     linalg.generic {{.*}} ins(%{{.+}}, %[[I]] : tensor<4xf32>, tensor<4xi64>)
//       CHECK:     %[[STOREDM:.+]] = bufferization.materialize_in_destination %[[NEW]]#0 in %[[M]]
//       CHECK:     %[[STOREDI:.+]] = bufferization.materialize_in_destination %[[NEW]]#1 in %[[I]]
//       CHECK:     scf.yield %{{.+}}, %[[STOREDM]], %[[STOREDI]]

// Stock bufferization stores both at the end of the iteration.

// BUFFERS-LABEL: func @arg_max_as_state
//       BUFFERS:   scf.for
//       BUFFERS:     linalg.generic {{.*}} outs(%[[M:.+]], %[[I:.+]] : memref<4xf32>, memref<4xi64>)
//       BUFFERS:     memref.copy %[[M]],
//  BUFFERS-NEXT:     memref.copy %[[I]],
//  BUFFERS-NEXT:   }

// A loop with one iteration stores no state for the next one.

// ONCE-LABEL: func @arg_max_as_state
//       ONCE:   scf.for
//   ONCE-NOT:   bufferization
//       ONCE:   return

#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#v = affine_map<(i) -> (i)>
func.func @arg_max_as_state(%input: tensor<4x8xf32>, %w: tensor<8x3xf32>) -> (tensor<4x3xf32>, tensor<4xi64>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %nobody = arith.constant -1 : i64
  %ey = tensor.empty() : tensor<4x8xf32>
  %er = tensor.empty() : tensor<4xf32>
  %f0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %i0 = linalg.fill ins(%nobody : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %max, %at = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%input : tensor<4x8xf32>) outs(%f0, %i0 : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %v: f32, %i: i64):
    %j = linalg.index 1 : index
    %jc = arith.index_cast %j : index to i64
    %better = arith.cmpf ogt, %in, %v : f32
    %nv = arith.maximumf %in, %v : f32
    %ni = arith.select %better, %jc, %i : i64
    linalg.yield %nv, %ni : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  %m = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%max, %at : tensor<4xf32>, tensor<4xi64>) outs(%er : tensor<4xf32>) {
  ^bb0(%a: f32, %p0: i64, %b: f32):
    %none = arith.cmpi eq, %p0, %nobody : i64
    %g = arith.select %none, %zero, %a : f32
    linalg.yield %g : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [#x, #r, #x], iterator_types = ["parallel", "parallel"]}
      ins(%input, %m : tensor<4x8xf32>, tensor<4xf32>) outs(%ey : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %exp = math.exp %d : f32
    linalg.yield %exp : f32
  } -> tensor<4x8xf32>
  %w0 = tensor.empty() : tensor<4x3xf32>
  %w1 = linalg.fill ins(%zero : f32) outs(%w0 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%e, %w : tensor<4x8xf32>, tensor<8x3xf32>)
    outs(%w1 : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %o, %at : tensor<4x3xf32>, tensor<4xi64>
}
