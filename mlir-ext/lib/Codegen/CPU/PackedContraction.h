//===- PackedContraction.h - Contractions of narrow elements ----*- C++ -*-===//
//
// Private to VectorizeBuffers. Emits loops for contractions of f16 or bf16 that
// accumulate in f32, and of integers of 8 bits that accumulate in i32. A block
// of lanes or rows of an operand is copied once to a panel on the stack. The
// copy extends the elements to f32 or, for instructions that sum the products
// of neighbours, interleaves pairs of bf16 or of i16, or fours of i8:
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
#include "mlir-ext/Codegen/CPU/Transforms.h"

#include <optional>

namespace mlir::linalg_ext {

/// Instructions that multiply elements of neighbouring steps, and add the
/// products to a sum of 32 bits.
enum class StepDot {
  /// None: one step at a time, in f32.
  None,
  /// Sums pairs of bf16: `vdpbf16ps`.
  BF16,
  /// Sums pairs of integers of 8 bits that are extended to 16 bits: `pmaddwd`.
  Words,
  /// Sums four products of an unsigned and a signed byte: `vpdpbusd`. If both
  /// operands have the same signedness, the highest bit of one of them is
  /// inverted, which adds 128 to it or subtracts 128. The sum of the other
  /// operand makes up for it.
  MixedBytes,
  /// Sums four products of two signed bytes: AArch64's `sdot`. The row operand
  /// may be unsigned, and is converted as above.
  SignedBytes
};

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
  /// True if the operand of the lanes is contiguous along the steps, which is
  /// supported for integers only.
  bool lanesAlongSteps = false;
  StepDot dot = StepDot::None;
  /// Whether each operand has unsigned integers.
  bool areLanesUnsigned = false, isRowUnsigned = false;

  /// Returns the number of steps that an instruction sums.
  int64_t getSteps() const;
  /// Returns whether the highest bits of the row operand are inverted.
  bool invertsRow() const;
  /// Returns whether inverting turns signed bytes into unsigned ones, which are
  /// larger by 128. Otherwise it turns unsigned bytes into signed ones, which
  /// are smaller by 128.
  bool addsToRow() const;
};

/// Returns the two operands if the payload of `op` is `out += ext(a) * ext(b)`,
/// with f16 or bf16 operands and an f32 output. Returns std::nullopt otherwise.
std::optional<std::pair<OpOperand *, OpOperand *>>
matchProductOfHalves(linalg::LinalgOp op);

/// Returns the same for operands of integers of 8 bits and an i32 output.
std::optional<std::pair<OpOperand *, OpOperand *>>
matchProductOfBytes(linalg::LinalgOp op);

/// Returns whether `operand`, a factor of a product of integers, is unsigned.
bool isUnsignedFactor(linalg::LinalgOp op, OpOperand &operand);

/// Builds `sums` plus the products of four bytes for each lane: of an unsigned
/// and a signed operand if `dot` is StepDot::MixedBytes, or of two signed ones
/// if it is StepDot::SignedBytes.
Value buildByteDot(OpBuilder &b, Location loc, StepDot dot, Value sums,
                   Value first, Value second);

/// Plans `op` with the register tile `shape`, `rows` and `vectors`. `ranges`
/// are upper bounds of the sizes of all dimensions. Returns std::nullopt if
/// `op` is not such a contraction, or if its reduction may be too long for a
/// panel of 64 KiB.
std::optional<PackedContraction>
planPackedContraction(linalg::LinalgOp op, const RegisterTileShape &shape,
                      int64_t rows, int64_t vectors, ArrayRef<int64_t> ranges,
                      const VectorizeBuffersOptions &options);

/// Emits loops for `op` at the insertion point. `fill` is the value that the
/// output is filled with before `op`, or null if it is read from memory.
void emitPackedContraction(OpBuilder &b, linalg::LinalgOp op,
                           const PackedContraction &plan, Value fill);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_PACKEDCONTRACTION_H
