//===- Passes.td - Passes of the LinalgExt dialect ---------*- tablegen -*-===//
//
// Each pass runs alone on func and linalg input.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

class LinalgExt_Pass<string name> : Pass<name> {
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::linalg_ext::LinalgExtDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
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
    `maxnumf`; the lowest finite value) and the sum 0. What is not
    recognised is left alone, and no op that has other users is erased. Users of
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

def LinalgExtTileAndFusePass : LinalgExt_Pass<"linalg-ext-tile-and-fuse"> {
  let summary = "Tile roots and fuse their producers, repairing accumulators";
  let description = [{
    Tiles each root (the ops with the unit attribute `linalg_ext.root`; without
    any, the accumulations fed by an online reduction) level by level and fuses
    its producers. Where a level cuts a dimension that a fused online reduction
    reduces over, its state is carried by the loop and the root's accumulator
    is repaired, which turns softmax and matmul into flash attention.

    `levels` is a sequence of loops, outermost first:

    ```
    levels   ::= level+
    level    ::= kind `(` size (`,` size)* `)` [`interchange` `(` dim (`,` dim)* `)`]
    kind     ::= `for` | `forall`
    ```

    with one tile size for each iteration dimension of the root, 0 for a
    dimension that the level does not tile. A root that cannot be tiled so is
    an error; the IR is then left as it was.
  }];
  let options = [
    Option<"levels", "levels", "std::string", /*default=*/"",
           "Loops to tile with, outermost first: for(..) or forall(..)">,
    Option<"normalization", "normalization", "std::string",
           /*default=*/"\"delayed\"",
           "When results are normalised: eager (in every tile) or delayed">,
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

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
