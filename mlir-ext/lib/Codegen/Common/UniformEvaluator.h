//===- UniformEvaluator.h - What a loop body computes if ... ----*- C++ -*-===//
//
// If a mask hides all of a tile, the tile is uniformly what the mask puts in
// the place of what it hides. This follows such uniform values through
// structured ops on tensors, in order to see that an iteration leaves all that
// the loop carries as it was.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_UNIFORMEVALUATOR_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_UNIFORMEVALUATOR_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::linalg_ext {

/// Evaluates values under the assumption that some scalar in a payload has one
/// value throughout.
///
/// Whatever meets what contributes nothing is taken to be finite: 0 * x is 0,
/// -inf + x is -inf, x - x is 0. Zeros have no sign. Builds no IR that stays.
class UniformEvaluator {
public:
  /// What is known of a value. Of a tensor, of all its elements.
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

  /// Returns what is known of `value`, a tensor or a scalar outside of
  /// payloads.
  Fact evaluate(Value value);

  /// Returns whether an iteration of `loop` yields all that it carries as it
  /// was.
  bool leavesUnchanged(scf::ForOp loop);

private:
  Fact compute(OpResult result);
  Fact computeStructured(linalg::LinalgOp op, unsigned resultNumber);
  Fact computeProductWithDiag(BatchMatmulOp op);
  /// Evaluates what the payload of `op` yields for result `resultNumber`, with
  /// the constant `init` for the element that it is accumulated on, if there is
  /// one. The fact is about scalars of the payload.
  Fact computeYield(linalg::LinalgOp op, unsigned resultNumber, TypedAttr init);
  SmallVector<Fact> computeScalars(Operation *op, ArrayRef<Fact> operands);

  llvm::DenseMap<Value, Fact> facts;
  Value assumedScalar;
  bool assumedValue = false;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_UNIFORMEVALUATOR_H
