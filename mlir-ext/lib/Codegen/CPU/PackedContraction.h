//===- PackedContraction.h - Contractions of f16 and bf16 -------*- C++ -*-===//
//
// Private to VectorizeBuffers. Emits loops for contractions of f16 or bf16 that
// accumulate in f32. A block of lanes or rows of an operand is copied once to a
// panel on the stack. The copy extends the elements to f32 or, for `vdpbf16ps`,
// interleaves pairs of bf16:
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

#include "RegisterTile.h"

#include <optional>

namespace mlir::linalg_ext {

/// The plan of such a contraction.
struct PackedContraction {
  /// The lane, row and step dimension. The step dimension is the reduction.
  RegisterTileShape shape;
  /// Size of the register tile.
  int64_t rows = 1, vectors = 1;
  /// Rows of the remainder tile along the row dimension: size modulo `rows`.
  int64_t restRows = 0;
  /// Upper bound of the size of the step dimension.
  int64_t maxSteps = 0;
  SmallVector<unsigned> outerDims;
  /// The operand that varies along the lanes, and the one along the rows.
  OpOperand *lanes = nullptr, *row = nullptr;
  /// True if the row operand is contiguous along the steps, false if it is
  /// contiguous along the rows.
  bool rowAlongSteps = false;
  /// Multiply and add pairs of bf16 with `vdpbf16ps`.
  bool dotBF16 = false;
};

/// Returns the two operands if the payload of `op` is `out += ext(a) * ext(b)`,
/// with f16 or bf16 operands and an f32 output. Returns std::nullopt otherwise.
std::optional<std::pair<OpOperand *, OpOperand *>>
matchProductOfHalves(linalg::LinalgOp op);

/// Plans `op` with the register tile `shape`, `rows` and `vectors`. `ranges`
/// are upper bounds of the sizes of all dimensions. Returns std::nullopt if
/// `op` is not such a contraction, or if its reduction may be too long for a
/// panel of 64 KiB.
std::optional<PackedContraction>
planPackedContraction(linalg::LinalgOp op, const RegisterTileShape &shape,
                      int64_t rows, int64_t vectors, ArrayRef<int64_t> ranges,
                      bool dotBF16);

/// Emits loops for `op` at the insertion point. `fill` is the value that the
/// output is filled with before `op`, or null if it is read from memory.
void emitPackedContraction(OpBuilder &b, linalg::LinalgOp op,
                           const PackedContraction &plan, Value fill);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_PACKEDCONTRACTION_H
