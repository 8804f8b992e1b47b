//===- ProgramPasses.td - Passes on whole programs ---------*- tablegen -*-===//
//
// What is done to a program before anything of it is tiled. Passes.td includes
// this file.
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
    Importers write one computation in many ways. This pass rewrites what they
    write into one form, and every pipeline begins with it. It moves no data.
    Only positions (`linalg.index` and what is computed from them) and single
    elements are computed again, in the payload of each op that reads them.
    Running it again changes nothing.

    The normal form, for functions on tensors:

    ```
    program     ::= (fill | movement | elementwise | reduction | contraction
                     | online | reshape | slice | other)*
    fill        ::= linalg.fill of a scalar
    movement    ::= a transpose or broadcast that no structured op reads
    elementwise ::= linalg op with parallel loops only; splats are scalars in
                    its payload; maps may permute and drop loops
    reduction   ::= linalg op whose result has no dimension in place of a loop
                    that it reduces (no "keepdim")
    contraction ::= linalg op that sums products of its operands, widened or
                    not; operands are not computed in its payload
    online      ::= linalg_ext.softmax
    reshape     ::= tensor.expand_shape or collapse_shape that no op next to it
                    can take the dimensions of
    sizes       ::= tensor.dim of function arguments, where results can be
                    reified
    ```

    The steps, each a pattern set that can be applied alone:

    1. Ops of `arith` and `math` on tensors become `linalg.generic`. The IR is
       canonicalised (casts of shapes fold, for instance). A generic of a
       constant becomes `linalg.fill`. `tensor.dim` of a result becomes a size
       of an operand. Behind `cf.assert` on the equality of two sizes both are
       one value. Payloads compute positions, and read splats as scalars,
       instead of reading a tensor of them. Common subexpressions are
       eliminated.
    2. Reductions drop the dimension of size 1 that they keep, and so do the
       elementwise ops that read it. What is computed in the payload of a
       contraction from one of its operands is computed in front of it. Where
       `tensor.extract` in a payload reads few elements of an elementwise result,
       they are computed there, and what it reads by position is an operand.
    3. Online reductions are recognised, as by `linalg-ext-raise`.
    4. Reshapes fold into contractions, reductions, elementwise ops and softmax,
       which take the dimensions as they are before a `tensor.collapse_shape`
       and after a `tensor.expand_shape`. Importers merge batch and heads to use
       a `linalg.batch_matmul`; tiles of any sizes are then tiles of all ops.
    5. Structured ops read what is only transposed or broadcast through their
       indexing maps. A contraction whose result is only transposed writes it
       transposed.

    Steps 2 to 5 are repeated until none of them changes anything.

    Preconditions: none. Ops on buffers stay as they are.

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
}

def LinalgExtRaisePass : LinalgExt_Pass<"linalg-ext-raise"> {
  let summary = "Recognise online reductions written with upstream ops";
  let description = [{
    Replaces `linalg.softmax` and the chain

    ```
    m = max_d x,  e = b^(k (x - m)),  l = sum_d e,  y = e / l     b = e or 2
    ```

    on tensors by `linalg_ext.softmax`. The chain is recognised by what its
    ops compute for each element, not by which ops they are: named ops,
    `linalg.generic`, `linalg.map`, `linalg.elementwise` and `linalg.reduce`,
    with steps in ops of their own or fused, broadcasts explicit or in maps,
    reductions that keep a dimension of size 1, quotient or reciprocal, casts
    around the chain. It starts from a neutral maximum (-inf; NaN for
    `maxnumf`; the lowest finite value) and the sum 0. Guards of fully masked
    rows may be part of it: `m == -inf ? c : m` or a lowest finite bound of m, and
    `l == 0 ? c : l`, a positive bound of l below 1, or `l == 0 ? c : 1 / l`.
    If x is z - max_d z, so that nothing overflows in f16, it is the softmax of z,
    unless somebody asks for its maximum.
    What is not recognised is left alone, and no op that has other users is erased. Users of
    the chain's maximum and sum take them from the op's state where those are
    the same tensors.

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

    What changes in the results:
    - A fully masked row, NaN in the chain (or its maximum the lowest finite
      value), becomes 0, with maximum -inf and sum 0.
    - A row of NaN is NaN, also where a guard behind the chain takes NaN for -inf.
    - Sums of f16 and bf16 chains are accumulated in f32. An f16 chain computed
      in f32 between a cast from and a cast to f16 becomes a softmax of f16
      values, whose state is f32.
    - A factor k other than log2(e) or 1 is multiplied into the scores, in f32 at
      least: the exponents then have a rounding error relative to the scores,
      where the chain's was relative to their distance from the maximum.

    Not recognised: arith ops on whole tensors (run
    `convert-elementwise-to-linalg` before), reshapes that merge or split
    dimensions other than of size 1 within the chain, softmax along several
    dimensions or one of static size 1, and equal values that are computed by
    several equal reductions (run `cse` before).
  }];
}

def LinalgExtSliceProducersPass
    : LinalgExt_Pass<"linalg-ext-slice-producers"> {
  let summary = "Compute slices of results instead of slicing them";
  let description = [{
    An op of which only disjoint slices are used becomes one op for each slice,
    of slices of its operands; and so do their producers, if only slices of them
    are used then. A packed projection becomes one for each of q, k and v, which
    `linalg-ext-tile-and-fuse` fuses: it does not fuse through slices.

    Slices are in the block of the op, have strides of 1, and are provably
    disjoint, so that nothing is computed twice. Slices that drop dimensions
    become `tensor.collapse_shape`.

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
  let summary = "Reduce the parts of a concatenation one after another";
  let description = [{
    A reduction over a concatenation combines the reductions of its parts, so
    that nothing is concatenated:

    - *An online reduction of which only a part is used* starts from the state
      that the other parts leave: attention sinks, a column that the softmax
      sees and the product does not.
    - *A contraction* adds up the contractions of the parts, each starting from
      the result of the one before: rotary embeddings written with slices, and
      queries and keys that are concatenated along what is contracted.

    A concatenation is a `tensor.concat`, or `tensor.insert_slice`s one behind
    the other that cover a `tensor.empty`. Between it and the reduction there may
    be elementwise ops and reshapes, which then compute the parts, too, if nobody
    else uses them. A slice of a concatenation that lies in one of its parts is a
    slice of that part.

    Keys that are padded, by a `tensor.pad` along one dimension and with a
    constant, become a concatenation with what is filled if there is an online
    reduction below the op, for `linalg-ext-read-parts`, which makes a
    `tensor.pad` of what is left of them.

    Nothing is split if an operand along the dimension that is summed depends on
    a reduction along it (the weights of a softmax): tiles of it are to be
    computed in one loop, which `linalg-ext-read-parts` takes care of.

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
  let summary = "Loops over a concatenation read its parts";
  let description = [{
    A tile of a `tensor.concat` (or of `tensor.insert_slice`s that cover a
    `tensor.empty`) is taken from the part that it lies in, so that past and new
    keys are read where they are. The `scf.for` that moves the tile is split:
    what lies in the first part, what lies behind it, and between the two the
    tiles at the seam, which are put together from a slice of each part
    (`tensor.insert_slice`). Loops that are known to be empty are not built. So
    a cache whose length is a multiple of the tile takes two loops.

    Several concatenations in a loop (keys and values) share its parts: the loop
    in front ends where the first of the seams is, the one behind starts where
    the last one is.

    Concatenations that something else than slices uses (a cache that is
    returned) are in memory anyway, and are read there. To be run behind
    `linalg-ext-tile-and-fuse`.

    What is padded with a constant is a concatenation, too, while it goes from
    `linalg-ext-reduce-parts` to this pass.

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
