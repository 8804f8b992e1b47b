// Two products with one softmax, tiled by sizes that the function is given: by a
// value, by the op that computes one, and by a parameter; beside the same untouched
// (softmax by upstream's decomposition). Sizes do not divide, and are larger than
// what they cut.
//
// REQUIRES: mlir-runner
//
// DEFINE: %{entry} =
// DEFINE: %{run} = mlir-opt %t.mlir --load-dialect-plugin=%plugin -transform-interpreter=entry-point=%{entry} -test-transform-dialect-erase-schedule \
// DEFINE:   | mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(%cpu_passes)' \
// DEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
//
// RUN: cat %s %S/Inputs/compare.mlir > %t.mlir
// REDEFINE: %{entry} = values
// RUN: %{run}
// REDEFINE: %{entry} = ops
// RUN: %{run}
// REDEFINE: %{entry} = params
// RUN: %{run}

// Mismatches of both products for tiles of 1, 3, 4, 11 and 64 keys.
// CHECK: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,

func.func @fused(%s: tensor<7x?xf32>, %v: tensor<?x5xf32>, %w: tensor<?x3xf32>, %size: index) -> (tensor<7x5xf32>, tensor<7x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.addi %size, %one {rows} : index
  %n = tensor.dim %v, %c0 : tensor<?x5xf32>
  %pe = tensor.empty(%n) : tensor<7x?xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<7x?xf32>) outs(%pe : tensor<7x?xf32>) -> tensor<7x?xf32>
  %ae = tensor.empty() : tensor<7x5xf32>
  %a0 = linalg.fill ins(%zero : f32) outs(%ae : tensor<7x5xf32>) -> tensor<7x5xf32>
  %a = linalg.matmul {root} ins(%p, %v : tensor<7x?xf32>, tensor<?x5xf32>) outs(%a0 : tensor<7x5xf32>) -> tensor<7x5xf32>
  %be = tensor.empty() : tensor<7x3xf32>
  %b0 = linalg.fill ins(%zero : f32) outs(%be : tensor<7x3xf32>) -> tensor<7x3xf32>
  %b = linalg.matmul ins(%p, %w : tensor<7x?xf32>, tensor<?x3xf32>) outs(%b0 : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %a, %b : tensor<7x5xf32>, tensor<7x3xf32>
}

func.func @reference(%s: tensor<7x?xf32>, %v: tensor<?x5xf32>, %w: tensor<?x3xf32>) -> (tensor<7x5xf32>, tensor<7x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %v, %c0 : tensor<?x5xf32>
  %pe = tensor.empty(%n) : tensor<7x?xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<7x?xf32>) outs(%pe : tensor<7x?xf32>) -> tensor<7x?xf32>
  %ae = tensor.empty() : tensor<7x5xf32>
  %a0 = linalg.fill ins(%zero : f32) outs(%ae : tensor<7x5xf32>) -> tensor<7x5xf32>
  %a = linalg.matmul ins(%p, %v : tensor<7x?xf32>, tensor<?x5xf32>) outs(%a0 : tensor<7x5xf32>) -> tensor<7x5xf32>
  %be = tensor.empty() : tensor<7x3xf32>
  %b0 = linalg.fill ins(%zero : f32) outs(%be : tensor<7x3xf32>) -> tensor<7x3xf32>
  %b = linalg.matmul ins(%p, %w : tensor<7x?xf32>, tensor<?x3xf32>) outs(%b0 : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %a, %b : tensor<7x5xf32>, tensor<7x3xf32>
}

func.func @compare(%size: index) {
  %c77 = arith.constant 77 : index
  %c55 = arith.constant 55 : index
  %c33 = arith.constant 33 : index
  %c11 = arith.constant 11 : index
  %sv = call @values(%c77) : (index) -> tensor<?xf32>
  %vv = call @values(%c55) : (index) -> tensor<?xf32>
  %wv = call @values(%c33) : (index) -> tensor<?xf32>
  %s = tensor.expand_shape %sv [[0, 1]] output_shape [7, %c11] : tensor<?xf32> into tensor<7x?xf32>
  %v = tensor.expand_shape %vv [[0, 1]] output_shape [%c11, 5] : tensor<?xf32> into tensor<?x5xf32>
  %w = tensor.expand_shape %wv [[0, 1]] output_shape [%c11, 3] : tensor<?xf32> into tensor<?x3xf32>
  %r:2 = call @reference(%s, %v, %w) : (tensor<7x?xf32>, tensor<?x5xf32>, tensor<?x3xf32>) -> (tensor<7x5xf32>, tensor<7x3xf32>)
  %f:2 = call @fused(%s, %v, %w, %size) : (tensor<7x?xf32>, tensor<?x5xf32>, tensor<?x3xf32>, index) -> (tensor<7x5xf32>, tensor<7x3xf32>)
  %r0 = tensor.collapse_shape %r#0 [[0, 1]] : tensor<7x5xf32> into tensor<35xf32>
  %f0 = tensor.collapse_shape %f#0 [[0, 1]] : tensor<7x5xf32> into tensor<35xf32>
  %r1 = tensor.collapse_shape %r#1 [[0, 1]] : tensor<7x3xf32> into tensor<21xf32>
  %f1 = tensor.collapse_shape %f#1 [[0, 1]] : tensor<7x3xf32> into tensor<21xf32>
  %rc0 = tensor.cast %r0 : tensor<35xf32> to tensor<?xf32>
  %fc0 = tensor.cast %f0 : tensor<35xf32> to tensor<?xf32>
  %rc1 = tensor.cast %r1 : tensor<21xf32> to tensor<?xf32>
  %fc1 = tensor.cast %f1 : tensor<21xf32> to tensor<?xf32>
  call @print_mismatches(%fc0, %rc0) : (tensor<?xf32>, tensor<?xf32>) -> ()
  call @print_mismatches(%fc1, %rc1) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %c64 = arith.constant 64 : index
  call @compare(%c1) : (index) -> ()
  call @compare(%c3) : (index) -> ()
  call @compare(%c4) : (index) -> ()
  call @compare(%c11) : (index) -> ()
  call @compare(%c64) : (index) -> ()
  call @printNewline() : () -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @prepare(%m: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %r = transform.structured.match ops{["func.func"]} attributes {sym_name = "reference"} in %m : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
    %d = transform.structured.decompose_interface %s : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "fused"} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.raise %f : !transform.any_op
    %root = transform.structured.match ops{["linalg.matmul"]} attributes {root} in %f : (!transform.any_op) -> !transform.any_op
    transform.yield %root : !transform.any_op
  }
  transform.named_sequence @values(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @prepare failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "fused"} in %m : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["arith.addi"]} attributes {rows} in %f : (!transform.any_op) -> !transform.any_op
    %size = transform.get_operand %add[0] : (!transform.any_op) -> !transform.any_value
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(0, 0, %size)]
        : (!transform.any_op, !transform.any_value) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @ops(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @prepare failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "fused"} in %m : (!transform.any_op) -> !transform.any_op
    %rows = transform.structured.match ops{["arith.addi"]} attributes {rows} in %f : (!transform.any_op) -> !transform.any_op
    %size = transform.get_operand %rows[0] : (!transform.any_op) -> !transform.any_value
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [forall(%rows), for(0, 0, %size)]
        : (!transform.any_op, !transform.any_op, !transform.any_value) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @params(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @prepare failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 4 : i64 -> !transform.param<i64>
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [for(3), for(0, 0, %size)]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
