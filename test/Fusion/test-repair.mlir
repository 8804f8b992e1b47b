// RUN: linalg-ext-opt %s --test-linalg-ext-repair='levels=for(0,0,4) normalization=eager' | FileCheck %s

// The repairs of a fusion as functions, which
// unittests/Fusion/Apply/RepairContractTest.cpp runs on random states.

// The sum follows the max; the root follows both.
//       CHECK: func.func @factor_0_0(%{{.+}}: tensor<3xf32>, %{{.+}}: tensor<3xf32>) -> tensor<3xf32>
//       CHECK:   math.exp
//       CHECK: func.func @factor_1_0(
//       CHECK: func.func @factor_1_1(
//       CHECK:   arith.divf
func.func @chain(%x: tensor<3x?xf32>, %v: tensor<?x2xf32>) -> tensor<3x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<3x?xf32>
  %e = tensor.empty() : tensor<3xf32>
  %ex = tensor.empty(%n) : tensor<3x?xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x?xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x?xf32>, tensor<3xf32>) outs(%ex : tensor<3x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %f = math.exp %d : f32
    linalg.yield %f : f32
  } -> tensor<3x?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<3x?xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %l : tensor<3x?xf32>, tensor<3xf32>) outs(%ex : tensor<3x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<3x?xf32>
  %eo = tensor.empty() : tensor<3x2xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<3x2xf32>) -> tensor<3x2xf32>
  %o = linalg.matmul ins(%q, %v : tensor<3x?xf32>, tensor<?x2xf32>) outs(%fo : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %o : tensor<3x2xf32>
}

//       CHECK: func.func @step_0(
//       CHECK:   linalg_ext.softmax dimension(1) online ins
// CHECK-LABEL: func.func @repair_0(
//  CHECK-SAME:   %[[M:.+]]: tensor<3xf32>, %[[L:.+]]: tensor<3xf32>, %[[NM:.+]]: tensor<3xf32>, %[[NL:.+]]: tensor<3xf32>) -> tensor<3xf32>
//       CHECK:   linalg.generic {{.*}} ins(%[[M]], %[[NM]], %[[L]], %[[NL]]
//       CHECK: func.func @combine_0(
//  CHECK-SAME:   -> (tensor<3xf32>, tensor<3xf32>)
//   CHECK-NOT: @finish_0
func.func @op(%x: tensor<3x?xf32>, %y: tensor<3x?xf32>, %m: tensor<3xf32>, %l: tensor<3xf32>, %r: tensor<3xf32>) -> tensor<3x?xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x?xf32>) outs(%y, %m, %l, %r : tensor<3x?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x?xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return %p#0 : tensor<3x?xf32>
}
