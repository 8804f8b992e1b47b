//===- ProgramPasses.td - Passes on whole programs ---------*- tablegen -*-===//
//
// These passes prepare a program for tile-and-fuse, except for
// linalg-ext-read-parts, which runs after it. Passes.td includes this file.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PROGRAMPASSES
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PROGRAMPASSES

include "mlir/Pass/PassBase.td"

class LinalgExt_Pass<string name, string op = ""> : Pass<name, op> {
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::linalg_ext::LinalgExtDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtNormalizePass : LinalgExt_Pass<"linalg-ext-normalize"> {
  let summary = "Rewrite a program into the form that fusion expects";
  let description = [{
    Rewrites a program of `linalg`, `tensor`, `arith` and `math` ops into a
    normal form. Importers write the same computation in many ways. After this
    pass, later passes only have to match one of them. Every pipeline of this
    project starts with it.

    The pass works on tensors and has no preconditions. It leaves ops on buffers
    alone. It adds no data movement. The only computations that it duplicates
    are positions (`linalg.index` and values derived from it) and single
    elements; it recomputes them in the payload of each op that reads them. A
    second run changes nothing.

    The normal form of a function on tensors:

    ```
    program     ::= (fill | movement | elementwise | reduction | contraction
                     | online | reshape | slice | other)*
    fill        ::= linalg.fill of a scalar
    movement    ::= a transpose or broadcast that no structured op reads
    elementwise ::= linalg op with parallel loops only; its payload reads splats
                    as scalars; its maps may permute and drop loops
    reduction   ::= linalg op whose result has no unit dimension in place of a
                    reduced loop (no "keepdim")
    contraction ::= linalg op that sums products of its operands, possibly
                    widened; its payload does not compute the operands
    online      ::= linalg_ext.softmax
    reshape     ::= tensor.expand_shape or collapse_shape that cannot be folded
                    into an op next to it
    sizes       ::= tensor.dim of function arguments, where result shapes can be
                    reified
    ```

    The pass has five steps. Each step is a set of patterns that can be applied
    alone.

    1. *Spelling.* Ops of `arith` and `math` on tensors become `linalg.generic`.
       All canonicalization patterns run, and unused operands and results
       disappear. A `linalg.generic` that only yields a scalar becomes
       `linalg.fill`. A `tensor.dim` of a result becomes a size of an operand.
       If one operand of an op has a static size, the other operands get it,
       too. After a `cf.assert` that two sizes are equal, one value replaces the
       other. Elementwise ops compute positions in their payload and read splats
       as scalars, instead of reading a tensor. Truncations of constants fold.
       CSE runs at the end.
    2. *Operands.* Reductions drop the unit dimension that they keep, and so do
       the elementwise ops that read it. If the payload of a contraction
       computes on a single operand, that computation moves to an op before the
       contraction. If a `tensor.extract` in a payload reads few elements of an
       elementwise result, the payload computes these elements. If it reads a
       tensor at the position of the iteration, the tensor becomes an operand.
    3. *Online reductions.* Softmax written with upstream ops becomes
       `linalg_ext.softmax`, as by `linalg-ext-raise`.
    4. *Reshapes.* Reshapes fold into contractions, reductions, elementwise ops
       and softmax. These ops then have the dimensions that exist before a
       `tensor.collapse_shape` and after a `tensor.expand_shape`. Importers
       collapse batch and heads to use `linalg.batch_matmul`. Without the
       reshapes, tile sizes of one op are tile sizes of all ops.
    5. *Transposes.* Transposes and broadcasts fold into the indexing maps of
       the structured ops that read them. If the only user of a contraction
       transposes its result, the contraction writes the result transposed.

    The pass repeats steps 2 to 5, with the patterns of step 1 after each round,
    until nothing changes, but at most eight times. Programs of importers need
    two or three rounds.

    **Pattern sets.** With `patterns`, the pass applies the named sets instead,
    one after the other. These sets belong to the steps: `spelling`,
    `drop-kept-dims`, `extract-contraction-operands`, `extract-elements`,
    `fold-reshapes`, `fold-transpose`, `fold-transpose-into-producer`. Two more
    are for programs whose loops are tiled and whose LinalgExt ops are
    decomposed:

    - `fuse-elementwise` fuses each elementwise op into its only user, if the
      user reads each element in one iteration. Scaling, masking and converting
      a tile then takes one pass over it. Upstream's
      `linalg-fuse-elementwise-ops` also fuses into contractions. These read an
      element many times, and would compute it as often. Named elementwise ops
      become `linalg.generic` first, except fills, copies, broadcasts and
      transposes, which stay. One case stays unfused: an op that computes one
      value for each row from a reduction of that row, if its user sums the
      values of all rows. That op can then run where the row is reduced.
    - `factor-out-of-max` rewrites the maximum or minimum of a tensor times a
      positive constant as the constant times the maximum or minimum of the
      tensor. No op then has to store the scaled tensor: its other user can
      compute the product itself, after `fuse-elementwise`. The result is exact:
      rounding is monotonic, and NaNs, infinities and the signs of zeros stay as
      they were. The reduction must start from an infinity, and the product must
      have exactly one other user, an elementwise op.

    Before:

    ```mlir
    %kt = linalg.transpose ins(%k : tensor<6x37x8xf32>)
        outs(%e : tensor<6x8x37xf32>) permutation = [0, 2, 1]
    %s = linalg.batch_matmul ins(%q, %kt : ...) outs(%z : ...)
    %m = linalg.generic {indexing_maps = [#bmk, #bm], ...} ins(%s : ...) {
      // maximum
    } -> tensor<6x10xf32>
    %mk = tensor.expand_shape %m [[0], [1, 2]] output_shape [6, 10, 1] : ...
    %d = linalg.generic {indexing_maps = [#bmk, #bm0, #bmk], ...}
        ins(%s, %mk : tensor<6x10x37xf32>, tensor<6x10x1xf32>) {
      // difference; then its exponential, their sum, their quotient %p
    ```

    After:

    ```mlir
    %s = linalg.generic {indexing_maps = [#bmd, #bkd, #bmk], ...}
        ins(%q, %k : tensor<6x10x8xf32>, tensor<6x37x8xf32>) ...
    %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<6x10x37xf32>) ...
    ```
  }];
  let options = [
    ListOption<"patterns", "patterns", "std::string",
               "Pattern sets to apply, one after the other, instead of the "
               "steps to the normal form">,
  ];
}

def LinalgExtRaisePass : LinalgExt_Pass<"linalg-ext-raise"> {
  let summary = "Replace upstream softmax ops and chains by linalg_ext.softmax";
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

    The pass works on tensors of f16, bf16, f32 or f64. It leaves alone chains
    that it does not recognise. It does not erase ops that have other users. If
    the state of the new op is the same tensor as the maximum or the sum of the
    chain, other users of these read the state instead.

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
    - guards against fully masked rows: `m == -inf ? c : m`, the maximum of m
      and the lowest finite value, `l == 0 ? c : l`, the maximum of l and a
      positive number below 1, and `l == 0 ? c : 1 / l`. The pass also removes a
      `select` behind the softmax that yields 0 if all scores of a row are -inf.

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
    - A row that contains NaN is NaN, even if a guard behind the chain treated
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
  }];
}

def LinalgExtSliceProducersPass
    : LinalgExt_Pass<"linalg-ext-slice-producers"> {
  let summary = "Split an op into one op per slice if only slices are used";
  let description = [{
    Replaces an op by one op for each slice of its result, if the program uses
    nothing but disjoint slices of it. Each new op reads slices of the operands.
    The pass splits a producer of these operands in the same way, if now only
    slices of the producer are used. For example, a packed projection becomes
    three projections, for q, k and v. `linalg-ext-tile-and-fuse` does not fuse
    through slices, so run this pass before it.

    The pass splits an op if

    - it has one result, a tensor, has no side effects, and implements
      `TilingInterface`;
    - the indexing map of its result is a projected permutation, or the op is a
      `tensor.expand_shape` or `tensor.collapse_shape`;
    - its only users are `tensor.extract_slice` ops, in the block of the op and
      with strides of 1, and `tensor.dim`;
    - no slice takes the whole result, and the slices are provably disjoint, so
      that nothing is computed twice;
    - no operand or result is known to be empty;
    - the op can compute each slice as a tile. (A softmax cannot be tiled along
      its own dimension, for example.)

    The pass leaves other ops alone, with two exceptions. It splits
    `tensor.empty` and `linalg.fill` even if they have other users or their
    slices overlap, because they cost nothing. A slice of a concatenation
    becomes a slice of the part that it lies in.

    For a slice that drops unit dimensions, a `tensor.collapse_shape` follows
    the new op.

    Before:

    ```mlir
    %qkv = linalg.matmul ins(%x, %w : tensor<5x4xf32>, tensor<4x6xf32>)
        outs(%fill : tensor<5x6xf32>) -> tensor<5x6xf32>
    %q = tensor.extract_slice %qkv[0, 0] [5, 3] [1, 1]
        : tensor<5x6xf32> to tensor<5x3xf32>
    %k = tensor.extract_slice %qkv[0, 3] [5, 3] [1, 1]
        : tensor<5x6xf32> to tensor<5x3xf32>
    ```

    After, with fills of their own:

    ```mlir
    %wq = tensor.extract_slice %w[0, 0] [4, 3] [1, 1]
        : tensor<4x6xf32> to tensor<4x3xf32>
    %q = linalg.matmul ins(%x, %wq : tensor<5x4xf32>, tensor<4x3xf32>)
        outs(%fill_q : tensor<5x3xf32>) -> tensor<5x3xf32>
    %wk = tensor.extract_slice %w[0, 3] [4, 3] [1, 1]
        : tensor<4x6xf32> to tensor<4x3xf32>
    %k = linalg.matmul ins(%x, %wk : tensor<5x4xf32>, tensor<4x3xf32>)
        outs(%fill_k : tensor<5x3xf32>) -> tensor<5x3xf32>
    ```
  }];
}

def LinalgExtReducePartsPass
    : LinalgExt_Pass<"linalg-ext-reduce-parts"> {
  let summary = "Reduce the parts of a concatenation instead of the whole";
  let description = [{
    Replaces a reduction over a concatenation by reductions of the parts. Each
    reduction starts from the result of the one before. The program then does
    not need to write the concatenation to memory. Run the pass before
    `linalg-ext-tile-and-fuse`. It splits two kinds of reductions:

    - *An online reduction*, if the program uses only some of the parts in its
      result. The reduction of the other parts comes first, and the reduction of
      the used parts starts from its state. Attention sinks are such a case: the
      softmax includes the column of the sink, and the product with the values
      does not. All users of the result must be slices with strides of 1 that
      take the same range of whole parts. Only this result and the state may
      have users.
    - *A contraction* along the concatenated dimension. Rotary embeddings
      written with slices are such a case, and so are queries and keys that are
      both concatenated along the contracted dimension.

    A concatenation is a `tensor.concat`, or a sequence of `tensor.insert_slice`
    ops that cover a `tensor.empty` and differ along one dimension. Elementwise
    ops and reshapes may be between the concatenation and the reduction, if they
    have no other users; the pass splits them, too. A slice of a concatenation
    that lies in one part becomes a slice of that part.

    The pass leaves a reduction alone

    - if an op outside of the reduction and its producers uses the
      concatenation, which is then in memory anyway;
    - if a part or the result is known to be empty;
    - if it is a contraction, and an operand depends on a reduction along the
      contracted dimension, as the weights of a softmax do. One loop should
      compute the tiles of such an operand. `linalg-ext-read-parts` handles this
      case after the fusion.

    **Padding.** If the op that the pass runs on contains an online reduction,
    the pass also rewrites `tensor.pad` ops as a `tensor.concat` with filled
    tensors. The padding must be constant and along one dimension, and the users
    must be `linalg` ops or reshapes. The pass does not split reductions over a
    concatenation with a filled part. `linalg-ext-read-parts` splits the loops
    over it. If such a concatenation remains, it becomes a `tensor.pad` again.

    Before:

    ```mlir
    %c = tensor.concat dim(1) %x, %sink
        : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x9xf32>
    %y:4 = linalg_ext.softmax dimension(1) ins(%c : tensor<4x9xf32>)
        outs(%y0, %m0, %l0, %s0 : ..) -> ..
    %p = tensor.extract_slice %y#0[0, 0] [4, 8] [1, 1]
        : tensor<4x9xf32> to tensor<4x8xf32>
    ```

    After:

    ```mlir
    %z:4 = linalg_ext.softmax dimension(1) ins(%sink : tensor<4x1xf32>)
        outs(%z0, %m0, %l0, %s0 : ..) -> ..
    %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>)
        outs(%p0, %z#1, %z#2, %s0 : ..) -> ..
    ```
  }];
}

def LinalgExtReadPartsPass : LinalgExt_Pass<"linalg-ext-read-parts"> {
  let summary = "Split loops over a concatenation so that they read its parts";
  let description = [{
    Replaces slices of a concatenation in loops by slices of its parts. The
    program then does not need to write the concatenation to memory: attention
    with a cache, for example, reads past and new keys where they are. Run the
    pass after `linalg-ext-tile-and-fuse`. A concatenation is a `tensor.concat`,
    or a sequence of `tensor.insert_slice` ops that cover a `tensor.empty`.

    If an `scf.for` moves a slice along the concatenation, the pass splits the
    loop at the *seam*, the index where one part ends and the next one begins:

    - The first loop reads the tiles that lie in the first part.
    - The second loop reads the tiles that contain the seam. A
      `tensor.insert_slice` of a slice of each part assembles such a tile.
    - The third loop reads the tiles behind the seam. The pass splits it again
      if there are more parts.

    The pass does not build a loop that is known to be empty. If the length of
    the cache is a multiple of the tile size, for example, two loops remain.

    A loop may read several concatenations, such as keys and values. The first
    loop then ends at the first of their seams, and the third loop starts behind
    the last one.

    The pass splits a loop if

    - it has a constant step and no side effects;
    - the offset of the slice is the induction variable plus an invariant, and
      its size is at most the step;
    - the parts are defined outside of the loop.

    A slice that provably lies in one part becomes a slice of that part, without
    any split. Loops that the pass cannot split, such as `scf.forall`, assemble
    the slice from all parts in each iteration. The pass leaves a concatenation
    alone if it has users other than slices and `tensor.dim`. For example, a
    cache that the function returns is in memory anyway.

    `linalg-ext-reduce-parts` rewrites padding as concatenations with filled
    tensors. This pass splits the loops over them, too. If such a concatenation
    remains, the pass rewrites it as `tensor.pad`.

    From:

    ```mlir
    %k = tensor.concat dim(0) %past, %new
        : (tensor<128x64xf32>, tensor<32x64xf32>) -> tensor<160x64xf32>
    %r = scf.for %i = %c0 to %c160 step %c32 iter_args(%a = %init) -> .. {
      %tile = tensor.extract_slice %k[%i, 0] [32, 64] [1, 1] : ..
    ```

    To:

    ```mlir
    %p = scf.for %i = %c0 to %c128 step %c32 iter_args(%a = %init) -> .. {
      %tile = tensor.extract_slice %past[%i, 0] [32, 64] [1, 1] : ..
    ...
    %r = scf.for %i = %c128 to %c160 step %c32 iter_args(%a = %p) -> .. {
      %j = affine.apply affine_map<(d0) -> (d0 - 128)>(%i)
      %tile = tensor.extract_slice %new[%j, 0] [32, 64] [1, 1] : ..
    ```
  }];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PROGRAMPASSES
