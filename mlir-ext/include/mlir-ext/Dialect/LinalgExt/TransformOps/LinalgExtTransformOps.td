//===- LinalgExtTransformOps.td - LinalgExt transform ops --*- tablegen -*-===//
//
// The passes of the dialect as transform ops, over the same C++ functions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMOPS_LINALGEXTTRANSFORMOPS
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMOPS_LINALGEXTTRANSFORMOPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// NormalizeOp
//===----------------------------------------------------------------------===//

def LinalgExtNormalizeOp : Op<Transform_Dialect, "linalg_ext.normalize",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Rewrite a program into the form that fusion expects";
  let description = [{
    Does what the pass `linalg-ext-normalize` does below each payload op.

    Reads the target handle and modifies the payload. A handle to an op that is
    replaced points to the op that defines its replacement afterwards, whatever
    its name; one to an op that is erased points to nothing.

    It is a silenceable failure if a pattern set does not converge, and a
    definite failure if the payload op contains this transform op.

    Example:

    ```mlir
    transform.linalg_ext.normalize %func : !transform.any_op
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

//===----------------------------------------------------------------------===//
// RaiseOp
//===----------------------------------------------------------------------===//

def LinalgExtRaiseOp : Op<Transform_Dialect, "linalg_ext.raise",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Recognise online reductions written with upstream ops";
  let description = [{
    Does what the pass `linalg-ext-raise` does below each payload op: replaces
    `linalg.softmax`, and the chain max, subtract, exp, sum, divide, by
    `linalg_ext.softmax`. What is not recognised is left alone, which is no
    failure.

    Reads the target handle and modifies the payload. A handle to an op that is
    replaced points to the op that defines its replacement afterwards, whatever
    its name.

    It is a definite failure if the payload op contains this transform op.

    Example:

    ```mlir
    transform.linalg_ext.raise %func : !transform.any_op
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

//===----------------------------------------------------------------------===//
// SliceProducersOp
//===----------------------------------------------------------------------===//

def LinalgExtSliceProducersOp
    : Op<Transform_Dialect, "linalg_ext.slice_producers",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Compute slices of results instead of slicing them";
  let description = [{
    Does what the pass `linalg-ext-slice-producers` does below each payload op:
    splits ops of which only disjoint slices are used into one for each slice.
    That there is none is no failure.

    Reads the target handle and modifies the payload. A handle to a slice points
    to the op that computes it afterwards; one to an op that is split to nothing.

    It is a definite failure if the payload op contains this transform op.

    Example:

    ```mlir
    transform.linalg_ext.slice_producers %func : !transform.any_op
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

//===----------------------------------------------------------------------===//
// ReducePartsOp
//===----------------------------------------------------------------------===//

def LinalgExtReducePartsOp
    : Op<Transform_Dialect, "linalg_ext.reduce_parts",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Reduce the parts of a concatenation one after another";
  let description = [{
    Does what the pass `linalg-ext-reduce-parts` does below each payload op. That
    there is nothing to split is no failure.

    Reads the target handle and modifies the payload.

    It is a definite failure if the payload op contains this transform op.

    Example:

    ```mlir
    transform.linalg_ext.reduce_parts %func : !transform.any_op
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

//===----------------------------------------------------------------------===//
// ReadPartsOp
//===----------------------------------------------------------------------===//

def LinalgExtReadPartsOp
    : Op<Transform_Dialect, "linalg_ext.read_parts",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Loops over a concatenation read its parts";
  let description = [{
    Does what the pass `linalg-ext-read-parts` does below each payload op. That
    there is no concatenation is no failure.

    Reads the target handle and modifies the payload.

    It is a definite failure if the payload op contains this transform op.

    Example:

    ```mlir
    transform.linalg_ext.read_parts %func : !transform.any_op
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

//===----------------------------------------------------------------------===//
// ReturnLogSumExpOp
//===----------------------------------------------------------------------===//

def LinalgExtReturnLogSumExpOp
    : Op<Transform_Dialect, "linalg_ext.return_log_sum_exp",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Return the log-sum-exp of every softmax of a function";
  let description = [{
    Does what the pass `linalg-ext-return-log-sum-exp` does to each payload op.
    Returns a handle to the ops that compute the new results, in their order.

    Reads the target handle and modifies the payload: the function, and calls of
    it in its module, handles to which point to the calls that replace them.

    It is a silenceable failure, and the payload stays as it was, if the payload
    op is no `func.func`, if there is no softmax in its body or one in a region
    in it, or if something else than calls refers to it.

    Example:

    ```mlir
    %lse = transform.linalg_ext.return_log_sum_exp %func
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$log_sum_exp);
  let assemblyFormat =
      "$target attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// TileAndFuseOp
//===----------------------------------------------------------------------===//

def LinalgExtTileAndFuseOp : Op<Transform_Dialect, "linalg_ext.tile_and_fuse",
    [TransformOpInterface, ReportTrackingListenerFailuresOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Tile roots and fuse their producers, repairing accumulators";
  let description = [{
    Does what the pass `linalg-ext-tile-and-fuse` does, with each payload op as
    a root: tiles it level by level and fuses its producers. Where a level cuts
    a dimension that a fused online reduction reduces over, its state is carried
    by the loop and the root's accumulator is repaired.

    `levels` are the levels of tiling, outermost first:

    ```
    levels ::= `[` level (`,` level)* `]`
    level  ::= kind `(` size (`,` size)* `)`
               [`interchange` `(` dim (`,` dim)* `)`] [`mapping` attribute]
    kind   ::= `for` | `forall` | `split`
    ```

    - `size`: elements of one iteration dimension of the root, in the order of
      its iteration domain; 0 does not tile the dimension, and so do the sizes
      that are left out at the end. Tiles need not divide. A size (not of a
      `split`) may be an operand: a parameter, a handle to values of type `index`
      in front of the root, or to ops that have one such result. It is one for all
      roots or one for each, and must be positive.
    - `dim`: loop `i` of the level iterates dimension `interchange[i]`; a
      permutation of all dimensions of the root.
    - `mapping`: an array of device mapping attributes, one for each loop of a
      level that is not a `for`, outermost first.
    - `split`: the loop runs over chunks of reduction dimensions that no level
      outside of it tiles. Chunks start from the identity and are independent; a
      loop after them merges what they leave.

    As an attribute, a level is a dictionary of `kind` (a string), `tile_sizes`
    and, optionally, `interchange` (`array<i64>`) and `mapping` (an array). A tile
    size that is the smallest i64 stands for the next operand.

    `normalization` is "delayed" (the default: results are normalised once, after
    the loops) or "eager" (in every tile). With `rescale_threshold` accumulators are
    left alone while no term grows by more than e^threshold for it: all of a tile, or,
    with `rescale_elements`, each by itself. `exactness` is the least exact of
    fusions to accept: "exact" (nothing is repaired), "reassociated" or
    "rounding" (the default: values that were rounded on the way may be repaired).
    `recompute` says which elementwise operands of contractions iterations of the
    first level that need the same may compute again: "all" (the default), "cheap"
    (what costs less than storing it) or "none".
    With `fuse_consumers`, elementwise ops that follow the root, transposes among
    them, and reshapes between these are fused into the loops in front of the first
    that cuts a reduction too, as far as tiles of the root determine theirs.

    What else is accumulated from the tiles of an online reduction that a root
    takes (a second product with a softmax, a sum of it) is accumulated in the loops
    of that root where the levels cut nothing of the root that it lacks. If the
    target has it too, it is no root any more, and no result handle has it.

    Results: the tiled root, in the innermost loop, and one handle for each
    loop, outermost first. A `forall` level makes one `scf.forall`, a `for`
    level makes one `scf.for` for each dimension that it tiles, a `split` level one
    `scf.forall` for each (what merges has no handle). A handle that
    covers several roots is treated in its order, and each result handle then
    holds one op for each root.

    Consumes the target handle and modifies the payload. Producers that are
    fused everywhere are erased, and handles to them become empty.

    It is a silenceable failure, with the reason and a note at the root, if a
    root cannot be tiled and fused as asked; that root, and those after it, are
    left as they were. Levels that no root could have are errors of the verifier.

    Example:

    ```mlir
    %tiled, %loops:2 = transform.linalg_ext.tile_and_fuse %root
        levels = [forall(0, 64) mapping [#gpu.block<x>], for(0, 0, 0, 32)]
        {normalization = "eager"}
        : (!transform.any_op)
       -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tiled2, %loop = transform.linalg_ext.tile_and_fuse %other
        levels = [for(0, 0, 0, %size)]
        : (!transform.any_op, !transform.any_value)
       -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins
      TransformHandleTypeInterface:$target,
      Variadic<Transform_AnyHandleOrParamType>:$dynamic_sizes,
      ArrayAttr:$levels,
      DefaultValuedAttr<StrAttr, "\"delayed\"">:$normalization,
      OptionalAttr<F64Attr>:$rescale_threshold,
      UnitAttr:$rescale_elements,
      DefaultValuedAttr<StrAttr, "\"rounding\"">:$exactness,
      DefaultValuedAttr<StrAttr, "\"all\"">:$recompute,
      UnitAttr:$fuse_consumers);
  let results = (outs TransformHandleTypeInterface:$tiled_root,
                      Variadic<TransformHandleTypeInterface>:$loops);
  let assemblyFormat = [{
    $target `levels` `=` custom<TilingLevels>($levels, $dynamic_sizes) attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure apply(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::transform::TransformResults &results,
        ::mlir::transform::TransformState &state);
  }];
}

//===----------------------------------------------------------------------===//
// TightenLoopBoundsOp
//===----------------------------------------------------------------------===//

def LinalgExtTightenLoopBoundsOp
    : Op<Transform_Dialect, "linalg_ext.tighten_loop_bounds",
    [TransformOpInterface, ReportTrackingListenerFailuresOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Leave out iterations in which a mask hides everything";
  let description = [{
    Does what the pass `linalg-ext-tighten-loop-bounds` does, to each payload op,
    an `scf.for`: bounds it to the iterations in which something is visible and,
    with `split_full_blocks` (the default), gives those in which everything is
    visible a loop of their own, without the mask.

    Results: `tightened` holds what the loop has become, one or several loops in
    the order in which they run, and `full` those of them that evaluate no mask.

    Consumes the target handle and modifies the payload. Handles to ops in the
    loop point to those of the last of the loops.

    It is a silenceable failure, with the reason and a note at the loop, if a
    payload op is no such loop or has no such mask; that loop, and those after
    it, are left as they were.

    Example:

    ```mlir
    %loops, %full = transform.linalg_ext.tighten_loop_bounds %key_loop
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins
      TransformHandleTypeInterface:$target,
      DefaultValuedAttr<BoolAttr, "true">:$split_full_blocks);
  let results = (outs TransformHandleTypeInterface:$tightened,
                      TransformHandleTypeInterface:$full);
  let assemblyFormat = [{
    $target attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure apply(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::transform::TransformResults &results,
        ::mlir::transform::TransformState &state);
  }];
}

//===----------------------------------------------------------------------===//
// VectorizeTilesOp
//===----------------------------------------------------------------------===//

def LinalgExtVectorizeTilesOp : Op<Transform_Dialect,
    "linalg_ext.vectorize_tiles",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Rewrite tiles of tensors as vectors that loops carry";
  let description = [{
    Does what the pass `linalg-ext-vectorize-tiles` does, to the body of each
    payload op, an `scf.forall`. Structured ops that have no vector form are left,
    with a remark.

    Reads the target handle, whose ops stay, and modifies the payload: handles to
    ops in the body are invalid afterwards. It is a silenceable failure if a
    payload op is not an `scf.forall`.

    Example:

    ```mlir
    transform.linalg_ext.vectorize_tiles %workgroups { multiple_of = 16 : i64 }
        : !transform.any_op
    ```
  }];
  let arguments = (ins
      TransformHandleTypeInterface:$target,
      DefaultValuedAttr<I64Attr, "65536">:$max_elements,
      DefaultValuedAttr<I64Attr, "1">:$multiple_of);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// ExplainFusionOp
//===----------------------------------------------------------------------===//

def LinalgExtExplainFusionOp : Op<Transform_Dialect,
    "linalg_ext.explain_fusion",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Print what tile_and_fuse would do, and what it would cost";
  let description = [{
    Prints to stderr, for each payload op as a root, in the order of the handle,
    what `transform.linalg_ext.tile_and_fuse` with the same `levels`,
    `normalization`, `rescale_threshold`, `rescale_elements`, `exactness`,
    `recompute` and `fuse_consumers` would do,
    or why it would refuse, as the pass `linalg-ext-explain-fusion` does. A refusal is no failure.
    Tile sizes are numbers here.

    `dynamic_size` is the number of elements that the cost assumes for a dynamic
    dimension, `format` is "text" or "json".

    Reads the target handle and the payload.

    Example:

    ```mlir
    transform.linalg_ext.explain_fusion %root
        levels = [forall(0, 64), for(0, 0, 0, 32)] {dynamic_size = 4096 : i64}
        : !transform.any_op
    ```
  }];
  let arguments = (ins
      TransformHandleTypeInterface:$target,
      ArrayAttr:$levels,
      DefaultValuedAttr<StrAttr, "\"delayed\"">:$normalization,
      OptionalAttr<F64Attr>:$rescale_threshold,
      UnitAttr:$rescale_elements,
      DefaultValuedAttr<StrAttr, "\"rounding\"">:$exactness,
      DefaultValuedAttr<StrAttr, "\"all\"">:$recompute,
      UnitAttr:$fuse_consumers,
      DefaultValuedAttr<I64Attr, "1024">:$dynamic_size,
      DefaultValuedAttr<StrAttr, "\"text\"">:$format);
  let results = (outs);
  let assemblyFormat = [{
    $target `levels` `=` custom<TilingLevels>($levels) attr-dict
    `:` type($target)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// DecomposeOp
//===----------------------------------------------------------------------===//

def LinalgExtDecomposeOp : Op<Transform_Dialect, "linalg_ext.decompose",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Rewrite LinalgExt ops as upstream ops";
  let description = [{
    Does what the pass `linalg-ext-decompose` does below each payload op:
    rewrites `linalg_ext.softmax` as `linalg.generic` ops, products with
    `linalg_ext.diag` as row scalings, other `linalg_ext.diag` as
    `linalg.generic`, and `linalg_ext.batch_matmul` as `linalg.contract`.

    Reads the target handle and modifies the payload. A handle to an op that is
    replaced points to the op that defines its replacement afterwards, whatever
    its name, and becomes empty where several ops do.

    It is a silenceable failure if the payload op is not isolated from above (a
    function or module is) or the rewriting does not converge, and a definite
    failure if the payload op contains this transform op.

    Example:

    ```mlir
    transform.linalg_ext.decompose %func : !transform.any_op
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

//===----------------------------------------------------------------------===//
// FissionForallOp
//===----------------------------------------------------------------------===//

def LinalgExtFissionForallOp : Op<Transform_Dialect, "linalg_ext.fission_forall",
    [TransformOpInterface, TransformEachOpTrait,
     FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Give a loop over chunks workgroups of its own";
  let description = [{
    Distributes the `scf.forall` around each target, an `scf.forall` on tensors
    directly in another one, as the pass `linalg-ext-fission-forall` does. Returns
    the loop over the iterations of both, and the outer one behind it. Fails
    silenceably, leaving the IR as it was, with the reason.

    Example:

    ```mlir
    %pairs, %outer = transform.linalg_ext.fission_forall %inner
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$pairs,
                      TransformHandleTypeInterface:$outer);
  let assemblyFormat = [{
    $target attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def LinalgExtLongestFirstOp : Op<Transform_Dialect, "linalg_ext.longest_first",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Let a parallel loop begin with what takes longest";
  let description = [{
    Iterates those dimensions of each target, an `scf.forall`, backwards along which
    the loops in its body have more iterations, as the pass
    `linalg-ext-longest-first` does. A loop that has no such dimension stays. Fails
    silenceably on other ops.

    Example:

    ```mlir
    transform.linalg_ext.longest_first %forall : !transform.any_op
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

//===----------------------------------------------------------------------===//
// TileToThreadsOp
//===----------------------------------------------------------------------===//

def LinalgExtTileToThreadsOp : Op<Transform_Dialect, "linalg_ext.tile_to_threads",
    [TransformOpInterface, TransformEachOpTrait,
     FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Cut structured ops on buffers into pieces for threads";
  let description = [{
    Replaces each target, a structured op on buffers, by an `scf.forall` over
    pieces of it, as the pass `linalg-ext-tile-to-threads` does, and returns the
    loop. Fails silenceably, leaving the IR as it was, with the reason.

    Example:

    ```mlir
    %loop = transform.linalg_ext.tile_to_threads %matmul rows = 64
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       ConfinedAttr<DefaultValuedAttr<I64Attr, "16384">,
                                    [IntPositive]>:$min_work,
                       ConfinedAttr<DefaultValuedAttr<I64Attr, "128">,
                                    [IntPositive]>:$rows,
                       ConfinedAttr<DefaultValuedAttr<I64Attr, "128">,
                                    [IntPositive]>:$columns);
  let results = (outs TransformHandleTypeInterface:$loop);
  let assemblyFormat = [{
    $target (`min_work` `=` $min_work^)? (`rows` `=` $rows^)?
    (`columns` `=` $columns^)? attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

class LinalgExtApplyPatternsOp<string name>
    : Op<Transform_Dialect, "apply_patterns.linalg_ext." # name,
         [DeclareOpInterfaceMethods<PatternDescriptorOpInterface>]> {
  let assemblyFormat = "attr-dict";
}

def LinalgExtApplyFoldReshapesPatternsOp
    : LinalgExtApplyPatternsOp<"fold_reshapes"> {
  let summary = "Move reshapes out of the way of fusion";
  let description = [{
    A step of `linalg-ext-normalize`: contractions, reductions, elementwise ops
    and softmax between reshapes take the dimensions as they were and will be;
    named ones become `linalg.generic`.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.fold_reshapes
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyFoldTransposePatternsOp
    : LinalgExtApplyPatternsOp<"fold_transpose"> {
  let summary = "Read transposed operands where they come from";
  let description = [{
    A step of `linalg-ext-normalize`: structured ops read operands that are only
    transposed or broadcast from where they come from.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.fold_transpose
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyFactorOutOfMaxPatternsOp
    : LinalgExtApplyPatternsOp<"factor_out_of_max"> {
  let summary = "Scale maxima instead of tiles";
  let description = [{
    The patterns of the pass `linalg-ext-factor-out-of-max`: maxima of a tensor
    times a positive constant become the constant times maxima of the tensor.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.factor_out_of_max
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyTransposeTilesPatternsOp
    : LinalgExtApplyPatternsOp<"transpose_tiles"> {
  let summary = "Store tiles of contractions so that lanes need no shuffles";
  let description = [{
    The patterns of the pass `linalg-ext-transpose-tiles`: tiles of a contraction
    in a loop, and what is computed from them, with their dimensions swapped where
    that leaves one operand to be transposed, in front of the loop; else the operand
    that is strided along the result, transposed itself where many rows read it.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.transpose_tiles {min_lanes = 8}
    } : !transform.any_op
    ```
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "16">:$min_lanes);
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMOPS_LINALGEXTTRANSFORMOPS
