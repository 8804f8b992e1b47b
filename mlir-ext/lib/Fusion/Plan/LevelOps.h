//===- LevelOps.h - Ops as the analysis of a level sees them ----*- C++ -*-===//
//
// What LevelAnalysis.cpp and LevelCuts.cpp ask of an op.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_PLAN_LEVELOPS_H
#define MLIR_EXT_LIB_FUSION_PLAN_LEVELOPS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"

namespace mlir::linalg_ext {

/// Returns the indexing map of result `number`. The op must have maps
/// (`hasMaps`).
AffineMap getResultMap(Operation *op, unsigned number);

/// Returns whether `op` has only parallel loops, as far as its interfaces tell.
bool isParallel(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_PLAN_LEVELOPS_H
