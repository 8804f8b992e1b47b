//===- VectorPlan.h - How an op on buffers becomes vectors ------*- C++ -*-===//
//
// Private to VectorizeBuffers: the choices that its loops follow.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_VECTORPLAN_H
#define MLIR_EXT_LIB_CODEGEN_CPU_VECTORPLAN_H

#include "PackedContraction.h"
#include "VectorTile.h"

#include "mlir-ext/Codegen/CPU/Transforms.h"

namespace mlir::linalg_ext {

/// What memory delivers at a time.
constexpr int64_t kLineBytes = 64;

/// Which loops an op becomes.
struct VectorPlan {
  VectorTileShape shape;
  bool reducesLanes = false;
  /// Rows, vectors and, along shape.stepDim, steps of the register tile.
  int64_t rows = 1, vectors = 1, steps = 1;
  /// Rows of what a whole tile leaves.
  int64_t restRows = 0;
  /// Of those, rows whose sums over the lanes are combined together, for
  /// plan.steps steps.
  int64_t rowsTogether = 1;
  /// Operands that are loaded in transposed blocks, along shape.stepDim.
  SmallVector<OpOperand *> transposed;
  /// An operand that is read `ahead` iterations of `streamDim` before it is
  /// used.
  OpOperand *streamed = nullptr;
  unsigned streamDim = 0;
  int64_t ahead = 0;
  /// If a row of that operand takes more than one register tile, `strips` of
  /// them, or as many blocks that are transposed. What comes next is asked for
  /// in the order of memory all the while. Of what is not transposed,
  /// `streamBlock` rows are passed over strip by strip.
  int64_t strips = 1, streamBlock = 0;
  /// The factors of a streamed product of pairs of bf16, of the row and of the
  /// operand that is streamed: pairs along the lanes, where these are reduced,
  /// else along shape.stepDim, where the row has them side by side.
  OpOperand *dotRow = nullptr;
  /// In the order of the loops.
  SmallVector<unsigned> outerDims, reductionDims;
  /// Of halves; takes the place of all of the above.
  std::optional<PackedContraction> packed;
};

/// Chooses the dimension of the lanes, the register tile and the order of the
/// loops of `op`; if there are none, says why in `reason`.
FailureOr<VectorPlan> planVectors(linalg::LinalgOp op,
                                  const VectorizeBuffersOptions &options,
                                  std::string &reason);

/// The op that combines partial results of output `number`, if lanes may keep
/// partial results of their own.
Operation *getLaneCombiner(linalg::LinalgOp op, unsigned number);

/// A maximum or minimum of floating-point numbers in which NaN wins.
struct Extremum {
  Operation *combiner = nullptr;
  /// What is combined with the accumulator.
  Value term;
  bool isMax = false;
};

/// The extremum that `op` computes, if it computes nothing else.
std::optional<Extremum> getExtremum(linalg::LinalgOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_VECTORPLAN_H
