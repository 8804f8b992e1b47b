//===- PolynomialRepair.h - What polynomial repairs need --------*- C++ -*-===//
//
// A polynomial repair needs the derivatives of what it repairs, as they are
// when the source moves: accumulations of their own, which the loops carry
// beside it. They are written into the untiled program, where planning finds
// them and tiling treats them like all others. So is the part of an affine root
// that the repair leaves alone.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_POLYNOMIALREPAIR_H
#define MLIR_EXT_FUSION_APPLY_POLYNOMIALREPAIR_H

#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// A plan that can be carried out, and what the program has for it.
struct CompletePlan {
  FusionPlan plan;
  AuxiliaryAccumulators auxiliaries;
};

/// Builds the derivatives and parts that `plan` lacks in front of what they
/// belong to, and plans again, until none is lacking. The program computes the
/// same afterwards, but for a root that is taken to its parts: that lacks what
/// the plan adds to it after the loops. On failure says why in `reason`; the IR
/// may have changed.
FailureOr<CompletePlan> buildDerivatives(RewriterBase &rewriter,
                                         const FusionPlan &plan,
                                         std::string &reason);

/// Replaces `op` by one that lacks the operands `numbers`, which it does not
/// read.
Operation *eraseUnreadOperands(RewriterBase &rewriter, Operation *op,
                               ArrayRef<unsigned> numbers);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_POLYNOMIALREPAIR_H
