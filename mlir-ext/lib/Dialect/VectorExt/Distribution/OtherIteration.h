//===- OtherIteration.h - Values of another iteration -----------*- C++ -*-===//
//
// Computes what another iteration of a loop computes from its number.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_OTHERITERATION_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_OTHERITERATION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Builds values of another iteration of a loop, if they depend only on its
/// number.
class OtherIteration {
public:
  /// The iteration with the induction variable `number`. `before` is the
  /// induction variable of the previous iteration; null if there is none.
  OtherIteration(RewriterBase &b, scf::ForOp loop, Value number, Value before)
      : b(b), loop(loop), number(number), before(before) {}

  Value build(Value value) { return build(value, /*isBefore=*/false); }

private:
  Value build(Value value, bool isBefore) {
    if (value == loop.getInductionVar())
      return isBefore ? before : number;
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto argument = cast<BlockArgument>(value);
      return before ? build(loop.getTiedLoopYieldedValue(argument)->get(), true)
                    : loop.getTiedLoopInit(argument)->get();
    }
    if (Value known = built[isBefore].lookup(value))
      return known;
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, build(operand, isBefore));
    Value result = b.clone(*op, operands)
                       ->getResult(cast<OpResult>(value).getResultNumber());
    return built[isBefore][value] = result;
  }

  RewriterBase &b;
  scf::ForOp loop;
  Value number, before;
  llvm::DenseMap<Value, Value> built[2];
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_OTHERITERATION_H
