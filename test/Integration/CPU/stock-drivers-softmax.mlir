// Upstream's tile and fuse on linalg_ext.softmax: right, compared with
// linalg.softmax as upstream decomposes it, or refused (softmax-tiling-invalid).
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
// REDEFINE: %{entry} = tile_using_for_dynamic_size
// RUN: %{run}
// REDEFINE: %{entry} = tile_using_forall
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_root
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_producer
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_producer_forall
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_producer_along_dimension
// RUN: %{run}
// REDEFINE: %{entry} = fuse_into_containing_op
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_consumer
// RUN: %{run}
// REDEFINE: %{entry} = fuse_as_consumer_into_for
// RUN: %{run}

// Mismatches of the result and of the three parts of the state: of a static
// shape, then of a dynamic one.
//      CHECK: 0, 0, 0, 0,
// CHECK-NEXT: 0, 0, 0, 0,

//===----------------------------------------------------------------------===//
// Under test: exp(softmax(-x)) along the middle dimension, and the state
//===----------------------------------------------------------------------===//

func.func @static(%x: tensor<3x5x7xf32>) -> (tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %y0 = tensor.empty() : tensor<3x5x7xf32>
  %s0 = tensor.empty() : tensor<3x7xf32>
  %m0 = linalg.fill ins(%minf : f32) outs(%s0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %n = linalg.negf ins(%x : tensor<3x5x7xf32>) outs(%y0 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%n : tensor<3x5x7xf32>)
      outs(%y0, %m0, %l0, %s0 : tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>)
      -> tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>
  %e = linalg.exp ins(%p#0 : tensor<3x5x7xf32>) outs(%y0 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  return %e, %p#1, %p#2, %p#3 : tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>
}

func.func @dynamic(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %y0 = tensor.empty(%d0, %d1, %d2) : tensor<?x?x?xf32>
  %s0 = tensor.empty(%d0, %d2) : tensor<?x?xf32>
  %m0 = linalg.fill ins(%minf : f32) outs(%s0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = linalg.negf ins(%x : tensor<?x?x?xf32>) outs(%y0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%n : tensor<?x?x?xf32>)
      outs(%y0, %m0, %l0, %s0 : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  %e = linalg.exp ins(%p#0 : tensor<?x?x?xf32>) outs(%y0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %e, %p#1, %p#2, %p#3 : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

//===----------------------------------------------------------------------===//
// Reference
//===----------------------------------------------------------------------===//

func.func @reference(%x: tensor<3x5x7xf32>) -> (tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>) attributes {reference} {
  %zero = arith.constant 0.0 : f32
  %minf = arith.constant 0xFF800000 : f32
  %y0 = tensor.empty() : tensor<3x5x7xf32>
  %s0 = tensor.empty() : tensor<3x7xf32>
  %m0 = linalg.fill ins(%minf : f32) outs(%s0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %n = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%x : tensor<3x5x7xf32>) outs(%y0 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %p = linalg.softmax dimension(1) ins(%n : tensor<3x5x7xf32>) outs(%y0 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %e = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%p : tensor<3x5x7xf32>) outs(%y0 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %m = linalg.reduce { arith.maximumf } ins(%n : tensor<3x5x7xf32>) outs(%m0 : tensor<3x7xf32>) dimensions = [1]
  %b = linalg.broadcast ins(%m : tensor<3x7xf32>) outs(%y0 : tensor<3x5x7xf32>) dimensions = [1]
  %d = linalg.sub ins(%n, %b : tensor<3x5x7xf32>, tensor<3x5x7xf32>) outs(%y0 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %w = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%d : tensor<3x5x7xf32>) outs(%y0 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %l = linalg.reduce { arith.addf } ins(%w : tensor<3x5x7xf32>) outs(%l0 : tensor<3x7xf32>) dimensions = [1]
  // From the identity state there is nothing to repair.
  return %e, %m, %l, %l0 : tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

func.func @compare(%a: tensor<3x5x7xf32>, %m: tensor<3x7xf32>, %l: tensor<3x7xf32>, %s: tensor<3x7xf32>,
                   %ra: tensor<3x5x7xf32>, %rm: tensor<3x7xf32>, %rl: tensor<3x7xf32>, %rs: tensor<3x7xf32>) {
  %a1 = tensor.collapse_shape %a [[0, 1, 2]] : tensor<3x5x7xf32> into tensor<105xf32>
  %ra1 = tensor.collapse_shape %ra [[0, 1, 2]] : tensor<3x5x7xf32> into tensor<105xf32>
  %a2 = tensor.cast %a1 : tensor<105xf32> to tensor<?xf32>
  %ra2 = tensor.cast %ra1 : tensor<105xf32> to tensor<?xf32>
  call @print_mismatches(%a2, %ra2) : (tensor<?xf32>, tensor<?xf32>) -> ()
  call @compare_state(%m, %rm) : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  call @compare_state(%l, %rl) : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  call @compare_state(%s, %rs) : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @compare_state(%s: tensor<3x7xf32>, %rs: tensor<3x7xf32>) {
  %s1 = tensor.collapse_shape %s [[0, 1]] : tensor<3x7xf32> into tensor<21xf32>
  %rs1 = tensor.collapse_shape %rs [[0, 1]] : tensor<3x7xf32> into tensor<21xf32>
  %s2 = tensor.cast %s1 : tensor<21xf32> to tensor<?xf32>
  %rs2 = tensor.cast %rs1 : tensor<21xf32> to tensor<?xf32>
  call @print_mismatches(%s2, %rs2) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

func.func @main() {
  %c105 = arith.constant 105 : index
  %v = call @values(%c105) : (index) -> tensor<?xf32>
  %vs = tensor.cast %v : tensor<?xf32> to tensor<105xf32>
  %x = tensor.expand_shape %vs [[0, 1, 2]] output_shape [3, 5, 7] : tensor<105xf32> into tensor<3x5x7xf32>
  %r:4 = call @reference(%x) : (tensor<3x5x7xf32>) -> (tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>)
  %s:4 = call @static(%x) : (tensor<3x5x7xf32>) -> (tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>)
  call @compare(%s#0, %s#1, %s#2, %s#3, %r#0, %r#1, %r#2, %r#3)
      : (tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  %xd = tensor.cast %x : tensor<3x5x7xf32> to tensor<?x?x?xf32>
  %d:4 = call @dynamic(%xd) : (tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
  %d0 = tensor.cast %d#0 : tensor<?x?x?xf32> to tensor<3x5x7xf32>
  %d1 = tensor.cast %d#1 : tensor<?x?xf32> to tensor<3x7xf32>
  %d2 = tensor.cast %d#2 : tensor<?x?xf32> to tensor<3x7xf32>
  %d3 = tensor.cast %d#3 : tensor<?x?xf32> to tensor<3x7xf32>
  call @compare(%d0, %d1, %d2, %d3, %r#0, %r#1, %r#2, %r#3)
      : (tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x5x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// Drivers
//===----------------------------------------------------------------------===//

module attributes {transform.with_named_sequence} {
  transform.named_sequence @decompose_reference(%m: !transform.any_op {transform.readonly}) {
    %r = transform.structured.match ops{["linalg.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %d = transform.structured.decompose_interface %r : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @untiled(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @tile_using_for(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %op = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [2, 0, 3] interchange = [2, 0, 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_using_for_dynamic_size(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "dynamic"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg_ext.softmax"]} in %f : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["arith.constant"]} attributes {value = 2 : index} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%size]
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_using_forall(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %op = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 0, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_root(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %op = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [2, 0, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_producer(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [2, 0, 3] {apply_cleanup}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_producer_forall(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %op tile_sizes [2, 0, 3] {use_forall}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  // Refused as a producer: the softmax stays outside.
  transform.named_sequence @fuse_as_producer_along_dimension(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %op tile_sizes [2, 2, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_into_containing_op(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.exp"]} in %fs : (!transform.any_op) -> !transform.any_op
    %softmax = transform.structured.match ops{["linalg_ext.softmax"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 0, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %new = transform.structured.fuse_into_containing_op %softmax into %l
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_consumer(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.negf"]} in %fs : (!transform.any_op) -> !transform.any_op
    %softmax = transform.structured.match ops{["linalg_ext.softmax"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 0, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %softmax into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse_as_consumer_into_for(%m: !transform.any_op {transform.readonly}) {
    transform.include @decompose_reference failures(propagate) (%m) : (!transform.any_op) -> ()
    %fs = transform.structured.match ops{["func.func"]} attributes {sym_name = "static"} in %m : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["linalg.negf"]} in %fs : (!transform.any_op) -> !transform.any_op
    %softmax = transform.structured.match ops{["linalg_ext.softmax"]} in %fs : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %softmax into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
