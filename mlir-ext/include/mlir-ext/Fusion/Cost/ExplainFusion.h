//===- ExplainFusion.h - Prints what tile-and-fuse would do -----*- C++ -*-===//
//
// The plan of a root and what it costs, without applying it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_COST_EXPLAINFUSION_H
#define MLIR_EXT_FUSION_COST_EXPLAINFUSION_H

#include "mlir-ext/Fusion/Cost/FusionProfit.h"

namespace mlir::linalg_ext {

/// Text for people, or one JSON object for each root, on a line.
enum class ExplanationFormat { Text, JSON };

struct ExplainFusionOptions {
  TileAndFuseOptions fusion;
  FusionCostOptions cost;
  FusionProfitOptions profit;
  ExplanationFormat format = ExplanationFormat::Text;
};

/// Prints, for each of `roots` in order, where it is, its plan and the plan's
/// cost, before -> after; or, if it would be refused, the reason and what to do
/// about it. Works on a copy of the isolated op around a root, in which the
/// roots before it have been fused, as they would have been. Remarks that are
/// asked for are those of tile-and-fuse.
void explainFusion(raw_ostream &os, ArrayRef<Operation *> roots,
                   const ExplainFusionOptions &options);

/// Explains every root below `scope`, and then the other accumulations that
/// `findFusionRoots` finds.
void explainFusionRoots(raw_ostream &os, Operation *scope,
                        const ExplainFusionOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_COST_EXPLAINFUSION_H
