//===- PackedContraction.h - Contractions of halves -------------*- C++ -*-===//
//
// Private to VectorizeBuffers: contractions of f16 or bf16 that accumulate in
// f32. Their operands are converted, or interleaved for an instruction that
// adds two products, once for a block of lanes or rows, in a panel on the
// stack:
//
//             for each block of lanes
//               lane panel: [steps][lanes]
//               for each block of rows
//                 row panel: [steps][rows]
//                 for each step: accumulators += row x lanes
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_PACKEDCONTRACTION_H
#define MLIR_EXT_LIB_CODEGEN_CPU_PACKEDCONTRACTION_H

#include "VectorTile.h"

namespace mlir::linalg_ext {

struct PackedContraction {
  /// Lanes, rows and, as stepDim, the reduction.
  VectorTileShape shape;
  /// Of the register tile.
  int64_t rows = 1, vectors = 1;
  /// Rows of what a whole tile leaves.
  int64_t restRows = 0;
  /// No dimension is longer.
  int64_t maxSteps = 0;
  SmallVector<unsigned> outerDims;
  /// The operand that varies along the lanes, and the one along the rows.
  OpOperand *lanes = nullptr, *row = nullptr;
  /// The row operand is contiguous along the steps, not along the rows.
  bool rowAlongSteps = false;
  /// Add the products of pairs of bf16 with `vdpbf16ps`.
  bool dotBF16 = false;
};

/// The two operands of `out += ext(a) * ext(b)`, if that is all of `op`.
std::optional<std::pair<OpOperand *, OpOperand *>>
matchProductOfHalves(linalg::LinalgOp op);

/// Plans `op`, whose register tile is `shape`, `rows` and `vectors`, if it is
/// such a contraction, over at most as many steps as a panel may have. `ranges`
/// are the most iterations of each dimension.
std::optional<PackedContraction>
planPackedContraction(linalg::LinalgOp op, const VectorTileShape &shape,
                      int64_t rows, int64_t vectors, ArrayRef<int64_t> ranges,
                      bool dotBF16);

/// Emits loops for `op` at the insertion point. `fill` is what its output is
/// known to be filled with, or null.
void emitPackedContraction(OpBuilder &b, linalg::LinalgOp op,
                           const PackedContraction &plan, Value fill);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_PACKEDCONTRACTION_H
