//===- PolynomialRepair.h - Builds what polynomial repairs read -*- C++ -*-===//
//
// A polynomial repair reads the derivatives of the accumulator at the old
// state. The derivatives are accumulations too, and the loops carry them beside
// the accumulator. This file builds them in the untiled program, so that
// planning and tiling treat them like all other accumulations. It does the same
// for the constant term of an affine root.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_POLYNOMIALREPAIR_H
#define MLIR_EXT_FUSION_APPLY_POLYNOMIALREPAIR_H

#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// A plan that can be applied, and the auxiliary accumulators that were built
/// for it.
struct CompletePlan {
  FusionPlan plan;
  AuxiliaryAccumulators auxiliaries;
};

/// Builds the derivatives and affine parts that `plan` lacks, each before the
/// op that takes it, and plans again, until none is missing. The program then
/// computes the same as before, with one exception: a root that became the
/// scaled part of an affine root lacks the constant term, which the plan adds
/// after the loops. On failure, `refusal` tells why, and the IR may have
/// changed.
FailureOr<CompletePlan> buildDerivatives(RewriterBase &rewriter,
                                         const FusionPlan &plan,
                                         Refusal &refusal);

/// Replaces `op` by a copy without the operands `numbers`, which `op` must not
/// read. Returns the copy.
Operation *eraseUnreadOperands(RewriterBase &rewriter, Operation *op,
                               ArrayRef<unsigned> numbers);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_POLYNOMIALREPAIR_H
