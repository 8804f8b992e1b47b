//===- Passes.td - Passes of the LinalgExt dialect ---------*- tablegen -*-===//
//
// Each pass runs alone on func and linalg input.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES

include "mlir-ext/Dialect/LinalgExt/Transforms/ProgramPasses.td"

def LinalgExtReturnLogSumExpPass
    : LinalgExt_Pass<"linalg-ext-return-log-sum-exp", "::mlir::ModuleOp"> {
  let summary = "Return the log-sum-exp of every softmax";
  let description = [{
    Appends to the results of each function, in program order, the log-sum-exp of
    every `linalg_ext.softmax` in it: m + ln(l), from the maximum and the sum of
    its state, whose type it has. It is -inf for a row of which nothing is
    visible. Functions without a softmax stay as they are, unless there is none in
    the module.

    To be run before `linalg-ext-tile-and-fuse`, which then computes it from the
    state that the loops leave, and behind `linalg-ext-raise`, which makes chains
    of ops a softmax.

    Calls in the module take the new results, and do not use them. It is an error
    if something else refers to a function that is to change (`func.constant`), if
    a softmax is not in the body of its function itself or goes on from a state,
    as one that has been fused, and if there is no softmax at all.

    Before:

    ```mlir
    func.func @weights(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>,
        %m: tensor<3xf32>, %l: tensor<3xf32>, %s: tensor<3xf32>)
        -> tensor<3x4xf32> {
      %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<3x4xf32>)
          outs(%y, %m, %l, %s : ..) -> ..
      return %p#0 : tensor<3x4xf32>
    }
    ```

    After, with %lse a `linalg.generic` of %p#1 and %p#2:

    ```mlir
      return %p#0, %lse : tensor<3x4xf32>, tensor<3xf32>
    ```
  }];
}

def LinalgExtTileAndFusePass : LinalgExt_Pass<"linalg-ext-tile-and-fuse"> {
  let summary = "Tile roots and fuse their producers, repairing accumulators";
  let description = [{
    Tiles each root (the ops with the unit attribute `linalg_ext.root`; without
    any, the accumulation that an online reduction feeds: of several on which no
    other depends, the first that has the most loops) level by level and fuses
    its producers. Where a level cuts a dimension that a fused online reduction
    reduces over, its state is carried by the loop and the root's accumulator
    is repaired, which turns softmax and matmul into flash attention.

    `levels` is a sequence of loops, outermost first:

    ```
    levels   ::= level+
    level    ::= kind `(` size (`,` size)* `)` [`interchange` `(` dim (`,` dim)* `)`]
    kind     ::= `for` | `forall` | `split`
    ```

    with one tile size for each iteration dimension of the root, 0 for a
    dimension that the level does not tile. `for` tiles with an `scf.for` for
    each dimension, `forall` parallel dimensions with one `scf.forall`. `split`
    tiles reduction dimensions with an `scf.forall` over chunks of them (split-K,
    flash decoding): each chunk starts from the identity and leaves its state and
    accumulator in a slot of its own, and a loop after it merges the slots,
    starting from the incoming state. It must be the first level that tiles its
    dimensions; levels inside it may tile them further. A root that cannot be tiled so is
    an error; the IR is then left as it was.

    An online reduction need not be one op: where a loop cuts what a `max`, a
    `sum` or a `min` of upstream's ops accumulates, and everything between it and
    the root is repaired (exp(x - max), x / sum, x * rsqrt(sum), casts, masks,
    transposes), the loop carries it. If something cannot be repaired, such a
    reduction stays outside.

    With `rescale-threshold=t` (of delayed normalisation only) the maxima that an
    accumulator is scaled by are held while no term becomes larger by more than
    e^t for it (8 in base 2, 5.5, is usual), and the accumulator is rescaled only
    in tiles in which a row has moved. A state of which more is needed than it may
    yield then is not held; the plan says why.

    `exactness` bounds what fusion may do to the result: `exact` repairs nothing,
    `reassociated` repairs what is equal in exact arithmetic, `rounding` also
    repairs values that have been rounded to a narrower type on the way.

    What else is accumulated from the tiles of an online reduction that a root takes
    (a second product with a softmax, a sum of it) is accumulated in the loops of that
    root, whether it is marked too or not, where the levels cut nothing of the root
    that it lacks.

    An elementwise operand of a contraction may be the same in many iterations of the
    first level, as keys are for all queries. With `recompute=none` it is computed in
    front of the loops, once, and stored; with `recompute=cheap` if that costs less
    than to compute it in each iteration (docs/Rationale/Fusion.md).

    With `fuse-consumers`, elementwise ops that follow the root, transposes among
    them, and reshapes between these are computed where its tiles are final: in all
    levels in front of the first that cuts a reduction. A reshape follows where a
    tile of its source is one of its result; what it needs that does not wait for
    the root is moved before the loops.
  }];
  let options = [
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Loops to tile with, outermost first: for(..), forall(..) or "
           "split(..)">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When results are normalised: eager (in every tile) or delayed">,
    Option<"exactness", "exactness", "std::string",
           /*default=*/"\"rounding\"",
           "The least exact of fusions to accept: exact, reassociated or "
           "rounding">,
    Option<"rescaleThreshold", "rescale-threshold", "std::string",
           /*default=*/"",
           "Leave accumulators alone while no term grows by more than "
           "e^threshold; empty rescales in every tile">,
    Option<"rescaleElements", "rescale-elements", "bool", /*default=*/"false",
           "With rescale-threshold: choose for each element whether it is rescaled, "
           "and not for a tile together">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"false",
           "Fuse what follows a root elementwise, and reshapes between, into its "
           "parallel loops">,
    Option<"recompute", "recompute", "std::string", /*default=*/"\"all\"",
           "Elementwise operands of contractions that the loops of the first level "
           "may compute again in iterations that need the same: all, cheap (what "
           "costs less than storing it) or none">,
  ];
}

def LinalgExtTightenLoopBoundsPass
    : LinalgExt_Pass<"linalg-ext-tighten-loop-bounds"> {
  let summary = "Leave out iterations in which a mask hides everything";
  let description = [{
    Tightens the bounds of `scf.for` loops over tiles to the iterations that do
    something. A comparison of coordinates (`linalg.index`, the loops' induction
    variables, scalars that the loop does not change) in the payload of a
    structured op is a mask if the body yields all that it was given where the
    comparison is false, or true, all over the tile: a softmax of -inf leaves its
    state as it was, a product with zeros its accumulator. Comparisons may be
    combined by `andi`, `ori`, `xori`, `select`; masks may be tensors of i1 or of
    0 and -inf that another op in the loop computes. Causal masks, prefixes,
    sliding windows and lengths, of the whole or of each batch, are such.

    With `split-full-blocks` iterations whose whole tile is visible get a loop of
    their own, which does not evaluate the mask. If a mask leaves a range at the
    beginning, or the end, and another one (a window and a sink), the loop becomes
    two. What meets a masked score is taken to be finite: a NaN
    or an infinity of a masked score, or of the value that belongs to it, does
    not reach the result if its tile is left out. Coordinates are taken to fit
    the integers that they are converted to.

    Precondition: tensors, after `linalg-ext-tile-and-fuse` and before
    `linalg-ext-decompose` and bufferization. Run it once; loops that were split
    would be split again.

    Before:

    ```mlir
    scf.for %k = %c0 to %n step %c128 iter_args(...) {
      %masked = linalg.generic ... ins(%scores) outs(%empty) {
      ^bb0(%in: f32, %out: f32):
        %i = linalg.index 0 : index
        %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%q, %i)
        %j = linalg.index 1 : index
        %column = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %j)
        %visible = arith.cmpi sle, %column, %row : index
        %0 = arith.select %visible, %in, %minus_inf : f32
        linalg.yield %0 : f32
      } -> tensor<64x128xf32>
      ...
    ```

    After, with `split-full-blocks=false`:

    ```mlir
    %end = affine.min affine_map<(q)[n] -> (((q + 63) floordiv 128) * 128 + 128, n)>(%q)[%n]
    scf.for %k = %c0 to %end step %c128 iter_args(...) {
    ```
  }];
  let options = [
    Option<"splitFullBlocks", "split-full-blocks", "bool", /*default=*/"true",
           "Give the iterations that no mask touches a loop without masks">,
    Option<"splitWideProducts", "split-wide-products", "bool", /*default=*/"true",
           "Also in loops that multiply elements of more than 16 bits">,
    Option<"wholeTiles", "whole-tiles", "bool", /*default=*/"false",
           "Leave a smaller last tile to the loop with masks, so that the other "
           "has tiles of one size">,
  ];
}

def LinalgExtPeelRemaindersPass
    : LinalgExt_Pass<"linalg-ext-peel-remainders"> {
  let summary = "Give the last, smaller tile of a loop a loop of its own";
  let description = [{
    Peels the last iteration of every `scf.for` in whose body an `affine.min`
    bounds the size of a tile by what is left up to the loop's upper bound. In the
    loop that stays, the size is a constant then. Loops whose bounds are not those
    of their tiles (as `linalg-ext-tighten-loop-bounds` leaves behind) are left
    alone: peeling them would gain nothing. So are those that multiply elements of more
    than 16 bits, without `peel-wide-products`.

    Before:

    ```mlir
    scf.for %k = %c0 to %n step %c64 {
      %size = affine.min affine_map<(k)[n] -> (64, n - k)>(%k)[%n]
    ```

    After:

    ```mlir
    %whole = affine.apply affine_map<()[n] -> ((n floordiv 64) * 64)>()[%n]
    scf.for %k = %c0 to %whole step %c64 {
      // %size is 64
    }
    scf.for %k = %whole to %n step %c64 {
      // %size is n - k
    ```
  }];
  let options = [
    Option<"peelWideProducts", "peel-wide-products", "bool", /*default=*/"true",
           "Also loops that multiply elements of more than 16 bits">,
  ];
}

def LinalgExtExplainFusionPass : LinalgExt_Pass<"linalg-ext-explain-fusion"> {
  let summary = "Print what tile-and-fuse would do, and what it would cost";
  let description = [{
    For each root that `linalg-ext-tile-and-fuse` with the same `levels`,
    `normalization`, `rescale-threshold`, `exactness`, `fuse-consumers` and `recompute`
    would fuse,
    prints to stderr where it is, the plan (what is fused at which level, recomputed,
    yielded, repaired and how; what stays outside and why) and the FLOPs and bytes moved, unfused and fused; or the reason of the
    refusal. The roots are fused one after another in a copy, so that each is
    explained as it would be found; the IR is not changed. The model of the cost is
    described in docs/Explain.md. Of a fusion that does not pay, which
    `linalg-ext-fuse-for-cpu` would leave, it says `unprofitable`.

    With `format=json` each root is a JSON object on a line of its own.

    For

    ```mlir
    %s = linalg.matmul ins(%q, %kt : tensor<64x16xf32>, tensor<16x200xf32>)
        outs(%s0 : tensor<64x200xf32>) -> tensor<64x200xf32>
    %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<64x200xf32>) ...
    %o = linalg.matmul ins(%p#0, %v : tensor<64x200xf32>, tensor<200x16xf32>)
        outs(%o0 : tensor<64x16xf32>) -> tensor<64x16xf32>
    ```

    and `levels="for(32,0,64)"` it prints, among others,

    ```
      fuse 'linalg_ext.softmax', partial, yields [1, 2]
    repair scale after 'linalg_ext.softmax' through operand 0, ...
    cost, unfused -> fused
    ```
  }];
  let options = [
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Loops to tile with, outermost first: for(..), forall(..) or "
           "split(..)">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When results are normalised: eager (in every tile) or delayed">,
    Option<"exactness", "exactness", "std::string",
           /*default=*/"\"rounding\"",
           "The least exact of fusions to accept: exact, reassociated or "
           "rounding">,
    Option<"rescaleThreshold", "rescale-threshold", "std::string",
           /*default=*/"",
           "Leave accumulators alone while no term grows by more than "
           "e^threshold; empty rescales in every tile">,
    Option<"rescaleElements", "rescale-elements", "bool", /*default=*/"false",
           "Then choose for each element whether it is rescaled, and not for a tile "
           "together">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"false",
           "Fuse what follows a root elementwise, and reshapes between, into its "
           "parallel loops">,
    Option<"recompute", "recompute", "std::string", /*default=*/"\"all\"",
           "Elementwise operands of contractions that the loops of the first level "
           "may compute again in iterations that need the same: all, cheap (what "
           "costs less than storing it) or none">,
    Option<"dynamicSize", "dynamic-size", "int64_t", /*default=*/"1024",
           "Elements that the cost assumes for a dynamic dimension">,
    Option<"flopsPerByte", "flops-per-byte", "double", /*default=*/"8",
           "Operations that a fusion may add for each byte that it saves, for it to "
           "pay">,
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"1048576",
           "An op that moves no more than this saves nothing">,
    Option<"format", "format", "std::string", /*default=*/"\"text\"",
           "Format of the output: text or json">,
  ];
}

def LinalgExtDecomposePass : LinalgExt_Pass<"linalg-ext-decompose"> {
  let summary = "Rewrite LinalgExt ops as upstream ops";
  let description = [{
    Rewrites `linalg_ext.softmax` as `linalg.generic` ops, products with
    `linalg_ext.diag` as row scalings that never materialise the matrix, other
    `linalg_ext.diag` as `linalg.generic`, and `linalg_ext.batch_matmul` as
    `linalg.contract`. Ops on buffers are left alone where they need temporary
    tensors (softmax).

    Gives each use of a `tensor.empty` one of its own, since upstream's one-shot
    bufferization may put iter_args that start from one into one buffer. A CSE
    between this pass and bufferization undoes that.
  }];
}

def LinalgExtBoundTensorEmptyPass
    : LinalgExt_Pass<"linalg-ext-bound-tensor-empty"> {
  let summary = "Give uninitialised tensors in loops a static size";
  let description = [{
    Rewrites `tensor.empty` inside a loop, with dynamic sizes that have constant
    upper bounds, as a slice of a `tensor.empty` of those bounds, so that the
    buffer of a tile at the border has a static size and can be hoisted out of
    the loop. Slices of `tensor.empty` are shrunk to `tensor.empty` first.

    Precondition: tensors, before bufferization.

    Before:

    ```mlir
    %size = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 128)>(%i)[%n]
    %tile = tensor.empty(%size) : tensor<?xf32>
    ```

    After:

    ```mlir
    %size = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 128)>(%i)[%n]
    %full = tensor.empty() : tensor<128xf32>
    %tile = tensor.extract_slice %full[0] [%size] [1]
        : tensor<128xf32> to tensor<?xf32>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"1048576",
           "Leave a tensor alone whose bound is larger">,
  ];
}

def LinalgExtPrivatizeDestinationsPass
    : LinalgExt_Pass<"linalg-ext-privatize-destinations"> {
  let summary = "Give each destination its own uninitialised or filled tensor";
  let description = [{
    Where several ops, or an op in a loop, write to one `tensor.empty`, to a slice
    of it or to a fill of it, each gets a copy of the ops that make it, so that
    bufferization finds no conflict to resolve with a copy of the data. An
    elementwise op that only needs uninitialised space takes that of an input that
    nothing uses afterwards. Where all that becomes of a tensor is a
    `tensor.collapse_shape` of it, it is written into a `tensor.expand_shape` of
    space of that shape: a function then returns the buffer that is computed, or
    writes to the one that it is given. So it does with a buffer that
    `bufferization.materialize_in_destination` says nothing else accesses. CSE
    undoes this; run it last before bufferization.

    In front of upstream's `one-shot-bufferize` (LLVM 22.1) this is not only faster.
    Where several tensors that a loop carries start as one slice of a
    `tensor.empty`, as CSE leaves those of tiled loops, upstream may give them one
    buffer, and results are wrong.

    Before:

    ```mlir
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>)
        -> tensor<4xf32>
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%fill : tensor<4xf32>)
        -> tensor<4xf32>
    %1 = linalg.log ins(%a : tensor<4xf32>) outs(%fill : tensor<4xf32>)
        -> tensor<4xf32>
    ```

    After: the second op writes to a second `linalg.fill` of a second
    `tensor.empty`.
  }];
}

def LinalgExtWriteIntoDestinationsPass
    : LinalgExt_Pass<"linalg-ext-write-into-destinations"> {
  let summary = "Make concatenations, padding and branches slices of one tensor";
  let description = [{
    Outside of workgroups (`scf.forall`), for what computes a part to write it
    where it belongs, by `eliminate-empty-tensors` and bufferization:

    - `tensor.concat` becomes `tensor.insert_slice`s into a `tensor.empty`, and
      `tensor.pad` a fill of its result with one `tensor.insert_slice`, by
      upstream's patterns;
    - what is inserted into an argument that is not writable makes a copy of it,
      which one `linalg.generic` computes: its elements come from either;
    - both branches of an `scf.if` write the tensors that they yield into a
      `bufferization.alloc_tensor` in front of it, with
      `bufferization.materialize_in_destination`, unless both write over one tensor
      anyway. The sizes must be known in front of it;
    - what is inserted and is not computed for that becomes a `linalg.copy`, an op
      to make a kernel of like others. Canonicalisation drops these copies: what
      tiles them is to run next;
    - a constant of equal elements becomes a `linalg.fill`.

    Before:

    ```mlir
    %c = tensor.concat dim(0) %a, %b
        : (tensor<?x8xf32>, tensor<5x8xf32>) -> tensor<?x8xf32>
    ```

    After:

    ```mlir
    %e = tensor.empty(%m) : tensor<?x8xf32>
    %s0 = tensor.extract_slice %e[0, 0] [%n, 8] [1, 1]
    %a0 = linalg.copy ins(%a : tensor<?x8xf32>) outs(%s0 : tensor<?x8xf32>)
    %0 = tensor.insert_slice %a0 into %e[0, 0] [%n, 8] [1, 1]
    %s1 = tensor.extract_slice %0[%n, 0] [5, 8] [1, 1]
    %b0 = linalg.copy ins(%b : tensor<5x8xf32>) outs(%s1 : tensor<5x8xf32>)
    %c = tensor.insert_slice %b0 into %0[%n, 0] [5, 8] [1, 1]
    ```
  }];
}

def LinalgExtResolveExpandShapePass
    : LinalgExt_Pass<"linalg-ext-resolve-expand-shape"> {
  let summary = "Say the strides of buffers that are expanded by dynamic sizes";
  let description = [{
    Rewrites `memref.expand_shape` where it splits a dimension into several of
    dynamic size, as it does for tiles through reshapes, as a
    `memref.reinterpret_cast` with the sizes that it names. To be run before
    `expand-strided-metadata`, which (in 22.1.8) takes it that at most one of
    them is dynamic, and crashes. Others are left alone.

    Before:

    ```mlir
    %e = memref.expand_shape %m [[0, 1]] output_shape [%a, %b]
        : memref<?xf32> into memref<?x?xf32>
    ```

    After:

    ```mlir
    %base, %offset, %size, %stride = memref.extract_strided_metadata %m
        : memref<?xf32> -> memref<f32>, index, index, index
    %e = memref.reinterpret_cast %base to offset: [0], sizes: [%a, %b],
        strides: [%b, 1] : memref<f32> to memref<?x?xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtTileToWorkgroupsPass
    : LinalgExt_Pass<"linalg-ext-tile-to-workgroups"> {
  let summary = "Tile what is in no workgroup yet";
  let description = [{
    Tiles every structured op on tensors that is in no `scf.forall`, from the last
    one backwards, into an `scf.forall` mapped to workgroups
    (`#gpu.block<linear_dim_i>`, the innermost loop being linear_dim_0). An op
    takes its producers along that nobody else uses and that are computed once
    then: elementwise ops and fills, one contraction that it follows elementwise
    (or up to four that read an operand together, which are summed in one loop),
    reductions of rows of at most `max-row` elements. What follows a contraction
    elementwise is computed with it, and not in front of the next one.

    Elementwise ops that nothing goes on from, that have the same loops and read the
    same tensor become one op first, and one loop over workgroups: the halves of a
    rotation, for example. So do two that go on from contractions of one operand, each
    of which has no more workgroups than there are processors (keys and values).

    A contraction is reduced in an `scf.for` by `reduction`, other reductions by
    `row-tile` if they are longer than `max-row` or of unknown length. Named
    LinalgExt ops are to be decomposed before.

    With `fuse-long-rows` an op takes the reductions of longer rows along, too, that
    it needs. Each of them, and the op, has a loop over the row then, in which what
    is elementwise in between is computed again: a softmax is three loops, of
    which the second and the third find the row in a cache. Such rows have a
    workgroup each; for each of `short-rows` there is a loop over workgroups for rows
    of at most so many elements, with `row-elements` of them in each, which are one
    tile. All but one of the loops have no iteration: their bounds are multiplied by
    0 or 1.

    In the same way a contraction of elements of at most 16 bits has, for each of
    `few-rows`, a loop over workgroups for at most so many rows, if there may be as
    few. Its sums are split into chunks, as many as workgroups run at a time, in an
    `scf.forall` within the workgroup that `linalg-ext-fission-forall` makes
    workgroups of. Where it is known at run time only whether there is more than one
    chunk, a loop without chunks is there, too.

    Before:

    ```mlir
    %0 = linalg.matmul ins(%a, %b : tensor<512x256xf16>, tensor<256x128xf16>)
        outs(%zeros : tensor<512x128xf32>) -> tensor<512x128xf32>
    ```

    After:

    ```mlir
    %0 = scf.forall (%i, %j) = (0, 0) to (512, 128) step (64, 64)
        shared_outs(%o = %empty) -> (tensor<512x128xf32>) {
      ..
      %zeros = linalg.fill ..
      %c = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zeros) -> .. {
        ..
        %d = linalg.matmul ins(.. : tensor<64x64xf16>, tensor<64x64xf16>) ..
      }
      ..
    } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"64",
           "Rows of a workgroup">,
    Option<"columns", "columns", "int64_t", /*default=*/"64",
           "Columns of a workgroup">,
    Option<"reduction", "reduction", "int64_t", /*default=*/"64",
           "Elements of the sums of a contraction in each iteration">,
    Option<"narrowRows", "narrow-rows", "int64_t", /*default=*/"0",
           "Rows of a contraction of elements of at most 16 bits; 0 as of others">,
    Option<"narrowColumns", "narrow-columns", "int64_t", /*default=*/"0",
           "Columns of such a contraction; 0 as of others">,
    Option<"narrowReduction", "narrow-reduction", "int64_t", /*default=*/"0",
           "Elements of its sums in each iteration; 0 as of others">,
    Option<"processors", "processors", "int64_t", /*default=*/"132",
           "Processors that contractions of known sizes have tiles for, of at "
           "most narrow-rows and narrow-columns; 0: of just these">,
    Option<"smallReduction", "small-reduction", "int64_t", /*default=*/"0",
           "Elements of such sums in each iteration where tiles are smaller than "
           "that, or processors have one each; 0 as of others">,
    Option<"maxRow", "max-row", "int64_t", /*default=*/"1024",
           "Elements of a row that is reduced within one tile">,
    Option<"rowTile", "row-tile", "int64_t", /*default=*/"256",
           "Elements of a longer row in each iteration (at most max-row)">,
    Option<"fuseLongRows", "fuse-long-rows", "bool", /*default=*/"false",
           "Reduce longer rows in the workgroup that reads them again">,
    Option<"rowElements", "row-elements", "int64_t", /*default=*/"0",
           "Elements of the rows of a workgroup that reduces them, if they are "
           "more than one row; 0 sets no bound">,
    ListOption<"shortRows", "short-rows", "int64_t",
               "Rows of dynamic length that are read again have loops over "
               "workgroups of their own for up to so many elements">,
    ListOption<"fewRows", "few-rows", "int64_t",
               "Contractions of elements of at most 16 bits have loops over "
               "workgroups of their own, with sums split, for up to so many rows">,
    Option<"minSplit", "min-split", "int64_t", /*default=*/"512",
           "Elements of a chunk of such a sum at least">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtTileToThreadsPass : LinalgExt_Pass<"linalg-ext-tile-to-threads"> {
  let summary = "Cut structured ops on buffers into pieces for threads";
  let description = [{
    Replaces every structured op on buffers that is in no loop, and every copy, by
    an `scf.forall` over tiles of its parallel dimensions, if there is enough to
    do: `rows` times `columns` of the result of a contraction, else as many of the
    inner dimensions as have `min-work` iterations. What is filled in front of a
    reduction is filled in its pieces. The pieces do not depend on the number of
    threads.

    Before:

    ```mlir
    linalg.fill ins(%zero : f32) outs(%c : memref<512x256xf32>)
    linalg.matmul ins(%a, %b : memref<512x64xf32>, memref<64x256xf32>)
        outs(%c : memref<512x256xf32>)
    ```

    After:

    ```mlir
    scf.forall (%i, %j) = (0, 0) to (512, 256) step (128, 128) {
      %a0 = memref.subview %a[%i, 0] [128, 64] [1, 1] ..
      %b0 = memref.subview %b[0, %j] [64, 128] [1, 1] ..
      %c0 = memref.subview %c[%i, %j] [128, 128] [1, 1] ..
      linalg.fill ins(%zero : f32) outs(%c0 : ..)
      linalg.matmul ins(%a0, %b0 : .., ..) outs(%c0 : ..)
    }
    ```
  }];
  let options = [
    Option<"minWork", "min-work", "int64_t", /*default=*/"16384",
           "Iterations of a piece; eight times as many of a contraction">,
    Option<"rows", "rows", "int64_t", /*default=*/"128",
           "Rows of a contraction's result in a piece">,
    Option<"columns", "columns", "int64_t", /*default=*/"128",
           "Columns of a contraction's result in a piece">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtFissionForallPass : LinalgExt_Pass<"linalg-ext-fission-forall"> {
  let summary = "Give loops over chunks within workgroups workgroups of their own";
  let description = [{
    Distributes each `scf.forall` on tensors over an `scf.forall` directly in its
    body, such as the chunks of a `split` level, and what follows that: a loop
    over the iterations of both, which leaves what the inner one computes in
    tensors with a slot for each iteration of the outer one, and the outer loop,
    which reads it there. What both need is computed in both. Loops whose bounds
    depend on the outer one, or whose outputs have no bounded size, stay where
    they are, with a remark; so do, without one, loops that are mapped to something
    else than `#gpu.block`.

    Before:

    ```mlir
    %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8xf32>) {
      %e = bufferization.alloc_tensor() : tensor<4xf32>
      %slots = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4xf32>) {
        .. // a partial result, from %i and %c
      }
      .. // the result for %i, from %slots
    }
    ```

    After:

    ```mlir
    %e = bufferization.alloc_tensor() : tensor<8x4xf32>
    %all = scf.forall (%i, %c) in (8, 4) shared_outs(%arg = %e) -> (tensor<8x4xf32>) {
      ..
    }
    %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8xf32>) {
      %slots = tensor.extract_slice %all[%i, 0] [1, 4] [1, 1]
             : tensor<8x4xf32> to tensor<4xf32>
      ..
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtLongestFirstPass : LinalgExt_Pass<"linalg-ext-longest-first"> {
  let summary = "Let parallel loops begin with the iterations that take longest";
  let description = [{
    Iterates a dimension of a `scf.forall` backwards if the `scf.for` loops of its body, all
    together, have more iterations the later it is, which their bounds
    tell (as `linalg-ext-tighten-loop-bounds` leaves them for causal attention). A grid
    starts workgroups in order: otherwise the longest run last, with nothing else
    to do for the rest of the machine.

    Before:

    ```mlir
    scf.forall (%i) = (0) to (%n) step (64) {
      %end = affine.apply affine_map<(d0) -> (d0 + 64)>(%i)
      scf.for %j = %c0 to %end step %c64 {
        ..
    ```

    After:

    ```mlir
    scf.forall (%i) = (0) to (%n) step (64) {
      %r = affine.apply affine_map<(d0)[s0] -> (-d0 + ((s0 - 1) floordiv 64) * 64)>(%i)[%n]
      %end = affine.apply affine_map<(d0) -> (d0 + 64)>(%r)
      scf.for %j = %c0 to %end step %c64 {
        ..
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
}

def LinalgExtMapForallToLaunchPass
    : LinalgExt_Pass<"linalg-ext-map-forall-to-launch"> {
  let summary = "Make each loop over workgroups a kernel";
  let description = [{
    Replaces each outermost `scf.forall` on buffers, unless it is mapped to
    something else than `#gpu.block`, by a `gpu.launch` with one block for each
    iteration and `num-threads` threads, of which each is given the whole program
    of the workgroup. The number of blocks is computed in front of it, and may be
    dynamic; loops are numbered in one dimension of the grid, the last one
    fastest. No block is launched for no iteration, which CUDA calls an error.

    If there are vectors that are read where only the last loop is, and others where
    only the one around it is, as by the tiles of a product, then blocks of `band`
    iterations of the outer one follow each other, that one fastest: what blocks
    that run at a time read, is read by many of them. If iterations become shorter
    along the last loop alone, as `linalg-ext-longest-first` leaves causal attention,
    bands are of iterations of all other loops together, as many as have 256 blocks
    (rounded up to a power of two; `band` if that is not known): the longest blocks of
    all of these are first, and short ones are left for the end.

    Before:

    ```mlir
    scf.forall (%i, %j) = (0, 0) to (8, %n) step (1, 64) {
      ..
    }
    ```

    After:

    ```mlir
    %grid = affine.apply affine_map<()[s0] -> ((s0 ceildiv 64) * 8)>()[%n]
    gpu.launch blocks(%x, ..) in (%.. = %grid, ..) threads(..) in (%.. = %c128, ..) {
      %id:2 = affine.delinearize_index %x into (8, %count)
      %j = affine.apply affine_map<(d0) -> (d0 * 64)>(%id#1)
      ..
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"numThreads", "num-threads", "int64_t", /*default=*/"128",
           "Threads of a workgroup">,
    Option<"band", "band", "int64_t", /*default=*/"1",
           "Iterations of the last loop but one that are together, where both "
           "loops share what they read">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect"
  ];
}

def LinalgExtMapOpsToLaunchesPass
    : LinalgExt_Pass<"linalg-ext-map-ops-to-launches"> {
  let summary = "Make each op on buffers that is in no workgroup a kernel";
  let description = [{
    Replaces every op on buffers outside of kernels that can be tiled, and every
    `memref.copy`, by a `gpu.launch` with `num-threads` threads in a block, each
    of which does one iteration of the op's parallel dimensions, scalar by scalar;
    what the op reduces becomes loops. That is slow, and takes any shape; a remark
    says so unless `report` is none. With `require-fusion` it is an error at ops
    that compute: those that reduce, or whose payload has arithmetic. Elements that `memref.store` writes outside of
    kernels are written by a launch of one thread. An op of tiles that is left in
    a kernel is an error.

    Before:

    ```mlir
    linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
                  outs(%c : memref<?x?xf32>)
    ```

    After:

    ```mlir
    gpu.launch blocks(%x, ..) in (%.. = %grid, ..) threads(%t, ..) in (%.. = %c128, ..) {
      %first = arith.muli %x, %c128 : index
      %id = arith.addi %first, %t : index
      %exists = arith.cmpi slt, %id, %total : index
      scf.if %exists {
        %at:2 = affine.delinearize_index %id into (%m, %n)
        scf.for %k = %c0 to %size step %c1 {
          ..
          memref.store %sum, %c[%at#0, %at#1] : memref<?x?xf32>
        }
      }
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"numThreads", "num-threads", "int64_t", /*default=*/"128",
           "Threads of a workgroup">,
    Option<"report", "report", "std::string", /*default=*/"\"missed\"",
           "What to say, a remark for each kernel: none, missed or all (the same)">,
    Option<"requireFusion", "require-fusion", "bool", /*default=*/"false",
           "Make a kernel of scalar code that computes an error">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtVectorizeTilesPass
    : LinalgExt_Pass<"linalg-ext-vectorize-tiles"> {
  let summary = "Rewrite tiles of tensors as vectors that loops carry";
  let description = [{
    Rewrites the body of each outermost `scf.forall`, the program of a workgroup,
    on vectors as large as a tile is at most: structured ops become elementwise
    ops, `vector.contract` and `vector.multi_reduction` on values, and loops and
    branches carry vectors. Tensors from outside are read by
    `vector.transfer_read`, and what leaves is written by
    `vector.transfer_write`; no other op has a mask. The sizes of tiles need
    constant bounds (`affine.min`), not to be constant.

    - Dimensions of one element are dropped: a tile of 1 x 1 x 64 x 128 elements
      is a matrix.
    - A tile that is smaller than its vector is read with zeros around it.
      What is computed beyond it is unspecified, and is replaced by zeros before
      a contraction and by the neutral element before a reduction.
    - Extensions of the factors of a product that is summed are left to
      `vector.contract`.
    - A discardable attribute `vector_ext.config` of a contraction is one of the
      `vector.contract` then.

    An op that has no vector form is left, with a remark; the tiles it reads are
    written to tensors in front of it.

    Before:

    ```mlir
    %0 = scf.forall (%i) = (0) to (50) step (16)
        shared_outs(%o = %init) -> (tensor<50xf32>) {
      %size = affine.min affine_map<(d0) -> (-d0 + 50, 16)>(%i)
      %a = tensor.extract_slice %x[%i] [%size] [1]
          : tensor<50xf32> to tensor<?xf32>
      %b = tensor.extract_slice %o[%i] [%size] [1]
          : tensor<50xf32> to tensor<?xf32>
      %c = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>)
          -> tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %c into %o[%i] [%size] [1]
            : tensor<?xf32> into tensor<50xf32>
      }
    }
    ```

    After, in the body:

    ```mlir
    %mask = vector.create_mask %size : vector<16xi1>
    %a = vector.transfer_read %x[%i], %zero, %mask {in_bounds = [true]}
        : tensor<50xf32>, vector<16xf32>
    %c = math.exp %a : vector<16xf32>
    %b = tensor.extract_slice %o[%i] [%size] [1]
        : tensor<50xf32> to tensor<?xf32>
    %d = vector.transfer_write %c, %b[%c0], %mask {in_bounds = [true]}
        : vector<16xf32>, tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i] [%size] [1]
          : tensor<?xf32> into tensor<50xf32>
    }
    ```
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"65536",
           "Elements that a vector has at most">,
    Option<"multipleOf", "multiple-of", "int64_t", /*default=*/"1",
           "What the size of a vector is a multiple of, in each dimension of "
           "more than one element">,
    Option<"rowMultipleOf", "row-multiple-of", "int64_t", /*default=*/"0",
           "The same in workgroups that contract nothing, of longer dimensions; "
           "shorter ones have a power of two; 0 is multiple-of">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtTransposeTilesPass
    : LinalgExt_Pass<"linalg-ext-transpose-tiles"> {
  let summary = "Store tiles of contractions so that lanes need no shuffles";
  let description = [{
    The result of a contraction in an `scf.for` gets its dimensions swapped if its
    right operand is contiguous along the reduction (as keys are in Q K^T) and its
    left one does not change in the loop: that is transposed once, in front of the
    loop. What is computed from the result element by element is swapped too, and
    ops that reduce it read it through another map. Nothing is done if something
    else than a linalg op of the same block sees such a tile, or if an elementwise op
    reads another tensor, as a mask, along the rows.

    Otherwise the right operand is transposed itself, in front of the contraction or of
    the outermost loop that does not change it, if at least 2 `min-lanes` rows of
    the left one meet it and its elements have the type of the result.

    Precondition: tensors, after tiling.

    Before:

    ```mlir
    #q = affine_map<(m, n, k) -> (m, k)>
    #k = affine_map<(m, n, k) -> (n, k)>
    #s = affine_map<(m, n, k) -> (m, n)>
    scf.for %i = %c0 to %c256 step %c32 ... {
      %s = linalg.generic {indexing_maps = [#q, #k, #s], ...}
          ins(%q, %tile : tensor<16x8xf32>, tensor<32x8xf32>)
          outs(%z : tensor<16x32xf32>)
    ```

    After:

    ```mlir
    #q = affine_map<(m, n, k) -> (k, m)>
    #k = affine_map<(m, n, k) -> (n, k)>
    #s = affine_map<(m, n, k) -> (n, m)>
    %qt = linalg.transpose ins(%q : tensor<16x8xf32>)
        outs(%e : tensor<8x16xf32>) permutation = [1, 0]
    scf.for %i = %c0 to %c256 step %c32 ... {
      %s = linalg.generic {indexing_maps = [#q, #k, #s], ...}
          ins(%qt, %tile : tensor<8x16xf32>, tensor<32x8xf32>)
          outs(%z : tensor<32x16xf32>)
    ```
  }];
  let options = [
    Option<"minLanes", "min-lanes", "int64_t", /*default=*/"16",
           "Fewest rows that may become lanes, where their number is known">,
  ];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtVectorizeBuffersPass
    : LinalgExt_Pass<"linalg-ext-vectorize-buffers"> {
  let summary = "Rewrite structured ops on buffers as loops over vectors";
  let description = [{
    Rewrites linalg ops on buffers, and `memref.copy`, as `scf.for` loops over
    register tiles of one-dimensional vectors. Lanes lie along a parallel
    dimension in which the outputs are contiguous, or along a reduction, whose
    lanes are combined at the end. Sizes may be dynamic: what does not fill a
    vector is masked. Contractions and sums are reassociated, and a product that
    is added to an accumulator is fused with the addition.

    The operands of a contraction of f16 or bf16 that accumulates in f32 are
    converted once for a block of rows or columns, in buffers on the stack. With
    `dot-bf16`, pairs of bf16 are multiplied as they are, by an instruction that
    takes subnormal numbers for 0, and rounds to them so (magnitudes below 2^-126).

    What cannot be vectorised (payloads that are not elementwise, outputs that are
    not contiguous) is left alone, for `convert-linalg-to-loops`.

    Before:

    ```mlir
    linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
    ```

    After, with 256-bit vectors:

    ```mlir
    scf.for %i = %c0 to %c32 step %c8 {
      %0 = vector.load %a[%i] : memref<32xf32>, vector<8xf32>
      %1 = math.exp %0 : vector<8xf32>
      vector.store %1, %b[%i] : memref<32xf32>, vector<8xf32>
    }
    ```
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "Width of a vector register">,
    Option<"numRegisters", "num-registers", "int64_t", /*default=*/"32",
           "Number of vector registers">,
    Option<"dotBF16", "dot-bf16", "bool", /*default=*/"false",
           "Add products of pairs of bf16 with x86's vdpbf16ps (AVX512-BF16)">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::x86vector::X86VectorDialect"
  ];
}

def LinalgExtApproximateMathPass
    : LinalgExt_Pass<"linalg-ext-approximate-math"> {
  let summary = "Rewrite math functions on f32 as polynomials";
  let description = [{
    Polynomials for exp, tanh and erf (the latter are upstream's), which are
    arithmetic on vectors instead of calls, on f32: exp is within 1 ulp, subnormal
    results included, tanh and erf are within 5 ulp. Functions
    of f16 and bf16 are computed in f32. The rest is left to the math library.

    exp of an `arith.subf` x takes fewer instructions, and is within
    1 + 1.25 |x| ulp of exp(x), about what rounding x has done to it; within
    1 + 0.25 |x| ulp without `avx512`, and 0 below the smallest normal number. With
    it, it has subnormal results.

    Where `math.fma` is expanded into a product and a sum, errors are up to 1.2
    times as large.
  }];
  let options = [
    Option<"avx512", "avx512", "bool", /*default=*/"false",
           "Use instructions of x86's AVX-512F and AVX-512DQ">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtFuseElementwisePass
    : LinalgExt_Pass<"linalg-ext-fuse-elementwise"> {
  let summary = "Fuse elementwise ops without computing anything twice";
  let description = [{
    Fuses elementwise ops into their only user where that reads each element in
    one iteration. (Upstream's `linalg-fuse-elementwise-ops` also fuses into
    contractions, which read an element many times.) Named elementwise ops become
    `linalg.generic`.

    Precondition: tensors.
  }];
}

def LinalgExtFactorOutOfMaxPass
    : LinalgExt_Pass<"linalg-ext-factor-out-of-max"> {
  let summary = "Scale maxima instead of tiles";
  let description = [{
    A maximum or minimum of a tensor times a positive constant that starts from
    an infinity becomes the constant times the maximum of the tensor. That is
    exact: rounding is monotonic, and NaN, infinities and signs of zeros stay. It
    is done where the product has one other user, an elementwise op, which
    `linalg-ext-fuse-elementwise` then merges it into.

    Precondition: tensors. (`vector-ext-factor-out-of-max` does it to vectors.)

    Before:

    ```mlir
    %x = linalg.generic ... ins(%s : tensor<4x8xf32>) {
      %0 = arith.mulf %in, %scale : f32
      linalg.yield %0 : f32
    }
    %max = linalg.generic ... ins(%x : tensor<4x8xf32>) outs(%lowest : tensor<4xf32>) {
      %0 = arith.maximumf %in, %out : f32
      ...
    ```

    After:

    ```mlir
    %0 = linalg.generic ... ins(%s : tensor<4x8xf32>) outs(%lowest : tensor<4xf32>) {
      %1 = arith.maximumf %in, %out : f32
      ...
    %max = linalg.generic ... ins(%0 : tensor<4xf32>) {
      %1 = arith.mulf %in, %scale : f32
      ...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
