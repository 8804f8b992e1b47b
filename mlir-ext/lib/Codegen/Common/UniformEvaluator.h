//===- UniformEvaluator.h - Constant propagation of uniform tiles -*- C++ -*-=//
//
// If a mask hides all elements of a tile, all elements of the masked tile equal
// the replacement value. UniformEvaluator propagates such uniform values
// through structured ops on tensors. Loop tightening uses it to prove that an
// iteration yields its iter_args unchanged.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_UNIFORMEVALUATOR_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_UNIFORMEVALUATOR_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::linalg_ext {

/// Evaluates values under the assumption that a given scalar of a payload has
/// the same value at all points of the tile.
///
/// Assumes that other operands are finite: 0 * x is 0, -inf + x is -inf, x - x
/// is 0. Does not distinguish 0 and -0. Leaves the IR unchanged.
class UniformEvaluator {
public:
  /// A fact about a value or, if it is a tensor, about all of its elements.
  struct Fact {
    /// It is this constant, or ...
    TypedAttr constant;
    /// ... it is the same as this value, which may be the value itself.
    Value same;

    bool operator==(const Fact &other) const {
      return constant == other.constant && same == other.same;
    }
  };

  /// Evaluates without an assumption.
  UniformEvaluator() = default;
  /// Assumes that `scalar`, an i1 in the payload of a structured op, is
  /// `value`.
  UniformEvaluator(Value scalar, bool value);

  /// Returns the fact about `value`, a tensor or a scalar outside of payloads.
  Fact evaluate(Value value);

  /// Returns whether an iteration of `loop` yields all iter_args unchanged.
  bool leavesUnchanged(scf::ForOp loop);

private:
  Fact compute(OpResult result);
  Fact computeStructured(linalg::LinalgOp op, unsigned resultNumber);
  Fact computeProductWithDiag(BatchMatmulOp op);
  /// Evaluates the scalar that the payload of `op` yields for result
  /// `resultNumber`. If `init` is not null, the output argument has this value.
  /// The fact is about scalars of the payload.
  Fact computeYield(linalg::LinalgOp op, unsigned resultNumber, TypedAttr init);
  SmallVector<Fact> computeScalars(Operation *op, ArrayRef<Fact> operands);

  llvm::DenseMap<Value, Fact> facts;
  Value assumedScalar;
  bool assumedValue = false;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_UNIFORMEVALUATOR_H
