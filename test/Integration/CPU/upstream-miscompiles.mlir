// Five programs that upstream's drivers miscompile without an error, through
// ours: each is tiled as there, and right.
//
// REQUIRES: mlir-runner
//
// DEFINE: %{transforms} = transform-interpreter
// DEFINE: %{run} = mlir-opt --load-dialect-plugin=%plugin %s \
// DEFINE:   --pass-pipeline='builtin.module(%{transforms},test-transform-dialect-erase-schedule,%cpu_passes)' \
// DEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
//
// RUN: %{run}
//
// Untiled:
// REDEFINE: %{transforms} = linalg-ext-raise
// RUN: %{run}
//
// RUN: mlir-opt --load-dialect-plugin=%plugin %s -transform-interpreter | FileCheck %s --check-prefix=LOOPS

func.func private @printMemrefF32(tensor<*xf32>)

//===----------------------------------------------------------------------===//
// A softmax tiled along its own dimension (upstream: 0.25)
//===----------------------------------------------------------------------===//

// That is refused, since nobody repairs the result; along the other one it tiles.

// LOOPS-LABEL: func.func @softmax
//       LOOPS: scf.for
//       LOOPS:   linalg_ext.softmax dimension(1) ins(%{{.*}} : tensor<1x8xf32>)
//       LOOPS: return

// CHECK-LABEL: sizes = [2, 8]
//  CHECK-NEXT: {{\[}}[0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125],
//  CHECK-NEXT:       [0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125]]

func.func @softmax(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %s : tensor<2x8xf32>
}

//===----------------------------------------------------------------------===//
// The fill of an accumulator fused into the loop that accumulates (upstream: 4)
//===----------------------------------------------------------------------===//

// LOOPS-LABEL: func.func @matmul
//       LOOPS: scf.for
//       LOOPS:   linalg.fill
//       LOOPS:   scf.for
//   LOOPS-NOT:     linalg.fill
//       LOOPS:     linalg.matmul
//       LOOPS: return

// CHECK-LABEL: sizes = [4, 4]
//  CHECK-NEXT: {{\[}}[8, 8, 8, 8],
//  CHECK-NEXT:       [8, 8, 8, 8],
//  CHECK-NEXT:       [8, 8, 8, 8],
//  CHECK-NEXT:       [8, 8, 8, 8]]

func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

//===----------------------------------------------------------------------===//
// Attention fused over query rows and keys (upstream: 3.52)
//===----------------------------------------------------------------------===//

// The loop over keys holds tiles of the scores and of their softmax only.

// LOOPS-LABEL: func.func @attention
//       LOOPS: scf.for
//       LOOPS:   scf.for
//   LOOPS-NOT:     ins({{.*}}tensor<1x2x8xf32>
//       LOOPS:     linalg.batch_matmul ins(%{{.*}} : tensor<1x2x2xf32>, tensor<1x2x4xf32>) outs(%{{.*}} : tensor<1x2x4xf32>)
//       LOOPS:     linalg_ext.softmax dimension(2) online delayed ins(%{{.*}} : tensor<1x2x4xf32>)
//       LOOPS:     linalg.batch_matmul {linalg_ext.root} ins(%{{.*}} : tensor<1x2x4xf32>, tensor<1x4x2xf32>) outs(%{{.*}} : tensor<1x2x2xf32>)
//       LOOPS: return

// In f64: 4.511959 4.488041, 4.097297 4.902703, 4.382098 4.617902, 5.538792 3.461208
// CHECK-LABEL: sizes = [1, 4, 2]
//  CHECK-NEXT: {{\[\[}}[4.5119{{[56]}}{{[0-9]*}}, 4.48804{{[0-9]*}}],
//  CHECK-NEXT:         [4.0973{{[0-9]*}}, 4.9027{{[0-9]*}}],
//  CHECK-NEXT:         [4.382{{[01][0-9]*}}, 4.6179{{[0-9]*}}],
//  CHECK-NEXT:         [5.5387{{[89][0-9]*}}, 3.4612{{[0-9]*}}]]]

func.func @attention(%q: tensor<1x4x2xf32>, %k: tensor<1x2x8xf32>, %v: tensor<1x8x2xf32>) -> tensor<1x4x2xf32> {
  %z = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<1x4x8xf32>
  %fs = linalg.fill ins(%z : f32) outs(%es : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<1x4x2xf32>, tensor<1x2x8xf32>) outs(%fs : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %ep = tensor.empty() : tensor<1x4x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x4x8xf32>) outs(%ep : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %eo = tensor.empty() : tensor<1x4x2xf32>
  %fo = linalg.fill ins(%z : f32) outs(%eo : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  %o = linalg.batch_matmul {linalg_ext.root} ins(%p, %v : tensor<1x4x8xf32>, tensor<1x8x2xf32>) outs(%fo : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %o : tensor<1x4x2xf32>
}

//===----------------------------------------------------------------------===//
// A consumer that reduces, in the loop of a reduction (upstream: 48)
//===----------------------------------------------------------------------===//

// Consumers of a root stay outside.

// LOOPS-LABEL: func.func @row_sum
//       LOOPS: scf.for
//   LOOPS-NOT:   linalg.reduce
//       LOOPS: }
//       LOOPS: linalg.reduce

// CHECK-LABEL: sizes = [4]
//  CHECK-NEXT: [32, 32, 32, 32]

func.func @row_sum(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %z2 : tensor<4x4xf32>, %z1 : tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%z2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = linalg.reduce { arith.addf } ins(%r : tensor<4x4xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
  return %s : tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// A fused reduction that the loop does not index and whose result is needed
// outside too (upstream: 16 and 96)
//===----------------------------------------------------------------------===//

// LOOPS-LABEL: func.func @shared_row_sum
//       LOOPS: scf.for
//       LOOPS:   linalg.matmul ins(%{{.*}} : tensor<4x4xf32>, tensor<4x4xf32>)
//       LOOPS: return

// CHECK-LABEL: sizes = [4]
//  CHECK-NEXT: [8, 8, 8, 8]
// CHECK-LABEL: sizes = [4, 4]
//  CHECK-NEXT: {{\[}}[64, 64, 64, 64],
//  CHECK-NEXT:       [64, 64, 64, 64],
//  CHECK-NEXT:       [64, 64, 64, 64],
//  CHECK-NEXT:       [64, 64, 64, 64]]

func.func @shared_row_sum(%a: tensor<4x8xf32>, %v: tensor<8x4xf32>, %i: tensor<4xf32>, %o: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  %m = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<4x8xf32>
  %p = linalg.broadcast ins(%m : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %r = linalg.matmul ins(%p, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %m, %r : tensor<4xf32>, tensor<4x4xf32>
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

func.func @main() {
  %ones_2x8 = arith.constant dense<1.0> : tensor<2x8xf32>
  %ones_4x8 = arith.constant dense<1.0> : tensor<4x8xf32>
  %ones_8x4 = arith.constant dense<1.0> : tensor<8x4xf32>
  %zeros_4 = arith.constant dense<0.0> : tensor<4xf32>
  %zeros_4x4 = arith.constant dense<0.0> : tensor<4x4xf32>
  %q = arith.constant dense<[[[1.0,2.0],[0.5,-1.0],[0.0,1.0],[2.0,0.1]]]> : tensor<1x4x2xf32>
  %k = arith.constant dense<[[[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8],[1.0,-1.0,1.0,-1.0,0.5,0.5,0.5,0.5]]]> : tensor<1x2x8xf32>
  %v = arith.constant dense<[[[1.0,8.0],[2.0,7.0],[3.0,6.0],[4.0,5.0],[5.0,4.0],[6.0,3.0],[7.0,2.0],[8.0,1.0]]]> : tensor<1x8x2xf32>

  %0 = call @softmax(%ones_2x8) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %u0 = tensor.cast %0 : tensor<2x8xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  %1 = call @matmul(%ones_4x8, %ones_8x4) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %u1 = tensor.cast %1 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  %2 = call @attention(%q, %k, %v) : (tensor<1x4x2xf32>, tensor<1x2x8xf32>, tensor<1x8x2xf32>) -> tensor<1x4x2xf32>
  %u2 = tensor.cast %2 : tensor<1x4x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()

  %3 = call @row_sum(%ones_4x8, %ones_8x4, %zeros_4x4, %zeros_4) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %u3 = tensor.cast %3 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()

  %4:2 = call @shared_row_sum(%ones_4x8, %ones_8x4, %zeros_4, %zeros_4x4) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>)
  %u4 = tensor.cast %4#0 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()
  %u5 = tensor.cast %4#1 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%u5) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f0 = transform.structured.match ops{["func.func"]} attributes {sym_name = "softmax"} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.raise %f0 : !transform.any_op
    transform.sequence %f0 : !transform.any_op failures(suppress) {
    ^bb0(%f: !transform.any_op):
      %softmax = transform.structured.match ops{["linalg_ext.softmax"]} in %f : (!transform.any_op) -> !transform.any_op
      %t, %l = transform.linalg_ext.tile_and_fuse %softmax levels = [for(0, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    %s = transform.structured.match ops{["linalg_ext.softmax"]} in %f0 : (!transform.any_op) -> !transform.any_op
    %t0, %l0 = transform.linalg_ext.tile_and_fuse %s levels = [for(1)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %f1 = transform.structured.match ops{["func.func"]} attributes {sym_name = "matmul"} in %m : (!transform.any_op) -> !transform.any_op
    %r1 = transform.structured.match ops{["linalg.matmul"]} in %f1 : (!transform.any_op) -> !transform.any_op
    %t1, %l1:2 = transform.linalg_ext.tile_and_fuse %r1 levels = [for(2, 0, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

    %f2 = transform.structured.match ops{["func.func"]} attributes {sym_name = "attention"} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.raise %f2 : !transform.any_op
    %r2 = transform.structured.match attributes {linalg_ext.root} in %f2 : (!transform.any_op) -> !transform.any_op
    %t2, %l2:2 = transform.linalg_ext.tile_and_fuse %r2 levels = [for(0, 2, 0, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

    %f3 = transform.structured.match ops{["func.func"]} attributes {sym_name = "row_sum"} in %m : (!transform.any_op) -> !transform.any_op
    %r3 = transform.structured.match ops{["linalg.matmul"]} in %f3 : (!transform.any_op) -> !transform.any_op
    %t3, %l3 = transform.linalg_ext.tile_and_fuse %r3 levels = [for(0, 0, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %f4 = transform.structured.match ops{["func.func"]} attributes {sym_name = "shared_row_sum"} in %m : (!transform.any_op) -> !transform.any_op
    %r4 = transform.structured.match ops{["linalg.matmul"]} in %f4 : (!transform.any_op) -> !transform.any_op
    %t4, %l4 = transform.linalg_ext.tile_and_fuse %r4 levels = [for(0, 0, 4)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
