//===- FusionRemarks.h - What was fused, and what was not -------*- C++ -*-===//
//
// Optimisation remarks of tile-and-fuse, through MLIR's remark engine. Nothing
// is built where no remark of the category is asked for.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_FUSIONREMARKS_H
#define MLIR_EXT_FUSION_PLAN_FUSIONREMARKS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// The category of the remarks, by which they are filtered.
inline constexpr llvm::StringLiteral kFusionRemarkCategory =
    "linalg-ext-tile-and-fuse";

/// Emits, for a plan that is about to be applied,
/// - `passed` "fused" for each producer or consumer in the nest, at that op;
/// - `passed` "repaired" for each value that an accumulator follows, at the
///   accumulator;
/// - `missed` "not-fused" for each producer or consumer that stays outside of
///   all loops, at that op, with the reason and, where there is one, a
///   suggestion;
/// - `analysis` "outside" instead for those that have to stay outside.
void emitFusionRemarks(const FusionPlan &plan);

/// Emits, for a plan whose derivatives have been built, `analysis` "derivative"
/// at the root for each of its derivatives that has as many loops as it has: a
/// second contraction, which other normalisation does without.
void emitDerivativeRemarks(const FusionPlan &plan);

/// Emits `missed` "refused" at `root`, with `reason` and, where there is one, a
/// suggestion.
void emitRefusalRemark(Operation *root, StringRef reason);

/// Whether `producer`, which is not fused, should not be: it initialises a
/// reduction, is an earlier root, or would be computed many times.
bool mustStayOutside(const PlannedProducer &producer);

/// Returns what a user can do about `reason`, the reason of a refusal or,
/// unless `isRefusal`, of a producer that stays outside; empty if nothing is
/// known. Where `isRaised`, linalg-ext-raise has run and is not suggested.
std::string getFusionSuggestion(StringRef reason, bool isRefusal,
                                bool isRaised = false);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_FUSIONREMARKS_H
