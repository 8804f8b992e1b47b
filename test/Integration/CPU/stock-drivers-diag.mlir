// Upstream's tile and fuse on linalg_ext.diag: right, compared with
// linalg.generic, or refused (tiling-invalid.mlir).
//
// REQUIRES: mlir-runner
//
// DEFINE: %{entry} =
// DEFINE: %{run} = cat %s %S/Inputs/compare.mlir | mlir-opt --load-dialect-plugin=%plugin \
// DEFINE:   --pass-pipeline='builtin.module(transform-interpreter{entry-point=%{entry}},test-transform-dialect-erase-schedule,%cpu_passes)' \
// DEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
//
// REDEFINE: %{entry} = untiled
// RUN: %{run}
// REDEFINE: %{entry} = tile_using_for
// RUN: %{run}
// REDEFINE: %{entry} = tile_using_forall
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_root
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_producer
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_producer_forall
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_consumer
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_consumer_into_for
// RUN: %{run}
// REDEFINE: %{entry} = fuse_into_containing_op
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_producer_along_rows
// RUN: %{run}
//
// Bufferized, then tiled, lowered to loops by TilingInterface, or decomposed.
// REDEFINE: %{run} = cat %s %S/Inputs/compare.mlir | mlir-opt --load-dialect-plugin=%plugin \
// REDEFINE:   --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},transform-interpreter{entry-point=%{entry}},test-transform-dialect-erase-schedule,%cpu_passes)' \
// REDEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
// REDEFINE: %{entry} = tile_using_for
// RUN: %{run}
// REDEFINE: %{entry} = convert_to_loops
// RUN: %{run}
// REDEFINE: %{entry} = untiled
// RUN: %{run}

// Mismatches of a static shape, then of a dynamic one.
// CHECK: 0, 0,

//===----------------------------------------------------------------------===//
// Under test: exp(diag(-v)), the last dimension of v becoming a matrix
//===----------------------------------------------------------------------===//

func.func @static(%v: tensor<2x5x4xf32>) -> tensor<2x5x4x4xf32> {
  %v0 = tensor.empty() : tensor<2x5x4xf32>
  %d0 = tensor.empty() : tensor<2x5x4x4xf32>
  %n = linalg.negf ins(%v : tensor<2x5x4xf32>) outs(%v0 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  %d = linalg_ext.diag ins(%n : tensor<2x5x4xf32>) outs(%d0 : tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  %e = linalg.exp ins(%d : tensor<2x5x4x4xf32>) outs(%d0 : tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  return %e : tensor<2x5x4x4xf32>
}

func.func @dynamic(%v: tensor<?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %a = tensor.dim %v, %i0 : tensor<?x?x?xf32>
  %b = tensor.dim %v, %i1 : tensor<?x?x?xf32>
  %c = tensor.dim %v, %i2 : tensor<?x?x?xf32>
  %v0 = tensor.empty(%a, %b, %c) : tensor<?x?x?xf32>
  %d0 = tensor.empty(%a, %b, %c, %c) : tensor<?x?x?x?xf32>
  %n = linalg.negf ins(%v : tensor<?x?x?xf32>) outs(%v0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %d = linalg_ext.diag ins(%n : tensor<?x?x?xf32>) outs(%d0 : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %e = linalg.exp ins(%d : tensor<?x?x?x?xf32>) outs(%d0 : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %e : tensor<?x?x?x?xf32>
}

//===----------------------------------------------------------------------===//
// Reference and comparison
//===----------------------------------------------------------------------===//

func.func @reference(%v: tensor<2x5x4xf32>) -> tensor<2x5x4x4xf32> {
  %e = tensor.empty() : tensor<2x5x4x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, i, j) -> (a, b, i)>, affine_map<(a, b, i, j) -> (a, b, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<2x5x4xf32>) outs(%e : tensor<2x5x4x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %on = arith.cmpi eq, %i, %j : index
    %n = arith.negf %x : f32
    %p = math.exp %n : f32
    %one = arith.constant 1.0 : f32
    %r = arith.select %on, %p, %one : f32
    linalg.yield %r : f32
  } -> tensor<2x5x4x4xf32>
  return %0 : tensor<2x5x4x4xf32>
}

func.func @compare(%x: tensor<2x5x4x4xf32>, %y: tensor<2x5x4x4xf32>) {
  %x1 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<2x5x4x4xf32> into tensor<160xf32>
  %y1 = tensor.collapse_shape %y [[0, 1, 2, 3]] : tensor<2x5x4x4xf32> into tensor<160xf32>
  %x2 = tensor.cast %x1 : tensor<160xf32> to tensor<?xf32>
  %y2 = tensor.cast %y1 : tensor<160xf32> to tensor<?xf32>
  call @print_mismatches(%x2, %y2) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

func.func @main() {
  %c40 = arith.constant 40 : index
  %v = call @values(%c40) : (index) -> tensor<?xf32>
  %vs = tensor.cast %v : tensor<?xf32> to tensor<40xf32>
  %x = tensor.expand_shape %vs [[0, 1, 2]] output_shape [2, 5, 4] : tensor<40xf32> into tensor<2x5x4xf32>
  %r = call @reference(%x) : (tensor<2x5x4xf32>) -> tensor<2x5x4x4xf32>
  %s = call @static(%x) : (tensor<2x5x4xf32>) -> tensor<2x5x4x4xf32>
  call @compare(%s, %r) : (tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>) -> ()
  %xd = tensor.cast %x : tensor<2x5x4xf32> to tensor<?x?x?xf32>
  %d = call @dynamic(%xd) : (tensor<?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %ds = tensor.cast %d : tensor<?x?x?x?xf32> to tensor<2x5x4x4xf32>
  call @compare(%ds, %r) : (tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>) -> ()
  call @printNewline() : () -> ()
  return
}

//===----------------------------------------------------------------------===//
// Drivers
//===----------------------------------------------------------------------===//

module attributes {transform.with_named_sequence} {
  transform.named_sequence @untiled(%m: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @tile_using_for(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.diag"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [1, 2] interchange = [1, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_using_forall(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.diag"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_root(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.diag"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_producer(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_producer_forall(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %op tile_sizes [1, 2] {use_forall}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_consumer(%m: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.negf"]} in %fs : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.diag"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_consumer_into_for(%m: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.negf"]} in %fs : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.diag"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_into_containing_op(%m: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.exp"]} in %fs : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["linalg_ext.diag"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %new = transform.structured.fuse_into_containing_op %producer into %l
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_producer_along_rows(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [0, 2, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @convert_to_loops(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.diag"]} in %m : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.convert_to_loops %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
