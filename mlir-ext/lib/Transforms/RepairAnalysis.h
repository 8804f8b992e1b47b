//===- RepairAnalysis.h - How accumulators follow states --------*- C++ -*-===//
//
// Given what a level fuses and which states it carries, finds how every
// accumulator that depends on them is repaired. Part of planning; see
// FusionPlan.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_REPAIRANALYSIS_H
#define MLIR_EXT_LIB_TRANSFORMS_REPAIRANALYSIS_H

#include "LevelAnalysis.h"

namespace mlir::linalg_ext {

/// Fills in the states, stale ops, repairs and exactness of `plan`, whose level
/// `index`, as analysed, is the first that carries states. On failure gives the
/// reason.
LogicalResult planRepairs(FusionPlan &plan, unsigned index,
                          LevelAnalysis &analysis,
                          const TileAndFuseOptions &options,
                          std::string &reason);

/// Returns whether `value` is filled with `neutral`.
bool isFilledWith(Value value, TypedAttr neutral);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_REPAIRANALYSIS_H
