//===- VectorPlan.h - Vectorisation plan of an op on buffers ----*- C++ -*-===//
//
// Private to VectorizeBuffers. Chooses the lane dimension, the register tile
// and the loop order of a structured op. VectorizeBuffers emits the loops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_VECTORPLAN_H
#define MLIR_EXT_LIB_CODEGEN_CPU_VECTORPLAN_H

#include "ColumnDigits.h"
#include "DigitProduct.h"
#include "FourBitProduct.h"
#include "PackedContraction.h"
#include "RegisterTile.h"

#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/Refusal.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns the bits of an element of `value`. An index has those of a pointer.
int64_t getElementBits(Value value);

/// The loops and the register tile of an op.
struct VectorPlan {
  RegisterTileShape shape;
  /// True if the lane dimension is a reduction dimension.
  bool reducesLanes = false;
  /// The rows, the vectors and, along shape.stepDim, the steps of the register
  /// tile.
  int64_t rows = 1, vectors = 1, steps = 1;
  /// Rows of the remainder tile along the row dimension: size modulo `rows`.
  int64_t restRows = 0;
  /// With `reducesLanes`: number of rows whose sums one call of `combineLanes`
  /// reduces over the lanes, for `steps` steps each.
  int64_t rowsTogether = 1;
  /// Operands that are loaded as blocks of lanes x steps and transposed in
  /// registers.
  SmallVector<OpOperand *> transposed;
  /// Without reductions, for each operand in `transposed`: how many blocks
  /// along the steps are transposed together. `steps` is the largest of these
  /// numbers, in steps.
  SmallVector<int64_t> blocks;
  /// An operand that is prefetched `ahead` iterations of `streamDim` before its
  /// use.
  OpOperand *streamed = nullptr;
  unsigned streamDim = 0;
  int64_t ahead = 0;
  /// Number of register tiles (if `streamed` is transposed, of transposed
  /// blocks) that a row of `streamed` consists of. If there are several, the
  /// prefetches still follow the order of memory. An operand that is not
  /// transposed is then computed in blocks of `streamBlock` rows, strip by
  /// strip within a block.
  int64_t strips = 1, streamBlock = 0;
  /// The operand that `streamed` is multiplied by with `vdpbf16ps`, or null. A
  /// pair of bf16 lies along the lanes if `reducesLanes`. Otherwise it lies
  /// along shape.stepDim, in which this operand is contiguous.
  OpOperand *dotRow = nullptr;
  /// The same for integers of 8 bits, four of which lie along the lanes: the
  /// instruction that sums their products, or StepDot::None for bf16.
  StepDot byteDot = StepDot::None;
  /// Whether the highest bits of the bytes of `streamed` are inverted, which
  /// adds 128 to them or subtracts 128. Sums of the rows make up for it.
  bool invertsStream = false;
  /// Whether the rows of bytes are copied to a panel, if it is small enough.
  bool packsRow = false;
  /// With `reducesLanes`: other reduction dimensions of few iterations that are
  /// unrolled. Either `streamed` does not depend on them, such as the position
  /// of an integer of 4 bits in a byte, or they say which part of a word an
  /// element of it is. All of their iterations use one vector of `streamed`,
  /// which is loaded once. With lanes along a parallel dimension: the same for
  /// parts of an integer. Without reductions: one such dimension, for the
  /// operands in `transposed`.
  SmallVector<unsigned> unrolledDims;
  /// With these and one output: a factor of the products that does not change
  /// along them, but along the lanes, such as the scales of several groups. It
  /// multiplies the sum of all of their iterations. Null if there is none. With
  /// lanes along a parallel dimension, it does not change in the reduction
  /// loops from number `factorLoops` on either, and multiplies the sums of
  /// these.
  Value factor;
  unsigned factorLoops = 0;
  /// With these, of words: how to multiply the integers of 4 bits in a word.
  std::optional<FourBitProduct> fourBits;
  /// How instructions for bytes multiply integers of 4 or 8 bits by digits of
  /// one row. It replaces `fourBits` and `factor`.
  std::optional<DigitProduct> digits;
  /// The same with lanes along columns. It replaces `unrolledDims` and
  /// `factor`, and takes blocks of rows.
  std::optional<ColumnDigits> columnDigits;
  /// The loops around the tile, the outermost dimension first.
  SmallVector<unsigned> outerDims, reductionDims;
  /// Plan of a contraction of f16 or bf16. If set, it replaces all of the
  /// above.
  std::optional<PackedContraction> packed;
};

/// Chooses the lane dimension, the register tile and the loop order of `op`.
/// Fails, with the reason in `refusal`, if `op` cannot be vectorised.
FailureOr<VectorPlan> planVectors(linalg::LinalgOp op,
                                  const VectorizeBuffersOptions &options,
                                  Refusal &refusal);

/// Returns the op that combines partial results of output `number`, if each
/// lane may have a separate partial result. Returns null otherwise.
Operation *getLaneCombiner(linalg::LinalgOp op, unsigned number);

/// A maximum or minimum of floating-point numbers that propagates NaN.
struct Extremum {
  Operation *combiner = nullptr;
  /// The operand of `combiner` that is not the accumulator.
  Value term;
  bool isMax = false;
};

/// Returns the extremum that `op` computes, if `op` is a reduction with one
/// output and no other combiner.
std::optional<Extremum> getExtremum(linalg::LinalgOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_VECTORPLAN_H
