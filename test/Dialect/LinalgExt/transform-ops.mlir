// RUN: linalg-ext-opt %s -transform-interpreter -split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s -split-input-file | linalg-ext-opt -split-input-file | FileCheck %s --check-prefix=SYNTAX
// RUN: linalg-ext-opt %s -split-input-file -mlir-print-op-generic | linalg-ext-opt -split-input-file | FileCheck %s --check-prefix=SYNTAX
// RUN: mlir-opt --load-dialect-plugin=%plugin %s -transform-interpreter -split-input-file | FileCheck %s

// The levels become loops, each with a handle, outermost first; the state of
// the softmax is carried by the loop over keys only.

// CHECK-LABEL: func.func @attention_eager
//       CHECK: scf.forall
//  CHECK-SAME:   shared_outs(%{{[a-z0-9]*}} = %{{[a-z0-9]*}}) -> (tensor<2x4x8xf32>)
//       CHECK:   scf.for
//  CHECK-SAME:     -> (tensor<1x2x8xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
//       CHECK:     %[[P:.*]]:4 = linalg_ext.softmax dimension(2) online ins
//       CHECK:     linalg_ext.diag ins(%[[P]]#3
//       CHECK:     linalg_ext.batch_matmul {linalg_ext.root, tiled}
//  CHECK-SAME:       ins(%[[P]]#0,
//       CHECK:   } {inner}
//       CHECK: } {mapping = [#gpu.block<y>, #gpu.block<x>], outer}
//
// SYNTAX-LABEL: func.func @attention_eager
//       SYNTAX: transform.linalg_ext.tile_and_fuse %{{.*}} levels = [forall(1, 2) mapping [#gpu.block<y>, #gpu.block<x>], for(0, 0, 0, 5)] {normalization = "eager"}
func.func @attention_eager(
    %s: tensor<2x4x16xf32>, %v: tensor<2x16x8xf32>, %p0: tensor<2x4x16xf32>,
    %st: tensor<2x4xf32>, %o0: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minf : f32) outs(%st : tensor<2x4xf32>) -> tensor<2x4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%st : tensor<2x4xf32>) -> tensor<2x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %p:4 = linalg_ext.softmax dimension(2)
      ins(%s : tensor<2x4x16xf32>)
      outs(%p0, %m0, %l0, %st : tensor<2x4x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      -> tensor<2x4x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  %o = linalg_ext.batch_matmul {linalg_ext.root}
      ins(%p#0, %v : tensor<2x4x16xf32>, tensor<2x16x8xf32>)
      outs(%oz : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match attributes {linalg_ext.root} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root
        levels = [forall(1, 2) mapping [#gpu.block<y>, #gpu.block<x>], for(0, 0, 0, 5)]
        {normalization = "eager"}
        : (!transform.any_op) -> (!transform.op<"linalg_ext.batch_matmul">, !transform.op<"scf.forall">, !transform.op<"scf.for">)
    transform.annotate %t "tiled" : !transform.op<"linalg_ext.batch_matmul">
    transform.annotate %l#0 "outer" : !transform.op<"scf.forall">
    transform.annotate %l#1 "inner" : !transform.op<"scf.for">
    transform.yield
  }
}

// -----

// Two tiles of keys in each iteration, in a loop over parts in front of the loop
// that has a handle.

// CHECK-LABEL: func.func @attention_parts
//       CHECK: %[[SLOTS:.*]]:3 = scf.for
//       CHECK:   scf.forall (%{{.*}}) in (2)
//       CHECK:     linalg_ext.softmax dimension(2) online
//       CHECK:   } {mapping = [#gpu.warp<linear_dim_0>]}
//       CHECK: scf.for
//       CHECK:   linalg_ext.softmax dimension(2) online
//       CHECK: } {rest}
//
// SYNTAX-LABEL: func.func @attention_parts
//       SYNTAX: transform.linalg_ext.tile_and_fuse %{{.*}} levels = [for(0, 0, 0, 4) parts(2) mapping [#gpu.warp<linear_dim_0>]] : (!transform.any_op)
func.func @attention_parts(
    %s: tensor<2x4x18xf32>, %v: tensor<2x18x8xf32>, %p0: tensor<2x4x18xf32>,
    %st: tensor<2x4xf32>, %o0: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minf : f32) outs(%st : tensor<2x4xf32>) -> tensor<2x4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%st : tensor<2x4xf32>) -> tensor<2x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %p:4 = linalg_ext.softmax dimension(2)
      ins(%s : tensor<2x4x18xf32>)
      outs(%p0, %m0, %l0, %st : tensor<2x4x18xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      -> tensor<2x4x18xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  %o = linalg_ext.batch_matmul {linalg_ext.root}
      ins(%p#0, %v : tensor<2x4x18xf32>, tensor<2x18x8xf32>)
      outs(%oz : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match attributes {linalg_ext.root} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root
        levels = [for(0, 0, 0, 4) parts(2) mapping [#gpu.warp<linear_dim_0>]]
        : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    transform.annotate %l "rest" : !transform.op<"scf.for">
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @attention_lazy
//       CHECK:   linalg_ext.softmax dimension(1) online delayed rescale_threshold(5.500000e+00)
//       CHECK:   scf.if
//
// SYNTAX-LABEL: func.func @attention_lazy
//       SYNTAX: transform.linalg_ext.tile_and_fuse %{{.*}} levels = [for(0, 0, 5)] {rescale_threshold = 5.500000e+00 : f64}
func.func @attention_lazy(
    %s: tensor<4x16xf32>, %v: tensor<16x8xf32>, %p0: tensor<4x16xf32>,
    %st: tensor<4xf32>, %o0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minf : f32) outs(%st : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%st : tensor<4xf32>) -> tensor<4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p:4 = linalg_ext.softmax dimension(1)
      ins(%s : tensor<4x16xf32>)
      outs(%p0, %m0, %l0, %st : tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %o = linalg.matmul {linalg_ext.root}
      ins(%p#0, %v : tensor<4x16xf32>, tensor<16x8xf32>)
      outs(%oz : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match attributes {linalg_ext.root} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.explain_fusion %root levels = [for(0, 0, 5)]
        {rescale_threshold = 5.5 : f64} : !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(0, 0, 5)]
        {rescale_threshold = 5.5 : f64}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A `for` level makes one loop for each dimension that it tiles, in the order
// of its interchange; normalisation is delayed by default.

// CHECK-LABEL: func.func @matmul_interchange
//       CHECK: scf.for %{{.*}} = %{{.*}} to %c16{{.*}} step %c4
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %c8{{.*}} step %c2
//       CHECK:     linalg.matmul
//       CHECK:   } {second}
//       CHECK: } {first}
//
// SYNTAX-LABEL: func.func @matmul_interchange
//       SYNTAX: transform.linalg_ext.tile_and_fuse %{{.*}} levels = [for(2, 0, 4) interchange(2, 1, 0)] : (!transform.any_op)
func.func @matmul_interchange(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [for(2, 0, 4) interchange(2, 1, 0)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %l#0 "first" : !transform.any_op
    transform.annotate %l#1 "second" : !transform.any_op
    transform.yield
  }
}

// -----

// A `split` level makes the reduction parallel; the handle is that of the
// chunks, and the loop that merges them has none.

// CHECK-LABEL: func.func @matmul_split
//       CHECK: scf.forall
//       CHECK:   linalg.matmul
//       CHECK: } {chunks, mapping = [#gpu.block<x>]}
//       CHECK: scf.for
//       CHECK:   arith.addf
//
// SYNTAX-LABEL: func.func @matmul_split
//       SYNTAX: levels = [split(0, 0, 4) mapping [#gpu.block<x>]]
func.func @matmul_split(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [split(0, 0, 4) mapping [#gpu.block<x>]]
        : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.forall">)
    transform.annotate %l "chunks" : !transform.op<"scf.forall">
    transform.yield
  }
}

// -----

// A handle to several roots: each result handle holds one op for each.

// CHECK-LABEL: func.func @two_roots
// CHECK-COUNT-2: } {loop}
func.func @two_roots(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %l "loop" : !transform.any_op
    transform.yield
  }
}

// -----

// A second root that the first one fused, and so erased, is not visited.

// CHECK-LABEL: func.func @root_fused_into_root
//       CHECK: scf.for
//       CHECK:   linalg.matmul
//       CHECK:   linalg.matmul
//   CHECK-NOT: scf.for
func.func @root_fused_into_root(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %producer, %consumer = transform.split_handle %matmuls : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %roots = transform.merge_handles %consumer, %producer : !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %roots levels = [for(4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// An empty handle is no failure.

// CHECK-LABEL: func.func @no_root
//       CHECK: return
func.func @no_root() {
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(4)]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A refused root is left as it was, and a sequence may go on after it.

// CHECK-LABEL: func.func @refused_and_suppressed
//  CHECK-NEXT:   linalg.matmul {after}
//  CHECK-NEXT:   return
func.func @refused_and_suppressed(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %root = transform.structured.match ops{["linalg.matmul"]} in %arg : (!transform.any_op) -> !transform.any_op
      %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [forall(0, 0, 4)]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.annotate %root "after" : !transform.any_op
    transform.yield
  }
}

// -----

// A handle follows the op that replaces what it points to.

// CHECK-LABEL: func.func @raise
//       CHECK: linalg_ext.softmax
//  CHECK-SAME: {raised}
//
// SYNTAX-LABEL: func.func @raise
//       SYNTAX: transform.linalg_ext.raise %{{.*}} : !transform.op<"func.func">
func.func @raise(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.op<"func.func">
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.raise %f : !transform.op<"func.func">
    transform.annotate %softmax "raised" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @reduce_parts
//   CHECK-NOT:   tensor.concat
//       CHECK:   linalg.matmul
//       CHECK:   linalg.matmul
//
// SYNTAX-LABEL: func.func @reduce_parts
//       SYNTAX: transform.linalg_ext.reduce_parts %{{.*}} : !transform.any_op
func.func @reduce_parts(%a: tensor<4x6xf32>, %b: tensor<4x2xf32>, %c: tensor<8x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %c : tensor<4x8xf32>, tensor<8x5xf32>) outs(%y : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.reduce_parts %f : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @read_parts
//       CHECK:   scf.forall
//       CHECK:     tensor.insert_slice
//       CHECK:     tensor.insert_slice
//
// SYNTAX-LABEL: func.func @read_parts
//       SYNTAX: transform.linalg_ext.read_parts %{{.*}} : !transform.any_op
func.func @read_parts(%a: tensor<3x5xf32>, %b: tensor<5x5xf32>, %y: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %k = tensor.concat dim(0) %a, %b : (tensor<3x5xf32>, tensor<5x5xf32>) -> tensor<8x5xf32>
  %r = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %y) -> tensor<8x5xf32> {
    %t = tensor.extract_slice %k[%i, 0] [2, 5] [1, 1] : tensor<8x5xf32> to tensor<2x5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [2, 5] [1, 1] : tensor<2x5xf32> into tensor<8x5xf32>
    }
  }
  return %r : tensor<8x5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.read_parts %f : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @decompose
//   CHECK-NOT:   linalg_ext
//       CHECK:   linalg.contract
//  CHECK-SAME:     {decomposed}
//   CHECK-NOT:   linalg_ext
//       CHECK:   return
//
// SYNTAX-LABEL: func.func @decompose
//       SYNTAX: transform.linalg_ext.decompose %{{.*}} : !transform.any_op
func.func @decompose(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<2x3x5xf32>,
                     %v: tensor<4xf32>, %d: tensor<4x4xf32>) -> (tensor<2x3x5xf32>, tensor<4x4xf32>) {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %1 = linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<2x3x5xf32>, tensor<4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.decompose %f : !transform.any_op
    transform.annotate %matmul "decomposed" : !transform.any_op
    transform.yield
  }
}

// -----

// What the loop has become is behind the handle, in order; a second loop without
// a mask is a refusal.

// CHECK-LABEL: func.func @tighten_loop_bounds
//       CHECK:   scf.for
//       CHECK:   } {full, part}
//       CHECK:   scf.for
//       CHECK:   } {part}
//
// SYNTAX-LABEL: func.func @tighten_loop_bounds
//       SYNTAX: transform.linalg_ext.tighten_loop_bounds %{{.*}} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
func.func @tighten_loop_bounds(%x: tensor<64xf32>, %init: tensor<f32>, %length: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c64 step %c8 iter_args(%acc = %init) -> (tensor<f32>) {
    %tile = tensor.extract_slice %x[%k] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> ()>], iterator_types = ["reduction"]} ins(%tile : tensor<8xf32>) outs(%acc : tensor<f32>) {
    ^bb0(%a: f32, %b: f32):
      %j = linalg.index 0 : index
      %at = arith.addi %j, %k : index
      %c = arith.cmpi ult, %at, %length : index
      %m = arith.select %c, %a, %zero : f32
      %s = arith.addf %b, %m : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    scf.yield %sum : tensor<f32>
  }
  return %r : tensor<f32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.op<"scf.for">
    %parts, %full = transform.linalg_ext.tighten_loop_bounds %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.annotate %parts "part" : !transform.any_op
    transform.annotate %full "full" : !transform.any_op
    transform.yield
  }
}

// -----

// The handle points to what is returned besides.

// CHECK-LABEL: func.func @log_sum_exp
//  CHECK-SAME:   -> (tensor<3x4xf32>, tensor<3xf32>)
//       CHECK: %[[LSE:.*]] = linalg.generic {{.*}} attrs = {lse}
//       CHECK: return %{{.*}}, %[[LSE]]
//
// SYNTAX-LABEL: func.func @log_sum_exp
//       SYNTAX: transform.linalg_ext.return_log_sum_exp %{{.*}} : (!transform.any_op) -> !transform.any_op
func.func @log_sum_exp(%x: tensor<3x4xf32>, %a: tensor<3xf32>) -> tensor<3x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x4xf32>)
      outs(%x, %a, %a, %a : tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return %p#0 : tensor<3x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %lse = transform.linalg_ext.return_log_sum_exp %func : (!transform.any_op) -> !transform.any_op
    transform.annotate %lse "lse" : !transform.any_op
    transform.yield
  }
}

// -----

// Patterns of passes, in any combination.

// CHECK-LABEL: func.func @fold_patterns
//  CHECK-SAME:   (%[[Q:.*]]: tensor<2x3x5x4xf32>, %[[K:.*]]: tensor<2x3x7x4xf32>,
//   CHECK-NOT: linalg.transpose
//   CHECK-NOT: _shape
//       CHECK: linalg.generic
//  CHECK-SAME:   ins(%[[Q]], %[[K]] :
//   CHECK-NOT: _shape
//
// SYNTAX-LABEL: func.func @fold_patterns
//       SYNTAX: transform.apply_patterns.linalg_ext.fold_reshapes
//       SYNTAX: transform.apply_patterns.linalg_ext.fold_transpose
func.func @fold_patterns(%q: tensor<2x3x5x4xf32>, %k: tensor<2x3x7x4xf32>, %e: tensor<2x3x4x7xf32>) -> tensor<2x3x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %kt = linalg.transpose ins(%k : tensor<2x3x7x4xf32>) outs(%e : tensor<2x3x4x7xf32>) permutation = [0, 1, 3, 2]
  %qc = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
  %kc = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %se = tensor.empty() : tensor<6x5x7xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%sf : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
  return %s4 : tensor<2x3x5x7xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.fold_reshapes
    } : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.fold_transpose
    } : !transform.any_op
    transform.yield
  }
}

// -----

// One tile of scores has the rows that are asked for, the other has not.

// CHECK-LABEL: func.func @transpose_tiles
//  CHECK-SAME:   (%[[Q8:.*]]: tensor<8x4xf32>, %{{.*}}: tensor<7x4xf32>,
//   CHECK-NOT: linalg.transpose
//       CHECK: linalg.transpose ins(%[[Q8]] : tensor<8x4xf32>)
//   CHECK-NOT: linalg.transpose
//       CHECK: scf.for
//       CHECK: return
//
// SYNTAX-LABEL: func.func @transpose_tiles
//       SYNTAX: transform.apply_patterns.linalg_ext.transpose_tiles {min_lanes = 8 : i64}
#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @transpose_tiles(%q8: tensor<8x4xf32>, %q7: tensor<7x4xf32>, %k: tensor<64x4xf32>,
                           %a8: tensor<8xf32>, %a7: tensor<7xf32>) -> (tensor<8xf32>, tensor<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %e8 = tensor.empty() : tensor<8x32xf32>
  %e7 = tensor.empty() : tensor<7x32xf32>
  %r:2 = scf.for %i = %c0 to %c64 step %c32 iter_args(%r8 = %a8, %r7 = %a7) -> (tensor<8xf32>, tensor<7xf32>) {
    %kt = tensor.extract_slice %k[%i, 0] [32, 4] [1, 1] : tensor<64x4xf32> to tensor<32x4xf32>
    %z8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %s8 = linalg.contract indexing_maps = [#q, #k, #s]
        ins(%q8, %kt : tensor<8x4xf32>, tensor<32x4xf32>) outs(%z8 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %m8 = linalg.reduce {arith.addf} ins(%s8 : tensor<8x32xf32>) outs(%r8 : tensor<8xf32>) dimensions = [1]
    %z7 = linalg.fill ins(%zero : f32) outs(%e7 : tensor<7x32xf32>) -> tensor<7x32xf32>
    %s7 = linalg.contract indexing_maps = [#q, #k, #s]
        ins(%q7, %kt : tensor<7x4xf32>, tensor<32x4xf32>) outs(%z7 : tensor<7x32xf32>) -> tensor<7x32xf32>
    %m7 = linalg.reduce {arith.addf} ins(%s7 : tensor<7x32xf32>) outs(%r7 : tensor<7xf32>) dimensions = [1]
    scf.yield %m8, %m7 : tensor<8xf32>, tensor<7xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<7xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.transpose_tiles {min_lanes = 8}
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @split_sums
//       CHECK: arith.negf
// CHECK-COUNT-2: linalg.matmul
//       CHECK: arith.addf
//
// SYNTAX-LABEL: func.func @split_sums
//       SYNTAX: transform.apply_patterns.linalg_ext.split_sums
#mn = affine_map<(m, n) -> (m, n)>
func.func @split_sums(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %v: tensor<8x4xf32>,
                      %e: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%a : tensor<4x8xf32>)
      outs(%e, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %q:4 = linalg_ext.softmax dimension(1) ins(%b : tensor<4x8xf32>)
      outs(%e, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%p#0, %q#0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.subf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %r = linalg.matmul ins(%d, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.split_sums
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @factor_out_of_max
//       CHECK: arith.maximumf
//       CHECK: arith.mulf
//
// SYNTAX-LABEL: func.func @factor_out_of_max
//       SYNTAX: transform.apply_patterns.linalg_ext.factor_out_of_max
#ij = affine_map<(i, j) -> (i, j)>
func.func @factor_out_of_max(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %x = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %f = linalg.fill ins(%low : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %max, %y : tensor<4xf32>, tensor<4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.factor_out_of_max
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @share_temporaries
//       CHECK: memref.alloc() {alignment = 128 : i64} : memref<256xi8>
//   CHECK-NOT: memref.alloc(
//
// SYNTAX-LABEL: func.func @share_temporaries
//       SYNTAX: transform.linalg_ext.share_temporaries %{{.*}} alignment = 128 : !transform.any_op
func.func @share_temporaries(%x: memref<32xf32>) {
  %a = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  %b = memref.alloc() : memref<32xf32>
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  memref.dealloc %a : memref<32xf32>
  linalg.exp ins(%b : memref<32xf32>) outs(%x : memref<32xf32>)
  memref.dealloc %b : memref<32xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.share_temporaries %func alignment = 128 : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @fuse_dequantization
//  CHECK-SAME: (%{{.*}}: tensor<2x8xf32>, %[[W:.*]]: tensor<8x16xi8>
//       CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[W]] : tensor<2x8xf32>, tensor<8x16xi8>)
//   CHECK-NOT: linalg.generic
//
// SYNTAX-LABEL: func.func @fuse_dequantization
//       SYNTAX: transform.apply_patterns.linalg_ext.fuse_dequantization
#ij = affine_map<(i, j) -> (i, j)>
func.func @fuse_dequantization(%x: tensor<2x8xf32>, %w: tensor<8x16xi8>, %e: tensor<8x16xf32>, %o: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %d = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x16xi8>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: i8, %out: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %r = linalg.matmul ins(%x, %d : tensor<2x8xf32>, tensor<8x16xf32>) outs(%o : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %r : tensor<2x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.fuse_dequantization
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @unpack_elements
//       CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8xi8>) outs(%{{.*}} : tensor<2x8xi8>)
//       CHECK: tensor.collapse_shape
//
// SYNTAX-LABEL: func.func @unpack_elements
//       SYNTAX: transform.apply_patterns.linalg_ext.unpack_elements
#i = affine_map<(i) -> (i)>
func.func @unpack_elements(%w: tensor<8xi8>, %e: tensor<8xi8>) -> tensor<16xi8> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %0 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%w : tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %out: i8):
    %2 = arith.andi %a, %c15 : i8
    linalg.yield %2 : i8
  } -> tensor<8xi8>
  %1 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%w : tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %out: i8):
    %2 = arith.shrui %a, %c4 : i8
    linalg.yield %2 : i8
  } -> tensor<8xi8>
  %r = tensor.concat dim(0) %0, %1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<16xi8>
  return %r : tensor<16xi8>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.unpack_elements
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @split_words
//       CHECK: linalg.transpose
//       CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]
//
// SYNTAX-LABEL: func.func @split_words
//       SYNTAX: transform.apply_patterns.linalg_ext.split_words
#word = affine_map<(n, k, j) -> (n, k)>
#all = affine_map<(n, k, j) -> (n, k, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
func.func @split_words(%x: tensor<2x32xf32>, %q: tensor<8x16xi8>, %e: tensor<8x16x2xf32>, %o: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %0 = linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<8x16xi8>) outs(%e : tensor<8x16x2xf32>) {
  ^bb0(%a: i8, %out: f32):
    %i = linalg.index 2 : index
    %p = arith.index_cast %i : index to i8
    %s = arith.muli %p, %c4 : i8
    %1 = arith.shrui %a, %s : i8
    %2 = arith.andi %1, %c15 : i8
    %3 = arith.uitofp %2 : i8 to f32
    linalg.yield %3 : f32
  } -> tensor<8x16x2xf32>
  %c = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<8x16x2xf32> into tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c : tensor<2x32xf32>, tensor<8x32xf32>) outs(%o : tensor<2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.split_words
    } : !transform.any_op
    transform.yield
  }
}
