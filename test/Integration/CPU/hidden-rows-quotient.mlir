// Weights are 0 in a hidden row, where their sum is no number: what was accumulated
// with them, fused, is 0 as well. Rows that are not hidden are as without a select.
//
// REQUIRES: mlir-runner
//
// DEFINE: %{levels} =
// DEFINE: %{run} = mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-tile-and-fuse{%{levels}},linalg-ext-decompose,%cpu_passes)' \
// DEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
//
// REDEFINE: %{levels} = levels="for(0,0,3)"
// RUN: %{run}
// REDEFINE: %{levels} = levels="for(2) for(0,0,6) for(0,0,4)"
// RUN: %{run}
// REDEFINE: %{levels} = levels="for(0,0,3)" normalization=eager
// RUN: %{run}
// REDEFINE: %{levels} = levels="for(0,0,10)"
// RUN: %{run}

// x = 1, so that every weight is 1/10, and the result the mean of v, 4.5, 5.5, ...
// CHECK: {{\[\[}}4.5,{{ +}}5.5,{{ +}}6.5],
// CHECK-NEXT: [0,{{ +}}0,{{ +}}0],
// CHECK-NEXT: [4.5,{{ +}}5.5,{{ +}}6.5],
// CHECK-NEXT: [0,{{ +}}0,{{ +}}0]]

#id = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
func.func private @printMemrefF32(tensor<*xf32>)
func.func @f(%x: tensor<4x10xf32>, %hidden: tensor<4xi1>, %v: tensor<10x3xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %ee = tensor.empty() : tensor<4x10xf32>
  %re = tensor.empty() : tensor<4xf32>
  %e = linalg.generic {indexing_maps=[#id,#row,#id], iterator_types=["parallel","parallel"]} ins(%x, %hidden : tensor<4x10xf32>, tensor<4xi1>) outs(%ee : tensor<4x10xf32>) {
  ^bb0(%a: f32, %h: i1, %o: f32):
    %score = arith.select %h, %ninf, %a : f32
    %max = arith.select %h, %ninf, %zero : f32
    %rest = arith.subf %score, %max : f32
    %power = math.exp %rest : f32
    linalg.yield %power : f32
  } -> tensor<4x10xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%re : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps=[#id,#row], iterator_types=["parallel","reduction"]} ins(%e : tensor<4x10xf32>) outs(%s0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %sum = arith.addf %o, %a : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  %w = linalg.generic {indexing_maps=[#id,#row,#row,#id], iterator_types=["parallel","parallel"]} ins(%e, %s, %hidden : tensor<4x10xf32>, tensor<4xf32>, tensor<4xi1>) outs(%ee : tensor<4x10xf32>) {
  ^bb0(%a: f32, %b: f32, %h: i1, %o: f32):
    %part = arith.divf %a, %b : f32
    %weight = arith.select %h, %zero, %part : f32
    linalg.yield %weight : f32
  } -> tensor<4x10xf32>
  %oe = tensor.empty() : tensor<4x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x3xf32>) -> tensor<4x3xf32>
  %out = linalg.matmul {linalg_ext.root} ins(%w, %v : tensor<4x10xf32>, tensor<10x3xf32>) outs(%o0 : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %out : tensor<4x3xf32>
}
func.func @main() {
  %x = arith.constant dense<1.0> : tensor<4x10xf32>
  %hidden = arith.constant dense<[false, true, false, true]> : tensor<4xi1>
  %v = arith.constant dense<[[0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0, 5.0], [4.0, 5.0, 6.0], [5.0, 6.0, 7.0], [6.0, 7.0, 8.0], [7.0, 8.0, 9.0], [8.0, 9.0, 10.0], [9.0, 10.0, 11.0]]> : tensor<10x3xf32>
  %r = func.call @f(%x, %hidden, %v) : (tensor<4x10xf32>, tensor<4xi1>, tensor<10x3xf32>) -> tensor<4x3xf32>
  %u = tensor.cast %r : tensor<4x3xf32> to tensor<*xf32>
  func.call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
