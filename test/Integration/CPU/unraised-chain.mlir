// Softmax by p = exp(x - logsumexp(x)), written with upstream's ops, fused without
// being recognised, through stock bufferization; the logsumexp and the weights are
// results too. Expected values by the formula in Python, in f64.
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
// REDEFINE: %{levels} = levels="for(0,0,4) for(3)"
// RUN: %{run}
// REDEFINE: %{levels} = levels="for(0,0,20)"
// RUN: %{run}
// REDEFINE: %{levels} = levels="forall(3) for(0,0,3)" normalization=eager
// RUN: %{run}

// CHECK: {{\[\[}}4.5,{{ +}}5.5,{{ +}}6.5],
// CHECK-NEXT: [5.4783{{.*}},{{ +}}6.4783{{.*}},{{ +}}7.4783{{.*}}],
// CHECK-NEXT: [4.1194{{.*}},{{ +}}5.1194{{.*}},{{ +}}6.1194{{.*}}],
// CHECK-NEXT: [5.2558{{.*}},{{ +}}6.2558{{.*}},{{ +}}7.2558{{.*}}]]
// CHECK: [2.30{{.*}},{{ +}}6.475{{.*}},{{ +}}6.55{{.*}},{{ +}}6.968{{.*}}]
// CHECK: {{\[\[}}0.1,{{ +}}0.1,{{ +}}0.1,
// CHECK-NEXT: [0.00154{{.*}},{{ +}}0.00419{{.*}},{{ +}}0.01138{{.*}},{{ +}}0.0309{{.*}},{{ +}}0.0841{{.*}},{{ +}}0.2287{{.*}},{{ +}}0.6218{{.*}},

#id = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
#v = affine_map<(d0)->(d0)>
func.func private @printMemrefF32(tensor<*xf32>)
func.func @f(%s: tensor<4x10xf32>, %v: tensor<10x3xf32>) -> (tensor<4x3xf32>, tensor<4xf32>, tensor<4x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x10xf32>
  %re = tensor.empty() : tensor<4xf32>
  %mi = linalg.fill ins(%ninf : f32) outs(%re : tensor<4xf32>) -> tensor<4xf32>
  %li = linalg.fill ins(%zero : f32) outs(%re : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps=[#id,#row], iterator_types=["parallel","reduction"]} ins(%s: tensor<4x10xf32>) outs(%mi: tensor<4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.maximumf %c, %a : f32
    linalg.yield %y : f32 } -> tensor<4xf32>
  %p0 = linalg.generic {indexing_maps=[#id,#row,#id], iterator_types=["parallel","parallel"]} ins(%s,%m: tensor<4x10xf32>,tensor<4xf32>) outs(%se: tensor<4x10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.subf %a, %b : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32 } -> tensor<4x10xf32>
  %l = linalg.generic {indexing_maps=[#id,#row], iterator_types=["parallel","reduction"]} ins(%p0: tensor<4x10xf32>) outs(%li: tensor<4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %y = arith.addf %c, %a : f32
    linalg.yield %y : f32 } -> tensor<4xf32>
  %lse = linalg.generic {indexing_maps=[#v,#v,#v], iterator_types=["parallel"]} ins(%m,%l: tensor<4xf32>,tensor<4xf32>) outs(%re: tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %lg = math.log %b : f32
    %y = arith.addf %a, %lg : f32
    linalg.yield %y : f32 } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps=[#id,#row,#id], iterator_types=["parallel","parallel"]} ins(%s,%lse: tensor<4x10xf32>,tensor<4xf32>) outs(%se: tensor<4x10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %y = arith.subf %a, %b : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32 } -> tensor<4x10xf32>
  %oe = tensor.empty() : tensor<4x3xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x3xf32>) -> tensor<4x3xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%p,%v: tensor<4x10xf32>, tensor<10x3xf32>) outs(%of: tensor<4x3xf32>) -> tensor<4x3xf32>
  return %o, %lse, %p : tensor<4x3xf32>, tensor<4xf32>, tensor<4x10xf32>
}
func.func @main() {
  %s = tensor.generate { ^bb0(%i: index, %j: index):
    %a = arith.muli %i, %j : index
    %c7 = arith.constant 7 : index
    %b = arith.remui %a, %c7 : index
    %c = arith.index_cast %b : index to i32
    %d = arith.sitofp %c : i32 to f32
    tensor.yield %d : f32 } : tensor<4x10xf32>
  %v = tensor.generate { ^bb0(%i: index, %j: index):
    %a = arith.addi %i, %j : index
    %c = arith.index_cast %a : index to i32
    %d = arith.sitofp %c : i32 to f32
    tensor.yield %d : f32 } : tensor<10x3xf32>
  %r:3 = call @f(%s, %v) : (tensor<4x10xf32>, tensor<10x3xf32>) -> (tensor<4x3xf32>, tensor<4xf32>, tensor<4x10xf32>)
  %u = tensor.cast %r#0 : tensor<4x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %r#1 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  %u2 = tensor.cast %r#2 : tensor<4x10xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  return
}
