// linalg_ext.batch_matmul beside linalg.contract, which has the same maps, through
// upstream's transforms: what each computes is compared.
//
// REQUIRES: mlir-runner
//
// DEFINE: %{bufferize} = one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
// DEFINE: %{transforms} =
// DEFINE: %{run} = cat %s %S/Inputs/compare.mlir | mlir-opt --load-dialect-plugin=%plugin \
// DEFINE:   --pass-pipeline='builtin.module(func.func(convert-elementwise-to-linalg),%{transforms},test-transform-dialect-erase-schedule,%cpu_passes,convert-vector-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts)' \
// DEFINE:   | mlir-runner -e main -entry-point-result=void %runner_libs | FileCheck %s
//
// REDEFINE: %{transforms} = transform-interpreter{entry-point=tile}
// RUN: %{run}
// REDEFINE: %{transforms} = transform-interpreter{entry-point=tile_reduction}
// RUN: %{run}
// REDEFINE: %{transforms} = transform-interpreter{entry-point=fuse}
// RUN: %{run}
// REDEFINE: %{transforms} = transform-interpreter{entry-point=generalize}
// RUN: %{run}
// REDEFINE: %{transforms} = transform-interpreter{entry-point=vectorize},test-transform-dialect-erase-schedule,%{bufferize},func.func(convert-vector-to-scf)
// RUN: %{run}
//
// On buffers:
// REDEFINE: %{transforms} = %{bufferize}
// RUN: %{run}
// REDEFINE: %{transforms} = %{bufferize},func.func(convert-linalg-to-loops)
// RUN: %{run}
// REDEFINE: %{transforms} = %{bufferize},transform-interpreter{entry-point=convert_to_loops}
// RUN: %{run}
// REDEFINE: %{transforms} = %{bufferize},transform-interpreter{entry-point=tile}
// RUN: %{run}
// REDEFINE: %{transforms} = %{bufferize},transform-interpreter{entry-point=generalize}
// RUN: %{run}

// Mismatches of batched, mixed, grouped, dynamic.
// CHECK: 0, 0, 0, 0,

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

func.func @ours_batched(%a: tensor<2x5x7xf32>, %b: tensor<2x7x6xf32>, %c: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %0 = linalg_ext.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%c : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

func.func @ours_mixed(%a: tensor<2x5x7xf16>, %b: tensor<2x7x6xf16>, %c: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %0 = linalg_ext.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<2x5x7xf16>, tensor<2x7x6xf16>) outs(%c : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

func.func @ours_grouped(%a: tensor<2x3x5x7xf32>, %b: tensor<2x4x7xf32>, %c: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %0 = linalg_ext.batch_matmul indexing_maps = [affine_map<(h, g, m, n, k) -> (h, g, m, k)>, affine_map<(h, g, m, n, k) -> (h, n, k)>, affine_map<(h, g, m, n, k) -> (h, g, m, n)>]
      ins(%a, %b : tensor<2x3x5x7xf32>, tensor<2x4x7xf32>) outs(%c : tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  return %0 : tensor<2x3x5x4xf32>
}

func.func @ours_dynamic(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg_ext.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%c : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

func.func @theirs_batched(%a: tensor<2x5x7xf32>, %b: tensor<2x7x6xf32>, %c: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%c : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

func.func @theirs_mixed(%a: tensor<2x5x7xf16>, %b: tensor<2x7x6xf16>, %c: tensor<2x5x6xf32>) -> tensor<2x5x6xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<2x5x7xf16>, tensor<2x7x6xf16>) outs(%c : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

func.func @theirs_grouped(%a: tensor<2x3x5x7xf32>, %b: tensor<2x4x7xf32>, %c: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(h, g, m, n, k) -> (h, g, m, k)>, affine_map<(h, g, m, n, k) -> (h, n, k)>, affine_map<(h, g, m, n, k) -> (h, g, m, n)>]
      ins(%a, %b : tensor<2x3x5x7xf32>, tensor<2x4x7xf32>) outs(%c : tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  return %0 : tensor<2x3x5x4xf32>
}

func.func @theirs_dynamic(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%c : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

func.func @main() {
  // batched
  %n1 = arith.constant 70 : index
  %d1 = call @values(%n1) : (index) -> tensor<?xf32>
  %s1 = tensor.cast %d1 : tensor<?xf32> to tensor<70xf32>
  %v1 = tensor.expand_shape %s1 [[0, 1, 2]] output_shape [2, 5, 7] : tensor<70xf32> into tensor<2x5x7xf32>
  %n2 = arith.constant 84 : index
  %d2 = call @values(%n2) : (index) -> tensor<?xf32>
  %s2 = tensor.cast %d2 : tensor<?xf32> to tensor<84xf32>
  %v2 = tensor.expand_shape %s2 [[0, 1, 2]] output_shape [2, 7, 6] : tensor<84xf32> into tensor<2x7x6xf32>
  %n3 = arith.constant 60 : index
  %d3 = call @values(%n3) : (index) -> tensor<?xf32>
  %s3 = tensor.cast %d3 : tensor<?xf32> to tensor<60xf32>
  %v3 = tensor.expand_shape %s3 [[0, 1, 2]] output_shape [2, 5, 6] : tensor<60xf32> into tensor<2x5x6xf32>
  %ours_batched = call @ours_batched(%v1, %v2, %v3) : (tensor<2x5x7xf32>, tensor<2x7x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %theirs_batched = call @theirs_batched(%v1, %v2, %v3) : (tensor<2x5x7xf32>, tensor<2x7x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %xf4 = tensor.collapse_shape %ours_batched [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %xc4 = tensor.cast %xf4 : tensor<60xf32> to tensor<?xf32>
  %yf4 = tensor.collapse_shape %theirs_batched [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %yc4 = tensor.cast %yf4 : tensor<60xf32> to tensor<?xf32>
  call @print_mismatches(%xc4, %yc4) : (tensor<?xf32>, tensor<?xf32>) -> ()

  // mixed
  %n5 = arith.constant 70 : index
  %d5 = call @values(%n5) : (index) -> tensor<?xf32>
  %s5 = tensor.cast %d5 : tensor<?xf32> to tensor<70xf32>
  %v5 = tensor.expand_shape %s5 [[0, 1, 2]] output_shape [2, 5, 7] : tensor<70xf32> into tensor<2x5x7xf32>
  %t5 = arith.truncf %v5 : tensor<2x5x7xf32> to tensor<2x5x7xf16>
  %n6 = arith.constant 84 : index
  %d6 = call @values(%n6) : (index) -> tensor<?xf32>
  %s6 = tensor.cast %d6 : tensor<?xf32> to tensor<84xf32>
  %v6 = tensor.expand_shape %s6 [[0, 1, 2]] output_shape [2, 7, 6] : tensor<84xf32> into tensor<2x7x6xf32>
  %t6 = arith.truncf %v6 : tensor<2x7x6xf32> to tensor<2x7x6xf16>
  %n7 = arith.constant 60 : index
  %d7 = call @values(%n7) : (index) -> tensor<?xf32>
  %s7 = tensor.cast %d7 : tensor<?xf32> to tensor<60xf32>
  %v7 = tensor.expand_shape %s7 [[0, 1, 2]] output_shape [2, 5, 6] : tensor<60xf32> into tensor<2x5x6xf32>
  %ours_mixed = call @ours_mixed(%t5, %t6, %v7) : (tensor<2x5x7xf16>, tensor<2x7x6xf16>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %theirs_mixed = call @theirs_mixed(%t5, %t6, %v7) : (tensor<2x5x7xf16>, tensor<2x7x6xf16>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %xf8 = tensor.collapse_shape %ours_mixed [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %xc8 = tensor.cast %xf8 : tensor<60xf32> to tensor<?xf32>
  %yf8 = tensor.collapse_shape %theirs_mixed [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %yc8 = tensor.cast %yf8 : tensor<60xf32> to tensor<?xf32>
  call @print_mismatches(%xc8, %yc8) : (tensor<?xf32>, tensor<?xf32>) -> ()

  // grouped
  %n9 = arith.constant 210 : index
  %d9 = call @values(%n9) : (index) -> tensor<?xf32>
  %s9 = tensor.cast %d9 : tensor<?xf32> to tensor<210xf32>
  %v9 = tensor.expand_shape %s9 [[0, 1, 2, 3]] output_shape [2, 3, 5, 7] : tensor<210xf32> into tensor<2x3x5x7xf32>
  %n10 = arith.constant 56 : index
  %d10 = call @values(%n10) : (index) -> tensor<?xf32>
  %s10 = tensor.cast %d10 : tensor<?xf32> to tensor<56xf32>
  %v10 = tensor.expand_shape %s10 [[0, 1, 2]] output_shape [2, 4, 7] : tensor<56xf32> into tensor<2x4x7xf32>
  %n11 = arith.constant 120 : index
  %d11 = call @values(%n11) : (index) -> tensor<?xf32>
  %s11 = tensor.cast %d11 : tensor<?xf32> to tensor<120xf32>
  %v11 = tensor.expand_shape %s11 [[0, 1, 2, 3]] output_shape [2, 3, 5, 4] : tensor<120xf32> into tensor<2x3x5x4xf32>
  %ours_grouped = call @ours_grouped(%v9, %v10, %v11) : (tensor<2x3x5x7xf32>, tensor<2x4x7xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  %theirs_grouped = call @theirs_grouped(%v9, %v10, %v11) : (tensor<2x3x5x7xf32>, tensor<2x4x7xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  %xf12 = tensor.collapse_shape %ours_grouped [[0, 1, 2, 3]] : tensor<2x3x5x4xf32> into tensor<120xf32>
  %xc12 = tensor.cast %xf12 : tensor<120xf32> to tensor<?xf32>
  %yf12 = tensor.collapse_shape %theirs_grouped [[0, 1, 2, 3]] : tensor<2x3x5x4xf32> into tensor<120xf32>
  %yc12 = tensor.cast %yf12 : tensor<120xf32> to tensor<?xf32>
  call @print_mismatches(%xc12, %yc12) : (tensor<?xf32>, tensor<?xf32>) -> ()

  // dynamic
  %dyn_a = tensor.cast %v1 : tensor<2x5x7xf32> to tensor<?x?x?xf32>
  %dyn_b = tensor.cast %v2 : tensor<2x7x6xf32> to tensor<?x?x?xf32>
  %dyn_c = tensor.cast %v3 : tensor<2x5x6xf32> to tensor<?x?x?xf32>
  %ours_d = call @ours_dynamic(%dyn_a, %dyn_b, %dyn_c) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %ours_dynamic = tensor.cast %ours_d : tensor<?x?x?xf32> to tensor<2x5x6xf32>
  %theirs_d = call @theirs_dynamic(%dyn_a, %dyn_b, %dyn_c) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %theirs_dynamic = tensor.cast %theirs_d : tensor<?x?x?xf32> to tensor<2x5x6xf32>
  %xf13 = tensor.collapse_shape %ours_dynamic [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %xc13 = tensor.cast %xf13 : tensor<60xf32> to tensor<?xf32>
  %yf13 = tensor.collapse_shape %theirs_dynamic [[0, 1, 2]] : tensor<2x5x6xf32> into tensor<60xf32>
  %yc13 = tensor.cast %yf13 : tensor<60xf32> to tensor<?xf32>
  call @print_mismatches(%xc13, %yc13) : (tensor<?xf32>, tensor<?xf32>) -> ()
  call @printNewline() : () -> ()
  return
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg_ext.batch_matmul", "linalg.contract"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %ops tile_sizes [1, 2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @tile_reduction(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg_ext.batch_matmul", "linalg.contract"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %ops tile_sizes [0, 0, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @fuse(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg_ext.batch_matmul", "linalg.contract"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %ops tile_sizes [1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @generalize(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg_ext.batch_matmul", "linalg.contract"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.generalize %ops : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @vectorize(%m: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.foreach %fs : !transform.any_op {
    ^bb0(%f: !transform.any_op):
      %ops = transform.structured.match ops{["linalg_ext.batch_matmul", "linalg.contract"]} in %f : (!transform.any_op) -> !transform.any_op
      transform.foreach %ops : !transform.any_op {
      ^bb1(%op: !transform.any_op):
        // Refuses dynamic sizes, for both alike.
        transform.sequence %op : !transform.any_op failures(suppress) {
        ^bb2(%o: !transform.any_op):
          transform.structured.vectorize %o : !transform.any_op
        }
      }
      transform.apply_patterns to %f {
        transform.apply_patterns.vector.reduction_to_contract
        transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
        transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
        transform.apply_patterns.vector.lower_outerproduct
        transform.apply_patterns.vector.lower_transpose
        transform.apply_patterns.vector.lower_broadcast
        transform.apply_patterns.vector.transfer_permutation_patterns
      } : !transform.any_op
    }
    transform.yield
  }
  transform.named_sequence @convert_to_loops(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg_ext.batch_matmul", "linalg.contract"]} in %m : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.convert_to_loops %ops : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
