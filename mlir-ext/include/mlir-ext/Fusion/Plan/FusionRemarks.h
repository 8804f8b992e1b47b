//===- FusionRemarks.h - Optimisation remarks of fusion ---------*- C++ -*-===//
//
// Emits optimisation remarks of tile-and-fuse through MLIR's remark engine.
// Builds no text for remarks that are not enabled.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_FUSIONREMARKS_H
#define MLIR_EXT_FUSION_PLAN_FUSIONREMARKS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include <string>

namespace mlir::linalg_ext {

/// The category of the remarks. Filters of the remark engine match it.
inline constexpr llvm::StringLiteral kFusionRemarkCategory =
    "linalg-ext-tile-and-fuse";

/// Emits the remarks of a plan that is about to be applied:
/// - `passed` "fused" for each fused producer, consumer or sibling, at that op;
/// - `passed` "repaired" for each value that an accumulator follows, at the
///   accumulator;
/// - `missed` "not-fused" for each producer, consumer or sibling that stays
///   outside of all loops, at that op, with the reason and, if there is one, a
///   suggestion;
/// - `analysis` "outside" in place of "not-fused" if the op must stay outside.
void emitFusionRemarks(const FusionPlan &plan);

/// Emits `analysis` "derivative" at the root for each derivative of the root
/// that has as many loops as the root. It is a second contraction, which
/// another normalisation avoids. The derivatives of the plan must have been
/// built.
void emitDerivativeRemarks(const FusionPlan &plan);

/// Emits `missed` "refused" at `root`, with the reason and, if there is one, a
/// suggestion. `refusal` must be set.
void emitRefusalRemark(Operation *root, const Refusal &refusal);

/// Why `findFusionRoots` finds no root, and what to do about it. For people.
inline constexpr llvm::StringLiteral kNoRootReason =
    "no root: no op has the attribute 'linalg_ext.root', and no op accumulates "
    "what depends on an online reduction, a maximum or a minimum";
inline constexpr llvm::StringLiteral kNoRootSuggestion =
    "run linalg-ext-normalize first, or mark an op with linalg_ext.root";

/// Emits `missed` "no-root" at `scope`, in which there is no root.
void emitNoRootRemark(Operation *scope);

/// Returns whether the unfused `producer` is better not fused: it is an earlier
/// root, or its refusal is intended.
bool mustStayOutside(const PlannedProducer &producer);

/// Returns a suggestion to the user for a refusal of `kind`, or an empty string
/// if there is none. If `mayRaise` is true, suggests to run linalg-ext-raise
/// first where this may help.
std::string getFusionSuggestion(RefusalKind kind, bool mayRaise);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_FUSIONREMARKS_H
