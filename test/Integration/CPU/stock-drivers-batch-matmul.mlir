// Upstream's tile, fuse and partial reduction on linalg_ext.batch_matmul: right,
// compared with linalg.batch_matmul, or refused (tiling-invalid.mlir).
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
// REDEFINE: %{entry} = fuse_as_root_over_reduction
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
// REDEFINE: %{entry} = tile_reduction_using_for
// RUN: %{run}
// REDEFINE: %{entry} = tile_reduction_using_forall
// RUN: %{run}

// Mismatches of a static shape, then of a dynamic one.
// CHECK: 0, 0,

//===----------------------------------------------------------------------===//
// Under test: exp((-a) b + 1)
//===----------------------------------------------------------------------===//

func.func @static(%a: tensor<2x5x7xf32>, %b: tensor<2x7x6xf32>) -> tensor<2x5x6xf32> {
  %one = arith.constant 1.0 : f32
  %a0 = tensor.empty() : tensor<2x5x7xf32>
  %c0 = tensor.empty() : tensor<2x5x6xf32>
  %f = linalg.fill ins(%one : f32) outs(%c0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %n = linalg.negf ins(%a : tensor<2x5x7xf32>) outs(%a0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %c = linalg_ext.batch_matmul ins(%n, %b : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %e = linalg.exp ins(%c : tensor<2x5x6xf32>) outs(%c0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %e : tensor<2x5x6xf32>
}

func.func @dynamic(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %one = arith.constant 1.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %h = tensor.dim %a, %i0 : tensor<?x?x?xf32>
  %m = tensor.dim %a, %i1 : tensor<?x?x?xf32>
  %n = tensor.dim %b, %i2 : tensor<?x?x?xf32>
  %k = tensor.dim %a, %i2 : tensor<?x?x?xf32>
  %a0 = tensor.empty(%h, %m, %k) : tensor<?x?x?xf32>
  %c0 = tensor.empty(%h, %m, %n) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%one : f32) outs(%c0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %na = linalg.negf ins(%a : tensor<?x?x?xf32>) outs(%a0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = linalg_ext.batch_matmul ins(%na, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%f : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e = linalg.exp ins(%c : tensor<?x?x?xf32>) outs(%c0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %e : tensor<?x?x?xf32>
}

//===----------------------------------------------------------------------===//
// Reference and comparison
//===----------------------------------------------------------------------===//

func.func @reference(%a: tensor<2x5x7xf32>, %b: tensor<2x7x6xf32>) -> tensor<2x5x6xf32> {
  %one = arith.constant 1.0 : f32
  %a0 = tensor.empty() : tensor<2x5x7xf32>
  %c0 = tensor.empty() : tensor<2x5x6xf32>
  %f = linalg.fill ins(%one : f32) outs(%c0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %n = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%a : tensor<2x5x7xf32>) outs(%a0 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %c = linalg.batch_matmul ins(%n, %b : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %e = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%c : tensor<2x5x6xf32>) outs(%c0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %e : tensor<2x5x6xf32>
}

func.func @compare(%x: tensor<2x5x6xf32>, %y: tensor<2x5x6xf32>) {
  %x1 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %y1 = tensor.collapse_shape %y [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %x2 = tensor.cast %x1 : tensor<60xf32> to tensor<?xf32>
  %y2 = tensor.cast %y1 : tensor<60xf32> to tensor<?xf32>
  call @print_mismatches(%x2, %y2) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

// Values in [-1/3, 1/3], so that exp stays small.
func.func @small(%n: index) -> tensor<?xf32> {
  %v = call @values(%n) : (index) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%v : tensor<?xf32>) {
  ^bb0(%x: f32):
    %ninth = arith.constant 0.1111111 : f32
    %y = arith.mulf %x, %ninth : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @main() {
  %c70 = arith.constant 70 : index
  %c84 = arith.constant 84 : index
  %va = call @small(%c70) : (index) -> tensor<?xf32>
  %vb = call @small(%c84) : (index) -> tensor<?xf32>
  %sa = tensor.cast %va : tensor<?xf32> to tensor<70xf32>
  %sb = tensor.cast %vb : tensor<?xf32> to tensor<84xf32>
  %a = tensor.expand_shape %sa [[0, 1, 2]] output_shape [2, 5, 7] : tensor<70xf32> into tensor<2x5x7xf32>
  %b = tensor.expand_shape %sb [[0, 1, 2]] output_shape [2, 7, 6] : tensor<84xf32> into tensor<2x7x6xf32>
  %r = call @reference(%a, %b) : (tensor<2x5x7xf32>, tensor<2x7x6xf32>) -> tensor<2x5x6xf32>
  %s = call @static(%a, %b) : (tensor<2x5x7xf32>, tensor<2x7x6xf32>) -> tensor<2x5x6xf32>
  call @compare(%s, %r) : (tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> ()
  %ad = tensor.cast %a : tensor<2x5x7xf32> to tensor<?x?x?xf32>
  %bd = tensor.cast %b : tensor<2x7x6xf32> to tensor<?x?x?xf32>
  %d = call @dynamic(%ad, %bd) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %ds = tensor.cast %d : tensor<?x?x?xf32> to tensor<2x5x6xf32>
  call @compare(%ds, %r) : (tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> ()
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
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:4 = transform.structured.tile_using_for %op tile_sizes [1, 2, 4, 3] interchange = [3, 1, 0, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_using_forall(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [1, 2, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_root(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_root_over_reduction(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [0, 2, 0, 3] {apply_cleanup}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_producer(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.fuse %op tile_sizes [1, 2, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_producer_forall(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %op tile_sizes [1, 2, 4] {use_forall}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_consumer(%m: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.negf"]} in %fs : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_consumer_into_for(%m: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.negf"]} in %fs : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_into_containing_op(%m: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.exp"]} in %fs : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %new = transform.structured.fuse_into_containing_op %producer into %l
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_reduction_using_for(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %i, %s, %c, %l = transform.structured.tile_reduction_using_for %op by tile_sizes = [0, 0, 0, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_reduction_using_forall(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %i, %s, %c, %l = transform.structured.tile_reduction_using_forall %op by num_threads = [0, 0, 0, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
