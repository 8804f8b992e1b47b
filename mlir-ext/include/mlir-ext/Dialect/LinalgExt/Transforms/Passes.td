//===- Passes.td - Passes of the LinalgExt dialect ---------*- tablegen -*-===//
//
// Each pass runs alone on func and linalg input.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES

include "mlir-ext/Support/PassBase.td"

def LinalgExtTileAndFusePass : LinalgExt_Pass<"linalg-ext-tile-and-fuse"> {
  let summary = "Tile roots and fuse producers, including online reductions";
  let description = [{
    Tiles each root level by level and fuses its producers into the loops.
    Unlike upstream's driver, the pass also fuses an online reduction, such as a
    softmax, into a loop over tiles of the dimension that it reduces (a loop that
    *cuts* this dimension). The loop then carries the state of the reduction, and
    the pass *repairs* the accumulator of the root: it adapts the sums of earlier
    tiles to the new state. Softmax followed by a matmul thus becomes flash
    attention. Run the pass on tensors, after `linalg-ext-normalize` or
    `linalg-ext-raise`.

    **Roots.** A root is an op with the unit attribute `linalg_ext.root`. If no
    op has the attribute, the pass chooses one root for each online reduction.
    The candidates are the accumulations that the reduction feeds and that no
    other candidate depends on. The pass takes the candidate with the most
    loops, and the first one if there are several. Candidates that are not fused
    into its loops (see Siblings) become roots of their own. If one of these
    cannot be tiled, the pass only emits a remark.

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
    `explain` prints, says why.

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
    example. With `recompute=none` the pass computes this operand once, before
    the loops, and stores it. With `recompute=cheap` it does so if this
    costs less than computing the operand in each iteration; see
    docs/Rationale/Fusion.md.

    **Consumers.** With `fuse-consumers` the pass also fuses the elementwise ops
    (transposes included) that follow the root, reductions that start from a
    `linalg.fill`, and the reshapes between them. It fuses them into the levels
    before the first one that cuts a reduction: the tiles of the root are final
    there. It fuses a reduction only if tiles are whole along what it reduces,
    such as for a norm of each head. It fuses a reshape only if each tile
    of its source is one tile of its result. Other operands of the consumers
    move before the loops if they do not depend on the root. What the loops leave
    of producers is followed as well: the log-sum-exp of a softmax is computed
    from its states.

    Before:

    ```mlir
    %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<4x64xf32>)
        outs(%p0, %m0, %l0, %r0 : ..) -> ..
    %o = linalg.matmul ins(%p#0, %v : tensor<4x64xf32>, tensor<64x8xf32>)
        outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    After, for `levels="for(0,0,16)" normalization=eager`:

    ```mlir
    %r:3 = scf.for %i = %c0 to %c64 step %c16
        iter_args(%acc = %zero, %m = %m0, %l = %l0) -> .. {
      %si = tensor.extract_slice %s[0, %i] [4, 16] [1, 1] : ..
      %p:4 = linalg_ext.softmax dimension(1) online
          ins(%si : tensor<4x16xf32>) outs(%pi, %m, %l, %ri : ..) -> ..
      // The repair: what was accumulated times the change of the state.
      %rho = linalg_ext.diag ins(%p#3 : tensor<4xf32>)
          outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
      %repaired = linalg_ext.batch_matmul
          ins(%rho, %acc : tensor<4x4xf32>, tensor<4x8xf32>)
          outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
      %vi = tensor.extract_slice %v[%i, 0] [16, 8] [1, 1] : ..
      %o = linalg.matmul ins(%p#0, %vi : tensor<4x16xf32>, tensor<16x8xf32>)
          outs(%repaired : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %o, %p#1, %p#2 : ..
    }
    ```

    **Explanation.** With `explain=text` or `explain=json` the pass does not
    change the IR. It prints to stderr what it would do to each root. Use it to
    choose tile sizes, or to find out why something is not fused. It fuses the
    roots one after another in a copy, so that it explains each root as it would
    find it.

    For each root it prints

    - the location;
    - the plan: at which level each op is fused; which ops are recomputed; which
      results the loops yield; which accumulators are repaired, and how; which
      ops stay outside, and why;
    - the FLOPs and the bytes moved, unfused and fused (docs/Explain.md
      describes the cost model);
    - `unprofitable`, if the fusion does not pay on a CPU, so that
      `linalg-ext-fuse` would not do it. The L2 cache is that of the module's
      description (Support/CPUTarget.h).

    If it would refuse the root, it prints the reason instead. With
    `explain=json` it prints one JSON object for each root, each on its own line.

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
           "first level may each compute again: all, cheap (if that costs less "
           "than storing them) or none">,
    Option<"explain", "explain", "std::string", /*default=*/"\"none\"",
           "Print what would be fused instead of fusing: none (fuse), text or "
           "json (one object a line for each root)">,
    Option<"dynamicSize", "dynamic-size", "int64_t", /*default=*/"1024",
           "With explain: size that the cost model assumes for a dynamic dimension, in "
           "elements">,
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
    - any other `linalg_ext.batch_matmul` becomes a `linalg.contract`;
    - `linalg_ext.paged_gather` becomes a `linalg.generic` that reads the table
      and the pool element by element. Before each read, it tests whether the
      element exists;
    - `linalg_ext.store_rows` is moved into the `scf.forall` that computes the
      rows, if each tile of this loop has rows of one sequence only. The loop
      inserts the rows of a tile that are stored into the pool. Its inner loops
      run no iteration for a tile without such rows. If there is no such loop, or
      if tiles of several rows go to pages, the op becomes an `scf.forall` that
      stores one row in each iteration.

    Run the pass after `linalg-ext-tile-and-fuse` and before bufferization. It
    does not change a softmax, a `paged_gather` or a `store_rows` on buffers.

    The pass also gives each use of a `tensor.empty` a copy of the op. If
    several iter_args of a loop start from the same `tensor.empty`, upstream's
    one-shot bufferization may assign one buffer to all of them. CSE merges the
    copies again: do not run it between this pass and bufferization, or run
    `linalg-ext-prepare-destinations{steps=privatize}` after it.

    Before:

    ```mlir
    %d = linalg_ext.diag ins(%v : tensor<8xf32>)
        outs(%d0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg_ext.batch_matmul ins(%x, %d : tensor<4x8xf32>, tensor<8x8xf32>)
        outs(%zeros : tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    After:

    ```mlir
    %p = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%v : tensor<8xf32>) outs(%x : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.mulf %in, %out : f32
      linalg.yield %0 : f32
    } -> tensor<4x8xf32>
    ```
  }];
  let options = [
    Option<"keepGathers", "keep-gathers", "bool", /*default=*/"false",
           "Do not decompose a linalg_ext.paged_gather of which a reduction reads "
           "elements, or what reshapes and elementwise ops make of them; "
           "linalg-ext-prepare-operands tiles it by pages">
  ];
}

def LinalgExtRaisePass : LinalgExt_Pass<"linalg-ext-raise"> {
  let summary = "Replace softmax chains and gathers by ops of linalg_ext";
  let description = [{
    Replaces `linalg.softmax`, and chains of ops that compute a softmax, by
    `linalg_ext.softmax`. That op can carry its state from tile to tile, so
    `linalg-ext-tile-and-fuse` can tile the dimension that it reduces. The chain
    is

    ```
    m = max_d x,  e = b^(k (x - m)),  l = sum_d e,  y = e / l     b = e or 2
    ```

    Run the pass before `linalg-ext-tile-and-fuse`. `linalg-ext-normalize`
    includes it.

    The pass works on tensors of f16, bf16, f32 or f64. It does not change chains
    that it does not recognise. It does not erase ops that have other users. If
    the state of the new op equals the maximum or the sum of the chain, other
    users of these read the state instead.

    **What is recognised.** The pass compares what the ops compute for each
    element, not the names of the ops. It accepts

    - named ops, `linalg.generic`, `linalg.map`, `linalg.elementwise` and
      `linalg.reduce`;
    - steps in separate ops, and several steps fused into one op;
    - broadcasts as ops, and broadcasts in indexing maps;
    - reductions that keep a dimension of size 1;
    - a quotient, a product with the reciprocal, and a division in the exponent,
      e^(x - (m + log l));
    - casts around the chain;
    - one mask on maximum, sum and result: the values -inf, 0 and 0 replace the
      masked elements;
    - initial values that do not change the result: -inf, a value that is at
      most the lowest finite one, or (for `maxnumf`) NaN for the maximum, and 0
      for the sum;
    - a sink, one more element without a result: the sum starts from
      e^(k (sink - m)), or this is added to it, and the maximum may be that of
      the sink, too. The new op starts from the state (k sink, 1);
    - a maximum that leaves out NaNs, also if it is NaN for rows that have
      nothing else: the sum has them;
    - guards against fully masked rows: `m == -inf ? c : m`, the maximum of m
      and the lowest finite value, `l == 0 ? c : l`, the maximum of l and a
      positive number below 1, and `l == 0 ? c : 1 / l`. The pass also removes a
      `select` after the softmax that yields 0 if all scores of a row are -inf.

    **Gathers.** The pass also replaces structured ops that gather rows by
    `linalg_ext.paged_gather`, if a contraction reads the result, also in a
    concatenation. Such an op reads
    each element of its result from a tensor, at the same coordinates except for
    one. That coordinate, the number of the row, is computed from elements of
    other tensors. If it is the entry of a matrix in a row that each sequence names, the
    rows are a flat table with a start for each sequence. If the computation is otherwise
    more than a cast, its results become a table that is computed before the op. If the new op can express them,
    `tensor.collapse_shape`, `tensor.expand_shape` and transposes after the gather
    become part of it. A payload may also read row s mod n of the page that a table
    has at s / n, where n is the number of rows in a page of the tensor, and select
    zero from a length on.

    If x is z - max_d z (importers subtract the maximum so that f16 does not
    overflow), the pass takes the softmax of z, unless the maximum of x has
    users.

    From:

    ```mlir
    %m = linalg.reduce { arith.maximumf }
        ins(%x : tensor<3x4xf32>) outs(%m0 : tensor<3xf32>) dimensions = [1]
    %mb = linalg.broadcast
        ins(%m : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
    %s = linalg.sub ins(%x, %mb : tensor<3x4xf32>, tensor<3x4xf32>)
        outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
    %e = linalg.exp
        ins(%s : tensor<3x4xf32>) outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
    %l = linalg.reduce { arith.addf }
        ins(%e : tensor<3x4xf32>) outs(%l0 : tensor<3xf32>) dimensions = [1]
    %lb = linalg.broadcast
        ins(%l : tensor<3xf32>) outs(%full : tensor<3x4xf32>) dimensions = [1]
    %y = linalg.div ins(%e, %lb : tensor<3x4xf32>, tensor<3x4xf32>)
        outs(%full : tensor<3x4xf32>) -> tensor<3x4xf32>
    ```

    to, with %m1 filled with -inf and %l1 with 0:

    ```mlir
    %y:4 = linalg_ext.softmax dimension(1)
        ins(%x : tensor<3x4xf32>)
        outs(%full, %m1, %l1, %row : tensor<3x4xf32>, tensor<3xf32>,
             tensor<3xf32>, tensor<3xf32>)
        -> tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
    ```

    **How results change.**

    - A fully masked row is 0, with maximum -inf and sum 0. In the chain it was
      NaN, or its maximum was the lowest finite value.
    - A row that contains NaN is NaN, even if a guard after the chain treated
      NaN like -inf.
    - Sums of f16 and bf16 chains accumulate in f32. If a chain extends f16 (or
      bf16) input to f32 and truncates the result to the type of the input, it
      becomes a softmax of values of that type, with f32 state.
    - The pass multiplies the scores by a factor k other than 1 (or log2(e), for
      powers of 2), at least in f32. The rounding error of an exponent is then
      relative to the score. In the chain it was relative to the difference of
      the score and the maximum.

    **What is not recognised.**

    - `arith` ops on whole tensors. Run `convert-elementwise-to-linalg` first.
    - Reshapes in the chain, unless they only add or drop dimensions of size 1.
    - Softmax along several dimensions, or along one of static size 1.
    - Chains in which several equal reductions compute the same value. Run `cse`
      first.

    **Log-sum-exp.** With `return-log-sum-exp`, the pass then adds one function
    result for each `linalg_ext.softmax`: the log-sum-exp of every row. It is m + ln(l), where m is the maximum and l the sum in the
    state of the softmax. The new results follow the existing ones, in program
    order, and have the type of the maximum. The log-sum-exp of a fully masked
    row is -inf. Training needs the log-sum-exp, and so does code that merges
    partial attention results.

    `linalg-ext-tile-and-fuse` then computes it from the final state of the loops.
    Functions without a softmax do not change. Calls of the others are updated;
    the callers ignore the new results. It is an error if

    - the pass does not run on a module;

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
  let options = [
    Option<"returnLogSumExp", "return-log-sum-exp", "bool",
           /*default=*/"false",
           "Add the log-sum-exp of every softmax to the function results">,
  ];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
