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
    Replaces `linalg.softmax`, and the chain max, subtract, exp, sum, divide as
    importers write it, by `linalg_ext.softmax`. What is not recognised is left
    alone. Fully masked rows, which are NaN in the chain, become 0.
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
  }];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES
