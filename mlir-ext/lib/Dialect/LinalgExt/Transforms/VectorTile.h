//===- VectorTile.h - A register tile of a structured op --------*- C++ -*-===//
//
// Private to VectorizeBuffers: evaluates the payload of a structured op on
// buffers at the points of a register tile.
//
// A tile has *lanes* along one iteration dimension, which are the elements of
// one-dimensional vectors, and is unrolled in up to three directions: `vectors`
// along the lane dimension, `rows` along a second, parallel dimension and
// `steps` along a third one. A point names one vector of it:
//
//                    lane dimension ->
//           +--------------------+--------------------+
//     row 0 | vector 0 (W lanes) | vector 1 (W lanes) |
//     row 1 |                    |                    |   x steps
//           +--------------------+--------------------+
//
// An operand element that does not depend on the lane dimension is the same in
// all lanes and stays a scalar until it meets a vector.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_DIALECT_LINALGEXT_TRANSFORMS_VECTORTILE_H
#define LINALG_EXT_DIALECT_LINALGEXT_TRANSFORMS_VECTORTILE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <map>

namespace mlir::linalg_ext {

/// How the elements of an operand lie along the lane dimension.
enum class LaneAccess {
  Uniform,    ///< one element for all lanes
  Contiguous, ///< W elements in a row
  Strided,    ///< anything else
};

/// Which dimensions of an op play which role, and the size of its tiles.
struct VectorTileShape {
  unsigned laneDim = 0;
  std::optional<unsigned> rowDim, stepDim;
  int64_t lanes = 1;
  /// The part of a vector in which shuffles of two interleave their lanes.
  int64_t shuffleBits = 128;
};

LaneAccess getLaneAccess(linalg::LinalgOp op, OpOperand &operand,
                         unsigned laneDim);

/// Returns whether `operand` is strided along the lane dimension, but
/// contiguous along `stepDim` alone, so that blocks of it are loaded as rows
/// and transposed in registers.
bool isTransposable(linalg::LinalgOp op, OpOperand &operand, unsigned laneDim,
                    unsigned stepDim);

/// Returns whether VectorTile can evaluate the payload of `op`; if not, says
/// why in `reason`.
bool isVectorizablePayload(linalg::LinalgOp op, std::string &reason);

/// Returns the op that fills `output` of `op`, if nothing but `op` sees what it
/// writes: a reduction then starts from the value instead of from memory.
linalg::FillOp getAbsorbedFill(linalg::LinalgOp op, Value output);

/// One vector of a tile.
struct TilePoint {
  int64_t row = 0, vector = 0, step = 0;
};

class VectorTile {
public:
  /// `ivs` are the values of the iteration dimensions at point (0, 0, 0). Lanes
  /// from `laneEnd` on do not exist where `mask` is given.
  VectorTile(OpBuilder &b, linalg::LinalgOp op, const VectorTileShape &shape,
             ArrayRef<Value> ivs, Value mask = {}, Value laneEnd = {});

  /// The elements of `operand` at `point`: a vector, or a scalar where all
  /// lanes have the same element.
  Value load(OpOperand &operand, TilePoint point);
  /// Asks for the elements that `operand` has at `point`, `distance` iterations
  /// of dimension `dim` later, or, behind the end, for what is there.
  void prefetch(OpOperand &operand, TilePoint point, unsigned dim,
                int64_t distance);
  /// Stores a vector, where the operand is contiguous along the lanes, or a
  /// scalar, where it is uniform.
  void store(OpOperand &operand, TilePoint point, Value value);
  /// The same of the elements of `operand`, which is contiguous along the
  /// steps, from the step of `point` on: a vector of them, whose lanes are none
  /// of the tile.
  Value loadSteps(OpOperand &operand, TilePoint point, VectorType type);
  void storeSteps(OpOperand &operand, TilePoint point, Value value);
  /// Loads the blocks of a transposable operand for steps 0 to W - 1, so that
  /// `load` finds them. So many neighbours along the steps as `pack` says stay
  /// side by side: W vectors of W * pack elements, one for each pack of steps.
  void loadTransposed(OpOperand &operand, TilePoint point, int64_t pack = 1);

  /// Evaluates what is the same in all lanes of `row`, from loads at the
  /// insertion point. `evaluate` of this or another tile builds on it.
  IRMapping evaluateUniform(TilePoint point);
  /// The same for what does not change along the parallel dimension `dim`.
  IRMapping evaluateInvariant(unsigned dim);

  /// Evaluates the payload at `point`, with `outputs` for the output arguments
  /// (null ones are loaded if used), and returns what it yields.
  SmallVector<Value> evaluate(TilePoint point, ArrayRef<Value> outputs,
                              const IRMapping *uniform = nullptr);

  /// Evaluates `term`, which `combiner`, the only op of the payload that uses
  /// an output argument, combines with one.
  Value evaluateTerm(TilePoint point, Operation *combiner, Value term,
                     const IRMapping *uniform = nullptr);

  Value toVector(Value value);
  Value getMask() const { return mask; }

private:
  AffineMap getMapAt(OpOperand &operand, TilePoint point);
  SmallVector<Value> getIndices(AffineMap map, ArrayRef<Value> at);
  Value loadStrided(OpOperand &operand, TilePoint point);
  Value evaluateOp(Operation *op, TilePoint point, IRMapping &mapping);
  /// Loads what is not in `mapping` of the inputs that the payload uses.
  void mapInputs(TilePoint point, IRMapping &mapping);
  IRMapping evaluateWithout(TilePoint point, unsigned dim,
                            function_ref<bool(OpOperand &)> varies);

  OpBuilder &b;
  linalg::LinalgOp op;
  Location loc;
  VectorTileShape shape;
  SmallVector<Value> ivs;
  Value mask, laneEnd;
  /// Operand number, row, vector, step.
  std::map<std::array<int64_t, 4>, Value> loaded;
};

} // namespace mlir::linalg_ext

#endif // LINALG_EXT_DIALECT_LINALGEXT_TRANSFORMS_VECTORTILE_H
