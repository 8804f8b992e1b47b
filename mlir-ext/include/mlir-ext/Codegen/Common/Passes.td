//===- Passes.td - Passes that CPUs and GPUs share --------*- tablegen -*--===//
//
// Passes that CPUs and GPUs share.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_PASSES
#define MLIR_EXT_CODEGEN_COMMON_PASSES

include "mlir-ext/Support/PassBase.td"

def LinalgExtNormalizePass : LinalgExt_Pass<"linalg-ext-normalize"> {
  let summary = "Rewrite a program into the form that fusion expects";
  let description = [{
    Rewrites a program of `linalg`, `tensor`, `arith` and `math` ops into a
    normal form. Importers write the same computation in many ways. After this
    pass, later passes only have to match one form. Every pipeline of this
    project starts with it.

    The pass works on tensors, and does not change ops on buffers. An op on tensors
    with encodings is an error; the program then stays as it was. The pass adds no
    data movement. It duplicates only two kinds of computations: positions
    (`linalg.index` and values derived from it), and single elements. It recomputes
    them in the payload of each op that reads them. A second run changes nothing.

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

    With `inline-private`, the pass first inlines calls of private functions, and
    erases functions that nothing calls any more. Importers write parts of a model,
    such as a softmax, as private functions, and nothing is fused across a call.
    Upstream's `inline` also inlines public functions. This pass leaves those calls
    alone, since public functions are compiled anyway. It also leaves alone calls of
    external and of recursive functions, calls with `no_inline`, and calls of
    functions with `no_inline`.

    With `unroll-loops=n`, the pass unrolls each `scf.for` that carries tensors, is in
    no `scf.forall`, is known to have at most n iterations, and becomes at most 20000
    ops. A GPU can then compute several iterations in one kernel.

    A tensor of complex numbers becomes two tensors: the real parts and the imaginary
    parts. Upstream's patterns compute with the parts. Arguments, results and operands
    of other dialects stay complex. So does an op that reads and writes only these.

    Then the pass has five steps.

    1. *Spelling.* Ops of `arith` and `math` on tensors become `linalg.generic`.
       All canonicalization patterns run, and unused operands and results
       disappear. A `linalg.generic` that only yields a scalar becomes
       `linalg.fill`. A `tensor.dim` of a result becomes a size of an operand.
       If one operand of an op has a static size, the other operands get it,
       too. After a `cf.assert` that two sizes are equal, one value replaces the
       other. Elementwise ops compute positions in their payload and read splats
       as scalars, instead of reading a tensor. Truncations of constants fold.
       Scaling ops of `arith` become products and quotients. CSE runs at the end.

       Other ops get one spelling each:

       - An elementwise op may ask for the position along a dimension of size at
         most 4 along which its operands do not vary. It becomes a concatenation of
         one elementwise op for each position.
       - An elementwise op whose payload branches on the position along a dimension of
         known size, as StableHLO writes concatenations, becomes a concatenation of an
         op for each branch. What a branch extracts at the position, or at a known
         distance from it, is a slice. An op that is only returned stays as it is.
       - An `scf.while` carries an integer instead of a tensor without dimensions,
         if the integer is computed from integers alone. (One that may wrap around,
         such as a random number, stays a tensor unless the condition of the loop
         reads it.) If the loop counts up by a known step, it becomes an `scf.for`.
       - An `scf.if` may broadcast a tensor along a dimension only if its size is 1
         there. It becomes the tensor, if its result has the size of the tensor.
       - An `scf.if` whose branches are elementwise, with at most 12 ops of `arith`
         for an element, becomes an elementwise op that selects.
       - A reduction may select its old accumulator to leave out an element. It
         combines the neutral element instead.
       - The maximum of a whole tensor becomes the maximum of its rows' maxima, if
         the program computes these anyway.
       - Padding by a number that is negative, or may be, becomes padding of a
         slice.
       - A concatenation drops parts of size 0.
       - A reshape that collapses all dimensions into one and expands them again
         leaves out dimensions that are equal in front, or at the end. A
         `tensor.reshape` becomes such a pair.
       - A `tensor.generate` becomes an elementwise op. `linalg.pack` and
         `linalg.unpack` become padding, reshapes and transposes. Windows of a
         pooling that do not overlap become dimensions of a reshape. A convolution
         whose window is the whole image, or has one element, becomes a product.
         Windows of a padded tensor, each as long as the tensor, become reductions
         of the tensor up to a position (cumulative sums of StableHLO).
       - A product that is added to a number, and whose sums have one term each, becomes
         an elementwise op. A product of the weights of a softmax over one key does not.
       - An op with both an elementwise result and a reduction becomes two ops under
         three conditions: it reads an earlier reduction of the same rows (such as
         their maximum), only reductions read the elementwise result, and nothing
         is then computed twice.
       - A lookup in a constant table of at most 16 numbers, by an index in a
         tensor, becomes selects by the bits of the index.
    2. *Operands.* Reductions drop the unit dimension that they keep, and so do
       the elementwise ops that read it. A reshape may drop a dimension of size 1
       (a batch of one) between reduced rows and an elementwise op. If the op has a
       loop of size 1 there, it reads the rows in front of the reshape.
       Elementwise ops that dequantize weights drop dimensions of size 1 that a
       reshape merges with what is summed: one group for a whole column.
       If the payload of a contraction
       computes on a single operand, that computation moves to an op before the
       contraction. If a `tensor.extract` in a payload reads few elements of an
       elementwise result, the payload computes these elements. A
       `tensor.extract` at the position of the iteration becomes an operand. One of
       a padded tensor becomes one of the tensor in front of the padding, and a
       select of the padding.
       A payload may read one element of each row of a contraction of which all
       other users are reductions along the rows. That element then becomes a sum
       along the row.
       If dimensions are merged and then reduced, elementwise ops between compute
       on the merged dimension. They read operands that lack one of the merged
       dimensions with `tensor.extract`.
       One elementwise op unpacks integers of few bits, of which a word has several.
       The position in the word is one of its dimensions. It shifts by a multiple of
       this position, and masks. Importers instead write a mask and a shift for each
       position, and stack or concatenate the results, or shift by a constant
       tensor.
    3. *Online reductions.* Softmax written with upstream ops becomes
       `linalg_ext.softmax`, as by `linalg-ext-raise`.
    4. *Reshapes.* Reshapes fold into contractions, reductions, elementwise ops
       and softmax. These ops then have the dimensions that exist before a
       `tensor.collapse_shape` and after a `tensor.expand_shape`. Importers
       collapse batch and heads to use `linalg.batch_matmul`. Without the
       reshapes, tile sizes of one op are tile sizes of all ops.
       A slice that takes whole parts of a merged dimension moves in front of the
       merge. An expansion of a concatenation becomes an expansion of each of its
       parts. A slice of whole rows between an expansion and a collapse of the same
       dimensions becomes a slice of the operand of the expansion. The dimension of
       unpacked integers stays merged in front of a contraction.
    5. *Transposes.* Transposes and broadcasts fold into the indexing maps of
       the structured ops that read them. An elementwise op whose inputs are
       all broadcast along a dimension computes without this dimension; its
       result is broadcast. If the only user of a contraction transposes its
       result, also after a collapse, the contraction writes the result transposed.

    The pass repeats steps 2 to 5, with the patterns of step 1 after each round,
    until nothing changes, but at most eight times. Programs of importers need
    two or three rounds. At the end, payloads that divide integers by a value that
    varies among the elements get a guard: they divide by 1 in place of 0. Vectors
    have lanes behind the end of a row, which read 0.

    **Pattern sets.** With `patterns`, the pass applies the named sets instead,
    one after the other. These sets belong to the steps: `spelling` (step 1
    without CSE and without the conversion of ops of `arith` and `math`),
    `drop-kept-dims`, `split-zero-points` (a product of integers less zero
    points, as the product and sums),
    `extract-contraction-operands`, `extract-elements`,
    `unpack-elements`, `collapse-elementwise`, `fold-reshapes`, `fold-transpose`,
    `fold-transpose-into-producer`. Seven are for
    programs in the normal form, before fusion:

    - `split-all-zero-points` is `split-zero-points` also where at most 8 rows meet an
      operand, whose sums read it once more. If a zero point needs the sums of signed
      elements, unsigned ones that an op computes lose 128 before the product, so that both
      operands are signed. For GPUs: without it, threads multiply integers of 32 bits.
    - `sum-windows` rewrites an op that reduces windows of at most 9 elements, such as
      a depthwise convolution, as an elementwise op on a slice for each element.
      There must be a window at each position (no strides), and each window must be
      read for one element of the result: convolutions that sum channels read it for
      each of their columns. Only the pipelines for GPUs use it.
    - `split-sums` rewrites a contraction of a sum or difference, such as
      differential attention, as the sum of two contractions. It applies if the
      terms are computed from different online reductions. Each contraction can
      then be fused with its own. The result is equal in exact arithmetic.
      `linalg-ext-fuse` applies the set unless `exactness` is `exact`.
    - `scale-after-contraction` rewrites a contraction whose operand is scaled by
      rows, by columns or as a whole: it scales the result instead. The
      factor must be an operand of an elementwise op that only the contraction
      reads, and must not depend on a dimension that is summed over. The result is
      equal in exact arithmetic. Unless `exactness` is `exact`, `linalg-ext-fuse`
      applies the set in two cases: to an operand stored as integers or as floats
      of 8 bits that at most 16 rows read; and to two operands stored as floats of
      8 bits whose sums have at least 32 bits, also with scalar factors.
    - `split-groups` rewrites an elementwise op that dequantizes integers unpacked from
      words, and reads scales at positions: at that of an element divided by the
      elements of a group, or at that of merged columns. The dimension becomes the
      groups and the elements of a group, and the scales are an operand.
    - `split-words` rewrites a contraction of integers that are unpacked from
      words. The position in a word becomes a dimension of its own, outside of
      the words. The other operand is transposed to this order, and the result is
      transposed back. The lanes of a CPU's vector then have the same position in
      consecutive words. What the ops between read of fewer elements, such as
      scales, is transposed, too. If columns and sums are both merged, each
      becomes its dimensions in turn.

    - `merge-words` does the opposite for GPUs, where words have integers of several
      columns: what is unpacked for a contraction is computed on merged columns, and
      reads the word of each. Tiles of columns are then tiles of what is unpacked.
      Values of attention keep their words, since a tile has all of their columns,
      and so do words that an op gathers, which would be stored first. Zero points of
      groups, which are packed along the columns as well, are unpacked where they are
      read.
      An op that unpacks integers reads the rows of a small tensor that a table names,
      such as the scales of groups (GPTQ's `g_idx`), where it uses them.
    - `read-gathered-rows` is this last part for CPUs. It applies if the innermost
      loop goes along the rows, so that a vector loads adjacent elements.

    Four more are for programs whose loops are tiled and whose LinalgExt ops are
    decomposed:

    - `compute-tables` computes an entry of a table of integers where it is read. It
      applies if an elementwise op in the same `scf.forall` computes the whole table:
      one that counts negative entries from the end, for example. Otherwise each
      workgroup would keep a copy of the table.
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
    - `fuse-dequantization` fuses elementwise ops into a contraction that reads
      each of their results for at most 8 rows. These ops convert weights or a
      cache from integers, or from floats of 8 bits. They must read fewer bytes
      than they write, and have no divisions and no math functions. The contraction
      becomes a `linalg.generic` that reads the stored numbers. The CPU pipeline
      vectorises it as it is. Other passes no longer recognise it as a contraction.
    - `widen-accumulators` lets contractions and other sums with a result of f16 or
      bf16 accumulate in f32. Each element of the result is rounded once.

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
    Option<"inlinePrivate", "inline-private", "bool", "false",
           "First inline calls of private functions of the module">,
    Option<"unrollLoops", "unroll-loops", "int64_t", "0",
           "Unroll loops that carry tensors and have at most so many "
           "iterations, and normalize the result">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::linalg_ext::LinalgExtDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtSplitConcatenationsPass
    : LinalgExt_Pass<"linalg-ext-split-concatenations"> {
  let summary = "Read the parts of a concatenation instead of the whole";
  let description = [{
    Makes programs read the parts of concatenations, so that the whole need not be
    in memory. Runs the steps that `steps` names, or all, in the order of this page.
    `reduce-parts` and `split-gates` run before `linalg-ext-tile-and-fuse`, `select-parts` before
    other loops over tiles are built, and `read-parts` after each of them.

    ### `reduce-parts`

    Replaces a reduction over a concatenation by reductions of the parts. Each
    reduction starts from the result of the one before. It splits two kinds of
    reductions:

    - *An online reduction*, if the program uses its result for only some of the
      parts. The other parts are reduced first, and the reduction of the used
      parts starts from their state. Attention sinks are such a case: the softmax
      includes the column of the sink, and the product with the values does not.
      All users of the result must be slices with strides of 1 that take the same
      range of whole parts. Only this result and the state may have users.
    - *A contraction* along the concatenated dimension. Rotary embeddings
      written with slices are such a case, and so are queries and keys that are
      both concatenated along the contracted dimension. The step also splits a
      contraction over two dimensions that cannot be merged, because an elementwise
      operand varies along the outer one only. If the inner one has at most 4
      elements, each element is a part. Rotations of pairs, written as products with
      2 x 2 matrices, are such a case.

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
      compute the tiles of such an operand. `read-parts` handles this case after
      the fusion.

    **Slices of a result.** If the program uses only slices of the result of an
    online reduction, along dimensions that are not reduced, each slice gets its own
    reduction, and its own contraction for the scores. Differential attention is such
    a case: it subtracts every second head of one softmax from the other heads. The
    step does the same for at most 4 slices of a contraction after the reduction, if
    they are rows of the weights, and if reading the other operand once for each
    slice costs no more than the result. An example is attention over text and image
    as one sequence that is taken apart afterwards.

    **Concatenations of scores.** If an online reduction reads a concatenation of
    scores that contractions of the same queries compute, the step concatenates the
    keys instead. One contraction then computes all scores. An elementwise op on one
    part, such as the mask of new tokens, applies where the position is in this part.
    If contractions of all slices of the weights are added, they become one
    contraction with the concatenated values.

    **Padding.** If the op that the pass runs on contains an online reduction,
    the pass also rewrites `tensor.pad` ops as a `tensor.concat` with filled
    tensors. The padding must be constant and along one dimension, and the users
    must be `linalg` ops or reshapes. The pass does not split reductions over a
    concatenation with a filled part. `read-parts` splits the loops over it. If such a
    concatenation remains, it becomes a `tensor.pad` again.

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

    ### `split-gates`

    Splits a contraction if one elementwise op combines up to four slices of its
    result: each slice becomes a contraction of its own. Programs often pack the
    weights of a gate with the weights of the product that it multiplies. After the
    split, one GPU kernel computes both contractions and the elementwise op, and their
    results are not stored. `reduce-parts` does this for slices after an online
    reduction.

    Before:

    ```mlir
    %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x12xf32>) ..
    %gate = tensor.extract_slice %y[0, 0] [4, 6] [1, 1] : ..
    %up = tensor.extract_slice %y[0, 6] [4, 6] [1, 1] : ..
    %r = linalg.mul ins(%gate, %up : tensor<4x6xf32>, tensor<4x6xf32>) ..
    ```

    After:

    ```mlir
    %w0 = tensor.extract_slice %w[0, 0] [8, 6] [1, 1] : ..
    %gate = linalg.matmul ins(%x, %w0 : tensor<4x8xf32>, tensor<8x6xf32>) ..
    %w1 = tensor.extract_slice %w[0, 6] [8, 6] [1, 1] : ..
    %up = linalg.matmul ins(%x, %w1 : tensor<4x8xf32>, tensor<8x6xf32>) ..
    %r = linalg.mul ins(%gate, %up : tensor<4x6xf32>, tensor<4x6xf32>) ..
    ```

    ### `select-parts`

    Fuses the elementwise op that computes a part of a concatenation into the
    elementwise ops that read the concatenation, as in rotary embeddings. An op then
    reads the operands of all parts, padded to the size of the concatenation, and
    selects the part by the position.

    The concatenation must have at most 4 parts, and nothing else may use the
    elementwise part. The users must be `linalg` ops, but no contractions. They must
    read the concatenation, or a slice of it, in the order of their loops, and must not
    reduce the dimension of its parts. A sequence of `tensor.insert_slice` ops with
    such users becomes a `tensor.concat`.

    ```mlir
    %n = linalg.negf ins(%x2 : tensor<8x32xf32>) outs(%e : ..) -> tensor<8x32xf32>
    %c = tensor.concat dim(1) %n, %x1
        : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
    %y = linalg.mul ins(%c, %sin : ..) outs(%e2 : ..) -> tensor<8x64xf32>
    ```

    becomes

    ```mlir
    %p2 = tensor.pad %x2 low[0, 0] high[0, 32] {..} : tensor<8x32xf32> to tensor<8x64xf32>
    %p1 = tensor.pad %x1 low[0, 32] high[0, 0] {..} : tensor<8x32xf32> to tensor<8x64xf32>
    %y = linalg.generic {..} ins(%sin, %p2, %p1 : ..) outs(%e2 : ..) {
    ^bb0(%s: f32, %a: f32, %b: f32, %out: f32):
      %j = linalg.index 1 : index
      %before = arith.cmpi slt, %j, %c32 : index
      %m = arith.negf %a : f32
      %r = arith.select %before, %m, %b : f32
      %v = arith.mulf %r, %s : f32
      linalg.yield %v : f32
    } -> tensor<8x64xf32>
    ```

    ### `read-parts`

    Replaces slices of a concatenation in loops by slices of its parts. A part may
    itself be a slice of a concatenation. The program then does not write the
    concatenation to memory: attention with a cache, for example, reads past and new
    keys where they are. Run the pass after `linalg-ext-tile-and-fuse`. A concatenation
    is a `tensor.concat`, or a sequence of `tensor.insert_slice` ops that cover a
    `tensor.empty`.

    If an `scf.for` takes slices along the concatenation, the pass splits the
    loop at the *seam*, the index where one part ends and the next one begins:

    - The first loop reads the tiles that lie in the first part.
    - The second loop reads the tiles that contain the seam. A
      `tensor.insert_slice` of a slice of each part assembles such a tile.
    - The third loop reads the tiles after the seam. The pass splits it again
      if there are more parts.

    The pass does not build a loop that is known to be empty. If the length of
    the cache is a multiple of the tile size, for example, two loops remain.

    A loop may read several concatenations, such as keys and values. The first
    loop then ends at the first of their seams, and the third loop starts after
    the last one.

    The pass splits a loop if

    - it has a constant step and no side effects;
    - the offset of the slice is the induction variable plus an invariant, and
      its size is at most the step;
    - the parts are defined outside of the loop.

    A loop may take slices of the result of an elementwise op or a reshape of a
    concatenation. If only this op reads the concatenation, the pass first
    computes the op part by part. The loop then reads the concatenation of the
    results.

    A slice that provably lies in one part becomes a slice of that part, without
    any split. Loops that the pass cannot split, such as `scf.forall`, assemble
    the slice from all parts in each iteration. The pass leaves a concatenation
    alone if it has users other than slices and `tensor.dim`. For example, a
    cache that the function returns is in memory anyway.

    A part may be a `linalg_ext.paged_gather`, a `linalg.generic` that extracts elements,
    or one that dequantizes such a part. If only loops take slices of it, each slice is
    computed there. The payload must not divide floats, or have functions of `math`.

    The step takes a `tensor.pad` as a concatenation with filled tensors, if all its
    users are slices in loops. (`reduce-parts` has rewritten others.) If such a
    concatenation remains, it becomes a `tensor.pad` again.

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
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: reduce-parts, split-gates, select-parts, read-parts; empty runs all">,
  ];
}

def LinalgExtScheduleForallPass : LinalgExt_Pass<"linalg-ext-schedule-forall"> {
  let summary = "Split scf.forall loops, and order their iterations by work";
  let description = [{
    Rearranges the iterations of `scf.forall` loops, over workgroups or over
    threads of a CPU. There are two steps: those that `steps` names, or both.
    `fission` is for loops on tensors, `order-by-work` for loops on buffers.

    ### `fission`

    Splits two nested `scf.forall` loops on tensors into two consecutive loops
    (loop fission). The inner loop is directly in the body of the outer loop.

    - The first loop runs over the iterations of both. It stores what the inner
      loop computes in tensors that have one slot for each iteration of the
      outer loop.
    - The second loop is the outer loop with the rest of its body. Each
      iteration reads its slot.

    Both loops compute the ops that both need. The inner loop may be a loop over
    the chunks of a reduction, such as a `split` level of
    `linalg-ext-tile-and-fuse`. Each chunk then gets a workgroup (or a thread)
    of its own.

    Preconditions: the bounds of the inner loop do not depend on the outer loop.
    Its outputs are allocated in the body of the outer loop and have bounded
    sizes. The ops of the outer body that it depends on have no side effects.
    The pass does not move other inner loops, and emits a remark. Nor does it
    move loops that are mapped to something other than `#gpu.block`, without a
    remark.

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

    ### `order-by-work`

    Reverses a dimension of an `scf.forall` if its later iterations take longer.
    A GPU starts workgroups in order. Without this pass the longest workgroups
    would start last and run alone at the end, while the rest of the GPU is
    idle.

    The pass compares iterations by the total trip count of the `scf.for` loops
    in the body. The loop bounds must show that this count grows with the
    induction variable. The bounds that `linalg-ext-tighten-loop-bounds`
    computes for causal attention show this. The step of the dimension must be
    constant. The pass leaves other dimensions alone.

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
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: fission, order-by-work; empty runs both">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
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
    body must yield its iteration arguments unchanged. For example, a softmax of
    -inf does not change its state, and a product with zeros does not change its
    accumulator. `andi`, `ori`, `xori` and `select` may combine comparisons. A
    mask may also be a tensor of i1, or of 0 and -inf, that another op in the
    loop computes.

    With `split-full-blocks` the iterations whose tile is fully visible get a
    loop of their own, without the mask. A window leaves some iterations in front
    of these, and some behind them. These loops keep the masks that hide
    something there: a diagonal hides nothing where the window starts if the
    window is at least as wide as a tile. Some masks leave one range of
    iterations at the beginning or the end, and another range elsewhere: an
    attention sink and a window, for example. The pass splits such a loop in
    two. In a kernel with asynchronous products, a loop that has at most three
    iterations keeps its masks.

    The pass makes two assumptions. First, values that are combined with a masked
    score are finite. If the pass skips a tile, a NaN or an infinity in a masked
    score, or in the value that is multiplied by its weight, does not reach the
    result. Second, coordinates along dynamic sizes, and scalars that the loop
    does not change, are less than 2^19 where the payload computes with them in
    32 bits. If integers may wrap around although these assumptions hold, the pass
    does not take their comparison for a mask: a hash of positions, for example, or a
    position in a byte.

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

    ### Remainders

    With `remainders`, the pass looks for no masks. It peels the last, partial
    iteration off `scf.for` loops over tiles instead, so that the tile size in
    the main loop is constant. Later passes then need no masks there.

    It peels a loop if its body has an `affine.min` of the induction variable
    and the upper bound of the loop. Such an `affine.min` limits the tile size
    to the rest of the range. Other loops stay as they are. One example is a
    loop whose upper bound was tightened before: peeling would not make its tile
    size constant. Another is a loop that multiplies elements of more than 16
    bits, if `split-wide-products` is false. A third is a loop of a kernel with
    asynchronous products (`vector_ext.kernel`) that only sums products: its last
    iteration is as fast as the others. A fourth is a loop that unpacks or scales
    groups of elements and merges them, if what is left is no multiple of 16
    elements, which matrix instructions sum.

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
    Option<"remainders", "remainders", "bool", /*default=*/"false",
           "Peel remainders instead of tightening bounds">,
    Option<"splitFullBlocks", "split-full-blocks", "bool", /*default=*/"true",
           "Give iterations whose tile is fully visible a loop without masks">,
    Option<"splitWideProducts", "split-wide-products", "bool", /*default=*/"true",
           "With split-full-blocks or remainders: also split loops that "
           "multiply elements of more than 16 bits">,
    Option<"wholeTiles", "whole-tiles", "bool", /*default=*/"false",
           "With split-full-blocks: leave a smaller last tile to the loop with "
           "masks, so that all tiles of the other loop have the same size">,
  ];
}

def LinalgExtPrepareDestinationsPass
    : LinalgExt_Pass<"linalg-ext-prepare-destinations"> {
  let summary = "Prepare destinations so that ops write in place";
  let description = [{
    Rewrites the tensors that ops write to, so that bufferization allocates no
    buffer in a loop and copies no data. Runs the steps that `steps` names, or
    all, in the order of this page. `privatize` must come directly before
    bufferization.

    ### `write-unread`

    Does the same as `write-into`, with an exception: it leaves alone what loops over
    tiles can read in parts. These are concatenations of at most 4 parts, and padding of
    one dimension with a constant, whose users are `linalg` ops that `select-parts` of
    `linalg-ext-split-concatenations` accepts.

    ### `write-into`

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

    ### `bound-empty`

    Replaces a `tensor.empty` of dynamic size in a loop by a slice of a larger
    `tensor.empty` of static size. The buffer of a partial tile then has a
    static size, too, and can be hoisted out of the loop.

    The pass applies if each dynamic size has a constant upper bound, such as
    the tile size. It leaves a `tensor.empty` alone if its static form would
    exceed 1 MiB, or if its elements are neither integers nor floats.
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

    ### `privatize`

    Gives each op that writes to an uninitialised or filled tensor a tensor of
    its own, so that bufferization inserts no copies of data. The tensor is a
    `tensor.empty`, a slice of one, or a `linalg.fill` of one. CSE merges such
    tensors. If several ops, or an op in a loop, write to one of them,
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
    - An `scf.forall` may read a tensor of a buffer tile by tile, and a
      `bufferization.materialize_in_destination` may write each result to the place of
      its tile. The loop then overwrites the tensor: a softmax in place, for example.
      The op loses `restrict`, because the buffer has a tensor already.
    - If a tensor is an unranked argument of a call, and other ops read it, the
      call gets a copy. The function may write to its argument, and
      bufferization cannot copy unranked tensors.
    - If all regions of an `scf.if` compute a result in the place of the same
      uninitialised or filled tensor, this branch gets a tensor of its own. If the
      tensor is not filled, and the result is only written to a part of another
      tensor, the regions compute it in this part.
    - A `memref.dealloc` of what the same block allocates is erased. Upstream's
      deallocation adds it again, and rejects programs that have some.
    - If the body of a `scf.for` or `scf.while` yields a tensor that is not
      computed in the buffer of the iteration argument, or if something reads
      the argument when the buffer has been overwritten, the body writes the
      tensor to this buffer. The tensor may be a new one, another argument
      (which is copied first), or one from outside of the loop. Bufferization
      accepts only loops in which each iteration hands on the same buffer. If the loop
      starts with an argument of the function, it starts with a copy instead. The
      condition of an `scf.while` hands on all buffers.

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
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: write-into, bound-empty, privatize; empty runs all">,
  ];
}

def LinalgExtPrepareCInterfacePass
    : Pass<"linalg-ext-prepare-c-interface", "::mlir::ModuleOp"> {
  let summary = "Give functions results and wrappers that C callers expect";
  let description = [{
    Prepares functions on buffers for callers in C, in two parts, which
    `drop-results` and `request-wrappers` switch.

    **Results** (after bufferization). Removes results of functions that are
    always the same argument, such as a destination that the function writes in
    place. Calls use the argument instead. This includes public functions.
    Upstream's `drop-equivalent-buffer-results` leaves public functions alone,
    and the deallocation pipeline would then copy the buffer.

    With `drop-results=private`, public functions keep their type. So does a
    function that something other than a call refers to.

    Two more changes apply to all functions, unless `drop-results=none`. A
    buffer that is returned twice is copied, so that each result has its own. If
    a function returns a reshape of a buffer that it allocates, the pass
    allocates the buffer in the shape of the result. The buffer can then become
    an argument.

    **Wrappers** (before the conversion to LLVM). Sets `llvm.emit_c_interface`
    on each public function that has a body. The conversion to LLVM then adds a
    wrapper that C can call. Upstream's `llvm-request-c-wrappers` also sets it
    on declarations. The functions that they declare would then need such a
    wrapper, too. A result of less than 32 bits gets `llvm.zeroext` (i1) or
    `llvm.signext`: C callers read more bits.

    Before:

    ```mlir
    func.func @f(%out: memref<4xf32>) -> memref<4xf32> {
      return %out : memref<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%out: memref<4xf32>) attributes {llvm.emit_c_interface} {
      return
    }
    ```
  }];
  let options = [
    Option<"dropResults", "drop-results", "std::string", /*default=*/"\"all\"",
           "Functions whose results that are an argument are dropped: none, "
           "private or all">,
    Option<"requestWrappers", "request-wrappers", "bool", /*default=*/"true",
           "Request wrappers for C of public functions">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"
  ];
}

def LinalgExtLegalizeBuffersPass : LinalgExt_Pass<"linalg-ext-legalize-buffers"> {
  let summary = "Rewrite copies and reshapes that upstream cannot lower well";
  let description = [{
    Rewrites ops on buffers for which upstream's lowering needs a library, or
    which it cannot lower, in three steps: those that `steps` names, or all.

    ### `copies-to-linalg`

    Converts each `memref.copy` between ranked buffers to a `linalg.generic`,
    unless both buffers are contiguous. Otherwise, the lowering of such a copy
    to LLVM would call a function of MLIR's runtime library.

    Before:

    ```mlir
    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    ```

    After:

    ```mlir
    linalg.generic {indexing_maps = [#id, #id],
                    iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<4x8xf32, strided<[16, 1]>>) outs(%b : memref<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```

    ### `resolve-view-rows`

    Replaces each load and prefetch of a `linalg_ext.view_rows` by two ops: a load of
    the row's number from its list, and a load or prefetch of this row of its source.
    Structured ops must be loops already.

    Before:

    ```mlir
    %v = linalg_ext.view_rows %a[%list] dims [0]
        : memref<?x64xf32>, memref<32x1xindex>
    %x = vector.load %v[%i, %j]
        : memref<32x64xf32, strided<[?, 1], offset: ?>>, vector<16xf32>
    ```

    After:

    ```mlir
    %row = memref.load %list[%i, %c0] : memref<32x1xindex>
    %x = vector.load %a[%row, %j] : memref<?x64xf32>, vector<16xf32>
    ```

    ### `resolve-expand-shape`

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
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: copies-to-linalg, resolve-view-rows, "
               "resolve-expand-shape; empty runs all">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

#endif // MLIR_EXT_CODEGEN_COMMON_PASSES
