//===- RangeAnalysis.h - Ranges of integers in kernels ----------*- C++ -*-===//
//
// Upstream's analysis of ranges, for values that loops carry.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_RANGEANALYSIS_H
#define MLIR_EXT_LIB_TARGET_GPU_RANGEANALYSIS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"

namespace mlir::linalg_ext {

/// Uses the range that `vector_ext.assume` states, even if the range of the
/// operand is not known yet. Otherwise ranges that depend on values carried by
/// a loop would grow, and upstream's analysis would give up on them.
class RangeAnalysis : public dataflow::IntegerRangeAnalysis {
public:
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  LogicalResult visitOperation(
      Operation *op,
      ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
      ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    auto assume = dyn_cast<vector_ext::AssumeOp>(op);
    if (!assume || !assume.getAtLeast() || !assume.getAtMost())
      return IntegerRangeAnalysis::visitOperation(op, operands, results);
    unsigned width = IndexType::kInternalStorageBitWidth;
    auto range = ConstantIntRanges::fromSigned(
        APInt(width, *assume.getAtLeast(), /*isSigned=*/true),
        APInt(width, *assume.getAtMost(), /*isSigned=*/true));
    propagateIfChanged(results.front(),
                       results.front()->join(IntegerValueRange(range)));
    return success();
  }
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_RANGEANALYSIS_H
