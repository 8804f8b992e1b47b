// Self-attention with a packed projection and reshapes everywhere, fused through
// all of them, beside the same untouched (softmax by upstream's decomposition).
//
// REQUIRES: mlir-runner
//
// DEFINE: %{entry} =
// DEFINE: %{fuse} = linalg-ext-opt %t.mlir --transform-interpreter=entry-point=%{entry} \
// DEFINE:   | mlir-opt --load-dialect-plugin=%plugin -test-transform-dialect-erase-schedule
// DEFINE: %{run} = %{fuse} | mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(%cpu_passes)' \
// DEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
// DEFINE: %{count} = %{fuse} -canonicalize -cse | FileCheck %s --check-prefix
//
// RUN: sed 's/FUNC\(.*\) {$/fused\1 attributes {fuse} {/' %S/Inputs/packed-attention.mlir > %t.mlir
// RUN: sed 's/FUNC/reference/; s/{attention}//; s/{projection}//' %S/Inputs/packed-attention.mlir >> %t.mlir
// RUN: cat %s %S/Inputs/packed-attention-dynamic.mlir %S/Inputs/compare.mlir >> %t.mlir
//
// REDEFINE: %{entry} = untiled
// RUN: %{run}
// REDEFINE: %{entry} = split
// RUN: %{run}
// REDEFINE: %{entry} = attention
// RUN: %{run}
// RUN: %{count}=ATTENTION
// REDEFINE: %{entry} = two_heads
// RUN: %{run}
// REDEFINE: %{entry} = sequence
// RUN: %{run}
// RUN: %{count}=SEQUENCE
// REDEFINE: %{entry} = heads
// RUN: %{run}
// RUN: %{count}=HEADS
// REDEFINE: %{entry} = columns_across_heads
// RUN: %{run}
// RUN: %{count}=ACROSS
// REDEFINE: %{entry} = tokens_across_sequences
// RUN: %{run}

// Mismatches of a static number of tokens, then of a dynamic one.
// CHECK: 0, 0,

// q, k and v of one head in one sequence, from the columns of their weights.
// ATTENTION-LABEL: func @fused
//   ATTENTION-NOT:   linalg.matmul
//       ATTENTION:   scf.for
//   ATTENTION-NOT:   linalg.matmul
//       ATTENTION:     scf.for
// ATTENTION-COUNT-2:     linalg.matmul {{.*}} -> tensor<7x2xf32>
//       ATTENTION:       scf.for
//       ATTENTION:         linalg.matmul {{.*}} -> tensor<?x2xf32>
//       ATTENTION:         scf.for
//       ATTENTION:           linalg_ext.softmax

// The whole layer in one loop over sequences: 7 tokens of 14.
// SEQUENCE-LABEL: func @fused
//   SEQUENCE-NOT:   linalg.
//       SEQUENCE:   scf.for
// SEQUENCE-COUNT-2:   linalg.matmul {{.*}} -> tensor<7x6xf32>
//       SEQUENCE:     linalg_ext.softmax {{.*}} -> tensor<1x3x7x7xf32>
//       SEQUENCE:     linalg.matmul {{.*}} -> tensor<7x6xf32>
//       SEQUENCE:     linalg.matmul {{.*}} -> tensor<7x5xf32>
//       SEQUENCE:   }
//   SEQUENCE-NOT:   linalg.
//       SEQUENCE:   return

// The reduction of the last projection is over heads and channels: a head at a
// time.
// HEADS-LABEL: func @fused
//   HEADS-NOT:   linalg.matmul
//       HEADS:   scf.for
//       HEADS:     scf.for
//       HEADS:       linalg_ext.softmax {{.*}} -> tensor<1x1x7x7xf32>
//       HEADS:       linalg.matmul {{.*}} tensor<7x2xf32>, tensor<2x5xf32>

// 3 columns of 6 are parts of 2 heads: these are computed.
// ACROSS-LABEL: func @fused
//       ACROSS:   linalg_ext.softmax {{.*}} -> tensor<1x2x7x7xf32>
//       ACROSS:   linalg.matmul {{.*}} tensor<7x3xf32>, tensor<3x5xf32>

func.func @small(%n: index) -> tensor<?xf32> {
  %v = call @values(%n) : (index) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%v : tensor<?xf32>) {
  ^bb0(%x: f32):
    %third = arith.constant 0.3333333 : f32
    %y = arith.mulf %x, %third : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @main() {
  %c56 = arith.constant 56 : index
  %c72 = arith.constant 72 : index
  %c30 = arith.constant 30 : index
  %xv = call @values(%c56) : (index) -> tensor<?xf32>
  %wv = call @small(%c72) : (index) -> tensor<?xf32>
  %wov = call @small(%c30) : (index) -> tensor<?xf32>
  %xs = tensor.cast %xv : tensor<?xf32> to tensor<56xf32>
  %ws = tensor.cast %wv : tensor<?xf32> to tensor<72xf32>
  %wos = tensor.cast %wov : tensor<?xf32> to tensor<30xf32>
  %x = tensor.expand_shape %xs [[0, 1, 2]] output_shape [2, 7, 4] : tensor<56xf32> into tensor<2x7x4xf32>
  %w = tensor.expand_shape %ws [[0, 1]] output_shape [4, 18] : tensor<72xf32> into tensor<4x18xf32>
  %wo = tensor.expand_shape %wos [[0, 1]] output_shape [6, 5] : tensor<30xf32> into tensor<6x5xf32>
  %r = call @reference(%x, %w, %wo) : (tensor<2x7x4xf32>, tensor<4x18xf32>, tensor<6x5xf32>) -> tensor<2x7x5xf32>
  %f = call @fused(%x, %w, %wo) : (tensor<2x7x4xf32>, tensor<4x18xf32>, tensor<6x5xf32>) -> tensor<2x7x5xf32>
  %r1 = tensor.collapse_shape %r [[0, 1, 2]] : tensor<2x7x5xf32> into tensor<70xf32>
  %f1 = tensor.collapse_shape %f [[0, 1, 2]] : tensor<2x7x5xf32> into tensor<70xf32>
  %r2 = tensor.cast %r1 : tensor<70xf32> to tensor<?xf32>
  %f2 = tensor.cast %f1 : tensor<70xf32> to tensor<?xf32>
  call @print_mismatches(%f2, %r2) : (tensor<?xf32>, tensor<?xf32>) -> ()
  %xd = tensor.cast %x : tensor<2x7x4xf32> to tensor<2x?x4xf32>
  %d = call @dynamic(%xd, %w, %wo) : (tensor<2x?x4xf32>, tensor<4x18xf32>, tensor<6x5xf32>) -> tensor<2x?x5xf32>
  %ds = tensor.cast %d : tensor<2x?x5xf32> to tensor<2x7x5xf32>
  %d1 = tensor.collapse_shape %ds [[0, 1, 2]] : tensor<2x7x5xf32> into tensor<70xf32>
  %d2 = tensor.cast %d1 : tensor<70xf32> to tensor<?xf32>
  call @print_mismatches(%d2, %r2) : (tensor<?xf32>, tensor<?xf32>) -> ()
  call @printNewline() : () -> ()
  return
}

module attributes {transform.with_named_sequence} {
  // The reference by upstream's decomposition; returns the other function.
  transform.named_sequence @prepare(%m: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %r = transform.structured.match ops{["func.func"]} attributes {sym_name = "reference"} in %m : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
    %d = transform.structured.decompose_interface %s : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} attributes {fuse} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.raise %f : !transform.any_op
    transform.yield %f : !transform.any_op
  }
  transform.named_sequence @get_attention(%m: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %f = transform.include @prepare failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %sliced = transform.apply_registered_pass "test-linalg-ext-slice-producers" to %f : (!transform.any_op) -> !transform.any_op
    %root = transform.structured.match ops{["linalg.contract"]} attributes {attention} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield %root : !transform.any_op
  }
  transform.named_sequence @get_projection(%m: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %f = transform.include @prepare failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %sliced = transform.apply_registered_pass "test-linalg-ext-slice-producers" to %f : (!transform.any_op) -> !transform.any_op
    %root = transform.structured.match ops{["linalg.matmul"]} attributes {projection} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield %root : !transform.any_op
  }
  transform.named_sequence @untiled(%m: !transform.any_op {transform.readonly}) {
    %f = transform.include @prepare failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @split(%m: !transform.any_op {transform.readonly}) {
    %f = transform.include @get_attention failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @attention(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @get_attention failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %t, %l:4 = transform.linalg_ext.tile_and_fuse %root levels = [for(1, 1, 3, 0, 2)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @two_heads(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @get_attention failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [forall(0, 2, 4), for(0, 0, 0, 0, 3)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @sequence(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @get_projection failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(7)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @heads(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @get_projection failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [for(7), for(0, 0, 2)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @columns_across_heads(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @get_projection failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root levels = [for(7), for(0, 0, 3)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tokens_across_sequences(%m: !transform.any_op {transform.readonly}) {
    %root = transform.include @get_projection failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [forall(5, 2)] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
