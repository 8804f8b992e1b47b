//===- Passes.td - Passes of the LinalgExt dialect ---------*- tablegen -*-===//
//
// Each pass runs alone on func and linalg input.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES

include "mlir-ext/Dialect/LinalgExt/Transforms/ProgramPasses.td"
include "mlir-ext/Dialect/LinalgExt/Transforms/WorkgroupPasses.td"

def LinalgExtReturnLogSumExpPass
    : LinalgExt_Pass<"linalg-ext-return-log-sum-exp", "::mlir::ModuleOp"> {
  let summary = "Add the log-sum-exp of every softmax to the function results";
  let description = [{
    Adds one function result for each `linalg_ext.softmax`: the log-sum-exp of
    every row. It is m + ln(l), where m is the maximum and l the sum in the
    state of the softmax. The new results follow the existing ones, in program
    order, and have the type of the maximum. The log-sum-exp of a fully masked
    row is -inf. Training needs the log-sum-exp, and so does code that merges
    partial attention results.

    Run the pass after `linalg-ext-raise`, which rewrites chains of ops as
    `linalg_ext.softmax`. Run it before `linalg-ext-tile-and-fuse`, which then
    computes the log-sum-exp from the final state of the loops.

    The pass does not change functions without a softmax. It updates the calls
    of each changed function. The callers ignore the new results.

    The pass reports an error if

    - the module contains no `linalg_ext.softmax`;
    - a softmax is nested in another op, such as a loop, instead of being
      directly in the function body;
    - a softmax continues from an earlier state, as it does after fusion;
    - a softmax works on buffers;
    - a function with a softmax has more than one block;
    - an op other than `func.call` (`func.constant`, for example) refers to a
      function with a softmax.

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
  let summary = "Tile roots and fuse producers, including online reductions";
  let description = [{
    Tiles each root level by level and fuses its producers into the loops.
    Unlike upstream's driver, the pass also fuses an online reduction, such as a
    softmax, where a loop cuts the dimension that it reduces. The loop then
    carries the state of the reduction, and the pass *repairs* the accumulator
    of the root: it adapts the sums of earlier tiles to the new state. Softmax
    followed by a matmul thus becomes flash attention. Run the pass on tensors,
    after `linalg-ext-normalize` or `linalg-ext-raise`.

    **Roots.** A root is an op with the unit attribute `linalg_ext.root`. If no
    op has the attribute, the pass chooses one root for each online reduction.
    The candidates are the accumulations that the reduction feeds and that no
    other candidate depends on. The pass takes the candidate with the most
    loops, and the first of several. Candidates that its loops do not compute
    (see Siblings) become roots of their own. If one of these cannot be tiled,
    the pass only emits a remark.

    **Levels.** The required option `levels` lists the loops, outermost first:

    ```
    levels   ::= level+
    level    ::= kind `(` size (`,` size)* `)` [`interchange` `(` dim (`,` dim)* `)`]
    kind     ::= `for` | `forall` | `split`
    ```

    A level has one tile size for each iteration dimension of the root. A size
    of 0 does not tile the dimension. Missing sizes are 0.

    - `for` builds one `scf.for` for each tiled dimension.
    - `forall` builds one `scf.forall` over the tiled dimensions, which must be
      parallel.
    - `split` builds an `scf.forall` over chunks of a reduction dimension
      (split-K, flash decoding). Each chunk starts from the identity and stores
      its state and accumulator in a slot of its own. A loop after the
      `scf.forall` merges the slots, starting from the incoming state. `split`
      must be the first level that tiles its dimensions. Inner levels may tile
      them further.

    If a root cannot be tiled this way, the pass reports an error and leaves
    that root as it was.

    **Reductions of several ops.** An online reduction may consist of several
    upstream ops. If a loop cuts the dimension of a `max`, `min` or `sum`, the
    loop carries it, provided that the pass can repair everything between it and
    the root: exp(x - max), x / sum, x * rsqrt(sum), casts, masks and
    transposes. If something cannot be repaired, the reduction stays outside of
    the loops.

    **Rescaling.** By default the loop rescales the accumulator in every tile.
    With `rescale-threshold=t`, a row keeps its maximum as reference until the
    true maximum exceeds it by more than t, so that a term exp(x - max) would
    exceed e^t. The loop then rescales only in tiles in which the reference of
    some row changes. A usual value is 5.5, a factor of 2^8. The option requires
    delayed normalisation. The pass does not delay the rescaling if the delay
    would change results (the program returns the maximum, for example), or if a
    term of e^t would not fit its type. The plan, which
    `linalg-ext-explain-fusion` prints, says why.

    **Exactness.** `exactness` limits what fusion may do to the result. `exact`
    allows no repairs. `reassociated` allows repairs that are equal in exact
    arithmetic. `rounding` also allows repairs of values that were rounded to a
    narrower type on the way. The pass does not fuse a reduction that needs
    more.

    **Siblings.** A sibling of the root accumulates tiles of the same online
    reduction, such as a second product with the softmax, or a sum of it. The
    loops of the root also compute its siblings, whether they are marked as
    roots or not. A sibling must have all dimensions of the root that the levels
    cut.

    **Recomputation.** Many iterations of the first level may need the same
    elementwise operand of a contraction: all queries need the same keys, for
    example. With `recompute=none` the pass computes such an operand once, in
    front of the loops, and stores it. With `recompute=cheap` it does so if this
    costs less than computing the operand in each iteration
    (docs/Rationale/Fusion.md).

    **Consumers.** With `fuse-consumers` the pass also fuses the elementwise ops
    (transposes included) that follow the root, and the reshapes between them.
    It fuses them into the levels before the first one that cuts a reduction:
    the tiles of the root are final there. It fuses a reshape only if each tile
    of its source is one tile of its result. Other operands of the consumers
    move before the loops if they do not depend on the root.
  }];
  let options = [
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Loops to tile with, outermost first: for(..), forall(..) or "
           "split(..), with one tile size for each dimension of the root">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When to normalise results: eager (in every tile) or delayed (once, "
           "after the loops)">,
    Option<"exactness", "exactness", "std::string",
           /*default=*/"\"rounding\"",
           "Largest change to the result that a fusion may make: exact, "
           "reassociated or rounding">,
    Option<"rescaleThreshold", "rescale-threshold", "std::string",
           /*default=*/"",
           "Rescale accumulators only if a term grows by more than e^threshold "
           "(0 to 72); empty rescales in every tile">,
    Option<"rescaleElements", "rescale-elements", "bool", /*default=*/"false",
           "With rescale-threshold: decide for each element whether to rescale "
           "it, not for the whole tile">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"false",
           "Fuse elementwise ops that follow a root, and reshapes between "
           "them, into the levels that cut no reduction">,
    Option<"recompute", "recompute", "std::string", /*default=*/"\"all\"",
           "Elementwise operands of contractions that several iterations of the "
           "first level may each compute again: all, cheap (what costs less than "
           "storing it) or none">,
  ];
}

def LinalgExtTightenLoopBoundsPass
    : LinalgExt_Pass<"linalg-ext-tighten-loop-bounds"> {
  let summary = "Skip loop iterations whose whole tile is masked";
  let description = [{
    Tightens the bounds of `scf.for` loops over tiles, so that iterations whose
    tile is fully masked do not run. Causal masks, prefixes, sliding windows and
    sequence lengths (one length, or one for each batch) cause many such
    iterations. A causal mask, for example, hides about half of the tiles.

    The pass recognises a mask by its effect. A mask is a comparison of
    coordinates in the payload of a structured op. The coordinates are
    `linalg.index`, induction variables, and scalars that the loop does not
    change. If the comparison is false (or true) on the whole tile, the loop
    body must yield the values that it was given. For example, a softmax of -inf
    does not change its state, and a product with zeros does not change its
    accumulator. `andi`, `ori`, `xori` and `select` may combine comparisons. A
    mask may also be a tensor of i1, or of 0 and -inf, that another op in the
    loop computes.

    With `split-full-blocks` the iterations whose tile is fully visible get a
    loop of their own, without the mask. Some masks leave one range of
    iterations at the beginning or the end, and another range elsewhere: an
    attention sink and a window, for example. The pass splits such a loop in
    two.

    The pass makes two assumptions. First, values that meet a masked score are
    finite. If the pass skips a tile, a NaN or an infinity in a masked score, or
    in the value that belongs to it, does not reach the result. Second,
    coordinates fit the integer types that the payload converts them to.

    Preconditions: the loop works on tensors, has results, and has a constant
    step. The pass leaves other loops, and loops without a mask, alone. Run it
    after `linalg-ext-tile-and-fuse`, and before `linalg-ext-decompose` and
    bufferization. Run it only once: a second run would split the loops again.

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
           "Give iterations whose tile is fully visible a loop without masks">,
    Option<"splitWideProducts", "split-wide-products", "bool", /*default=*/"true",
           "With split-full-blocks: also split loops that multiply elements of "
           "more than 16 bits">,
    Option<"wholeTiles", "whole-tiles", "bool", /*default=*/"false",
           "With split-full-blocks: leave a smaller last tile to the loop with "
           "masks, so that all tiles of the other loop have the same size">,
  ];
}

def LinalgExtPeelRemaindersPass
    : LinalgExt_Pass<"linalg-ext-peel-remainders"> {
  let summary = "Peel the last, smaller tile off loops over tiles";
  let description = [{
    Peels the last, partial iteration off `scf.for` loops over tiles, so that
    the tile size in the main loop is constant. Later passes then need no masks
    there.

    The pass peels a loop if its body has an `affine.min` of the induction
    variable and the upper bound of the loop. Such an `affine.min` limits the
    tile size to the rest of the range. The pass leaves other loops alone. One
    example is a loop whose upper bound `linalg-ext-tighten-loop-bounds` has
    replaced: peeling would not make its tile size constant. Another is a loop
    that multiplies elements of more than 16 bits, without `peel-wide-products`.

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
  let summary = "Print the plan and the cost of tile-and-fuse";
  let description = [{
    Prints to stderr what `linalg-ext-tile-and-fuse` with the same options would
    do to each root. Use it to choose tile sizes, or to find out why something
    is not fused. The pass does not change the IR. It fuses the roots one after
    another in a copy, so that it explains each root as tile-and-fuse would find
    it.

    For each root it prints

    - the location;
    - the plan: at which level each op is fused; which ops are recomputed; which
      results the loops yield; which accumulators are repaired, and how; which
      ops stay outside, and why;
    - the FLOPs and the bytes moved, unfused and fused (docs/Explain.md
      describes the cost model);
    - `unprofitable`, if the fusion does not pay, so that
      `linalg-ext-fuse-for-cpu` would not do it.

    If tile-and-fuse would refuse the root, the pass prints the reason instead.

    With `format=json` it prints one JSON object for each root, each on its own
    line.

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
    repair root 'linalg.matmul': scale by the repair of 'linalg_ext.softmax'#0
    cost, unfused -> fused
    ```
  }];
  let options = [
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Loops to tile with, outermost first: for(..), forall(..) or "
           "split(..), with one tile size for each dimension of the root">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When to normalise results: eager (in every tile) or delayed (once, "
           "after the loops)">,
    Option<"exactness", "exactness", "std::string",
           /*default=*/"\"rounding\"",
           "Largest change to the result that a fusion may make: exact, "
           "reassociated or rounding">,
    Option<"rescaleThreshold", "rescale-threshold", "std::string",
           /*default=*/"",
           "Rescale accumulators only if a term grows by more than e^threshold "
           "(0 to 72); empty rescales in every tile">,
    Option<"rescaleElements", "rescale-elements", "bool", /*default=*/"false",
           "With rescale-threshold: decide for each element whether to rescale "
           "it, not for the whole tile">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"false",
           "Fuse elementwise ops that follow a root, and reshapes between "
           "them, into the levels that cut no reduction">,
    Option<"recompute", "recompute", "std::string", /*default=*/"\"all\"",
           "Elementwise operands of contractions that several iterations of the "
           "first level may each compute again: all, cheap (what costs less than "
           "storing it) or none">,
    Option<"dynamicSize", "dynamic-size", "int64_t", /*default=*/"1024",
           "Size that the cost model assumes for a dynamic dimension, in "
           "elements">,
    Option<"flopsPerByte", "flops-per-byte", "double", /*default=*/"8",
           "Number of FLOPs that a profitable fusion may add for each byte "
           "that it saves">,
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"1048576",
           "Ops that move at most this many bytes find their operands in a "
           "cache: fusing them saves no bytes">,
    Option<"format", "format", "std::string", /*default=*/"\"text\"",
           "Output format: text or json (one object a line for each root)">,
  ];
}

def LinalgExtDecomposePass : LinalgExt_Pass<"linalg-ext-decompose"> {
  let summary = "Lower LinalgExt ops to upstream ops";
  let description = [{
    Rewrites the ops of the LinalgExt dialect as upstream ops:

    - `linalg_ext.softmax` becomes several `linalg.generic` ops;
    - a product with `linalg_ext.diag` becomes a row scaling, which never
      materialises the matrix;
    - any other `linalg_ext.diag` becomes a `linalg.generic`;
    - any other `linalg_ext.batch_matmul` becomes a `linalg.contract`.

    Run the pass after `linalg-ext-tile-and-fuse` and before bufferization. It
    leaves a softmax on buffers alone, since that would need temporary tensors.

    The pass also gives each use of a `tensor.empty` a copy of the op. If
    several iter_args of a loop start from the same `tensor.empty`, upstream's
    one-shot bufferization may assign one buffer to all of them. CSE merges the
    copies again: do not run it between this pass and bufferization, or run
    `linalg-ext-privatize-destinations` after it.
  }];
}

def LinalgExtBoundTensorEmptyPass
    : LinalgExt_Pass<"linalg-ext-bound-tensor-empty"> {
  let summary = "Give each tensor.empty in a loop a static size";
  let description = [{
    Replaces a `tensor.empty` of dynamic size in a loop by a slice of a larger
    `tensor.empty` of static size. The buffer of a partial tile then has a
    static size, too, and can be hoisted out of the loop.

    The pass applies if each dynamic size has a constant upper bound, such as
    the tile size. It leaves a `tensor.empty` alone if its static form would
    exceed `max-bytes`, or if its elements are neither integers nor floats.
    Before that, it replaces slices of a `tensor.empty` by a `tensor.empty` of
    the size of the slice.

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
           "Leave a tensor alone if its static form has more than this number "
           "of bytes">,
  ];
}

def LinalgExtPrivatizeDestinationsPass
    : LinalgExt_Pass<"linalg-ext-privatize-destinations"> {
  let summary = "Give each destination its own tensor.empty or fill";
  let description = [{
    Gives each op that writes to an uninitialised or filled tensor its own copy
    of that tensor, so that bufferization inserts no copies of data. The tensor
    is a `tensor.empty`, a slice of one, or a `linalg.fill` of one. CSE merges
    such tensors. If several ops, or an op in a loop, then write to one,
    bufferization resolves the conflict with a copy. The pass clones the ops
    that create the tensor instead. The parts of a concatenation and their
    common destination keep one tensor, so that each part is computed in place.
    Run the pass directly before bufferization: CSE would undo it.

    The pass also saves buffers:

    - An elementwise op that writes to an uninitialised tensor overwrites an
      input instead, if no later op uses that input.
    - If the only use of a result is a `tensor.collapse_shape`, the op writes
      into a `tensor.expand_shape` of a `tensor.empty` of the final shape. A
      function then returns the buffer that it computes, or writes directly to
      an output buffer.
    - If a `bufferization.materialize_in_destination` guarantees that nothing
      else accesses its buffer, the op that computes the value writes directly
      to that buffer.

    With upstream's `one-shot-bufferize` (LLVM 22.1) the pass is also necessary
    for correct results. After CSE, several tensors that a loop carries may
    start as the same slice of a `tensor.empty`. Upstream may assign one buffer
    to all of them, and then the results are wrong.

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
  let summary = "Write the parts of concat, pad and scf.if into one tensor";
  let description = [{
    Rewrites tensors that consist of parts as one destination tensor into which
    each part is inserted. `eliminate-empty-tensors` and bufferization then let
    the op that computes a part write directly to its place. The pass skips the
    bodies of `scf.forall` (workgroups).

    - A `tensor.concat` becomes a chain of `tensor.insert_slice`s into a
      `tensor.empty`. A `tensor.pad` becomes a fill of its result and one
      `tensor.insert_slice`. Upstream's patterns do both.
    - If a `tensor.insert_slice` inserts into a function argument that is not
      writable, the result is a copy of the argument. One `linalg.generic`
      computes this copy and takes each element either from the slice or from
      the argument.
    - Both branches of an `scf.if` write the tensor that they yield into one
      destination before the `scf.if`, with
      `bufferization.materialize_in_destination`. The destination is a
      `bufferization.alloc_tensor`, or the tensor that the result is written to
      later. Its sizes must be known before the `scf.if`. The pass skips a
      result if both branches overwrite the same tensor anyway.
    - An inserted tensor that no op computes for this purpose alone is copied
      with a `linalg.copy`. Later passes can turn this op into a kernel like any
      other. Canonicalisation folds these copies away, so run the pass that
      tiles them next.
    - A constant of equal elements becomes a `linalg.fill`, unless its elements
      are of type `index`.

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
  let summary =
      "Lower expand_shape of several dynamic sizes to reinterpret_cast";
  let description = [{
    Lowers each `memref.expand_shape` that splits one dimension into several
    dynamic sizes to a `memref.reinterpret_cast` with these sizes. Tiles that
    pass through reshapes have such ops. The pass leaves every other
    `memref.expand_shape` alone.

    Run the pass before `expand-strided-metadata`. In LLVM 22.1.8 that pass
    assumes that at most one of the sizes is dynamic, and otherwise crashes.

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

def LinalgExtTileToThreadsPass : LinalgExt_Pass<"linalg-ext-tile-to-threads"> {
  let summary = "Tile linalg ops on buffers into pieces for CPU threads";
  let description = [{
    Tiles linalg ops on buffers that are in no loop into an `scf.forall` over
    tiles of their parallel dimensions. CPU threads can then share the pieces.
    Typical ops are those that `linalg-ext-tile-and-fuse` leaves: plain
    products, reductions of rows and elementwise ops. The pass also rewrites
    `memref.copy` as a linalg op and tiles it. It runs after bufferization, so
    that tiling causes no allocations or copies.

    A piece of a contraction has `rows` times `columns` elements of the result
    and the whole reduction. If that is less than eight times `min-work`
    iterations, it also spans the other parallel dimensions as far as needed. A
    piece of another op spans as many inner dimensions as needed for `min-work`
    iterations. The pass leaves an op alone if it would be a single piece. If a
    `linalg.fill` initialises the output of a reduction, each piece fills its
    part. The pieces, and so the results, do not depend on the number of
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
           "Iterations that a piece should have; eight times as many for a "
           "contraction">,
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

def LinalgExtTransposeTilesPass
    : LinalgExt_Pass<"linalg-ext-transpose-tiles"> {
  let summary = "Transpose operands so that contractions need no lane shuffles";
  let description = [{
    Transposes an operand of a contraction, so that vectorisation needs no
    shuffles between lanes. The lanes of a contraction lie along the last
    dimension of its result. If the right operand is contiguous along the
    reduction instead, as the keys are in Q K^T, each step would have to
    transpose a block of it. The pass has two ways to avoid this:

    - *Transpose the left operand.* This applies to a contraction in an
      `scf.for` that does not change the left operand. The pass transposes the
      left operand once, before the loop, and swaps the dimensions of the
      result. It also swaps the dimensions of elementwise results that depend on
      the result. Ops that reduce it read it through another indexing map. This
      way does not apply if anything other than a linalg op of the same block
      uses such a tile. Nor does it apply if an elementwise op reads another
      tensor, such as a mask, that is contiguous along the rows.
    - *Transpose the right operand*, otherwise. The pass does so before the
      contraction, or before the outermost loop that does not change the
      operand. This applies if at least 2 `min-lanes` rows of the left operand
      use it, and if its elements have the type of the result.

    Precondition: tensors, after tiling and before
    `linalg-ext-vectorize-buffers`. The pass leaves other contractions alone.

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
           "Fewest rows of the left operand that may become lanes; a dynamic "
           "number of rows is always enough">,
  ];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtVectorizeBuffersPass
    : LinalgExt_Pass<"linalg-ext-vectorize-buffers"> {
  let summary = "Vectorise linalg ops on buffers as loops over 1-D vectors";
  let description = [{
    Rewrites linalg ops on buffers, and `memref.copy`, as `scf.for` loops over
    register tiles of one-dimensional vectors. Sizes may be dynamic: the pass
    masks the last, partial vector. Run it after bufferization, for CPUs.

    The lanes of a vector lie along a parallel dimension in which the outputs
    are contiguous, or along a reduction. In the second case the loops combine
    the lanes at the end. The pass reassociates contractions and sums, and fuses
    a product with its addition to the accumulator (`math.fma`).

    A contraction of f16 or bf16 that accumulates in f32 converts its operands
    only once for a block of rows or columns, into buffers on the stack. This
    requires a reduction short enough for buffers of at most 64 KiB. With
    `dot-bf16`, one instruction multiplies pairs of bf16 without conversion. It
    treats subnormal inputs and results (magnitudes below 2^-126) as 0.

    The pass leaves an op alone if its payload is not elementwise, or if no
    dimension is suitable for lanes. `convert-linalg-to-loops` can lower such
    ops.

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
           "Width of a vector register in bits (a power of 2, at least 64)">,
    Option<"numRegisters", "num-registers", "int64_t", /*default=*/"32",
           "Number of vector registers (at least 4)">,
    Option<"dotBF16", "dot-bf16", "bool", /*default=*/"false",
           "Sum products of pairs of bf16 with x86's vdpbf16ps (AVX512-BF16)">,
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
  let summary = "Expand exp, tanh and erf into polynomials";
  let description = [{
    Replaces `math.exp`, `math.tanh` and `math.erf` on scalars and vectors by
    polynomials. Vectors then need arithmetic only, instead of one call for each
    element. The polynomials of tanh and erf are upstream's. The pass computes
    these functions of f16 and bf16 in f32. It leaves other functions to the
    math library, and does not change ops on tensors.

    Errors in f32 are

    - within 1 ulp for exp, subnormal results included;
    - within 5 ulp for tanh and erf;
    - larger for exp of an `arith.subf`, which takes fewer instructions. With x
      the difference, the error is within 1 + 0.25 |x| ulp of exp(x), and
      results below the smallest normal number are 0. With `avx512`, on
      `vector<16xf32>`, it is within 1 + 1.25 |x| ulp, and subnormal results are
      kept. Rounding x has already changed exp(x) by about as much.

    If a later pass expands `math.fma` into a product and a sum, errors are up
    to 1.2 times as large.
  }];
  let options = [
    Option<"avx512", "avx512", "bool", /*default=*/"false",
           "Use instructions of x86's AVX-512F and AVX-512DQ on "
           "vector<16xf32>">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
