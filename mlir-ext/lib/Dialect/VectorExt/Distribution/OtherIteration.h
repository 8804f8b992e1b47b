//===- OtherIteration.h - Values of another iteration -----------*- C++ -*-===//
//
// Private to LowerRings. Builds the values that a loop computes in another
// iteration. Ask `followsFromIteration` (Rings.h) first for which values this
// works.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_OTHERITERATION_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_OTHERITERATION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::vector_ext {

/// Builds values of another iteration of a loop, if they depend only on its
/// number.
class OtherIteration {
public:
  /// Describes the iteration with the induction variable `number`. `before` is
  /// the induction variable of the previous iteration, or null if there is
  /// none.
  OtherIteration(RewriterBase &b, scf::ForOp loop, Value number, Value before)
      : b(b), loop(loop), number(number), before(before) {}

  Value build(Value value) { return build(value, /*isBefore=*/false); }

private:
  Value build(Value value, bool isBefore);

  RewriterBase &b;
  scf::ForOp loop;
  Value number, before;
  llvm::DenseMap<Value, Value> built[2];
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_OTHERITERATION_H
