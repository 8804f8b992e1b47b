//===- LinalgExtTransformOps.td - LinalgExt transform ops --*- tablegen -*-===//
//
// Transform ops for the passes of the dialect. They call the same C++ functions
// as the passes.
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
    Applies the pass `linalg-ext-normalize` below each payload op.

    The op reads the target handle and modifies the payload. If an op is
    replaced, a handle to it points to the op that defines the replacement,
    whatever its name. If an op is erased, a handle to it becomes empty.

    It fails silenceably if the payload op is not isolated from above (as
    functions and modules are), if an op in it is on tensors with encodings, or if
    a set of patterns does not converge. It fails definitely if the payload op
    contains this transform op.

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
  let summary = "Recognise online reductions and gathers in upstream ops";
  let description = [{
    Applies the pass `linalg-ext-raise` below each payload op. `linalg.softmax`,
    and the chain of max, subtract, exp, sum and divide, become
    `linalg_ext.softmax`. Gathers of rows that contractions read become
    `linalg_ext.paged_gather`. Ops that it does not recognise do not change; this
    is not a failure.

    The op reads the target handle and modifies the payload. If an op is
    replaced, a handle to it points to the op that defines the replacement,
    whatever its name.

    It fails definitely if the payload op contains this transform op.

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
// ReducePartsOp
//===----------------------------------------------------------------------===//

def LinalgExtReducePartsOp
    : Op<Transform_Dialect, "linalg_ext.reduce_parts",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Reduce the parts of a concatenation one after another";
  let description = [{
    Applies `linalg-ext-split-concatenations{steps=reduce-parts}` below each
    payload op: a reduction over a concatenation becomes reductions of its parts.
    If there is none to split, nothing changes; that is no failure.

    The op reads the target handle and modifies the payload. It fails definitely
    if the payload op contains this transform op.

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
  let summary = "Split loops over a concatenation so that they read its parts";
  let description = [{
    Applies `linalg-ext-split-concatenations{steps=read-parts}` below each payload
    op: loops over tiles of a concatenation read its parts instead. If there is no
    concatenation, nothing changes; that is no failure.

    The op reads the target handle and modifies the payload. It fails definitely
    if the payload op contains this transform op.

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
    Does what `linalg-ext-raise=return-log-sum-exp` does at its end to each payload op,
    a `func.func`. The result is a handle to the ops that compute the new results,
    in the order of these results.

    The op reads the target handle and modifies the payload: the function, and
    its calls in the module. Handles to calls point to the calls that replace
    them.

    It fails silenceably, and leaves the payload op as it was, in these cases:
    the payload op is no `func.func`; no softmax is in its body; a softmax is in
    a nested region; something other than a call refers to the function.

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
// RecomputeWeightsOp
//===----------------------------------------------------------------------===//

def LinalgExtRecomputeWeightsOp
    : Op<Transform_Dialect, "linalg_ext.recompute_weights",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Compute the weights of a softmax from its final state";
  let description = [{
    Lets contractions of the weights of a softmax compute the weights again, instead of
    reading them. Each payload op is a `linalg_ext.softmax` of scores that a contraction
    computes. The op rewrites two kinds of contractions:

    - those that keep the dimension which the softmax reduces, and reduce the rows, such
      as the gradients of keys and values. A loop over tiles of that dimension cannot
      repair them;
    - those that reduce that dimension, but need another reduction of the weights first,
      such as the gradient of queries.

    They then read

    ```
    weight[m, k] = e^(score[m, k] - max[m]) / sum[m]
    ```

    which is elementwise, so that a loop over rows can compute tiles of scores
    and of weights again. All other users keep the result of the softmax. If
    only its state is left, a maximum and a sum replace it, which can be a root
    of a fusion. `linalg-ext-fuse` does this where it pays.

    The result is a handle to the rewritten contractions, in program order. The
    op consumes the target handle and modifies the payload.

    It fails silenceably, and leaves the payload op as it was, if the payload op is no
    `linalg_ext.softmax`, if no contraction keeps the dimension that it reduces,
    or if another op needs a tensor in memory that is computed from the weights.

    Example:

    ```mlir
    %gradients = transform.linalg_ext.recompute_weights %softmax
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$contractions);
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
    Applies the pass `linalg-ext-tile-and-fuse` with each payload op as a root.
    The op tiles the root level by level and fuses its producers. A level may
    cut a dimension that a fused online reduction reduces. The loop then carries
    the state of the reduction, and the root's accumulator is repaired.

    `levels` are the levels of tiling, outermost first:

    ```
    levels ::= `[` level (`,` level)* `]`
    level  ::= kind `(` size (`,` size)* `)`
               [`interchange` `(` dim (`,` dim)* `)`] [`parts` `(` number `)`]
               [`mapping` attribute]
    kind   ::= `for` | `forall` | `split`
    ```

    - `size`: the tile size for one iteration dimension of the root, in the
      order of its iteration domain. 0 does not tile the dimension. Sizes that
      are left out at the end are 0. Tiles need not divide the dimension. A size
      may be an operand: a parameter, a handle to values of type `index`, or a
      handle to ops with one such result. Values must be computed before the
      root. An operand gives one size for all roots, or one for each. It must be
      positive.
    - `dim`: loop `i` of the level iterates dimension `interchange[i]`. The
      interchange is a permutation of all dimensions of the root.
    - `parts`: a `for` level over a reduction computes this many adjacent tiles
      in each iteration, from 1 (the default) to 32. An `scf.forall` in the loop
      computes them. Each part has accumulators of its own, which are merged
      after the loop. The level must be the last one.
    - `mapping`: an array of device mapping attributes, one for each loop of the
      level, outermost first. A `for` level has none, unless it has several
      parts: then it has one, for the loop over parts.
    - `split`: the loop runs over chunks of reduction dimensions that no outer
      level tiles. Chunks start from the identity and are independent. A loop
      after them merges their results.

    As an attribute, a level is a dictionary of `kind` (a string), `tile_sizes`
    (`array<i64>`) and, optionally, `interchange` (`array<i64>`), `parts`
    (`i64`) and `mapping` (an array). A tile size that is the smallest i64
    stands for the next operand.

    The other attributes:

    - `normalization` is "delayed" (the default: results are normalised once,
      after the loops) or "eager" (in every tile).
    - `rescale_threshold`: accumulators stay unscaled while no term grows by
      more than e^threshold. This is decided for a tile as a whole, or, with
      `rescale_elements`, for each element.
    - `exactness` is the least exact fusion to accept: "exact" (repairs
      nothing), "reassociated" or "rounding" (the default: may also repair
      values that were rounded on the way).
    - `recompute` says which elementwise operands of contractions several
      iterations of the first level may compute again: "all" (the default),
      "cheap" (those that cost less to compute again than to store) or "none".
    - `fuse_consumers`: also fuses elementwise ops and transposes that follow
      the root, and reshapes between them. They are fused into the loops outside
      of the first loop that cuts a reduction, as far as tiles of the root
      determine their tiles.

    Another op may also accumulate tiles of an online reduction that a root uses,
    for example a second product with a softmax, or a sum of it. It is computed in
    the same loops, if it also has all dimensions of the root that the levels cut.
    If the target handle contains that op, it is no longer a root, and no result
    handle contains it.

    Results: the tiled root, in the innermost loop, and one handle for each
    loop, outermost first. A `forall` level makes one `scf.forall`. A `for`
    level makes one `scf.for` for each dimension that it tiles. A `split` level
    makes one `scf.forall` for each dimension; the loop that merges has no
    handle. For a level of several parts, the handle is the loop over the tiles
    that are left, fewer than there are parts. Several roots are processed in
    the order of their handle. Each result handle then holds one op for each
    root.

    The op consumes the target handle and modifies the payload. Producers that
    are fused everywhere are erased, and handles to them become empty.

    It fails silenceably, with the reason and a note at the root, if a root
    cannot be tiled and fused as the levels request. That root, and those after
    it, are unchanged. The verifier rejects levels that no root could have.

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
  let summary = "Skip iterations in which a mask hides everything";
  let description = [{
    Applies the pass `linalg-ext-tighten-loop-bounds` to each payload op, an
    `scf.for`. The loop then runs only over iterations in which something is
    visible. With `split_full_blocks` (the default), iterations in which
    everything is visible get a loop of their own, without the mask.

    Results: `tightened` holds the loops that replace the target, in the order
    in which they run. `full` holds those of them that evaluate no mask.

    The op consumes the target handle and modifies the payload. A handle to an
    op in the loop points to the copy of that op in the last of the loops.

    It fails silenceably, with the reason and a note at the op, if a payload op
    is not an `scf.for` or if the pass cannot tighten the loop: no affine
    condition makes an iteration do nothing, for example. That op, and those
    after it, are unchanged.

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
    Applies the pass `linalg-ext-vectorize-tiles` to the body of each payload
    op, an `scf.forall`. Structured ops without a vector form stay, with a
    remark.

    The op reads the target handle, whose ops stay, and modifies the payload.
    Handles to ops in the body are invalid afterwards.

    It fails silenceably if a payload op is not an `scf.forall`.

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
    Prints to stderr what `transform.linalg_ext.tile_and_fuse` would do with
    each payload op as a root, in the order of the handle, or why it would
    refuse. The format is that of `linalg-ext-tile-and-fuse{explain}`. A
    refusal is no failure, and the payload is unchanged.

    `levels`, `normalization`, `rescale_threshold`, `rescale_elements`,
    `exactness`, `recompute` and `fuse_consumers` are those of `tile_and_fuse`,
    but tile sizes must be numbers. `dynamic_size` is the number of elements
    that the cost assumes for a dynamic dimension. `format` is "text" or "json".

    The op reads the target handle and the payload.

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
    Applies the pass `linalg-ext-decompose` below each payload op:

    - `linalg_ext.softmax` becomes `linalg.generic` ops;
    - products with `linalg_ext.diag` become scalings of rows;
    - any other `linalg_ext.diag` becomes a `linalg.generic`;
    - any other `linalg_ext.batch_matmul` becomes `linalg.contract`;
    - `linalg_ext.paged_gather` becomes a `linalg.generic`;
    - `linalg_ext.store_rows` becomes part of the loop that computes the rows, or
      a loop of its own.

    The op reads the target handle and modifies the payload. If an op is
    replaced, a handle to it points to the op that defines the replacement,
    whatever its name. If several ops define the replacement, the handle becomes
    empty.

    It fails silenceably if the payload op is not isolated from above (as
    functions and modules are), or if the rewriting does not converge. It fails
    definitely if the payload op contains this transform op.

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
  let summary = "Split nested scf.forall loops into two loops in sequence";
  let description = [{
    Applies `linalg-ext-schedule-forall{steps=fission}` to each target: an
    `scf.forall` on tensors that is directly in another `scf.forall`. Two loops in
    sequence replace the nest: a loop over the iterations of both loops, which does the
    work of the target, and the outer loop with the rest of its body. The
    iterations of the target, for example chunks of a `split`, then get
    workgroups of their own.

    Results: `pairs` is the first of these loops, and `outer` the second.

    It fails silenceably, with the reason, and leaves the IR as it was.

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

def LinalgExtOrderWorkgroupsByWorkOp
    : Op<Transform_Dialect, "linalg_ext.order_workgroups_by_work",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Start a parallel loop with the iterations that take longest";
  let description = [{
    Applies `linalg-ext-schedule-forall{steps=order-by-work}` to each target, an
    `scf.forall`. If the loops in its body have more iterations towards the end
    of a dimension, the op iterates that dimension backwards. A loop without
    such a dimension stays as it is.

    It fails silenceably if a target is not an `scf.forall`.

    Example:

    ```mlir
    transform.linalg_ext.order_workgroups_by_work %forall : !transform.any_op
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
  let summary = "Split a structured op on buffers into pieces for threads";
  let description = [{
    Does what `linalg-ext-share-among-threads=steps=tile` does to each target, a structured
    op on buffers. An `scf.forall` over pieces of the op replaces it. The result
    is a handle to that loop.

    It fails silenceably, with the reason, and leaves the IR as it was.

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

def LinalgExtShareTemporariesOp
    : Op<Transform_Dialect, "linalg_ext.share_temporaries",
         [TransformOpInterface, TransformEachOpTrait,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
          ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Place the temporary buffers of a function in one allocation";
  let description = [{
    Applies the pass `linalg-ext-share-temporaries` to each target, a
    `func.func` on buffers. Handles to allocations that views replace become
    invalid.

    `alignment`, in bytes, is a power of two up to 2^30.

    It fails silenceably if the target is no `func.func`.

    Example:

    ```mlir
    transform.linalg_ext.share_temporaries %func alignment = 128
        : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       ConfinedAttr<DefaultValuedAttr<I64Attr, "64">,
                                    [IntPositivePowerOf2,
                                     IntMaxValue<1073741824>]>:$alignment);
  let results = (outs);
  let assemblyFormat = [{
    $target (`alignment` `=` $alignment^)? attr-dict `:` type($target)
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
  let summary = "Fold reshapes into the ops around them";
  let description = [{
    Populates a step of `linalg-ext-normalize`: reshapes fold into contractions,
    reductions, elementwise ops and softmax next to them. These ops take the
    dimensions as they are before a reshape that collapses, and after a reshape
    that expands. Named ops become `linalg.generic`.

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
  let summary = "Fold transposes and broadcasts into the ops that read them";
  let description = [{
    Populates a step of `linalg-ext-normalize`: a structured op reads the source
    of a transpose or broadcast through its own indexing maps.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.fold_transpose
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplySplitSumsPatternsOp
    : LinalgExtApplyPatternsOp<"split_sums"> {
  let summary = "Contract the terms of a sum instead of the sum";
  let description = [{
    Populates the patterns `split-sums` of the pass `linalg-ext-normalize`: a
    contraction of a sum or a difference of values that are computed from
    different online reductions becomes the sum of two contractions.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.split_sums
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyUnpackElementsPatternsOp
    : LinalgExtApplyPatternsOp<"unpack_elements"> {
  let summary = "Unpack integers of few bits in one elementwise op";
  let description = [{
    Populates the patterns `unpack-elements` of the pass
    `linalg-ext-normalize`: a concatenation of parts that are fields of bits of
    the words of one tensor becomes an elementwise op. The position in a word is
    one of its dimensions.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.unpack_elements
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplySplitWordsPatternsOp
    : LinalgExtApplyPatternsOp<"split_words"> {
  let summary = "Make positions in words dimensions of a contraction";
  let description = [{
    Populates the patterns `split-words` of the pass `linalg-ext-normalize`: a
    contraction of integers that are unpacked from words gets the position in a
    word as a dimension of its own.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.split_words
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyScaleAfterContractionPatternsOp
    : LinalgExtApplyPatternsOp<"scale_after_contraction"> {
  let summary = "Scale the result of a contraction instead of an operand";
  let description = [{
    Populates the patterns `scale-after-contraction` of the pass
    `linalg-ext-normalize`: a factor of each row or column of an operand is
    applied to the result.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.scale_after_contraction
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyFactorOutOfMaxPatternsOp
    : LinalgExtApplyPatternsOp<"factor_out_of_max"> {
  let summary = "Scale a maximum instead of the tensor that it is taken of";
  let description = [{
    Populates the patterns `factor-out-of-max` of the pass
    `linalg-ext-normalize`: the maximum of a tensor times a positive constant
    becomes the constant times the maximum of the tensor.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.factor_out_of_max
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyFuseDequantizationPatternsOp
    : LinalgExtApplyPatternsOp<"fuse_dequantization"> {
  let summary = "Convert narrow operands in the contraction that reads them";
  let description = [{
    Populates the patterns `fuse-dequantization` of the pass
    `linalg-ext-normalize`: a contraction of few rows reads the narrow elements
    of an operand, and computes their values itself.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.fuse_dequantization
    } : !transform.any_op
    ```
  }];
}

def LinalgExtApplyTransposeTilesPatternsOp
    : LinalgExtApplyPatternsOp<"transpose_tiles"> {
  let summary = "Transpose tiles of contractions to avoid lane shuffles";
  let description = [{
    Populates the patterns of the step `transpose` of `linalg-ext-prepare-operands`. They swap
    the dimensions of a tile that a contraction in a loop computes, and of the
    values computed from it. They do this if only one operand must then be
    transposed, before the loop. Otherwise, they transpose the operand that is
    strided along the result, if many rows read it.

    `min_lanes` is the smallest number of rows that may become vector lanes, if
    the number is known.

    Example:

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg_ext.transpose_tiles {min_lanes = 8}
    } : !transform.any_op
    ```
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "16">:$min_lanes);
}

//===----------------------------------------------------------------------===//
// AnnotateShardingOp, VerifyShardingOp and LowerShardedOp
//===----------------------------------------------------------------------===//

def LinalgExtAnnotateShardingOp
    : Op<Transform_Dialect, "linalg_ext.annotate_sharding",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Annotate arguments and results with shardings";
  let description = [{
    Applies the step `annotate` of `linalg-ext-complete-sharding` to each payload op, which must
    be a `builtin.module`. `sharding` has the shape of the grid, and the axes along
    which each argument and each result is cut, as the pass describes it.

    The op reads the target handle and modifies the payload. It fails silenceably,
    and leaves the payload unchanged, if the payload op is no module, if `sharding`
    does not parse, or if it does not fit a public function.

    Example:

    ```mlir
    transform.linalg_ext.annotate_sharding %module sharding = "2: [[0]] -> [[0]]"
        : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, StrAttr:$sharding);
  let results = (outs);
  let assemblyFormat =
      "$target `sharding` `=` $sharding attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def LinalgExtVerifyShardingOp
    : Op<Transform_Dialect, "linalg_ext.verify_sharding",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Check that an annotated function can be cut among processes";
  let description = [{
    Applies the step `verify` of `linalg-ext-complete-sharding` to each payload op, which must be a
    function, annotated as `sharding-propagation` leaves it: checks it, and prepares
    its payloads for `shard-partition`.

    The op reads the target handle and modifies the payload. It fails silenceably,
    and leaves the payload unchanged, if the payload op is no function, or if it
    cannot be cut. The error is the one of the pass, at an op of the payload.

    Example:

    ```mlir
    transform.linalg_ext.verify_sharding %func : !transform.any_op
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

def LinalgExtLowerShardedOp
    : Op<Transform_Dialect, "linalg_ext.lower_sharded",
    [TransformOpInterface, TransformEachOpTrait,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Prepare the program of one process for fusion and lowering";
  let description = [{
    Applies the step `lower` of `linalg-ext-complete-sharding` to each payload op, which must be a
    `builtin.module`, as `shard-partition` leaves it. Ops of the shard dialect become
    calls of the runtime library, and arithmetic.

    The op consumes the target handle, since it may replace any op in the module. Its
    result is a handle to the module.

    It fails silenceably if the payload op is no module. It fails definitely if the
    payload op contains this transform op, or if an op cannot be lowered: ops before
    it may have been.

    Example:

    ```mlir
    %lowered = transform.linalg_ext.lower_sharded %module
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$transformed);
  let assemblyFormat =
      "$target attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMOPS_LINALGEXTTRANSFORMOPS
