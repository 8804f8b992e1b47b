//===- RegisterTile.h - A register tile of a structured op ------*- C++ -*-===//
//
// Private to VectorizeBuffers. Evaluates the payload of a structured op on
// buffers at the points of a register tile.
//
// One iteration dimension is the lane dimension. Its elements are the *lanes*
// of one-dimensional vectors. The tile is unrolled in up to three directions:
// `vectors` along the lane dimension, `rows` along a parallel dimension, and
// `steps` along a third dimension. A *point* selects one vector of the tile:
//
//                    lane dimension ->
//           +--------------------+--------------------+
//     row 0 | vector 0 (W lanes) | vector 1 (W lanes) |
//     row 1 |                    |                    |   x steps
//           +--------------------+--------------------+
//
// An operand that does not depend on the lane dimension has the same element in
// all lanes. It stays a scalar until an op combines it with a vector.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_REGISTERTILE_H
#define MLIR_EXT_LIB_CODEGEN_CPU_REGISTERTILE_H

#include "ViewAhead.h"

#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

#include <array>
#include <map>
#include <optional>

namespace mlir::linalg_ext {

/// The position in memory of an operand's elements along the lane dimension.
enum class LaneAccess {
  Uniform,    ///< one element for all lanes
  Contiguous, ///< W adjacent elements
  Words,      ///< the same part of each of W adjacent words of 32 bits
  Repeated,   ///< fewer adjacent elements, each for several adjacent lanes
  Strided,    ///< any other position
};

/// The roles of the dimensions of an op, and the number of lanes.
struct RegisterTileShape {
  unsigned laneDim = 0;
  std::optional<unsigned> rowDim, stepDim;
  int64_t lanes = 1;
  /// How many iterations of `stepDim` a step is behind the one before it.
  int64_t stepsApart = 1;
  /// The bits of a part of a vector in which shuffles of two vectors interleave
  /// their lanes.
  int64_t shuffleBits = 128;
  /// Whether an f16 that all lanes share is broadcast before it is extended.
  bool broadcastF16 = false;
};

/// Returns the access to `operand` along `laneDim`.
LaneAccess getLaneAccess(linalg::LinalgOp op, OpOperand &operand,
                         unsigned laneDim);

/// The bits of a word whose parts are elements of an operand
/// (LaneAccess::Words).
inline constexpr int64_t kWordBits = 32;

/// Returns the dimension that says which part of a word an element of `operand`
/// is, if the access to it along `laneDim` is LaneAccess::Words.
std::optional<unsigned> getPartOfWord(linalg::LinalgOp op, OpOperand &operand,
                                      unsigned laneDim);

/// How many adjacent iterations of `laneDim` read the same element of
/// `operand`, if those behind them read the next one.
std::optional<int64_t> getRepetitions(linalg::LinalgOp op, OpOperand &operand,
                                      unsigned laneDim);

/// Returns what tiles of the loop `dim` of `op` should be a multiple of, so
/// that each begins with a whole element of what has one for several
/// iterations: `d0 floordiv 8` takes tiles of 8. Upstream's tiling computes the
/// same maps for all tiles.
int64_t getTileMultiple(linalg::LinalgOp op, unsigned dim);

/// Returns whether `operand` is strided along the lane dimension and contiguous
/// along `stepDim`, so that its blocks can be loaded along `stepDim` and
/// transposed in registers.
bool isTransposable(linalg::LinalgOp op, OpOperand &operand, unsigned laneDim,
                    unsigned stepDim);

/// Whether RegisterTile can evaluate the loads in the payload of `op` with
/// lanes along `laneDim`: lanes read one element, or adjacent ones.
bool canLoadInPayload(linalg::LinalgOp op, unsigned laneDim);

/// Fails, with the reason in `refusal`, if RegisterTile cannot evaluate the
/// payload of `op`.
LogicalResult verifyPayloadIsElementwise(linalg::LinalgOp op, Refusal &refusal);

/// Returns the op that fills `output` of `op`, if only `op` reads the filled
/// buffer. A reduction can then start from the fill value instead of memory.
linalg::FillOp getAbsorbedFill(linalg::LinalgOp op, Value output);

/// Transposes as many vectors as each has lanes, or as each of the `blocks`
/// that follow each other in it has. Shuffles of two vectors interleave `part`
/// lanes.
void transposeVectors(OpBuilder &b, Location loc, MutableArrayRef<Value> rows,
                      int64_t part, int64_t blocks = 1);

/// The position of one vector in a tile.
struct TilePoint {
  int64_t row = 0, vector = 0, step = 0;
};

/// Emits the loads, the payload and the stores of one register tile.
class RegisterTile {
public:
  /// `ivs` are the values of the iteration dimensions at point (0, 0, 0). If
  /// the tile is cut off, `mask` is false for the lanes outside of it, and
  /// `laneEnd` is the end of the lane dimension.
  RegisterTile(OpBuilder &b, linalg::LinalgOp op,
               const RegisterTileShape &shape, ArrayRef<Value> ivs,
               Value mask = {}, Value laneEnd = {});

  /// Returns the elements of `operand` at `point`: a vector, or a scalar if all
  /// lanes have the same element. Loads each element once.
  Value load(OpOperand &operand, TilePoint point);
  /// Returns whole words of `operand`, whose access is LaneAccess::Words.
  Value loadWords(OpOperand &operand, TilePoint point);
  /// Prefetches the elements of `operand` at `point`, `distance` iterations of
  /// dimension `dim` later. The address may lie behind the end of the buffer.
  /// With `next`, iterations behind the end are those of the next view, which
  /// also has `size` iterations. If `first` is not null, it is an iteration
  /// that prefetches the same as the tile's. With several streams, `distance`
  /// is ignored: see buildRowAhead. With `isFar`, prefetches to the second
  /// cache only.
  void prefetch(OpOperand &operand, TilePoint point, unsigned dim,
                int64_t distance, const ViewsAhead &next = {}, int64_t size = 0,
                Value first = {}, bool isFar = false);
  /// Stores `value` at `point`: a vector if `operand` is contiguous along the
  /// lanes, a scalar if it is uniform.
  void store(OpOperand &operand, TilePoint point, Value value);
  /// Loads or stores a vector along the steps instead of the lanes, from the
  /// step of `point` on. `operand` must be contiguous along the steps.
  Value loadSteps(OpOperand &operand, TilePoint point, VectorType type);
  void storeSteps(OpOperand &operand, TilePoint point, Value value);
  /// Loads and transposes the W x (W * pack) block of a transposable operand
  /// for steps 0 to W * pack - 1, for later calls of `load`. Groups of `pack`
  /// adjacent steps stay adjacent: the result is W vectors of W * pack
  /// elements, one for each group. `blocks` blocks that follow each other from
  /// the step of `point` on are loaded and transposed as one.
  void loadTransposed(OpOperand &operand, TilePoint point, int64_t pack = 1,
                      int64_t blocks = 1);

  /// Moves the tile to `value` of dimension `dim`. The transposed operands must
  /// not depend on `dim`, so what has been loaded of them stays.
  void moveTo(unsigned dim, Value value);

  /// Evaluates the part of the payload that is the same in all lanes, with
  /// loads at the insertion point. Pass the result to `evaluate` of this or
  /// another tile.
  IRMapping evaluateUniform(TilePoint point);
  /// Evaluates the part of the payload that does not depend on the parallel
  /// dimension `dim`.
  IRMapping evaluateInvariant(TilePoint point, unsigned dim);

  /// Evaluates the payload at `point` and returns the yielded values. `outputs`
  /// are the values of the output arguments. A null one is loaded if used.
  SmallVector<Value> evaluate(TilePoint point, ArrayRef<Value> outputs,
                              const IRMapping *uniform = nullptr);

  /// Evaluates `term`, a value of the payload that depends on no output
  /// argument.
  Value evaluateTerm(TilePoint point, Value term,
                     const IRMapping *uniform = nullptr);

  Value toVector(Value value);
  Value getMask() const { return mask; }

private:
  AffineMap getMapAt(OpOperand &operand, TilePoint point);
  SmallVector<Value> getIndices(AffineMap map, ArrayRef<Value> at);
  Value loadPartsOfWords(OpOperand &operand, TilePoint point);
  Value loadRepeated(OpOperand &operand, TilePoint point);
  Value getLanePosition(int64_t lane);
  Value loadStrided(OpOperand &operand, TilePoint point);
  Value evaluateOp(Operation *op, TilePoint point, IRMapping &mapping);
  Value evaluateLoad(memref::LoadOp load, TilePoint point,
                     const IRMapping &mapping);
  /// Loads the inputs that the payload uses and that `mapping` lacks.
  void mapInputs(TilePoint point, IRMapping &mapping);
  IRMapping evaluateWithout(TilePoint point, unsigned dim,
                            function_ref<bool(OpOperand &)> varies);

  OpBuilder &b;
  linalg::LinalgOp op;
  Location loc;
  RegisterTileShape shape;
  SmallVector<Value> ivs;
  Value mask, laneEnd;
  /// The values that have been loaded, by operand number, row, vector and step.
  std::map<std::array<int64_t, 4>, Value> loaded;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_REGISTERTILE_H
