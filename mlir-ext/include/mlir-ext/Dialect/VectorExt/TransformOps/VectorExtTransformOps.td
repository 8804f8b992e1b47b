//===- VectorExtTransformOps.td - VectorExt transform ops --*- tablegen -*-===//
//
// Transform ops for the passes of the dialect. They call the same C++ functions
// as the passes.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMOPS_VECTOREXTTRANSFORMOPS
#define MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMOPS_VECTOREXTTRANSFORMOPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def VectorExtDistributeOp : Op<Transform_Dialect, "vector_ext.distribute",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Distribute the vectors of a workgroup to its threads";
  let description = [{
    Applies the pass `vector-ext-distribute` to each payload op: a `gpu.launch`,
    or a `gpu.func` with a known block size. The attributes are the options of
    the pass.

    The op reads the target handle, whose ops stay, and modifies the payload.
    Handles to ops in a kernel are invalid afterwards.

    It fails silenceably if a payload op is something else or cannot be
    distributed. That payload op is then unchanged.

    Example:

    ```mlir
    transform.vector_ext.distribute %launch { matrix_loads }
        : !transform.any_op
    ```
  }];
  let arguments = (ins
      TransformHandleTypeInterface:$target,
      UnitAttr:$matrix_loads,
      UnitAttr:$async_copies,
      UnitAttr:$buffer_loads,
      UnitAttr:$transpose_loads,
      UnitAttr:$lane_copies,
      UnitAttr:$wide_writes);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def VectorExtStageTilesOp : Op<Transform_Dialect, "vector_ext.stage_tiles",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Copy operands of asynchronous products as whole tiles";
  let description = [{
    Applies the step `stage-tiles` of `vector-ext-pipeline-products` to each payload op, a `gpu.launch`.
    `slots` is the option of the pass. At most `copiers` threads share the parts of a
    tile; 0 takes the threads of the copying role if the kernel has roles, and else 1.

    The op reads the target handle, whose ops stay, and modifies the payload.
    Handles to reads of operands are invalid afterwards.

    It fails silenceably if a payload op is something else or an operand is
    refused. That payload op is then unchanged.

    Example:

    ```mlir
    transform.vector_ext.stage_tiles %launch {slots = 3 : i64} : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<I64Attr, "0">:$slots,
                       DefaultValuedAttr<I64Attr, "0">:$copiers);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def VectorExtShareTilesOp : Op<Transform_Dialect, "vector_ext.share_tiles",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Let the workgroups of a cluster share tiles";
  let description = [{
    Applies the step `share-tiles` of `vector-ext-pipeline-products` to each payload op, a
    `gpu.launch`, with `cluster` workgroups in a cluster.

    The op reads the target handle, whose ops stay, and modifies the payload.

    It fails silenceably if a payload op is something else or its workgroups cannot share
    tiles. That payload op is then unchanged.

    Example:

    ```mlir
    transform.vector_ext.share_tiles %launch {cluster = 2 : i64} : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<I64Attr, "2">:$cluster);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def VectorExtPersistWorkgroupsOp : Op<Transform_Dialect, "vector_ext.persist_workgroups",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Let each workgroup with rings compute several tiles";
  let description = [{
    Applies the step `persist-workgroups` of `vector-ext-pipeline-products` to each
    payload op, a `gpu.launch`. Tiles are dealt in one or two `directions`, or, with 3,
    in pairs.

    The op reads the target handle, whose ops stay, and modifies the payload.

    It fails silenceably if a payload op is something else or cannot have a loop
    over tiles. That payload op is then unchanged.

    Example:

    ```mlir
    transform.vector_ext.persist_workgroups %launch {directions = 2 : i64}
      : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<I64Attr, "1">:$directions);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def VectorExtAssignRolesOp : Op<Transform_Dialect, "vector_ext.assign_roles",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Split programs with rings into a copying and a computing role";
  let description = [{
    Applies the step `assign-roles` of `vector-ext-pipeline-products` to each payload op, a `gpu.launch`.

    The op reads the target handle, whose ops stay, and modifies the payload.
    Handles to `ring.put` are invalid afterwards.

    It fails silenceably if a payload op is something else or cannot have roles.
    That payload op is then unchanged.

    Example:

    ```mlir
    transform.vector_ext.assign_roles %launch : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def VectorExtLowerRingsOp : Op<Transform_Dialect, "vector_ext.lower_rings",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Lower rings to memory, barriers and copies of tiles";
  let description = [{
    Applies the step `lower-rings` of `vector-ext-pipeline-products` to each payload op, a `gpu.launch`.

    The op reads the target handle, whose ops stay, and modifies the payload.
    Handles to ops of rings are invalid afterwards.

    It fails silenceably if a payload op is something else or a ring is refused.
    That payload op is then unchanged.

    Example:

    ```mlir
    transform.vector_ext.lower_rings %launch : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def VectorExtRotateLoopsOp : Op<Transform_Dialect, "vector_ext.rotate_loops",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Order asynchronous products in loops, across iterations";
  let description = [{
    Applies the step `rotate-loops` of `vector-ext-pipeline-products` to each payload op.
    `explain_schedule` is the option of the pass. A thread has at most `registers`
    registers; 0 takes the number of its role, or else the registers of a processor
    divided by the threads that compute the products.

    The op reads the target handle, whose ops stay, and modifies the payload.
    Handles to loops with asynchronous products, and to ops in them, are invalid
    afterwards.

    It fails silenceably if it rewrites no loop of a payload op. That payload op
    is then unchanged.

    Example:

    ```mlir
    transform.vector_ext.rotate_loops %launch {registers = 240 : i64}
        : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<I64Attr, "0">:$registers,
                       UnitAttr:$explain_schedule);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

class VectorExtApplyPatternsOp<string name>
    : Op<Transform_Dialect, "apply_patterns.vector_ext." # name,
         [DeclareOpInterfaceMethods<PatternDescriptorOpInterface>]> {
  let assemblyFormat = "attr-dict";
}

def VectorExtApplyFactorOutOfMaxPatternsOp
    : VectorExtApplyPatternsOp<"factor_out_of_max"> {
  let summary = "Move a positive constant factor out of a maximum or minimum";
  let description = [{
    Populates the patterns `factor-out-of-max` of the pass
    `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.factor_out_of_max
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyFactorOutOfSumsPatternsOp
    : VectorExtApplyPatternsOp<"factor_out_of_sums"> {
  let summary = "Move factors that are not summed out of contractions";
  let description = [{
    Populates the patterns `factor-out-of-sums` of the pass
    `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.factor_out_of_sums
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyExcessPrecisionPatternsOp
    : VectorExtApplyPatternsOp<"excess_precision"> {
  let summary = "Skip roundings to f16 and bf16 between elementwise ops";
  let description = [{
    Populates the patterns `excess-precision` of the pass
    `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.excess_precision
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyFoldExp2PatternsOp : VectorExtApplyPatternsOp<"fold_exp2"> {
  let summary = "Rewrite exp of a difference in f32 as exp2";
  let description = [{
    Populates the patterns `fold-exp2` of the pass
    `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.fold_exp2
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyApproximateExponentsPatternsOp
    : VectorExtApplyPatternsOp<"approximate_exponents"> {
  let summary = "Mark functions that may be inexact as afn";
  let description = [{
    Populates the patterns `approximate-exponents` of the pass
    `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.approximate_exponents
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyFoldFirstFactorsPatternsOp
    : VectorExtApplyPatternsOp<"fold_first_factors"> {
  let summary = "Fold factors of the empty state of an online softmax";
  let description = [{
    Populates the patterns `fold-first-factors` of the pass
    `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.fold_first_factors
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyMergeMasksPatternsOp
    : VectorExtApplyPatternsOp<"merge_masks"> {
  let summary = "Hide scores of a tile once";
  let description = [{
    Populates the patterns `merge-masks` of the pass `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.merge_masks
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyNarrowComparisonsPatternsOp
    : VectorExtApplyPatternsOp<"narrow_comparisons"> {
  let summary = "Compare positions in a tile as 32-bit integers";
  let description = [{
    Populates the patterns `narrow-comparisons` of the pass
    `vector-ext-simplify`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.narrow_comparisons
    } : !transform.any_op
    ```
  }];
}

def VectorExtApplyWidenContractionPatternsOp
    : VectorExtApplyPatternsOp<"widen_contraction"> {
  let summary = "Rewrite vector-matrix products as matrix products";
  let description = [{
    Populates a pattern that turns a contraction of a vector and a matrix into a
    contraction of two matrices. All rows (or columns) of one of the matrices
    are then equal. The pattern applies if there is an instruction for the types
    and sizes of the new contraction. `linalg-ext-select-config` applies it, too.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.widen_contraction
    } : !transform.any_op
    ```
  }];
}

#endif // MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMOPS_VECTOREXTTRANSFORMOPS
