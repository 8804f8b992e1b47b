// RUN: linalg-ext-opt %s --linalg-ext-fuse=target=cpu --split-input-file | FileCheck %s

// A vector that one op reads along rows and along columns is computed once for
// each, and so is what it is computed from.

#rows = affine_map<(i, j) -> (i)>
#columns = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @differences
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<64xf32>
// CHECK-DAG:   %[[S0:.*]] = linalg.exp ins(%[[X]] :
// CHECK-DAG:   %[[S1:.*]] = linalg.exp ins(%[[X]] :
// CHECK-DAG:   %[[V0:.*]] = linalg.square ins(%[[S0]] :
// CHECK-DAG:   %[[V1:.*]] = linalg.square ins(%[[S1]] :
// CHECK:       linalg.generic {{.*}} ins(%[[V1]], %[[V0]] :
func.func @differences(%x: tensor<64xf32>, %e: tensor<64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v = linalg.square ins(%s : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #all], iterator_types = ["parallel", "parallel"]}
      ins(%v, %v : tensor<64xf32>, tensor<64xf32>) outs(%o : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// An argument is there for both.

#rows = affine_map<(i, j) -> (i)>
#columns = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_argument
// CHECK-SAME:  %[[X:[a-z0-9]+]]: tensor<64xf32>
// CHECK-NEXT:  linalg.generic {{.*}} ins(%[[X]], %[[X]] :
func.func @negative_argument(%x: tensor<64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%o : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// A matrix, which has as many loops as its reader, is computed once.

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
// CHECK-LABEL: func @negative_matrix
// CHECK:       linalg.exp
// CHECK-NOT:   linalg.exp
// CHECK:       return
func.func @negative_matrix(%x: tensor<64x64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %v = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#all, #turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%v, %v : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Each op is copied once, also if it is read twice.

// CHECK-LABEL: func @powers
// CHECK-COUNT-2: linalg.exp
// CHECK-NOT:     linalg.exp
func.func @powers(%x: tensor<64xf32>, %s: tensor<64x64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %v0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v1 = linalg.mul ins(%v0, %v0 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v2 = linalg.mul ins(%v1, %v1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v3 = linalg.mul ins(%v2, %v2 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v4 = linalg.mul ins(%v3, %v3 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %es = tensor.empty() : tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%v4, %v4, %s : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) outs(%es : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %sum : tensor<64xf32>
}
